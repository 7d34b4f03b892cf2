"""Text as reading shows it: equations as LaTeX. `text_of`, which anchors and edits go by, leaves them as letters."""

from __future__ import annotations

import re
from typing import Any

from toolyard.kit.markdown.dollar_signs import formula_at
from toolyard.servers.documents.engine.formulas.latex_writer import to_latex
from toolyard.servers.documents.engine.markup.names import P, q
from toolyard.servers.documents.engine.markup.paragraph_text import Piece, in_fallback, pieces

_SPECIAL = re.compile(r"([\\`*\[\]<>~|$])")


def escaped(text: str) -> str:
    """Text for Markdown, its signs without meaning; dollar signs of prices have none."""

    def sign(match: re.Match[str]) -> str:
        price = match[0] == "$" and formula_at(text, match.start(), len(text)) is None
        return match[0] if price else f"\\{match[0]}"

    return _SPECIAL.sub(sign, text)


def is_equation(piece: Piece) -> bool:
    """Whether a piece of a paragraph is an equation."""
    return piece.run is None


def shown(piece: Piece) -> str:
    """A piece as it is shown: ``$x$`` for an equation within a line, ``$$x$$`` for one on a line of its own."""
    if not is_equation(piece):
        return piece.text
    mark = "$$" if piece.node.tag == q("m:oMathPara") else "$"
    latex = to_latex(piece.node)
    return f"{mark}{latex}{mark}" if latex else piece.text


def shown_text(paragraph: Any) -> str:
    """The visible text of a paragraph."""
    return "".join(map(shown, pieces(paragraph)))


def shown_cell(cell: Any, *, markdown: bool = False) -> str:
    """The visible text of a cell, a paragraph a line, of tables in it too; escaped for a table of Markdown."""
    paragraphs = [paragraph for paragraph in cell.iter(P) if not in_fallback(paragraph)]
    if not markdown:
        return "\n".join(map(shown_text, paragraphs))
    return "\n".join("".join(map(_in_table, pieces(paragraph))) for paragraph in paragraphs)


def _in_table(piece: Piece) -> str:
    return shown(piece).replace("|", "\\|") if is_equation(piece) else escaped(piece.text)
