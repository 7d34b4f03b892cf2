"""The documents of an episode, outside its workspace: a file of JSON lines, sorted by id, in which one is looked up.

A line is ``{"id": "v4%186", "text": "v0: XUyWqrar.", "picture": {...}}``; pictures as `.drawing` tells them. The
lines are sorted by the UTF-8 bytes of their ids, so that a lookup reads a few of them, however many.
"""

from __future__ import annotations

import json
import mmap
from pathlib import Path
from typing import Any

from yardkit.world import Problem

UNKNOWN = "there is no document with this id; ids are exact, work out the one that you need from what you have read"
"""The one answer to every id that does not exist, so that nothing can be learned from it."""


def lookup_record(path: Path, identity: str) -> dict[str, Any]:
    """The record of a document.

    Raises:
        Problem: there is none of that id, or no task with documents is open.
    """
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        raise Problem("there are no documents here; open a task with documents: yardkit open lore/documents") from None
    with stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as lines:
        record = _search_lines(lines, identity.encode("utf-8", "surrogatepass"))
    if record is None:
        raise Problem(UNKNOWN)
    return record


def _search_lines(lines: mmap.mmap, searched_id: bytes) -> dict[str, Any] | None:
    """Binary search: the wanted line, if there is one, begins in ``[low, high)``."""
    low, high = 0, len(lines)
    while low < high:
        start = lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = lines.find(b"\n", start)
        record: dict[str, Any] = json.loads(lines[start:end])
        record_id = record["id"].encode()
        if record_id == searched_id:
            return record
        low, high = (end + 1, high) if record_id < searched_id else (low, start)
    return None
