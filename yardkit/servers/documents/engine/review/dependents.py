"""What goes with text that is taken out of a document: the comments on it and the notes that it refers to."""

from __future__ import annotations

from itertools import chain
from typing import Any

from yardkit.servers.documents.engine.markup.names import TR, P, make_element, qualify_name
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.review import comments
from yardkit.world.wording import format_count

_REFERENCE_KINDS = {qualify_name(f"w:{kind}Reference"): kind for kind in ("comment", "footnote", "endnote")}
_COMMENT_MARKS = (qualify_name("w:commentRangeStart"), qualify_name("w:commentRangeEnd"))
_BOOKMARKS = (qualify_name("w:bookmarkStart"), qualify_name("w:bookmarkEnd"))
_REFERENCE = qualify_name("w:commentReference")
_CONTENT = tuple(
    map(qualify_name, ("w:t", "w:delText", "w:drawing", "w:pict", "w:object", "w:sym", "w:footnoteReference", "m:t"))
)


def remember_marks(writer: Writer, node: Any) -> None:
    """Remember the marks in what is about to be taken out; to be called while it stands in the document."""
    marks = [(_REFERENCE_KINDS[mark.tag], mark.get(qualify_name("w:id"), "")) for mark in node.iter(*_REFERENCE_KINDS)]
    writer.removed_marks.update(dict.fromkeys(marks))


def remember_all_marks(writer: Writer) -> None:
    """Remember all marks of a document, but for those of comments that are on no text anyway."""
    for root in _list_roots(writer):
        remember_marks(writer, root)
        for identity in _find_emptied(root):
            writer.removed_marks.pop(("comment", identity), None)


def remove_orphans(writer: Writer) -> None:
    """Take out the comments and notes whose marks are gone, and say so."""
    counts = dict.fromkeys(_REFERENCE_KINDS.values(), 0)
    for kind in ("footnote", "endnote", "comment"):  # what is on the text of a note goes with that
        lost = [identity for name, identity in _list_orphaned_marks(writer) if name == kind]
        counts[kind] = (
            comments.drop_comments(writer.document, lost) if kind == "comment" else _drop_notes(writer, kind, lost)
        )
    writer.removed_marks.clear()
    removal_notes = [format_count(count, kind) for kind, count in counts.items() if count]
    if removal_notes:
        writer.notes.append(f"{' and '.join(removal_notes)} of the deleted text also deleted")


def _list_orphaned_marks(writer: Writer) -> list[tuple[str, str]]:
    """Of the marks remembered those that stand nowhere, or on nothing."""
    standing = set()
    for root in _list_roots(writer) if writer.removed_marks else []:
        standing |= {
            (_REFERENCE_KINDS[mark.tag], mark.get(qualify_name("w:id"))) for mark in root.iter(*_REFERENCE_KINDS)
        }
        standing -= {("comment", identity) for identity in _find_emptied(root)}
    return [pair for pair in writer.removed_marks if pair not in standing]


def _list_roots(writer: Writer) -> list[Any]:
    return [writer.document.get_story(name) for name in writer.document.map_stories()]


def _find_emptied(root: Any) -> set[str]:
    """The ids of the comments on a span in which nothing is left."""
    open_, empty, filled = set[str](), set[str](), set[str]()
    for node in root.iter(*_COMMENT_MARKS, *_CONTENT):
        identity = node.get(qualify_name("w:id"), "")
        if node.tag in _CONTENT:
            filled |= open_
            open_.clear()
        elif node.tag == _COMMENT_MARKS[0]:
            open_.add(identity)
        elif identity in open_:
            open_.remove(identity)
            empty.add(identity)
    return empty - filled  # both halves of a move have marks of the same comment


def _drop_notes(writer: Writer, kind: str, identities: list[str]) -> int:
    part = writer.document.part(f"{kind}s")
    root = None if part is None or not identities else writer.document.root(part)
    nodes = [] if root is None else [node for node in root if node.get(qualify_name("w:id")) in identities]
    for node in nodes:
        remember_marks(writer, node)
        node.getparent().remove(node)
    return len(nodes)


def keep_comments_beyond(block: Any) -> None:
    """Move the marks of comments that reach beyond a block into the paragraph beside it: they go on without it."""
    inside = {tag: {mark.get(qualify_name("w:id")) for mark in block.iter(tag)} for tag in _COMMENT_MARKS}
    reaching = inside[_COMMENT_MARKS[0]] ^ inside[_COMMENT_MARKS[1]]
    beside: Any = next(chain(block.itersiblings(P, preceding=True), block.itersiblings(P)), None)
    if beside is None:
        return
    for mark in [reference for reference in block.iter(_REFERENCE) if reference.get(qualify_name("w:id")) in reaching]:
        beside.append(mark.getparent())


def lift_marks(writer: Writer, cell: Any) -> list[Any]:
    """Take the ends of comments and bookmarks out of the paragraphs of a cell, and the marks of its comments."""
    remember_marks(writer, cell)
    marks = [
        mark for element in cell.iterchildren(P) for mark in element.iter(*_COMMENT_MARKS, *_BOOKMARKS, _REFERENCE)
    ]
    for mark in marks:
        mark.getparent().remove(mark)
    return marks


def put_back_marks(cell: Any, marks: list[Any]) -> None:
    """Put marks that were lifted around what the paragraphs of a cell hold now."""
    if not marks:
        return
    first, *_, last = [*cell.iterchildren(P)] * 2
    front = 0 if first.find(qualify_name("w:pPr")) is None else 1
    for mark in reversed([candidate for candidate in marks if candidate.tag in (_COMMENT_MARKS[0], _BOOKMARKS[0])]):
        first.insert(front, mark)
    for mark in [candidate for candidate in marks if candidate.tag not in (_COMMENT_MARKS[0], _BOOKMARKS[0])]:
        last.append(make_element("w:r", mark) if mark.tag == _REFERENCE else mark)


def keep_comments_beyond_row(row: Any) -> None:
    """Move the marks of comments that reach beyond a row into the rows beside it: they go on without it."""
    start, end = ({mark.get(qualify_name("w:id")) for mark in row.iter(tag)} for tag in _COMMENT_MARKS)
    below: Any = next((paragraph for after in row.itersiblings(TR) for paragraph in after.iter(P)), None)
    above: Any = next((list(element.iter(P))[-1] for element in row.itersiblings(TR, preceding=True)), None)
    for mark in [
        candidate for candidate in row.iter(*_COMMENT_MARKS) if candidate.get(qualify_name("w:id")) in start ^ end
    ]:
        if mark.tag == _COMMENT_MARKS[1]:
            row.getparent().addprevious(mark) if above is None else above.append(mark)
        elif below is None:
            row.getparent().addnext(mark)
        else:
            below.insert(0 if below.find(qualify_name("w:pPr")) is None else 1, mark)
    beside = below if above is None else above
    for mark in [reference for reference in row.iter(_REFERENCE) if reference.get(qualify_name("w:id")) in start ^ end]:
        if beside is not None:
            beside.append(mark.getparent())
