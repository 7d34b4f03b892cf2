"""Notes on the files of a call that its result does not have: pages that were not used, a guessed encoding, a loss.

What works deep inside a tool adds them; the surface puts them under the result.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_MOST_NOTES = 20
_current: ContextVar[list[str] | None] = ContextVar("yardkit_source_notes", default=None)


@contextmanager
def collect_notes() -> Iterator[list[str]]:
    """The notes that are added in the block, each once and at most 20."""
    notes: list[str] = []
    token = _current.set(notes)
    try:
        yield notes
    finally:
        _current.reset(token)


def add_notes(notes: Iterable[str]) -> None:
    """Add notes on files that the result rests on; outside of a call nobody reads them."""
    collected = _current.get()
    if collected is not None:
        collected += [note for note in dict.fromkeys(notes) if note and note not in collected]
        del collected[_MOST_NOTES:]
