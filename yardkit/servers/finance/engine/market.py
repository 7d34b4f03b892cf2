"""Daily prices and what becomes of them: adjusted for dividends, put together to longer intervals.

The market of a world has closed for the last time on the last day with prices that is not after its clock.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from yardkit.apps.finance import APP, RECORDS, Action, Company, Price, read_prices
from yardkit.apps.store import Store, open_store
from yardkit.servers.finance.engine.results import Actions, Bar, Interval, Period, Prices
from yardkit.world import Problem, World

MARKET = ZoneInfo("America/New_York")
"""The zone of the exchange."""
_CLOSES = 16
"""The hour from which on the prices of a day are known."""
_DAYS = {"1mo": 30, "3mo": 91, "6mo": 182, "1y": 365, "2y": 730, "5y": 1826, "10y": 3652}
MAX_PRICES = 400
"""Bars of one page."""


def read_company(world: World, ticker: str) -> Company:
    """A company by its ticker, whatever its case.

    Raises:
        Problem: there is none.
    """
    with open_store(APP, *RECORDS, world=world) as store:
        return store.get(Company, ticker.strip().upper())


def list_prices(
    world: World,
    ticker: str,
    period: Period = "1mo",
    interval: Interval = "1d",
    since: str = "",
    until: str = "",
    *,
    adjusted: bool = True,
    offset: int = 0,
    limit: int = MAX_PRICES,
) -> Prices:
    """Prices of a period that ends now, or of the days from `since` to `until`, both of which count.

    Raises:
        Problem: there is no such company, or a day cannot be read.
    """
    company = read_company(world, ticker)
    prices = known_prices(world, company.ticker)
    first, last = _compute_bounds(prices, period, since, until)
    with open_store(APP, *RECORDS, world=world) as store:
        actions = actions_of(store, company.ticker, prices[0].day)
    bars = [
        bar for bar in _build_bars(prices, actions, adjusted=adjusted) if first <= date.fromisoformat(bar.day) <= last
    ]
    bars = list(_merge_bars(bars, interval))
    end = offset + limit
    page_bars = bars[offset:end]
    return Prices(company.ticker, company.currency, adjusted, page_bars, len(bars), end if end < len(bars) else None)


def list_actions(world: World, ticker: str) -> Actions:
    """Dividends and splits until now.

    Raises:
        Problem: there is no such company.
    """
    company = read_company(world, ticker)
    with open_store(APP, *RECORDS, world=world) as store:
        return Actions(company.ticker, actions_of(store, company.ticker, date.min, world.now.date()))


def price_on(world: World, ticker: str, day: str, *, nearest: bool = True, adjusted: bool = True) -> Bar:
    """The prices of a day; if there are none, those of the last day before it, or of the first one after it.

    Raises:
        Problem: there is no such company, the day cannot be read, or it has no prices and the nearest is not wanted.
    """
    requested_day = _parse_day(day)
    bars = list_prices(world, ticker, "max", adjusted=adjusted, limit=1_000_000).bars
    place = bisect_right([bar.day for bar in bars], requested_day.isoformat()) - 1
    day_bar = bars[max(place, 0)]
    if day_bar.day != requested_day.isoformat() and not nearest:
        raise Problem(f"there are no prices of {ticker.upper()} on {day}; the nearest day with prices is {day_bar.day}")
    return day_bar


def known_prices(world: World, ticker: str) -> list[Price]:
    """The prices until now: those of today only once the market has closed."""
    moment = world.now.astimezone(MARKET)
    today = moment.date() if moment.hour >= _CLOSES else moment.date() - timedelta(days=1)
    prices = [price for price in read_prices(world, ticker) if price.day <= today]
    if not prices:
        raise Problem(f"there are no prices of {ticker} up to {today.isoformat()}")
    return prices


def actions_of(store: Store, ticker: str, first: date, last: date = date.max) -> list[Action]:
    bounds = [ticker, first.isoformat(), last.isoformat()]
    return store.find(Action, "ticker = ? AND day >= ? AND day <= ?", bounds, order="day")


def _compute_bounds(prices: Sequence[Price], period: Period, since: str, until: str) -> tuple[date, date]:
    first, last = prices[0].day, prices[-1].day
    if since or until:
        return _parse_day(since) if since else first, _parse_day(until) if until else last
    if period in ("1d", "5d"):
        return prices[-min(len(prices), int(period[0]))].day, last
    if period == "ytd":
        return date(last.year, 1, 1), last
    return last - timedelta(days=_DAYS[period]) if period in _DAYS else first, last


def _parse_day(text: str) -> date:
    try:
        return datetime.fromisoformat(text).date()
    except ValueError as error:
        raise Problem(f"{text!r} is not a valid date; use one such as 2026-03-16") from error


def _build_bars(prices: Sequence[Price], actions: Sequence[Action], *, adjusted: bool) -> list[Bar]:
    """A bar for each day. Before an ex-day prices are lowered by the share of the close before it that was paid."""
    paid, split = _place_actions([price.day.isoformat() for price in prices], actions)
    bars: list[Bar] = []
    factor = 1.0
    for place in range(len(prices) - 1, -1, -1):
        price, day = prices[place], prices[place].day.isoformat()
        scale = factor if adjusted else 1.0
        opened_, high, low, close = (
            round(value * scale, 6) for value in (price.open, price.high, price.low, price.close)
        )
        went = paid.get(day, 0.0), split.get(day, 0.0)
        bars.append(Bar(day, opened_, high, low, close, round(price.close * factor, 6), price.volume, *went))
        if day in paid and place:
            factor *= 1 - paid[day] / prices[place - 1].close
    return bars[::-1]


def _place_actions(days: Sequence[str], actions: Sequence[Action]) -> tuple[dict[str, float], dict[str, float]]:
    """Dividends and splits by the trading day from which on prices are without them; a holiday's come after it."""
    paid: dict[str, float] = {}
    split: dict[str, float] = {}
    for action in actions:
        place = bisect_left(days, action.day)
        if place == len(days):
            continue
        if action.dividend:
            paid[days[place]] = paid.get(days[place], 0.0) + action.dividend
        if action.split:
            split[days[place]] = split.get(days[place], 1.0) * action.split
    return paid, split


def _merge_bars(bars: Sequence[Bar], interval: Interval) -> Iterator[Bar]:
    """Bars of longer intervals: weeks from Monday on, months, quarters of the year, five days each."""
    for _, group in groupby(enumerate(bars), key=lambda pair: _get_interval_key(pair[0], pair[1].day, interval)):
        own = [bar for _, bar in group]
        yield Bar(
            _get_interval_start(own[0].day, interval),
            own[0].open,
            max(bar.high for bar in own),
            min(bar.low for bar in own),
            own[-1].close,
            own[-1].adjusted_close,
            sum(bar.volume for bar in own),
            round(sum(bar.dividend for bar in own), 6),
            math.prod(splits) if (splits := [bar.split for bar in own if bar.split]) else 0.0,
        )


def _get_interval_key(place: int, day: str, interval: Interval) -> str | int:
    moment = date.fromisoformat(day)
    if interval == "1wk":
        return (moment - timedelta(days=moment.weekday())).isoformat()
    keys: dict[str, str | int] = {"1d": day, "5d": place // 5, "1mo": day[:7]}
    return keys.get(interval, f"{moment.year}-{(moment.month - 1) // 3}")


def _get_interval_start(day: str, interval: Interval) -> str:
    moment = date.fromisoformat(day)
    if interval == "1wk":
        return (moment - timedelta(days=moment.weekday())).isoformat()
    return f"{day[:7]}-01" if interval in ("1mo", "3mo") else day
