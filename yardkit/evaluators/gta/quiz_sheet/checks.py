"""The questions are read from the document: what they ask, which option is right, what the key says."""

import re
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.gta.quiz_sheet.quizzes import read_questions
from yardkit.evaluators.leaves import Exact, Kind, Number, Table, Text
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.submission import Submission

QUIZ = "generated/quiz.docx"
BODY = (f"file:{QUIZ}", f"body:{QUIZ}", f"paragraphs:{QUIZ}")
ASKS = {"year": ("in which year", "built"), "builder": ("who", "built"), "height": ("how high", "metres")}


def _get_truth(facts: Facts, name: str, kind: str) -> str:
    return simplify_text(str(facts["buildings"][name][kind]))


def _check_questions(submission: Submission, facts: Facts) -> Finding:
    """Each question asks what it has to of its building, of no other, and does not say the answer."""
    questions, wrong = read_questions(submission, QUIZ, "Questions"), []
    for question, (name, kind) in zip(questions, facts["asked"], strict=False):
        named = [other for other in facts["buildings"] if simplify_text(other) in question.text]
        answer_match = re.search(rf"\b{re.escape(_get_truth(facts, name, kind))}\b", question.text)
        if named != [name] or answer_match or not all(word in question.text for word in ASKS[kind]):
            wrong.append(f"{question.text[:80]!r} does not ask {kind} of {name}")
    evidence = f"{len(questions)} questions for {len(facts['asked'])}; {'; '.join(wrong)}"
    return make_finding(len(questions) == len(facts["asked"]) and not wrong, evidence)


def _check_options(submission: Submission, facts: Facts) -> Finding:
    """Options A to D; one is the truth, the others are true of other buildings."""
    questions, wrong = read_questions(submission, QUIZ, "Questions"), []
    for question, (name, kind) in zip(questions, facts["asked"], strict=False):
        others = [_get_truth(facts, other, kind) for other in facts["buildings"] if other != name]
        right, of_others = (
            len(question.letters_of(_get_truth(facts, name, kind))),
            sum(map(len, map(question.letters_of, others))),
        )
        if question.letters != "ABCD" or (right, of_others) != (1, 3):
            wrong.append(f"{name}: {question.options}, {right} right, {of_others} of other buildings")
    return make_finding(
        len(questions) == len(facts["asked"]) and not wrong, "; ".join(wrong) or f"{len(questions)} questions"
    )


def _check_option_looks(submission: Submission, _facts: Facts) -> Finding:
    """All options are set in one look."""
    looks = {look for question in read_questions(submission, QUIZ, "Questions") for look in question.looks}
    return make_finding(len(looks) == 1, f"options in {len(looks)} looks")


def _list_right_letters(submission: Submission, facts: Facts) -> list[str]:
    """The letters of the right options, question by question."""
    pairs = zip(read_questions(submission, QUIZ, "Questions"), facts["asked"], strict=False)
    return [next(iter(question.letters_of(_get_truth(facts, name, kind))), "-") for question, (name, kind) in pairs]


def _check_spread(submission: Submission, facts: Facts) -> Finding:
    right = _list_right_letters(submission, facts)
    return make_finding(set(right) >= set("ABCD"), f"the right letters are {right}")


def _check_key_letters(submission: Submission, facts: Facts) -> Finding:
    key_letters, right = (
        [str(row["Answer"]).strip(" )").upper() for row in KEY.read_rows(submission)],
        _list_right_letters(submission, facts),
    )
    return make_finding(bool(right) and key_letters == right, f"the key says {key_letters}, right are {right}")


def _list_key_rows(facts: Facts) -> list[dict[str, Any]]:
    return [{"Question": number, "Building": name} for number, (name, _) in enumerate(facts["asked"], 1)]


def _list_topic_rows(facts: Facts) -> list[dict[str, Any]]:
    asked = {name for name, _ in facts["asked"]}
    values = [
        (f"2.{number}", name, facts["slides"].get(name), "yes" if name in asked else "no")
        for number, name in enumerate(facts["buildings"], 1)
    ]
    return [dict(zip(TOPICS.columns, row, strict=True)) for row in values]


def _list_headings(facts: Facts) -> list[tuple[int, str]]:
    numbers = range(1, len(facts["asked"]) + 1)
    return [(1, "Questions"), *((2, f"Question {number}") for number in numbers), (1, "Answer key")]


KEY = Table(
    QUIZ, "", {"Question": Number(places=0), "Answer": Text(), "Building": Text()}, ("Question",), _list_key_rows
)
COLUMNS: dict[str, Kind] = {"Section": Exact(), "Building": Text(), "Slide": Number(), "In quiz": Text()}
TOPICS = Table("generated/topics.csv", "", COLUMNS, ("Section",), _list_topic_rows)
CHECKS = make_group(
    "quiz_sheet",
    "The quiz can be handed out",
    make_group(
        "quiz",
        "Questions and options are the requested ones",
        make_checkpoint(
            "asked", "Each note is asked about its building, in order", _check_questions, covers=BODY, weight=3
        ),
        make_checkpoint(
            "options", "One option is right, three are of other buildings", _check_options, covers=BODY, weight=3
        ),
        make_checkpoint(
            "alike", "No option looks different from the others", _check_option_looks, covers=BODY, kind="format"
        ),
        make_checkpoint("spread", "Each letter is right at least once", _check_spread, covers=BODY),
        weight=5,
    ),
    make_group(
        "key",
        "The answer key fits the questions",
        make_checkpoint("letters", "It says the right letters", _check_key_letters, covers=KEY.covers, weight=2),
        leaves.check_cells("about", "It says what each question is about", KEY, "Building", known=True),
        weight=2,
    ),
    make_group(
        "form",
        "The sheet is in order",
        leaves.check_outline("headings", "Title and headings are real ones", QUIZ, _list_headings),
        leaves.check_neatness("neat", "Nothing is cut off, covered or left as markup", QUIZ),
    ),
    make_group(
        "topics",
        "The list says where each building is described and whether there is a question on it",
        leaves.check_rows("sections", "Each section has one row", TOPICS),
        leaves.check_cells("told", "Building, slide and part in the quiz are right", TOPICS),
        weight=2,
    ),
    leaves.answer_number("The answer counts the questions", lambda facts: len(facts["asked"]), weight=0.5),
    leaves.nothing_else("generated/", weight=0.5),
)
