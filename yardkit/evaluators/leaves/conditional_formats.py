"""Leaves about conditional formats: a rule is tried with the check's own values, so any way of writing it works."""

import datetime
import re
from collections.abc import Mapping, Sequence

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.leaves.drop_downs import bounds_of, grid_of, list_covered_rows
from yardkit.evaluators.leaves.tables import Sheets, Table
from yardkit.evaluators.readers.engines.calculation import compute_formula_over
from yardkit.evaluators.readers.engines.formula_tokens import move_formula
from yardkit.evaluators.readers.office.workbooks import Rule
from yardkit.evaluators.readers.tables import read_sheets
from yardkit.evaluators.submission import Submission

Sample = tuple[float, float, bool]
"""A value, its limit, and whether the value is to be coloured."""
BELOW: Sequence[Sample] = ((4.0, 5.0, True), (5.0, 5.0, False), (6.0, 5.0, False), (0.0, 5.0, True), (4.999, 5.0, True))
ABOVE: Sequence[Sample] = tuple((limit, value, expected_color) for value, limit, expected_color in BELOW)
"""For values that are to stand out above their limit."""
_EQUAL: Sequence[Sample] = ((5.0, 5.0, True), (6.0, 5.0, False))
"""What a second rule says that colours the limit itself, and must not be there."""
_OPERATOR_SIGNS = {"lessThan": "<", "lessThanOrEqual": "<=", "greaterThan": ">", "greaterThanOrEqual": ">="}


def check_coloring(
    id: str,
    statement: str,
    table: Table,
    value: str,
    limit: str,
    samples: Sequence[Sample] = BELOW,
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """A conditional format colours the cells of the column `value`, or their rows, exactly where `samples` say so.

    The rule must cover every true row, depend on its own row and work for any value that is typed in. A colour that
    cannot be seen fails, as does another rule that colours the limit itself.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        sheets, rules = read_sheets(submission, table.path), grid_of(submission, table).rules
        seen = [rule for rule in rules if rule.fill not in ("", "FFFFFF") or rule.color not in ("", "000000")]
        trial = _Trial(table, sheets, table.column(sheets, value) + 1, table.column(sheets, limit) + 1)
        working = [rule for rule in seen if trial.matches_samples(rule, samples)]
        loose = [rule.cells for rule in seen if trial.matches_samples(rule, _EQUAL)]
        reached = {row for rule in working for row in list_covered_rows(rule.cells, trial.value)}
        bare = set(range(2, len(list(table.truth(facts))) + 2)) - reached
        rule_texts = "; ".join(f"{rule.cells} {rule.kind} {rule.operator} {rule.formulas}" for rule in rules[:4])
        evidence = f"{len(working)} of {len(rules)} rules colour just what is wanted; {len(bare)} cells have none"
        return make_finding(not bare and not loose, f"{evidence}; rules that colour the limit: {loose}; {rule_texts}")

    return make_checkpoint(id, statement, check, covers=(*table.covers, table.build_target("rules")), weight=weight)


class _Trial:
    """A table in which two rows get the values of samples; `value` and `limit` are columns from 1."""

    def __init__(self, table: Table, sheets: Sheets, value: int, limit: int) -> None:
        self.rows = table.grid(sheets).values
        self.key = table.column(sheets, table.key[0])
        self.value, self.limit = value, limit

    def matches_samples(self, rule: Rule, samples: Sequence[Sample]) -> bool:
        """Whether a rule holds exactly where the samples say so, in two rows with different keys."""
        bounds = bounds_of(rule.cells.split()[0]) if rule.cells else None
        if bounds is None or len(rule.formulas) != 1 or rule.kind not in ("cellIs", "expression"):
            return False
        pair = self._find_pair(max(bounds[1], 2))
        for sample in samples:
            other = next(entry for entry in samples if entry[2] is not sample[2])
            for row, neighbour in (pair, pair[::-1]):
                cells = {
                    **self._list_given_cells(pair),
                    **self._make_typed_cells(row, sample),
                    **self._make_typed_cells(neighbour, other),
                }
                if self._evaluate_rule(rule, bounds[0], bounds[1], row, cells) is not sample[2]:
                    return False
        return True

    def _find_pair(self, top: int) -> tuple[int, int]:
        """Find a row from `top` on and one some rows below it with another key, counted from 1."""
        first = self.rows[top - 1][self.key] if top <= len(self.rows) else None
        others = (row for row in range(top + 7, len(self.rows) + 1) if self.rows[row - 1][self.key] != first)
        return top, next(others, top + 7)

    def _list_given_cells(self, pair: Sequence[int]) -> dict[tuple[int, int], float | str]:
        """List the contents of some rows, as texts and numbers."""
        from openpyxl.utils.datetime import to_excel

        cells: dict[tuple[int, int], float | str] = {}
        for row in pair:
            for column, value in enumerate(self.rows[row - 1] if row <= len(self.rows) else [], 1):
                if isinstance(value, datetime.date):
                    cells[row, column] = float(to_excel(value))
                elif value is not None:
                    cells[row, column] = value if isinstance(value, int | float) else f"'{value}"
        return cells

    def _make_typed_cells(self, row: int, sample: Sample) -> dict[tuple[int, int], float | str]:
        return {(row, self.value): sample[0], (row, self.limit): sample[1]}

    def _evaluate_rule(
        self, rule: Rule, left: int, top: int, row: int, cells: Mapping[tuple[int, int], float | str]
    ) -> bool | None:
        """Evaluate a rule for the value in `row`; None if it cannot be computed from these cells."""
        from openpyxl.utils import get_column_letter

        at = f"{get_column_letter(self.value)}{row}"
        formula = move_formula(f"={rule.formulas[0].lstrip('=')}", f"{get_column_letter(left)}{top}", at)
        if rule.kind == "cellIs":
            if rule.operator not in _OPERATOR_SIGNS:
                return None
            formula = f"={at}{_OPERATOR_SIGNS[rule.operator]}({formula[1:]})"
        if re.search(r"[!\[\]]", formula):
            return None
        result = compute_formula_over(cells, formula, (row, self.value))
        return bool(result) if isinstance(result, bool | int | float) else None
