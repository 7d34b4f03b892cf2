"""The worker's errors, by their HTTP status."""

from typing import TYPE_CHECKING

from yardkit.world import Problem

if TYPE_CHECKING:
    import torch


class Unknown(Problem):
    """The model, job or route does not exist."""


class TooLarge(Problem):
    """The request is over a limit."""


class Busy(Problem):
    """Too many calls are waiting."""


class NoMemory(Problem):
    """The device has too little memory."""


class Broken(Problem):
    """The device no longer answers; the worker must be restarted."""


def status_of(problem: Problem) -> int:
    """Return the HTTP status for a problem."""
    kinds = {Unknown: 404, TooLarge: 413, Busy: 503, NoMemory: 503, Broken: 503}
    return next((status for kind, status in kinds.items() if isinstance(problem, kind)), 400)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a call failed for lack of memory, of a GPU or of the machine."""
    import torch

    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return True
    return isinstance(error, RuntimeError) and "can't allocate memory" in str(error)


def is_broken(error: BaseException, device: "torch.device") -> bool:
    """Whether a GPU is unusable in this process: after a failed kernel every further call fails, too."""
    import torch

    kind = getattr(torch, "AcceleratorError", ())
    return device.type == "cuda" and isinstance(error, kind) and not is_out_of_memory(error)
