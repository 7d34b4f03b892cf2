"""Reports."""

from datetime import date, timedelta
from typing import Any, get_args

from yardkit.apps.shop import Customer, Kind, Order, OrderStatus, Product, Refund
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.shop.app import Data, format_money, format_times, page_of
from yardkit.servers.shop.engine.context import build_time_conditions
from yardkit.servers.shop.engine.customers import sales_of
from yardkit.servers.shop.engine.orders import lines_of
from yardkit.servers.shop.engine.reports import sold_orders
from yardkit.servers.shop.engine.shelf import Shelf

_STATUS_NAMES = {
    "pending": "Pending payment", "processing": "Processing", "on-hold": "On hold", "completed": "Completed",
    "cancelled": "Cancelled", "refunded": "Refunded", "failed": "Failed", "checkout-draft": "Draft",
}  # fmt: skip
_KIND_NAMES = {
    "external": "External/Affiliate product", "grouped": "Grouped product", "simple": "Simple product",
    "variable": "Variable product",
}  # fmt: skip


def bounds_of(today: date, period: str | None, first: str, last: str) -> tuple[str, str]:
    """The first and the last day of a report: those that are given, else of the period, else of this week."""
    if first or last:
        return first, last
    begins = {
        "year": today.replace(month=1, day=1),
        "month": today.replace(day=1),
        "last_month": (today.replace(day=1) - timedelta(days=1)).replace(day=1),
    }.get(period or "", today - timedelta(days=today.weekday()))
    ends = today.replace(day=1) - timedelta(days=1) if period == "last_month" else today
    return begins.isoformat(), ends.isoformat()


def woo_reports_sales(store: Store, period: str | None = None, dateMin: str = "", dateMax: str = "") -> Any:
    first, last = bounds_of(store.now.date(), period, dateMin, dateMax)
    orders = sold_orders(store, first, last)
    days = {order.created[:10] for order in orders} | _list_days(first, last)
    refunded = sum(
        refund.amount_cents for refund in store.find(Refund) if refund.order_id in {order.id for order in orders}
    )
    total = sum(order.total_cents for order in orders)
    taxes = sum(order.tax_cents for order in orders)
    shipping = sum(order.shipping_cents for order in orders)
    net = total - taxes - shipping - refunded
    report = {
        "total_sales": format_money(total - refunded),
        "net_sales": format_money(net),
        "average_sales": format_money(round(net / max(len(days), 1))),
        "total_orders": len(orders),
        "total_items": sum(line.quantity for order in orders for line in lines_of(store, order)),
        "total_tax": format_money(taxes),
        "total_shipping": format_money(shipping),
        "total_refunds": format_money(refunded),
        "total_discount": format_money(sum(order.discount_cents for order in orders)),
        "totals_grouped_by": "day",
        "totals": {
            day: _summarize_day(store, [order for order in orders if order.created[:10] == day]) for day in sorted(days)
        },
        "total_customers": len({order.customer_id or order.billing.email for order in orders}),
    }
    return [report]


def _list_days(first: str, last: str) -> set[str]:
    """The days from first to last, where they are no more than 62; else those with sales have to do."""
    if not first or not last:
        return set()
    begins, ends = date.fromisoformat(first), date.fromisoformat(last)
    count = (ends - begins).days + 1
    return {(begins + timedelta(days=day)).isoformat() for day in range(count)} if count <= 62 else set()


def _summarize_day(store: Store, orders: list[Order]) -> Data:
    return {
        "sales": format_money(sum(order.total_cents for order in orders)),
        "orders": len(orders),
        "items": sum(line.quantity for order in orders for line in lines_of(store, order)),
        "tax": format_money(sum(order.tax_cents for order in orders)),
        "shipping": format_money(sum(order.shipping_cents for order in orders)),
        "discount": format_money(sum(order.discount_cents for order in orders)),
        "customers": len({order.customer_id or order.billing.email for order in orders}),
    }


def woo_reports_top_sellers(
    store: Store, period: str | None = None, dateMin: str = "", dateMax: str = "", perPage: int = 10, page: int = 1
) -> Any:
    first, last = bounds_of(store.now.date(), period, dateMin, dateMax)
    counts: dict[tuple[int, str], int] = {}
    names = {product.id: product.name for product in store.find(Product)}
    for order in sold_orders(store, first, last):
        for line in lines_of(store, order):
            key = line.product_id, names.get(line.product_id, line.name)
            counts[key] = counts.get(key, 0) + line.quantity
    best = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [
        {"name": name, "product_id": number, "quantity": quantity}
        for (number, name), quantity in page_of(best, page, perPage)
    ]


def woo_reports_customers(store: Store, period: str | None = None, dateMin: str = "", dateMax: str = "") -> Any:
    where, values = _build_date_filter(store, period, dateMin, dateMax)
    sales, customers = sales_of(store), store.find(Customer, where, values)
    paying = sum(bool(sales.get(customer.id)) for customer in customers)
    counts = (("paying", "Paying customer", paying), ("non_paying", "Non-paying customer", len(customers) - paying))
    return [{"slug": slug, "name": name, "total": total} for slug, name, total in counts]


def woo_reports_orders(store: Store, period: str | None = None, dateMin: str = "", dateMax: str = "") -> Any:
    where, values = _build_date_filter(store, period, dateMin, dateMax)
    counts = dict.fromkeys(get_args(OrderStatus), 0)
    for order in store.find(Order, where, values):
        counts[order.status] += 1
    return [{"slug": slug, "name": name, "total": counts[slug]} for slug, name in _STATUS_NAMES.items()]


def woo_reports_products(
    store: Store, period: str | None = None, dateMin: str = "", dateMax: str = "", perPage: int = 10, page: int = 1
) -> Any:
    where, values = _build_date_filter(store, period, dateMin, dateMax)
    counts = dict.fromkeys(get_args(Kind), 0)
    for product in store.find(Product, f"{where} AND status != 'trash'", values):
        counts[product.kind] += 1
    kind_counts = [{"slug": slug, "name": name, "total": counts[slug]} for slug, name in _KIND_NAMES.items()]
    return page_of(kind_counts, page, perPage)


def woo_reports_stock(store: Store, perPage: int = 10, page: int = 1) -> Any:
    shelf = Shelf(store)
    return [_stock_row(shelf, product) for product in page_of(_list_stock(store), page, perPage)]


def woo_reports_low_stock(store: Store, perPage: int = 10, page: int = 1) -> Any:
    shelf = Shelf(store)
    products = [product for product in _list_stock(store) if shelf.is_low(product)]
    return [_stock_row(shelf, product) for product in page_of(products, page, perPage)]


def _list_stock(store: Store) -> list[Product]:
    return store.find(Product, "stock IS NOT NULL AND status IN ('publish', 'private')", order="stock")


def _stock_row(shelf: Shelf, product: Product) -> Data:
    low = shelf.settings.low_stock if product.low_stock is None else product.low_stock
    return {
        "id": product.id, "parent_id": product.parent_id or 0, "name": product.name, "sku": product.sku,
        "stock_status": product.stock_status, "stock_quantity": product.stock, "manage_stock": True,
        "low_stock_amount": low, "date_modified": format_times("at", product.modified)["at"],
    }  # fmt: skip


def _build_date_filter(store: Store, period: str | None, first: str, last: str) -> tuple[str, list[str]]:
    if period or first or last:
        first, last = bounds_of(store.now.date(), period, first, last)
    conditions, values = build_time_conditions(store.now, "created", first, last)
    return " AND ".join(["1", *conditions]), values
