"""Categories of products, and what customers say of products."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Literal

from yardkit.apps.shop import Category, Product, Review, ReviewStatus
from yardkit.apps.store import Store, drop_missing
from yardkit.servers.shop.engine.context import build_time_conditions, opened_shop, slug_of, take_fitting
from yardkit.world import Problem, World


@dataclass(frozen=True)
class CategoryLine:
    """A category and how many products it has, those of its parts not counted."""

    id: int
    name: str
    slug: str
    products: int
    parent_id: int | None = None
    description: str = ""


@dataclass(frozen=True)
class Categories:
    """All categories, each behind the one that it is part of."""

    categories: list[CategoryLine]


@dataclass(frozen=True)
class Reviews:
    """A page of reviews. total: all that match; next_offset: where it goes on, null at its end."""

    reviews: list[Review]
    total: int
    next_offset: int | None = None


def list_categories(world: World) -> Categories:
    """All categories with their numbers of products, each behind the one that it is part of."""
    with opened_shop(world) as store:
        return Categories(category_lines(store))


def category_lines(store: Store) -> list[CategoryLine]:
    """All categories in the order of their tree."""
    counts = Counter(
        category for product in store.find(Product, "status = 'publish'") for category in product.category_ids
    )
    categories = store.find(Category, order="position, name")
    known = {category.id for category in categories}
    lines: list[CategoryLine] = []

    def add(parent: int | None) -> None:
        for category in categories:
            if (category.parent_id if category.parent_id in known else None) == parent:
                lines.append(_category_line(category, counts[category.id]))
                add(category.id)

    add(None)
    return lines


def save_category(
    world: World,
    category_id: int | None = None,
    name: str | None = None,
    description: str | None = None,
    parent_id: int | None = None,
    *,
    at_top: bool = False,
) -> CategoryLine:
    """A new category, or changes to the one of this number.

    Raises:
        Problem: there is none, it has no name or another's, or it would be part of itself.
    """
    with opened_shop(world, writes=True) as store:
        if category_id is None:
            if not (name or "").strip():
                raise Problem("a new category needs a name")
            old = Category(store.next_id(Category), "", "", position=store.count(Category) + 1)
        else:
            old = store.get(Category, category_id)
        new = replace(old, **drop_missing(name=name and name.strip(), description=description, parent_id=parent_id))
        new = replace(new, slug=slug_of(new.name) if name else new.slug, parent_id=None if at_top else new.parent_id)
        _require_place(store, new)
        products = [product for product in store.find(Product, "status = 'publish'") if new.id in product.category_ids]
        return _category_line(store.put(new), len(products))


def find_reviews(
    world: World,
    product_id: int | None = None,
    query: str = "",
    status: ReviewStatus | Literal["any"] = "any",
    max_rating: int | None = None,
    since: str = "",
    until: str = "",
    offset: int = 0,
    limit: int = 50,
) -> Reviews:
    """Reviews of which all holds that is given, newest first.

    Raises:
        Problem: there is no such product, or a time cannot be read.
    """
    with opened_shop(world) as store:
        conditions, values = build_time_conditions(store.now, "created", since, until)
        if product_id is not None:
            store.get(Product, product_id)
        choices: list[tuple[str, Any]] = [
            ("product_id = ?", product_id),
            ("rating <= ?", max_rating),
            ("status = ?", None if status == "any" else status),
        ]
        chosen = [(condition, value) for condition, value in choices if value is not None]
        where = " AND ".join(["1", *conditions, *(condition for condition, _ in chosen)])
        page = store.search(
            Review, query, "text", "reviewer", "email", where=where, values=[*values, *(value for _, value in chosen)],
            order="created DESC", offset=offset, limit=limit,
        )  # fmt: skip
        return Reviews(*take_fitting(page.items, page.total, offset))


def _require_place(store: Store, category: Category) -> None:
    same = [
        category_with_slug
        for category_with_slug in store.find(Category, "slug = ?", [category.slug])
        if category_with_slug.id != category.id
    ]
    if any(sibling.parent_id == category.parent_id for sibling in same):
        raise Problem(f"category {same[0].id} already has the name {same[0].name!r}")
    above: Category | None = category
    while above is not None and above.parent_id is not None:
        above = store.get(Category, above.parent_id)
        if above.id == category.id:
            raise Problem(f"category {category.id} cannot be its own parent; choose another parent_id")


def _category_line(category: Category, products: int) -> CategoryLine:
    return CategoryLine(category.id, category.name, category.slug, products, category.parent_id, category.description)
