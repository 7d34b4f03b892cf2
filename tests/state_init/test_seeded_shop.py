"""The seeded shop: its sums hold, its stories are those of the letters, and it is the same everywhere."""

from collections import Counter
from pathlib import Path

import pytest

from yardkit.apps.shop import APP, RECORDS, SOLD, Coupon, Customer, Order, OrderLine, Product, Refund, Review
from yardkit.apps.store import Store, open_store
from yardkit.state_init.company.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.shop import fill_shop
from yardkit.state_init.company.stories import Stories, make_stories
from yardkit.world import World


def make_shop(folder: Path, seed: int = 1) -> tuple[World, Cast, Stories]:
    world = World.create(folder, task="desk/x", seed=seed)
    cast = cast_of(world)
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    fill_shop(world, cast, get_stream(world, "shop"), stories, orders=400)
    return world, cast, stories


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Cast, Stories]:
    return make_shop(tmp_path_factory.mktemp("shop") / "world")


def lines_of(store: Store) -> dict[int, list[OrderLine]]:
    lines: dict[int, list[OrderLine]] = {}
    for line in store.find(OrderLine):
        lines.setdefault(line.order_id, []).append(line)
    return lines


def test_every_total_follows_from_its_lines_and_no_more_came_back_than_was_paid(
    shop: tuple[World, Cast, Stories],
) -> None:
    with open_store(APP, *RECORDS, world=shop[0]) as store:
        lines, back = lines_of(store), Counter[int]()
        for refund in store.find(Refund):
            back[refund.order_id] += refund.amount_cents
        for order in store.find(Order):
            own = lines[order.id]
            tax = sum(line.tax_cents for line in own) + order.shipping_tax_cents
            assert order.total_cents == sum(line.total_cents for line in own) + order.shipping_cents + tax
            assert order.discount_cents == sum(use.discount_cents for use in order.coupons)
            assert back[order.id] <= order.total_cents
            assert order.created <= (order.paid or "9") <= (order.completed or "9") or order.created_via == "admin"


def test_an_order_of_a_letter_is_there_with_its_sums(shop: tuple[World, Cast, Stories]) -> None:
    with open_store(APP, *RECORDS, world=shop[0]) as store:
        for sale in shop[2].sales:
            order = store.get(Order, sale.order)
            assert (order.total_cents, order.tax_cents, order.discount_cents) == (sale.total, sale.tax, sale.discount)
            assert store.get(Customer, order.customer_id or 0).email == sale.contact.email
            refunds = store.find(Refund, "order_id = ?", [order.id])
            assert [refund.amount_cents for refund in refunds] == ([sale.refund.amount] if sale.refund else [])


def test_goods_are_those_of_the_cast_with_its_stock(shop: tuple[World, Cast, Stories]) -> None:
    with open_store(APP, *RECORDS, world=shop[0]) as store:
        products_by_sku = {product.sku: product for product in store.find(Product)}
        for goods in shop[1].products:
            parts = goods.variants or (goods,)
            assert [(products_by_sku[part.sku].price_cents, products_by_sku[part.sku].stock) for part in parts] == [
                (part.price, part.stock) for part in parts
            ]
            assert (products_by_sku[goods.sku].status == "publish") == goods.active


def test_it_has_the_size_and_the_traps_of_a_shop(shop: tuple[World, Cast, Stories]) -> None:
    with open_store(APP, *RECORDS, world=shop[0]) as store:
        orders, customers = store.find(Order), store.find(Customer)
        assert (len(orders), len(customers), len(store.find(Coupon))) == (418, 180, 13)
        assert len(store.find(Product)) > 150
        assert len(store.find(Review)) > 100
        statuses = Counter(order.status for order in orders)
        assert set(statuses) >= {"completed", "processing", "cancelled", "refunded"}
        assert sum(statuses[status] for status in SOLD) > 350
        assert (
            max(Counter((customer.first_name, customer.last_name) for customer in customers).values()) == 2
        )  # the same person twice
        homes = {
            (customer.billing.street, customer.billing.city, customer.last_name)
            for customer in customers
            if not customer.billing.company
        }
        private = [customer for customer in customers if not customer.billing.company]
        assert len(homes) < len(private)


def test_the_same_seed_makes_the_same_shop_and_another_seed_another(
    tmp_path: Path, shop: tuple[World, Cast, Stories]
) -> None:
    hashes = [make_shop(tmp_path / name, seed)[0].state_hash() for name, seed in (("same", 1), ("other", 2))]
    assert (hashes[0] == shop[0].state_hash(), hashes[1] == shop[0].state_hash()) == (True, False)
