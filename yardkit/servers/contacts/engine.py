"""Contacts read from .vcf files, which other programs may have written or spoilt, and changed in them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from typing import Any, Protocol

from yardkit.apps.calendar import owner_of
from yardkit.apps.contacts import APP, AddressBook, Card, Contact, card_name, contact_card, read_uid
from yardkit.kit.memory import Memory
from yardkit.world import Problem, World, lock_file
from yardkit.world.queries import fold_text, split_query

MAX_BYTES = 2_000_000
"""Of one card; pictures stand in them."""
_NOT_SEARCHED = ("labels", "is_group", "members")
_KEPT_BYTES = 16_000_000
"""Of contacts that were read and are kept for the next call."""


@dataclass(frozen=True)
class CardFile:
    """A file of an address book."""

    name: str
    data: bytes


@dataclass(frozen=True)
class DamagedCard:
    """A file of the address book that cannot be read, or not all of it, and why."""

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
        labels: of addresses and numbers, such as mobile or work.
        members: of a contact that is a list of others: their names.
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
    labels: dict[str, str] | None = None
    members: list[str] | None = None


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
    def lock_for_change(self) -> Iterator[None]:
        """Nobody else changes the book meanwhile."""
        yield


class WorldBook:
    """The address book of the owner of a world."""

    def __init__(self, world: World) -> None:
        self.world, self.book = world, AddressBook(world, owner_of(world)[0])

    def files(self) -> list[CardFile]:
        card_files = []
        for path in self.book.files():
            with path.open("rb") as opened:
                card_files.append(CardFile(path.name, opened.read(MAX_BYTES + 1)))
        return card_files

    def save(self, name: str, data: bytes) -> None:
        self.book.save(name, data)

    def remove(self, name: str) -> None:
        self.book.remove(name)

    @contextmanager
    def lock_for_change(self) -> Iterator[None]:
        with lock_file(self.world.get_app_folder(APP), self.world.locks):
            yield


def find_contacts(book: Book, query: str = "", offset: int = 0, limit: int = 50) -> Contacts:
    """Contacts in which each word of `query` stands, by name."""
    stored_contacts, damaged = _read_all(book)
    search_words = split_query(query)
    names = _name_contacts(stored_contacts)
    matching_contacts = [
        contact for _, contact in stored_contacts if all(word in _get_searched_text(contact) for word in search_words)
    ]
    matching_contacts.sort(key=lambda contact: (contact.name.casefold(), contact.uid))
    page_contacts = matching_contacts[offset : offset + limit]
    end = offset + len(page_contacts)
    return Contacts(
        [_build_view(contact, names) for contact in page_contacts],
        len(matching_contacts),
        end if end < len(matching_contacts) else None,
        damaged,
    )


def save_contact(book: Book, contact_id: str, given: dict[str, Any]) -> ContactDone:
    """Change what is given of a contact; without an id, a new one.

    Raises:
        Problem: there is no such contact, or a new one has no name.
    """
    with book.lock_for_change():
        if not contact_id:
            return ContactDone("made", _build_view(_make_contact(book, given), {}))
        file, old = _get_contact(book, contact_id)
        new = _check_contact(replace(old, **given), given)
        card = _read_card(file.data)
        card.require_writable()
        card.fill(new, old)
        book.save(file.name, card.data())
        names = _name_contacts(_read_all(book)[0])
        return ContactDone("changed", _build_view(card.read_contact(old.uid), names))


def delete_contact(book: Book, contact_id: str) -> ContactDone:
    """Delete a contact.

    Raises:
        Problem: there is none.
    """
    with book.lock_for_change():
        file, old = _get_contact(book, contact_id)
        names = _name_contacts(_read_all(book)[0])
        book.remove(file.name)
        return ContactDone("deleted", _build_view(old, names))


def _make_contact(book: Book, given: dict[str, Any]) -> Contact:
    taken = {contact.uid for _, contact in _read_all(book)[0]}
    number, digest_text = 0, repr(sorted(given.items()))
    while (uid := sha256(f"{digest_text}{number}".encode("utf-8", "replace")).hexdigest()[:26]) in taken:
        number += 1
    contact = _check_contact(Contact(uid, **{"name": "", **given}), {"name": "", **given})
    book.save(card_name(uid), contact_card(contact))
    return contact


def _get_contact(book: Book, contact_id: str) -> tuple[CardFile, Contact]:
    stored_contacts, damaged = _read_all(book)
    for file, contact in stored_contacts:
        if contact.uid == contact_id:
            return file, contact
    named = "; ".join(f"{contact.uid} ({contact.name})" for _, contact in stored_contacts[:5]) or "none"
    also = (
        f". Files that cannot be read: {'; '.join(damaged_file.file for damaged_file in damaged[:5])}"
        if damaged
        else ""
    )
    raise Problem(f"there is no contact {contact_id[:200]!r}; there are {len(stored_contacts)}, such as {named}{also}")


def _read_all(book: Book) -> tuple[list[tuple[CardFile, Contact]], list[DamagedCard]]:
    stored_contacts, damaged = [], []
    for file in book.files():
        try:
            contact, unread = _read_contact(file)
            stored_contacts.append((file, contact))
            if unread:
                damaged.append(
                    DamagedCard(file.name, f"{contact.name!r} is read, but not this line: {unread[0][:80]!r}")
                )
        except Problem as problem:
            damaged.append(DamagedCard(file.name, str(problem)))
    return stored_contacts, damaged


_read_files = Memory[bytes, tuple[Contact, list[str]]](_KEPT_BYTES)


def _read_contact(file: CardFile) -> tuple[Contact, list[str]]:
    """A contact, and the lines of its card that cannot be read."""

    def read() -> tuple[Contact, list[str]]:
        card = _read_card(file.data)
        return card.read_contact(file.name.removesuffix(".vcf")), card.unread()

    key = sha256(file.name.encode("utf-8", "replace") + b"\0" + file.data).digest()
    return _read_files.recall(key, read, lambda read_card: 1_000 + 4 * len(repr(read_card)))


def _read_card(data: bytes) -> Card:
    if len(data) > MAX_BYTES:
        raise Problem(f"the card has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    return Card.read(data)


def _check_contact(contact: Contact, given: dict[str, Any]) -> Contact:
    """A contact whose given fields are valid; what another program wrote in others stays as it is."""
    if not contact.name.strip():
        raise Problem("the contact has no name; give one")
    lines = [text for name in ("name", "emails", "phones") for text in _list_texts(given.get(name, ()))]
    if any("\n" in text or "\r" in text for text in lines):
        raise Problem("a name, an address or a number contains a line break; each must be one line")
    if given.get("birthday") and not re.fullmatch(r"(\d{4}|-)-\d\d-\d\d", contact.birthday):
        raise Problem(f"{contact.birthday!r} is not a valid birthday; use one such as 1984-05-01")
    return contact


def _list_texts(value: str | Sequence[str]) -> Sequence[str]:
    return [value] if isinstance(value, str) else value


def _get_searched_text(contact: Contact) -> str:
    values = (getattr(contact, field.name) for field in fields(contact) if field.name not in _NOT_SEARCHED)
    return fold_text(" ".join(value if isinstance(value, str) else " ".join(value) for value in values))


def _name_contacts(stored_contacts: Sequence[tuple[CardFile, Contact]]) -> dict[str, str]:
    """The names of contacts, by their uids and mail addresses as groups name them."""
    names: dict[str, str] = {}
    for _, contact in stored_contacts:
        for key in (read_uid(contact.uid), *contact.emails):
            names.setdefault(key.casefold(), contact.name)
    return names


def _build_view(contact: Contact, names: Mapping[str, str]) -> ContactView:
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
        dict(contact.labels) or None,
        [names.get(member.casefold(), f"{member} (not in the address book)") for member in contact.members] or None,
    )
