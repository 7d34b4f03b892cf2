"""Copies of blocks that hold pending changes, as they read with those: what a tracked move writes at the new place."""

from __future__ import annotations

import copy
from typing import Any

from yardkit.servers.documents.engine.markup.names import TBL, TR, drop, find, q
from yardkit.servers.documents.engine.markup.tracking import MARKS, remove_emptied

_GONE, _CAME = (q("w:del"), q("w:moveFrom")), (q("w:ins"), q("w:moveTo"))
_MARKS_OF_MOVES = [q(f"w:{name}Range{end}") for name in ("moveFrom", "moveTo") for end in ("Start", "End")]
_ENDS = [q(f"w:{name}") for name in ("bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd")]
_NO_CONTENT = (q("w:rPr"), q("w:trPr"), q("w:numPr"))


def copies(blocks: list[Any]) -> list[Any]:
    """Copies without what is deleted in them, insertions as plain text; tables that have no row then are left out.

    Deletions of the marks of paragraphs and changes of formats stay.
    """
    return [made for made in map(_copy, blocks) if made.tag != TBL or next(made.iter(TR), None) is not None]


def deleted_marks(blocks: list[Any]) -> list[tuple[Any, Any]]:
    """The properties of the marks of paragraphs that are deleted, with that deletion."""
    found = [(gone.getparent(), gone) for block in blocks for gone in block.iter(*_GONE)]
    return [(properties, mark) for properties, mark in found if properties.tag == q("w:rPr")]


def authors(blocks: list[Any]) -> list[str]:
    """Whose insertions and deletions are pending in blocks."""
    changes = (mark for block in blocks for mark in block.iter(*(q(f"w:{name}") for name in MARKS)))
    return sorted({change.get(q("w:author"), "") for change in changes})


def _copy(block: Any) -> Any:
    made = copy.deepcopy(block)
    _forget_ids(made)
    for row in [candidate for candidate in made.iter(TR) if find(candidate, "w:trPr/w:del") is not None]:
        if row.getparent() is not None:
            row.getparent().remove(row)
    for node in list(made.iter(*_GONE)):
        if node.getparent().tag not in _NO_CONTENT:
            for end in list(node.iter(*_ENDS)):
                node.addprevious(end)
            remove_emptied(node)
    for node in list(made.iter(*_CAME)):
        if node.getparent().tag not in _NO_CONTENT:
            for child in list(node):
                node.addprevious(child)
            node.getparent().remove(node)
    for node in list(made.iter(*_MARKS_OF_MOVES)):
        node.getparent().remove(node)
    return made


def _forget_ids(block: Any) -> None:
    """Leave the ids of content controls, each of which has its own, to Word."""
    for properties in block.iter(q("w:sdtPr")):
        drop(properties, "w:id")
