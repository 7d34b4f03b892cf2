"""Markdown as HTML for pages: CommonMark with tables, strike-through, footnotes and LaTeX formulas as drawings."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from html import escape
from typing import Any

from toolyard.servers.pdf.engine.dollars import inline_formula

LOOK = """
.formula { max-width: none } .formula.display { display: block; margin: 0.9em auto }
.footnote-ref { font-size: 0.75em; line-height: 1 } .footnote-ref a, .footnote-backref { text-decoration: none }
.footnotes { font-size: 0.88em } .footnotes-sep { border: 0; border-top: 0.6pt solid #aaa; margin: 1.6em 0 0.8em }
.footnotes p { margin: 0 0 0.3em }
"""
_WIDE = re.compile(r"[\u2e80-\uffff]")
_MAX_FORMULA = 1000
"""Characters."""
_MAX_DEPTH = 7
_MAX_EFFORT = 8_000
_MAX_EFFORTS = 80_000
"""Of one formula, and of all in a text: the time of laying out doubles with each level of nesting (`_effort`)."""
_LEAST_EFFORT = 60
"""What the picture of the shortest formula costs the page."""
_NESTING = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_DEEPER = {"{": 1, r"\left": 1, r"\begin": 1, "}": -1, r"\right": -1, r"\end": -1}


def to_html(text: str) -> tuple[str, list[str]]:
    """The HTML of a Markdown text, and notes: formulas that cannot be set and stay as written, footnotes left out."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    notes: list[str] = []
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.use(footnote_plugin, inline=False)
    parser.use(dollarmath_plugin, allow_labels=False, renderer=_formula(notes))
    parser.inline.ruler.at("math_inline", inline_formula)
    parser.add_render_rule("footnote_caption", _mark)
    seen: dict[str, Any] = {}
    html = str(parser.render(text, seen))
    footnotes = seen.get("footnotes", {}).get("refs", {})
    uncited = [key.removeprefix(":")[:60] for key, number in footnotes.items() if number < 0]
    return html, notes + [f"left out, the footnote [^{key}] is cited nowhere" for key in uncited]


def _mark(_self: Any, tokens: Any, at: int, _options: Any, _env: Any) -> str:
    """The mark of a footnote, the same wherever it is cited."""
    return f"[{tokens[at].meta['id'] + 1}]"


def _formula(notes: list[str]) -> Callable[[str, dict[str, Any]], str]:
    drawn: dict[tuple[str, bool], str] = {}
    left = _MAX_EFFORTS

    def made(latex: str, options: dict[str, Any]) -> str:
        nonlocal left
        display = bool(options["display_mode"])
        key = latex.strip(), display
        try:
            left -= _LEAST_EFFORT if key in drawn else max(_effort(key[0]), _LEAST_EFFORT)
        except ValueError as error:
            return written(latex, str(error), display=display)
        if left < 0:
            return written(latex, "the text has more of them than can be laid out", display=display)
        try:
            drawn[key] = drawn.get(key) or _drawn(key[0], display=display)
        except Exception:  # noqa: BLE001 - the library raises many kinds for what it cannot read
            return written(latex, "check its LaTeX", display=display)
        return drawn[key]

    def written(latex: str, why: str, *, display: bool) -> str:
        mark = "$$" if display else "$"
        notes.append(f"not set as a formula, {why}: {f'{mark}{latex}{mark}'[:150]}")
        return escape(f"{mark}{latex}{mark}")

    return made


def _effort(latex: str) -> int:
    """How long laying out takes, at most: the characters, each counted double for every level that it is nested.

    Raises:
        ValueError: longer or nested deeper than can be laid out, or in letters that the font of formulas lacks.
    """
    if len(latex) > _MAX_FORMULA or _WIDE.search(latex):
        raise ValueError("too long, or in letters that the font of formulas lacks")
    depth = effort = 0
    for piece in _NESTING.findall(latex):
        depth = max(depth + _DEEPER.get(piece, 0), 0)
        effort += len(piece) << depth
        if depth > _MAX_DEPTH or effort > _MAX_EFFORT:
            raise ValueError("nested too deep")
    return effort


def _drawn(latex: str, *, display: bool) -> str:
    """A formula as a picture that scales with the text around it and stands on its baseline."""
    import ziamath

    size = 24.0
    drawing = ziamath.Latex(latex, size=size, inline=not display, color="#1a1a1a")
    element = drawing.svgxml()
    wide, tall = (float(element.get(side)) / size for side in ("width", "height"))
    picture = base64.b64encode(drawing.svg().encode()).decode()
    kind = "formula display" if display else "formula"
    place = f"width: {wide:.3f}em; height: {tall:.3f}em; vertical-align: {drawing.getyofst() / size:.3f}em"
    source = f"data:image/svg+xml;base64,{picture}"
    return f'<img class="{kind}" alt="{escape(latex, quote=True)}" style="{place}" src="{source}">'
