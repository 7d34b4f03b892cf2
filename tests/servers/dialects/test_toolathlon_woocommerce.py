"""The 55 tools of Toolathlon's woocommerce server, with the objects of WooCommerce's REST API."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.answers import make_caller, read_text

from yardkit.apps.shop import (
    APP,
    RECORDS,
    Address,
    Category,
    Coupon,
    Customer,
    Gateway,
    Order,
    OrderLine,
    Product,
    Review,
    Settings,
    ShippingMethod,
    ShippingZone,
    TaxRate,
    Webhook,
)
from yardkit.apps.store import open_store
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world

AT = "2026-03-02T10:00:00+01:00"
NAMES = set(json.loads(Path(__file__).with_name("toolathlon_tools.json").read_text())["shop"])
Ask = Callable[..., Any]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A lamp, a vest in two sizes, one order of a customer, one of a guest."""
    new_world = World.create(tmp_path / "world", task="shop", seed=1, now="2026-03-16T10:00:00+01:00")
    ada = Address("Ada", "Berg", street="1 Hill", city="Graz", country="AT", email="ada@x.example", phone="1")
    lamp = Product(11, "Lamp", "lamp", "simple", "publish", "LMP", AT, AT, price_cents=4900, stock=10, category_ids=[1],
                   tags=["new"], images=["https://s.example/lamp.jpg"], meta={"lot": "A7"})  # fmt: skip
    lamp = Product(**{**vars(lamp), "sale_price_cents": 3900, "sale_until": "2026-03-20T00:00:00+01:00"})
    vest = Product(12, "Vest", "vest", "variable", "draft", "VST", AT, AT, options={"Size": ["S", "M"]})
    terms: dict[str, Any] = {"currency": "EUR", "prices_include_tax": False}
    with use_world(new_world), open_store(APP, *RECORDS, writes=True) as store:
        records: list[Any] = [
            Settings(1, "Shop", "https://s.example", country="AT", prices_include_tax=False),
            Category(1, "Light", "light"), Category(2, "Desk light", "desk-light", "", 1), lamp, vest,
            *(Product(13 + place, f"Vest - {size}", f"vest-{size}", "variation", "publish", f"VST-{size}", AT, AT, 12,
                      price_cents=2000, stock=3 - place, options={"Size": [size]}) for place, size in enumerate("SM")),
            Customer(5, "ada@x.example", "Ada", "Berg", "ada", AT, AT, billing=ada, meta={"newsletter": True}),
            Order(21, "processing", 5, AT, AT, billing=ada, shipping=ada, shipping_cents=500, shipping_tax_cents=100,
                  tax_cents=1080, total_cents=6480, paid=AT, **terms),
            OrderLine(1, 21, 11, None, "LMP", "Lamp", 1, 4900, 4900, 980, 4900, 980, from_stock=1),
            Order(22, "pending", None, "2026-02-10T09:00:00+01:00", AT, billing=ada, shipping=ada, total_cents=2400,
                  tax_cents=400, **terms),
            OrderLine(2, 22, 12, 13, "VST-S", "Vest - S", 1, 2000, 2000, 400, 2000, 400),
            Coupon(7, "spring", "percent", AT, AT, 12.5, expires="2026-04-01T00:00:00+02:00"),
            Review(3, 11, AT, "Ada B.", "ada@x.example", 4, "Bright"),
            Gateway("bacs", "Transfer", "By bank", enabled=True, position=0),
            Review(4, 11, AT, "Bot", "b@x.example", 1, "Spam", "spam"), TaxRate(1, "AT", 20.0, "VAT"),
            ShippingZone(1, "Austria", 1, ["AT"]), ShippingMethod(1, 1, "flat_rate", "Parcel", 590),
            Webhook(1, "Ledger", "order.created", "https://l.example", "active", AT),
        ]  # fmt: skip
        for record in records:
            store.put(record)
    with use_world(new_world):
        yield new_world


@pytest.fixture
def ask(world: World) -> Ask:
    """Call a tool of theirs, which all answer with JSON."""
    call = make_caller(load_server("shop", "toolathlon"))

    def run(tool: str, **arguments: Any) -> Any:
        answer = call(f"woo_{tool}", **arguments)
        return read_text(answer) if answer.is_error else json.loads(read_text(answer))

    return run


def list_ids(records: list[dict[str, Any]]) -> list[int]:
    return [record["id"] for record in records]


def test_products_are_shown_as_woocommerce_shows_them(ask: Ask) -> None:
    product = ask("products_get", productId=11)
    expected_product = {
        "id": 11, "name": "Lamp", "permalink": "https://s.example/product/lamp/", "type": "simple", "sku": "LMP",
        "date_created": "2026-03-02T10:00:00", "date_created_gmt": "2026-03-02T09:00:00", "price": "39.00",
        "regular_price": "49.00", "sale_price": "39.00", "date_on_sale_to": "2026-03-19T23:59:59", "on_sale": True,
        "manage_stock": True, "stock_quantity": 10, "stock_status": "instock", "total_sales": 1,
        "average_rating": "4.00",
        "rating_count": 1, "categories": [{"id": 1, "name": "Light", "slug": "light"}], "variations": [], "weight": "",
        "meta_data": [{"id": 1100, "key": "lot", "value": "A7"}], "catalog_visibility": "visible", "parent_id": 0,
    }  # fmt: skip
    assert {name: product[name] for name in expected_product} == expected_product
    assert (product["images"][0]["src"], product["tags"][0]["name"]) == ("https://s.example/lamp.jpg", "new")
    first, second = ask("products_variations_list", productId=12)
    assert (first["id"], first["type"], first["price"], first["parent_id"]) == (13, "variation", "20.00", 12)
    assert second["attributes"] == [{"id": 0, "name": "Size", "option": "M"}]
    assert ask("products_get", productId=14)["attributes"] == second["attributes"]


def test_products_are_listed_by_filters_ten_a_page(ask: Ask) -> None:
    tag = ask("products_tags_list")[0]
    cases: tuple[tuple[dict[str, Any], list[int]], ...] = (
        ({}, [12, 11]), ({"status": "draft"}, [12]), ({"search": "lamp"}, [11]), ({"sku": "lmp"}, [11]),
        ({"category": "1"}, [11]), ({"tag": str(tag["id"])}, [11]), ({"onSale": True}, [11]),
        ({"maxPrice": "20"}, [12]),
        ({"minPrice": "39.00"}, [11]), ({"stockStatus": "outofstock"}, []), ({"featured": True}, []),
        ({"orderby": "price", "order": "asc"}, [12, 11]), ({"orderby": "title", "order": "asc"}, [11, 12]),
        ({"orderby": "rating"}, [11, 12]), ({"perPage": 1, "page": 2}, [11]), ({"perPage": 1, "page": 3}, []),
    )  # fmt: skip
    for arguments, expected_ids in cases:
        assert list_ids(ask("products_list", **arguments)) == expected_ids, arguments
    assert tag["count"] == 1


def test_products_are_created_and_updated_with_theirs_and_read_back(ask: Ask) -> None:
    product = ask("products_create", productData={
        "name": "Stool", "regular_price": "79.9", "manage_stock": True, "stock_quantity": 4, "weight": "4.1",
        "categories": [{"id": 2}], "tags": [{"name": "oak"}], "meta_data": [{"key": "lot", "value": "B1"}],
        "attributes": [{"name": "Height", "options": ["45"]}], "catalog_visibility": "hidden",
    })  # fmt: skip
    assert (product["regular_price"], product["stock_quantity"], product["catalog_visibility"]) == (
        "79.90",
        4,
        "hidden",
    )
    assert (product["weight"], product["meta_data"][0]["value"], product["attributes"][0]["options"]) == (
        "4.1",
        "B1",
        ["45"],
    )
    again = ask(
        "products_update", productId=product["id"], productData={**product, "sale_price": "69.90", "stock_quantity": 0}
    )
    assert (again["price"], again["stock_status"], again["id"]) == ("69.90", "outofstock", product["id"])
    variant = ask("products_update", productId=13, productData={"regular_price": "21", "stock_quantity": 9})
    assert (variant["price"], variant["stock_quantity"]) == ("21.00", 9)
    assert ask("products_update", productId=product["id"], productData={"sale_price": ""})["on_sale"] is False
    new, changed = [{"name": "Mug"}, {"sku": "LMP"}], [{"id": 11, "name": "Lamp 2"}]
    batch = ask("products_batch_update", create=new, update=changed, delete=[product["id"], 999])
    assert [product_row.get("name") for product_row in batch["create"] + batch["update"]] == ["Mug", None, "Lamp 2"]
    assert batch["create"][1]["error"]["message"] == "a new product needs a name"
    assert [product_row.get("error", {}).get("data") for product_row in batch["delete"]] == [None, {"status": 404}]
    assert ask("products_delete", productId=12)["status"] == "trash"
    assert list_ids(ask("products_list", status="trash")) == [12]
    assert ask("products_delete", productId=12, force=True)["sku"] == "VST"


def test_wrong_fields_and_values_are_refused_in_their_words(ask: Ask) -> None:
    assert "Error: WooCommerce API error: Invalid ID. (Status: 404): there is no product 99; there are: 11" in ask(
        "products_get", productId=99
    )
    for data, message in (
        ({"colour": "red"}, "Invalid parameter(s): colour. Fields are name"),
        ({"status": "gone"}, "Invalid parameter(s): status: 'gone' is none of draft"),
        ({"regular_price": "12.345"}, "not an amount with at most two decimals"),
        ({"regular_price": "dear"}, "'dear' is not a valid amount"),
        ({"meta_data": {"lot": 1}}, "a list of objects with key and value"),
        ({"sale_price": "49"}, "not below the regular price"),
    ):
        reply = ask("products_update", productId=11, productData=data)
        assert message in reply, reply
        assert reply.endswith(("(Status: 400)", "parent_id (Status: 400)"))
    assert "status: 'shipped' is none of pending" in ask("orders_update", orderId=21, orderData={"status": "shipped"})
    assert "an address is an object" in ask("orders_update", orderId=21, orderData={"billing": "Graz"})


def test_categories_and_reviews(ask: Ask) -> None:
    listed = ask("products_categories_list")
    assert [(category["name"], category["parent"], category["count"]) for category in listed] == [
        ("Desk light", 1, 0),
        ("Light", 0, 1),
    ]
    assert list_ids(ask("products_categories_list", hideEmpty=True)) == [1]
    assert list_ids(ask("products_categories_list", parent=1)) == [2]
    category_reply = ask(
        "products_categories_create", categoryData={"name": "Bulbs", "parent": 1, "slug": "b", "menuOrder": 4}
    )
    assert (category_reply["slug"], category_reply["parent"], category_reply["menu_order"]) == ("b", 1, 4)
    (review,) = ask("products_reviews_list", productId=11)
    assert (review["review"], review["rating"], review["product_name"], review["status"]) == (
        "Bright", 4, "Lamp", "approved",
    )  # fmt: skip
    assert list_ids(ask("products_reviews_list", status="all")) == [3, 4]


def test_orders_are_shown_and_listed(ask: Ask) -> None:
    order = ask("orders_get", orderId=21)
    expected_order = {
        "id": 21, "number": "21", "status": "processing", "currency": "EUR", "total": "64.80", "total_tax": "10.80",
        "cart_tax": "9.80", "shipping_total": "5.00", "customer_id": 5, "date_paid_gmt": "2026-03-02T09:00:00",
        "date_completed": None, "fee_lines": [], "refunds": [], "currency_symbol": "€",
    }  # fmt: skip
    assert {name: order[name] for name in expected_order} == expected_order
    item = order["line_items"][0]
    assert (item["product_id"], item["variation_id"], item["total"], item["price"]) == (11, 0, "49.00", 49.0)
    assert (order["billing"]["address_1"], "email" in order["shipping"]) == ("1 Hill", False)
    assert (order["tax_lines"][0]["rate_percent"], order["shipping_lines"][0]["total"]) == (20.0, "5.00")
    cases: tuple[tuple[dict[str, Any], list[int]], ...] = (
        ({}, [21, 22]), ({"status": ["pending"]}, [22]), ({"customer": 5}, [21]), ({"customer": 0}, [22]),
        ({"product": 13}, [22]), ({"dateAfter": "2026-03-01T00:00:00"}, [21]), ({"dateBefore": "2026-03-01"}, [22]),
        ({"orderby": "id", "order": "asc"}, [21, 22]), ({"perPage": 1, "page": 2}, [22]),
    )  # fmt: skip
    for arguments, expected_ids in cases:
        assert list_ids(ask("orders_list", **arguments)) == expected_ids, arguments


def test_orders_are_made_changed_noted_and_deleted(ask: Ask) -> None:
    order = ask("orders_create", orderData={
        "customer_id": 5, "set_paid": True, "payment_method": "bacs", "coupon_lines": [{"code": "SPRING"}],
        "line_items": [{"product_id": 11, "quantity": 2}, {"product_id": 12, "variation_id": 13, "quantity": 1}],
        "shipping_lines": [{"method_id": "flat_rate", "method_title": "Parcel", "total": "5.90"}],
    })  # fmt: skip
    assert (order["status"], order["payment_method_title"], order["created_via"]) == (
        "processing",
        "Transfer",
        "rest-api",
    )
    assert (order["discount_total"], order["shipping_total"], order["total"]) == ("12.25", "5.90", "109.98")
    assert ask("products_get", productId=11)["stock_quantity"] == 8
    lamp, vest = order["line_items"]
    changed = ask("orders_update", orderId=order["id"], orderData={
        "line_items": [{"id": lamp["id"], "quantity": 3}, {"id": vest["id"], "quantity": 0}], "customer_note": "Ring",
        "billing": {"city": "Wien"},
    })  # fmt: skip
    assert [(line["id"], line["quantity"]) for line in changed["line_items"]] == [(lamp["id"], 3)]
    assert (changed["customer_note"], changed["billing"]["city"], changed["billing"]["last_name"]) == (
        "Ring", "Wien", "Berg",
    )  # fmt: skip
    assert [ask("products_get", productId=number)["stock_quantity"] for number in (11, 13)] == [7, 3]
    note = ask("orders_notes_create", orderId=order["id"], note="Packed", customerNote=True)
    assert (note["note"], note["customer_note"], note["author"]) == ("Packed", True, "WooCommerce")
    echoed = ask("orders_update", orderId=order["id"], orderData={**changed, "status": "completed"})
    assert (echoed["status"], echoed["total"]) == ("completed", changed["total"])
    batch = ask("orders_batch_update", update=[{"id": 22, "status": "cancelled"}, {"id": 99}], delete=[21])
    assert (batch["update"][0]["status"], batch["update"][1]["error"]["data"]) == ("cancelled", {"status": 404})
    assert ask("orders_delete", orderId=22)["status"] == "trash"
    assert list_ids(ask("orders_list")) == [order["id"]]
    assert "there is no line item 77" in ask(
        "orders_update", orderId=order["id"], orderData={"line_items": [{"id": 77}]}
    )


def test_refunds_are_shown_in_negative_numbers(ask: Ask) -> None:
    refund = ask("orders_refunds_create", orderId=21, reason="Broken", lineItems=[{"id": 1, "quantity": 1}])
    assert (refund["amount"], refund["line_items"][0]["quantity"], refund["line_items"][0]["total"]) == (
        "58.80", -1, "-49.00",
    )  # fmt: skip
    assert ask("products_get", productId=11)["stock_quantity"] == 11
    assert ask("orders_get", orderId=21)["refunds"] == [{"id": 1, "reason": "Broken", "total": "-58.80"}]
    assert ask("orders_refunds_create", orderId=21, amount="6.00", refundPayment=True)["refunded_payment"] is True
    assert ask("orders_get", orderId=21)["status"] == "refunded"
    assert "must be greater than zero" in ask("orders_refunds_create", orderId=21)


def test_customers(ask: Ask) -> None:
    customer = ask("customers_get", customerId=5)
    assert (customer["email"], customer["is_paying_customer"], customer["billing"]["email"]) == (
        "ada@x.example", True, "ada@x.example",
    )  # fmt: skip
    created_customer = ask(
        "customers_create", customerData={"email": "ben@x.example", "first_name": "Ben", "billing": {"city": "Linz"}}
    )
    assert (
        created_customer["username"],
        created_customer["role"],
        created_customer["billing"]["city"],
        created_customer["meta_data"],
    ) == (
        "ben",
        "customer",
        "Linz",
        [],
    )
    new = ask("customers_update", customerId=5, customerData={"meta_data": [{"key": "newsletter", "value": False}]})
    assert [meta_row["value"] for meta_row in new["meta_data"]] == [False]
    assert list_ids(ask("customers_list")) == [5, created_customer["id"]]
    assert (
        list_ids(ask("customers_list", email="BEN@x.example"))
        == list_ids(ask("customers_list", search="ben"))
        == [created_customer["id"]]
    )
    assert list_ids(ask("customers_list", orderby="registered_date", order="desc")) == [created_customer["id"], 5]
    assert ask("customers_list", role="administrator") == []
    assert "has the address" in ask("customers_create", customerData={"email": "ada@x.example"})


def test_coupons(ask: Ask) -> None:
    coupon = ask("coupons_get", couponId=7)
    expected_coupon = {
        "code": "spring",
        "amount": "12.50",
        "discount_type": "percent",
        "date_expires": "2026-04-01T00:00:00",
        "usage_count": 0,
        "minimum_amount": "0.00",
        "free_shipping": False,
    }
    assert {name: coupon[name] for name in expected_coupon} == expected_coupon
    new = {"code": "Off5", "discount_type": "fixed_cart", "amount": "5", "date_expires": "2026-05-01T00:00:00"}
    created_coupon = ask("coupons_create", couponData={**new, "minimum_amount": "20"})
    assert (
        created_coupon["code"],
        created_coupon["amount"],
        created_coupon["minimum_amount"],
        created_coupon["date_expires"],
    ) == (
        "off5",
        "5.00",
        "20.00",
        "2026-05-01T00:00:00",
    )
    assert (
        ask("coupons_update", couponId=created_coupon["id"], couponData={"discount_type": "percent"})["amount"]
        == "5.00"
    )
    assert (
        ask("coupons_update", couponId=created_coupon["id"], couponData={**created_coupon, "usage_limit": 3})[
            "usage_limit"
        ]
        == 3
    )
    assert list_ids(ask("coupons_list", code="SPRING")) == list_ids(ask("coupons_list", search="spr")) == [7]
    assert ask("coupons_delete", couponId=created_coupon["id"])["id"] == created_coupon["id"]
    assert list_ids(ask("coupons_list")) == [7]


def test_reports(ask: Ask) -> None:
    (sales,) = ask("reports_sales", dateMin="2026-03-01", dateMax="2026-03-03")
    expected_report = {
        "total_sales": "64.80",
        "net_sales": "49.00",
        "total_orders": 1,
        "total_items": 1,
        "total_tax": "10.80",
        "total_shipping": "5.00",
        "total_customers": 1,
        "average_sales": "16.33",
    }
    assert {name: sales[name] for name in expected_report} == expected_report
    assert (list(sales["totals"]), sales["totals"]["2026-03-02"]["sales"]) == (
        ["2026-03-01", "2026-03-02", "2026-03-03"], "64.80",
    )  # fmt: skip
    assert ask("reports_sales")[0]["total_orders"] == 0
    assert ask("reports_sales", period="month")[0]["total_orders"] == 1
    assert ask("reports_top_sellers", period="year") == [{"name": "Lamp", "product_id": 11, "quantity": 1}]
    assert [report_row["total"] for report_row in ask("reports_customers")] == [1, 0]
    assert {report_row["slug"]: report_row["total"] for report_row in ask("reports_orders")}["pending"] == 1
    assert {report_row["slug"]: report_row["total"] for report_row in ask("reports_orders", period="month")}[
        "pending"
    ] == 0
    assert {report_row["slug"]: report_row["total"] for report_row in ask("reports_products")} == {
        "external": 0, "grouped": 0, "simple": 1, "variable": 1,
    }  # fmt: skip
    assert list_ids(ask("reports_stock")) == [14, 13, 11]
    low = ask("reports_low_stock")
    assert (list_ids(low), low[0]["low_stock_amount"], low[0]["parent_id"]) == ([14, 13], 5, 12)


def test_shipping_and_taxes(ask: Ask) -> None:
    assert ask("shipping_zones_list") == [{"id": 1, "name": "Austria", "order": 1}]
    zone = ask("shipping_zones_create", name="Alps", order=3)
    assert ask("shipping_zones_update", zoneId=zone["id"], name="Alps and Tyrol")["order"] == 3
    assert ask("shipping_zones_get", zoneId=zone["id"])["name"] == "Alps and Tyrol"
    method = ask("shipping_zone_methods_create", zoneId=zone["id"], methodId="flat_rate", settings={"cost": "7.50"})
    assert (method["method_title"], method["settings"]["cost"]["value"]) == ("Flat rate", "7.50")
    assert list_ids(ask("shipping_zone_methods_list", zoneId=1)) == [1]
    rate = ask("tax_rates_create", country="de", rate="19", name="VAT DE", **{"class": "reduced-rate"})
    assert (rate["country"], rate["rate"], rate["class"]) == ("DE", "19.0000", "reduced-rate")
    assert list_ids(ask("tax_rates_list", taxClass="reduced-rate")) == [rate["id"]]
    assert ask("tax_rates_get", rateId=1)["name"] == "VAT"
    assert [tax_class["slug"] for tax_class in ask("tax_classes_list")] == ["standard", "reduced-rate", "zero-rate"]


def test_settings_system_gateways_and_webhooks(world: World, ask: Ask) -> None:
    assert ask("system_status")["settings"]["currency"] == "EUR"
    assert len(ask("system_tools_list")) == 9
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.remove(store.get(Product, 12))
    run = ask("system_tools_run", toolId="clear_orphaned_variations")
    assert (run["success"], run["message"]) == (True, "2 orphaned variations deleted")
    assert "nothing to do" in ask("system_tools_run", toolId="recount_terms")["message"]
    assert len(ask("settings_list")) == 10
    options = {setting["id"]: setting["value"] for setting in ask("settings_get", groupId="tax")}
    assert options["woocommerce_prices_include_tax"] == "no"
    assert [gateway["id"] for gateway in ask("payment_gateways_list")] == ["bacs"]
    ask("payment_gateways_update", gatewayId="bacs", enabled=False, settings={"account": "AT1"})
    gateway = ask("payment_gateways_get", gatewayId="bacs")
    assert (gateway["enabled"], gateway["settings"]["account"]["value"]) == (False, "AT1")
    webhook = ask(
        "webhooks_create", name="Depot", topic="order.updated", delivery_url="https://d.example", status="paused"
    )
    assert (webhook["resource"], webhook["event"]) == ("order", "updated")
    assert list_ids(ask("webhooks_list", status="paused")) == [webhook["id"]]
    assert "topic: 'order.lost' is none of" in ask(
        "webhooks_create", name="x", topic="order.lost", delivery_url="https://d.example"
    )


def test_a_long_page_is_cut_between_items_and_says_where_it_goes_on(world: World) -> None:
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        for number in range(100, 150):
            store.put(Product(number, "Thing", "thing", "simple", "publish", f"T-{number}", AT, AT))
    call = make_caller(load_server("shop", "toolathlon"))
    seen, offset = list[int](), 0
    for _ in range(9):
        text, _, note = read_text(call("woo_products_list", search="thing", perPage=50, offset=offset)).partition(
            "\n[cut: "
        )
        assert len(text) <= 50_000
        seen += list_ids(json.loads(text))
        if not note:
            break
        offset = int(note.removesuffix("]").rsplit("=", 1)[1])
    assert sorted(seen) == list(range(100, 150))


def test_every_tool_of_theirs_is_called_here() -> None:
    assert {name for name in NAMES if f'"{name.removeprefix("woo_")}"' not in Path(__file__).read_text()} == set()
