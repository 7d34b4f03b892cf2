"""Clocks of service contracts run in service time alone, by the holidays and the zone of their country."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from yardkit.state_init.cast import cast_of
from yardkit.state_init.company.parcels import days_off
from yardkit.state_init.desk.service_levels.service import Contract, Ticket
from yardkit.world import World


def make_moment(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 4, day, hour, minute, tzinfo=UTC)


@pytest.fixture
def contract(tmp_path: Path) -> Contract:
    customer = cast_of(World.create(tmp_path / "w", task="desk/x", seed=1)).customers[0]
    targets = {"P1": 240, "P2": 480, "P3": 1200}
    return Contract("SC-1", customer, "Germany", (8, 17), 100_000, targets, (date(2026, 4, 10), 240))


def test_nights_weekends_and_holidays_do_not_count(contract: Contract) -> None:
    off = days_off(["Germany"])
    assert (
        contract.count_minutes(make_moment(1, 14), make_moment(2, 7), off) == 120
    )  # 16:00 to 17:00, 8:00 to 9:00 in Berlin
    assert (
        contract.count_minutes(make_moment(2, 14), make_moment(7, 7), off) == 120
    )  # over Easter, whose Friday and Monday are off
    assert contract.count_minutes(make_moment(2, 14), make_moment(7, 7), frozenset()) == 120 + 2 * 9 * 60


def test_a_ticket_stands_still_until_the_customer_answers(contract: Contract) -> None:
    asked, answered = make_moment(8, 8), make_moment(8, 11)
    ticket = Ticket("T-1", contract, "P1", "Lamp", "solved", make_moment(8, 7), make_moment(8, 13), asked, answered)
    assert (ticket.count_gross_minutes(frozenset()), ticket.count_minutes(frozenset())) == (360, 180)
    assert ticket.build_result(frozenset()) == ("T-1", 180, 240, False)


def test_an_amendment_holds_for_what_is_opened_from_its_day_on(contract: Contract) -> None:
    assert contract.target("P2", make_moment(9, 12)) == 480
    assert contract.target("P2", make_moment(10, 12)) == 240
    assert contract.target("P1", make_moment(10, 12)) == 240
