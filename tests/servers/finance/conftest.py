"""A small exchange: one company with a dividend and a split, one without anything."""

from datetime import date, timedelta
from typing import Any

import pytest

from yardkit.apps.finance import APP, RECORDS, Action, Company, Holder, News, Price, Rating, Statement, save_prices
from yardkit.apps.store import open_store
from yardkit.world import World

DAYS = [day for day in (date(2026, 2, 2) + timedelta(days=number) for number in range(43)) if day.weekday() < 5]
"""Mondays to Fridays from 2 February to 16 March, whose market has not closed yet."""


def make_company(ticker: str, name: str) -> Company:
    head = (ticker, name, "NYQ", "USD", "Industrials", "Specialty Machinery", "France", "Lyon")
    return Company(*head, "https://www.alpha.example", f"{name} makes machines.", 1200, 1_000_000, 1.1)


@pytest.fixture
def exchange(world: World) -> World:
    """ALFA closes at 100, 101 ... and pays 1.00 on 2 March, when the close before was 119."""
    prices = [Price(day, 100.0 + n, 102.0 + n, 99.0 + n, 100.0 + n, 1_000 + n) for n, day in enumerate(DAYS)]
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(make_company("ALFA", "Alfa Robotics plc"))
        store.put(make_company("ALFB", "Alfa Robotics Ltd"))
        store.put(Action(1, "ALFA", "2026-02-10", 0.0, 2.0))
        store.put(Action(2, "ALFA", "2026-03-02", 1.0, 0.0))
        store.put(Action(3, "ALFA", "2026-04-02", 1.0, 0.0))
        for number, ends in enumerate(("2025-03-31", "2025-06-30", "2025-09-30", "2025-12-31", "2026-03-31"), 1):
            lines = {"Total Revenue": 1000.0 * number, "Net Income": 500_000.0 * number}
            store.put(Statement(number, "ALFA", "income", quarterly=True, ends=ends, lines=lines))
        year: dict[str, Any] = {"quarterly": False, "ends": "2025-12-31"}
        store.put(Statement(6, "ALFA", "income", **year, lines={"Total Revenue": 1e4, "Net Income": 5e6}))
        balance = {"Cash": 1.0, "Total Debt": 2.0, "Stockholders Equity": 4e6}
        store.put(Statement(7, "ALFA", "balance", **year, lines=balance))
        store.put(Holder(1, "ALFA", "institutional", "Pillar Trust", "", "2026-02-28", 90_000, 0.09))
        store.put(
            Holder(2, "ALFA", "insider_transactions", "BERG ADA", "Director", "2026-01-05", 500, 0.0, "Sale at 99")
        )
        store.put(
            Holder(3, "ALFA", "insider_transactions", "BERG ADA", "Director", "2025-11-05", 800, 0.0, "Purchase at 90")
        )
        store.put(Holder(4, "ALFA", "major", "insidersPercentHeld", "", "2026-02-28", 0, 0.12))
        store.put(Holder(5, "ALFA", "mutualfund", "Harbour Mutual", "", "2026-02-28", 10_000, 0.01))
        store.put(Holder(6, "ALFA", "insider_roster", "BERG ADA", "Director", "2026-01-05", 7_000, 0.0, "Sale at 99"))
        store.put(
            News(
                1,
                "ALFA",
                "2026-03-01T08:00:00+00:00",
                "Wire",
                "Alfa wins an order",
                "Over weeks.",
                "https://n.example/1",
            )
        )
        store.put(
            News(2, "ALFA", "2026-04-01T08:00:00+00:00", "Wire", "Of the future", "Not yet.", "https://n.example/2")
        )
        store.put(Rating(1, "ALFA", "2025-12-01", "Tidewell", "Buy", "Hold", "up"))
        store.put(Rating(2, "ALFA", "2026-03-01", "Tidewell", "Hold", "Buy", "down"))
    save_prices(world, [("ALFA", prices), ("ALFB", prices[:3])])
    return world
