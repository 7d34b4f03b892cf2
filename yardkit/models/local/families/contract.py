"""The interface of all families: requests are prepared in parallel, run in batches, and their outputs converted."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from yardkit.world import Problem

if TYPE_CHECKING:
    import torch


class Stopped(Problem):
    """The client no longer waits for the answer."""

    def __init__(self) -> None:
        super().__init__("the call was cancelled")


@dataclass
class Watch:
    """Connects the waiting client with the thread that works on its call.

    Attributes:
        progress: the progress, 0 to 1.
        stopped: whether the client no longer waits.
    """

    progress: float = 0.0
    stopped: bool = False

    def report_progress(self, progress: float) -> None:
        """Report the progress.

        Raises:
            Stopped: the client no longer waits.
        """
        if self.stopped:
            raise Stopped
        self.progress = progress


@dataclass(frozen=True)
class Prepared:
    """A request in the model's input format.

    Attributes:
        inputs: tensors on the CPU, whose first dimension is the batch.
        key: requests with the same key can be batched; None for those that run alone.
        extra: data that the family needs to convert the output to an answer.
    """

    inputs: Mapping[str, "torch.Tensor"]
    key: Hashable = None
    extra: Any = None


@dataclass
class LocalModel(ABC):
    """A loaded model.

    Attributes:
        parts: the modules with its weights.
        device: their device.
        most: the maximum batch size.
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
        """Prepare the model's inputs for a request. Runs in any thread, in parallel to `run`.

        Raises:
            Problem: the model cannot answer it.
        """

    @abstractmethod
    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        """Compute the outputs for requests of one key, in order. Runs only in the thread of the device.

        Raises:
            Stopped: the client no longer waits.
        """

    def finish(self, prepared: Prepared, output: Any) -> Any:
        """Convert an output to an answer. Runs in any thread."""
        return output


class Loader(Protocol):
    """The function ``load`` of a family's file."""

    def __call__(self, folder: Path, dtype: "torch.dtype") -> LocalModel:
        """Load the model in a directory, on the CPU.

        Raises:
            Problem: it cannot be loaded.
        """


def stop_when_unwanted(watch: Watch, most: int, start: int) -> Any:
    """Make stopping criteria for transformers that report the share of `most` tokens, and stop if no client waits.

    Args:
        watch: the watch of the call.
        most: the maximum number of new tokens.
        start: the number of tokens at the beginning.
    """
    from transformers import StoppingCriteria, StoppingCriteriaList

    class Watched(StoppingCriteria):  # type: ignore[misc]  # transformers has no types
        def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
            import torch

            watch.report_progress(min(1.0, (input_ids.shape[1] - start) / most))
            return torch.zeros(input_ids.shape[0], dtype=torch.bool, device=input_ids.device)

    return StoppingCriteriaList([Watched()])


def shapes_of(inputs: Mapping[str, "torch.Tensor"]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the names and shapes of tensors without the batch dimension; equal ones can be batched."""
    return tuple((name, tuple(tensor.shape[1:])) for name, tensor in sorted(inputs.items()))


def join_batch(
    batch: Sequence[Prepared], device: "torch.device", dtype: "torch.dtype | None" = None
) -> "dict[str, torch.Tensor]":
    """Join the tensors of several requests to a batch on the device, with floats in the type of the weights."""
    import torch

    names = batch[0].inputs.keys()
    together = {name: torch.cat([prepared.inputs[name] for prepared in batch]) for name in names}
    return {
        name: tensor.to(device, dtype if tensor.is_floating_point() else None, non_blocking=True)
        for name, tensor in together.items()
    }
