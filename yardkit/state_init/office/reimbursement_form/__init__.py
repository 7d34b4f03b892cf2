"""A trip abroad: receipts on paper, a policy, a mail and its correction, and the form that wants to be filled in."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import take_out, typeset_markdown
from yardkit.state_init.names import Person, make_companies, make_people
from yardkit.state_init.office.reimbursement_form.expense_form import CENTRES, COUNTRIES, KINDS, save_form
from yardkit.state_init.pdfs import Sheet
from yardkit.state_init.spellings import in_words
from yardkit.world import World, save_text

FIRST = datetime.date(2026, 3, 4)
NIGHTS = 4
FIRST_CLASS = 0.6
SLIP = "CARD PAYMENT - CUSTOMER COPY"


@dataclass(frozen=True)
class Receipt:
    """A receipt as printed; `euros` is what it cost, `allowed` what the policy pays; no `kind`: nothing."""

    file: str
    kind: str
    day: datetime.date
    shop: str
    lines: tuple[tuple[str, float], ...]
    currency: str
    rate: float
    allowed: float
    why: str = ""
    note: str = ""

    @property
    def total(self) -> float:
        """The amount printed."""
        return round(sum(amount for _, amount in self.lines), 2)

    @property
    def euros(self) -> float:
        return _round_to_cents(self.total * self.rate)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write the form, the policy, the rates, the receipts and mails; the facts hold what the form must say."""
    staff = make_people(rng, 12)
    traveller, boss, host = staff[:3]
    country = rng.choice(tuple(COUNTRIES))
    limits = {"hotel": rng.choice((110, 120, 130)), "taxi": rng.choice((30, 35, 40))}
    rates = _make_rates(rng)
    receipts = _make_receipts(rng, country, limits, rates)
    number = rng.randint(20_100, 20_999)
    old, centre = rng.sample(CENTRES, 2)
    purpose = f"{rng.choice(('Packaging', 'Robotics', 'Water', 'Logistics'))} Days {COUNTRIES[country][0]} 2026"
    dinner = FIRST + datetime.timedelta(days=rng.choice((1, 2, 3)))
    lunches = (FIRST + datetime.timedelta(days=1), FIRST + datetime.timedelta(days=2))
    _write_mails(world, (traveller, boss), (old, centre), purpose, dinner, host)
    _write_policy(world, limits, boss)
    _write_rest(world, rng, staff, traveller, number, rates)
    for receipt in receipts:
        _build_receipt_pdf(receipt, traveller).save(world.files / "receipts" / receipt.file)
    days = [_describe_day(FIRST + datetime.timedelta(days=n), lunches, dinner) for n in range(NIGHTS + 1)]
    full, part = COUNTRIES[country][3:]
    allowances = [_compute_allowance(day, full, part) for day in days]
    entered = [receipt for receipt in receipts if receipt.kind]
    return {
        "prompt": {"name": traveller.name},
        "fields": {
            "claimant": traveller.name,
            "personnel_no": str(number),
            "cost_centre": centre,
            "purpose": purpose,
            "country": country,
            "first_day": FIRST.isoformat(),
            "last_day": (FIRST + datetime.timedelta(days=NIGHTS)).isoformat(),
        },
        "expenses": [
            [
                receipt.day.isoformat(),
                receipt.kind,
                receipt.total,
                receipt.currency,
                receipt.rate,
                receipt.euros,
                receipt.allowed,
            ]
            for receipt in entered
        ],
        "days": days,
        "cut": {
            receipt.file: [receipt.euros, receipt.allowed, receipt.why]
            for receipt in receipts
            if receipt.allowed < receipt.euros
        },
        "receipts": [receipt.file for receipt in receipts],
        "totals": {
            "receipts": round(sum(receipt.allowed for receipt in entered), 2),
            "days": round(sum(allowances), 2),
            "all": round(sum(receipt.allowed for receipt in entered) + sum(allowances), 2),
        },
    }


def _round_to_cents(euros: float) -> float:
    """Rounded as a spreadsheet does."""
    return int(euros * 100 + 0.5 + 1e-7) / 100


def _describe_day(date: datetime.date, lunches: Sequence[datetime.date], dinner: datetime.date) -> list[str]:
    """ISO date, kind, and which meals were free."""
    last = FIRST + datetime.timedelta(days=NIGHTS)
    kind = KINDS[0] if date in (FIRST, last) else KINDS[1]
    return [date.isoformat(), kind, "x" * (date != FIRST), "x" * (date in lunches), "x" * (date == dinner)]


def _compute_allowance(day: Sequence[str], full: int, part: int) -> float:
    cut = 0.2 * bool(day[2]) + 0.4 * bool(day[3]) + 0.4 * bool(day[4])
    return max(0.0, _round_to_cents((full if day[1] == KINDS[1] else part) - full * cut))


def _make_rates(rng: random.Random) -> dict[datetime.date, dict[str, float]]:
    """Euros per unit on each working day, two of them at most in a row alike."""
    daily_rates, start = {}, datetime.date(2026, 2, 16)
    for number in range(24):
        day = start + datetime.timedelta(days=number)
        if day.weekday() < 5:
            daily_rates[day] = {
                currency: round(rate * (1 + rng.uniform(-0.02, 0.02)), 4)
                for _, currency, rate, _, _ in COUNTRIES.values()
            }
    return daily_rates


def _find_rate(rates: dict[datetime.date, dict[str, float]], day: datetime.date, currency: str) -> float:
    """That of the day or, without one, of the last day before it."""
    if currency == "EUR":
        return 1.0
    return rates[max(rate for rate in rates if rate <= day)][currency]


def _make_receipts(
    rng: random.Random, country: str, limits: dict[str, int], rates: dict[datetime.date, dict[str, float]]
) -> list[Receipt]:
    city, currency, about, _, _ = COUNTRIES[country]
    days = [FIRST + datetime.timedelta(days=n) for n in range(-12, NIGHTS + 1)]
    at = {n: days[12 + n] for n in range(NIGHTS + 1)}
    firms = [company.name for company in make_companies(rng, 8)]

    def local(euros: float) -> float:
        return float(round(euros / about))

    def make_receipt(
        file: str, kind: str, day: datetime.date, shop: str, lines: Sequence[tuple[str, float]], *,
        limit: float = 1e9, share: float = 1.0, money: str = currency, why: str = "", note: str = "",
    ) -> Receipt:  # fmt: skip
        rate = _find_rate(rates, day, money)
        paid = _round_to_cents(round(sum(amount for _, amount in lines), 2) * rate)
        allowed = _round_to_cents(min(paid * share, limit)) if kind else 0.0
        return Receipt(file, kind, day, shop, tuple(lines), money, rate, allowed, why, note)

    ride = [("Ride airport - hotel", local(limits["taxi"] * rng.uniform(0.6, 0.9)))]
    night = local(limits["hotel"] + rng.randint(12, 40))
    bill = [(f"{NIGHTS} nights with breakfast at {night:,.2f}", NIGHTS * night), ("Minibar", local(rng.randint(9, 21)))]
    out, back = (rng.randrange(first, last) / 100 for first, last in ((4500, 9900), (9900, 15_900)))
    far, fee = local(limits["taxi"] * rng.uniform(1.2, 1.7)), local(rng.randint(240, 420))
    old, day_tickets = rng.randrange(1400, 2900) / 100, [("Day ticket", local(6))] * 2
    stay, most = f"Room for {NIGHTS} nights", NIGHTS * limits["hotel"]
    ticket = "Ticket, two days, lunches on 5 and 6 March included"
    meal = [("Menu", local(31)), ("Drinks", local(14))]
    return [
        make_receipt("train_out.pdf", "Train", at[0], "Rail", [("Single, second class", out)], money="EUR"),
        make_receipt(
            "train_back.pdf",
            "Train",
            at[4],
            "Rail",
            [("Single, first class", back)],
            share=FIRST_CLASS,
            money="EUR",
            why="CLASS",
        ),
        make_receipt("taxi_0304.pdf", "Taxi", at[0], f"{firms[0]} Taxi", ride),
        make_receipt("card_slip.pdf", "", at[0], f"{firms[0]} Taxi", ride, why="TWICE", note=SLIP),
        make_receipt(
            "taxi_0308.pdf",
            "Taxi",
            at[4],
            f"{firms[1]} Taxi",
            [("Ride hotel - airport", far)],
            limit=limits["taxi"],
            why="LIMIT",
        ),
        make_receipt("hotel.pdf", "Hotel", at[4], f"Hotel {city}", bill, limit=most, why="LIMIT", note=stay),
        make_receipt("conference.pdf", "Fee", at[1], f"{firms[2]} Events", [(ticket, fee)]),
        make_receipt("tickets.pdf", "Local transport", at[2], f"{city} Transport", day_tickets),
        make_receipt("dinner.pdf", "", at[2], f"Restaurant {firms[3]}", meal, why="MEAL"),
        make_receipt("taxi_0220.pdf", "", days[0], f"{firms[4]} Taxi", [("Ride", old)], money="EUR", why="DATE"),
    ]


def _build_receipt_pdf(receipt: Receipt, traveller: Person) -> Sheet:
    sheet = Sheet(receipt.file.removesuffix(".pdf"), author=receipt.shop, size_pt=11)
    sheet.add_heading(receipt.shop, 0)
    kind = "Receipt" if receipt.note != SLIP else receipt.note
    sheet.line(kind, face="Sans-Bold")
    if "nights" in receipt.note:
        sheet.line(f"{receipt.note}, guest {traveller.name}")
    sheet.line(f"Date: {in_words(receipt.day)}")
    rows = [["Item", f"Amount {receipt.currency}"], *([what, f"{amount:,.2f}"] for what, amount in receipt.lines)]
    sheet.table(rows, [110, 40], right=(1,))
    sheet.line(f"Total {receipt.currency} {receipt.total:,.2f}", size_pt=13, face="Sans-Bold")
    sheet.line("Paid by card. Thank you.")
    return sheet


def _write_mails(
    world: World,
    who: tuple[Person, Person],
    centres: tuple[str, str],
    purpose: str,
    dinner: datetime.date,
    host: Person,
) -> None:
    (traveller, boss), folder = who, world.files / "mails"
    sent = datetime.datetime(2026, 3, 9, 8, 5, tzinfo=datetime.UTC)
    last = FIRST + datetime.timedelta(days=NIGHTS)
    body = (
        f"Hello {boss.first},\n\nI am back from {purpose}. I left on the morning of {FIRST.day} March and came home on "
        f"the evening of {last.day} March. My receipts are in the folder, the hotel was with breakfast. "
        f"On {dinner.day} March {host.name} invited me to dinner.\n"
        f"Cost centre {centres[0]}, please.\n\n{traveller.first}\n"
    )
    first_mail = send_mail(folder / "trip.eml", traveller, boss, "My trip", body, sent)
    later = sent + datetime.timedelta(hours=5)
    text = f"Sorry, the right cost centre is {centres[1]}. The rest stays as I wrote it.\n\n{traveller.first}\n"
    send_mail(folder / "trip_2.eml", traveller, boss, "Re: My trip", text, later, answers=first_mail)
    send_mail(folder / "lunch.eml", boss, traveller, "Lunch?", "Thursday at noon?\n", later)


def _write_policy(world: World, limits: dict[str, int], boss: Person) -> None:
    """The policy in force, and that of two years ago."""
    policy = take_out(world, "travel_policy.md")
    for name, year, more in (("travel_policy", 2026, 0), ("travel_policy_2024", 2024, -15)):
        amounts = {**limits, "train": round(100 * FIRST_CLASS)}
        text = policy.format(year=year, **{kind: amount + more for kind, amount in amounts.items()})
        header = ("Finance", "\t\t", f"Travel policy {year}")
        paper = typeset_markdown(text, author=boss.name, now=world.now, header=header, widths_mm=[45, 115])
        paper.save(world.files / f"{name}.docx")


def _write_rest(
    world: World,
    rng: random.Random,
    staff: Sequence[Person],
    traveller: Person,
    number: int,
    rates: dict[datetime.date, dict[str, float]],
) -> None:
    save_form(world.files / "forms" / "travel_expenses.xlsx", world.now)
    save_form(world.files / "forms" / "travel_expenses_2024.xlsx", world.now, year=2024)
    other = [("C4", staff[4].name), ("C5", number + 7), ("C6", CENTRES[0]), ("C7", "Customer visit"), ("C8", "Poland")]
    save_form(world.files / "claims_done" / f"claim_{staff[4].last}.xlsx", world.now, filled=other)
    lines = "".join(
        f"{number if who is traveller else rng.randint(21_000, 29_999)},{who.last},{who.first},{who.email}\n"
        for who in staff
    )
    save_text(world.files / "staff.csv", f"number,last name,first name,mail\n{lines}")
    names = sorted(next(iter(rates.values())))
    table = "".join(f"{day},{','.join(f'{rate[name]:.4f}' for name in names)}\n" for day, rate in rates.items())
    save_text(world.files / "rates.csv", f"day,{','.join(names)}\n{table}")
    save_text(
        world.files / "receipts" / "readme.txt", "Scanned on 9 March, in no order. One of them is not from this trip.\n"
    )
