"""Sales, counted by days, months, goods, or where and to whom they went."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Literal

from yardkit.apps.shop import SOLD, Category, Order, OrderLine, Product, Refund
from yardkit.apps.store import Store
from yardkit.servers.shop.engine.context import build_time_conditions, opened_shop, settings_of, take_fitting
from yardkit.servers.shop.engine.orders import name_of
from yardkit.world import World

By = Literal["total", "day", "month", "country", "customer", "coupon", "product", "variant", "category"]
_OF_GOODS = ("product", "variant", "category")


@dataclass(frozen=True)
class Sales:
    """What was sold.

    Attributes:
        of: the day, the month, or who or what it is counted for.
        gross_cents: what customers paid, tax and shipping within; of goods: tax within, without shipping.
        net_cents: of it, without tax and shipping.
        refunded_cents: given back of it, which is not taken off the others.
    """

    of: str
    orders: int = 0
    units: int = 0
    gross_cents: int = 0
    net_cents: int = 0
    tax_cents: int = 0
    shipping_cents: int = 0
    discount_cents: int = 0
    refunded_cents: int = 0
    id: int | None = None


@dataclass(frozen=True)
class SalesReport:
    """Sales by what was asked for, in `currency`, and the sum of all that match.

    Attributes:
        since, until: the first moment that counts and the first that does not; null is open.
        next_offset: where the rows go on, null at their end.
    """

    currency: str
    since: str | None
    until: str | None
    overall: Sales
    rows: list[Sales]
    total: int
    next_offset: int | None = None


def report_sales(
    world: World, since: str = "", until: str = "", by: By = "day", offset: int = 0, limit: int = 100
) -> SalesReport:
    """The orders that count as sales (processing, on-hold, completed, refunded), by the time when they were made.

    A coupon's or a category's order counts in each of them.

    Raises:
        Problem: a time cannot be read.
    """
    with opened_shop(world) as store:
        orders = sold_orders(store, since, until)
        _, values = build_time_conditions(store.now, "created", since, until)
        ends = iter(values)
        counted = _Counted(store, orders)
        rows = counted.rows(by)
        if by not in ("day", "month"):
            rows.sort(key=lambda row: (-row.gross_cents, row.of))
        return SalesReport(
            settings_of(store).currency, next(ends) if since else None, next(ends) if until else None,
            counted.overall, *take_fitting(rows[offset : offset + limit], len(rows), offset),
        )  # fmt: skip


def sold_orders(store: Store, since: str, until: str) -> list[Order]:
    """Orders that count as sales, oldest first."""
    conditions, values = build_time_conditions(store.now, "created", since, until)
    where = " AND ".join([f"status IN ({', '.join('?' * len(SOLD))})", *conditions])
    return store.find(Order, where, [*SOLD, *values], order="created")


class _Counted:
    """Sales of orders, with what is known of their goods."""

    def __init__(self, store: Store, orders: list[Order]) -> None:
        ids = {order.id for order in orders}
        self.store, self.orders = store, orders
        self.lines: dict[int, list[OrderLine]] = {}
        for line in store.find(OrderLine):
            if line.order_id in ids:
                self.lines.setdefault(line.order_id, []).append(line)
        self.refunds: dict[int, list[Refund]] = {}
        for refund in store.find(Refund):
            self.refunds.setdefault(refund.order_id, []).append(refund)
        self.overall = next(iter(self._sum_parts(("all", None, order) for order in orders)), Sales("all"))

    def rows(self, by: By) -> list[Sales]:
        """Sales by what is asked for."""
        if by in _OF_GOODS:
            return self._of_goods(by)
        if by == "total":
            return []
        if by == "coupon":
            return self._sum_parts((use.code, None, order) for order in self.orders for use in order.coupons)
        keys: dict[str, Callable[[Order], tuple[str, int | None]]] = {
            "day": lambda order: (order.created[:10], None),
            "month": lambda order: (order.created[:7], None),
            "country": lambda order: (order.shipping.country, None),
            "customer": self._name_buyer,
        }
        return self._sum_parts((*keys[by](order), order) for order in self.orders)

    def _name_buyer(self, order: Order) -> tuple[str, int | None]:
        """A customer by the latest name that they gave, whatever they gave before; guests of one name by address."""
        if order.customer_id is not None:
            return self._names[order.customer_id], order.customer_id
        name, email = name_of(order.billing), order.billing.email
        return (f"{name} <{email}>" if len(self._guests[name]) > 1 else name), None

    @cached_property
    def _names(self) -> dict[int, str]:
        return {order.customer_id: name_of(order.billing) for order in self.orders if order.customer_id is not None}

    @cached_property
    def _guests(self) -> dict[str, set[str]]:
        guests: dict[str, set[str]] = {}
        for order in self.orders:
            if order.customer_id is None:
                guests.setdefault(name_of(order.billing), set()).add(order.billing.email.casefold())
        return guests

    def _sum_parts(self, parts: Iterable[tuple[str, int | None, Order]]) -> list[Sales]:
        sums: dict[tuple[str, int | None], Sales] = {}
        for of, number, order in parts:
            refunded = sum(refund.amount_cents for refund in self.refunds.get(order.id, ()))
            net = order.total_cents - order.tax_cents - order.shipping_cents
            units = sum(line.quantity for line in self.lines.get(order.id, ()))
            more = Sales(
                of, 1, units, order.total_cents, net, order.tax_cents, order.shipping_cents, order.discount_cents,
                refunded, number,
            )  # fmt: skip
            sums[of, number] = _add_sales(sums[of, number], more) if (of, number) in sums else more
        return list(sums.values())

    def _of_goods(self, by: By) -> list[Sales]:
        sums: dict[tuple[str, int | None], Sales] = {}
        counted: dict[tuple[str, int | None], set[int]] = {}
        for order_id, lines in self.lines.items():
            back = Counter[int]()
            for part in (part for refund in self.refunds.get(order_id, ()) for part in refund.lines):
                back[part.line_id] += part.total_cents + part.tax_cents
            for line in lines:
                for of, number in self._list_keys(by, line):
                    counted.setdefault((of, number), set()).add(order_id)
                    more = Sales(
                        of, 0, line.quantity, line.total_cents + line.tax_cents, line.total_cents, line.tax_cents, 0,
                        line.subtotal_cents - line.total_cents, back[line.id], number,
                    )  # fmt: skip
                    sums[of, number] = _add_sales(sums[of, number], more) if (of, number) in sums else more
        return [_add_sales(row, Sales(row.of, len(counted[key]))) for key, row in sums.items()]

    def _list_keys(self, by: By, line: OrderLine) -> list[tuple[str, int | None]]:
        products = self._products
        if by == "category":
            category_ids = products[line.product_id].category_ids if line.product_id in products else []
            return [(self._categories[number], number) for number in category_ids if number in self._categories]
        number = (line.variant_id if by == "variant" else None) or line.product_id
        return [(products[number].name if number in products else line.name, number)]

    @cached_property
    def _products(self) -> dict[int, Product]:
        return {product.id: product for product in self.store.find(Product)}

    @cached_property
    def _categories(self) -> dict[int, str]:
        return {category.id: category.name for category in self.store.find(Category)}


def _add_sales(first: Sales, more: Sales) -> Sales:
    """The sums of two, with the name of the first."""
    added = [field.name for field in fields(Sales) if field.name not in ("of", "id")]
    return Sales(first.of, **{name: getattr(first, name) + getattr(more, name) for name in added}, id=first.id)
