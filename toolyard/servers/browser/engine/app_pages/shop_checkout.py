"""The checkout of the shop's pages: the cart becomes an order, and the order is shown to who made it."""

import re
from collections.abc import Mapping, Sequence

from toolyard.apps.form_answers import is_address
from toolyard.apps.shop import APP, Gateway, Order, OrderLine, OrderStatus, ShippingMethod, ShippingZone
from toolyard.apps.store import Store, hex_id
from toolyard.kit.markup import Html, tag
from toolyard.servers.browser.engine.app_pages.requests import NoPage, Page, Request, Sent, notice, wrong
from toolyard.servers.browser.engine.app_pages.shop_cart import CartLine, cart_of, cookies_for, lines_of, money
from toolyard.servers.shop.engine import orders
from toolyard.servers.shop.engine.ground import opened_shop, settings_of
from toolyard.servers.shop.engine.order_changes import Goods, create_order
from toolyard.servers.shop.engine.order_changes import Request as OrderRequest
from toolyard.world import Problem, World

_PARTS = {
    "first_name": "First name", "last_name": "Last name", "company": "Company", "street": "Street and number",
    "street_2": "Second line of the address", "postcode": "Postcode", "city": "City",
    "country": "Country (two letters)",
    "email": "E-mail", "phone": "Phone",
}  # fmt: skip
"""Of an address, with what its fields are called."""
_FREE = ("company", "street_2", "phone")
_MAX_LINE, _MAX_NOTE = 200, 2_000
_WAITS: dict[str, OrderStatus] = {"bacs": "on-hold", "cheque": "on-hold", "cod": "processing"}
"""What an order becomes by its way to pay, as in WooCommerce; by the others it waits, pending, to be paid."""
_IN_WORDS: dict[OrderStatus, str] = {
    "pending": "It waits for your payment.", "on-hold": "It is kept for you until your payment comes.",
    "processing": "It is being prepared.", "completed": "It is done.", "cancelled": "It was cancelled.",
    "refunded": "It was refunded.", "failed": "Its payment failed.",
}  # fmt: skip
_KEY_DIGITS = 12
_COUNTRY = re.compile("[A-Z]{2}")


def checkout_page(world: World, request: Request) -> Page:
    """The form that makes an order of the cart."""
    with opened_shop(world) as store:
        return _page(store, lines_of(store, cart_of(request)), {})


def order_cart(world: World, request: Request) -> Sent:
    """Order what is in the cart, and empty it; else the form comes again with what is wrong."""
    filled = {name: request.sent(name)[: _MAX_NOTE + 1] for name in (*_PARTS, "shipping", "payment", "coupon", "note")}
    filled["country"] = filled["country"].strip().upper()
    with opened_shop(world) as store:
        lines = lines_of(store, cart_of(request))
        odd = _oddness(store, lines, filled)
        if odd:
            return Sent("/checkout", _page(store, lines, filled, odd))
    try:
        order = create_order(world, _request_of(lines, filled)).order
    except Problem as error:
        why = str(error).partition(";")[0]
        with opened_shop(world) as store:
            return Sent("/checkout", _page(store, lines, filled, {"": f"Nothing was ordered: {why}."}))
    return Sent(f"/order/{order.id}/{_key(order.id)}", cookies=cookies_for({}))


def order_page(world: World, number: int, key: str) -> Page:
    """An order, for who has the key of its address.

    Raises:
        NoPage: there is none, or the key is another's.
    """
    with opened_shop(world) as store:
        found = store.find(Order, "id = ? AND status NOT IN ('trash', 'checkout-draft')", [number])
        if not found or key != _key(number):
            raise NoPage("There is no such order.")
        order, lines = found[0], orders.lines_of(store, found[0])
    head = tag("tr", [tag("th", words) for words in ("Product", "Quantity", "Price", "Sum")])
    rows = [_row(line, order.currency) for line in lines]
    body = [
        tag("h1", f"Order {order.id}"),
        tag("p", f"Thank you. {_IN_WORDS.get(order.status, '')}", role="status"),
        tag("table", head, rows, _totals(order)),
        tag("p", f"Pay by: {order.payment_title}") if order.payment_title else None,
        tag("h2", "It goes to"),
        [tag("div", line) for line in _address_lines(order)],
    ]
    return Page(f"Order {order.id}", tag("section", body, class_="card"))


def _key(number: int) -> str:
    return hex_id(APP, Order, number, _KEY_DIGITS)


def _request_of(lines: Sequence[CartLine], filled: Mapping[str, str]) -> OrderRequest:
    return OrderRequest(
        [Goods(line.id, line.quantity) for line in lines],
        billing={name: filled[name] for name in _PARTS},
        shipping_way=filled["shipping"].partition("/")[2],
        coupons=[filled["coupon"].strip()] if filled["coupon"].strip() else [],
        payment_method=filled["payment"],
        status=_WAITS.get(filled["payment"], "pending"),
        customer_note=filled["note"].strip(),
        created_via="checkout",
    )


def _oddness(store: Store, lines: Sequence[CartLine], filled: Mapping[str, str]) -> dict[str, str]:
    """What is wrong, by the name of the field; of the whole cart under no name."""
    odd = {name: "This must be filled in." for name in _PARTS if name not in _FREE and not filled[name].strip()}
    long = {name: f"This is too long; write at most {_MAX_LINE}." for name in _PARTS if len(filled[name]) > _MAX_LINE}
    odd |= long
    if filled["email"].strip() and not is_address(filled["email"].strip()):
        odd["email"] = "This is no e-mail address."
    if filled["country"] and not _COUNTRY.fullmatch(filled["country"]):
        odd["country"] = "Write the two letters of a country, such as DE."
    if len(filled["note"]) > _MAX_NOTE:
        odd["note"] = f"This is too long; write at most {_MAX_NOTE:,}."
    ways = [way for way, _, _ in _ways(store)]
    if ways and filled["shipping"] not in ways:
        odd["shipping"] = "Choose how it is sent."
    if _gateways(store) and filled["payment"] not in [gateway.id for gateway in _gateways(store)]:
        odd["payment"] = "Choose how you pay."
    if not lines or any(line.odd for line in lines):
        odd[""] = "Nothing was ordered: the cart is empty, or holds what cannot be ordered."
    return odd


def _page(
    store: Store, lines: Sequence[CartLine], filled: Mapping[str, str], odd: Mapping[str, str] | None = None
) -> Page:
    odd = odd or {}
    if not lines:
        return Page("Checkout", notice("Checkout", "The cart is empty."))
    currency = settings_of(store).currency
    goods = [
        tag("li", f"{line.quantity} of {line.product.name if line.product else line.id}: ",
            money(line.price_cents * line.quantity, currency), wrong(line.odd))
        for line in lines
    ]  # fmt: skip
    said = odd.get("") or ("Nothing was ordered yet: look at what is marked below." if odd else "")
    change = tag("a", "Change cart", href="/cart")
    address = [_field(store, name, filled, odd) for name in _PARTS]
    coupon = tag("input", name="coupon", id="coupon", value=filled.get("coupon", ""))
    note = tag("textarea", "\n", filled.get("note", ""), name="note", id="note", rows="2")
    more = [_labelled("coupon", "Coupon", coupon, odd), _labelled("note", "Note", note, odd)]
    body = [
        tag("section", tag("h1", "Checkout"), wrong(said), tag("ul", goods), change, class_="card"),
        tag("section", tag("h2", "Bill and parcel go to"), address, class_="card"),
        tag("section", _shipping(store, filled, odd, currency), _payment(store, filled, odd), more, class_="card"),
        tag("button", "Place order"),
    ]
    return Page("Checkout", tag("form", body, method="post", action="/checkout", novalidate=True))


def _labelled(name: str, label: str, entry: Html, odd: Mapping[str, str]) -> Html:
    return tag("div", tag("label", label, for_=name), wrong(odd.get(name, "")), entry, class_="field")


def _field(store: Store, name: str, filled: Mapping[str, str], odd: Mapping[str, str]) -> Html:
    label = _PARTS[name] if name in _FREE else f"{_PARTS[name]} *"
    kind = "email" if name == "email" else "text"
    value = filled.get(name, settings_of(store).country if name == "country" else "")
    return _labelled(name, label, tag("input", type=kind, name=name, id=name, value=value), odd)


def _shipping(store: Store, filled: Mapping[str, str], odd: Mapping[str, str], currency: str) -> Html | None:
    options = [
        tag("option", f"{zone.name}: {method.title}, {money(method.cost_cents, currency)}{_least(method, currency)}",
            value=way, selected=way == filled.get("shipping"))
        for way, zone, method in _ways(store)
    ]  # fmt: skip
    entry = tag("select", tag("option", "Choose", value=""), options, name="shipping", id="shipping")
    return _labelled("shipping", "Shipping *", entry, odd) if options else None


def _least(method: ShippingMethod, currency: str) -> str:
    return f", from {money(method.minimum_cents, currency)} on" if method.minimum_cents else ""


def _payment(store: Store, filled: Mapping[str, str], odd: Mapping[str, str]) -> Html | None:
    options = [
        tag("option", gateway.title, value=gateway.id, selected=gateway.id == filled.get("payment"))
        for gateway in _gateways(store)
    ]
    entry = tag("select", tag("option", "Choose", value=""), options, name="payment", id="payment")
    return _labelled("payment", "Payment *", entry, odd) if options else None


def _ways(store: Store) -> list[tuple[str, ShippingZone, ShippingMethod]]:
    """The ways of shipping, each with what the form sends for it."""
    zones = store.find(ShippingZone, order="position")
    ways = [
        (zone, store.find(ShippingMethod, "zone_id = ? AND enabled", [zone.id], order="position")) for zone in zones
    ]
    return [(f"{method.id}/{method.title}", zone, method) for zone, methods in ways for method in methods]


def _gateways(store: Store) -> list[Gateway]:
    return store.find(Gateway, "enabled", order="position")


def _row(line: OrderLine, currency: str) -> Html:
    amounts = [money(line.price_cents, currency), money(line.price_cents * line.quantity, currency)]
    return tag("tr", [tag("td", cell) for cell in (line.name, str(line.quantity), *amounts)])


def _totals(order: Order) -> list[Html]:
    within = order.prices_include_tax
    amounts = {
        "Discount": -order.discount_cents - within * order.discount_tax_cents,
        f"Shipping: {order.shipping_title}": order.shipping_cents + within * order.shipping_tax_cents,
        "Taxes, within the prices" if within else "Taxes": order.tax_cents,
        "To pay": order.total_cents,
    }
    return [
        tag("tr", tag("th", words), tag("td"), tag("td"), tag("th", money(cents, order.currency)))
        for words, cents in amounts.items()
        if cents or words == "To pay"
    ]


def _address_lines(order: Order) -> list[str]:
    to = order.shipping
    parts = (
        f"{to.first_name} {to.last_name}",
        to.company,
        to.street,
        to.street_2,
        f"{to.postcode} {to.city}",
        to.country,
    )
    return [part.strip() for part in parts if part.strip()]
