"""Text as reading shows it: equations as LaTeX. `text_of`, which anchors and edits go by, leaves them as letters."""

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.formulas.latex_writer import to_latex
from yardkit.servers.documents.engine.markup.names import P, T, find_element, qualify_name
from yardkit.servers.documents.engine.markup.paragraph_text import RUBY_BASE, Piece, iter_pieces, outside_fallbacks


def is_equation(piece: Piece) -> bool:
    """Whether a piece of a paragraph is an equation."""
    return piece.run is None


def format_piece(piece: Piece) -> str:
    """A piece as it is shown: ``$x$`` for an equation within a line, ``$$x$$`` for one on a line of its own."""
    if not is_equation(piece):
        return piece.text + _reading_aid(piece)
    mark = "$$" if piece.node.tag == qualify_name("m:oMathPara") else "$"
    latex = to_latex(piece.node)
    return f"{mark}{latex}{mark}" if latex else piece.text


def _reading_aid(piece: Piece) -> str:
    """What stands in small letters above the last of some characters (ruby), in brackets."""
    base = piece.run.getparent()
    if base.tag != RUBY_BASE or base[-1] is not piece.run or piece.run[-1] is not piece.node:
        return ""
    return f"({''.join(find_element(base.getparent(), 'w:rt').itertext(T))})"


def read_visible_text(paragraph: Any) -> str:
    """The visible text of a paragraph."""
    return "".join(map(format_piece, iter_pieces(paragraph)))


def read_visible_cell(cell: Any) -> str:
    """The visible text of a cell, a paragraph a line, of tables and text boxes in it too."""
    return "\n".join(map(read_visible_text, outside_fallbacks(cell, P)))
