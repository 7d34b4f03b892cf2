"""Monthly sales reports in the notes, their register, and how some of them were restated."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hours import to_workday
from yardkit.state_init.company.note_pages import Notebook, build_grid
from yardkit.state_init.company.notes_texts import Part, make_part
from yardkit.state_init.desk.restated_month.currency_sales import MARKETS, CurrencySale, Figures, sales_of
from yardkit.state_init.desk.restated_month.rates import Rates
from yardkit.state_init.workbooks import Formula, make_single_sheet
from yardkit.world import World

HEAD = ("Market", "Before", "After", "Difference", "Difference %")
"""Of the calculation of a restatement."""
STATES = ("Draft", "Published", "Restated")
REMARKS = (
    "Large orders came in the last week.", "Two customers asked for longer terms.", "Chairs sold better than desks.",
    "The catalogue went out on the 10th.", "There were fewer orders by telephone.", "Lamps were out of stock for days.",
    "The campaign for meeting rooms went on.",
)  # fmt: skip


@dataclass(frozen=True)
class Restatement:
    """When, and what was wrong: the rates of some currencies from when until when."""

    on: date
    currencies: Sequence[str]
    days: tuple[date, date]


@dataclass(frozen=True)
class Report:
    """The report of a month. published: its first figures, which hold until it is restated."""

    month: date
    published: Figures
    built: date
    figures: Figures | None = None
    restated: Restatement | None = None

    @property
    def name(self) -> str:
        return f"{self.month:%Y-%m}"

    @property
    def workbook(self) -> str:
        return f"restatements/{self.name}.xlsx"

    def parts(self, *, restated: bool) -> list[Part]:
        """The page, as it was published or as it is restated."""
        at = self.month.year * 12 + self.month.month
        source = f"Sales of {self.month:%B %Y} by market. Source: MONTHLY_SALES, version {2 if restated else 1}."
        body = [
            make_part("paragraph", source),
            make_part("heading_2", "Figures"),
            build_grid(*self.grid(restated=restated)),
            make_part("heading_2", "Remarks"),
            *(make_part("bulleted_list_item", REMARKS[(at * 3 + place) % len(REMARKS)]) for place in range(2)),
        ]
        return [make_part("callout", self.notice, icon="🔁"), *body] if restated else body

    def grid(self, *, restated: bool) -> list[list[str]]:
        """The table of figures."""
        visible_figures = self.figures if restated and self.figures else self.published
        rows = [
            ["Market", "Sales", "EUR"],
            *(
                [market, str(visible_figures.sales[market]), format_euros(visible_figures.cents[market])]
                for market in MARKETS
            ),
            ["Total", str(sum(visible_figures.sales.values())), format_euros(visible_figures.total)],
        ]
        before = [
            "EUR as published",
            *(format_euros(self.published.cents[market]) for market in MARKETS),
            format_euros(self.published.total),
        ]
        return [[*row, cell] for row, cell in zip(rows, before, strict=True)] if restated else rows

    @property
    def calculation(self) -> list[dict[str, Any]]:
        """Each market, and the total, with its euros before and after."""
        before, after = self.published, self.figures or self.published
        pairs = [
            *((market, before.cents[market], after.cents[market]) for market in MARKETS),
            ("Total", before.total, after.total),
        ]
        return [
            dict(zip(HEAD, (name, old / 100, new / 100, (new - old) / 100, (new - old) / old), strict=True))
            for name, old, new in pairs
        ]

    @property
    def notice(self) -> str:
        """What stands above a restated page."""
        if self.restated is None or self.figures is None:
            raise ValueError(f"the report of {self.name} was never restated")
        first, last = self.restated.days
        return (
            f"Restated on {_format_day(self.restated.on)}. The rates of {' and '.join(self.restated.currencies)} from"
            f" {_format_day(first)} to {_format_day(last)} were wrong. Total before: EUR"
            f" {format_euros(self.published.total)}; after: EUR {format_euros(self.figures.total)}. Calculation:"
            f" {self.workbook}"
        )


def make_reports(
    rng: random.Random,
    months: Sequence[date],
    restated: Sequence[date],
    sales: Sequence[CurrencySale],
    loaded: Sequence[CurrencySale],
    rates: Rates,
    wrong: Rates,
) -> Iterator[Report]:
    """The report of each month from what was `loaded` on the second day after it or the Monday that follows.

    `restated` months had other figures then; `sales` and `rates` are what is right.
    """
    for month in months:
        end = (month + timedelta(days=31)).replace(day=1)
        built = to_workday(end + timedelta(days=1))
        known = Figures.from_sales([sale for sale in sales_of(loaded, month) if sale.loaded <= built], wrong)
        if month not in restated:
            yield Report(month, known, built)
            continue
        pair, first = sorted(rng.sample([*MARKETS][1:], 2)), month + timedelta(days=rng.randrange(2, 14))
        other = {market: round(known.cents[market] * rng.uniform(0.97, 1.04)) for market in pair}
        on, last = to_workday(end + timedelta(days=rng.randrange(9, 20))), first + timedelta(days=rng.randrange(4, 11))
        restatement = Restatement(on, [MARKETS[market] for market in pair], (first, last))
        was = Figures(known.sales, {**known.cents, **other})
        yield Report(month, was, built, Figures.from_sales(sales_of(sales, month), rates), restatement)


@dataclass(frozen=True)
class ReportsWritten:
    """Numbers of pages and of rows of the register by month, such as 2026-02."""

    pages: Mapping[str, int] = field(default_factory=dict)
    rows: Mapping[str, int] = field(default_factory=dict)


def write_reports(notes: Notebook, cast: Cast, reports: Sequence[Report], home: int) -> ReportsWritten:
    """Pages and rows of the register; one page was only corrected, and of one there is a draft that never held."""
    head, author = cast.find_head("Finance"), cast.owner
    begin = _get_morning(reports[0].built)
    parent = notes.add_page("Sales reports", None, begin, author.email, [
        make_part("paragraph", "One page a month. The register says which figures hold.")])  # fmt: skip
    register = notes.table("Report register", {
        "Report": "title", "Status": ("status", STATES), "Version": "number", "Total EUR": "number",
        "Published on": "date", "Restated on": "date", "Owner": "people"}, begin, home)  # fmt: skip
    pages, rows = {}, {}
    for number, report in enumerate(reports):
        at, done = _get_morning(report.built), report.restated is not None and report.figures is not None
        title = f"Sales report {report.name}"
        body = report.parts(restated=done)
        if number == len(reports) - 3:
            body = [
                make_part("callout", "Corrected: a remark named another customer. No figure changed.", icon="✏️"),
                *body,
            ]
        page = notes.add_page(f"{title} (restated)" if done else title, parent.id, at, author.email, body)
        if report.restated and done:
            notes.add_older_page(
                page, _get_morning(report.restated.on), author.email, report.parts(restated=False), title
            )
        if number % 3 == 2:
            notes.comment(page.id, at + timedelta(days=1), head.email, "Thanks. Please keep the order of the markets.")
        total = (report.figures if done and report.figures else report.published).total
        row = notes.row(register, report.name, at, author.email, {
            "Status": "Restated" if done else "Published", "Version": 2 if done else 1, "Total EUR": total / 100,
            "Published on": str(report.built), "Owner": [author.email],
            "Restated on": str(report.restated.on) if report.restated and done else None})  # fmt: skip
        pages[report.name], rows[report.name] = page.id, row.id
    draft = make_part("callout", "Not agreed. Nothing of this holds.", icon="🚧")
    title = f"Sales report {reports[-5].name} (new version, draft)"
    notes.add_page(
        title,
        parent.id,
        _get_morning(reports[-2].built),
        cast.colleagues[-1].email,
        [draft, make_part("paragraph", f"It could be EUR {format_euros(reports[-5].published.total + 41_700)}.")],
    )
    return ReportsWritten(pages, rows)


def summary_rows(reports: Sequence[Report]) -> Iterator[tuple[Any, ...]]:
    """The rows of the summary in the warehouse, in the order of `SUMMARY_KINDS`: first versions, then second ones."""
    for report in reports:
        yield from report.published.rows(report.month, 1, report.built)
    for report in reports:
        if report.figures and report.restated:
            yield from report.figures.rows(report.month, 2, report.restated.on)


def save_calculation(world: World, report: Report, author: str) -> None:
    """The workbook of a restatement."""
    if report.figures is None or report.restated is None:
        return
    rows: list[list[object]] = [list(HEAD)]
    for number, line in enumerate(report.calculation, 2):
        name, before, after, difference, share = (line[head] for head in HEAD)
        sums = [
            Formula(f"=SUM({column}2:{column}{number - 1})", total) for column, total in (("B", before), ("C", after))
        ]
        moved = Formula(f"=C{number}-B{number}", difference), Formula(f"=D{number}/B{number}", share)
        rows.append([name, *(sums if name == "Total" else (before, after)), *moved])
    formats = {1: "#,##0.00", 2: "#,##0.00", 3: "#,##0.00", 4: "0.00%"}
    at = datetime.combine(report.restated.on, time(9), world.now.tzinfo)
    widths = {1: 14, 2: 14, 3: 12, 4: 13}
    book = make_single_sheet("Restatement", rows, at, author=author, formats=formats, widths=widths)
    book.save(world.files / report.workbook)


def format_euros(cents: int) -> str:
    """An amount such as 1,234.50."""
    return f"{cents / 100:,.2f}"


def _format_day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _get_morning(day: date) -> datetime:
    return datetime.combine(day, time(8, 30), UTC)
