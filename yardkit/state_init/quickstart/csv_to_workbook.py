"""Sales exports of four regions by four systems, with a stale copy, lines sent twice, and totals."""

import datetime
import random
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from yardkit.state_init.csv_files import save_csv
from yardkit.world import World, save_text

REGIONS = ("East", "North", "South", "West")
PRODUCTS = ("Café set", "Desk lamp", "Tea tray", "Müsli bowl", "Oak stool", "Wool throw", "Crème jug", "Bath mat")
MONTHS = ("2026-01", "2026-02", "2026-03")
SAMPLE = datetime.date(2025, 12, 31)


@dataclass(frozen=True)
class Order:
    """One sale; the price is in euros."""

    number: str
    date: datetime.date
    product: str
    units: int
    price: Decimal


@dataclass(frozen=True)
class Dialect:
    """How a system writes its export."""

    delimiter: str
    date: str
    decimal: Literal[".", ","]
    thousands: str
    encoding: str
    newline: str
    preamble: tuple[tuple[str, ...], ...]
    header: tuple[str, ...]


DIALECTS = (
    Dialect(",", "%Y-%m-%d", ".", "", "utf-8", "\n", (), ("order", "date", "product", "qty", "price", "net")),
    Dialect(
        *(";", "%d.%m.%Y", ",", ".", "utf-8-sig", "\r\n", (("Auswertung", *[""] * 5), ("",) * 6)),
        ("Auftrag", "Datum", "Artikel", "Menge", "Einzelpreis", "Netto"),
    ),
    Dialect(
        *("\t", "%d/%m/%Y", ".", ",", "cp1252", "\r\n", (("Sales export",),)),
        ("Order no.", "Order date", "Item", "Units", "Unit price", "Net"),
    ),
    Dialect(
        *(",", "%m/%d/%Y", ".", ",", "utf-8", "\n", ()), ("ORDER", "ORDERED ON", "ITEM", "UNITS", "UNIT PRICE", "NET")
    ),
)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write the exports; the facts hold the orders that count and the sums by month and region in euros."""
    folder = world.files / "exports"
    orders: dict[str, list[Order]] = {}
    rows = ["| File | System | 31 December 2025 reads | 1234.5 reads |", "|---|---|---|---|"]
    replaced = rng.sample(REGIONS, 2)
    for number, (region, dialect) in enumerate(zip(REGIONS, rng.sample(DIALECTS, 4), strict=True)):
        orders[region] = _make_orders(rng, number)
        sent = _as_sent(orders[region], rng, number)
        name = f"{region.lower()}_2026q1.csv"
        _export_orders(folder / name, sent, dialect)
        stale = [order for order in sent if order.date < datetime.date(2026, 3, 9)]
        if region in replaced:
            _export_orders(folder / f"{region.lower()}_2026q1_preliminary.csv", _reprice_orders(stale), dialect)
        rows.append(
            f"| `{name}` | {SYSTEMS[number]} | {SAMPLE.strftime(dialect.date)} | {_format_number(dialect, '1234.5')} |"
        )
    _write_others(world.files, rows, rng)
    counted = {region: [order for order in sold if f"{order.date:%Y-%m}" in MONTHS] for region, sold in orders.items()}
    sums = _compute_sums(counted)
    return {
        "prompt": {"regions": ", ".join(f"`{region}`" for region in REGIONS)},
        "orders": {order.number: _describe_order(region, order) for region, sold in counted.items() for order in sold},
        "sums": sums,
        "best": max(REGIONS, key=lambda region: sums["Total"][region]),
    }


SYSTEMS = ("till", "shop system", "warehouse", "order book")


def _make_orders(rng: random.Random, place: int) -> list[Order]:
    """Orders of the quarter and two just outside of it, with numbers of the region's own."""
    start = datetime.date(2026, 1, 1)
    days = [*(rng.randint(0, 89) for _ in range(rng.randint(22, 30))), 0, 89, -1, 90]
    new_orders = []
    for index, day in enumerate(sorted(days)):
        price = Decimal(rng.randrange(495, 240_000 if rng.random() < 0.25 else 9_000, 5)) / 100
        number = f"{'ENSW'[place]}{10 + place}{index + 1:03d}"
        new_orders.append(
            Order(number, start + datetime.timedelta(days=day), rng.choice(PRODUCTS), rng.randint(1, 24), price)
        )
    return new_orders


def _as_sent(orders: list[Order], rng: random.Random, place: int) -> list[Order]:
    """What the system wrote: some orders twice."""
    sent = list(orders)
    for order in rng.sample(orders[3:-3], 1 + place % 3):
        sent.insert(rng.randint(sent.index(order) + 1, len(sent)), order)
    return sent


def _reprice_orders(orders: list[Order]) -> list[Order]:
    return [Order(order.number, order.date, order.product, order.units + 1, order.price + 2) for order in orders]


def _export_orders(path: Path, orders: list[Order], dialect: Dialect) -> None:
    rows = [*dialect.preamble, dialect.header]
    for order in orders:
        amounts = [_format_number(dialect, f"{amount:.2f}") for amount in (order.price, order.units * order.price)]
        rows.append((order.number, order.date.strftime(dialect.date), order.product, str(order.units), *amounts))
    units, net = sum(order.units for order in orders), sum((order.units * order.price for order in orders), Decimal())
    rows.append(("Total", "", "", str(units), "", _format_number(dialect, f"{net:.2f}")))
    save_csv(path, rows, delimiter=dialect.delimiter, newline=dialect.newline, encoding=dialect.encoding)


def _format_number(dialect: Dialect, text: str) -> str:
    integer_digits, _, cents = text.partition(".")
    return f"{int(integer_digits):,}".replace(",", dialect.thousands) + dialect.decimal + cents


def _compute_sums(orders: dict[str, list[Order]]) -> dict[str, dict[str, float]]:
    """Euros by month (and ``Total``) and region (and ``Total``)."""
    sums: dict[str, dict[str, Decimal]] = {month: defaultdict(Decimal) for month in (*MONTHS, "Total")}
    for region, sold in orders.items():
        for order in sold:
            for month in (f"{order.date:%Y-%m}", "Total"):
                for column in (region, "Total"):
                    sums[month][column] += order.units * order.price
    return {month: {column: float(amount) for column, amount in row.items()} for month, row in sums.items()}


def _describe_order(region: str, order: Order) -> dict[str, Any]:
    return {
        "date": order.date.isoformat(),
        "region": region,
        "product": order.product,
        "units": order.units,
        "price": float(order.price),
    }


def _write_others(files: Path, rows: list[str], rng: random.Random) -> None:
    lines = [
        "# Exports of the first quarter of 2026",
        "",
        "These four files count; whatever ends in `_preliminary` was sent in March and has been replaced.",
        "",
        *rows,
        "",
        "Prices are in euros. Files come from different machines: their encodings differ as well.",
        "",
    ]
    save_text(files / "exports" / "about.md", "\n".join(lines))
    stock = "".join(f"{product},{rng.randint(0, 400)}\n" for product in PRODUCTS)
    save_text(files / "exports" / "stock_2026-03-31.csv", f"product,in stock\n{stock}")
    targets = "".join(f"{region};{rng.randrange(20, 60) * 1000}\n" for region in REGIONS)
    save_text(files / "targets_2026.csv", f"region;target eur\n{targets}")
    save_text(files / "todo.txt", "order new till rolls\nask West about the returns of December\n")
