"""The desk of somebody at the company: shop and mailbox of moderate size that tell of the same sales.

A task takes `Desk.of(world)`, adds orders of its own with `put_order`, `give_order` and `add_goods` (in
`desk.shop_opened()`), and fills the mailbox last, with its own letters.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from yardkit.apps.mail import Rule, read_accounts, save_accounts
from yardkit.apps.shop import (
    APP,
    RECORDS,
    TAKES_STOCK,
    Customer,
    Order,
    OrderLine,
    OrderNote,
    OrderStatus,
    Product,
    TaxRate,
)
from yardkit.apps.shop_sums import percent_of, split_tax, summed_line, summed_order
from yardkit.apps.store import Store, open_store
from yardkit.state_init.company.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.letters import Letter, write_note
from yardkit.state_init.company.mail import Filled, fill_mail
from yardkit.state_init.company.persons import Colleague, Contact, Somebody
from yardkit.state_init.company.shop import ShopFilled, fill_shop
from yardkit.state_init.company.stories import Stories, make_stories
from yardkit.world import World

ORDERS, MAILS = 360, 260
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
    def open_filled(cls, world: World, *, orders: int = ORDERS, sales: int = 12, shoppers: int = 120) -> "Desk":
        """A filled shop; its mailbox comes last, with the letters of the task."""
        cast = cast_of(world)
        stories = make_stories(cast, get_stream(world, "stories"), world.now, sales=sales)
        shop = fill_shop(world, cast, get_stream(world, "shop"), stories, orders=orders, shoppers=shoppers)
        return cls(world, cast, stories, shop)

    @contextmanager
    def shop_opened(self) -> Iterator[Store]:
        """The shop, to be changed."""
        with open_store(APP, *RECORDS, writes=True, world=self.world) as store:
            yield store

    def fill_mailbox(self, *letters: Letter, count: int = MAILS, rules: Sequence[Rule] = ()) -> Filled:
        """The owner's mailbox with these letters among those of the stories, near misses and noise.

        The shop's customers have mailboxes, too.
        """
        world, rng = self.world, get_stream(self.world, "mail")
        filled = fill_mail(world, self.cast, rng, count=count, stories=self.stories, more=letters, rules=rules)
        with self.shop_opened() as store:
            customers = {
                customer.email: f"{customer.first_name} {customer.last_name}" for customer in store.find(Customer)
            }
        accounts = read_accounts(world)
        save_accounts(world, replace(accounts, names={**customers, **accounts.names}))
        return filled

    def letter(self, key: str, by: Somebody, subject: str, letter_text: str, sent: datetime) -> Letter:
        """What somebody writes to the owner, signed with what they do."""
        owner = self.cast.owner
        does = by.title if isinstance(by, Colleague) else by.role if isinstance(by, Contact) else ""
        text = write_note(owner.first, letter_text, f"{by.name}\n{does}".rstrip())
        return Letter(key, by.mailbox, (owner.mailbox,), subject, text, sent)


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
    _, tax = split_tax(order.shipping_cents, percent, included=False)
    for line in summed:
        store.put(line)
    return store.put(summed_order(replace(order, shipping_tax_cents=tax), summed, order.coupons))
