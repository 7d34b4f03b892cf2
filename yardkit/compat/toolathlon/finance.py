"""The 10 tools of Toolathlon's yahoo-finance server: JSON as pandas and yfinance give it, through yahoo-finance-mcp.

Days of prices are midnights of the exchange, in UTC. `get_stock_price_by_date` is in no public source: it answers with
one such record and a note where the day had no prices.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, cast

from yardkit.apps.finance import Company, Holder, HolderKind, StatementKind
from yardkit.kit.dialect import TextPage, cut_page
from yardkit.servers.finance.engine import companies, market, options
from yardkit.servers.finance.engine.results import Bar, Interval, Option, Period
from yardkit.world import Problem, current_world

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


def get_historical_stock_prices(
    ticker: str,
    period: str = "1mo",
    interval: str = "1d",
    start_date: str | None = None,
    end_date: str | None = None,
    auto_adjust: bool = True,
    offset: int = 0,
) -> TextPage:
    if period not in _PERIODS:
        raise Problem(f"Error: Invalid period {period!r}, must be one of: {', '.join(_PERIODS)}")
    if interval not in _INTERVALS:
        raise Problem(f"Error: interval {interval!r} is not kept; there are {', '.join(_INTERVALS)}")
    with _translate_problems(ticker, "historical stock prices"):
        last = (date.fromisoformat(end_date) - timedelta(days=1)).isoformat() if end_date else ""
        known = cast(Period, period), cast(Interval, interval)
        price_list = market.list_prices(
            current_world(), ticker, *known, start_date or "", last, adjusted=auto_adjust, limit=_ALL
        )
    return _format_json([_build_record(bar, adjusted=auto_adjust) for bar in price_list.bars], offset)


def get_stock_price_by_date(ticker: str, date: str, find_nearest: bool = True, auto_adjust: bool = True) -> TextPage:
    with _translate_problems(ticker, "stock price"):
        bar = market.price_on(current_world(), ticker, date, nearest=find_nearest, adjusted=auto_adjust)
    facts = {"ticker": ticker.upper(), "requested_date": date, "actual_date": bar.day}
    if bar.day != date:
        facts["note"] = f"No trading data on {date}; the nearest trading day is {bar.day}."
    return _format_json({**facts, **_build_record(bar, adjusted=auto_adjust)}, 0)


def get_stock_info(ticker: str) -> TextPage:
    with _translate_problems(ticker, "stock information"):
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
    return _format_json({name: value for name, value in facts.items() if value is not None}, 0)


def get_yahoo_finance_news(ticker: str) -> str:
    with _translate_problems(ticker, "news"):
        news_entries = companies.list_news(current_world(), ticker, limit=10).news
    if not news_entries:
        return f"No news found for company that searched with {ticker} ticker."
    return "\n\n".join(
        f"Title: {news.title}\nSummary: {news.summary}\nDescription: \nURL: {news.url}" for news in news_entries
    )


def get_stock_actions(ticker: str) -> TextPage:
    with _translate_problems(ticker, "stock actions"):
        stock_actions = market.list_actions(current_world(), ticker).actions
    rows = [
        {"Date": _to_midnight(action.day), "Dividends": action.dividend, "Stock Splits": action.split}
        for action in stock_actions
    ]
    return _format_json(rows, 0)


def get_financial_statement(ticker: str, financial_type: str) -> TextPage:
    with _translate_problems(ticker, "financial statement"):
        market.read_company(current_world(), ticker)
        kind = _STATEMENTS.get(financial_type.removeprefix("quarterly_"))
        if kind is None:
            allowed = [f"{before}{name}" for name in _STATEMENTS for before in ("", "quarterly_")]
            raise Problem(f"Error: invalid financial type {financial_type}. Please use one of: {', '.join(allowed)}.")
        quarterly = financial_type.startswith("quarterly_")
        statement_list = companies.read_statements(
            current_world(), ticker, cast(StatementKind, kind), quarterly=quarterly
        )
    return _format_json([{"date": statement.ends, **statement.lines} for statement in statement_list.statements], 0)


def get_holder_info(ticker: str, holder_type: str) -> TextPage:
    with _translate_problems(ticker, "holder info"):
        market.read_company(current_world(), ticker)
        if holder_type not in _HOLDERS:
            raise Problem(f"Error: invalid holder type {holder_type}. Please use one of: {', '.join(_HOLDERS)}.")
        holders = companies.list_holders(current_world(), ticker, cast(HolderKind, _HOLDERS[holder_type])).holders
    return _format_json(_build_holder_records(holders, holder_type), 0)


def get_option_expiration_dates(ticker: str) -> TextPage:
    with _translate_problems(ticker, "option expiration dates"):
        return _format_json(options.list_options(current_world(), ticker).expirations, 0)


def get_option_chain(ticker: str, expiration_date: str, option_type: str) -> TextPage:
    with _translate_problems(ticker, "option chain"):
        days = options.list_options(current_world(), ticker).expirations
        if expiration_date not in days:
            raise Problem(
                f"Error: No options available for the date {expiration_date}. You can use "
                "`get_option_expiration_dates` to get the available expiration dates."
            )
        if option_type not in ("calls", "puts"):
            raise Problem("Error: Invalid option type. Please use 'calls' or 'puts'.")
        traded_options = options.list_options(current_world(), ticker, expiration_date)
        traded = companies.read_quote(current_world(), ticker)
    chain = traded_options.calls if option_type == "calls" else traded_options.puts
    return _format_json([_build_option(option, traded.day, traded.company.currency) for option in chain], 0)


def get_recommendations(ticker: str, recommendation_type: str, months_back: int = 12) -> TextPage:
    with _translate_problems(ticker, "recommendations"):
        ratings = companies.list_news(current_world(), ticker, ratings=True).ratings
    if recommendation_type == "recommendations":
        return _format_json([_count_ratings(ratings, months) for months in range(4)], 0)
    if recommendation_type != "upgrades_downgrades":
        raise Problem("Error: recommendation_type is recommendations or upgrades_downgrades")
    since = _months_before(current_world().now.date(), months_back).isoformat()
    latest: dict[str, Any] = {}
    for rating in ratings:
        if rating.day >= since and rating.firm not in latest:
            latest[rating.firm] = {
                "GradeDate": f"{rating.day}T00:00:00.000",
                "Firm": rating.firm,
                "ToGrade": rating.grade,
                "FromGrade": rating.before,
                "Action": rating.action,
            }
    return _format_json(list(latest.values()), 0)


@contextmanager
def _translate_problems(ticker: str, what: str) -> Iterator[None]:
    """A ticker that there is not, and other problems, in the words of the foreign server."""
    try:
        yield
    except Problem as problem:
        problem_text = str(problem)
        if problem_text.startswith("there is no company"):
            near = problem_text.partition("; ")[2]
            raise Problem(f"Company ticker {ticker} not found. ({near})") from problem
        raise Problem(
            problem_text if problem_text.startswith("Error") else f"Error: getting {what} for {ticker}: {problem_text}"
        ) from problem
    except ValueError as error:
        raise Problem(f"Error: getting {what} for {ticker}: {error}; write days like 2026-03-16") from error


def _format_json(data: Any, offset: int) -> TextPage:
    return cut_page(json.dumps(data, ensure_ascii=False), offset)


def _to_midnight(day: str) -> str:
    """The midnight of the exchange at the beginning of a day, in UTC, as pandas writes it."""
    moment = datetime.combine(date.fromisoformat(day), time(), market.MARKET).astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.000Z"


def _build_record(bar: Bar, *, adjusted: bool) -> dict[str, Any]:
    facts = {"Date": _to_midnight(bar.day), "Open": bar.open, "High": bar.high, "Low": bar.low, "Close": bar.close}
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


def _build_holder_records(holders: Sequence[Holder], kind: str) -> list[dict[str, Any]]:
    if kind == "major_holders":
        return [
            {"metric": holder.name, "Value": holder.share or holder.shares}
            for holder in holders
            if holder.name in _MAJOR
        ]
    if kind == "insider_purchases":
        return _summarize_purchases(holders)
    if kind == "insider_transactions":
        return [
            {
                "Shares": holder.shares,
                "URL": "",
                "Text": holder.deal,
                "Insider": holder.name,
                "Position": holder.position,
                "Transaction": "",
                "Start Date": f"{holder.day}T00:00:00.000",
                "Ownership": "D",
            }
            for holder in holders
        ]
    if kind == "insider_roster_holders":
        return [
            {
                "Name": holder.name,
                "Position": holder.position,
                "URL": "",
                "Most Recent Transaction": holder.deal,
                "Latest Transaction Date": f"{holder.day}T00:00:00.000",
                "Shares Owned Directly": holder.shares,
            }
            for holder in holders
        ]
    iso = kind == "mutualfund_holders"
    return [
        {
            "Date Reported": f"{holder.day}T00:00:00.000" if iso else _to_milliseconds(holder.day),
            "Holder": holder.name,
            "pctHeld": holder.share,
            "Shares": holder.shares,
        }
        for holder in holders
    ]


def _to_milliseconds(day: str) -> int:
    return round(datetime.combine(date.fromisoformat(day), time(), UTC).timestamp() * 1000)


def _summarize_purchases(deals: Sequence[Holder]) -> list[dict[str, Any]]:
    """What insiders bought and sold in the last six months."""
    since = _months_before(current_world().now.date(), 6).isoformat()
    own = [deal for deal in deals if deal.day >= since]
    bought, sold = ([deal for deal in own if deal.deal.startswith(word)] for word in ("Purchase", "Sale"))
    shares = [sum(deal.shares for deal in some) for some in (bought, sold)]
    rows = [("Purchases", shares[0], len(bought)), ("Sales", shares[1], len(sold))]
    rows.append(("Net Shares Purchased (Sold)", shares[0] - shares[1], len(own)))
    return [{"Insider Purchases Last 6m": name, "Shares": some, "Trans": count} for name, some, count in rows]


def _build_option(option: Option, day: str, currency: str) -> dict[str, Any]:
    before = option.last_price - option.change
    return {
        "contractSymbol": option.contract,
        "lastTradeDate": f"{day}T20:00:00.000Z",
        "strike": option.strike,
        "lastPrice": option.last_price,
        "bid": option.bid,
        "ask": option.ask,
        "change": option.change,
        "percentChange": round(100 * option.change / before, 4) if before > 0 else 0.0,
        "volume": option.volume,
        "openInterest": option.open_interest,
        "impliedVolatility": option.implied_volatility,
        "inTheMoney": option.in_the_money,
        "contractSize": "REGULAR",
        "currency": currency,
    }


def _count_ratings(ratings: Sequence[Any], months: int) -> dict[str, Any]:
    """How many firms held each opinion so many months ago; the last word of each counts."""
    until = _months_before(current_world().now.date(), months).isoformat()
    grades: dict[str, str] = {}
    for rating in ratings:
        if rating.day <= until:
            grades.setdefault(rating.firm, rating.grade)
    names = {"strongBuy": "Strong Buy", "buy": "Buy", "hold": "Hold", "sell": "Sell", "strongSell": "Strong Sell"}
    counts = {key: list(grades.values()).count(grade) for key, grade in names.items()}
    return {"period": f"-{months}m" if months else "0m", **counts}


def _months_before(day: date, months: int) -> date:
    number = day.year * 12 + day.month - 1 - months
    return date(number // 12, number % 12 + 1, min(day.day, 28))
