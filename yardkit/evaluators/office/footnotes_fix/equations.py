"""Equations of Word and the LaTeX that they stand for, compared by what they say and not by how they are built."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.readers.office.document_styles import qualify_word_name

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_GREEK = {r"\alpha": "\u03b1", r"\lambda": "\u03bb"}
_SUM = "\u2211"
_BARS = "\u0304\u0305\u00af\u203e"
_MINUS = str.maketrans("\u2212\u2013", "--")
_SIGNS = "=+-."


@dataclass(frozen=True)
class Equation:
    """An equation: its letters, digits and signs as they follow each other, and how often it has each other thing.

    Attributes:
        scripts: raised and lowered parts.
        alone: whether it stands on a line of its own.
    """

    signs: str
    fractions: int
    roots: int
    scripts: int
    sums: int
    bars: int
    alone: bool = False

    def shows_equation(self, expected: "Equation") -> bool:
        """Whether it says what is wanted; a program may raise or lower more than that."""
        same = (self.signs, self.fractions, self.roots, self.sums, self.bars)
        meant_ = (expected.signs, expected.fractions, expected.roots, expected.sums, expected.bars)
        return same == meant_ and self.scripts >= expected.scripts


def parse_latex(latex: str, *, alone: bool) -> Equation:
    """The equation that LaTeX stands for."""
    fractions, roots, sums, bars = (latex.count(command) for command in (r"\frac", r"\sqrt", r"\sum", r"\bar"))
    scripts = len(re.findall(r"[_^]", latex))
    for command, letter in _GREEK.items():
        latex = latex.replace(command, letter)
    return Equation(list_signs(re.sub(r"\\[a-z]+", "", latex)), fractions, roots, scripts, sums, bars, alone)


def read_equation(element: Any, paragraph: Any) -> Equation:
    """An equation (m:oMath) of a paragraph."""
    text = "".join(piece.text or "" for piece in element.iter(f"{M}t"))
    scripts = sum(
        any(piece.text for piece in part.iter(f"{M}t")) for part in element.iter(f"{M}sub", f"{M}sup", f"{M}lim")
    )
    signs = [sign.get(f"{M}val", "") for sign in element.iter(f"{M}chr")]
    bars = sum(text.count(bar) + signs.count(bar) for bar in _BARS) + _count_elements(element, "bar")
    alone = not any((piece.text or "").strip() for piece in paragraph.iter(qualify_word_name("t")))
    sums = text.count(_SUM) + signs.count(_SUM)
    return Equation(
        list_signs(text), _count_elements(element, "f"), _count_elements(element, "rad"), scripts, sums, bars, alone
    )


def list_signs(text: str) -> str:
    """The letters, digits and signs of a text in their order."""
    normal = unicodedata.normalize("NFKC", text).translate(_MINUS)
    return "".join(letter for letter in normal if letter.isalnum() or letter in _SIGNS)


def _count_elements(element: Any, name: str) -> int:
    return sum(1 for _ in element.iter(f"{M}{name}"))
