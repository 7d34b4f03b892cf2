"""Leaves about live formulas: inputs are changed, the workbook is recomputed, and the results must follow."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.leaves.tables import Line, Place, Row, Sheets, Table, Truth
from yardkit.evaluators.readers.engines.workbook_files import is_formula
from yardkit.evaluators.readers.tables import read_sheets, recompute_sheets
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import format_count


@dataclass
class Trial:
    """Changes of cells in a delivered workbook, and the rows that its tables must then have."""

    changes: dict[Place, float | str] = field(default_factory=dict)
    expected: list[tuple[Table, list[Row]]] = field(default_factory=list)

    def change_cell(self, line: Line, column: str, content: float | str) -> None:
        """Type something into a cell; a text of digits stays a text."""
        digits = isinstance(content, str) and content[:1].isdigit()
        self.changes[line.place(column)] = f"'{content}" if digits else content

    def expect_rows(self, table: Table, rows: Iterable[Row]) -> None:
        """Add expected rows; columns that a row leaves out are not checked."""
        self.expected.append((table, list(rows)))


MakeTrial = Callable[[Sheets, Facts], Trial]


def make_change_trial(cells: Mapping[str, float | str], table: Table, truth: Truth) -> MakeTrial:
    """Make a trial that changes some cells such as ``Rates!B2`` and expects other rows in a table."""
    from openpyxl.utils.cell import coordinate_to_tuple

    def make(_sheets: Sheets, facts: Facts) -> Trial:
        trial = Trial()
        for address, content in cells.items():
            sheet, _, cell = address.rpartition("!")
            row, column = coordinate_to_tuple(cell)
            trial.changes[sheet, row - 1, column - 1] = content
        trial.expect_rows(table, truth(facts))
        return trial

    return make


def check_live_formulas(
    id: str,
    statement: str,
    trial: MakeTrial,
    *,
    follows: tuple[Table, ...],
    of: tuple[Table, ...] = (),
    least: Callable[[Facts], int] = lambda _facts: 1,
    weight: float = 1.0,
) -> Checkpoint:
    """After the changes of a trial the tables have the expected rows.

    `follows` are the tables that must follow, `of` those that they are computed from, all in one workbook. A trial with
    fewer than `least` changes fails, because the workbook lacks the cells to change.
    """
    path = follows[0].path

    def check(submission: Submission, facts: Facts) -> Finding:
        tried = trial(read_sheets(submission, path), facts)
        after = recompute_sheets(submission, path, tried.changes)
        wrong = [
            name for table, rows in tried.expected for name in table.list_differences(table.list_rows(after), rows)
        ]
        enough = len(tried.changes) >= least(facts)
        evidence = f"after {len(tried.changes)} of at least {least(facts)} changes: "
        return make_finding(enough and not wrong, evidence + ("; ".join(wrong[:4]) or "everything follows"))

    covers = [target for table in (*of, *follows) for target in table.covers]
    covers += [f"{table.build_target('formulas')}!*" for table in follows]
    return make_checkpoint(id, statement, check, covers=tuple(dict.fromkeys(covers)), weight=weight)


def check_formulas(
    id: str,
    statement: str,
    table: Table,
    *columns: str,
    weight: float = 1.0,
) -> Checkpoint:
    """The cells of some columns are formulas, in each non-empty row of the table."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        sheets = read_sheets(submission, table.path)
        written = table.grid(sheets).formulas
        filled = [
            line for line in table.list_lines(sheets) if any(_has_content(value) for value in line.values.values())
        ]
        cells = {f"{column} in row {line.number + 1}": line.place(column) for line in filled for column in columns}
        typed = [name for name, (_, row, column) in cells.items() if not is_formula(written[row][column])]
        return make_finding(
            bool(cells) and not typed, f"{format_count(len(cells), 'cell')}; typed in: {', '.join(typed[:6]) or 'none'}"
        )

    return make_checkpoint(
        id, statement, check, covers=(*table.covers, f"{table.build_target('formulas')}!*"), weight=weight
    )


def _has_content(value: Any) -> bool:
    return value is not None and str(value).strip() != ""
