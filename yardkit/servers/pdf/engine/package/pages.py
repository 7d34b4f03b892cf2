"""Page expressions, and the boxes of a page."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from yardkit.kit.pages.space import Matrix, Space, visible_space
from yardkit.world import Problem
from yardkit.world.boxes import Box

_PART = re.compile(r"(?P<first>\d+|last|end)?\s*(?P<dash>-)?\s*(?P<last>\d+|last|end)?")
MAX_SELECTED = 20_000
_US_LETTER = (0.0, 0.0, 612.0, 792.0)


def select_pages(expression: str | None, count: int) -> list[int]:
    """Page numbers from 1, in the order of the expression, repeats kept; all pages when it is empty.

    Parts are divided by commas: ``3``, ``2-5``, ``5-2`` (backwards), ``8-`` (to the end), ``last``, ``odd``, ``even``,
    ``all``.

    Raises:
        Problem: a part that is none of these, or a page that the document does not have.
    """
    chosen: list[int] = []
    for part in (expression or "all").lower().split(","):
        chosen += _parse_part(part.strip(), count)
        if len(chosen) > MAX_SELECTED:
            raise Problem(f"{expression!r} selects more than {MAX_SELECTED:,} pages; select fewer")
    return chosen


def _parse_part(part: str, count: int) -> list[int]:
    sets = {"all": range(1, count + 1), "odd": range(1, count + 1, 2), "even": range(2, count + 1, 2)}
    if part in sets:
        return list(sets[part])
    part_match = _PART.fullmatch(part)
    if not part_match or not (part_match["first"] or part_match["last"]):
        raise Problem(f"{part!r} is not a valid page expression; use '3', '2-5', '8-', 'last', 'odd', or '1,4-6'")
    first = _parse_number(part_match["first"] or "1", count)
    last = _parse_number(part_match["last"] or "last", count) if part_match["dash"] else first
    for number in (first, last):
        if not 1 <= number <= count:
            raise Problem(f"page {number} does not exist; the document has pages 1 to {count}")
    return list(range(first, last + 1)) if first <= last else list(range(first, last - 1, -1))


def _parse_number(text: str, count: int) -> int:
    return count if text in ("last", "end") else int(text)


def expression_of(numbers: list[int]) -> str:
    """The shortest page expression for the numbers in their order."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def space_of(page: Any) -> Space:
    """Of a pikepdf page."""
    media = _to_numbers(page.mediabox)
    if len(media) != 4 or media[0] == media[2] or media[1] == media[3]:
        media = list(_US_LETTER)  # as PDFium does
    crop = _to_numbers(page.cropbox)
    turned = _to_numbers([page.obj.get("/Rotate", 0)])
    return visible_space(media, crop if len(crop) == 4 else media, int(turned[0]) % 360 if turned else 0)


def _to_numbers(values: Any) -> list[float]:
    """The values as numbers; what is none counts as 0, as in PDFium."""
    import pikepdf

    array_values = values if isinstance(values, pikepdf.Array | list) else []
    return [float(number) if isinstance(number, int | float | Decimal) else 0.0 for number in array_values]


def round_box(box: Any) -> list[float]:
    """A box as results show it: tenths of a point."""
    return [round(float(value), 1) for value in box]


def check_on_page(box: Any, space: Space) -> None:
    """Refuse a box that is none, or of which the page shows nothing.

    Raises:
        Problem: see above.
    """
    if len(box) != 4 or box[2] <= box[0] or box[3] <= box[1]:
        raise Problem(f"{list(box)} is not a valid box; use [x0, y0, x1, y1] in points from the top left of the page")
    if not has_overlap(box, (0, 0, space.width, space.height)):
        raise Problem(f"box {list(box)} is not on the page, which is {space.width:g} x {space.height:g} points")


def has_overlap(a: Any, b: Any) -> bool:
    """Whether two boxes share some area."""
    return bool(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])


def multiply_matrices(first: Matrix, then: Matrix) -> Matrix:
    """The matrix that applies `first`, then `then` (PDF 32000-1, 8.3.4)."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def apply_matrix(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """A point through a matrix."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def compute_bounds(matrix: Matrix, box: Any) -> Box:
    """The upright box around a box that went through a matrix."""
    corners = [apply_matrix(matrix, x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def list_dictionaries(node: Any, key: str) -> list[Any]:
    """The dictionaries in an array of a dictionary; none where a damaged file has something else there."""
    import pikepdf

    array_value = node.get(key) if isinstance(node, pikepdf.Dictionary) else None
    return (
        [entry for entry in array_value if isinstance(entry, pikepdf.Dictionary)]
        if isinstance(array_value, pikepdf.Array)
        else []
    )
