"""Text as reading shows it: equations as LaTeX. `text_of`, which anchors and edits go by, leaves them as letters."""

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.formulas.latex_writer import to_latex
from yardkit.servers.documents.engine.markup.names import P, T, find, q
from yardkit.servers.documents.engine.markup.paragraph_text import RUBY_BASE, Piece, outside_fallbacks, pieces


def is_equation(piece: Piece) -> bool:
    """Whether a piece of a paragraph is an equation."""
    return piece.run is None


def shown(piece: Piece) -> str:
    """A piece as it is shown: ``$x$`` for an equation within a line, ``$$x$$`` for one on a line of its own."""
    if not is_equation(piece):
        return piece.text + _reading_aid(piece)
    mark = "$$" if piece.node.tag == q("m:oMathPara") else "$"
    latex = to_latex(piece.node)
    return f"{mark}{latex}{mark}" if latex else piece.text


def _reading_aid(piece: Piece) -> str:
    """What stands in small letters above the last of some characters (ruby), in brackets."""
    base = piece.run.getparent()
    if base.tag != RUBY_BASE or base[-1] is not piece.run or piece.run[-1] is not piece.node:
        return ""
    return f"({''.join(find(base.getparent(), 'w:rt').itertext(T))})"


def shown_text(paragraph: Any) -> str:
    """The visible text of a paragraph."""
    return "".join(map(shown, pieces(paragraph)))


def shown_cell(cell: Any) -> str:
    """The visible text of a cell, a paragraph a line, of tables and text boxes in it too."""
    return "\n".join(map(shown_text, outside_fallbacks(cell, P)))
