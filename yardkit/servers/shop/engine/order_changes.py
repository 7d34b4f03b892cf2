"""Orders are made and changed; their stock and their sums follow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from yardkit.apps.shop import (
    GIVES_BACK,
    NEXT,
    TAKES_STOCK,
    Address,
    Coupon,
    CouponUse,
    Customer,
    Gateway,
    Order,
    OrderLine,
    OrderNote,
    OrderStatus,
    Product,
    ShippingMethod,
    ShippingZone,
    TaxRate,
)
from yardkit.apps.shop_sums import compute_reductions, percent_of, price_of, split_tax, summed_line, summed_order
from yardkit.apps.store import Store
from yardkit.servers.shop.engine.context import (
    Parts,
    format_money,
    merged_address,
    merged_meta,
    opened_shop,
    settings_of,
)
from yardkit.servers.shop.engine.coupons import (
    GIVES_COUPON_BACK,
    count_uses,
    coupon_of,
    require_compatible,
    require_usable,
    taken_lines,
)
from yardkit.servers.shop.engine.orders import OrderView, lines_of, view_of
from yardkit.servers.shop.engine.stock import counted_product, give_back, take_from_stock, too_few
from yardkit.world import Problem, World

MAX_LINES = 200
"""Of one order."""
OPEN: tuple[OrderStatus, ...] = ("pending", "on-hold", "checkout-draft")
"""Orders whose goods can be changed."""
_NO_FIELDS = ("billing", "shipping", "meta", "goods", "coupons", "shipping_way", "status")


@dataclass(frozen=True)
class Goods:
    """What is ordered: a product, or a variant, by its number.

    Attributes:
        price_cents: of a unit, by default what it costs now.
        line_id: of a line that is there already and keeps its number.
    """

    product_id: int
    quantity: int = 1
    price_cents: int | None = None
    line_id: int | None = None
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """An order to be made, without customer that of a guest.

    Attributes:
        shipping_way: the title of one of the shop's.
        shipping_method_id: the number of one, instead of its title, which others can have, too.
    """

    goods: Sequence[Goods]
    customer_id: int | None = None
    billing: Parts = field(default_factory=dict)
    shipping: Parts = field(default_factory=dict)
    shipping_way: str = ""
    coupons: Sequence[str] = ()
    payment_method: str = ""
    status: OrderStatus = "pending"
    customer_note: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)
    created_via: str = "admin"
    shipping_method_id: int | None = None


def create_order(world: World, request: Request) -> OrderView:
    """A new order; it takes its goods out of the stock where its status is one of work to be done.

    Raises:
        Problem: the order is not valid, or there is not enough of it.
    """
    with opened_shop(world, writes=True) as store:
        return view_of(store, put_order(store, request))


def preview_order(world: World, request: Request) -> Order:
    """The order that `create_order` would make, with its sums; nothing is saved.

    Raises:
        Problem: as `create_order`.
    """
    with opened_shop(world) as store:
        order = _begin_order(store, request)
        lines = _build_lines(store, order, request.goods, strict=True)
        order, lines = _compute_sums(
            store, order, lines, [coupon_of(store, code) for code in _normalize_codes(request.coupons)]
        )
        shipping_way = _get_requested_way(request)
        return (
            order
            if shipping_way is None
            else _price_shipping(store, order, lines, *_find_shipping_way(store, order, lines, shipping_way))
        )


def put_order(store: Store, request: Request, *, strict: bool = True) -> Order:
    """As `create_order`, within a transaction; not `strict`: also goods of which there is not enough."""
    order = put_goods(store, _begin_order(store, request), request.goods, request.coupons, strict=strict)
    shipping_way = _get_requested_way(request)
    if shipping_way is not None:
        order = ship_order(store, order, shipping_way)
    return change_status(store, order, request.status, strict=strict)


def _get_requested_way(request: Request) -> str | int | None:
    return request.shipping_way or None if request.shipping_method_id is None else request.shipping_method_id


def _begin_order(store: Store, request: Request) -> Order:
    """A new order without its goods, not saved yet."""
    if not request.goods:
        raise Problem("an order needs goods; give at least one product with a quantity")
    customer = store.get(Customer, request.customer_id) if request.customer_id else None
    billing = merged_address(customer.billing if customer else Address(), request.billing)
    shipping = merged_address(customer.shipping if customer else billing, request.shipping)
    shipping = billing if shipping == Address() else shipping
    if customer and not billing.email:
        billing = replace(billing, email=customer.email)
    shop, stamp = settings_of(store), store.make_stamp(Order, "created")
    return Order(
        store.next_id(Order), "pending", request.customer_id, stamp, stamp, shop.currency, shop.prices_include_tax,
        billing, shipping,
        payment_method=request.payment_method, payment_title=_payment_title(store, request.payment_method),
        customer_note=request.customer_note, created_via=request.created_via,
        meta=merged_meta({}, request.meta),
    )  # fmt: skip


def put_goods(
    store: Store, order: Order, goods: Sequence[Goods], coupons: Sequence[str], *, strict: bool = True
) -> Order:
    """An order with these goods in the place of those that it had, its coupons and its sums."""
    old = lines_of(store, order)
    lines = _build_lines(store, order, goods, strict=strict)
    for line in old:
        store.remove(line)
    return save_sums(store, order, lines, coupons)


def save_sums(store: Store, order: Order, lines: Sequence[OrderLine], codes: Sequence[str]) -> Order:
    """An order whose lines and totals follow from prices, coupons and taxes; all of it is saved."""
    old, coupons = {use.code for use in order.coupons}, [coupon_of(store, code) for code in _normalize_codes(codes)]
    order, new = _compute_sums(store, order, lines, coupons)
    used = {coupon.code for coupon in coupons}
    if order.status not in GIVES_COUPON_BACK:
        count_uses(store, sorted(used - old), 1)
        count_uses(store, sorted(old - used), -1)
    for line in new:
        store.put(line)
    return store.put(order)


def _normalize_codes(codes: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(code.casefold() for code in codes))


def _compute_sums(
    store: Store, order: Order, lines: Sequence[OrderLine], coupons: Sequence[Coupon]
) -> tuple[Order, list[OrderLine]]:
    """An order and its lines with their sums, as `save_sums`; nothing is saved."""
    taxes = _Taxes(store, order.shipping)
    old = {use.code for use in order.coupons}
    if {coupon.code for coupon in coupons} - old:
        require_compatible(coupons)
    off, uses = [0] * len(lines), list[CouponUse]()
    for coupon in coupons:
        if coupon.code not in old:
            require_usable(store, coupon, order, lines)
        cut = compute_reductions(coupon, lines, taken_lines(store, coupon, lines), off)
        off = [first_discount + more for first_discount, more in zip(off, cut, strict=True)]
        uses.append(
            CouponUse(coupon.code, *_compute_net_discount(taxes, lines, cut, included=order.prices_include_tax))
        )
    new = [
        summed_line(line, taxes.percent_of(line.tax_class), cut, included=order.prices_include_tax)
        for line, cut in zip(lines, off, strict=True)
    ]
    if any(coupon.free_shipping for coupon in coupons):
        order = replace(order, shipping_cents=0, shipping_tax_cents=0)
    return summed_order(order, new, uses), new


def update_order(world: World, order_id: int, changes: Mapping[str, Any]) -> OrderView:
    """Change what `changes` names of an order: its fields, ``goods``, ``coupons`` (codes) or ``shipping_way``.

    Raises:
        Problem: there is none, nothing is given, or it cannot become what is asked for.
    """
    if not changes:
        raise Problem("there is nothing to change; give status, customer_id, billing, goods or another field")
    with opened_shop(world, writes=True) as store:
        return view_of(store, change_order(store, store.get(Order, order_id), changes))


def change_order(store: Store, order: Order, changes: Mapping[str, Any], *, strict: bool = True) -> Order:
    """As `update_order`, within a transaction; not `strict`: whatever it is and has."""
    values = {name: value for name, value in changes.items() if name not in _NO_FIELDS}
    if values.get("customer_id"):
        store.get(Customer, values["customer_id"])
    if "payment_method" in values:
        values.setdefault("payment_title", _payment_title(store, values["payment_method"]))
    values["billing"] = merged_address(order.billing, changes.get("billing"))
    values["shipping"] = merged_address(order.shipping, changes.get("shipping"))
    values["meta"] = merged_meta(order.meta, changes.get("meta"))
    moved = any(getattr(values["shipping"], part) != getattr(order.shipping, part) for part in ("country", "state"))
    changed = store.change(order, **values, modified=store.now.isoformat())
    if moved and order.status in OPEN:
        _, shipping_tax = charged_shipping(store, changed.shipping, changed.shipping_cents)
        changed = replace(changed, shipping_tax_cents=shipping_tax)
    if {"goods", "coupons"} & set(changes) or (moved and order.status in OPEN):
        changed = _regroup_order(store, changed, changes.get("goods"), changes.get("coupons"), strict=strict)
    lost_free_shipping = bool(changed.shipping_title) and _is_free(store, order) and not _is_free(store, changed)
    if way := changes.get("shipping_way") or (changed.shipping_title if lost_free_shipping else ""):
        changed = ship_order(store, changed, way)
    return change_status(store, changed, changes.get("status") or order.status, strict=strict)


def _regroup_order(
    store: Store, order: Order, goods: Sequence[Goods] | None, coupons: Sequence[str] | None, *, strict: bool
) -> Order:
    if strict and order.status not in OPEN:
        raise Problem(
            f"order {order.id} is {order.status!r}; goods and coupons can be changed only while it is "
            f"{' or '.join(OPEN[:2])}. Refund it, or create another order"
        )
    codes = [use.code for use in order.coupons] if coupons is None else coupons
    if goods is None:
        return save_sums(store, order, lines_of(store, order), codes)
    give_back(store, order)
    changed = put_goods(store, order, goods, codes, strict=strict)
    if order.status in TAKES_STOCK:
        take_from_stock(store, changed, strict=strict)
    return changed


def ways_to(store: Store, country: str) -> list[ShippingMethod]:
    """The ways of shipping to a country: those of the zone that names it, else of the zone for all others."""
    zones = store.find(ShippingZone, order="position")
    fitting = [zone for zone in zones if country in zone.countries] or [zone for zone in zones if not zone.countries]
    where = "zone_id = ? AND enabled"
    return [way for zone in fitting[:1] for way in store.find(ShippingMethod, where, [zone.id], order="position")]


class _Taxes:
    """The taxes of the place that goods are sent to."""

    def __init__(self, store: Store, place: Address) -> None:
        self._rates, self._state = store.find(TaxRate), place.state
        self._country = place.country or settings_of(store).country

    def percent_of(self, tax_class: str, *, shipping: bool = False) -> Decimal:
        """The percent of a class of goods, or of shipping."""
        return percent_of(self._rates, self._country, tax_class, shipping=shipping, state=self._state)


def charged_shipping(store: Store, place: Address, cost_cents: int) -> tuple[int, int]:
    """What shipping to a place costs without tax, and the tax that comes to it."""
    return split_tax(cost_cents, _Taxes(store, place).percent_of("standard", shipping=True), included=False)


def ship_order(store: Store, order: Order, way: str | int) -> Order:
    """An order that is sent by one of the shop's ways, by its title or its number, with what it costs.

    A coupon of the order that gives free shipping makes it cost nothing.

    Raises:
        Problem: there is none of this title to where it goes, or the goods are worth too little for it.
    """
    lines = lines_of(store, order)
    return store.put(_price_shipping(store, order, lines, *_find_shipping_way(store, order, lines, way)))


def set_shipping(store: Store, order: Order, kind: str, title: str, cost_cents: int) -> Order:
    """An order that is sent in this way at this cost, to which tax comes."""
    return store.put(_price_shipping(store, order, lines_of(store, order), kind, title, cost_cents))


def _price_shipping(
    store: Store, order: Order, lines: Sequence[OrderLine], kind: str, title: str, cost_cents: int
) -> Order:
    net, tax = charged_shipping(store, order.shipping, cost_cents)
    order = replace(order, shipping_method=kind, shipping_title=title, shipping_cents=net, shipping_tax_cents=tax)
    return summed_order(order, lines, order.coupons)


def _find_shipping_way(
    store: Store, order: Order, lines: Sequence[OrderLine], requested_way: str | int
) -> tuple[str, str, int]:
    """Kind, title and cost of a way of shipping."""
    country = order.shipping.country or settings_of(store).country
    # what has to be reached is told to customers beside prices, so it means what the prices mean
    worth = sum(line.total_cents + line.tax_cents * order.prices_include_tax for line in lines)
    ways = ways_to(store, country)
    named = [way for way in ways if _is_named(way, requested_way)]
    chosen = [way for way in named if way.minimum_cents <= worth]
    if not chosen:
        message = f"there is no shipping method {named[0].title if named else requested_way!r} to {country}"
        message += f" for goods of {format_money(worth, order.currency)}"
        there = ", ".join(_describe_way(way, order.currency) for way in ways)
        raise Problem(f"{message}; use one of: {there or 'none'}")
    return chosen[0].kind, chosen[0].title, 0 if _is_free(store, order) else chosen[0].cost_cents


def _describe_way(way: ShippingMethod, currency: str) -> str:
    return (
        f"{way.title!r} ({format_money(way.cost_cents, currency)}, from {format_money(way.minimum_cents, currency)} on)"
    )


def _is_named(way: ShippingMethod, requested_way: str | int) -> bool:
    return (
        way.id == requested_way
        if isinstance(requested_way, int)
        else way.title.casefold() == requested_way.strip().casefold()
    )


def _is_free(store: Store, order: Order) -> bool:
    where = "code = ? COLLATE NOCASE AND status = 'publish' AND free_shipping"
    return any(store.find(Coupon, where, [use.code]) for use in order.coupons)


def change_status(store: Store, order: Order, status: OrderStatus, *, strict: bool = True) -> Order:
    """An order with another status, and what follows from it for the stock and its times.

    Raises:
        Problem: it is `strict` and the order cannot become this, or there is not enough in stock.
    """
    if status == order.status:
        return order
    if strict and status not in NEXT[order.status] and not (status == "refunded" and order.paid):
        can = ", ".join(NEXT[order.status]) or "nothing else"
        raise Problem(f"order {order.id} is {order.status!r} and cannot become {status!r}; it can become {can}")
    now = store.now.isoformat()
    is_paid = status in ("processing", "completed") and order.paid is None
    new = store.change(
        order,
        status=status,
        modified=now,
        paid=now if is_paid else order.paid,
        completed=now if status == "completed" else order.completed,
    )
    if status in TAKES_STOCK:
        take_from_stock(store, new, strict=strict)
    elif status in GIVES_BACK:
        give_back(store, new)
    freed, was_freed = status in GIVES_COUPON_BACK, order.status in GIVES_COUPON_BACK
    if freed != was_freed:
        count_uses(store, [use.code for use in order.coupons], -1 if freed else 1)
    if new.created != new.modified or order.status != "pending" or status != "pending":
        _log_note(store, new, f"Order status changed from {order.status} to {status}.")
    return new


def add_note(world: World, order_id: int, text: str, *, for_customer: bool = False, author: str = "admin") -> OrderNote:
    """A note on an order.

    Raises:
        Problem: there is no such order, or it says nothing.
    """
    if not text.strip():
        raise Problem("the note is empty; give its text")
    with opened_shop(world, writes=True) as store:
        order = store.get(Order, order_id)
        number, stamp = store.next_id(OrderNote), store.make_stamp(OrderNote, "created")
        return store.put(OrderNote(number, order.id, stamp, author, text.strip(), for_customer))


def _log_note(store: Store, order: Order, text: str) -> None:
    number, stamp = store.next_id(OrderNote), store.make_stamp(OrderNote, "created")
    store.put(OrderNote(number, order.id, stamp, "system", text))


def _build_lines(store: Store, order: Order, goods: Sequence[Goods], *, strict: bool) -> list[OrderLine]:
    """The lines that an order has with these goods, not saved yet."""
    if len(goods) > MAX_LINES:
        raise Problem(f"{len(goods)} lines are too many for one order; the limit is {MAX_LINES}")
    old = {line.id: line for line in lines_of(store, order)}
    wrong = [goods_entry.line_id for goods_entry in goods if goods_entry.line_id not in (None, *old)]
    if wrong:
        raise Problem(f"order {order.id} has no line {wrong[0]}; it has {', '.join(map(str, old))}")
    first = store.next_id(OrderLine)
    numbers = (goods_entry.line_id or first + place for place, goods_entry in enumerate(goods))
    return [
        _build_line(store, order, _keep_agreed(goods_entry, old), n, strict=strict)
        for goods_entry, n in zip(goods, numbers, strict=True)
    ]


def _keep_agreed(goods_entry: Goods, lines: Mapping[int, OrderLine]) -> Goods:
    """Goods of a line that is there already, at the price that was agreed and with what else was noted."""
    line = lines.get(goods_entry.line_id or 0)
    if line is None or goods_entry.product_id not in (line.variant_id or line.product_id, line.product_id):
        return goods_entry
    price = line.price_cents if goods_entry.price_cents is None else goods_entry.price_cents
    return replace(goods_entry, price_cents=price, meta={**line.meta, **goods_entry.meta})


def _build_line(store: Store, order: Order, goods_entry: Goods, number: int, *, strict: bool) -> OrderLine:
    product = store.get(Product, goods_entry.product_id)
    price = price_of(product, store.now) if goods_entry.price_cents is None else goods_entry.price_cents
    if product.kind == "variable" and strict:
        variants = store.find(Product, "parent_id = ?", [product.id])
        named = ", ".join(f"{variant.id} ({variant.name})" for variant in variants[:10])
        raise Problem(f"product {product.id} has variants; order one of {named}")
    if price is None or goods_entry.quantity < 1:
        raise Problem(
            f"product {product.id} ({product.name!r}) has no price, or its quantity {goods_entry.quantity} is not"
            " above 0"
        )
    counted = counted_product(store, product)
    if strict and counted.stock is not None and counted.backorders == "no" and counted.stock < goods_entry.quantity:
        raise too_few(counted, goods_entry.quantity)
    ids = (product.parent_id, product.id) if product.parent_id is not None else (product.id, None)
    return OrderLine(
        number, order.id, ids[0], ids[1], product.sku, product.name, goods_entry.quantity, price,
        tax_class=product.tax_class, meta=merged_meta({}, goods_entry.meta),
    )  # fmt: skip


def _payment_title(store: Store, method: str) -> str:
    gateways = store.find(Gateway, "id = ?", [method])
    return gateways[0].title if gateways else method


def _compute_net_discount(
    taxes: _Taxes, lines: Sequence[OrderLine], cut: Sequence[int], *, included: bool
) -> tuple[int, int]:
    """What a coupon took off, and the tax of it."""
    parts = [
        split_tax(amount, taxes.percent_of(line.tax_class), included=included)
        for line, amount in zip(lines, cut, strict=True)
    ]
    return sum(net for net, _ in parts), sum(tax for _, tax in parts)
