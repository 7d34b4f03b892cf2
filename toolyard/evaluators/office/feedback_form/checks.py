"""The questionnaire is as the memo wants it, the old one is closed, last year is counted; all other records stay."""

from toolyard.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from toolyard.evaluators.collateral.apps import kept_apps
from toolyard.evaluators.readers import tables
from toolyard.evaluators.readers.answers import single_number
from toolyard.evaluators.readers.apps import Row, records
from toolyard.evaluators.readers.files import only_changed
from toolyard.evaluators.submission import Submission

TABLE = "feedback_2025.csv"
COUNTED = (f"file:{TABLE}", f"text:{TABLE}")
ASKED = ("record:forms/questions",)
ADDED = (*ASKED, "bystander:forms/questions")


def _questions(submission: Submission) -> list[Row]:
    return sorted(records(submission, "forms", "questions", decode=["choices"]), key=lambda row: int(row["position"]))


def _reworded(submission: Submission, facts: Facts) -> Finding:
    wanted = facts["reworded"]
    return _compared([row for row in _questions(submission) if row["id"] == wanted["id"]], [wanted])


def _added(submission: Submission, facts: Facts) -> Finding:
    """The new questions, and no other in any form."""
    before = {row["id"] for row in _questions(submission.untouched)}
    return _compared([row for row in _questions(submission) if row["id"] not in before], facts["new"])


def _compared(found: list[Row], wanted: list[Row]) -> Finding:
    pairs = zip(found, wanted, strict=False)
    good = len(found) == len(wanted) and all(row[name] == value for row, one in pairs for name, value in one.items())
    return finding(good, f"found {found}, expected {wanted}")


def _order(submission: Submission, facts: Facts) -> Finding:
    ours = [row for row in _questions(submission) if row["form_id"] == facts["target"]]
    found = [row["id"] if row["id"] in facts["order"] else None for row in ours]
    numbered = [row["position"] for row in ours] == list(range(1, len(ours) + 1))
    return finding(found == facts["order"] and numbered, f"the order is {found}, expected {facts['order']}")


def _closed(submission: Submission, facts: Facts) -> Finding:
    found = [row["closed"] for row in records(submission, "forms", "forms") if row["id"] == facts["old"]]
    return finding(found == [facts["now"]], f"form {facts['old']} is closed {found}, expected {facts['now']}")


def _counted(submission: Submission, facts: Facts) -> Finding:
    rows = tables.records(tables.csv_rows(submission, TABLE), ["answer", "people"], TABLE)
    found, wanted = [(str(row["answer"]).strip(), row["people"]) for row in rows], facts["counts"]["right"]
    good = [answer for answer, _ in found] == [answer for answer, _ in wanted]
    good = good and all(tables.near(people, count, 0) for (_, people), (_, count) in zip(found, wanted, strict=True))
    return finding(good, f"found {found}, expected {wanted}")


def _share(submission: Submission, facts: Facts) -> Finding:
    found = single_number(submission.answer)
    return finding(tables.near(found, facts["share"], 0.051), f"found {found}, expected {facts['share']:.3f}")


def _kept(submission: Submission, facts: Facts) -> Finding:
    fields = [f"{facts['reworded']['id']}.text", f"{facts['reworded']['id']}.choices"]
    fields += [f"{question}.position" for question in facts["order"] if question]
    allowed = (f"forms:questions#{field}" for field in fields)
    return kept_apps(submission, f"forms:forms#{facts['old']}.closed", "forms:questions+", *allowed)


CHECKS = group(
    "feedback_form",
    "The questionnaires are ready for this year",
    group(
        "questionnaire",
        "This year's questionnaire is as the memo wants it",
        leaf("reworded", "The question has its new words and choices", _reworded, observes=ASKED, weight=2),
        leaf("added", "Both new questions are there, and no other", _added, observes=ADDED, weight=3),
        leaf("order", "All questions stand in their order", _order, observes=ASKED),
        weight=3,
    ),
    leaf("closed", "Last year's questionnaire takes no more responses", _closed, observes=("record:forms/forms",)),
    group(
        "result",
        "Last year's result is counted",
        leaf("counted", "Each choice has its number of people", _counted, observes=COUNTED, weight=2),
        leaf("share", "The answer is the share of those who were content", _share, observes=("answer",)),
        weight=2,
    ),
    leaf("records", "All other records stay", _kept, observes=("bystander:*", "record:*"), kind="guardrail"),
    leaf(
        "files",
        "No other file was touched",
        lambda submission, _facts: only_changed(submission, TABLE),
        observes=("input:*", "stray:*"),
        kind="guardrail",
    ),
)
