"""Thirty invoices, a ledger of three thousand postings and a bank's statement that do not quite agree."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from yardkit.state_init.days import some_day
from yardkit.state_init.mails import send_mail
from yardkit.state_init.names import Company, ascii_of, make_companies, make_people
from yardkit.state_init.office.invoice_reconciliation.bookkeeping import (
    Booking,
    Invoice,
    Posting,
    digits_swapped,
    save_statement,
    some_booking,
    some_items,
    some_posting,
)
from yardkit.state_init.pdfs import Sheet
from yardkit.state_init.workbooks import Book, age_rows, make_single_sheet
from yardkit.world import World

OWN = ("Brightline Trading Ltd", "14 Harbour Road", "Cork T12 XY45", "Ireland")
STATES = ("not posted", "ledger differs", "unpaid", "paid twice", "matched", "amount differs")
PLAN = (
    *("matched",) * 7, *("returned",) * 2, *("reversed",) * 2, *("no number",) * 2,
    *("amount differs",) * 4, *("paid twice",) * 3, *("unpaid",) * 3, *("ledger differs",) * 2, "not posted",
)  # fmt: skip
"""The course of each invoice but four that are paid in pairs; down to `no number` they match, if one looks closely."""
DAYS = ("%d %B %Y", "%Y-%m-%d", "%d.%m.%Y")
NUMBERS = ("2026-{:04d}", "2026-{:04d}", "RG-{:05d}", "INV/{:05d}", "{:06d}", "A{:04d}-26")
QUARTER = datetime.date(2026, 1, 2)
LEDGER_HEAD = ["Doc. no.", "Posted", "Vendor no.", "Vendor", "Invoice no.", "Type", "Amount EUR", "Text"]
FIRST_ENTRY = 4001


@dataclass
class Purchase(Invoice):
    """An invoice with what became of it; amounts in cents."""

    plan: str
    file: str = ""
    posted: list[int] = field(default_factory=list)
    paid: list[tuple[datetime.date, int]] = field(default_factory=list)

    @property
    def balance(self) -> int:
        """What was paid and did not come back."""
        return sum(cents for _, cents in self.paid)

    @property
    def state(self) -> str:
        """Where it stands."""
        if not self.posted:
            return "not posted"
        if sum(self.posted) != self.total:
            return "ledger differs"
        return {0: "unpaid", self.total: "matched", 2 * self.total: "paid twice"}.get(self.balance, "amount differs")


@dataclass(frozen=True)
class Transfer:
    """A payment of one or two purchases of a vendor, each with its share in cents."""

    day: datetime.date
    text: str
    shares: list[tuple[Purchase, int]]

    @property
    def booking(self) -> Booking:
        """As the bank sees it."""
        return Booking(self.day, self.shares[0][0].vendor.full, self.text, -sum(cents for _, cents in self.shares))


class InvoiceReconciliationFacts(TypedDict):
    """The invoices by file, the rows of payments (entry, day, vendor, number, amount), and the statuses in order."""

    invoices: dict[str, dict[str, Any]]
    payments: list[list[Any]]
    states: list[str]


def seed(world: World, rng: random.Random) -> InvoiceReconciliationFacts:
    """Write ledger, statement, invoices and what lies beside them; the facts hold how it all fits together."""
    vendors = make_companies(rng, 40)
    purchases = _make_purchases(rng, vendors[:11])
    transfers = _make_transfers(rng, purchases)
    _write_pdfs(world, rng, purchases)
    _write_ledger(world, rng, vendors, purchases)
    entries = _write_bank(world, rng, vendors, transfers)
    _write_beside(world, rng, vendors[0])
    return {
        "invoices": {
            purchase.file: {
                "number": purchase.number,
                "vendor": purchase.vendor.full,
                "date": purchase.day.isoformat(),
                "total": purchase.total / 100,
                "ledger": sum(purchase.posted) / 100,
                "paid": purchase.balance / 100,
                "status": purchase.state,
            }
            for purchase in purchases
        },
        "payments": sorted(
            [str(entry), transfer.day.isoformat(), purchase.vendor.full, purchase.number, cents / 100]
            for entry, transfer in entries.items()
            for purchase, cents in transfer.shares
        ),
        "states": list(STATES),
    }


def _make_purchases(rng: random.Random, vendors: Sequence[Company]) -> list[Purchase]:
    """Two vendors share a form of numbers, and two of their invoices share the number."""
    plans, new_purchases = list(PLAN), []
    rng.shuffle(plans)
    pairs = sorted(rng.sample(range(len(vendors) - 4), 2))
    for place in (*pairs, *(place + len(vendors) for place in pairs)):
        plans.insert(place, "collective")
    counts = [rng.randint(100, 900) for _ in vendors]
    counts[1] = counts[0]
    for index, plan in enumerate(plans):
        place = index % len(vendors)
        number = NUMBERS[place % len(NUMBERS)].format(counts[place])
        counts[place] += 1 if index < len(vendors) else rng.randint(1, 9)
        day = some_day(rng, datetime.date(2026, 1, 5), 50)
        new_purchases.append(Purchase(vendors[place], number, day, some_items(rng), plan))
    for purchase in new_purchases:
        _let_happen(rng, purchase)
    return new_purchases


def _let_happen(rng: random.Random, purchase: Purchase) -> None:
    """What was posted and paid, by plan."""
    total, day = purchase.total, purchase.day + datetime.timedelta(days=rng.randint(14, 30))
    off = rng.choice((-1, 1)) * rng.choice((900, 2700, 10_000, 1))
    purchase.posted, purchase.paid = [total], [(day, total)]
    if purchase.plan == "paid twice":
        purchase.paid.append((day + datetime.timedelta(days=rng.randint(1, 9)), total))
    elif purchase.plan == "returned":
        back = day + datetime.timedelta(days=3)
        purchase.paid += [(back, -total), (back + datetime.timedelta(days=4), total)]
    elif purchase.plan == "amount differs":
        purchase.paid = [(day, round(total * 0.97) if rng.random() < 0.4 else total + off)]
    elif purchase.plan == "unpaid":
        purchase.paid = []
    elif purchase.plan == "ledger differs":
        purchase.posted = [digits_swapped(total)]
    elif purchase.plan == "reversed":
        purchase.posted = [total + 1800, -total - 1800, total]
    elif purchase.plan == "not posted":
        purchase.posted = []


def _make_transfers(rng: random.Random, purchases: Sequence[Purchase]) -> list[Transfer]:
    """All payments; a collective one pays two invoices of one vendor."""
    new_transfers: list[Transfer] = []
    waiting: dict[str, Purchase] = {}
    for purchase in purchases:
        if purchase.plan != "collective":
            new_transfers += [
                Transfer(day, _format_reference(rng, purchase, cents), [(purchase, cents)])
                for day, cents in purchase.paid
            ]
        elif purchase.vendor.full not in waiting:
            waiting[purchase.vendor.full] = purchase
        else:
            earlier = waiting[purchase.vendor.full]
            pair, day = (earlier, purchase), max(purchase.paid[0][0], earlier.paid[0][0])
            for paid in pair:
                paid.paid = [(day, paid.total)]
            text = f"Invoices {earlier.number} and {purchase.number}"
            new_transfers.append(Transfer(day, text, [(paid, paid.total) for paid in pair]))
    return new_transfers


def _format_reference(rng: random.Random, purchase: Purchase, cents: int) -> str:
    number = purchase.number
    if cents < 0:
        return f"RETURNED {number} account closed"
    if purchase.plan == "no number":
        return rng.choice(("thank you for your delivery", f"your invoice of {purchase.day:%d.%m.%Y}"))
    bare = number.replace("-", " ").replace("/", " ")
    return rng.choice((f"Invoice {number}", f"INV {number} less discount", f"Re {bare}", f"{number} thanks"))


def _write_pdfs(world: World, rng: random.Random, purchases: Sequence[Purchase]) -> None:
    """The invoices, two of them twice, a reminder."""
    folder = world.files / "invoices"
    copied = set(rng.sample(range(len(purchases)), 2))
    forms = {purchase.vendor.full: rng.choice(DAYS) for purchase in purchases}
    for index, purchase in enumerate(purchases):
        stem, form = f"{ascii_of(purchase.vendor.name)[:12]}_{ascii_of(purchase.number)}", forms[purchase.vendor.full]
        purchase.file = f"{stem}.pdf" if index % 3 else f"scan{410 + index}_{stem[:6]}.pdf"
        purchase.print_sheet(OWN, form).save(folder / purchase.file)
        if index in copied:
            purchase.print_sheet(OWN, form, is_copy=True).save(folder / "copies" / f"copy_of_{purchase.file}")
    late = rng.choice([purchase for purchase in purchases if purchase.state == "unpaid"])
    letter = Sheet(f"Reminder {late.number}", author=late.vendor.full)
    text = f"Our invoice {late.number} over {late.total / 100:,.2f} EUR is open.\nPlease pay it within seven days.\n"
    sender = (late.vendor.full, *late.vendor.address)
    letter.letter(sender=sender, to=OWN, date="27 March 2026", subject="Reminder", text=text, signed="Accounts")
    letter.save(folder / "copies" / "reminder.pdf")


def _write_ledger(world: World, rng: random.Random, vendors: Sequence[Company], purchases: Sequence[Purchase]) -> None:
    drawn_numbers = rng.sample(range(70_001, 70_999), len(vendors))
    numbers = dict(zip((vendor.full for vendor in vendors), drawn_numbers, strict=True))
    postings = [posting for purchase in purchases for posting in _list_postings(purchase, vendors[20])]
    postings += [some_posting(rng, vendors[2:], QUARTER, 88) for _ in range(3000 - len(postings))]
    postings.sort(key=lambda posting: (posting.day, posting.vendor.full, posting.cents < 0, posting.invoice))
    rows: list[list[Any]] = []
    for number, posting in enumerate(postings, 210_001):
        vendor = posting.vendor.full
        details = (posting.invoice, posting.kind, posting.cents / 100, posting.text)
        rows.append([number, posting.day, numbers[vendor], vendor, *details])
    last_year = [[row[0] - 90_000, row[1].replace(year=2025), *row[2:]] for row in rows[::7]]
    old = age_rows([LEDGER_HEAD, *last_year], rng, 50)
    book = Book(world.now, title="Ledger", author="Accounts payable")
    look: dict[str, Any] = {"formats": {1: "dd/mm/yyyy", 6: "#,##0.00"}, "widths": {3: 34, 4: 14, 6: 13, 7: 16}}
    book.sheet("Postings 2025", old, title="Closed: 2025", **look)
    book.sheet("Postings 2026", [LEDGER_HEAD, *rows], title="Accounts payable 2026", **look)
    book.save(world.files / "ledger.xlsx")
    known = [[numbers[vendor.full], vendor.full, vendor.city, vendor.iban] for vendor in vendors]
    sheet = make_single_sheet("Vendors", [["Vendor no.", "Vendor", "City", "IBAN"], *known], world.now, title="Vendors")
    sheet.save(world.files / "vendors.xlsx")


def _list_postings(purchase: Purchase, namesake: Company) -> list[Posting]:
    """Those of a purchase; for one without any, that of somebody else with the same number."""
    if not purchase.posted:
        return [Posting(purchase.day, namesake, purchase.number, "Invoice", purchase.total)]
    postings = []
    for place, cents in enumerate(purchase.posted):
        day = purchase.day + datetime.timedelta(days=2 + 2 * place)
        kind = "Reversal" if cents < 0 else "Invoice"
        postings.append(Posting(day, purchase.vendor, purchase.number, kind, cents))
    return postings


def _write_bank(
    world: World, rng: random.Random, vendors: Sequence[Company], transfers: Sequence[Transfer]
) -> dict[int, Transfer]:
    """The statement of the quarter; the entries that pay one of the invoices."""
    lines: list[tuple[Booking, Transfer | None]] = [(transfer.booking, transfer) for transfer in transfers]
    lines += [(some_booking(rng, vendors[11:], QUARTER, 88), None) for _ in range(520)]
    for vendor in vendors[:11]:
        day, text = some_day(rng, QUARTER, 40), f"Invoice 2025-{rng.randint(1000, 1900)}"
        lines.append((Booking(day, vendor.full, text, -rng.randrange(2_000, 900_000)), None))
    lines.sort(key=lambda line: (line[0].day, line[0].who, line[0].cents))
    bookings = [booking for booking, _ in lines]
    save_statement(world.files / "bank_2026q1.csv", bookings, opening_cents=25_000_000, first=FIRST_ENTRY)
    return {entry: transfer for entry, (_, transfer) in enumerate(lines, FIRST_ENTRY) if transfer is not None}


def _write_beside(world: World, rng: random.Random, vendor: Company) -> None:
    """A mail, the file of the last quarter."""
    first_person, two = make_people(rng, 2)
    sent = datetime.datetime(2026, 3, 30, 9, 12, tzinfo=datetime.UTC)
    news = f"{vendor.full} called about their new IBAN. I have written it down."
    body = f"Dear {two.first},\n\n{news}\n\n{first_person.first}\n"
    send_mail(world.files / "mails" / "iban.eml", first_person, two, "IBAN", body, sent)
    rows = [["File", "Invoice no.", "Status"], *([f"x{n}.pdf", f"2025-{n:04d}", "matched"] for n in range(310, 330))]
    old = make_single_sheet("Invoices", rows, world.now, title="Reconciliation")
    old.save(world.files / "reconciliation_2025q4.xlsx")
