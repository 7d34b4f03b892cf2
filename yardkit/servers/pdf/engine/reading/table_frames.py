"""Boxes that touch a ruled table and are no row of it: frames and grounds of texts above or below."""

from __future__ import annotations

from typing import Any

_SNAP = 3.5
"""How far apart edges may be that pdfplumber takes for one, and a little more."""
_SEPARATION = 0.6
_OTHER_WIDTH = 1.5
_GROUND = 3.0
"""What a filled rectangle measures at least in both directions: less is a rule."""
_LINES = 3
"""Lines of text in a ground from which on it is no heading of the table."""

Cell = tuple[float, float, float, float]


def without_grounds(page: Any) -> Any:
    """The page of pdfplumber without grounds that lie in cells which rules close: they are no cells of their own.

    Word fills the inner part of a cell between its margins, below all of its text. Where several lie side by side in
    what looks like a cell, it is a frame, and the grounds are the cells.
    """
    grounds = [rect for rect in page.rects if _is_ground(rect)]
    if not grounds:
        return page
    names = set(map(id, grounds))
    cells = [cell for table in page.filter(lambda thing: id(thing) not in names).find_tables() for cell in table.cells]
    inner: set[int] = set()
    for cell in cells:
        inner_grounds = [rect for rect in grounds if _lies_in(rect, cell)]
        stacked = inner_grounds and max(rect["x0"] for rect in inner_grounds) < min(
            rect["x1"] for rect in inner_grounds
        )
        if stacked and not _has_more_text(page, cell, inner_grounds):
            inner |= set(map(id, inner_grounds))
    return page.filter(lambda thing: id(thing) not in inner) if inner else page


def _has_more_text(page: Any, cell: Cell, grounds: list[dict[str, Any]]) -> bool:
    """Whether a cell has letters beside its grounds."""
    boxes = [(rect["x0"], rect["top"], rect["x1"], rect["bottom"]) for rect in grounds]
    letters = (char for char in page.chars if not char["text"].isspace())
    middles = (((char["x0"] + char["x1"]) / 2, (char["top"] + char["bottom"]) / 2) for char in letters)
    return any(_contains_point(cell, x, y) and not any(_contains_point(box, x, y) for box in boxes) for x, y in middles)


def _contains_point(box: Cell, x: float, y: float) -> bool:
    return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])


def _is_ground(rect: dict[str, Any]) -> bool:
    return bool(rect["fill"] and not rect["stroke"] and min(rect["width"], rect["height"]) >= _GROUND)


def _lies_in(rect: dict[str, Any], cell: Cell) -> bool:
    left, top, right, bottom = cell
    across = rect["x0"] > left - _OTHER_WIDTH and rect["x1"] < right + _OTHER_WIDTH
    return bool(across and rect["top"] > top - _OTHER_WIDTH and rect["bottom"] < bottom + _OTHER_WIDTH)


def without_boxes(page: Any, table: Any) -> Any:
    """The table of pdfplumber without boxes at its ends that stand apart.

    Such a row is one cell whose sides are those of a rectangle alone, while the cells of the table are closed by other
    rules; and the rectangle is seen to be no row: it has a line of its own around it, another width, a gap, or a text
    of several lines.
    """
    from pdfplumber.table import Table

    while len(table.rows) > 1:
        rows = [[cell for cell in row.cells if cell] for row in table.rows]
        ends = ((rows[0], rows[1], rows[1:]), (rows[-1], rows[-2], rows[:-1]))
        remaining_start = next(
            (rest for end, near, rest in ends if len(end) == 1 < len(near) and _is_separate(page, end[0], near, rest)),
            None,
        )
        if remaining_start is None:
            return table
        table = Table(page, [cell for row in remaining_start for cell in row])
    return table


def _is_separate(page: Any, cell: Cell, near: list[Cell], rest: list[list[Cell]]) -> bool:
    boxes = _list_own_rectangles(page, cell)
    if not boxes or any(_list_own_rectangles(page, pair) for pair in near):
        return False
    others = [pair for row in rest for pair in row]
    left, right = min(other[0] for other in others), max(other[2] for other in others)
    wide = any(abs(box["x0"] - left) > _OTHER_WIDTH or abs(box["x1"] - right) > _OTHER_WIDTH for box in boxes)
    return (
        wide
        or any(box["stroke"] for box in boxes)
        or _has_gap(page, boxes, others)
        or _count_lines(page, cell) >= _LINES
    )


def _list_own_rectangles(page: Any, cell: Cell) -> list[dict[str, Any]]:
    """The rectangles that are the cell, if nothing else gives it its sides."""
    matching_rectangles = [rect for rect in page.rects if _is_same_box(rect, cell)]
    middle = (cell[1] + cell[3]) / 2
    sides = [
        edge["x0"]
        for edge in (page.edges if matching_rectangles else ())
        if edge["orientation"] == "v"
        and edge["top"] < middle < edge["bottom"]
        and not _is_side_of_rectangle(edge, matching_rectangles)
    ]
    closed = all(any(abs(x - side) < _SNAP for side in sides) for x in (cell[0], cell[2]))
    return [] if closed else matching_rectangles


def _is_same_box(rect: dict[str, Any], cell: Cell) -> bool:
    sides = (rect["x0"], rect["top"], rect["x1"], rect["bottom"])
    return all(abs(rect_side - two) < _SNAP for rect_side, two in zip(sides, cell, strict=True))


def _is_side_of_rectangle(edge: dict[str, Any], boxes: list[dict[str, Any]]) -> bool:
    """Whether an edge is a side of one of the rectangles; a line of its own in the same place is none."""
    return edge["object_type"] == "rect_edge" and any(
        edge["top"] == box["top"] and edge["bottom"] == box["bottom"] and box["x0"] <= edge["x0"] <= box["x1"]
        for box in boxes
    )


def _has_gap(page: Any, boxes: list[dict[str, Any]], others: list[Cell]) -> bool:
    """Whether paper is seen between the rectangles and the nearest rule of the table."""
    above = boxes[0]["top"] < min(other[1] for other in others)
    side = "bottom" if above else "top"
    at = [box[side] for box in boxes]
    rules = [
        edge["top"]
        for edge in page.edges
        if edge["orientation"] == "h" and not (edge["object_type"] == "rect_edge" and edge["top"] in at)
    ]
    return all(abs(rule - y) > _SEPARATION for rule in rules for y in at)


def _count_lines(page: Any, cell: Cell) -> int:
    left, top, right, bottom = cell
    inside = page.within_bbox((left, top, right, bottom), strict=False)
    return len(inside.extract_text_lines(return_chars=False))
