"""A plant's planning workbook, memos that change it, and the best plan."""

import datetime
import itertools
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict

from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_text

PLANTS = ("the Ulm plant", "the Porto plant", "the Gdynia plant", "the Lahti plant")
PRODUCTS = ("Bracket", "Flange", "Housing", "Lever", "Pulley", "Valve")
MACHINES = ("Lathe", "Mill", "Press")
CUSTOMERS = ("Havel Motors", "Orsini SpA", "Tamm Works", "Brandt AG")
COLORS = ("#2f6f9f", "#3a8f5c", "#b5562b", "#6a4c93")
NO_LIMIT = 999
PATIENCE = 60
"""Draws in which the wished kind of instance is looked for; after them the next good one is taken."""


@dataclass(frozen=True)
class Limits:
    """What a plan must obey: whole quarters of hours, kilograms and units, so that all arithmetic is exact."""

    margins: tuple[int, ...]
    quarters: tuple[tuple[int, ...], ...]
    available: tuple[int, ...]
    kilograms: tuple[int, ...]
    stock: int
    least: tuple[int, ...]
    most: tuple[int, ...]


class ProductionPlanFacts(TypedDict):
    """The limits of `Limits` as lists, the best margin and all plans that reach it, the best plan without the memo."""

    prompt: dict[str, str]
    products: list[str]
    machines: list[str]
    color: str
    best: int
    plans: list[list[int]]
    old_plan: list[int]
    margins: list[int]
    quarters: list[list[int]]
    available: list[int]
    kilograms: list[int]
    stock: int
    least: list[int]
    most: list[int]


def seed(world: World, rng: random.Random) -> ProductionPlanFacts:
    """Draw an instance whose memo matters; about half of them have several best plans."""
    products, week = rng.sample(PRODUCTS, 4), rng.randint(13, 20)
    customers, several = rng.sample(CUSTOMERS, 3), rng.random() < 0.5
    for attempt in itertools.count():
        before = _draw_limits(rng)
        cancelled, broken, capped = rng.sample(range(3), 1)[0], rng.randrange(3), rng.randrange(4)
        now = _change_limits(before, cancelled, broken, capped, rng)
        best = _find_best_plans(now)
        if _is_good_instance(before, now, best) and (attempt > PATIENCE or (len(best) > 1) == several):
            break
    _write_workbook(world.files / "planning.xlsx", products, customers, before, world.now)
    names = (products, customers, week)
    _write_memos(world.files / "memos", names, (cancelled, broken, capped), (before, now), rng)
    _write_other_files(world.files, products, rng)
    color = rng.choice(COLORS)
    return {
        "prompt": {"plant": rng.choice(PLANTS), "week": f"week {week}", "color": color},
        "products": products,
        "machines": list(MACHINES),
        "color": color,
        "best": _compute_margin(now, best[0]),
        "plans": best,
        "old_plan": _find_best_plans(before)[0],
        "margins": list(now.margins),
        "quarters": [list(row) for row in now.quarters],
        "available": list(now.available),
        "kilograms": list(now.kilograms),
        "stock": now.stock,
        "least": list(now.least),
        "most": list(now.most),
    }


def _draw_limits(rng: random.Random) -> Limits:
    quarters = tuple(tuple(rng.randint(3, 12) for _ in range(4)) for _ in MACHINES)
    contracts = [rng.randint(2, 4) for _ in range(3)]
    return Limits(
        margins=tuple(15 * rng.randint(3, 11) for _ in range(4)),
        quarters=quarters,
        available=tuple(4 * rng.randint(32, 48) for _ in MACHINES),
        kilograms=tuple(rng.randint(3, 9) for _ in range(4)),
        stock=rng.randint(100, 150),
        least=(*contracts, 0),
        most=(NO_LIMIT,) * 4,
    )


def _change_limits(limits: Limits, cancelled: int, broken: int, capped: int, rng: random.Random) -> Limits:
    """The same under the newest memo: a contract cancelled, a machine in repair, a market limit."""
    least = [0 if index == cancelled else count for index, count in enumerate(limits.least)]
    lost = 4 * rng.randint(3, 8)
    available = [hours - lost if index == broken else hours for index, hours in enumerate(limits.available)]
    most = [rng.randint(5, 8) if index == capped else count for index, count in enumerate(limits.most)]
    return replace(limits, least=tuple(least), available=tuple(available), most=tuple(most))


def _find_best_plans(limits: Limits) -> list[list[int]]:
    """All best plans, found by looking at every plan."""
    import numpy

    rows, tops = numpy.array([*limits.quarters, limits.kilograms]), numpy.array([*limits.available, limits.stock])
    most = numpy.minimum(limits.most, (tops[:, None] // rows).min(axis=0))
    ranges = [numpy.arange(low, high + 1) for low, high in zip(limits.least, most, strict=True)]
    plans = numpy.stack(numpy.meshgrid(*ranges, indexing="ij"), axis=-1).reshape(-1, 4)
    allowed = plans[(plans @ rows.T <= tops).all(axis=1)]
    if not len(allowed):
        return []
    margins = allowed @ numpy.array(limits.margins)
    return [[int(count) for count in plan] for plan in allowed[margins == margins.max()]]


def _compute_margin(limits: Limits, plan: list[int]) -> int:
    return sum(count * margin for count, margin in zip(plan, limits.margins, strict=True))


def _compute_used_hours(limits: Limits, plan: list[int]) -> list[int]:
    return [sum(count * number for count, number in zip(plan, row, strict=True)) for row in limits.quarters]


def _is_good_instance(before: Limits, now: Limits, best: list[list[int]]) -> bool:
    """The memo changes the best margin, several products are made, one machine is clearly the bottleneck."""
    old = _find_best_plans(before)
    if not best or not old or len(best) > 3:
        return False
    changed = _compute_margin(now, best[0]) != _compute_margin(before, old[0])
    return changed and all(_is_clear_plan(now, plan) for plan in best)


def _is_clear_plan(limits: Limits, plan: list[int]) -> bool:
    pairs = zip(_compute_used_hours(limits, plan), limits.available, strict=True)
    loads = sorted(used / hours for used, hours in pairs)
    return min(plan) >= 2 and len(set(plan)) >= 3 and loads[-1] - loads[-2] >= 0.01


def _write_workbook(
    path: Path, products: list[str], customers: list[str], limits: Limits, now: datetime.datetime
) -> None:
    head = ["Product", "Margin per unit (EUR)", *(f"{name} (h per unit)" for name in MACHINES), "Steel (kg per unit)"]
    rows = [
        [product, limits.margins[index], *(row[index] / 4 for row in limits.quarters), limits.kilograms[index]]
        for index, product in enumerate(products)
    ]
    hours = [[name, quarters / 4] for name, quarters in zip(MACHINES, limits.available, strict=True)]
    contracts = [list(row) for row in zip(customers, products[:3], limits.least[:3], strict=True)]
    old = [[product, margin - 15] for product, margin in zip(products, limits.margins, strict=True)]
    sheets: dict[str, list[list[Any]]] = {
        "Products": [head, *rows],
        "Machines": [["Machine", "Hours per week"], *hours],
        "Material": [["Material", "Stock (kg)"], ["Steel", limits.stock], ["Grease", 40]],
        "Contracts": [["Customer", "Product", "Minimum units"], *contracts],
        "Margins 2025 (old)": [["Product", "Margin per unit (EUR)"], *old],
    }
    save_workbook(path, sheets, now)


def _write_memos(
    folder: Path,
    names: tuple[list[str], list[str], int],
    changes: tuple[int, int, int],
    limits: tuple[Limits, Limits],
    rng: random.Random,
) -> None:
    (products, customers, week), (cancelled, broken, capped), (before, now) = names, changes, limits
    lost = (before.available[broken] - now.available[broken]) // 4
    text = (
        f"To: planning\nDate: 2026-03-{rng.randint(12, 14)}\nSubject: week {week}\n\n"
        "This replaces all earlier memos for that week.\n\n"
        f"- The {MACHINES[broken]} is in repair: {lost} hours of it are lost.\n"
        f"- {customers[cancelled]} has cancelled its contract.\n"
        f"- Sales can place at most {now.most[capped]} units of {products[capped]}.\n"
    )
    old = (
        f"To: planning\nDate: 2026-02-{rng.randint(10, 26)}\nSubject: week {week}\n\n"
        f"- The {MACHINES[(broken + 1) % 3]} is in repair: {lost + 2} hours of it are lost.\n"
        f"- {customers[(cancelled + 1) % 3]} has cancelled its contract.\n"
        f"- Sales can place at most {now.most[capped] - 3} units of {products[(capped + 1) % 4]}.\n"
    )
    first, second = rng.sample(["a", "b", "c"], 2)
    save_text(folder / f"memo_{first}_week{week}.txt", text)
    save_text(folder / f"memo_{second}_week{week}.txt", old)
    save_text(folder / "canteen.txt", f"Date: 2026-03-15\n\nThe canteen is closed on Friday of week {week}.\n")


def _write_other_files(files: Path, products: list[str], rng: random.Random) -> None:
    save_text(
        files / "notes.md",
        f"- ask for a second {MACHINES[rng.randrange(3)].lower()} in 2027\n- new {products[0].lower()} drawing\n",
    )
    rows = [f"{product},{rng.randint(2, 20)}" for product in products]
    save_text(files / "archive" / "plan_week9.csv", "\n".join(["product,units", *rows, ""]))
    save_text(files / "archive" / "shifts.csv", "shift,start,end\nearly,06:00,14:00\nlate,14:00,22:00\n")
