"""Values that are shown and not said: objects to count, formulas to read. The server `lore` draws them."""

import random
from typing import Any, Literal

from toolyard.state_init.weaving.documents import Shown
from toolyard.state_init.weaving.operators import Kind, Value, random_value

Variant = Literal["standard", "hard"]
MOST_COUNTED = 24
SHAPES = ("circle", "square", "triangle", "diamond", "hexagon")
COLOURS = ("red", "green", "blue", "yellow", "cyan", "magenta", "orange", "black")
_LEAST_COUNTED = 3
_CELL_PX, _COLUMNS, _ROWS = 64, 10, 7
_RADII_PX = (16, 26)
_COUNTED, _FORMULAS = 0.35, 0.5
"""How many of the numbers are counts, and how many of the others formulas."""


def leaf_value(kind: Kind, rng: random.Random) -> Value:
    """A value that a document may hold: some of the numbers are small enough to be counted."""
    if kind == "number" and rng.random() < _COUNTED:
        return rng.randint(_LEAST_COUNTED, MOST_COUNTED)
    return random_value(kind, rng)


class Pictures:
    """Shows numbers: counts as objects, some of the others as formulas, the rest in words."""

    def __init__(self, variant: Variant, rng: random.Random) -> None:
        self._hard = variant == "hard"
        self._rng = rng

    def show(self, variable: int, value: Any, sentence: str) -> Shown:
        """What the document of a variable holds; see `toolyard.state_init.weaving.documents.Show`."""
        if _LEAST_COUNTED <= value <= MOST_COUNTED:
            return self._count(variable, value)
        if self._rng.random() < _FORMULAS:
            return self._formula(variable, value)
        return {"text": sentence}

    def _count(self, variable: int, value: int) -> Shown:
        """Objects of one kind; in the hard variant among others, of which each shares its shape or its colour."""
        rng = self._rng
        shape, colour = rng.choice(SHAPES), rng.choice(COLOURS)
        kinds = [(shape, colour)] * value
        if self._hard:
            others = [(shape, name) for name in COLOURS if name != colour]
            others += [(name, colour) for name in SHAPES if name != shape]
            kinds += rng.choices(others, k=rng.randint(10, _COLUMNS * _ROWS - MOST_COUNTED - 6))
        what = f"{colour} {shape}s" if self._hard else "objects"
        return {
            "text": f"v{variable} is the number of {what} in the picture.",
            "picture": {"objects": self._placed(kinds), "size": [_CELL_PX * _COLUMNS, _CELL_PX * _ROWS]},
        }

    def _placed(self, kinds: list[tuple[str, str]]) -> list[list[Any]]:
        """Each object in a cell of its own, so that none touches another."""
        cells = self._rng.sample(range(_COLUMNS * _ROWS), len(kinds))
        return [self._object(shape, colour, cell) for (shape, colour), cell in zip(kinds, cells, strict=True)]

    def _object(self, shape: str, colour: str, cell: int) -> list[Any]:
        rng = self._rng
        radius = rng.randint(*_RADII_PX)
        free = _CELL_PX // 2 - radius - 3
        x, y = (_CELL_PX * place + _CELL_PX // 2 + rng.randint(-free, free) for place in divmod(cell, _ROWS))
        return [shape, colour, x, y, radius]

    def _formula(self, variable: int, value: int) -> Shown:
        text = f"v{variable} = {formula(value, self._rng)}"
        changes = self._changes() if self._hard else []
        picture = {"formula": text, **({"changes": changes} if changes else {})}
        return {"text": f"v{variable} is the value of the formula in the picture.", "picture": picture}

    def _changes(self) -> list[list[Any]]:
        """One to three changes, no two of a kind: stretched and sheared first, so that it stays legible."""
        rng = self._rng
        every: list[list[Any]] = [
            ["stretch", rng.randint(7, 20) / 10, rng.randint(7, 18) / 10],
            ["shear", rng.choice((-4, -3, -2, 2, 3, 4)) / 10],
            ["flip", rng.choice(("horizontal", "vertical"))],
            ["rotate", 5 * rng.randint(2, 70)],
        ]
        kept = sorted(rng.sample(range(len(every)), rng.randint(1, 3)))
        return [every[place] for place in kept]


def formula(value: int, rng: random.Random) -> str:
    """An expression of that value: + - and the sign for times, with parentheses now and then."""
    first, second = rng.randint(2, 99), rng.randint(2, 99)
    if rng.random() < 1 / 3:
        return _ended(f"{first} \u00d7 {second}", value - first * second)
    third = rng.randint(2, 99)
    if rng.random() < 1 / 2:
        return _ended(f"{first} \u00d7 ({second} + {third})", value - first * (second + third))
    return _ended(f"{first * second}", value - first * second)


def _ended(expression: str, rest: int) -> str:
    return f"{expression} {'-' if rest < 0 else '+'} {abs(rest)}"
