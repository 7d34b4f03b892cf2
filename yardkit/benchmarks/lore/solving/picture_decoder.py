"""Reading the pictures of documents from their pixels alone: objects are counted, formulas set upright and read.

An exact decoder for what these tasks show, written for their proofs; it knows the bundled font and nothing of how a
picture was made.
"""

from __future__ import annotations

import ast
import io
import itertools
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from yardkit.world.fonts import font_file

SIGNS = "v0123456789=+-\u00d7() "
_FONT_PX, _MARGIN = 40, 16
_CELL = (24, _FONT_PX + 2 * _MARGIN)
_MOST_SIGNS, _LEAST_SIGNS, _LIKELY = 34, 8, 8
_LEAST_SIGNS_OF_RULES = 7
_RULE = re.compile(r"v\d+(?: \+ v\d+)+|v\d+(?: - v\d+)+")
_WHITE, _INK, _SIDE_PX = 250, 120, 3
_COLOURS = {
    "red": (214, 39, 40), "green": (44, 140, 44), "blue": (31, 90, 200), "yellow": (240, 200, 0),
    "cyan": (0, 190, 200), "magenta": (200, 50, 170), "orange": (255, 127, 14), "black": (20, 20, 20),
}  # fmt: skip
_SHAPES = {
    "circle": (0.785, 1.0),
    "square": (1.0, 1.0),
    "diamond": (0.5, 0.6),
    "triangle": (0.5, 1.155),
    "hexagon": (0.75, 1.155),
}
"""How much of its box an object fills, and how much wider than high the box is."""
_OPERATIONS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


class Illegible(Exception):
    """No formula can be read in the picture."""


def count_objects(picture: bytes, what: str) -> int:
    """How many objects of a kind a picture shows: ``objects``, or a colour and a shape such as ``cyan circles``."""
    picture_objects = list(_find_objects(_load_pixels(picture)))
    return len(picture_objects) if what == "objects" else picture_objects.count(what.removesuffix("s"))


def formula_value(picture: bytes, variable: str) -> int:
    """The value of the formula ``v<variable> = ...`` in a picture.

    Raises:
        Illegible: there is none.
    """
    pattern = re.compile(rf"v{variable} = ([0-9+\-\u00d7() ]+)")
    readings = _read_card(picture, _LEAST_SIGNS)
    for text in readings:
        match = pattern.fullmatch(text)
        value = None if match is None else evaluate_formula(match[1])
        if value is not None:
            return value
    raise Illegible(f"the best reading is {readings[0]!r}")


def read_rule(picture: bytes) -> str:
    """The sum or difference of variables in a picture, such as ``v6 - v4 - v5``.

    Raises:
        Illegible: there is none.
    """
    readings = _read_card(picture, _LEAST_SIGNS_OF_RULES)
    for text in readings:
        if _RULE.fullmatch(text):
            return text
    raise Illegible(f"the best reading is {readings[0]!r}")


def _read_card(picture: bytes, least_signs: int) -> list[str]:
    """What the card in a picture may say, the best reading first."""
    views = list(_list_views(*_find_card(_load_pixels(picture))))
    # Every way to see the card at half the size, and the likely ones at the whole size.
    every = itertools.product(range(len(views)), range(least_signs, _MOST_SIGNS))
    likely = sorted(every, key=lambda way: -_read_view(views[way[0]], way[1], 2)[0])[:_LIKELY]
    readings = sorted((_read_view(views[view], count, 1) for view, count in likely), reverse=True)
    return [text.strip() for _, text in readings]


def evaluate_formula(expression: str) -> int | None:
    """The value of a formula of whole numbers; None if it is none."""
    try:
        return _evaluate_node(ast.parse(expression.replace("\u00d7", "*").strip(), mode="eval").body)
    except (SyntaxError, KeyError, TypeError):
        return None


def _evaluate_node(node: ast.expr) -> int:
    if isinstance(node, ast.BinOp):
        return _OPERATIONS[type(node.op)](_evaluate_node(node.left), _evaluate_node(node.right))
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    raise TypeError(node)


def _load_pixels(picture: bytes) -> Any:
    """RGB, rows by columns by 3."""
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        return np.asarray(image.convert("RGB"))


def _find_objects(pixels: Any) -> Iterator[str]:
    """Colour and shape of each object."""
    import cv2
    import numpy as np

    count, labels, boxes, _ = cv2.connectedComponentsWithStats((pixels.min(axis=2) < _WHITE).astype(np.uint8))
    for number in range(1, count):
        left, top, width, height, area = boxes[number]
        part = labels[top : top + height, left : left + width] == number
        colour = np.median(pixels[top : top + height, left : left + width][part], axis=0)
        yield f"{_nearest_colour(colour)} {_nearest_shape(area / (width * height), width / height)}"


def _nearest_colour(rgb: Any) -> str:
    return min(_COLOURS, key=lambda name: sum((int(a) - b) ** 2 for a, b in zip(rgb, _COLOURS[name], strict=True)))


def _nearest_shape(fill: float, ratio: float) -> str:
    return min(_SHAPES, key=lambda name: (fill - _SHAPES[name][0]) ** 2 + (ratio - _SHAPES[name][1]) ** 2)


def _find_card(pixels: Any) -> tuple[Any, Any]:
    """The picture in grey, and the corners of the card on it, around it."""
    import cv2
    import numpy as np

    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    mask = (pixels[:, :, 0] < _WHITE).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        raise Illegible("the picture is empty")
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    for tolerance in (0.01, 0.02, 0.03, 0.05, 0.08):
        corners = cv2.approxPolyDP(hull, tolerance * cv2.arcLength(hull, closed=True), closed=True)
        if len(corners) <= 4:
            break
    if len(corners) != 4:
        raise Illegible("the picture shows no card with four corners")
    points = max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float32)
    return grey, _sharpen_corners(corners.reshape(4, 2).astype(np.float32), points)


def _sharpen_corners(corners: Any, edge: Any) -> Any:
    """The corners as the crossings of straight lines through the points of each side: finer than a pixel."""
    import cv2
    import numpy as np

    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        place = (edge - start) @ along / np.linalg.norm(end - start)
        distances = np.abs((edge - start) @ np.array([-along[1], along[0]]))
        side = edge[(distances < _SIDE_PX) & (place > 0.1) & (place < 0.9)]
        x, y, at_x, at_y = cv2.fitLine(side, cv2.DIST_L2, 0, 0.01, 0.01).ravel()
        lines.append((y, -x, y * at_x - x * at_y))
    crossings = [
        np.linalg.solve([first[:2], two[:2]], [first[2], two[2]])
        for first, two in zip(lines[-1:] + lines, lines, strict=False)
    ]
    return np.array(crossings, np.float32)


def _list_views(grey: Any, corners: Any) -> Iterator[Any]:
    """The card set upright in each of the eight ways that turning and mirroring allow, 34 signs wide."""
    import cv2
    import numpy as np

    width, height = _CELL[0] * _MOST_SIGNS, _CELL[1]
    onto = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    for way in (corners, corners[::-1]):
        for first in range(4):
            matrix = cv2.getPerspectiveTransform(np.roll(way, first, axis=0), onto)
            yield cv2.warpPerspective(grey, matrix, (width, height), flags=cv2.INTER_AREA)


def _read_view(view: Any, count: int, part: int) -> tuple[float, str]:
    """How well the signs fit, and which they are, if an upright card holds `count`; seen at one `part` of the size."""
    import cv2
    import numpy as np

    templates = _draw_templates(part)
    width, height, margin = _CELL[0] // part, _CELL[1] // part, _MARGIN // part
    card = cv2.resize(view, (count * width + 2 * margin, height), interpolation=cv2.INTER_AREA)
    cells = card[:, margin : margin + count * width].reshape(height, count, width).swapaxes(0, 1).reshape(count, -1)
    fits = _normalize_rows(cells.astype(np.float32)) @ templates.T
    fits[:, -1] = np.where(cells.min(axis=1) > _INK, 1.0, -1.0)
    return float(fits.max(axis=1).mean()), "".join(SIGNS[place] for place in fits.argmax(axis=1))


@cache
def _draw_templates(part: int) -> Any:
    """Each sign as it is drawn in its cell, normalised; the last is the space."""
    import numpy as np
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype(str(font_file("DejaVu Sans Mono")), _FONT_PX)
    drawn = []
    for sign in SIGNS:
        image = Image.new("L", _CELL, 238)
        ImageDraw.Draw(image).text((0, _CELL[1] // 2), sign, fill=25, font=font, anchor="lm")
        drawn.append(np.asarray(image.reduce(part), np.float32).ravel())
    return _normalize_rows(np.stack(drawn))


def _normalize_rows(rows: Any) -> Any:
    import numpy as np

    centred = rows - rows.mean(axis=1, keepdims=True)
    return centred / (np.linalg.norm(centred, axis=1, keepdims=True) + 1e-6)
