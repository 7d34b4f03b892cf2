"""Error rates of words and letters (WER, CER) and of expressions, and recall of words regardless of place."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

_SPACING = re.compile(r"\\(?:[,;:!> ]|quad\b|qquad\b|left\b|right\b|displaystyle\b|limits\b)|~")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\S")


def count_edits(expected: Sequence[str], given: Sequence[str]) -> int:
    """Count the fewest insertions, deletions and replacements that turn one into the other (Levenshtein)."""
    row = list(range(len(given) + 1))
    for number, item in enumerate(expected, start=1):
        before, row[0] = row[0], number
        for place, other in enumerate(given, start=1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (item != other))
    return row[-1]


def normalize_words(text: str) -> list[str]:
    """Normalize words for comparison: lower case, no punctuation; numbers and apostrophes inside words stay."""
    normalized = unicodedata.normalize("NFKC", text).lower().replace("\u2019", "'")
    return re.findall(r"\w+(?:['.,:]\w+)*", normalized)


def word_errors(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Compute WER and CER over pairs of reference and transcript: all edits over all words, or letters."""
    words = [(normalize_words(expected), normalize_words(given)) for expected, given in pairs]
    letters = [(list(" ".join(expected_words)), list(" ".join(given))) for expected_words, given in words]
    return {"WER": _compute_rate(words), "CER": _compute_rate(letters)}


def letter_errors(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Compute CER and WER with case and punctuation and with normalized white space, as is usual for OCR."""
    split = [(expected.split(), given.split()) for expected, given in pairs]
    letters = [(list(" ".join(expected_words)), list(" ".join(given))) for expected_words, given in split]
    return {"CER": _compute_rate(letters), "WER": _compute_rate(split)}


def _compute_rate(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> float:
    return sum(count_edits(*pair) for pair in pairs) / max(1, sum(len(expected) for expected, _ in pairs))


def measure_word_recall(pairs: Sequence[tuple[Sequence[str], str]]) -> dict[str, float]:
    """Compute precision, recall and F1 of words regardless of place: the words of a picture and the read text."""
    right = given = true_count = 0
    for words, text in pairs:
        there, read = Counter(word for text in words for word in normalize_words(text)), Counter(normalize_words(text))
        right += (there & read).total()
        given += read.total()
        true_count += there.total()
    precision, recall = right / max(1, given), right / max(1, true_count)
    return {"precision": precision, "recall": recall, "F1": 2 * precision * recall / max(1e-12, precision + recall)}


def expression_match(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Compute the share of exactly right formulas, and the edits over all tokens, ignoring spacing."""
    signs = [(_list_signs(expected), _list_signs(given)) for expected, given in pairs]
    return {
        "match": sum(expected_signs == other for expected_signs, other in signs) / max(1, len(signs)),
        "sign errors": _compute_rate(signs),
    }


def _list_signs(latex: str) -> list[str]:
    """List the tokens of LaTeX in a canonical form: ``x^{2}`` as ``x^2``."""
    bare = _SPACING.sub(" ", latex.strip().strip("$")).replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    bare = re.sub(r"([\^_])\s*\{\s*(\\[A-Za-z]+|[^\s\\{}])\s*\}", r"\1\2", bare)
    return _TOKEN.findall(bare)
