"""The questionnaire is as the memo wants it, the old one is closed, last year is counted; all other records stay."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.leaves import Exact, Number, Records, Table
from yardkit.evaluators.submission import Submission

FORMS, QUESTIONS = Records("forms", "forms"), Records("forms", "questions", ("choices",))
COUNTS = Table(
    "feedback_2025.csv",
    "",
    {"answer": Exact(), "people": Number()},
    ("answer",),
    lambda facts: [{"answer": answer, "people": people} for answer, people in facts["counts"]["right"]],
)


def _order(submission: Submission, facts: Facts) -> Finding:
    ours = [row for row in QUESTIONS.found(submission) if row["form_id"] == facts["target"]]
    found = {row["position"]: row["id"] if row["id"] in facts["order"] else None for row in ours}
    wanted = dict(enumerate(facts["order"], 1))
    return finding(found == wanted and len(ours) == len(wanted), f"the order is {found}, expected {wanted}")


def _allowed(facts: Facts) -> tuple[str, ...]:
    fields = [f"{facts['room']}.text", f"{facts['room']}.choices"]
    fields += [f"{question}.position" for question in facts["order"] if question]
    return (f"forms:forms#{facts['old']}.closed", *(f"forms:questions#{field}" for field in fields))


CHECKS = group(
    "feedback_form",
    "The questionnaires are ready for this year",
    group(
        "questionnaire",
        "This year's questionnaire is as the memo wants it",
        leaves.records(
            "reworded",
            "The question has its new words and choices",
            QUESTIONS,
            lambda facts: [facts["reworded"]],
            where=lambda row, facts: row["id"] == facts["room"],
            weight=2,
        ),
        leaves.records(
            "added",
            "Both new questions are there, and no other in any form",
            QUESTIONS,
            lambda facts: facts["new"],
            added=True,
            weight=3,
        ),
        leaf("order", "All questions are in order", _order, observes=QUESTIONS.observes),
        weight=3,
    ),
    leaves.records(
        "closed",
        "Last year's questionnaire takes no more responses",
        FORMS,
        lambda facts: [{"closed": facts["now"]}],
        where=lambda row, facts: row["id"] == facts["old"],
    ),
    group(
        "result",
        "Last year's result is counted",
        leaves.all_of(
            "counted",
            "Each choice has its number of people",
            leaves.rows("", "", COUNTS, ordered=True),
            leaves.cells("", "", COUNTS, "people"),
            weight=2,
        ),
        leaves.answer_number(
            "The answer is the share of those who were content", lambda facts: facts["share"], 0.051, id="share"
        ),
        weight=2,
    ),
    leaves.kept_records("forms:questions+", also=_allowed),
    leaves.nothing_else(COUNTS.path, id="files"),
)
