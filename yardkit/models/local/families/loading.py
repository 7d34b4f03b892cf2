"""Loading a directory for all families: only safetensors, nothing from a hub, no code of the model."""

import importlib
import importlib.util
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from yardkit.models.local.families.contract import Loader, LocalModel
from yardkit.world import Problem, Unavailable

if TYPE_CHECKING:
    import torch

Opened = TypeVar("Opened")
_OPEN = {"local_files_only": True, "trust_remote_code": False}

REQUIREMENTS = Path(__file__).parents[1] / "requirements.txt"


class Gate:
    """A lock that admits many users together, or one exclusively.

    transformers and diffusers set torch's default type for the entire process while they make a model; code running in
    parallel would create its numbers in that type.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._alone = False

    @contextmanager
    def together(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._alone)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    @contextmanager
    def enter_alone(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._alone)
            self._alone = True
            self._changed.wait_for(lambda: not self._inside)
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()


GATE = Gate()


def load_model(family: str, folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory, on the CPU.

    Raises:
        Problem: it cannot be loaded; the message has the reason.
        Unavailable: this environment has no torch, transformers or diffusers.
    """
    require_torch()
    module = importlib.import_module(f"yardkit.models.local.families.{family}")
    load = cast("Loader", module.load)
    with GATE.enter_alone():
        try:
            return load(folder, dtype)
        except MemoryError:
            raise
        except (OSError, ValueError, RuntimeError, ImportError, KeyError, TypeError, AttributeError) as error:
            message = " ".join(str(error).split())[:300]
            raise Problem(
                f"the model in {folder.name!r} cannot be loaded ({type(error).__name__}: {message})"
            ) from error


def require_torch() -> None:
    """Import torch.

    Raises:
        Unavailable: this environment lacks it; the message says what to do.
    """
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1")
    missing = [name for name in ("torch", "transformers", "diffusers") if importlib.util.find_spec(name) is None]
    if missing:
        raise Unavailable(
            f"the worker needs {' and '.join(missing)}, which is not in this environment; make a separate one: "
            "`python3 -m venv ~/yardkit-models && ~/yardkit-models/bin/pip install torch torchvision . "
            f"-r {REQUIREMENTS}` in your clone of Yardkit, then `~/yardkit-models/bin/yardkit models serve` (or in "
            "the clone `make models-env`)"
        )
    _repair_torchvision()
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()


@cache
def _repair_torchvision() -> None:
    """Make torchvision's CUDA build importable next to torch's CPU build, which does not know its operators.

    Only its transforms are used here, which are pure Python. Calls of an operator still fail.
    """
    import torch

    try:
        import torchvision  # noqa: F401
    except ModuleNotFoundError:
        return
    except RuntimeError as error:
        if "torchvision::" not in str(error):
            raise
        library = torch.library.Library("torchvision", "DEF")
        library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        _LIBRARIES.append(library)


_LIBRARIES: list[Any] = []
"""What was defined lasts as long as it is held."""


def open_weights(of: Any, folder: Path, dtype: "torch.dtype", **more: Any) -> Any:
    """Load the weights in a directory with their class."""
    return of.from_pretrained(folder, use_safetensors=True, dtype=dtype, **_OPEN, **more)


def open_settings(of: Any, folder: Path, **more: Any) -> Any:
    """Load a processor, tokenizer or configuration in a directory with its class."""
    return of.from_pretrained(folder, **_OPEN, **more)


def serialize_calls(function: Callable[..., Opened]) -> Callable[..., Opened]:
    """Serialize calls, since two threads cannot use a tokenizer at the same time ("Already borrowed")."""
    lock = threading.Lock()

    def alone(*args: Any, **named: Any) -> Opened:
        with lock:
            return function(*args, **named)

    return alone
