"""Prices, adjusted and not, and what else is known of companies at the world's time."""

import pytest
from support.answers import Call

from yardkit.apps.finance import APP, RECORDS, Action, prices_path
from yardkit.apps.store import open_store
from yardkit.world import World


def test_companies_are_found_by_words(exchange: World, done: Call, refused: Call) -> None:
    assert [company["ticker"] for company in done("find_tickers", query="alfa robotics")["companies"]] == [
        "ALFA",
        "ALFB",
    ]
    assert done("find_tickers", query="LTD")["total"] == 1
    assert done("find_tickers", sector="Utilities")["companies"] == []
    assert "there are: 'ALFB', 'ALFA'" in refused("read_quote", ticker="ALFX")


def test_a_quote_is_that_of_the_last_close_before_now(exchange: World, done: Call) -> None:
    quote = done("read_quote", ticker="alfa")
    assert (quote["day"], quote["close"], quote["previous_close"]) == ("2026-03-13", 129.0, 128.0)
    assert quote["market_cap"] == 129_000_000
    assert (quote["trailing_eps"], quote["trailing_pe"]) == (5.0, 25.8)
    assert (quote["dividend_rate"], quote["dividend_yield"]) == (1.0, 0.0078)
    assert (quote["low_52_weeks"], quote["high_52_weeks"]) == (99.0, 131.0)


def test_prices_before_an_ex_day_are_lowered_by_what_was_paid(exchange: World, done: Call) -> None:
    bars = {bar["day"]: bar for bar in done("list_prices", ticker="ALFA", period="max")["bars"]}
    assert bars["2026-03-02"]["close"] == 120.0
    assert bars["2026-02-27"]["close"] == pytest.approx(119 * (1 - 1 / 119))
    assert bars["2026-02-02"]["close"] == pytest.approx(100 * (1 - 1 / 119), abs=1e-5)
    assert (bars["2026-03-02"]["dividend"], bars["2026-02-10"]["split"]) == (1.0, 2.0)
    raw_bar = done("list_prices", ticker="ALFA", period="max", adjusted=False)["bars"][0]
    assert (raw_bar["close"], raw_bar["adjusted_close"]) == (100.0, bars["2026-02-02"]["close"])


def test_periods_intervals_and_days_bound_the_prices(exchange: World, done: Call, refused: Call) -> None:
    def days(**arguments: object) -> list[str]:
        return [bar["day"] for bar in done("list_prices", ticker="ALFA", **arguments)["bars"]]

    assert days(period="1d") == ["2026-03-13"]
    assert len(days(period="5d")) == 5
    assert days(since="2026-03-01", until="2026-03-03") == ["2026-03-02", "2026-03-03"]
    assert days(period="max", interval="1mo") == ["2026-02-01", "2026-03-01"]
    assert days(period="ytd", interval="1wk")[:2] == ["2026-02-02", "2026-02-09"]
    week = done("list_prices", ticker="ALFA", period="max", interval="1wk", adjusted=False)["bars"][0]
    assert (week["open"], week["high"], week["low"], week["close"], week["volume"]) == (100, 106, 99, 104, 5010)
    first = done("list_prices", ticker="ALFA", period="max", limit=7)
    assert (first["total"], first["next_offset"]) == (30, 7)
    assert "is not a valid date" in refused("list_prices", ticker="ALFA", since="soon")


def test_only_what_was_known_by_now_is_told(exchange: World, done: Call) -> None:
    assert [action["id"] for action in done("list_corporate_actions", ticker="ALFA")["actions"]] == [1, 2]
    statements = done("read_statement", ticker="ALFA", statement="income", quarterly=True)["statements"]
    assert [statement["ends"] for statement in statements] == ["2025-12-31", "2025-09-30", "2025-06-30", "2025-03-31"]
    news = done("list_market_news", ticker="ALFA", ratings=True)
    assert [article["title"] for article in news["news"]] == ["Alfa wins an order"]
    assert [rating["grade"] for rating in news["ratings"]] == ["Hold", "Buy"]
    assert done("list_market_news", query="nothing like it")["total"] == 0


def test_holders_are_listed_by_kind(exchange: World, done: Call) -> None:
    assert [holder["name"] for holder in done("list_holders", ticker="ALFA")["holders"]] == ["Pillar Trust"]
    deals = done("list_holders", ticker="ALFA", kind="insider_transactions")["holders"]
    assert [deal["day"] for deal in deals] == ["2026-01-05", "2025-11-05"]


def test_options_follow_from_the_price(exchange: World, done: Call, refused: Call) -> None:
    days = done("list_options", ticker="ALFA")["expirations"]
    assert days[:4] == ["2026-03-20", "2026-03-27", "2026-04-03", "2026-04-10"]
    chain = done("list_options", ticker="ALFA", expiration=days[3])
    calls, puts = chain["calls"], chain["puts"]
    assert [call_option["last_price"] for call_option in calls] == sorted(
        (call_option["last_price"] for call_option in calls), reverse=True
    )
    assert [put_option["last_price"] for put_option in puts] == sorted(put_option["last_price"] for put_option in puts)
    assert all(call_option["in_the_money"] == (call_option["strike"] < 129) for call_option in calls)
    for call_, put in zip(calls, puts, strict=True):  # put-call parity, to the cent
        paid = call_["strike"] * 2.718281828 ** (-0.04 * 28 / 365)
        assert call_["last_price"] - put["last_price"] == pytest.approx(129 - paid, abs=0.011)
    assert "use one of 2026-03-20" in refused("list_options", ticker="ALFA", expiration="2026-03-21")


def test_reading_changes_nothing(exchange: World, done: Call) -> None:
    before = exchange.state_hash()
    done("read_quote", ticker="ALFA")
    assert exchange.state_hash() == before


def test_damaged_prices_are_named_and_the_records_work(exchange: World, done: Call, refused: Call) -> None:
    prices_path(exchange).write_bytes(b"PAR1")
    assert "prices.parquet of the app 'finance' is damaged" in refused("read_quote", ticker="ALFA")
    assert done("find_tickers")["total"] == 2


def test_an_empty_world_has_no_companies(world: World, done: Call, refused: Call) -> None:
    assert done("find_tickers")["total"] == 0
    assert "there are: none" in refused("read_quote", ticker="ALFA")


def test_all_that_is_paid_on_a_day_counts_and_that_of_a_holiday_on_the_next(exchange: World, done: Call) -> None:
    with open_store(APP, *RECORDS, writes=True, world=exchange) as store:
        store.put(Action(10, "ALFA", "2026-03-02", 4.0, 0.0))  # a special dividend beside the regular one
        store.put(Action(11, "ALFA", "2026-03-07", 2.0, 0.0))  # a Saturday
    bars = {bar["day"]: bar for bar in done("list_prices", ticker="ALFA", period="max")["bars"]}
    assert bars["2026-03-02"]["dividend"] == 5.0
    assert bars["2026-03-09"]["dividend"] == 2.0
    assert bars["2026-03-06"]["adjusted_close"] == pytest.approx(124 * (1 - 2 / 124))
    assert bars["2026-02-27"]["adjusted_close"] == pytest.approx(119 * (1 - 5 / 119) * (1 - 2 / 124))
