"""Parcels around Easter: orders that are late, or only seem so, by the holidays of the country of each carrier."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from yardkit.apps.shop import Order, OrderLine, Refund, RefundLine
from yardkit.apps.store import Store
from yardkit.state_init.cast import get_stream
from yardkit.state_init.company import parcels as post
from yardkit.state_init.company.calendar import fill_calendar
from yardkit.state_init.company.desk import Desk
from yardkit.state_init.company.parcels import Carrier, Fits, Parcel, Terms
from yardkit.state_init.material import fill_in
from yardkit.world import World

DAY = timedelta(days=1)
DELIVERED = date(2026, 4, 1), date(2026, 4, 15)
"""The days of delivery that are looked at."""
CASES: Mapping[str, Fits] = {
    "slightly": lambda late, _none, _all: 1 <= late <= 2,
    "clearly": lambda late, _none, _all: 3 <= late <= 4,
    "very": lambda late, _none, _all: 5 <= late <= 8,
    "by_its_own_holidays": lambda late, _none, everybody: everybody <= 0 < late,
    "less_by_holidays": lambda late, none, _all: 1 <= late <= 2 < none,
    "by_the_last_parcel": lambda late, _none, _all: 1 <= late <= 6,
    "not_by_holidays": lambda late, none, _all: late <= 0 < none,
    "not_by_holidays_either": lambda late, none, _all: late <= 0 < none,
    "last_day": lambda late, none, _all: late == none == 0,
    "both_in_time": lambda late, _none, _all: late <= 0,
    "given_back": lambda late, _none, _all: 1 <= late <= 6,
    "has_it": lambda late, _none, _all: 1 <= late <= 2,
    "asked_for_later": lambda late, _none, _all: 2 <= late <= 6,
    "on_its_way": lambda late, _none, _all: 1 <= late <= 6,
}
DUE = [*CASES][:6]
"""Those that get a voucher."""
IN_TWO = ("by_the_last_parcel", "both_in_time", "on_its_way")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill shop, mailbox and calendar; the facts say what is right."""
    desk, carriers = Desk.open_filled(world, orders=560), post.make_carriers(rng)
    home, until = rng.randint(3, 4), date(2026, 6, 30)
    days = {"Parcel": home, "Free parcel": home, "Parcel abroad": home + 2, "Express abroad": 3}
    terms = Terms(days, rng.choice(((500, 1_000, 2_000), (400, 900, 1_500), (600, 1_200, 2_500))), until)
    orders = [order for order in desk.shop.orders if order.status == "completed" and order.completed]
    cases = _choose_cases(rng, [order for order in orders if not order.coupons], carriers, terms)
    given = {name: terms.compute_voucher(*case) for name, case in cases.items() if name in (*DUE, "has_it")}
    with desk.shop_opened() as store:
        parcels = [*post.usual_parcels(rng, store, orders, carriers, {order.id for order, _ in cases.values()})]
        for order, sent in cases.values():
            post.ship_order(store, order, sent)
        _change_orders(store, *(cases[name][0].id for name in ("given_back", "asked_for_later")))
        old = post.give_voucher(store, desk.cast.owner, given["has_it"], until)
    parcels += (parcel for _, sent in cases.values() for parcel in sent)
    letters = [*post.reports_of(parcels, desk.cast.owner.mailbox, world.now), old]
    desk.fill_mailbox(*letters, count=220 + len(letters))
    holidays = list(post.holiday_events(desk.cast.domain))
    fill_calendar(world, desk.cast, get_stream(world, "calendar"), desk.stories, people=4, more=holidays)
    listed = "\n".join(f"| {carrier.name} | {carrier.country} |" for carrier in carriers)
    small, middle, large = (f"{cents / 100:.2f}" for cents in terms.amounts)
    terms_values = {"home": home, "abroad": home + 2, "express": 3, "carriers": listed, "until": f"{until:%d %B %Y}"}
    fill_in(world, "terms/delivery_2026.md", **terms_values, small=small, middle=middle, large=large)
    fill_in(world, "terms/delivery_2025.md", old=home + 1, old_amount="20.00")
    return {
        "owner": desk.cast.owner.email, "after": str(until + DAY), "until": str(until),
        "vouchers": [given[name] for name in DUE],
        **{name: order.id for name, (order, _) in cases.items()},
    }  # fmt: skip


Sent = tuple[Order, list[Parcel]]


def _choose_cases(
    rng: random.Random, orders: Sequence[Order], carriers: Sequence[Carrier], terms: Terms
) -> dict[str, Sent]:
    """For each case an order of March with its parcels; the rare ones choose first."""
    left = [order for order in orders if "2026-03-10" <= order.created < "2026-04-06"]
    rng.shuffle(left)
    chosen_parcels: dict[str, Sent] = {}
    for name in sorted(CASES, key=lambda name: name not in ("very", "clearly", "less_by_holidays")):
        order, fitting = next(
            (order, fit)
            for order in left
            if (fit := [*post.list_shippings(order, carriers, terms, CASES[name], DELIVERED)])
        )
        left.remove(order)
        first = rng.choice(fitting)
        next_day = post.workday_everywhere(first.handed + DAY)
        later = replace(first, number=f"{first.number[:3]}{rng.randint(10**7, 10**8 - 1)}", handed=next_day)
        if name == "on_its_way":
            later = replace(later, brought=None)
        elif name in IN_TWO:
            first = replace(first, brought=next_day)
        chosen_parcels[name] = order, [first, later] if name in IN_TWO else [first]
    return chosen_parcels


def _change_orders(store: Store, back: int, asked: int) -> None:
    """One order is given back as a whole, for another one its customer asked for a later day."""
    lines = store.find(OrderLine, "order_id = ?", [back])
    order, at = store.get(Order, back), (store.now - timedelta(days=1)).isoformat()
    parts = [RefundLine(line.id, line.quantity, line.total_cents, line.tax_cents) for line in lines]
    number, reason = store.next_id(Refund), "Sent back within 14 days"
    store.put(Refund(number, back, at, order.total_cents, reason, parts, paid_back=True))
    store.put(replace(order, status="refunded", modified=at))
    note = "We are away over Easter. Please deliver after 11 April."
    store.put(replace(store.get(Order, asked), customer_note=note))
