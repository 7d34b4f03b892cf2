"""The kits of commissions, price lists and counts: what terms, rules and handed orders come to."""

import random
from datetime import date
from pathlib import Path

from yardkit.apps.shop import Order, OrderLine
from yardkit.state_init.company.desk import Desk
from yardkit.state_init.desk.commissions.commissions import Terms, draw_terms, get_quarter
from yardkit.state_init.desk.commissions.handed_orders import Till
from yardkit.state_init.desk.price_rise.price_lists import price_after
from yardkit.world import World

NOW = "2026-04-13T08:00:00+00:00"


def test_a_commission_is_a_share_up_to_a_limit_and_another_one_above() -> None:
    terms = Terms(0.04, 100_000, 0.08)
    assert [terms.compute_commission(base) for base in (50_000, 150_000, -10_000)] == [2_000, 8_000, -400]


def test_no_commission_ends_in_half_a_cent() -> None:
    rng = random.Random(3)
    for _ in range(50):
        terms = draw_terms(rng)
        parts = [round(rate * 1_000) * base % 1_000 for rate in (terms.rate, terms.upper) for base in range(2_000)]
        assert 500 not in parts


def test_the_last_quarter_of_a_year_is_paid_in_the_next_one() -> None:
    autumn = get_quarter(2025, 4)
    assert (autumn.first, autumn.last, autumn.paid) == (date(2025, 10, 1), date(2025, 12, 31), date(2026, 1, 20))


def test_prices_lose_their_tax_before_they_are_rounded_up() -> None:
    assert [price_after(stated_price, with_tax=False) for stated_price in (4_120, 4_195, 4_190)] == [
        4_190,
        4_290,
        4_190,
    ]
    assert price_after(5_028, with_tax=True) == 4_190


def test_an_order_that_is_handed_over_keeps_its_number_and_its_days(tmp_path: Path) -> None:
    desk = Desk.open_filled(World.create(tmp_path / "w", task="t", seed=0, now=NOW), orders=60, shoppers=20)
    with desk.shop_opened() as store:
        before = {order.id: order for order in store.find(Order)}
        firm = desk.cast.customers[3]
        given = Till.from_desk(desk, store, random.Random(1)).hand_over(
            [firm], lambda placed, _sent: placed < "2026-03-01"
        )
        old = before[given.id]
        assert (given.created, given.completed) == (old.created, old.completed)
        assert given.billing.company == firm.name
        assert given.total_cents > sum(
            line.total_cents for line in store.find(OrderLine, "order_id = ?", [given.id])
        ), "tax and shipping come on top of the goods"
