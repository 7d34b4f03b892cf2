"""The desk of somebody at the company: shop and mailbox of moderate size that tell of the same sales.

desk = Desk.of(world)
with desk.shop_opened() as store:
    ...  # the task's own orders, by `put_order`, `give_order`
filled = desk.fill_mailbox(*letters)
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from toolyard.apps.mail import Rule, read_accounts, save_accounts
from toolyard.apps.shop import (
    APP,
    RECORDS,
    TAKES_STOCK,
    Customer,
    Order,
    OrderLine,
    OrderNote,
    OrderStatus,
    Product,
    Refund,
    TaxRate,
)
from toolyard.apps.shop_sums import percent_of, split, summed_line, summed_order
from toolyard.apps.store import Store, opened
from toolyard.state_init.company.cast import Cast, cast_of, stream
from toolyard.state_init.company.letters import Letter, note
from toolyard.state_init.company.mail import Filled, fill_mail
from toolyard.state_init.company.persons import Somebody
from toolyard.state_init.company.sales import Ending, Sale
from toolyard.state_init.company.shop import ShopFilled, fill_shop
from toolyard.state_init.company.stories import Stories, make_stories
from toolyard.world import World

ORDERS = 360
"""Orders of the web shop; its numbers end below those of the stories' sales, which begin at 10,401."""
MAILS = 260
_STATUS: dict[Ending, OrderStatus] = {"processing": "processing", "cancelled": "cancelled"}
_WAYS = {"paypal": "PayPal", "card": "Card", "bacs": "Bank transfer"}


@dataclass(frozen=True)
class Placed:
    """An order that somebody placed. goods: products or variants, with units.

    Attributes:
        way: ``paypal``, ``card`` or ``bacs``.
        status: what became of it; whatever was paid takes its goods out of the stock.
        completed: when it was sent.
        fields: further ones of the order, such as ``shipping`` or ``customer_note``.
    """

    customer: Customer
    moment: datetime
    goods: Sequence[tuple[Product, int]]
    status: OrderStatus = "completed"
    way: str = "card"
    completed: datetime | None = None
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Desk:
    """What lies on a desk: the company, what happened there, and the shop, in which the stories' sales are orders."""

    world: World
    cast: Cast
    stories: Stories
    shop: ShopFilled

    @classmethod
    def of(cls, world: World, *, orders: int = ORDERS, sales: int = 12, shoppers: int = 120) -> "Desk":
        """A filled shop; its mailbox comes last, with the letters of the task. At most 400 orders."""
        cast = cast_of(world)
        stories = make_stories(cast, stream(world, "stories"), world.now, sales=sales)
        shop = fill_shop(world, cast, stream(world, "shop"), orders=orders, shoppers=shoppers)
        desk = cls(world, cast, stories, shop)
        with desk.shop_opened() as store:
            for sale in stories.sales:
                _put_sale(store, desk.shop, sale)
        return desk

    @contextmanager
    def shop_opened(self) -> Iterator[Store]:
        """The shop, to be changed."""
        with opened(APP, *RECORDS, writes=True, world=self.world) as store:
            yield store

    def fill_mailbox(self, *letters: Letter, count: int = MAILS, rules: Sequence[Rule] = ()) -> Filled:
        """The owner's mailbox with these letters among those of the stories, near misses and noise.

        The shop's customers have mailboxes, too.
        """
        world, rng = self.world, stream(self.world, "mail")
        filled = fill_mail(world, self.cast, rng, count=count, stories=self.stories, more=letters, rules=rules)
        with self.shop_opened() as store:
            customers = {one.email: f"{one.first_name} {one.last_name}" for one in store.find(Customer)}
        accounts = read_accounts(world)
        save_accounts(world, replace(accounts, names={**customers, **accounts.names}))
        return filled

    def letter(self, key: str, by: Somebody, subject: str, told: str, sent: datetime) -> Letter:
        """What somebody writes to the owner."""
        owner = self.cast.owner
        return Letter(key, by.mailbox, (owner.mailbox,), subject, note(owner.first, told, by.name), sent)


def put_order(store: Store, placed: Placed, number: int | None = None) -> Order:
    """An order with its lines, taxes and totals; it is free of shipping. Without a number it is the next one."""
    at, paid = placed.moment.isoformat(), placed.status in ("processing", "completed", "refunded", "on-hold")
    order = Order(
        number or store.next_id(Order), placed.status, placed.customer.id, at, at, "EUR", prices_include_tax=False,
        billing=placed.customer.billing, shipping=placed.customer.shipping, payment_method=placed.way,
        payment_title=_WAYS[placed.way], shipping_method="free_shipping", shipping_title="Free parcel",
        paid=(placed.moment + timedelta(minutes=7)).isoformat() if paid else None,
        completed=placed.completed.isoformat() if placed.completed else None,
    )  # fmt: skip
    order = replace(order, modified=order.completed or order.paid or at)
    order = replace(order, **placed.fields)
    first = store.next_id(OrderLine)
    taken = placed.status in (*TAKES_STOCK, "refunded")
    lines = [
        OrderLine(
            first + place, order.id, product.parent_id or product.id, product.id if product.parent_id else None,
            product.sku, product.name, units, product.price_cents or 0, from_stock=units if taken else 0,
        )
        for place, (product, units) in enumerate(placed.goods)
    ]  # fmt: skip
    return _put_summed(store, order, lines)


def give_order(store: Store, order: Order, customer: Customer) -> Order:
    """An order without coupons as that of another customer, with the taxes of that one's country."""
    given = replace(order, customer_id=customer.id, billing=customer.billing, shipping=customer.shipping)
    return _put_summed(store, given, store.find(OrderLine, "order_id = ?", [order.id]))


def add_goods(store: Store, order: Order, product: Product, units: int) -> OrderLine:
    """One more line in an order without coupons, whose sums follow."""
    ids = product.parent_id or product.id, product.id if product.parent_id else None
    line = OrderLine(
        store.next_id(OrderLine), order.id, *ids, product.sku, product.name, units, product.price_cents or 0
    )
    taken = order.status in (*TAKES_STOCK, "refunded")
    lines = store.find(OrderLine, "order_id = ?", [order.id])
    _put_summed(store, order, [*lines, replace(line, from_stock=units if taken else 0)])
    return store.get(OrderLine, line.id)


def put_note(store: Store, order: int, moment: datetime, author: str, text: str, *, for_customer: bool = False) -> None:
    """A note on an order."""
    number = store.next_id(OrderNote)
    store.put(OrderNote(number, order, moment.isoformat(), author, text, for_customer))


def _put_summed(store: Store, order: Order, lines: Sequence[OrderLine]) -> Order:
    rates = store.find(TaxRate)
    percent = percent_of(rates, order.shipping.country, "standard")
    summed = [summed_line(line, percent, 0, included=False) for line in lines]
    _, tax = split(order.shipping_cents, percent, included=False)
    for line in summed:
        store.put(line)
    return store.put(summed_order(replace(order, shipping_tax_cents=tax), summed, order.coupons))


def _put_sale(store: Store, shop: ShopFilled, sale: Sale) -> None:
    """A sale of the stories as an order that a clerk wrote down, with the sums of its invoice."""
    customer = store.get(Customer, shop.customers[sale.contact.email])
    goods = [(store.get(Product, shop.products[line.sku]), line.quantity) for line in sale.lines]
    status = _STATUS.get(sale.ending, "completed")
    about = {"created_via": "admin", "meta": {"invoice": sale.invoice}}
    placed = Placed(customer, sale.ordered, goods, status, "bacs", sale.shipped, about)
    order = put_order(store, placed, sale.order)
    cuts, taxes = (_shares(amount, [line.amount for line in sale.lines]) for amount in (sale.discount, sale.tax))
    lines = [
        replace(
            line, price_cents=sold.price, subtotal_cents=sold.amount, total_cents=sold.amount - cut, tax_cents=tax,
            subtotal_tax_cents=tax,
        )
        for line, sold, cut, tax in zip(
            store.find(OrderLine, "order_id = ?", [order.id]), sale.lines, cuts, taxes, strict=True
        )
    ]  # fmt: skip
    for line in lines:
        store.put(line)
    store.put(summed_order(order, lines, []))
    if sale.shipped:
        told = f"Sent with ParcelExpress, tracking number {sale.tracking}."
        put_note(store, order.id, sale.shipped, sale.clerk.name, told, for_customer=True)
    if sale.refund:
        reason = f"Credit note {sale.refund.number}"
        number, made = store.next_id(Refund), sale.refund.made.isoformat()
        store.put(Refund(number, order.id, made, sale.refund.amount, reason, [], paid_back=True))


def _shares(amount: int, sums: Sequence[int]) -> list[int]:
    """An amount in whole parts in proportion to sums; the last one has what rounding leaves."""
    parts = [amount * value // sum(sums) for value in sums[:-1]]
    return [*parts, amount - sum(parts)]
