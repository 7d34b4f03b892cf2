"""How long readers wait for an engine on a delivered file, and whose fault it is if it does not end.

An agent's file that keeps an engine busy is not our fault and must not end the grader.
"""

from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.programs.forks import Crashed, Overrun, Raised, call_in_fork

Result = TypeVar("Result")

LIMIT_S = 20.0
"""Seconds of processor time: how long it takes does not depend on what else the machine does."""
_SHORTEST_S = 0.3
_overruns: ContextVar[int] = ContextVar("yardkit_overruns", default=0)


def reset_time_limits() -> None:
    """Reset the limits at the start of a grading."""
    _overruns.set(0)


def shorten_time_limits() -> None:
    """Cut the following limits to a quarter after one was reached, since a check may try such a file many times."""
    _overruns.set(min(_overruns.get() + 1, 9))


def get_time_limit(seconds: float) -> float:
    """Return the current limit for work that normally gets this many seconds."""
    return max(seconds * 0.25 ** _overruns.get(), _SHORTEST_S)


def compute_in_fork(work: Callable[[Path], Result], faults: tuple[str, ...] = ()) -> Result:
    """Run `work` in a fork (`call_in_fork`) and return its result.

    Args:
        work: called with an empty folder.
        faults: names of exceptions that are the file's fault; others are raised as `RuntimeError`.

    Raises:
        InvalidArtifact: it did not end, crashed, or raised this or one of `faults`.
    """
    limit = get_time_limit(LIMIT_S)
    try:
        return call_in_fork(work, limit)
    except Overrun:
        shorten_time_limits()
        raise InvalidArtifact(f"it takes more than {limit:g} s to compute") from None
    except Crashed as crash:
        raise InvalidArtifact(f"computing it fails ({crash})") from None
    except Raised as error:
        if error.name == InvalidArtifact.__name__:
            raise InvalidArtifact(error.words) from None
        if error.name in faults:
            raise InvalidArtifact(f"it cannot be computed: {error.words[-300:] or error.name}") from None
        raise RuntimeError(str(error)) from None
