"""The app `finance`: listed companies with their prices, actions, statements, holders, news and ratings.

Daily prices of all of them are in ``apps/finance/prices.parquet``, sorted by ticker and day and adjusted for all
splits: ticker, day, open, high, low, close, volume. Everything else is in records.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal, NamedTuple

from yardkit.world import Problem, World, save_atomically

APP = "finance"
PRICES = "prices.parquet"
StatementKind = Literal["income", "balance", "cashflow"]
HolderKind = Literal["major", "institutional", "mutualfund", "insider_transactions", "insider_roster"]


@dataclass(frozen=True)
class Company:
    """A listed company. shares: outstanding; beta: how strongly it moves with the market."""

    ticker: str
    name: str
    exchange: str
    currency: str
    sector: str
    industry: str
    country: str
    city: str
    website: str
    summary: str
    employees: int
    shares: int
    beta: float


@dataclass(frozen=True)
class Action:
    """A dividend per current share, or a split (2.0: two for one); the other is 0. day: ex-day."""

    id: int
    ticker: str
    day: str
    dividend: float
    split: float


@dataclass(frozen=True)
class Statement:
    """A financial statement. ends: the last day of its period; lines: in whole units of the currency."""

    id: int
    ticker: str
    kind: StatementKind
    quarterly: bool
    ends: str
    lines: dict[str, float]


@dataclass(frozen=True)
class Holder:
    """A holder or trader of shares. day: of the report or the trade; share: of all shares, from 0 to 1."""

    id: int
    ticker: str
    kind: HolderKind
    name: str
    position: str
    day: str
    shares: int
    share: float
    deal: str = ""


@dataclass(frozen=True)
class News:
    """A piece of news. published: ISO 8601."""

    id: int
    ticker: str
    published: str
    publisher: str
    title: str
    summary: str
    url: str


@dataclass(frozen=True)
class Rating:
    """The rating of an analyst's firm from a day on. action: up, down, main, init or reit."""

    id: int
    ticker: str
    day: str
    firm: str
    grade: str
    before: str
    action: str


RECORDS = (Company, Action, Statement, Holder, News, Rating)


class Price(NamedTuple):
    """A day's prices, adjusted for all splits."""

    day: date
    open: float
    high: float
    low: float
    close: float
    volume: int


def prices_path(world: World) -> Path:
    return world.root / "apps" / APP / PRICES


def read_prices(world: World, ticker: str) -> list[Price]:
    """Read the prices of a company, oldest first; empty if it has none.

    Raises:
        Problem: the file is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = prices_path(world)
    if not path.exists():
        return []
    try:
        table = pq.read_table(path, filters=[("ticker", "=", ticker)], use_threads=False)
        columns = [table[name].to_pylist() for name in Price._fields]
    except (pa.ArrowException, OSError, KeyError) as error:
        raise Problem(f"{PRICES} of the app {APP!r} is damaged ({str(error)[:120]}); put back an older copy") from error
    return [Price(*row) for row in zip(*columns, strict=True)]


def save_prices(world: World, prices: Iterable[tuple[str, Sequence[Price]]]) -> None:
    """Save the prices of all companies, by ticker."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [(ticker, *price) for ticker, own in sorted(prices) for price in own]
    names = ("ticker", *Price._fields)
    kinds = (pa.string(), pa.date32(), *(pa.float64() for _ in range(4)), pa.int64())
    columns = list(zip(*rows, strict=True))
    arrays = {name: pa.array(column, kind) for name, column, kind in zip(names, columns, kinds, strict=True)}
    world.get_app_folder(APP)
    with save_atomically(prices_path(world)) as draft:
        # Small row groups: a read of one company skips the others by the statistics of the sorted ticker.
        pq.write_table(pa.table(arrays), draft, compression="zstd", row_group_size=2_000, store_schema=False)
