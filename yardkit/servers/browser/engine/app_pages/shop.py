"""The pages of the app `shop`: what a customer sees of it, from the list of products to the order."""

from collections.abc import Sequence
from urllib.parse import urlencode

from yardkit.apps.shop import Product, Review, StockStatus
from yardkit.apps.store import Store
from yardkit.kit.markup import Html, make_tag
from yardkit.servers.browser.engine.app_pages import shop_checkout
from yardkit.servers.browser.engine.app_pages.requests import NoPage, Page, Request, Sent, number_of, split_paragraphs
from yardkit.servers.browser.engine.app_pages.shop_cart import (
    cart_page,
    change_cart,
    is_sold,
    put_into_cart,
    variants_of,
)
from yardkit.servers.shop.engine.categories import CategoryLine, category_lines
from yardkit.servers.shop.engine.context import format_money, opened_shop, settings_of
from yardkit.servers.shop.engine.shelf import ProductLine, Shelf, Sought, find_products
from yardkit.world import World

_PER_PAGE = 24
_MAX_REVIEWS = 50
_IN_WORDS: dict[StockStatus, str] = {
    "instock": "In stock", "outofstock": "Out of stock", "onbackorder": "Can be back-ordered",
}  # fmt: skip


def name_of(world: World) -> str:
    """What stands above each page."""
    with opened_shop(world) as store:
        return settings_of(store).name


def address_of(world: World) -> str:
    """The address that the shop itself says it has."""
    with opened_shop(world) as store:
        return settings_of(store).url


def show_page(world: World, request: Request) -> Page:
    """The list of products, a product, the cart, the checkout, or an order that was made there.

    Raises:
        NoPage: there is none.
    """
    match request.path:
        case ():
            return _list_page(world, request)
        case ("product", name):
            return _product_page(world, name)
        case ("cart",):
            return cart_page(world, request)
        case ("checkout",):
            return shop_checkout.checkout_page(world, request)
        case ("order", number, key):
            return shop_checkout.order_page(world, number_of(number), key)
    raise NoPage("This shop has products, a cart and a checkout.")


def take_form(world: World, request: Request) -> Sent:
    """Put goods into the cart, change what is in it, or order it.

    Raises:
        NoPage: nothing is sent to this address.
    """
    match request.path:
        case ("cart", "add"):
            return put_into_cart(world, request)
        case ("cart",):
            return change_cart(world, request)
        case ("checkout",):
            return shop_checkout.order_cart(world, request)
    raise NoPage("This shop has products, a cart and a checkout.")


def _list_page(world: World, request: Request) -> Page:
    query, category = request.get_query_text("q").strip()[:200], request.get_query_text("category")
    place = max(1, number_of(request.get_query_text("page") or "1"))
    with opened_shop(world) as store:
        categories = category_lines(store)
    category_id = number_of(category) if category else None
    if category_id is not None and category_id not in [line.id for line in categories]:
        raise NoPage(f"There is no category {category_id}.")
    start = (place - 1) * _PER_PAGE
    product_page = find_products(world, Sought(query, category_id, for_customers=True), "name", start, _PER_PAGE)
    cards = [_build_card(line, product_page.currency) for line in product_page.products]
    count = "1 product" if product_page.total == 1 else f"{product_page.total} products"
    body = [
        make_tag("h1", "Products"),
        _build_search(query, category, categories),
        make_tag("p", f"{count}{f' for {query!r}' if query else ''}", role="status", class_="hint"),
        make_tag("ul", cards, class_="cards") if cards else make_tag("p", "Nothing is found; search for other words."),
        _build_pager(request, place, start + len(cards) < product_page.total),
    ]
    return Page("Products", Html("".join(filter(None, body))))


def _build_search(query: str, category: str, categories: Sequence[CategoryLine]) -> Html:
    options = [
        make_tag("option", line.name, value=str(line.id), selected=str(line.id) == category) for line in categories
    ]
    fields = [
        make_tag("input", type="search", name="q", value=query, aria_label="Search", placeholder="Search"),
        make_tag(
            "select", make_tag("option", "All categories", value=""), options, name="category", aria_label="Category"
        ),
        make_tag("button", "Search"),
    ]
    return make_tag("form", fields, method="get", action="/", class_="row")


def _build_card(line: ProductLine, currency: str) -> Html:
    price = "No price yet" if line.price_cents is None else format_money(line.price_cents, currency)
    return make_tag(
        "li",
        make_tag("a", line.name, href=f"/product/{line.id}"),
        make_tag(
            "p",
            "from " if line.variants else None,
            make_tag("strong", price),
            _build_regular_price(line, currency),
            class_="price",
        ),
        make_tag("p", _describe_availability(line.stock, line.stock_status), class_="hint"),
        class_="card",
    )


def _build_regular_price(line: ProductLine, currency: str) -> Html | None:
    was, now = line.regular_price_cents, line.price_cents
    return (
        None
        if was is None or now is None or was <= now
        else make_tag("span", f" instead of {format_money(was, currency)}", class_="hint")
    )


def _describe_availability(stock: int | None, status: StockStatus) -> str:
    counted = stock is not None and stock > 0 and status == "instock"
    return f"{stock} in stock" if counted else _IN_WORDS[status]


def _build_pager(request: Request, place: int, more: bool) -> Html | None:
    query_values = {name: request.get_query_text(name) for name in ("q", "category") if request.get_query_text(name)}

    def link(words: str, to: int) -> Html:
        return make_tag("a", words, href=f"/?{urlencode({**query_values, 'page': to})}")

    links = [link("Previous page", place - 1)] if place > 1 else []
    links += [link("Next page", place + 1)] if more else []
    return make_tag("nav", links, class_="row", aria_label="Pages") if links else None


def _product_page(world: World, name: str) -> Page:
    with opened_shop(world) as store:
        product = _product_of(store, name)
        shelf = Shelf(store, product.id, for_customers=True)
        line, currency = shelf.line(product), shelf.settings.currency
        where = "product_id = ? AND status = 'approved'"
        reviews = store.read_page(Review, where, [product.id], order="created DESC", limit=_MAX_REVIEWS).items
        price = "No price yet" if line.price_cents is None else format_money(line.price_cents, currency)
        facts = [
            make_tag("tr", make_tag("th", key), make_tag("td", ", ".join(values)))
            for key, values in product.options.items()
        ]
        body = make_tag(
            "section",
            make_tag("h1", product.name),
            make_tag(
                "p",
                "from " if line.variants else None,
                make_tag("strong", price),
                _build_regular_price(line, currency),
                class_="price",
            ),
            make_tag("p", _describe_availability(line.stock, line.stock_status), class_="hint"),
            split_paragraphs(product.description or product.short_description),
            make_tag("p", f"SKU {product.sku}", class_="hint") if product.sku else None,
            make_tag("table", facts) if facts and product.kind != "variable" else None,
            _order_form(shelf, product, currency),
            class_="card",
        )
        return Page(product.name, Html(body + _build_reviews(reviews)))


def _product_of(store: Store, name: str) -> Product:
    """A product that is for sale, by its number or by its name in addresses; of a variant, that which it is one of."""
    key = ("id = ?", [number_of(name)]) if name.isdigit() else ("slug = ?", [name])
    products = store.find(Product, f"{key[0]} AND status = 'publish'", key[1])
    if products and products[0].parent_id is not None:
        products = store.find(Product, "id = ? AND status = 'publish'", [products[0].parent_id])
    if not products:
        raise NoPage("There is no such product, or it is not for sale.")
    return products[0]


def _order_form(shelf: Shelf, product: Product, currency: str) -> Html:
    if product.kind == "external":
        return make_tag("p", "This product is sold by another shop.")
    if product.kind == "grouped":
        parts = shelf.store.find(Product, "status = 'publish' AND parent_id IS NULL")
        links = [
            make_tag("li", make_tag("a", p.name, href=f"/product/{p.id}")) for p in parts if p.id in product.grouped_ids
        ]
        return make_tag("div", make_tag("p", "It consists of:"), make_tag("ul", links))
    if product.kind == "variable":
        sold = [variant for variant in variants_of(shelf.store, product) if is_sold(variant, shelf.store.now)]
        options = [
            make_tag("option", _describe_variant(shelf, variant, currency), value=str(variant.id)) for variant in sold
        ]
        goods = make_tag("select", options, name="product", id="product", aria_label="Variant")
    else:
        sold = [product] if is_sold(product, shelf.store.now) else []
        goods = make_tag("input", type="hidden", name="product", value=str(product.id))
    if not sold:
        return make_tag("p", "It cannot be ordered now.", role="status")
    quantity = make_tag(
        "input", type="number", name="quantity", value="1", min="1", aria_label="Quantity", class_="few"
    )
    button = make_tag("button", "Put into cart")
    return make_tag("form", goods, quantity, button, method="post", action="/cart/add", class_="row", novalidate=True)


def _describe_variant(shelf: Shelf, variant: Product, currency: str) -> str:
    line = shelf.line(variant)
    chosen = ", ".join(value for values in variant.options.values() for value in values) or variant.name
    return (
        f"{chosen}: {format_money(line.price_cents or 0, currency)},"
        f" {_describe_availability(line.stock, line.stock_status).lower()}"
    )


def _build_reviews(reviews: Sequence[Review]) -> Html:
    review_items = [
        make_tag(
            "li",
            make_tag("p", make_tag("strong", f"{review.rating} of 5"), f" {review.reviewer}"),
            split_paragraphs(review.text),
        )
        for review in reviews
    ]
    return (
        make_tag("section", make_tag("h2", "Reviews"), make_tag("ul", review_items, class_="plain"), class_="card")
        if review_items
        else Html()
    )
