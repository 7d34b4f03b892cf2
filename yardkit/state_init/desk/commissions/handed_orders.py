"""Orders of a shop handed over to others: they keep their numbers, days and goods, as if somebody else had placed them.

So a task has the orders that it needs among those of the year, with numbers in the order of their days.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from yardkit.apps.shop import Customer as Account
from yardkit.apps.shop import Order, OrderLine, Product, Refund, RefundLine
from yardkit.apps.store import Store
from yardkit.state_init.company.desk import Desk, add_goods, give_order
from yardkit.state_init.company.trade import Customer

Fits = Callable[[str, str], bool]
"""Whether an order will do, by the days (YYYY-MM-DD) on which it was placed and completed."""


@dataclass(frozen=True)
class Till:
    """The shop with its orders that may be handed over. left: them, in the order in which they are tried."""

    desk: Desk
    store: Store
    rng: random.Random
    left: list[Order]

    @classmethod
    def from_desk(cls, desk: Desk, store: Store, rng: random.Random) -> "Till":
        """With the completed orders that have neither coupons nor refunds and that no letter tells of."""
        back = {refund.order_id for refund in store.find(Refund)}
        done = [
            shop_order
            for shop_order in desk.shop.orders
            if shop_order.status == "completed" and shop_order.created_via == "checkout"
        ]
        left = [shop_order for shop_order in done if not shop_order.coupons and shop_order.id not in back]
        rng.shuffle(left)
        return cls(desk, store, rng, left)

    def hand_over(self, firms: Sequence[Customer], fits: Fits) -> Order:
        """An order that fits, as that of one of the firms, with more goods."""
        order = self._take_order(fits)
        buyer = self.store.get(Account, self.desk.shop.customers[self.rng.choice(firms).contacts[0].email])
        given = give_order(self.store, order, buyer)
        goods = self.store.find(Product, "price_cents IS NOT NULL AND status = 'publish'")
        add_goods(self.store, given, self.rng.choice(goods), self.rng.randint(4, 16))
        return self.store.get(Order, given.id)

    def _take_order(self, fits: Fits) -> Order:
        """One that fits; where none does as it is, one that was sent some days later."""
        for late in range(10):
            for shop_order in self.left:
                sent = datetime.fromisoformat(shop_order.completed or "") + timedelta(days=late)
                if sent <= self.store.now and fits(shop_order.created[:10], str(sent.date())):
                    self.left.remove(shop_order)
                    return replace(shop_order, completed=sent.isoformat())
        raise LookupError("no order of the shop fits")

    def give_back(self, order: Order, day: date, *, goods: bool = True) -> None:
        """Half of the last line comes back, or a little money without goods."""
        at = datetime.combine(day, time(self.rng.randint(8, 16), 20), self.store.now.tzinfo).isoformat()
        line, number = self.store.find(OrderLine, "order_id = ?", [order.id])[-1], self.store.next_id(Refund)
        share = line.quantity // 2 / line.quantity
        part = RefundLine(line.id, line.quantity // 2, round(line.total_cents * share), round(line.tax_cents * share))
        amount, reason = part.total_cents + part.tax_cents, "Sent back, wrong colour"
        if not goods:
            amount, reason = self.rng.randint(12, 60) * 100, "Price reduction out of goodwill, came late"
        self.store.put(Refund(number, order.id, at, amount, reason, [part] if goods else [], paid_back=True))
        self.store.put(replace(order, modified=at))
