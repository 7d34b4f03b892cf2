"""Operations on ranges of cells: clear, move, copy, transpose, fill."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.edits.cell_writer import put_cell, release_cells
from yardkit.servers.sheets.engine.edits.fill_series import continue_series
from yardkit.servers.sheets.engine.edits.operation import Operation
from yardkit.servers.sheets.engine.edits.session import Session
from yardkit.servers.sheets.engine.moves.inserted_lines import rewrite_formulas
from yardkit.servers.sheets.engine.moves.moved_cells import (
    CellCopies,
    check_no_arrays,
    copy_cells,
    moved_by,
    place_cell,
    without_formula,
)
from yardkit.servers.sheets.engine.moves.rule_areas import change_rule_areas
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, Cell, Moved, cell_of
from yardkit.servers.sheets.engine.notation.rewritten_formulas import Move
from yardkit.servers.sheets.engine.objects.annotations import carry_annotations, list_comments
from yardkit.servers.sheets.engine.objects.hyperlinks import list_links
from yardkit.world import Problem


def clear_range(session: Session, operation: Operation) -> str:
    """Empty a range; how "formats" takes only formats, "all" both."""
    (text,) = operation.require_fields("range")
    grid, area = session.find_area(operation.sheet, text)
    cells = [cell for cell, _ in grid.iter_elements(area)]
    if operation.how != "formats":
        release_cells(session.book, grid, cells)
    for cell in cells:
        element = grid.find(cell)
        if element is None:
            continue
        if operation.how != "formats":
            grid.clear(element)
        if operation.how in ("formats", "all"):
            element.attrib.pop("s", None)
            grid.changed = True
    session.mark_changed(grid, set(cells))
    return f"cleared {grid.info.name}!{area}"


def _resolve_target(session: Session, operation: Operation, grid: Grid, rows: int, columns: int) -> tuple[Grid, Area]:
    (to,) = operation.require_fields("to")
    other = session.grid(operation.to_sheet or grid.info.name)
    first = cell_of(to.partition(":")[0])
    area = Area(first.row, first.column, first.row + rows - 1, first.column + columns - 1)
    if area.bottom > MAX_ROW or area.right > MAX_COLUMN:
        raise Problem(f"the cells would reach {Cell(area.bottom, area.right)}, beyond the sheet's end at XFD1048576")
    _check_merged(other, area)
    check_no_arrays(other, area)
    return other, area


def _check_merged(grid: Grid, area: Area) -> None:
    for merged in grid.list_merged():
        if merged.meets(area):
            raise Problem(f"the merged cells {merged} are in {grid.info.name}!{area}; unmerge them first")


def move_range(session: Session, operation: Operation) -> str:
    """Move a range with formats; formulas that read it follow."""
    (text,) = operation.require_fields("range")
    grid, area = session.find_area(operation.sheet, text)
    other, target = _resolve_target(session, operation, grid, area.rows, area.columns)
    _check_merged(grid, area)
    down, right = target.top - area.top, target.left - area.left
    change = Move(grid.info.name, area, other.info.name, down, right)
    lifted = copy_cells(grid, area)
    for cell in lifted:
        place_cell(grid, cell, None)
    touched = rewrite_formulas(session.book, session.grids, change.formula)
    _put_all(other, target, lifted, down, right, change.carry_formula)
    left = _carry_along(grid, other, Moved(area, target))
    session.touched |= touched
    session.mark_changed(grid, set(lifted))
    session.mark_changed(other, set(target.cells()) if target.size < 1_000_000 else set())
    session.book.drop_calculation_chain()
    return f"moved {grid.info.name}!{area} to {other.info.name}!{target}{left}"


def _carry_along(grid: Grid, other: Grid, moved: Moved) -> str:
    """Take notes, comments and links along within a sheet, and rules wholly in the moved area; what stays, in words."""
    if other is not grid:
        known = [*(info.cell for info in list_comments(grid)), *(info.cell for info in list_links(grid))]
        stay = [cell for cell in known if cell_of(cell.partition(":")[0]) in moved.area]
        return f"; notes, comments and links stay at {grid.info.name}!{', '.join(stay[:10])}" if stay else ""
    carry_annotations(grid, moved)

    def along(areas: list[Area]) -> list[Area]:
        inside = all(area.meets(moved.area) and area.clip(moved.area) == area for area in areas)
        return [moved.shift(area) for area in areas] if inside else areas

    change_rule_areas(grid, along)
    return ""


def copy_range(session: Session, operation: Operation) -> str:
    """Copy a range; relative references move along. how: "values" without formulas, "formats" only the look."""
    (text,) = operation.require_fields("range")
    if operation.how == "values":
        session.settle()
    grid, area = session.find_area(operation.sheet, text)
    other, target = _resolve_target(session, operation, grid, area.rows, area.columns)
    down, right = target.top - area.top, target.left - area.left
    lifted = copy_cells(grid, area)
    if operation.how == "formats":
        for cell in target.cells():
            source = lifted.get(Cell(cell.row - down, cell.column - right))
            other.ensure(cell).set("s", "0" if source is None else source.get("s", "0"))
        return f"copied formats of {grid.info.name}!{area} to {other.info.name}!{target}"
    if operation.how == "values":
        lifted = {cell: without_formula(element) for cell, element in lifted.items()}
    release_cells(session.book, other, list(target.cells()))
    _put_all(other, target, lifted, down, right, moved_by(down, right))
    session.mark_changed(other, set(target.cells()))
    return f"copied {grid.info.name}!{area} to {other.info.name}!{target}"


def _put_all(grid: Grid, target: Area, lifted: CellCopies, down: int, right: int, formula: Any) -> None:
    for cell in target.cells():
        place_cell(grid, cell, lifted.get(Cell(cell.row - down, cell.column - right)), formula)


def transpose_range(session: Session, operation: Operation) -> str:
    """Write the values of a range with rows as columns."""
    (text,) = operation.require_fields("range")
    session.settle()
    grid, area = session.find_area(operation.sheet, text)
    other, target = _resolve_target(session, operation, grid, area.columns, area.rows)
    lifted = copy_cells(grid, area)
    release_cells(session.book, other, list(target.cells()))
    for cell in target.cells():
        source = lifted.get(Cell(area.top + cell.column - target.left, area.left + cell.row - target.top))
        place_cell(other, cell, None if source is None else without_formula(source))
    session.mark_changed(other, set(target.cells()))
    return f"transposed {grid.info.name}!{area} to {other.info.name}!{target} (values)"


def fill_range(session: Session, operation: Operation) -> str:
    """Let the first row (how "right": the first column) of a range go on over the rest; "series" counts on from it."""
    (text,) = operation.require_fields("range")
    if operation.how == "series":
        session.settle()
    grid, area = session.find_area(operation.sheet, text)
    across = operation.how == "right" or (operation.how == "series" and area.rows == 1)
    check_no_arrays(grid, area)
    release_cells(session.book, grid, list(area.cells()))
    step = (0, 1) if across else (1, 0)
    lines = range(area.top, area.bottom + 1) if across else range(area.left, area.right + 1)
    for line in lines:
        first = Cell(line, area.left) if across else Cell(area.top, line)
        length = area.columns if across else area.rows
        if operation.how == "series":
            _fill_series(session, grid, first, step, length)
        else:
            _repeat_cell(grid, first, step, length)
    session.mark_changed(grid, set(area.cells()))
    return f"filled {grid.info.name}!{area}"


def _repeat_cell(grid: Grid, first: Cell, step: tuple[int, int], length: int) -> None:
    source = copy_cells(grid, Area(*first, *first)).get(first)
    for index in range(1, length):
        down, right = step[0] * index, step[1] * index
        place_cell(grid, Cell(first.row + down, first.column + right), source, moved_by(down, right))


def _fill_series(session: Session, grid: Grid, first: Cell, step: tuple[int, int], length: int) -> None:
    cells = [Cell(first.row + step[0] * index, first.column + step[1] * index) for index in range(length)]
    contents = dict(grid.contents(Area(*first, *cells[-1])))
    if first not in contents or contents[first].formula is not None:
        _repeat_cell(grid, first, step, length)
        return
    filled = [contents[cell].value for cell in takewhile(contents.__contains__, cells)]
    at = continue_series(filled if len(filled) < length else filled[:2])
    style = grid.find(first)
    for index, cell in enumerate(cells[1:], start=1):
        if style is not None and style.get("s"):
            grid.ensure(cell).set("s", style.get("s"))
        put_cell(session.book, grid, cell, at(index), dates=True, number_format=None)
