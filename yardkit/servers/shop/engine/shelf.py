"""Finding products: what they cost now, what is left of them, how they stand in a list."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from yardkit.apps.shop import Category, OrderLine, Product, ProductStatus, StockStatus
from yardkit.apps.shop_sums import on_sale, price_of
from yardkit.apps.store import Store
from yardkit.servers.shop.engine.context import opened_shop, settings_of, take_fitting
from yardkit.world import World

Stocked = Literal["any", "in", "low", "out"]
SortBy = Literal["name", "price", "stock", "sold", "newest"]


@dataclass(frozen=True)
class ProductLine:
    """A product in a list.

    Attributes:
        price_cents: what it costs now; of one that is sold as variants, the lowest of them.
        regular_price_cents: only while that price is of a sale.
        stock: units; null where they are not counted. Of one that is sold as variants, of all of them.
        variants: how many it has.
    """

    id: int
    sku: str
    name: str
    price_cents: int | None
    stock: int | None
    stock_status: StockStatus
    status: ProductStatus = "publish"
    parent_id: int | None = None
    options: dict[str, list[str]] = field(default_factory=dict)
    regular_price_cents: int | None = None
    variants: int = 0


@dataclass(frozen=True)
class Products:
    """A page of products. total: all that match; next_offset: where it goes on, null at its end."""

    currency: str
    products: list[ProductLine]
    total: int
    next_offset: int | None = None


@dataclass(frozen=True)
class Sought:
    """What products are looked for.

    Attributes:
        max_price_cents, min_price_cents: of what they cost now.
        for_customers: only what customers see counts: published variants, and no words of `meta`.
    """

    query: str = ""
    category_id: int | None = None
    tag: str = ""
    status: ProductStatus | Literal["any"] = "publish"
    stock: Stocked = "any"
    sale: bool | None = None
    min_price_cents: int | None = None
    max_price_cents: int | None = None
    with_variants: bool = False
    for_customers: bool = False


def find_products(
    world: World,
    sought: Sought,
    sort_by: SortBy = "name",
    offset: int = 0,
    limit: int = 50,
    *,
    descending: bool = False,
) -> Products:
    """Products of which all holds that is sought, with `with_variants` each variant by itself instead of its product.

    Raises:
        Problem: there is no such category.
    """
    with opened_shop(world) as store:
        if sought.category_id is not None:
            store.get(Category, sought.category_id)
        shelf = Shelf(store, for_customers=sought.for_customers)
        products = [product for product in shelf.find_products(sought) if _fits_search(shelf, product, sought)]
        products = sorted(
            products, key=_get_sort_key(shelf, sort_by), reverse=descending != (sort_by in ("sold", "newest"))
        )
        page = [shelf.line(product) for product in products[offset : offset + limit]]
        return Products(shelf.settings.currency, *take_fitting(page, len(products), offset))


class Shelf:
    """The products of a shop with what their lines in a list need.

    Args:
        store: of the shop.
        of: only what the variants of this one need.
        for_customers: only variants that are published.
    """

    def __init__(self, store: Store, of: int | None = None, *, for_customers: bool = False) -> None:
        self.store, self.settings, self._of = store, settings_of(store), of
        self.variants: dict[int, list[Product]] = defaultdict(list)
        where, values = ("parent_id = ?", [of]) if of else ("parent_id IS NOT NULL", [])
        status = "= 'publish'" if for_customers else "!= 'trash'"
        for variant in store.find(Product, f"{where} AND status {status}", values):
            self.variants[variant.parent_id or 0].append(variant)

    @cached_property
    def sold(self) -> Counter[int]:
        """Units in all orders by the number of a product or variant."""
        counts: Counter[int] = Counter()
        where, values = ("product_id = ? OR variant_id = ?", [self._of, self._of]) if self._of else ("1", [])
        for line in self.store.find(OrderLine, where, values):
            counts[line.product_id] += line.quantity
            counts[line.variant_id or 0] += line.quantity
        return counts

    def find_products(self, sought: Sought) -> list[Product]:
        """Those that hold the words that are sought, of this status."""
        where, values = ("1", []) if sought.status == "any" else ("status = ?", [sought.status])
        columns = ["name", "sku", "description", "short_description", "tags", "options"]
        columns += [] if sought.for_customers else ["meta"]
        page = self.store.search(Product, sought.query, *columns, where=where, values=values, limit=1_000_000)
        if sought.with_variants:
            return [product for product in page.items if product.kind != "variable"]
        by_variant = {product.parent_id for product in page.items if product.parent_id is not None}
        own = {product.id: product for product in page.items if product.parent_id is None}
        for parent in by_variant - set(own) if sought.query else ():
            own |= {
                product.id: product for product in self.store.find(Product, f"id = ? AND {where}", [parent, *values])
            }
        return list(own.values())

    def parts(self, product: Product) -> list[Product]:
        """What is sold: its variants, or itself."""
        return self.variants[product.id] if product.kind == "variable" else [product]

    def get_price(self, product: Product) -> int | None:
        """What it costs now, at least."""
        prices = [price_of(part, self.store.now) for part in self.parts(product)]
        return min((price for price in prices if price is not None), default=None)

    def count_stock(self, product: Product) -> int | None:
        """Units of all its parts that are counted; null where none is."""
        counted = [part.stock for part in self.parts(product) if part.stock is not None]
        return sum(counted) if counted else product.stock

    def is_low(self, product: Product) -> bool:
        """Whether it, or a variant of it, has few units, or none."""
        bounds = [(part.stock, part.low_stock or product.low_stock) for part in self.parts(product)]
        return any(
            stock is not None and stock <= (self.settings.low_stock if low is None else low) for stock, low in bounds
        )

    def line(self, product: Product) -> ProductLine:
        """A product as it stands in a list."""
        parts = self.parts(product)
        return ProductLine(
            product.id,
            product.sku,
            product.name,
            self.get_price(product),
            self.count_stock(product),
            self.status(product),
            product.status,
            product.parent_id,
            product.options if product.parent_id else {},
            self._regular_price(product),
            len(parts) if product.kind == "variable" else 0,
        )

    def _regular_price(self, product: Product) -> int | None:
        """What it costs without the sale that its price is of; null where it is of none."""
        now = self.store.now
        sold = [part for part in self.parts(product) if price_of(part, now) is not None]
        cheapest = min(sold, key=lambda part: (price_of(part, now), on_sale(part, now)), default=None)
        return cheapest.price_cents if cheapest and on_sale(cheapest, now) else None

    def status(self, product: Product) -> StockStatus:
        """In stock where any of its parts is."""
        stock_statuses = [
            product.stock_status if part.stock is None and product.stock is not None else part.stock_status
            for part in self.parts(product)
        ] or [product.stock_status]
        ranks: tuple[StockStatus, ...] = ("instock", "onbackorder", "outofstock")
        return min(stock_statuses, key=ranks.index)


def _fits_search(shelf: Shelf, product: Product, sought: Sought) -> bool:
    owner = shelf.store.get(Product, product.parent_id) if product.parent_id and sought.category_id else product
    price = shelf.get_price(product)
    return all(
        (
            sought.category_id is None or sought.category_id in owner.category_ids,
            not sought.tag or sought.tag.casefold() in map(str.casefold, product.tags),
            sought.sale is None or sought.sale == any(on_sale(p, shelf.store.now) for p in shelf.parts(product)),
            sought.min_price_cents is None or (price is not None and price >= sought.min_price_cents),
            sought.max_price_cents is None or (price is not None and price <= sought.max_price_cents),
            _is_stocked(shelf, product, sought.stock),
        )
    )


def _is_stocked(shelf: Shelf, product: Product, stock: Stocked) -> bool:
    if stock == "low":
        return shelf.is_low(product)
    return stock == "any" or (shelf.status(product) == "outofstock") == (stock == "out")


def _get_sort_key(shelf: Shelf, sort_by: SortBy) -> Callable[[Product], Any]:
    keys: dict[SortBy, Callable[[Product], Any]] = {
        "name": lambda product: (product.name.casefold(), product.id),
        "price": lambda product: (shelf.get_price(product) or 0, product.id),
        "stock": lambda product: (shelf.count_stock(product) or 0, product.id),
        "sold": lambda product: (shelf.sold[product.id], -product.id),
        "newest": lambda product: (product.created, product.id),
    }
    return keys[sort_by]
