"""The questions are read from the document: what they ask, which option is right, what the key says."""

import re
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.leaves import Exact, Kind, Number, Table, Text
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.office.quizzes import read_questions
from yardkit.evaluators.submission import Submission

QUIZ = "generated/quiz.docx"
BODY = (f"file:{QUIZ}", f"body:{QUIZ}", f"paragraphs:{QUIZ}")
ASKS = {"year": ("in which year", "built"), "builder": ("who", "built"), "height": ("how high", "metres")}


def _truth(facts: Facts, name: str, kind: str) -> str:
    return fold(str(facts["buildings"][name][kind]))


def _asked(submission: Submission, facts: Facts) -> Finding:
    """Each question asks what it has to of its building, of no other, and does not say the answer."""
    found, wrong = read_questions(submission, QUIZ, "Questions"), []
    for question, (name, kind) in zip(found, facts["asked"], strict=False):
        named = [other for other in facts["buildings"] if fold(other) in question.text]
        told = re.search(rf"\b{re.escape(_truth(facts, name, kind))}\b", question.text)
        if named != [name] or told or not all(word in question.text for word in ASKS[kind]):
            wrong.append(f"{question.text[:80]!r} does not ask {kind} of {name}")
    says = f"{len(found)} questions for {len(facts['asked'])}; {'; '.join(wrong)}"
    return finding(len(found) == len(facts["asked"]) and not wrong, says)


def _options(submission: Submission, facts: Facts) -> Finding:
    """Options A to D; one is the truth, the others are true of other buildings."""
    found, wrong = read_questions(submission, QUIZ, "Questions"), []
    for question, (name, kind) in zip(found, facts["asked"], strict=False):
        others = [_truth(facts, other, kind) for other in facts["buildings"] if other != name]
        right, of_others = (
            len(question.letters_of(_truth(facts, name, kind))),
            sum(map(len, map(question.letters_of, others))),
        )
        if question.letters != "ABCD" or (right, of_others) != (1, 3):
            wrong.append(f"{name}: {question.options}, {right} right, {of_others} of other buildings")
    return finding(len(found) == len(facts["asked"]) and not wrong, "; ".join(wrong) or f"{len(found)} questions")


def _alike(submission: Submission, _facts: Facts) -> Finding:
    """All options are set in one look."""
    looks = {look for question in read_questions(submission, QUIZ, "Questions") for look in question.looks}
    return finding(len(looks) == 1, f"options in {len(looks)} looks")


def _right(submission: Submission, facts: Facts) -> list[str]:
    """The letters of the right options, question by question."""
    pairs = zip(read_questions(submission, QUIZ, "Questions"), facts["asked"], strict=False)
    return [next(iter(question.letters_of(_truth(facts, name, kind))), "-") for question, (name, kind) in pairs]


def _spread(submission: Submission, facts: Facts) -> Finding:
    right = _right(submission, facts)
    return finding(set(right) >= set("ABCD"), f"the right letters are {right}")


def _letters(submission: Submission, facts: Facts) -> Finding:
    found, right = [str(row["Answer"]).strip(" )").upper() for row in KEY.found(submission)], _right(submission, facts)
    return finding(bool(right) and found == right, f"the key says {found}, right are {right}")


def _key(facts: Facts) -> list[dict[str, Any]]:
    return [{"Question": number, "Building": name} for number, (name, _) in enumerate(facts["asked"], 1)]


def _topics(facts: Facts) -> list[dict[str, Any]]:
    asked = {name for name, _ in facts["asked"]}
    values = [
        (f"2.{number}", name, facts["slides"].get(name), "yes" if name in asked else "no")
        for number, name in enumerate(facts["buildings"], 1)
    ]
    return [dict(zip(TOPICS.columns, row, strict=True)) for row in values]


def _headings(facts: Facts) -> list[tuple[int, str]]:
    numbers = range(1, len(facts["asked"]) + 1)
    return [(1, "Questions"), *((2, f"Question {number}") for number in numbers), (1, "Answer key")]


KEY = Table(QUIZ, "", {"Question": Number(places=0), "Answer": Text(), "Building": Text()}, ("Question",), _key)
COLUMNS: dict[str, Kind] = {"Section": Exact(), "Building": Text(), "Slide": Number(), "In quiz": Text()}
TOPICS = Table("generated/topics.csv", "", COLUMNS, ("Section",), _topics)
CHECKS = group(
    "quiz_sheet",
    "The quiz can be handed out",
    group(
        "quiz",
        "Questions and options are the requested ones",
        leaf("asked", "Each note is asked about its building, in order", _asked, observes=BODY, weight=3),
        leaf("options", "One option is right, three are of other buildings", _options, observes=BODY, weight=3),
        leaf("alike", "No option looks different from the others", _alike, observes=BODY, kind="format"),
        leaf("spread", "Each letter is right at least once", _spread, observes=BODY),
        weight=5,
    ),
    group(
        "key",
        "The answer key fits the questions",
        leaf("letters", "It says the right letters", _letters, observes=KEY.observes, weight=2),
        leaves.cells("about", "It says what each question is about", KEY, "Building", known=True),
        weight=2,
    ),
    group(
        "form",
        "The sheet is in order",
        leaves.outline("headings", "Title and headings are real ones", QUIZ, _headings),
        leaves.neat("neat", "Nothing is cut off, covered or left as markup", QUIZ),
    ),
    group(
        "topics",
        "The list says where each building is described and whether there is a question on it",
        leaves.rows("sections", "Each section has one row", TOPICS),
        leaves.cells("told", "Building, slide and part in the quiz are right", TOPICS),
        weight=2,
    ),
    leaves.answer_number("The answer counts the questions", lambda facts: len(facts["asked"]), weight=0.5),
    leaves.nothing_else("generated/", weight=0.5),
)
