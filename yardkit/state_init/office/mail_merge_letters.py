"""Customers, plans and managers; a letter template that long terms push beyond its page; mails that matter."""

import calendar
import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from yardkit.state_init.documents import FieldCode, Paper, Piece, Text
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import read_texts
from yardkit.state_init.names import CITIES, MEN, STREETS, Company, Person, ascii_of, make_companies, make_people
from yardkit.state_init.spellings import in_words
from yardkit.state_init.workbooks import Book, age_rows
from yardkit.world import World, save_text

_TEXTS = read_texts(__file__)
HEAD = _TEXTS["head"]
COUNT = 1800
MONTH = 4
PLANS = ("Basic", "Office", "Plus", "Premium", "Fleet")
LONG = ("Premium", "Fleet")
"""Plans whose terms do not fit on the page of a letter at its usual size."""
CLAUSES = _TEXTS["clauses"]
BODY = _TEXTS["body"]


@dataclass(frozen=True)
class Customer:
    """A row of the workbook; `moved` is what a mail says of the address."""

    number: int
    title: str
    who: Person
    company: str
    street: str
    postcode: str
    city: str
    plan: str
    expires: datetime.date
    status: str
    letters: str
    manager: int
    moved: tuple[str, str, str] | None = None

    @property
    def address(self) -> tuple[str, str, str]:
        """Street, postcode and city as a letter needs them."""
        return self.moved or (self.street, self.postcode, self.city)


@dataclass
class Office:
    """Who writes, and what they offer."""

    firm: Company
    managers: list[tuple[str, str, str]]
    plans: dict[str, tuple[float, float, str]] = field(default_factory=dict)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build the workbook with a stale copy, the template with an old one, the list, the mails."""
    firms = make_companies(rng, 40)
    office = Office(firms[0], _make_managers(rng, firms[0]), _make_plans(rng))
    customers = _make_customers(rng, firms[1:], len(office.managers))
    due = [customer for customer in customers if _is_due(customer)]
    blocked, refusing, moving = _pick_exceptions(rng, due)
    _write_book(world, rng, office, customers)
    moved = {customer.number: _make_address(rng) for customer in moving}
    _write_mails(world, rng, customers, refusing, moving, moved)
    _write_block_list(world, rng, customers, blocked)
    _write_templates(world, office)
    out = {customer.number for customer in (*blocked, *refusing)}
    letters = [replace(customer, moved=moved.get(customer.number)) for customer in due if customer.number not in out]
    return {
        "prompt": {"month": f"{calendar.month_name[MONTH]} 2026"},
        "letters": [_describe_letter(letter, office) for letter in letters],
        "not": [str(customer.number) for customer in (*blocked, *refusing)],
        "long": [str(letter.number) for letter in letters if letter.plan in LONG],
        "head": office.firm.full,
    }


def _make_managers(rng: random.Random, firm: Company) -> list[tuple[str, str, str]]:
    return [
        (person.name, person.email, f"0{rng.randint(20, 89)} {rng.randint(100, 999)} {rng.randint(1000, 9999)}")
        for person in make_people(rng, 6, firm.domain)
    ]


def _make_plans(rng: random.Random) -> dict[str, tuple[float, float, str]]:
    """List price, renewal price and terms of each plan."""
    plan_terms = {}
    for number, name in enumerate(PLANS):
        price = rng.randrange(240 * (number + 1), 320 * (number + 1)) + rng.choice((0.0, 0.5, 0.9))
        clauses = rng.sample(CLAUSES, 12 if name in LONG else 4)
        ranges = {"a": (2, 24), "b": (11, 17), "c": (40, 90), "d": (10, 60), "e": (4, 12)}
        numbers = {key: rng.randint(*between) for key, between in ranges.items()}
        renewal = round(price * rng.choice((0.85, 0.9, 0.92)), 2)
        plan_terms[name] = (price, renewal, " ".join(clauses).format(**numbers))
    return plan_terms


def _make_customers(rng: random.Random, firms: Sequence[Company], managers: int) -> list[Customer]:
    staff = make_people(rng, 30)
    numbers = sorted(rng.sample(range(10_000, 40_000), COUNT))
    rng.shuffle(numbers)
    # The first rows make sure that every kind of customer is there; the rest is as it comes.
    subscription_kinds = [(plan, "active", "yes") for plan in (*PLANS, *PLANS, "Basic", "Premium", "Plus", "Office")]
    subscription_kinds += [("Basic", "active", "no"), ("Premium", "cancelled", "yes"), ("Plus", "cancelled", "no")]
    new_customers = []
    for index, number in enumerate(numbers):
        due = index < len(subscription_kinds)
        plan, status, letters = (
            subscription_kinds[index]
            if due
            else (rng.choice(PLANS), rng.choice(("active",) * 4 + ("cancelled",)), "yes")
        )
        day = datetime.date(2026, MONTH, rng.randint(1, 30)) if due else _another_day(rng)
        first, last = rng.choice(staff), rng.choice(staff)
        street, postcode, city = _make_address(rng)
        company = rng.choice(firms).name if rng.random() < 0.5 else ""
        who = Person(first.first, last.last, f"{ascii_of(first.first)}.{ascii_of(last.last)}@example.org")
        new_customers.append(
            Customer(
                number,
                rng.choice((by_name := "Mr" if first.first in MEN else "Ms", by_name, "Dr")),
                who,
                company,
                street,
                postcode,
                city,
                plan,
                day,
                status,
                letters if due else rng.choice(("yes", "yes", "no", "")),
                rng.randrange(managers),
            )
        )
    return sorted(new_customers, key=lambda customer: customer.number)


def _another_day(rng: random.Random) -> datetime.date:
    """A day near the month, in the month of another year, or far away; never in the month."""
    choices = [
        datetime.date(2026, 3, rng.randint(1, 31)),
        datetime.date(2026, 5, rng.randint(1, 31)),
        datetime.date(rng.choice((2025, 2027)), MONTH, rng.randint(1, 30)),
        datetime.date(2026, rng.randint(6, 12), rng.randint(1, 28)),
    ]
    return rng.choice(choices)


def _make_address(rng: random.Random) -> tuple[str, str, str]:
    city, postcode = rng.choice(CITIES)[:2]
    return f"{rng.choice(STREETS)} {rng.randint(1, 120)}", postcode, city


def _is_due(customer: Customer) -> bool:
    in_month = (customer.expires.year, customer.expires.month) == (2026, MONTH)
    return in_month and customer.status == "active" and customer.letters != "no"


def _pick_exceptions(rng: random.Random, due: list[Customer]) -> tuple[list[Customer], list[Customer], list[Customer]]:
    """Two on the list, one who asks for no letter, two who moved (one of them with a long letter)."""
    short = [customer for customer in due if customer.plan not in LONG]
    long = [customer for customer in due if customer.plan in LONG]
    first_customer, two, three = rng.sample(short, 3)
    return [first_customer, long[0]], [two], [three, long[1]]


def _write_book(world: World, rng: random.Random, office: Office, customers: list[Customer]) -> None:
    rows = [_format_row(rng, customer) for customer in customers]
    plans: list[list[Any]] = [
        ["Plan", "List price", "Renewal price", "Terms"],
        *([name, *values] for name, values in office.plans.items()),
    ]
    managers: list[list[Any]] = [["No.", "Manager", "Manager email", "Manager phone"]]
    managers += [[number + 1, *manager] for number, manager in enumerate(office.managers)]
    for name, plan_rows, days in (("customers", plans, 0), ("customers_2025-11", age_rows(plans, rng, 6), 120)):
        book = Book(world.now - datetime.timedelta(days=days), title="Customers", author=office.managers[0][0])
        book.sheet("Customers", [HEAD, *rows[: len(rows) - days]], formats={9: "dd.mm.yyyy"})
        book.sheet("Plans", plan_rows, formats={1: "#,##0.00", 2: "#,##0.00"}, widths={3: 60})
        book.sheet("Managers", managers)
        book.save(world.files / f"{name}.xlsx")


def _format_row(rng: random.Random, customer: Customer) -> list[Any]:
    """A row as it was typed: a day may be text, a status in capitals."""
    day: Any = customer.expires
    if rng.random() < 0.15:
        day = f"{day:%d.%m.%Y}"
    status = customer.status.upper() if rng.random() < 0.1 else customer.status
    who = customer.who
    return [
        customer.number, customer.title, who.first, who.last, customer.company or None, customer.street,
        customer.postcode, customer.city, customer.plan, day, status, customer.letters or None, customer.manager + 1,
    ]  # fmt: skip


def _write_mails(
    world: World,
    rng: random.Random,
    customers: list[Customer],
    refusing: list[Customer],
    moving: list[Customer],
    moved: dict[int, tuple[str, str, str]],
) -> None:
    others = rng.sample([customer for customer in customers if not _is_due(customer)], 4)
    texts = [
        (customer, "No more letters, please", "please do not send me any letters from now on.") for customer in refusing
    ]
    for customer in moving:
        street, postcode, city = moved[customer.number]
        texts.append((customer, "New address", f"we have moved. Our address is now {street}, {postcode} {city}."))
    street, postcode, city = _make_address(rng)
    texts += [
        (others[0], "New address", f"we have moved. Our address is now {street}, {postcode} {city}."),
        (others[1], "Loan device", "the loan device arrived today, thank you. When will you collect the old one?"),
        (others[2], "No more letters, please", "please do not send me any letters from now on."),
        (others[3], "Invoice", "could you send me the invoice of January once more?"),
    ]
    rng.shuffle(texts)
    for number, (customer, subject, text) in enumerate(texts, 1):
        sent = world.now - datetime.timedelta(days=12 - number, hours=number)
        body = f"Hello,\n\n{text}\n\nRegards\n{customer.who.name}\nCustomer no. {customer.number}\n"
        send_mail(world.files / "mails" / f"{number:02}.eml", customer.who, "service@example.com", subject, body, sent)


def _write_block_list(world: World, rng: random.Random, customers: list[Customer], blocked: list[Customer]) -> None:
    others = rng.sample([customer for customer in customers if not _is_due(customer)], 25)
    rows = sorted((*blocked, *others), key=lambda customer: customer.who.last)
    lines = [
        f"{row.number};{row.who.last}, {row.who.first};{rng.choice(('objection', 'moved away', 'legal'))}"
        for row in rows
    ]
    save_text(world.files / "do_not_contact.csv", "\n".join(["customer;name;reason", *lines]) + "\n")


def _write_templates(world: World, office: Office) -> None:
    _build_template(world, office, BODY).save(world.files / "letters" / "template_renewal.docx")
    old = [text.replace("twelve", "six").replace("four weeks", "two weeks") for text in BODY]
    _build_template(world, office, old).save(world.files / "letters" / "template_renewal_2025.docx")
    save_text(world.files / "letters" / "printing.txt", "A4, one side, window envelopes. One letter is one sheet.\n")


def _build_template(world: World, office: Office, body: Sequence[str]) -> Paper:
    paper = Paper("Renewal", author=office.managers[0][0], now=world.now)
    paper.header(Text(office.firm.name, bold=True), "\t\t", ", ".join(office.firm.address))
    paper.footer(office.firm.full, ". Page ", FieldCode("PAGE"))
    _add_spaced_paragraph(paper, 30, "Our reference: ", Text("{{Customer no.}}", bold=True))
    for line in ("{{Title}} {{First name}} {{Last name}}", "{{Street}}", "{{Postcode}} {{City}}"):
        _add_spaced_paragraph(paper, 0, line)
    _add_spaced_paragraph(
        paper, 36, Text("Your plan {{Plan}}: our offer", bold=True)
    ).paragraph_format.space_before = _to_points(36)
    for text in ("Dear {{Title}} {{Last name}},", *body):
        _add_spaced_paragraph(paper, 8, text)
    _add_spaced_paragraph(paper, 44, "Yours sincerely")
    _add_spaced_paragraph(paper, 18, "{{Manager}}")
    _add_spaced_paragraph(paper, 0, "Enclosed: a copy of this letter for your signature")
    return paper


def _add_spaced_paragraph(paper: Paper, after_pt: float, *pieces: Piece) -> Any:
    new_paragraph = paper.add_paragraph(*pieces)
    new_paragraph.paragraph_format.space_after = _to_points(after_pt)
    return new_paragraph


def _to_points(number: float) -> Any:
    from docx.shared import Pt

    return Pt(number)


def _describe_letter(customer: Customer, office: Office) -> dict[str, Any]:
    """What the letter to a customer says, paragraph by paragraph, and what varies in it."""
    manager, email, phone = office.managers[customer.manager]
    listed, renewal, terms = office.plans[customer.plan]
    street, postcode, city = customer.address
    day = in_words(customer.expires)
    values = {
        "Plan": customer.plan, "Expires": day, "Renewal price": f"{renewal:,.2f}", "List price": f"{listed:,.2f}",
        "Terms": terms, "Manager": manager, "Manager email": email, "Manager phone": phone,
    }  # fmt: skip
    body = [_fill_text(text, values) for text in BODY]
    who = customer.who
    return {
        "number": str(customer.number),
        "address": [f"{customer.title} {who.first} {who.last}", street, f"{postcode} {city}"],
        "terms": [day, values["Renewal price"], values["List price"], manager, email, phone],
        "text": [
            f"Your plan {customer.plan}: our offer", f"Dear {customer.title} {who.last},", *body, "Yours sincerely",
            manager, "Enclosed: a copy of this letter for your signature",
        ],
    }  # fmt: skip


def _fill_text(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace("{{" + name + "}}", value)
    return text
