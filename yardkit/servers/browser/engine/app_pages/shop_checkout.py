"""The checkout of the shop's pages: the cart becomes an order, and the order is shown to who made it."""

import re
from collections.abc import Mapping, Sequence

from yardkit.apps.form_answers import is_address
from yardkit.apps.shop import APP, Address, Gateway, Order, OrderLine, OrderStatus, ShippingMethod, ShippingZone
from yardkit.apps.store import Store, hex_id
from yardkit.kit.markup import Html, make_tag
from yardkit.servers.browser.engine.app_pages.requests import (
    NoPage,
    Page,
    Request,
    Sent,
    build_error,
    build_hint,
    build_notice,
)
from yardkit.servers.browser.engine.app_pages.shop_cart import CartLine, cart_of, cookies_for, lines_of
from yardkit.servers.shop.engine import orders
from yardkit.servers.shop.engine.context import format_money, opened_shop, settings_of
from yardkit.servers.shop.engine.order_changes import Goods, charged_shipping, create_order, preview_order, ways_to
from yardkit.servers.shop.engine.order_changes import Request as OrderRequest
from yardkit.world import Problem, World

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
_MORE = ("shipping", "payment", "coupon", "note")
_SHOW = "show"
"""The button that orders nothing, and only brings what is shown up to date."""
_KEY_DIGITS = 12
_COUNTRY = re.compile("[A-Z]{2}")


def checkout_page(world: World, request: Request) -> Page:
    """The form that makes an order of the cart."""
    return _build_checkout(world, cart_of(request), {})


def order_cart(world: World, request: Request) -> Sent:
    """Order what is in the cart, and empty it; else the form comes again with what is wrong, or with what it costs."""
    filled = {name: request.get_form_text(name)[: _MAX_NOTE + 1] for name in (*_PARTS, *_MORE)}
    filled["note"] = request.get_form_text("note").replace("\r\n", "\n")[: _MAX_NOTE + 1]
    filled["country"] = filled["country"].strip().upper()
    cart = cart_of(request)
    if request.get_form_text(_SHOW):
        return Sent("/checkout", _build_checkout(world, cart, filled))
    with opened_shop(world) as store:
        lines = lines_of(store, cart)
        faults = _find_faults(store, lines, filled)
    if faults:
        return Sent("/checkout", _build_checkout(world, cart, filled, faults))
    try:
        order = create_order(world, _request_of(lines, filled)).order
    except Problem as error:
        why = {"": f"Nothing was ordered: {_format_reason(error)}"}
        return Sent("/checkout", _build_checkout(world, cart, filled, why))
    return Sent(f"/order/{order.id}/{_make_key(order.id)}", cookies=cookies_for({}))


def _format_reason(error: Problem) -> str:
    """What a customer is told; what a clerk could do about it is left out."""
    return f"{str(error).partition(';')[0]}."


def order_page(world: World, number: int, key: str) -> Page:
    """An order, for who has the key of its address.

    Raises:
        NoPage: there is none, or the key is another's.
    """
    with opened_shop(world) as store:
        matching_orders = store.find(Order, "id = ? AND status NOT IN ('trash', 'checkout-draft')", [number])
        if not matching_orders or key != _make_key(number):
            raise NoPage("There is no such order.")
        order, lines = matching_orders[0], orders.lines_of(store, matching_orders[0])
    head = make_tag("tr", [make_tag("th", words) for words in ("Product", "Quantity", "Price", "Sum")])
    rows = [_build_row(line, order.currency) for line in lines]
    body = [
        make_tag("h1", f"Order {order.id}"),
        make_tag("p", f"Thank you. {_IN_WORDS.get(order.status, '')}", role="status"),
        make_tag(
            "table", head, rows, [_total_row(words, cents, order.currency) for words, cents in _list_totals(order)]
        ),
        make_tag("p", f"Pay by: {order.payment_title}") if order.payment_title else None,
        make_tag("h2", "It goes to"),
        [make_tag("div", line) for line in _address_lines(order)],
    ]
    return Page(f"Order {order.id}", make_tag("section", body, class_="card"))


def _make_key(number: int) -> str:
    return hex_id(APP, Order, number, _KEY_DIGITS)


def _request_of(lines: Sequence[CartLine], filled: Mapping[str, str]) -> OrderRequest:
    return OrderRequest(
        [Goods(line.id, line.quantity) for line in lines],
        billing={name: filled[name] for name in _PARTS},
        coupons=[filled["coupon"].strip()] if filled["coupon"].strip() else [],
        payment_method=filled["payment"],
        status=_WAITS.get(filled["payment"], "pending"),
        customer_note=filled["note"].strip(),
        created_via="checkout",
        shipping_method_id=int(filled["shipping"]) if filled["shipping"] else None,
    )


def _find_faults(store: Store, lines: Sequence[CartLine], filled: Mapping[str, str]) -> dict[str, str]:
    """What is wrong, by the name of the field; of the whole cart under no name."""
    faults = {name: "This must be filled in." for name in _PARTS if name not in _FREE and not filled[name].strip()}
    long = {name: f"This is too long; write at most {_MAX_LINE}." for name in _PARTS if len(filled[name]) > _MAX_LINE}
    faults |= long
    if filled["email"].strip() and not is_address(filled["email"].strip()):
        faults["email"] = "This is not a valid e-mail address."
    if filled["country"] and not _COUNTRY.fullmatch(filled["country"]):
        faults["country"] = "Write the two letters of a country, such as DE."
    if len(filled["note"]) > _MAX_NOTE:
        faults["note"] = f"This is too long; write at most {_MAX_NOTE:,}."
    if "country" not in faults:
        faults |= _shipping_oddness(store, filled)
    if _list_gateways(store) and filled["payment"] not in [gateway.id for gateway in _list_gateways(store)]:
        faults["payment"] = "Choose how you pay."
    if not lines or any(line.error for line in lines):
        faults[""] = "Nothing was ordered: the cart is empty, or holds what cannot be ordered."
    return faults


def _shipping_oddness(store: Store, filled: Mapping[str, str]) -> dict[str, str]:
    ways, country = _map_ways(store, filled), filled["country"]
    if not ways and store.count(ShippingMethod, "enabled"):
        return {"country": f"There is no shipping method for {country}."}
    if not ways or filled["shipping"] in ways:
        return {}
    other = f"It is not sent to {country} in the way that was chosen; choose another."
    return {"shipping": other if filled["shipping"] else "Choose how it is sent."}


def _build_checkout(
    world: World, cart: Mapping[int, int], filled: Mapping[str, str], faults: Mapping[str, str] | None = None
) -> Page:
    faults = faults or {}
    with opened_shop(world) as store:
        lines = lines_of(store, cart)
        if not lines:
            return Page("Checkout", build_notice("Checkout", "The cart is empty."))
        address = [_build_field(store, name, filled, faults) for name in _PARTS]
        ways, payment = _build_shipping(store, filled, faults), _build_payment(store, filled, faults)
        chosen = {**filled, "country": _find_country(store, filled)}
        chosen["shipping"] = filled.get("shipping", "") if filled.get("shipping") in _map_ways(store, filled) else ""
        currency = settings_of(store).currency
    message = faults.get("") or ("The order was not placed: see the marked fields below." if faults else "")
    coupon = make_tag("input", name="coupon", id="coupon", value=filled.get("coupon", ""))
    note = make_tag("textarea", "\n", filled.get("note", ""), name="note", id="note", rows="2")
    more = [_build_labelled("coupon", "Coupon", coupon, faults), _build_labelled("note", "Note", note, faults)]
    body = [
        make_tag(
            "section", make_tag("h1", "Checkout"), build_error(message), _build_goods(lines, currency), class_="card"
        ),
        make_tag("section", make_tag("h2", "Bill and parcel go to"), address, class_="card"),
        make_tag("section", ways, payment, more, class_="card"),
        None if faults.get("") else _build_costs(world, lines, chosen, bool(ways)),
        make_tag(
            "p", make_tag("button", "Place order"), " ", make_tag("button", "Update costs", name=_SHOW, value="costs")
        ),
    ]
    return Page("Checkout", make_tag("form", body, method="post", action="/checkout", novalidate=True))


def _build_goods(lines: Sequence[CartLine], currency: str) -> list[Html]:
    goods = [
        make_tag("li", f"{line.quantity} of {line.product.name if line.product else line.id}: ",
            format_money(line.price_cents * line.quantity, currency), build_error(line.error))
        for line in lines
    ]  # fmt: skip
    return [make_tag("ul", goods), make_tag("a", "Change cart", href="/cart")]


def _build_costs(world: World, lines: Sequence[CartLine], chosen: Mapping[str, str], has_ways: bool) -> Html | None:
    """What would be paid for an order as it is filled in so far."""
    if any(line.error for line in lines):
        return None
    try:
        order = preview_order(world, _request_of(lines, {**dict.fromkeys((*_PARTS, *_MORE), ""), **chosen}))
    except Problem as error:
        return make_tag(
            "section", build_error(f"It cannot be ordered like this: {_format_reason(error)}"), class_="card"
        )
    open_way = has_ways and not chosen["shipping"]
    goods = sum(line.price_cents * line.quantity for line in lines)
    totals = [("Goods", goods), *_list_totals(order, "All, without shipping" if open_way else "To pay")]
    rows = [_total_row(words, cents, order.currency, 0) for words, cents in totals]
    why = build_hint(f"For {chosen['country']}; after another choice, update the costs.")
    return make_tag("section", make_tag("h2", "Total cost"), make_tag("table", rows), why, class_="card")


def _build_labelled(name: str, label: str, entry: Html, faults: Mapping[str, str]) -> Html:
    return make_tag(
        "div", make_tag("label", label, for_=name), build_error(faults.get(name, "")), entry, class_="field"
    )


def _build_field(store: Store, name: str, filled: Mapping[str, str], faults: Mapping[str, str]) -> Html:
    label = _PARTS[name] if name in _FREE else f"{_PARTS[name]} *"
    kind = "email" if name == "email" else "text"
    value = filled.get(name, settings_of(store).country if name == "country" else "")
    return _build_labelled(name, label, make_tag("input", type=kind, name=name, id=name, value=value), faults)


def _build_shipping(store: Store, filled: Mapping[str, str], faults: Mapping[str, str]) -> Html | None:
    shop, place = settings_of(store), Address(country=_find_country(store, filled))
    options = []
    for way, (zone, method) in _map_ways(store, filled).items():
        net, tax = charged_shipping(store, place, method.cost_cents)
        cost = format_money(net + tax * shop.prices_include_tax, shop.currency)
        label = f"{zone.name}: {method.title}, {cost}{_describe_minimum(method, shop.currency)}"
        options.append(make_tag("option", label, value=way, selected=way == filled.get("shipping")))
    entry = make_tag("select", make_tag("option", "Choose", value=""), options, name="shipping", id="shipping")
    return _build_labelled("shipping", "Shipping *", entry, faults) if options else None


def _describe_minimum(method: ShippingMethod, currency: str) -> str:
    return f", from {format_money(method.minimum_cents, currency)} on" if method.minimum_cents else ""


def _build_payment(store: Store, filled: Mapping[str, str], faults: Mapping[str, str]) -> Html | None:
    options = [
        make_tag("option", gateway.title, value=gateway.id, selected=gateway.id == filled.get("payment"))
        for gateway in _list_gateways(store)
    ]
    entry = make_tag("select", make_tag("option", "Choose", value=""), options, name="payment", id="payment")
    return _build_labelled("payment", "Payment *", entry, faults) if options else None


def _find_country(store: Store, filled: Mapping[str, str]) -> str:
    """Where it goes; while that is not filled in, the country of the shop."""
    country = filled.get("country", "")
    return country if _COUNTRY.fullmatch(country) else settings_of(store).country


def _map_ways(store: Store, filled: Mapping[str, str]) -> dict[str, tuple[ShippingZone, ShippingMethod]]:
    """The ways of shipping to where it goes, by what the form sends for each."""
    methods = ways_to(store, _find_country(store, filled))
    return {str(method.id): (store.get(ShippingZone, method.zone_id), method) for method in methods}


def _list_gateways(store: Store) -> list[Gateway]:
    return store.find(Gateway, "enabled", order="position")


def _build_row(line: OrderLine, currency: str) -> Html:
    amounts = [format_money(line.price_cents, currency), format_money(line.price_cents * line.quantity, currency)]
    return make_tag("tr", [make_tag("td", cell) for cell in (line.name, str(line.quantity), *amounts)])


def _list_totals(order: Order, last: str = "To pay") -> list[tuple[str, int]]:
    within = order.prices_include_tax
    amounts = [
        ("Discount", -order.discount_cents - within * order.discount_tax_cents),
        (f"Shipping: {order.shipping_title}", order.shipping_cents + within * order.shipping_tax_cents),
        ("Taxes, within the prices" if within else "Taxes", order.tax_cents),
    ]
    is_sent = bool(order.shipping_title)  # that it costs nothing is told, too
    visible_totals = [(words, cents) for words, cents in amounts if cents or (is_sent and words.startswith("Shipping"))]
    return [*visible_totals, (last, order.total_cents)]


def _total_row(words: str, cents: int, currency: str, empty_cells: int = 2) -> Html:
    return make_tag(
        "tr", make_tag("th", words), [make_tag("td")] * empty_cells, make_tag("th", format_money(cents, currency))
    )


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
