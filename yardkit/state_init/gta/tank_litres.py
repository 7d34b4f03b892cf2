"""The world of gta/tank_litres: labels of three tanks, whose measures stand in different units."""

import random
from typing import Any

from yardkit.state_init.rendering import draw_label, photograph_picture, save_image
from yardkit.world import World


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """The names of two tanks differ in one place; `others` forget a unit, the filling, or read the twin."""
    number = rng.randint(310, 870) // 10 * 10
    first, last = rng.sample(range(1, 9), 2)
    names = [f"AQ-{number + first}", f"AQ-{number + last}", f"BX-{number + first}"]
    tanks = [(rng.randint(80, 160), rng.randint(400, 700) // 5 * 5, rng.randint(50, 95) / 100) for _ in names]
    percent = rng.choice((60, 70, 75, 80))
    right = round(_compute_litres(tanks[0]) * percent / 100)
    others = {
        "twin": round(_compute_litres(tanks[1]) * percent / 100),
        "other_letters": round(_compute_litres(tanks[2]) * percent / 100),
        "full": round(_compute_litres(tanks[0])),
        "width_in_cm": round(_compute_litres(tanks[0]) * percent / 10),
        "cubic_centimetres": round(_compute_litres(tanks[0]) * percent * 10),
    }
    if right in others.values():
        return seed(world, rng)
    places = rng.sample((1, 2, 3), 3)
    for place, name, tank in zip(places, names, tanks, strict=True):
        facts = [("Length", f"{tank[0]} cm"), ("Width", f"{tank[1]} mm"), ("Height", f"{tank[2]:.2f} m")]
        facts.append(("Weight empty", f"{rng.randint(18, 60)} kg"))
        sheet = draw_label(f"Tank {name}", facts, rng)
        save_image(photograph_picture(sheet, rng, strength=0.25), world.files / f"label_{place}.jpg")
    return {
        "prompt": {"tank": names[0], "percent": percent},
        "gt_answer": {"whitelist": [[str(right), f"{right} l", f"{right} litres"]], "blacklist": None},
        "others": {mistake: str(value) for mistake, value in others.items()},
    }


def _compute_litres(tank: tuple[int, int, float]) -> float:
    """What a tank holds, of its length in cm, its width in mm, its height in m."""
    length_cm, width_mm, height_m = tank
    return length_cm / 10 * width_mm / 100 * height_m * 10
