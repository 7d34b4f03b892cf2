"""Customers: they are found and saved, with what they ordered."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from yardkit.apps.shop import SOLD, Address, Customer, Order
from yardkit.apps.store import Store, drop_missing
from yardkit.servers.shop.engine.context import Parts, merged_address, merged_meta, opened_shop, take_fitting
from yardkit.world import Problem, World

SortBy = Literal["name", "newest", "orders", "spent"]
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


@dataclass(frozen=True)
class CustomerLine:
    """A customer and what came of them: orders that count as sales, what they paid, and when the last was made."""

    id: int
    email: str
    name: str
    created: str
    orders: int
    spent_cents: int
    last_order: str | None = None
    role: str = "customer"
    billing: Address | None = None
    shipping: Address | None = None
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Customers:
    """A page of customers. total: all that match; next_offset: where it goes on, null at its end."""

    customers: list[CustomerLine]
    total: int
    next_offset: int | None = None


def find_customers(
    world: World,
    query: str = "",
    customer_id: int | None = None,
    sort_by: SortBy = "name",
    offset: int = 0,
    limit: int = 50,
    *,
    details: bool = False,
) -> Customers:
    """Customers in whose names, addresses or further values each word stands; with `details` all that is known.

    Raises:
        Problem: there is none of this number.
    """
    with opened_shop(world) as store:
        if customer_id is not None:
            customers = [store.get(Customer, customer_id)]
        else:
            customers = [customer for customer in store.find(Customer) if _matches_query(customer, query)]
        sales = sales_of(store)
        lines = sorted(
            (line_of(customer, sales, details=details) for customer in customers), key=_get_sort_key(sort_by)
        )
        return Customers(*take_fitting(lines[offset : offset + limit], len(lines), offset))


def save_customer(
    world: World,
    customer_id: int | None = None,
    email: str | None = None,
    first_name: str | None = None,
    last_name: str | None = None,
    billing: Parts | None = None,
    shipping: Parts | None = None,
    meta: Mapping[str, Any] | None = None,
) -> CustomerLine:
    """A new customer, or changes to the one of this number.

    Raises:
        Problem: there is none, the address is none, or it is another customer's.
    """
    values = {"email": email, "first_name": first_name, "last_name": last_name}
    with opened_shop(world, writes=True) as store:
        customer = put_customer(store, customer_id, drop_missing(**values), billing, shipping, meta)
        return line_of(customer, sales_of(store), details=True)


def put_customer(
    store: Store,
    customer_id: int | None,
    values: Mapping[str, Any],
    billing: Parts | None,
    shipping: Parts | None,
    meta: Mapping[str, Any] | None,
) -> Customer:
    """As `save_customer`, within a transaction."""
    values = {key: str(value).strip() for key, value in values.items()}
    if customer_id is None:
        email = values.get("email", "")
        name = values.get("username") or email.split("@")[0]
        old = Customer(store.next_id(Customer), email, "", "", name, store.make_stamp(Customer, "created"), "")
    else:
        old = store.get(Customer, customer_id)
    named: dict[str, Any] = values
    new = replace(
        old, **named, billing=merged_address(old.billing, billing), shipping=merged_address(old.shipping, shipping),
        meta=merged_meta(old.meta, meta), modified=store.now.isoformat(),
    )  # fmt: skip
    if not _MAIL.fullmatch(new.email):
        raise Problem(f"{new.email!r} is not a valid mail address; give one such as ada@example.com")
    same = store.find(Customer, "email = ? COLLATE NOCASE AND id != ?", [new.email, new.id])
    if same:
        raise Problem(f"customer {same[0].id} already has the address {new.email!r}")
    return store.put(new)


def sales_of(store: Store) -> dict[int, list[Order]]:
    """The orders of each customer that count as sales, oldest first."""
    sales: dict[int, list[Order]] = {}
    for order in store.find(Order, "customer_id IS NOT NULL", order="created"):
        if order.status in SOLD:
            sales.setdefault(order.customer_id or 0, []).append(order)
    return sales


def line_of(customer: Customer, sales: Mapping[int, list[Order]], *, details: bool) -> CustomerLine:
    """A customer as it stands in a list."""
    orders = sales.get(customer.id, [])
    more = (customer.billing, customer.shipping, customer.meta) if details else (None, None, {})
    return CustomerLine(
        customer.id, customer.email, f"{customer.first_name} {customer.last_name}".strip(), customer.created,
        len(orders), sum(order.total_cents for order in orders), orders[-1].created if orders else None,
        customer.role, *more,
    )  # fmt: skip


def _matches_query(customer: Customer, query: str) -> bool:
    parts = [
        customer.email, customer.first_name, customer.last_name, customer.username,
        *vars(customer.billing).values(), *vars(customer.shipping).values(), *map(str, customer.meta.values()),
    ]  # fmt: skip
    searched_text = "\n".join(parts).casefold()
    return all(word in searched_text for word in query.casefold().split())


def _get_sort_key(sort_by: SortBy) -> Any:
    keys = {
        "name": lambda line: (line.name.split()[-1:], line.name, line.id),
        "newest": lambda line: (tuple(-ord(letter) for letter in line.created), line.id),
        "orders": lambda line: (-line.orders, line.id),
        "spent": lambda line: (-line.spent_cents, line.id),
    }
    return keys[sort_by]
