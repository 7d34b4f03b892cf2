"""Areas found by a cell that lies in them, however many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from yardkit.servers.sheets.engine.notation.references import Area, Cell

_Block = tuple[int, int, int, int]
"""2^a rows by 2^b columns: a, b, and how many blocks of this size lie above and to the left."""


class Regions:
    """Areas by the blocks that they consist of: a segment tree in two dimensions.

    A cell lies in one block of each size, and whatever holds that block holds the cell: nothing is searched.
    """

    def __init__(self) -> None:
        self._held: dict[_Block, dict[Area, None]] = {}
        self._sizes: Counter[tuple[int, int]] = Counter()

    def add(self, area: Area) -> None:
        """Take in an area that is not there yet."""
        for block in _split_blocks(area):
            if block not in self._held:
                self._held[block] = {}
                self._sizes[block[:2]] += 1
            self._held[block][area] = None

    def remove(self, area: Area) -> None:
        """Take out an area that is there."""
        for block in _split_blocks(area):
            del self._held[block][area]
            if not self._held[block]:
                del self._held[block]
                self._sizes[block[:2]] -= 1
                self._sizes += Counter()  # Sizes of no block any more are not looked for.

    def iter_around(self, cell: Cell, seen: set[_Block]) -> Iterator[Area]:
        """The areas with the cell, but those of the blocks in `seen`, to which the cell's blocks are added."""
        row, column = cell.row - 1, cell.column - 1
        for high, wide in self._sizes:
            block = (high, wide, row >> high, column >> wide)
            if block in self._held and block not in seen:
                seen.add(block)
                yield from self._held[block]


def _split_blocks(area: Area) -> Iterator[_Block]:
    across = list(_split_spans(area.left - 1, area.right))
    for high, above in _split_spans(area.top - 1, area.bottom):
        for wide, before in across:
            yield high, wide, above, before


def _split_spans(start: int, end: int) -> Iterator[tuple[int, int]]:
    """The fewest spans of 2^n numbers, each from a multiple of its length on, that fill the numbers before `end`."""
    while start < end:
        level = (end - start).bit_length() - 1  # The longest that still ends in time ...
        if start:
            level = min(level, (start & -start).bit_length() - 1)  # ... and begins at a multiple of its length.
        yield level, start >> level
        start += 1 << level
