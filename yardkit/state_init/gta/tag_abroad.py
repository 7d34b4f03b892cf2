"""A photograph of a price tag with a price struck out, and pages of a shop abroad and of a bank."""

import random
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.rendering.ink import Face, get_pen, new_image, write_line
from yardkit.state_init.websites import save_page
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

GOODS = ("Trail Lamp", "Field Radio", "Camp Stove", "Ice Axe", "Tent Heater")
RATES = (110, 112, 115, 120, 125)
"""Dollar cents for a euro."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """A picture and pages; `others` come of the struck price, no postage, the old rate, the other model, no rate."""
    name, model = rng.choice(GOODS), rng.randint(3, 8)
    rate, before = rng.sample(RATES, 2)
    abroad, postage = rng.randrange(3200, 4800, 100), rng.randrange(400, 900, 100)
    now = abroad + postage + rng.randrange(700, 1900, 10)
    struck, older = now + rng.randrange(500, 1500, 50), abroad - rng.randrange(300, 900, 100)
    dollars, dollars_older = (cents * rate // 100 for cents in (abroad, older))
    fee = postage * rate // 100
    right = now - abroad - postage
    others = {
        "struck_price": struck - abroad - postage,
        "postage_forgotten": now - abroad,
        "old_rate": round(now - (dollars + fee) * 100 / before),
        "other_model": now - older - postage,
        "dollars_for_euros": now - dollars - fee,
    }
    if right in others.values() or right < 100:
        return seed(world, rng)
    for number, price in ((model, dollars), (model - 1, dollars_older)):
        text = (
            f"{name} {number}: {_format_money(price)} US dollars. Postage to Europe: {_format_money(fee)} US dollars."
        )
        save_page(world, f"lakeside-outfitters.example/{number}", f"Lakeside Outfitters: {name} {number}", [text])
    for month, value in (("March", rate), ("February", before)):
        text = f"On 16 {month} 2026 one euro is {_format_money(value)} US dollars."
        save_page(world, f"city-bank.example/rates/{month.lower()}", f"Euro exchange rate, {month} 2026", [text])
    save_image(
        photograph_picture(_draw_tag(f"{name} {model}", struck, now), rng, strength=0.25), world.files / "tag.jpg"
    )
    return {
        "gt_answer": {"whitelist": [[_format_money(right)]], "blacklist": None},
        "others": {mistake: _format_money(cents) for mistake, cents in others.items()},
    }


def _format_money(cents: int) -> str:
    return f"{cents / 100:.2f}"


def _draw_tag(name: str, struck: int, now: int) -> "Image":
    sheet = new_image(720, 460, (252, 250, 240))
    draw, ink = get_pen(sheet), (34, 34, 38)
    write_line(draw, (60, 50), name, Face("Liberation Sans", 60, bold=True), ink)
    box = write_line(draw, (60, 190), f"EUR {_format_money(struck)}", Face("Liberation Sans", 40), (110, 110, 116))
    draw.line([(box[0] - 6, box[3] - 12), (box[2] + 6, box[1] + 16)], fill=(190, 30, 30), width=4)
    write_line(draw, (60, 290), f"EUR {_format_money(now)}", Face("Liberation Sans", 92, bold=True), (176, 24, 24))
    return sheet
