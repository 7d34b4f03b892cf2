"""What the reader of a file should know of how it was read: collected where files are read, told with the result."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_MOST_NOTES = 20
_current: ContextVar[dict[str, None] | None] = ContextVar("yardkit_source_notes", default=None)


@contextmanager
def collect_source_notes() -> Iterator[dict[str, None]]:
    """Collect the notes on the files that are read in the block, each once."""
    notes: dict[str, None] = {}
    token = _current.set(notes)
    try:
        yield notes
    finally:
        _current.reset(token)


def note_source(note: str) -> None:
    """Tell the reader of the result something about a file that it rests on; nothing where nobody collects."""
    notes = _current.get()
    if notes is not None and len(notes) < _MOST_NOTES:
        notes[note] = None
