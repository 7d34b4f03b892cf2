"""The cart of the shop's pages, which is a cookie of the browser; and what can be put into it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from yardkit.apps.shop import Product
from yardkit.apps.shop_sums import price_of
from yardkit.apps.store import Store
from yardkit.kit.markup import Html, make_tag
from yardkit.servers.browser.engine.app_pages.requests import NoPage, Page, Request, Sent, build_error, number_of
from yardkit.servers.shop.engine.context import format_money, opened_shop, settings_of
from yardkit.world import World

MAX_QUANTITY, MAX_LINES = 9_999, 100
_COOKIE = "cart"
_ENTRY = re.compile(r"([0-9]{1,15})x([0-9]{1,4})")


@dataclass(frozen=True)
class CartLine:
    """Goods of a cart. product: null where it is not for sale any more; error: why it cannot be ordered like this."""

    id: int
    quantity: int
    product: Product | None
    price_cents: int = 0
    error: str = ""


def variants_of(store: Store, product: Product) -> list[Product]:
    """The variants of a product that are for sale."""
    return store.find(Product, "parent_id = ? AND status = 'publish'", [product.id])


def is_sold(product: Product, now: datetime) -> bool:
    """Whether at least one can be ordered now."""
    return not _find_fault(product, 1, now)


def cart_of(request: Request) -> dict[int, int]:
    """Quantities by number of the product; what is no entry is left out."""
    cart_matches = [_ENTRY.fullmatch(entry) for entry in request.cookies.get(_COOKIE, "").split(".")]
    entries = {int(entry[1]): int(entry[2]) for entry in cart_matches if entry and int(entry[2])}
    return dict(list(entries.items())[:MAX_LINES])


def cookies_for(cart: Mapping[int, int]) -> dict[str, str]:
    """What the browser keeps of a cart."""
    return {_COOKIE: ".".join(f"{product}x{quantity}" for product, quantity in cart.items() if quantity)}


def lines_of(store: Store, cart: Mapping[int, int]) -> list[CartLine]:
    """What is in a cart."""
    lines = []
    for number, quantity in cart.items():
        product = _for_sale(store, number)
        fault = _find_fault(product, quantity, store.now) if product else "It is not for sale any more."
        lines.append(CartLine(number, quantity, product, (product and price_of(product, store.now)) or 0, fault))
    return lines


def put_into_cart(world: World, request: Request) -> Sent:
    """Put units of a product into the cart, to those that are there.

    Raises:
        NoPage: there is no such product.
    """
    number, quantity, cart = (
        number_of(request.get_form_text("product")),
        _parse_quantity(request.get_form_text("quantity")),
        cart_of(request),
    )
    with opened_shop(world) as store:
        product = _for_sale(store, number)
        if product is None:
            raise NoPage("There is no such product, or it is not for sale.")
        if not quantity:
            return _refuse_cart(world, cart, f"{product.name} was not put into the cart: give its quantity, such as 1.")
        new_cart = {**cart, number: cart.get(number, 0) + quantity}
        fault = _find_fault(product, new_cart[number], store.now)
    if fault or len(new_cart) > MAX_LINES:
        return _refuse_cart(world, cart, f"{product.name} was not put into the cart. {fault or 'The cart is full.'}")
    return Sent("/cart", cookies=cookies_for(new_cart))


def change_cart(world: World, request: Request) -> Sent:
    """Change the quantities of what is in the cart; 0 takes it out, and what the form did not show stays."""
    cart = cart_of(request)
    typed = {number: request.get_form_text(f"n{number}") for number in cart if f"n{number}" in request.fields}
    changed = {number: _parse_quantity(text) for number, text in typed.items()}
    if None in changed.values():
        return _refuse_cart(world, cart, f"Nothing was changed: a quantity is a number from 0 to {MAX_QUANTITY:,}.")
    return Sent("/cart", cookies=cookies_for(cart | {number: count or 0 for number, count in changed.items()}))


def cart_page(world: World, request: Request) -> Page:
    """What is in the cart, and what it costs."""
    return _cart_page(world, cart_of(request))


def _refuse_cart(world: World, cart: Mapping[int, int], why: str) -> Sent:
    return Sent("/cart", _cart_page(world, cart, why))


def _cart_page(world: World, cart: Mapping[int, int], why: str = "") -> Page:
    with opened_shop(world) as store:
        lines, settings = lines_of(store, cart), settings_of(store)
    if not lines:
        empty = make_tag("p", "The cart is empty. ", make_tag("a", "See the products", href="/"))
        return Page("Cart", make_tag("section", make_tag("h1", "Cart"), build_error(why), empty, class_="card"))
    worth = sum(line.price_cents * line.quantity for line in lines)
    head = make_tag("tr", [make_tag("th", words) for words in ("Product", "Price", "Quantity", "Sum")])
    total = make_tag(
        "tr",
        make_tag("th", "All"),
        make_tag("td"),
        make_tag("td"),
        make_tag("th", format_money(worth, settings.currency)),
    )
    rows = [_build_row(line, settings.currency) for line in lines]
    taxes = "Prices include taxes; shipping comes" if settings.prices_include_tax else "Taxes and shipping come"
    body = [
        make_tag("h1", "Cart"),
        build_error(why),
        make_tag(
            "form",
            make_tag("table", head, rows, total),
            make_tag("button", "Change quantities"),
            method="post",
            action="/cart",
        ),
        make_tag("p", f"{taxes} with the order. A quantity of 0 takes a product out.", class_="hint"),
        make_tag("p", make_tag("a", "Go to checkout", href="/checkout", class_="button")),
    ]
    return Page("Cart", make_tag("section", body, class_="card"))


def _build_row(line: CartLine, currency: str) -> Html:
    name = line.product.name if line.product else f"Product {line.id}"
    entry = make_tag(
        "input",
        type="number",
        name=f"n{line.id}",
        value=str(line.quantity),
        aria_label=f"Quantity of {name}",
        min="0",
        class_="few",
    )
    cells = [
        [name, build_error(line.error)],
        format_money(line.price_cents, currency),
        entry,
        format_money(line.price_cents * line.quantity, currency),
    ]
    return make_tag("tr", [make_tag("td", cell) for cell in cells])


def _for_sale(store: Store, number: int) -> Product | None:
    """A product or variant that can be put into a cart."""
    products = store.find(Product, "id = ? AND status = 'publish' AND kind IN ('simple', 'variation')", [number])
    if products and products[0].parent_id is not None:
        parents = store.find(Product, "id = ? AND status = 'publish'", [products[0].parent_id])
        return products[0] if parents else None
    return next(iter(products), None)


def _find_fault(product: Product, quantity: int, now: datetime) -> str:
    """Why so many units cannot be ordered; empty where they can."""
    if price_of(product, now) is None:
        return "It has no price yet."
    if quantity > MAX_QUANTITY:
        return f"At most {MAX_QUANTITY:,} can be ordered at once."
    if product.backorders != "no":
        return ""
    if product.stock_status == "outofstock" or (product.stock is not None and product.stock < 1):
        return "It is out of stock."
    few = product.stock is not None and product.stock < quantity
    return f"Only {product.stock} are in stock." if few else ""


def _parse_quantity(text: str) -> int | None:
    """A quantity as it was typed; null where it is none."""
    text = text.strip()
    known = text.isascii() and text.isdigit() and len(text) <= 9 and int(text) <= MAX_QUANTITY
    return int(text) if known else None
