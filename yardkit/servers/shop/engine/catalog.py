"""Products and their variants: they are read, saved, deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from yardkit.apps.shop import Category, Product, Review
from yardkit.apps.shop_sums import price_of
from yardkit.apps.store import Store
from yardkit.kit.times import to_moment
from yardkit.servers.shop.engine.context import merged_meta, opened_shop, slug_of
from yardkit.servers.shop.engine.shelf import ProductLine, Shelf
from yardkit.servers.shop.engine.stock import update_stock_status
from yardkit.world import Problem, World

MAX_VARIANTS = 100
"""Of one product."""


@dataclass(frozen=True)
class ProductView:
    """A product as it is kept, and what follows from it.

    Attributes:
        now_cents: what it costs now; null where it has no price of its own.
        sold: units in all orders.
        rating: mean of the approved reviews, of which there are `reviews`; null without one.
    """

    currency: str
    product: Product
    now_cents: int | None
    variants: list[ProductLine] = field(default_factory=list)
    sold: int = 0
    reviews: int = 0
    rating: float | None = None


@dataclass(frozen=True)
class Deleted:
    """A product that is gone, or in the trash, and the variants that went with it."""

    id: int
    sku: str
    name: str
    for_good: bool
    variants: int = 0


def read_product(world: World, product_id: int | None = None, sku: str = "") -> ProductView:
    """A product by its number or its SKU.

    Raises:
        Problem: there is none, or neither is given.
    """
    with opened_shop(world) as store:
        return view_of(store, product_of(store, product_id, sku))


def product_of(store: Store, product_id: int | None, sku: str = "") -> Product:
    """A product by its number, else by its SKU.

    Raises:
        Problem: there is none, or neither is given.
    """
    if product_id is not None:
        return store.get(Product, product_id)
    products = store.find(Product, "sku = ? COLLATE NOCASE AND sku != ''", [sku])
    if not products:
        near = store.search(Product, sku, "sku", "name", limit=5).items if sku else []
        named = ", ".join(f"{product.sku} ({product.id})" for product in near) or "find_products lists all products"
        raise Problem(f"there is no product with the SKU {sku!r}; {named}")
    return products[0]


def view_of(store: Store, product: Product) -> ProductView:
    """A product with what follows from other records."""
    shelf = Shelf(store, product.id)
    ratings = [review.rating for review in store.find(Review, "product_id = ? AND status = 'approved'", [product.id])]
    return ProductView(
        shelf.settings.currency,
        product,
        price_of(product, store.now),
        [shelf.line(variant) for variant in shelf.variants[product.id]],
        shelf.sold[product.id],
        len(ratings),
        round(sum(ratings) / len(ratings), 2) if ratings else None,
    )


def save_product(
    world: World, product_id: int | None, values: Mapping[str, Any], clear: Sequence[str] = ()
) -> ProductView:
    """A new product, or changes to the one of this number: the fields that `values` names; those of `clear` are empty.

    Raises:
        Problem: there is none, a value does not fit, or the SKU is another's.
    """
    with opened_shop(world, writes=True) as store:
        return view_of(store, put_product(store, product_id, values, clear))


def put_product(store: Store, product_id: int | None, values: Mapping[str, Any], clear: Sequence[str] = ()) -> Product:
    """As `save_product`, within a transaction."""
    values = {**dict.fromkeys(clear), **values}
    for name, end in (("sale_from", False), ("sale_until", True)):
        if values.get(name):
            values[name] = to_moment(store.now, values[name], end=end)
    old = store.get(Product, product_id) if product_id is not None else _make_product(store, values)
    values["meta"] = merged_meta(old.meta, values.get("meta"))
    new = update_stock_status(replace(old, **values, modified=store.now.isoformat()))
    _require_sound(store, new)
    if new.parent_id is not None and product_id is None:
        parent = store.get(Product, new.parent_id)
        if parent.kind == "simple":
            store.change(parent, kind="variable", modified=new.modified)
    return store.put(new)


def delete_product(world: World, product_id: int, *, for_good: bool = False) -> Deleted:
    """Put a product and its variants into the trash, or remove them for good; orders keep their lines.

    Raises:
        Problem: there is none.
    """
    with opened_shop(world, writes=True) as store:
        product = store.get(Product, product_id)
        variants = store.find(Product, "parent_id = ?", [product_id])
        for gone in (*variants, product):
            if for_good:
                store.remove(gone)
            else:
                store.change(gone, status="trash", modified=store.now.isoformat())
        return Deleted(product.id, product.sku, product.name, for_good, len(variants))


def _make_product(store: Store, values: Mapping[str, Any]) -> Product:
    name = str(values.get("name") or "").strip()
    parent_id = values.get("parent_id")
    parent = store.get(Product, parent_id) if parent_id is not None else None
    if parent is not None and not name:
        chosen = (value for values_of in (values.get("options") or {}).values() for value in values_of)
        name = f"{parent.name} - {', '.join(chosen)}"
    if not name:
        raise Problem("a new product needs a name")
    return Product(
        store.next_id(Product), name, str(values.get("slug") or slug_of(name)), "variation" if parent else "simple",
        "publish", "", store.make_stamp(Product, "created"), store.now.isoformat(), parent_id,
        tax_class=parent.tax_class if parent else "standard",
    )  # fmt: skip


def _require_sound(store: Store, product: Product) -> None:
    """That a product is none that the shop could not show.

    Raises:
        Problem: it could not.
    """
    if not product.name.strip():
        raise Problem("a product must have a name")
    prices = [price for price in (product.price_cents, product.sale_price_cents) if price is not None]
    if any(price < 0 for price in prices):
        raise Problem(f"a price of {min(prices)} is negative; use 0 or more")
    if len(prices) == 2 and prices[1] >= prices[0]:
        raise Problem(f"the sale price {prices[1]} is not below the regular price {prices[0]}")
    if product.sale_from and product.sale_until and product.sale_until <= product.sale_from:
        raise Problem(f"the sale would end at {product.sale_until}, before it begins at {product.sale_from}")
    for category in product.category_ids:
        store.get(Category, category)
    for other in (*product.upsell_ids, *product.cross_sell_ids, *product.grouped_ids):
        store.get(Product, other)
    _require_own_sku(store, product)
    if product.parent_id is not None:
        _require_own_options(store, product)


def _require_own_sku(store: Store, product: Product) -> None:
    same = store.find(Product, "sku = ? AND id != ? AND status != 'trash'", [product.sku, product.id])
    if product.sku and same:
        raise Problem(
            f"the SKU {product.sku!r} is already used by product {same[0].id} ({same[0].name!r}); use another one"
        )


def _require_own_options(store: Store, variant: Product) -> None:
    parent = store.get(Product, variant.parent_id or 0)
    others = store.find(Product, "parent_id = ? AND id != ? AND status != 'trash'", [parent.id, variant.id])
    if parent.parent_id is not None or parent.kind not in ("simple", "variable"):
        raise Problem(f"product {parent.id} is of kind {parent.kind!r}, which cannot have variants")
    if len(others) >= MAX_VARIANTS:
        raise Problem(f"product {parent.id} has {len(others)} variants, the limit")
    if any(len(values) != 1 for values in variant.options.values()) or not variant.options:
        raise Problem(
            f"a variant must have one value for each option, such as {{'Size': ['M']}}, not {variant.options!r}"
        )
    same = [other.id for other in others if other.options == variant.options]
    if same:
        raise Problem(f"variant {same[0]} already has the options {variant.options!r}; change that one")
