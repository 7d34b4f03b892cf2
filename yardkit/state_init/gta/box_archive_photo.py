"""The world of gta/box_archive_photo: prints of photographs, each with two numbers that are alike."""

import random
from typing import TYPE_CHECKING, Any

from yardkit.state_init.photographs import load_photograph
from yardkit.state_init.rendering import save_image
from yardkit.state_init.rendering.ink import Face, get_pen, new_image, write_line
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

THINGS = {
    "soccer": ("a sports ball", (482, 360, 528, 396)),
    "jockey": ("a horse", (200, 110, 430, 350)),
    "plane": ("an airplane", (265, 182, 354, 240)),
}
"""By photograph what it shows, and where the bulk of that is, in pixels."""
OTHERS = ("city", "rocket", "cup", "apollo", "cat")
EDGE_PX, CAPTION_PX, WIDE_PX = 30, 110, 760


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Print the photograph that is asked for, one other of a thing, and two without any."""
    main_thing, other = rng.sample(sorted(THINGS), 2)
    names = [main_thing, other, *rng.sample(OTHERS, 2)]
    rng.shuffle(names)
    facts: dict[str, Any] = {"gt_answer": None}
    for place, name in enumerate(names, 1):
        archive = rng.randint(2100, 7899)
        negative = int(f"{archive // 100}{archive % 10}{archive // 10 % 10}") if archive % 11 else archive + 30
        photograph, box = _vary_photograph(name, rng)
        path = f"print_{place}.jpg"
        save_image(_draw_print(photograph, archive, negative, rng), world.files / path)
        if name == main_thing:
            facts |= {"source": path, "wanted": [box], "number": str(archive), "negative": str(negative)}
    return {**facts, "prompt": {"thing": THINGS[main_thing][0]}}


def _vary_photograph(name: str, rng: random.Random) -> "tuple[Image, list[float]]":
    """A photograph of the width of a print, lighter or darker, perhaps mirrored; where its thing is on the print."""
    from PIL import ImageEnhance, ImageOps

    image, (_, (left, top, right, bottom)) = load_photograph(name), THINGS.get(name, ("", (0, 0, 1, 1)))
    wide, scale = image.width, WIDE_PX / image.width
    image = ImageEnhance.Brightness(image.resize((WIDE_PX, round(image.height * scale)))).enhance(
        rng.uniform(0.92, 1.06)
    )
    if rng.random() < 0.5:
        image, left, right = ImageOps.mirror(image), wide - right, wide - left
    return image, [round(side * scale + EDGE_PX) for side in (left, top, right, bottom)]


def _draw_print(photograph: "Image", archive: int, negative: int, rng: random.Random) -> "Image":
    sheet = new_image(WIDE_PX + 2 * EDGE_PX, photograph.height + EDGE_PX + CAPTION_PX, (250, 249, 246))
    sheet.paste(photograph, (EDGE_PX, EDGE_PX))
    numbers = [f"Archive no. {archive}", f"Negative {negative}"]
    rng.shuffle(numbers)
    y, face = photograph.height + EDGE_PX + 30, Face("Liberation Sans", 34)
    write_line(get_pen(sheet), (EDGE_PX + 10, y), numbers[0], face, (40, 40, 44))
    write_line(get_pen(sheet), (WIDE_PX + EDGE_PX - 10, y), numbers[1], face, (40, 40, 44), "right")
    return sheet
