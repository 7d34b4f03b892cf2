"""What goes with text that is taken out of a document: the comments on it and the notes that it refers to."""

from __future__ import annotations

from itertools import chain
from typing import Any

from toolyard.servers.documents.engine import comments
from toolyard.servers.documents.engine.document import Document
from toolyard.servers.documents.engine.names import P, q
from toolyard.servers.documents.engine.pen import Pen
from toolyard.world.wording import counted

Mark = tuple[str, str]
"""comment, footnote or endnote, and its id."""
_KINDS = {q(f"w:{kind}Reference"): kind for kind in ("comment", "footnote", "endnote")}
_MARKS = (q("w:commentRangeStart"), q("w:commentRangeEnd"))
_CONTENT = tuple(map(q, ("w:t", "w:delText", "w:drawing", "w:pict", "w:object", "w:sym", "w:footnoteReference", "m:t")))


def note(pen: Pen, node: Any) -> None:
    """Remember the marks in what is about to be taken out; to be called while it stands in the document."""
    marks = [(_KINDS[mark.tag], mark.get(q("w:id"), "")) for mark in node.iter(*_KINDS)]
    pen.leaving.update(dict.fromkeys(marks))


def settle(pen: Pen) -> None:
    """Take out the comments and notes whose marks are gone, and say so."""
    leaving = list(pen.leaving)
    pen.leaving.clear()
    if leaving:
        still = standing(pen.document)
        pen.notes += _take_out(pen.document, [each for each in leaving if each not in still])


def drop_lost(document: Document, before: dict[Mark, None]) -> list[str]:
    """Take out the comments and notes of `before` that stand on nothing any more; what to say of it."""
    still = standing(document)
    return _take_out(document, [each for each in before if each not in still])


def standing(document: Document) -> dict[Mark, None]:
    """Kind and id of each comment and note that a text refers to, in their order; not of comments on nothing."""
    found: dict[Mark, None] = {}
    for root in [document.story(name) for name in document.stories()]:
        empty = _emptied(root)
        marks = ((_KINDS[mark.tag], mark.get(q("w:id"), "")) for mark in root.iter(*_KINDS))
        found |= dict.fromkeys(mark for mark in marks if mark not in empty)
    return found


def _take_out(document: Document, lost: list[Mark]) -> list[str]:
    told = []
    for kind in _KINDS.values():
        ids = [identity for each, identity in lost if each == kind]
        count = comments.drop(document, ids) if kind == "comment" else _drop_notes(document, kind, ids)
        told += [counted(count, kind)] * bool(count)
    return [f"{' and '.join(told)} on what was deleted went with it"] if told else []


def _emptied(root: Any) -> set[Mark]:
    """The comments on spans in which nothing is left; one of a moved text may have two."""
    open_, empty, full = set[str](), set[str](), set[str]()
    for node in root.iter(*_MARKS, *_CONTENT):
        identity = node.get(q("w:id"), "")
        if node.tag in _CONTENT:
            full |= open_
            open_.clear()
        elif node.tag == _MARKS[0]:
            open_.add(identity)
        elif identity in open_:
            open_.discard(identity)
            empty.add(identity)
    return {("comment", identity) for identity in empty - full}


def _drop_notes(document: Document, kind: str, identities: list[str]) -> int:
    part = document.part(f"{kind}s")
    root = None if part is None or not identities else document.root(part)
    nodes = [] if root is None else [node for node in root if node.get(q("w:id")) in identities]
    for node in nodes:
        node.getparent().remove(node)
    return len(nodes)


def keep_references(block: Any) -> None:
    """Move the marks of comments that reach beyond a block into the paragraph beside it: they go on without it."""
    inside = {tag: {mark.get(q("w:id")) for mark in block.iter(tag)} for tag in _MARKS}
    reaching = inside[_MARKS[0]] ^ inside[_MARKS[1]]
    beside: Any = next(chain(block.itersiblings(P, preceding=True), block.itersiblings(P)), None)
    if beside is None:
        return
    for mark in [each for each in block.iter(q("w:commentReference")) if each.get(q("w:id")) in reaching]:
        beside.append(mark.getparent())
