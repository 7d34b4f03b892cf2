"""Approximate search of a text in another (Sellers, "The theory and computation of evolutionary distances", 1980)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchHit:
    """`start` and `end` in the searched text, `similarity` = 1 - edit distance / length of the query."""

    start: int
    end: int
    similarity: float


def find_all(query: str, text: str, min_similarity: float) -> list[SearchHit]:
    """Places of `query` in `text` that do not overlap, best first, letter case aside."""
    needle, hay = query.casefold(), text.casefold()
    if len(needle) != len(query) or len(hay) != len(text):  # casefold can lengthen: keep positions true
        needle, hay = query.lower(), text.lower() if len(text.lower()) == len(text) else text
    ends = _best_ends(needle, hay)
    hits: list[SearchHit] = []
    for distance, start, end in sorted(ends):
        similarity = 1 - distance / max(1, len(needle))
        if similarity < min_similarity:
            break
        if all(end <= other.start or start >= other.end for other in hits):
            hits.append(SearchHit(start, end, similarity))
    return hits


def _best_ends(needle: str, hay: str) -> list[tuple[int, int, int]]:
    """(distance, start, end) of the best match that ends at each position of `hay`."""
    # A column holds for each prefix of the needle its distance and where the match began.
    column = [(size, 0) for size in range(len(needle) + 1)]
    ends = []
    for position, letter in enumerate(hay, start=1):
        above = (0, position)
        new = [above]
        for size, query_letter in enumerate(needle, start=1):
            replaced = (column[size - 1][0] + (query_letter != letter), column[size - 1][1])
            dropped = (column[size][0] + 1, column[size][1])
            added = (new[size - 1][0] + 1, new[size - 1][1])
            new.append(min(replaced, dropped, added, key=lambda entry: entry[0]))
        column = new
        ends.append((column[-1][0], column[-1][1], position))
    return [end for end in ends if end[2] > end[1]]
