"""Photos of invoices with planted faults, a ledger of orders and payments, and price lists."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from yardkit.state_init.rendering import Invoice, draw_invoice, photograph_picture, save_image
from yardkit.state_init.rendering.invoices import InvoiceStyle
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_text

CENT = Decimal("0.01")
CORRECTED = ("price", "quantity", "sum", "tax")
REJECTED = ("no order", "paid before")


@dataclass(frozen=True)
class Supplier:
    """Who sells what at which rate of tax, and how their invoices look."""

    name: str
    address: str
    style: InvoiceStyle
    tax: int
    letters: str
    goods: tuple[str, ...]


SUPPLIERS = (
    Supplier(
        *("Bergmann Tools", "Werkstrasse 14, 70435 Stuttgart", "modern", 19, "BT"),
        ("Cordless drill", "Bit set 32 pcs", "Work gloves", "Tape measure 5 m", "Clamp 300 mm", "Saw blade"),
    ),
    Supplier(
        *("Lindqvist Books", "3 Mill Lane, Aarhus", "letter", 7, "LB"),
        ("Welding handbook", "Tables for fitters", "Wood joints atlas", "First aid guide", "CNC primer"),
    ),
    Supplier(
        *("Oakfield Supplies", "Unit 9, Harbour Park, Leith", "typed", 19, "KF"),
        ("Copy paper A4", "Toner black", "Folder red", "Marker set", "Shipping box M", "Label roll"),
    ),
)


@dataclass(frozen=True)
class Item:
    """One item of a price list; the price is in euros."""

    code: str
    name: str
    price: Decimal


@dataclass(frozen=True)
class Bill:
    """What one photo shows. `net`, `rate` and the lines are as printed, `correct` is as it should be."""

    supplier: Supplier
    number: str
    order: str
    ordered: tuple[tuple[Item, int], ...]
    lines: tuple[tuple[Item, int], ...]
    net: Decimal
    rate: int
    finding: str
    correct: Decimal

    @property
    def tax(self) -> Decimal:
        """The printed tax in euros."""
        return _round_to_cents(self.net * self.rate / 100)

    @property
    def total(self) -> Decimal:
        """The printed total in euros."""
        return self.net + self.tax

    def describe(self) -> dict[str, Any]:
        numbers = {"invoice": self.number, "order": self.order, "finding": self.finding}
        return numbers | {"billed": float(self.total), "correct": float(self.correct)}


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Draw the invoices and write the records; the facts hold one row per photo."""
    catalog = {supplier: _make_goods(supplier, rng) for supplier in SUPPLIERS}
    orders = rng.sample(range(48_000, 49_900), 20)
    findings = rng.sample(["ok", rng.choice(REJECTED), *rng.sample(CORRECTED, 3)], 5)
    bills = []
    for number, finding in enumerate(findings):
        supplier = SUPPLIERS[number % 3] if number < 3 else rng.choice(SUPPLIERS)
        bills.append(_make_bill(supplier, catalog[supplier], f"HW-{orders[number]}", finding, rng))
    names = [f"IMG_{number}.jpg" for number in sorted(rng.sample(range(2100, 9900), 5))]
    for name, bill in zip(names, bills, strict=True):
        _save_photo(world.files / "invoices" / name, bill, rng)
    _write_prices(world.files, catalog, rng)
    _write_ledger(world, bills, catalog, [f"HW-{order}" for order in orders[5:]], rng)
    save_text(world.files / "invoices" / "readme.txt", "Photos taken at the front desk, one invoice each.\n")
    save_text(world.files / "opening_hours.txt", "Goods in: Mon to Fri 7:00 to 15:30, ring twice.\n")
    return {
        "prompt": {"example": f"{rng.randint(100, 999)}/{rng.randint(10, 25)}"},
        "bills": {name: bill.describe() for name, bill in zip(names, bills, strict=True)},
        "payable": float(sum((bill.correct for bill in bills), Decimal())),
    }


def _make_goods(supplier: Supplier, rng: random.Random) -> list[Item]:
    numbers = rng.sample(range(210, 980), len(supplier.goods))
    prices = [Decimal(rng.randrange(390, 14_500, 5)) / 100 for _ in supplier.goods]
    return [
        Item(f"{supplier.letters}-{number}", name, price)
        for number, name, price in zip(numbers, supplier.goods, prices, strict=True)
    ]


def _make_bill(supplier: Supplier, items: list[Item], order: str, finding: str, rng: random.Random) -> Bill:
    ordered = tuple((item, rng.randint(2, 24)) for item in rng.sample(items, rng.randint(3, 4)))
    net = _sum_net(ordered)
    correct = net + _round_to_cents(net * supplier.tax / 100)
    number = f"{supplier.letters}{rng.randint(20_000, 79_999)}"
    bill = Bill(supplier, number, order, ordered, ordered, net, supplier.tax, finding, correct)
    place = rng.randrange(len(ordered))
    item, count = ordered[place]
    if finding == "price":
        dearer = replace(item, price=item.price + Decimal(rng.randrange(40, 900, 5)) / 100)
        bill = _with_line(bill, place, (dearer, count))
    elif finding == "quantity":
        bill = _with_line(bill, place, (item, count + rng.randint(1, 6)))
    elif finding == "sum":
        bill = replace(bill, net=net + rng.choice([9, 18, 27, 36, 90, 180]))
    elif finding == "tax":
        bill = replace(bill, rate=19 if supplier.tax == 7 else 21)
    elif finding != "ok":
        bill = replace(bill, correct=Decimal("0.00"))
    return bill


def _with_line(bill: Bill, place: int, line: tuple[Item, int]) -> Bill:
    lines = (*bill.lines[:place], line, *bill.lines[place + 1 :])
    return replace(bill, lines=lines, net=_sum_net(lines))


def _sum_net(lines: Sequence[tuple[Item, int]]) -> Decimal:
    return sum((item.price * count for item, count in lines), Decimal("0.00"))


def _round_to_cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)


def _save_photo(path: Path, bill: Bill, rng: random.Random) -> None:
    day = datetime.date(2026, 3, 13) - datetime.timedelta(days=rng.randint(0, 4))
    amounts = {"Net amount": bill.net, f"VAT {bill.rate} %": bill.tax, "Total EUR": bill.total}
    content = Invoice(
        supplier=bill.supplier.name,
        address=bill.supplier.address,
        to=["Hafenwerk GmbH", "Kai 7", "20457 Hamburg"],
        facts=[("Invoice no.", bill.number), ("Date", day.isoformat()), ("Your order", bill.order)],
        header=("Code", "Item", "Qty", "Price", "Amount"),
        lines=[
            (item.code, item.name, str(count), f"{item.price:,.2f}", f"{item.price * count:,.2f}")
            for item, count in bill.lines
        ],
        totals=[(label, f"{amount:,.2f}") for label, amount in amounts.items()],
        footer=["Payable within 30 days. Thank you for your order."],
    )
    save_image(photograph_picture(draw_invoice(content, bill.supplier.style, rng), rng, strength=0.3), path, quality=82)


def _write_prices(files: Path, catalog: dict[Supplier, list[Item]], rng: random.Random) -> None:
    for year in (2025, 2026):
        lines = ["supplier,code,item,unit_price_eur,tax_percent"]
        for supplier, items in catalog.items():
            for item in items:
                price = item.price if year == 2026 else _round_to_cents(item.price * Decimal(rng.randint(88, 97)) / 100)
                lines.append(f"{supplier.name},{item.code},{item.name},{price:.2f},{supplier.tax}")
        save_text(files / f"price_list_{year}.csv", "\n".join([*lines, ""]))


def _write_ledger(
    world: World, bills: list[Bill], catalog: dict[Supplier, list[Item]], others: list[str], rng: random.Random
) -> None:
    """Orders of these and other invoices, payments, and a sheet of what is expected."""
    orders: list[list[Any]] = []
    for bill in bills:
        if bill.finding != "no order":
            orders += [[bill.order, bill.supplier.name, item.code, count] for item, count in bill.ordered]
    paid: list[list[Any]] = [
        [bill.number, bill.order, float(bill.total), datetime.date(2026, 3, rng.randint(2, 11))]
        for bill in bills
        if bill.finding == "paid before"
    ]
    for order in others:
        supplier = rng.choice(SUPPLIERS)
        lines = [(item, rng.randint(1, 20)) for item in rng.sample(catalog[supplier], 2)]
        orders += [[order, supplier.name, item.code, count] for item, count in lines]
        number = f"{supplier.letters}{rng.randint(20_000, 79_999)}"
        day = datetime.date(2026, 1, 8) + datetime.timedelta(days=rng.randint(0, 50))
        paid.append([number, order, float(_round_to_cents(_sum_net(lines) * (100 + supplier.tax) / 100)), day])
    orders.sort(key=lambda row: (row[0], row[2]))
    paid.sort(key=lambda row: row[3])
    budget: list[list[Any]] = [["Month", "Budget EUR"], ["January", 12_000], ["February", 12_000], ["March", 14_500]]
    sheets: dict[str, list[list[Any]]] = {
        "Orders": [["Order", "Supplier", "Code", "Quantity"], *orders],
        "Paid": [["Invoice", "Order", "Amount EUR", "Paid on"], *paid],
        "Budget": budget,
    }
    save_workbook(world.files / "ledger.xlsx", sheets, world.now)
