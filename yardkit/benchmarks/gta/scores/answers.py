"""The score of an answer, as GTA computes it and as it should be computed, and the similarity of two texts."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from yardkit.benchmarks.gta.sets.atomic import Objective, Subjective
from yardkit.evaluators.readers.whitelists import groups_unsaid
from yardkit.models.service import find_service
from yardkit.world import Problem

Form = Literal["published", "corrected"]
"""``published``: what the original code computes, so that figures compare with the papers; ``corrected``: without its
defects. docs/gta.md lists what differs."""
Similarity = Callable[[str, str], float]
"""How near two texts are in meaning, in [-1, 1]."""
LEXICAL = "words and parts of words (no model for embeddings; set YARDKIT_EMBEDDINGS_URL)"
_WORD = re.compile(r"\w+")


def score_answer(answer: str, gold: Objective | Subjective, form: Form, similarity: Similarity) -> float:
    """Score an answer in [0, 1]."""
    if isinstance(gold, Subjective):
        return max([0.0, *(similarity(answer, text) for text in gold.texts)])
    holds = all(_names_alias(answer, group, form) for group in gold.whitelist)
    return float(holds and not any(_names_alias(answer, group, form) for group in gold.blacklist))


def to_percent(value: float, of: int) -> float:
    """Compute the share as the papers round it; 0 of nothing is 0."""
    return round(100 * value / of, 2) if of else 0.0


def _names_alias(answer: str, aliases: Sequence[str], form: Form) -> bool:
    """Whether one of the aliases is in the answer as a separate word."""
    if form == "published":
        # An alias that begins or ends with a sign ($5, 50%) has no word border there, so the original never finds it.
        pattern = rf"\b(?:{'|'.join(map(re.escape, aliases))})\b"
        return re.search(pattern, answer, re.IGNORECASE) is not None
    return not groups_unsaid(answer, [aliases])


def chosen_similarity() -> tuple[Similarity, str]:
    """Return the configured similarity and its name for reports.

    The papers use all-mpnet-base-v2; serve it, or another model, as ``/v1/embeddings`` and set
    ``YARDKIT_EMBEDDINGS_URL`` and ``YARDKIT_EMBEDDINGS_MODEL``.
    """
    service = find_service("embeddings")
    if service is None:
        return compare_words, LEXICAL

    @lru_cache(4096)
    def embedded(text: str) -> tuple[float, ...]:
        answer = service.ask("/embeddings", {"input": [text]})
        try:
            return tuple(float(value) for value in answer["data"][0]["embedding"])
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise Problem(f"the service for embeddings returned none for a text of {len(text)} characters") from error

    return lambda first, other: _cosine_of(embedded(first), embedded(other)), f"embeddings of {service.model}"


def compare_words(first_words: str, other: str) -> float:
    """The cosine of the counts of words and of their trigrams; 1 for the same text."""
    first, second = _count_parts(first_words), _count_parts(other)
    product = sum(count * second[part] for part, count in first.items())
    length = math.sqrt(_sum_squares(first) * _sum_squares(second))
    return product / length if length else 0.0


def _count_parts(text: str) -> Counter[str]:
    words = _WORD.findall(text.casefold())
    return Counter(words) + Counter(word[at : at + 3] for word in words for at in range(max(1, len(word) - 2)))


def _sum_squares(counts: Mapping[str, int]) -> int:
    return sum(count * count for count in counts.values())


def _cosine_of(first: tuple[float, ...], other: tuple[float, ...]) -> float:
    product = sum(a * b for a, b in zip(first, other, strict=True))
    length = math.sqrt(sum(a * a for a in first) * sum(b * b for b in other))
    return product / length if length else 0.0
