"""The order in which regions of a page are read: from top to bottom, and column by column where there are columns.

Source: G. Nagy, S. Seth, "Hierarchical representation of optically scanned documents" (XY cut), 1984.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from yardkit.models.embedded.boxes import Box

Some = TypeVar("Some")
_OVERLAP = 0.12
"""Of the lower one, by which two regions that follow each other may overlap, since boxes of a model are not exact."""


def in_order(items: Sequence[Some], box: Callable[[Some], Box]) -> list[Some]:
    """Items in reading order.

    Args:
        items: in any order.
        box: gives [x_min, y_min, x_max, y_max] of one.
    """
    if len(items) < 2:
        return list(items)
    for axis in (1, 0):
        groups = _group_by_gaps(items, box, axis)
        if len(groups) > 1:
            return [item for group in groups for item in in_order(group, box)]
    return sorted(items, key=lambda item: (box(item)[1], box(item)[0]))


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
