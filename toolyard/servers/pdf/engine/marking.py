"""Markdown as HTML for pages: CommonMark with tables, strike-through, footnotes and LaTeX formulas as drawings."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from html import escape
from typing import Any

LOOK = """
.formula { max-width: none } .formula.display { display: block; margin: 0.9em auto }
.footnote-ref { font-size: 0.75em; line-height: 1 } .footnote-ref a, .footnote-backref { text-decoration: none }
.footnotes { font-size: 0.88em } .footnotes-sep { border: 0; border-top: 0.6pt solid #aaa; margin: 1.6em 0 0.8em }
.footnotes p { margin: 0 0 0.3em }
"""
_WIDE = re.compile(r"[\u2e80-\uffff]")
_MAX_FORMULA = 1000
"""Characters; laying one out takes time that grows with the square of its length."""


def to_html(text: str) -> tuple[str, list[str]]:
    """The HTML of a Markdown text, and a note for each formula that cannot be set and stays as it is written."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    notes: list[str] = []
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).use(footnote_plugin)
    parser.use(
        dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True,
        renderer=_formula(notes),
    )  # fmt: skip
    parser.add_render_rule("footnote_caption", _mark)
    return str(parser.render(text)), notes


def _mark(_self: Any, tokens: Any, at: int, _options: Any, _env: Any) -> str:
    """The mark of a footnote, the same wherever it is cited."""
    return f"[{tokens[at].meta['id'] + 1}]"


def _formula(notes: list[str]) -> Callable[[str, dict[str, Any]], str]:
    def made(latex: str, options: dict[str, Any]) -> str:
        display = bool(options["display_mode"])
        try:
            return _drawn(latex.strip(), display=display)
        except Exception:  # noqa: BLE001 - the library raises many kinds for what it cannot read
            mark = "$$" if display else "$"
            written = f"{mark}{latex}{mark}"
            notes.append(f"not set as a formula, check its LaTeX: {written[:150]}")
            return escape(written)

    return made


def _drawn(latex: str, *, display: bool) -> str:
    """A formula as a picture that scales with the text around it and stands on its baseline."""
    import ziamath

    if len(latex) > _MAX_FORMULA or _WIDE.search(latex):
        raise ValueError("too long, or in letters that the font of formulas lacks")
    size = 24.0
    drawing = ziamath.Latex(latex, size=size, inline=not display, color="#1a1a1a")
    element = drawing.svgxml()
    wide, tall = (float(element.get(side)) / size for side in ("width", "height"))
    picture = base64.b64encode(drawing.svg().encode()).decode()
    kind = "formula display" if display else "formula"
    place = f"width: {wide:.3f}em; height: {tall:.3f}em; vertical-align: {drawing.getyofst() / size:.3f}em"
    source = f"data:image/svg+xml;base64,{picture}"
    return f'<img class="{kind}" alt="{escape(latex, quote=True)}" style="{place}" src="{source}">'
