"""Answers, their sources and what contradicts them are read from the tables of the document."""

from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, group
from yardkit.evaluators.leaves import Number, Table, Text

PAPER = "generated/answers.docx"
NUMBER = Number(places=0)


def _answers(facts: Facts) -> list[dict[str, Any]]:
    return [
        {"Question": number, "Answer": value, "Source": source}
        for number, (value, source) in enumerate(facts["answers"], 1)
    ]


def _contradictions(facts: Facts) -> list[dict[str, Any]]:
    return [{"Question": number, "Source": title, "Says": says} for number, title, says in facts["contradictions"]]


ANSWERS = Table(PAPER, "", {"Question": NUMBER, "Answer": Number(), "Source": Text()}, ("Question",), _answers)
OTHERS = Table(
    PAPER, "", {"Question": NUMBER, "Source": Text(), "Says": Number()}, ("Question", "Source"), _contradictions
)
CHECKS = group(
    "source_check",
    "The questions are answered, with sources",
    group(
        "answers",
        "Each question has its answer",
        leaves.rows("all", "Each question has one row, in order", ANSWERS, ordered=True),
        leaves.cells("right", "The answers are those that count", ANSWERS, "Answer", weight=4),
        leaves.cells("sources", "Each names its source", ANSWERS, "Source", weight=2),
        weight=5,
    ),
    group(
        "contradictions",
        "Contradicting pages are listed",
        leaves.rows("pages", "Just the pages that say something else", OTHERS, weight=2),
        leaves.cells("values", "With what they say", OTHERS, "Says", known=True),
        weight=3,
    ),
    group(
        "form",
        "The document is in order",
        leaves.outline(
            "headings", "Title and headings are real ones", PAPER, lambda _: [(1, "Answers"), (1, "Contradictions")]
        ),
        leaves.neat("neat", "Nothing is cut off, covered or left as markup", PAPER),
    ),
    leaves.answer_number(
        "The answer counts the contradictions", lambda facts: len(facts["contradictions"]), weight=0.5
    ),
    leaves.nothing_else("generated/", weight=0.5),
)
