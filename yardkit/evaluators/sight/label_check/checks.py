"""The report has each deviation once, with what was found and what is required, and says how many labels are right."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.office.documents import read_document
from yardkit.evaluators.submission import Submission

REPORT = "label_report.docx"
HEAD = ("Photo", "Article", "Field", "Found", "Required")
ROWS = (f"file:{REPORT}", f"rows:{REPORT}*", f"body:{REPORT}*")


def _rows(submission: Submission) -> list[list[str]]:
    """The rows below the head of the one table with these columns."""
    head = [fold(name) for name in HEAD]
    tables = [table.rows for table in read_document(submission, REPORT).tables]
    found = [rows for rows in tables if rows and [fold(cell) for cell in rows[0]] == head]
    if len(found) != 1:
        raise InvalidArtifact(f"{REPORT} has {len(found)} tables with the columns {', '.join(HEAD)}; one is asked for")
    return [row for row in found[0][1:] if any(cell.strip() for cell in row)]


def _key(row: Sequence[str]) -> tuple[str, str]:
    return fold(row[0]).rpartition("/")[2], fold(row[2])


def _each_once(submission: Submission, facts: Facts) -> Finding:
    found, wanted = Counter(map(_key, _rows(submission))), Counter(map(_key, facts["deviations"]))
    odd = [*(found - wanted), *(wanted - found)]
    return finding(not odd, f"{found.total()} rows for {wanted.total()}; unexpected or missing: {odd[:6]}")


def _column(place: int, plain: Callable[[str], object] = fold) -> Check:
    """Whether a column holds the truth in the row of each deviation."""

    def check(submission: Submission, facts: Facts) -> Finding:
        found = {_key(row): row[place] for row in _rows(submission)}
        wanted = {_key(row): row[place] for row in facts["deviations"]}
        wrong = [
            f"{HEAD[place]} of {' '.join(key)} is {found.get(key)!r}, not {truth!r}"
            for key, truth in wanted.items()
            if plain(found.get(key, "")) != plain(truth)
        ]
        return finding(not wrong, "; ".join(wrong[:4]) or "all are right")

    return check


def _value(text: str) -> tuple[str, ...]:
    """A weight, a number, a colour, or allergens in any order; a weight may stand without a blank."""
    spaced = re.sub(r"(?<=\d) ?g$", " g", fold(text))
    return tuple(sorted(fold(part) for part in re.split(r",|;| and ", spaced)))


CHECKS = group(
    "label_check",
    "The proofs are checked",
    group(
        "deviations",
        "Each deviation is reported",
        leaf("each_once", "Just the deviations have a row", _each_once, observes=ROWS, weight=4),
        leaf("article", "Each belongs to its article", _column(1), observes=ROWS),
        leaf("found", "The content of the labels is right", _column(3, _value), observes=ROWS, weight=2),
        leaf("required", "The requirements are right", _column(4, _value), observes=ROWS),
        weight=5,
    ),
    leaves.says(
        "verdict",
        "The sentence has the right numbers",
        REPORT,
        lambda facts: [f"{facts['free']} of {facts['labels']} labels may be printed"],
        weight=2,
    ),
    leaves.headings("heading", "The report has its heading", REPORT, lambda _facts: [(1, "Label check")], weight=0.5),
    leaves.answer_number("The answer counts the labels that may be printed", lambda facts: facts["free"], weight=2),
    leaves.nothing_else(REPORT),
)
