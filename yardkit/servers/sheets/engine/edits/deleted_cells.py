"""Cells deleted, so that those behind them close the gap: below them move up, or to their right move left."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from yardkit.servers.sheets.engine.cells.dependencies import distant_readers
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.ranges import areas_of
from yardkit.servers.sheets.engine.compute.saved_workbook import Saved
from yardkit.servers.sheets.engine.edits.session import Session
from yardkit.servers.sheets.engine.moves.inserted_lines import rewrite_formulas
from yardkit.servers.sheets.engine.moves.moved_cells import copy_cells, place_cell
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.notation.rewritten_formulas import Ref, Shift, rewrite_formula
from yardkit.servers.sheets.engine.objects.annotations import list_comments
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.servers.sheets.engine.pivots.pivot_reader import pivots_of
from yardkit.world import Problem

Direction = Literal["up", "left"]
_FOLLOWING = ("conditionalFormatting", "dataValidation", "hyperlink")
"""Elements that belong to cells and go where those go."""


@dataclass(frozen=True)
class Cut:
    """Cells of a sheet that go; what names cells of the same columns (moving left: rows) follows."""

    sheet: str
    area: Area
    direction: Direction

    @property
    def _shift(self) -> Shift:
        area = self.area
        if self.direction == "up":
            return Shift(self.sheet, rows=True, at=area.top, count=-area.rows)
        return Shift(self.sheet, rows=False, at=area.left, count=-area.columns)

    def get_band(self, end: Area) -> Area:
        """The deleted cells and those behind them, up to the `end` of what is used."""
        if self.direction == "up":
            return replace(self.area, bottom=max(self.area.bottom, end.bottom))
        return replace(self.area, right=max(self.area.right, end.right))

    def is_moving(self, area: Area) -> bool:
        """Whether all of `area` lies in the columns (rows) that move."""
        if self.direction == "up":
            return self.area.left <= area.left and area.right <= self.area.right
        return self.area.top <= area.top and area.bottom <= self.area.bottom

    def move_area(self, area: Area) -> Area | None:
        """Where `area` is afterwards; None when all of it went."""
        return self._shift.get_area(area) if self.is_moving(area) else area

    def formula(self, text: str, own: str) -> str:
        """A formula of the sheet `own` as it reads afterwards; what read only deleted cells is #REF!."""

        def change(ref: Ref) -> Ref | None:
            if (ref.sheet or own).casefold() != self.sheet.casefold():
                return ref
            area = self.move_area(ref.area)
            return None if area is None else replace(ref, area=area)

        return rewrite_formula(text, change)


def delete_cells(path: Path, sheet: str, area: str, direction: Direction, *, now: datetime) -> Saved:
    """Delete the cells of a range; those behind it move up or left with their formats, rules and links.

    Raises:
        Problem: no such sheet or range; merged cells, an array formula, a table, a pivot table or a comment is in the
            way. Then nothing is saved.
    """
    with tempfile.TemporaryDirectory() as folder:
        session = Session(path, Path(folder) / f"scratch{path.suffix}", now)
        grid = session.grid(sheet)
        deleted_area = area_of(area)
        used = grid.get_used_area()
        if used is None or not deleted_area.meets(used):
            raise Problem(f"{area!r} of {grid.info.name!r} is empty; the sheet uses {used or 'no cells'}")
        cut = Cut(grid.info.name, deleted_area, direction)
        _apply_cut(session, grid, cut, cut.get_band(used))
        return session.finish()


def _apply_cut(session: Session, grid: Grid, cut: Cut, band: Area) -> None:
    _check_band(grid, band)
    lifted = copy_cells(grid, band)
    for cell in lifted:
        place_cell(grid, cell, None)
    session.touched |= rewrite_formulas(session.book, session.grids, cut.formula)
    session.touched |= distant_readers(session.book, session.grids)
    for cell, element in lifted.items():
        target = cut.move_area(Area(*cell, *cell))
        if target is not None:
            place = Cell(target.top, target.left)
            place_cell(grid, place, element, lambda text: cut.formula(text, grid.info.name))
            session.mark_changed(grid, {place})
    session.mark_changed(grid, set(lifted))
    session.book.drop_calculation_chain()
    _carry_annotations(grid, cut)


def _check_band(grid: Grid, band: Area) -> None:
    """Refuse where something in the way could not move along whole."""
    obstacles = [f"the merged cells {merged}" for merged in grid.list_merged() if merged.meets(band)]
    obstacles += [f"the table {table.name!r}" for table in list_tables(grid.book, grid.info) if table.area.meets(band)]
    pivots = (pivot for pivot in pivots_of(grid.book, grid.info) if pivot.full_area.meets(band))
    obstacles += [f"the pivot table {pivot.info.name!r}" for pivot in pivots]
    obstacles += [
        f"a comment in {comment.cell}" for comment in list_comments(grid) if area_of(comment.cell).meets(band)
    ]
    if obstacles:
        raise Problem(
            f"{obstacles[0]} is in the cells that would be deleted or move ({band}); delete entire rows or "
            "columns instead, or remove it first"
        )


def _carry_annotations(grid: Grid, cut: Cut) -> None:
    """Rules, validations and links of the cells follow them; those of deleted cells only go."""
    for element in [candidate for name in _FOLLOWING for candidate in grid.root.iter(qualify_tag(name))]:
        name = "ref" if element.get("ref") else "sqref"
        areas = [moved for area in areas_of(element.get(name, "")) if (moved := cut.move_area(area)) is not None]
        parent = element.getparent()
        if areas:
            element.set(name, " ".join(map(str, areas)))
        else:
            parent.remove(element)
            if parent is not grid.root and not len(parent):
                grid.root.remove(parent)
            elif parent.get("count"):
                parent.set("count", str(len(parent)))
    grid.changed = True
