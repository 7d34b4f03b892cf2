"""A month with wrong rates: facts, summary, report page and register, beside two months that were restated before."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.note_pages import open_notebook
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.company.warehouse import build_change_facts, fill_warehouse, put_table
from yardkit.state_init.desk.restated_month import currency_sales as money
from yardkit.state_init.desk.restated_month.currency_sales import MARKETS, CurrencySale, Figures, sales_of
from yardkit.state_init.desk.restated_month.finance import fill_finance
from yardkit.state_init.desk.restated_month.rates import (
    COMMENTS,
    KINDS,
    Rates,
    corrupt_rates,
    days_in_a_row,
    faults_of,
    pairs_of,
    read_rates,
)
from yardkit.state_init.desk.restated_month.reports import (
    Restatement,
    make_reports,
    save_calculation,
    summary_rows,
    write_reports,
)
from yardkit.world import World

DAY = timedelta(days=1)
MONTHS = [date(2025 + place // 12, place % 12 + 1, 1) for place in range(2, 14)]
EARLIER, MONTH = (date(2025, 6, 1), date(2025, 10, 1)), MONTHS[-1]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Warehouse, exchange, notes and workbooks; the facts say what is right."""
    cast, today = cast_of(world), world.now.date()
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    filled = fill_warehouse(world, cast, get_stream(world, "warehouse"), stories, lines=6_000, events=2_000)
    home = fill_notes(world, cast, get_stream(world, "notes"), stories, minutes=24, tasks=50).pages["Home"]
    tables = {"rates": filled.tables["exchange_rates"]}
    tables |= {key: f"{filled.place.partition('.')[0]}.FINANCE.{name}" for key, name in money.TABLES.items()}
    rates = {key: rate for key, rate in read_rates(world, tables["rates"]).items() if key[0] < today}
    fill_finance(world, cast, get_stream(world, "finance"), tickers=16, years=1, news=1, more=pairs_of(rates))
    first_currency, other = sorted(rng.sample([*MARKETS.values()][1:], 2))
    days, pair = days_in_a_row(rng, MONTH, 9), (first_currency, other)
    wrong = corrupt_rates(rates, days, pair, rng.choice(faults_of(pair)))
    twice = rng.choice([day for day in days[1:-1] if day.weekday() not in (0, 4)])
    sales = _make_sales(cast, rng, days, pair, twice, (rates, wrong))
    loaded = [sale for sale in sales for _ in range(2 if sale.day == twice else 1)]
    reports = [*make_reports(rng, MONTHS, EARLIER, sales, loaded, rates, wrong)]
    truth = Figures.from_sales(sales_of(sales, MONTH), rates)
    right = replace(reports[-1], figures=truth, restated=Restatement(today, pair, (days[0], days[-1])))
    was, now = ([(*key, of[key]) for key in sorted(of)] for of in (wrong, rates))
    rows = [sale.row(wrong) for sale in loaded]
    put_table(world, tables["rates"], KINDS, was, "Units of a currency for one euro", COMMENTS)
    put_table(world, tables["facts"], money.KINDS, rows, "Sales in their currencies and in euros", money.COMMENTS)
    put_table(world, tables["summary"], money.SUMMARY_KINDS, [*summary_rows(reports)], money.OF_SUMMARY)
    with open_notebook(world) as notes:
        written = write_reports(notes, cast, reports, home)
        page, row = written.pages[right.name], written.rows[right.name]
        blocks, values = notes.block_ids(page), notes.values(row)
    for report in reports:
        save_calculation(world, report, cast.owner.name)
    changes = {
        "rates": build_change_facts(KINDS, was, now),
        "facts": build_change_facts(money.KINDS, rows, [sale.row(rates) for sale in sales]),
        "summary": build_change_facts(money.SUMMARY_KINDS, [], truth.rows(MONTH, 2, today)),
    }
    return {
        "changes": {name: {"table": tables[name], **changed} for name, changed in changes.items()},
        "page": page, "row": row, "blocks": blocks, "month": right.name, "grid": right.grid(restated=True),
        "pair": pair, "first": str(days[0]), "last": str(days[-1]), "today": str(today),
        "values": {**values, "Status": "Restated", "Version": 2, "Restated on": str(today),
                   "Total EUR": truth.total / 100},
        "calculation": right.calculation, **_choose_cases(rng, sales, days, twice, pair),
    }  # fmt: skip


def _make_sales(
    cast: Cast, rng: random.Random, days: Sequence[date], pair: Sequence[str], twice: date, tables: tuple[Rates, Rates]
) -> list[CurrencySale]:
    """A year of sales; on wrong days at week-ends, of contracts, late, two alike, several where all came twice."""
    buyers = {MARKETS[market]: money.customers_of(cast, market) for market in MARKETS}
    agreed = {
        buyers[currency][0]: round(tables[0][days[0], currency] * rng.uniform(0.97, 1.03), 4) for currency in pair
    }
    saturday = next(day for day in days if day.weekday() == 4) + DAY
    planned = [(saturday, rng.choice(buyers[currency][1:])) for currency in pair]
    planned += [(rng.choice(days), buyers[currency][0]) for currency in (*pair, *pair)]
    planned += [(twice, rng.choice(buyers[currency])) for currency in (*pair, "EUR")]
    other_days = [day for day in days if day != twice]
    similar_pair = rng.choice(other_days), rng.choice(buyers[pair[0]][1:])
    late = [(rng.choice(other_days), rng.choice(buyers[currency][1:])) for currency in (pair[1], "EUR")]
    planned += [similar_pair, similar_pair, *late]
    planned_sales = money.make_sales(cast, rng, (MONTHS[0], date(2026, 3, 15)), planned, agreed, *tables)
    first, second = [sale for sale in planned_sales if (sale.day, sale.customer) == similar_pair][:2]
    changed = {sale.number: replace(sale, loaded=date(2026, 3, rng.randint(4, 11)))
               for sale in planned_sales if (sale.day, sale.customer) in late}  # fmt: skip
    changed[second.number] = replace(second, cents=first.cents)
    return [changed.get(sale.number, sale) for sale in planned_sales]


def _choose_cases(
    rng: random.Random, sales: Sequence[CurrencySale], days: Sequence[date], twice: date, pair: Sequence[str]
) -> dict[str, int]:
    """Sales that near misses are about, by their numbers."""
    keys = Counter((sale.day, sale.customer, sale.cents) for sale in sales)
    within = [sale for sale in sales if days[0] <= sale.day <= days[-1] and sale.currency in pair]
    cases = {
        "weekend": [sale for sale in within if sale.day.weekday() > 4 and not sale.agreed],
        "agreed": [sale for sale in within if sale.agreed],
        "twice": [sale for sale in within if sale.day == twice],
        "alike": [sale for sale in within if keys[sale.day, sale.customer, sale.cents] > 1],
    }
    return {name: rng.choice(some).number for name, some in cases.items()}
