"""Exports of four regions, each in its own format and currency, and a house template for the report on them."""

import datetime
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.days import some_day
from yardkit.state_init.document_parts import qualify_name
from yardkit.state_init.documents import FieldCode, Paper, Text
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import read_texts
from yardkit.state_init.names import Company, Person, make_companies, make_people
from yardkit.state_init.spellings import format_english, format_german, format_spaced
from yardkit.state_init.workbooks import Book, save_workbook
from yardkit.world import World

REGIONS = {"North": ("EUR",), "South": ("EUR",), "Americas": ("USD", "CAD"), "Nordics": ("SEK", "DKK", "NOK")}
PREFIX = {"North": "N", "South": "S", "Americas": "A", "Nordics": "D"}
RATES = {"USD": 1.08, "CAD": 1.49, "SEK": 11.2, "DKK": 7.46, "NOK": 11.6}
HEAD = ("Order no.", "Date", "Customer no.", "Customer", "Currency", "Amount", "Status")
_TEXTS = read_texts(__file__)
NOTES = _TEXTS["notes"]
ROWS = 640
CUSTOMERS = 44


@dataclass(frozen=True)
class Order:
    """A line of an export; the amount in cents of its currency."""

    number: str
    day: datetime.date
    customer: str
    name: str
    currency: str
    cents: int
    status: str = "invoiced"

    @property
    def counts(self) -> bool:
        return self.status == "invoiced" and datetime.date(2026, 1, 1) <= self.day <= datetime.date(2026, 3, 31)


@dataclass(frozen=True)
class Truth:
    """What the orders of the quarter come to in euros."""

    orders: dict[str, int]
    regions: dict[str, float]
    customers: list[tuple[str, float]] = field(default_factory=list)

    @property
    def total(self) -> float:
        return round(sum(self.regions.values()), 2)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build the exports, the rates, the accounts, the templates and the mails."""
    firms, staff = make_companies(rng, CUSTOMERS), make_people(rng, 5)
    numbers = [f"C{number}" for number in rng.sample(range(10000, 99999), CUSTOMERS)]
    weights = [rng.random() ** 2 + 0.02 for _ in firms]
    rates = {currency: round(rate * rng.uniform(0.97, 1.03), 4) for currency, rate in RATES.items()}
    orders = {region: _make_orders(rng, region, numbers, firms, weights) for region in REGIONS}
    truth = _build_truth(orders, rates)
    notes = {number: " ".join(rng.sample(NOTES, 3)) for number in numbers}
    _write_exports(world, rng, {region: _with_duplicates(rng, order) for region, order in orders.items()})
    _write_rates(world, rng, rates)
    _write_accounts(world, rng, numbers, firms, staff, notes)
    before = round(truth.total * rng.choice((rng.uniform(0.82, 0.96), rng.uniform(1.04, 1.15))), 2)
    _write_templates(world, rng.choice(firms).name.split()[0] + " Trading", staff)
    _write_letters(world, rng, staff, before)
    change = round((truth.total / before - 1) * 100, 1)
    names = dict(zip(numbers, (firm.full for firm in firms), strict=True))
    return {
        "prompt": {},
        "regions": {
            region: [truth.orders[region], round(value, 2), round(value / truth.total * 100, 1)]
            for region, value in truth.regions.items()
        },
        "orders": sum(truth.orders.values()),
        "total": truth.total,
        "change": change,
        "top": [[number, names[number], round(value, 2), notes[number]] for number, value in truth.customers[:10]],
        "next": truth.customers[10][0],
    }


def _make_orders(
    rng: random.Random, region: str, numbers: Sequence[str], firms: Sequence[Company], weights: Sequence[float]
) -> list[Order]:
    """Orders from December to the first days of April, some of them cancelled."""
    first = datetime.date(2025, 12, 12)
    serial = rng.randint(10_000, 40_000)
    days = sorted(some_day(rng, first, 117) for _ in range(ROWS))
    chosen = rng.choices(range(len(numbers)), weights, k=ROWS)
    new_orders = []
    for place, (day, customer) in enumerate(zip(days, chosen, strict=True)):
        currency = rng.choice(REGIONS[region])
        scale = RATES.get(currency, 1) * (1.6 if region == "North" else 1.0)
        cents = round(rng.lognormvariate(7.6, 0.8) * scale * 100)
        status = "cancelled" if rng.random() < 0.04 else "invoiced"
        name = firms[customer].full if rng.random() < 0.8 else firms[customer].name
        new_orders.append(
            Order(f"{PREFIX[region]}{serial + 3 * place}", day, numbers[customer], name, currency, cents, status)
        )
    return new_orders


def _build_truth(orders: dict[str, list[Order]], rates: dict[str, float]) -> Truth:
    regions, counts, customers = {}, {}, Counter[str]()
    for region, own in orders.items():
        valid = [order for order in own if order.counts]
        euros = [order.cents / 100 / rates.get(order.currency, 1.0) for order in valid]
        regions[region], counts[region] = sum(euros), len(valid)
        for order, value in zip(valid, euros, strict=True):
            customers[order.customer] += value  # type: ignore[assignment]
    return Truth(counts, regions, [(name, float(value)) for name, value in customers.most_common(12)])


def _with_duplicates(rng: random.Random, orders: Sequence[Order]) -> list[Order]:
    """Some lines were exported twice."""
    twice = set(rng.sample(range(len(orders)), 14))
    return [
        order
        for place, source_order in enumerate(orders)
        for order in ([source_order, source_order] if place in twice else [source_order])
    ]


def _write_exports(world: World, rng: random.Random, orders: dict[str, list[Order]]) -> None:
    folder = world.files / "exports"
    _save_csv(folder / "north_2026-04-02.csv", orders["North"], ",", "%Y-%m-%d", format_english)
    _save_csv(folder / "north_2026-03-20.csv", orders["North"][:520], ",", "%Y-%m-%d", format_english)
    _save_csv(folder / "south_2026-04-02.csv", orders["South"], ";", "%d.%m.%Y", format_german)
    americas = [list(HEAD), *(list(_list_cells(america)) for america in orders["Americas"])]
    book = Book(world.now, title="Americas", author="ERP")
    book.sheet("Orders", americas, formats={5: "#,##0.00"}, title="Orders by day, local currency")
    book.sheet("Legend", [["Status", "Meaning"], ["invoiced", "counts"], ["cancelled", "does not count"]])
    book.save(folder / "americas_2026-04-02.xlsx")
    stale = [
        replace(america, cents=round(america.cents * rng.choice((1, 1, 1.1)))) for america in orders["Americas"][:600]
    ]
    save_workbook(
        folder / "old/americas_2026-04-01.xlsx", {"Orders": [list(HEAD), *map(_list_cells, stale)]}, world.now
    )
    _write_nordics_book(world, rng, orders["Nordics"])


def _write_nordics_book(world: World, rng: random.Random, orders: Sequence[Order]) -> None:
    """A sheet for each month; some of the amounts were typed as text."""
    book = Book(world.now, title="Nordics", author="ERP")
    for month in (12, 1, 2, 3, 4):
        rows: list[list[Any]] = [list(HEAD)]
        for order in orders:
            if order.day.month == month:
                cells = _list_cells(order)
                cells[5] = format_spaced(cells[5]) if rng.random() < 0.1 else cells[5]
                rows.append(cells)
        day = datetime.date(2025 if month == 12 else 2026, month, 1)
        book.sheet(f"{day:%B %Y}", rows, formats={5: "#,##0.00"})
    book.save(world.files / "exports/nordics_2026-04-02.xlsx")


def _list_cells(order: Order) -> list[Any]:
    return [order.number, order.day, order.customer, order.name, order.currency, order.cents / 100, order.status]


def _save_csv(
    path: Path, orders: Sequence[Order], delimiter: str, day: str, format_amount: Callable[[float], str]
) -> None:
    """An export with its own way to write days and amounts."""
    rows = [_list_cells(order) for order in orders]
    for row in rows:
        row[1], row[5] = f"{row[1]:{day}}", format_amount(row[5])
    save_csv(path, [HEAD, *rows], delimiter=delimiter)


def _write_rates(world: World, rng: random.Random, rates: dict[str, float]) -> None:
    rows: list[list[Any]] = [["Currency", "Q3 2025", "Q4 2025", "Q1 2026"]]
    for currency, rate in rates.items():
        rows.append([currency, *(round(rate * rng.uniform(0.95, 1.05), 4) for _ in range(2)), rate])
    about: list[list[Any]] = [["About"], ["Units of the currency for one euro, mean of the quarter."]]
    save_workbook(world.files / "finance/rates.xlsx", {"Rates": rows, "About": about}, world.now)


def _write_accounts(
    world: World,
    rng: random.Random,
    numbers: Sequence[str],
    firms: Sequence[Company],
    staff: Sequence[Person],
    notes: dict[str, str],
) -> None:
    head = ["Customer no.", "Customer", "City", "Account manager", "Note"]
    pairs = list(zip(numbers, firms, strict=True))
    rows = [[number, firm.full, firm.city, rng.choice(staff).name, notes[number]] for number, firm in pairs]
    stale = [[*row[:4], " ".join(rng.sample(NOTES, 2))] for row in rows]
    sheets = {"Accounts": [head, *rows], "Accounts 2025": [head, *stale]}
    save_workbook(world.files / "finance/accounts.xlsx", sheets, world.now)


def _write_templates(world: World, house: str, staff: Sequence[Person]) -> None:
    """The house's template, the one it replaced, and last year's report."""
    for name, font, accent in (("house_template", "Carlito", "0B5563"), ("house_template_2019", "Georgia", "7A1F1F")):
        paper = Paper("Report", author=staff[0].name, now=world.now, font=font, accent=accent)
        section = paper.docx.sections[0]
        section.left_margin, section.right_margin = 900_000, 720_000
        paper.header(f"{house}\t\tQuarterly reporting")
        paper.footer("Confidential\t\tPage ", FieldCode("PAGE"), " of ", FieldCode("NUMPAGES"))
        _house_table(paper, accent)
        paper.add_heading("[Title of the report]", 0)
        paper.add_heading("[Chapter]")
        paper.add_paragraph("Write here. ", Text("Delete this paragraph.", italic=True))
        sample = paper.table([["[Column]", "[Column]"], ["[Text]", "1.00"]], widths_mm=[80, 80], header=False)
        sample.style = paper.docx.styles["House Table"]
        paper.save(world.files / f"templates/{name}.docx")
    paper = Paper("Quarterly report Q1 2025", author=staff[0].name, now=world.now - datetime.timedelta(days=360))
    paper.add_heading("Quarterly report Q1 2025", 0)
    paper.add_heading("Summary")
    paper.add_paragraph("Revenue in the first quarter of 2025 was 4,711,808.15 euros, before the restatement.")
    paper.save(world.files / "reports/quarterly_report_q1_2025.docx")


def _house_table(paper: Paper, accent: str) -> None:
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import Pt
    from lxml import etree

    style = paper.docx.styles.add_style("House Table", WD_STYLE_TYPE.TABLE)
    style.base_style = paper.docx.styles["Normal Table"]
    style.font.size = Pt(10)
    element = style.element
    properties = etree.SubElement(element, qualify_name("tblPr"))
    borders = etree.SubElement(properties, qualify_name("tblBorders"))
    for side in ("top", "bottom", "insideH"):
        line = {
            qualify_name("val"): "single",
            qualify_name("sz"): "4",
            qualify_name("space"): "0",
            qualify_name("color"): accent,
        }
        etree.SubElement(borders, qualify_name(side), line)
    head = etree.SubElement(element, qualify_name("tblStylePr"), {qualify_name("type"): "firstRow"})
    look = etree.SubElement(head, qualify_name("rPr"))
    etree.SubElement(look, qualify_name("b"))
    etree.SubElement(look, qualify_name("color"), {qualify_name("val"): "FFFFFF"})
    cell = etree.SubElement(head, qualify_name("tcPr"))
    etree.SubElement(
        cell,
        qualify_name("shd"),
        {qualify_name("val"): "clear", qualify_name("color"): "auto", qualify_name("fill"): accent},
    )


def _write_letters(world: World, rng: random.Random, staff: Sequence[Person], before: float) -> None:
    """The restated figure of last year, and an older mail with another one."""
    sent = world.now - datetime.timedelta(days=2)
    for name, figure, wording, on in _iter_figures(rng, before, sent):
        body = f"Dear {staff[0].first},\n\n{wording.format(figure=f'{figure:,.2f}')}\n\nBest regards\n{staff[1].name}\n"
        send_mail(
            world.files / f"mails/{name}.eml",
            staff[1],
            staff[0].email,
            "Revenue of the first quarter of 2025",
            body,
            on,
        )


def _iter_figures(
    rng: random.Random, before: float, sent: datetime.datetime
) -> Iterator[tuple[str, float, str, datetime.datetime]]:
    first = "After the restatement, revenue of the first quarter of 2025 is {figure} euros."
    then = "Sorry, my last mail had a wrong figure. Restated revenue of the first quarter of 2025 is {figure} euros."
    yield "restatement", round(before * rng.uniform(1.01, 1.04), 2), first, sent - datetime.timedelta(days=6)
    yield "restatement_corrected", before, then, sent
