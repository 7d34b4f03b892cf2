"""A paragraph made to read a text, in which equations stand as reading shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from yardkit.kit.markdown.dollar_signs import formula_at
from yardkit.servers.documents.engine.formulas.latex_parser import to_omml
from yardkit.servers.documents.engine.formulas.latex_writer import to_latex
from yardkit.servers.documents.engine.markup import tracking
from yardkit.servers.documents.engine.markup.paragraph_text import Piece, iter_pieces, text_of
from yardkit.servers.documents.engine.markup.tracking import Tracker
from yardkit.servers.documents.engine.text.displayed_text import is_equation
from yardkit.world import Problem


def reword_paragraph(paragraph: Any, text: str, tracker: Tracker | None) -> None:
    """Let a paragraph read `text`; equations that it names, in their order, stay where it has them, others go."""
    equations = [piece for piece in iter_pieces(paragraph) if is_equation(piece)]
    remaining_equations, parts = _match_equations(equations, text)
    for equation in equations:
        if equation not in remaining_equations and tracker is not None:
            tracking.mark_formula(equation.node, "del", tracker)
        elif equation not in remaining_equations:
            tracking.remove_emptied(equation.node)
    if not remaining_equations:
        _replace_all_text(paragraph, text, tracker)
        return
    places = _list_positions(paragraph, [piece.node for piece in remaining_equations])
    for number in reversed(range(len(parts))):
        start = places[number - 1][1] if number else 0
        end = places[number][0] if number < len(places) else len(text_of(paragraph))
        if start == end and number and parts[number]:
            _put_behind(remaining_equations[number - 1].node, paragraph, parts[number], tracker)
        else:
            tracking.replace_span(paragraph, start, end, parts[number], tracker)


def _replace_all_text(paragraph: Any, text: str, tracker: Tracker | None) -> None:
    if tracker is None:
        tracking.replace_span(paragraph, 0, len(text_of(paragraph)), text, None)
    else:
        tracking.replace_words(paragraph, text, tracker)


def _match_equations(equations: list[Piece], text: str) -> tuple[list[Piece], list[str]]:
    """The equations that a text names, and its parts before, between and behind them."""
    matched_equations: list[Piece] = []
    parts: list[str] = []
    at = 0
    for equation in equations:
        formula_position = next(
            (place for place in _iter_formulas(text, at) if place[2] == to_latex(equation.node)), None
        )
        if formula_position is not None:
            matched_equations.append(equation)
            parts.append(text[at : formula_position[0]])
            at = formula_position[1]
    return matched_equations, [*parts, text[at:]]


def _iter_formulas(text: str, start: int) -> Iterator[tuple[int, int, str]]:
    """Beginning, end and LaTeX, as reading shows it, of the formulas of a text from a place on."""
    at = text.find("$", start)
    while at >= 0:
        formula_match = formula_at(text, at, len(text))
        if formula_match is not None:
            yield at, formula_match.end(), _normalize_latex(formula_match[1])
        at = text.find("$", at + 1 if formula_match is None else formula_match.end())


def _normalize_latex(latex: str) -> str:
    try:
        return to_latex(to_omml(latex))
    except Problem:
        return latex


def _list_positions(paragraph: Any, nodes: list[Any]) -> list[tuple[int, int]]:
    positions, at = [], 0
    for piece in iter_pieces(paragraph):
        if piece.node in nodes:
            positions.append((at, at + len(piece.text)))
        at += len(piece.text)
    return positions


def _put_behind(node: Any, paragraph: Any, text: str, tracker: Tracker | None) -> None:
    like = next((piece.run for piece in iter_pieces(paragraph) if piece.run is not None), None)
    new = tracking.make_run(text, like)
    node.addnext(new)
    if tracker is not None:
        tracking.mark_inserted([new], tracker)
