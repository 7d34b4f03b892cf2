"""The exchange of a seeded world hangs together, and is the same for the same seed."""

from pathlib import Path

import pytest

from yardkit.apps.finance import APP, RECORDS, Action, Company, Statement, read_prices
from yardkit.apps.store import open_store
from yardkit.state_init.cast import cast_of, get_stream
from yardkit.state_init.desk.restated_month.finance import FinanceFilled, fill_finance
from yardkit.world import World, skip_syncing


def seed_finance(root: Path, seed: int = 2) -> tuple[World, FinanceFilled]:
    world = World.create(root, task="finance", seed=seed)
    with skip_syncing():
        return world, fill_finance(world, cast_of(world), get_stream(world, "finance"), tickers=14, years=1)


@pytest.fixture(scope="module")
def seeded_exchange(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, FinanceFilled]:
    return seed_finance(tmp_path_factory.mktemp("seeded") / "world")


def test_the_same_seed_gives_the_same_bytes(seeded_exchange: tuple[World, FinanceFilled], tmp_path: Path) -> None:
    assert seed_finance(tmp_path / "again")[0].state_hash() == seeded_exchange[0].state_hash()
    assert seed_finance(tmp_path / "other", seed=3)[0].state_hash() != seeded_exchange[0].state_hash()


def test_companies_of_the_cast_are_listed_with_their_doubles(seeded_exchange: tuple[World, FinanceFilled]) -> None:
    world, filled = seeded_exchange
    cast = cast_of(world)
    with open_store(APP, *RECORDS, world=world) as store:
        names = {company.ticker: company.name for company in store.find(Company)}
    assert len(names) == len(filled.tickers) == 14
    for number in ("C-1001", "C-1002"):
        assert names[filled.listed[number]] == cast.customer(number).name


def test_days_are_working_days_and_prices_lie_between_low_and_high(
    seeded_exchange: tuple[World, FinanceFilled],
) -> None:
    world, filled = seeded_exchange
    for ticker in filled.tickers:
        prices = read_prices(world, ticker)
        assert 240 < len(prices) < 263
        assert [price.day for price in prices] == sorted({price.day for price in prices})
        assert all(price.day.weekday() < 5 and price.day <= world.now.date() for price in prices)
        assert all(price.low <= min(price.open, price.close) for price in prices)
        assert all(price.high >= max(price.open, price.close) for price in prices)


def test_quarters_add_up_to_their_year_and_balances_balance(seeded_exchange: tuple[World, FinanceFilled]) -> None:
    world, filled = seeded_exchange
    with open_store(APP, *RECORDS, world=world) as store:
        for ticker in filled.tickers:
            income = store.find(Statement, "ticker = ? AND kind = 'income'", [ticker])
            year = next(statement for statement in income if statement.ends == "2025-12-31" and not statement.quarterly)
            quarters = [statement for statement in income if statement.quarterly and statement.ends.startswith("2025")]
            assert len(quarters) == 4
            for name, value in year.lines.items():
                assert sum(quarter.lines[name] for quarter in quarters) == pytest.approx(value, abs=4_000)
            for balance in store.find(Statement, "ticker = ? AND kind = 'balance'", [ticker]):
                owed = balance.lines["Total Liabilities"] + balance.lines["Stockholders Equity"]
                assert owed == pytest.approx(balance.lines["Total Assets"], abs=4_000)


def test_dividends_are_small_beside_the_price(seeded_exchange: tuple[World, FinanceFilled]) -> None:
    world, _filled = seeded_exchange
    with open_store(APP, *RECORDS, world=world) as store:
        actions = store.find(Action, "dividend > 0")
    assert actions
    for action in actions:
        closes = {price.day.isoformat(): price.close for price in read_prices(world, action.ticker)}
        assert action.dividend < closes[action.day] / 4
