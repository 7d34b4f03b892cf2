"""Delivery notes of a seeded company: which lots went out with an order. Nothing else knows them."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal

from yardkit.apps.shop import Order, OrderLine
from yardkit.apps.shop_sums import round_cents
from yardkit.state_init.company.drawn import draw_file
from yardkit.state_init.company.letters import File, Rows
from yardkit.state_init.names import Company
from yardkit.world import World, save_bytes

FOLDER = "delivery_notes"


@dataclass(frozen=True)
class DeliveryNote:
    """A delivery note. rows: lines of the order, each with lot and pieces."""

    name: str
    order: Order
    day: date
    rows: tuple[tuple[OrderLine, str, int], ...]
    replaces: str = ""


def save_notes(world: World, ours: Company, notes: Iterable[DeliveryNote]) -> None:
    """Notes as PDF files, as the warehouse prints them."""
    for delivery_note in notes:
        at = datetime.combine(delivery_note.day, time(), world.now.tzinfo)
        save_bytes(world.files / FOLDER / f"{delivery_note.name}.pdf", draw_file(_make_paper(delivery_note, ours), at))


def day_sent(order: Order) -> date:
    """When an order left the house."""
    return date.fromisoformat((order.completed or "")[:10])


def usual_lot(sku: str) -> str:
    """The lot in which a product comes as a rule."""
    draw = zlib.crc32(sku.encode())
    return f"{'BCDFG'[draw % 5]}{draw % 8_999 + 1_000}"


def share_of(line: OrderLine, pieces: int, before: int = 0) -> int:
    """What was paid for some pieces of a line, as the shop counts it when `before` pieces came back already."""
    price = Decimal(line.total_cents + line.tax_cents) / line.quantity
    return round_cents(price * (before + pieces)) - round_cents(price * before)


def _make_paper(delivery_note: DeliveryNote, ours: Company) -> File:
    """A delivery note as the warehouse prints it."""
    to = delivery_note.order.shipping
    rows: Rows = (
        ("SKU", "Item", "Pieces", "Lot"),
        *((line.sku, line.name, pieces, lot) for line, lot, pieces in delivery_note.rows),
    )
    heads = (
        f"{ours.full}, {', '.join(ours.address)}",
        f"To: {to.first_name} {to.last_name}, {to.street}, {to.postcode} {to.city}",
        f"Date: {delivery_note.day:%d %B %Y}   Order: {delivery_note.order.id}",
    )
    below = (
        (f"This note replaces {delivery_note.replaces}, on which the lot was wrong.",) if delivery_note.replaces else ()
    )
    return File(f"{delivery_note.name}.pdf", f"Delivery note {delivery_note.name}", rows, heads, below)
