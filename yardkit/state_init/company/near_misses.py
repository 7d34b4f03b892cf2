"""Mail that is easily taken for what is looked for: forwarded, of the wrong year, of the wrong firm, never sent."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hours import choose_later_moment
from yardkit.state_init.company.letters import File, Letter, Rows, join_paragraphs, link_thread, write_note
from yardkit.state_init.company.sales import Sale
from yardkit.state_init.company.stories import Stories


def make_near_misses(cast: Cast, rng: random.Random, stories: Stories, now: datetime, count: int) -> list[Letter]:
    """About so many letters; each number in them is that of a record, though none says anything new of it."""
    kinds: list[Callable[[Cast, random.Random, Stories, int], Sequence[Letter]]] = [_forward_letters, _price_list]
    kinds += [_asked_by_a_colleague, _from_the_wrong_firm, _never_sent] if stories.sales else []
    weights = (4, 4, 3, 3, 1)[: len(kinds)]
    near_miss_letters: list[Letter] = []
    for number in range(count):
        kind = rng.choices(kinds, weights)[0]
        near_miss_letters += [letter for letter in kind(cast, rng, stories, number) if letter.sent <= now]
        if len(near_miss_letters) >= count:
            break
    return near_miss_letters[:count]


def _forward_letters(cast: Cast, rng: random.Random, stories: Stories, number: int) -> Sequence[Letter]:
    """A colleague sends on what the owner has already."""
    old, by = rng.choice(stories.letters), rng.choice(cast.colleagues)
    heads = f"From: {old.sender}\nDate: {old.sent:%Y-%m-%d %H:%M}\nSubject: {old.subject}"
    text = join_paragraphs(
        write_note(cast.owner.first, "for your information, if you do not have it yet.", by.first),
        f"---------- Forwarded message ----------\n{heads}",
        old.text,
    )
    sent, files = (
        choose_later_moment(rng, old.sent, rng.randint(1, 6), by.time_zone),
        old.files if rng.random() < 0.6 else (),
    )
    subject = f"Fwd: {old.subject}"
    return [Letter(f"near/forward-{number}", by.mailbox, (cast.owner.mailbox,), subject, text, sent, files=files)]


def _price_list(cast: Cast, rng: random.Random, stories: Stories, number: int) -> Sequence[Letter]:
    """A supplier's list of this year, of the last, or a draft of the next: the SKUs are ours, the prices are not."""
    supplier = rng.choice(cast.suppliers)
    by, year = rng.choice(supplier.contacts), stories.now.year + rng.choice((-1, 0, 1))
    products = rng.sample(cast.products, 6)
    factor = 1 + (year - stories.now.year) * 0.04 + rng.uniform(-0.02, 0.02)
    prices: Rows = tuple((product.sku, product.name, round(product.cost * factor) / 100) for product in products)
    rows: Rows = (("SKU", "Item", "Price"), *prices)
    draft = " (draft)" if year > stories.now.year else ""
    file = File(f"prices_{year}{rng.choice(('.xlsx', '.csv', '.pdf'))}", f"Prices {year}{draft}", rows)
    sent = choose_later_moment(rng, stories.now - timedelta(days=rng.randint(3, 350)), 0, by.time_zone)
    text = write_note(cast.owner.first, f"please find attached our prices for {year}{draft}.", by.first)
    subject = f"Price list {year}{draft}"
    return [Letter(f"near/prices-{number}", by.mailbox, (cast.owner.mailbox,), subject, text, sent, files=(file,))]


def _asked_by_a_colleague(cast: Cast, rng: random.Random, stories: Stories, number: int) -> Sequence[Letter]:
    sale, by = rng.choice(stories.sales), rng.choice(cast.colleagues)
    asked = f"did order {sale.order} leave us? {sale.customer.company.name} wants to know."
    state_text = _describe_state(sale)
    first = choose_later_moment(rng, sale.invoiced, rng.randint(2, 12), by.time_zone)
    key, subject = f"near/asked-{number}", f"Order {sale.order}"
    ours = cast.owner
    return link_thread(
        Letter(f"{key}/1", by.mailbox, (ours.mailbox,), subject, write_note(ours.first, asked, by.first), first),
        Letter(
            *(f"{key}/2", ours.mailbox, (by.mailbox,), "", write_note(by.first, state_text, ours.first)),
            choose_later_moment(rng, first, 0, ours.time_zone),
        ),
    )


def _describe_state(sale: Sale) -> str:
    if sale.ending == "cancelled":
        return f"no, {sale.order} was cancelled."
    return f"it is the parcel {sale.tracking}; ParcelExpress shows where it is." if sale.shipped else "not yet."


def _from_the_wrong_firm(cast: Cast, rng: random.Random, stories: Stories, number: int) -> Sequence[Letter]:
    """A customer of nearly the same name got what was not meant for it."""
    sale = rng.choice(stories.sales)
    by = rng.choice((cast.customers[1], rng.choice(cast.customers))).contacts[0]
    if by in sale.customer.contacts:
        return []
    letter_text = (
        f"we got a mail about order {sale.order}, which is none of ours: we are {by.company}, and you mean "
        f"{sale.customer.name}, I think. Please delete our address there."
    )
    sent = choose_later_moment(rng, sale.invoiced, rng.randint(1, 9), by.time_zone)
    text = write_note(cast.owner.first, letter_text, by.name)
    return [Letter(f"near/wrong-{number}", by.mailbox, (cast.owner.mailbox,), f"Order {sale.order}?", text, sent)]


def _never_sent(cast: Cast, rng: random.Random, stories: Stories, number: int) -> Sequence[Letter]:
    """A draft that was given up."""
    sale = rng.choice(stories.sales)
    percent = rng.choice((5, 10, 15))
    draft_text = f"about order {sale.order}: we could take {percent} % off the next one. [ask sales first]"
    sent = choose_later_moment(rng, sale.invoiced, rng.randint(2, 20), cast.owner.time_zone)
    text = write_note(sale.contact.first, draft_text, cast.owner.first)
    draft = Letter(
        f"near/draft-{number}", cast.owner.mailbox, (sale.contact.mailbox,), f"Order {sale.order}", text, sent
    )
    return [replace(draft, folder="Drafts")]
