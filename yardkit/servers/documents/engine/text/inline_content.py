"""Runs, links, fields and bookmarks from text with markup."""

from __future__ import annotations

import copy
import re
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.servers.documents.engine.formatting.looks import set_text_look
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.formulas.latex_parser import to_omml
from yardkit.servers.documents.engine.markup.names import insert_child, make_element, qualify_name
from yardkit.servers.documents.engine.markup.paragraph_text import text_nodes
from yardkit.servers.documents.engine.markup.specs import Look
from yardkit.servers.documents.engine.package import field_values
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.text.inline_markup import Span, parse_spans
from yardkit.world import Problem

_ADDRESS = re.compile(r"(https?|mailto|ftp|tel|file):\S+", re.IGNORECASE)
_FILE = re.compile(r"(?!//|[a-z][a-z0-9+.-]*:)[^\s\\]+", re.IGNORECASE)  # seen from the folder of the document
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udfff]")
_PICTURE = re.compile(r'(\\[@#])\s*(?!["\s])(.+?)(?=\s*(?:\\[@#*!]|$))')
_BOOKMARK = re.compile(r"[^\W\d]\w{0,39}")


def checked_text(text: str) -> str:
    """Text with one kind of line end.

    Raises:
        Problem: it holds characters that XML cannot.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    bad = _CONTROL.search(text)
    if bad:
        raise Problem(f"the text {text[:40]!r} contains the control character U+{ord(bad[0]):04X}; remove it")
    return text


def build_inline(writer: Writer, part: str, text: str, *, literal: bool = False, like: Any = None) -> list[Any]:
    """The content of a paragraph in `part`; `like` is a w:rPr that all of it takes."""
    text = checked_text(text)
    inline_elements: list[Any] = []
    for span in [Span(text)] if literal and text else parse_spans(text):
        properties = _build_properties(writer, span, like)
        if span.field:
            code = with_quotes(span.field)
            inline_elements += build_field(code, field_values.value_of(writer.document, writer.now, code), properties)
        elif span.formula:
            inline_elements.append(_build_formula(writer, text, span, properties))
        elif span.url:
            inline_elements.append(build_link(writer, part, span.url, [_run(span.text, properties)]))
        else:
            inline_elements.append(_run(span.text, properties))
    return inline_elements


def _build_formula(writer: Writer, text: str, span: Span, properties: Any) -> Any:
    """An equation, on a line of its own where the text is nothing else; one that is not understood stays as written."""
    mark = "$$" if f"$${span.formula}$$" in text else "$"
    try:
        formula = to_omml(span.formula)
    except Problem as problem:
        writer.notes.append(f"not set as an equation: {problem}")
        return _run(f"{mark}{span.formula}{mark}", properties)
    return make_element("m:oMathPara", formula) if text.strip() == f"$${span.formula}$$" else formula


def _run(text: str, properties: Any) -> Any:
    own = [] if properties is None else [copy.deepcopy(properties)]
    return make_element("w:r", *own, *text_nodes(text))


def _build_properties(writer: Writer, span: Span, like: Any) -> Any:
    """The w:rPr of a stretch; None where it needs none."""
    properties = make_element("w:rPr") if like is None else copy.deepcopy(like)
    style = "Hyperlink" if span.url else "Code Char" if span.code else None
    if style:
        insert_child(properties, make_element("w:rStyle", val=Styles(writer.document).ensure(style, "character")))
    set_text_look(properties, Look(bold=span.bold or None, italic=span.italic or None, strike=span.strike or None))
    return properties if len(properties) else None


def build_link(writer: Writer, part: str, url: str, content: list[Any], *, relative: bool = False) -> Any:
    """A w:hyperlink around runs: to an address, or with ``#name`` to a bookmark; `relative`: also to a file beside it.

    Raises:
        Problem: the address is of no kind that a document may link to.
    """
    if url.startswith("#"):
        return make_element("w:hyperlink", *content, anchor=url[1:], history=1)
    if not _ADDRESS.fullmatch(url) and not (relative and _FILE.fullmatch(url)):
        raise Problem(f"{url!r} is not a valid address; use https://..., mailto:... or #bookmark")
    known = rels.read_relations(writer.document.package, part)
    identity = next((key for key, relation in known.items() if relation.external and relation.target == url), None)
    identity = identity or rels.add_relation(writer.document.package, part, "hyperlink", url, external=True)
    return make_element("w:hyperlink", *content, r_id=identity, history=1)


def with_quotes(code: str) -> str:
    """A field code with quotes around pictures of dates and numbers: without, only a first word counts."""
    return _PICTURE.sub(r'\1 "\2"', code)


def build_field(code: str, result: str, properties: Any = None) -> list[Any]:
    """The runs of a complex field with its result."""

    def run(*content: Any) -> Any:
        own = [] if properties is None else [copy.deepcopy(properties)]
        return make_element("w:r", *own, *content)

    instruction = make_element("w:instrText", text=f" {code.strip()} ")
    return [
        run(make_element("w:fldChar", fldCharType="begin")),
        run(instruction),
        run(make_element("w:fldChar", fldCharType="separate")),
        run(*text_nodes(result)),
        run(make_element("w:fldChar", fldCharType="end")),
    ]


def wrap_in_bookmark(writer: Writer, name: str, content: list[Any]) -> list[Any]:
    """Content between the marks of a new bookmark.

    Raises:
        Problem: the name is none, or taken.
    """
    if not _BOOKMARK.fullmatch(name):
        raise Problem(
            f"{name!r} is not a valid bookmark name; use a letter, then letters, digits or _, at most 40 in total"
        )
    if name.lower() in {bookmark.lower() for bookmark in map_bookmarks(writer)}:
        raise Problem(f"the bookmark {name!r} already exists; choose another name or remove it first")
    number = writer.fresh_id((qualify_name("w:bookmarkStart"),), qualify_name("w:id"))
    return [make_element("w:bookmarkStart", id=number, name=name), *content, make_element("w:bookmarkEnd", id=number)]


def map_bookmarks(writer: Writer) -> dict[str, Any]:
    """Name -> w:bookmarkStart, in all stories."""
    return field_values.map_bookmarks(writer.document)
