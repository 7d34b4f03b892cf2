"""Pictures of bar charts of two branches with the same years."""

import random
from typing import Any

from yardkit.state_init.rendering import ChartStyle, bar_chart, save_image
from yardkit.world import World

TOWNS = ("Riverside", "Oakdale", "Brookfield", "Lakewood", "Hillview")
GOODS = ("bicycles", "kayaks", "tents", "scooters")
COLORS = ("#1f5fa8", "#f28e2b", "#3a9d5d", "#b03a48")
YEARS = (2021, 2022, 2023, 2024, 2025)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Two pictures; `others` are the growth of the other branch, by other years, and against the later year."""
    towns, goods = rng.sample(TOWNS, 2), rng.choice(GOODS)
    first, last = rng.choice([(0, 3), (1, 3), (1, 4), (0, 2), (2, 4)])
    own, other = _choose_sales(rng), _choose_sales(rng)
    right = _compute_growth(own[first], own[last])
    others = {
        "other_branch": _compute_growth(other[first], other[last]),
        "all_years": _compute_growth(own[0], own[4]),
        "against_the_later_year": round(100 * (own[last] - own[first]) / own[last]),
        "against_the_year_before": _compute_growth(own[last - 1], own[last]),
    }
    if right < 4 or right in others.values() or abs(100 * own[last] / own[first] % 1 - 0.5) < 0.1:
        return seed(world, rng)
    names = rng.sample(["chart_1.png", "chart_2.png"], 2)
    for town, sales, name, color in zip(towns, (own, other), names, rng.sample(COLORS, 2), strict=True):
        title, series = f"{town} branch: {goods} sold", {goods: [float(value) for value in sales]}
        chart = bar_chart(title, [str(year) for year in YEARS], series, ChartStyle(colors=(color,)), rng)
        save_image(chart, world.files / name)
    return {
        "prompt": {"town": towns[0], "goods": goods, "first": YEARS[first], "last": YEARS[last]},
        "gt_answer": {"whitelist": [[str(right)]], "blacklist": None},
        "others": {mistake: str(value) for mistake, value in others.items()},
    }


def _choose_sales(rng: random.Random) -> list[int]:
    return rng.sample(range(240, 780), len(YEARS))


def _compute_growth(before: int, after: int) -> int:
    """In whole percent."""
    return round(100 * (after - before) / before)
