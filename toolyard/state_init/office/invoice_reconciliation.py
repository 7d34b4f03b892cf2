"""Thirty invoices, a ledger of three thousand postings and a bank's statement that do not quite agree."""

import csv
import datetime
import io
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from toolyard.state_init.mails import mail, save_mail
from toolyard.state_init.names import PRODUCTS, Company, ascii_of, companies, people
from toolyard.state_init.pdfs import Sheet
from toolyard.state_init.workbooks import Book, stale
from toolyard.world import World, save_bytes, save_text

OWN = ("Brightline Trading Ltd", "14 Harbour Road", "Cork T12 XY45", "Ireland")
STATES = ("not posted", "ledger differs", "unpaid", "paid twice", "matched", "amount differs")
PLAN = (
    *("matched",) * 7, *("returned",) * 2, *("reversed",) * 2, *("no number",) * 2,
    *("amount differs",) * 4, *("paid twice",) * 3, *("unpaid",) * 3, *("ledger differs",) * 2, "not posted",
)  # fmt: skip
"""The course of each invoice but four that are paid in pairs; down to `no number` they match, if one looks closely."""
DAYS = ("%d %B %Y", "%Y-%m-%d", "%d.%m.%Y")
LEDGER_HEAD = ["Doc. no.", "Posted", "Vendor no.", "Vendor", "Invoice no.", "Type", "Amount EUR", "Text"]
Posting = list[Any]


@dataclass
class Invoice:
    """An invoice with what became of it; amounts in cents."""

    vendor: Company
    number: str
    day: datetime.date
    items: list[tuple[str, int, float]]
    plan: str
    file: str = ""
    posted: list[int] = field(default_factory=list)
    paid: list[tuple[datetime.date, int]] = field(default_factory=list)

    @property
    def total(self) -> int:
        """With 23 % of tax, as the invoice prints it."""
        net = round(sum(count * price for _, count, price in self.items), 2)
        return round(100 * round(net + round(net * 23 / 100, 2), 2))

    @property
    def state(self) -> str:
        """Where it stands."""
        ledger, paid = sum(self.posted), sum(amount for _, amount in self.paid)
        if not self.posted:
            return "not posted"
        if ledger != self.total:
            return "ledger differs"
        return {0: "unpaid", self.total: "matched", 2 * self.total: "paid twice"}.get(paid, "amount differs")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write ledger, statement, invoices and what lies beside them; the facts hold how it all fits together."""
    vendors = companies(rng, 40)
    invoices = _invoices(rng, vendors[:11])
    transfers = _transfers(rng, invoices)
    _write_pdfs(world, rng, invoices)
    _write_ledger(world, rng, vendors, invoices)
    entries = _write_bank(world, rng, vendors, transfers)
    _write_beside(world, rng, vendors[0])
    return {
        "invoices": {
            invoice.file: {
                "number": invoice.number,
                "vendor": invoice.vendor.full,
                "date": invoice.day.isoformat(),
                "total": invoice.total / 100,
                "ledger": sum(invoice.posted) / 100,
                "paid": sum(amount for _, amount in invoice.paid) / 100,
                "status": invoice.state,
            }
            for invoice in sorted(invoices, key=lambda one: one.file)
        },
        "payments": sorted(
            [str(entry), day.isoformat(), invoice.vendor.full, invoice.number, amount / 100]
            for entry, day, shares in entries
            for invoice, amount in shares
        ),
        "states": list(STATES),
    }


def _invoices(rng: random.Random, vendors: Sequence[Company]) -> list[Invoice]:
    """Two vendors share a form of numbers, and two of their invoices share the number."""
    plans, made = list(PLAN), []
    rng.shuffle(plans)
    for place in sorted(rng.sample(range(len(vendors) - 4), 2)):
        plans.insert(place, "collective")
    pairs = [place for place, plan in enumerate(plans) if plan == "collective"]
    for place in pairs:
        plans.insert(place + len(vendors), "collective")
    forms = ("2026-{:04d}", "2026-{:04d}", "RG-{:05d}", "INV/{:05d}", "{:06d}", "A{:04d}-26")
    counts = [rng.randint(100, 900) for _ in vendors]
    counts[1] = counts[0]
    for index, plan in enumerate(plans):
        place = index % len(vendors)
        number = forms[place % len(forms)].format(counts[place])
        counts[place] += 1 if index < len(vendors) else rng.randint(1, 9)
        day = datetime.date(2026, 1, 5) + datetime.timedelta(days=rng.randrange(50))
        items = [
            (
                rng.choice(PRODUCTS[rng.choice(("office", "lab"))]),
                rng.randint(1, 20),
                rng.randrange(990, 40_000, 5) / 100,
            )
            for _ in range(rng.randint(1, 5))
        ]
        made.append(Invoice(vendors[place], number, day, items, plan))
    for invoice in made:
        _let_happen(rng, invoice)
    return made


def _let_happen(rng: random.Random, invoice: Invoice) -> None:
    """What was posted and paid, by plan."""
    total, day = invoice.total, invoice.day + datetime.timedelta(days=rng.randint(14, 30))
    off = rng.choice((-1, 1)) * rng.choice((900, 2700, 10_000, 1))
    invoice.posted, invoice.paid = [total], [(day, total)]
    if invoice.plan == "paid twice":
        invoice.paid.append((day + datetime.timedelta(days=rng.randint(1, 9)), total))
    elif invoice.plan == "returned":
        back = day + datetime.timedelta(days=3)
        invoice.paid += [(back, -total), (back + datetime.timedelta(days=4), total)]
    elif invoice.plan == "amount differs":
        invoice.paid = [(day, round(total * 0.97) if rng.random() < 0.4 else total + off)]
    elif invoice.plan == "unpaid":
        invoice.paid = []
    elif invoice.plan == "ledger differs":
        invoice.posted = [int(_swapped(total))]
    elif invoice.plan == "reversed":
        invoice.posted = [total + 1800, -total - 1800, total]
    elif invoice.plan == "not posted":
        invoice.posted = []


def _swapped(total: int) -> str:
    """Two neighbouring digits in the wrong order, or else another last digit."""
    text = str(total)
    for place in range(1, len(text) - 1):
        if text[place] != text[place + 1]:
            return text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    return text[:-1] + str((int(text[-1]) + 1) % 10)


Transfer = tuple[datetime.date, list[tuple[Invoice, int]], str]


def _transfers(rng: random.Random, invoices: Sequence[Invoice]) -> list[Transfer]:
    """Day, shares and reference text of each transfer; a collective one pays two invoices of one vendor."""
    made: list[Transfer] = []
    waiting: dict[str, Invoice] = {}
    for invoice in invoices:
        rival = waiting.pop(invoice.vendor.full, None) if invoice.plan == "collective" else None
        if invoice.plan == "collective" and rival is None:
            waiting[invoice.vendor.full] = invoice
            continue
        if rival is not None:
            invoice.paid = rival.paid = [(max(invoice.paid[0][0], rival.paid[0][0]), invoice.total)]
            rival.paid = [(invoice.paid[0][0], rival.total)]
            text = f"Invoices {rival.number} and {invoice.number}"
            made.append((invoice.paid[0][0], [(rival, rival.total), (invoice, invoice.total)], text))
            continue
        made += [(day, [(invoice, amount)], _reference(rng, invoice, amount)) for day, amount in invoice.paid]
    made += [
        (day, [(invoice, amount)], _reference(rng, invoice, amount))
        for invoice in waiting.values()
        for day, amount in invoice.paid
    ]
    return made


def _reference(rng: random.Random, invoice: Invoice, amount: int) -> str:
    if amount < 0:
        return f"RETURNED {invoice.number} account closed"
    if invoice.plan == "no number":
        return rng.choice(("thank you for your delivery", f"your invoice of {invoice.day:%d.%m.%Y}"))
    bare = invoice.number.replace("-", " ").replace("/", " ")
    return rng.choice(
        (f"Invoice {invoice.number}", f"INV {invoice.number} less discount", f"Re {bare}", f"{invoice.number} thanks")
    )


def _write_pdfs(world: World, rng: random.Random, invoices: Sequence[Invoice]) -> None:
    """The invoices, two of them twice, a reminder, an offer."""
    copied = set(rng.sample(range(len(invoices)), 2))
    form = {invoice.vendor.full: rng.choice(DAYS) for invoice in invoices}
    for index, invoice in enumerate(invoices):
        stem = f"{ascii_of(invoice.vendor.name)[:12]}_{ascii_of(invoice.number)}"
        invoice.file = f"{stem}.pdf" if index % 3 else f"scan{410 + index}_{stem[:6]}.pdf"
        data = _pdf(invoice, form[invoice.vendor.full], "Invoice")
        save_bytes(world.files / "invoices" / invoice.file, data)
        if index in copied:
            folder = world.files / "invoices" / "copies"
            save_bytes(folder / f"copy_of_{invoice.file}", _pdf(invoice, form[invoice.vendor.full], "Copy of invoice"))
    late = rng.choice([invoice for invoice in invoices if invoice.state == "unpaid"])
    letter = Sheet(f"Reminder {late.number}", author=late.vendor.full)
    text = f"Our invoice {late.number} over {late.total / 100:,.2f} EUR is open.\nPlease pay it within seven days.\n"
    sender = (late.vendor.full, *late.vendor.address)
    letter.letter(sender=sender, to=OWN, date="27 March 2026", subject="Reminder", text=text, signed="Accounts")
    letter.save(world.files / "invoices" / "copies" / "reminder.pdf")


def _pdf(invoice: Invoice, form: str, kind: str) -> bytes:
    sheet = Sheet(f"{kind} {invoice.number}", author=invoice.vendor.full)
    due = invoice.day + datetime.timedelta(days=30)
    facts = {"Terms": "30 days net", "Tax no.": invoice.vendor.vat, "IBAN": invoice.vendor.iban}
    if kind != "Invoice":
        facts = {"Note": "COPY of the invoice that you have received", **facts}
    sheet.invoice(
        sender=(invoice.vendor.full, *invoice.vendor.address), to=OWN, number=invoice.number,
        date=invoice.day.strftime(form), due=due.strftime(form), items=invoice.items, vat_percent=23, facts=facts,
    )  # fmt: skip
    return sheet.bytes()


def _write_ledger(world: World, rng: random.Random, vendors: Sequence[Company], invoices: Sequence[Invoice]) -> None:
    numbers = {
        company.full: number
        for number, company in zip(rng.sample(range(70_001, 70_999), len(vendors)), vendors, strict=True)
    }
    rows: list[Posting] = []
    for invoice in invoices:
        for place, amount in enumerate(invoice.posted):
            kind = "Reversal" if amount < 0 else "Invoice"
            day = invoice.day + datetime.timedelta(days=2 + 2 * place)
            rows.append(
                [0, day, numbers[invoice.vendor.full], invoice.vendor.full, invoice.number, kind, amount / 100, None]
            )
        if not invoice.posted:
            namesake = [
                invoice.day,
                numbers[vendors[20].full],
                vendors[20].full,
                invoice.number,
                "Invoice",
                invoice.total / 100,
                None,
            ]
            rows.append([0, *namesake])
    while len(rows) < 3000:
        vendor = rng.choice(vendors[2:])
        day = datetime.date(2026, 1, 2) + datetime.timedelta(days=rng.randrange(88))
        number = rng.choice(
            (f"{rng.randint(2000, 9999)}", f"RG-{rng.randint(20_000, 90_000)}", f"B{rng.randint(100, 999)}/26")
        )
        euros = rng.randrange(2_000, 900_000) / 100
        kind, text = rng.choice(
            (("Invoice", None), ("Invoice", "see order"), ("Credit note", "return"), ("Invoice", None))
        )
        sign = -1 if kind == "Credit note" else 1
        rows.append([0, day, numbers[vendor.full], vendor.full, number, kind, sign * euros, text])
    rows.sort(key=lambda row: (row[1], row[3], row[6] < 0, str(row[4])))
    rows = [[210_001 + n, *row[1:]] for n, row in enumerate(rows)]
    book = Book(world.now, title="Ledger", author="Accounts payable")
    formats = {1: "dd/mm/yyyy", 6: "#,##0.00"}
    widths = {3: 34, 4: 14, 6: 13, 7: 16}
    old = [[row[0] - 90_000, row[1].replace(year=2025), *row[2:]] for row in rows[::7]]
    book.sheet(
        "Postings 2025", stale([LEDGER_HEAD, *old], rng, 50), title="Closed: 2025", formats=formats, widths=widths
    )
    book.sheet("Postings 2026", [LEDGER_HEAD, *rows], title="Accounts payable 2026", formats=formats, widths=widths)
    book.save(world.files / "ledger.xlsx")
    people_rows = [["Vendor no.", "Vendor", "City", "IBAN"]]
    people_rows += [[numbers[company.full], company.full, company.city, company.iban] for company in vendors]  # type: ignore[list-item]
    vendors_book = Book(world.now, title="Vendors")
    vendors_book.sheet("Vendors", people_rows)
    vendors_book.save(world.files / "vendors.xlsx")


def _write_bank(
    world: World, rng: random.Random, vendors: Sequence[Company], transfers: Sequence[Transfer]
) -> list[tuple[int, datetime.date, list[tuple[Invoice, int]]]]:
    """The statement of the quarter; the entries that pay one of the invoices."""
    first = datetime.date(2026, 1, 2)
    lines: list[tuple[datetime.date, str, int, str, list[tuple[Invoice, int]]]] = [
        (day, shares[0][0].vendor.full, -sum(amount for _, amount in shares), text, shares)
        for day, shares, text in transfers
    ]
    for _ in range(520):
        day, vendor = first + datetime.timedelta(days=rng.randrange(88)), rng.choice(vendors[11:])
        text = rng.choice(
            (f"Invoice {rng.randint(2000, 9999)}", f"B{rng.randint(100, 999)}/26", "order", "rent", "fees")
        )
        lines.append((day, vendor.full, -rng.randrange(2_000, 900_000), text, []))
    for vendor in vendors[:11]:
        day, text = first + datetime.timedelta(days=rng.randrange(40)), f"Invoice 2025-{rng.randint(1000, 1900)}"
        lines.append((day, vendor.full, -rng.randrange(2_000, 900_000), text, []))
    lines.sort(key=lambda line: (line[0], line[1], line[2]))
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=";", lineterminator="\r\n")
    writer.writerow(["Entry", "Booked", "Counterparty", "Reference", "Amount EUR"])
    balance, found = 25_000_000, []
    for entry, (day, who, amount, text, shares) in enumerate(lines, 4001):
        writer.writerow([entry, f"{day:%d.%m.%Y}", who, text, _german(amount)])
        balance += amount
        if shares:
            found.append((entry, day, shares))
    writer.writerow(["", "", "", "Closing balance", _german(balance)])
    save_bytes(world.files / "bank_2026q1.csv", buffer.getvalue().encode("cp1252", "replace"))
    return found


def _german(cents: int) -> str:
    return f"{cents / 100:,.2f}".translate(str.maketrans(",.", ".,"))


def _write_beside(world: World, rng: random.Random, vendor: Company) -> None:
    """A mail, a note, the file of the last quarter."""
    one, two = people(rng, 2)
    sent = datetime.datetime(2026, 3, 30, 9, 12, tzinfo=datetime.UTC)
    body = f"Dear {two.first},\n\n{vendor.full} called about their new IBAN. I have written it down.\n\n{one.first}\n"
    data = mail(
        sender=f"{one.name} <{one.email}>", to=[f"{two.name} <{two.email}>"], subject="IBAN", body=body, sent=sent
    )
    save_mail(world.files / "mails" / "iban.eml", data)
    save_text(world.files / "todo.txt", "ask for missing invoices\nclose March on the 8th\n")
    book = Book(world.now, title="Reconciliation")
    rows = [["File", "Invoice no.", "Status"], *([f"x{n}.pdf", f"2025-{n:04d}", "matched"] for n in range(310, 330))]
    book.sheet("Invoices", rows)
    book.save(world.files / "reconciliation_2025q4.xlsx")
