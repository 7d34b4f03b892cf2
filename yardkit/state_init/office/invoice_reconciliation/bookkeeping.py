"""Purchases in the books: printed invoices, postings of a ledger, a bank's statement, and what goes wrong in them."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.days import some_day
from yardkit.state_init.names import PRODUCTS, Company
from yardkit.state_init.pdfs import Sheet
from yardkit.state_init.spellings import format_german

Item = tuple[str, int, float]
"""Description, quantity and unit price."""


@dataclass
class Invoice:
    """An invoice that a vendor wrote, with 23 % of tax."""

    vendor: Company
    number: str
    day: datetime.date
    items: list[Item]

    @property
    def total(self) -> int:
        """In cents, with tax, as the invoice prints it."""
        net = round(sum(count * price for _, count, price in self.items), 2)
        return round(100 * round(net + round(net * 23 / 100, 2), 2))

    def print_sheet(self, to: Sequence[str], day_form: str, *, is_copy: bool = False) -> Sheet:
        """On paper, with its days in a form of `strftime`."""
        sheet = Sheet(f"{'Copy of invoice' if is_copy else 'Invoice'} {self.number}", author=self.vendor.full)
        note = {"Note": "COPY of the invoice that you have received"} if is_copy else {}
        date, due = (day.strftime(day_form) for day in (self.day, self.day + datetime.timedelta(days=30)))
        sheet.add_invoice(
            sender=(self.vendor.full, *self.vendor.address), to=to, number=self.number, date=date, due=due,
            items=self.items, vat_percent=23,
            facts={**note, "Terms": "30 days net", "Tax no.": self.vendor.vat, "IBAN": self.vendor.iban},
        )  # fmt: skip
        return sheet


@dataclass(frozen=True)
class Posting:
    """A line of a ledger; `cents` are negative for reversals and credit notes."""

    day: datetime.date
    vendor: Company
    invoice: str
    kind: str
    cents: int
    text: str | None = None


@dataclass(frozen=True)
class Booking:
    """A line of a bank's statement; `cents` are negative where money leaves."""

    day: datetime.date
    who: str
    text: str
    cents: int


def some_items(rng: random.Random, assortments: Sequence[str] = ("office", "lab")) -> list[Item]:
    """One to five lines of an invoice."""
    return [
        (rng.choice(PRODUCTS[rng.choice(assortments)]), rng.randint(1, 20), rng.randrange(990, 40_000, 5) / 100)
        for _ in range(rng.randint(1, 5))
    ]


def some_posting(rng: random.Random, vendors: Sequence[Company], first: datetime.date, days: int) -> Posting:
    """An everyday posting of one of so many days from `first` on."""
    vendor, day = rng.choice(vendors), some_day(rng, first, days)
    number = rng.choice(
        (f"{rng.randint(2000, 9999)}", f"RG-{rng.randint(20_000, 90_000)}", f"B{rng.randint(100, 999)}/26")
    )
    cents = rng.randrange(2_000, 900_000)
    kind, text = rng.choice((("Invoice", None), ("Invoice", "see order"), ("Credit note", "return"), ("Invoice", None)))
    return Posting(day, vendor, number, kind, -cents if kind == "Credit note" else cents, text)


def some_booking(rng: random.Random, vendors: Sequence[Company], first: datetime.date, days: int) -> Booking:
    """An everyday payment on one of so many days from `first` on."""
    day, vendor = some_day(rng, first, days), rng.choice(vendors)
    text = rng.choice((f"Invoice {rng.randint(2000, 9999)}", f"B{rng.randint(100, 999)}/26", "order", "rent", "fees"))
    return Booking(day, vendor.full, text, -rng.randrange(2_000, 900_000))


def save_statement(path: Path, bookings: Sequence[Booking], *, opening_cents: int, first: int) -> None:
    """Write a statement the German way, its entries numbered from `first` on, with the closing balance."""
    rows: list[list[object]] = [["Entry", "Booked", "Counterparty", "Reference", "Amount EUR"]]
    rows += [
        [entry, f"{booking.day:%d.%m.%Y}", booking.who, booking.text, format_german(booking.cents / 100)]
        for entry, booking in enumerate(bookings, first)
    ]
    closing = opening_cents + sum(booking.cents for booking in bookings)
    rows.append(["", "", "", "Closing balance", format_german(closing / 100)])
    save_csv(path, rows, delimiter=";", newline="\r\n", encoding="cp1252")


def digits_swapped(cents: int) -> int:
    """The slip of whoever types: two neighbouring digits in the wrong order, or else another last digit."""
    text = str(cents)
    for place in range(1, len(text) - 1):
        if text[place] != text[place + 1]:
            return int(text[:place] + text[place + 1] + text[place] + text[place + 2 :])
    return int(text[:-1] + str((int(text[-1]) + 1) % 10))
