"""The 10 tools of Toolathlon's yahoo-finance server, each in the JSON of pandas and yfinance."""

import pytest
from support.speaking import Agent

from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World


@pytest.fixture
def agent(exchange: World) -> Agent:
    return Agent(load_server("finance", "toolathlon"), exchange.files)


async def test_prices_come_as_records_at_midnight_of_the_exchange(agent: Agent) -> None:
    prices = await agent.call_for_json("get_historical_stock_prices", ticker="ALFA", period="1d")
    assert prices == [
        {
            "Date": "2026-03-13T04:00:00.000Z",
            "Open": 129.0,
            "High": 131.0,
            "Low": 128.0,
            "Close": 129.0,
            "Volume": 1029,
            "Dividends": 0.0,
            "Stock Splits": 0.0,
        }
    ]
    span = {"start_date": "2026-02-02", "end_date": "2026-02-04", "auto_adjust": False}
    prices = await agent.call_for_json("get_historical_stock_prices", ticker="ALFA", **span)
    assert [(row["Date"], row["Close"]) for row in prices] == [
        ("2026-02-02T05:00:00.000Z", 100.0),
        ("2026-02-03T05:00:00.000Z", 101.0),
    ]
    assert list(prices[0]) == [
        "Date",
        "Open",
        "High",
        "Low",
        "Close",
        "Adj Close",
        "Volume",
        "Dividends",
        "Stock Splits",
    ]
    assert "Invalid period" in await agent.call_for_error("get_historical_stock_prices", ticker="ALFA", period="7d")
    assert "is not kept" in await agent.call_for_error("get_historical_stock_prices", ticker="ALFA", interval="5m")


async def test_a_day_without_prices_gives_the_nearest_with_a_note(agent: Agent) -> None:
    price = await agent.call_for_json("get_stock_price_by_date", ticker="ALFA", date="2026-03-08")
    assert (price["actual_date"], price["Close"]) == ("2026-03-06", 124.0)
    assert price["note"] == "No trading data on 2026-03-08; the nearest trading day is 2026-03-06."
    assert "note" not in await agent.call_for_json("get_stock_price_by_date", ticker="ALFA", date="2026-03-06")
    message = await agent.call_for_error(
        "get_stock_price_by_date", ticker="ALFA", date="2026-03-08", find_nearest=False
    )
    assert message.startswith("Error: getting stock price for ALFA: there are no prices of ALFA on 2026-03-08")
    assert "is not a valid date" in await agent.call_for_error(
        "get_stock_price_by_date", ticker="ALFA", date="8.3.2026"
    )


async def test_a_company_is_told_in_yahoos_words(agent: Agent) -> None:
    info = await agent.call_for_json("get_stock_info", ticker="ALFA")
    assert info["longName"] == "Alfa Robotics plc"
    assert (info["currentPrice"], info["marketCap"], info["trailingPE"]) == (129.0, 129_000_000, 25.8)
    assert (info["bookValue"], info["priceToBook"], info["profitMargins"]) == (4.0, 32.25, 500.0)
    assert "trailingPE" not in await agent.call_for_json("get_stock_info", ticker="ALFB")


async def test_news_and_actions(agent: Agent) -> None:
    news = await agent.says("get_yahoo_finance_news", ticker="ALFA")
    assert news == "Title: Alfa wins an order\nSummary: Over weeks.\nDescription: \nURL: https://n.example/1"
    news = await agent.says("get_yahoo_finance_news", ticker="ALFB")
    assert news == "No news found for company that searched with ALFB ticker."
    actions = await agent.call_for_json("get_stock_actions", ticker="ALFA")
    assert actions == [
        {"Date": "2026-02-10T05:00:00.000Z", "Dividends": 0.0, "Stock Splits": 2.0},
        {"Date": "2026-03-02T05:00:00.000Z", "Dividends": 1.0, "Stock Splits": 0.0},
    ]


async def test_statements_by_period(agent: Agent) -> None:
    statements = await agent.call_for_json("get_financial_statement", ticker="ALFA", financial_type="income_stmt")
    assert statements == [{"date": "2025-12-31", "Total Revenue": 10000.0, "Net Income": 5000000.0}]
    statements = await agent.call_for_json(
        "get_financial_statement", ticker="ALFA", financial_type="quarterly_income_stmt"
    )
    assert len(statements) == 4
    message = await agent.call_for_error("get_financial_statement", ticker="ALFA", financial_type="profits")
    assert message.startswith(
        "Error: invalid financial type profits. Please use one of: income_stmt, quarterly_income_stmt"
    )


async def test_holders_by_type(agent: Agent) -> None:
    async def read_holders(kind: str) -> object:
        return await agent.call_for_json("get_holder_info", ticker="ALFA", holder_type=kind)

    assert await read_holders("major_holders") == [{"metric": "insidersPercentHeld", "Value": 0.12}]
    row = {"Holder": "Pillar Trust", "pctHeld": 0.09, "Shares": 90000}
    assert await read_holders("institutional_holders") == [{"Date Reported": 1772236800000, **row}]
    row = {"Holder": "Harbour Mutual", "pctHeld": 0.01, "Shares": 10000}
    assert await read_holders("mutualfund_holders") == [{"Date Reported": "2026-02-28T00:00:00.000", **row}]
    deals = await read_holders("insider_transactions")
    assert [(deal["Text"], deal["Start Date"]) for deal in deals] == [  # type: ignore[attr-defined]
        ("Sale at 99", "2026-01-05T00:00:00.000"),
        ("Purchase at 90", "2025-11-05T00:00:00.000"),
    ]
    assert await read_holders("insider_purchases") == [
        {"Insider Purchases Last 6m": "Purchases", "Shares": 800, "Trans": 1},
        {"Insider Purchases Last 6m": "Sales", "Shares": 500, "Trans": 1},
        {"Insider Purchases Last 6m": "Net Shares Purchased (Sold)", "Shares": 300, "Trans": 2},
    ]
    roster = await read_holders("insider_roster_holders")
    assert roster[0]["Shares Owned Directly"] == 7000
    message = await agent.call_for_error("get_holder_info", ticker="ALFA", holder_type="friends")
    assert message.startswith("Error: invalid holder type friends.")


async def test_options_by_day_and_side(agent: Agent) -> None:
    days = await agent.call_for_json("get_option_expiration_dates", ticker="ALFA")
    assert days[0] == "2026-03-20"
    chain = await agent.call_for_json("get_option_chain", ticker="ALFA", expiration_date=days[0], option_type="calls")
    assert chain[0]["contractSymbol"].startswith("ALFA260320C00")
    assert list(chain[0])[:4] == ["contractSymbol", "lastTradeDate", "strike", "lastPrice"]
    wrong = {"ticker": "ALFA", "expiration_date": "2026-03-21", "option_type": "calls"}
    assert "Error: No options available for the date 2026-03-21." in await agent.call_for_error(
        "get_option_chain", **wrong
    )
    wrong = {"ticker": "ALFA", "expiration_date": days[0], "option_type": "both"}
    assert (
        await agent.call_for_error("get_option_chain", **wrong)
        == "Error: Invalid option type. Please use 'calls' or 'puts'."
    )


async def test_recommendations_are_counted_and_the_last_word_of_a_firm_counts(agent: Agent) -> None:
    recommendations = await agent.call_for_json(
        "get_recommendations", ticker="ALFA", recommendation_type="recommendations"
    )
    assert recommendations[0] == {"period": "0m", "strongBuy": 0, "buy": 0, "hold": 1, "sell": 0, "strongSell": 0}
    assert recommendations[1] == {"period": "-1m", "strongBuy": 0, "buy": 1, "hold": 0, "sell": 0, "strongSell": 0}
    recommendations = await agent.call_for_json(
        "get_recommendations", ticker="ALFA", recommendation_type="upgrades_downgrades"
    )
    assert recommendations == [
        {
            "GradeDate": "2026-03-01T00:00:00.000",
            "Firm": "Tidewell",
            "ToGrade": "Hold",
            "FromGrade": "Buy",
            "Action": "down",
        }
    ]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_historical_stock_prices", {}),
        ("get_stock_info", {}),
        ("get_yahoo_finance_news", {}),
        ("get_financial_statement", {"financial_type": "income_stmt"}),
        ("get_option_expiration_dates", {}),
    ],
)
async def test_a_ticker_that_there_is_not_is_an_error(agent: Agent, tool: str, arguments: dict[str, str]) -> None:
    assert (await agent.call_for_error(tool, ticker="NOPE", **arguments)).startswith("Company ticker NOPE not found.")
