"""Running embedded models in a separate process with limits of time and memory, which keeps models loaded."""

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from yardkit.models.contract import Origin
from yardkit.models.embedded.catalog import embedded_model
from yardkit.programs.bounded import run_bounded
from yardkit.world import Problem
from yardkit.world.extras import missing_package
from yardkit.world.pictures import flatten_with_contrast, load_picture, read_contents

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Result = TypeVar("Result")
_SECONDS = 120.0
_MEMORY_BYTES = 3_000_000_000
_MAX_THREADS = 4


def run_in_process(function: Callable[..., Result], *args: object) -> Result:
    """Call a function of a module in a separate process, so that no picture can hang, exhaust or crash this one.

    Raises:
        Problem: raised by the function; or it took more than two minutes or three gigabytes, or crashed.
    """
    return run_bounded(function, *args, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES, stays=True)


def origin_of(name: str) -> Origin:
    """Make the origin of an embedded model's results."""
    model = embedded_model(name)
    return Origin("embedded", f"{name} of {model.package.name} {model.package.version}", "limited")


def infer_outputs(model: Path, inputs: "Mapping[str, NDArray[Any]]") -> "list[NDArray[Any]]":
    """Run a model, given by its file, and return its outputs. Call it in `run_in_process`.

    Raises:
        Problem: its file cannot be loaded.
    """
    outputs: list[NDArray[Any]] = _load_session(model).run(None, dict(inputs))
    return outputs


def check_model(model: Path) -> str:
    """Load a model, or all of a folder, and describe its inputs. Call it in `run_in_process`.

    Raises:
        Problem: its file cannot be loaded, or the package that runs it is not installed.
    """
    try:
        return _check_folder(model) if model.is_dir() else _check_file(model)
    except ModuleNotFoundError as error:
        raise missing_package(error) or error from error


def _check_file(model: Path) -> str:
    inputs = _load_session(model).get_inputs()
    return "loads; takes " + ", ".join(f"{put.name} {put.shape}" for put in inputs)


def _check_folder(folder: Path) -> str:
    names = sorted(file.name for file in folder.iterdir())
    for name in names:
        if name.endswith(".onnx"):
            _load_session(folder / name)
    if "model.bin" in names:
        import faster_whisper

        faster_whisper.WhisperModel(str(folder), device="cpu", compute_type="int8", local_files_only=True)
    return f"loads; {', '.join(names)}"


@cache
def _load_session(model: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # 3: only errors.
    options.log_severity_level = 3
    options.intra_op_num_threads = min(_MAX_THREADS, os.cpu_count() or 1)
    try:
        return onnxruntime.InferenceSession(model.read_bytes(), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        model_location = model if model.parent.name == "embedded" else model.parent
        name = model_location.name.rpartition("-")[0]
        raise Problem(
            f"the model {name} cannot be loaded ({error}); add it again: yardkit models remove {name}, then add {name}"
        ) from error


def load_rgb(picture: Path | bytes, enough_px: int | None = None, page: int = 1) -> "NDArray[np.uint8]":
    """The pixels of a picture as it is displayed, (height, width, 3).

    Where it is transparent it is on white, or on black or grey where its light parts would vanish on white.

    Args:
        picture: a file, or what it would hold.
        enough_px: a JPEG whose sides are a multiple of this is decoded smaller, in a fifth of the time.
        page: of a TIFF, or the frame of a moving picture, from 1.

    Raises:
        Problem: it is not a picture, is damaged or too large.
    """
    import numpy as np

    return np.asarray(flatten_with_contrast(load_picture(picture, page, enough_px=enough_px).image))


def displayed_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture that `load_rgb` reads, in pixels as it is displayed."""
    contents = read_contents(path)
    return contents.width_px, contents.height_px


def check_region(region: tuple[int, int, int, int] | None, width: int, height: int) -> tuple[int, int, int, int]:
    """Clip a region to a picture; without a region, return the complete picture.

    Raises:
        Problem: the region is completely outside.
    """
    if region is None:
        return 0, 0, width, height
    left, top, right, bottom = max(0, region[0]), max(0, region[1]), min(width, region[2]), min(height, region[3])
    if right - left < 1 or bottom - top < 1:
        raise Problem(
            f"the region {list(region)} is empty or outside the picture, which is {width} x {height} pixels; "
            "give [x_min, y_min, x_max, y_max]"
        )
    return left, top, right, bottom
