"""The tools of the `finance` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.apps.finance import HolderKind, StatementKind
from yardkit.kit.surface import make_server, tool
from yardkit.servers.finance.engine import companies, market, options
from yardkit.servers.finance.engine.results import (
    Actions,
    Holders,
    Interval,
    MarketNews,
    Options,
    Period,
    Prices,
    Quote,
    Statements,
    Tickers,
)
from yardkit.world import current_world

mcp = make_server(
    "finance",
    "Listed companies by ticker: prices, dividends, splits, statements, holders, options, news. Prices are those of "
    "the last close before the clock of the workspace, after all splits.",
)

Ticker = Annotated[str, Field(description="Ticker of a company, from find_tickers.", min_length=1, max_length=12)]
Offset = Annotated[int, Field(description="What to skip; take next_offset of the page before.", ge=0)]
Day = Annotated[str, Field(description="Only from this day (ISO 8601) on.", max_length=40)]


@tool(mcp, bulk=True)
def find_tickers(
    query: Annotated[str, Field(description="Words in ticker, name, sector, industry, country.", max_length=200)] = "",
    sector: Annotated[str, Field(description="Only of this sector.", max_length=60)] = "",
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Companies per page.", ge=1, le=200)] = 50,
) -> Tickers:
    """Find listed companies by words, by ticker."""
    return companies.find_tickers(current_world(), query, sector, offset, limit)


@tool(mcp, bulk=True)
def read_quote(ticker: Ticker) -> Quote:
    """Show a company and what its shares cost: last close, ranges, market value, earnings, dividends."""
    return companies.read_quote(current_world(), ticker)


@tool(mcp, bulk=True)
def list_prices(
    ticker: Ticker,
    period: Annotated[Period, Field(description="Until now; since and until take its place.")] = "1mo",
    interval: Annotated[Interval, Field(description="Of each bar.")] = "1d",
    since: Day = "",
    until: Annotated[str, Field(description="Only to this day; the day itself counts.", max_length=40)] = "",
    adjusted: Annotated[bool, Field(description="Without the dividends paid since, else as they were traded.")] = True,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Bars per page.", ge=1, le=1000)] = market.MAX_PRICES,
) -> Prices:
    """List prices of a company, the oldest first."""
    return market.list_prices(
        current_world(), ticker, period, interval, since, until, adjusted=adjusted, offset=offset, limit=limit
    )


@tool(mcp, bulk=True)
def list_corporate_actions(ticker: Ticker) -> Actions:
    """List the dividends and splits of a company, the oldest first."""
    return market.list_actions(current_world(), ticker)


@tool(mcp, bulk=True)
def read_statement(
    ticker: Ticker,
    statement: Annotated[StatementKind, Field(description="Which of the three.")],
    quarterly: Annotated[bool, Field(description="Of quarters instead of years.")] = False,
) -> Statements:
    """Read the income statements, balance sheets or cash flows of a company, the newest first."""
    return companies.read_statements(current_world(), ticker, statement, quarterly=quarterly)


@tool(mcp, bulk=True)
def list_holders(
    ticker: Ticker, kind: Annotated[HolderKind, Field(description="Which holders or deals.")] = "institutional"
) -> Holders:
    """List who holds the shares of a company, or what its insiders dealt."""
    return companies.list_holders(current_world(), ticker, kind)


@tool(mcp, bulk=True)
def list_options(
    ticker: Ticker,
    expiration: Annotated[str, Field(description="Day on which they expire; without it the days.", max_length=10)] = "",
    side: Annotated[Literal["both", "calls", "puts"], Field(description="Which of them.")] = "both",
) -> Options:
    """List the options on the shares of a company that expire on a day, by strike."""
    found = options.list_options(current_world(), ticker, expiration)
    calls, puts = (found.calls if side != "puts" else []), (found.puts if side != "calls" else [])
    return Options(found.ticker, found.expirations, calls, puts)


@tool(mcp, bulk=True)
def list_market_news(
    ticker: Annotated[str, Field(description="Only of this company.", max_length=12)] = "",
    query: Annotated[str, Field(description="Words in title or summary.", max_length=200)] = "",
    ratings: Annotated[bool, Field(description="Also what analysts said of the company.")] = False,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="News per page.", ge=1, le=100)] = 20,
) -> MarketNews:
    """List market news, the newest first."""
    return companies.list_news(current_world(), ticker, query, offset, limit, ratings=ratings)
