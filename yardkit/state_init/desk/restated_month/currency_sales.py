"""Sales in several currencies: rows of facts that hold each in its own currency and in euros, and their sums."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.desk.restated_month.rates import Rates, day_of_rate

MARKETS = {"Eurozone": "EUR", "North America": "USD", "Poland": "PLN", "Sweden": "SEK"}
MARKETS |= {"Switzerland": "CHF", "United Kingdom": "GBP"}
KINDS = {
    "SALE_ID": "int", "SOLD_ON": "date", "MARKET": "text", "CUSTOMER_ID": "text", "CURRENCY": "text",
    "AMOUNT": "money", "RATE_KIND": "text", "RATE": "float", "AMOUNT_EUR": "money", "LOADED_AT": "time",
}  # fmt: skip
COMMENTS = {
    "SALE_ID": "Names a sale, which stands here once: a row that was loaded twice is to be taken out",
    "RATE_KIND": "daily: EXCHANGE_RATES of SOLD_ON, at weekends of the Friday before; contract: as agreed, it stays",
    "AMOUNT_EUR": "AMOUNT / RATE, to the cent",
}
TABLES = {"facts": "SALES_FACTS", "summary": "MONTHLY_SALES"}
OF_SUMMARY = (
    "SALES_FACTS by month of SOLD_ON and market. What was built stays: a month that is built again gets rows of the "
    "next version"
)
SUMMARY_KINDS = {
    "MONTH": "date", "MARKET": "text", "VERSION": "int", "SALES": "int", "AMOUNT_EUR": "money", "BUILT_ON": "date",
}  # fmt: skip
_DAY = timedelta(days=1)
_LEVELS = {"PLN": 4, "SEK": 11}
"""Of currencies of which a euro is several units."""


@dataclass(frozen=True)
class CurrencySale:
    """A sale. agreed: the rate of a contract, 0 without one; loaded: the day on which it came into the warehouse."""

    number: int
    day: date
    market: str
    customer: str
    cents: int
    agreed: float
    loaded: date

    @property
    def currency(self) -> str:
        return MARKETS[self.market]

    def rate(self, rates: Rates) -> float:
        """Units of its currency for one euro."""
        return self.agreed or (1.0 if self.currency == "EUR" else rates[day_of_rate(self.day), self.currency])

    def euro_cents(self, rates: Rates) -> int:
        return round(self.cents / self.rate(rates))

    def row(self, rates: Rates) -> tuple[Any, ...]:
        """As the warehouse holds it, in the order of `KINDS`, amounts in cents."""
        kind, at = "contract" if self.agreed else "daily", datetime.combine(self.loaded, time(3, 40))
        head = (self.number, self.day, self.market, self.customer, self.currency, self.cents, kind)
        return (*head, self.rate(rates), self.euro_cents(rates), at)


@dataclass(frozen=True)
class Figures:
    """Number and sum in cents of some sales by market."""

    sales: Mapping[str, int]
    cents: Mapping[str, int]

    @classmethod
    def from_sales(cls, sales: Iterable[CurrencySale], rates: Rates) -> "Figures":
        counts, cents = Counter[str](), Counter[str]()
        for sale in sales:
            counts[sale.market] += 1
            cents[sale.market] += sale.euro_cents(rates)
        return cls(counts, cents)

    @property
    def total(self) -> int:
        """Cents of all markets."""
        return sum(self.cents.values())

    def rows(self, month: date, version: int, built: date) -> list[tuple[Any, ...]]:
        """As the summary holds them, in the order of `SUMMARY_KINDS`."""
        return [(month, currency, version, self.sales[currency], self.cents[currency], built) for currency in MARKETS]


def customers_of(cast: Cast, market: str) -> list[str]:
    """Who buys in a market: each customer does in one."""
    place = [*MARKETS].index(market)
    return [customer.number for number, customer in enumerate(cast.customers) if number % len(MARKETS) == place]


def make_sales(
    cast: Cast,
    rng: random.Random,
    span: tuple[date, date],
    planned: Iterable[tuple[date, str]],
    agreed: Mapping[str, float],
    *tables: Rates,
) -> list[CurrencySale]:
    """Some sales a day, and those that are `planned` (day and customer), by day; loaded in the night after.

    Customers in `agreed` have the rate of a contract. By each of the tables of rates an amount in euros is far from
    half a cent.
    """
    market_of = {number: market for market in MARKETS for number in customers_of(cast, market)}
    days = [span[0] + number * _DAY for number in range((span[1] - span[0]).days + 1)]
    chosen = [(day, rng.choice([*market_of])) for day in days for _ in range(rng.choice((2, 3, 3, 4)))]
    new_sales: list[CurrencySale] = []
    for day, customer in sorted([*chosen, *planned]):
        head = 7_000_001 + len(new_sales), day, market_of[customer], customer
        rest = agreed.get(customer, 0.0), day + _DAY
        level = _LEVELS.get(MARKETS[market_of[customer]], 1)
        drawn = (CurrencySale(*head, rng.randrange(4_000 * level, 900_000 * level), *rest) for _ in range(10_000))
        new_sales.append(next(sale for sale in drawn if not any(_is_near_half(sale, rates) for rates in tables)))
    return new_sales


def sales_of(sales: Iterable[CurrencySale], month: date) -> list[CurrencySale]:
    """Those of a month."""
    return [sale for sale in sales if sale.day.replace(day=1) == month]


def _is_near_half(sale: CurrencySale, rates: Rates) -> bool:
    return abs(sale.cents / sale.rate(rates) % 1 - 0.5) < 0.02
