"""A recall: two lots of a product, one of which a second mail puts right, and buyers whom delivery notes alone tell."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from yardkit.apps.shop import Customer, Order, OrderLine, Product, Refund, RefundLine
from yardkit.apps.shop_sums import round_cents
from yardkit.apps.store import Store
from yardkit.state_init.company.desk import Desk, add_goods, give_order
from yardkit.state_init.company.hours import choose_later_moment
from yardkit.state_init.company.letters import Letter, link_thread
from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.desk.recall.deliveries import DeliveryNote, day_sent, save_notes, share_of, usual_lot
from yardkit.state_init.material import fill_in
from yardkit.world import World

FULL_DAYS, HALF_DAYS, VOUCHER_CENTS = 75, 180, 1_500
_MARGIN = 5
"""Days around the ends of the terms within which nothing recalled was delivered."""
_FAULTS = ("a rivet can break", "the coating comes off", "a seam opens under load", "an edge can cut")
_PLAN: tuple[tuple[int, int | None, str], ...] = (
    *((0, 0, ""), (1, 1, ""), (1, 2, ""), (2, 3, ""), (0, 4, ""), (2, 5, "")),
    *((0, None, "back"), (1, None, "mixed"), (0, None, "again"), (2, None, "never"), (0, None, ""), (2, None, "")),
)
"""Of each sale its term, its buyer (of two twins and one kin), and its part: one piece went back before, two lots, a
note that was written anew, and then is of a recalled lot, or is not.
"""


@dataclass(frozen=True)
class Case:
    """What is recalled: two lots. wrong: what the first mail had for the second; hidden: the variants of the lots."""

    product: Product
    lots: tuple[str, str]
    wrong: str
    variants: tuple[Product, ...]
    hidden: tuple[Product, ...]

    def lots_of(self, sku: str) -> tuple[str, str]:
        """A lot of a variant that is recalled, where there is one, and one that is not."""
        place = [variant.sku for variant in self.variants].index(sku)
        if place < len(self.hidden) - 1:
            return self.lots[0], _twist_lot(self.lots[0])
        return (self.lots[1] if place < len(self.hidden) else self.wrong, self.wrong)


@dataclass(frozen=True)
class Claim:
    """What an order is owed. paid_cents: for the pieces for which no money went back before."""

    order: Order
    lot: str
    pieces: int
    paid_cents: int
    age_days: int

    @property
    def cents(self) -> int:
        """The money that goes back; 0 where it is a voucher."""
        return (
            self.paid_cents if self.age_days <= FULL_DAYS else -(-self.paid_cents // 2) * (self.age_days <= HALF_DAYS)
        )

    @property
    def voucher_cents(self) -> int:
        return 0 if self.age_days <= HALF_DAYS else VOUCHER_CENTS * self.pieces

    @property
    def person(self) -> tuple[str, ...]:
        """Who bought it: name and address."""
        home = self.order.billing
        return (home.first_name, home.last_name, home.street, home.postcode, home.city)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Shop, notes, list of lots and mailbox; the facts say who gets what."""
    desk = Desk.open_filled(world)
    with desk.shop_opened() as store:
        case = _choose_case(store, rng)
        notes = [*_write_notes(store, case, _plant_sales(store, rng, case)), *_write_other_notes(store, rng, case)]
        refunds = store.find(Refund)
    save_notes(world, desk.cast.company, notes)
    rows = _list_stock(rng, case, desk)
    save_csv(world.files / "stock/lots.csv", [[*rows[0]], *([*row.values()] for row in rows)])
    supplier = desk.cast.find_supplier(desk.cast.find_product(case.product.sku).supplier)
    desk.fill_mailbox(*_write_letters(desk, rng, case))
    fill_in(
        world, "recall_procedure.md", full_days=FULL_DAYS, half_days=HALF_DAYS, voucher="15.00", example=_make_lot(rng)
    )
    hidden_lots = {(lot, variant.sku) for variant in case.hidden for lot in case.lots}
    on = {"status": "hold", "since": str(world.now.date())}
    claims = [*_list_claims(world.now.date(), case, notes, refunds)]
    return {
        "prompt": {"supplier": supplier.name, "sender": supplier.contacts[0].name},
        "rows": [{**row, **(on if (row["lot"], row["sku"]) in hidden_lots else {})} for row in rows],
        "hidden": [variant.id for variant in case.hidden],
        "now": on["since"],
        "kept": case.variants[-1].id,
        "half": next(claim.order.id for claim in claims if FULL_DAYS < claim.age_days <= HALF_DAYS),
        "back": next(claim.order.id for claim in claims if claim.order.id in {refund.order_id for refund in refunds}),
        **_build_truth(claims),
    }


def _choose_case(store: Store, rng: random.Random) -> Case:
    """Some variants of a product, of which one is sound."""
    parts: dict[int, list[Product]] = defaultdict(list)
    for product in store.find(Product, "kind = 'variation' AND status = 'publish'"):
        parts[product.parent_id or 0].append(product)
    number = rng.choice([number for number, variants in parts.items() if len(variants) > 2])
    first, second = _make_lot(rng), _make_lot(rng)
    variants = tuple(rng.sample(parts[number], len(parts[number])))
    return Case(store.get(Product, number), (first, second), _twist_lot(second), variants, variants[:-1])


def _make_lot(rng: random.Random) -> str:
    """A lot whose last two figures differ."""
    return f"{rng.choice('HKMRTX')}{rng.randint(40, 99)}{rng.choice((13, 27, 38, 46, 59, 72, 85, 94))}"


def _twist_lot(lot: str) -> str:
    return f"{lot[:-2]}{lot[:-3:-1]}"


def _plant_sales(store: Store, rng: random.Random, case: Case) -> dict[int, str]:
    """Sales as `_PLAN` has them, beside those that there are: their orders with the part that they play."""
    free: dict[int, list[Order]] = defaultdict(list)
    refunded = {refund.order_id for refund in store.find(Refund)}
    having = {line.order_id for line in store.find(OrderLine, "product_id = ?", [case.product.id])}
    for order in store.find(Order, "status = 'completed' AND coupons = '[]' AND created_via = 'checkout'"):
        age = (store.now.date() - day_sent(order)).days
        if order.id not in refunded | having and not _is_near_a_term(age):
            free[(age > FULL_DAYS) + (age > HALF_DAYS)].append(order)
    chosen = {term: rng.sample(orders, 5) for term, orders in free.items()}
    buyers, parts = _choose_buyers(store, rng), {}
    for place, (term, buyer, part) in enumerate(_PLAN):
        order = chosen[term].pop()
        order = give_order(store, order, buyers[buyer]) if buyer is not None else order
        variant = case.hidden[place % len(case.hidden)]
        line = add_goods(store, order, variant, 3 if part in ("back", "mixed") else 1 + place % 2)
        parts[order.id] = part
        if part == "back":
            _refund_single_piece(store, line)
    return parts


def _choose_buyers(store: Store, rng: random.Random) -> list[Customer]:
    """Two people with two accounts each, and two who share a home."""
    homes: dict[tuple[str, ...], list[Customer]] = defaultdict(list)
    for customer in store.find(Customer):
        homes[customer.last_name, customer.billing.street, customer.billing.postcode].append(customer)
    pairs = [(home[0], other) for home in homes.values() for other in home[1:]]
    twins = [pair for pair in pairs if pair[0].first_name == pair[1].first_name]
    kin = [pair for pair in pairs if pair[0].first_name != pair[1].first_name]
    return [customer for pair in (*rng.sample(twins, 2), rng.choice(kin)) for customer in pair]


def _write_notes(store: Store, case: Case, parts: Mapping[int, str]) -> Iterator[DeliveryNote]:
    """The notes of the product: most are of recalled lots, one is of two lots, two were written anew."""
    sent = {order.id: order for order in store.find(Order, "completed IS NOT NULL")}
    refunded = {refund.order_id for refund in store.find(Refund)}
    for number, lines in _by_order(store.find(OrderLine)).items():
        ours = [line for line in lines if line.product_id == case.product.id]
        if number not in sent or not ours:
            continue
        order, part, line = sent[number], parts.get(number), ours[0]
        bad, good = case.lots_of(line.sku)
        day = day_sent(order)
        is_free = number not in refunded and not _is_near_a_term((store.now.date() - day).days) and number % 4
        is_bad = part != "never" if part is not None else is_free
        rows = [(line, bad if is_bad else good, line.quantity)]
        if part == "mixed":
            rows = [(line, bad, 1), (line, good, line.quantity - 1)]
        rest = [
            (order_line, _sound_lot(case, order_line), order_line.quantity)
            for order_line in lines
            if order_line != line
        ]
        if part in ("again", "never"):
            yield DeliveryNote(f"DN-{number}", order, day, ((line, good if is_bad else bad, line.quantity), *rest))
            day, name = day + timedelta(days=2), f"DN-{number}-2"
            yield DeliveryNote(name, order, day, (*rows, *rest), replaces=f"DN-{number}")
        else:
            yield DeliveryNote(f"DN-{number}", order, day, (*rows, *rest))


def _by_order(lines: Sequence[OrderLine]) -> dict[int, list[OrderLine]]:
    lines_by_order: dict[int, list[OrderLine]] = defaultdict(list)
    for line in lines:
        lines_by_order[line.order_id].append(line)
    return lines_by_order


def _sound_lot(case: Case, line: OrderLine) -> str:
    return case.lots_of(line.sku)[1] if line.product_id == case.product.id else usual_lot(line.sku)


def _write_other_notes(store: Store, rng: random.Random, case: Case) -> Iterator[DeliveryNote]:
    """Notes of other products, two of which have lots of the recalled numbers."""
    lines = _by_order(store.find(OrderLine))
    sent = store.find(Order, "completed IS NOT NULL")
    others = [order for order in sent if all(line.product_id != case.product.id for line in lines[order.id])]
    for place, order in enumerate(rng.sample(others, 18)):
        rows = [(line, usual_lot(line.sku), line.quantity) for line in lines[order.id]]
        if place < 2:
            rows[0] = (rows[0][0], case.lots[place], rows[0][2])
        yield DeliveryNote(f"DN-{order.id}", order, day_sent(order), (*rows,))


def _is_near_a_term(age_days: int) -> bool:
    return any(abs(age_days - term) < _MARGIN for term in (0, FULL_DAYS, HALF_DAYS))


def _refund_single_piece(store: Store, line: OrderLine) -> None:
    """Money for one piece went back before."""
    order = store.get(Order, line.order_id)
    at = (datetime.fromisoformat(order.completed or "") + timedelta(days=3)).isoformat()
    net, tax = (round_cents(Decimal(amount) / line.quantity) for amount in (line.total_cents, line.tax_cents))
    parts = [RefundLine(line.id, 1, net, tax)]
    store.put(Refund(store.next_id(Refund), order.id, at, net + tax, "Damaged in transit", parts, paid_back=True))


def _list_stock(rng: random.Random, case: Case, desk: Desk) -> list[dict[str, Any]]:
    """The warehouse's list of lots, in which other products have the same numbers."""
    lots = [
        (lot, variant.sku)
        for variant in case.variants
        for lot in dict.fromkeys(case.lots_of(variant.sku))
        for _ in range(2)
    ]
    others = [product.sku for product in desk.cast.products if not product.variants]
    lots += [(lot, sku) for lot, sku in zip((*case.lots, case.wrong), rng.sample(others, 3), strict=True)]
    lots += [(usual_lot(sku), sku) for sku in rng.sample(others, 22)]
    today = desk.world.now.date()
    rows = [
        {
            "place": f"{rng.choice('ABCD')}{rng.randint(1, 4)}-{rng.randint(1, 18):02d}", "lot": lot, "sku": sku,
            "units": rng.randint(1, 60), "status": rng.choice(("free", "free", "checked")),
            "since": str(today - timedelta(days=rng.randint(20, 300))),
        }
        for lot, sku in lots
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (row["place"], row["lot"], row["sku"]))


def _write_letters(desk: Desk, rng: random.Random, case: Case) -> Iterator[Letter]:
    """The notice, its correction, the first one passed on once more, and another recall, which is over."""
    cast, product, now = desk.cast, case.product, desk.world.now
    by = cast.find_supplier(cast.find_product(product.sku).supplier).contacts[0]
    fault, (first, second), subject = rng.choice(_FAULTS), case.lots, f"Recall: {product.name}"
    notice = (
        f"we have to recall part of what we delivered: on {product.name} ({product.sku}) of the lots {first} and "
        f"{case.wrong} {fault}. Please take these out of sale and write to those who bought them; we bear the cost."
    )
    right = f"my mail had a mistake: the second lot is {second}, not {case.wrong}, which is sound. {first} is right."
    sent = choose_later_moment(rng, now - timedelta(days=6), 0, by.time_zone)
    corrected = choose_later_moment(rng, sent, 1, by.time_zone)
    yield from link_thread(
        desk.letter("recall/notice", by, subject, notice, sent), desk.letter("recall/right", by, "", right, corrected)
    )
    head = cast.find_head("Sales")
    asked = f"is this one with you?\n\n---------- Forwarded message ----------\nFrom: {by.mailbox}\n\n{notice}"
    yield desk.letter(
        "recall/again", head, f"Fwd: {subject}", asked, choose_later_moment(rng, corrected, 1, head.time_zone)
    )
    them = rng.choice([supplier for supplier in cast.suppliers if by not in supplier.contacts]).contacts[0]
    thing = rng.choice([other_product for other_product in cast.products if other_product.sku[:3] != product.sku[:3]])
    over = f"our recall of {thing.name} ({thing.sku}), lot {_make_lot(rng)}, is closed. All pieces are back, thank you."
    sent = choose_later_moment(rng, now - timedelta(days=140), 0, them.time_zone)
    yield desk.letter("recall/over", them, f"Recall: {thing.name}", over, sent)


def _list_claims(today: date, case: Case, notes: Sequence[DeliveryNote], refunds: Sequence[Refund]) -> Iterator[Claim]:
    """What follows from the notes that hold."""
    replaced = {note.replaces for note in notes}
    back = {part.line_id: part.quantity for refund in refunds for part in refund.lines}
    for note in notes:
        for line, lot, pieces in note.rows:
            left = pieces - back.get(line.id, 0)
            if lot in case.lots and line.product_id == case.product.id and left > 0 and note.name not in replaced:
                yield Claim(note.order, lot, left, share_of(line, left, pieces - left), (today - note.day).days)


def _build_truth(claims: Sequence[Claim]) -> dict[str, Any]:
    """Refunds, vouchers, notes and mails that the claims lead to."""
    people: dict[tuple[str, ...], list[Claim]] = defaultdict(list)
    for claim in sorted(claims, key=lambda claim: claim.order.created):
        people[claim.person].append(claim)
    to = {claim.order.id: theirs[-1].order.billing.email for theirs in people.values() for claim in theirs}
    return {
        "refunds": [
            {"order_id": claim.order.id, "amount_cents": claim.cents, "restocked": 0} for claim in claims if claim.cents
        ],
        "coupons": [
            {"code": f"recall-{claim.order.id}", "amount_cents": claim.voucher_cents, "emails": [to[claim.order.id]]}
            for claim in claims
            if claim.voucher_cents
        ],
        "notes": [
            {"order_id": claim.order.id, "text": f"Recall {claim.lot}: {claim.pieces} pcs", "for_customer": 0}
            for claim in claims
        ],
        "mails": [
            {
                "to": [theirs[-1].order.billing.email],
                "says": [text for claim in theirs for text in _describe_claim(claim)],
            }
            for theirs in people.values()
        ],
        "twins": next(
            [emails[-1], emails[0]]
            for emails in ([claim.order.billing.email for claim in theirs] for theirs in people.values())
            if emails[0] != emails[-1]
        ),
        "total": sum(claim.cents for claim in claims) / 100,
    }


def _describe_claim(claim: Claim) -> list[str | float]:
    if claim.cents:
        return [claim.order.id, claim.cents / 100]
    return [claim.order.id, f"recall-{claim.order.id}", claim.voucher_cents / 100]
