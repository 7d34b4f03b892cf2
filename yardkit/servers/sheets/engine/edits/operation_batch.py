"""Several operations on a workbook as one change: all of them or none."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.compute.saved_workbook import Saved
from yardkit.servers.sheets.engine.edits import range_operations, row_operations, text_operations
from yardkit.servers.sheets.engine.edits.cell_writer import list_changed_cells, put_rows
from yardkit.servers.sheets.engine.edits.goal_seek import seek_goal
from yardkit.servers.sheets.engine.edits.operation import Operation
from yardkit.servers.sheets.engine.edits.session import Session
from yardkit.servers.sheets.engine.moves.inserted_lines import shift_lines
from yardkit.servers.sheets.engine.notation.references import Area, Cell, cell_of
from yardkit.servers.sheets.engine.notation.rewritten_formulas import Shift, lines_of
from yardkit.world import Problem

Step = Callable[[Session, Operation], str]
MAX_LINES = 100_000


def edit_workbook(path: Path, operations: list[Operation], *, now: datetime) -> tuple[list[str], Saved]:
    """Apply `operations` in order and save once; what each did, and what recomputing found.

    Raises:
        Problem: one cannot be done; it says which, and nothing is saved.
    """
    with tempfile.TemporaryDirectory() as folder:
        session = Session(path, Path(folder) / f"scratch{path.suffix}", now)
        done = []
        for number, operation in enumerate(operations, start=1):
            try:
                done.append(_OPERATIONS[operation.op](session, operation))
            except Problem as problem:
                which = f"operation {number} ({operation.op}): " if len(operations) > 1 else ""
                raise Problem(
                    f"{which}{problem}".removesuffix(". Nothing was saved") + ". Nothing was saved"
                ) from problem
        return done, session.finish()


def _write_values(session: Session, operation: Operation) -> str:
    if not operation.values:
        raise Problem("the operation 'write' needs 'values', rows of values; give at least one")
    grid = session.grid(operation.sheet)
    (start,) = operation.require_fields("range")
    first = cell_of(start.partition(":")[0])
    written = put_rows(session.book, grid, first, operation.values, dates=True, number_format=None, keep_empty=False)
    touched = set(list_changed_cells(grid.info.name, first, operation.values, keep_empty=False))
    session.touched |= touched
    session.written |= written
    return f"wrote {len(touched)} cells at {grid.info.name}!{first}"


def _shift_lines(session: Session, operation: Operation) -> str:
    (text,) = operation.require_fields("range")
    rows, first, last = lines_of(text)
    word = "rows" if rows else "columns"
    if not operation.op.endswith(word):
        raise Problem(
            f"{text!r} refers to {word}, but the operation is {operation.op!r}; write rows as 5:7, columns as C:D"
        )
    grid = session.grid(operation.sheet)
    if last - first >= MAX_LINES:
        raise Problem(f"{last - first + 1:,} {word} are too many at once; the limit is {MAX_LINES:,}")
    inserting = operation.op.startswith("insert")
    change = Shift(grid.info.name, rows, first, (last - first + 1) * (1 if inserting else -1))
    session.mark_shifted(change, shift_lines(session.book, session.grids, change))
    if inserting and first > 1:
        _dress_lines(session.grid(operation.sheet), change)
    return f"{'inserted' if inserting else 'deleted'} {word} {text} of {grid.info.name}"


def _dress_lines(grid: Grid, change: Shift) -> None:
    """Give new rows the formats of the row above them, new columns those of the column to their left, as Excel does."""
    used = grid.get_used_area()
    if used is None:
        return
    line = change.at - 1
    there = Area(line, used.left, line, used.right) if change.rows else Area(used.top, line, used.bottom, line)
    styles = [(cell, element.get("s")) for cell, element in grid.iter_elements(there) if element.get("s", "0") != "0"]
    for step in range(1, change.count + 1) if len(styles) * change.count <= MAX_LINES else ():
        for cell, style in styles:
            new = Cell(cell.row + step, cell.column) if change.rows else Cell(cell.row, cell.column + step)
            grid.ensure(new).set("s", style)


def _recalculate_all(session: Session, _: Operation) -> str:
    session.everything = True
    return "recalculated all formulas"


_OPERATIONS: dict[str, Step] = {
    "write": _write_values,
    "insert_rows": _shift_lines,
    "insert_columns": _shift_lines,
    "delete_rows": _shift_lines,
    "delete_columns": _shift_lines,
    "recalculate": _recalculate_all,
    "clear": range_operations.clear_range,
    "move": range_operations.move_range,
    "copy": range_operations.copy_range,
    "transpose": range_operations.transpose_range,
    "fill": range_operations.fill_range,
    "sort": row_operations.sort_rows,
    "filter": row_operations.filter_rows,
    "deduplicate": row_operations.deduplicate_rows,
    "replace": text_operations.replace_text,
    "split": text_operations.split_text,
    "convert": text_operations.convert_text,
    "seek_goal": seek_goal,
}
