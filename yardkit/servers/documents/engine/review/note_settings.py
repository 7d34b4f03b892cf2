"""How footnotes look and count in a whole document; whether marks and notes fit together, and putting that right."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

from yardkit.servers.documents.engine.formatting.looks import concerns_text, set_text_look
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.names import drop, ensure, find, make, q, val
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
        lacking: other things that Word expects and that are not there.
    """

    kind: Kind
    marks: int
    notes: int
    missing: list[str] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        return not (self.missing or self.orphans or self.doubled or self.lacking)


def set_numbering(document: Document, kind: Kind, numbers: Numbers, start: int) -> None:
    """Number the notes of a document in a format, from a number on.

    Raises:
        Problem: the number is none to start with.
    """
    if not 1 <= start <= 16_383:
        raise Problem(f"notes start with a number from 1 to 16383, not {start}")
    ensure_part(document, kind)
    first, *others = page_sections.sections(document)
    for holder in (document.settings, first):
        _put(ensure(holder, f"w:{kind}Pr"), numbers, start)
    for section in others:
        _put(ensure(section, f"w:{kind}Pr"), numbers, None)  # a start there would begin anew in that section


def _put(properties: Any, numbers: Numbers, start: int | None) -> None:
    for name in ("numFmt", "numStart"):
        drop(properties, f"w:{name}")
    place = 1 if find(properties, "w:pos") is not None else 0
    properties.insert(place, make("w:numFmt", val=numbers))
    if start is not None:
        properties.insert(place + 1, make("w:numStart", val=start))


def set_look(document: Document, kind: Kind, look: Look) -> None:
    """Change how the text of all notes looks, by its style."""
    if concerns_text(look):
        ensure_part(document, kind)
        style = Styles(document).by_name(f"{kind} text", "paragraph")
        set_text_look(ensure(style, "w:rPr"), look)


def check(document: Document) -> list[NoteCheck]:
    """How marks and notes of each kind fit together."""
    return [_check(document, kind) for kind in KINDS]


def _check(document: Document, kind: Kind) -> NoteCheck:
    named = [mark.get(q("w:id"), "") for mark in _marks(document, kind)]
    part = document.part(f"{kind}s")
    root = None if part is None else document.root(part)
    notes = [] if root is None else [node for node in root if node.get(q("w:type")) in (None, "normal")]
    ids = [node.get(q("w:id"), "") for node in notes]
    doubled = {identity for found in (named, ids) for identity, count in Counter(found).items() if count > 1}
    types = set() if root is None else {node.get(q("w:type")) for node in root}
    lacking = [f"the {name} of the {kind}s" for name in _SEPARATORS if root is not None and name not in types]
    if named and not _has_style(document, f"{kind} reference"):
        lacking.append(f"the style {kind} reference")
    return NoteCheck(
        kind,
        len(named),
        len(notes),
        sorted(set(named) - set(ids)),
        sorted(set(ids) - set(named)),
        sorted(doubled),
        lacking,
    )


def _has_style(document: Document, name: str) -> bool:
    part = document.part("styles")
    styles = [] if part is None else document.root(part).iterfind(q("w:style"))
    return any((val(style, "w:name") or "").lower() == name for style in styles)


def mend(document: Document) -> list[str]:
    """Take out marks without a note and notes without a mark, and add what Word expects; what was done."""
    done = []
    for found in check(document):
        if found.lacking:
            ensure_part(document, found.kind)
            done += [f"added {name}" for name in found.lacking]
        for mark in _marks(document, found.kind):
            if mark.get(q("w:id")) in found.missing:
                _drop(mark)
                done.append(f"took out the mark of the missing {found.kind} {mark.get(q('w:id'))}")
        done += drop_orphans(document, found)
    return done


def drop_orphans(document: Document, found: NoteCheck) -> list[str]:
    """Take out the notes of a kind that no mark names; what was done."""
    part = document.part(f"{found.kind}s")
    orphans = [] if part is None else [node for node in document.root(part) if node.get(q("w:id")) in found.orphans]
    for node in orphans:
        node.getparent().remove(node)
    return [f"took out the {found.kind} {node.get(q('w:id'))} without a mark" for node in orphans]


def _marks(document: Document, kind: Kind) -> list[Any]:
    return list(document.body.iter(q(f"w:{kind}Reference")))


def _drop(mark: Any) -> None:
    run = mark.getparent()
    run.remove(mark)
    if all(child.tag == q("w:rPr") for child in run):
        run.getparent().remove(run)
