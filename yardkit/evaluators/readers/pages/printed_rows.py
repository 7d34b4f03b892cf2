"""The words of a PDF page as rows from left to right, and words that are off the paper or overlap."""

from itertools import combinations

from yardkit.evaluators.readers.pages.pdf import Box, Page, Word

ROW_PT = 5.0
"""How far apart the middles of words in one row are at most."""


def find_rows(page: Page) -> list[list[Word]]:
    """Group the words into rows from the top, each from left to right across all columns."""
    rows: list[list[Word]] = []
    for word in sorted(page.words, key=_compute_middle):
        if rows and abs(_compute_middle(word) - _compute_middle(rows[-1][0])) < ROW_PT:
            rows[-1].append(word)
        else:
            rows.append([word])
    return [sorted(row, key=lambda word: word.box[0]) for row in rows]


def _compute_middle(word: Word) -> float:
    return (word.box[1] + word.box[3]) / 2


def row_text(row: list[Word]) -> str:
    """Join the words of a row with single spaces."""
    return " ".join(word.text for word in row)


def find_beyond(page: Page, margin_pt: float) -> list[str]:
    """Find the words that are nearer to the edge of the page than a margin."""
    edges = (margin_pt, margin_pt, page.width - margin_pt, page.height - margin_pt)
    return [word.text for word in page.words if not _is_within(word.box, edges)]


def find_collisions(page: Page) -> list[tuple[str, str]]:
    """Find pairs of overlapping words."""
    return [
        (first_word.text, other.text)
        for first_word, other in combinations(page.words, 2)
        if _boxes_overlap(first_word.box, other.box)
    ]


def _is_within(box: Box, edges: Box) -> bool:
    return box[0] >= edges[0] and box[1] >= edges[1] and box[2] <= edges[2] and box[3] <= edges[3]


def _boxes_overlap(first: Box, other: Box) -> bool:
    wide = min(first[2], other[2]) - max(first[0], other[0])
    high = min(first[3], other[3]) - max(first[1], other[1])
    return wide > 1 and high > 1
