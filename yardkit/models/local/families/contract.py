"""What every family keeps to: a request is prepared beside others, run with its like, and its output put into words."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from yardkit.world import Problem

if TYPE_CHECKING:
    import torch


class Stopped(Problem):
    """Nobody waits for the answer any more."""

    def __init__(self) -> None:
        super().__init__("the call was cancelled")


@dataclass
class Watch:
    """Between who waits for a call and the thread that works on it.

    Attributes:
        progress: how far it is, 0 to 1.
        stopped: nobody waits any more.
    """

    progress: float = 0.0
    stopped: bool = False

    def report_progress(self, progress: float) -> None:
        """Say how far it is.

        Raises:
            Stopped: nobody waits any more.
        """
        if self.stopped:
            raise Stopped
        self.progress = progress


@dataclass(frozen=True)
class Prepared:
    """A request as the model takes it.

    Attributes:
        inputs: tensors on the CPU, whose first dimension counts requests.
        key: requests of the same key can be run as one; None for those that are run alone.
        extra: what the family needs to make an answer of the output.
    """

    inputs: Mapping[str, "torch.Tensor"]
    key: Hashable = None
    extra: Any = None


@dataclass
class LocalModel(ABC):
    """A model that was loaded.

    Attributes:
        parts: the modules that hold its weights.
        device: where they are.
        most: requests that are run as one.
    """

    parts: "Sequence[torch.nn.Module]"
    device: "torch.device" = field(init=False)
    most: int = field(default=16, init=False)

    def __post_init__(self) -> None:
        import torch

        self.device = torch.device("cpu")
        for part in self.parts:
            part.eval().requires_grad_(requires_grad=False)

    @abstractmethod
    def prepare(self, request: Any) -> Prepared:
        """What the model takes for a request. Runs in any thread, beside `run`.

        Raises:
            Problem: the model cannot answer it.
        """

    @abstractmethod
    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        """The outputs for requests of one key, in order. Runs in the thread of the device alone.

        Raises:
            Stopped: nobody waits any more.
        """

    def finish(self, prepared: Prepared, output: Any) -> Any:
        """The answer, made of an output. Runs in any thread."""
        return output


class Loader(Protocol):
    """The function ``load`` of a family's file."""

    def __call__(self, folder: Path, dtype: "torch.dtype") -> LocalModel:
        """The model in a directory, on the CPU.

        Raises:
            Problem: it cannot be loaded.
        """


def stop_when_unwanted(watch: Watch, most: int, start: int) -> Any:
    """Stopping criteria of transformers that tell how many of `most` tokens there are, and stop when nobody waits.

    Args:
        watch: of the call.
        most: tokens that may come.
        start: tokens that are there at the beginning.
    """
    from transformers import StoppingCriteria, StoppingCriteriaList

    class Watched(StoppingCriteria):  # type: ignore[misc]  # transformers has no types
        def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
            import torch

            watch.report_progress(min(1.0, (input_ids.shape[1] - start) / most))
            return torch.zeros(input_ids.shape[0], dtype=torch.bool, device=input_ids.device)

    return StoppingCriteriaList([Watched()])


def shapes_of(inputs: Mapping[str, "torch.Tensor"]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The names and shapes of tensors, without the first dimension: what is alike can be run as one."""
    return tuple((name, tuple(tensor.shape[1:])) for name, tensor in sorted(inputs.items()))


def join_batch(
    batch: Sequence[Prepared], device: "torch.device", dtype: "torch.dtype | None" = None
) -> "dict[str, torch.Tensor]":
    """The tensors of several requests as one, on the device; floats in the type of the weights."""
    import torch

    names = batch[0].inputs.keys()
    together = {name: torch.cat([prepared.inputs[name] for prepared in batch]) for name in names}
    return {
        name: tensor.to(device, dtype if tensor.is_floating_point() else None, non_blocking=True)
        for name, tensor in together.items()
    }
