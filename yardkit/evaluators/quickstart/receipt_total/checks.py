"""Four shares, a table of them, and one in the answer."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import read_number, simplify_text
from yardkit.evaluators.readers.tables import find_records, is_near, read_csv_rows
from yardkit.evaluators.submission import Submission

CENT = 0.01


def _map_amounts(submission: Submission) -> dict[str, object]:
    rows = find_records(read_csv_rows(submission, "split.csv"), ["person", "amount"], "split.csv")
    return {simplify_text(str(row["person"])): row["amount"] for row in rows}


def _check_answer(submission: Submission, facts: Facts) -> Finding:
    owed = facts["shares"][facts["asker"]]
    stated = read_number(submission.answer)
    return make_finding(is_near(stated, owed, CENT), f"{stated} was stated, {owed} is owed")


def _check_people(submission: Submission, facts: Facts) -> Finding:
    rows = find_records(read_csv_rows(submission, "split.csv"), ["person", "amount"], "split.csv")
    people = sorted(simplify_text(str(row["person"])) for row in rows)
    expected_people = sorted(simplify_text(person) for person in facts["shares"])
    return make_finding(people == expected_people, f"rows for {people}, expected {expected_people}")


def _check_shares(*, drinkers: bool) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        rows = _map_amounts(submission)
        expected_shares = {who: owed for who, owed in facts["shares"].items() if (who in facts["drinkers"]) == drinkers}
        good = all(is_near(rows.get(simplify_text(who)), owed, CENT) for who, owed in expected_shares.items())
        return make_finding(good, f"found {rows}, expected {expected_shares}")

    return check


TABLE = ("file:split.csv", "text:split.csv")

CHECKS = make_group(
    "receipt_total",
    "The dinner is split as agreed",
    make_checkpoint(
        "answer", "The answer states the amount that the asker owes", _check_answer, covers=("answer",), weight=3
    ),
    make_checkpoint("people", "The table has one row for each of the four", _check_people, covers=TABLE, kind="format"),
    make_checkpoint(
        "drinkers", "Those who drank pay for wine and beer", _check_shares(drinkers=True), covers=TABLE, weight=2
    ),
    make_checkpoint("others", "The others do not", _check_shares(drinkers=False), covers=TABLE, weight=2),
    leaves.nothing_else("split.csv"),
)
