"""The shop in the browser: products are found, put into a cart and ordered, as the shop's engine makes orders."""

import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from support.answers import Call, read_facts
from support.web_pages import find_ref, session_of

from yardkit.apps.shop import (
    APP,
    RECORDS,
    Gateway,
    Order,
    OrderLine,
    Product,
    Settings,
    ShippingMethod,
    ShippingZone,
    TaxRate,
)
from yardkit.apps.store import open_store
from yardkit.servers.browser.engine import live_pages
from yardkit.servers.browser.engine.app_pages.hosts import answer_request
from yardkit.servers.shop.engine.catalog import save_product
from yardkit.servers.shop.engine.coupons import save_coupon
from yardkit.world import World, use_world

SITE = "https://shop.example"
HOSTILE = '"><script>document.title = "taken"</script>'
ANN = {
    "first_name": "Ann", "last_name": f"Berg {HOSTILE}", "street": "Kai 3", "postcode": "04103", "city": "Leipzig",
    "country": "de", "email": "ann@example.org", "shipping": "1", "payment": "bacs",
}  # fmt: skip


@pytest.fixture(autouse=True)
def goods(world: World) -> None:
    """A lamp (1) of which there are three, a chair (2) in two colours (3, 4), a draft (5), and what is sold out (6)."""
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(Settings(1, f"Harbour {HOSTILE}", "https://shop.harbour.example", prices_include_tax=False))
        store.put(TaxRate(1, "DE", 19.0, "VAT DE"))
        store.put(ShippingZone(1, "Germany", 1, ["DE"]))
        store.put(ShippingMethod(1, 1, "flat_rate", "Parcel", 500))
        for key, title, enabled in (("bacs", "Transfer", True), ("card", "Card", True), ("cod", "Cash", False)):
            store.put(Gateway(key, title, "", enabled, 1))
    more: list[dict[str, Any]] = [
        {"name": "Desk lamp", "sku": "LMP-20", "price_cents": 4_900, "stock": 3, "description": f"Bright. {HOSTILE}"},
        {"name": "Chair", "slug": "chair"},
        {"parent_id": 2, "options": {"Colour": ["red"]}, "price_cents": 20_000, "stock": 1},
        {"parent_id": 2, "options": {"Colour": ["blue"]}, "price_cents": 21_000, "stock": 0},
        {"name": "Secret lamp", "price_cents": 100, "status": "draft"},
        {"name": "Gone lamp", "price_cents": 100, "stock_status": "outofstock"},
    ]
    for values in more:
        save_product(world, None, values)


def get_page(world: World, path: str, cart: str = "") -> tuple[int, str]:
    given = answer_request(world, make_request(f"{SITE}{path}", cart))
    assert given
    return given["status"], given["body"]


def send_form(world: World, path: str, cart: str = "", **fields: Any) -> dict[str, Any]:
    """Where the browser goes on, the cart from then on, and what stands there if that is of this once."""
    given = answer_request(world, {**make_request(f"{SITE}{path}", cart), "method": "POST", "body": urlencode(fields)})
    assert given
    then = given["then"]
    return {"url": then["url"], "cart": then["cookies"].get("cart", cart), "page": (then["page"] or {}).get("body", "")}


def make_request(url: str, cart: str) -> dict[str, Any]:
    kind = "application/x-www-form-urlencoded"
    return {"method": "GET", "url": url, "top": True, "body": "", "kind": kind, "cookies": {"cart": cart}}


def list_orders(world: World) -> list[Order]:
    with open_store(APP, *RECORDS, world=world) as store:
        return store.find(Order)


def read_stock(world: World, product: int) -> int | None:
    with open_store(APP, *RECORDS, world=world) as store:
        return store.get(Product, product).stock


def test_goods_are_found_put_into_the_cart_and_ordered_once(
    world: World, done: Call, call: Call, tmp_path: Path
) -> None:
    page = done("open_page", url="https://shop.harbour.example")
    page = done("type_text", ref=find_ref(page, 'searchbox "Search"'), text="lamp bright", submit=True)
    page = done("click_element", ref=find_ref(page, 'link "Desk lamp"'))
    page = done("type_text", ref=find_ref(page, 'spinbutton "Quantity"'), text="2")
    page = done("click_element", ref=find_ref(page, 'button "Put into cart"'), double=True)
    assert 'cell "98.00 EUR"' in page["tree"]
    page = done("click_element", ref=find_ref(page, 'link "Go to checkout"'))
    fields = {"First name": "Ann", "Last name": "Berg", "Street and number": "Kai 3", "Postcode": "04103",
              "City": "Leipzig", "E-mail": "ann@example.org"}  # fmt: skip
    for label, text in fields.items():
        done("type_text", ref=find_ref(page, f'textbox "{label} *"'), text=text)
    done("select_option", ref=find_ref(page, 'combobox "Shipping *"'), values=["Germany: Parcel, 5.00 EUR"])
    done("select_option", ref=find_ref(page, 'combobox "Payment *"'), values=["Transfer"])
    page = done("click_element", ref=find_ref(page, 'button "Update costs"'))
    assert ("122.57 EUR" in page["tree"], list_orders(world)) == (True, [])
    fork = World.open(Path(shutil.copytree(world.root, tmp_path / "fork")))
    page = done("click_element", ref=find_ref(page, 'button "Place order"'))
    assert "122.57 EUR" in page["tree"]
    with use_world(fork):
        assert (list_orders(fork), read_stock(fork, 1)) == ([], 3)
        read_facts(
            call(
                "click_element",
                ref=find_ref({"tree": read_facts(call("read_page_tree"))["tree"]}, 'button "Place order"'),
            )
        )
    assert fork.state_hash() == world.state_hash()
    live_pages.stop_browsers()
    assert done("read_page_tree")["tree"] == page["tree"]
    assert "The cart is empty" in done("go_back")["tree"]
    (order,) = list_orders(world)
    assert (order.status, order.total_cents, order.billing.last_name, order.created_via) == (
        "on-hold", 12_257, "Berg", "checkout",
    )  # fmt: skip
    assert read_stock(world, 1) == 1
    assert len(session_of(world)["posts"]) == 3


def test_only_what_is_for_sale_is_shown(world: World) -> None:
    _, page = get_page(world, "/")
    assert [name in page for name in ("Desk lamp", "Chair", "Gone lamp", "Secret lamp")] == [True, True, True, False]
    assert get_page(world, "/?q=CHAIR")[1].count('href="/product/') == 1
    assert "cannot be ordered now" in get_page(world, "/product/6")[1]
    chair = get_page(world, "/product/chair")[1]
    assert chair == get_page(world, "/product/2")[1] == get_page(world, "/product/3")[1]
    assert ("red: 200.00 EUR, 1 in stock" in chair, "blue" in chair) == (True, False)


def test_what_customers_are_told_of_a_product_is_of_what_is_for_sale(world: World) -> None:
    more: list[dict[str, Any]] = [
        {"parent_id": 2, "options": {"Colour": ["grey"]}, "price_cents": 500, "stock": 40, "status": "private"},
        {"name": "Table", "meta": {"supplier": "Kessler"}},
        {"parent_id": 8, "options": {"Wood": ["oak"]}, "price_cents": 1_000, "stock": 1},
        {"parent_id": 8, "options": {"Wood": ["ash"]}, "price_cents": 5_000, "sale_price_cents": 4_000, "stock": 1},
    ]
    for values in more:
        save_product(world, None, values)
    for path in ("/product/2", "/?q=chair"):
        page = get_page(world, path)[1]
        assert ("<strong>200.00 EUR</strong>" in page, "1 in stock" in page, "41" in page) == (True, True, False)
    for path in ("/product/8", "/?q=table"):
        page = get_page(world, path)[1]
        assert ("<strong>10.00 EUR</strong>" in page, "instead of" in page) == (True, False)
    save_product(world, 10, {"sale_price_cents": 900})
    assert '<strong>9.00 EUR</strong><span class="hint"> instead of 50.00 EUR' in get_page(world, "/product/8")[1]
    assert "0 products" in get_page(world, "/?q=kessler")[1]


@pytest.mark.parametrize(
    "path", ["/product/5", "/product/99", "/product/x", "/order/1/x", "/?category=9", "/?page=x", "/a"]
)
def test_what_is_not_there_is_told(world: World, path: str) -> None:
    assert get_page(world, path)[0] == 404


@pytest.mark.parametrize(
    ("product", "quantity", "says"),
    [
        (1, "4", "Only 3 are in stock."), (1, "0", "give its quantity"), (1, "-1", "give its quantity"),
        (1, "1.5", "give its quantity"), (1, "9" * 30, "give its quantity"), (3, "2", "Only 1 are in stock."),
        (4, "1", "It is out of stock."), (6, "1", "It is out of stock."), (2, "1", "no such product"),
        (5, "1", "no such product"), (99, "1", "no such product"), ("x", "1", "is not a valid number"),
    ],
)  # fmt: skip
def test_what_cannot_be_ordered_stays_out_of_the_cart(world: World, product: Any, quantity: str, says: str) -> None:
    sent = send_form(world, "/cart/add", product=product, quantity=quantity)
    assert (says in sent["page"], sent["cart"]) == (True, "")


def test_quantities_in_the_cart_are_added_up_changed_and_taken_out(world: World) -> None:
    cart = send_form(world, "/cart/add", product=1, quantity=2)["cart"]
    assert "Only 3 are in stock." in send_form(world, "/cart/add", cart, product=1, quantity=2)["page"]
    cart = send_form(world, "/cart/add", cart, product=3, quantity=1)["cart"]
    assert cart == "1x2.3x1"
    assert send_form(world, "/cart", cart, n1="x", n3=1)["cart"] == cart
    assert send_form(world, "/cart", cart, n1=1, n3=0)["cart"] == "1x1"
    assert "The cart is empty" in get_page(world, "/cart", "x.1x.99999999999999999999x1.1x0")[1]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"email": "ann"}, "This is not a valid e-mail address."), ({"city": " "}, "must be filled in"),
        ({"country": "Germany"}, "two letters"),
        ({"country": "FR"}, "no shipping method"), ({"shipping": "9"}, "not sent to DE in the way that was chosen"),
        ({"shipping": ""}, "Choose how it is sent"),
        ({"payment": "cod"}, "Choose how you pay"), ({"coupon": "none"}, "there is no coupon"),
        ({"street": "x" * 1_000_000}, "This is too long"), ({"note": "x" * 2_001}, "This is too long"),
    ],
)  # fmt: skip
def test_an_order_that_does_not_fit_changes_nothing_and_keeps_what_was_typed(
    world: World, fields: dict[str, str], says: str
) -> None:
    before = world.state_hash()
    sent = send_form(world, "/checkout", "1x2", **{**ANN, **fields})
    assert (says in sent["page"], sent["cart"]) == (True, "1x2")
    assert 'value="Ann"' in sent["page"]
    assert "<script" not in sent["page"]
    assert world.state_hash() == before


@pytest.mark.parametrize("cart", ["", "1x4", "5x1", "6x1", "99x1", "2x1", "1x1.4x1"])
def test_a_cart_with_what_is_not_in_stock_is_not_ordered(world: World, cart: str) -> None:
    before = world.state_hash()
    assert send_form(world, "/checkout", cart, **ANN)["url"] == f"{SITE}/checkout"
    assert world.state_hash() == before


def test_an_order_follows_the_rules_of_the_shop(world: World) -> None:
    save_coupon(world, None, {"code": "spring", "kind": "percent", "percent": 10})
    sent = send_form(
        world, "/checkout", "1x1.3x1", **{**ANN, "payment": "card", "coupon": "SPRING", "note": "Ring twice"}
    )
    assert (sent["cart"], sent["page"]) == ("", "")
    (order,) = list_orders(world)
    assert sent["url"].startswith(f"{SITE}/order/{order.id}/")
    assert (order.status, order.billing.country, order.customer_note) == ("pending", "DE", "Ring twice")
    assert (order.discount_cents, order.coupons[0].code) == (2_490, "spring")
    with open_store(APP, *RECORDS, world=world) as store:
        assert [(line.product_id, line.variant_id) for line in store.find(OrderLine)] == [(1, None), (2, 3)]
    status, page = get_page(world, sent["url"].removeprefix(SITE))
    assert (status, "It waits for your payment." in page, "<script" in page) == (200, True, False)


def more_shipping(world: World, *, prices_include_tax: bool = True) -> None:
    """Two parcels to Germany, one of them dear, a free way from 50.00 EUR on, and one parcel to Switzerland."""
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.change(store.get(Settings, 1), prices_include_tax=prices_include_tax)
        store.put(TaxRate(2, "CH", 8.1, "VAT CH"))
        store.put(ShippingZone(2, "Switzerland", 2, ["CH"]))
        store.put(ShippingMethod(2, 1, "express", "Parcel", 1_500))
        store.put(ShippingMethod(3, 1, "free_shipping", "Free", 0, 5_000))
        store.put(ShippingMethod(4, 2, "flat_rate", "Parcel", 2_000))
    save_product(world, 1, {"price_cents": 5_500})


def test_the_way_of_shipping_that_was_chosen_is_charged_and_one_to_elsewhere_is_none(world: World) -> None:
    more_shipping(world)
    page = get_page(world, "/checkout", "1x1")[1]
    assert ("Germany: Parcel, 17.85 EUR" in page, "Switzerland" in page) == (True, False)
    send_form(world, "/checkout", "1x1", **{**ANN, "shipping": "2"})
    (order,) = list_orders(world)
    assert (order.shipping_method, order.shipping_cents, order.shipping_tax_cents) == ("express", 1_500, 285)
    page = send_form(world, "/checkout", "1x1", **{**ANN, "country": "CH"})["page"]
    assert "It is not sent to CH in the way that was chosen; choose another." in page
    assert ("Switzerland: Parcel, 21.62 EUR" in page, "Germany: " in page) == (True, False)
    assert len(list_orders(world)) == 1


@pytest.mark.parametrize(
    ("within", "way", "shipping", "to_pay"),
    [(True, "1", "5.95 EUR", 6_095), (True, "3", "0.00 EUR", 5_500), (False, "1", "5.00 EUR", 7_140)],
)
def test_what_is_shown_before_ordering_is_what_is_charged(
    world: World, within: bool, way: str, shipping: str, to_pay: int
) -> None:
    more_shipping(world, prices_include_tax=within)
    assert "All, without shipping" in get_page(world, "/checkout", "1x1")[1]
    before = world.state_hash()
    cost_page = send_form(world, "/checkout", "1x1", **{**ANN, "shipping": way, "show": "costs"})
    assert (world.state_hash(), cost_page["cart"]) == (before, "1x1")
    amount = f"{to_pay // 100}.{to_pay % 100:02} EUR"
    sent = send_form(world, "/checkout", "1x1", **{**ANN, "shipping": way})
    for page in (cost_page["page"], get_page(world, sent["url"].removeprefix(SITE))[1]):
        assert f"{shipping}</th>" in page.partition("Shipping: ")[2]
        assert f"{amount}</th>" in page.partition("To pay")[2]
    assert list_orders(world)[0].total_cents == to_pay


def test_worth_that_is_too_little_for_a_way_is_told_in_the_money_of_the_shop(world: World) -> None:
    more_shipping(world, prices_include_tax=False)
    save_product(world, 1, {"price_cents": 4_950})
    page = send_form(world, "/checkout", "1x1", **{**ANN, "shipping": "3"})["page"]
    assert "to DE for goods of 49.50 EUR." in page
    save_coupon(world, None, {"code": "big", "kind": "fixed_cart", "amount_cents": 100, "minimum_cents": 9_000})
    page = send_form(world, "/checkout", "1x1", **ANN, coupon="big")["page"]
    assert "the goods are worth 49.50 EUR, less than 90.00 EUR." in page


def test_a_coupon_for_free_shipping_takes_the_shipping_off(world: World) -> None:
    save_coupon(world, None, {"code": "free", "kind": "fixed_cart", "amount_cents": 0, "free_shipping": True})
    send_form(world, "/checkout", "1x1", **ANN, coupon="FREE")
    (order,) = list_orders(world)
    assert (order.shipping_title, order.shipping_cents, order.shipping_tax_cents) == ("Parcel", 0, 0)
    assert order.total_cents == 5_831


def test_a_note_keeps_its_lines_as_they_were_typed(world: World) -> None:
    send_form(world, "/checkout", "1x1", **ANN, note="Ring twice\r\nthen wait")
    assert list_orders(world)[0].customer_note == "Ring twice\nthen wait"


def test_quantities_that_the_form_did_not_show_stay(world: World) -> None:
    assert send_form(world, "/cart", "1x1.3x1", n1="2")["cart"] == "1x2.3x1"
    blank = send_form(world, "/cart", "1x1.3x1", n1="", n3="0")
    assert (blank["cart"], "a quantity is a number from 0 to 9,999" in blank["page"]) == ("1x1.3x1", True)


def test_pages_change_nothing_and_hold_no_element_that_a_text_names(world: World) -> None:
    before = world.state_hash()
    for path in ("/", f"/?q={HOSTILE}", "/product/1", "/product/2", "/cart", "/checkout", "/cart/add"):
        _, page = get_page(world, path, "1x1.99x3")
        assert "<script" not in page
    assert world.state_hash() == before
