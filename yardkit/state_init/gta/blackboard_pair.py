"""A photograph of a blackboard with a pair of equations for each of two groups."""

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.rendering.ink import Color, Face, get_pen, make_paper, write_line
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

CHALK: Color = (238, 238, 228)


@dataclass(frozen=True)
class Pair:
    """Two equations of x and y, and what is asked of their solution."""

    x: int
    y: int
    rows: tuple[tuple[int, int], tuple[int, int]]
    asked: tuple[int, int]

    def value(self, of: tuple[int, int]) -> int:
        return of[0] * self.x + of[1] * self.y

    @property
    def lines(self) -> list[str]:
        return [*(f"{_format_sum(row)} = {self.value(row)}" for row in self.rows), f"find {_format_sum(self.asked)}"]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """One picture; `others` are what the other group is asked, x and y of this one, and the sign mistaken."""
    pairs = [_make_pair(rng), _make_pair(rng)]
    names = rng.sample("ABCD", 2)
    own, other = pairs
    right = own.value(own.asked)
    others = {
        "other_group": other.value(other.asked),
        "only_x": own.x,
        "only_y": own.y,
        "sign_mistaken": own.value((own.asked[0], -own.asked[1])),
    }
    if right in others.values() or right < 0:
        return seed(world, rng)
    board = _draw_board(rng.sample(list(zip(names, pairs, strict=True)), 2), rng)
    save_image(photograph_picture(board, rng, strength=0.2), world.files / "blackboard.jpg")
    return {
        "prompt": {"group": names[0]},
        "gt_answer": {"whitelist": [[str(right)]], "blacklist": None},
        "others": {mistake: str(value) for mistake, value in others.items()},
    }


def _make_pair(rng: random.Random) -> Pair:
    a, b, c, d = (rng.randint(2, 7) for _ in range(4))
    asked = (rng.randint(2, 5), rng.choice([-3, -2, 2, 3]))
    return Pair(rng.randint(2, 9), rng.randint(2, 9), ((a, b), (c, -d)), asked)


def _format_sum(row: tuple[int, int]) -> str:
    return f"{row[0]}x {'-' if row[1] < 0 else '+'} {abs(row[1])}y"


def _draw_board(groups: list[tuple[str, Pair]], rng: random.Random) -> "Image":
    board = make_paper(1180, 620, (38, 66, 54), rng, grain=4.0)
    draw, face = get_pen(board), Face("Comic Neue", 52, bold=True)
    write_line(draw, (590, 40), "two unknowns", face.scale(0.9), (250, 220, 140), "center")
    for column, (name, pair) in enumerate(groups):
        left = 110 + column * 560
        write_line(draw, (left, 150), f"Group {name}", face, (250, 220, 140))
        for row, line in enumerate(pair.lines):
            write_line(draw, (left, 250 + row * 100), line, face, CHALK)
    draw.line([(590, 150), (590, 560)], fill=CHALK, width=3)
    return board
