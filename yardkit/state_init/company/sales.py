"""Sales: order, confirmation, invoice, delivery, and where something broke complaint and refund."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.goods import Product
from yardkit.state_init.company.hours import at_work, choose_later_moment, make_moment, to_workday
from yardkit.state_init.company.letters import (
    Cell,
    File,
    Letter,
    Meeting,
    format_money,
    join_paragraphs,
    link_thread,
    write_note,
)
from yardkit.state_init.company.persons import Colleague, Contact
from yardkit.state_init.company.trade import Customer

Ending = Literal["processing", "shipped", "delivered", "complained", "refunded", "cancelled"]
ENDINGS: tuple[Ending, ...] = ("refunded", "complained", "delivered", "cancelled", "shipped", "processing")
_BROKEN = ("arrived with a crack", "never switched on", "came in the wrong colour", "came scratched", "lacked screws")


@dataclass(frozen=True)
class Line:
    """A line of an order. sku: of a product or a variant; price: of one, in minor units, without tax."""

    sku: str
    name: str
    quantity: int
    price: int

    @property
    def amount(self) -> int:
        return self.quantity * self.price


@dataclass(frozen=True)
class Complaint:
    """Something was wrong with some pieces of a line. says: what."""

    line: Line
    pieces: int
    says: str
    complained_at: datetime


@dataclass(frozen=True)
class Refund:
    """A credit note. amount: in minor units, with tax, and less the customer's discount."""

    number: str
    amount: int
    refunded_at: datetime


@dataclass(frozen=True)
class Sale:
    """An order with all that came of it; what did not come yet, or never will, is None.

    Attributes:
        order: its number.
        clerk: whom of the company the customer writes to: the owner.
        net, discount, tax, total: in minor units; total = net - discount + tax.
        promised: the day for which it was promised.
        tracking: the number of the parcel.
        letters: those that were written until now.
        delivery: the event of it.
    """

    order: int
    customer: Customer
    contact: Contact
    clerk: Colleague
    lines: tuple[Line, ...]
    ending: Ending
    ordered: datetime
    promised: date
    tracking: str
    invoice: str
    invoiced: datetime
    due: date
    shipped: datetime | None = None
    delivered: datetime | None = None
    delivery: Meeting | None = None
    complaint: Complaint | None = None
    refund: Refund | None = None
    letters: tuple[Letter, ...] = ()

    @property
    def net(self) -> int:
        return sum(line.amount for line in self.lines)

    @property
    def discount(self) -> int:
        return round(self.net * self.customer.discount_percent / 100)

    @property
    def tax(self) -> int:
        return round((self.net - self.discount) * 20 / 100)

    @property
    def total(self) -> int:
        return self.net - self.discount + self.tax


def make_sale(rng: random.Random, cast: Cast, order: int, day: date, ending: Ending) -> Sale:
    """A sale that began on a day and came so far."""
    customer = rng.choice(cast.customers)
    contact, clerk, zone = rng.choice(customer.contacts), cast.owner, cast.owner.time_zone
    lines, ordered = some_lines(rng, cast.products), at_work(rng, day, contact.time_zone)
    promised = to_workday(ordered.date() + timedelta(days=rng.randint(9, 14)))
    invoiced = choose_later_moment(rng, ordered, 1, zone)
    sale = Sale(
        *(order, customer, contact, clerk, lines, ending, ordered, promised),
        *(f"PX{rng.randint(10**8, 10**9 - 1)}", f"INV-{invoiced.year}-{order % 10_000:04d}"),
        *(invoiced, invoiced.date() + timedelta(days=customer.payment_days)),
    )
    if ending in ("shipped", "delivered", "complained", "refunded"):
        shipped = choose_later_moment(rng, invoiced, 2, zone)
        sale = replace(sale, shipped=shipped, delivery=_make_delivery(sale, cast))
    if sale.shipped and ending != "shipped":
        sale = replace(sale, delivered=choose_later_moment(rng, sale.shipped, rng.randint(2, 4), contact.time_zone))
    if sale.delivered and ending != "delivered":
        sale = replace(sale, complaint=_make_complaint(rng, sale, sale.delivered))
    if sale.complaint and ending == "refunded":
        sale = replace(sale, refund=_make_refund(rng, sale, sale.complaint))
    return replace(
        sale,
        letters=(
            *_write_order_letters(rng, cast, sale),
            *_write_invoice_letters(rng, cast, sale),
            *_write_after_letters(rng, cast, sale),
        ),
    )


def line_rows(lines: Sequence[Line]) -> tuple[tuple[Cell, ...], ...]:
    """Lines as a table of prices in euros."""
    head = ("SKU", "Item", "Quantity", "Price", "Amount")
    body = ((line.sku, line.name, line.quantity, line.price / 100, line.amount / 100) for line in lines)
    return (head, *body)


def some_lines(rng: random.Random, products: Sequence[Product], most: int = 4) -> tuple[Line, ...]:
    """Lines of different products, of those with variants one of them."""
    lines = []
    for product in rng.sample([product for product in products if product.active], rng.randint(1, most)):
        chosen = rng.choice(product.variants) if product.variants else None
        name = f"{product.name}, {chosen.value}" if chosen else product.name
        sku, price = (chosen.sku, chosen.price) if chosen else (product.sku, product.price)
        lines.append(Line(sku, name, rng.randint(1, 12), price))
    return tuple(lines)


def _make_delivery(sale: Sale, cast: Cast) -> Meeting:
    begins = make_moment(sale.promised, 9, 0, sale.contact.time_zone)
    return Meeting(
        f"delivery-{sale.order}@{cast.domain}",
        *(f"Delivery of order {sale.order} to {sale.customer.name}", begins, begins + timedelta(hours=3)),
        *(sale.contact.time_zone, ", ".join(sale.customer.company.address), sale.clerk.email),
        *((sale.clerk.email, sale.contact.email), str(sale.order)),
    )


def _make_complaint(rng: random.Random, sale: Sale, delivered: datetime) -> Complaint:
    line = rng.choice(sale.lines)
    complained_at = choose_later_moment(rng, delivered, rng.randint(1, 3), sale.contact.time_zone)
    return Complaint(line, rng.randint(1, line.quantity), rng.choice(_BROKEN), complained_at)


def _make_refund(rng: random.Random, sale: Sale, complaint: Complaint) -> Refund:
    net = complaint.pieces * complaint.line.price
    net -= round(net * sale.customer.discount_percent / 100)
    refunded_at = choose_later_moment(rng, complaint.complained_at, rng.randint(2, 5), sale.clerk.time_zone)
    return Refund(f"CN-{refunded_at.year}-{sale.order % 10_000:04d}", net + round(net * 20 / 100), refunded_at)


def _write_order_letters(rng: random.Random, cast: Cast, sale: Sale) -> tuple[Letter, ...]:
    """The customer writes what is wanted; the owner confirms."""
    ordered_lines = "\n".join(f"  {line.quantity} x {line.name} ({line.sku})" for line in sale.lines)
    asked = Letter(
        *(f"order-{sale.order}/asked", sale.contact.mailbox, (sale.clerk.mailbox,), _choose_subject(rng, sale)),
        join_paragraphs(
            f"Dear {sale.clerk.first},",
            rng.choice(_ASKED),
            ordered_lines,
            f"Kind regards\n{_format_signature(sale.contact)}",
        ),
        sale.ordered,
    )
    confirmation = (
        f"thank you, this is order {sale.order} on our side. {_format_promise(sale)} The confirmation is attached."
    )
    table = _make_paper(cast, sale, f"confirmation_{sale.order}.pdf", f"Order confirmation {sale.order}", sale.ordered)
    confirmed = Letter(
        *(f"order-{sale.order}/confirmed", sale.clerk.mailbox, (sale.contact.mailbox,), ""),
        *(
            write_note(sale.contact.first, confirmation, sale.clerk.first),
            choose_later_moment(rng, sale.ordered, 0, sale.clerk.time_zone),
        ),
        files=(table,),
    )
    if sale.ending != "cancelled":
        return link_thread(asked, confirmed)
    regret = f"we have to withdraw order {sale.order}: our move was put off. Please confirm that nothing is shipped."
    done = f"order {sale.order} is cancelled, nothing leaves our house, and invoice {sale.invoice} is void."
    withdrawn = replace(
        asked, key=f"order-{sale.order}/withdrawn", sent=choose_later_moment(rng, sale.invoiced, 1, "UTC")
    )
    withdrawn = replace(withdrawn, text=write_note(sale.clerk.first, regret, sale.contact.first))
    cancelled = replace(confirmed, key=f"order-{sale.order}/cancelled", files=())
    cancelled = replace(cancelled, text=write_note(sale.contact.first, done, sale.clerk.first))
    return link_thread(
        asked, confirmed, withdrawn, replace(cancelled, sent=choose_later_moment(rng, withdrawn.sent, 0, "UTC"))
    )


def _write_invoice_letters(rng: random.Random, cast: Cast, sale: Sale) -> tuple[Letter, ...]:
    """Accounting sends the invoice, with a copy to the owner."""
    clerk = rng.choice([colleague for colleague in cast.colleagues if colleague.department == "Finance"])
    invoice_text = (
        f"please find attached invoice {sale.invoice} for order {sale.order} over {format_money(sale.total)}, "
        f"payable by {sale.due:%d %B %Y}."
    )
    file = _make_paper(cast, sale, f"{sale.invoice}.pdf", f"Invoice {sale.invoice}", sale.invoiced)
    return (
        Letter(
            *(f"order-{sale.order}/invoice", clerk.mailbox, (sale.contact.mailbox,), f"Invoice {sale.invoice}"),
            *(write_note(sale.contact.first, invoice_text, clerk.first), sale.invoiced, (sale.clerk.mailbox,)),
            files=(file,),
        ),
    )


def _write_after_letters(rng: random.Random, cast: Cast, sale: Sale) -> tuple[Letter, ...]:
    """What the carrier reports, and the thread of a complaint."""
    reports = tuple(
        _write_carrier_report(sale, word, at)
        for word, at in (("shipped", sale.shipped), ("delivered", sale.delivered))
        if at
    )
    return (*reports, *(_write_complaint_letters(rng, cast, sale, sale.complaint) if sale.complaint else ()))


def _write_carrier_report(sale: Sale, word: str, at: datetime) -> Letter:
    place = sale.customer.company.city
    return Letter(
        *(f"order-{sale.order}/{word}", "ParcelExpress <no-reply@parcelexpress.example>", (sale.clerk.mailbox,)),
        f"Your parcel {sale.tracking} was {word}",
        f"Parcel {sale.tracking} (your reference: {sale.order}) to {place} was {word} on {at:%d.%m.%Y, %H:%M}.",
        *(at, ()),
        bulk=True,
    )


def _write_complaint_letters(rng: random.Random, cast: Cast, sale: Sale, complaint: Complaint) -> tuple[Letter, ...]:
    """Complaint, question, answer, approval by the head of sales, and the credit note."""
    name, order = f"order-{sale.order}", sale.order
    clerk, contact, line = sale.clerk, sale.contact, complaint.line
    which = f"{complaint.pieces} of the {line.quantity} pieces of {line.name} ({line.sku})"
    bad = f"{which} from order {order} {complaint.says}."
    label = File(f"label_{sale.tracking}.png", sale.tracking)
    wrong = Letter(
        *(f"{name}/complaint", contact.mailbox, (clerk.mailbox,), f"Order {order}: {line.name}"),
        *(write_note(clerk.first, f"{bad} The label of the parcel is attached. What do you suggest?", contact.first),),
        complaint.complained_at,
        files=(label,),
    )
    sorry = "I am sorry. Would you rather have them replaced, or your money back?"
    asked = Letter(
        *(f"{name}/question", clerk.mailbox, (contact.mailbox,), "", write_note(contact.first, sorry, clerk.first)),
        choose_later_moment(rng, complaint.complained_at, 0, clerk.time_zone),
    )
    wish = "the money, please. We have found something in the meantime. You need not send anybody for the old ones."
    chosen = Letter(
        *(f"{name}/choice", contact.mailbox, (clerk.mailbox,), "", write_note(clerk.first, wish, contact.first)),
        choose_later_moment(rng, asked.sent, 1, contact.time_zone),
    )
    letters = link_thread(wrong, asked, chosen)
    return (*letters, *(_write_credit_letters(rng, cast, sale, sale.refund, letters[-1]) if sale.refund else ()))


def _write_credit_letters(
    rng: random.Random, cast: Cast, sale: Sale, refund: Refund, last: Letter
) -> tuple[Letter, ...]:
    clerk, contact, complaint, head = sale.clerk, sale.contact, sale.complaint, cast.find_head("Sales")
    subject = f"Re: Order {sale.order}: {complaint.line.name if complaint else ''}"
    allowed = f"agreed for order {sale.order}: credit the pieces that broke, less their discount. Nothing beyond that."
    agreed = Letter(
        *(f"order-{sale.order}/agreed", head.mailbox, (clerk.mailbox,), f"Fwd: Order {sale.order}"),
        *(write_note(clerk.first, allowed, head.first), choose_later_moment(rng, last.sent, 0, head.time_zone)),
    )
    given = (
        f"credit note {refund.number} over {format_money(refund.amount)} is attached; the money is with you within a"
        " week."
    )
    rows = (("Credit note", "Invoice", "Amount"), (refund.number, sale.invoice, refund.amount / 100))
    credit = Letter(
        *(f"order-{sale.order}/credit", clerk.mailbox, (contact.mailbox,), subject),
        *(write_note(contact.first, given, clerk.first), max(refund.refunded_at, agreed.sent + timedelta(minutes=20))),
        answers=last.key,
        files=(
            File(
                f"{refund.number}.pdf",
                f"Credit note {refund.number}",
                rows,
                _list_head_lines(sale, cast, refund.refunded_at),
            ),
        ),
    )
    return (agreed, credit)


_ASKED = (
    "we are fitting out another floor and would like to order:",
    "please send us the following, to the usual address:",
    "as discussed on the phone, our order:",
)


def _choose_subject(rng: random.Random, sale: Sale) -> str:
    what = sale.lines[0].name
    return rng.choice((f"Order: {what}", f"New order, {sale.customer.company.name}", f"{what} and more"))


def _format_promise(sale: Sale) -> str:
    return f"It will be with you by {sale.promised:%d %B %Y}."


def _make_paper(cast: Cast, sale: Sale, name: str, title: str, day: date) -> File:
    return File(name, title, line_rows(sale.lines), _list_head_lines(sale, cast, day), _list_sum_lines(sale))


def _list_head_lines(sale: Sale, cast: Cast, day: date) -> tuple[str, ...]:
    """What stands above the lines of a paper to the customer."""
    ours, theirs = cast.company, sale.customer.company
    return (
        f"{ours.full}, {', '.join(ours.address)}",
        f"To: {theirs.full}, {', '.join(theirs.address)}",
        f"Date: {day:%d %B %Y}   Order: {sale.order}   Customer: {sale.customer.number}",
    )


def _list_sum_lines(sale: Sale) -> tuple[str, ...]:
    """What stands below them."""
    sums = [("Net", sale.net), ("Discount", -sale.discount), ("Tax 20 %", sale.tax), ("Total", sale.total)]
    return tuple(f"{name}: {format_money(amount)}" for name, amount in sums if amount)


def _format_signature(contact: Contact) -> str:
    return "\n".join([contact.name, contact.role, contact.company, contact.phone])
