"""Values that are shown and not said: objects to count, formulas to read. The server `lore` draws them."""

import random
from collections.abc import Collection, Sequence
from typing import Any, Literal

from yardkit.benchmarks.lore.generation.documents import DocumentContent
from yardkit.benchmarks.lore.generation.operators import Draw, Kind, Value, random_value
from yardkit.benchmarks.lore.generation.phrases import format_picture_rule
from yardkit.benchmarks.lore.generation.task import LoreTask

Variant = Literal["standard", "hard"]
Formula = Literal["values", "rules"]
"""What formulas in pictures are: the value of a variable, or a rule over variables that names the next document."""
FORMULAS: Sequence[Formula] = ("values", "rules")
RULES = "Some show in a picture the expression that says which document to read next."
"""What a prompt says of rules in pictures."""
MOST_COUNTED = 24
SHAPES = ("circle", "square", "triangle", "diamond", "hexagon")
COLOURS = ("red", "green", "blue", "yellow", "cyan", "magenta", "orange", "black")
_LEAST_COUNTED = 3
_CELL_PX, _COLUMNS, _ROWS = 64, 10, 7
_RADII_PX = (16, 26)
_COUNTED, _FORMULAS = 0.35, 0.5
"""How many of the numbers are counts, and how many of the others formulas."""
LONGEST_RULE = 33
"""Signs of a rule that is shown: longer ones, which have many or high numbers, could not be read in a picture."""


def leaf_value(kind: Kind, rng: random.Random, usual: Draw = random_value) -> Value:
    """A value that a document may hold: some of the numbers are small enough to be counted, the others as `usual`."""
    if kind == "number" and rng.random() < _COUNTED:
        return rng.randint(_LEAST_COUNTED, MOST_COUNTED)
    return usual(kind, rng)


def has_picture(task: LoreTask) -> bool:
    """Whether a task has a picture."""
    return any("picture" in record for record in task.records)


class Pictures:
    """Shows numbers: counts as objects, some of the others as formulas, the rest in words. Rules are formulas, too.

    Attributes:
        formulas: what is shown as formulas.
        named: the objects to count are always called by colour and shape.
    """

    def __init__(
        self, variant: Variant, rng: random.Random, formulas: Collection[Formula] = FORMULAS[:1], *, named: bool = False
    ) -> None:
        self._hard = variant == "hard"
        self._rng = rng
        self._formulas = formulas
        self._named = named or self._hard

    def show(self, variable: int, value: Any, sentence: str) -> DocumentContent:
        """What the document of a variable holds; see `yardkit.benchmarks.lore.generation.documents.Show`."""
        if _LEAST_COUNTED <= value <= MOST_COUNTED:
            return self._show_count(variable, value)
        if "values" in self._formulas and self._rng.random() < _FORMULAS:
            return self._show_formula(variable, value)
        return {"text": sentence}

    def show_rule(self, expression: str, number: int, sentence: str) -> DocumentContent:
        """What the document of a rule holds; see `yardkit.benchmarks.lore.generation.documents.ShowRule`."""
        if "rules" not in self._formulas or not 0 < len(expression) <= LONGEST_RULE:
            return {"text": sentence}
        return {"text": format_picture_rule(number, self._rng), "picture": self._make_picture(expression)}

    def _show_count(self, variable: int, value: int) -> DocumentContent:
        """Objects of one kind; in the hard variant among others, of which each shares its shape or its colour."""
        rng = self._rng
        shape, colour = rng.choice(SHAPES), rng.choice(COLOURS)
        kinds = [(shape, colour)] * value
        if self._hard:
            others = [(shape, name) for name in COLOURS if name != colour]
            others += [(name, colour) for name in SHAPES if name != shape]
            kinds += rng.choices(others, k=rng.randint(10, _COLUMNS * _ROWS - MOST_COUNTED - 6))
        what = f"{colour} {shape}s" if self._named else "objects"
        # Each object has a cell of its own, so that none touches another.
        cells = rng.sample(range(_COLUMNS * _ROWS), len(kinds))
        objects = [self._make_object(*kind, cell) for kind, cell in zip(kinds, cells, strict=True)]
        return {
            "text": f"v{variable} is the number of {what} in the picture.",
            "picture": {"objects": objects, "size": [_CELL_PX * _COLUMNS, _CELL_PX * _ROWS]},
        }

    def _make_object(self, shape: str, colour: str, cell: int) -> list[Any]:
        rng = self._rng
        radius = rng.randint(*_RADII_PX)
        free = _CELL_PX // 2 - radius - 3
        x, y = (_CELL_PX * place + _CELL_PX // 2 + rng.randint(-free, free) for place in divmod(cell, _ROWS))
        return [shape, colour, x, y, radius]

    def _show_formula(self, variable: int, value: int) -> DocumentContent:
        picture = self._make_picture(f"v{variable} = {write_formula(value, self._rng)}")
        return {"text": f"v{variable} is the value of the formula in the picture.", "picture": picture}

    def _make_picture(self, text: str) -> dict[str, Any]:
        """A formula; in the hard variant transformed."""
        return {"formula": text, **({"changes": self._choose_changes()} if self._hard else {})}

    def _choose_changes(self) -> list[list[Any]]:
        """One to three changes, no two of a kind: stretched and sheared first, so that it stays legible."""
        rng = self._rng
        every: list[list[Any]] = [
            ["stretch", rng.randint(7, 20) / 10, rng.randint(7, 18) / 10],
            ["shear", rng.choice((-4, -3, -2, 2, 3, 4)) / 10],
            ["flip", rng.choice(("horizontal", "vertical"))],
            ["rotate", 5 * rng.randint(2, 70)],
        ]
        chosen_indices = sorted(rng.sample(range(len(every)), rng.randint(1, 3)))
        return [every[place] for place in chosen_indices]


def write_formula(value: int, rng: random.Random) -> str:
    """An expression of that value: + - and the sign for times, with parentheses now and then."""
    first, second = rng.randint(2, 99), rng.randint(2, 99)
    if rng.random() < 1 / 3:
        return _append_rest(f"{first} \u00d7 {second}", value - first * second)
    third = rng.randint(2, 99)
    if rng.random() < 1 / 2:
        return _append_rest(f"{first} \u00d7 ({second} + {third})", value - first * (second + third))
    return _append_rest(f"{first * second}", value - first * second)


def _append_rest(expression: str, rest: int) -> str:
    return f"{expression} {'-' if rest < 0 else '+'} {abs(rest)}"
