"""Photos of the bottles and of the guests at a table, of two menus, and the house's rules."""

import random
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

from yardkit.state_init.booth_prints import draw_sheet
from yardkit.state_init.quickstart.bottles_bill.drinks import (
    BEERS,
    SOFT,
    WINES,
    Prices,
    bottle_kinds,
    bottle_price,
    draw_prices,
    drinks_menu,
    save_bottle_photo,
)
from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.rendering.menus import MenuStyle
from yardkit.world import World, save_text

GUESTS = {"collins": 1, "hopper": 1, "douglass": 1, "caller": 1, "apollo": 3}
"""Photographs, and how many people are on each; each of them is found by the embedded detector of faces."""
NOBODY = ("cup", "city", "plane")
SHOTS = 4
Charges = tuple[Decimal, Decimal, int]
"""The deposit for a bottle, the cover for a guest, and how many guests there are."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Render the photos; the facts hold the rows of the bill in dollars and their total."""
    names = {"beer": rng.sample(BEERS, 4), "wine": rng.sample(WINES, 3), "soft": rng.sample(SOFT, 3)}
    ours, theirs = _choose_drunk_bottles(names, rng), _choose_drunk_bottles(names, rng)
    while sorted(theirs.items()) == sorted(ours.items()):
        theirs = _choose_drunk_bottles(names, rng)
    table, other = rng.sample(range(2, 20), 2)
    off, deposit = rng.choice([10, 20, 30]), Decimal(rng.choice([15, 20, 25, 40])) / 100
    cover, guests = Decimal(rng.choice([75, 120, 150, 180])) / 100, [_choose_shots(rng), _choose_shots(rng)]
    while len({SHOTS, *map(_count_people, guests)}) < 3:
        guests = [_choose_shots(rng), _choose_shots(rng)]
    spring, autumn = draw_prices(names, rng), draw_prices(names, rng)
    while any(_bill_total(ours, spring, part) == _bill_total(ours, autumn, part) for part in (0, off)):
        autumn = draw_prices(names, rng)
    opens = rng.choice([17, 18])
    ordered = f"{opens + rng.choice([0, 1, 1, 2])}:{rng.randint(10, 55)}"
    happy = int(ordered[:2]) < opens + 2
    photos = world.files / "photos"
    kinds = bottle_kinds(names, rng)
    save_bottle_photo(photos / f"table_{table}.jpg", kinds, ours, (1000, 720), rng)
    save_bottle_photo(photos / f"table_{other}.jpg", kinds, theirs, (800, 576), rng)
    for number, shots in zip((table, other), guests, strict=True):
        save_image(draw_sheet(shots, rng), photos / f"booth_{number}.jpg", 90)
    menus = [("Spring menu 2026", spring), ("Autumn menu 2025", autumn)]
    styles: list[MenuStyle] = rng.sample(get_args(MenuStyle), 2)
    for number, ((season, prices), style) in enumerate(zip(rng.sample(menus, 2), styles, strict=True), start=1):
        save_image(
            photograph_picture(drinks_menu(season, prices, style, rng), rng, strength=0.3),
            photos / f"menu_{number}.jpg",
        )
    _write_rules(world.files, off, deposit, cover, opens, rng)
    charges = (deposit, cover, _count_people(guests[0]))
    part = off if happy else 0
    return {
        "prompt": {"table": table, "time": ordered},
        "rows": _build_bill(ours, spring, part, charges),
        "rows_of_the_older_menu": _build_bill(ours, autumn, part, charges),
        "rows_with_the_other_discount": _build_bill(ours, spring, off - part, charges),
        "rows_of_the_other_table": _build_bill(theirs, spring, part, (deposit, cover, _count_people(guests[1]))),
        "shots": SHOTS,
    }


def _choose_drunk_bottles(names: dict[str, list[str]], rng: random.Random) -> dict[str, int]:
    """Seven to nine bottles of five kinds."""
    beers = zip(names["beer"][1:3], (rng.choice([2, 3]), rng.choice([1, 2])), strict=True)
    soft = zip(names["soft"][:2], (rng.choice([1, 2]), 1), strict=True)
    return dict(sorted([*beers, (rng.choice(names["wine"][:2]), 1), *soft]))


def _build_bill(drunk: dict[str, int], prices: Prices, off: int, charges: Charges) -> dict[str, list[float]]:
    """Count, price of one and amount by item, deposit and cover at the end."""
    rows = {name: (count, bottle_price(name, prices), 100 - off * (name in BEERS)) for name, count in drunk.items()}
    deposit, cover, guests = charges
    rows |= {"Deposit": (sum(drunk.values()), deposit, 100), "Cover": (guests, cover, 100)}
    return {
        name: [count, float(unit_price), float(count * unit_price * part / 100)]
        for name, (count, unit_price, part) in rows.items()
    }


def _bill_total(drunk: dict[str, int], prices: Prices, off: int) -> float:
    return round(sum(row[2] for row in _build_bill(drunk, prices, off, (Decimal(), Decimal(), 0)).values()), 2)


def _choose_shots(rng: random.Random) -> list[str]:
    """The photographs of a print: at least two people, each of them once, and perhaps something else."""
    somebody = rng.sample(list(GUESTS), rng.choice([2, 3, 3, SHOTS]))
    return rng.sample(somebody + rng.sample(NOBODY, SHOTS - len(somebody)), SHOTS)


def _count_people(shots: list[str]) -> int:
    return sum(GUESTS.get(name, 0) for name in shots)


def _write_rules(files: Path, off: int, deposit: Decimal, cover: Decimal, opens: int, rng: random.Random) -> None:
    text = (
        "# House rules of the Copper Pot\n\n"
        "- Since 1 March the spring menu counts. Prices are in dollars and include tax.\n"
        f"- Happy hour is from {opens}:00 to {opens + 2}:00. What is ordered in it from the section "
        f'"Bottled beer" costs {off} % less.\n'
        f"- On top of the price there is a deposit of {deposit:.2f} dollars for each bottle of any kind. "
        "It is never reduced.\n"
        f"- The cover is {cover:.2f} dollars for each guest at the table.\n"
    )
    older = text.replace("Since 1 March the spring", "The autumn").replace(f"{off} %", f"{off + 5} %")
    save_text(files / "house_rules.md", text)
    save_text(
        files / "house_rules_2025.md",
        older.replace(f"deposit of {deposit:.2f}", f"deposit of {deposit / 2:.2f}").replace("each guest", "each table"),
    )
    save_text(files / "tables.txt", f"{rng.randint(30, 60)} seats, {rng.randint(12, 20)} tables, two of them outside\n")
    save_text(files / "shopping.txt", "paper towels\nlemons\nginger\n6 x lager\n")
