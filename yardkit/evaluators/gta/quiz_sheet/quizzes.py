"""Reading multiple-choice questions in Word documents."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.office.document_styles import Look
from yardkit.evaluators.readers.office.documents import Paragraph, read_document
from yardkit.evaluators.submission import Submission

_OPTION = re.compile(r"\s*([A-Z])\)\s*(\S.*)")


@dataclass(frozen=True)
class Question:
    """A question with options that begin with ``A)``, ``B)`` and so on, each in a separate line or paragraph.

    Attributes:
        text: the text of the question, normalized by `simplify_text`.
        options: the options by letter, normalized.
        letters: the letters of the options in order, including repeated ones.
        looks: the looks of the options.
    """

    text: str
    options: Mapping[str, str]
    letters: str
    looks: frozenset[tuple[Look, ...]]

    def letters_of(self, truth: str) -> list[str]:
        """List the letters of the true options; a unit of length after a number does not matter."""
        return [
            letter for letter, option in self.options.items() if re.sub(r"(?<=\d)\s*m(etres)?$", "", option) == truth
        ]


def read_questions(submission: Submission, relative: str, below: str) -> list[Question]:
    """Read the questions below a heading, each under its own heading.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable Word document.
    """
    paragraphs_by_question: dict[str, list[Paragraph]] = {}
    for block in read_document(submission, relative).list_section(below):
        if isinstance(block, Paragraph) and not block.level and simplify_text(block.under[-1]) != simplify_text(below):
            paragraphs_by_question.setdefault(block.under[-1], []).append(block)
    return [_make_question(paragraphs) for paragraphs in paragraphs_by_question.values()]


def _make_question(paragraphs: list[Paragraph]) -> Question:
    lines = [line for paragraph in paragraphs for line in paragraph.text.splitlines()]
    options = [match.groups() for line in lines if (match := _OPTION.fullmatch(line))]
    looks = [
        tuple(dict.fromkeys(run.look for run in paragraph.runs if run.text.strip()))
        for paragraph in paragraphs
        if _OPTION.match(paragraph.text)
    ]
    return Question(
        simplify_text(" ".join(line for line in lines if not _OPTION.fullmatch(line))),
        {letter: simplify_text(option) for letter, option in options},
        "".join(letter for letter, _ in options),
        frozenset(looks),
    )
