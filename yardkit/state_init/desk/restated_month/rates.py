"""Rates of currencies: pairs on the exchange that show them, and what goes wrong when somebody loads them."""

import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Literal

from yardkit.apps.finance import Company, Price
from yardkit.apps.warehouse import TableName, locate_folder
from yardkit.world import World

Rates = Mapping[tuple[date, str], float]
"""Units of a currency for one euro, on working days."""
Fault = Literal["stuck", "swapped", "inverted", "last_year"]
KINDS = {"DAY": "date", "CURRENCY": "text", "RATE": "float"}
COMMENTS = {"RATE": "Close of the pair in the market data, such as EURUSD=X", "DAY": "Working days only"}
"""Of the table of rates in the warehouse."""
CURRENCIES = {"USD": "US dollar", "GBP": "Pound sterling", "CHF": "Swiss franc", "PLN": "Zloty", "SEK": "Swedish krona"}


def read_rates(world: World, table: str) -> dict[tuple[date, str], float]:
    """The rates of a table of the warehouse."""
    import pyarrow.parquet as pq

    rate_rows = pq.read_table(locate_folder(world) / TableName(*table.split(".")).path).to_pylist()
    return {(row["DAY"], row["CURRENCY"]): row["RATE"] for row in rate_rows}


def day_of_rate(day: date) -> date:
    """The day itself, or the Friday before."""
    return day - timedelta(days=max(0, day.weekday() - 4))


def days_in_a_row(rng: random.Random, month: date, count: int) -> list[date]:
    """Some working days of a month, after its first and before its last ones."""
    days = [month + timedelta(days=number) for number in range(28)]
    working = [day for day in days if day.weekday() < 5]
    first = rng.randint(2, len(working) - count - 2)
    return working[first : first + count]


def pairs_of(rates: Rates) -> list[tuple[Company, list[Price]]]:
    """A pair of the euro and each currency, whose closes are the rates."""
    pairs = []
    for currency, name in CURRENCIES.items():
        closes = [(day, rate) for (day, pair_currency), rate in sorted(rates.items()) if pair_currency == currency]
        opens = [closes[0][1], *(rate for _, rate in closes)]
        prices = [
            Price(day, before, max(before, rate), min(before, rate), rate, 0)
            for (day, rate), before in zip(closes, opens, strict=False)
        ]
        description = f"{name}: units of {currency} for one euro at the close of the day."
        ticker, title = f"EUR{currency}=X", f"EUR/{currency}"
        kinds = "CCY", currency, "Currencies", "Currency pairs", "", "", "", description
        pairs.append((Company(ticker, title, *kinds, 0, 0, 0.0), prices))
    return pairs


def faults_of(pair: tuple[str, str]) -> tuple[Fault, ...]:
    """What may go wrong with two currencies without being seen at once."""
    near_one = all(currency in ("CHF", "GBP", "USD") for currency in pair)
    return ("stuck", "last_year", "swapped", "inverted") if near_one else ("stuck", "last_year")


def corrupt_rates(
    rates: Rates, days: Sequence[date], pair: tuple[str, str], fault: Fault
) -> dict[tuple[date, str], float]:
    """The rates with those of two currencies wrong on some days."""
    wrong_rates = dict(rates)
    for day in days:
        for currency, other in (pair, pair[::-1]):
            wrong_rates[day, currency] = {
                "stuck": rates[day_of_rate(days[0] - timedelta(days=1)), currency],
                "swapped": rates[day, other],
                "inverted": round(1 / rates[day, currency], 4),
                "last_year": rates[day - timedelta(days=364), currency],
            }[fault]
    return wrong_rates
