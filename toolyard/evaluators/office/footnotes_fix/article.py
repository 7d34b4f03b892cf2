"""What the checks of this task read in an article beside its text: marks of notes, references, equations."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolyard.evaluators.readers.packages import open_parts, parsed
from toolyard.evaluators.readers.word_formats import w
from toolyard.evaluators.readers.word_text import text_of
from toolyard.evaluators.submission import Submission

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_REFERENCE = re.compile(r"(?<!PAGE)REF\s+\"?(\w+)")
_SEQUENCE = re.compile(r"SEQ\s+\"?Figure\b")
_GREEK = {r"\alpha": "\u03b1", r"\lambda": "\u03bb"}


@dataclass(frozen=True)
class Equation:
    """An equation: its letters and digits in order of the alphabet, fractions, roots, and raised or lowered parts.

    Attributes:
        alone: whether it stands on a line of its own.
    """

    letters: str
    fractions: int
    roots: int
    scripts: int
    alone: bool = False


@dataclass(frozen=True)
class Line:
    """A paragraph: its text, the notes in it with the text before their marks, and what its fields do.

    Attributes:
        references: names of the bookmarks that it refers to.
        counted: whether a sequence counts its number.
        bookmarks: the text in each of its bookmarks.
    """

    text: str
    notes: tuple[tuple[str, str], ...]
    references: tuple[str, ...]
    counted: bool
    bookmarks: dict[str, str]
    equations: tuple[Equation, ...]


def plain(text: str) -> str:
    """A text without differences of white space and of mathematical letters."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def meant(latex: str, *, alone: bool) -> Equation:
    """The equation that LaTeX stands for."""
    roots, scripts, fractions = latex.count(r"\sqrt"), len(re.findall(r"[_^]", latex)), latex.count(r"\frac")
    for command, letter in _GREEK.items():
        latex = latex.replace(command, letter)
    return Equation(_letters(re.sub(r"\\[a-z]+", "", latex)), fractions, roots, scripts, alone)


def lines(submission: Submission, relative: str) -> list[Line]:
    """The paragraphs of the body outside tables."""
    return parsed(submission, relative, _read, "Word document")


def _read(path: Path) -> list[Line]:
    parts = open_parts(path)
    main = parts.main()
    notes = {
        each.get(w("id"), ""): plain(" ".join(text_of(p) for p in each.iter(w("p"))))
        for part in parts.related(main, "footnotes")
        for each in parts.xml(part).iterfind(w("footnote"))
    }
    body = parts.xml(main).find(w("body"))
    return [_line(each, notes) for each in body.iter(w("p")) if next(each.iterancestors(w("tbl")), None) is None]


def _line(paragraph: Any, notes: dict[str, str]) -> Line:
    codes = [each.get(w("instr"), "") for each in paragraph.iter(w("fldSimple"))]
    codes.append("".join(f" {each.text or ''} " for each in paragraph.iter(w("instrText"))))
    code = " ".join(codes)
    return Line(
        plain(text_of(paragraph)),
        tuple((plain(before), notes.get(identity, "")) for before, identity in _marks(paragraph)),
        tuple(_REFERENCE.findall(code)),
        bool(_SEQUENCE.search(code)),
        dict(_bookmarks(paragraph)),
        tuple(_equation(each, paragraph) for each in paragraph.iter(f"{_M}oMath")),
    )


def _marks(paragraph: Any) -> Iterator[tuple[str, str]]:
    before = ""
    for element in paragraph.iter(w("t"), w("footnoteReference")):
        if element.tag == w("t"):
            before += element.text or ""
        else:
            yield before, element.get(w("id"), "")


def _bookmarks(paragraph: Any) -> Iterator[tuple[str, str]]:
    elements = list(paragraph.iter())
    for place, start in enumerate(elements):
        if start.tag == w("bookmarkStart"):
            identity, text = start.get(w("id")), ""
            for element in elements[place:]:
                if element.tag == w("bookmarkEnd") and element.get(w("id")) == identity:
                    break
                text += (element.text or "") if element.tag == w("t") else ""
            yield start.get(w("name"), ""), plain(text)


def _equation(element: Any, paragraph: Any) -> Equation:
    text = "".join(each.text or "" for each in element.iter(f"{_M}t"))
    scripts = sum(
        any(each.text for each in part.iter(f"{_M}t")) for part in element.iter(f"{_M}sub", f"{_M}sup", f"{_M}lim")
    )
    alone = not any((each.text or "").strip() for each in paragraph.iter(w("t")))
    return Equation(_letters(text), _count(element, "f"), _count(element, "rad"), scripts, alone)


def _count(element: Any, name: str) -> int:
    return sum(1 for _ in element.iter(f"{_M}{name}"))


def _letters(text: str) -> str:
    normal = unicodedata.normalize("NFKC", text)
    return "".join(sorted(letter for letter in normal if letter.isalnum()))
