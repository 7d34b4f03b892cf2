"""Refunds: money and goods that come back."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from yardkit.apps.shop import Order, OrderLine, Refund, RefundLine
from yardkit.apps.shop_sums import round_cents
from yardkit.apps.store import Store
from yardkit.servers.shop.engine.context import opened_shop
from yardkit.servers.shop.engine.order_changes import change_status
from yardkit.servers.shop.engine.orders import lines_of
from yardkit.servers.shop.engine.stock import restock_line
from yardkit.world import Problem, World

PAID = ("processing", "completed", "refunded", "on-hold")
"""Orders that can be refunded."""


@dataclass(frozen=True)
class Returned:
    """What comes back of a line: units, and by default their share of what was paid for it, or `amount_cents`."""

    line_id: int
    quantity: int = 0
    amount_cents: int | None = None


@dataclass(frozen=True)
class Refunded:
    """A refund, and what is left of its order."""

    refund: Refund
    order_status: str
    left_cents: int


def refund_order(
    world: World,
    order_id: int,
    reason: str = "",
    returned: Sequence[Returned] = (),
    amount_cents: int | None = None,
    *,
    restock_goods: bool = True,
    paid_back: bool = False,
) -> Refunded:
    """Give money back: for what is returned, or an amount, or all that is left. A whole refund ends the order.

    Raises:
        Problem: there is no such order, it was not paid, or more would come back than there is.
    """
    with opened_shop(world, writes=True) as store:
        order = store.get(Order, order_id)
        refund = put_refund(
            store, order, reason, returned, amount_cents, restock_goods=restock_goods, paid_back=paid_back
        )
        return Refunded(refund, store.get(Order, order_id).status, left_of(store, order))


def put_refund(
    store: Store,
    order: Order,
    reason: str,
    returned: Sequence[Returned],
    amount_cents: int | None,
    *,
    restock_goods: bool,
    paid_back: bool,
) -> Refund:
    """As `refund_order`, within a transaction."""
    left = left_of(store, order)
    if order.status not in PAID or left <= 0:
        raise Problem(
            f"order {order.id} is {order.status!r} with {left} left to refund; only paid orders can be refunded"
        )
    if not returned and amount_cents is None:
        returned, amount_cents = _list_remaining(store, order), left
    _require_single_lines(returned)
    lines = [_build_refund_line(store, order, refund_line) for refund_line in returned]
    amount = sum(line.total_cents + line.tax_cents for line in lines) if amount_cents is None else amount_cents
    if not 0 < amount <= left:
        raise Problem(f"a refund of {amount} is not possible: order {order.id} has {left} left of {order.total_cents}")
    number, stamp = store.next_id(Refund), store.make_stamp(Refund, "created")
    refund = store.put(Refund(number, order.id, stamp, amount, reason, lines, restock_goods, paid_back))
    for line in lines if restock_goods else ():
        restock_line(store, store.get(OrderLine, line.line_id), line.quantity)
    if amount == left:
        change_status(store, order, "refunded", strict=False)
    return refund


def left_of(store: Store, order: Order) -> int:
    """What of an order's total was not given back."""
    return order.total_cents - sum(refund.amount_cents for refund in store.find(Refund, "order_id = ?", [order.id]))


def returned_units(store: Store, line: OrderLine) -> int:
    """Units of a line that came back."""
    refunds = store.find(Refund, "order_id = ?", [line.order_id])
    return sum(part.quantity for refund in refunds for part in refund.lines if part.line_id == line.id)


def _require_single_lines(returned: Sequence[Returned]) -> None:
    line_ids = [refund_line.line_id for refund_line in returned]
    if repeated := next((line_id for line_id in line_ids if line_ids.count(line_id) > 1), None):
        raise Problem(f"line {repeated} is returned twice in one refund; give it once, with all its units")


def _list_remaining(store: Store, order: Order) -> list[Returned]:
    lines = [(line, line.quantity - returned_units(store, line)) for line in lines_of(store, order)]
    return [Returned(line.id, units) for line, units in lines if units > 0]


def _build_refund_line(store: Store, order: Order, returned: Returned) -> RefundLine:
    matching_lines = [line for line in lines_of(store, order) if line.id == returned.line_id]
    if not matching_lines:
        there = ", ".join(f"{line.id} ({line.name})" for line in lines_of(store, order))
        raise Problem(f"order {order.id} has no line {returned.line_id}; it has {there}")
    line, units = matching_lines[0], matching_lines[0].quantity - returned_units(store, matching_lines[0])
    if not 0 <= returned.quantity <= units:
        raise Problem(
            f"{returned.quantity} units of line {line.id} cannot be returned: {units} of {line.quantity} are left"
        )
    if returned.amount_cents is None:
        return _share_line(store, line, returned.quantity)
    paid = line.total_cents + line.tax_cents
    tax = round_cents(Decimal(returned.amount_cents) * line.tax_cents / paid) if paid else 0
    return RefundLine(line.id, returned.quantity, returned.amount_cents - tax, tax)


def _share_line(store: Store, line: OrderLine, units: int) -> RefundLine:
    """What was paid for some units of a line: all units, one by one, add up to the line to the cent."""
    refunds = store.find(Refund, "order_id = ?", [line.order_id])
    parts = [part for refund in refunds for part in refund.lines if part.line_id == line.id]
    before = sum(part.quantity for part in parts)
    paid = line.total_cents + line.tax_cents
    given_back = sum(part.total_cents + part.tax_cents for part in parts)

    def share(cents: int) -> int:
        after = round_cents(Decimal(cents) * (before + units) / line.quantity)
        return after - round_cents(Decimal(cents) * before / line.quantity)

    rest, amount = paid - given_back, share(paid)
    if before + units == line.quantity and abs(rest - amount) <= line.quantity:
        amount = rest  # What differs by cents was rounded elsewhere.
    amount = max(0, min(amount, rest))
    tax = min(amount, share(line.tax_cents))
    return RefundLine(line.id, units, amount - tax, tax)
