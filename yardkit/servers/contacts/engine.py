"""Contacts read from .vcf files, which other programs may have written or spoilt, and changed in them."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, Protocol

from yardkit.apps.calendar import owner_of
from yardkit.apps.contacts import APP, AddressBook, Card, Contact, card_name, contact_card
from yardkit.world import Problem, World, locked

MAX_BYTES = 2_000_000
"""Of one card; pictures stand in them."""


@dataclass(frozen=True)
class CardFile:
    """A file of an address book."""

    name: str
    data: bytes


@dataclass(frozen=True)
class DamagedCard:
    """A file of the address book that cannot be read, and why."""

    file: str
    reason: str


@dataclass(frozen=True)
class ContactView:
    """A person or a company.

    Attributes:
        title: what the person does there.
        address: of the post.
        birthday: ISO 8601, without the year where it is not known (--05-01).
        groups: words by which contacts are sorted.
    """

    id: str
    name: str
    emails: list[str]
    phones: list[str]
    organization: str = ""
    title: str = ""
    address: str = ""
    birthday: str = ""
    groups: list[str] | None = None
    note: str = ""


@dataclass(frozen=True)
class Contacts:
    """A page of contacts by name. damaged: files that cannot be read."""

    contacts: list[ContactView]
    total: int
    next_offset: int | None
    damaged: list[DamagedCard]


@dataclass(frozen=True)
class ContactDone:
    """What was done to a contact."""

    done: str
    contact: ContactView


class Book(Protocol):
    """Where the cards are: in a world, or on a CardDAV server."""

    def files(self) -> list[CardFile]:
        """The files, in name order."""

    def save(self, name: str, data: bytes) -> None:
        """Write a file."""

    def remove(self, name: str) -> None:
        """Remove a file."""

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Nobody else changes the book meanwhile."""
        yield


class WorldBook:
    """The address book of the owner of a world."""

    def __init__(self, world: World) -> None:
        self.world, self.book = world, AddressBook(world, owner_of(world)[0])

    def files(self) -> list[CardFile]:
        found = []
        for path in self.book.files():
            with path.open("rb") as opened:
                found.append(CardFile(path.name, opened.read(MAX_BYTES + 1)))
        return found

    def save(self, name: str, data: bytes) -> None:
        self.book.save(name, data)

    def remove(self, name: str) -> None:
        self.book.remove(name)

    @contextmanager
    def changing(self) -> Iterator[None]:
        with locked(self.world.app(APP), self.world.locks):
            yield


def find_contacts(book: Book, query: str = "", offset: int = 0, limit: int = 50) -> Contacts:
    """Contacts in which each word of `query` stands, by name."""
    kept, damaged = _read_all(book)
    wanted = query.casefold().split()
    found = [one for _, one in kept if all(word in _held(one) for word in wanted)]
    found.sort(key=lambda one: (one.name.casefold(), one.uid))
    shown = found[offset : offset + limit]
    end = offset + len(shown)
    return Contacts([_view(one) for one in shown], len(found), end if end < len(found) else None, damaged)


def save_contact(book: Book, contact_id: str, given: dict[str, Any]) -> ContactDone:
    """Change what is given of a contact; without an id, a new one.

    Raises:
        Problem: there is no such contact, or a new one has no name.
    """
    with book.changing():
        if not contact_id:
            return ContactDone("made", _view(_make(book, given)))
        file, old = _get(book, contact_id)
        new = _checked(replace(old, **given))
        card = _card(file.data)
        card.fill(new, old)
        book.save(file.name, card.data())
        return ContactDone("changed", _view(new))


def delete_contact(book: Book, contact_id: str) -> ContactDone:
    """Delete a contact.

    Raises:
        Problem: there is none.
    """
    with book.changing():
        file, old = _get(book, contact_id)
        book.remove(file.name)
        return ContactDone("deleted", _view(old))


def _make(book: Book, given: dict[str, Any]) -> Contact:
    taken = {one.uid for _, one in _read_all(book)[0]}
    number, told = 0, repr(sorted(given.items()))
    while (uid := sha256(f"{told}{number}".encode("utf-8", "replace")).hexdigest()[:26]) in taken:
        number += 1
    contact = _checked(Contact(uid, **{"name": "", **given}))
    book.save(card_name(uid), contact_card(contact))
    return contact


def _get(book: Book, contact_id: str) -> tuple[CardFile, Contact]:
    kept, damaged = _read_all(book)
    for file, one in kept:
        if one.uid == contact_id:
            return file, one
    named = "; ".join(f"{one.uid} ({one.name})" for _, one in kept[:5]) or "none"
    also = f". Files that cannot be read: {'; '.join(one.file for one in damaged[:5])}" if damaged else ""
    raise Problem(f"there is no contact {contact_id[:200]!r}; there are {len(kept)}, such as {named}{also}")


def _read_all(book: Book) -> tuple[list[tuple[CardFile, Contact]], list[DamagedCard]]:
    kept, damaged = [], []
    for file in book.files():
        try:
            kept.append((file, _read(file.data)))
        except Problem as problem:
            damaged.append(DamagedCard(file.name, str(problem)))
    return kept, damaged


@lru_cache(maxsize=20_000)
def _read(data: bytes) -> Contact:
    return _card(data).contact()


def _card(data: bytes) -> Card:
    if len(data) > MAX_BYTES:
        raise Problem(f"the card has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    return Card.read(data)


def _checked(contact: Contact) -> Contact:
    if not contact.name.strip():
        raise Problem("the contact has no name; give one")
    if any("\n" in text or "\r" in text for text in (contact.name, *contact.emails, *contact.phones)):
        raise Problem("a name, an address or a number contains a line break; each must be one line")
    if contact.birthday and not re.fullmatch(r"(\d{4}|-)-\d\d-\d\d", contact.birthday):
        raise Problem(f"{contact.birthday!r} is not a valid birthday; use one such as 1984-05-01")
    return contact


def _held(contact: Contact) -> str:
    values = (getattr(contact, one.name) for one in fields(contact))
    return " ".join(value if isinstance(value, str) else " ".join(value) for value in values).casefold()


def _view(contact: Contact) -> ContactView:
    lists: Sequence[Sequence[str]] = (contact.emails, contact.phones)
    emails, phones = map(list, lists)
    return ContactView(
        contact.uid,
        contact.name,
        emails,
        phones,
        contact.organization,
        contact.title,
        contact.address,
        contact.birthday,
        list(contact.groups) or None,
        contact.note,
    )
