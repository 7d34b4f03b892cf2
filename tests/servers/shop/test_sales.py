"""The server `shop`: orders with their stock and sums, refunds, customers, coupons, sales."""

from typing import Any

import pytest
from support.answers import Call

from yardkit.apps.shop import APP, RECORDS, Coupon, Order, Settings, ShippingMethod, ShippingZone, TaxRate
from yardkit.apps.store import open_store
from yardkit.world import World

ADA = {"first_name": "Ada", "last_name": "Berg", "country": "DE", "email": "ada@example.com", "city": "Leipzig"}


@pytest.fixture(autouse=True)
def goods(world: World, done: Call) -> None:
    """A lamp (1) of which there are ten and a mug (2) of which nobody counts; taxes and ways of shipping."""
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(Settings(1, "Shop", "https://shop.example", prices_include_tax=False))
        store.put(TaxRate(1, "DE", 19.0, "VAT DE"))
        store.put(TaxRate(2, "AT", 20.0, "VAT AT"))
        store.put(ShippingZone(1, "Germany", 1, ["DE"]))
        store.put(ShippingMethod(1, 1, "flat_rate", "Parcel", 500))
        store.put(ShippingMethod(2, 1, "free_shipping", "Free parcel", 0, 20_000))
    done("save_product", name="Desk lamp", sku="LMP-20", price_cents=4900, stock=10)
    done("save_product", name="Stoneware mug", sku="MUG-30", price_cents=1199)


def place_order(done: Call, *goods: tuple[int, int], **more: Any) -> dict[str, Any]:
    """An order of product and quantity, as it is shown."""
    order_goods = [{"product_id": product, "quantity": quantity} for product, quantity in goods]
    order: dict[str, Any] = done("create_order", goods=order_goods, **{"billing": ADA, **more})
    return order


def read_stock(done: Call) -> int:
    left: int = done("read_product", product_id=1)["product"]["stock"]
    return left


def test_the_sums_of_an_order_follow_from_prices_taxes_shipping_and_coupons(done: Call) -> None:
    done("save_coupon", coupon="Spring", kind="percent", percent_off=10, expires="2026-03-16")
    created_order = place_order(done, (1, 2), (2, 3), coupons=["SPRING"], shipping_way="parcel")
    lamp, mug = created_order["lines"]
    assert [line["subtotal_cents"] for line in (lamp, mug)] == [9800, 3597]
    assert [(line["total_cents"], line["tax_cents"]) for line in (lamp, mug)] == [(8820, 1676), (3237, 615)]
    order = created_order["order"]
    assert (order["discount_cents"], order["shipping_cents"], order["shipping_tax_cents"]) == (1340, 500, 95)
    assert (order["tax_cents"], order["total_cents"]) == (1676 + 615 + 95, 8820 + 3237 + 500 + 1676 + 615 + 95)
    assert order["coupons"][0]["discount_cents"] == 1340
    assert done("list_coupons")["coupons"][0]["used"] == 1


def test_tax_is_that_of_where_the_parcel_goes_and_may_be_within_the_price(world: World, done: Call) -> None:
    abroad = place_order(done, (1, 1), shipping={"country": "AT"})
    assert (abroad["order"]["tax_cents"], abroad["order"]["total_cents"]) == (980, 5880)
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.change(store.get(Settings, 1), prices_include_tax=True)
    inside = place_order(done, (1, 1))["order"]
    assert (inside["tax_cents"], inside["total_cents"]) == (782, 4900)


def test_stock_is_taken_once_and_given_back(done: Call) -> None:
    order = place_order(done, (1, 3))["order"]
    assert (order["status"], read_stock(done)) == ("pending", 10)
    for status, left in (("on-hold", 7), ("processing", 7), ("completed", 7)):
        updated_order = done("update_order", order_id=order["id"], status=status)
        assert read_stock(done) == left
    assert (updated_order["order"]["completed"], updated_order["lines"][0]["from_stock"]) == (
        "2026-03-16T09:00:00+00:00",
        3,
    )
    other = place_order(done, (1, 2), paid=True)["order"]["id"]
    assert read_stock(done) == 5
    done("update_order", order_id=other, status="cancelled")
    assert read_stock(done) == 7


def test_an_order_becomes_only_what_it_can_become(done: Call, refused: Call) -> None:
    order = place_order(done, (1, 1), paid=True)["order"]["id"]
    done("update_order", order_id=order, status="completed")
    message = refused("update_order", order_id=order, status="pending")
    assert "is 'completed' and cannot become 'pending'; it can become refunded" in message
    assert "product 1 ('Desk lamp') has 9 in stock, not 11" in refused(
        "create_order", goods=[{"product_id": 1, "quantity": 11}]
    )
    assert "goods and coupons can be changed only while it is pending or on-hold." in refused(
        "update_order", order_id=order, goods=[{"product_id": 2}]
    )
    assert "there is nothing to change" in refused("update_order", order_id=order)
    assert read_stock(done) == 9


def test_goods_of_an_open_order_are_changed_and_lines_keep_their_numbers(done: Call, refused: Call) -> None:
    order = place_order(done, (1, 3), (2, 1))
    number = order["order"]["id"]
    done("update_order", order_id=number, status="on-hold")
    line_id = order["lines"][0]["id"]
    changed = done(
        "update_order", order_id=number, goods=[{"product_id": 1, "quantity": 5, "line_id": line_id}, {"product_id": 2}]
    )
    assert [(line["id"] == line_id, line["quantity"]) for line in changed["lines"]] == [(True, 5), (False, 1)]
    assert read_stock(done) == 5
    assert "has no line 99" in refused("update_order", order_id=number, goods=[{"product_id": 1, "line_id": 99}])


@pytest.mark.parametrize(("price", "units"), [(1995, 2), (333, 3), (1, 7), (2390, 10)])
def test_units_that_come_back_one_by_one_add_up_to_what_was_paid(done: Call, price: int, units: int) -> None:
    product = done("save_product", name="Lamp", sku="LAMP", price_cents=price, stock=50)["product"]["id"]
    order = place_order(done, (product, units), paid=True)
    line = order["lines"][0]
    returned = [{"line_id": line["id"], "quantity": 1}]
    amounts = [
        done("refund_order", order_id=order["order"]["id"], returned=returned)["refund"]["amount_cents"]
        for _ in range(units)
    ]
    assert sum(amounts) == line["total_cents"] + line["tax_cents"]
    assert max(amounts) - min(amounts) <= 1


def test_a_refund_gives_back_money_and_goods_and_a_whole_one_ends_the_order(done: Call, refused: Call) -> None:
    order = place_order(done, (1, 4), (2, 1), paid=True)
    number, line = order["order"]["id"], order["lines"][0]["id"]
    part = done("refund_order", order_id=number, reason="Broken", returned=[{"line_id": line, "quantity": 1}])
    assert (part["refund"]["amount_cents"], part["order_status"], read_stock(done)) == (4900 + 931, "processing", 7)
    assert "is not possible: order" in refused("refund_order", order_id=number, amount_cents=1_000_000)
    assert "cannot be returned: 3 of 4 are left" in refused(
        "refund_order", order_id=number, returned=[{"line_id": line, "quantity": 4}]
    )
    rest = done("refund_order", order_id=number, restock=False)
    assert (rest["order_status"], rest["left_cents"], read_stock(done)) == ("refunded", 0, 7)
    assert "only paid orders can be refunded" in refused("refund_order", order_id=number)


def test_ways_of_shipping_and_what_is_wrong_with_one_are_told(done: Call, refused: Call) -> None:
    message = refused("create_order", goods=[{"product_id": 1}], billing=ADA, shipping_way="Drone")
    assert "use one of: 'Parcel' (5.00 EUR, from 0.00 EUR on), 'Free parcel' (0.00 EUR, from 200.00 EUR on)" in message
    assert "there is no shipping method 'Free parcel' to" in refused(
        "create_order", goods=[{"product_id": 1}], billing=ADA, shipping_way="Free parcel"
    )
    assert place_order(done, (1, 5), shipping_way="Free parcel")["order"]["shipping_title"] == "Free parcel"


def test_a_coupon_that_does_not_hold_says_why(done: Call, refused: Call) -> None:
    done("save_coupon", coupon="old", kind="percent", percent_off=10, expires="2026-03-15")
    done("save_coupon", coupon="big", kind="fixed_cart", amount_cents=1000, minimum_cents=9_000)
    done("save_coupon", coupon="once", kind="fixed_cart", amount_cents=1000, usage_limit_per_user=1)
    done("save_coupon", coupon="mugs", kind="fixed_product", amount_cents=200, product_ids=[2])
    for code, message in (
        ("old", "expired"),
        ("big", "less than 90.00 EUR"),
        ("mugs", "none of the goods"),
        ("x", "no coupon"),
    ):
        assert message in refused("create_order", goods=[{"product_id": 1}], billing=ADA, coupons=[code])
    place_order(done, (1, 1), coupons=["once"])
    assert "used it 1 times" in refused("create_order", goods=[{"product_id": 1}], billing=ADA, coupons=["once"])
    assert place_order(done, (1, 1), (2, 4), coupons=["mugs"])["order"]["discount_cents"] == 800
    assert "already has the code 'old'" in refused("save_coupon", coupon="OLD", kind="percent", percent_off=1)
    assert [coupon["code"] for coupon in done("list_coupons", state="expired")["coupons"]] == ["old"]


def test_orders_are_found_by_all_that_is_known_of_them(done: Call, refused: Call) -> None:
    ada = done("save_customer", email="ada@example.com", first_name="Ada", last_name="Berg", billing=ADA)["id"]
    first = place_order(done, (1, 1), customer_id=ada, customer_note="Ring twice")["order"]["id"]
    second = place_order(done, (2, 9), billing={**ADA, "last_name": "Bergh"}, paid=True)["order"]["id"]
    cases: tuple[tuple[dict[str, Any], list[int]], ...] = (
        ({"query": "berg"}, [second, first]),
        ({"query": "BERGH leipzig"}, [second]),
        ({"query": "twice lamp"}, [first]),
        ({"statuses": ["processing"]}, [second]),
        ({"customer_id": ada}, [first]),
        ({"product_id": 2}, [second]),
        ({"since": "2026-03-17"}, []),
        ({"sort_by": "largest"}, [second, first]),
        ({"sort_by": "oldest"}, [first, second]),
    )
    for arguments, expected_orders in cases:
        assert [order["id"] for order in done("find_orders", **arguments)["orders"]] == expected_orders, arguments
    assert "there is no customer 9" in refused("find_orders", customer_id=9)


def test_customers_are_counted_and_no_address_is_given_twice(done: Call, refused: Call) -> None:
    ada = done("save_customer", email="ada@example.com", first_name="Ada", last_name="Berg", meta={"newsletter": True})
    place_order(done, (1, 1), customer_id=ada["id"], paid=True)
    done("save_customer", email="ben@example.com", first_name="Ben", last_name="Abt")
    customers = done("find_customers", sort_by="spent")["customers"]
    assert [(customer["name"], customer["orders"], customer["spent_cents"]) for customer in customers] == [
        ("Ada Berg", 1, 5831), ("Ben Abt", 0, 0),
    ]  # fmt: skip
    assert [customer["name"] for customer in done("find_customers")["customers"]] == ["Ben Abt", "Ada Berg"]
    moved = done("save_customer", customer_id=ada["id"], billing={"city": "Graz"})
    assert (moved["billing"]["city"], moved["meta"]) == ("Graz", {"newsletter": True})
    assert "already has the address 'ADA@example.com'" in refused("save_customer", email="ADA@example.com")
    assert "'ada' is not a valid mail address" in refused("save_customer", email="ada")


def test_notes_come_after_each_other_and_changes_of_status_leave_one(done: Call) -> None:
    number = place_order(done, (1, 1))["order"]["id"]
    done("update_order", order_id=number, status="processing")
    done("add_order_note", order_id=number, text=" Sent today ", for_customer=True)
    notes = done("read_order", order_id=number)["notes"]
    assert [(note["author"], note["text"]) for note in notes] == [
        ("system", "Order status changed from pending to processing."), ("admin", "Sent today"),
    ]  # fmt: skip
    assert notes[0]["created"] < notes[1]["created"]


def test_sales_are_counted_by_what_is_asked_for(world: World, done: Call) -> None:
    done("save_category", name="Kitchen")
    done("save_product", product_id=2, category_ids=[1])
    first = place_order(done, (1, 2), paid=True)["order"]["id"]
    place_order(done, (2, 10), paid=True, shipping={"country": "AT"})
    place_order(done, (1, 1))  # nobody paid
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.change(store.get(Order, first), created="2026-02-10T10:00:00+00:00")
    done("refund_order", order_id=first, amount_cents=1000)
    totals = done("report_sales", by="total")["overall"]
    assert (totals["orders"], totals["units"], totals["gross_cents"], totals["refunded_cents"]) == (2, 12, 26050, 1000)
    rows = {by: done("report_sales", by=by)["rows"] for by in ("month", "country", "product", "category")}
    assert [(row["of"], row["gross_cents"]) for row in rows["month"]] == [("2026-02", 11662), ("2026-03", 14388)]
    assert [row["of"] for row in rows["country"]] == ["AT", "DE"]
    assert [(row["of"], row["units"], row["net_cents"]) for row in rows["product"]] == [
        ("Stoneware mug", 10, 11990), ("Desk lamp", 2, 9800),
    ]  # fmt: skip
    assert [(row["of"], row["orders"]) for row in rows["category"]] == [("Kitchen", 1)]
    assert done("report_sales", since="2026-03-01", until="2026-03-31")["overall"]["orders"] == 1


def test_a_line_returned_in_parts_is_summed_in_the_report_and_named_once_in_a_refund(done: Call, refused: Call) -> None:
    placed = place_order(done, (1, 2), (2, 3), paid=True)
    number, line = placed["order"]["id"], placed["lines"][0]["id"]
    twice = [{"line_id": line, "quantity": 2}, {"line_id": line, "quantity": 2}]
    assert "is returned twice in one refund" in refused("refund_order", order_id=number, returned=twice)
    back = [
        done("refund_order", order_id=number, returned=[{"line_id": line, "quantity": 1}])["refund"]["amount_cents"]
        for _ in range(2)
    ]
    rows = done("report_sales", by="product")["rows"]
    refunded = {row["of"]: row.get("refunded_cents", 0) for row in rows}
    assert refunded == {"Desk lamp": sum(back), "Stoneware mug": 0}


def test_several_coupons_take_off_no_more_than_there_is_and_some_hold_only_alone(
    world: World, done: Call, refused: Call
) -> None:
    done("save_coupon", coupon="all", kind="percent", percent_off=100, product_ids=[1])
    done("save_coupon", coupon="fifty", kind="fixed_cart", amount_cents=5000)
    done("save_coupon", coupon="alone", kind="percent", percent_off=5)
    order = place_order(done, (1, 1), (2, 2), coupons=["all", "fifty"])["order"]
    assert [use["discount_cents"] for use in order["coupons"]] == [4900, 2398]
    assert (order["discount_cents"], order.get("total_cents", 0)) == (7298, 0)
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.change(store.get(Coupon, 3), individual_use=True)
    goods = [{"product_id": 1, "quantity": 1}]
    message = refused("create_order", goods=goods, billing=ADA, coupons=["alone", "fifty"])
    assert "'alone' cannot be combined with others" in message


def test_a_coupon_of_a_cancelled_order_can_be_used_again(done: Call, refused: Call) -> None:
    done("save_coupon", coupon="once", kind="percent", percent_off=10, usage_limit=1, usage_limit_per_user=1)
    number = place_order(done, (1, 1), coupons=["once"])["order"]["id"]
    refused("create_order", goods=[{"product_id": 1, "quantity": 1}], billing=ADA, coupons=["once"])
    done("update_order", order_id=number, status="cancelled")
    again = place_order(done, (1, 1), coupons=["once"])["order"]
    assert again["discount_cents"] == 490
    done("update_order", order_id=again["id"], coupons=[])
    assert done("list_coupons")["coupons"][0].get("used", 0) == 0


def test_taxes_are_those_of_the_state_and_some_come_on_top_of_others(world: World, done: Call) -> None:
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        for rate in (
            TaxRate(3, "US", 7.25, "CA", state="CA"), TaxRate(4, "CA", 5.0, "GST"),
            TaxRate(5, "CA", 9.5, "PST", state="QC", priority=2, compound=True),
        ):  # fmt: skip
            store.put(rate)
    places = [{"country": "US", "state": "CA"}, {"country": "US", "state": "NY"}]
    places += [{"country": "CA", "state": "ON"}, {"country": "CA", "state": "QC"}]
    orders = [place_order(done, (1, 1), shipping=place)["order"] for place in places]
    assert [order.get("tax_cents", 0) for order in orders] == [355, 0, 245, 734]
    order = place_order(done, (1, 1), shipping_way="parcel")["order"]
    moved = done("update_order", order_id=order["id"], shipping={"country": "AT"})["order"]
    assert (order["shipping_tax_cents"], moved["shipping_tax_cents"], moved["tax_cents"]) == (95, 100, 1080)


def test_a_line_that_stays_keeps_its_agreed_price(done: Call) -> None:
    placed = place_order(done, (1, 1))
    done("save_product", product_id=1, price_cents=9900)
    goods = [{"product_id": 1, "quantity": 2, "line_id": placed["lines"][0]["id"]}, {"product_id": 1, "quantity": 1}]
    lines = done("update_order", order_id=placed["order"]["id"], goods=goods)["lines"]
    assert [(line["quantity"], line["price_cents"]) for line in lines] == [(2, 4900), (1, 9900)]


def test_units_counted_for_a_product_are_those_of_its_variants(done: Call, refused: Call) -> None:
    shirt = done("save_product", name="Shirt", stock=2)["product"]["id"]
    red = done("save_product", parent_id=shirt, options={"Colour": ["Red"]}, price_cents=1000)["product"]["id"]
    refused("create_order", goods=[{"product_id": red, "quantity": 3}], billing=ADA)
    place_order(done, (red, 2), paid=True)
    (row,) = done("find_products", query="shirt")["products"]
    assert (row["stock"], row["stock_status"]) == (0, "outofstock")


def test_a_customer_who_changed_names_is_one_and_guests_of_one_name_are_several(done: Call) -> None:
    ada = done("save_customer", email="ada@example.com", first_name="Ada", last_name="Berg")["id"]
    place_order(done, (1, 1), customer_id=ada, paid=True)
    place_order(done, (1, 1), customer_id=ada, billing={**ADA, "last_name": "Lind"}, paid=True)
    for email in ("ben@one.example", "ben@two.example"):
        place_order(done, (2, 1), billing={**ADA, "first_name": "Ben", "email": email}, paid=True)
    rows = done("report_sales", by="customer")["rows"]
    assert [(row["of"], row["orders"]) for row in rows] == [
        ("Ada Lind", 2), ("Ben Berg <ben@one.example>", 1), ("Ben Berg <ben@two.example>", 1),
    ]  # fmt: skip


def test_an_order_that_loses_the_coupon_for_free_shipping_pays_for_its_parcel(done: Call) -> None:
    done("save_coupon", coupon="free", kind="percent", percent_off=5, free_shipping=True)
    order = place_order(done, (1, 1), coupons=["free"], shipping_way="parcel")["order"]
    assert order.get("shipping_cents", 0) == 0
    changed = done("update_order", order_id=order["id"], coupons=[])["order"]
    assert (changed["shipping_cents"], changed["shipping_tax_cents"], changed["total_cents"]) == (500, 95, 5831 + 595)
