"""LaTeX formulas of Markdown as drawings in the page."""

from __future__ import annotations

import base64
import importlib
import re
import warnings
from collections.abc import Callable
from functools import cache
from html import escape
from typing import Any
from xml.etree.ElementTree import tostring

from yardkit.kit.markdown.dollar_signs import inline_formula
from yardkit.kit.markdown.latex_forms import adapt_latex, unknown_environments

_WIDE = re.compile(r"[\u2e80-\uffff]")
_MAX_FORMULA = 1000
"""Characters."""
_MAX_DEPTH = 7
_MAX_EFFORT = 8_000
_MAX_EFFORTS = 80_000
"""Of one formula, and of all in a text: layout time doubles with each level of nesting (`_estimate_effort`)."""
_LEAST_EFFORT = 60
"""What the picture of the shortest formula costs the page."""
_NESTING = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_UNKNOWN = re.compile(r"\\[A-Za-z]+|\\.")
_DEPTH_STEPS = {"{": 1, r"\left": 1, r"\begin": 1, "}": -1, r"\right": -1, r"\end": -1}


class UnreadableFormula(ValueError):
    """LaTeX that the library cannot parse; the cause is the library's error."""


def add_formulas(parser: Any, notes: list[str]) -> None:
    """Make a markdown-it parser draw ``$...$`` and ``$$...$$``; `notes` collects those that stay as source."""
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    parser.use(dollarmath_plugin, allow_labels=False, renderer=_make_drawer(notes))
    parser.inline.ruler.at("math_inline", inline_formula)


def _make_drawer(notes: list[str]) -> Callable[[str, dict[str, Any]], str]:
    drawn: dict[tuple[str, bool], str] = {}
    left = _MAX_EFFORTS

    def draw_formula(latex: str, options: dict[str, Any]) -> str:
        nonlocal left
        display = bool(options["display_mode"])
        key = latex.strip(), display
        try:
            left -= _LEAST_EFFORT if key in drawn else max(_estimate_effort(key[0]), _LEAST_EFFORT)
        except ValueError as error:
            return written(latex, str(error), display=display)
        if left < 0:
            return written(latex, "the text has more of them than can be laid out", display=display)
        try:
            if key not in drawn:
                drawn[key], unknown_commands = _draw_formula(key[0], display=display)
                notes.extend(f"{name}: {latex[:150]}" for name in unknown_commands)
        except UnreadableFormula:
            return written(latex, "check its LaTeX", display=display)
        return drawn[key]

    def written(latex: str, why: str, *, display: bool) -> str:
        mark = "$$" if display else "$"
        notes.append(f"not set as a formula, {why}: {f'{mark}{latex}{mark}'[:150]}")
        return escape(f"{mark}{latex}{mark}")

    return draw_formula


def _estimate_effort(latex: str) -> int:
    """Estimate an upper bound of the layout time: the characters, doubled for every level of nesting.

    Raises:
        ValueError: it is too long, too deeply nested, or has letters that the formula font lacks.
    """
    if len(latex) > _MAX_FORMULA or _WIDE.search(latex):
        raise ValueError("too long, or in letters that the font of formulas lacks")
    depth = effort = 0
    for piece in _NESTING.findall(latex):
        depth = max(depth + _DEPTH_STEPS.get(piece, 0), 0)
        effort += len(piece) << depth
        if depth > _MAX_DEPTH or effort > _MAX_EFFORT:
            raise ValueError("nested too deep")
    return effort


@cache
def _load_library() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it loads its font by a deprecated function
        return importlib.import_module("ziamath")


def _draw_formula(latex: str, *, display: bool) -> tuple[str, list[str]]:
    """Draw a formula as a picture that scales with the text and sits on its baseline; also list unknown parts."""
    size = 24.0
    drawing, element, unknown_commands = _laid_out(latex, size, display=display)
    wide, tall = (float(element.get(side)) / size for side in ("width", "height"))
    kind = "formula display" if display else "formula"
    place = f"width: {wide:.3f}em; height: {tall:.3f}em; vertical-align: {drawing.getyofst() / size:.3f}em"
    source = f"data:image/svg+xml;base64,{base64.b64encode(tostring(element)).decode()}"
    picture = f'<img class="{kind}" alt="{escape(latex, quote=True)}" style="{place}" src="{source}">'
    return picture, unknown_commands


def lay_out(latex: str, size_px: float) -> tuple[Any, list[str]]:
    """Lay out a formula as an SVG element with a font size in pixels; also return its unknown parts in words.

    Raises:
        ValueError: it is too long, too deeply nested, or has letters that the font lacks.
        UnreadableFormula: it is not valid LaTeX.
    """
    _estimate_effort(latex)
    _, element, unknown_commands = _laid_out(latex, size_px, display=True)
    return element, unknown_commands


def _laid_out(latex: str, size: float, *, display: bool) -> tuple[Any, Any, list[str]]:
    """Lay out a formula as the library's object and as an SVG element, and list its unknown parts."""
    library, words = _load_library(), adapt_latex(latex)
    try:
        drawing = library.Latex(words, size=size, inline=not display, color="#1a1a1a")
        element = drawing.svgxml()
    except MemoryError:
        raise
    except Exception as error:  # it raises many types for invalid input
        raise UnreadableFormula("it is not valid LaTeX") from error
    left_out = (f"the environment {name} is not known here and left out" for name in unknown_environments(latex))
    unknown = (
        f"{name} is not a LaTeX command known here and is drawn as text" for name in _unknown_commands(drawing.element)
    )
    return drawing, element, [*unknown, *left_out]


def _unknown_commands(drawing: Any) -> list[str]:
    """List the commands that are drawn as their names, as signs or in words."""
    texts = [(element.tag, element.text or "") for element in drawing.iter() if element.tag in ("mi", "mo", "mtext")]
    signs = (text for tag, text in texts if tag != "mtext" and _UNKNOWN.fullmatch(text))
    within = (name for tag, text in texts if tag == "mtext" for name in _UNKNOWN.findall(text))
    return list(dict.fromkeys([*signs, *within]))
