"""What the checks of this task read in an article beside its text: marks of notes, references, captions."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.evaluators.office.footnotes_fix.equations import Equation, M, read_equation
from yardkit.evaluators.readers.office.document_styles import (
    Styles,
    is_on,
    qualify_word_name,
    read_attribute,
    read_styles,
)
from yardkit.evaluators.readers.office.document_text import text_of
from yardkit.evaluators.readers.office.packages import open_parts, parse_file
from yardkit.evaluators.submission import Submission

_REFERENCE = re.compile(r"REF\s+\"?(\w+)", re.I)
_SEQUENCE = re.compile(r"SEQ\s+\"?([^\s\"\\]+)", re.I)
_GIVEN = re.compile(r"\\[rchs](?![a-z])", re.I)
"""Switches of a sequence that set its number, repeat it, hide it, or begin anew below a heading."""
_SMALLEST_PT = 6
_PAPER = "FFFFFF"


@dataclass(frozen=True)
class Mark:
    """The mark of a footnote: the text before it, the note, and what is wrong with how they look."""

    before: str
    note: str
    fault: str = ""


@dataclass(frozen=True)
class Line:
    """A paragraph: its text, the notes in it with the text before their marks, and what its fields do.

    Attributes:
        references: names of the bookmarks that it refers to.
        counted: the name, in small letters, of the sequence that counts its number.
        bookmarks: the text in each of its bookmarks.
        picture: whether a picture stands in it.
        hidden: whether some of its text is not printed.
    """

    text: str
    notes: tuple[Mark, ...]
    references: tuple[str, ...]
    counted: str
    bookmarks: dict[str, str]
    equations: tuple[Equation, ...]
    picture: bool
    hidden: bool


def normalize_text(text: str) -> str:
    """A text without differences of white space and of mathematical letters."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def read_sequence_name(code: str) -> str:
    """The name, in small letters, of the sequence that a field counts; empty for other fields."""
    match = _SEQUENCE.match(code)
    return match[1].casefold() if match else ""


def read_lines(submission: Submission, relative: str) -> list[Line]:
    """The paragraphs of the body outside tables."""
    return parse_file(submission, relative, _read_file, "Word document")


def _read_file(path: Path) -> list[Line]:
    parts = open_parts(path)
    main = parts.find_main()
    styles = read_styles(parts, main)
    notes = {
        element.get(qualify_word_name("id"), ""): (
            normalize_text(" ".join(text_of(p) for p in element.iter(qualify_word_name("p")))),
            _find_note_fault(element, styles),
        )
        for part in parts.list_related(main, "footnotes")
        for element in parts.xml(part).iterfind(qualify_word_name("footnote"))
    }
    body = parts.xml(main).find(qualify_word_name("body"))
    outside = (
        paragraph
        for paragraph in body.iter(qualify_word_name("p"))
        if next(paragraph.iterancestors(qualify_word_name("tbl")), None) is None
    )
    return [_make_line(paragraph, notes, styles) for paragraph in outside]


def _make_line(paragraph: Any, notes: dict[str, tuple[str, str]], styles: Styles) -> Line:
    codes = list(_list_field_codes(paragraph))
    return Line(
        normalize_text(text_of(paragraph)),
        tuple(_list_marks(paragraph, notes, styles)),
        tuple(match[1] for code in codes if (match := _REFERENCE.match(code))),
        next((name for code in codes if (name := read_sequence_name(code)) and not _GIVEN.search(code)), ""),
        dict(_list_bookmarks(paragraph)),
        tuple(read_equation(formula, paragraph) for formula in paragraph.iter(f"{M}oMath")),
        next(paragraph.iter(qualify_word_name("drawing"), qualify_word_name("pict")), None) is not None,
        any(
            is_on(run, "rPr/vanish") and run.find(qualify_word_name("t")) is not None
            for run in paragraph.iter(qualify_word_name("r"))
        ),
    )


def _list_field_codes(paragraph: Any) -> Iterator[str]:
    """The codes of the fields that begin in a paragraph; programs write a code in one piece or in several."""
    yield from (
        field.get(qualify_word_name("instr"), "").strip() for field in paragraph.iter(qualify_word_name("fldSimple"))
    )
    opened: list[str] = []
    for element in paragraph.iter(qualify_word_name("fldChar"), qualify_word_name("instrText")):
        kind = element.get(qualify_word_name("fldCharType"))
        if element.tag == qualify_word_name("instrText"):
            opened = [*opened[:-1], (opened[-1] if opened else "") + (element.text or "")]
        elif kind == "begin":
            opened.append("")
        elif kind == "end" and opened:
            yield opened.pop().strip()


def _list_marks(paragraph: Any, notes: dict[str, tuple[str, str]], styles: Styles) -> Iterator[Mark]:
    before = ""
    for element in paragraph.iter(qualify_word_name("t"), qualify_word_name("footnoteReference")):
        if element.tag == qualify_word_name("t"):
            before += element.text or ""
            continue
        note, fault = notes.get(element.get(qualify_word_name("id"), ""), ("", "no such note"))
        raised = _is_raised(element.getparent(), styles)
        yield Mark(normalize_text(before), note, fault if raised else "the mark is not raised")


def _is_raised(run: Any, styles: Styles) -> bool:
    sources = [
        run.find(qualify_word_name("rPr")),
        *(style.find(qualify_word_name("rPr")) for style in styles.iterate_chain(read_attribute(run, "rPr/rStyle"))),
    ]
    raised_value = next((name for source in sources if (name := read_attribute(source, "vertAlign")) is not None), None)
    lifted = next((name for source in sources if (name := read_attribute(source, "position")) is not None), "0")
    return raised_value == "superscript" or (raised_value is None and int(lifted) > 0)


def _find_note_fault(note: Any, styles: Styles) -> str:
    """What is wrong with how a footnote looks, or nothing."""
    if next(note.iter(qualify_word_name("footnoteRef")), None) is None:
        return "the note does not show its number"
    for run in note.iter(qualify_word_name("r")):
        look = styles.look(
            next(run.iterancestors(qualify_word_name("p"))).find(qualify_word_name("pPr")),
            run.find(qualify_word_name("rPr")),
        )
        unseen = look.color == _PAPER or look.size_pt < _SMALLEST_PT or is_on(run, "rPr/vanish")
        if unseen and "".join(text.text or "" for text in run.iter(qualify_word_name("t"))).strip():
            return "the note cannot be read"
    return ""


def _list_bookmarks(paragraph: Any) -> Iterator[tuple[str, str]]:
    elements = list(paragraph.iter())
    for place, start in enumerate(elements):
        if start.tag == qualify_word_name("bookmarkStart"):
            identity, text = start.get(qualify_word_name("id")), ""
            for element in elements[place:]:
                if element.tag == qualify_word_name("bookmarkEnd") and element.get(qualify_word_name("id")) == identity:
                    break
                text += (element.text or "") if element.tag == qualify_word_name("t") else ""
            yield start.get(qualify_word_name("name"), ""), normalize_text(text)
