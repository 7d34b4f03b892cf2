"""Parts of speech by an averaged perceptron, since `read` sounds different in the present and in the past."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

_BEFORE, _AFTER = ("-START2-", "-START-"), ("-END-", "-END2-")


def tag_words(words: Sequence[str], model: Mapping[str, Any]) -> list[str]:
    """Tag each word of a sentence (Penn Treebank), from left to right.

    Args:
        words: the words and punctuation.
        model: ``tagdict`` of words with one tag, ``vocab``, ``weights`` of features, ``tags``.
    """
    around = [*_BEFORE, *(_normalize_word(word, model["vocab"]) for word in words), *_AFTER]
    tags = list(_BEFORE)
    for place, word in enumerate(words):
        tags.append(model["tagdict"].get(word) or _choose_tag(_list_features(place, word, around, tags), model))
    return tags[len(_BEFORE) :]


def _choose_tag(features: Sequence[str], model: Mapping[str, Any]) -> str:
    scores: Counter[str] = Counter()
    for feature in features:
        scores.update(model["weights"].get(feature, {}))
    return max(model["tags"], key=lambda tag: (scores[tag], tag)) if scores else "NN"


def _list_features(place: int, word: str, around: Sequence[str], tags: Sequence[str]) -> list[str]:
    here = place + len(_BEFORE)
    before, two_before = tags[-1], tags[-2]
    return [
        "b",
        f"s3={word[-3:]}",
        f"p1={word[0]}",
        f"w={around[here]}",
        f"sh={_classify_shape(word)}",
        "i+" if place else "i0",
        f"t-1={before}",
        f"t-2={two_before}",
        f"t-12={before},{two_before}",
        f"w-1={around[here - 1]}",
        f"s3-1={around[here - 1][-3:]}",
        f"w-2={around[here - 2]}",
        f"w+1={around[here + 1]}",
        f"s3+1={around[here + 1][-3:]}",
        f"w+2={around[here + 2]}",
    ]


def _normalize_word(word: str, vocabulary: Mapping[str, Any]) -> str:
    known = "!HYPHEN" if "-" in word[1:] else word.lower()
    return known if known in vocabulary else f"<{_classify_shape(word)}>"


def _classify_shape(word: str) -> str:
    if not word.isalpha():
        return "".join("x" if letter.isalpha() else letter for letter in word[:4])
    if word.islower():
        return "x"
    if word.isupper():
        return "XX" if len(word) > 1 else "X1"
    return "Xx" if word[1:].islower() else "xX"
