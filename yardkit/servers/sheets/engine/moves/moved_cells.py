"""Cells taken out of a sheet with formula, value and format, and put down elsewhere."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.notation.references import Area, Cell
from yardkit.servers.sheets.engine.notation.rewritten_formulas import fill_formula
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

CellCopies = dict[Cell, Any]
_F, _V = qualify_tag("f"), qualify_tag("v")


def copy_cells(grid: Grid, area: Area) -> CellCopies:
    """Copies of the cells in `area`; shared formulas are written out first.

    Raises:
        Problem: an array formula reaches into the area.
    """
    check_no_arrays(grid, area)
    if any(formula.get("t") == "shared" for _, formula in grid.formula_elements()):
        grid.share_no_more("")
    return {cell: copy.deepcopy(element) for cell, element in grid.iter_elements(area)}


def check_no_arrays(grid: Grid, area: Area) -> None:
    """Refuse to move cells that array formulas fill.

    Raises:
        Problem: there are such cells in `area`.
    """
    for anchor, formula in grid.map_formulas().items() if grid.has_arrays() else ():
        if formula.area is not None and formula.area.meets(area):
            raise Problem(f"the array formula in {anchor} fills {formula.area}, which overlaps {area}; clear it first")


def place_cell(grid: Grid, cell: Cell, element: Any | None, formula: Callable[[str], str] = str) -> None:
    """Make `cell` what `element` is (None: empty without format), its formula changed by `formula`."""
    if element is None:
        there = grid.find(cell)
        if there is not None:
            grid.clear(there)
            there.attrib.pop("s", None)
        return
    target = grid.ensure(cell)
    grid.clear(target)
    for name in ("s", "t"):
        target.attrib.pop(name, None)
        if element.get(name):
            target.set(name, element.get(name))
    for child in element:
        child_copy = copy.deepcopy(child)
        if child_copy.tag == _F and child_copy.text:
            child_copy.text = formula(child_copy.text)
        target.append(child_copy)


def moved_by(down: int, right: int) -> Callable[[str], str]:
    """How a formula reads that is copied so far."""
    return (lambda text: fill_formula(text, down, right)) if down or right else str


def without_formula(element: Any) -> Any:
    """The cell without its formula: its stored value stays."""
    element_copy = copy.deepcopy(element)
    for formula in element_copy.findall(_F):
        element_copy.remove(formula)
    return element_copy
