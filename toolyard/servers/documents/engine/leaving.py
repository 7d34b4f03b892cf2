"""What goes with text that is taken out of a document: the comments on it and the notes that it refers to."""

from __future__ import annotations

from itertools import chain
from typing import Any

from toolyard.servers.documents.engine import comments
from toolyard.servers.documents.engine.names import P, q
from toolyard.servers.documents.engine.pen import Pen
from toolyard.world.wording import counted

_KINDS = {q(f"w:{kind}Reference"): kind for kind in ("comment", "footnote", "endnote")}
_MARKS = (q("w:commentRangeStart"), q("w:commentRangeEnd"))
_CONTENT = tuple(map(q, ("w:t", "w:delText", "w:drawing", "w:pict", "w:object", "w:sym", "w:footnoteReference", "m:t")))


def note(pen: Pen, node: Any) -> None:
    """Remember the marks in what is about to be taken out; to be called while it stands in the document."""
    marks = [(_KINDS[mark.tag], mark.get(q("w:id"), "")) for mark in node.iter(*_KINDS)]
    pen.leaving.update(dict.fromkeys(marks))


def settle(pen: Pen) -> None:
    """Take out the comments and notes whose marks are gone, and say so."""
    leaving, document = list(pen.leaving), pen.document
    pen.leaving.clear()
    standing = set()
    for root in [document.story(name) for name in document.stories()] if leaving else []:
        standing |= {(_KINDS[mark.tag], mark.get(q("w:id"))) for mark in root.iter(*_KINDS)}
        standing -= {("comment", identity) for identity in _emptied(root)}
    gone = {kind: [identity for each, identity in leaving if each == kind] for kind in _KINDS.values()}
    told = []
    for kind, identities in gone.items():
        lost = [identity for identity in identities if (kind, identity) not in standing]
        count = comments.drop(document, lost) if kind == "comment" else _drop_notes(pen, kind, lost)
        told += [counted(count, kind)] * bool(count)
    if told:
        pen.notes.append(f"{' and '.join(told)} on what was deleted went with it")


def _emptied(root: Any) -> set[str]:
    """The ids of the comments on a span in which nothing is left."""
    open_, empty = set[str](), set[str]()
    for node in root.iter(*_MARKS, *_CONTENT):
        identity = node.get(q("w:id"), "")
        if node.tag in _CONTENT:
            open_.clear()
        elif node.tag == _MARKS[0]:
            open_.add(identity)
        elif identity in open_:
            empty.add(identity)
    return empty


def _drop_notes(pen: Pen, kind: str, identities: list[str]) -> int:
    part = pen.document.part(f"{kind}s")
    root = None if part is None or not identities else pen.document.root(part)
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
