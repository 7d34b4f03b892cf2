"""Notes on the files of a call that its result does not have: pages that were not used, what a copy has not kept.

What works deep inside a tool adds them; the surface puts them under the result.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_NOTES: ContextVar[list[str] | None] = ContextVar("source_notes", default=None)


@contextmanager
def collect_notes() -> Iterator[list[str]]:
    """The notes that are added while it is open."""
    notes: list[str] = []
    token = _NOTES.set(notes)
    try:
        yield notes
    finally:
        _NOTES.reset(token)


def add_notes(notes: Iterable[str]) -> None:
    """Add notes, each once; outside of a call nobody reads them."""
    collected = _NOTES.get()
    if collected is not None:
        collected += [note for note in dict.fromkeys(notes) if note and note not in collected]
