"""The app `contacts`: .vcf files of the address book of each user, as other programs read them (vCard 4.0, RFC 6350).

``apps/contacts/<user>/<uid>.vcf`` is a person or a company. Whose address book it is, the app `mail` says: its owner.
The lines of a card are read here: icalendar takes an escaped semicolon in an address for one that parts.
"""

import quopri
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from yardkit.apps.calendar import PROPS, file_name, folder_name
from yardkit.world import Problem, World, save_bytes, save_text
from yardkit.world.decoding import decode_bytes
from yardkit.world.guard import note_changed

APP = "contacts"
_PROPS = '{"tag": "VADDRESSBOOK", "D:displayname": "Contacts"}'
_LINE = re.compile(
    r"""(?:(?P<group>[\w-]+)\.)?(?P<name>[\w-]+)(?P<parameters>(?:;(?:[^":;]|"[^"]*")*)*):(?P<value>.*)""", re.DOTALL
)
_QUOTED_LINES = re.compile(
    rb"^[^:\r\n]{0,200};(?:ENCODING=)?QUOTED-PRINTABLE[^:\r\n]{0,200}:(?:[^\r\n]*=[ \t]*\r?\n)*[^\r\n]*",
    re.IGNORECASE | re.MULTILINE,
)
_LINE_BYTES = 75
"""Bytes of a line in a file."""
_TYPE = re.compile(r";(?:TYPE=)?(\"[^\"]*\"|[^;:=\"]+)(?=;|$)", re.IGNORECASE)
_NO_LABELS = ("voice", "internet", "x-internet", "pref", "quoted-printable", "base64", "8bit", "7bit")
_NAMES_OF_LABELS = {"cell": "mobile"}


@dataclass(frozen=True)
class Contact:
    """A person or a company.

    Attributes:
        title: what the person does there.
        address: of the post, in one line.
        birthday: ISO 8601, such as 1984-05-01, or --05-01 without the year.
        groups: words by which contacts are sorted.
        labels: addresses and numbers with their labels, such as mobile or work fax; those without one are left out.
        is_group: whether it is a list of other contacts; members: their uids, or mail addresses.
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
    labels: tuple[tuple[str, str], ...] = ()
    is_group: bool = False
    members: tuple[str, ...] = ()


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
    """The lines of a card, each unfolded. Lines that cannot be read stay as they are, and `unread` names them."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    @classmethod
    def read(cls, data: bytes) -> "Card":
        """The card of a file.

        Raises:
            Problem: it is none.
        """
        # Put together before they are decoded: old programs cut lines within a letter.
        joined = _QUOTED_LINES.sub(_join_quoted, re.sub(rb"\r?\n[ \t]", b"", data))
        unfolded = decode_bytes(joined).text.lstrip("\ufeff")
        lines = [line for line in re.split(r"\r\n|\n|\r", unfolded) if line.strip()]
        if len(lines) < 2 or [lines[0].strip().upper(), lines[-1].strip().upper()] != ["BEGIN:VCARD", "END:VCARD"]:
            raise Problem("the file is not a valid card: it does not go from BEGIN:VCARD to END:VCARD")
        card = cls(lines[1:-1])
        names = [line.upper() for line in card.lines]
        holds = f"; it holds {card.name()!r}" if card.name() else ""
        if "BEGIN:VCARD" in names:
            count = names.count("BEGIN:VCARD") + 1
            raise Problem(f"the file has {count} cards; save each of them as a file of its own{holds}")
        return card

    def require_writable(self) -> None:
        """Refuse to change a card in which new values cannot be written as they are.

        Raises:
            Problem: it is of version 2.1.
        """
        if "2.1" in self.values("VERSION"):
            raise Problem(
                f"the card of {self.name()!r} is of version 2.1, which can be read but not changed; export it as 3.0 "
                "or 4.0, or make a new contact and delete this one"
            )

    def data(self) -> bytes:
        """The card as a file."""
        return b"".join(line for text in ("BEGIN:VCARD", *self.lines, "END:VCARD") for line in _cut_line(text))

    def values(self, name: str) -> list[str]:
        """The values of a property as they are written; those of a group (``item1.EMAIL``), as Apple writes, too."""
        matches = [match for line in self.lines if (match := _LINE.fullmatch(line))]
        return [_read_value(match) for match in matches if match["name"].upper() == name]

    def name(self) -> str:
        """What a person or company is called; where nothing says so, the parts of the name, or the company."""
        parts = [_unescape_text(part) for part in re.split(r"(?<!\\);", next(iter(self.values("N")), ""))]
        family, given, middle = (*parts, "", "", "")[:3]
        composed = " ".join(part for part in (given, middle, family) if part)
        others = (next(iter(self._list_texts(name)), "") for name in ("ORG", "NICKNAME", "EMAIL"))
        return self._read_text("FN") or composed or next(filter(None, others), "").rstrip(";")

    def unread(self) -> list[str]:
        """The lines that cannot be read."""
        return [line for line in self.lines if not _LINE.fullmatch(line)]

    def read_contact(self, otherwise: str = "") -> Contact:
        """What the card says. `otherwise` is its id where it has no UID, as in exports of some programs.

        Raises:
            Problem: it has no UID or no name.
        """
        uid = self._read_text("UID") or (otherwise if self.values("VERSION") else "")
        name = self.name()
        if not uid or not name:
            raise Problem("the card has no UID or no name (FN)")
        return Contact(
            uid,
            name,
            tuple(re.sub("^mailto:", "", text, flags=re.IGNORECASE) for text in self._list_texts("EMAIL")),
            tuple(map(_read_number, self._list_texts("TEL"))),
            ", ".join(_split_parts(self.values("ORG"), ";")),
            self._read_text("TITLE"),
            ", ".join(_split_parts(self.values("ADR"), ";")),
            self._read_birthday(),
            tuple(group for value in self.values("CATEGORIES") for group in _split_parts([value], ",")),
            self._read_text("NOTE"),
            tuple(self._read_labels().items()),
            "group"
            in (text.lower() for name in ("KIND", "X-ADDRESSBOOKSERVER-KIND") for text in self._list_texts(name)),
            tuple(
                read_uid(text) for name in ("MEMBER", "X-ADDRESSBOOKSERVER-MEMBER") for text in self._list_texts(name)
            ),
        )

    def _read_labels(self) -> dict[str, str]:
        """The labels of addresses and numbers: their types, and what Apple and Google write in a line of its own."""
        labels: dict[str, list[str]] = {}
        own = {
            match["group"].upper(): re.sub(r"^_\$!<(.*)>!\$_$", r"\1", _unescape_text(match["value"]))
            for line in self.lines
            if (match := _LINE.fullmatch(line)) and match["group"] and match["name"].upper() == "X-ABLABEL"
        }
        for place in (*self._list_places("EMAIL"), *self._list_places("TEL")):
            match = self._match(place)
            text = re.sub("^(?:mailto|tel):", "", _unescape_text(_read_value(match)), flags=re.IGNORECASE)
            words = [
                word.strip() for kinds in _TYPE.findall(match["parameters"]) for word in kinds.strip('"').split(",")
            ]
            words = [_NAMES_OF_LABELS.get(word, word) for word in map(str.lower, words) if word not in _NO_LABELS]
            words += [own[group]] if (group := (match["group"] or "").upper()) in own else []
            for word in words:
                if word and word not in labels.setdefault(text, []):
                    labels[text].append(word)
        return {text: " ".join(words) for text, words in labels.items() if words}

    def fill(self, contact: Contact, old: Contact | None = None) -> None:
        """Write a contact's fields to the card. Fields that equal `old`, and other contents of the card, stay."""
        for field, properties in _list_properties(contact).items():
            if old is None or getattr(old, field) != getattr(contact, field):
                for name, values in properties.items():
                    if name in ("EMAIL", "TEL", "CATEGORIES"):
                        self._replace_values(name, values)
                    else:
                        self._replace_first(name, values)

    def _replace_first(self, name: str, values: list[str]) -> None:
        """Change the value that is shown. Others, such as a second address, stay."""
        places = self._list_places(name)
        shown_place = next((at for at in places if _unescape_text(_read_value(self._match(at)).replace(";", ""))), None)
        lines = [f"{name}:{value}" for value in values]
        if shown_place is None:
            self.lines = [*(line for at, line in enumerate(self.lines) if at not in places), *lines]
        elif values:
            self.lines[shown_place] = _rewrite_line(self._match(shown_place), values[0])
        else:
            del self.lines[shown_place]

    def _replace_values(self, name: str, values: list[str]) -> None:
        """Change the values of a property. Lines of values that stay keep their labels, such as mobile or work."""
        places = self._list_places(name)
        texts = [_read_number(_unescape_text(_read_value(self._match(at)))) for at in places]
        lines, used = [], list[int]()
        for number, value in enumerate(values):
            text = _read_number(_unescape_text(value))
            same = next((at for at, old in zip(places, texts, strict=True) if old == text and at not in used), None)
            corrected = (
                number < len(places) and len(values) == len(places) and texts[number] not in map(_unescape_text, values)
            )
            if same is not None:
                used.append(same)
                lines.append(self.lines[same])
            elif corrected:
                used.append(places[number])
                lines.append(_rewrite_line(self._match(places[number]), value))
            else:
                lines.append(f"{name}:{value}")
        if used != sorted(used):  # another one comes first now
            lines = [_drop_preference(line) for line in lines]
        gone = {*places}
        labels = {match["group"] for at in gone - {*used} if (match := self._match(at))["group"]}
        first = places[0] if places else len(self.lines)
        rest = [(at, line) for at, line in enumerate(self.lines) if at not in gone and not _is_label(line, labels)]
        before = [line for at, line in rest if at < first]
        self.lines = [*before, *lines, *(line for at, line in rest if at > first)]

    def _list_places(self, name: str) -> list[int]:
        matches = [(at, _LINE.fullmatch(line)) for at, line in enumerate(self.lines)]
        return [at for at, match in matches if match and match["name"].upper() == name]

    def _match(self, place: int) -> "re.Match[str]":
        match = _LINE.fullmatch(self.lines[place])
        assert match  # noqa: S101 - places are those of lines that match
        return match

    def _read_birthday(self) -> str:
        """As ISO 8601; a time of day is left out, and a year that Apple writes for none."""
        text = re.sub(r"T.*", "", self._read_text("BDAY")) if re.match(r"[\d-]+T", self._read_text("BDAY")) else ""
        text = text or self._read_text("BDAY")
        text = re.sub(r"^(\d{4}|--)-?(\d\d)-?(\d\d)$", _format_dashed, text)
        omitted = [line for line in self.lines if re.match(r"BDAY[^:]*;X-APPLE-OMIT-YEAR=(\d{4})", line, re.IGNORECASE)]
        year = omitted[0].upper().partition("X-APPLE-OMIT-YEAR=")[2][:4] if omitted else ""
        return f"--{text[5:]}" if year and text.startswith(f"{year}-") else text

    def _list_texts(self, name: str) -> list[str]:
        return [text for value in self.values(name) if (text := _unescape_text(value))]

    def _read_text(self, name: str) -> str:
        return next(iter(self._list_texts(name)), "")


def _join_quoted(match: "re.Match[bytes]") -> bytes:
    """A value in quoted-printable whose lines the program cut as in mails (vCard 2.1)."""
    return re.sub(rb"=[ \t]*\r?\n", b"", match[0])


def _read_value(match: "re.Match[str]") -> str:
    """The value of a line; old programs encode it as in mails."""
    parameters = match["parameters"].upper()
    if "QUOTED-PRINTABLE" not in parameters:
        return match["value"]
    charset = re.search(r"CHARSET=([^;:]+)", parameters)
    return decode_bytes(quopri.decodestring(match["value"].encode()), charset[1] if charset else "").text


def _rewrite_line(match: "re.Match[str]", value: str) -> str:
    """A line with another value, and the labels that it has."""
    parameters = re.sub(
        r";(?:VALUE|ENCODING|CHARSET|LABEL|X-APPLE-OMIT-YEAR)=(?:\"[^\"]*\"|[^;:]*)", "", match["parameters"]
    )
    group = f"{match['group']}." if match["group"] else ""
    return f"{group}{match['name']}{re.sub(';QUOTED-PRINTABLE', '', parameters)}:{value}"


def _drop_preference(line: str) -> str:
    head, colon, value = line.partition(":")
    head = re.sub(r";PREF=\d+|;(?:TYPE=)?PREF(?=;|$)", "", head, flags=re.IGNORECASE)
    return re.sub(r"(TYPE=[^;:]*?),?\bPREF\b,?", r"\1", head, flags=re.IGNORECASE).rstrip("=") + colon + value


def _is_label(line: str, groups: set[str]) -> bool:
    """Whether a line is about one of these groups, such as Apple's label of an address that is gone."""
    return line.partition(".")[0] in groups


def read_uid(text: str) -> str:
    """A uid as cards and groups name it, without what may stand before it."""
    return re.sub("^(?:urn:uuid:|mailto:)", "", text, flags=re.IGNORECASE)


def _read_number(text: str) -> str:
    return re.sub(r"^tel:", "", text, flags=re.IGNORECASE)


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
