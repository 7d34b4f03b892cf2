"""Reading a document, and other views of its picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.servers.lore.engine.drawing import changed, drawn
from yardkit.servers.lore.engine.store import UNKNOWN, lookup
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


def read(store: Path, identity: str) -> Read:
    """A document of the store at `store`, or a changed view of one.

    Raises:
        Problem: there is none of that id.
    """
    name, *changes = identity.split(_MARK)
    record = lookup(store, name)
    steps = [_change(words) for words in changes]
    if len(steps) > MAX_CHANGES or (steps and "picture" not in record):
        raise Problem(UNKNOWN)
    if "picture" not in record:
        return Read(identity, record["text"])
    image = drawn(record["picture"])
    for step in steps:
        image = changed(image, step)
    return Read(identity, record["text"], image)


def change(store: Path, identity: str, name: str, *values: float | str) -> Read:
    """The view of a document's picture after one more change.

    Raises:
        Problem: no such document, it has no picture, or too many changes.
    """
    before = read(store, identity)
    if before.image is None:
        raise Problem(f"the document {identity!r} has no picture; only pictures can be changed")
    if identity.count(_MARK) >= MAX_CHANGES:
        raise Problem(
            f"the picture was already changed {MAX_CHANGES} times; start again with {identity.split(_MARK)[0]!r}"
        )
    told = ",".join(f"{value:g}" if isinstance(value, float | int) else value for value in values)
    return read(store, f"{identity}{_MARK}{name}={told}")


def _change(words: str) -> list[Any]:
    """A change as the id tells it."""
    name, _, told = words.partition("=")
    try:
        if name == "flip" and told in ("horizontal", "vertical"):
            return [name, told]
        values = [float(part) for part in told.split(",")]
    except ValueError:
        raise Problem(UNKNOWN) from None
    if (name, len(values)) not in (("rotate", 1), ("stretch", 2)) or not all(abs(value) <= 3600 for value in values):
        raise Problem(UNKNOWN)
    if name == "stretch" and min(values) <= 0:
        raise Problem(UNKNOWN)
    return [name, *values]
