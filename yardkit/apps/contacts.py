"""The app `contacts`: .vcf files of the address book of each user, as other programs read them (vCard 4.0, RFC 6350).

``apps/contacts/<user>/<uid>.vcf`` is a person or a company. Whose address book it is, the app `mail` says: its owner.
The lines of a card are read here: icalendar takes an escaped semicolon in an address for one that parts.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from yardkit.apps.calendar import PROPS, file_name, folder_name
from yardkit.world import Problem, World, save_bytes, save_text
from yardkit.world.changes import note_changed

APP = "contacts"
_PROPS = '{"tag": "VADDRESSBOOK", "D:displayname": "Contacts"}'
_LINE = re.compile(r"""(?:[\w-]+\.)?(?P<name>[\w-]+)(?:;(?:[^":;]|"[^"]*")*)*:(?P<value>.*)""", re.DOTALL)
_LINE_BYTES = 75
"""Bytes of a line in a file."""


@dataclass(frozen=True)
class Contact:
    """A person or a company.

    Attributes:
        title: what the person does there.
        address: of the post, in one line.
        birthday: ISO 8601, such as 1984-05-01, or --05-01 without the year.
        groups: words by which contacts are sorted.
    """

    uid: str
    name: str
    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    organization: str = ""
    title: str = ""
    address: str = ""
    birthday: str = ""
    groups: tuple[str, ...] = ()
    note: str = ""


class AddressBook:
    """The address book of a user."""

    def __init__(self, world: World, user: str) -> None:
        self.root = world.root / "apps" / APP / folder_name(user)

    def files(self) -> list[Path]:
        """Its files, in name order."""
        return sorted(path for path in self.root.glob("*.vcf") if path.is_file()) if self.root.is_dir() else []

    def save(self, name: str, data: bytes) -> None:
        """Write a file, named as `card_name` says."""
        if not (self.root / PROPS).exists():
            save_text(self.root / PROPS, _PROPS)
        save_bytes(self.root / name, data)

    def remove(self, name: str) -> None:
        """Remove a file."""
        (self.root / name).unlink()
        note_changed(self.root / name)


def card_name(uid: str) -> str:
    """The name of the file of a contact."""
    return file_name(uid).removesuffix(".ics") + ".vcf"


def contact_card(contact: Contact) -> bytes:
    """A contact as a .vcf file."""
    card = Card(["VERSION:4.0", f"UID:{_escape_text(contact.uid)}"])
    card.fill(contact)
    return card.data()


class Card:
    """The lines of a card, each unfolded."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    @classmethod
    def read(cls, data: bytes) -> "Card":
        """The card of a file.

        Raises:
            Problem: it is none.
        """
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Problem(f"the file is not a valid card ({error})") from error
        lines = [line for line in re.sub(r"\r?\n[ \t]", "", text).replace("\r\n", "\n").split("\n") if line.strip()]
        if len(lines) < 2 or (lines[0].upper(), lines[-1].strip().upper()) != ("BEGIN:VCARD", "END:VCARD"):
            raise Problem("the file is not a valid card: it does not go from BEGIN:VCARD to END:VCARD")
        wrong = [line for line in lines[1:-1] if not _LINE.fullmatch(line) or line.upper() == "BEGIN:VCARD"]
        if wrong or "VERSION:2.1" in map(str.upper, lines):
            raise Problem(f"the card has an invalid line: {wrong[0][:80]!r}" if wrong else "the card is of version 2.1")
        return cls(lines[1:-1])

    def data(self) -> bytes:
        """The card as a file."""
        return b"".join(line for text in ("BEGIN:VCARD", *self.lines, "END:VCARD") for line in _cut_line(text))

    def values(self, name: str) -> list[str]:
        """The values of a property as they are written; those of a group (``item1.EMAIL``), as Apple writes, too."""
        matches = [match for line in self.lines if (match := _LINE.fullmatch(line))]
        return [match["value"] for match in matches if match["name"].upper() == name]

    def read_contact(self) -> Contact:
        """Read the contact of a card.

        Raises:
            Problem: it has no UID or no name.
        """
        uid, name = self._read_text("UID"), self._read_text("FN")
        if not uid or not name:
            raise Problem("the card has no UID or no name (FN)")
        return Contact(
            uid,
            name,
            tuple(self._list_texts("EMAIL")),
            tuple(number.removeprefix("tel:") for number in self._list_texts("TEL")),
            ", ".join(_split_parts(self.values("ORG"), ";")),
            self._read_text("TITLE"),
            ", ".join(_split_parts(self.values("ADR"), ";")),
            re.sub(r"^(\d{4}|--)-?(\d\d)-?(\d\d)$", _format_dashed, self._read_text("BDAY")),
            tuple(group for value in self.values("CATEGORIES") for group in _split_parts([value], ",")),
            self._read_text("NOTE"),
        )

    def fill(self, contact: Contact, old: Contact | None = None) -> None:
        """Write a contact's fields to the card. Fields that equal `old`, and other contents of the card, stay."""
        for field, properties in _list_properties(contact).items():
            if old is None or getattr(old, field) != getattr(contact, field):
                for name, values in properties.items():
                    self._replace_values(name, values)

    def _replace_values(self, name: str, values: list[str]) -> None:
        remaining_lines = [
            line for line in self.lines if (match := _LINE.fullmatch(line)) and match["name"].upper() != name
        ]
        self.lines = [*remaining_lines, *(f"{name}:{value}" for value in values)]

    def _list_texts(self, name: str) -> list[str]:
        return [text for value in self.values(name) if (text := _unescape_text(value))]

    def _read_text(self, name: str) -> str:
        return next(iter(self._list_texts(name)), "")


def _list_properties(contact: Contact) -> dict[str, dict[str, list[str]]]:
    """The properties of vCard for each field."""
    given, _, family = contact.name.strip().rpartition(" ")
    address, organization = _escape_text(contact.address), _escape_text(contact.organization)
    return {
        "name": {"FN": [_escape_text(contact.name)], "N": [f"{_escape_text(family)};{_escape_text(given)};;;"]},
        "emails": {"EMAIL": list(map(_escape_text, contact.emails))},
        "phones": {"TEL": list(map(_escape_text, contact.phones))},
        "organization": {"ORG": [organization] if organization else []},
        "title": {"TITLE": [_escape_text(contact.title)] if contact.title else []},
        "address": {"ADR": [f";;{address};;;;"] if address else []},
        "birthday": {"BDAY": [_format_compact(contact.birthday)] if contact.birthday else []},
        "groups": {"CATEGORIES": [",".join(map(_escape_text, contact.groups))] if contact.groups else []},
        "note": {"NOTE": [_escape_text(contact.note)] if contact.note else []},
    }


def _escape_text(text: str) -> str:
    return re.sub(r"[\\;,]", r"\\\g<0>", text).replace("\r\n", "\n").replace("\n", r"\n")


def _unescape_text(value: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] in "nN" else match[1], value).strip()


def _split_parts(values: Iterable[str], sign: str) -> list[str]:
    """The parts of the first value that has any."""
    for value in values:
        parts = [_unescape_text(part) for part in re.findall(rf"(?:[^\\{sign}]|\\.)+", value)]
        if any(parts):
            return [part for part in parts if part]
    return []


def _format_dashed(match: "re.Match[str]") -> str:
    return f"{match[1]}{'' if match[1] == '--' else '-'}{match[2]}-{match[3]}"


def _format_compact(birthday: str) -> str:
    """As vCard 4.0 writes dates: 19840501, or --0501 without the year."""
    return f"--{birthday[2:].replace('-', '')}" if birthday.startswith("--") else birthday.replace("-", "")


def _cut_line(line: str) -> Iterator[bytes]:
    """Fold a line that is too long, between characters."""
    begun = b""
    for sign in line:
        encoded = sign.encode("utf-8", "replace")
        if len(begun) + len(encoded) > _LINE_BYTES:
            yield begun + b"\r\n"
            begun = b" "
        begun += encoded
    yield begun + b"\r\n"
