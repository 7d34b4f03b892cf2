"""The sums of a shop: prices at a time, taxes, discounts, and totals of orders. Money is in integer hundredths."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from yardkit.apps.shop import Coupon, CouponUse, Order, OrderLine, Product, TaxRate

_UNIT = Decimal(1)


def round_cents(amount: Decimal) -> int:
    """Round to integer hundredths, halves up."""
    return int(amount.quantize(_UNIT, ROUND_HALF_UP))


def on_sale(product: Product, now: datetime) -> bool:
    """Whether its sale price applies now: from `sale_from` on, before `sale_until`."""
    if product.sale_price_cents is None:
        return False
    begun = product.sale_from is None or datetime.fromisoformat(product.sale_from) <= now
    return begun and (product.sale_until is None or now < datetime.fromisoformat(product.sale_until))


def price_of(product: Product, now: datetime) -> int | None:
    """Return the current price of a unit; None if it has no own price."""
    return product.sale_price_cents if on_sale(product, now) else product.price_cents


def percent_of(
    rates: Sequence[TaxRate], country: str, tax_class: str, *, shipping: bool = False, state: str = ""
) -> Decimal:
    """Return the taxes of a class in a place: for each priority, the rate of the state, of the country, or for all.

    A compound rate applies to the price with the taxes before it.
    """
    fitting = [
        rate
        for rate in rates
        if rate.tax_class == tax_class
        and rate.country in (country, "")
        and rate.state.strip().casefold() in (state.strip().casefold(), "")
    ]
    by_priority: dict[int, TaxRate] = {}
    for rate in sorted(fitting, key=lambda rate: (rate.country == "", rate.state == "", rate.id)):
        by_priority.setdefault(rate.priority, rate)
    chosen = [by_priority[priority] for priority in sorted(by_priority)]
    total = Decimal(0)
    for rate in sorted(chosen, key=lambda rate: rate.compound):
        if rate.shipping or not shipping:
            percent = Decimal(str(rate.percent))
            total += percent * (100 + total) / 100 if rate.compound else percent
    return total


def split_tax(amount_cents: int, percent: Decimal, *, included: bool) -> tuple[int, int]:
    """Split an amount into net and tax; the tax is part of the amount if it is `included`."""
    if included:
        net = round_cents(Decimal(amount_cents) * 100 / (100 + percent))
        return net, amount_cents - net
    return amount_cents, round_cents(Decimal(amount_cents) * percent / 100)


def compute_reductions(
    coupon: Coupon, lines: Sequence[OrderLine], holds: Sequence[bool], before: Sequence[int] | None = None
) -> list[int]:
    """Compute a coupon's discount for each line, as the shop shows prices; 0 for lines to which it does not apply.

    before: the discounts of other coupons; no line gets more off than is left of it.
    """
    gross = [line.price_cents * line.quantity for line in lines]
    left = [max(value - cut, 0) for value, cut in zip(gross, before or [0] * len(lines), strict=True)]
    left = [value if coupon_holds else 0 for value, coupon_holds in zip(left, holds, strict=True)]
    if coupon.kind == "percent":
        cuts = [round_cents(Decimal(value) * Decimal(str(coupon.percent)) / 100) for value in gross]
    elif coupon.kind == "fixed_product":
        cuts = [coupon.amount_cents * line.quantity for line in lines]
    else:
        return split_shares(min(coupon.amount_cents, sum(left)), left)
    return [min(cut, value) for cut, value in zip(cuts, left, strict=True)]


def split_shares(amount: int, sums: Sequence[int]) -> list[int]:
    """Split an amount into integer parts in proportion to sums; the parts add up to the amount."""
    shares, left, total_sum = [], amount, sum(sums)
    for value in sums:
        share = round_cents(Decimal(left) * value / total_sum) if total_sum else 0
        shares.append(share)
        left, total_sum = left - share, total_sum - value
    return shares


def summed_line(line: OrderLine, percent: Decimal, reduction_cents: int, *, included: bool) -> OrderLine:
    """Compute a line's sums and taxes from its price, quantity and discount."""
    gross = line.price_cents * line.quantity
    subtotal, subtotal_tax = split_tax(gross, percent, included=included)
    total, tax = split_tax(max(gross - reduction_cents, 0), percent, included=included)
    return replace(line, subtotal_cents=subtotal, subtotal_tax_cents=subtotal_tax, total_cents=total, tax_cents=tax)


def summed_order(order: Order, lines: Sequence[OrderLine], uses: Sequence[CouponUse]) -> Order:
    """Compute an order's totals from its lines and shipping."""
    tax = sum(line.tax_cents for line in lines) + order.shipping_tax_cents
    return replace(
        order,
        coupons=list(uses),
        discount_cents=sum(line.subtotal_cents - line.total_cents for line in lines),
        discount_tax_cents=sum(line.subtotal_tax_cents - line.tax_cents for line in lines),
        tax_cents=tax,
        total_cents=sum(line.total_cents for line in lines) + order.shipping_cents + tax,
    )
