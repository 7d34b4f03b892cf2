"""Cost centres with their budgets: what was posted and ordered, whose cards there are, a workbook of checks."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.warehouse import put_table
from yardkit.state_init.workbooks import Book, Formula
from yardkit.world import World

POSTINGS = {
    "POSTING_ID": "int", "POSTED_ON": "date", "COST_CENTRE": "text", "ACCOUNT": "text", "TEXT": "text",
    "AMOUNT": "money",
}  # fmt: skip
ORDERS = {
    "PO_ID": "text", "ORDERED_ON": "date", "COST_CENTRE": "text", "SUPPLIER_ID": "text", "AMOUNT": "money",
    "INVOICED": "money", "STATUS": "text",
}  # fmt: skip
CARDS = {
    "CARD_ID": "text", "HOLDER": "text", "COST_CENTRE": "text", "LIMIT_EUR": "money", "STATUS": "text",
    "CHANGED_ON": "date",
}  # fmt: skip
CENTRES = {"CODE": "text", "NAME": "text", "VALID_FROM": "date", "VALID_TO": "date", "SUCCESSOR": "text"}
HEAD = ("Code", "Cost centre", "Budget", "Actual", "Open orders", "Used %", "Left")
"""Of a check in the workbook."""
DEPRECIATION = "68"
"""How the accounts of depreciation begin."""
RENAMED = {"4310": ("Events", "4360", "Fairs and events"), "4410": ("Recruiting", "4440", "People and culture"),
           "4610": ("Travel", "4650", "Mobility")}  # fmt: skip
NAMES = {
    "4110": "Front office", "4120": "Facilities", "4210": "Field sales", "4215": "Sales training",
    "4330": "Advertising", "4335": "Advertising abroad", "4420": "Staff training", "4510": "Software",
    "4515": "Software licences", "4620": "Vehicles", "4710": "Legal advice", "4720": "Audit", "4730": "Insurance",
}  # fmt: skip
_ACCOUNTS = (
    ("6010", "Services"), ("6120", "Materials"), ("6300", "Travel"), ("6410", "Rent of rooms"), ("6520", "Advisers"),
    ("6790", "Repairs"),
)  # fmt: skip
Transfer = tuple[str, date, str, str, int, str]
"""Its number and day, from and to which code, cents, and how it stands: approved, asked, refused."""


@dataclass(frozen=True)
class Centre:
    """A cost centre. Amounts are in cents.

    Attributes:
        planned: the budget of the year as it was made; budget: after all transfers that count.
        spent: posted this year, without depreciation.
        open: ordered and not yet invoiced.
        idle: of closed and cancelled orders, what was never invoiced.
        worn: depreciation of this year.
        older: the code and the name that it had before it was renamed.
    """

    code: str
    name: str
    planned: int
    budget: int
    spent: int
    open: int
    idle: int
    worn: int
    older: tuple[str, str] | None = None
    renamed: date = date.max

    @property
    def used(self) -> int:
        return self.spent + self.open

    @property
    def percent(self) -> float:
        """Of its budget, to a tenth."""
        return round(self.used / self.budget * 1000) / 10

    def code_at(self, day: date) -> str:
        """How it was called on a day."""
        return self.older[0] if self.older and day < self.renamed else self.code

    def line(self) -> dict[str, Any]:
        """Its row of a check."""
        amounts = (amount / 100 for amount in (self.budget, self.spent, self.open))
        return dict(zip(HEAD, (self.code, self.name, *amounts, self.used / self.budget, self.left), strict=True))

    @property
    def warning(self) -> list[str | float]:
        """What a warning says: how much is left, or by how much it is over and that its cards are frozen."""
        return [self.code, self.percent, abs(self.left), *(["frozen"] if self.used > self.budget else [])]

    @property
    def left(self) -> float:
        return (self.budget - self.used) / 100


def make_centre(
    rng: random.Random, called: tuple[str, str], budgets: tuple[int, int], about: Sequence[float]
) -> Centre:
    """One that has spent, on order, never invoiced and worn `about` so much, its percentage clearly rounded."""
    while True:
        spent, open_, idle, worn = (round(cents * rng.uniform(0.999, 1.001)) for cents in about)
        new_centre = Centre(*called, *budgets, spent, open_, idle, worn)
        if abs(new_centre.used / new_centre.budget * 1000 % 1 - 0.5) > 0.05:
            return new_centre


def make_postings(rng: random.Random, centres: Sequence[Centre], today: date) -> list[tuple[Any, ...]]:
    """Postings of this year and the last, by day; some are credits, and each month has its depreciation."""
    postings: list[tuple[Any, ...]] = []
    begin = date(today.year, 1, 1)
    for centre in centres:
        postings += [
            (_choose_workday(rng, begin, today), centre, *rng.choice(_ACCOUNTS), amount)
            for amount in _split_total(rng, centre.spent, rng.randint(22, 34))
        ]
        for month, amount in enumerate(_split_total(rng, centre.worn, today.month - 1), 1):
            day = date(today.year, month + 1, 1) - timedelta(days=1)
            postings.append((day, centre, f"{DEPRECIATION}20", "Depreciation", amount))
        postings += [
            (
                _choose_workday(rng, date(today.year - 1, 1, 1), begin - timedelta(days=1)),
                centre,
                *rng.choice(_ACCOUNTS),
                amount,
            )
            for amount in _split_total(rng, round(centre.planned * rng.uniform(0.8, 0.99)), 14)
        ]
    rows = sorted((day, centre.code_at(day), account, text, amount) for day, centre, account, text, amount in postings)
    return [(880_001 + number, *row) for number, row in enumerate(rows)]


def make_orders(rng: random.Random, cast: Cast, centres: Sequence[Centre], today: date) -> list[tuple[Any, ...]]:
    """Orders by day: open ones of which part is invoiced, closed and cancelled ones of which part never will be."""
    order_rows: list[tuple[Any, ...]] = []
    for centre in centres:
        open_ = [(left, "open") for left in _split_total(rng, centre.open, rng.randint(2, 4))]
        idle = [(left, rng.choice(("closed", "cancelled"))) for left in _split_total(rng, centre.idle, 2)]
        for left, status in (*open_, *idle, (0, "closed"), (0, "closed")):
            day = _choose_workday(rng, today - timedelta(days=300), today - timedelta(days=2))
            invoiced = 0 if status == "cancelled" else rng.randrange(50_00, 4_000_00)
            supplier = rng.choice(cast.suppliers).number
            order_rows.append((day, centre.code_at(day), supplier, left + invoiced, invoiced, status))
    return [(f"B-{26_001 + number}", *row) for number, row in enumerate(sorted(order_rows))]


def make_cards(rng: random.Random, cast: Cast, centres: Sequence[Centre], today: date) -> list[tuple[Any, ...]]:
    """Two or three cards of each centre, of which some are closed; the first of a renamed one has its older code."""
    card_rows: list[tuple[Any, ...]] = []
    for centre in centres:
        for place in range(rng.choice((2, 3))):
            code = centre.older[0] if centre.older and place == 0 else centre.code
            status = "closed" if place == 2 else "active"
            limit = 0 if status == "closed" else rng.choice((500, 1_000, 1_500, 2_500)) * 100
            card_rows.append(
                (rng.choice(cast.colleagues).email, code, limit, status, _choose_workday(rng, date(2025, 2, 1), today))
            )
    rng.shuffle(card_rows)
    return [(f"K-{5_001 + number}", *row) for number, row in enumerate(card_rows)]


def frozen_cards(cards: Iterable[tuple[Any, ...]], centres: Iterable[Centre], today: date) -> list[tuple[Any, ...]]:
    """The cards once the active ones of cost centres over their budget are frozen, whatever code they have."""
    over = {
        code for centre in centres if centre.used > centre.budget for code in (centre.code, *(centre.older or ())[:1])
    }
    return [(*row[:3], 0, "frozen", today) if row[2] in over and row[4] == "active" else row for row in cards]


def centre_rows(centres: Iterable[Centre]) -> Iterator[tuple[Any, ...]]:
    """The table of cost centres, by code."""
    rows: list[tuple[Any, ...]] = []
    for centre in centres:
        if centre.older:
            rows.append((*centre.older, date(2019, 1, 1), centre.renamed - timedelta(days=1), centre.code))
        rows.append((centre.code, centre.name, centre.renamed if centre.older else date(2019, 1, 1), None, None))
    yield from sorted(rows, key=lambda row: row[0])


def put_tables(world: World, schema: str, centres: Iterable[Centre], *rows: Sequence[tuple[Any, ...]]) -> None:
    """The tables of the warehouse: cost centres, then by their rows postings, orders and cards."""
    comments = {"SUCCESSOR": "The code that took its place after VALID_TO"}
    put_table(world, f"{schema}.COST_CENTRES", CENTRES, [*centre_rows(centres)], "Cost centres", comments)
    tables = (
        ("LEDGER", POSTINGS, "What was posted on cost centres, in euros"),
        ("PURCHASE_ORDERS", ORDERS, "Orders of cost centres, in euros"),
        ("CARDS", CARDS, "Company cards with their limits of a month"),
    )
    for (name, kinds, description), table_rows in zip(tables, rows, strict=True):
        put_table(world, f"{schema}.{name}", kinds, table_rows, description)


def save_budget(
    world: World,
    author: str,
    centres: Sequence[Centre],
    transfers: Sequence[Transfer],
    checks: Mapping[date, Sequence[Sequence[Any]]],
) -> None:
    """The workbook: the budget under the codes of last winter, transfers, and a sheet for each check."""
    now = world.now
    book = Book(now, title="Budget", author=author)
    euros = dict.fromkeys(range(2, 7), "#,##0.00")
    rows: list[list[Any]] = [["Code", "Cost centre", "Q1", "Q2", "Q3", "Q4", "Year"]]
    for number, centre in enumerate(
        sorted(centres, key=lambda sort_centre: (sort_centre.older or (sort_centre.code,))[0]), 4
    ):
        quarters = [centre.planned // 400 for _ in range(3)]
        quarters.append(centre.planned // 100 - sum(quarters))
        code, name = centre.older or (centre.code, centre.name)
        rows.append([code, name, *quarters, Formula(f"=SUM(C{number}:F{number})", centre.planned / 100)])
    book.sheet("Budget", rows, formats=euros, widths=dict.fromkeys(range(2, 7), 13), title=f"Budget {now.year}")
    head = ["No", "Date", "From", "To", "EUR", "Status"]
    lines = [[*row[:4], row[4] / 100, row[5]] for row in transfers]
    book.sheet("Transfers", [head, *lines], formats={4: "#,##0.00"}, widths={1: 12})
    for day, figures in checks.items():
        rows = [list(HEAD)]
        for number, (code, name, budget, spent, open_) in enumerate(figures, 2):
            used = Formula(f"=(D{number}+E{number})/C{number}", (spent + open_) / budget)
            left = Formula(f"=C{number}-D{number}-E{number}", budget - spent - open_)
            rows.append([code, name, budget, spent, open_, used, left])
        widths = dict.fromkeys(range(2, 7), 13)
        book.sheet(str(day), rows, formats={**euros, 5: "0.0%"}, widths=widths)
    book.save(world.files / f"budget/budget_{now.year}.xlsx")


def _split_total(rng: random.Random, total: int, count: int) -> list[int]:
    """Amounts that add up to a total; of many one is a credit."""
    if total == 0:
        return []
    weights = [rng.uniform(0.3, 3) for _ in range(count)]
    if count > 20:
        weights[0] = -0.2
    amounts = [round(total * weight / sum(weights)) for weight in weights[:-1]]
    return [*amounts, total - sum(amounts)]


def _choose_workday(rng: random.Random, first: date, last: date) -> date:
    """A working day within a span."""
    while True:
        day = first + timedelta(days=rng.randrange((last - first).days + 1))
        if day.weekday() < 5:
            return day


def earlier_check(
    rng: random.Random,
    centres: Sequence[Centre],
    transfers: Iterable[Transfer],
    postings: Iterable[tuple[Any, ...]],
    day: date,
) -> list[list[Any]]:
    """A check of some months ago, under the codes of then: code, name, budget, actual, open orders, in euros."""
    spent, moved = Counter[str](), Counter[str]()
    for _, at, code, account, _, amount in postings:
        if at.year == day.year and at <= day and not account.startswith(DEPRECIATION):
            spent[code] += amount
    for _, at, of, to, cents, status in transfers:
        if at <= day and status == "approved":
            moved[of] -= cents
            moved[to] += cents
    sorted_rows = sorted((*(centre.older or (centre.code, centre.name)), centre.planned) for centre in centres)
    return [
        [code, name, (planned + moved[code]) / 100, spent[code] / 100, round(planned * rng.uniform(0.01, 0.15)) / 100]
        for code, name, planned in sorted_rows
    ]
