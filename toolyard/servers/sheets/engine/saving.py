"""Saving a changed workbook: formulas recomputed where the change reaches them, values stored, parts spliced."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from toolyard.servers.sheets.engine.compute import Outcome, compute, looks_like_error
from toolyard.servers.sheets.engine.formulas import CLOCK, functions, shown
from toolyard.servers.sheets.engine.graph import Graph, Place
from toolyard.servers.sheets.engine.grid import FormulaCell, Grid
from toolyard.servers.sheets.engine.refs import Cell
from toolyard.servers.sheets.engine.values import Scalar
from toolyard.servers.sheets.engine.workbook import Workbook
from toolyard.world import Problem, saving

MALFORMED = "the engine cannot parse it"


@dataclass
class Saved:
    """What recomputing found: values of the cells in question, how many stored values were renewed, the unknown."""

    values: dict[Place, Scalar] = field(default_factory=dict)
    renewed: int = 0
    unknown: dict[Place, str] = field(default_factory=dict)


def save(
    book: Workbook,
    grids: dict[str, Grid],
    path: Path,
    *,
    touched: set[Place],
    written: set[Place],
    now: datetime,
    everything: bool = False,
) -> Saved:
    """Save `book` at `path` with values for all formulas that the change reaches.

    `touched` are the cells that changed, `written` those of them that hold new formulas, `grids` the sheets read so
    far; with `everything` each formula is computed anew.

    Raises:
        Problem: a written formula cannot be parsed (nothing is saved), or the file cannot be written.
    """
    with saving(path) as draft:
        _flush(book, grids)
        book.save(draft)
        cells = _formulas(book, grids)
        result = Saved()
        if any(cells.values()):
            outcome = compute(draft, book, cells, now)
            _refuse_malformed(outcome, cells, written)
            wanted = _wanted(book, cells, touched, everything=everything)
            result = _store(grids, cells, outcome, wanted)
            if result.unknown:
                book.recalculate_on_load()
            _flush(book, grids)
            book.save(draft)
    return result


def _flush(book: Workbook, grids: dict[str, Grid]) -> None:
    for name, grid in grids.items():
        if any(sheet.name == name for sheet in book.sheets):
            grid.save()


def _formulas(book: Workbook, grids: dict[str, Grid]) -> dict[str, dict[Cell, FormulaCell]]:
    """The formulas of all worksheets; sheets that have some stay open in `grids`."""
    found = {}
    for info in book.sheets:
        if info.kind != "worksheet":
            continue
        if info.name not in grids and b"<f" not in book.package.read(info.part):
            continue
        if info.name not in grids:
            grids[info.name] = Grid(book, info)
        found[info.name] = grids[info.name].formulas()
    return found


def _refuse_malformed(outcome: Outcome, cells: dict[str, dict[Cell, FormulaCell]], written: set[Place]) -> None:
    for sheet, cell in sorted(written):
        if outcome.unknown.get((sheet, cell)) == MALFORMED:
            text = shown(cells[sheet][cell].text)
            raise Problem(
                f"the formula {text!r} for {sheet}!{cell} cannot be parsed; check its syntax. Nothing was saved"
            )


def _wanted(
    book: Workbook, cells: dict[str, dict[Cell, FormulaCell]], touched: set[Place], *, everything: bool
) -> set[Place]:
    """The formulas whose stored values must be renewed; the others keep what is in the file."""
    places = {(sheet, cell): formula for sheet, found in cells.items() for cell, formula in found.items()}
    if everything or book.recalculates_on_load:
        return set(places)
    fresh = {place for place, formula in places.items() if not formula.has_value or place in touched}
    clocks = {place for place, formula in places.items() if CLOCK & set(functions(formula.text))}
    return fresh | clocks | (Graph(places, book).dependents(touched | fresh | clocks) & places.keys())


def _store(
    grids: dict[str, Grid], cells: dict[str, dict[Cell, FormulaCell]], outcome: Outcome, wanted: set[Place]
) -> Saved:
    result = Saved()
    for place in sorted(wanted):
        sheet, cell = place
        grid = grids[sheet]
        value = outcome.values.get(place)
        if place in outcome.unknown:
            result.unknown[place] = outcome.unknown[place]
        result.values[place] = value
        result.renewed += _renew(grid, cell, value)
        formula = cells[sheet][cell]
        if formula.area is not None:
            _store_spill(grid, cell, formula, outcome, sheet)
    return result


def _renew(grid: Grid, cell: Cell, value: Scalar) -> bool:
    """Store a value where the file has another; whether it had."""
    element = grid.find(cell)
    kind = element.get("t", "n") if element is not None else "n"
    text = element.findtext(_V) if element is not None else None
    grid_changed = grid.changed
    before = (kind, text)
    if element is not None and _same(kind, text, value):
        return False
    grid.set_result(cell, value, error=looks_like_error(value))
    grid.changed = grid_changed or before != ("n", None) or value is not None
    return True


_V = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}v"


def _same(kind: str, text: str | None, value: Scalar) -> bool:
    if value is None or text is None:
        return value is None and text is None
    if isinstance(value, bool):
        return kind == "b" and text == str(int(value))
    if isinstance(value, str):
        return kind == ("e" if looks_like_error(value) else "str") and text == value
    try:
        return kind == "n" and float(text) == float(value)
    except ValueError:
        return False


def _store_spill(grid: Grid, cell: Cell, formula: FormulaCell, outcome: Outcome, sheet: str) -> None:
    """Fill the cells of an array formula, and empty those that a dynamic one no longer reaches."""
    area = outcome.spills.get((sheet, cell))
    assert formula.area is not None, "asked for array formulas only"  # noqa: S101
    old = set(formula.area.cells()) - {cell}
    new = set(area.cells()) - {cell} if area else set()
    for other in old - new:
        element = grid.find(other)
        if element is not None and element.find(_F) is None and len(element):
            grid.clear(element)
    for other in new:
        _renew(grid, other, outcome.values.get((sheet, other)))
    element = grid.find(cell)
    if area and area != formula.area and element is not None:
        element.find(_F).set("ref", str(area))
        grid.changed = True


_F = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}f"
