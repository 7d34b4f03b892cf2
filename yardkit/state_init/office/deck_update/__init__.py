"""A monthly deck that was saved under the name of the next month, and the orders and plan behind its figures."""

import calendar
import datetime
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, TypedDict

from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import take_out_toml
from yardkit.state_init.names import Company, Person, make_companies, make_people
from yardkit.state_init.office.deck_update.monthly_deck import Figures, Month, round_half_up
from yardkit.state_init.workbooks import Book
from yardkit.world import World, save_bytes

REGIONS = ("North", "South", "West", "East", "Central")
GROUPS = ("Storage", "Seating", "Lighting", "Desks", "Accessories")
HEAD = [
    *("Order no.", "Order date", "Customer", "Region", "Product group", "Net amount EUR"),
    *("Status", "Promised", "Delivered"),
]
TOTALS = {1: 905_000.0, 2: 948_000.0, 3: 1_190_000.0}


@dataclass(frozen=True)
class Order:
    """A line of the export."""

    number: str
    day: datetime.date
    customer: str
    region: str
    group: str
    amount: float
    status: str
    promised: datetime.date
    delivered: datetime.date | None

    @property
    def row(self) -> list[Any]:
        return [
            *(self.number, self.day, self.customer, self.region, self.group, self.amount),
            *(self.status, self.promised, self.delivered or ""),
        ]


class DeckUpdateFacts(TypedDict):
    """The texts of the new deck, in other roundings, and of the old one; its charts, rounded and exact."""

    prompt: dict[str, str]
    texts: dict[str, str]
    others: dict[str, list[str]]
    was: dict[str, str]
    charts: dict[str, dict[str, Any]]
    exact: dict[str, dict[str, Any]]
    table: list[list[str]]
    doubled: str


def seed(world: World, rng: random.Random) -> DeckUpdateFacts:
    """Build orders, plans, mails and the decks of three months; the truth is the deck as it should read."""
    story = take_out_toml(world, "deck.toml")
    templates = story["texts"]
    staff, firms = make_people(rng, 5), make_companies(rng, 32)
    orders = _make_orders(rng, firms, rng.choice(REGIONS))
    twice = rng.choice([order for order in orders if order.day.month == 3 and order.status != "Cancelled"])
    # Orders of February that were cancelled after its deck had been made.
    gone = [order for order in orders if order.day.month == 2 and order.status == "Cancelled"]
    withdrawn = [order.number for order in rng.sample(gone, 5)]
    plan = {month: round(TOTALS[month] * rng.uniform(0.96, 1.04), -2) for month in (1, 2, 3)}
    plan |= {month: round(rng.uniform(0.95, 1.3) * 1e6, -2) for month in range(4, 13)}
    then = [replace(order, status="Open") if order.number in withdrawn else order for order in orders]
    now = _compute_figures(orders, plan, 3, "14 April 2026")
    texts, (before, older) = (
        now.write_texts(templates),
        (
            _make_month(_compute_figures(then, plan, number, f"9 {name} 2026"), templates)
            for number, name in ((2, "March"), (1, "February"))
        ),
    )
    folder, growth = world.files / "decks", rng.randint(20, 39)
    deck = before.make_deck(world.now, staff, firms[0], growth, story).bytes()
    for name in ("monthly_review_2026-02.pptx", "monthly_review_2026-03.pptx"):
        save_bytes(folder / name, deck)
    older.make_deck(world.now, staff, firms[0], 17, story).save(folder / "monthly_review_2026-01.pptx")
    _write_exports(world, rng, orders, twice)
    _write_plans(world, rng, plan)
    gaps = {"twice": twice.number, "withdrawn": ", ".join(withdrawn)}
    _write_mails(world, staff, story["mails"], gaps)
    return {
        "prompt": {"meeting": now.meeting},
        "texts": texts,
        "others": now.list_other_texts(templates),
        "was": dict(before.texts),
        "charts": now.build_charts(round_half_up),
        "exact": now.build_charts(Decimal),
        "table": _list_customers(now, texts),
        "doubled": _compute_figures([*orders, twice], plan, 3, "").write_texts(templates)["Revenue value"],
    }


def _make_month(figures: Figures, templates: dict[str, str]) -> Month:
    texts = figures.write_texts(templates)
    return Month(figures.number, texts, figures.build_charts(round_half_up), _list_customers(figures, texts))


def _list_customers(figures: Figures, texts: dict[str, str]) -> list[list[str]]:
    return [[str(n), who, where, texts[f"customer {n}"]] for n, (who, where, _) in enumerate(figures.customers, 1)]


def _make_orders(rng: random.Random, firms: Sequence[Company], best: str) -> list[Order]:
    """Some 400 orders a month; each month's revenue by region is what it should be."""
    home = {firm.name: rng.choice(REGIONS) for firm in firms}
    weight = {firm.name: rng.uniform(0.6, 1.8) ** 3 for firm in firms}
    for region in REGIONS:
        home[rng.choice(firms).name] = region
    shares = {region: rng.uniform(0.15, 0.2) for region in REGIONS}
    shares[best] = 0.24
    liked = {group: rng.uniform(0.6, 1.5) for group in GROUPS}
    new_orders, number = [], rng.randint(20000, 40000)
    for month, usual in TOTALS.items():
        total = usual * rng.uniform(0.985, 1.015)
        grown = {region: share * rng.uniform(0.92, 1.08) for region, share in shares.items()}
        if month == 3:
            grown[best] *= 1.25
        count = rng.randint(380, 430)
        days = sorted(rng.randrange(calendar.monthrange(2026, month)[1]) for _ in range(count))
        rows = []
        for offset in days:
            number += rng.randint(1, 4)
            day = datetime.date(2026, month, 1) + datetime.timedelta(days=offset)
            rows.append(_make_order(rng, f"SO-{number}", day, firms, home, weight, liked))
        new_orders += _scale_orders(
            rows, {region: total * share / sum(grown.values()) for region, share in grown.items()}
        )
    return new_orders


def _make_order(
    rng: random.Random,
    number: str,
    day: datetime.date,
    firms: Sequence[Company],
    home: dict[str, str],
    weight: dict[str, float],
    liked: dict[str, float],
) -> Order:
    customer = rng.choices([firm.name for firm in firms], [weight[firm.name] for firm in firms])[0]
    promised = day + datetime.timedelta(days=rng.randint(4, 10))
    delivered = promised + datetime.timedelta(days=rng.choice((-3, -2, -2, -1, -1, 0, 0, 0, 0, -1, -2, 0, 0, 2, 5)))
    is_open = delivered >= datetime.date(2026, 4, 2)
    status = rng.choices(("Invoiced", "Delivered", "Cancelled"), (80, 14, 6))[0]
    if is_open and status != "Cancelled":
        status = "Open"
    group = rng.choices(GROUPS, [liked[name] for name in GROUPS])[0]
    amount = rng.uniform(0.3, 3.2) ** 2
    done = None if status in ("Open", "Cancelled") else delivered
    return Order(number, day, customer, home[customer], group, amount, status, promised, done)


def _scale_orders(rows: list[Order], targets: dict[str, float]) -> list[Order]:
    """The rows with amounts that add up to about the targets of their regions."""
    counted = [row for row in rows if row.status != "Cancelled"]
    sums = {region: sum(row.amount for row in counted if row.region == region) for region in targets}
    return [replace(row, amount=round(row.amount * targets[row.region] / sums[row.region], 2)) for row in rows]


def _compute_figures(orders: Sequence[Order], plan: dict[int, float], month: int, meeting: str) -> Figures:
    """The figures of a month and of those before it."""
    counted = [order for order in orders if order.status != "Cancelled"]
    by_month = {n: [order for order in counted if order.day.month == n] for n in range(max(1, month - 1), month + 1)}
    now = by_month[month]
    buyers = {order.customer: order.region for order in now}
    bought = {name: _sum_revenue(now, customer=name) for name in buyers}
    first = sorted(bought, key=lambda name: (-bought[name], name))[:5]
    return Figures(
        month,
        meeting,
        plan,
        {n: _sum_revenue(order for order in counted if order.day.month == n) for n in range(1, month + 1)},
        {n: {region: _sum_revenue(rows, region=region) for region in REGIONS} for n, rows in by_month.items()},
        {group: _sum_revenue(now, group=group) for group in GROUPS},
        [(name, buyers[name], bought[name]) for name in first],
        {n: len(rows) for n, rows in by_month.items()},
        {n: _on_time(rows) for n, rows in by_month.items()},
    )


def _sum_revenue(orders: Iterable[Order], **fields: str) -> Decimal:
    rows = (order for order in orders if all(getattr(order, name) == value for name, value in fields.items()))
    return sum((Decimal(str(order.amount)) for order in rows), Decimal(0))


def _on_time(orders: Sequence[Order]) -> Decimal:
    """Per cent of the delivered orders that came when they were promised."""
    punctual = [order.delivered <= order.promised for order in orders if order.delivered]
    return Decimal(100 * sum(punctual)) / len(punctual)


def _write_exports(world: World, rng: random.Random, orders: Sequence[Order], twice: Order) -> None:
    """The final export, with one line twice, and the preliminary one that stops before the end of March."""
    doubled = [entry for order in orders for entry in ((order, order) if order is twice else (order,))]
    early = [
        replace(order, amount=round(order.amount * rng.choice((1, 1, 1, 0.9)), 2), status="Open")
        if order.day > datetime.date(2026, 3, 20)
        else order
        for order in orders
        if order.day <= datetime.date(2026, 3, 27)
    ]
    for name, rows, note in (
        ("orders_2026-q1.xlsx", doubled, "Export of 6 April 2026 after the close of March."),
        ("orders_2026-q1_prelim.xlsx", early, "Preliminary export of 28 March 2026."),
    ):
        book = Book(world.now, title="Orders", author="Controlling")
        formats = {1: "yyyy-mm-dd", 5: "#,##0.00", 7: "yyyy-mm-dd", 8: "yyyy-mm-dd"}
        sheet = book.sheet("Orders", [HEAD, *(row.row for row in rows)], formats=formats, widths={1: 12, 7: 12, 8: 12})
        sheet.autofilter(0, 0, len(rows), len(HEAD) - 1)
        book.sheet("Read me", [["Note"], [note], ["Amounts are net, in euros. One line is one order."]])
        book.save(world.files / "data" / name)


def _write_plans(world: World, rng: random.Random, plan: dict[int, float]) -> None:
    """The approved plan and a draft of it."""
    for name, factor in (("plan_2026.xlsx", 1.0), ("plan_2026_draft.xlsx", rng.choice((0.94, 1.05)))):
        rows: list[list[Any]] = [["Month", "Revenue plan EUR"]]
        rows += [[datetime.date(2026, month, 1), round(plan[month] * factor, -2)] for month in range(1, 13)]
        book = Book(world.now, title="Plan 2026", author="Controlling")
        book.sheet("Plan", rows, formats={0: "mmm yyyy", 1: "#,##0"}, widths={0: 12, 1: 20})
        book.save(world.files / "data" / name)


def _write_mails(world: World, staff: Sequence[Person], mails: Sequence[dict[str, Any]], gaps: dict[str, str]) -> None:
    """Which export counts and what is wrong with it; which plan; and what has nothing to do with it."""
    for number, mail in enumerate(mails, 1):
        sender, subject = staff[mail["sender"]], mail["subject"]
        sent = datetime.datetime(2026, 3, 1, 8, 20 + number, tzinfo=datetime.UTC)
        text = f"Hello {staff[0].first},\n\n{mail['body'].format(**gaps)}\n\nBest regards\n{sender.first}\n"
        path = world.files / "mail" / f"{number:02}_{subject.lower().replace(' ', '_')[:24]}.eml"
        send_mail(path, sender, staff[0], subject, text, sent + datetime.timedelta(days=mail["day"] - 1))
