"""The order in which regions of a page are read: from top to bottom, and column by column where there are columns.

Source: G. Nagy, S. Seth, "Hierarchical representation of optically scanned documents" (XY cut), 1984; with rows whose
columns go on below them kept together, since paragraphs of two columns often end at the same height.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from yardkit.world.boxes import Box

Some = TypeVar("Some")
_OVERLAP = 0.12
"""Of the lower one, by which two regions that follow each other may overlap, since boxes of a model are not exact."""
_NARROW = 0.6
"""Width of a column of side headings, in that of the text beside it."""


def in_order(
    items: Sequence[Some], box: Callable[[Some], Box], stands_alone: Callable[[Some], bool] = lambda _: False
) -> list[Some]:
    """Items in reading order.

    Args:
        items: in any order.
        box: gives [x_min, y_min, x_max, y_max] of one.
        stands_alone: whether one is over or under all columns if nothing is beside it, as a title or a page number.
    """
    if len(items) < 2:
        return list(items)
    rows = _group_by_gaps(items, box, 1)
    if len(rows) > 1:
        blocks = _join_columns(rows, box, stands_alone)
        return [item for block in blocks for item in _order_block(block, box, stands_alone)]
    columns = _group_by_gaps(items, box, 0)
    if len(columns) > 1:
        return [item for column in columns for item in in_order(column, box, stands_alone)]
    return sorted(items, key=lambda item: (box(item)[1], box(item)[0]))


def _order_block(
    rows: list[list[Some]], box: Callable[[Some], Box], stands_alone: Callable[[Some], bool]
) -> list[Some]:
    """Rows that share their columns, column by column; a single row as it is."""
    items = [item for row in rows for item in row]
    columns = [items] if len(rows) == 1 else _group_by_gaps(items, box, 0)
    return [item for column in columns for item in in_order(column, box, stands_alone)]


def _join_columns(
    rows: list[list[Some]], box: Callable[[Some], Box], stands_alone: Callable[[Some], bool]
) -> list[list[list[Some]]]:
    """Rows in blocks of those that follow each other and have the same columns."""
    blocks: list[list[list[Some]]] = []
    for row in rows:
        if blocks and not all(map(stands_alone, row)) and _go_on([*blocks[-1], row], box, stands_alone):
            blocks[-1].append(row)
        else:
            blocks.append([row])
    return blocks


def _go_on(rows: list[list[Some]], box: Callable[[Some], Box], stands_alone: Callable[[Some], bool]) -> bool:
    """Whether the columns of the first rows go on in the last one."""
    if all(map(stands_alone, rows[0])) or len(rows[0]) == 1:
        return False
    columns = _group_by_gaps([item for row in rows for item in row], box, 0)
    if len(columns) < 2 or len(columns) != len(_group_by_gaps(rows[0], box, 0)):
        return False
    widths = [max(box(item)[2] for item in column) - min(box(item)[0] for item in column) for column in columns]
    # Headings beside the text that they belong to are read with it.
    return widths[0] >= _NARROW * max(widths) or any(len(row) != len(columns) for row in rows)


def _group_by_gaps(items: Sequence[Some], box: Callable[[Some], Box], axis: int) -> list[list[Some]]:
    """Items in groups with a gap between them along an axis."""
    ordered = sorted(items, key=lambda item: box(item)[axis])
    groups, end = [[ordered[0]]], box(ordered[0])[axis + 2]
    for item in ordered[1:]:
        edges = box(item)
        if edges[axis] >= end - _OVERLAP * (edges[axis + 2] - edges[axis]):
            groups.append([])
        groups[-1].append(item)
        end = max(end, edges[axis + 2])
    return groups
