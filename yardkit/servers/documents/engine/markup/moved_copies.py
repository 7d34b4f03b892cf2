"""Copies of blocks that hold pending changes, as they read with those: what a tracked move writes at the new place."""

from __future__ import annotations

import copy
from typing import Any

from yardkit.servers.documents.engine.markup.names import TBL, TR, drop_children, find_element, qualify_name
from yardkit.servers.documents.engine.markup.tracking import MARKS, remove_emptied

_GONE, _CAME = (qualify_name("w:del"), qualify_name("w:moveFrom")), (qualify_name("w:ins"), qualify_name("w:moveTo"))
_MARKS_OF_MOVES = [qualify_name(f"w:{name}Range{end}") for name in ("moveFrom", "moveTo") for end in ("Start", "End")]
_ENDS = [qualify_name(f"w:{name}") for name in ("bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd")]
_NO_CONTENT = (qualify_name("w:rPr"), qualify_name("w:trPr"), qualify_name("w:numPr"))


def copy_blocks(blocks: list[Any]) -> list[Any]:
    """Copies without what is deleted in them, insertions as plain text; tables that have no row then are left out.

    Deletions of the marks of paragraphs and changes of formats stay.
    """
    return [
        block_copy
        for block_copy in map(_copy_block, blocks)
        if block_copy.tag != TBL or next(block_copy.iter(TR), None) is not None
    ]


def deleted_marks(blocks: list[Any]) -> list[tuple[Any, Any]]:
    """The properties of the marks of paragraphs that are deleted, with that deletion."""
    removed_marks = [(gone.getparent(), gone) for block in blocks for gone in block.iter(*_GONE)]
    return [(properties, mark) for properties, mark in removed_marks if properties.tag == qualify_name("w:rPr")]


def list_authors(blocks: list[Any]) -> list[str]:
    """Whose insertions and deletions are pending in blocks."""
    changes = (mark for block in blocks for mark in block.iter(*(qualify_name(f"w:{name}") for name in MARKS)))
    return sorted({change.get(qualify_name("w:author"), "") for change in changes})


def _copy_block(block: Any) -> Any:
    block_copy = copy.deepcopy(block)
    _forget_ids(block_copy)
    for row in [candidate for candidate in block_copy.iter(TR) if find_element(candidate, "w:trPr/w:del") is not None]:
        if row.getparent() is not None:
            row.getparent().remove(row)
    for node in list(block_copy.iter(*_GONE)):
        if node.getparent().tag not in _NO_CONTENT:
            for end in list(node.iter(*_ENDS)):
                node.addprevious(end)
            remove_emptied(node)
    for node in list(block_copy.iter(*_CAME)):
        if node.getparent().tag not in _NO_CONTENT:
            for child in list(node):
                node.addprevious(child)
            node.getparent().remove(node)
    for node in list(block_copy.iter(*_MARKS_OF_MOVES)):
        node.getparent().remove(node)
    return block_copy


def _forget_ids(block: Any) -> None:
    """Leave the ids of content controls, each of which has its own, to Word."""
    for properties in block.iter(qualify_name("w:sdtPr")):
        drop_children(properties, "w:id")
