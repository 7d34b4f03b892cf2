"""Comments with their threads: the part itself, and those of Word 2013 and later (replies, resolved, people)."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from yardkit.servers.documents.engine.markup.names import TBL, P, make_element, qualify_name
from yardkit.servers.documents.engine.markup.paragraph_text import block_text, isolate_runs, text_nodes, text_of
from yardkit.servers.documents.engine.markup.tracking import Tracker, format_date
from yardkit.servers.documents.engine.package.document import Document, story_of
from yardkit.servers.documents.engine.package.places import (
    Place,
    declare_namespaces,
    fresh_id,
    locate_text,
    reference_style,
    style_named,
    text_style,
)
from yardkit.world import Problem

CID = "http://schemas.microsoft.com/office/word/2016/wordml/cid"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_REL_2011, _REL_2016 = (f"http://schemas.microsoft.com/office/{year}/relationships/" for year in ("2011", "2016/09"))
_PARA_ID = qualify_name("w14:paraId")
_EX_ID, _EX_PARENT, _EX_DONE = qualify_name("w15:paraId"), qualify_name("w15:paraIdParent"), qualify_name("w15:done")


@dataclass(frozen=True)
class CommentEdit:
    """A change to comments.

    Attributes:
        op: add needs a place and comment; reply and change need id and comment; the others need id.
        id: as reading gives it; with a reply's id the whole thread is resolved or reopened.
        anchor: add: block to comment on.
        text: add: text to comment on, in that block or unique in the body.
        occurrence: which one, from 1, where the text stands several times.
        comment: what it says; lines are paragraphs.
    """

    op: Literal["add", "reply", "change", "resolve", "reopen", "delete"]
    id: str | None = None
    anchor: str | None = None
    text: str | None = None
    occurrence: int = 0
    comment: str = ""


@dataclass(frozen=True)
class Comment:
    """A comment; `reply_to` is the id of the comment that begins its thread, `on` the text it is about."""

    id: str
    author: str
    date: str
    comment: str
    on: str = ""
    anchor: str = ""
    resolved: bool = False
    reply_to: str = ""


def read_comments(document: Document) -> list[Comment]:
    """All comments in the order of their part; none where the document has none."""
    part = document.part("comments")
    if part is None:
        return []
    states = _read_states(document)
    places = _find_ranges(document)
    by_para = {_last_para(node): node.get(qualify_name("w:id")) for node in _list_nodes(document)}
    comments = []
    for node in _list_nodes(document):
        identity = node.get(qualify_name("w:id"), "")
        done, parent = states.get(_last_para(node), (False, ""))
        anchor, on = places.get(identity, ("", ""))
        answered = by_para.get(parent) if parent else None
        root = answered if answered and answered != identity else ""
        comment = "\n".join(text_of(paragraph) for paragraph in node.iter(P))
        author, date = node.get(qualify_name("w:author"), ""), node.get(qualify_name("w:date"), "")
        comments.append(Comment(identity, author, date, comment, on, anchor, done, root))
    return comments


def map_threads(document: Document) -> dict[str, list[Any]]:
    """Id of each comment -> the elements of all comments of its thread, the one that begins it first."""
    states = _read_states(document)
    by_para = {_last_para(node): node for node in _list_nodes(document)}
    by_para.pop("", None)
    threads_by_root: dict[Any, list[Any]] = {}
    firsts = {}
    for node in _list_nodes(document):
        first, seen = node, {node}
        while (above := by_para.get(states.get(_last_para(first), (False, ""))[1])) is not None and above not in seen:
            seen.add(above)
            first = above
        firsts[node] = first
        threads_by_root.setdefault(first, [first]).extend([] if node is first else [node])
    return {node.get(qualify_name("w:id"), ""): threads_by_root[first] for node, first in firsts.items()}


def adopt_comments(source: Document, target: Document, carried: list[tuple[Any, Any]]) -> None:
    """Give comments that were copied into another document their states and authors; pairs of old and new comment.

    The ids of their last paragraphs become ones that nothing in the target has.
    """
    states, taken = _read_states(source), _read_states(target)
    new_para = {}
    for old, new in carried:
        if _last_para(old) in states:
            if _last_para(new) in taken:
                list(new.iter(P))[-1].attrib.pop(_PARA_ID)
            new_para[_last_para(old)] = _ensure_para(target, new)
    for old, new in carried:
        if _last_para(old) in new_para:
            done, parent = states[_last_para(old)]
            answered = new_para.get(parent, "") if parent != _last_para(old) else ""
            _ensure_state(target, new, answered).set(_EX_DONE, "1" if done else "0")
        _adopt_person(source, target, new.get(qualify_name("w:author"), ""))


def _adopt_person(source: Document, target: Document, author: str) -> None:
    """Let the people of the target name an author as those of the source do."""
    part = source.part("people")
    theirs = (
        []
        if part is None
        else [person for person in source.root(part) if person.get(qualify_name("w15:author")) == author]
    )
    if theirs:
        people = target.root(_ensure_people(target))
        if not any(person.get(qualify_name("w15:author")) == author for person in people):
            people.append(copy.deepcopy(theirs[0]))


def edit_comments(document: Document, edits: Iterable[CommentEdit], tracker: Tracker) -> list[str]:
    """Apply changes to comments; the ids of the comments concerned.

    Raises:
        Problem: a place or id is missing or wrong.
    """
    return [_edit_single(document, comment_edit, tracker) for comment_edit in edits]


def _edit_single(document: Document, comment_edit: CommentEdit, tracker: Tracker) -> str:
    if comment_edit.op in ("add", "reply", "change") and not comment_edit.comment.strip():
        raise Problem(f"op {comment_edit.op!r} needs comment, the text of the comment")
    if comment_edit.op == "add":
        return add(document, comment_edit, tracker)
    node = _find_node(document, comment_edit.id)
    if comment_edit.op == "reply":
        return _add_reply(document, node, comment_edit.comment, tracker)
    if comment_edit.op == "change":
        _write_text(node, comment_edit.comment, *_style_ids(document))
    elif comment_edit.op == "delete":
        _delete_comment(document, node)
    else:
        _set_done(document, node, done=comment_edit.op == "resolve")
    return str(node.get(qualify_name("w:id"), ""))


def add(document: Document, comment_edit: CommentEdit, tracker: Tracker) -> str:
    """Comment on a block or on text in it; the new comment's id."""
    if comment_edit.anchor is not None and story_of(comment_edit.anchor).startswith(("header", "footer", "comments")):
        raise Problem(f"Word does not allow comments in {story_of(comment_edit.anchor)}; comment on the body or a note")
    node = _add_comment(document, comment_edit.comment, tracker)
    identity: str = node.get(qualify_name("w:id"), "")
    block = document.find(comment_edit.anchor) if comment_edit.anchor else None
    if comment_edit.text is None and block is not None:
        paragraphs = [block] if block.tag == P else list(block.iter(P))
        _enclose_block(paragraphs[0], paragraphs[-1], _make_marks(document, identity))
    else:
        place = locate_text(document, comment_edit.anchor, comment_edit.text, comment_edit.occurrence)
        _enclose_location(place, _make_marks(document, identity))
    _ensure_state(document, node, "")
    return identity


def _add_reply(document: Document, to: Any, comment: str, tracker: Tracker) -> str:
    parent = _find_thread_root(document, to)
    node = _add_comment(document, comment, tracker)
    marks = _make_marks(document, node.get(qualify_name("w:id"), ""))
    of_parent = _marks_of(document, {parent.get(qualify_name("w:id"), "")})
    for name, mark in zip(("commentRangeStart", "commentRangeEnd"), marks[:2], strict=True):
        for old in (reference for reference in of_parent if reference.tag == qualify_name(f"w:{name}")):
            old.addnext(mark)
    for old in (reference for reference in of_parent if reference.tag == qualify_name("w:commentReference")):
        old.getparent().addnext(marks[2])
    _ensure_state(document, node, _ensure_para(document, parent))
    return str(node.get(qualify_name("w:id")))


def _add_comment(document: Document, comment: str, tracker: Tracker) -> Any:
    root = document.root(document.ensure_part("comments"))
    declare_namespaces(root, "w14")
    taken = [int(node.get(qualify_name("w:id"), "0")) for node in root]
    node = make_element("w:comment", id=max([-1, *taken]) + 1, author=tracker.author, date=format_date(tracker.now))
    node.set(qualify_name("w:initials"), "".join(word[0] for word in tracker.author.split())[:4].upper())
    root.append(node)
    _write_text(node, comment, *_style_ids(document))
    _ensure_para(document, node)
    _ensure_person(document, tracker.author)
    return node


def _write_text(node: Any, comment: str, paragraph_style: str, mark_style: str) -> None:
    """Set what a comment says; the id of its last paragraph, to which its state hangs, stays."""
    para = _last_para(node)
    for old in list(node):
        node.remove(old)
    for number, line in enumerate(comment.split("\n")):
        paragraph = make_element("w:p", make_element("w:pPr", make_element("w:pStyle", val=paragraph_style)))
        if not number:
            mark = make_element("w:rPr", make_element("w:rStyle", val=mark_style))
            paragraph.append(make_element("w:r", mark, make_element("w:annotationRef")))
        paragraph.append(make_element("w:r", *text_nodes(line)))
        node.append(paragraph)
    if para:
        node[-1].set(_PARA_ID, para)


def _style_ids(document: Document) -> tuple[str, str]:
    size = ("w:sz", "w:szCs")
    text = style_named(
        document,
        "annotation text",
        lambda: text_style("CommentText", "annotation text", *(make_element(name, val=20) for name in size)),
    )
    mark = style_named(
        document,
        "annotation reference",
        lambda: reference_style(
            "CommentReference", "annotation reference", *(make_element(name, val=16) for name in size)
        ),
    )
    return text, mark


def _make_marks(document: Document, identity: str) -> tuple[Any, Any, Any]:
    style = make_element("w:rPr", make_element("w:rStyle", val=_style_ids(document)[1]))
    reference = make_element("w:r", style, make_element("w:commentReference", id=identity))
    return make_element("w:commentRangeStart", id=identity), make_element("w:commentRangeEnd", id=identity), reference


def _enclose_location(place: Place, marks: tuple[Any, Any, Any]) -> None:
    isolated_runs = isolate_runs(place.paragraph, place.start, place.end)
    if not isolated_runs:
        _enclose_block(place.paragraph, place.paragraph, marks)
        return
    isolated_runs[0].addprevious(marks[0])
    isolated_runs[-1].addnext(marks[1])
    marks[1].addnext(marks[2])


def _enclose_block(first: Any, last: Any, marks: tuple[Any, Any, Any]) -> None:
    properties = first.find(qualify_name("w:pPr"))
    first.insert(0 if properties is None else 1, marks[0])
    last.extend(marks[1:])


def drop_comments(document: Document, ids: list[str]) -> int:
    """Take out the comments with some ids and the answers to them; how many went, answers included."""
    before = len(_list_nodes(document)) if ids else 0
    for identity in ids:
        node = next(
            (candidate for candidate in _list_nodes(document) if candidate.get(qualify_name("w:id")) == identity), None
        )
        if node is not None:  # else it went as an answer to one before it
            _delete_comment(document, node)
    return before - len(_list_nodes(document)) if ids else 0


def _delete_comment(document: Document, node: Any) -> None:
    """Take out a comment with its replies, their marks in the text and their states."""
    para = _last_para(node)
    replies = {name for name, (_, parent) in _read_states(document).items() if parent and parent == para}
    gone = [comment for comment in _list_nodes(document) if comment is node or _last_para(comment) in replies]
    paras = {_last_para(comment) for comment in gone} - {""}
    for mark in _marks_of(document, {comment.get(qualify_name("w:id"), "") for comment in gone}):
        parent = mark.getparent()
        parent.remove(mark)
        if parent.tag == qualify_name("w:r") and all(child.tag == qualify_name("w:rPr") for child in parent):
            parent.getparent().remove(parent)
    for removed in gone:
        removed.getparent().remove(removed)
    for kind, attribute in (("commentsExtended", _EX_ID), ("commentsIds", f"{{{CID}}}paraId")):
        part = document.part(kind)
        for entry in [] if part is None else list(document.root(part)):
            if entry.get(attribute) in paras:
                entry.getparent().remove(entry)


def _marks_of(document: Document, ids: set[str]) -> list[Any]:
    names = [qualify_name(f"w:{name}") for name in ("commentRangeStart", "commentRangeEnd", "commentReference")]
    return [
        mark
        for story in document.map_stories()
        if story != "comments"
        for mark in document.get_story(story).iter(*names)
        if mark.get(qualify_name("w:id")) in ids
    ]


def _list_nodes(document: Document) -> list[Any]:
    part = document.part("comments")
    return [] if part is None else list(document.root(part).iterfind(qualify_name("w:comment")))


def _find_node(document: Document, identity: str | None) -> Any:
    nodes = _list_nodes(document)
    for node in nodes:
        if node.get(qualify_name("w:id")) == identity:
            return node
    known = ", ".join(node.get(qualify_name("w:id"), "") for node in nodes[:30]) or "none"
    raise Problem(f"there is no comment with the id {identity!r}; the document has: {known}")


def _last_para(node: Any) -> str:
    """The id of a comment's last paragraph, by which the later parts know the comment; empty if it has none."""
    paragraphs = list(node.iter(P))
    return str(paragraphs[-1].get(_PARA_ID, "")) if paragraphs else ""


def _ensure_para(document: Document, node: Any) -> str:
    last_paragraph = _last_para(node)
    if last_paragraph:
        return last_paragraph
    part = document.ensure_part("comments")
    root = document.root(part)
    declare_namespaces(root, "w14")
    taken = {
        identity
        for story in document.map_stories()
        for identity in (p.get(_PARA_ID) for p in document.root(document.map_stories()[story]).iter(P))
        if identity
    }
    seed = f"comment {node.get(qualify_name('w:id'))} {block_text(node)}"
    new_id = fresh_id(seed, taken)
    list(node.iter(P))[-1].set(_PARA_ID, new_id)
    return new_id


def _read_states(document: Document) -> dict[str, tuple[bool, str]]:
    """Paragraph id -> (resolved, paragraph id of the comment it answers)."""
    part = document.part("commentsExtended")
    if part is None:
        return {}
    return {
        entry.get(_EX_ID, ""): (entry.get(_EX_DONE) in ("1", "true"), entry.get(_EX_PARENT, ""))
        for entry in document.root(part)
    }


def _ensure_state(document: Document, node: Any, parent: str) -> Any:
    """The entry of a comment in the later parts, made where missing."""
    para = _ensure_para(document, node)
    ex = document.root(_later_part(document, "commentsExtended", "w15:commentsEx", _REL_2011))
    ids = document.root(_later_part(document, "commentsIds", "", _REL_2016))
    state_entry = next((entry for entry in ex if entry.get(_EX_ID) == para), None)
    if state_entry is None:
        state_entry = make_element("w15:commentEx", paraId=para, paraIdParent=parent or None, done=0)
        ex.append(state_entry)
    if not any(entry.get(f"{{{CID}}}paraId") == para for entry in ids):
        taken = {entry.get(f"{{{CID}}}durableId") for entry in ids}
        entry = ids.makeelement(f"{{{CID}}}commentId", nsmap=ids.nsmap)
        entry.set(f"{{{CID}}}paraId", para)
        entry.set(f"{{{CID}}}durableId", fresh_id(f"durable {para}", taken))
        ids.append(entry)
    return state_entry


def _later_part(document: Document, kind: str, name: str, relation: str) -> str:
    from lxml import etree

    known_part = document.part(kind)
    if known_part is not None:
        return known_part
    if name:
        root = make_element(name)
        declare_namespaces(root, "w15")
    else:
        root = etree.Element(f"{{{CID}}}commentsIds", nsmap={"w16cid": CID})
        declare_namespaces(root, "w16cid", extra={"w16cid": CID})
    return document.new_part(relation + kind, f"word/{kind}.xml", root, _WORD + f"{kind}+xml")


def _set_done(document: Document, node: Any, *, done: bool) -> None:
    parent = _find_thread_root(document, node)
    _ensure_state(document, parent, "").set(_EX_DONE, "1" if done else "0")
    para = _last_para(parent)
    part = document.part("commentsExtended")
    for entry in [] if part is None else document.root(part):
        if entry.get(_EX_PARENT) == para:
            entry.set(_EX_DONE, "1" if done else "0")


def _find_thread_root(document: Document, node: Any) -> Any:
    """The comment that begins the thread of a comment."""
    _, parent = _read_states(document).get(_last_para(node), (False, ""))
    return next((candidate for candidate in _list_nodes(document) if parent and _last_para(candidate) == parent), node)


def _ensure_person(document: Document, author: str) -> None:
    root = document.root(_ensure_people(document))
    if not any(child.get(qualify_name("w15:author")) == author for child in root):
        root.append(
            make_element(
                "w15:person", make_element("w15:presenceInfo", providerId="None", userId=author), author=author
            )
        )


def _ensure_people(document: Document) -> str:
    """The part that names the authors, made where missing."""
    part = document.part("people")
    if part is not None:
        return part
    root = make_element("w15:people")
    declare_namespaces(root, "w15")
    return document.new_part(_REL_2011 + "people", "word/people.xml", root, _WORD + "people+xml")


def _find_ranges(document: Document) -> dict[str, tuple[str, str]]:
    """Comment id -> (anchor of the block where it begins, the text it is about)."""
    ranges_by_id: dict[str, tuple[str, str]] = {}
    for story in document.map_stories():
        if story == "comments":
            continue
        root = document.get_story(story)
        blocks = document.get_blocks(story)
        texts: dict[str, list[str]] = {}
        for node in root.iter(
            P, qualify_name("w:t"), qualify_name("w:tab"), *(qualify_name(f"w:comment{n}") for n in _MARK_NAMES)
        ):
            _follow_node(node, texts, ranges_by_id, blocks)
        for identity, pieces in texts.items():
            ranges_by_id[identity] = (ranges_by_id[identity][0], "".join(pieces).strip("\n"))
    return ranges_by_id


_MARK_NAMES = ("RangeStart", "RangeEnd", "Reference")


def _follow_node(node: Any, texts: dict[str, list[str]], ranges_by_id: dict[str, tuple[str, str]], blocks: Any) -> None:
    """One step of the walk over a story: open and close ranges, collect the text of those that are open."""
    identity = node.get(qualify_name("w:id"), "")
    if node.tag == qualify_name("w:commentRangeEnd"):
        ranges_by_id[identity] = (ranges_by_id.get(identity, ("", ""))[0], "".join(texts.pop(identity, [])).strip("\n"))
    elif node.tag in (qualify_name("w:commentRangeStart"), qualify_name("w:commentReference")):
        if identity not in ranges_by_id:
            block = next(node.iterancestors(P, TBL), None)
            ranges_by_id[identity] = ("" if block is None else blocks.anchor(block), "")
            if node.tag == qualify_name("w:commentRangeStart"):
                texts[identity] = []
    else:
        piece = "\n" if node.tag == P else node.text or "" if node.tag == qualify_name("w:t") else "\t"
        for pieces in texts.values():
            pieces.append(piece)
