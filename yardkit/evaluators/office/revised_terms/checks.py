"""Every real change has its row, with both values; no cosmetic one has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Row, Table, Text
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.tables import read_sheets
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.office.revised_terms import RevisedTermsFacts as Facts

BOOK, SHEET = "real_changes.xlsx", "Changes"
KEYS = ("old_clause", "new_clause", "kind", "old", "new", "announced")
COLUMNS = ("Old clause", "New clause", "Kind", "Old", "New", "Announced")


class Value(Text):
    """A value of a clause: white space before a percent sign and a last ``.00`` do not matter."""

    def normalize_value(self, value: Any) -> str:
        return re.sub(r"(?<=\d)\.00\b", "", super().normalize_value(value)).replace(" %", "%")


CHANGES = Table(
    BOOK,
    SHEET,
    {column: Value() if column in ("Old", "New") else Text() for column in COLUMNS},
    ("Old clause", "New clause", "Old", "New"),
    lambda facts: [dict(zip(COLUMNS, (change[key] for key in KEYS), strict=True)) for change in facts["changes"]],
)


def _check_changes(submission: Submission, facts: Facts, kinds: list[str]) -> Finding:
    """Each change of some kinds has one row."""
    counts = Counter(map(CHANGES.name, CHANGES.read_rows(submission)))
    names = [CHANGES.name(row) for row in CHANGES.truth(facts) if row["Kind"] in kinds]
    missing = [name[:90] for name in names if counts[name] != 1]
    return make_finding(not missing, f"{len(missing)} of {len(names)} changes are not there once: {missing[:5]}")


def _nothing_else(submission: Submission, facts: Facts) -> Finding:
    names, known = map(CHANGES.name, CHANGES.read_rows(submission)), {*map(CHANGES.name, CHANGES.truth(facts))}
    counts = Counter(names)
    unexpected = [name[:90] for name in counts if name not in known]
    holds = bool(counts) and not unexpected and counts.total() <= len(facts["changes"])
    return make_finding(holds, f"{counts.total()} rows, {len(unexpected)} of no real change: {unexpected[:5]}")


def _match_rows(submission: Submission, facts: Facts) -> Sequence[tuple[Row, Row]]:
    """The rows with the changes that they tell of: most changes must be there, or there is nothing to look at."""
    truth = {CHANGES.name(row): row for row in CHANGES.truth(facts)}
    pairs = [(row, truth[name]) for row in CHANGES.read_rows(submission) if (name := CHANGES.name(row)) in truth]
    if len({CHANGES.name(true) for _, true in pairs}) < 0.7 * len(truth):
        raise InvalidArtifact(f"only {len(pairs)} of {len(truth)} changes have a row")
    return pairs


def _check_column(submission: Submission, facts: Facts, column: str) -> Finding:
    pairs = _match_rows(submission, facts)
    wrong = [CHANGES.name(row) for row, true in pairs if not CHANGES.columns[column].same(row[column], true[column])]
    return make_finding(not wrong, f"other {column} in {wrong[:5]}")


def _check_order(submission: Submission, facts: Facts) -> Finding:
    """As in the new version; changes of one clause in any order."""
    places = [change["new_clause"] for change in facts["changes"]]
    positions = [places.index(true["New clause"]) for _, true in _match_rows(submission, facts)]
    return make_finding(positions == sorted(positions), f"the rows are in the order {positions}")


def _laid_out(submission: Submission, _facts: Facts) -> Finding:
    rows = CHANGES.grid(read_sheets(submission, BOOK)).values or [[]]
    first = [simplify_text(str(cell)) for cell in rows[0][: len(COLUMNS)]]
    return make_finding(first == [*map(simplify_text, COLUMNS)], f"row 1 of {SHEET} holds {first}")


def _make_leaf(name: str, statement: str, check: Any, **details: Any) -> Any:
    covers = (f"cells:{BOOK}#{SHEET}!*", f"rows:{BOOK}#{SHEET}", f"sheet:{BOOK}*")
    return make_checkpoint(name, statement, check, covers=covers, **details)


_check_amounts, _check_figures, _check_duties, _check_references, _check_clauses = (
    partial(_check_changes, kinds=kinds.split())
    for kinds in ("amount", "period percentage date", "duty party", "reference", "added removed")
)
_check_kinds, _check_announced = (partial(_check_column, column=column) for column in ("Kind", "Announced"))
CHECKS = make_group(
    "revised_terms",
    "The real changes are listed",
    make_group(
        "found",
        "Each real change has its row with both values",
        _make_leaf("amounts", "Every changed amount is there, that of the annex too", _check_amounts, weight=2),
        _make_leaf("figures", "Every changed period, percentage and date is there", _check_figures, weight=2),
        _make_leaf("duties", "Every changed duty and party is there", _check_duties, weight=2),
        _make_leaf("references", "The reference to another clause is there", _check_references),
        _make_leaf("clauses", "The clause that came and the one that went are there", _check_clauses),
        weight=5,
    ),
    _make_leaf("nothing_else", "No cosmetic change is listed", _nothing_else, weight=3),
    make_group(
        "told",
        "The rows say what they should",
        _make_leaf("kinds", "Each row names the kind", _check_kinds),
        _make_leaf("announced", "Each row says whether it was announced", _check_announced, weight=2),
        _make_leaf("order", "The rows are in the order of the new version", _check_order, kind="format"),
        _make_leaf("laid_out", "Sheet and headers are as asked", _laid_out, kind="format"),
        weight=2,
    ),
    leaves.answer_number(
        "The answer counts the changes that were not announced",
        lambda facts: sum(change["announced"] == "no" for change in facts["changes"]),
    ),
    leaves.nothing_else(BOOK, id="others", statement="No other file was touched"),
)
