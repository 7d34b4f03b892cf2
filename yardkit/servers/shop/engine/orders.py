"""Orders are found and read."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from yardkit.apps.shop import Address, Customer, Order, OrderLine, OrderNote, OrderStatus, Product, Refund
from yardkit.apps.store import Store
from yardkit.servers.shop.engine.context import build_time_conditions, opened_shop, settings_of, take_fitting
from yardkit.world import World

SortBy = Literal["newest", "oldest", "largest", "smallest"]
_ORDERS: dict[SortBy, str] = {
    "newest": "created DESC", "oldest": "created", "largest": "total_cents DESC", "smallest": "total_cents",
}  # fmt: skip


@dataclass(frozen=True)
class OrderRow:
    """An order in a list. lines: how many; refunded_cents: of the total."""

    id: int
    created: str
    status: OrderStatus
    customer: str
    email: str
    total_cents: int
    lines: int
    customer_id: int | None = None
    country: str = ""
    refunded_cents: int = 0


@dataclass(frozen=True)
class Orders:
    """A page of orders. total: all that match; next_offset: where it goes on, null at its end."""

    currency: str
    orders: list[OrderRow]
    total: int
    next_offset: int | None = None


@dataclass(frozen=True)
class OrderView:
    """An order with its lines, refunds and notes. left_cents: of the total, after refunds."""

    order: Order
    lines: list[OrderLine]
    left_cents: int
    refunds: list[Refund] = field(default_factory=list)
    notes: list[OrderNote] = field(default_factory=list)


def find_orders(
    world: World,
    query: str = "",
    status: Sequence[OrderStatus] = (),
    customer_id: int | None = None,
    product_id: int | None = None,
    coupon: str = "",
    since: str = "",
    until: str = "",
    sort_by: SortBy = "newest",
    offset: int = 0,
    limit: int = 50,
) -> Orders:
    """Orders of which all holds that is given; `query`: words in names, addresses, notes and goods, or its number.

    Raises:
        Problem: there is no such customer or product, or a time cannot be read.
    """
    with opened_shop(world) as store:
        where, values = _build_where(store, status, customer_id, product_id, coupon, since, until)
        if not query.strip():
            page = store.read_page(Order, where, values, order=_ORDERS[sort_by], offset=offset, limit=limit)
            return Orders(
                settings_of(store).currency, *take_fitting(list(_build_rows(store, page.items)), page.total, offset)
            )
        matching_orders = list(_filter_by_query(store, store.find(Order, where, values, order=_ORDERS[sort_by]), query))
        order_rows = list(_build_rows(store, matching_orders[offset : offset + limit]))
        return Orders(settings_of(store).currency, *take_fitting(order_rows, len(matching_orders), offset))


def read_order(world: World, order_id: int) -> OrderView:
    """An order with all that belongs to it.

    Raises:
        Problem: there is none of this number.
    """
    with opened_shop(world) as store:
        return view_of(store, store.get(Order, order_id))


def view_of(store: Store, order: Order) -> OrderView:
    """An order with all that belongs to it."""
    refunds = store.find(Refund, "order_id = ?", [order.id])
    left = order.total_cents - sum(refund.amount_cents for refund in refunds)
    notes = store.find(OrderNote, "order_id = ?", [order.id])
    return OrderView(order, lines_of(store, order), left, refunds, notes)


def lines_of(store: Store, order: Order) -> list[OrderLine]:
    """The lines of an order."""
    return store.find(OrderLine, "order_id = ?", [order.id])


def name_of(address: Address) -> str:
    """Whom an address names."""
    return f"{address.first_name} {address.last_name}".strip() or address.company


def _build_where(
    store: Store,
    status: Sequence[OrderStatus],
    customer_id: int | None,
    product_id: int | None,
    coupon: str,
    since: str,
    until: str,
) -> tuple[str, list[Any]]:
    conditions, values = build_time_conditions(store.now, "created", since, until)
    parameters: list[Any] = [*values]
    if status:
        conditions.append(f"status IN ({', '.join('?' * len(status))})")
        parameters += status
    else:
        conditions.append("status NOT IN ('trash', 'checkout-draft')")
    if customer_id is not None:
        store.get(Customer, customer_id)
        conditions.append("customer_id = ?")
        parameters.append(customer_id)
    if product_id is not None:
        store.get(Product, product_id)
        conditions.append("id IN (SELECT order_id FROM order_lines WHERE product_id = ? OR variant_id = ?)")
        parameters += [product_id, product_id]
    if coupon:
        conditions.append("has_words(?, coupons)")
        parameters.append(f'"{coupon}"')
    return " AND ".join(conditions), parameters


def _filter_by_query(store: Store, orders: Sequence[Order], query: str) -> Iterator[Order]:
    goods: dict[int, list[str]] = defaultdict(list)
    for line in store.find(OrderLine):
        goods[line.order_id] += [line.name, line.sku]
    for order in orders:
        places = (*vars(order.billing).values(), *vars(order.shipping).values())
        parts = [str(order.id), order.customer_note, order.transaction, *places, *map(str, order.meta.values())]
        searched_text = "\n".join([*parts, *goods[order.id]]).casefold()
        if all(word in searched_text for word in query.casefold().split()):
            yield order


def _build_rows(store: Store, orders: Sequence[Order]) -> Iterator[OrderRow]:
    lines, refunded = store.counts(OrderLine, "order_id"), Counter[int]()
    for refund in store.find(Refund):
        refunded[refund.order_id] += refund.amount_cents
    for order in orders:
        yield OrderRow(
            order.id, order.created, order.status, name_of(order.billing), order.billing.email, order.total_cents,
            lines[order.id], order.customer_id, order.shipping.country, refunded[order.id],
        )  # fmt: skip
