"""Counts of shelves: what was counted in pieces and cases, once more, or not at all, and what came up afterwards."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from yardkit.apps.shop import TAKES_STOCK, Order, OrderLine, Product
from yardkit.apps.store import Store
from yardkit.state_init.company.desk import Desk
from yardkit.state_init.company.letters import Letter
from yardkit.state_init.company.persons import Colleague
from yardkit.state_init.workbooks import Book

Trap = Literal[
    "", "late", "corrected", "recounted", "two_shelves", "came", "came_before", "exactly", "none", "in_cases", "blocked"
]
"""What is odd about a count: sold and not sent, mended by mail, counted once more, on two shelves, in the shop since,
in the shop before, off by just 5 %, none in the shop, in cases, not counted."""


@dataclass
class Line:
    """A product that was counted.

    Attributes:
        stated_stock: what the shop says; right: what it should say.
        sold: units that are sold and stood on the shelf at the count.
        case: pieces of a case; 1 where it is counted in pieces.
        came: units that came after the count and that the shop has already.
        trap: what is odd about its count.
    """

    product: Product
    stated_stock: int
    right: int
    sold: int
    case: int = 1
    came: int = 0
    trap: Trap = ""
    shelf: str = ""

    @property
    def pieces(self) -> int:
        """What stood on the shelves."""
        return self.right + self.sold - self.came

    @property
    def swapped(self) -> int:
        """The pieces with their digits swapped."""
        return int(str(self.pieces)[::-1])

    @property
    def status(self) -> Literal["instock", "outofstock"]:
        """What the shop shows when it is right."""
        return "instock" if self.right else "outofstock"

    @property
    def listed(self) -> bool:
        """Whether the shop was wrong by more than 5 %."""
        return abs(self.right - self.stated_stock) * 20 > self.stated_stock


def units_on_shelves(store: Store, ended: datetime) -> Counter[int]:
    """By product the units of orders that had taken their stock and had not left when a count ended."""
    sold = Counter[int]()
    for order in store.find(Order):
        if order.status in TAKES_STOCK and not (order.completed and order.completed <= ended.isoformat()):
            for line in store.find(OrderLine, "order_id = ?", [order.id]):
                sold[line.variant_id or line.product_id] += line.quantity
    return sold


def save_count(
    path: Path, rng: random.Random, lines: Sequence[Line], staff: Sequence[Colleague], ended: datetime
) -> None:
    """The workbook of a count: shelf by shelf, with what was counted once more."""
    rows: list[list[Any]] = []
    again: list[list[Any]] = []
    for line in lines:
        by = rng.choice(staff).name
        rows += (
            [aisle_of(shelf), shelf, line.product.sku, line.product.name, *counted_cells, by]
            for shelf, *counted_cells in _list_counts(line)
        )
        if line.trap == "recounted" or (line.case == 1 and not line.trap and rng.random() < 0.06):
            times = f"17:{rng.randint(10, 58)}"
            again.append([line.shelf, line.product.sku, line.pieces, "pc", rng.choice(staff).name, times])
    book = Book(ended, title=f"Count of {ended:%d %B %Y}", author=staff[0].name)
    head = ("Aisle", "Shelf", "SKU", "Item", "Counted", "Unit", "By")
    book.sheet("Count", [head, *sorted(rows, key=lambda row: str(row[1]))])
    book.sheet("Recounts", [("Shelf", "SKU", "Counted", "Unit", "By", "Time"), *sorted(again)])
    book.save(path)


def aisle_of(shelf: str) -> str:
    """The aisle in which a shelf stands."""
    return shelf.partition("-")[0]


def _list_counts(line: Line) -> list[tuple[str, int | None, str]]:
    """Shelf, number and unit in each row of a line."""
    full, loose = divmod(line.pieces, line.case)
    if line.case > 1:
        return [(line.shelf, full, "case"), *([(line.shelf, loose, "pc")] if loose else [])]
    if line.trap == "two_shelves":
        return [(line.shelf, full - full // 3, "pc"), (f"{aisle_of(line.shelf)}-9{line.shelf[-1]}", full // 3, "pc")]
    first = {"blocked": None, "corrected": line.swapped, "recounted": full - 6}.get(line.trap, full)
    return [(line.shelf, first, "pc")]


def letters_after(
    desk: Desk, rng: random.Random, traps: Mapping[Trap, Line], staff: Sequence[Colleague], ended: datetime
) -> Iterator[Letter]:
    """What the head wants of a count on a Friday, what was found out after it, what came in after it and before it."""
    corrected_line, head = traps["corrected"], desk.cast.find_head("Operations")
    letter_text = (
        f"on {ended:%A} afternoon we count some of the shelves, the others in May. The workbook will be in your folder "
        "in the evening. Please let me have what the shop had wrong by more than 5 %, as always."
    )
    yield desk.letter("count/asked", head, "Count of some shelves", letter_text, ended - timedelta(days=3, minutes=77))
    letter_text = (
        f"one more thing about the count: on shelf {corrected_line.shelf} I wrote {corrected_line.swapped} for"
        f" {corrected_line.product.sku}. It is {corrected_line.pieces}, I swapped the digits."
    )
    yield desk.letter("count/corrected", staff[0], "Count", letter_text, ended + timedelta(minutes=rng.randint(30, 70)))
    days: tuple[tuple[Trap, int, str], ...] = (("came", 2, "Saturday"), ("came_before", -1, "Thursday"))
    for trap, days_later, day in days:
        corrected_line = traps[trap]
        letter_text = (
            f"{corrected_line.came or rng.choice((12, 24))} pieces of {corrected_line.product.sku} came in on {day}."
            f" They stand in aisle {aisle_of(corrected_line.shelf)}, and I have added them in the shop."
        )
        at = ended + timedelta(days=days_later, minutes=rng.randint(10, 90))
        yield desk.letter(f"count/{trap}", staff[1], f"Goods in: {corrected_line.product.sku}", letter_text, at)
