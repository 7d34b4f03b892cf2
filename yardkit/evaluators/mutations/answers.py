"""Mutants of the final answer."""

import random
import re
from collections.abc import Iterator

from yardkit.evaluators.mutations.mutant import Mutant

FILLER = "The requested work has been completed as described. Everything is in order."
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]{2,}")


def generate_mutants(answer: str, rng: random.Random) -> Iterator[Mutant]:
    """Generate mutants: no answer, a filler, each number of the last line changed, its words changed."""
    if not answer.strip():
        return
    yield _replace_answer("answer_dropped", "no answer", "")
    yield _replace_answer("answer_filler", "a filler instead of the answer", FILLER)
    head, _, line = answer.rstrip().rpartition("\n")
    prefix = f"{head}\n" if head else ""
    for match in list(_NUMBER.finditer(line))[:4]:
        other = changed_number(match.group(), rng)
        mutated = prefix + line[: match.start()] + other + line[match.end() :]
        yield _replace_answer("answer_number", f"{match.group()} became {other} in the answer", mutated)
    words = list(_WORD.finditer(line))
    if words and not _NUMBER.search(line):
        mutated = prefix + _WORD.sub(lambda match: changed_word(match.group()), line)
        yield _replace_answer("answer_words", "every word of the answer was replaced", mutated)


def changed_number(text: str, rng: random.Random) -> str:
    """Replace one digit before any decimal point of a number, so that it is off by 1 or more."""
    digits = [i for i, character in enumerate(re.split(r"[.](?=\d+$)", text)[0]) if character.isdigit()]
    place = rng.choice(digits)
    allowed = "123456789" if place == digits[0] else "0123456789"
    return text[:place] + rng.choice([digit for digit in allowed if digit != text[place]]) + text[place + 1 :]


def changed_word(word: str) -> str:
    """Make another word of the same length and case by rotating each letter in the alphabet."""
    return "".join(_rotate_letter(letter) for letter in word)


def _rotate_letter(letter: str) -> str:
    for first in ("a", "A"):
        if 0 <= ord(letter) - ord(first) < 26:
            return chr((ord(letter) - ord(first) + 13) % 26 + ord(first))
    return "q"


def _replace_answer(operator: str, description: str, answer: str) -> Mutant:
    return Mutant(operator, "answer", description, lambda _workspace, _answer: answer)
