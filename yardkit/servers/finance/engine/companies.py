"""Companies: who they are, what their shares cost, their statements, holders and news."""

from datetime import date, timedelta

from yardkit.apps.finance import APP, RECORDS, Company, Holder, HolderKind, News, Rating, Statement, StatementKind
from yardkit.apps.store import Page, Store, open_store
from yardkit.servers.finance.engine.market import actions_of, known_prices, read_company
from yardkit.servers.finance.engine.results import Holders, MarketNews, Quote, Statements, Tickers
from yardkit.world import World


def find_tickers(world: World, text: str = "", sector: str = "", offset: int = 0, limit: int = 50) -> Tickers:
    """Companies in whose ticker, name, sector or industry each word of `text` stands, by ticker."""
    with open_store(APP, *RECORDS, world=world) as store:
        where, values = ("sector = ? COLLATE NOCASE", [sector]) if sector else ("1", [])
        columns = ("ticker", "name", "sector", "industry", "country")
        page = store.search(Company, text, *columns, where=where, values=values, offset=offset, limit=limit)
    return Tickers(page.items, page.total, page.next_offset)


def read_quote(world: World, ticker: str) -> Quote:
    """What the shares of a company cost, and what follows from that.

    Raises:
        Problem: there is no such company, or it has no prices yet.
    """
    company = read_company(world, ticker)
    prices = known_prices(world, company.ticker)
    last, year = prices[-1], [price for price in prices if price.day > prices[-1].day - timedelta(days=365)]
    with open_store(APP, *RECORDS, world=world) as store:
        dividends = [
            action.dividend for action in actions_of(store, company.ticker, year[0].day, last.day) if action.dividend
        ]
        quarters = _find_statements(store, company.ticker, "income", quarterly=True, now=last.day)[:4]
    rate = round(sum(dividends), 4) if dividends else None
    eps = sum(statement.lines["Net Income"] for statement in quarters) / company.shares if len(quarters) == 4 else None
    return Quote(
        company,
        last.day.isoformat(),
        *(last.open, last.high, last.low, last.close),
        prices[-2].close if len(prices) > 1 else last.close,
        last.volume,
        round(sum(price.volume for price in prices[-60:]) / len(prices[-60:])),
        min(price.low for price in year),
        max(price.high for price in year),
        round(last.close * company.shares),
        round(eps, 2) if eps is not None else None,
        round(last.close / eps, 2) if eps and eps > 0 else None,
        rate,
        round(rate / last.close, 4) if rate else None,
    )


def read_statements(world: World, ticker: str, kind: StatementKind, *, quarterly: bool = False) -> Statements:
    """Statements of one kind that ended before now.

    Raises:
        Problem: there is no such company.
    """
    company = read_company(world, ticker)
    with open_store(APP, *RECORDS, world=world) as store:
        statements = _find_statements(store, company.ticker, kind, quarterly=quarterly, now=world.now.date())
    return Statements(company.ticker, company.currency, statements)


def list_holders(world: World, ticker: str, kind: HolderKind) -> Holders:
    """Holders of one kind.

    Raises:
        Problem: there is no such company.
    """
    company = read_company(world, ticker)
    order = "day DESC" if kind == "insider_transactions" else "shares DESC"
    with open_store(APP, *RECORDS, world=world) as store:
        holders = store.find(Holder, "ticker = ? AND kind = ?", [company.ticker, kind], order=order)
    return Holders(company.ticker, holders)


def list_news(
    world: World, ticker: str = "", text: str = "", offset: int = 0, limit: int = 20, *, ratings: bool = False
) -> MarketNews:
    """News of one company or of all, in which each word of `text` stands; with `ratings` those of the company.

    Raises:
        Problem: there is no such company.
    """
    known = read_company(world, ticker).ticker if ticker else ""
    where = "published <= ?" + (" AND ticker = ?" if known else "")
    values = [world.now.isoformat(), *([known] if known else [])]
    with open_store(APP, *RECORDS, world=world) as store:
        page: Page[News] = store.search(
            News,
            text,
            "title",
            "summary",
            where=where,
            values=values,
            order="published DESC",
            offset=offset,
            limit=limit,
        )
        rating_rows = store.find(
            Rating, "ticker = ? AND day <= ?", [known, world.now.date().isoformat()], order="day DESC"
        )
    return MarketNews(page.items, page.total, page.next_offset, rating_rows if ratings else [])


def _find_statements(store: Store, ticker: str, kind: str, *, quarterly: bool, now: date) -> list[Statement]:
    where = "ticker = ? AND kind = ? AND quarterly = ? AND ends < ?"
    return store.find(Statement, where, [ticker, kind, int(quarterly), now.isoformat()], order="ends DESC")
