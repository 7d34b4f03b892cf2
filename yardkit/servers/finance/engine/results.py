"""What the engine answers."""

from dataclasses import dataclass, field
from typing import Literal

from yardkit.apps.finance import Action, Company, Holder, News, Rating, Statement

Period = Literal["1d", "5d", "1mo", "3mo", "6mo", "1y", "2y", "5y", "10y", "ytd", "max"]
Interval = Literal["1d", "5d", "1wk", "1mo", "3mo"]


@dataclass(frozen=True)
class Tickers:
    """A page of companies. total: all that match; next_offset: where the list goes on, null at its end."""

    companies: list[Company]
    total: int
    next_offset: int | None


@dataclass(frozen=True)
class Quote:
    """A company and what its shares cost. day: of the last close; market_cap: close times shares.

    Attributes:
        trailing_pe, trailing_eps, dividend_rate: of the last twelve months; null where there is none.
    """

    company: Company
    day: str
    open: float
    high: float
    low: float
    close: float
    previous_close: float
    volume: int
    average_volume: int
    low_52_weeks: float
    high_52_weeks: float
    market_cap: int
    trailing_eps: float | None
    trailing_pe: float | None
    dividend_rate: float | None
    dividend_yield: float | None


@dataclass(frozen=True)
class Bar:
    """Prices of a day or of a longer interval, which begins at `day`.

    Attributes:
        open, high, low, close: after all splits and, if adjusted, without the dividends that were paid since.
        adjusted_close: the close without those dividends.
        dividend, split: what went off in the interval; 0 where nothing did.
    """

    day: str
    open: float
    high: float
    low: float
    close: float
    adjusted_close: float
    volume: int
    dividend: float = 0.0
    split: float = 0.0


@dataclass(frozen=True)
class Prices:
    """A page of prices, the oldest first. total: of all; next_offset: where they go on, null at the end."""

    ticker: str
    currency: str
    adjusted: bool
    bars: list[Bar]
    total: int
    next_offset: int | None


@dataclass(frozen=True)
class Actions:
    """Dividends and splits, the oldest first."""

    ticker: str
    actions: list[Action]


@dataclass(frozen=True)
class Statements:
    """Statements of one kind, the newest first."""

    ticker: str
    currency: str
    statements: list[Statement]


@dataclass(frozen=True)
class Holders:
    """Who holds shares, the largest first, or who dealt with them, the newest first."""

    ticker: str
    holders: list[Holder]


@dataclass(frozen=True)
class Option:
    """An option on a share. Prices are those of Black and Scholes at the last close; volatility is of a year."""

    contract: str
    strike: float
    last_price: float
    bid: float
    ask: float
    change: float
    volume: int
    open_interest: int
    implied_volatility: float
    in_the_money: bool


@dataclass(frozen=True)
class Options:
    """Options of one expiration day, by strike; without one only the days on which options expire."""

    ticker: str
    expirations: list[str]
    calls: list[Option] = field(default_factory=list)
    puts: list[Option] = field(default_factory=list)


@dataclass(frozen=True)
class MarketNews:
    """A page of news, the newest first. ratings: what analysts said, where they were asked for."""

    news: list[News]
    total: int
    next_offset: int | None
    ratings: list[Rating] = field(default_factory=list)
