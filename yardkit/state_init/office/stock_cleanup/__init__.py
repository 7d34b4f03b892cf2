"""A count of the stock by five teams with five habits: spellings, units, recounts, lines that cannot be right."""

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, TypedDict

from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.days import some_day
from yardkit.state_init.material import take_out, typeset_markdown
from yardkit.state_init.names import MATERIALS, make_companies, make_people
from yardkit.state_init.spellings import format_english, format_german
from yardkit.state_init.workbooks import Book, age_rows, make_single_sheet
from yardkit.world import World, save_text

UNITS: Mapping[str, tuple[str, float]] = {
    "kg": ("kg", 1), "g": ("kg", 0.001), "t": ("kg", 1000), "kilo": ("kg", 1), "lb": ("kg", 0.4536),
    "l": ("l", 1), "ltr": ("l", 1), "ml": ("l", 0.001), "hl": ("l", 100),
    "m": ("m", 1), "cm": ("m", 0.01), "mm": ("m", 0.001), "ft": ("m", 0.3048),
    "pcs": ("pcs", 1), "pc": ("pcs", 1), "stk": ("pcs", 1), "doz": ("pcs", 12), "pair": ("pcs", 2),
}  # fmt: skip
"""Base unit and factor of each unit as it is written."""
ITEMS, GONE = 540, 40
OTHERS = {"kg": "pcs", "l": "kg", "m": "pcs", "pcs": "m"}
LOCATIONS = tuple(f"{hall}-{rack:02d}" for hall in "ABCDE" for rack in range(1, 10))
NO_QUANTITY = ("n/a", "?", "not found", "-", None)
HEAD = ["No.", "Team", "SKU", "Location", "Quantity", "Unit", "Counted"]
FIRST_ROW = 5
"""Row of the sheet that holds the first line: a title, an empty row, group heads and the header are above it."""


@dataclass(frozen=True)
class Item:
    """What can be in stock; `level` is in the base unit."""

    sku: str
    name: str
    unit: str
    level: int


@dataclass(frozen=True)
class Line:
    """What a team wrote down, before its habits of spelling."""

    number: int
    team: str
    sku: str
    location: str
    quantity: float | None
    unit: str
    day: datetime.date

    @property
    def base(self) -> float:
        """The quantity in the base unit."""
        return round((self.quantity or 0) * UNITS[self.unit][1], 3)


class StockCleanupFacts(TypedDict):
    """By SKU and location the line that stays; by row why a line does not, and its SKU as it was written."""

    stock: dict[str, list[Any]]
    removed: dict[str, str]
    written: dict[str, str]
    below: int
    locations: list[str]


def seed(world: World, rng: random.Random) -> StockCleanupFacts:
    """Write the count and what belongs to it; the facts hold the lines that stay and why the others do not."""
    items = _make_stock_items(rng)
    known, gone = {item.sku: item for item in items[:ITEMS]}, items[ITEMS:]
    lines = _make_lines(rng, items)
    written = [_spell_line(rng, line) for line in lines]
    _write_count(world, written, 2026)
    older = [[*row[:6], row[6].replace(year=2025)] if isinstance(row[6], datetime.date) else row for row in written]
    _write_count(world, age_rows([HEAD, *older[::3]], rng, 200)[1:], 2025)
    _write_items(world, rng, {"Items": items[:ITEMS], "Discontinued": gone})
    _write_texts(world, rng)
    removed = _find_removed_rows(lines, known)
    stay = [line for row, line in enumerate(lines, FIRST_ROW) if row not in removed]
    _write_draft(world, stay[::7])
    stock: dict[str, list[Any]] = {}
    for line in sorted(stay, key=attrgetter("sku", "location")):
        item = known[line.sku]
        stock[f"{line.sku} {line.location}"] = [item.name, line.base, item.unit, line.day.isoformat(), item.level]
    return {
        "stock": stock,
        "removed": {str(row): reason for row, reason in removed.items()},
        "written": {str(row): str(cells[2]).strip() for row, cells in enumerate(written, FIRST_ROW)},
        "below": sum(quantity < level for _, quantity, _, _, level in stock.values()),
        "locations": list(LOCATIONS),
    }


def _make_stock_items(rng: random.Random) -> list[Item]:
    """Those that are known, and then those that are not sold any more."""
    new_items = []
    for number in rng.sample(range(1000, 9999), ITEMS + GONE):
        unit = rng.choice(tuple(MATERIALS))
        kind = rng.choice(MATERIALS[unit])
        sku = f"{kind[0]}{rng.choice('KMPRTX')}-{number}"
        new_items.append(Item(sku, f"{kind}, type {rng.randint(10, 99)}", unit, 5 * rng.randint(1, 60)))
    return new_items


def _make_lines(rng: random.Random, items: Sequence[Item]) -> list[Line]:
    """Lines in the order in which they were typed in: mostly by number, recounts among them."""
    new_lines: list[Line] = []
    for item in items[: ITEMS + GONE // 2]:
        for location in rng.sample(LOCATIONS, rng.choice((1, 2, 2, 3, 4))):
            first = _make_count(rng, item, location, some_day(rng, datetime.date(2026, 2, 2), 19))
            new_lines.append(first)
            if rng.random() < 0.16:
                later = first.day + datetime.timedelta(days=rng.choice((0, 0, 1, 3, 8)))
                new_lines.append(_make_count(rng, item, location, later))
            if rng.random() < 0.02:
                new_lines.append(first)
    rng.shuffle(new_lines)
    new_lines = [replace(line, number=number) for number, line in enumerate(new_lines, 1001)]
    for place in rng.sample(range(len(new_lines)), 40):
        new_lines[place] = replace(new_lines[place], quantity=None)
    for place in rng.sample(range(len(new_lines)), 20):
        new_lines[place] = replace(new_lines[place], unit=OTHERS[UNITS[new_lines[place].unit][0]])
    head, tail = new_lines[:-300], new_lines[-300:]
    rng.shuffle(tail)
    return head + tail


def _make_count(rng: random.Random, item: Item, location: str, day: datetime.date) -> Line:
    unit = rng.choice([name for name, (base, _) in UNITS.items() if base == item.unit] + [item.unit] * 2)
    amount = item.level * rng.choice((0, 0.4, 0.8, 1, 1, 1.3, 2.1, 4))
    factor = UNITS[unit][1]
    if item.unit == "pcs":
        return Line(0, rng.choice("ABCDE"), item.sku, location, float(int(amount / factor)), unit, day)
    digits = 0 if factor < 0.02 else (3 if factor > 10 else 1)
    return Line(0, rng.choice("ABCDE"), item.sku, location, round(amount / factor, digits), unit, day)


def _find_removed_rows(lines: Sequence[Line], items: Mapping[str, Item]) -> dict[int, str]:
    """The reason by row of the sheet."""
    removal_reasons: dict[int, str] = {}
    best: dict[tuple[str, str], tuple[datetime.date, int, int]] = {}
    for row, line in enumerate(lines, FIRST_ROW):
        if line.sku not in items:
            removal_reasons[row] = "UNKNOWN SKU"
        elif line.quantity is None:
            removal_reasons[row] = "NO QUANTITY"
        elif UNITS[line.unit][0] != items[line.sku].unit:
            removal_reasons[row] = "WRONG UNIT"
        else:
            key, age = (line.sku, line.location), (line.day, line.number, row)
            if key in best:
                removal_reasons[min(age, best[key])[-1]] = "DUPLICATE"
            best[key] = max(age, best.get(key, age))
    return dict(sorted(removal_reasons.items()))


def _spell_line(rng: random.Random, line: Line) -> list[Any]:
    """A line as its team spells it."""
    sku = rng.choice((line.sku, line.sku, line.sku.replace("-", ""), line.sku.lower(), f" {line.sku}"))
    location = rng.choice((line.location, line.location, line.location.lower(), f"{line.location} "))
    unit = rng.choice((line.unit, line.unit, line.unit.upper(), f"{line.unit}."))
    quantity: Any = line.quantity
    if quantity is None:
        quantity = rng.choice(NO_QUANTITY)
    elif line.team == "D":
        quantity = format_german(quantity, 3).rstrip("0").rstrip(",")
    elif line.team == "B" and quantity >= 1000:
        quantity = format_english(quantity, 1)
    days = {"C": f"{line.day:%d.%m.%Y}", "E": f"{line.day.day} {line.day:%b %Y}"}
    return [line.number, line.team, sku, location, quantity, unit, days.get(line.team, line.day)]


def _write_count(world: World, rows: Sequence[Sequence[Any]], year: int) -> None:
    book = Book(world.now, title=f"Stock count {year}", author="Warehouse")
    groups = (("Count", 2), ("What and where", 2), ("How much", 2), ("", 1))
    widths = {0: 8, 1: 7, 2: 12, 3: 11, 4: 12, 5: 8, 6: 13}
    book.sheet("Count", [HEAD, *rows], title=f"Stock count {year}, all teams", groups=groups, widths=widths)
    notes = [["Note"], ["Halls A to E were counted in February, team by team."], ["Hall F is closed."]]
    book.sheet("Notes", notes, accent="7F7F7F")
    book.save(world.files / f"stock_count_{year}.xlsx")


def _write_items(world: World, rng: random.Random, sheets: Mapping[str, Sequence[Item]]) -> None:
    head = ["SKU", "Description", "Base unit", "Reorder level", "Supplier"]
    firms = [company.full for company in make_companies(rng, 24)]
    book = Book(world.now, title="Items", author="Purchasing")
    for name, items in sheets.items():
        ordered = sorted(items, key=attrgetter("sku"))
        book.sheet(name, [head, *([item.sku, item.name, item.unit, item.level, rng.choice(firms)] for item in ordered)])
    book.save(world.files / "items.xlsx")
    terms = ((firm, rng.choice((14, 30, 45))) for firm in firms)
    save_csv(world.files / "suppliers.csv", [("supplier", "days to pay"), *terms])


def _write_texts(world: World, rng: random.Random) -> None:
    """The rules, the units, the places, who counted."""
    boss = make_people(rng, 1)[0].name
    rules, header = take_out(world, "cleaning_rules.md"), ("Warehouse", "\t\t", "Cleaning the stock count")
    paper = typeset_markdown(rules, author=boss, now=world.now, header=header, widths_mm=[35, 125])
    paper.save(world.files / "cleaning_rules.docx")
    units = [(unit, base, factor) for unit, (base, factor) in UNITS.items()]
    save_csv(world.files / "units.csv", [("written", "base unit", "factor"), *units])
    save_text(world.files / "locations.txt", "".join(f"{location}\n" for location in LOCATIONS))
    teams = "".join(f"- {team}: {rng.randint(3, 6)} people\n" for team in "ABCDE")
    save_text(world.files / "teams.md", f"# Teams of the count\n\n{teams}\nLeader of the count: {boss}\n")


def _write_draft(world: World, stay: Sequence[Line]) -> None:
    """What a trainee began and left."""
    rows = [[line.sku, line.location, line.quantity, line.unit] for line in stay[:120]]
    head = ["SKU", "Location", "Qty", "Unit"]
    book = make_single_sheet("Sheet1", [head, *rows], world.now, title="Stock", author="Trainee")
    book.save(world.files / "stock_clean_draft.xlsx")
