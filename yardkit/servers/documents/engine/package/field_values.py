"""Fields: found in the text, and the results that can be computed without laying out pages."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.kit.ooxml.xml import parse_part
from yardkit.servers.documents.engine.markup.names import P, R, get_attribute, qualify_name
from yardkit.servers.documents.engine.markup.paragraph_text import iter_pieces, outside_fallbacks, text_of
from yardkit.servers.documents.engine.package.document import Document

_PICTURE = re.compile(r"yyyy|yy|MMMM|MMM|MM|M|dddd|ddd|dd|d|HH|H|hh|h|mm|m|ss|s|am/pm|AM/PM|'[^']*'")
_DATE_CODES = {
    "yyyy": "%Y", "yy": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "dddd": "%A", "ddd": "%a", "dd": "%d",
    "HH": "%H", "hh": "%I", "mm": "%M", "ss": "%S", "am/pm": "%p", "AM/PM": "%p",
}  # fmt: skip
_PROPERTY_FIELDS = {"TITLE": "title", "AUTHOR": "creator", "SUBJECT": "subject", "KEYWORDS": "keywords"}

UNKNOWN_PAGE = "?"


@dataclass
class Field:
    """A field in a story.

    Attributes:
        code: such as ``PAGE`` or ``REF results``.
        start: the w:fldChar that begins it, or the w:fldSimple.
        paragraph: where it begins.
        result: the runs between separator and end.
        end: the w:fldChar that ends it; None for a w:fldSimple.
    """

    code: str
    start: Any
    paragraph: Any
    result: list[Any] = field(default_factory=list)
    end: Any = None
    separator: Any = None

    @property
    def kind(self) -> str:
        return (self.code.split() or [""])[0].upper()

    @property
    def text(self) -> str:
        return "".join(node.text or "" for run in self.result for node in run.iter(qualify_name("w:t")))


def iter_fields(root: Any) -> Iterator[Field]:
    """The fields of a story in order of their beginning; inner ones of nested fields too."""
    known_fields: list[Field] = []
    stack: list[Field] = []
    if next(root.iter(qualify_name("w:fldChar"), qualify_name("w:fldSimple")), None) is None:
        return
    for element in outside_fallbacks(root, R, qualify_name("w:fldSimple")):
        if element.tag == qualify_name("w:fldSimple"):
            simple = Field(
                get_attribute(element, "w:instr", "") or "", element, _find_paragraph(element), element.findall(R)
            )
            known_fields.append(simple)
            continue
        _follow_run(element, stack, known_fields)
    yield from (
        word_field
        for word_field in known_fields
        if word_field.end is not None or word_field.start.tag == qualify_name("w:fldSimple")
    )


def _follow_run(run: Any, stack: list[Field], known_fields: list[Field]) -> None:
    """Follow the marks of a run; what lies between separator and end belongs to the result."""
    for node in run:
        kind = get_attribute(node, "w:fldCharType") if node.tag == qualify_name("w:fldChar") else None
        if kind == "begin":
            stack.append(Field("", node, _find_paragraph(node)))
            known_fields.append(stack[-1])
        elif kind == "separate" and stack:
            stack[-1].separator = node
        elif kind == "end" and stack:
            stack.pop().end = node
        elif node.tag == qualify_name("w:instrText") and stack and stack[-1].separator is None:
            stack[-1].code += node.text or ""
    for open_field in stack:
        if open_field.separator is not None and run.find(qualify_name("w:t")) is not None:
            open_field.result.append(run)


def _find_paragraph(element: Any) -> Any:
    return next(element.iterancestors(P), None)


def map_bookmarks(document: Document) -> dict[str, Any]:
    """Name -> w:bookmarkStart, in all stories; of two, as a tracked move leaves them, one with visible text."""
    bookmarks_by_name: dict[str, Any] = {}
    for story in document.map_stories():
        for mark in outside_fallbacks(document.get_story(story), qualify_name("w:bookmarkStart")):
            name = get_attribute(mark, "w:name") or ""
            if name not in bookmarks_by_name or not bookmark_text(bookmarks_by_name[name]):
                bookmarks_by_name[name] = mark
    return bookmarks_by_name


def bookmark_text(mark: Any) -> str:
    """The visible text between a bookmark's marks; of its paragraph where it spans none."""
    number, paragraph = get_attribute(mark, "w:id"), _find_paragraph(mark)
    if paragraph is None:
        following = mark.getnext()
        return "" if following is None or following.tag != P else text_of(following)
    inside, marked_text = False, ""
    texts = {piece.node: piece.text for piece in iter_pieces(paragraph)}
    for node in paragraph.iter():
        if node is mark:
            inside = True
        elif node.tag == qualify_name("w:bookmarkEnd") and get_attribute(node, "w:id") == number:
            break
        elif inside:
            marked_text += texts.get(node, "")
    return marked_text


def core_property(document: Document, name: str) -> str:
    """A core property by the local name of its element (title, creator ...); empty if it is not set."""
    for relation in rels.read_relations(document.package, "").values():
        if relation.kind == "core-properties" and relation.target in document.package:
            root = parse_part(document.package.read(relation.target), relation.target)
            for element in root:
                if isinstance(element.tag, str) and element.tag.endswith("}" + name):
                    return element.text or ""
    return ""


def split_arguments(code: str) -> list[str]:
    """The words of a field code, quoted ones whole."""
    try:
        return shlex.split(code.replace("\\", "\\\\"))
    except ValueError:
        return code.split()


def value_of(document: Document, now: datetime, code: str) -> str:
    """What a field shows as far as it can be known without pages; '1' for those that count pages, '?' for PAGEREF."""
    words = split_arguments(code)
    kind = words[0].upper() if words else ""
    if kind in ("DATE", "TIME", "CREATEDATE", "SAVEDATE"):
        picture = words[words.index("\\@") + 1] if "\\@" in words[:-1] else None
        return formatted_date(now, picture or ("HH:mm" if kind == "TIME" else "yyyy-MM-dd"))
    if kind in _PROPERTY_FIELDS:
        return core_property(document, _PROPERTY_FIELDS[kind])
    if kind == "REF" and len(words) > 1:
        mark = map_bookmarks(document).get(words[1])
        return "" if mark is None else bookmark_text(mark)
    if kind == "PAGEREF":
        return UNKNOWN_PAGE
    return "1" if kind in ("PAGE", "NUMPAGES", "SECTIONPAGES", "SECTION", "SEQ") else ""


def formatted_date(now: datetime, picture: str) -> str:
    r"""A date by a picture such as ``d MMMM yyyy`` (ECMA-376 part 1, 17.16.4.1)."""

    def piece(match: re.Match[str]) -> str:
        token = match[0]
        if token.startswith("'"):
            return token[1:-1]
        if token in _DATE_CODES:
            return now.strftime(_DATE_CODES[token])
        number = {"M": now.month, "d": now.day, "H": now.hour, "h": (now.hour + 11) % 12 + 1, "m": now.minute}
        return str(number.get(token, now.second))

    return _PICTURE.sub(piece, picture)
