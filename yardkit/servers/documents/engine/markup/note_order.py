"""Notes stand and count in the order of their marks, as Word writes them.

LibreOffice needs that: it gives the n-th mark the note with the n-th id, whatever id the mark names.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from yardkit.servers.documents.engine.markup.names import q

Kind = Literal["footnote", "endnote"]
KINDS: tuple[Kind, Kind] = ("footnote", "endnote")


def ids(data: bytes, tag: str) -> list[bytes]:
    """The ids of the elements with a local name in a serialized part, in order."""
    return re.findall(rb"<(?:[\w.-]+:)?" + tag.encode() + rb'\s[^>]*?:id="([^"]*)"', data)


def sort(main: Any, notes: Any, kind: Kind) -> dict[str, str]:
    """Put the notes of a kind below the root `notes` in the order of their marks in the root `main`, and so their ids.

    Separators come first and notes without a mark last, each as they stood. Old id -> new one of the notes that got
    another; none where ids are no numbers or stand for several notes.
    """
    marks = list(main.iter(q(f"w:{kind}Reference")))
    order = {identity: at for at, identity in enumerate(dict.fromkeys(map(_id, marks)))}
    wanted = sorted(notes, key=lambda node: order.get(_id(node), len(order)) if _is_text(node) else -1)
    if wanted != list(notes):
        notes[:] = wanted
    texts = [node for node in wanted if _is_text(node)]
    old = [_id(node) for node in texts]
    if not all(name.isdigit() for name in old) or len(set(old)) < len(old):
        return {}
    new = dict(zip(old, sorted(old, key=int), strict=True))
    for node in (*texts, *marks):
        node.set(q("w:id"), new.get(_id(node), _id(node)))
    return {before: after for before, after in new.items() if before != after}


def _id(node: Any) -> str:
    return str(node.get(q("w:id"), ""))


def _is_text(node: Any) -> bool:
    return node.get(q("w:type")) in (None, "normal")
