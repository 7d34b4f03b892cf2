"""The similarity of two texts: by an embedding model if one is configured, else by their words."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from yardkit.models.service import find_service
from yardkit.sandbox.gta.answers import Similarity
from yardkit.world import Problem

_WORD = re.compile(r"\w+")
LEXICAL = "words and parts of words (no model for embeddings; set YARDKIT_EMBEDDINGS_URL)"


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
