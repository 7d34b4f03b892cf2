"""The world of gta/plot_of_table: a picture of a table with two years of one figure, another figure, and totals."""

import random
from typing import Any

from yardkit.state_init.rendering import draw_table, save_image
from yardkit.world import World

REGIONS = ("North", "South", "East", "West", "Coast", "Valley", "Harbour", "Hills")
FIGURES = (("orders", "Orders by region"), ("returns", "Returns by region"), ("visits", "Visits by region"))
COLORS = ("#1f4e79", "#b03a48", "#2e7d32")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """The facts hold the bars, and those of the other year."""
    (name, title), (other, _) = rng.sample(FIGURES, 2)
    regions, year, color = rng.sample(REGIONS, 5), rng.choice((2023, 2024)), rng.choice(COLORS)
    head = ["Region", f"{name} {year}", f"{name} {year + 1}", f"{other} {year + 1}"]
    columns = [[rng.randint(120, 980) for _ in regions] for _ in head[1:]]
    rows = [[region, *map(str, values)] for region, values in zip(regions, zip(*columns, strict=True), strict=True)]
    rows.append(["Total", *(str(sum(column)) for column in columns)])
    save_image(
        draw_table(head, rows, rng.choice(("ruled", "zebra", "web", "spreadsheet")), rng), world.files / "table.png"
    )
    return {
        "regions": regions,
        "values": columns[1],
        "year_before": columns[0],
        "title": title,
        "color": color,
        "gt_answer": None,
        "prompt": {"column": head[2], "title": title, "color": color},
    }
