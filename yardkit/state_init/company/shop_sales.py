"""The orders of story lines as the shop has them: with the numbers and sums of the letters."""

from dataclasses import replace
from datetime import timedelta

from yardkit.apps.shop import (
    CouponUse,
    Customer,
    Order,
    OrderLine,
    OrderNote,
    OrderStatus,
    Product,
    Refund,
    RefundLine,
)
from yardkit.apps.shop_sums import split_shares, summed_order
from yardkit.apps.store import Store
from yardkit.state_init.company.sales import Ending, Sale

_STATUS: dict[Ending, OrderStatus] = {"processing": "processing", "cancelled": "cancelled"}
"""Of an order of such an ending; what has left the house is completed."""


def put_sale(store: Store, sale: Sale, products: dict[str, Product], customers: dict[str, Customer]) -> Order:
    """An order that came by mail, with its lines, notes and refund."""
    buyer = customers[sale.contact.email]
    zone = store.now.tzinfo
    at = sale.ordered.astimezone(zone).isoformat()
    paid = (sale.invoiced + timedelta(days=min(10, sale.customer.payment_days))).astimezone(zone)
    done = sale.shipped.astimezone(zone).isoformat() if sale.shipped else None
    status = _STATUS.get(sale.ending, "completed")
    order = Order(
        sale.order, status, buyer.id, at, done or at, "EUR", billing=buyer.billing, prices_include_tax=False,
        shipping=buyer.shipping, payment_method="bacs", payment_title="Bank transfer",
        shipping_method="free_shipping", shipping_title="Free parcel", completed=done, created_via="admin",
        paid=paid.isoformat() if paid <= store.now and status != "cancelled" else None,
        meta={"invoice": sale.invoice, "promised": sale.promised.isoformat(), "due": sale.due.isoformat()},
    )  # fmt: skip
    lines = _make_lines(store, sale, products, taken=status != "cancelled")
    percent = sale.customer.discount_percent
    uses = [CouponUse(f"contract{percent}", sale.discount, _tax_of_discount(lines))] if percent else []
    order = store.put(summed_order(order, lines, uses))
    for line in lines:
        store.put(line)
    _put_notes(store, sale)
    if sale.refund and sale.complaint:
        _put_refund(store, sale, lines)
    return order


def _make_lines(store: Store, sale: Sale, products: dict[str, Product], *, taken: bool) -> list[OrderLine]:
    """The lines; discount and tax of the whole order are shared out among them."""
    first, amounts = store.next_id(OrderLine), [line.amount for line in sale.lines]
    off, full_tax = split_shares(sale.discount, amounts), split_shares(round(sale.net * 20 / 100), amounts)
    taxes = split_shares(sale.tax, [amount - less for amount, less in zip(amounts, off, strict=True)])
    order_lines = []
    for place, line in enumerate(sale.lines):
        product = products[line.sku]
        order_lines.append(
            OrderLine(
                first + place, sale.order, product.parent_id or product.id, product.id if product.parent_id else None,
                line.sku, product.name, line.quantity, line.price, line.amount, full_tax[place],
                line.amount - off[place], taxes[place], from_stock=line.quantity if taken else 0,
            )
        )  # fmt: skip
    return order_lines


def _tax_of_discount(lines: list[OrderLine]) -> int:
    return sum(line.subtotal_tax_cents - line.tax_cents for line in lines)


def _put_notes(store: Store, sale: Sale) -> None:
    notes = [
        (sale.invoiced, f"Invoice {sale.invoice} was sent, payable by {sale.due.isoformat()}.", True),
        (sale.shipped, f"Sent with ParcelExpress, tracking number {sale.tracking}.", True),
        (sale.delivered, "Delivered.", False),
        (sale.complaint and sale.complaint.complained_at, _describe_complaint(sale), False),
    ]
    for moment, text, for_customer in notes:
        if moment and moment <= store.now:
            at = moment.astimezone(store.now.tzinfo).isoformat()
            number = store.next_id(OrderNote)
            store.put(OrderNote(number, sale.order, at, sale.clerk.name, text, for_customer))


def _describe_complaint(sale: Sale) -> str:
    wrong = sale.complaint
    return f"{wrong.pieces} of {wrong.line.quantity} x {wrong.line.sku} {wrong.says}." if wrong else ""


def _put_refund(store: Store, sale: Sale, lines: list[OrderLine]) -> None:
    refund, wrong = sale.refund, sale.complaint
    if refund is None or wrong is None or refund.refunded_at > store.now:
        return
    line = next(line for line in lines if line.sku == wrong.line.sku)
    tax = refund.amount - round(refund.amount / 1.2)
    at = refund.refunded_at.astimezone(store.now.tzinfo).isoformat()
    part = RefundLine(line.id, wrong.pieces, refund.amount - tax, tax)
    number, reason = store.next_id(Refund), f"Credit note {refund.number}: {wrong.line.sku} {wrong.says}"
    store.put(Refund(number, sale.order, at, refund.amount, reason, [part], paid_back=True))
    order = store.get(Order, sale.order)
    store.put(replace(order, modified=at))
