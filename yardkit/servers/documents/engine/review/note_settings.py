"""How footnotes look and count in a whole document; whether marks and notes fit together, and putting that right."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

from yardkit.servers.documents.engine.formatting.looks import concerns_text, set_text_look
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.names import (
    drop_children,
    ensure_child,
    find_element,
    get_value,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.specs import Look
from yardkit.servers.documents.engine.package import page_sections
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.review.notes import KINDS, Kind, ensure_part
from yardkit.world import Problem

Numbers = Literal["decimal", "lowerRoman", "upperRoman", "lowerLetter", "upperLetter", "chicago"]
_SEPARATORS = ("separator", "continuationSeparator")


@dataclass(frozen=True)
class NoteCheck:
    """Whether the notes of a kind are whole.

    Attributes:
        missing: ids that marks in the text name, but no note has.
        orphans: ids of notes without a mark in the text.
        doubled: ids that several notes have, or several marks name.
        missing_parts: other things that Word expects and that are not there.
    """

    kind: Kind
    marks: int
    notes: int
    missing: list[str] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    missing_parts: list[str] = field(default_factory=list)

    @property
    def is_consistent(self) -> bool:
        return not (self.missing or self.orphans or self.doubled or self.missing_parts)


def set_numbering(document: Document, kind: Kind, numbers: Numbers, start: int) -> None:
    """Number the notes of a document in a format, from a number on.

    Raises:
        Problem: the number is none to start with.
    """
    if not 1 <= start <= 16_383:
        raise Problem(f"notes start with a number from 1 to 16383, not {start}")
    ensure_part(document, kind)
    first, *others = page_sections.read_sections(document)
    for holder in (document.settings, first):
        _put_numbering(ensure_child(holder, f"w:{kind}Pr"), numbers, start)
    for section in others:
        _put_numbering(
            ensure_child(section, f"w:{kind}Pr"), numbers, None
        )  # a start there would begin anew in that section


def _put_numbering(properties: Any, numbers: Numbers, start: int | None) -> None:
    for name in ("numFmt", "numStart"):
        drop_children(properties, f"w:{name}")
    place = 1 if find_element(properties, "w:pos") is not None else 0
    properties.insert(place, make_element("w:numFmt", val=numbers))
    if start is not None:
        properties.insert(place + 1, make_element("w:numStart", val=start))


def set_look(document: Document, kind: Kind, look: Look) -> None:
    """Change how the text of all notes looks, by its style."""
    if concerns_text(look):
        ensure_part(document, kind)
        style = Styles(document).by_name(f"{kind} text", "paragraph")
        set_text_look(ensure_child(style, "w:rPr"), look)


def check_notes(document: Document) -> list[NoteCheck]:
    """How marks and notes of each kind fit together."""
    return [_check_kind(document, kind) for kind in KINDS]


def _check_kind(document: Document, kind: Kind) -> NoteCheck:
    named = [mark.get(qualify_name("w:id"), "") for mark in _list_marks(document, kind)]
    part = document.part(f"{kind}s")
    root = None if part is None else document.root(part)
    notes = [] if root is None else [node for node in root if node.get(qualify_name("w:type")) in (None, "normal")]
    ids = [node.get(qualify_name("w:id"), "") for node in notes]
    doubled = {identity for id_list in (named, ids) for identity, count in Counter(id_list).items() if count > 1}
    types = set() if root is None else {node.get(qualify_name("w:type")) for node in root}
    missing_separators = [
        f"the {name} of the {kind}s" for name in _SEPARATORS if root is not None and name not in types
    ]
    if named and not _has_style(document, f"{kind} reference"):
        missing_separators.append(f"the style {kind} reference")
    return NoteCheck(
        kind,
        len(named),
        len(notes),
        sorted(set(named) - set(ids)),
        sorted(set(ids) - set(named)),
        sorted(doubled),
        missing_separators,
    )


def _has_style(document: Document, name: str) -> bool:
    part = document.part("styles")
    styles = [] if part is None else document.root(part).iterfind(qualify_name("w:style"))
    return any((get_value(style, "w:name") or "").lower() == name for style in styles)


def repair_notes(document: Document) -> list[str]:
    """Take out marks without a note and notes without a mark, and add what Word expects; what was done."""
    done = []
    for note_check in check_notes(document):
        if note_check.missing_parts:
            ensure_part(document, note_check.kind)
            done += [f"added {name}" for name in note_check.missing_parts]
        for mark in _list_marks(document, note_check.kind):
            if mark.get(qualify_name("w:id")) in note_check.missing:
                _drop_mark(mark)
                done.append(f"took out the mark of the missing {note_check.kind} {mark.get(qualify_name('w:id'))}")
        done += drop_orphans(document, note_check)
    return done


def drop_orphans(document: Document, note_check: NoteCheck) -> list[str]:
    """Take out the notes of a kind that no mark names; what was done."""
    part = document.part(f"{note_check.kind}s")
    orphans = (
        []
        if part is None
        else [node for node in document.root(part) if node.get(qualify_name("w:id")) in note_check.orphans]
    )
    for node in orphans:
        node.getparent().remove(node)
    return [f"took out the {note_check.kind} {node.get(qualify_name('w:id'))} without a mark" for node in orphans]


def _list_marks(document: Document, kind: Kind) -> list[Any]:
    return list(document.body.iter(qualify_name(f"w:{kind}Reference")))


def _drop_mark(mark: Any) -> None:
    run = mark.getparent()
    run.remove(mark)
    if all(child.tag == qualify_name("w:rPr") for child in run):
        run.getparent().remove(run)
