"""The checkout of the shop's pages: the cart becomes an order, and the order is shown to who made it."""

import re
from collections.abc import Mapping, Sequence

from yardkit.apps.form_answers import is_address
from yardkit.apps.shop import APP, Gateway, Order, OrderLine, OrderStatus, ShippingMethod, ShippingZone
from yardkit.apps.store import Store, hex_id
from yardkit.kit.markup import Html, tag
from yardkit.servers.browser.engine.app_pages.requests import NoPage, Page, Request, Sent, hint, notice, wrong
from yardkit.servers.browser.engine.app_pages.shop_cart import CartLine, cart_of, cookies_for, lines_of
from yardkit.servers.shop.engine import orders
from yardkit.servers.shop.engine.ground import money, opened_shop, settings_of
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
    return _checkout(world, cart_of(request), {})


def order_cart(world: World, request: Request) -> Sent:
    """Order what is in the cart, and empty it; else the form comes again with what is wrong, or with what it costs."""
    filled = {name: request.sent(name)[: _MAX_NOTE + 1] for name in (*_PARTS, *_MORE)}
    filled["note"] = request.sent("note").replace("\r\n", "\n")[: _MAX_NOTE + 1]
    filled["country"] = filled["country"].strip().upper()
    cart = cart_of(request)
    if request.sent(_SHOW):
        return Sent("/checkout", _checkout(world, cart, filled))
    with opened_shop(world) as store:
        lines = lines_of(store, cart)
        odd = _oddness(store, lines, filled)
    if odd:
        return Sent("/checkout", _checkout(world, cart, filled, odd))
    try:
        order = create_order(world, _request_of(lines, filled)).order
    except Problem as error:
        why = {"": f"Nothing was ordered: {_reason(error)}"}
        return Sent("/checkout", _checkout(world, cart, filled, why))
    return Sent(f"/order/{order.id}/{_key(order.id)}", cookies=cookies_for({}))


def _reason(error: Problem) -> str:
    """What a customer is told; what a clerk could do about it is left out."""
    return f"{str(error).partition(';')[0]}."


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
        tag("table", head, rows, [_total_row(words, cents, order.currency) for words, cents in _totals(order)]),
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
        coupons=[filled["coupon"].strip()] if filled["coupon"].strip() else [],
        payment_method=filled["payment"],
        status=_WAITS.get(filled["payment"], "pending"),
        customer_note=filled["note"].strip(),
        created_via="checkout",
        shipping_method_id=int(filled["shipping"]) if filled["shipping"] else None,
    )


def _oddness(store: Store, lines: Sequence[CartLine], filled: Mapping[str, str]) -> dict[str, str]:
    """What is wrong, by the name of the field; of the whole cart under no name."""
    odd = {name: "This must be filled in." for name in _PARTS if name not in _FREE and not filled[name].strip()}
    long = {name: f"This is too long; write at most {_MAX_LINE}." for name in _PARTS if len(filled[name]) > _MAX_LINE}
    odd |= long
    if filled["email"].strip() and not is_address(filled["email"].strip()):
        odd["email"] = "This is not a valid e-mail address."
    if filled["country"] and not _COUNTRY.fullmatch(filled["country"]):
        odd["country"] = "Write the two letters of a country, such as DE."
    if len(filled["note"]) > _MAX_NOTE:
        odd["note"] = f"This is too long; write at most {_MAX_NOTE:,}."
    if "country" not in odd:
        odd |= _shipping_oddness(store, filled)
    if _gateways(store) and filled["payment"] not in [gateway.id for gateway in _gateways(store)]:
        odd["payment"] = "Choose how you pay."
    if not lines or any(line.odd for line in lines):
        odd[""] = "Nothing was ordered: the cart is empty, or holds what cannot be ordered."
    return odd


def _shipping_oddness(store: Store, filled: Mapping[str, str]) -> dict[str, str]:
    ways, country = _ways(store, filled), filled["country"]
    if not ways and store.count(ShippingMethod, "enabled"):
        return {"country": f"There is no shipping method for {country}."}
    if not ways or filled["shipping"] in ways:
        return {}
    other = f"It is not sent to {country} in the way that was chosen; choose another."
    return {"shipping": other if filled["shipping"] else "Choose how it is sent."}


def _checkout(
    world: World, cart: Mapping[int, int], filled: Mapping[str, str], odd: Mapping[str, str] | None = None
) -> Page:
    odd = odd or {}
    with opened_shop(world) as store:
        lines = lines_of(store, cart)
        if not lines:
            return Page("Checkout", notice("Checkout", "The cart is empty."))
        address = [_field(store, name, filled, odd) for name in _PARTS]
        ways, payment = _shipping(store, filled, odd), _payment(store, filled, odd)
        chosen = {**filled, "country": _country(store, filled)}
        chosen["shipping"] = filled.get("shipping", "") if filled.get("shipping") in _ways(store, filled) else ""
        currency = settings_of(store).currency
    said = odd.get("") or ("The order was not placed: see the marked fields below." if odd else "")
    coupon = tag("input", name="coupon", id="coupon", value=filled.get("coupon", ""))
    note = tag("textarea", "\n", filled.get("note", ""), name="note", id="note", rows="2")
    more = [_labelled("coupon", "Coupon", coupon, odd), _labelled("note", "Note", note, odd)]
    body = [
        tag("section", tag("h1", "Checkout"), wrong(said), _goods(lines, currency), class_="card"),
        tag("section", tag("h2", "Bill and parcel go to"), address, class_="card"),
        tag("section", ways, payment, more, class_="card"),
        None if odd.get("") else _costs(world, lines, chosen, bool(ways)),
        tag("p", tag("button", "Place order"), " ", tag("button", "Update costs", name=_SHOW, value="costs")),
    ]
    return Page("Checkout", tag("form", body, method="post", action="/checkout", novalidate=True))


def _goods(lines: Sequence[CartLine], currency: str) -> list[Html]:
    goods = [
        tag("li", f"{line.quantity} of {line.product.name if line.product else line.id}: ",
            money(line.price_cents * line.quantity, currency), wrong(line.odd))
        for line in lines
    ]  # fmt: skip
    return [tag("ul", goods), tag("a", "Change cart", href="/cart")]


def _costs(world: World, lines: Sequence[CartLine], chosen: Mapping[str, str], has_ways: bool) -> Html | None:
    """What would be paid for an order as it is filled in so far."""
    if any(line.odd for line in lines):
        return None
    try:
        order = preview_order(world, _request_of(lines, {**dict.fromkeys((*_PARTS, *_MORE), ""), **chosen}))
    except Problem as error:
        return tag("section", wrong(f"It cannot be ordered like this: {_reason(error)}"), class_="card")
    open_way = has_ways and not chosen["shipping"]
    goods = sum(line.price_cents * line.quantity for line in lines)
    totals = [("Goods", goods), *_totals(order, "All, without shipping" if open_way else "To pay")]
    rows = [_total_row(words, cents, order.currency, 0) for words, cents in totals]
    why = hint(f"For {chosen['country']}; after another choice, update the costs.")
    return tag("section", tag("h2", "Total cost"), tag("table", rows), why, class_="card")


def _labelled(name: str, label: str, entry: Html, odd: Mapping[str, str]) -> Html:
    return tag("div", tag("label", label, for_=name), wrong(odd.get(name, "")), entry, class_="field")


def _field(store: Store, name: str, filled: Mapping[str, str], odd: Mapping[str, str]) -> Html:
    label = _PARTS[name] if name in _FREE else f"{_PARTS[name]} *"
    kind = "email" if name == "email" else "text"
    value = filled.get(name, settings_of(store).country if name == "country" else "")
    return _labelled(name, label, tag("input", type=kind, name=name, id=name, value=value), odd)


def _shipping(store: Store, filled: Mapping[str, str], odd: Mapping[str, str]) -> Html | None:
    shop, country = settings_of(store), _country(store, filled)
    options = []
    for way, (zone, method) in _ways(store, filled).items():
        net, tax = charged_shipping(store, country, method.cost_cents)
        cost = money(net + tax * shop.prices_include_tax, shop.currency)
        label = f"{zone.name}: {method.title}, {cost}{_least(method, shop.currency)}"
        options.append(tag("option", label, value=way, selected=way == filled.get("shipping")))
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


def _country(store: Store, filled: Mapping[str, str]) -> str:
    """Where it goes; while that is not filled in, the country of the shop."""
    country = filled.get("country", "")
    return country if _COUNTRY.fullmatch(country) else settings_of(store).country


def _ways(store: Store, filled: Mapping[str, str]) -> dict[str, tuple[ShippingZone, ShippingMethod]]:
    """The ways of shipping to where it goes, by what the form sends for each."""
    methods = ways_to(store, _country(store, filled))
    return {str(method.id): (store.get(ShippingZone, method.zone_id), method) for method in methods}


def _gateways(store: Store) -> list[Gateway]:
    return store.find(Gateway, "enabled", order="position")


def _row(line: OrderLine, currency: str) -> Html:
    amounts = [money(line.price_cents, currency), money(line.price_cents * line.quantity, currency)]
    return tag("tr", [tag("td", cell) for cell in (line.name, str(line.quantity), *amounts)])


def _totals(order: Order, last: str = "To pay") -> list[tuple[str, int]]:
    within = order.prices_include_tax
    amounts = [
        ("Discount", -order.discount_cents - within * order.discount_tax_cents),
        (f"Shipping: {order.shipping_title}", order.shipping_cents + within * order.shipping_tax_cents),
        ("Taxes, within the prices" if within else "Taxes", order.tax_cents),
    ]
    is_sent = bool(order.shipping_title)  # that it costs nothing is told, too
    shown = [(words, cents) for words, cents in amounts if cents or (is_sent and words.startswith("Shipping"))]
    return [*shown, (last, order.total_cents)]


def _total_row(words: str, cents: int, currency: str, empty_cells: int = 2) -> Html:
    return tag("tr", tag("th", words), [tag("td")] * empty_cells, tag("th", money(cents, currency)))


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
