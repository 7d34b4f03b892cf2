"""The mailbox of the workspace's owner, filled: the letters of the stories among near misses and much that is noise."""

import base64
import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime, formataddr, parseaddr
from pathlib import PurePosixPath

from yardkit.apps.mail import DRAFTS, INBOX, SENT, Accounts, Arriving, Mailbox, Rule, save_accounts
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.drawn import draw_file
from yardkit.state_init.company.letters import Letter
from yardkit.state_init.company.near_misses import make_near_misses
from yardkit.state_init.company.noise import make_noise
from yardkit.state_init.company.stories import Stories
from yardkit.world import World, skip_syncing

ATTACHED = 0.15
"""The share of mails with files."""
_TYPES = {
    ".pdf": "application/pdf",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".csv": "text/csv",
    ".png": "image/png",
}
_CABINETS = {"order": "Customers", "PO": "Suppliers", "V": "Hiring"}
"""Where letters of old stories are filed, by how the stories' keys begin."""
_LINE_BYTES = 57
"""Bytes that base64 puts into a line of 76 signs."""


@dataclass(frozen=True)
class Filled:
    """A mailbox that was filled: by key of a letter its number in the mailbox and its Message-ID."""

    numbers: Mapping[str, int]
    message_ids: Mapping[str, str]


def fill_mail(
    world: World,
    cast: Cast,
    rng: random.Random,
    *,
    count: int = 600,
    stories: Stories | None = None,
    more: Sequence[Letter] = (),
    rules: Sequence[Rule] = (),
) -> Filled:
    """Fill the owner's mailbox with the letters of the stories, `more` letters, and others up to about `count`.

    A fifth of all are near misses of the stories. Everybody of the cast has a mailbox; mail to another address at
    their domains comes back. What is old was read and filed.
    """
    stories = stories or Stories(world.now)
    signal = [*stories.letters, *more]
    near = make_near_misses(cast, rng, stories, world.now, round(0.2 * count) if stories.letters else 0)
    files = round(ATTACHED * count) - sum(bool(letter.files) for letter in (*signal, *near))
    rest = max(0, count - len(signal) - len(near))
    noise = make_noise(cast, rng, world.now, rest, files)
    letters = sorted([*signal, *near, *noise], key=lambda letter: (letter.sent, letter.key))
    with skip_syncing():
        save_accounts(world, _make_accounts(cast, stories, rules))
        entries = Mailbox(world, cast.owner.email).add_all(_list_arriving(letters, cast, rng, world.now))
    numbers = {letter.key: entry.number for letter, entry in zip(letters, entries, strict=True)}
    return Filled(numbers, {letter.key: letter.message_id for letter in letters})


def _make_accounts(cast: Cast, stories: Stories, rules: Sequence[Rule]) -> Accounts:
    people = [*cast.staff, *cast.contacts, *cast.school.teachers]
    people += [candidate for hiring in stories.hirings for candidate in hiring.candidates]
    names = {person.email: person.name for person in people}
    return Accounts(cast.owner.email, names, sorted({address.partition("@")[2] for address in names}), list(rules))


def _list_arriving(letters: Sequence[Letter], cast: Cast, rng: random.Random, now: datetime) -> list[Arriving]:
    by_key, own = {letter.key: letter for letter in letters}, cast.owner.mailbox
    answered = {letter.answers for letter in letters if letter.answers and letter.sender == own}
    filed: dict[str, bool] = {}
    arriving_mails = []
    for letter in letters:
        story, days = letter.key.partition("/")[0], (now - letter.sent).days
        away = filed.setdefault(story, days > 60 and rng.random() < 0.6)
        folder = letter.folder or (SENT if letter.sender == own else _choose_cabinet(story) if away else INBOX)
        read = letter.sender == own or letter.key in answered or rng.random() < (0.97 if days > 10 else 0.55)
        flags = "D" * (folder == DRAFTS) + "F" * (rng.random() < 0.02) + "R" * (letter.key in answered) + "S" * read
        arriving_mails.append(Arriving(folder, compose_letter(letter, by_key), letter.sent, flags))
    return arriving_mails


def _choose_cabinet(story: str) -> str:
    """The folder in which the letters of a story are filed."""
    return _CABINETS.get(story.partition("-")[0], INBOX)


def compose_letter(letter: Letter, by_key: Mapping[str, Letter]) -> bytes:
    """A letter as it lies in a mailbox; `by_key` has those that it answers. Source: RFC 5322, 2045 to 2047."""
    heads = [
        ("From", _format_addresses([letter.sender])),
        ("To", _format_addresses(letter.to)),
        ("Cc", _format_addresses(letter.cc)),
        ("Subject", _encode_header(letter.subject)),
        ("Date", format_datetime(letter.sent)),
        ("Message-ID", letter.message_id),
        *_build_thread(letter, by_key),
        *_of_machines(letter),
        ("MIME-Version", "1.0"),
    ]
    lines = [f"{name}: {value}" for name, value in heads if value]
    parts = _build_body(letter)
    for file in letter.files:
        kind = _TYPES[PurePosixPath(file.name).suffix]
        head = f'Content-Type: {kind}\r\nContent-Disposition: attachment; filename="{file.name}"'
        parts.append(_in_base64(head, draw_file(file, letter.sent)))
    if len(parts) == 1:
        return "\r\n".join(lines).encode() + b"\r\n" + parts[0]
    return (
        "\r\n".join(lines).encode() + b"\r\n" + _join_parts(letter, parts, "mixed" if letter.files else "alternative")
    )


def _build_thread(letter: Letter, by_key: Mapping[str, Letter]) -> list[tuple[str, str]]:
    chain: list[str] = []
    asked = by_key.get(letter.answers)
    while asked:
        chain.insert(0, asked.message_id)
        asked = by_key.get(asked.answers)
    return [("In-Reply-To", chain[-1]), ("References", "\r\n ".join(chain))] if chain else []


def _of_machines(letter: Letter) -> list[tuple[str, str]]:
    if not letter.bulk:
        return []
    domain = parseaddr(letter.sender)[1].partition("@")[2]
    leave = f"<mailto:unsubscribe@{domain}>" if letter.html else ""
    return [("Auto-Submitted", "auto-generated"), ("Precedence", "bulk"), ("List-Unsubscribe", leave)]


def _build_body(letter: Letter) -> list[bytes]:
    texts = [("plain", letter.text), *((("html", letter.html),) if letter.html else ())]
    if letter.html and letter.files:
        texts = texts[:1]
    return [_build_text_part(kind, text) for kind, text in texts]


def _build_text_part(kind: str, text: str) -> bytes:
    body = text.rstrip("\n").replace("\n", "\r\n") + "\r\n"
    width = "7bit" if body.isascii() else "8bit"
    return f"Content-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: {width}\r\n\r\n{body}".encode()


def _in_base64(head: str, data: bytes) -> bytes:
    lines = (base64.b64encode(data[at : at + _LINE_BYTES]) for at in range(0, len(data), _LINE_BYTES))
    return f"{head}\r\nContent-Transfer-Encoding: base64\r\n\r\n".encode() + b"\r\n".join(lines) + b"\r\n"


def _join_parts(letter: Letter, parts: Sequence[bytes], kind: str) -> bytes:
    mark = f"=={hashlib.sha256(letter.message_id.encode()).hexdigest()[:24]}=="
    head = f'Content-Type: multipart/{kind}; boundary="{mark}"\r\n\r\n'
    return head.encode() + b"".join(f"--{mark}\r\n".encode() + part for part in parts) + f"--{mark}--\r\n".encode()


def _format_addresses(texts: Sequence[str]) -> str:
    return ",\r\n ".join(formataddr(parseaddr(text)) for text in texts)


def _encode_header(text: str) -> str:
    """A header in ASCII: as it is, or in encoded words."""
    if text.isascii():
        return text
    words = (text[at : at + 15] for at in range(0, len(text), 15))
    return "\r\n ".join(f"=?utf-8?b?{base64.b64encode(word.encode()).decode()}?=" for word in words)
