"""The numbers that the marks of notes show, by the formats and starts of sections."""

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.formatting.numbering import formatted_number
from yardkit.servers.documents.engine.markup.names import P, find, get, q, val
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.page_sections import sections
from yardkit.servers.documents.engine.review.notes import KINDS, Kind

_USUAL_FORMATS = {"footnote": "decimal", "endnote": "lowerRoman"}
_CHICAGO = "*\u2020\u2021\u00a7"


def numbers_of_marks(document: Document) -> dict[Any, str]:
    """w:footnoteReference or w:endnoteReference -> what it shows; without those that begin anew on each page."""
    found: dict[Any, str] = {}
    for kind in KINDS:
        found |= _numbers(document, kind)
    return found


def note_mark(bookmark: Any) -> Any:
    """The first mark of a note in a bookmark of one paragraph; None if there is none."""
    number, inside = get(bookmark, "w:id"), False
    for node in next(bookmark.iterancestors(P), bookmark).iter():
        if node is bookmark:
            inside = True
        elif node.tag == q("w:bookmarkEnd") and get(node, "w:id") == number:
            return None
        elif inside and node.tag in {q(f"w:{kind}Reference") for kind in KINDS}:
            return node
    return None


def _numbers(document: Document, kind: Kind) -> dict[Any, str]:
    every = sections(document)
    found: dict[Any, str] = {}
    section, count = 0, -1
    for paragraph in document.body.iter(P):
        for mark in paragraph.iter(q(f"w:{kind}Reference")):
            if mark in found or get(mark, "w:customMarkFollows") in ("1", "true", "on"):
                continue
            count += 1
            if _stated(document, every[section], kind, "numRestart") != "eachPage":
                start = _stated(document, every[section], kind, "numStart") or "1"
                form = _stated(document, every[section], kind, "numFmt") or _USUAL_FORMATS[kind]
                found[mark] = _shown(count + int(start), form)
        if find(paragraph, "w:pPr/w:sectPr") is not None and section + 1 < len(every):
            section += 1
            count = -1 if _stated(document, every[section], kind, "numRestart") == "eachSect" else count
    return found


def _stated(document: Document, section: Any, kind: Kind, name: str) -> str | None:
    """What a section says of its notes, else the document."""
    own = val(find(section, f"w:{kind}Pr"), f"w:{name}")
    return own if own is not None else val(find(document.settings, f"w:{kind}Pr"), f"w:{name}")


def _shown(number: int, form: str) -> str:
    if form == "chicago":
        return _CHICAGO[(number - 1) % 4] * ((number - 1) // 4 + 1)
    return formatted_number(number, form)
