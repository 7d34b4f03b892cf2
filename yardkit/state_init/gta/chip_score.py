"""Photographs of two boards with chips of several colours and forms."""

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.rendering.ink import Color, get_pen, new_image
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

COLORS: Mapping[str, Color] = {"red": (196, 36, 40), "blue": (36, 80, 190), "green": (40, 140, 70)}
FORMS = ("circle", "square")
PLAYERS = ("Ada", "Bela", "Chris", "Dana", "Emil")
COLUMNS, ROWS, CELL_PX, CHIP_PX = 6, 4, 150, 36
Chip = tuple[str, str]
"""Colour and form."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Two pictures; `others` come of forms or colours that were not told apart, and of points exchanged."""
    first, second = rng.sample(PLAYERS, 2)
    first_color, other = rng.sample(list(COLORS), 2)
    scored = ((first_color, "circle"), (other, "square"))
    points = rng.sample(range(2, 8), 2)
    ours, theirs = _make_chips(rng), _make_chips(rng)

    def lead(by: tuple[int, ...], form: bool = True, color: bool = True) -> int:
        def matches(chip: Chip, target_chip: Chip) -> bool:
            return (not color or chip[0] == target_chip[0]) and (not form or chip[1] == target_chip[1])

        score = [
            sum(
                value
                for chip in chips
                for value, scored_chip in zip(by, scored, strict=True)
                if matches(chip, scored_chip)
            )
            for chips in (ours, theirs)
        ]
        return score[0] - score[1]

    right = lead((points[0], points[1]))
    others = {
        "forms_mixed": lead((points[0], points[1]), form=False),
        "colours_mixed": lead((points[0], points[1]), color=False),
        "points_exchanged": lead((points[1], points[0])),
    }
    if right < 2 or right in others.values():
        return seed(world, rng)
    for name, chips in ((first, ours), (second, theirs)):
        image = photograph_picture(_draw_board(chips, rng), rng, strength=0.2, frame=False)
        save_image(image, world.files / f"board_{name.lower()}.jpg", 92)
    prompt = {"first": first, "second": second, "one": first_color, "other": other, "few": points[0], "many": points[1]}
    files = {"first_file": f"board_{first.lower()}.jpg", "second_file": f"board_{second.lower()}.jpg"}
    return {
        "prompt": {**prompt, **files},
        "gt_answer": {"whitelist": [[str(right)]], "blacklist": None},
        "others": {mistake: str(value) for mistake, value in others.items()},
    }


def _make_chips(rng: random.Random) -> list[Chip]:
    kinds = [(color, form) for color in COLORS for form in FORMS]
    return [kind for kind in kinds for _ in range(rng.randint(1, 4))]


def _draw_board(chips: list[Chip], rng: random.Random) -> "Image":
    """Each chip somewhere in a cell of its own."""
    board = new_image(COLUMNS * CELL_PX, ROWS * CELL_PX, (232, 228, 214))
    draw, reach = get_pen(board), CELL_PX // 2 - CHIP_PX - 12
    for cell, (color, form) in zip(rng.sample(range(COLUMNS * ROWS), len(chips)), chips, strict=True):
        x = (cell % COLUMNS + 0.5) * CELL_PX + rng.randint(-reach, reach)
        y = (cell // COLUMNS + 0.5) * CELL_PX + rng.randint(-reach, reach)
        place = [x - CHIP_PX, y - CHIP_PX, x + CHIP_PX, y + CHIP_PX]
        (draw.ellipse if form == "circle" else draw.rectangle)(place, fill=COLORS[color])
    return board
