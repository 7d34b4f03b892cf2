"""The two servers of Toolathlon, still without tools, and what their tools share."""

from collections.abc import Iterator
from contextlib import contextmanager

from yardkit.world import Problem


@contextmanager
def prefix_problem(what: str) -> Iterator[None]:
    """Put the words of the foreign server before a problem."""
    try:
        yield
    except Problem as problem:
        raise type(problem)(f"{what}: {problem}") from problem
