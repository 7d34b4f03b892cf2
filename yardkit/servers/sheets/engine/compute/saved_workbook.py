"""Saving a changed workbook: formulas recomputed where the change reaches them, values stored, parts spliced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.cells.grid import FormulaCell, Grid
from yardkit.servers.sheets.engine.compute import calculations
from yardkit.servers.sheets.engine.compute.calculations import Calculation, calculation_of
from yardkit.servers.sheets.engine.compute.computed_values import (
    MAX_FORMULAS,
    Outcome,
    compute_values,
    feed_changes,
    load_model,
    looks_like_error,
)
from yardkit.servers.sheets.engine.compute.date_display import show_dates
from yardkit.servers.sheets.engine.compute.doubts import MALFORMED
from yardkit.servers.sheets.engine.compute.engine_model import Model
from yardkit.servers.sheets.engine.compute.formula_index import FormulaIndex
from yardkit.servers.sheets.engine.compute.row_differences import changed_cells
from yardkit.servers.sheets.engine.moves.column_names import follow_headers, name_tables_of_totals
from yardkit.servers.sheets.engine.notation.formulas import format_formula
from yardkit.servers.sheets.engine.notation.references import Cell
from yardkit.servers.sheets.engine.notation.values import BLOCKED, Scalar
from yardkit.servers.sheets.engine.package.file_cache import Known, version_of
from yardkit.servers.sheets.engine.package.sheet_source import Source
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.world import Problem, save_atomically

MAX_FED = 20_000
"""Changed cells beyond which loading the workbook anew is faster than telling the model of each."""


@dataclass
class Saved:
    """What recomputing found: values of the cells in question, how many stored values were renewed, the unknown.

    `broken` are formulas whose value has become an error, `undated` numbers that are no dates but shown as such, since
    their cells had the format of one.
    """

    values: dict[Place, Scalar] = field(default_factory=dict)
    renewed: int = 0
    unknown: dict[Place, str] = field(default_factory=dict)
    broken: list[Place] = field(default_factory=list)
    undated: dict[Place, Scalar] = field(default_factory=dict)


def save_workbook(
    book: Workbook,
    grids: dict[str, Grid],
    path: Path,
    *,
    touched: Iterable[Place],
    written: set[Place],
    now: datetime,
    everything: bool = False,
    dress: Callable[[], None] | None = None,
) -> Saved:
    """Save `book` at `path` with values for all formulas that the change reaches.

    `touched` are the cells that changed, `written` those of them that hold new formulas, `grids` the sheets read so
    far; with `everything` each formula is computed anew. New formulas whose results are dates are shown as dates;
    `dress` changes other looks that depend on the values.

    Raises:
        Problem: a written formula cannot be parsed, the file was changed meanwhile by a program that does not take
            turns (nothing is saved in both cases), or the file cannot be written.
    """
    # Without tables the places are not gathered: of 200,000 cells that takes as long as writing them.
    if any(list_tables(book, grid.info) for grid in grids.values() if grid.info in book.sheets):
        touched = set(touched)
        touched |= follow_headers(book, grids, touched) | name_tables_of_totals(book, grids)
    job = _Job(book, grids, now)
    with save_atomically(path) as draft:
        job.flush()
        result = job.calculate(draft, touched, written, everything=everything)
        if result.unknown:
            book.recalculate_on_load()
        dated, undated = show_dates(book, grids, job.list_formulas(written & result.values.keys()))
        result.undated = {place: result.values[place] for place in undated if place in result.values}
        result.values.update(dated)
        if dress is not None:
            dress()
        job.flush()
        _check_version(book, path)
        book.save(draft)
    job.remember(path)
    return result


class _Job:
    """One save: what is known of the version of the file that was read becomes what is known of the next."""

    def __init__(self, book: Workbook, grids: dict[str, Grid], now: datetime) -> None:
        self.book, self.grids, self.now = book, grids, now
        old = calculation_of(book.known)
        same_parts = (
            not any("/tables/" in name for name in book.package.list_changes()) and not book.structure_changed()
        )
        changed_parts = {info.part for info in book.sheets} & book.package.list_changes()
        steady = same_parts and not changed_parts
        self.index: FormulaIndex | None = old.index if steady else None
        self.model: Model | None = old.model if steady else None
        old.index = old.model = None  # if this save fails, they know of cells that were never saved
        self.settled = old.settled
        self.kept: set[Place] = set()
        self.rows: dict[str, dict[int, bytes]] = {}

    def flush(self) -> None:
        """Hand changed sheets to the package."""
        present = {info.name for info in self.book.sheets}
        self.rows = {name: rows for name, grid in self.grids.items() if name in present and (rows := grid.save())}

    def calculate(self, draft: Path, touched: Iterable[Place], written: set[Place], *, everything: bool) -> Saved:
        changes = None if self.index is None else self._collect_changes()
        if self.index is None:
            self.index = FormulaIndex(self.book, self.grids)
        else:
            for name, rows in self.rows.items():
                for number in rows:
                    self.index.renew_row(name, number, self.grids[name].formulas_of(number))
        if not self.index:
            self.settled = True
            return Saved()
        pending_cells = self._collect_pending({*touched, *(changes or ())}, everything=everything)
        model = self._prepare_model(draft, changes, load_it=bool(pending_cells))
        if not pending_cells or model is None:
            return Saved()
        outcome = compute_values(model, self.book, self.index, pending_cells, self.now, draft)
        _refuse_malformed(outcome, self.index, written)
        return self._store_values(outcome, pending_cells)

    def list_formulas(self, places: set[Place]) -> dict[Place, FormulaCell]:
        """Those at some places, as they are after the calculation."""
        formula_cells = ((place, self.index.get(place)) for place in places) if self.index is not None else ()
        return {place: formula for place, formula in formula_cells if formula is not None}

    def _collect_changes(self) -> dict[Place, Scalar] | None:
        """The cells whose content differs from the file's, as the engine takes them; None where that is not plain."""
        changed_values: dict[Place, Scalar] = {}
        for name, rows in self.rows.items():
            grid = self.grids[name]
            if len(rows) + len(changed_values) > MAX_FED:
                return None
            for number, row in rows.items():
                changed = changed_cells(grid.source.row(number) or b"", row, self.book)
                if changed is None:
                    return None
                changed_values.update({(name, Cell(number, column)): value for column, value in changed.items()})
        return changed_values if len(changed_values) <= MAX_FED else None

    def _prepare_model(self, draft: Path, changes: dict[Place, Scalar] | None, *, load_it: bool) -> Model | str | None:
        """The model with the changes; loaded from the draft where there is none yet that can take them."""
        model, self.model = self.model, None
        assert self.index is not None, "made before"  # noqa: S101
        if model is not None and model.engine.is_usable() and changes is not None:
            graph = self.index.get_graph(self.book)
            if not any(graph.in_spill(place) for place in changes) and feed_changes(model, self.index, changes):
                self.model = model
        if self.model is None and load_it:
            if self.index.count() > MAX_FORMULAS:
                return f"the workbook has over {MAX_FORMULAS:,} formulas"
            loaded = load_model(draft, self.book, self.index)
            if isinstance(loaded, str):
                return loaded
            self.model = loaded
        return self.model

    def _collect_pending(self, touched: set[Place], *, everything: bool) -> set[Place]:
        """The formulas whose stored values must be renewed; the others keep what is in the file."""
        index = self.index
        assert index is not None, "made before"  # noqa: S101
        if self.book.recalculates_on_load and not self.settled:
            self.settled = True
            return set(index.places())
        roots = touched | index.fresh | index.clocks
        dependent_cells = roots | index.get_graph(self.book).list_dependents(roots) if roots else set()
        reached = {place for place in dependent_cells if index.get(place) is not None}
        if not everything:
            return reached
        self.settled = True
        self.kept = {place for place, formula in index.places().items() if formula.has_value} - reached
        return set(index.places())

    def _store_values(self, outcome: Outcome, pending_cells: set[Place]) -> Saved:
        result = Saved()
        index = self.index
        assert index is not None, "made before"  # noqa: S101
        info = {info.name: info for info in self.book.sheets}
        for place in sorted(pending_cells):
            sheet, cell = place
            formula = index.get(place)
            if formula is None:
                continue
            grid = self.grids.get(sheet) or self.grids.setdefault(sheet, Grid(self.book, info[sheet]))
            value = outcome.values.get(place)
            if place in outcome.unknown:
                result.unknown[place] = outcome.unknown[place]
                if place in self.kept:  # nothing that it reads has changed
                    result.unknown[place] += "; its stored value stays"
                    continue
            result.values[place] = value
            renewed = _renew_value(grid, cell, value)
            result.renewed += renewed
            if renewed and looks_like_error(value):
                result.broken.append(place)
            (index.fresh.add if value in (None, BLOCKED) else index.fresh.discard)(place)
            if formula.area is not None:
                _store_spill(grid, cell, formula, outcome, sheet)
        return result

    def remember(self, path: Path) -> None:
        """Keep what is known for the next call."""
        book, old = self.book, self.book.known
        for name, rows in self.rows.items():  # results that fill cells may have moved formulas' areas
            if self.index is not None and any(
                formula.area for number in rows for formula in self._list_row_formulas(name, number)
            ):
                for number in rows:
                    self.index.renew_row(name, number, self.grids[name].formulas_of(number))
        parts = {info.part for info in book.sheets}
        sources = {part: source for part, source in old.sources.items() if part in parts}
        after = {grid.info.part: grid.after for grid in self.grids.values()}
        for part in parts & book.package.list_changes():
            data = book.package.read(part)
            sources[part] = after[part] if part in after and after[part].data is data else Source(data, part)
        calculation = Calculation(self.index, self.model, self.settled)
        calculations.remember_calculation(version_of(path), Known(sources, old.strings), calculation, book.version)

    def _list_row_formulas(self, name: str, number: int) -> list[FormulaCell]:
        assert self.index is not None, "asked where there is one"  # noqa: S101
        return list(self.index.sheets.get(name, {}).get(number, {}).values())


def _check_version(book: Workbook, path: Path) -> None:
    if book.version is not None and path.exists() and version_of(path) != book.version:
        raise Problem(f"{path.name!r} was changed by another program in the meantime; nothing was saved. Try again")


def _refuse_malformed(outcome: Outcome, index: FormulaIndex, written: set[Place]) -> None:
    for place in sorted(written):
        formula = index.get(place)
        if formula is not None and outcome.unknown.get(place) == MALFORMED:
            raise Problem(
                f"the formula {format_formula(formula.text)!r} for {place[0]}!{place[1]} cannot be parsed; check its"
                " syntax. Nothing was saved"
            )


def _renew_value(grid: Grid, cell: Cell, value: Scalar) -> bool:
    """Store a value where the file has another; whether it had."""
    element = grid.find(cell)
    kind = element.get("t", "n") if element is not None else "n"
    text = element.findtext(_V) if element is not None else None
    grid_changed = grid.changed
    before = (kind, text)
    if element is not None and _is_same_value(kind, text, value):
        return False
    grid.set_result(cell, value, error=looks_like_error(value))
    grid.changed = grid_changed or before != ("n", None) or value is not None
    return True


_V = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}v"


def _is_same_value(kind: str, text: str | None, value: Scalar) -> bool:
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
        _renew_value(grid, other, outcome.values.get((sheet, other)))
    element = grid.find(cell)
    if area and area != formula.area and element is not None:
        element.find(_F).set("ref", str(area))
        grid.changed = True


_F = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}f"
