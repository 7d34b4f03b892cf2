"""Purchases: request, an offer that is withdrawn, the one that holds, order, delivery by lot, invoice."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.goods import Product
from yardkit.state_init.company.hours import at_work, choose_later_moment
from yardkit.state_init.company.letters import File, Letter, format_money, link_thread, write_note
from yardkit.state_init.company.persons import Colleague, Contact, Somebody
from yardkit.state_init.company.sales import Line, line_rows
from yardkit.state_init.company.trade import Supplier


@dataclass(frozen=True)
class Purchase:
    """Goods that were ordered from a supplier.

    Attributes:
        order: our number, such as ``PO-2207``.
        buyer: who ordered; the owner.
        offer: the one that holds; `lines` have its prices.
        withdrawn: the cheaper offer before it, of `withdrawn_lines`, which the supplier took back.
        lot: of the goods, as on the delivery note.
        invoice: the supplier's number.
        letters: those that were written until now.
    """

    order: str
    supplier: Supplier
    contact: Contact
    buyer: Colleague
    lines: tuple[Line, ...]
    withdrawn: str
    withdrawn_lines: tuple[Line, ...]
    offer: str
    ordered: datetime
    expected: date
    delivery_note: str
    lot: str
    received: datetime
    invoice: str
    letters: tuple[Letter, ...] = ()

    @property
    def net(self) -> int:
        return sum(line.amount for line in self.lines)


def make_purchase(rng: random.Random, cast: Cast, number: int, day: date) -> Purchase:
    """A purchase of some products of a supplier; it began on a day."""
    makers = sorted({product.supplier for product in cast.products})
    supplier = cast.find_supplier(rng.choice(makers))
    contact, buyer = rng.choice(supplier.contacts), cast.owner
    begun = at_work(rng, day, buyer.time_zone)
    lines = _make_lines(rng, [product for product in cast.products if product.supplier == supplier.number])
    early = tuple(replace(line, price=round(line.price * rng.uniform(0.88, 0.95))) for line in lines)
    ordered = choose_later_moment(rng, begun, 6, buyer.time_zone)
    received = choose_later_moment(rng, ordered, supplier.lead_days, buyer.time_zone)
    offer = rng.randint(4_000, 8_900)
    purchase = Purchase(
        *(f"PO-{number}", supplier, contact, buyer, lines, f"Q-{offer}", early, f"Q-{offer + rng.randint(7, 40)}"),
        *(ordered, ordered.date() + timedelta(days=supplier.lead_days), f"DN-{rng.randint(50_000, 59_999)}"),
        *(
            f"L{received:%y%m}-{rng.randint(10, 99)}",
            received,
            f"{contact.company[:2].upper()}-{rng.randint(10_000, 99_999)}",
        ),
    )
    return replace(purchase, letters=_write_letters(rng, purchase, begun))


def _make_lines(rng: random.Random, products: Sequence[Product]) -> tuple[Line, ...]:
    chosen = rng.sample(products, min(len(products), rng.randint(1, 3)))
    return tuple(Line(product.sku, product.name, rng.randrange(20, 200, 10), product.cost) for product in chosen)


def _write_letters(rng: random.Random, purchase: Purchase, begun: datetime) -> tuple[Letter, ...]:
    ours, theirs = purchase.buyer, purchase.contact
    requested_goods = ", ".join(f"{line.quantity} {line.name} ({line.sku})" for line in purchase.lines)
    early, holds = sum(line.amount for line in purchase.withdrawn_lines), purchase.net
    old, new = purchase.withdrawn, purchase.offer
    first = choose_later_moment(rng, begun, 1, theirs.time_zone)
    second = choose_later_moment(rng, first, 2, theirs.time_zone)
    mistaken = f"please disregard {old}: it had the prices of last year, and we have to withdraw it. "
    handed = f"your order {purchase.order} was handed over today: lot {purchase.lot}, note {purchase.delivery_note}."
    messages: tuple[tuple[Somebody, datetime, str, tuple[File, ...]], ...] = (
        (ours, begun, f"what would you ask for {requested_goods}, delivered to our house?", ()),
        (theirs, first, f"our offer {old}: {format_money(early)} in all.", (_make_offer(purchase, early=True),)),
        (
            theirs,
            second,
            f"{mistaken}{new} takes its place: {format_money(holds)}.",
            (_make_offer(purchase, early=False),),
        ),
        (ours, purchase.ordered, f"we accept {new}. Our order is {purchase.order}.", (_make_order(purchase),)),
        (theirs, purchase.received, handed, ()),
    )
    return (
        *link_thread(*(_write_letter(purchase, place, *message) for place, message in enumerate(messages, 1))),
        _write_bill(rng, purchase),
    )


def _write_letter(
    purchase: Purchase, place: int, by: Somebody, sent: datetime, text: str, files: tuple[File, ...]
) -> Letter:
    to: Somebody = purchase.contact if by is purchase.buyer else purchase.buyer
    subject = f"Request: {purchase.lines[0].name}"
    body = write_note(to.first, text, by.first)
    return Letter(f"{purchase.order}/{place}", by.mailbox, (to.mailbox,), subject, body, sent, files=files)


def _make_offer(purchase: Purchase, *, early: bool) -> File:
    number, lines = (purchase.withdrawn, purchase.withdrawn_lines) if early else (purchase.offer, purchase.lines)
    return File(
        f"offer_{number}.pdf", f"Offer {number}", line_rows(lines), _list_head_lines(purchase), _list_sum_lines(lines)
    )


def _make_order(purchase: Purchase) -> File:
    return File(f"{purchase.order}.xlsx", f"Order {purchase.order}", line_rows(purchase.lines))


def _write_bill(rng: random.Random, purchase: Purchase) -> Letter:
    ours, theirs = purchase.buyer, purchase.contact
    bill_text = (
        f"attached is our invoice {purchase.invoice} for {purchase.order}, {format_money(purchase.net)} without tax."
    )
    lines = purchase.lines
    name, title = f"invoice_{purchase.invoice}.pdf", f"Invoice {purchase.invoice}"
    paper = File(
        name,
        title,
        line_rows(lines),
        (*_list_head_lines(purchase), f"Your order: {purchase.order}"),
        _list_sum_lines(lines),
    )
    return Letter(
        *(f"{purchase.order}/invoice", theirs.mailbox, (ours.mailbox,), f"Invoice {purchase.invoice}"),
        *(
            write_note(ours.first, bill_text, theirs.first),
            choose_later_moment(rng, purchase.received, 2, theirs.time_zone),
        ),
        files=(paper,),
    )


def _list_head_lines(purchase: Purchase) -> tuple[str, ...]:
    theirs = purchase.supplier.company
    return (f"{theirs.full}, {', '.join(theirs.address)}", f"Tax no.: {theirs.vat}   IBAN: {theirs.iban}")


def _list_sum_lines(lines: Sequence[Line]) -> tuple[str, ...]:
    return (f"Net: {format_money(sum(line.amount for line in lines))}", "Prices without tax, delivered.")
