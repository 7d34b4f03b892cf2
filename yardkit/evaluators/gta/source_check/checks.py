"""Answers, their sources and what contradicts them are read from the tables of the document."""

from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Number, Table, Text

PAPER = "generated/answers.docx"
NUMBER = Number(places=0)


def _list_answers(facts: Facts) -> list[dict[str, Any]]:
    return [
        {"Question": number, "Answer": value, "Source": source}
        for number, (value, source) in enumerate(facts["answers"], 1)
    ]


def _list_contradictions(facts: Facts) -> list[dict[str, Any]]:
    return [{"Question": number, "Source": title, "Says": claim} for number, title, claim in facts["contradictions"]]


ANSWERS = Table(PAPER, "", {"Question": NUMBER, "Answer": Number(), "Source": Text()}, ("Question",), _list_answers)
OTHERS = Table(
    PAPER, "", {"Question": NUMBER, "Source": Text(), "Says": Number()}, ("Question", "Source"), _list_contradictions
)
CHECKS = make_group(
    "source_check",
    "The questions are answered, with sources",
    make_group(
        "answers",
        "Each question has its answer",
        leaves.check_rows("all", "Each question has one row, in order", ANSWERS, ordered=True),
        leaves.check_cells("right", "The answers are those that count", ANSWERS, "Answer", weight=4),
        leaves.check_cells("sources", "Each names its source", ANSWERS, "Source", weight=2),
        weight=5,
    ),
    make_group(
        "contradictions",
        "Contradicting pages are listed",
        leaves.check_rows("pages", "Just the pages that say something else", OTHERS, weight=2),
        leaves.check_cells("values", "With what they say", OTHERS, "Says", known=True),
        weight=3,
    ),
    make_group(
        "form",
        "The document is in order",
        leaves.check_outline(
            "headings", "Title and headings are real ones", PAPER, lambda _: [(1, "Answers"), (1, "Contradictions")]
        ),
        leaves.check_neatness("neat", "Nothing is cut off, covered or left as markup", PAPER),
    ),
    leaves.answer_number(
        "The answer counts the contradictions", lambda facts: len(facts["contradictions"]), weight=0.5
    ),
    leaves.nothing_else("generated/", weight=0.5),
)
