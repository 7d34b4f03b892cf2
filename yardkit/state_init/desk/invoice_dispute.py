"""A long thread about damaged goods: an offer that is withdrawn, one that is agreed, a count that is corrected."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.hours import at_work, choose_later_moment
from yardkit.state_init.company.letters import Letter, format_money, link_thread, write_note
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.sales import Line, Sale, make_sale
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.workbooks import Book, Formula
from yardkit.world import World, save_text

RULES = """\
# How our credit notes are made

- What counts is what both sides agreed on last, in writing. An offer that was taken back counts no more, whoever
  quotes it.
- `Lines` has a row for each line of the invoice, also for those of which nothing is credited: 0 pieces, 0 percent.
- Only `Pieces` and `Percent` are typed. Amounts and sums are formulas and stay so.
- The customer's discount and the tax are on the sheet `Sums` already.
"""
_OURS = (2, 4, 6)
_THREAD_TEXTS = (
    "of the {bought} pieces of {broken} {counted} arrived broken, and {scratched} of the {also_bought} pieces of "
    "{scuffed} are scratched. We would keep those for less.",
    "that should not happen. We offer you {early} % off the whole order, and you keep everything.",
    "that would suit us. Let me ask my colleagues; I come back to you.",
    "I have to take back the {early} %: I was not allowed to offer them. What we can do: the {counted} broken "
    "pieces in full, and {share} % of the price of the {scratched} scratched ones. You keep these.",
    "agreed. But we have counted again when we unpacked the rest: {recounted} pieces of {broken} are broken, not "
    "{counted}. The {scratched} scratched ones are right.",
    "then it is {recounted} in full, and {share} % for the {scratched} scratched ones, as said.",
    "where is the credit note? You offered {early} % off the whole order in writing, that makes {whole} with tax."
    " I would like to have it today.",
)
"""The thread; what we write stands at the places `_OURS`, counted from 1."""
_WORD = (
    "I do not sign {early} % on everything for {customer}. Credit what broke in full and part of what is "
    "scratched; nothing on the rest. Please take the offer back."
)


@dataclass(frozen=True)
class Deal:
    """What is spoken about: broken pieces of one line, scratched ones of another.

    Attributes:
        counted, recounted: broken pieces, at first and in the end.
        scratched: pieces that the customer keeps for less.
        early: percent off the whole order, the offer that is withdrawn.
        share: percent of the price of what is scratched.
    """

    broken: Line
    scuffed: Line
    counted: int
    recounted: int
    scratched: int
    early: int
    share: int


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill the mailbox, and make the credit note of the first offer and the rules."""
    cast = cast_of(world)
    stories = make_stories(cast, get_stream(world, "stories"), world.now, sales=12, purchases=4, hirings=0, trainings=2)
    sale = _choose_sale(rng, cast, world.now)
    stories = replace(stories, sales=(*stories.sales, sale))
    deal = _make_deal(rng, sale)
    letters = _write_letters(rng, cast, sale, deal, world.now)
    filled = fill_mail(world, cast, get_stream(world, "mail"), count=260, stories=stories, more=letters)
    number = f"CN-{world.now.year}-{sale.order % 10_000:04d}"
    early = [(line.quantity, deal.early) for line in sale.lines]
    _write_book(world, sale, number, early)
    save_text(world.files / "rules.md", RULES)
    right = [_compute_credit(line, deal) for line in sale.lines]
    sums, uncounted = _compute_sums(sale, right), replace(deal, recounted=deal.counted)
    return {
        "prompt": {"contact": sale.contact.name, "customer": sale.customer.name, "invoice": sale.invoice},
        "lines": [
            {"SKU": line.sku, "Pieces": pieces, "Percent": percent}
            for line, (pieces, percent) in zip(sale.lines, right, strict=True)
        ],
        "sums": [{"Part": name, "EUR": float(amount)} for name, amount in sums.items()],
        "early": float(_compute_sums(sale, early)["Total"]),
        "uncounted": float(_compute_sums(sale, [_compute_credit(line, uncounted) for line in sale.lines])["Total"]),
        "mails": [
            {
                "to": [sale.contact.email],
                "says": [number, float(sums["Total"])],
                "files": ["credit_note.xlsx"],
                "answers": filled.message_ids[letters[-1].key],
            }
        ],
        "boss": cast.find_head("Sales").email,
    }


def _choose_sale(rng: random.Random, cast: Cast, now: datetime) -> Sale:
    """One of three lines or more, of which two have enough pieces to be broken."""
    while True:
        sale = make_sale(rng, cast, 10_470 + rng.randint(0, 20), (now - timedelta(days=33)).date(), "delivered")
        if len(sale.lines) > 2 and min(line.quantity for line in sale.lines[:2]) > 5:
            return sale


def _make_deal(rng: random.Random, sale: Sale) -> Deal:
    first, second = rng.sample(sale.lines[:2], 2)
    counted = rng.randint(2, 3)
    recounted = counted + rng.choice((-1, 1, 2))
    return Deal(
        first, second, counted, recounted, rng.randint(2, 5), rng.choice((10, 15, 20)), rng.choice((30, 40, 60))
    )


def _write_letters(rng: random.Random, cast: Cast, sale: Sale, deal: Deal, now: datetime) -> tuple[Letter, ...]:
    """The thread, with the word of the head of sales in the middle; the customer's last mail comes this morning."""
    ours, theirs, boss = sale.clerk, sale.contact, cast.find_head("Sales")
    full_credit = format_money(round(sale.total * deal.early / 100))
    values = {**vars(deal), "broken": deal.broken.name, "scuffed": deal.scuffed.name, "whole": full_credit}
    values |= {"bought": deal.broken.quantity, "also_bought": deal.scuffed.quantity, "customer": sale.customer.name}
    assert sale.delivered  # noqa: S101 - so the sale was made
    sent, letters = choose_later_moment(rng, sale.delivered, 1, theirs.time_zone), []
    for place, text in enumerate(_THREAD_TEXTS, 1):
        by, to = (ours, theirs) if place in _OURS else (theirs, ours)
        sent = at_work(rng, now.date(), "UTC").replace(hour=7) if place == len(_THREAD_TEXTS) else sent
        subject = f"Invoice {sale.invoice}: damaged goods"
        key = f"dispute/{place}"
        letters.append(
            Letter(key, by.mailbox, (to.mailbox,), subject, write_note(to.first, text.format(**values), by.first), sent)
        )
        sent = choose_later_moment(rng, sent, 1, to.time_zone)
    word, subject = write_note(ours.first, _WORD.format(**values), boss.first), f"Your offer on {sale.invoice}"
    told_off = Letter("word/1", boss.mailbox, (ours.mailbox,), subject, word, letters[2].sent + timedelta(hours=1))
    return (told_off, *link_thread(*letters))


def _compute_credit(line: Line, deal: Deal) -> tuple[int, int]:
    """Pieces and percent of a line."""
    if line == deal.broken:
        return deal.recounted, 100
    return (deal.scratched, deal.share) if line == deal.scuffed else (0, 0)


def _round_to_cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


def _compute_sums(sale: Sale, credited: Sequence[tuple[int, int]]) -> dict[str, Decimal]:
    pairs = zip(sale.lines, credited, strict=True)
    net = sum(
        (_round_to_cents(Decimal(pieces * line.price * percent) / 10_000) for line, (pieces, percent) in pairs),
        Decimal(0),
    )
    discount = -_round_to_cents(net * sale.customer.discount_percent / 100)
    tax = _round_to_cents((net + discount) * 20 / 100)
    return {"Net": net, "Discount": discount, "Tax": tax, "Total": net + discount + tax}


def _write_book(world: World, sale: Sale, number: str, credited: Sequence[tuple[int, int]]) -> None:
    book = Book(world.now, title=f"Credit note {number}", author=sale.clerk.name)
    head = ["SKU", "Item", "Pieces", "Percent", "Price", "Amount"]
    rows: list[list[Any]] = [head]
    for place, (line, (pieces, percent)) in enumerate(zip(sale.lines, credited, strict=True), 2):
        amount = _round_to_cents(Decimal(pieces * line.price * percent) / 10_000)
        formula = Formula(f"=ROUND(C{place}*E{place}*D{place}/100,2)", float(amount))
        rows.append([line.sku, line.name, pieces, percent, line.price / 100, formula])
    book.sheet("Lines", rows, formats={4: "#,##0.00", 5: "#,##0.00"})
    book.sheet("Sums", _sum_rows(sale, len(rows), _compute_sums(sale, credited)), formats={1: "#,##0.00"})
    head_rows = (
        ("Credit note", number),
        ("Invoice", sale.invoice),
        ("Order", sale.order),
        ("Customer", sale.customer.name),
    )
    book.sheet("About", [["What", "Which"], *map(list, head_rows)])
    book.save(world.files / "credit_note.xlsx")


def _sum_rows(sale: Sale, last: int, sums: Mapping[str, Decimal]) -> list[list[Any]]:
    formulas = {
        "Net": f"=SUM(Lines!F2:F{last})",
        "Discount": f"=-ROUND(B2*{sale.customer.discount_percent}/100,2)",
        "Tax": "=ROUND((B2+B3)*20/100,2)",
        "Total": "=B2+B3+B4",
    }
    return [["Part", "EUR"], *([name, Formula(text, float(sums[name]))] for name, text in formulas.items())]
