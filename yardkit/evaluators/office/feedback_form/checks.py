"""The questionnaire is as the memo wants it, the old one is closed, last year is counted; all other records stay."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, define_leaf, make_finding, make_group
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


@define_leaf("order", "All questions are in order", *QUESTIONS.covers)
def _check_order(submission: Submission, facts: Facts) -> Finding:
    ours = [row for row in QUESTIONS.read_rows(submission) if row["form_id"] == facts["target"]]
    question_order = {row["position"]: row["id"] if row["id"] in facts["order"] else None for row in ours}
    expected_order = dict(enumerate(facts["order"], 1))
    return make_finding(
        question_order == expected_order and len(ours) == len(expected_order),
        f"the order is {question_order}, expected {expected_order}",
    )


def _list_allowed(facts: Facts) -> tuple[str, ...]:
    fields = [f"{facts['room']}.text", f"{facts['room']}.choices"]
    fields += [f"{question}.position" for question in facts["order"] if question]
    return (f"forms:forms#{facts['old']}.closed", *(f"forms:questions#{field}" for field in fields))


CHECKS = make_group(
    "feedback_form",
    "The questionnaires are ready for this year",
    make_group(
        "questionnaire",
        "This year's questionnaire is as the memo wants it",
        leaves.check_records(
            "reworded",
            "The question has its new words and choices",
            QUESTIONS,
            lambda facts: [facts["reworded"]],
            where=lambda row, facts: row["id"] == facts["room"],
            weight=2,
        ),
        leaves.check_records(
            "added",
            "Both new questions are there, and no other in any form",
            QUESTIONS,
            lambda facts: facts["new"],
            added=True,
            weight=3,
        ),
        _check_order,
        weight=3,
    ),
    leaves.check_records(
        "closed",
        "Last year's questionnaire takes no more responses",
        FORMS,
        lambda facts: [{"closed": facts["now"]}],
        where=lambda row, facts: row["id"] == facts["old"],
    ),
    make_group(
        "result",
        "Last year's result is counted",
        leaves.all_of(
            "counted",
            "Each choice has its number of people",
            leaves.check_rows("", "", COUNTS, ordered=True),
            leaves.check_cells("", "", COUNTS, "people"),
            weight=2,
        ),
        leaves.answer_number(
            "The answer is the share of those who were content", lambda facts: facts["share"], 0.051, id="share"
        ),
        weight=2,
    ),
    leaves.check_unchanged_records("forms:questions+", also=_list_allowed),
    leaves.nothing_else(COUNTS.path, id="files"),
)
