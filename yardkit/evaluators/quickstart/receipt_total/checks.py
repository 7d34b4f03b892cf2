"""Four shares, a table of them, and one in the answer."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers.answers import fold, read_number
from yardkit.evaluators.readers.tables import find_records, near, read_csv_rows
from yardkit.evaluators.submission import Submission

CENT = 0.01


def _rows(submission: Submission) -> dict[str, object]:
    rows = find_records(read_csv_rows(submission, "split.csv"), ["person", "amount"], "split.csv")
    return {fold(str(row["person"])): row["amount"] for row in rows}


def _answer(submission: Submission, facts: Facts) -> Finding:
    owed = facts["shares"][facts["asker"]]
    stated = read_number(submission.answer)
    return finding(near(stated, owed, CENT), f"{stated} was stated, {owed} is owed")


def _people(submission: Submission, facts: Facts) -> Finding:
    rows = find_records(read_csv_rows(submission, "split.csv"), ["person", "amount"], "split.csv")
    found = sorted(fold(str(row["person"])) for row in rows)
    wanted = sorted(fold(person) for person in facts["shares"])
    return finding(found == wanted, f"rows for {found}, expected {wanted}")


def _shares(*, drinkers: bool) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        rows = _rows(submission)
        wanted = {who: owed for who, owed in facts["shares"].items() if (who in facts["drinkers"]) == drinkers}
        good = all(near(rows.get(fold(who)), owed, CENT) for who, owed in wanted.items())
        return finding(good, f"found {rows}, expected {wanted}")

    return check


TABLE = ("file:split.csv", "text:split.csv")

CHECKS = group(
    "receipt_total",
    "The dinner is split as agreed",
    leaf("answer", "The answer states the amount that the asker owes", _answer, observes=("answer",), weight=3),
    leaf("people", "The table has one row for each of the four", _people, observes=TABLE, kind="format"),
    leaf("drinkers", "Those who drank pay for wine and beer", _shares(drinkers=True), observes=TABLE, weight=2),
    leaf("others", "The others do not", _shares(drinkers=False), observes=TABLE, weight=2),
    leaves.nothing_else("split.csv"),
)
