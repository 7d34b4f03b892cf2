"""Leaves about drop-down lists of a sheet."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.leaves.tables import Table
from yardkit.evaluators.readers.engines.calculation import compute_formula
from yardkit.evaluators.readers.files import require_file
from yardkit.evaluators.readers.office.workbooks import Grid, Validation, read_book
from yardkit.evaluators.readers.tables import read_sheets
from yardkit.evaluators.submission import Submission

_LAST_ROW = 20_000
Bounds = tuple[int, int, int, int]
"""Left, top, right and bottom, counted from 1."""


def check_drop_downs(
    id: str,
    statement: str,
    table: Table,
    expected: Callable[[Facts], Mapping[str, Sequence[str]]],
    *,
    of: tuple[Table, ...] = (),
    weight: float = 1.0,
) -> Checkpoint:
    """Each row of a table has, in some columns, a list that accepts exactly the expected items, in any form.

    `of` are the tables that the lists may refer to.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        grid, last = grid_of(submission, table), len(table.read_rows(submission)) + 1
        wrong = []
        for name, accepted in expected(facts).items():
            at = table.column(read_sheets(submission, table.path), name) + 1
            rules = [validation for validation in grid.validations if validation.kind == "list"]
            right = [rule for rule in rules if sorted(_list_items(submission, table, rule)) == sorted(accepted)]
            bare = set(range(2, last + 1)) - {
                row for validation in right for row in list_covered_rows(validation.cells, at)
            }
            wrong += [f"{len(bare)} rows below {name} have no list of the {len(accepted)} items"] if bare else []
        return make_finding(last > 1 and not wrong, "; ".join(wrong) or "the cells have their lists")

    covers = [target for observed in (table, *of) for target in observed.covers]
    return make_checkpoint(id, statement, check, covers=(*covers, table.build_target("validations")), weight=weight)


def grid_of(submission: Submission, table: Table) -> Grid:
    """Return the sheet of a table without its values.

    Raises:
        InvalidArtifact: there is no sheet with this name.
    """
    grid = read_book(submission, table.path).sheets.get(table.sheet)
    if grid is None:
        raise InvalidArtifact(f"{table.path} has no sheet {table.sheet!r}")
    return grid


def list_covered_rows(cells: str, column: int) -> Iterator[int]:
    """List the rows of a column that are in ranges such as ``A2:C9 E2:E9``."""
    for area in cells.split():
        bounds = bounds_of(area)
        if bounds and bounds[0] <= column <= bounds[2]:
            yield from range(bounds[1], min(bounds[3], _LAST_ROW) + 1)


def bounds_of(area: str) -> Bounds | None:
    """Parse the bounds of a range; None if it is not a range."""
    from openpyxl.utils import range_boundaries

    try:
        left, top, right, bottom = range_boundaries(area.replace("$", ""))
    except (ValueError, TypeError):
        return None
    # An .xlsx sheet has 1,048,576 rows, which a range of entire columns includes.
    return (left or 1, top or 1, right or left or 1, bottom or 1_048_576)


def _list_items(submission: Submission, table: Table, rule: Validation) -> list[str]:
    """List the items that a list accepts: its own, or the cells of a range, defined name or formula."""
    source = rule.formulas[0].lstrip("=")
    if source.startswith('"'):
        return [part.strip() for part in source.strip('"').split(",")]
    source = read_book(submission, table.path).names.get(source, source)
    sheets = read_sheets(submission, table.path)
    if "(" in source:  # such as OFFSET(Lists!$B$2,0,0,45,1)
        path = require_file(submission, table.path)
        joined = compute_formula(path, sheets, table.sheet, f'=TEXTJOIN("|",TRUE,{source})')
        return [part.strip() for part in str(joined).split("|")]
    name, _, area = source.rpartition("!")
    name, bounds = name.strip("'") or table.sheet, bounds_of(area)
    if bounds is None or name not in sheets:
        return []
    left, top, right, bottom = bounds
    rows = [row[left - 1 : right] for row in sheets[name].values[top - 1 : bottom]]
    return [str(cell).strip() for row in rows for cell in row if cell is not None]
