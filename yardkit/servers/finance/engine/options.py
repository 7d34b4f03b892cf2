"""Options on shares, worked out from the last close: nothing of them is kept."""

import hashlib
import itertools
import math
from collections.abc import Sequence
from datetime import date, timedelta

from yardkit.apps.finance import Company, Price
from yardkit.servers.finance.engine.market import known_prices, read_company
from yardkit.servers.finance.engine.results import Option, Options
from yardkit.world import Problem, World

_RATE = 0.04
"""Yearly, without risk: what options are worked out with."""
_STRIKES = 9
"""On each side of the last close."""
_TRADING_DAYS = 252


def list_options(world: World, ticker: str, expiration: str = "") -> Options:
    """The days on which options expire, and of one of them the options.

    Raises:
        Problem: there is no such company, or no options expire on that day.
    """
    company = read_company(world, ticker)
    prices = known_prices(world, company.ticker)
    days = [day.isoformat() for day in _list_expirations(prices[-1].day)]
    if not expiration:
        return Options(company.ticker, days)
    if expiration not in days:
        raise Problem(f"no options of {company.ticker} expire on {expiration!r}; use one of {', '.join(days)}")
    calls, puts = (_build_chain(company, prices, date.fromisoformat(expiration), side) for side in ("calls", "puts"))
    return Options(company.ticker, days, calls, puts)


def _list_expirations(last: date) -> list[date]:
    """The next four Fridays, then the third Fridays of the months of half a year."""
    friday = last + timedelta(days=(4 - last.weekday()) % 7 or 7)
    weekly = [friday + timedelta(weeks=number) for number in range(4)]
    months = [(last.year + (last.month + number) // 12, (last.month + number) % 12 + 1) for number in range(7)]
    thirds = [date(year, month, 15 + (4 - date(year, month, 15).weekday()) % 7) for year, month in months]
    return sorted({*weekly, *(day for day in thirds if day > weekly[-1])})


def _build_chain(company: Company, prices: Sequence[Price], expires: date, side: str) -> list[Option]:
    close, before = prices[-1].close, prices[-2].close if len(prices) > 1 else prices[-1].close
    years = (expires - prices[-1].day).days / 365
    step = next(size for size in (0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 1e9) if close / size < 40)
    middle = round(close / step)
    volatility = _compute_volatility(prices)
    options = []
    for number in range(max(1, middle - _STRIKES), middle + _STRIKES + 1):
        strike = number * step
        smile = round(volatility * (1 + 0.4 * abs(math.log(strike / close))), 4)
        value, earlier = (_compute_value(spot, strike, years, smile, side) for spot in (close, before))
        digest = hashlib.sha256(f"{company.ticker}/{expires}/{side}/{strike}".encode()).digest()
        interest = int.from_bytes(digest[:2]) % 4_000
        contract = f"{company.ticker}{expires:%y%m%d}{side[0].upper()}{round(strike * 1000):08d}"
        spread = max(0.01, value * 0.02)
        options.append(
            Option(
                *(contract, strike, round(value, 2), round(max(0.0, value - spread), 2), round(value + spread, 2)),
                *(round(value - earlier, 2), interest // (2 + digest[2] % 9), interest, smile),
                in_the_money=close > strike if side == "calls" else close < strike,
            )
        )
    return options


def _compute_volatility(prices: Sequence[Price]) -> float:
    """Of the last half year, for a year: the standard deviation of the days' logarithmic returns."""
    recent = prices[-127:]
    returns = [math.log(after.close / before.close) for before, after in itertools.pairwise(recent)]
    if len(returns) < 2:
        return 0.3
    mean = sum(returns) / len(returns)
    return max(
        0.05,
        math.sqrt(sum((daily_return - mean) ** 2 for daily_return in returns) / (len(returns) - 1) * _TRADING_DAYS),
    )


def _compute_value(spot: float, strike: float, years: float, volatility: float, side: str) -> float:
    """Black and Scholes (1973), without dividends."""
    spread = volatility * math.sqrt(years)
    upper = (math.log(spot / strike) + (_RATE + volatility**2 / 2) * years) / spread
    paid = strike * math.exp(-_RATE * years)
    if side == "calls":
        return spot * _compute_normal(upper) - paid * _compute_normal(upper - spread)
    return paid * _compute_normal(spread - upper) - spot * _compute_normal(-upper)


def _compute_normal(value: float) -> float:
    return (1 + math.erf(value / math.sqrt(2))) / 2
