"""Stock: orders take their goods out of it and give them back."""

from dataclasses import replace

from yardkit.apps.shop import Order, OrderLine, Product, StockStatus
from yardkit.apps.store import Store
from yardkit.servers.shop.engine.orders import lines_of
from yardkit.world import Problem


def update_stock_status(product: Product) -> Product:
    """A product whose `stock_status` says what follows from its stock, where that is counted."""
    if product.stock is None:
        return product
    empty: StockStatus = "outofstock" if product.backorders == "no" else "onbackorder"
    return replace(product, stock_status="instock" if product.stock > 0 else empty)


def take_from_stock(store: Store, order: Order, *, strict: bool = True) -> None:
    """Take the goods of an order out of the stock, unless they are already.

    Raises:
        Problem: it is `strict`, and there is not enough.
    """
    for line in lines_of(store, order):
        product = _sold_of(store, line)
        if product is None or product.stock is None or line.from_stock:
            continue
        if strict and product.backorders == "no" and product.stock < line.quantity:
            raise too_few(product, line.quantity)
        store.put(update_stock_status(replace(product, stock=product.stock - line.quantity)))
        store.change(line, from_stock=line.quantity)


def give_back(store: Store, order: Order) -> None:
    """Put what an order took back into the stock."""
    for line in lines_of(store, order):
        restock_line(store, line, line.from_stock)


def restock_line(store: Store, line: OrderLine, quantity: int) -> None:
    """Put units of a line back into the stock, at most those that it took."""
    product, units = _sold_of(store, line), min(quantity, line.from_stock)
    if product is not None and product.stock is not None and units:
        store.put(update_stock_status(replace(product, stock=product.stock + units)))
        store.change(line, from_stock=line.from_stock - units)


def too_few(product: Product, quantity: int) -> Problem:
    """That there is not enough of a product."""
    return Problem(
        f"product {product.id} ({product.name!r}) has {product.stock} in stock, not {quantity}; order "
        "fewer, or allow backorders"
    )


def counted_product(store: Store, product: Product) -> Product:
    """The product whose units are counted: the variant itself, else the product of which it is one."""
    if product.stock is not None or product.parent_id is None:
        return product
    return next(iter(store.find(Product, "id = ?", [product.parent_id])), product)


def _sold_of(store: Store, line: OrderLine) -> Product | None:
    sold = next(iter(store.find(Product, "id = ?", [line.variant_id or line.product_id])), None)
    return counted_product(store, sold) if sold is not None else None
