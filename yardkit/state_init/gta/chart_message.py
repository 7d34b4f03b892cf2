"""The world of gta/chart_message: a bar chart whose numbers are in hundreds, with a second best month close by."""

import random
from typing import Any

from yardkit.state_init.rendering import ChartStyle, bar_chart, save_image
from yardkit.world import World

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")
WHAT = ("visitors", "parcels", "calls", "tickets", "guests")
COLORS = ("#1f5fa8", "#3a9d5d", "#b03a48")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """The facts hold what a text must name, and the numbers and months that it must not."""
    what, start = rng.choice(WHAT), rng.randint(0, len(MONTHS) - 6)
    months = MONTHS[start : start + 6]
    best, weakest = rng.randint(71, 94), rng.randint(21, 36)
    counts = [best, best - rng.randint(1, 3), weakest, weakest + rng.randint(1, 3), *rng.sample(range(42, 64), 2)]
    rng.shuffle(counts)
    of = {count: month for month, count in zip(months, counts, strict=True)}
    style = ChartStyle(colors=(rng.choice(COLORS),), frame=rng.random() < 0.5)
    title = f"{what.capitalize()} by month, in hundreds"
    save_image(bar_chart(title, list(months), {what: list(map(float, counts))}, style, rng), world.files / "chart.png")
    first, last, off = of[best], of[weakest], (best - weakest) * 100
    second, third = sorted(counts)[-2], sorted(counts)[1]
    return {
        "named": [[what, what.removesuffix("s")], [first], [last], [str(off)]],
        "others": {
            "in_hundreds": str(best - weakest),
            "second_best": of[second],
            "second_weakest": of[third],
            "difference_to_the_second": str((best - second) * 100),
        },
        "gt_answer": [
            f"Of all months, {first} brought the most {what} and {last} the fewest; the difference is {off:,}.",
            f"The number of {what} was highest in {first} and lowest in {last}, {off:,} fewer.",
            f"{first} was the best month with {off:,} more {what} than {last}, the weakest.",
        ],
        "prompt": {"what": what},
    }
