"""Orders of half a year in a workbook: corrected, cancelled and test lines, amounts by formula, an older sheet."""

import datetime
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from yardkit.state_init.material import take_out
from yardkit.state_init.names import make_companies, make_products
from yardkit.state_init.workbooks import Book, Formula
from yardkit.world import World, save_text

MONTHS = ("January", "February", "March", "April", "May", "June")
REGIONS = ("East", "North", "South", "West")
HEAD = ("Order", "Ordered", "Entered", "Customer", "Region", "Product", "Units", "Discount", "Status", "Amount")


@dataclass(frozen=True)
class Line:
    """An order as it was entered; `reason`: why the line does not count."""

    order: str
    ordered: datetime.date
    entered: datetime.date
    customer: str
    region: str
    product: str
    units: int
    discount: Decimal
    status: str = "delivered"
    reason: str = ""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write the workbook; the facts hold orders and euros by month, region and product, and the lines left out."""
    names = sorted(make_products(rng, 6, ("office", "home")))
    facts: dict[str, Any] = {}
    while not facts or not _is_clear(facts):
        prices = {name: Decimal(rng.randrange(1450, 21_000, 5)) / 100 for name in names}
        lines = _make_lines(rng, names, 2026)
        facts = _collect_facts([line for line in lines if not line.reason], prices, rng)
    book = Book(world.now, title="Orders, first half of 2026", author="Order desk")
    book.sheet("Read me", [[text] for text in take_out(world, "read_me.txt").splitlines()], widths={0: 110})
    _orders_sheet(book, "Orders", lines, prices)
    book.sheet("Prices", [["Product", "Price"], *([name, float(price)] for name, price in prices.items())])
    book.sheet("Targets", [["Region", "Target"], *([name, target] for name, target in facts["targets"].items())])
    _orders_sheet(book, "Orders 2025", _make_lines(rng, names, 2025)[:30], prices)
    book.save(world.files / "orders_h1.xlsx")
    draft = "".join(f"{region},{target + 1500}\n" for region, target in facts["targets"].items())
    save_text(world.files / "targets_draft.csv", f"region,target\n{draft}")
    facts["left_out"] = [[line.order, _compute_amount(line, prices), line.reason] for line in lines if line.reason]
    return {**facts, "workflow_category": "Data Analysis"}


def _make_lines(rng: random.Random, names: Sequence[str], year: int) -> list[Line]:
    """What was entered, by order; months differ in how many orders they have."""
    customers = [company.name for company in make_companies(rng, 9)]
    days = [datetime.date(year, month, rng.randint(1, 28)) for month in range(1, 7) for _ in range(rng.randint(6, 16))]
    new_lines = []
    for number, day in enumerate(sorted(days), 1):
        entered = day + datetime.timedelta(days=rng.randint(0, 3))
        what = (rng.choice(customers), rng.choice(REGIONS), rng.choice(names), rng.randint(2, 40))
        discount = Decimal(rng.choice((0, 0, 0, 5, 10))) / 100
        new_lines.append(Line(f"S-{year % 100}{number:03d}", day, entered, *what, discount))
    return sorted(_add_faulty_lines(new_lines, rng), key=lambda line: (line.order, rng.random()))


def _add_faulty_lines(lines: list[Line], rng: random.Random) -> list[Line]:
    """The lines with corrections, cancelled orders and tests among them."""
    chosen = rng.sample(range(len(lines)), 14)
    for number in chosen[:2]:
        lines[number] = replace(lines[number], customer="Test customer", reason="test")
    for number in chosen[2:6]:
        lines[number] = replace(lines[number], status="cancelled", reason="cancelled")
    for number in chosen[4:14]:
        later = lines[number].entered + datetime.timedelta(days=rng.randint(5, 40))
        units = max(1, lines[number].units + rng.choice((-1, 0, 2, 5)))
        lines.append(replace(lines[number], entered=later, units=units))
        # Who cancels an order that is corrected later cancels its last line.
        lines[number] = replace(lines[number], status="delivered", reason="doubled")
    return lines


def _orders_sheet(book: Book, name: str, lines: Sequence[Line], prices: dict[str, Decimal]) -> None:
    rows = [
        [*(line.order, line.ordered, line.entered, line.customer, line.region, line.product, line.units),
         float(line.discount), line.status,
         Formula(f"=ROUND(G{row}*VLOOKUP(F{row},Prices!$A:$B,2,FALSE)*(1-H{row}),2)", _compute_amount(line, prices))]
        for row, line in enumerate(lines, 2)
    ]  # fmt: skip
    book.sheet(name, [HEAD, *rows], formats={7: "0%", 9: "#,##0.00"})


def _compute_amount(line: Line, prices: dict[str, Decimal]) -> float:
    exact = line.units * prices[line.product] * (1 - line.discount)
    return float(exact.quantize(Decimal("0.01"), ROUND_HALF_UP))


def _collect_facts(counted: Sequence[Line], prices: dict[str, Decimal], rng: random.Random) -> dict[str, Any]:
    def sums(keys: Iterable[str], of: Callable[[Line], str]) -> dict[str, float]:
        return {
            key: round(sum(_compute_amount(line, prices) for line in counted if of(line) == key), 2) for key in keys
        }

    regions = sums(REGIONS, lambda line: line.region)
    return {
        "months": sums(MONTHS, _get_month),
        "orders": {month: sum(_get_month(line) == month for line in counted) for month in MONTHS},
        "regions": regions,
        "targets": {name: round(amount * rng.uniform(0.85, 1.15) / 500) * 500 for name, amount in regions.items()},
        "products": sums(prices, lambda line: line.product),
    }


def _get_month(line: Line) -> str:
    return MONTHS[line.ordered.month - 1]


def _is_clear(facts: dict[str, Any]) -> bool:
    """Whether the first of each list leads clearly, some region missed its target, and no percentage is half way."""
    total = sum(facts["months"].values())
    shares = [100 * facts["regions"][name] / target for name, target in facts["targets"].items()]
    percents = [*shares, *(100 * amount / total for amount in facts["products"].values())]
    leads = [sorted(facts[key].values(), reverse=True)[:2] for key in ("months", "products")]
    has_distance = all(abs(percent * 10 % 1 - 0.5) > 0.02 for percent in percents)
    worst, second, *_ = sorted(shares)
    return has_distance and all(first > 1.06 * after for first, after in leads) and worst < min(97, second - 1)
