"""What the worker refuses or fails at, by the status of HTTP that says so."""

from typing import TYPE_CHECKING

from yardkit.world import Problem

if TYPE_CHECKING:
    import torch


class Unknown(Problem):
    """There is no such model, job or route."""


class TooLarge(Problem):
    """What was sent is over a limit."""


class Busy(Problem):
    """Too much waits already."""


class NoMemory(Problem):
    """The memory of the device does not suffice."""


class Broken(Problem):
    """The device answers no more; the worker must be started anew."""


def status_of(problem: Problem) -> int:
    """The status of HTTP for a problem."""
    kinds = {Unknown: 404, TooLarge: 413, Busy: 503, NoMemory: 503, Broken: 503}
    return next((status for kind, status in kinds.items() if isinstance(problem, kind)), 400)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a call failed for want of memory, of a GPU or of the machine."""
    import torch

    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return True
    return isinstance(error, RuntimeError) and "can't allocate memory" in str(error)


def is_broken(error: BaseException, device: "torch.device") -> bool:
    """Whether a GPU can do nothing more in this process: after a failed kernel each further call fails, too."""
    import torch

    kind = getattr(torch, "AcceleratorError", ())
    return device.type == "cuda" and isinstance(error, kind) and not is_out_of_memory(error)
