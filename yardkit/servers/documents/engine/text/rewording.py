"""A paragraph made to read a text, in which equations stand as reading shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from yardkit.kit.markdown.dollar_signs import formula_at
from yardkit.servers.documents.engine.formulas.latex_parser import to_omml
from yardkit.servers.documents.engine.formulas.latex_writer import to_latex
from yardkit.servers.documents.engine.markup import tracking
from yardkit.servers.documents.engine.markup.paragraph_text import Piece, pieces, text_of
from yardkit.servers.documents.engine.markup.tracking import Tracker
from yardkit.servers.documents.engine.text.displayed_text import is_equation
from yardkit.world import Problem


def reword(paragraph: Any, text: str, tracker: Tracker | None) -> None:
    """Let a paragraph read `text`; equations that it names, in their order, stay where it has them, others go."""
    equations = [piece for piece in pieces(paragraph) if is_equation(piece)]
    kept, parts = _kept(equations, text)
    for equation in equations:
        if equation not in kept and tracker is not None:
            tracking.mark_formula(equation.node, "del", tracker)
        elif equation not in kept:
            tracking.remove_emptied(equation.node)
    if not kept:
        _whole(paragraph, text, tracker)
        return
    places = _places(paragraph, [piece.node for piece in kept])
    for number in reversed(range(len(parts))):
        start = places[number - 1][1] if number else 0
        end = places[number][0] if number < len(places) else len(text_of(paragraph))
        if start == end and number and parts[number]:
            _put_behind(kept[number - 1].node, paragraph, parts[number], tracker)
        else:
            tracking.replace_span(paragraph, start, end, parts[number], tracker)


def _whole(paragraph: Any, text: str, tracker: Tracker | None) -> None:
    if tracker is None:
        tracking.replace_span(paragraph, 0, len(text_of(paragraph)), text, None)
    else:
        tracking.replace_words(paragraph, text, tracker)


def _kept(equations: list[Piece], text: str) -> tuple[list[Piece], list[str]]:
    """The equations that a text names, and its parts before, between and behind them."""
    kept: list[Piece] = []
    parts: list[str] = []
    at = 0
    for equation in equations:
        found = next((place for place in _formulas(text, at) if place[2] == to_latex(equation.node)), None)
        if found is not None:
            kept.append(equation)
            parts.append(text[at : found[0]])
            at = found[1]
    return kept, [*parts, text[at:]]


def _formulas(text: str, start: int) -> Iterator[tuple[int, int, str]]:
    """Beginning, end and LaTeX, as reading shows it, of the formulas of a text from a place on."""
    at = text.find("$", start)
    while at >= 0:
        found = formula_at(text, at, len(text))
        if found is not None:
            yield at, found.end(), _as_shown(found[1])
        at = text.find("$", at + 1 if found is None else found.end())


def _as_shown(latex: str) -> str:
    try:
        return to_latex(to_omml(latex))
    except Problem:
        return latex


def _places(paragraph: Any, nodes: list[Any]) -> list[tuple[int, int]]:
    found, at = [], 0
    for piece in pieces(paragraph):
        if piece.node in nodes:
            found.append((at, at + len(piece.text)))
        at += len(piece.text)
    return found


def _put_behind(node: Any, paragraph: Any, text: str, tracker: Tracker | None) -> None:
    like = next((piece.run for piece in pieces(paragraph) if piece.run is not None), None)
    new = tracking.make_run(text, like)
    node.addnext(new)
    if tracker is not None:
        tracking.mark_inserted([new], tracker)
