"""The world of gta/gym_months: a board with four tariffs, of which two are in question."""

import random
from typing import Any

from yardkit.state_init.rendering import draw_table, photograph_picture, save_image
from yardkit.world import World

NAMES = ("Basic", "Flex", "Plus", "Student", "Morning", "Family", "Gold")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """All amounts are in cents; `others` leave out a fee, take the wrong tariff, or round down."""
    names = rng.sample(NAMES, 4)
    month = rng.randrange(3200, 4600, 10)
    fee, less = rng.randrange(1000, 3000, 500), rng.randrange(610, 1190, 10)
    months = rng.randint(9, 17)
    more = fee + less * (months - 1) + rng.randrange(less // 4, less - 20, 10)
    third = (rng.randrange(3000, 9000, 500), month - rng.randrange(210, 510, 10))
    tariffs = [(fee, month), (more, month - less), third, (0, month + rng.randrange(300, 900, 10))]
    others = {
        "first_fee_forgotten": more // less + 1,
        "rounded_down": months - 1,
        "third_tariff": max(0, third[0] - fee) // (month - third[1]) + 1,
        "fees_added": (more + fee) // less + 1,
    }
    if months in others.values():
        return seed(world, rng)
    rows = [[name, f"${of[0] / 100:.2f}", f"${of[1] / 100:.2f}"] for name, of in zip(names, tariffs, strict=True)]
    rng.shuffle(rows)
    sheet = draw_table(["Tariff", "Joining fee", "Per month"], rows, rng.choice(("ruled", "zebra")), rng, "Prices")
    save_image(photograph_picture(sheet, rng, strength=0.2), world.files / "board.jpg")
    return {
        "prompt": {"one": names[0], "other": names[1]},
        "gt_answer": {"whitelist": [[str(months)]], "blacklist": None},
        "others": {mistake: str(value) for mistake, value in others.items()},
    }
