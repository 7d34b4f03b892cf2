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
    "Listed companies by ticker: prices, dividends, splits, statements, holders, options, news. "
    "Prices are those of the last close before the workspace's clock, adjusted for all splits.",
)

Ticker = Annotated[str, Field(description="Ticker of a company, from find_tickers.", min_length=1, max_length=12)]
Offset = Annotated[int, Field(description="Items to skip; use next_offset of the previous page.", ge=0)]
Day = Annotated[str, Field(description="First day (ISO 8601).", max_length=40)]


@tool(mcp, bulk=True)
def find_tickers(
    query: Annotated[
        str, Field(description="Words to find in ticker, name, sector, industry or country.", max_length=200)
    ] = "",
    sector: Annotated[str, Field(description="Sector; by default all.", max_length=60)] = "",
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Companies per page.", ge=1, le=200)] = 50,
) -> Tickers:
    """Search listed companies, sorted by ticker."""
    return companies.find_tickers(current_world(), query, sector, offset, limit)


@tool(mcp, bulk=True)
def read_quote(ticker: Ticker) -> Quote:
    """Read a company's quote: last close, ranges, market value, earnings, dividends."""
    return companies.read_quote(current_world(), ticker)


@tool(mcp, bulk=True)
def list_prices(
    ticker: Ticker,
    period: Annotated[Period, Field(description="Period up to now; overridden by since and until.")] = "1mo",
    interval: Annotated[Interval, Field(description="Length of each bar.")] = "1d",
    since: Day = "",
    until: Annotated[str, Field(description="Last day, inclusive.", max_length=40)] = "",
    adjusted: Annotated[bool, Field(description="Adjust prices for later dividends; otherwise as traded.")] = True,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Bars per page.", ge=1, le=1000)] = market.MAX_PRICES,
) -> Prices:
    """List a company's prices, oldest first."""
    return market.list_prices(
        current_world(), ticker, period, interval, since, until, adjusted=adjusted, offset=offset, limit=limit
    )


@tool(mcp, bulk=True)
def list_corporate_actions(ticker: Ticker) -> Actions:
    """List a company's dividends and splits, oldest first."""
    return market.list_actions(current_world(), ticker)


@tool(mcp, bulk=True)
def read_statement(
    ticker: Ticker,
    statement: Annotated[StatementKind, Field(description="Kind of statement.")],
    quarterly: Annotated[bool, Field(description="Quarterly instead of yearly.")] = False,
) -> Statements:
    """Read a company's income statements, balance sheets or cash flows, newest first."""
    return companies.read_statements(current_world(), ticker, statement, quarterly=quarterly)


@tool(mcp, bulk=True)
def list_holders(
    ticker: Ticker, kind: Annotated[HolderKind, Field(description="Kind of holders or transactions.")] = "institutional"
) -> Holders:
    """List the holders of a company's shares, or its insider transactions."""
    return companies.list_holders(current_world(), ticker, kind)


@tool(mcp, bulk=True)
def list_options(
    ticker: Ticker,
    expiration: Annotated[
        str, Field(description="Expiration date; without it, the dates are listed.", max_length=10)
    ] = "",
    side: Annotated[Literal["both", "calls", "puts"], Field(description="Calls or puts.")] = "both",
) -> Options:
    """List a company's share options that expire on a date, by strike."""
    traded_options = options.list_options(current_world(), ticker, expiration)
    calls, puts = (traded_options.calls if side != "puts" else []), (traded_options.puts if side != "calls" else [])
    return Options(traded_options.ticker, traded_options.expirations, calls, puts)


@tool(mcp, bulk=True)
def list_market_news(
    ticker: Annotated[str, Field(description="Company; by default all.", max_length=12)] = "",
    query: Annotated[str, Field(description="Words to find in the title or summary.", max_length=200)] = "",
    ratings: Annotated[bool, Field(description="Include analyst ratings of the company.")] = False,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="News per page.", ge=1, le=100)] = 20,
) -> MarketNews:
    """List market news, newest first."""
    return companies.list_news(current_world(), ticker, query, offset, limit, ratings=ratings)
