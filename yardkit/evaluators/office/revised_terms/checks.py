"""Every real change has its row, with both values; no cosmetic one has."""

import re
from collections.abc import Mapping
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.readers.answers import fold, read_number
from yardkit.evaluators.readers.tables import find_records, read_sheets
from yardkit.evaluators.submission import Submission

BOOK = "real_changes.xlsx"
SHEET = "Changes"
COLUMNS = ["Old clause", "New clause", "Kind", "Old", "New", "Announced"]
Row = dict[str, Any]


def _rows(submission: Submission) -> list[Row]:
    sheets = read_sheets(submission, BOOK)
    if SHEET not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet {SHEET!r}, only {', '.join(sheets)}")
    return find_records(sheets[SHEET].values, COLUMNS, SHEET)


def _text(value: Any) -> str:
    return "" if value is None else fold(str(value))


def _value(value: Any) -> str:
    """A value for comparison: white space before a percent sign and a last ``.00`` do not matter."""
    return re.sub(r"(?<=\d)\.00\b", "", _text(value)).replace(" %", "%")


def _same(row: Row, change: Mapping[str, str]) -> bool:
    """Whether a row tells of a change: the same clauses and the same values."""
    clauses = (_text(row["Old clause"]), _text(row["New clause"]))
    values = (_value(row["Old"]), _value(row["New"]))
    wanted = (_text(change["old_clause"]), _text(change["new_clause"]))
    return clauses == wanted and values == (_value(change["old"]), _value(change["new"]))


def _found(submission: Submission, facts: Facts, *kinds: str) -> Finding:
    """Each change of some kinds has one row."""
    rows = _rows(submission)
    wanted = [change for change in facts["changes"] if change["kind"] in kinds]
    missing = [change for change in wanted if sum(_same(row, change) for row in rows) != 1]
    told = ["{old_clause} -> {new_clause}: {old} -> {new}".format_map(change)[:90] for change in missing]
    return finding(not missing, f"{len(missing)} of {len(wanted)} changes are not there once: {told[:5]}")


def _amounts(submission: Submission, facts: Facts) -> Finding:
    return _found(submission, facts, "amount")


def _figures(submission: Submission, facts: Facts) -> Finding:
    return _found(submission, facts, "period", "percentage", "date")


def _duties(submission: Submission, facts: Facts) -> Finding:
    return _found(submission, facts, "duty", "party")


def _references(submission: Submission, facts: Facts) -> Finding:
    return _found(submission, facts, "reference")


def _clauses(submission: Submission, facts: Facts) -> Finding:
    return _found(submission, facts, "added", "removed")


def _nothing_else(submission: Submission, facts: Facts) -> Finding:
    rows = _rows(submission)
    odd = [row for row in rows if not any(_same(row, change) for change in facts["changes"])]
    told = [" | ".join(str(row[name]) for name in COLUMNS[:5])[:90] for row in odd]
    enough = len(rows) <= len(facts["changes"])
    return finding(bool(rows) and not odd and enough, f"{len(rows)} rows, {len(odd)} of no real change: {told[:5]}")


def _matched(submission: Submission, facts: Facts) -> list[tuple[Row, dict[str, str]]]:
    """The rows with the changes that they tell of: most changes must be there, or there is nothing to look at."""
    pairs = [(row, change) for row in _rows(submission) for change in facts["changes"] if _same(row, change)]
    if len({id(change) for _, change in pairs}) < 0.7 * len(facts["changes"]):
        raise InvalidArtifact(f"only {len(pairs)} of {len(facts['changes'])} changes have a row")
    return pairs


def _column(submission: Submission, facts: Facts, column: str, key: str) -> Finding:
    wrong = [
        f"{row['Old clause']} -> {row['New clause']}: {row[column]}"
        for row, record in _matched(submission, facts)
        if _text(row[column]) != record[key]
    ]
    return finding(not wrong, f"other {column} in {wrong[:5]}")


def _kinds(submission: Submission, facts: Facts) -> Finding:
    return _column(submission, facts, "Kind", "kind")


def _announced(submission: Submission, facts: Facts) -> Finding:
    return _column(submission, facts, "Announced", "announced")


def _order(submission: Submission, facts: Facts) -> Finding:
    """As in the new version; changes of one clause in any order."""
    places = [change["new_clause"] for change in facts["changes"]]
    found = [places.index(record["new_clause"]) for _, record in _matched(submission, facts)]
    return finding(found == sorted(found), f"the rows are in the order {found}")


def _laid_out(submission: Submission, _facts: Facts) -> Finding:
    sheets = read_sheets(submission, BOOK)
    first = [_text(cell) for cell in (sheets[SHEET].values or [[]])[0]] if SHEET in sheets else []
    return finding(first[: len(COLUMNS)] == [fold(column) for column in COLUMNS], f"row 1 of {SHEET} holds {first}")


def _answer(submission: Submission, facts: Facts) -> Finding:
    silent = sum(change["announced"] == "no" for change in facts["changes"])
    return finding(read_number(submission.answer) == silent, f"expected {silent}")


CELLS: tuple[str, ...] = (f"cells:{BOOK}#{SHEET}!*", f"rows:{BOOK}#{SHEET}")
TABLE = (*CELLS, f"sheet:{BOOK}*")

CHECKS = group(
    "revised_terms",
    "The real changes are listed",
    group(
        "found",
        "Each real change has its row with both values",
        leaf("amounts", "Every changed amount is there, that of the annex too", _amounts, observes=TABLE, weight=2),
        leaf("figures", "Every changed period, percentage and date is there", _figures, observes=TABLE, weight=2),
        leaf("duties", "Every changed duty and party is there", _duties, observes=TABLE, weight=2),
        leaf("references", "The reference to another clause is there", _references, observes=TABLE),
        leaf("clauses", "The clause that came and the one that went are there", _clauses, observes=TABLE),
        weight=5,
    ),
    leaf("nothing_else", "No cosmetic change is listed", _nothing_else, observes=TABLE, weight=3),
    group(
        "told",
        "The rows say what they should",
        leaf("kinds", "Each row names the kind", _kinds, observes=TABLE),
        leaf("announced", "Each row says whether it was announced", _announced, observes=TABLE, weight=2),
        leaf("order", "The rows are in the order of the new version", _order, observes=TABLE, kind="format"),
        leaf("laid_out", "Sheet and headers are as asked", _laid_out, observes=TABLE, kind="format"),
        weight=2,
    ),
    leaf("answer", "The answer counts the changes that were not announced", _answer, observes=("answer",)),
    leaves.nothing_else(BOOK, id="others", says="No other file was touched"),
)
