"""Commissions of sales agents: their terms, what a quarter comes to, its workbook, its statements, the agreements."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from yardkit.apps.shop import Order, OrderLine, Refund
from yardkit.apps.shop_sums import round_cents
from yardkit.apps.store import Store
from yardkit.state_init.company.letters import Letter, format_money, join_paragraphs
from yardkit.state_init.company.persons import Colleague, Somebody
from yardkit.state_init.pdfs import Sheet
from yardkit.state_init.workbooks import Book, Formula

Row = dict[str, Any]
Rows = Sequence[Row]
_TERMS = ("Agent", "Name", "Rate", "Limit", "Upper rate", "Brought forward")
_ORDERS = ("Order", "Placed", "Completed", "Customer", "Country", "Agent", "Net")
_DAYS = ("Placed", "Completed", "Booked")
_RETURNS = ("Refund", "Order", "Booked", "Agent", "Net")
_SUMMARY = {
    "Agent": "Terms!A{row}", "Name": "Terms!B{row}", "Orders": "COUNTIF(Orders!F$2:F${orders},A{row})",
    "Sales": "SUMIF(Orders!F$2:F${orders},A{row},Orders!G$2:G${orders})",
    "Returns": "SUMIF(Returns!D$2:D${returns},A{row},Returns!E$2:E${returns})", "Base": "D{row}-E{row}",
    "Commission": "ROUND(MIN(F{row},Terms!D{row})*Terms!C{row}+MAX(F{row}-Terms!D{row},0)*Terms!E{row},2)",
    "Brought forward": "Terms!F{row}", "Payable": "MAX(G{row}+H{row},0)", "Carried forward": "MIN(G{row}+H{row},0)",
}  # fmt: skip
"""Headers, each with the formula below it; row, orders, returns: numbers of rows."""
_RATES = (0.024, 0.032, 0.04, 0.048, 0.056, 0.064, 0.072)
_SHARE, _EUR = "0.0%", "#,##0.00"


@dataclass(frozen=True)
class Quarter:
    """Three months, such as 2026-Q1. paid: when its commissions are."""

    name: str
    first: date
    last: date
    paid: date

    def contains(self, moment: str | None) -> bool:
        """Whether a moment (ISO 8601) lies in it."""
        return moment is not None and str(self.first) <= moment[:10] <= str(self.last)


@dataclass(frozen=True)
class Agent(Somebody):
    """Somebody who sells for the company. number: such as ``A-03``."""

    number: str


@dataclass(frozen=True)
class Terms:
    """What an agent gets of the base of a quarter: `rate` up to a limit (in minor units), `upper` of what is above."""

    rate: float
    limit: int
    upper: float

    def compute_commission(self, base: int) -> int:
        """In minor units. Rates are multiples of 0.8 %, so that it never ends in half a cent."""
        low, high = min(base, self.limit), max(base - self.limit, 0)
        return round_cents(low * Decimal(str(self.rate)) + high * Decimal(str(self.upper)))

    def raise_rates(self, by: float) -> "Terms":
        """Both rates are higher."""
        return replace(self, rate=round(self.rate + by, 3), upper=round(self.upper + by, 3))


@dataclass(frozen=True)
class Rules:
    """Whose an order is.

    Attributes:
        numbers: of firms, by name; nobody else's orders count.
        territories: by code of a country the days since which it is an agent's, in order.
        house: firms, by name, that are served without an agent, and since when.
    """

    numbers: Mapping[str, str]
    territories: Mapping[str, Sequence[tuple[date, str]]]
    house: Mapping[str, date]

    def agent_of(self, order: Order) -> str:
        """The number of the agent; empty for none."""
        day, firm = date.fromisoformat(order.created[:10]), order.billing.company
        agents = [agent for since, agent in self.territories.get(order.billing.country, ()) if since <= day]
        counts = firm in self.numbers and day < self.house.get(firm, date.max)
        return agents[-1] if agents and counts else ""


@dataclass(frozen=True)
class Run:
    """What a quarter comes to, in rows of its workbook by header; amounts are whole currency, days ISO 8601."""

    quarter: Quarter
    orders: Rows
    returns: Rows
    terms: Rows = ()
    summary: Rows = ()

    @classmethod
    def from_store(cls, store: Store, quarter: Quarter, rules: Rules) -> "Run":
        """The orders that were sent in a quarter, and the goods that came back in it."""
        ours = [(order, agent) for order in store.find(Order, order="id") if (agent := rules.agent_of(order))]
        orders = [
            _order_row(store, *own_order, rules) for own_order in ours if quarter.contains(own_order[0].completed)
        ]
        return cls(quarter, orders, [row for own_order in ours for row in _return_rows(store, *own_order, quarter)])

    def settle(self, terms: Mapping[Agent, Terms], brought: Mapping[str, int]) -> "Run":
        """With terms and amounts of each agent; brought: what the quarter before carried forward, by number."""
        settlements = [
            self._settle_agent(agent, agent_terms, brought.get(agent.number, 0)) for agent, agent_terms in terms.items()
        ]
        return replace(self, terms=[row for row, _ in settlements], summary=[row for _, row in settlements])

    def base(self, agent: str) -> int:
        """Sales less returns of an agent, in minor units."""
        sales, returns = (round(_sum_net(rows, agent) * 100) for rows in (self.orders, self.returns))
        return sales - returns

    def _settle_agent(self, agent: Agent, terms: Terms, brought: int) -> tuple[Row, Row]:
        base, head = self.base(agent.number), {"Agent": agent.number, "Name": agent.name}
        commission = terms.compute_commission(base)
        left = commission + brought
        term_values = {"Rate": terms.rate, "Limit": terms.limit / 100, "Upper rate": terms.upper}
        sums = {
            "Orders": sum(row["Agent"] == agent.number for row in self.orders),
            "Sales": _sum_net(self.orders, agent.number),
            "Returns": _sum_net(self.returns, agent.number),
            "Base": base / 100,
            "Commission": commission / 100,
            "Brought forward": brought / 100,
            "Payable": max(left, 0) / 100,
            "Carried forward": min(left, 0) / 100,
        }
        return head | term_values | {"Brought forward": brought / 100}, head | sums

    @property
    def done(self) -> datetime:
        """When it was done: some days before it was paid."""
        return datetime.combine(self.quarter.paid - timedelta(days=6), time(15, 40), UTC)

    def save(self, path: Path, author: str) -> None:
        """The workbook, with live formulas."""
        book = Book(self.done, title=f"Commissions {self.quarter.name}", author=author)
        counts = {"orders": len(self.orders) + 1, "returns": max(len(self.returns), 1) + 1}
        live = [
            [Formula(f"={text.format(row=place, **counts)}", row[name]) for name, text in _SUMMARY.items()]
            for place, row in enumerate(self.summary, 2)
        ]
        book.sheet("Summary", [[*_SUMMARY], *live], formats=dict.fromkeys(range(3, 10), _EUR), widths={1: 24})
        formats = {2: _SHARE, 3: _EUR, 4: _SHARE, 5: _EUR}
        book.sheet("Terms", [_TERMS, *_list_cells(_TERMS, self.terms)], formats=formats)
        book.sheet("Orders", [_ORDERS, *_list_cells(_ORDERS, self.orders)], formats={6: _EUR}, widths={1: 12, 2: 12})
        book.sheet("Returns", [_RETURNS, *_list_cells(_RETURNS, self.returns)], formats={4: _EUR}, widths={2: 12})
        book.save(path)

    def write_statements(self, agents: Mapping[str, Agent], by: Colleague) -> Iterator[Letter]:
        """What each of the agents, by number, gets by mail."""
        for row in self.summary:
            agent = agents[row["Agent"]]
            amounts = [f"{name}: {format_money(round(row[name] * 100))}" for name in [*_SUMMARY][3:]]
            text = join_paragraphs(
                f"Dear {agent.first},",
                f"this is your statement for {self.quarter.name}.",
                "\n".join([f"Orders: {row['Orders']}", *amounts]),
                f"What is payable will be paid on {self.quarter.paid:%d %B %Y}.",
                f"Kind regards\n{by.name}",
            )
            key, subject = f"{self.quarter.name}/{agent.number}", f"Commission statement {self.quarter.name}"
            yield Letter(key, by.mailbox, (agent.mailbox,), subject, text, self.done)


def get_quarter(year: int, number: int) -> Quarter:
    """A quarter of a year, by its number from 1 on; it is paid on the 20th after it."""
    first = date(year, 3 * number - 2, 1)
    after = date(year + number // 4, 3 * number % 12 + 1, 1)
    return Quarter(f"{year}-Q{number}", first, date.fromordinal(after.toordinal() - 1), after.replace(day=20))


def draw_terms(rng: random.Random) -> Terms:
    """Some terms."""
    place = rng.randrange(4)
    return Terms(_RATES[place], rng.choice((300_000, 500_000, 800_000)), _RATES[place + rng.choice((1, 2, 3))])


def settle_runs(
    runs: Sequence[Run], owes: Agent, before: Mapping[Agent, Terms], now: Mapping[Agent, Terms]
) -> list[Run]:
    """The runs one after the other; one agent has owed something for so long that it is settled only now."""
    debt = max(2_500, now[owes].compute_commission(runs[-1].base(owes.number)) * 2 // 5)
    brought = {owes.number: -debt - sum(before[owes].compute_commission(run.base(owes.number)) for run in runs[:-1])}
    settled_runs = []
    for run, terms in zip(runs, (*(before for _ in runs[1:]), now), strict=True):
        settled_runs.append(run.settle(terms, brought))
        brought = {row["Agent"]: round(row["Carried forward"] * 100) for row in settled_runs[-1].summary}
    return settled_runs


def save_agreement(path: Path, title: str, text: str) -> None:
    """An agreement as a PDF file; its articles begin with a line ``# Title``."""
    sheet = Sheet(title)
    sheet.add_heading(title, 0)
    for block in text.strip().split("\n\n"):
        if block.startswith("# "):
            sheet.add_heading(block.removeprefix("# "), 2)
        else:
            sheet.text(block.replace("\n", " "))
            sheet.y += 2
    sheet.save(path)


def _order_row(store: Store, order: Order, agent: str, rules: Rules) -> Row:
    net = sum(line.total_cents for line in store.find(OrderLine, "order_id = ?", [order.id]))
    return {
        "Order": order.id, "Placed": order.created[:10], "Completed": (order.completed or "")[:10],
        "Customer": rules.numbers[order.billing.company], "Country": order.billing.country, "Agent": agent,
        "Net": net / 100,
    }  # fmt: skip


def _return_rows(store: Store, order: Order, agent: str, quarter: Quarter) -> Iterator[Row]:
    """Refunds of a quarter with which goods came back."""
    for refund in store.find(Refund, "order_id = ?", [order.id]):
        net = sum(part.total_cents for part in refund.lines if part.quantity)
        if quarter.contains(refund.created) and net:
            booked = refund.created[:10]
            yield {"Refund": refund.id, "Order": order.id, "Booked": booked, "Agent": agent, "Net": net / 100}


def _sum_net(rows: Rows, agent: str) -> float:
    return round(sum(float(row["Net"]) for row in rows if row["Agent"] == agent), 2)


def _list_cells(head: Sequence[str], rows: Rows) -> list[list[Any]]:
    """Rows below a head; days are dates."""
    return [[date.fromisoformat(row[name]) if name in _DAYS else row[name] for name in head] for row in rows]
