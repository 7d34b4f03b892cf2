"""The words of cells: those of PDFium, cut where they run over the side of a cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from yardkit.servers.pdf.engine.reading.reading_order import lines_of
from yardkit.servers.pdf.engine.reading.words import Word
from yardkit.world.boxes import Box

_BAND = 24
"""Height in points of the bands by which the cells at a place are found."""


class CellTexts:
    """The texts of the cells of a table; a word that runs over the side of a cell is cut if there is a rule.

    Spaces are where the words stand apart, whether the file has glyphs for them or not, and what is struck twice to
    look bold is there once.
    """

    def __init__(self, words: list[Word], cells: list[Box], *, ruled: bool) -> None:
        self._bands: dict[int, list[Box]] = defaultdict(list)
        for cell in cells:
            for band in range(int(cell[1] // _BAND), int(cell[3] // _BAND) + 1):
                self._bands[band].append(cell)
        self._held: dict[Box, list[Word]] = defaultdict(list)
        for word in words:
            full_cell = None if ruled else self._cell_at(word.box)
            for cell, part in self._split_word(word) if ruled else [(full_cell, word)] if full_cell else []:
                self._held[cell].append(part)

    def read_cell(self, cell: Box) -> str:
        """The text of a cell, a line a line."""
        lines = lines_of(self._held.get(cell, []))
        return "\n".join(line.text.replace("\t", " ") for line in lines).strip()

    def _split_word(self, word: Word) -> Iterator[tuple[Box, Word]]:
        start = 0
        owners = [self._cell_at(box) for box in word.chars]
        for at in range(1, len(owners) + 1):
            if at == len(owners) or owners[at] != owners[start]:
                cell = owners[start]
                if cell is not None:
                    yield cell, _cut_word(word, start, at)
                start = at

    def _cell_at(self, char: Box) -> Box | None:
        x, y = (char[0] + char[2]) / 2, (char[1] + char[3]) / 2
        near = self._bands.get(int(y // _BAND), ())
        return next((cell for cell in near if cell[0] <= x <= cell[2] and cell[1] <= y <= cell[3]), None)


def _cut_word(word: Word, start: int, end: int) -> Word:
    if end - start == len(word.chars):
        return word
    boxes = word.chars[start:end]
    outer_box = (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
    return Word(word.text[start:end], outer_box, boxes, word.turn)
