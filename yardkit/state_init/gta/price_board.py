"""A film along three boards with a bare wall between them; on one a price is changed and an item is struck out."""

import math
import random
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from yardkit.state_init.films import save_film
from yardkit.state_init.rendering.ink import Face, get_pen, make_noise_generator, new_image, text_width, write_line
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

BOARDS: Mapping[str, tuple[str, ...]] = {
    "Breakfast": ("Porridge", "Omelette", "Croissant", "Muesli", "Pancakes"),
    "Lunch": ("Tomato soup", "Lasagne", "Fish curry", "Risotto", "Goulash"),
    "Evening": ("Cheese plate", "Olives", "Steak", "Garlic bread", "Quiche"),
}
FPS, SIZE, BARE_S = 10, (640, 360), 2.0
_WALL, _SLATE, _CHALK, _RED = (70, 62, 56), (34, 40, 38), (240, 240, 232), (238, 104, 88)
_TITLE, _ROW = Face("Comic Neue", 34, bold=True), Face("Comic Neue", 26, bold=True)
Line = tuple[str, str]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Film the boards; the facts hold when the asked one is seen, and what it offers at the end."""
    names = rng.sample(sorted(BOARDS), 3)
    asked = rng.choice(names)
    offers = {
        name: [(item, f"{rng.randrange(35, 160) / 10:.2f}") for item in rng.sample(BOARDS[name], 4)] for name in names
    }
    gone, dearer = rng.sample(range(4), 2)
    item, old = offers[asked][dearer]
    rise = rng.choice((0.4, 0.6, 0.8, 1.2))
    changed = [
        (name, f"{float(old) + rise:.2f}" if at == dearer else price) for at, (name, price) in enumerate(offers[asked])
    ]
    views: list[tuple[float, Image | None]] = [(0.6, None)]
    for name in names:
        views += [(2.4, _draw_board(name, offers[name]))]
        if name == asked:
            views += [(rng.uniform(2.4, 3.0), _draw_board(name, offers[name], gone, (dearer, changed[dearer][1])))]
        views += [(BARE_S, None)]
    views = [(round(seconds * FPS) / FPS, view) for seconds, view in views]
    save_film(world.files / "boards.mp4", _film_views(views, rng), FPS, quality=18)
    first = 1 + 2 * names.index(asked)
    begin, length = sum(seconds for seconds, _ in views[:first]), views[first][0] + views[first + 1][0]
    caption = f"{asked}, filmed on {rng.randint(2, 13)} March"
    return {
        "begin_s": begin, "end_s": begin + length, "caption": caption, "rise": rise,
        "rows": [{"Item": name, "Price": float(price)} for at, (name, price) in enumerate(changed) if at != gone],
        "gone": list(changed[gone]), "dearer": [item, old], "board": asked,
        "workflow_category": "Retrieval & QA", "prompt": {"board": asked, "caption": caption},
    }  # fmt: skip


def _draw_board(name: str, lines: list[Line], gone: int = -1, dearer: tuple[int, str] = (-1, "")) -> "Image":
    """A slate with a title and prices; one line struck out, one price struck out with the new one beside it."""
    board = new_image(520, 290, _SLATE)
    draw = get_pen(board)
    draw.rectangle((0, 0, 519, 289), outline=(150, 112, 70), width=8)
    write_line(draw, (260, 16), name, _TITLE, _CHALK, "center")
    for at, (item, price) in enumerate(lines):
        y = 78 + 50 * at
        write_line(draw, (36, y), item, _ROW, _CHALK)
        write_line(draw, (370, y), price, _ROW, _CHALK, "right")
        if at == gone:
            draw.line((30, y + 19, 386, y + 17), fill=_RED, width=3)
            write_line(draw, (496, y), "sold out", _ROW, _RED, "right")
        if at == dearer[0]:
            draw.line((366 - text_width(price, _ROW), y + 24, 376, y + 8), fill=_RED, width=3)
            write_line(draw, (496, y), dearer[1], _ROW, _RED, "right")
    return board


def _film_views(views: list[tuple[float, "Image | None"]], rng: random.Random) -> "Iterator[Image]":
    """The frames: a hand that is not quite still, and the grain of a sensor."""
    import numpy as np
    from PIL import Image

    chance, turns = make_noise_generator(rng), [rng.uniform(0, 6) for _ in range(2)]
    bricks = new_image(SIZE[0] + 40, SIZE[1] + 40, _WALL)
    for number, view in enumerate(view for seconds, view in views for _ in range(round(seconds * FPS))):
        x, y = (round(4 * math.sin(number / pace + turn)) for pace, turn in zip((2.3, 3.1), turns, strict=True))
        frame = bricks.crop((20, 20, 20 + SIZE[0], 20 + SIZE[1]))
        if view is not None:
            frame.paste(view, (60 + x, 8 + y))
        grain = chance.normal(0, 3.0, (SIZE[1], SIZE[0], 1))
        yield Image.fromarray(np.clip(np.asarray(frame) + grain, 0, 255).astype(np.uint8))
