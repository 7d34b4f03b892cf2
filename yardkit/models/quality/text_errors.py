"""Errors of words and letters (WER, CER), of expressions, and words found without their places."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

_SPACING = re.compile(r"\\(?:[,;:!> ]|quad\b|qquad\b|left\b|right\b|displaystyle\b|limits\b)|~")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\S")


def edits(wanted: Sequence[str], given: Sequence[str]) -> int:
    """The fewest insertions, deletions and replacements that make one of the other (Levenshtein)."""
    row = list(range(len(given) + 1))
    for number, item in enumerate(wanted, start=1):
        before, row[0] = row[0], number
        for place, other in enumerate(given, start=1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (item != other))
    return row[-1]


def plain_words(text: str) -> list[str]:
    """Words as they are compared: in lower case, without punctuation; numbers and apostrophes within words stay."""
    folded = unicodedata.normalize("NFKC", text).lower().replace("\u2019", "'")
    return re.findall(r"\w+(?:['.,:]\w+)*", folded)


def word_errors(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """WER and CER over pairs of what was said and what was written: all edits over all words, or letters."""
    words = [(plain_words(wanted), plain_words(given)) for wanted, given in pairs]
    letters = [(list(" ".join(wanted)), list(" ".join(given))) for wanted, given in words]
    return {"WER": _rate(words), "CER": _rate(letters)}


def letter_errors(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """CER and WER with case and punctuation, white space made equal, as reading of pictures is measured."""
    split = [(wanted.split(), given.split()) for wanted, given in pairs]
    letters = [(list(" ".join(wanted)), list(" ".join(given))) for wanted, given in split]
    return {"CER": _rate(letters), "WER": _rate(split)}


def _rate(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> float:
    return sum(edits(*pair) for pair in pairs) / max(1, sum(len(wanted) for wanted, _ in pairs))


def found_words(pairs: Sequence[tuple[Sequence[str], str]]) -> dict[str, float]:
    """Precision, recall and F1 of words, wherever they stand: words that a picture has, and the text that was read."""
    right = given = wanted = 0
    for words, text in pairs:
        there, read = Counter(word for one in words for word in plain_words(one)), Counter(plain_words(text))
        right += (there & read).total()
        given += read.total()
        wanted += there.total()
    precision, recall = right / max(1, given), right / max(1, wanted)
    return {"precision": precision, "recall": recall, "F1": 2 * precision * recall / max(1e-12, precision + recall)}


def expression_match(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """How many formulas are right to the last sign, and the edits over all signs, but for spacing."""
    signs = [(_signs(wanted), _signs(given)) for wanted, given in pairs]
    return {"match": sum(one == other for one, other in signs) / max(1, len(signs)), "sign errors": _rate(signs)}


def _signs(latex: str) -> list[str]:
    """The signs of LaTeX, written in one way: ``x^{2}`` as ``x^2``."""
    bare = _SPACING.sub(" ", latex.strip().strip("$")).replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    bare = re.sub(r"([\^_])\s*\{\s*(\\[A-Za-z]+|[^\s\\{}])\s*\}", r"\1\2", bare)
    return _TOKEN.findall(bare)
