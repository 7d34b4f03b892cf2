"""Every real change has its row, with both values; no cosmetic one has."""

import re
from collections.abc import Mapping
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import read_number, simplify_text
from yardkit.evaluators.readers.tables import find_records, read_sheets
from yardkit.evaluators.submission import Submission

BOOK = "real_changes.xlsx"
SHEET = "Changes"
COLUMNS = ["Old clause", "New clause", "Kind", "Old", "New", "Announced"]
Row = dict[str, Any]


def _read_rows(submission: Submission) -> list[Row]:
    sheets = read_sheets(submission, BOOK)
    if SHEET not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet {SHEET!r}, only {', '.join(sheets)}")
    return find_records(sheets[SHEET].values, COLUMNS, SHEET)


def _to_text(value: Any) -> str:
    return "" if value is None else simplify_text(str(value))


def _normalize_value(value: Any) -> str:
    """A value for comparison: white space before a percent sign and a last ``.00`` do not matter."""
    return re.sub(r"(?<=\d)\.00\b", "", _to_text(value)).replace(" %", "%")


def _matches_change(row: Row, change: Mapping[str, str]) -> bool:
    """Whether a row tells of a change: the same clauses and the same values."""
    clauses = (_to_text(row["Old clause"]), _to_text(row["New clause"]))
    values = (_normalize_value(row["Old"]), _normalize_value(row["New"]))
    expected_clauses = (_to_text(change["old_clause"]), _to_text(change["new_clause"]))
    return clauses == expected_clauses and values == (_normalize_value(change["old"]), _normalize_value(change["new"]))


def _check_changes(submission: Submission, facts: Facts, *kinds: str) -> Finding:
    """Each change of some kinds has one row."""
    rows = _read_rows(submission)
    expected_changes = [change for change in facts["changes"] if change["kind"] in kinds]
    missing = [change for change in expected_changes if sum(_matches_change(row, change) for row in rows) != 1]
    change_texts = ["{old_clause} -> {new_clause}: {old} -> {new}".format_map(change)[:90] for change in missing]
    return make_finding(
        not missing, f"{len(missing)} of {len(expected_changes)} changes are not there once: {change_texts[:5]}"
    )


def _check_amounts(submission: Submission, facts: Facts) -> Finding:
    return _check_changes(submission, facts, "amount")


def _check_figures(submission: Submission, facts: Facts) -> Finding:
    return _check_changes(submission, facts, "period", "percentage", "date")


def _check_duties(submission: Submission, facts: Facts) -> Finding:
    return _check_changes(submission, facts, "duty", "party")


def _check_references(submission: Submission, facts: Facts) -> Finding:
    return _check_changes(submission, facts, "reference")


def _check_clauses(submission: Submission, facts: Facts) -> Finding:
    return _check_changes(submission, facts, "added", "removed")


def _nothing_else(submission: Submission, facts: Facts) -> Finding:
    rows = _read_rows(submission)
    unexpected = [row for row in rows if not any(_matches_change(row, change) for change in facts["changes"])]
    row_texts = [" | ".join(str(row[name]) for name in COLUMNS[:5])[:90] for row in unexpected]
    enough = len(rows) <= len(facts["changes"])
    return make_finding(
        bool(rows) and not unexpected and enough,
        f"{len(rows)} rows, {len(unexpected)} of no real change: {row_texts[:5]}",
    )


def _match_rows(submission: Submission, facts: Facts) -> list[tuple[Row, dict[str, str]]]:
    """The rows with the changes that they tell of: most changes must be there, or there is nothing to look at."""
    pairs = [
        (row, change) for row in _read_rows(submission) for change in facts["changes"] if _matches_change(row, change)
    ]
    if len({id(change) for _, change in pairs}) < 0.7 * len(facts["changes"]):
        raise InvalidArtifact(f"only {len(pairs)} of {len(facts['changes'])} changes have a row")
    return pairs


def _check_column(submission: Submission, facts: Facts, column: str, key: str) -> Finding:
    wrong = [
        f"{row['Old clause']} -> {row['New clause']}: {row[column]}"
        for row, record in _match_rows(submission, facts)
        if _to_text(row[column]) != record[key]
    ]
    return make_finding(not wrong, f"other {column} in {wrong[:5]}")


def _check_kinds(submission: Submission, facts: Facts) -> Finding:
    return _check_column(submission, facts, "Kind", "kind")


def _check_announced(submission: Submission, facts: Facts) -> Finding:
    return _check_column(submission, facts, "Announced", "announced")


def _check_order(submission: Submission, facts: Facts) -> Finding:
    """As in the new version; changes of one clause in any order."""
    places = [change["new_clause"] for change in facts["changes"]]
    clause_positions = [places.index(record["new_clause"]) for _, record in _match_rows(submission, facts)]
    return make_finding(clause_positions == sorted(clause_positions), f"the rows are in the order {clause_positions}")


def _laid_out(submission: Submission, _facts: Facts) -> Finding:
    sheets = read_sheets(submission, BOOK)
    first = [_to_text(cell) for cell in (sheets[SHEET].values or [[]])[0]] if SHEET in sheets else []
    return make_finding(
        first[: len(COLUMNS)] == [simplify_text(column) for column in COLUMNS], f"row 1 of {SHEET} holds {first}"
    )


def _check_answer(submission: Submission, facts: Facts) -> Finding:
    silent = sum(change["announced"] == "no" for change in facts["changes"])
    return make_finding(read_number(submission.answer) == silent, f"expected {silent}")


CELLS: tuple[str, ...] = (f"cells:{BOOK}#{SHEET}!*", f"rows:{BOOK}#{SHEET}")
TABLE = (*CELLS, f"sheet:{BOOK}*")

CHECKS = make_group(
    "revised_terms",
    "The real changes are listed",
    make_group(
        "found",
        "Each real change has its row with both values",
        make_checkpoint(
            "amounts", "Every changed amount is there, that of the annex too", _check_amounts, covers=TABLE, weight=2
        ),
        make_checkpoint(
            "figures", "Every changed period, percentage and date is there", _check_figures, covers=TABLE, weight=2
        ),
        make_checkpoint("duties", "Every changed duty and party is there", _check_duties, covers=TABLE, weight=2),
        make_checkpoint("references", "The reference to another clause is there", _check_references, covers=TABLE),
        make_checkpoint(
            "clauses", "The clause that came and the one that went are there", _check_clauses, covers=TABLE
        ),
        weight=5,
    ),
    make_checkpoint("nothing_else", "No cosmetic change is listed", _nothing_else, covers=TABLE, weight=3),
    make_group(
        "told",
        "The rows say what they should",
        make_checkpoint("kinds", "Each row names the kind", _check_kinds, covers=TABLE),
        make_checkpoint(
            "announced", "Each row says whether it was announced", _check_announced, covers=TABLE, weight=2
        ),
        make_checkpoint(
            "order", "The rows are in the order of the new version", _check_order, covers=TABLE, kind="format"
        ),
        make_checkpoint("laid_out", "Sheet and headers are as asked", _laid_out, covers=TABLE, kind="format"),
        weight=2,
    ),
    make_checkpoint(
        "answer", "The answer counts the changes that were not announced", _check_answer, covers=("answer",)
    ),
    leaves.nothing_else(BOOK, id="others", statement="No other file was touched"),
)
