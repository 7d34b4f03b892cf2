"""Products, their variants, categories, tags and reviews."""

# ruff: noqa: N803 - the names of the arguments are theirs
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from yardkit.apps.shop import Category, Product, Review
from yardkit.apps.shop_sums import on_sale
from yardkit.apps.store import Store
from yardkit.kit.dialect import Text
from yardkit.servers.shop.dialects.toolathlon.app import (
    Data,
    Ids,
    Many,
    Offset,
    Page,
    PerPage,
    Search,
    answer,
    cents,
    error_of,
    listed,
    meta_of,
    page_of,
    taken,
    woo,
)
from yardkit.servers.shop.dialects.toolathlon.objects import (
    EXTRA,
    category_object,
    product_object,
    review_object,
    tag_id,
    variation_object,
)
from yardkit.servers.shop.engine import catalog, categories
from yardkit.servers.shop.engine.ground import opened_shop, slug_of
from yardkit.servers.shop.engine.shelf import Shelf
from yardkit.world import Problem, current_world

ProductId = Annotated[int, Field(description="Product ID.", ge=1)]
ProductData = Annotated[
    Data,
    Field(
        description="name, type, status, sku, regular_price, sale_price, description, manage_stock, stock_quantity, "
        "categories [{id}], tags, images [{src}], attributes, meta_data [{key, value}]; a variation takes parent_id."
    ),
]
Force = Annotated[bool, Field(description="Force delete instead of moving to the trash.")]
Direction = Annotated[Literal["asc", "desc"], Field(description="Order direction.")]
_PLAIN = {
    "name": "name", "slug": "slug", "type": "kind", "status": "status", "featured": "featured", "sku": "sku",
    "description": "description", "short_description": "short_description", "stock_status": "stock_status",
    "backorders": "backorders", "low_stock_amount": "low_stock", "upsell_ids": "upsell_ids",
    "cross_sell_ids": "cross_sell_ids", "grouped_products": "grouped_ids", "parent_id": "parent_id",
    "date_on_sale_from": "sale_from", "date_on_sale_to": "sale_until",
}  # fmt: skip
_CHOICES = {
    "type": ("simple", "grouped", "external", "variable", "variation"),
    "status": ("draft", "pending", "private", "publish"),
    "stock_status": ("instock", "outofstock", "onbackorder"),
    "backorders": ("no", "notify", "yes"),
}
_READ = (
    *("regular_price", "sale_price", "tax_class", "manage_stock", "stock_quantity", "weight", "categories", "tags"),
    *("images", "image", "attributes", "meta_data"),
)
_SHOWN = (
    *("permalink", "date_created", "date_created_gmt", "date_modified", "date_modified_gmt", "price", "on_sale"),
    *("purchasable", "total_sales", "backorders_allowed", "backordered", "average_rating", "rating_count"),
    *("variations", "date_on_sale_from_gmt", "date_on_sale_to_gmt"),
)


@woo()
def woo_products_list(
    perPage: PerPage = 10,
    page: Page = 1,
    search: Search = "",
    status: Annotated[
        Literal["any", "publish", "draft", "private", "pending", "trash"], Field(description="Product status.")
    ] = "any",
    category: Annotated[str, Field(description="Category ID.", max_length=200)] = "",
    tag: Annotated[str, Field(description="Tag ID.", max_length=200)] = "",
    sku: Annotated[str, Field(description="Product SKU.", max_length=500)] = "",
    featured: Annotated[bool | None, Field(description="Featured products only.")] = None,
    onSale: Annotated[bool | None, Field(description="On sale products only.")] = None,
    minPrice: Annotated[str, Field(description="Minimum price.", max_length=20)] = "",
    maxPrice: Annotated[str, Field(description="Maximum price.", max_length=20)] = "",
    stockStatus: Annotated[
        Literal["instock", "outofstock", "onbackorder"] | None, Field(description="Stock status.")
    ] = None,
    orderby: Annotated[
        Literal["date", "id", "include", "title", "slug", "price", "popularity", "rating"],
        Field(description="Order by field."),
    ] = "date",
    order: Direction = "desc",
    offset: Offset = 0,
) -> Text:
    """List products with optional filters, 10 a page."""
    low, high = cents("minPrice", minPrice), cents("maxPrice", maxPrice)
    with opened_shop(current_world()) as store:
        shelf = Shelf(store)
        where, values = ("status != 'trash'", []) if status == "any" else ("status = ?", [status])
        found = store.search(
            Product, search, "name", "sku", "description", "short_description", where=f"{where} AND parent_id IS NULL",
            values=values, limit=1_000_000,
        ).items  # fmt: skip
        tests = (
            lambda one: not category or bool({*category.split(",")} & {*map(str, one.category_ids)}),
            lambda one: not tag or bool({*tag.split(",")} & {str(tag_id(name)) for name in one.tags}),
            lambda one: not sku or one.sku.casefold() in sku.casefold().split(","),
            lambda one: featured is None or one.featured == featured,
            lambda one: onSale is None or onSale == any(on_sale(part, store.now) for part in shelf.parts(one)),
            lambda one: low is None or (shelf.price(one) or 0) >= low,
            lambda one: high is None or (shelf.price(one) or 0) <= high,
            lambda one: stockStatus is None or shelf.status(one) == stockStatus,
        )
        found = [product for product in found if all(test(product) for test in tests)]
        found.sort(key=lambda one: _rank(store, shelf, orderby, one), reverse=order == "desc")
        return listed([product_object(store, shelf, one) for one in page_of(found, page, perPage)], offset)


def _rank(store: Store, shelf: Shelf, orderby: str, product: Product) -> tuple[Any, int]:
    if orderby == "rating":
        ratings = [one.rating for one in store.find(Review, "product_id = ? AND status = 'approved'", [product.id])]
        return sum(ratings) / max(len(ratings), 1), product.id
    keys: dict[str, Any] = {
        "date": product.created, "title": product.name.casefold(), "slug": product.slug,
        "price": shelf.price(product) or 0, "popularity": shelf.sold[product.id],
    }  # fmt: skip
    return keys.get(orderby, product.id), product.id


@woo()
def woo_products_get(productId: ProductId) -> Text:
    """Get a specific product by ID."""
    with opened_shop(current_world()) as store:
        return answer(_shown(store, store.get(Product, productId)))


@woo(writes=True, idempotent=False)
def woo_products_create(productData: ProductData) -> Text:
    """Create a new product."""
    with opened_shop(current_world(), writes=True) as store:
        return answer(_put(store, None, productData))


@woo(writes=True, destructive=True)
def woo_products_update(productId: ProductId, productData: ProductData) -> Text:
    """Update a product or a variation; what is not given stays."""
    with opened_shop(current_world(), writes=True) as store:
        return answer(_put(store, productId, productData))


@woo(writes=True, destructive=True, idempotent=False)
def woo_products_delete(productId: ProductId, force: Force = False) -> Text:
    """Delete a product."""
    return answer(_deleted(productId, force=force))


@woo(writes=True, destructive=True, idempotent=False)
def woo_products_batch_update(create: Many = None, update: Many = None, delete: Ids = None) -> Text:
    """Create, update and delete several products at once; what fails says so in its place."""
    world = current_world()

    def saved(number: int | None, data: Data) -> Data:
        try:
            with opened_shop(world, writes=True) as store:
                return _put(store, number, data)
        except Problem as problem:
            return {"id": number or 0, "error": error_of(problem)}

    def gone(number: int) -> Data:
        try:
            return _deleted(number, force=True)
        except Problem as problem:
            return {"id": number, "error": error_of(problem)}

    made = {
        "create": [saved(None, data) for data in create or ()],
        "update": [saved(int(data.get("id") or 0), data) for data in update or ()],
        "delete": [gone(number) for number in delete or ()],
    }
    return answer({name: results for name, results in made.items() if results})


@woo()
def woo_products_variations_list(
    productId: ProductId, perPage: PerPage = 10, page: Page = 1, offset: Offset = 0
) -> Text:
    """List product variations, 10 a page."""
    with opened_shop(current_world()) as store:
        shelf = Shelf(store, store.get(Product, productId).id)
        found = page_of(shelf.variants[productId], page, perPage)
        return listed([variation_object(store, shelf, variant) for variant in found], offset)


@woo()
def woo_products_categories_list(
    perPage: PerPage = 10,
    page: Page = 1,
    search: Search = "",
    parent: Annotated[int | None, Field(description="Parent category ID; 0 for the top.", ge=0)] = None,
    hideEmpty: Annotated[bool, Field(description="Hide empty categories.")] = False,
    offset: Offset = 0,
) -> Text:
    """List product categories, 10 a page."""
    with opened_shop(current_world()) as store:
        counts = {line.id: line.products for line in categories.category_lines(store)}
        found = store.search(Category, search, "name", "description", order="name", limit=1_000_000).items
        found = [
            one
            for one in found
            if (parent is None or (one.parent_id or 0) == parent) and (counts[one.id] or not hideEmpty)
        ]
        return listed([category_object(one, counts[one.id]) for one in page_of(found, page, perPage)], offset)


@woo(writes=True, idempotent=False)
def woo_products_categories_create(
    categoryData: Annotated[Data, Field(description="name, slug, parent, description, menuOrder.")],
) -> Text:
    """Create a new product category."""
    taken(
        categoryData,
        dict.fromkeys(("name", "slug", "parent", "description", "menu_order")),
        ("menuOrder", "display", "image"),
    )
    world, parent = current_world(), categoryData.get("parent")
    line = categories.save_category(
        world, None, str(categoryData.get("name") or ""), str(categoryData.get("description") or ""), parent or None
    )
    with opened_shop(world, writes=True) as store:
        made = store.get(Category, line.id)
        slug = str(categoryData.get("slug") or made.slug)
        position = categoryData.get("menu_order", categoryData.get("menuOrder")) or made.position
        return answer(category_object(store.change(made, slug=slug, position=int(position)), line.products))


@woo()
def woo_products_tags_list(
    perPage: PerPage = 10,
    page: Page = 1,
    search: Search = "",
    hideEmpty: Annotated[bool, Field(description="Hide empty tags; those of no product are none here.")] = False,  # noqa: ARG001
    offset: Offset = 0,
) -> Text:
    """List product tags, 10 a page."""
    with opened_shop(current_world()) as store:
        held = [tag for product in store.find(Product, "status != 'trash'") for tag in product.tags]
        names = sorted({tag for tag in held if search.casefold() in tag.casefold()}, key=str.casefold)
        shown = [
            {"id": tag_id(tag), "name": tag, "slug": slug_of(tag), "description": "", "count": held.count(tag)}
            for tag in page_of(names, page, perPage)
        ]
        return listed(shown, offset)


@woo()
def woo_products_reviews_list(
    productId: Annotated[int | None, Field(description="Product ID.", ge=1)] = None,
    perPage: PerPage = 10,
    page: Page = 1,
    status: Annotated[
        Literal["all", "hold", "approved", "spam", "trash"], Field(description="Review status.")
    ] = "approved",
    offset: Offset = 0,
) -> Text:
    """List product reviews, 10 a page, the newest first."""
    with opened_shop(current_world()) as store:
        conditions = {"product_id = ?": productId, "status = ?": None if status == "all" else status}
        chosen = {condition: value for condition, value in conditions.items() if value is not None}
        where = " AND ".join(["1", *chosen])
        found = store.find(Review, where, [*chosen.values()], order="created DESC")
        products = {product.id: product for product in store.find(Product)}
        shown = [review_object(one, products.get(one.product_id)) for one in page_of(found, page, perPage)]
        return listed(shown, offset)


def _shown(store: Store, product: Product) -> Data:
    if product.kind == "variation":
        return variation_object(store, Shelf(store, product.id), product)
    return product_object(store, Shelf(store, product.id), product)


def _put(store: Store, number: int | None, data: Mapping[str, Any]) -> Data:
    return _shown(store, catalog.put_product(store, number, values_of(store, number, data)))


def _deleted(number: int, *, force: bool) -> Data:
    world = current_world()
    with opened_shop(world) as store:
        shown = _shown(store, store.get(Product, number))
    catalog.delete_product(world, number, for_good=force)
    return shown if force else {**shown, "status": "trash"}


def values_of(store: Store, number: int | None, data: Mapping[str, Any]) -> dict[str, Any]:
    """What an object of theirs says of a product, as fields of ours.

    Raises:
        Problem: it has a field that is none, or a value of another kind.
    """
    taken(data, dict.fromkeys((*_PLAIN, *_READ, *EXTRA)), _SHOWN)
    for name, choices in _CHOICES.items():
        if name in data and data[name] not in choices:
            raise Problem(f"Invalid parameter(s): {name}: {data[name]!r} is none of {', '.join(choices)}")
    values = {ours: data[theirs] for theirs, ours in _PLAIN.items() if theirs in data}
    values |= {
        ours: cents(theirs, data[theirs])
        for theirs, ours in (("regular_price", "price_cents"), ("sale_price", "sale_price_cents"))
        if theirs in data
    }
    values |= {name: values[name] or None for name in ("sale_from", "sale_until", "parent_id") if name in values}
    old = store.get(Product, number) if number is not None else None
    return values | _converted(store, data) | _stock(old, data) | _kept(old, data)


def _converted(store: Store, data: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if "tax_class" in data:
        values["tax_class"] = data["tax_class"] or "standard"
    if "weight" in data:
        values["weight_kg"] = float(data["weight"]) if data["weight"] not in (None, "") else None
    if "categories" in data:
        values["category_ids"] = [int(one["id"]) for one in _objects("categories", data["categories"], "id")]
    if "tags" in data:
        values["tags"] = [_tag(store, one) for one in _objects("tags", data["tags"])]
    images = data.get("images", [data["image"]] if data.get("image") else None)
    if images is not None:
        values["images"] = [str(one["src"]) for one in _objects("images", images, "src")]
    if "attributes" in data:
        values["options"] = _options(data["attributes"])
    if "meta_data" in data:
        values["meta"] = meta_of(data["meta_data"])
    return values


def _objects(name: str, given: Any, needed: str | None = None) -> Sequence[Data]:
    if not isinstance(given, list) or not all(
        isinstance(one, dict) and (not needed or one.get(needed)) for one in given
    ):
        raise Problem(f"Invalid parameter(s): {name}: give a list of objects{f' with {needed}' if needed else ''}")
    return given


def _options(given: Any) -> dict[str, list[str]]:
    options: dict[str, list[str]] = {}
    for attribute in _objects("attributes", given, "name"):
        chosen = (
            attribute.get("options") or [attribute["option"]] if attribute.get("option") else attribute.get("options")
        )
        options[str(attribute["name"])] = [str(one) for one in chosen or ()]
    return options


def _tag(store: Store, given: Data) -> str:
    if given.get("name"):
        return str(given["name"])
    names = {tag for product in store.find(Product) for tag in product.tags}
    found = [tag for tag in names if tag_id(tag) == given.get("id")]
    if not found:
        raise Problem(f"there is no tag {given.get('id')!r}; a new one is given by its name")
    return found[0]


def _stock(old: Product | None, data: Mapping[str, Any]) -> dict[str, Any]:
    managed = data.get("manage_stock", old is not None and old.stock is not None)
    if managed is False:
        return {"stock": None} if "manage_stock" in data else {}
    quantity = data.get("stock_quantity", old.stock if old else None)
    return {"stock": int(quantity or 0)}


def _kept(old: Product | None, data: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in data.items() if name in EXTRA and value != EXTRA[name]}
    dropped = {name for name, value in data.items() if name in EXTRA and value == EXTRA[name]}
    before = {name: value for name, value in (old.extra if old else {}).items() if name not in dropped}
    return {"extra": before | kept} if kept or dropped else {}
