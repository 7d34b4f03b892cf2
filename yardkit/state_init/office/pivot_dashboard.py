"""Orders of half a year, a table that ends too early, targets, and the stale copies of a sales department."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from yardkit.state_init.days import some_day
from yardkit.state_init.mails import mail_name, send_mail
from yardkit.state_init.names import make_companies, make_people
from yardkit.state_init.workbooks import Book, age_rows, make_single_sheet
from yardkit.world import World, save_text

FILE = "sales/orders_2026_h1.xlsx"
REGIONS = ("East", "North", "South", "West")
CATEGORIES = ("Furniture", "Lighting", "Storage", "Technology")
STATUS = ("cancelled", "invoiced", "open", "shipped")
HEAD = ("Order", "Date", "Region", "Category", "Customer", "Amount", "Status")
MONTHS = tuple(datetime.date(2026, month, 1) for month in range(1, 7))
COUNT, PASTED = 1600, 120


@dataclass(frozen=True)
class Order:
    """A row of the sheet; the amount is in cents."""

    number: str
    date: datetime.date
    region: str
    category: str
    customer: str
    cents: int
    status: str


class PivotDashboardFacts(TypedDict):
    """Orders as day, region, category, amount and status; targets by month; how many months stayed below 90 %."""

    prompt: dict[str, str]
    orders: list[list[Any]]
    targets: list[int]
    regions: list[str]
    categories: list[str]
    below: int


def seed(world: World, rng: random.Random) -> PivotDashboardFacts:
    """Write the workbook, its copies and what lies beside it; the facts hold every order."""
    orders = _make_orders(rng)
    targets = _set_targets(rng, orders)
    _save_workbook(world.files / FILE, orders, targets, world.now, cut=PASTED)
    _write_copies(world, rng, orders, targets)
    pivot = rng.choice(("SalesByRegion", "RegionCategory", "OrdersPivot"))
    shares = [_sum_sales(orders, month) / target for month, target in zip(MONTHS, targets, strict=True)]
    return {
        "prompt": {"pivot": pivot},
        "orders": [
            [order.date.isoformat(), order.region, order.category, order.cents / 100, order.status] for order in orders
        ],
        "targets": targets,
        "regions": list(REGIONS),
        "categories": list(CATEGORIES),
        "below": sum(share < 0.9 for share in shares),
    }


def _make_orders(rng: random.Random) -> list[Order]:
    """In the order of their dates, but for those that were pasted below."""
    buyers = [company.name for company in make_companies(rng, 40)]
    new_orders = []
    for number in range(COUNT):
        day = some_day(rng, MONTHS[0], 181)
        cents = rng.choice((rng.randrange(4_000, 90_000), rng.randrange(90_000, 900_000)))
        traits = (rng.choice(REGIONS), rng.choice(CATEGORIES), rng.choice(buyers))
        new_orders.append(Order(f"SO-{26_000 + number}", day, *traits, cents, rng.choices(STATUS, (9, 60, 8, 23))[0]))
    late = rng.sample(range(COUNT), PASTED)
    rest = sorted(set(range(COUNT)) - set(late))
    return [*sorted((new_orders[n] for n in rest), key=lambda order: order.date), *(new_orders[n] for n in late)]


def _sum_sales(orders: Sequence[Order], month: datetime.date) -> float:
    return sum(order.cents for order in orders if order.date.month == month.month and order.status != "cancelled") / 100


def _set_targets(rng: random.Random, orders: Sequence[Order]) -> list[int]:
    """Whole thousands: some months are missed by far, some narrowly, some are met."""
    shares = [0.82, 0.86, 0.93, 0.97, 1.05, 1.12]
    shares[1] = rng.choice((0.86, 0.94))
    rng.shuffle(shares)
    return [round(_sum_sales(orders, month) / share / 1000) * 1000 for month, share in zip(MONTHS, shares, strict=True)]


def _list_rows(orders: Sequence[Order]) -> list[list[Any]]:
    return [
        list(HEAD),
        *(
            [order.number, order.date, order.region, order.category, order.customer, order.cents / 100, order.status]
            for order in orders
        ),
    ]


def _save_workbook(
    path: Path, orders: Sequence[Order], targets: Sequence[int], now: datetime.datetime, *, cut: int = 0
) -> None:
    """The workbook; the table of its orders ends `cut` rows before the last one."""
    book = Book(now, title="Orders", author="Sales")
    rows = _list_rows(orders)
    widths = {0: 11, 1: 12, 2: 10, 3: 13, 4: 30, 5: 12, 6: 11}
    sheet = book.sheet("Orders", rows, formats={1: "yyyy-mm-dd", 5: "#,##0.00"}, widths=widths)
    sheet.fit_to_pages(1, 0)
    columns = [{"header": name} for name in HEAD]
    sheet.add_table(0, 0, len(rows) - 1 - cut, 6, {"name": "tblOrders", "columns": columns, "style": None})
    months: list[list[Any]] = [["Month", "Target EUR", "Set by"]]
    months += [[month, target, "Board"] for month, target in zip(MONTHS, targets, strict=True)]
    book.sheet("Targets", months, title="Targets 2026", formats={0: "mmm yyyy", 1: "#,##0"}, widths={0: 12, 1: 14})
    book.save(path)


def _write_copies(world: World, rng: random.Random, orders: Sequence[Order], targets: Sequence[int]) -> None:
    """What was sent in April, last year's targets, a price list, mails."""
    april = [order for order in orders if order.date.month < 4]
    _save_workbook(
        world.files / "sales" / "orders_2026_q1.xlsx", april, targets, world.now - datetime.timedelta(days=80)
    )
    old = age_rows([["Month", "Target"], *([f"{m:%b}", t] for m, t in zip(MONTHS, targets, strict=True))], rng, 5)
    make_single_sheet("Targets", old, world.now, title="Targets").save(
        world.files / "sales" / "targets_2026_draft.xlsx"
    )
    lines = "".join(f"{order.number};{rng.randrange(1, 9)}\n" for order in orders[:400])
    save_text(world.files / "sales" / "parcels.csv", f"order;parcels\n{lines}")
    save_text(world.files / "sales" / "readme.md", "# Sales\n\nAmounts are in euros without VAT.\n")
    save_text(world.files / "sales" / "regions.csv", "region;manager\n" + "".join(f"{r};tba\n" for r in REGIONS))
    texts = (
        ("Late orders", "I pasted the late orders below the table in Orders, sorry for the mess.\n"),
        ("Draft of the targets", "The draft is out of date, the board's figures are in the workbook.\n"),
        ("Dashboard", "Please make it fit one page this time. Last time half the numbers were ####.\n"),
    )
    for number, ((subject, body), sender) in enumerate(zip(texts, make_people(rng, 3), strict=True), 1):
        sent = world.now - datetime.timedelta(days=4 - number)
        send_mail(world.files / "mails" / mail_name(number, subject), sender, "sales@example.com", subject, body, sent)
