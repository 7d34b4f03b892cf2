"""The stock exchange of a seeded world: invented companies with five years of prices, and what is told of them.

Some are customers and suppliers of the company's cast. All figures hang together: prices are those after splits, a
dividend lowers the price on its ex-day, the quarters of a year add up to it, assets are what is owed and owned.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from yardkit.apps.finance import (
    APP,
    RECORDS,
    Action,
    Company,
    Holder,
    News,
    Price,
    Rating,
    Statement,
    save_prices,
)
from yardkit.apps.store import Store, open_store
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.names import COMPANY_KINDS, FIRST, LAST, make_companies
from yardkit.world import World

_SECTORS = (
    ("Industrials", "Integrated Freight & Logistics", 0.09),
    ("Technology", "Scientific & Technical Instruments", 0.18),
    ("Consumer Defensive", "Packaged Foods", 0.07),
    ("Consumer Cyclical", "Furnishings, Fixtures & Appliances", 0.08),
    ("Industrials", "Consulting Services", 0.12),
    ("Utilities", "Utilities - Renewable", 0.13),
    ("Healthcare", "Diagnostics & Research", 0.16),
    ("Communication Services", "Publishing", 0.1),
)
"""Sector, industry and net margin of the kinds of `COMPANY_KINDS`."""
_FIRMS = ("Halden & Moor", "Brackwater Research", "Nine Elms Capital", "Quarry Street", "Orrin Partners", "Tidewell")
_FUNDS = ("Longmeadow Index Fund", "Castle Row Growth", "Harbour Mutual", "Ninth Wave Value", "Evenkeel Balanced Fund")
_HOUSES = ("Granite Asset Management", "Pillar Trust", "Blue Anchor Advisors", "Old Mill Capital", "Meridian Pensions")
_GRADES = ("Strong Sell", "Sell", "Hold", "Buy", "Strong Buy")
_HOLIDAYS = {(1, 1), (7, 4), (12, 25), (6, 19)}
_TITLES = (
    ("{name} opens a plant in {city}", "Production is to begin within a year; {number} people are to work there."),
    ("{name} names a new head of finance", "The board expects a smooth change. Guidance for the year stays."),
    (
        "Analysts look at {name} after its figures",
        "Revenue was {direction} what was expected, by {number} basis points.",
    ),
    ("{name} wins an order", "The customer was not named. Deliveries are spread over {number} weeks."),
    ("Shares of {name} move on a rumour", "The company did not comment. Trading was {direction} its average."),
)


@dataclass(frozen=True)
class FinanceFilled:
    """What tasks point at. tickers: of all; listed: the ticker of those of the cast, by their numbers."""

    tickers: tuple[str, ...]
    listed: dict[str, str]
    split: tuple[str, ...]


def fill_finance(
    world: World,
    cast: Cast,
    rng: random.Random,
    *,
    tickers: int = 60,
    years: int = 5,
    news: int = 4,
    more: Sequence[tuple[Company, list[Price]]] = (),
) -> FinanceFilled:
    """An exchange with so many companies and years of prices until the world's day.

    `more` are further papers with their prices, such as pairs of currencies.
    """
    last = world.now.date()
    days = list(_trading_days(last.replace(year=last.year - years), last))
    dealt = [*((customer.company, customer.number) for customer in cast.customers[:5])]
    dealt += [(supplier.company, supplier.number) for supplier in cast.suppliers[:3]]
    named = [(firm.full, firm.country, firm.city, number) for firm, number in dealt]
    spare = [
        spare_company
        for spare_company in make_companies(rng, 63)
        if spare_company.name not in {firm.name for firm, _ in dealt}
    ]
    named += [(spare_company.full, spare_company.country, spare_company.city, "") for spare_company in spare][
        : tickers - len(named)
    ]
    listed_companies = _make_companies(rng, named)
    everything: list[tuple[str, list[Price]]] = []
    split: list[str] = []
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        market = [rng.gauss(0.0003, 0.008) for _ in days]
        for company in listed_companies:
            store.put(company)
            actions = _make_actions(store, rng, company, days)
            split += [company.ticker] if any(action.split for action in actions) else []
            prices = _make_prices(rng, company, days, market, actions)
            everything.append((company.ticker, prices))
            _put_statements(store, rng, company, prices[-1].close, last)
            _put_holders(store, rng, company, last)
            _put_ratings(store, rng, company, last)
            _put_news(store, rng, company, world.now, news)
        everything += [(store.put(paper).ticker, prices) for paper, prices in more]
    save_prices(world, everything)
    listed = {
        number: listed_company.ticker
        for listed_company, (_, _, _, number) in zip(listed_companies, named, strict=True)
        if number
    }
    return FinanceFilled(tuple(listed_company.ticker for listed_company in listed_companies), listed, tuple(split))


def _trading_days(first: date, last: date) -> Iterator[date]:
    day = first
    while day <= last:
        if day.weekday() < 5 and (day.month, day.day) not in _HOLIDAYS:
            yield day
        day += timedelta(days=1)


def _make_companies(rng: random.Random, named: Sequence[tuple[str, str, str, str]]) -> list[Company]:
    taken: set[str] = set()
    new_companies = []
    for name, country, city, _ in named:
        sector, industry, _ = _choose_sector(name)
        ticker = _make_ticker(name, taken)
        word = name.partition(" ")[0].lower()
        description = (
            f"{name} works in {industry.lower()} and is based in {city}. It was founded in {rng.randint(1920, 2012)}."
        )
        shares = rng.randrange(20, 900) * 1_000_000
        head = (ticker, name, rng.choice(("NYQ", "NMS")), "USD", sector, industry, country, city)
        facts = rng.randrange(200, 60_000), shares, round(rng.uniform(0.4, 1.8), 3)
        new_companies.append(Company(*head, f"https://www.{word}.example", description, *facts))
    return new_companies


def _choose_sector(name: str) -> tuple[str, str, float]:
    """What a company does by its name."""
    return next(
        facts for words, facts in zip(COMPANY_KINDS, _SECTORS, strict=True) if any(word in name for word in words)
    )


def _make_ticker(name: str, taken: set[str]) -> str:
    """Up to four letters of a name, another last one where they are taken: near-doubles come by themselves."""
    letters = [letter for letter in name.upper() if letter.isalpha()]
    first = "".join(letters[:1] + [letter for letter in letters[1:] if letter not in "AEIOU"])[:4]
    ticker = next(
        candidate
        for candidate in (first, *(first[:3] + chr(65 + number) for number in range(26)))
        if candidate not in taken
    )
    taken.add(ticker)
    return ticker


def _make_actions(store: Store, rng: random.Random, company: Company, days: Sequence[date]) -> list[Action]:
    """Quarterly dividends of two thirds of the companies, and a split of every fifth."""
    new_actions = []
    if rng.random() < 0.66:
        dividend, step = round(rng.uniform(0.05, 0.9), 2), 63
        for place in range(rng.randrange(5, step), len(days), step):
            new_actions.append((days[place], dividend, 0.0))
            dividend = round(dividend * rng.choice((1, 1, 1, 1.04, 1.08)), 4)
    if rng.random() < 0.2:
        new_actions.append((days[rng.randrange(len(days) // 4, len(days) * 3 // 4)], 0.0, rng.choice((2.0, 3.0, 4.0))))
    return [
        store.put(Action(store.next_id(Action), company.ticker, day.isoformat(), dividend, split))
        for day, dividend, split in sorted(new_actions)
    ]


def _make_prices(
    rng: random.Random, company: Company, days: Sequence[date], market: Sequence[float], actions: Sequence[Action]
) -> list[Price]:
    close, own = rng.uniform(12, 240), rng.uniform(0.008, 0.02)
    usual = company.shares * rng.uniform(0.002, 0.01)
    paid = {action.day: action.dividend for action in actions if action.dividend}
    new_prices = []
    for day, moved in zip(days, market, strict=True):
        before = close
        close = max(0.5, close * (1 + company.beta * moved + rng.gauss(0, own)) - paid.get(day.isoformat(), 0.0))
        begin = before * (1 + rng.gauss(0, own / 3))
        high = max(begin, close) * (1 + abs(rng.gauss(0, own / 2)))
        low = min(begin, close) * (1 - abs(rng.gauss(0, own / 2)))
        volume = round(usual * rng.lognormvariate(0, 0.35))
        new_prices.append(
            Price(day, round(begin, 2), round(high, 2), round(max(low, 0.01), 2), round(close, 2), volume)
        )
    return new_prices


def _put_statements(store: Store, rng: random.Random, company: Company, close: float, today: date) -> None:
    """Five quarters and four years of each kind; the last four quarters of the last year add up to it."""
    margin = _choose_sector(company.name)[2] * rng.uniform(0.5, 1.3)
    revenue = close * company.shares / rng.uniform(11, 28) / margin
    year = today.year - 1
    debt = revenue * rng.uniform(0.05, 0.8)
    for back in range(4):
        figures = _make_figures(rng, revenue, margin * rng.uniform(0.85, 1.15), debt)
        _put_period(store, company, date(year - back, 12, 31), figures, quarterly=False)
        if back < 2:
            shares = [rng.uniform(0.22, 0.28) for _ in range(3)]
            for quarter in range(4, 0 if back == 0 else 3, -1):
                share = shares[quarter - 1] if quarter < 4 else 1 - sum(shares)
                part = {kind: _compute_part(lines, share, kind) for kind, lines in figures.items()}
                _put_period(store, company, _quarter_end(year - back, quarter), part, quarterly=True)
        revenue *= rng.uniform(0.86, 0.99)


def _make_figures(rng: random.Random, revenue: float, margin: float, debt: float) -> dict[str, dict[str, float]]:
    cost, spent = revenue * rng.uniform(0.45, 0.65), revenue * 0.04
    net = revenue * margin
    operating = net / 0.79 + debt * 0.05
    cash, other = revenue * rng.uniform(0.1, 0.4), revenue * rng.uniform(0.8, 1.6)
    income = {
        "Total Revenue": revenue,
        "Cost Of Revenue": cost,
        "Gross Profit": revenue - cost,
        "Operating Income": operating,
        "Interest Expense": debt * 0.05,
        "Tax Provision": net / 0.79 * 0.21,
        "Net Income": net,
    }
    balance = {
        "Cash": cash,
        "Total Assets": cash + other,
        "Total Debt": debt,
        "Total Liabilities": debt * 1.4,
        "Stockholders Equity": cash + other - debt * 1.4,
    }
    flow = {"Operating Cash Flow": net * 1.2, "Capital Expenditure": -spent, "Free Cash Flow": net * 1.2 - spent}
    return {"income": income, "balance": balance, "cashflow": flow}


def _compute_part(lines: dict[str, float], share: float, kind: str) -> dict[str, float]:
    """A quarter of a year: a part of what flows, and all of what stands."""
    return lines if kind == "balance" else {name: value * share for name, value in lines.items()}


def _quarter_end(year: int, quarter: int) -> date:
    return date(year + quarter // 4, quarter % 4 * 3 + 1, 1) - timedelta(days=1)


def _put_period(
    store: Store, company: Company, ends: date, figures: dict[str, dict[str, float]], *, quarterly: bool
) -> None:
    for kind, lines in figures.items():
        rounded_figures = {name: float(round(value / 1000) * 1000) for name, value in lines.items()}
        head = (store.next_id(Statement), company.ticker, kind, quarterly, ends.isoformat())
        store.put(Statement(*head, rounded_figures))  # type: ignore[arg-type]


def _put_holders(store: Store, rng: random.Random, company: Company, today: date) -> None:
    report = (today.replace(day=1) - timedelta(days=1)).isoformat()
    insiders, institutions = round(rng.uniform(0.005, 0.2), 4), round(rng.uniform(0.3, 0.85), 4)
    float_ = round(institutions / (1 - insiders), 4)
    major = [("insidersPercentHeld", insiders), ("institutionsPercentHeld", institutions)]
    major.append(("institutionsFloatPercentHeld", float_))
    rows = [("major", name, "", report, 0, share, "") for name, share in major]
    rows.append(("major", "institutionsCount", "", report, rng.randrange(80, 2_400), 0.0, ""))
    for kind, names in (("institutional", _HOUSES), ("mutualfund", _FUNDS)):
        for name in names:
            share = round(rng.uniform(0.004, 0.09), 4)
            rows.append((kind, name, "", report, round(company.shares * share), share, ""))
    for position in ("Chief Executive Officer", "Chief Financial Officer", "Director", "Director"):
        name = f"{rng.choice(LAST)} {rng.choice(FIRST)}".upper()
        deals = []
        for _ in range(rng.randrange(1, 4)):
            day, shares = today - timedelta(days=rng.randrange(10, 540)), rng.randrange(5, 400) * 100
            deal = rng.choice(("Sale at market price", "Purchase at market price", "Stock Award"))
            deals.append(("insider_transactions", name, position, day.isoformat(), shares, 0.0, deal))
        newest = max(deals, key=lambda deal: deal[3])
        rows += [*deals, ("insider_roster", name, position, newest[3], rng.randrange(10, 900) * 1_000, 0.0, newest[6])]
    for row in rows:
        store.put(Holder(store.next_id(Holder), company.ticker, *row))  # type: ignore[arg-type]


def _put_ratings(store: Store, rng: random.Random, company: Company, today: date) -> None:
    for firm in rng.sample(_FIRMS, 4):
        grade, before = rng.randrange(1, 5), ""
        for back in sorted(rng.sample(range(10, 800), 3), reverse=True):
            day = (today - timedelta(days=back)).isoformat()
            after = max(0, min(4, grade + rng.choice((-1, 0, 0, 1))))
            action = "init" if not before else "up" if after > grade else "down" if after < grade else "main"
            store.put(Rating(store.next_id(Rating), company.ticker, day, firm, _GRADES[after], before, action))
            grade, before = after, _GRADES[after]


def _put_news(store: Store, rng: random.Random, company: Company, now: datetime, count: int) -> None:
    for title, summary in rng.sample(_TITLES, min(count, len(_TITLES))):
        day = now - timedelta(days=rng.randrange(1, 120))
        published = datetime.combine(day.date(), time(rng.randrange(6, 20), rng.randrange(60)), now.tzinfo).isoformat()
        words = {"name": company.name, "city": company.city, "number": rng.randrange(12, 400)}
        words["direction"] = rng.choice(("above", "below"))
        number = store.next_id(News)
        store.put(
            News(
                *(number, company.ticker, published, rng.choice(("Market Wire", "Harbour News", "The Ledger"))),
                *(title.format(**words), summary.format(**words), f"https://finance.example/news/{number}"),
            )
        )
