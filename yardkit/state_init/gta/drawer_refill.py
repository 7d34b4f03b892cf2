"""A photograph of a drawer with three compartments, and pages of a shop with prices of two years."""

import random
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.rendering.ink import Face, get_pen, new_image, write_line
from yardkit.state_init.websites import save_page
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

SIZES = ("M4", "M5", "M6", "M8", "M10")
COMPARTMENT_PX, HEIGHT_PX, PIECE_PX = 360, 640, 26
GROUND = (236, 234, 228)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """A picture and pages; `others` come of another compartment, price, year, and of the count itself."""
    sizes = rng.sample(SIZES, 3)
    counts, keeps = [rng.randint(4, 12) for _ in sizes], [rng.choice([16, 18, 20, 24]) for _ in sizes]
    prices = rng.sample(range(14, 60), 3)
    before = prices[0] - rng.randint(2, 9)
    missing = keeps[0] - counts[0]
    cents = {
        "right": missing * prices[0],
        "another_compartment": (keeps[1] - counts[1]) * prices[0],
        "price_of_another_size": missing * prices[1],
        "price_of_last_year": missing * before,
        "all_to_keep": keeps[0] * prices[0],
        "those_that_are_there": counts[0] * prices[0],
    }
    if len(set(cents.values())) < len(cents):
        return seed(world, rng)
    own, order = sizes[0], rng.sample(range(3), 3)
    for size, price in zip(sizes, prices, strict=True):
        text = f"{size} washer, steel: {price / 100:.2f} dollars each."
        save_page(
            world, f"bolt-and-co.example/2026/{size.lower()}", f"Bolt and Co price list 2026: {size} washer", [text]
        )
    text = f"{own} washer, steel: {before / 100:.2f} dollars each."
    save_page(world, f"bolt-and-co.example/2025/{own.lower()}", f"Bolt and Co price list 2025: {own} washer", [text])
    drawer = _draw_drawer([(sizes[place], counts[place], keeps[place]) for place in order], rng)
    save_image(photograph_picture(drawer, rng, strength=0.2, frame=False), world.files / "drawer.jpg", 92)
    right, *_ = amounts = [f"{value / 100:.2f}" for value in cents.values()]
    return {
        "prompt": {"size": own},
        "gt_answer": {"whitelist": [[right]], "blacklist": None},
        "others": dict(zip(list(cents)[1:], amounts[1:], strict=True)),
    }


def _draw_drawer(compartments: list[tuple[str, int, int]], rng: random.Random) -> "Image":
    """What lies in each, between its name and how many are to be kept."""
    image = new_image(3 * COMPARTMENT_PX, HEIGHT_PX, GROUND)
    draw, ink = get_pen(image), (30, 32, 38)
    for place, (size, count, keep) in enumerate(compartments):
        left = place * COMPARTMENT_PX
        middle = left + COMPARTMENT_PX / 2
        write_line(draw, (middle, 26), f"{size} washer", Face("Liberation Sans", 40, bold=True), ink, "center")
        write_line(draw, (middle, HEIGHT_PX - 70), f"keep {keep}", Face("Liberation Sans", 36), ink, "center")
        if place:
            draw.line([(left, 0), (left, HEIGHT_PX)], fill=(120, 92, 66), width=12)
        for cell in rng.sample(range(16), count):
            x = left + 66 + cell % 4 * 76 + rng.randint(-8, 8)
            y = 170 + cell // 4 * 92 + rng.randint(-10, 10)
            for reach, color in ((PIECE_PX, (86, 92, 104)), (PIECE_PX // 2, GROUND)):
                draw.ellipse([x - reach, y - reach, x + reach, y + reach], fill=color)
    return image
