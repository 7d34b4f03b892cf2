"""Tables with ruled lines: their grid and its cells, by the lines alone. To be called in `run_apart`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from yardkit.world.boxes import Box

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LEAST_LINE = 0.02
"""Length of a line in the longer side of the page."""
_LEAST_PX = 16
_JOIN = 6
_AROUND_PX, _CONTRAST, _HALF = 31, 10, 110
"""Side of the square whose median is the ground of its middle, and steps of 255 by which ink differs from it."""
_LONG_LINE = 0.1
"""Length of a line in the longer side of the page, by which its skew is measured."""
_LEAST_SKEW, _MAX_SKEW = 0.25, 10
_RULED = 0.7
"""Share of the side of a cell along which its line is seen."""


@dataclass(frozen=True)
class Cell:
    """A cell: row and column from 0, how many it spans, and its box [x_min, y_min, x_max, y_max] in pixels."""

    row: int
    column: int
    rows: int
    columns: int
    box: tuple[int, int, int, int]


@dataclass(frozen=True)
class RuledTable:
    """A table: its box in pixels, how many rows and columns, and its cells, row by row."""

    box: tuple[int, int, int, int]
    rows: int
    columns: int
    cells: tuple[Cell, ...]


def ruled_tables(pixels: "NDArray[np.uint8]") -> tuple[list[RuledTable], float]:
    """Tables of a page (height, width, 3) whose cells lines part, from top to bottom, and its skew in degrees."""
    import cv2
    import numpy as np

    ink = _find_ink(pixels)
    skew = _measure_skew(ink)
    if not skew:
        return _find_tables(ink), 0.0
    height, width = ink.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), skew, 1)
    straight = cv2.warpAffine(ink * 255, matrix, (width, height), flags=cv2.INTER_LINEAR) > _HALF
    back = np.vstack([cv2.invertAffineTransform(matrix)])

    def unturn(box: Box) -> Box:
        corners = np.array([[x, y, 1] for x in box[::2] for y in box[1::2]]) @ back.T
        (left, top), (right, bottom) = corners.min(0).clip(0), corners.max(0)
        return float(left), float(top), min(float(right), width), min(float(bottom), height)

    return [move_table(table, unturn) for table in _find_tables(straight.astype(np.uint8))], skew


def move_table(table: RuledTable, move: Callable[[Box], Box]) -> RuledTable:
    """A table whose boxes are moved."""
    cells = tuple(replace(cell, box=_round_box(move(cell.box))) for cell in table.cells)
    return replace(table, box=_round_box(move(table.box)), cells=cells)


def _round_box(box: Box) -> tuple[int, int, int, int]:
    left, top, right, bottom = (round(edge) for edge in box)
    return left, top, right, bottom


def _find_tables(ink: "NDArray[np.uint8]") -> list[RuledTable]:
    import cv2
    import numpy as np

    length = max(_LEAST_PX, int(_LEAST_LINE * max(ink.shape)))
    across = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((1, length), np.uint8))
    down = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((length, 1), np.uint8))
    joined = cv2.dilate(across | down, np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    tables = []
    for number in range(1, count):
        left, top, width, height, _ = (int(value) for value in stats[number])
        if min(width, height) < 2 * _LEAST_PX:
            continue
        part = slice(top, top + height), slice(left, left + width)
        table = _build_table(across[part], down[part], left, top)
        if table and len(table.cells) >= max(2, table.rows, table.columns):  # else some lines part nothing: a picture
            tables.append(table)
    return sorted(tables, key=lambda table: (table.box[1], table.box[0]))


def _find_ink(pixels: "NDArray[np.uint8]") -> "NDArray[np.uint8]":
    """1 where a page is darker or lighter than what is around, as lines and letters are: also on dark ground."""
    import cv2
    import numpy as np

    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    away = cv2.absdiff(grey, cv2.medianBlur(grey, _AROUND_PX))
    return np.asarray(away > _CONTRAST, np.uint8)


def _measure_skew(ink: "NDArray[np.uint8]") -> float:
    """By how many degrees lines fall to the right; 0 where that is too little to matter or there are no lines."""
    import cv2
    import numpy as np

    least = int(_LONG_LINE * max(ink.shape))
    lines = cv2.HoughLinesP(ink * 255, 1, np.pi / 1800, least, minLineLength=least, maxLineGap=3)
    if lines is None:
        return 0.0
    x1, y1, x2, y2 = np.asarray(lines, float).reshape(-1, 4).T
    degrees = np.degrees(np.arctan2(y2 - y1, x2 - x1))
    degrees = degrees[abs(degrees) < _MAX_SKEW]
    skew = float(np.median(degrees)) if len(degrees) else 0.0
    return round(skew, 2) if abs(skew) >= _LEAST_SKEW else 0.0


def _build_table(across: "NDArray[np.uint8]", down: "NDArray[np.uint8]", left: int, top: int) -> RuledTable | None:
    """The grid of a group of lines; None where they are no grid."""
    rows, columns = (
        _find_line_positions(across.sum(1), across.shape[1]),
        _find_line_positions(down.sum(0), down.shape[0]),
    )
    if len(rows) < 2 or len(columns) < 2:
        return None
    cells = _list_cells(rows, columns, across, down)
    box = (left + columns[0], top + rows[0], left + columns[-1], top + rows[-1])
    moved = [Cell(*_get_span(cell), (cell[4] + left, cell[5] + top, cell[6] + left, cell[7] + top)) for cell in cells]
    return RuledTable(box, len(rows) - 1, len(columns) - 1, tuple(moved))


def _get_span(cell: Sequence[int]) -> tuple[int, int, int, int]:
    return cell[0], cell[1], cell[2], cell[3]


def _find_line_positions(lengths: "NDArray[Any]", full_length: int) -> list[int]:
    """The middles of lines, by how much ink each row or column of pixels has."""
    import numpy as np

    places = np.flatnonzero(lengths >= max(_LEAST_PX, 0.1 * full_length))
    groups = np.split(places, np.flatnonzero(np.diff(places) > _JOIN) + 1) if len(places) else []
    return [int(group.mean()) for group in groups]


def _list_cells(
    rows: list[int], columns: list[int], across: "NDArray[np.uint8]", down: "NDArray[np.uint8]"
) -> list[tuple[int, int, int, int, int, int, int, int]]:
    """Cells of a grid: row, column, spans, box. Neighbours that no line parts are one cell."""
    taken: set[tuple[int, int]] = set()
    cells = []
    for row in range(len(rows) - 1):
        for column in range(len(columns) - 1):
            if (row, column) in taken:
                continue
            wide = 1
            while column + wide < len(columns) - 1 and not _is_ruled(
                down[rows[row] : rows[row + 1]].T, columns[column + wide]
            ):
                wide += 1
            tall = 1
            while row + tall < len(rows) - 1 and not _is_ruled(
                across[:, columns[column] : columns[column + wide]], rows[row + tall]
            ):
                tall += 1
            taken |= {(row + row_offset, column + other) for row_offset in range(tall) for other in range(wide)}
            box = (columns[column], rows[row], columns[column + wide], rows[row + tall])
            cells.append((row, column, tall, wide, *box))
    return cells


def _is_ruled(lines: "NDArray[np.uint8]", place: int) -> bool:
    """Whether a line is seen at a place of the first axis along most of the second."""
    near = lines[max(0, place - _JOIN // 2) : place + _JOIN // 2 + 1]
    return bool(near.size and near.any(0).mean() >= _RULED)
