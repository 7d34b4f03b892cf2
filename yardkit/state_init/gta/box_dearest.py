"""The world of gta/box_dearest: a receipt on which the dearest article is not the one with the largest amount."""

import random
from collections.abc import Iterable
from typing import Any

from yardkit.state_init.rendering import Receipt, ReceiptLine, photograph_picture, save_image
from yardkit.state_init.rendering.ink import Box
from yardkit.state_init.rendering.receipts import receipt_with_places
from yardkit.world import World

GOODS = (
    *("Wall calendar", "Gel pens blue", "Sketch book A4", "Paper clips", "Desk lamp", "Ring binder", "Colour pencils"),
    *("Letter scales", "Glue sticks", "Card box", "Hole punch", "Drawing ink", "Ruler 30 cm", "Cutting mat"),
)
SHOPS = ("Paper Corner", "Quill & Co", "The Stationer")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Print seven articles; two of them are bought several times, so that their amounts are the largest."""
    dearest = rng.randint(1400, 1990)
    several = [(rng.choice((3, 4)), rng.randint(620, 980)) for _ in range(2)]
    prices = [(1, dearest), (1, dearest - rng.choice((10, 50, 100))), *several]
    prices += [(rng.choice((1, 1, 2)), rng.randint(120, 600)) for _ in range(3)]
    bought = list(zip(rng.sample(GOODS, len(prices)), prices, strict=True))
    name = bought[0][0]
    rng.shuffle(bought)
    lines = [
        ReceiptLine(what, f"{count * cents / 100:.2f}", f"{count} x {cents / 100:.2f}" if count > 1 else "")
        for what, (count, cents) in bought
    ]
    total = sum(count * cents for _, (count, cents) in bought)
    content = Receipt(
        rng.choice(SHOPS),
        lines,
        [("TOTAL", f"{total / 100:.2f}"), ("Card", f"{total / 100:.2f}")],
        facts=[("Date", f"2026-03-{rng.randint(10, 15)}"), ("Receipt", str(rng.randint(1000, 9999)))],
        footer=["Thank you!"],
    )
    sheet, places = receipt_with_places(content, rng.choice(("thermal", "market")), rng)
    save_image(photograph_picture(sheet, rng, strength=0.3, frame=False), world.files / "receipt.jpg")
    of = {what: _find_line_box(places, what) for what, _ in bought}
    return {
        "wanted": [of.pop(name)],
        "others": list(of.values()),
        "largest": _find_largest_box(bought, of),
        "gt_answer": None,
    }


def _find_line_box(places: Iterable[tuple[str, Box]], name: str) -> Box:
    """Where the letters of an article stand, with its amount."""
    left, top, _, bottom = next(box for words, box in places if words == name)
    right = max(box[2] for _, box in places if box[1] == top)
    high = bottom - top
    return left, top + high // 5, right, bottom - high // 6


def _find_largest_box(bought: Iterable[tuple[str, tuple[int, int]]], places: dict[str, Box]) -> Box:
    """Where the article with the largest amount stands."""
    return places[max(bought, key=lambda line: line[1][0] * line[1][1])[0]]
