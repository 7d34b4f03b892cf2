"""Orders that a risk filter holds, a policy in a folder, and the mail that changed it."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Literal

from yardkit.apps.shop import Address, Customer, Order, OrderLine, Product, TaxRate
from yardkit.apps.shop_sums import percent_of
from yardkit.apps.store import Store
from yardkit.state_init.company.desk import Desk, Placed, give_order, put_note, put_order
from yardkit.state_init.company.hours import choose_later_moment
from yardkit.state_init.company.letters import Letter
from yardkit.state_init.company.persons import address_of
from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.material import fill_in
from yardkit.state_init.names import CITIES, STREETS
from yardkit.world import World

SOMETIMES, OFTEN = 3, 5
"""Completed orders of a regular customer, as the folder has it, and as it is."""
Way = Literal["released", "cancelled", "asked"]
Traits = frozenset[str]
_BANDS = {
    "a": (3_000, 14_000), "b": (16_000, 29_000), "c": (31_000, 49_000), "d": (52_000, 59_000), "e": (62_000, 98_000),
    "f": (102_000, 300_000),
}  # fmt: skip
"""From which total to which in cents: between the limits of both policies."""
_PLAN = (
    *("blocked b", "blocked a", "lifted a", "namesake a", "forwarded b", "forwarded c", "neighbour a"),
    *("business forwarded e", "business f", "business abroad c", "often c", "often e", "often abroad b"),
    *("sometimes e", "sometimes abroad b", "sometimes c", "again abroad b", "again e", "abroad b", "new e"),
)
_MORE = ("abroad a", "abroad b", "abroad c", "forwarded a", "neighbour b", "new a", "new b", "new d", "new e", "new f")
"""Of each held order what is odd about it, and its total; all of the first, and half of the others."""


@dataclass(frozen=True)
class Policy:
    """What the rules say. cap: the highest total of rule 3; business: whether there is a rule 7, after rule 1."""

    regular: int
    abroad: int
    big: int
    cap: int | None = None
    business: bool = False


def _make_policies(scale: float) -> tuple[Policy, Policy]:
    """The one in the folder, and the one in force."""
    old, now = (
        Policy(SOMETIMES, round(300 * scale), round(1_000 * scale)),
        Policy(OFTEN, round(150 * scale), round(600 * scale)),
    )
    return old, replace(now, cap=round(500 * scale), business=True)


@dataclass(frozen=True)
class SuspendedOrder:
    """A held order. traits: what is true of it, such as ``blocked``; completed: orders of its account."""

    order: Order
    traits: Traits
    completed: int

    def decision(self, policy: Policy) -> tuple[Way, int]:
        """What becomes of it, and by which rule."""
        total = self.order.total_cents / 100
        rules: tuple[tuple[bool, Way, int], ...] = (
            ("blocked" in self.traits, "cancelled", 1),
            (policy.business and "business" in self.traits, "released", 7),
            ("forwarded" in self.traits, "cancelled", 2),
            (self.completed >= policy.regular and total <= (policy.cap or total), "released", 3),
            (self.order.billing.country != self.order.shipping.country and total > policy.abroad, "asked", 4),
            (total > policy.big, "asked", 5),
        )
        return next(((way, rule) for fits, way, rule in rules if fits), ("released", 6))


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Shop, policy, lists and mailbox; the facts say what becomes of each order."""
    desk, scale, forwarders = (
        Desk.open_filled(world, orders=390, shoppers=75),
        rng.choice((0.8, 1, 1.2)),
        [_make_address(rng) for _ in range(9)],
    )
    old, now = _make_policies(scale)
    with desk.shop_opened() as store:
        buyers = _choose_buyers(store, rng)
        other = _hold_another(store, rng, buyers["business"][0])
        suspended_orders = [*_hold_orders(store, rng, buyers, forwarders, scale)]
        _note_old_ones(store, rng, desk)
        lines = [
            line
            for suspended_order in suspended_orders
            for line in store.find(OrderLine, "order_id = ?", [suspended_order.order.id])
        ]
        stock = {product.id: product.stock or 0 for product in store.find(Product)}
    rows = [
        [f"{rng.choice(_FORWARDERS)} {place.city}", place.street, place.postcode, place.city, place.country]
        for place in forwarders
    ]
    save_csv(world.files / "risk/forwarders.csv", [["name", "street", "postcode", "city", "country"], *rows])
    save_csv(world.files / "risk/blocklist.csv", [*_list_blocked(world, rng, desk, buyers)])
    fill_in(world, "risk/fraud_policy.md", abroad=old.abroad, big=f"{old.big:,}")
    desk.fill_mailbox(*_write_letters(desk, rng, old, now))
    return {
        "prompt": {"count": len(suspended_orders)},
        "other": other,
        "blocked": buyers["blocked"][0].email,
        "again": buyers["again"][0].email,
        "again_first": next(
            suspended_order.order.id for suspended_order in suspended_orders if "again" in suspended_order.traits
        ),
        **{
            trait: next(
                suspended_order.order.id for suspended_order in suspended_orders if trait in suspended_order.traits
            )
            for trait in ("lifted", "namesake")
        },
        "firm": next(
            suspended_order.order.id
            for suspended_order in suspended_orders
            if {"business", "forwarded"} <= suspended_order.traits
        ),
        **_build_truth(suspended_orders, now, lines, stock),
    }


_FORWARDERS = ("Parcel Relay", "Boxway", "Transit Point", "Cargo Desk", "Shipfor")
_REASONS = ("chargeback", "stolen card", "parcel said to be lost, three times", "false name")
SUSPENSION_REASON = "Held by the risk filter."
OrderCounts = Sequence[tuple[Customer, int]]
Buyers = Mapping[str, Sequence[Customer]]


def _make_address(rng: random.Random) -> Address:
    """An address without a person."""
    city, postcode, _, code = rng.choice(CITIES)
    return Address(street=f"{rng.randint(2, 90)} {rng.choice(STREETS)}", city=city, postcode=postcode, country=code)


def _choose_buyers(store: Store, rng: random.Random) -> Buyers:
    """Customers for each trait, different ones but for ``again``."""
    done = Counter(order.customer_id for order in store.find(Order, "status = 'completed'"))
    private, firms = (store.find(Customer, f"json_extract(billing, '$.company') {sign} ''") for sign in ("=", "<>"))
    names = {
        (customer.first_name, customer.last_name, customer.billing.street): customer for customer in reversed(private)
    }
    first = {
        customer.id: names[customer.first_name, customer.last_name, customer.billing.street] for customer in private
    }
    similar_buyer = rng.choice([customer for customer in private if first[customer.id] != customer])
    pair = (similar_buyer, first[similar_buyer.id])
    rare = [customer for customer in private if done[customer.id] < SOMETIMES and customer not in pair]
    business, rest = rng.sample(firms, 3), rng.sample(rare, len(rare))
    often, sometimes, rest = rest[:3], rest[3:6], rest[6:]
    _make_regular(
        store,
        rng,
        [*((customer, OFTEN) for customer in often), *((customer, SOMETIMES) for customer in sometimes)],
        done,
    )
    return {
        "often": often, "sometimes": sometimes,
        "business": business, "blocked": [pair[1], rest[0]], "namesake": [similar_buyer], "lifted": [rest[1]],
        "again": [rest[2]] * 2, "": rest[3:],
    }  # fmt: skip


def _make_regular(
    store: Store, rng: random.Random, order_counts: Sequence[tuple[Customer, int]], done: Counter[int | None]
) -> None:
    """Customers get orders of firms until they have so many that are completed."""
    of_firms = "status = 'completed' AND coupons = '[]' AND created_via = 'checkout'"
    given = [order for order in store.find(Order, of_firms) if order.billing.company]
    rng.shuffle(given)
    for customer, times in order_counts:
        for _ in range(times - done[customer.id]):
            give_order(store, given.pop(), customer)


def _hold_orders(
    store: Store, rng: random.Random, buyers: Buyers, forwarders: Sequence[Address], scale: float
) -> Iterator[SuspendedOrder]:
    """The held orders, as `_PLAN` has them, in any order of time."""
    done = Counter(order.customer_id for order in store.find(Order, "status = 'completed'"))
    goods = store.find(Product, "status = 'publish' AND kind <> 'variable' AND price_cents > 0")
    left = {trait: list(people) for trait, people in buyers.items()}
    plans, last = [*_PLAN, *rng.sample(_MORE, 5)], store.now - timedelta(hours=20)
    for plan in rng.sample(plans, len(plans)):
        *traits, band = plan.split()
        who = next((trait for trait in traits if trait in left), "")
        customer, last = left[who].pop(), last + timedelta(minutes=rng.randint(9, 46))
        shipping = replace(_sent_to(rng, customer, traits, forwarders), email="")
        percent = float(percent_of(store.find(TaxRate), shipping.country, "standard"))
        low, high = (limit * scale * 100 / (100 + percent) for limit in _BANDS[band])
        way, chosen = rng.choice(("card", "paypal")), _find_fitting_product(rng, goods, low, high)
        order = put_order(store, Placed(customer, last, [chosen], "on-hold", way, fields={"shipping": shipping}))
        put_note(store, order.id, last + timedelta(minutes=1), "system", SUSPENSION_REASON)
        yield SuspendedOrder(order, frozenset(traits), done[customer.id])


def _hold_another(store: Store, rng: random.Random, customer: Customer) -> int:
    """An order that is on hold because it is not paid yet."""
    product = rng.choice(store.find(Product, "status = 'publish' AND kind = 'simple' AND price_cents > 0"))
    moment = store.now - timedelta(days=2)
    unpaid: dict[str, Any] = {"paid": None, "modified": moment.isoformat()}
    order = put_order(store, Placed(customer, moment, [(product, 2)], "on-hold", "bacs", fields=unpaid))
    put_note(store, order.id, moment, "system", "Waiting for the transfer.")
    return order.id


def _sent_to(rng: random.Random, customer: Customer, traits: Sequence[str], forwarders: Sequence[Address]) -> Address:
    """Where the parcel goes."""
    home, place = customer.billing, rng.choice(forwarders)
    if "abroad" in traits:
        place = rng.choice(
            [place for place in (_make_address(rng) for _ in range(20)) if place.country != home.country]
        )
    elif "neighbour" in traits:
        number, _, street = place.street.partition(" ")
        place = replace(place, street=f"{int(number) + 100} {street}", country=home.country)
    elif "forwarded" not in traits:
        return home
    return replace(place, first_name=home.first_name, last_name=home.last_name)


def _find_fitting_product(rng: random.Random, goods: Sequence[Product], low: float, high: float) -> tuple[Product, int]:
    """A product, and how many of it cost something between the two, without tax."""
    pairs = ((rng.choice(goods), rng.randint(1, 8)) for _ in count())
    return next((product, units) for product, units in pairs if low <= (product.price_cents or 0) * units <= high)


def _note_old_ones(store: Store, rng: random.Random, desk: Desk) -> None:
    """Notes on orders that were decided before, by which one sees how they are written."""
    people = [colleague.name for colleague in desk.cast.staff if colleague.department in ("Sales", "Finance")]
    words: dict[str, Sequence[str]] = {
        "completed": ("released, rule 3", "released, rule 6", "released, rule 6"),
        "cancelled": ("cancelled, rule 1", "cancelled, rule 2"),
        "failed": ("asked, rule 4", "asked, rule 5"),
    }
    for status, texts in words.items():
        decided = store.find(Order, "status = ? AND created_via = 'checkout'", [status])
        for order in rng.sample(decided, min(8, len(decided))):
            at = min(
                store.now, max(map(_parse_moment, (order.created, order.paid or order.created))) + timedelta(minutes=50)
            )
            put_note(store, order.id, at - timedelta(minutes=30), "system", SUSPENSION_REASON)
            put_note(store, order.id, at, rng.choice(people), f"Risk: {rng.choice(texts)}")


def _parse_moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _list_blocked(world: World, rng: random.Random, desk: Desk, buyers: Buyers) -> Iterator[list[str]]:
    """The list, with entries that were lifted, and addresses that differ from customers' in little."""
    yield ["email", "since", "reason", "lifted"]
    first, second = (customer.email for customer in buyers["blocked"])
    entries = [(first, ""), (second.upper(), ""), (buyers["lifted"][0].email, "yes")]
    others = [address_of(contact.first, contact.last, "webmail.example") for contact in desk.cast.contacts[:24]]
    entries += [(email, rng.choice(("", "", "yes"))) for email in others]
    for email, lifted in sorted(entries):
        since = world.now.date() - timedelta(days=rng.randint(60, 500))
        until = since + timedelta(days=rng.randint(10, 50))
        yield [email, str(since), rng.choice(_REASONS), str(until) if lifted else ""]


_SALE = """for the weeks of the sale rule 4 of the fraud policy asks only from a total over EUR {more} on. \
On 1 February it is over EUR {abroad} again."""
_CHANGE = """we have changed the fraud policy. From 2 March on this holds for every order that is decided; the \
document will follow when I find the time.

- Rule 3: five completed orders instead of three, and only orders with a total of up to EUR {cap}. Larger ones go on \
to the next rules.
- Rule 4: over EUR {abroad}.
- Rule 5: over EUR {big}.
- There is a new rule 7. It stands between rules 1 and 2: orders of business customers, that is of accounts with a \
customer number, are released.

Everything else stays as it is."""
_WISH = """could we not ask from EUR {less} on in rule 4, and ask for everything that goes abroad? We lose parcels \
every week. I would also drop rule 7 again: some of these firms are not real."""


def _write_letters(desk: Desk, rng: random.Random, old: Policy, now: Policy) -> Iterator[Letter]:
    """A change that holds no more, the one that holds, and a wish of somebody who cannot decide."""
    head = desk.cast.find_head("Finance")
    wishes = rng.choice(
        [
            colleague
            for colleague in desk.cast.colleagues
            if colleague.department == "Sales" and "Head" not in colleague.title
        ]
    )
    letter_text = (
        (head, 70, "Fraud policy: rule 4", _SALE.format(more=round(old.abroad * 1.5), abroad=old.abroad)),
        (head, 16, "Fraud policy", _CHANGE.format(cap=now.cap, abroad=now.abroad, big=now.big)),
        (wishes, 6, "Re: Fraud policy", _WISH.format(less=round(now.abroad * 0.6))),
    )
    for place, (by, days, subject, text) in enumerate(letter_text):
        sent = choose_later_moment(rng, desk.world.now - timedelta(days=days), 0, by.time_zone)
        yield desk.letter(f"policy/{place}", by, subject, text, sent)


def _build_truth(
    suspended_orders: Sequence[SuspendedOrder], policy: Policy, lines: Sequence[OrderLine], stock: Mapping[int, int]
) -> dict[str, Any]:
    """What the policy makes of the orders, and what follows from it."""
    ways = {suspended_order.order.id: suspended_order.decision(policy) for suspended_order in suspended_orders}
    status = {"released": "processing", "cancelled": "cancelled", "asked": "on-hold"}
    remaining_quantities = {line.id: line.quantity * (ways[line.order_id][0] != "cancelled") for line in lines}
    back = Counter[int]()
    for line in lines:
        back[line.variant_id or line.product_id] += line.quantity - remaining_quantities[line.id]
    asked: dict[str, list[int]] = {}
    for suspended_order in suspended_orders:
        if ways[suspended_order.order.id][0] == "asked":
            asked.setdefault(suspended_order.order.billing.email, []).append(suspended_order.order.id)
    texts = {number: f"Risk: {way}, rule {rule}" for number, (way, rule) in ways.items()}
    return {
        "orders": [{"id": number, "status": status[way]} for number, (way, _) in ways.items()],
        "notes": [{"order_id": number, "text": text, "for_customer": 0} for number, text in texts.items()],
        "lines": [
            {"id": line.id, "order_id": line.order_id, "from_stock": remaining_quantities[line.id]} for line in lines
        ],
        "stock": [{"id": number, "stock": stock[number] + units} for number, units in back.items() if units],
        "mails": [{"to": [email], "says": numbers} for email, numbers in asked.items()],
        "asked_total": sum(
            suspended_order.order.total_cents
            for suspended_order in suspended_orders
            if ways[suspended_order.order.id][0] == "asked"
        )
        / 100,
        "total": sum(
            suspended_order.order.total_cents
            for suspended_order in suspended_orders
            if ways[suspended_order.order.id][0] == "released"
        )
        / 100,
    }
