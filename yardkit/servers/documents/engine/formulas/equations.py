"""Equations of a document: listed as LaTeX, added, changed, deleted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from yardkit.servers.documents.engine.formulas.latex_parser import to_omml
from yardkit.servers.documents.engine.formulas.latex_writer import to_latex
from yardkit.servers.documents.engine.markup.names import P, T, make_element, qualify_name
from yardkit.servers.documents.engine.markup.paragraph_text import in_fallback, text_nodes, text_of
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.places import insert_at, locate_text
from yardkit.world import Problem

_MATH, _DISPLAY = qualify_name("m:oMath"), qualify_name("m:oMathPara")


@dataclass(frozen=True)
class EquationEdit:
    """A change to equations.

    Attributes:
        op: add needs latex and a place; change needs id and latex; delete needs id.
        id: as reading gives it, as the equations are before the call.
        latex: without $.
        display: add: a line of its own behind the block; else within the line, behind text or at the end of the block.
        anchor: add: block.
        text: add: text in that block.
        occurrence: which one, from 1, where the text stands several times.
    """

    op: Literal["add", "change", "delete"]
    id: str | None = None
    latex: str = ""
    display: bool = False
    anchor: str | None = None
    text: str | None = None
    occurrence: int = 0


@dataclass(frozen=True)
class Equation:
    """An equation; `id` counts them in the order of the text."""

    id: str
    latex: str
    display: bool
    anchor: str


def read_equations(document: Document) -> list[Equation]:
    """All equations of the document, stories one after the other."""
    equations: list[Equation] = []
    for story in document.map_stories():
        blocks = document.get_blocks(story)
        for node in _iter_equations(document.get_story(story)):
            paragraph = next(node.iterancestors(P), None)
            anchor = "" if paragraph is None else blocks.anchor(paragraph)
            display = node.getparent().tag == _DISPLAY
            equations.append(Equation(f"eq{len(equations) + 1}", to_latex(node), display, anchor))
    return equations


def edit_equations(document: Document, edits: Iterable[EquationEdit]) -> list[str]:
    """Apply changes to equations; the LaTeX that now stands there, empty for deleted ones.

    Raises:
        Problem: LaTeX that is not understood, a wrong id or place.
    """
    nodes = [node for story in document.map_stories() for node in _iter_equations(document.get_story(story))]
    last: dict[Any, Any] = {}
    return [_edit_single(document, equation_edit, nodes, last) for equation_edit in edits]


def _edit_single(document: Document, equation_edit: EquationEdit, nodes: list[Any], last: dict[Any, Any]) -> str:
    """Apply one change; `last` holds for a block the last line that the call put behind it."""
    if equation_edit.op == "delete":
        _remove_equation(_find_node(nodes, equation_edit.id))
        return ""
    formula = to_omml(equation_edit.latex)
    if equation_edit.op == "change":
        old = _find_node(nodes, equation_edit.id)
        old.getparent().replace(old, formula)
        nodes[nodes.index(old)] = formula
    elif equation_edit.display:
        place = locate_text(document, equation_edit.anchor, equation_edit.text, equation_edit.occurrence)
        formula_paragraph = display_paragraph(formula)
        last.get(place.paragraph, place.paragraph).addnext(formula_paragraph)
        last[place.paragraph] = formula_paragraph
    else:
        place = locate_text(document, equation_edit.anchor, equation_edit.text, equation_edit.occurrence)
        before = text_of(place.paragraph)[: place.end]
        insert_at(place, formula)
        if before and _wants_space(before[-1]):
            formula.addprevious(make_element("w:r", *text_nodes(" ")))
    return to_latex(formula)


def _wants_space(before: str) -> bool:
    """Whether a formula behind a character stands off from it: Chinese and Japanese have no spaces."""
    return before < "\u2e80" and not before.isspace() and before not in "([{"


def display_paragraph(formula: Any) -> Any:
    """A paragraph that holds nothing but an equation on a line of its own."""
    return make_element("w:p", make_element("m:oMathPara", formula))


def _iter_equations(root: Any) -> Iterator[Any]:
    for node in root.iter(_MATH):
        if not in_fallback(node) and next(node.iterancestors(_MATH), None) is None:
            yield node


def _find_node(nodes: list[Any], identity: str | None) -> Any:
    known = {f"eq{number}": node for number, node in enumerate(nodes, start=1)}
    if identity not in known:
        listed = f"eq1 to eq{len(nodes)}" if nodes else "none"
        raise Problem(f"there is no equation with the id {identity!r}; the document has: {listed}")
    if known[identity].getparent() is None:
        raise Problem(f"the equation {identity!r} was already deleted by this call; list each only once")
    return known[identity]


def _remove_equation(node: Any) -> None:
    """Take an equation out, with the space that parted it from what is before, or the paragraph that held only it."""
    parent, before, after = node.getparent(), node.getprevious(), node.getnext()
    parent.remove(node)
    follows = "" if after is None else "".join(after.itertext(T))
    if before is not None and "".join(before.itertext(T)) == " " and not follows[:1].isalnum():
        parent.remove(before)
    if parent.tag == _DISPLAY and parent.find(_MATH) is None:
        paragraph = parent.getparent()
        paragraph.remove(parent)
        empty = paragraph.tag == P and all(child.tag == qualify_name("w:pPr") for child in paragraph)
        if empty and paragraph.getprevious() is not None and paragraph.getprevious().tag == P:
            paragraph.getparent().remove(paragraph)
