"""Products, their variants, categories, tags and reviews."""

from collections.abc import Mapping, Sequence
from typing import Any

from yardkit.apps.shop import Category, Product, Review
from yardkit.apps.shop_sums import on_sale
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.shop.app import Data, check_fields, error_of, meta_of, page_of, parse_cents
from yardkit.compat.toolathlon.shop.objects import (
    EXTRA,
    category_object,
    product_object,
    review_object,
    tag_id,
    variation_object,
)
from yardkit.servers.shop.engine import catalog, categories
from yardkit.servers.shop.engine.context import opened_shop, slug_of
from yardkit.servers.shop.engine.shelf import Shelf
from yardkit.world import Problem, current_world

_DIRECT_FIELDS = {
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
_READ_ONLY_FIELDS = (
    *("permalink", "date_created", "date_created_gmt", "date_modified", "date_modified_gmt", "price", "on_sale"),
    *("purchasable", "total_sales", "backorders_allowed", "backordered", "average_rating", "rating_count"),
    *("variations", "date_on_sale_from_gmt", "date_on_sale_to_gmt"),
)


def woo_products_list(
    store: Store,
    perPage: int = 10,
    page: int = 1,
    search: str = "",
    status: str = "any",
    category: str = "",
    tag: str = "",
    sku: str = "",
    featured: bool | None = None,
    onSale: bool | None = None,
    minPrice: str = "",
    maxPrice: str = "",
    stockStatus: str | None = None,
    orderby: str = "date",
    order: str = "desc",
) -> Any:
    low, high = parse_cents("minPrice", minPrice), parse_cents("maxPrice", maxPrice)
    shelf = Shelf(store)
    where, values = ("status != 'trash'", []) if status == "any" else ("status = ?", [status])
    matching_products = store.search(
        Product, search, "name", "sku", "description", "short_description", where=f"{where} AND parent_id IS NULL",
        values=values, limit=1_000_000,
    ).items  # fmt: skip
    tests = (
        lambda product: not category or bool({*category.split(",")} & {*map(str, product.category_ids)}),
        lambda product: not tag or bool({*tag.split(",")} & {str(tag_id(name)) for name in product.tags}),
        lambda product: not sku or product.sku.casefold() in sku.casefold().split(","),
        lambda product: featured is None or product.featured == featured,
        lambda product: onSale is None or onSale == any(on_sale(part, store.now) for part in shelf.parts(product)),
        lambda product: low is None or (shelf.get_price(product) or 0) >= low,
        lambda product: high is None or (shelf.get_price(product) or 0) <= high,
        lambda product: stockStatus is None or shelf.status(product) == stockStatus,
    )
    matching_products = [product for product in matching_products if all(test(product) for test in tests)]
    matching_products.sort(key=lambda product: _rank_product(store, shelf, orderby, product), reverse=order == "desc")
    return [product_object(store, shelf, product) for product in page_of(matching_products, page, perPage)]


def _rank_product(store: Store, shelf: Shelf, orderby: str, product: Product) -> tuple[Any, int]:
    if orderby == "rating":
        ratings = [
            review.rating for review in store.find(Review, "product_id = ? AND status = 'approved'", [product.id])
        ]
        return sum(ratings) / max(len(ratings), 1), product.id
    keys: dict[str, Any] = {
        "date": product.created, "title": product.name.casefold(), "slug": product.slug,
        "price": shelf.get_price(product) or 0, "popularity": shelf.sold[product.id],
    }  # fmt: skip
    return keys.get(orderby, product.id), product.id


def woo_products_get(store: Store, productId: int) -> Any:
    return _build_product_object(store, store.get(Product, productId))


def woo_products_create(store: Store, productData: Data) -> Any:
    return _put_product(store, None, productData)


def woo_products_update(store: Store, productId: int, productData: Data) -> Any:
    return _put_product(store, productId, productData)


def woo_products_delete(productId: int, force: bool = False) -> Any:
    return _delete_product(productId, force=force)


def woo_products_batch_update(
    create: list[Data] | None = None, update: list[Data] | None = None, delete: list[int] | None = None
) -> Any:
    world = current_world()

    def saved(number: int | None, data: Data) -> Data:
        try:
            with opened_shop(world, writes=True) as store:
                return _put_product(store, number, data)
        except Problem as problem:
            return {"id": number or 0, "error": error_of(problem)}

    def gone(number: int) -> Data:
        try:
            return _delete_product(number, force=True)
        except Problem as problem:
            return {"id": number, "error": error_of(problem)}

    results = {
        "create": [saved(None, data) for data in create or ()],
        "update": [saved(int(data.get("id") or 0), data) for data in update or ()],
        "delete": [gone(number) for number in delete or ()],
    }
    return {name: results for name, results in results.items() if results}


def woo_products_variations_list(store: Store, productId: int, perPage: int = 10, page: int = 1) -> Any:
    shelf = Shelf(store, store.get(Product, productId).id)
    variations = page_of(shelf.variants[productId], page, perPage)
    return [variation_object(store, shelf, variant) for variant in variations]


def woo_products_categories_list(
    store: Store, perPage: int = 10, page: int = 1, search: str = "", parent: int | None = None, hideEmpty: bool = False
) -> Any:
    counts = {line.id: line.products for line in categories.category_lines(store)}
    matching_categories = store.search(Category, search, "name", "description", order="name", limit=1_000_000).items
    matching_categories = [
        category
        for category in matching_categories
        if (parent is None or (category.parent_id or 0) == parent) and (counts[category.id] or not hideEmpty)
    ]
    return [category_object(category, counts[category.id]) for category in page_of(matching_categories, page, perPage)]


def woo_products_categories_create(categoryData: Data) -> Any:
    check_fields(
        categoryData,
        dict.fromkeys(("name", "slug", "parent", "description", "menu_order")),
        ("menuOrder", "display", "image"),
    )
    world, parent = current_world(), categoryData.get("parent")
    line = categories.save_category(
        world, None, str(categoryData.get("name") or ""), str(categoryData.get("description") or ""), parent or None
    )
    with opened_shop(world, writes=True) as store:
        new_category = store.get(Category, line.id)
        slug = str(categoryData.get("slug") or new_category.slug)
        position = categoryData.get("menu_order", categoryData.get("menuOrder")) or new_category.position
        return category_object(store.change(new_category, slug=slug, position=int(position)), line.products)


def woo_products_tags_list(
    store: Store, perPage: int = 10, page: int = 1, search: str = "", hideEmpty: bool = False
) -> Any:
    used_tags = [tag for product in store.find(Product, "status != 'trash'") for tag in product.tags]
    names = sorted({tag for tag in used_tags if search.casefold() in tag.casefold()}, key=str.casefold)
    return [
        {"id": tag_id(tag), "name": tag, "slug": slug_of(tag), "description": "", "count": used_tags.count(tag)}
        for tag in page_of(names, page, perPage)
    ]


def woo_products_reviews_list(
    store: Store, productId: int | None = None, perPage: int = 10, page: int = 1, status: str = "approved"
) -> Any:
    conditions = {"product_id = ?": productId, "status = ?": None if status == "all" else status}
    chosen = {condition: value for condition, value in conditions.items() if value is not None}
    where = " AND ".join(["1", *chosen])
    matching_reviews = store.find(Review, where, [*chosen.values()], order="created DESC")
    products = {product.id: product for product in store.find(Product)}
    return [
        review_object(review, products.get(review.product_id)) for review in page_of(matching_reviews, page, perPage)
    ]


def _build_product_object(store: Store, product: Product) -> Data:
    if product.kind == "variation":
        return variation_object(store, Shelf(store, product.id), product)
    return product_object(store, Shelf(store, product.id), product)


def _put_product(store: Store, number: int | None, data: Mapping[str, Any]) -> Data:
    return _build_product_object(store, catalog.put_product(store, number, values_of(store, number, data)))


def _delete_product(number: int, *, force: bool) -> Data:
    world = current_world()
    with opened_shop(world) as store:
        product_data = _build_product_object(store, store.get(Product, number))
    catalog.delete_product(world, number, for_good=force)
    return product_data if force else {**product_data, "status": "trash"}


def values_of(store: Store, number: int | None, data: Mapping[str, Any]) -> dict[str, Any]:
    """What an object of theirs says of a product, as fields of ours.

    Raises:
        Problem: it has a field that is none, or a value of another kind.
    """
    check_fields(data, dict.fromkeys((*_DIRECT_FIELDS, *_READ, *EXTRA)), _READ_ONLY_FIELDS)
    for name, choices in _CHOICES.items():
        if name in data and data[name] not in choices:
            raise Problem(f"Invalid parameter(s): {name}: {data[name]!r} is none of {', '.join(choices)}")
    values = {ours: data[theirs] for theirs, ours in _DIRECT_FIELDS.items() if theirs in data}
    values |= {
        ours: parse_cents(theirs, data[theirs])
        for theirs, ours in (("regular_price", "price_cents"), ("sale_price", "sale_price_cents"))
        if theirs in data
    }
    values |= {name: values[name] or None for name in ("sale_from", "sale_until", "parent_id") if name in values}
    old = store.get(Product, number) if number is not None else None
    return values | _convert_data(store, data) | _parse_stock(old, data) | _collect_extras(old, data)


def _convert_data(store: Store, data: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if "tax_class" in data:
        values["tax_class"] = data["tax_class"] or "standard"
    if "weight" in data:
        values["weight_kg"] = float(data["weight"]) if data["weight"] not in (None, "") else None
    if "categories" in data:
        values["category_ids"] = [
            int(category_data["id"]) for category_data in _require_objects("categories", data["categories"], "id")
        ]
    if "tags" in data:
        values["tags"] = [_find_tag(store, tag_data) for tag_data in _require_objects("tags", data["tags"])]
    images = data.get("images", [data["image"]] if data.get("image") else None)
    if images is not None:
        values["images"] = [str(image_data["src"]) for image_data in _require_objects("images", images, "src")]
    if "attributes" in data:
        values["options"] = _parse_options(data["attributes"])
    if "meta_data" in data:
        values["meta"] = meta_of(data["meta_data"])
    return values


def _require_objects(name: str, given: Any, needed: str | None = None) -> Sequence[Data]:
    if not isinstance(given, list) or not all(
        isinstance(entry_data, dict) and (not needed or entry_data.get(needed)) for entry_data in given
    ):
        raise Problem(f"Invalid parameter(s): {name}: give a list of objects{f' with {needed}' if needed else ''}")
    return given


def _parse_options(given: Any) -> dict[str, list[str]]:
    options: dict[str, list[str]] = {}
    for attribute in _require_objects("attributes", given, "name"):
        chosen = (
            attribute.get("options") or [attribute["option"]] if attribute.get("option") else attribute.get("options")
        )
        options[str(attribute["name"])] = [str(option) for option in chosen or ()]
    return options


def _find_tag(store: Store, given: Data) -> str:
    if given.get("name"):
        return str(given["name"])
    names = {tag for product in store.find(Product) for tag in product.tags}
    matching_tags = [tag for tag in names if tag_id(tag) == given.get("id")]
    if not matching_tags:
        raise Problem(f"there is no tag {given.get('id')!r}; a new one is given by its name")
    return matching_tags[0]


def _parse_stock(old: Product | None, data: Mapping[str, Any]) -> dict[str, Any]:
    managed = data.get("manage_stock", old is not None and old.stock is not None)
    if managed is False:
        return {"stock": None} if "manage_stock" in data else {}
    quantity = data.get("stock_quantity", old.stock if old else None)
    return {"stock": int(quantity or 0)}


def _collect_extras(old: Product | None, data: Mapping[str, Any]) -> dict[str, Any]:
    extra_values = {name: value for name, value in data.items() if name in EXTRA and value != EXTRA[name]}
    dropped = {name for name, value in data.items() if name in EXTRA and value == EXTRA[name]}
    before = {name: value for name, value in (old.extra if old else {}).items() if name not in dropped}
    return {"extra": before | extra_values} if extra_values or dropped else {}
