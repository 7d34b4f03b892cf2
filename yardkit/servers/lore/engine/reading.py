"""Reading a document, and other views of its picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.servers.lore.engine.drawing import apply_change, draw_picture
from yardkit.servers.lore.engine.store import UNKNOWN, lookup_record
from yardkit.world import Problem

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_CHANGES = 12
_MARK = "~"


@dataclass(frozen=True)
class Read:
    """A document as it was read.

    Attributes:
        id: what it is called; that of a changed picture tells the changes and can be given to any tool.
        text: what it says.
        image: what it shows, if it shows something.
    """

    id: str
    text: str
    image: Image | None = None


def read_document(store: Path, identity: str) -> Read:
    """A document of the store at `store`, or a changed view of one.

    Raises:
        Problem: there is none of that id.
    """
    name, *changes = identity.split(_MARK)
    record = lookup_record(store, name)
    steps = [_parse_change(words) for words in changes]
    if len(steps) > MAX_CHANGES or (steps and "picture" not in record):
        raise Problem(UNKNOWN)
    if "picture" not in record:
        return Read(identity, record["text"])
    image = draw_picture(record["picture"])
    for step in steps:
        image = apply_change(image, step)
    return Read(identity, record["text"], image)


def change_view(store: Path, identity: str, name: str, *values: float | str) -> Read:
    """The view of a document's picture after one more change.

    Raises:
        Problem: no such document, it has no picture, or too many changes.
    """
    before = read_document(store, identity)
    if before.image is None:
        raise Problem(f"the document {identity!r} has no picture; only pictures can be changed")
    if identity.count(_MARK) >= MAX_CHANGES:
        raise Problem(
            f"the picture was already changed {MAX_CHANGES} times; start again with {identity.split(_MARK)[0]!r}"
        )
    change_text = ",".join(f"{value:g}" if isinstance(value, float | int) else value for value in values)
    return read_document(store, f"{identity}{_MARK}{name}={change_text}")


def _parse_change(words: str) -> list[Any]:
    """A change as the id tells it."""
    name, _, values_text = words.partition("=")
    try:
        if name == "flip" and values_text in ("horizontal", "vertical"):
            return [name, values_text]
        values = [float(part) for part in values_text.split(",")]
    except ValueError:
        raise Problem(UNKNOWN) from None
    if (name, len(values)) not in (("rotate", 1), ("stretch", 2)) or not all(abs(value) <= 3600 for value in values):
        raise Problem(UNKNOWN)
    if name == "stretch" and min(values) <= 0:
        raise Problem(UNKNOWN)
    return [name, *values]
