"""Notes stand and count in the order of their marks, as Word writes them.

LibreOffice needs that: it gives the n-th mark the note with the n-th id, whatever id the mark names.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from yardkit.servers.documents.engine.markup.names import qualify_name

Kind = Literal["footnote", "endnote"]
KINDS: tuple[Kind, Kind] = ("footnote", "endnote")


def list_ids(data: bytes, tag: str) -> list[bytes]:
    """The ids of the elements with a local name in a serialized part, in order."""
    return re.findall(rb"<(?:[\w.-]+:)?" + tag.encode() + rb'\s[^>]*?:id="([^"]*)"', data)


def sort_notes(main: Any, notes: Any, kind: Kind) -> dict[str, str]:
    """Put the notes of a kind below the root `notes` in the order of their marks in the root `main`, and so their ids.

    Separators come first and notes without a mark last, each as they stood. Old id -> new one of the notes that got
    another; none where ids are no numbers or stand for several notes.
    """
    marks = list(main.iter(qualify_name(f"w:{kind}Reference")))
    order = {identity: at for at, identity in enumerate(dict.fromkeys(map(_get_id, marks)))}
    sorted_notes = sorted(notes, key=lambda node: order.get(_get_id(node), len(order)) if _is_text(node) else -1)
    if sorted_notes != list(notes):
        notes[:] = sorted_notes
    texts = [node for node in sorted_notes if _is_text(node)]
    old = [_get_id(node) for node in texts]
    if not all(name.isdigit() for name in old) or len(set(old)) < len(old):
        return {}
    new = dict(zip(old, sorted(old, key=int), strict=True))
    for node in (*texts, *marks):
        node.set(qualify_name("w:id"), new.get(_get_id(node), _get_id(node)))
    return {before: after for before, after in new.items() if before != after}


def _get_id(node: Any) -> str:
    return str(node.get(qualify_name("w:id"), ""))


def _is_text(node: Any) -> bool:
    return node.get(qualify_name("w:type")) in (None, "normal")
