"""Orders, the notes on them and their refunds."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

from yardkit.apps.shop import Order, OrderLine, OrderStatus, Product
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.shop.app import Data, check_fields, error_of, meta_of, parse_cents
from yardkit.compat.toolathlon.shop.objects import note_object, order_object, refund_object
from yardkit.compat.toolathlon.shop.people import address_of
from yardkit.servers.shop.engine import order_changes, refunds
from yardkit.servers.shop.engine.context import build_time_conditions, opened_shop, settings_of
from yardkit.servers.shop.engine.orders import lines_of, view_of
from yardkit.world import Problem, current_world

Status = Literal["pending", "processing", "on-hold", "completed", "cancelled", "refunded", "failed", "trash", "any"]
_READ = (
    *("status", "customer_id", "billing", "shipping", "payment_method", "payment_method_title", "transaction_id"),
    *("set_paid", "line_items", "shipping_lines", "coupon_lines", "customer_note", "meta_data", "currency"),
)
_READ_ONLY_FIELDS = (
    *("parent_id", "prices_include_tax", "date_created", "date_created_gmt", "date_modified", "date_modified_gmt"),
    *("discount_total", "discount_tax", "shipping_total", "shipping_tax", "cart_tax", "total", "total_tax"),
    *("order_key", "created_via", "date_completed", "date_completed_gmt", "date_paid", "date_paid_gmt", "number"),
    *("tax_lines", "fee_lines", "refunds", "is_editable", "needs_payment", "needs_processing", "currency_symbol"),
)


def woo_orders_list(
    store: Store,
    perPage: int = 10,
    page: int = 1,
    status: list[Status] | None = None,
    customer: int | None = None,
    product: int | None = None,
    dateAfter: str = "",
    dateBefore: str = "",
    orderby: str = "date",
    order: str = "desc",
) -> Any:
    conditions, bounds = build_time_conditions(store.now, "created", dateAfter, "")
    values: list[Any] = [*bounds]
    if dateBefore:
        conditions += ["created < ?"]
        values += build_time_conditions(store.now, "created", dateBefore, "")[1]
    statuses = [order_status for order_status in status or () if order_status != "any"]
    if statuses:
        conditions.append(f"status IN ({', '.join('?' * len(statuses))})")
        values += statuses
    else:
        conditions.append("status != 'trash'")
    if customer is not None:
        conditions.append("coalesce(customer_id, 0) = ?")
        values.append(customer)
    if product is not None:
        conditions.append("id IN (SELECT order_id FROM order_lines WHERE product_id = ? OR variant_id = ?)")
        values += [product, product]
    key = "created" if orderby == "date" else "id"
    orders = store.read_page(
        Order, " AND ".join(conditions), values, order=f"{key} {order.upper()}", offset=(page - 1) * perPage,
        limit=perPage,
    )  # fmt: skip
    return [order_object(store, view_of(store, order)) for order in orders.items]


def woo_orders_get(store: Store, orderId: int) -> Any:
    return _get_order_object(store, orderId)


def woo_orders_create(store: Store, orderData: Data) -> Any:
    return _put_order(store, None, orderData)


def woo_orders_update(store: Store, orderId: int, orderData: Data) -> Any:
    return _put_order(store, orderId, orderData)


def woo_orders_delete(store: Store, orderId: int, force: bool = False) -> Any:
    return _delete_order(store, orderId, force=force)


def woo_orders_batch_update(
    create: list[Data] | None = None, update: list[Data] | None = None, delete: list[int] | None = None
) -> Any:
    world = current_world()

    def tried(number: int | None, data: Data | None) -> Data:
        try:
            with opened_shop(world, writes=True) as store:
                return (
                    _delete_order(store, number or 0, force=True) if data is None else _put_order(store, number, data)
                )
        except Problem as problem:
            return {"id": number or 0, "error": error_of(problem)}

    batch_results = {
        "create": [tried(None, data) for data in create or ()],
        "update": [tried(int(data.get("id") or 0), data) for data in update or ()],
        "delete": [tried(number, None) for number in delete or ()],
    }
    return {name: results for name, results in batch_results.items() if results}


def woo_orders_notes_create(orderId: int, note: str, customerNote: bool = False) -> Any:
    new_note = order_changes.add_note(current_world(), orderId, note, for_customer=customerNote, author="WooCommerce")
    return note_object(new_note)


def woo_orders_refunds_create(
    store: Store,
    orderId: int,
    amount: str = "",
    reason: str = "",
    refundPayment: bool = False,
    lineItems: list[Data] | None = None,
) -> Any:
    total = parse_cents("amount", amount)
    if total is None and not lineItems:
        raise Problem("Refund amount must be greater than zero. Give amount or lineItems")
    order = store.get(Order, orderId)
    returned = [_parse_returned(line_data) for line_data in lineItems or ()]
    refund = refunds.put_refund(store, order, reason, returned, total, restock_goods=True, paid_back=refundPayment)
    return refund_object(store, refund)


def _parse_returned(given: Data) -> refunds.Returned:
    check_fields(given, dict.fromkeys(("id", "quantity", "refund_total", "refund_tax")))
    taxes = [parse_cents("refund_tax", tax_data.get("refund_total")) or 0 for tax_data in given.get("refund_tax") or ()]
    total = parse_cents("refund_total", given.get("refund_total"))
    return refunds.Returned(
        int(given.get("id") or 0), int(given.get("quantity") or 0), None if total is None else total + sum(taxes)
    )


def _get_order_object(store: Store, number: int) -> Data:
    return order_object(store, view_of(store, store.get(Order, number)))


def _delete_order(store: Store, number: int, *, force: bool) -> Data:
    order_data, order = _get_order_object(store, number), store.get(Order, number)
    if not force:
        order_changes.change_status(store, order, "trash", strict=False)
        return {**order_data, "status": "trash"}
    for line in lines_of(store, order):
        store.remove(line)
    store.remove(order)
    return order_data


def _put_order(store: Store, number: int | None, data: Mapping[str, Any]) -> Data:
    check_fields(data, dict.fromkeys(_READ), _READ_ONLY_FIELDS)
    if data.get("fee_lines"):
        raise Problem("Invalid parameter(s): fee_lines: this shop takes no fees; give a line item or a shipping line")
    if data.get("currency") not in (None, settings_of(store).currency):
        raise Problem(f"Invalid parameter(s): currency: the shop's is {settings_of(store).currency}")
    status = data.get("status", "pending" if number is None else None)
    if status is not None and status not in get_args(OrderStatus):
        raise Problem(f"Invalid parameter(s): status: {status!r} is none of {', '.join(get_args(OrderStatus))}")
    if data.get("set_paid") and status in (None, "pending", "on-hold"):
        status = "processing"
    order = _make_order(store, data) if number is None else store.get(Order, number)
    changes = {"status": status, **_collect_changes(store, order, data)}
    if number is None:
        changes = {name: changes[name] for name in ("status", "transaction", "payment_title") if name in changes}
    order = order_changes.change_order(store, order, changes, strict=False)
    for line in (data.get("shipping_lines") or ())[:1]:
        cost = parse_cents("shipping_lines", line.get("total")) or 0
        kind, title = str(line.get("method_id") or "flat_rate"), str(line.get("method_title") or "Shipping")
        order_changes.set_shipping(store, store.get(Order, order.id), kind, title, cost)
    return _get_order_object(store, order.id)


def _make_order(store: Store, data: Mapping[str, Any]) -> Order:
    request = order_changes.Request(
        [_build_goods(store, line_data) for line_data in data.get("line_items") or ()],
        data.get("customer_id") or None,
        address_of(data.get("billing")),
        address_of(data.get("shipping")),
        coupons=[str(coupon_data.get("code") or "") for coupon_data in data.get("coupon_lines") or ()],
        payment_method=str(data.get("payment_method") or ""),
        customer_note=str(data.get("customer_note") or ""),
        meta=meta_of(data.get("meta_data")) or {},
        created_via="rest-api",
    )
    return order_changes.put_order(store, request, strict=False)


def _collect_changes(store: Store, order: Order, data: Mapping[str, Any]) -> dict[str, Any]:
    names = {"payment_method": "payment_method", "payment_method_title": "payment_title",
             "transaction_id": "transaction", "customer_note": "customer_note"}  # fmt: skip
    changes: dict[str, Any] = {ours: str(data[theirs] or "") for theirs, ours in names.items() if theirs in data}
    changes |= {name: address_of(data[name]) for name in ("billing", "shipping") if name in data}
    if "customer_id" in data:
        changes["customer_id"] = data["customer_id"] or None
    if "meta_data" in data:
        changes["meta"] = meta_of(data["meta_data"])
    if "coupon_lines" in data:
        changes["coupons"] = [str(coupon_data.get("code") or "") for coupon_data in data["coupon_lines"] or ()]
    if "line_items" in data:
        changes["goods"] = _regroup_lines(store, order, data["line_items"] or ())
    return changes


def _regroup_lines(store: Store, order: Order, given: Any) -> list[order_changes.Goods]:
    """The lines that an order has, changed as is given, and those that are new; a quantity of 0 takes one away."""
    lines = {line.id: line for line in lines_of(store, order)}
    changed = {int(line_data["id"]): line_data for line_data in given if line_data.get("id")}
    remaining_lines = [
        _line_goods(store, line, changed.get(line.id, {}))
        for line in lines.values()
        if changed.get(line.id, {}).get("quantity", line.quantity) != 0
        and changed.get(line.id, {}).get("product_id", 1)
    ]
    wrong = set(changed) - set(lines)
    if wrong:
        raise Problem(f"there is no line item {min(wrong)} in order {order.id}; it has {', '.join(map(str, lines))}")
    return [*remaining_lines, *(_build_goods(store, line_data) for line_data in given if not line_data.get("id"))]


def _line_goods(store: Store, line: OrderLine, given: Data) -> order_changes.Goods:
    goods_values = {
        "product_id": line.product_id, "variation_id": line.variant_id, "quantity": line.quantity, **given
    }  # fmt: skip
    goods = _build_goods(store, goods_values)
    untouched = "total" not in given or parse_cents("total", given["total"]) == line.total_cents
    same = goods.product_id == (line.variant_id or line.product_id) and untouched
    price = line.price_cents if same else goods.price_cents
    return order_changes.Goods(goods.product_id, goods.quantity, price, line.id, {**line.meta, **goods.meta})


def _build_goods(store: Store, given: Data) -> order_changes.Goods:
    number = int(given.get("variation_id") or given.get("product_id") or 0)
    if not number and given.get("sku"):
        number = next((product.id for product in store.find(Product, "sku = ?", [str(given["sku"])])), 0)
    quantity = 1 if given.get("quantity") is None else int(given["quantity"])
    if quantity < 1:
        raise Problem(
            f"Invalid parameter(s): line_items: a quantity of {quantity} is not valid for a new line; use 1 up"
        )
    total = parse_cents("total", given.get("total", given.get("subtotal")))
    if total is not None and settings_of(store).prices_include_tax and "sku" not in given:
        raise Problem("Invalid parameter(s): line_items: total is without tax, and this shop's prices are with tax")
    price = None if total is None or settings_of(store).prices_include_tax else round(total / quantity)
    return order_changes.Goods(number, quantity, price, meta=meta_of(given.get("meta_data")) or {})
