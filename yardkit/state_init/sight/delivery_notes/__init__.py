"""Photographs of delivery notes, and a database of orders and of what was booked already."""

import datetime
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from yardkit.state_init.databases import build_database
from yardkit.state_init.names import MATERIALS, make_companies
from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.sight.delivery_notes.delivery_notes import DeliveryNote, delivery_note
from yardkit.world import World, save_bytes

SCHEMA = """
CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE orders (number TEXT PRIMARY KEY, supplier INTEGER NOT NULL REFERENCES suppliers, ordered_on TEXT NOT NULL);
CREATE TABLE order_lines (order_number TEXT NOT NULL REFERENCES orders, article TEXT NOT NULL,
  description TEXT NOT NULL, pieces INTEGER NOT NULL, PRIMARY KEY (order_number, article));
CREATE TABLE booked (note TEXT NOT NULL, order_number TEXT NOT NULL REFERENCES orders, article TEXT NOT NULL,
  pieces INTEGER NOT NULL, received_on TEXT NOT NULL);
"""
ORDERS, NOTED = 14, 4
"""Orders in the database, and those of which a note was photographed."""


@dataclass
class Order:
    """An order: pieces by article."""

    number: str
    supplier: int
    day: datetime.date
    lines: dict[str, int]


@dataclass(frozen=True)
class Note:
    """A delivery: pieces by article, and what of it was sent back."""

    number: str
    order: Order
    day: datetime.date
    lines: Mapping[str, int]
    back: Mapping[str, int] = field(default_factory=dict)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Photograph the notes and write the database; the facts hold the notes and what differs from the orders."""
    names = _choose_articles(rng)
    orders = _make_orders(rng, list(names))
    noted = rng.sample(orders, NOTED)
    earlier, notes = _make_deliveries(rng, noted)
    booked = [*earlier, notes[-1]]
    firms = make_companies(rng, 5)
    shots = [*notes, rng.choice(notes[:-1])]
    numbers = rng.sample(range(1000, 9999), len(shots))
    for number, note in zip(numbers, rng.sample(shots, len(shots)), strict=True):
        firm = firms[note.order.supplier]
        remark = "".join(f"Damaged, sent back: {pieces} x {article}" for article, pieces in note.back.items())
        sheet = DeliveryNote(
            *(firm.full, f"{firm.street}, {firm.postcode} {firm.city}", note.number, f"{note.day:%-d %B %Y}"),
            *(note.order.number, [(article, names[article], pieces) for article, pieces in note.lines.items()]),
            *(f"{_find_receipt_day(note):%d %b %Y}".upper(), remark),
        )
        save_image(
            photograph_picture(delivery_note(sheet, rng), rng, strength=0.3), world.files / f"notes/IMG_{number}.jpg"
        )
    _write_database(world, orders, booked, names, [firm.full for firm in firms])
    differing = _list_differing_lines(noted, [*earlier, *notes])
    return {
        "notes": [
            {"Note": note.number, "Order": note.order.number, "Received": _find_receipt_day(note).isoformat(),
             "Pieces": sum(note.lines.values()), "State": "booked" if note is notes[-1] else "new"}
            for note in notes
        ],
        "differing": differing,
        "missing": -sum(row["Difference"] for row in differing if row["Difference"] < 0),
    }  # fmt: skip


def _find_receipt_day(note: Note) -> datetime.date:
    return note.day + datetime.timedelta(days=1 + sum(map(ord, note.number)) % 3)


def _choose_articles(rng: random.Random) -> dict[str, str]:
    """What can be ordered, some of it under numbers that are easily taken for each other."""
    article_names = {}
    for number in rng.sample(range(1000, 9999), 30):
        kind = rng.choice(MATERIALS["pcs"])
        code = f"{rng.choice('KMRTX')}{rng.choice('AFHN')}-{number}"
        article_names[code] = f"{kind} {rng.choice((6, 8, 12, 16, 20, 25))} mm"
        article_names[code[:-2] + code[-1] + code[-2]] = f"{kind} {rng.choice((30, 40, 50))} mm"
    return article_names


def _make_orders(rng: random.Random, articles: Sequence[str]) -> list[Order]:
    days = [datetime.date(2026, 2, 2) + datetime.timedelta(days=rng.randint(0, 30)) for _ in range(ORDERS)]
    return [
        Order(f"PO-{number}", rng.randrange(5), day, {name: 5 * rng.randint(2, 24) for name in rng.sample(articles, 4)})
        for number, day in zip(sorted(rng.sample(range(20000, 29999), ORDERS)), sorted(days), strict=True)
    ]  # fmt: skip


def _make_deliveries(rng: random.Random, orders: Sequence[Order]) -> tuple[list[Note], list[Note]]:
    """What came earlier, and the notes of this week, the last of which is booked already."""
    codes = [f"D{number}" for number in rng.sample(range(10000, 99999), 12)]
    earlier, notes = [], []
    for order in orders:
        part = {
            article: 5 * rng.randint(1, pieces // 5 - 1)
            for article, pieces in rng.sample(sorted(order.lines.items()), 2)
        }
        earlier.append(Note(codes.pop(), order, datetime.date(2026, 3, 5), part))
        rest = {article: pieces - part.get(article, 0) for article, pieces in order.lines.items()}
        notes.append(Note(codes.pop(), order, datetime.date(2026, 3, rng.randint(16, 19)), rest))
    first, second, third, last = notes
    short, other = rng.sample(sorted(first.lines), 2)
    notes[0] = replace(
        first, lines={**first.lines, short: first.lines[short] - rng.randint(1, 4)}, back={other: rng.randint(1, 4)}
    )
    over = rng.choice(sorted(second.lines))
    notes[1] = replace(second, lines={**second.lines, over: second.lines[over] + 5 * rng.randint(1, 3)})
    chosen_article = rng.choice(sorted(third.lines))
    swapped = chosen_article[:-2] + chosen_article[-1] + chosen_article[-2]
    lines = {
        swapped if article == chosen_article and swapped not in third.lines else article: pieces
        for article, pieces in third.lines.items()
    }
    notes[2] = replace(third, lines=lines)
    booked_lines = dict(list(last.lines.items())[:3])
    return earlier, [
        *notes[:3],
        Note(codes.pop(), notes[1].order, datetime.date(2026, 3, 20), {over: 5}),
        replace(last, lines=booked_lines),
    ]


def _list_differing_lines(orders: Sequence[Order], notes: Sequence[Note]) -> list[dict[str, Any]]:
    """Lines of orders of which more or less came than was ordered."""
    differing_lines = []
    for order in orders:
        came: Counter[str] = Counter()
        for note in (note for note in notes if note.order is order):
            came.update(note.lines)
            came.subtract(note.back)
        for article in sorted({*order.lines, *came}):
            ordered = order.lines.get(article, 0)
            if came[article] != ordered:
                differing_lines.append(
                    {
                        "Order": order.number,
                        "Article": article,
                        "Ordered": ordered,
                        "Delivered": came[article],
                        "Difference": came[article] - ordered,
                    }
                )
    return differing_lines


def _write_database(
    world: World, orders: Sequence[Order], booked: Sequence[Note], names: Mapping[str, str], firms: Sequence[str]
) -> None:
    rows: dict[str, list[Any]] = {
        "suppliers": list(enumerate(firms)),
        "orders": [(order.number, order.supplier, order.day.isoformat()) for order in orders],
        "order_lines": [
            (order.number, article, names[article], pieces)
            for order in orders
            for article, pieces in order.lines.items()
        ],
        "booked": [
            (note.number, note.order.number, article, pieces, _find_receipt_day(note).isoformat())
            for note in booked
            for article, pieces in note.lines.items()
        ],
    }
    save_bytes(world.files / "orders.sqlite", build_database(SCHEMA, rows))
