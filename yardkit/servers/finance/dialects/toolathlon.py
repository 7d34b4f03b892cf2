"""The 10 tools of Toolathlon's yahoo-finance server: JSON as pandas and yfinance give it, through yahoo-finance-mcp.

Days of prices are midnights of the exchange, in UTC. `get_stock_price_by_date` is in no public source: it answers with
one such record and a note where the day had no prices.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any, cast

from pydantic import Field

from yardkit.apps.finance import Company, Holder, HolderKind, StatementKind
from yardkit.kit.dialect import Text, TextPage, page
from yardkit.kit.surface import make_server, tool
from yardkit.servers.finance.engine import companies, market, options
from yardkit.servers.finance.engine.results import Bar, Interval, Option, Period
from yardkit.world import Problem, current_world

mcp = make_server("finance", "Prices, statements, holders, options and news of listed companies from Yahoo Finance.")

Ticker = Annotated[str, Field(description='Ticker, such as "AAPL".', min_length=1, max_length=12)]
Offset = Annotated[int, Field(description="Characters to skip; a long text says where it goes on.", ge=0)]
_PERIODS = ("1d", "5d", "1mo", "3mo", "6mo", "1y", "2y", "5y", "10y", "ytd", "max")
_INTERVALS = ("1d", "5d", "1wk", "1mo", "3mo")
_STATEMENTS = {"income_stmt": "income", "balance_sheet": "balance", "cashflow": "cashflow"}
_HOLDERS = {
    "major_holders": "major",
    "institutional_holders": "institutional",
    "mutualfund_holders": "mutualfund",
    "insider_transactions": "insider_transactions",
    "insider_purchases": "insider_transactions",
    "insider_roster_holders": "insider_roster",
}
_MAJOR = ("insidersPercentHeld", "institutionsPercentHeld", "institutionsFloatPercentHeld", "institutionsCount")
_ALL = 1_000_000


@tool(mcp)
def get_historical_stock_prices(
    ticker: Ticker,
    period: Annotated[
        str, Field(description="1d, 5d, 1mo, 3mo, 6mo, 1y, 2y, 5y, 10y, ytd, max.", max_length=8)
    ] = "1mo",
    interval: Annotated[str, Field(description="1d, 5d, 1wk, 1mo, 3mo.", max_length=8)] = "1d",
    start_date: Annotated[str | None, Field(description="First day, YYYY-MM-DD.", max_length=10)] = None,
    end_date: Annotated[str | None, Field(description="Day after the last one.", max_length=10)] = None,
    auto_adjust: Annotated[bool, Field(description="Adjust prices for dividends.")] = True,
    offset: Offset = 0,
) -> TextPage:
    """Get historical stock prices for a given ticker symbol from yahoo finance."""
    if period not in _PERIODS:
        raise Problem(f"Error: Invalid period {period!r}, must be one of: {', '.join(_PERIODS)}")
    if interval not in _INTERVALS:
        raise Problem(f"Error: interval {interval!r} is not kept; there are {', '.join(_INTERVALS)}")
    with _looking(ticker, "historical stock prices"):
        last = (date.fromisoformat(end_date) - timedelta(days=1)).isoformat() if end_date else ""
        known = cast(Period, period), cast(Interval, interval)
        found = market.list_prices(
            current_world(), ticker, *known, start_date or "", last, adjusted=auto_adjust, limit=_ALL
        )
    return _json([_record(bar, adjusted=auto_adjust) for bar in found.bars], offset)


@tool(mcp)
def get_stock_price_by_date(
    ticker: Ticker,
    date: Annotated[str, Field(description="Day, YYYY-MM-DD.", max_length=10)],
    find_nearest: Annotated[bool, Field(description="Take the nearest day with prices.")] = True,
    auto_adjust: Annotated[bool, Field(description="Adjust prices for dividends.")] = True,
) -> TextPage:
    """Get stock price for a specific date."""
    with _looking(ticker, "stock price"):
        bar = market.price_on(current_world(), ticker, date, nearest=find_nearest, adjusted=auto_adjust)
    facts = {"ticker": ticker.upper(), "requested_date": date, "actual_date": bar.day}
    if bar.day != date:
        facts["note"] = f"No trading data on {date}; the nearest trading day is {bar.day}."
    return _json({**facts, **_record(bar, adjusted=auto_adjust)}, 0)


@tool(mcp)
def get_stock_info(ticker: Ticker) -> TextPage:
    """Get stock information for a given ticker symbol from yahoo finance."""
    with _looking(ticker, "stock information"):
        quote = companies.read_quote(current_world(), ticker)
        income = companies.read_statements(current_world(), ticker, "income").statements
        balance = companies.read_statements(current_world(), ticker, "balance").statements
    facts = _of_company(quote.company) | {
        "currentPrice": quote.close,
        "regularMarketPrice": quote.close,
        "previousClose": quote.previous_close,
        "open": quote.open,
        "dayLow": quote.low,
        "dayHigh": quote.high,
        "volume": quote.volume,
        "averageVolume": quote.average_volume,
        "fiftyTwoWeekLow": quote.low_52_weeks,
        "fiftyTwoWeekHigh": quote.high_52_weeks,
        "marketCap": quote.market_cap,
        "trailingEps": quote.trailing_eps,
        "trailingPE": quote.trailing_pe,
        "dividendRate": quote.dividend_rate,
        "dividendYield": quote.dividend_yield,
    }
    if income:
        lines = income[0].lines
        facts |= {"totalRevenue": lines["Total Revenue"], "netIncomeToCommon": lines["Net Income"]}
        facts["profitMargins"] = round(lines["Net Income"] / lines["Total Revenue"], 5)
    if balance:
        equity = balance[0].lines["Stockholders Equity"] / quote.company.shares
        facts |= {"bookValue": round(equity, 3), "priceToBook": round(quote.close / equity, 4) if equity > 0 else None}
        facts |= {"totalCash": balance[0].lines["Cash"], "totalDebt": balance[0].lines["Total Debt"]}
    return _json({name: value for name, value in facts.items() if value is not None}, 0)


@tool(mcp)
def get_yahoo_finance_news(ticker: Ticker) -> Text:
    """Get news for a given ticker symbol from yahoo finance."""
    with _looking(ticker, "news"):
        found = companies.list_news(current_world(), ticker, limit=10).news
    if not found:
        return Text(f"No news found for company that searched with {ticker} ticker.")
    return Text(
        "\n\n".join(f"Title: {news.title}\nSummary: {news.summary}\nDescription: \nURL: {news.url}" for news in found)
    )


@tool(mcp)
def get_stock_actions(ticker: Ticker) -> TextPage:
    """Get stock dividends and stock splits for a given ticker symbol from yahoo finance."""
    with _looking(ticker, "stock actions"):
        found = market.list_actions(current_world(), ticker).actions
    rows = [{"Date": _midnight(one.day), "Dividends": one.dividend, "Stock Splits": one.split} for one in found]
    return _json(rows, 0)


@tool(mcp)
def get_financial_statement(
    ticker: Ticker,
    financial_type: Annotated[
        str,
        Field(description="income_stmt, balance_sheet, cashflow, or these with quarterly_ before.", max_length=40),
    ],
) -> TextPage:
    """Get financial statement for a given ticker symbol from yahoo finance."""
    with _looking(ticker, "financial statement"):
        market.read_company(current_world(), ticker)
        kind = _STATEMENTS.get(financial_type.removeprefix("quarterly_"))
        if kind is None:
            allowed = [f"{before}{name}" for name in _STATEMENTS for before in ("", "quarterly_")]
            raise Problem(f"Error: invalid financial type {financial_type}. Please use one of: {', '.join(allowed)}.")
        quarterly = financial_type.startswith("quarterly_")
        found = companies.read_statements(current_world(), ticker, cast(StatementKind, kind), quarterly=quarterly)
    return _json([{"date": one.ends, **one.lines} for one in found.statements], 0)


@tool(mcp)
def get_holder_info(
    ticker: Ticker,
    holder_type: Annotated[
        str,
        Field(
            description="major_holders, institutional_holders, mutualfund_holders, insider_transactions, "
            "insider_purchases, insider_roster_holders.",
            max_length=40,
        ),
    ],
) -> TextPage:
    """Get holder information for a given ticker symbol from yahoo finance."""
    with _looking(ticker, "holder info"):
        market.read_company(current_world(), ticker)
        if holder_type not in _HOLDERS:
            raise Problem(f"Error: invalid holder type {holder_type}. Please use one of: {', '.join(_HOLDERS)}.")
        found = companies.list_holders(current_world(), ticker, cast(HolderKind, _HOLDERS[holder_type])).holders
    return _json(_held(found, holder_type), 0)


@tool(mcp)
def get_option_expiration_dates(ticker: Ticker) -> TextPage:
    """Fetch the available options expiration dates for a given ticker symbol."""
    with _looking(ticker, "option expiration dates"):
        return _json(options.list_options(current_world(), ticker).expirations, 0)


@tool(mcp)
def get_option_chain(
    ticker: Ticker,
    expiration_date: Annotated[str, Field(description="YYYY-MM-DD.", max_length=10)],
    option_type: Annotated[str, Field(description="calls or puts.", max_length=10)],
) -> TextPage:
    """Fetch the option chain for a given ticker symbol, expiration date, and option type."""
    with _looking(ticker, "option chain"):
        days = options.list_options(current_world(), ticker).expirations
        if expiration_date not in days:
            raise Problem(
                f"Error: No options available for the date {expiration_date}. You can use "
                "`get_option_expiration_dates` to get the available expiration dates."
            )
        if option_type not in ("calls", "puts"):
            raise Problem("Error: Invalid option type. Please use 'calls' or 'puts'.")
        found = options.list_options(current_world(), ticker, expiration_date)
        traded = companies.read_quote(current_world(), ticker)
    chain = found.calls if option_type == "calls" else found.puts
    return _json([_option(one, traded.day, traded.company.currency) for one in chain], 0)


@tool(mcp)
def get_recommendations(
    ticker: Ticker,
    recommendation_type: Annotated[str, Field(description="recommendations or upgrades_downgrades.", max_length=40)],
    months_back: Annotated[int, Field(description="Of upgrades and downgrades.", ge=1, le=120)] = 12,
) -> TextPage:
    """Get recommendations or upgrades/downgrades for a given ticker symbol from yahoo finance."""
    with _looking(ticker, "recommendations"):
        ratings = companies.list_news(current_world(), ticker, ratings=True).ratings
    if recommendation_type == "recommendations":
        return _json([_counted(ratings, months) for months in range(4)], 0)
    if recommendation_type != "upgrades_downgrades":
        raise Problem("Error: recommendation_type is recommendations or upgrades_downgrades")
    since = _months_before(current_world().now.date(), months_back).isoformat()
    latest: dict[str, Any] = {}
    for one in ratings:
        if one.day >= since and one.firm not in latest:
            latest[one.firm] = {
                "GradeDate": f"{one.day}T00:00:00.000",
                "Firm": one.firm,
                "ToGrade": one.grade,
                "FromGrade": one.before,
                "Action": one.action,
            }
    return _json(list(latest.values()), 0)


@contextmanager
def _looking(ticker: str, what: str) -> Iterator[None]:
    """A ticker that there is not, and other problems, in the words of the foreign server."""
    try:
        yield
    except Problem as problem:
        said = str(problem)
        if said.startswith("there is no company"):
            near = said.partition("; ")[2]
            raise Problem(f"Company ticker {ticker} not found. ({near})") from problem
        raise Problem(said if said.startswith("Error") else f"Error: getting {what} for {ticker}: {said}") from problem
    except ValueError as error:
        raise Problem(f"Error: getting {what} for {ticker}: {error}; write days like 2026-03-16") from error


def _json(data: Any, offset: int) -> TextPage:
    return page(json.dumps(data, ensure_ascii=False), offset)


def _midnight(day: str) -> str:
    """The midnight of the exchange at the beginning of a day, in UTC, as pandas writes it."""
    moment = datetime.combine(date.fromisoformat(day), time(), market.MARKET).astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.000Z"


def _record(bar: Bar, *, adjusted: bool) -> dict[str, Any]:
    facts = {"Date": _midnight(bar.day), "Open": bar.open, "High": bar.high, "Low": bar.low, "Close": bar.close}
    facts |= {} if adjusted else {"Adj Close": bar.adjusted_close}
    return facts | {"Volume": bar.volume, "Dividends": bar.dividend, "Stock Splits": bar.split}


def _of_company(company: Company) -> dict[str, Any]:
    return {
        "symbol": company.ticker,
        "shortName": company.name,
        "longName": company.name,
        "quoteType": "EQUITY",
        "exchange": company.exchange,
        "currency": company.currency,
        "sector": company.sector,
        "industry": company.industry,
        "country": company.country,
        "city": company.city,
        "website": company.website,
        "longBusinessSummary": company.summary,
        "fullTimeEmployees": company.employees,
        "sharesOutstanding": company.shares,
        "beta": company.beta,
    }


def _held(holders: Sequence[Holder], kind: str) -> list[dict[str, Any]]:
    if kind == "major_holders":
        return [{"metric": one.name, "Value": one.share or one.shares} for one in holders if one.name in _MAJOR]
    if kind == "insider_purchases":
        return _purchases(holders)
    if kind == "insider_transactions":
        return [
            {
                "Shares": one.shares,
                "URL": "",
                "Text": one.deal,
                "Insider": one.name,
                "Position": one.position,
                "Transaction": "",
                "Start Date": f"{one.day}T00:00:00.000",
                "Ownership": "D",
            }
            for one in holders
        ]
    if kind == "insider_roster_holders":
        return [
            {
                "Name": one.name,
                "Position": one.position,
                "URL": "",
                "Most Recent Transaction": one.deal,
                "Latest Transaction Date": f"{one.day}T00:00:00.000",
                "Shares Owned Directly": one.shares,
            }
            for one in holders
        ]
    iso = kind == "mutualfund_holders"
    return [
        {
            "Date Reported": f"{one.day}T00:00:00.000" if iso else _milliseconds(one.day),
            "Holder": one.name,
            "pctHeld": one.share,
            "Shares": one.shares,
        }
        for one in holders
    ]


def _milliseconds(day: str) -> int:
    return round(datetime.combine(date.fromisoformat(day), time(), UTC).timestamp() * 1000)


def _purchases(deals: Sequence[Holder]) -> list[dict[str, Any]]:
    """What insiders bought and sold in the last six months."""
    since = _months_before(current_world().now.date(), 6).isoformat()
    own = [one for one in deals if one.day >= since]
    bought, sold = ([one for one in own if one.deal.startswith(word)] for word in ("Purchase", "Sale"))
    shares = [sum(one.shares for one in some) for some in (bought, sold)]
    rows = [("Purchases", shares[0], len(bought)), ("Sales", shares[1], len(sold))]
    rows.append(("Net Shares Purchased (Sold)", shares[0] - shares[1], len(own)))
    return [{"Insider Purchases Last 6m": name, "Shares": some, "Trans": count} for name, some, count in rows]


def _option(one: Option, day: str, currency: str) -> dict[str, Any]:
    before = one.last_price - one.change
    return {
        "contractSymbol": one.contract,
        "lastTradeDate": f"{day}T20:00:00.000Z",
        "strike": one.strike,
        "lastPrice": one.last_price,
        "bid": one.bid,
        "ask": one.ask,
        "change": one.change,
        "percentChange": round(100 * one.change / before, 4) if before > 0 else 0.0,
        "volume": one.volume,
        "openInterest": one.open_interest,
        "impliedVolatility": one.implied_volatility,
        "inTheMoney": one.in_the_money,
        "contractSize": "REGULAR",
        "currency": currency,
    }


def _counted(ratings: Sequence[Any], months: int) -> dict[str, Any]:
    """How many firms held each opinion so many months ago; the last word of each counts."""
    until = _months_before(current_world().now.date(), months).isoformat()
    grades: dict[str, str] = {}
    for one in ratings:
        if one.day <= until:
            grades.setdefault(one.firm, one.grade)
    names = {"strongBuy": "Strong Buy", "buy": "Buy", "hold": "Hold", "sell": "Sell", "strongSell": "Strong Sell"}
    counts = {key: list(grades.values()).count(grade) for key, grade in names.items()}
    return {"period": f"-{months}m" if months else "0m", **counts}


def _months_before(day: date, months: int) -> date:
    number = day.year * 12 + day.month - 1 - months
    return date(number // 12, number % 12 + 1, min(day.day, 28))
