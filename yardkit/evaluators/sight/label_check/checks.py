"""The report has each deviation once, with what was found and what is required, and says how many labels are right."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import (
    Check,
    Facts,
    Finding,
    InvalidArtifact,
    make_checkpoint,
    make_finding,
    make_group,
)
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.office.documents import read_document
from yardkit.evaluators.submission import Submission

REPORT = "label_report.docx"
HEAD = ("Photo", "Article", "Field", "Found", "Required")
ROWS = (f"file:{REPORT}", f"rows:{REPORT}*", f"body:{REPORT}*")


def _read_rows(submission: Submission) -> list[list[str]]:
    """The rows below the head of the one table with these columns."""
    head = [simplify_text(name) for name in HEAD]
    tables = [table.rows for table in read_document(submission, REPORT).tables]
    matching_tables = [rows for rows in tables if rows and [simplify_text(cell) for cell in rows[0]] == head]
    if len(matching_tables) != 1:
        raise InvalidArtifact(
            f"{REPORT} has {len(matching_tables)} tables with the columns {', '.join(HEAD)}; one is asked for"
        )
    return [row for row in matching_tables[0][1:] if any(cell.strip() for cell in row)]


def _make_key(row: Sequence[str]) -> tuple[str, str]:
    return simplify_text(row[0]).rpartition("/")[2], simplify_text(row[2])


def _each_once(submission: Submission, facts: Facts) -> Finding:
    deviation_counts, expected_counts = (
        Counter(map(_make_key, _read_rows(submission))),
        Counter(map(_make_key, facts["deviations"])),
    )
    unexpected = [*(deviation_counts - expected_counts), *(expected_counts - deviation_counts)]
    return make_finding(
        not unexpected,
        f"{deviation_counts.total()} rows for {expected_counts.total()}; unexpected or missing: {unexpected[:6]}",
    )


def _check_column(place: int, normalize: Callable[[str], object] = simplify_text) -> Check:
    """Whether a column holds the truth in the row of each deviation."""

    def check(submission: Submission, facts: Facts) -> Finding:
        values_by_key = {_make_key(row): row[place] for row in _read_rows(submission)}
        expected_values = {_make_key(row): row[place] for row in facts["deviations"]}
        wrong = [
            f"{HEAD[place]} of {' '.join(key)} is {values_by_key.get(key)!r}, not {truth!r}"
            for key, truth in expected_values.items()
            if normalize(values_by_key.get(key, "")) != normalize(truth)
        ]
        return make_finding(not wrong, "; ".join(wrong[:4]) or "all are right")

    return check


def _split_value(text: str) -> tuple[str, ...]:
    """A weight, a number, a colour, or allergens in any order; a weight may stand without a blank."""
    spaced = re.sub(r"(?<=\d) ?g$", " g", simplify_text(text))
    return tuple(sorted(simplify_text(part) for part in re.split(r",|;| and ", spaced)))


CHECKS = make_group(
    "label_check",
    "The proofs are checked",
    make_group(
        "deviations",
        "Each deviation is reported",
        make_checkpoint("each_once", "Just the deviations have a row", _each_once, covers=ROWS, weight=4),
        make_checkpoint("article", "Each belongs to its article", _check_column(1), covers=ROWS),
        make_checkpoint(
            "found", "The content of the labels is right", _check_column(3, _split_value), covers=ROWS, weight=2
        ),
        make_checkpoint("required", "The requirements are right", _check_column(4, _split_value), covers=ROWS),
        weight=5,
    ),
    leaves.check_texts(
        "verdict",
        "The sentence has the right numbers",
        REPORT,
        lambda facts: [f"{facts['free']} of {facts['labels']} labels may be printed"],
        weight=2,
    ),
    leaves.check_headings(
        "heading", "The report has its heading", REPORT, lambda _facts: [(1, "Label check")], weight=0.5
    ),
    leaves.answer_number("The answer counts the labels that may be printed", lambda facts: facts["free"], weight=2),
    leaves.nothing_else(REPORT),
)
