"""The owner's address book in a seeded company: whom the owner deals with, old cards, and people of nearly one name."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from hashlib import sha256

from yardkit.apps.contacts import AddressBook, Contact, card_name, contact_card
from yardkit.state_init.company import persons
from yardkit.state_init.company.cast import Cast
from yardkit.world import World, skip_syncing

_NOTES = ("Prefers calls before noon", "Met at the fair", "Speaks German and French", "On leave in summer", "")


def fill_contacts(world: World, cast: Cast, rng: random.Random) -> list[Contact]:
    """Fill the owner's address book with about 110 cards; all of them, by name."""
    book = AddressBook(world, cast.owner.email)
    cards = [*_list_colleague_cards(cast, rng), *_list_outside_cards(cast, rng), *_list_company_cards(cast)]
    cards += list(_list_old_cards(rng, cards))
    with skip_syncing():
        for card in cards:
            book.save(card_name(card.uid), contact_card(card))
    return sorted(cards, key=lambda card: (card.name, card.uid))


def fill_with_all(world: World, cast: Cast, rng: random.Random) -> None:
    """Fill the owner's address book, with a card of each colleague."""
    there = {email for card in fill_contacts(world, cast, rng) for email in card.emails}
    for colleague in cast.colleagues:
        if colleague.email not in there:
            add_card(world, cast, colleague, cast.company.name, colleague.title, "colleagues")


def add_card(world: World, cast: Cast, person: persons.Somebody, firm: str, title: str, group: str) -> None:
    """A card of somebody more in the owner's address book."""
    card = Contact(_make_uid(person.email), person.name, (person.email,), (), firm, title, groups=(group,))
    AddressBook(world, cast.owner.email).save(card_name(card.uid), contact_card(card))


def _list_colleague_cards(cast: Cast, rng: random.Random) -> Iterator[Contact]:
    offices = {office.city: office for office in cast.offices}
    for colleague in rng.sample(cast.colleagues, 24):
        office = offices[colleague.office]
        birthday = date(rng.randint(1966, 2001), rng.randint(1, 12), rng.randint(1, 28))
        yield Contact(
            _make_uid(colleague.email),
            colleague.name,
            (colleague.email,),
            (colleague.phone,),
            cast.company.name,
            colleague.title,
            f"{office.street}, {office.postcode} {office.city}, {office.country}",
            birthday.isoformat() if rng.random() < 0.4 else "",
            ("colleagues", colleague.department.casefold()),
        )


def _list_outside_cards(cast: Cast, rng: random.Random) -> Iterator[Contact]:
    suppliers = {contact.email for supplier in cast.suppliers for contact in supplier.contacts}
    for contact in cast.contacts:
        yield _make_card(contact, "suppliers" if contact.email in suppliers else "customers", rng.choice(_NOTES))


def _make_card(person: persons.Contact, group: str, note: str) -> Contact:
    return Contact(
        _make_uid(person.email),
        person.name,
        (person.email,),
        (person.phone,),
        person.company,
        person.role,
        groups=(group,),
        note=note,
    )


def _list_company_cards(cast: Cast) -> Iterator[Contact]:
    for supplier in cast.suppliers:
        firm = supplier.company
        address = f"{firm.street}, {firm.postcode} {firm.city}, {firm.country}"
        info = f"info@{firm.domain}"
        yield Contact(
            _make_uid(info), f"{firm.name} {firm.form}", (info,), (), f"{firm.name} {firm.form}", "", address, "",
            ("suppliers",), f"Supplier {supplier.number}",
        )  # fmt: skip


def _list_old_cards(rng: random.Random, cards: list[Contact]) -> Iterator[Contact]:
    """Old cards of people who have a new one: another number, an address that is out of use."""
    people = [card for card in cards if "customers" in card.groups]
    for card in rng.sample(people, 5):
        phone = card.phones[0][:-2] + f"{rng.randrange(100):02d}"
        address = card.emails[0].replace("@", f"@old.{rng.choice('abc')}.")
        yield replace(
            card, uid=_make_uid(address), emails=(address,), phones=(phone,), note="Old card", groups=("archive",)
        )


def _make_uid(address: str) -> str:
    return sha256(address.encode()).hexdigest()[:26]
