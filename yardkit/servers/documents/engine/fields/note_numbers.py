"""The numbers that the marks of notes show, by the formats and starts of sections."""

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.formatting.numbering import formatted_number
from yardkit.servers.documents.engine.markup.names import P, find_element, get_attribute, get_value, qualify_name
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.page_sections import read_sections
from yardkit.servers.documents.engine.review.notes import KINDS, Kind

_USUAL_FORMATS = {"footnote": "decimal", "endnote": "lowerRoman"}
_CHICAGO = "*\u2020\u2021\u00a7"


def numbers_of_marks(document: Document) -> dict[Any, str]:
    """w:footnoteReference or w:endnoteReference -> what it shows; without those that begin anew on each page."""
    numbers_by_mark: dict[Any, str] = {}
    for kind in KINDS:
        numbers_by_mark |= _number_marks(document, kind)
    return numbers_by_mark


def note_mark(bookmark: Any) -> Any:
    """The first mark of a note in a bookmark of one paragraph; None if there is none."""
    number, inside = get_attribute(bookmark, "w:id"), False
    for node in next(bookmark.iterancestors(P), bookmark).iter():
        if node is bookmark:
            inside = True
        elif node.tag == qualify_name("w:bookmarkEnd") and get_attribute(node, "w:id") == number:
            return None
        elif inside and node.tag in {qualify_name(f"w:{kind}Reference") for kind in KINDS}:
            return node
    return None


def _number_marks(document: Document, kind: Kind) -> dict[Any, str]:
    every = read_sections(document)
    numbers_by_mark: dict[Any, str] = {}
    section, count = 0, -1
    for paragraph in document.body.iter(P):
        for mark in paragraph.iter(qualify_name(f"w:{kind}Reference")):
            if mark in numbers_by_mark or get_attribute(mark, "w:customMarkFollows") in ("1", "true", "on"):
                continue
            count += 1
            if _find_stated_value(document, every[section], kind, "numRestart") != "eachPage":
                start = _find_stated_value(document, every[section], kind, "numStart") or "1"
                form = _find_stated_value(document, every[section], kind, "numFmt") or _USUAL_FORMATS[kind]
                numbers_by_mark[mark] = _format_number(count + int(start), form)
        if find_element(paragraph, "w:pPr/w:sectPr") is not None and section + 1 < len(every):
            section += 1
            count = -1 if _find_stated_value(document, every[section], kind, "numRestart") == "eachSect" else count
    return numbers_by_mark


def _find_stated_value(document: Document, section: Any, kind: Kind, name: str) -> str | None:
    """What a section says of its notes, else the document."""
    own = get_value(find_element(section, f"w:{kind}Pr"), f"w:{name}")
    return own if own is not None else get_value(find_element(document.settings, f"w:{kind}Pr"), f"w:{name}")


def _format_number(number: int, form: str) -> str:
    if form == "chicago":
        return _CHICAGO[(number - 1) % 4] * ((number - 1) // 4 + 1)
    return formatted_number(number, form)
