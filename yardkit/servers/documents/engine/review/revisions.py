"""Tracked changes: read, and accepted or rejected one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from yardkit.servers.documents.engine.markup.names import (
    SDT_CONTENT,
    SECT,
    TBL,
    TC,
    TR,
    P,
    R,
    add_in_order,
    drop_children,
    insert_child,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.tracking import remove_emptied, rename_texts
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.writer import refuse_untracked
from yardkit.servers.documents.engine.review.dependents import keep_comments_beyond_row
from yardkit.world import Problem

Kind = Literal[
    "insertion",
    "deletion",
    "move_from",
    "move_to",
    "paragraph_insertion",
    "paragraph_deletion",
    "row_insertion",
    "row_deletion",
    "cell_insertion",
    "cell_deletion",
    "cell_merge",
    "format",
    "numbering",
]
_CONTENT_CHANGES: dict[str, Kind] = {
    "ins": "insertion",
    "del": "deletion",
    "moveFrom": "move_from",
    "moveTo": "move_to",
}
_CELL_CHANGES: dict[str, Kind] = {"cellIns": "cell_insertion", "cellDel": "cell_deletion", "cellMerge": "cell_merge"}
_FORMAT_CHANGES = (
    *("rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "trPrChange", "tcPrChange", "tblGridChange"),
    "tblPrExChange",
)
_CHANGE_TAGS = {
    qualify_name(f"w:{name}") for name in (*_CONTENT_CHANGES, *_CELL_CHANGES, *_FORMAT_CHANGES, "numberingChange")
}
_FORMAT_TAGS = [qualify_name(f"w:{name}") for name in _FORMAT_CHANGES]
_ARRIVING_KINDS = {"insertion", "move_to", "paragraph_insertion", "row_insertion", "cell_insertion"}
_ANCHORED_TAGS = {
    qualify_name(f"w:{name}") for name in ("bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd")
}  # what must stay when the text around it goes
_AUTHOR_ATTRIBUTES = (qualify_name("w:author"), qualify_name("w:date"))
_REFERENCE = qualify_name("w:commentReference")
_STORY_TAGS = {qualify_name(f"w:{name}") for name in ("document", "hdr", "ftr", "footnotes", "endnotes", "comments")}
_PRESERVED_IN_SECTION = ("w:headerReference", "w:footerReference")


@dataclass(frozen=True)
class Change:
    """A tracked change.

    Attributes:
        id: to accept or reject it by.
        kind: paragraph_... is about the mark at the end of a paragraph.
        text: inserted, deleted or moved; of a format change, the text whose format changed.
        properties: of a format change: the names of the properties that differ.
        anchor: of the paragraph or table it stands in.
    """

    id: str
    kind: Kind
    author: str
    date: str
    text: str = ""
    anchor: str = ""
    properties: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Which:
    """Which changes are meant; nothing given means all.

    Attributes:
        ids: only these.
        authors: only theirs.
        since: only from this ISO date or time on.
        until: only up to this ISO date or time; a date means its end.
        kinds: only these.
    """

    ids: list[str] | None = None
    authors: list[str] | None = None
    since: str | None = None
    until: str | None = None
    kinds: list[Kind] | None = None

    def matches(self, change: Change) -> bool:
        return (
            (self.ids is None or change.id in self.ids)
            and (self.authors is None or change.author in self.authors)
            and (self.kinds is None or change.kind in self.kinds)
            and (self.since is None or change.date >= self.since)
            and (self.until is None or change.date[: len(self.until)] <= self.until)
        )


def read_changes(document: Document) -> list[Change]:
    """All tracked changes, in the order of the stories and of the text."""
    return [_describe_change(blocks, node, identity) for blocks, node, identity in _iter_changes(document)]


def settle_changes(document: Document, which: Which, *, accept: bool) -> list[Change]:
    """Accept or reject changes; those that were settled.

    Both halves of a move go together.

    Raises:
        Problem: an id is unknown, or there is no such change.
    """
    change_pairs = [
        (node, _describe_change(blocks, node, identity)) for blocks, node, identity in _iter_changes(document)
    ]
    _refuse_unknown(which, [change for _, change in change_pairs])
    chosen = [(node, change) for node, change in change_pairs if which.matches(change)]
    names = {_move_name(node) for node, change in chosen if change.kind in ("move_from", "move_to")} - {""}
    if which.ids is not None and names:
        chosen = [pair for pair in change_pairs if pair in chosen or _move_name(pair[0]) in names]
    moves = [
        (node, _move_marks(node))
        for node, _ in chosen
        if node.tag in (qualify_name("w:moveFrom"), qualify_name("w:moveTo"))
    ]
    for node, change in sorted(chosen, key=lambda pair: pair[1].kind.startswith("paragraph")):  # text first, then marks
        if _is_attached(node):
            _settle_single(node, change.kind, accept=accept)
    for _, marks in moves:
        _drop_move_marks(marks)
    return [change for _, change in chosen]


def set_tracking(document: Document, *, on: bool) -> None:
    """Turn the recording of changes on or off.

    Raises:
        Problem: off, but the document is protected so that all edits are tracked.
    """
    if not on:
        refuse_untracked(document)
    if on:
        insert_child(document.settings, make_element("w:trackRevisions"))
    elif document.tracks:
        drop_children(document.settings, "w:trackRevisions")


def _refuse_unknown(which: Which, changes: list[Change]) -> None:
    for asked, known, noun in (
        (which.ids, {change.id for change in changes}, "id"),
        (which.authors, {change.author for change in changes}, "author"),
    ):
        unknown = [text for text in asked or [] if text not in known]
        if unknown:
            listed = ", ".join(sorted(known)[:30]) or "no tracked changes"
            raise Problem(f"no tracked change has the {noun} {', '.join(unknown)}; the document has: {listed}")


def _iter_changes(document: Document) -> Iterator[tuple[Any, Any, str]]:
    """Blocks of the story, element and id of each change; an id that is not unique gets a number."""
    seen: dict[str, int] = {}
    for story in document.map_stories():
        blocks = document.get_blocks(story)
        for node in document.get_story(story).iter(*_CHANGE_TAGS):
            if node.tag == qualify_name("w:tblGridChange") or next(node.iterancestors(*_FORMAT_TAGS), None) is not None:
                continue
            change_id = node.get(qualify_name("w:id"), "0")
            seen[change_id] = seen.get(change_id, 0) + 1
            yield blocks, node, change_id if seen[change_id] == 1 else f"{change_id}~{seen[change_id]}"


def _describe_change(blocks: Any, node: Any, identity: str) -> Change:
    kind = _get_kind(node)
    block = next(node.iterancestors(P, TBL), None)
    if block is None:
        block = next(node.iter(P, TBL), None)
    date, author = node.get(qualify_name("w:date"), ""), node.get(qualify_name("w:author"), "")
    anchor = "" if block is None else blocks.anchor(block)
    return Change(
        identity,
        kind,
        author,
        date,
        _get_text(node, kind),
        anchor,
        _list_differing_properties(node) if kind == "format" else [],
    )


def _get_kind(node: Any) -> Kind:
    name = node.tag.partition("}")[2]
    if name in _CELL_CHANGES:
        return _CELL_CHANGES[name]
    if name in _FORMAT_CHANGES:
        return "format"
    parent = node.getparent().tag
    if name == "numberingChange" or parent == qualify_name("w:numPr"):
        return "numbering"
    if parent == qualify_name("w:trPr"):
        return "row_insertion" if name == "ins" else "row_deletion"
    if parent == qualify_name("w:rPr"):
        return "paragraph_insertion" if name in ("ins", "moveTo") else "paragraph_deletion"
    return _CONTENT_CHANGES[name]


def _get_text(node: Any, kind: Kind) -> str:
    if kind in _CONTENT_CHANGES.values():
        return _all_text(node)
    if kind in ("row_insertion", "row_deletion"):
        cells = (_all_text(cell) for cell in next(node.iterancestors(TR)).iterfind(qualify_name("w:tc")))
        return " | ".join(cells)
    if kind == "format":
        owner = node.getparent().getparent()
        return _all_text(owner) if owner.tag in (R, P) else ""
    return ""


def _all_text(node: Any) -> str:
    """The text under a node, that of deletions included."""
    control_texts = {qualify_name("w:tab"): "\t", qualify_name("w:br"): "\n", qualify_name("w:cr"): "\n"}
    texts = (qualify_name("w:t"), qualify_name("w:delText"), qualify_name("m:t"))
    text_nodes = node.iter(*texts, *control_texts)
    return "".join(
        control_texts.get(piece.tag, piece.text or "")
        for piece in text_nodes
        if piece.getparent().tag != qualify_name("w:tabs")
    )


def _list_differing_properties(node: Any) -> list[str]:
    """Names of the properties that a format change gave, took or changed."""
    old = node[0] if len(node) else node
    now = {
        child.tag: _flatten_node(child)
        for child in node.getparent()
        if child is not node and child.tag not in _CHANGE_TAGS
    }
    before = {child.tag: _flatten_node(child) for child in old}
    skipped = {qualify_name("w:rPr"), SECT} if node.tag == qualify_name("w:pPrChange") else set()
    tags = [*before, *(tag for tag in now if tag not in before)]
    return [tag.partition("}")[2] for tag in tags if tag not in skipped and now.get(tag) != before.get(tag)]


def _flatten_node(node: Any) -> tuple[Any, ...]:
    return (sorted(node.attrib.items()), [(_flatten_node(child), child.tag) for child in node])


def _settle_single(node: Any, kind: Kind, *, accept: bool) -> None:
    stays = (kind in _ARRIVING_KINDS) == accept
    if kind == "format":
        if not accept:
            _restore_properties(node)
        elif node.getparent() is not None:
            node.getparent().remove(node)
    elif kind in _CONTENT_CHANGES.values():
        _unwrap_change(node) if stays else _remove_change(node)
    elif kind.startswith("paragraph"):
        _settle_mark(node, stays=stays)
    else:
        _SETTLERS[kind](node, stays)


def _settle_row(node: Any, stays: bool) -> None:
    row = next(node.iterancestors(TR))
    table = row.getparent()
    node.getparent().remove(node)
    if not stays:
        keep_comments_beyond_row(row)
        table.remove(row)
        if table.tag == TBL and not any(True for _ in table.iter(TR)):
            _remove_table(table)


def _settle_cell(node: Any, stays: bool) -> None:
    cell = next(node.iterancestors(TC))
    node.getparent().remove(node)
    if not stays and len(cell.getparent().findall(qualify_name("w:tc"))) > 1:
        cell.getparent().remove(cell)


def _settle_merge(node: Any, stays: bool) -> None:
    """A merge: accepted it stays as the cell's vMerge says it; rejected that is set back to what it was."""
    properties = node.getparent()
    before = node.get(qualify_name("w:vMergeOrig"))
    properties.remove(node)
    if stays:
        drop_children(properties, "w:vMerge")
        if before is not None:
            insert_child(properties, make_element("w:vMerge", val="restart" if before == "rest" else "continue"))


def _settle_numbering(node: Any, stays: bool) -> None:
    numbering = node.getparent()
    numbering.remove(node)
    if not stays and numbering.tag == qualify_name("w:numPr"):
        numbering.getparent().remove(numbering)


_SETTLERS: dict[str, Callable[[Any, bool], None]] = {
    "row_insertion": _settle_row,
    "row_deletion": _settle_row,
    "cell_insertion": _settle_cell,
    "cell_deletion": _settle_cell,
    "cell_merge": _settle_merge,
    "numbering": _settle_numbering,
}


def _unwrap_change(node: Any) -> None:
    """Put what a change holds in its place, as live text."""
    if node.tag == qualify_name("w:del"):
        rename_texts(node, deleted=False)
    for child in list(node):
        node.addprevious(child)
    remove_emptied(node)


def _remove_change(node: Any) -> None:
    """Take a change out with all it holds, but for the ends of bookmarks and comments."""
    for child in list(node.iter(*_ANCHORED_TAGS)):
        node.addprevious(child)
    for reference in list(node.iter(qualify_name("w:commentReference"))):
        node.addprevious(reference.getparent())
    remove_emptied(node)


def _settle_mark(node: Any, *, stays: bool) -> None:
    properties = node.getparent()
    paragraph = next(node.iterancestors(P), None)
    heir = None if stays or paragraph is None else _find_heir(node, paragraph)
    if heir is not None:
        node.attrib.update({name: heir.get(name) for name in _AUTHOR_ATTRIBUTES if heir.get(name)})
        return
    properties.remove(node)
    if not len(properties) and properties.getparent() is not None:
        properties.getparent().remove(properties)
    if paragraph is not None and not stays:
        _join_next(paragraph)


def _find_heir(mark: Any, paragraph: Any) -> Any:
    """The change of another author that the mark of a last paragraph waits for: it can go only with all text there."""
    following = _next_block(paragraph)
    content = [child for child in paragraph if child.tag != qualify_name("w:pPr") and child.tag not in _ANCHORED_TAGS]
    if (following is not None and following.tag == P) or {child.tag for child in content} != {mark.tag}:
        return None
    return content[-1] if content[-1].get(_AUTHOR_ATTRIBUTES[0]) != mark.get(_AUTHOR_ATTRIBUTES[0]) else None


def _join_next(paragraph: Any) -> None:
    """Take away the mark of a paragraph: its content goes to the next one, whose format counts."""
    following = _next_block(paragraph)
    if paragraph.find(f"{qualify_name('w:pPr')}/{SECT}") is not None:
        return
    _drop_duplicate_marks(paragraph)
    content = [child for child in paragraph if child.tag != qualify_name("w:pPr")]
    if following is not None and following.tag == P:
        front = 0 if following.find(qualify_name("w:pPr")) is None else 1
        for child in reversed(content):
            following.insert(front, child)
        paragraph.getparent().remove(paragraph)
    elif all(child.tag in _ANCHORED_TAGS for child in content):
        _drop_emptied(paragraph, content)


def _next_block(block: Any) -> Any:
    following = block.getnext()
    while following is not None and following.tag in _ANCHORED_TAGS:
        following = following.getnext()
    return following


def _drop_emptied(paragraph: Any, marks: list[Any]) -> None:
    """Take out a paragraph that holds nothing but marks, which stay, and the content controls around it alone."""
    gone = paragraph
    while gone.getparent().tag == SDT_CONTENT and len(gone.getparent()) == 1:
        gone = gone.getparent().getparent()
    if _may_go(gone, _next_block(gone)):
        for child in marks:
            gone.addprevious(child)
        gone.getparent().remove(gone)


def _drop_duplicate_marks(paragraph: Any) -> None:
    """Of a paragraph without content take out marks that stand elsewhere too: those of a move that is settled."""
    marks = list(paragraph.iter(*_ANCHORED_TAGS, _REFERENCE))
    empty = {qualify_name("w:pPr"), *_ANCHORED_TAGS}
    bare = [run for run in paragraph.iter(R) if all(child.tag in (qualify_name("w:rPr"), _REFERENCE) for child in run)]
    if not marks or any(child.tag not in empty and child not in bare for child in paragraph):
        return
    root = paragraph.getroottree().getroot()
    others = {
        (element.tag, element.get(qualify_name("w:id")))
        for element in root.iter(*_ANCHORED_TAGS, _REFERENCE)
        if element not in marks
    }
    for mark in marks:
        if (mark.tag, mark.get(qualify_name("w:id"))) in others:
            gone = mark.getparent() if mark.tag == _REFERENCE else mark
            gone.getparent().remove(gone)


def _may_go(paragraph: Any, following: Any) -> bool:
    """Whether an empty paragraph is not needed: a cell ends with one, and two tables need one between them."""
    before = paragraph.getprevious()
    if following is None or following.tag == SECT:
        return before is not None and before.tag == P
    return before is None or before.tag == P or following.tag != TBL


def _remove_table(table: Any) -> None:
    parent = table.getparent()
    after = table.getnext()
    parent.remove(table)
    if parent.tag == TC and (after is None or after.tag != P):
        parent.append(make_element("w:p"))


def _restore_properties(node: Any) -> None:
    """Set properties back to what a format change says they were."""
    properties = node.getparent()
    old = node[0] if len(node) else None
    kept_tags: set[str] = set()
    if node.tag == qualify_name("w:pPrChange"):
        kept_tags = {qualify_name("w:rPr"), SECT}
    elif node.tag == qualify_name("w:sectPrChange"):
        kept_tags = {qualify_name(name) for name in _PRESERVED_IN_SECTION}
    elif node.tag in (qualify_name("w:rPrChange"), qualify_name("w:trPrChange")):
        kept_tags = {qualify_name(f"w:{name}") for name in _CONTENT_CHANGES}
    elif node.tag == qualify_name("w:tcPrChange"):
        kept_tags = {qualify_name(f"w:{name}") for name in _CELL_CHANGES}
    remaining_children = [child for child in properties if child.tag in kept_tags]
    for child in list(properties):
        properties.remove(child)
    properties.extend(remaining_children)
    for child in [] if old is None else list(old):
        add_in_order(properties, child)
    if not len(properties) and properties.tag in (qualify_name("w:rPr"), qualify_name("w:pPr")):
        properties.getparent().remove(properties)


def _is_attached(node: Any) -> bool:
    """Whether a node still stands in its part: another change may have taken it along."""
    return node.getparent() is not None and node.getroottree().getroot().tag in _STORY_TAGS


def _move_name(node: Any) -> str:
    marks = _move_marks(node)
    return "" if marks is None else str(marks.get(qualify_name("w:name"), ""))


def _move_marks(node: Any) -> Any:
    """The start of the move range that a move stands in, None outside of one."""
    if node.tag not in (qualify_name("w:moveFrom"), qualify_name("w:moveTo")):
        return None
    start = "moveFromRangeStart" if node.tag == qualify_name("w:moveFrom") else "moveToRangeStart"
    return next(iter(node.xpath("preceding::*[local-name()=$name][1]", name=start)), None)


def _drop_move_marks(start: Any) -> None:
    """Take out the marks of a move range that holds no move any more."""
    if start is None or start.getparent() is None:
        return
    root = start.getroottree().getroot()
    end = start.tag.replace("RangeStart", "RangeEnd")
    closing = [mark for mark in root.iter(end) if mark.get(qualify_name("w:id")) == start.get(qualify_name("w:id"))]
    for move_mark in [start, *closing]:
        move_mark.getparent().remove(move_mark)
