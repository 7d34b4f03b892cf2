"""A workbook while several operations change it."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

from yardkit.servers.sheets.engine.cells.cell_reader import named_area, resolve_area
from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.compute.saved_workbook import Saved, save_workbook
from yardkit.servers.sheets.engine.notation.references import Area, Cell
from yardkit.servers.sheets.engine.notation.rewritten_formulas import Shift
from yardkit.servers.sheets.engine.package.file_cache import version_of
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.world import Problem, save_atomically

MAX_CELLS = 500_000


class Session:
    """What was changed so far. Values of formulas are up to date after `settle`, which saves to a scratch file."""

    def __init__(self, path: Path, scratch: Path, now: datetime) -> None:
        self.path, self.scratch, self.now = path, scratch, now
        self.book = Workbook.open(path)
        self.version = self.book.version
        self.grids: dict[str, Grid] = {}
        self.touched: set[Place] = set()
        self.written: set[Place] = set()
        self.everything = False
        self._settled = False

    def grid(self, sheet: str | None) -> Grid:
        info = self.book.sheet(sheet)
        if info.name not in self.grids:
            self.grids[info.name] = Grid(self.book, info)
        return self.grids[info.name]

    def find_area(self, sheet: str | None, text: str) -> tuple[Grid, Area]:
        """The sheet and area of a range, a table's or a defined name.

        Raises:
            Problem: there is no such range, or it is too large.
        """
        sheet, named = named_area(self.book, sheet, text)
        grid = self.grid(sheet)
        area = resolve_area(grid, named)
        if area is None:
            raise Problem(f"{text!r} of {grid.info.name!r} is empty; use inspect_workbook to see the used ranges")
        if area.size > MAX_CELLS:
            raise Problem(f"{text!r} has {area.size:,} cells; change at most {MAX_CELLS:,} at once")
        return grid, area

    def mark_changed(self, grid: Grid, cells: set[Cell]) -> None:
        """Note that cells of a sheet changed."""
        self.touched |= {(grid.info.name, cell) for cell in cells}

    def mark_shifted(self, change: Shift, touched: set[Place]) -> None:
        """Note that rows or columns came or went."""

        def moved(places: set[Place]) -> set[Place]:
            moved_cells = set()
            for sheet, cell in places:
                line = change.line(cell.row if change.rows else cell.column)
                if sheet != change.sheet:
                    moved_cells.add((sheet, cell))
                elif line is not None:
                    moved_cells.add((sheet, Cell(line, cell.column) if change.rows else Cell(cell.row, line)))
            return moved_cells

        self.touched = moved(self.touched) | touched
        self.written = moved(self.written)

    def settle(self) -> None:
        """Compute the formulas that the changes so far reach, for operations that look at values."""
        if not self.touched and not self.everything:
            return
        parts = [info.part for info in self.book.sheets if info.kind == "worksheet"]
        if not any(b"<f" in self.book.get_source(part).data for part in parts) and not self.written:
            return
        self._save_to(self.scratch)
        self._settled = True
        self.book = Workbook.open(self.scratch)
        self.grids, self.touched, self.written, self.everything = {}, set(), set(), False

    def finish(self) -> Saved:
        """Save what was changed in the place of the file."""
        if not self._settled:
            return self._save_to(self.path)
        saved = self._save_to(self.scratch)
        with save_atomically(self.path) as draft:
            if version_of(self.path) != self.version:
                raise Problem(f"{self.path.name!r} was changed by another program in the meantime; try again")
            shutil.copyfile(self.scratch, draft)
        return saved

    def _save_to(self, path: Path) -> Saved:
        return save_workbook(
            self.book,
            self.grids,
            path,
            touched=self.touched,
            written=self.written,
            now=self.now,
            everything=self.everything,
        )
