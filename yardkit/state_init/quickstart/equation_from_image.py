"""Photos of exercise sheets with formulas; a red ring around one exercise, another crossed out."""

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering import circle_by_hand, draw_formulas, photograph_picture, save_image
from yardkit.state_init.rendering.formulas import FormulaFont
from yardkit.state_init.rendering.ink import Box, Face, get_pen, new_image, write_line
from yardkit.world import World, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

FONTS: tuple[FormulaFont, ...] = ("cm", "stix", "dejavusans")
HEADINGS = ("Liberation Serif", "Liberation Sans", "DejaVu Sans")
DAYS = ("Monday", "Tuesday", "Thursday", "Friday")
BLUE = (28, 52, 150)
WIDTH, STEP = 1000, 136
Exercise = tuple[list[str], list[float]]
"""Lines in TeX, and the solutions."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill ``sheets``; the facts hold the solutions of the three exercises that are asked for."""
    number = rng.randint(5, 20)
    other = number + rng.choice([-1, 1])
    exercises = _make_exercises(rng)
    kinds = [len(lines) for lines, _ in exercises]
    pair, single = kinds.index(2), [index for index, lines in enumerate(kinds) if lines == 1]
    ringed, crossed, *rest = rng.sample([index for index in single if len(exercises[index][1]) == 2], 4)
    _save_photo(world.files / "sheets", number, exercises, (ringed, crossed), rng)
    _save_photo(world.files / "sheets", other, _make_exercises(rng), (pair, single[0]), rng)
    replacement = _make_quadratic(rng)
    asked = {ringed: exercises[ringed][1], crossed: replacement[1], pair: exercises[pair][1]}
    _write_texts(world.files, (number, other), (crossed, rest[0]), replacement, rng)
    first, second = sorted([crossed + 1, pair + 1])
    prompt = {"sheet": number, "first": first, "second": second, "day": rng.choice(DAYS)}
    return {
        "prompt": prompt,
        "solutions": {str(index + 1): values for index, values in asked.items()},
        "ringed": str(ringed + 1),
        "crossed": str(crossed + 1),
        "misprinted": exercises[crossed][1],
        "pair": str(pair + 1),
    }


def _make_exercises(rng: random.Random) -> list[Exercise]:
    """Seven exercises of different kinds in chance order."""
    kinds: list[Callable[[random.Random], Exercise]] = [
        *(
            _make_quadratic,
            _make_quadratic,
            _make_product,
            _make_product,
            _make_linear,
            _make_equation_pair,
            _make_factored,
        ),
    ]
    return [kind(rng) for kind in rng.sample(kinds, len(kinds))]


def _choose_roots(rng: random.Random) -> tuple[int, int]:
    low, high = sorted(rng.sample([root for root in range(-9, 10) if root], 2))
    return (low, high) if low + high else _choose_roots(rng)


def _make_quadratic(rng: random.Random) -> Exercise:
    """Such as 3x^2 + 14x = 5, from a whole root and a fraction."""
    root, (top, bottom) = (
        rng.choice([r for r in range(-8, 9) if r]),
        rng.choice([(1, 2), (5, 2), (-7, 2), (1, 3), (-4, 3), (8, 3), (-3, 4), (5, 4)]),
    )
    a, b, c = bottom, -(bottom * root + top), root * top
    if b in (-1, 0, 1):
        return _make_quadratic(rng)
    line = (
        f"{a}x^2 {_format_signed(b)}x = {-c}"
        if rng.random() < 0.5
        else f"{a}x^2 {_format_signed(b)}x {_format_signed(c)} = 0"
    )
    return [line], _sort_values(root, Fraction(top, bottom))


def _make_product(rng: random.Random) -> Exercise:
    """Such as x(x + 3) = 40."""
    low, high = _choose_roots(rng)
    while low * high > 0:
        low, high = _choose_roots(rng)
    return [f"x(x {_format_signed(-low - high)}) = {-low * high}"], _sort_values(low, high)


def _make_factored(rng: random.Random) -> Exercise:
    """Such as (x - 3)(x + 5) = 20; its solutions are not those of the factors."""
    low, high = _choose_roots(rng)
    shift = rng.choice([1, 2, 3])
    # (x - low - s)(x - high + s) differs from (x - low)(x - high) by a number when high - low - s = s' fits.
    first_root, other = low + shift, high - shift
    rest = first_root * other - low * high
    if not rest or not first_root or not other:
        return _make_factored(rng)
    return [f"(x {_format_signed(-first_root)})(x {_format_signed(-other)}) = {rest}"], _sort_values(low, high)


def _make_linear(rng: random.Random) -> Exercise:
    """Such as 5(x - 2) = 3x + 11."""
    a, b, c, d = rng.randint(5, 9), rng.choice([-4, -3, 2, 3, 5]), rng.randint(2, 4), rng.randint(3, 30)
    return [f"{a}(x {_format_signed(b)}) = {c}x + {d}"], _sort_values(Fraction(d - a * b, a - c))


def _make_equation_pair(rng: random.Random) -> Exercise:
    x, y = rng.choice([-4, -2, 2, 3, 5, 7]), rng.choice([-6, -5, -1, 1, 4, 6])
    a, b, c, d = rng.randint(2, 6), rng.randint(2, 6), rng.randint(2, 6), rng.randint(2, 6)
    lines = [f"{a}x + {b}y = {a * x + b * y}", f"{c}x - {d}y = {c * x - d * y}"]
    return lines, [float(x), float(y)]


def _sort_values(*values: int | Fraction) -> list[float]:
    return [round(float(value), 4) for value in sorted(values)]


def _format_signed(value: int) -> str:
    return f"{'-' if value < 0 else '+'} {abs(value)}"


def _save_photo(
    folder: Path, number: int, exercises: list[Exercise], marks: tuple[int, int], rng: random.Random
) -> None:
    font, face = rng.choice(FONTS), Face(rng.choice(HEADINGS), 40)
    heights = [STEP + 100 * (len(lines) - 1) for lines, _ in exercises]
    sheet = new_image(WIDTH, 190 + sum(heights), (252, 251, 248))
    write_line(get_pen(sheet), (80, 60), f"Sheet {number}", face.scale(1.3).make_bold(), (25, 25, 28))
    boxes, top = [], 160
    for index, ((lines, _), height) in enumerate(zip(exercises, heights, strict=True)):
        write_line(get_pen(sheet), (80, top + 22), f"Ex. {index + 1}", face, (25, 25, 28))
        boxes.append(_paste_formulas(sheet, lines, (310, top), font, rng))
        top += height
    sheet = circle_by_hand(sheet, _widen_box(boxes[marks[0]]), rng)
    _cross_out(sheet, boxes[marks[1]])
    save_image(
        photograph_picture(sheet, rng, strength=0.3), folder / f"photo_{rng.randint(100, 999)}_{rng.choice('abc')}.jpg"
    )


def _paste_formulas(
    sheet: "Image", lines: list[str], place: tuple[int, int], font: FormulaFont, rng: random.Random
) -> Box:
    """Paste the formulas; their box without the margin."""
    picture = draw_formulas(lines, rng, font, size=72)
    inner = picture.crop((60, 60, picture.width - 60, picture.height - 34))
    sheet.paste(inner, (place[0], place[1] + 15))
    return place[0], place[1] + 15, place[0] + inner.width, place[1] + 15 + inner.height


def _widen_box(box: Box) -> Box:
    """Room between the letters and the ring."""
    return box[0] - 20, box[1] - 8, box[2] + 20, box[3] + 8


def _cross_out(sheet: "Image", box: Box) -> None:
    for low, high in ((box[1] + 6, box[3] - 8), (box[3] - 6, box[1] + 10)):
        get_pen(sheet).line([(box[0] - 14, low), (box[2] + 14, high)], fill=BLUE, width=7)


def _write_texts(
    files: Path, sheets: tuple[int, int], places: tuple[int, int], replacement: Exercise, rng: random.Random
) -> None:
    """The correction, one of another sheet, and things that do not matter."""
    right, wrong = replacement[0][0], _make_quadratic(rng)[0][0]
    text = (
        "# Corrections\n\n"
        f"- Sheet {sheets[1]}, exercise {places[0] + 1}: {wrong}\n"
        f"- Sheet {sheets[0]}, exercise {places[0] + 1}: {right}\n"
        f"- Sheet {sheets[1]}, exercise {places[1] + 1}: {_make_quadratic(rng)[0][0]}\n"
    )
    save_text(files / "corrections.md", text)
    save_text(
        files / "timetable.csv", "day,first,second\nMonday,maths,art\nTuesday,maths,music\nThursday,maths,sport\n"
    )
    save_text(files / "notes" / "formulas.md", "x = (-b +- sqrt(b^2 - 4ac)) / (2a)\n")
    save_text(
        files / "notes" / "old_solutions.json", f'{{"1": [{rng.randint(-5, 5)}], "2": [2, {rng.randint(3, 9)}]}}\n'
    )
