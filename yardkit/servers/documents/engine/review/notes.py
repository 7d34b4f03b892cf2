"""Footnotes and endnotes: their parts with separators, styles and settings; listed, added, changed, converted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from yardkit.kit.ooxml import relations as rels
from yardkit.servers.documents.engine.markup.names import (
    P,
    add_in_order,
    ensure_child,
    find_element,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import text_nodes, text_of
from yardkit.servers.documents.engine.package.document import Document, story_of
from yardkit.servers.documents.engine.package.places import (
    Place,
    insert_at,
    locate_text,
    reference_style,
    style_named,
    text_style,
)
from yardkit.world import Problem

Kind = Literal["footnote", "endnote"]
KINDS: tuple[Kind, Kind] = ("footnote", "endnote")
_AROUND = 60


@dataclass(frozen=True)
class NoteEdit:
    """A change to notes.

    Attributes:
        op: add needs note and a place; change needs id and note; delete and convert need id.
        id: as reading gives it.
        kind: add: footnote or endnote; convert turns a note into the other kind.
        anchor: add: block whose end gets the mark, or that holds text.
        text: add: the mark goes behind this text.
        occurrence: which one, from 1, where the text stands several times.
        note: what it says; lines are paragraphs.
    """

    op: Literal["add", "change", "delete", "convert"]
    id: str | None = None
    kind: Kind = "footnote"
    anchor: str | None = None
    text: str | None = None
    occurrence: int = 0
    note: str = ""


@dataclass(frozen=True)
class Note:
    """A note; `number` is its place among those of its kind, `after` the text before its mark."""

    id: str
    kind: Kind
    number: int
    note: str
    anchor: str
    after: str


def read_notes(document: Document) -> list[Note]:
    """All notes, in the order of their marks in the text."""
    notes = []
    blocks = document.get_blocks()
    for kind in KINDS:
        nodes = _map_nodes(document, kind)
        for number, mark in enumerate(_list_marks(document, kind), start=1):
            node = nodes.get(mark.get(qualify_name("w:id"), ""))
            paragraph = next(mark.iterancestors(P), None)
            text = "" if node is None else "\n".join(text_of(line) for line in node.iter(P)).strip()
            anchor = "" if paragraph is None else blocks.anchor(paragraph)
            identity = f"{kind}-{mark.get(qualify_name('w:id'))}"
            notes.append(Note(identity, kind, number, text, anchor, _text_before(mark, paragraph)))
    return notes


def edit_notes(document: Document, edits: Iterable[NoteEdit]) -> list[str]:
    """Apply changes to notes; the ids of the notes concerned.

    Raises:
        Problem: a place or id is missing or wrong.
    """
    return [_edit_single(document, note_edit) for note_edit in edits]


def _edit_single(document: Document, note_edit: NoteEdit) -> str:
    if note_edit.op in ("add", "change") and not note_edit.note.strip():
        raise Problem(f"op {note_edit.op!r} needs note, the text of the note")
    if note_edit.op == "add":
        return add(document, note_edit)
    kind, mark, node = _find_note(document, note_edit.id)
    if note_edit.op == "change":
        _write_note(document, kind, node, note_edit.note)
    elif note_edit.op == "delete":
        node.getparent().remove(node)
        _remove_mark(mark)
    else:
        return _convert_note(document, kind, mark, node)
    return str(note_edit.id)


def add(document: Document, note_edit: NoteEdit) -> str:
    """Put a note's mark behind a text or at the end of a block; the new note's id."""
    if note_edit.anchor is not None and story_of(note_edit.anchor) != "body":
        raise Problem(f"notes can only be in the body, not in {story_of(note_edit.anchor)}; give an anchor of the body")
    return add_at(
        document,
        note_edit.kind,
        locate_text(document, note_edit.anchor, note_edit.text, note_edit.occurrence),
        note_edit.note,
    )


def add_at(document: Document, kind: Kind, place: Place, note: str) -> str:
    """Put a note's mark behind the span of a place; the new note's id.

    Raises:
        Problem: the note says nothing.
    """
    if not note.strip():
        raise Problem("the note is empty; give the text of the note")
    root = document.root(ensure_part(document, kind))
    number = _free_number(root)
    node = make_element(f"w:{kind}", id=number)
    root.append(node)
    _write_note(document, kind, node, note)
    insert_at(place, make_reference(document, kind, number))
    return f"{kind}-{number}"


def make_reference(document: Document, kind: Kind, number: int) -> Any:
    """A run with the mark of a note."""
    style = _ensure_styles(document, kind)[1]
    return make_element(
        "w:r", make_element("w:rPr", make_element("w:rStyle", val=style)), make_element(f"w:{kind}Reference", id=number)
    )


def ensure_part(document: Document, kind: Kind) -> str:
    """The part of the notes of a kind, made with separators, settings and styles if it is missing."""
    part = document.ensure_part(f"{kind}s")
    root = document.root(part)
    types = {node.get(qualify_name("w:type")) for node in root}
    taken = {node.get(qualify_name("w:id")) for node in root}
    properties = find_element(document.settings, f"w:{kind}Pr")
    if properties is None:
        properties = add_in_order(document.settings, make_element(f"w:{kind}Pr"))
    for place, name in ((-1, "separator"), (0, "continuationSeparator")):
        if name not in types:
            number = _free_number(root) if str(place) in taken else place
            _add_separator(root, kind, name, number)
            properties.append(make_element(f"w:{kind}", id=number))
    _ensure_styles(document, kind)
    return part


def _add_separator(root: Any, kind: Kind, name: str, number: int) -> None:
    """The line between the text and its notes, which Word keeps as a note of its own."""
    spacing = make_element("w:pPr", make_element("w:spacing", after=0, line=240, lineRule="auto"))
    node = make_element(
        f"w:{kind}", make_element("w:p", spacing, make_element("w:r", make_element(f"w:{name}"))), id=number
    )
    node.set(qualify_name("w:type"), name)
    root.insert(min(number + 1, len(root)) if number < 1 else len(root), node)


def write_into(document: Document, kind: Kind, content: list[Any]) -> int:
    """A new note with the given paragraphs; the first gets the note's number before it. The new note's number."""
    root = document.root(ensure_part(document, kind))
    number = _free_number(root)
    text_id, mark_id = _ensure_styles(document, kind)
    for paragraph in content:
        ensure_child(paragraph, "w:pPr").insert(0, make_element("w:pStyle", val=text_id))
    mark = make_element(
        "w:r", make_element("w:rPr", make_element("w:rStyle", val=mark_id)), make_element(f"w:{kind}Ref")
    )
    content[0].insert(1, mark)
    mark.addnext(make_element("w:r", make_element("w:t", text=" ")))
    root.append(make_element(f"w:{kind}", *content, id=number))
    return number


def _write_note(document: Document, kind: Kind, node: Any, text: str) -> None:
    """Set what a note says; its first paragraph keeps its format and the note's number."""
    text_id, mark_id = _ensure_styles(document, kind)
    first = node.find(qualify_name("w:p"))
    properties = (
        make_element("w:pPr", make_element("w:pStyle", val=text_id))
        if first is None
        else first.find(qualify_name("w:pPr"))
    )
    mark = next(node.iter(qualify_name(f"w:{kind}Ref")), None)
    run = make_element(
        "w:r", make_element("w:rPr", make_element("w:rStyle", val=mark_id)), make_element(f"w:{kind}Ref")
    )
    run = run if mark is None else mark.getparent()
    for child in list(node):
        node.remove(child)
    for number, line in enumerate(text.split("\n")):
        paragraph = make_element("w:p")
        if properties is not None:
            paragraph.append(properties if not number else make_element("w:pPr", make_element("w:pStyle", val=text_id)))
        if not number:
            paragraph.append(run)
        paragraph.append(make_element("w:r", *text_nodes(line if number else f" {line}")))
        node.append(paragraph)


def _ensure_styles(document: Document, kind: Kind) -> tuple[str, str]:
    title = kind.capitalize()
    size = [("w:sz", 20), ("w:szCs", 20)]
    text = style_named(
        document,
        f"{kind} text",
        lambda: text_style(f"{title}Text", f"{kind} text", *(make_element(name, val=value) for name, value in size)),
    )
    mark = style_named(
        document,
        f"{kind} reference",
        lambda: reference_style(
            f"{title}Reference", f"{kind} reference", make_element("w:vertAlign", val="superscript")
        ),
    )
    return text, mark


def _convert_note(document: Document, kind: Kind, mark: Any, node: Any) -> str:
    """Turn a footnote into an endnote or back; its text, formats and links go along."""
    other: Kind = "endnote" if kind == "footnote" else "footnote"
    source = document.part(f"{kind}s") or ""
    target = ensure_part(document, other)
    root = document.root(target)
    number = _free_number(root)
    styles = dict(zip(_ensure_styles(document, kind), _ensure_styles(document, other), strict=True))
    _carry_relations(document, node, source, target)
    node.tag = qualify_name(f"w:{other}")
    node.set(qualify_name("w:id"), str(number))
    root.append(node)
    for ref in node.iter(qualify_name(f"w:{kind}Ref")):
        ref.tag = qualify_name(f"w:{other}Ref")
    run = mark.getparent()
    mark.tag = qualify_name(f"w:{other}Reference")
    mark.set(qualify_name("w:id"), str(number))
    for style in [*node.iter(qualify_name("w:pStyle"), qualify_name("w:rStyle")), *run.iter(qualify_name("w:rStyle"))]:
        style.set(qualify_name("w:val"), styles.get(style.get(qualify_name("w:val")), style.get(qualify_name("w:val"))))
    return f"{other}-{number}"


def _carry_relations(document: Document, node: Any, source: str, target: str) -> None:
    known = rels.read_relations(document.package, source)
    prefix = f"{{{rels.REL}}}"
    for element in node.iter():
        for key, value in element.attrib.items():
            if key.startswith(prefix) and value in known:
                old = known[value]
                new = rels.add_relation(document.package, target, old.type, old.target, external=old.external)
                element.set(key, new)


def _find_note(document: Document, identity: str | None) -> tuple[Kind, Any, Any]:
    for kind in KINDS:
        nodes = _map_nodes(document, kind)
        for mark in _list_marks(document, kind):
            number = mark.get(qualify_name("w:id"), "")
            if identity == f"{kind}-{number}" and number in nodes:
                return kind, mark, nodes[number]
    known = ", ".join(note.id for note in read_notes(document)[:30]) or "none"
    raise Problem(f"there is no note with the id {identity!r}; the document has: {known}")


def _map_nodes(document: Document, kind: Kind) -> dict[str, Any]:
    part = document.part(f"{kind}s")
    if part is None:
        return {}
    return {
        node.get(qualify_name("w:id"), ""): node
        for node in document.root(part)
        if node.get(qualify_name("w:type")) in (None, "normal")
    }


def _list_marks(document: Document, kind: Kind) -> list[Any]:
    return list(document.body.iter(qualify_name(f"w:{kind}Reference")))


def _remove_mark(mark: Any) -> None:
    run = mark.getparent()
    run.remove(mark)
    if all(child.tag == qualify_name("w:rPr") for child in run):
        run.getparent().remove(run)


def _free_number(root: Any) -> int:
    return max([0, *(int(node.get(qualify_name("w:id"), "0")) for node in root)]) + 1


def _text_before(mark: Any, paragraph: Any) -> str:
    if paragraph is None:
        return ""
    preceding_texts: list[str] = []
    for node in paragraph.iter(qualify_name("w:t"), mark.tag):
        if node is mark:
            break
        preceding_texts.append(node.text or "")
    return "".join(preceding_texts)[-_AROUND:]
