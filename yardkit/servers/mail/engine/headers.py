"""Header lines as real programs write them: words in any charset (RFC 2047), names with signs that nobody quoted."""

import base64
import binascii
import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message

from yardkit.world.decoding import decode_bytes

MAX_HEADER = 100_000
"""Characters of a header that are read."""
_ENCODED = r"=\?([^?\s]{1,60})\?([bBqQ])\?((?:[^?\r\n]|\?(?!=)){0,2000})\?="
_WORD = re.compile(_ENCODED)
_TOKEN = re.compile(
    rf"(?P<word>{_ENCODED})"
    r'|(?P<quoted>"(?:[^"\\]|\\.){0,1000}")|(?P<angle><[^<>]*>)'
    r"|(?P<comment>\((?:[^()\\]|\\.|\((?:[^()\\]|\\.|\([^()]{0,200}\)){0,300}\)){0,1000}\))|(?P<sign>.)",
    re.DOTALL,
)
"""What is one in a list of addresses. Lengths are bounded: a header of open quotes would take seconds."""
_LEAD = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n){0,20}(?:>?From (?![ \t]*:)[^\r\n]{0,200}\r?\n)?")
"""What programs leave before the first header."""
_KNOWN = re.compile(
    rb"(?:From|To|Cc|Subject|Date|Received|Return-Path|Delivered-To|Message-ID|MIME-Version|Sender|X-[\w-]+)[ \t]*:",
    re.IGNORECASE,
)
_FIELD = re.compile(rb"^([!-9;-~]+)[ \t]*:")
_FIELD_END = re.compile(rb"\r?\n(?![ \t])")
_QUOTED_SIGNS = re.compile(r'[][\\()<>@,:;"]')
"""Signs that a name may hold only in quotes."""


@dataclass(frozen=True)
class Correspondent:
    """A name, which may be empty, and an address, which may be none where the header is damaged."""

    name: str
    address: str

    def __str__(self) -> str:
        if not self.name:
            return self.address
        escaped = re.sub(r'(["\\])', r"\\\1", self.name)
        name = f'"{escaped}"' if _QUOTED_SIGNS.search(self.name) else self.name
        return f"{name} <{self.address}>" if self.address else name


def mend_head(data: bytes) -> bytes:
    """A message whose header can be read.

    What mailbox files and editors leave before it is gone, and so are blanks before colons and lines that are none;
    those behind the last field are text.
    """
    start = _LEAD.match(data)
    data = data[start.end() :] if start and _KNOWN.match(data, start.end()) else data
    head, gap, rest = _partition_head(data)
    lines = _FIELD_END.split(head)
    last_known = max((number for number, line in enumerate(lines) if _KNOWN.match(line)), default=len(lines))
    strange = [number for number, line in enumerate(lines) if number > last_known and not _FIELD.match(line)]
    if strange and b"".join(lines[strange[0] :]).strip():  # the text, which nobody parted from the header
        rest = b"\r\n".join(lines[strange[0] :]) + gap + rest
        lines, gap = lines[: strange[0]], b"\r\n\r\n"
        data = b"\r\n".join(lines) + gap + rest
    fields = [_FIELD.sub(rb"\1:", line, count=1) for line in lines if _FIELD.match(line)]
    if fields == lines or not _KNOWN.match(lines[0]) or not any(map(_KNOWN.match, fields[1:])):
        return data  # text without a header
    return b"\r\n".join(fields) + gap + rest


def _partition_head(data: bytes) -> tuple[bytes, bytes, bytes]:
    gap = re.search(rb"\r?\n\r?\n", data[:MAX_HEADER])
    return (data[: gap.start()], gap[0], data[gap.end() :]) if gap else (data, b"", b"")


def read_header(message: Message, name: str) -> str:
    """The first header of this name in one line, its words decoded; empty where there is none."""
    return decode_words(_read_raw(message, name))


def read_correspondents(message: Message, name: str) -> tuple[Correspondent, ...]:
    """The people in all headers of this name; groups are taken apart, and those without anybody hold nobody."""
    raw_values = [str(value) for key, value in message.raw_items() if key.casefold() == name.casefold()]
    return tuple(person for raw in raw_values for person in split_people(raw[:MAX_HEADER]))


def decode_words(raw: str) -> str:
    """A header in one line. Words that follow each other are decoded together: programs cut letters between them."""
    text = _unfold_line(raw)
    if "=?" not in text:
        return " ".join(decode_raw(text).split())
    decoded, end, pending = [], 0, (b"", "")
    for match in _WORD.finditer(text):
        between = text[end : match.start()]
        word_bytes, charset = _decode_word(match), match[1].partition("*")[0].casefold()
        if end and not between.strip() and charset == pending[1]:
            pending = (pending[0] + word_bytes, charset)
        else:
            decoded += [decode_bytes(*pending).text, "" if end and not between.strip() else decode_raw(between)]
            pending = (word_bytes, charset)
        end = match.end()
    decoded += [decode_bytes(*pending).text, decode_raw(text[end:])]
    return " ".join("".join(decoded).split())


def split_people(raw: str) -> list[Correspondent]:
    """The people of a list of addresses, as lenient as mail programs are."""
    people, unfinished = [], list[str]()
    for piece in _split_list(raw):
        unfinished.append(piece)
        # A piece without an address begins a name that nobody quoted: Lind, Eva <eva@example.com>
        if "@" in piece or "<" in piece:
            people.append(_read_person(", ".join(unfinished)))
            unfinished.clear()
    people += map(_read_person, unfinished)
    return [person for person in people if person.name or person.address]


def addresses_of(texts: tuple[str, ...]) -> list[str]:
    """The bare addresses, in small letters, in order."""
    return [person.address.lower() for text in texts for person in split_people(text) if person.address]


def _read_raw(message: Message, name: str) -> str:
    values = (str(value) for key, value in message.raw_items() if key.casefold() == name.casefold())
    return next(values, "")[:MAX_HEADER]


def _unfold_line(raw: str) -> str:
    return re.sub(r"[\r\n]+[ \t]*", " ", raw)


def decode_raw(text: str) -> str:
    """The text of a header that may hold bytes, which the parser left as they are."""
    if text.isascii():
        return text
    return decode_bytes(text.encode("utf-8", "surrogateescape")).text


def _decode_word(match: "re.Match[str]") -> bytes:
    encoded = match[3].encode("utf-8", "surrogateescape")
    if match[2] in "qQ":
        return quopri.decodestring(encoded, header=True)
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", encoded)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    try:
        return base64.b64decode(letters + b"=" * (-len(letters) % 4))
    except binascii.Error:
        return encoded


def _split_list(raw: str) -> Iterator[str]:
    """The members of a list of addresses: parted by commas and semicolons, without the names of groups."""
    text = _unfold_line(raw)
    piece = ""
    for match in _TOKEN.finditer(text):
        sign = match["sign"]
        if sign in {",", ";"}:
            if piece.strip():
                yield piece.strip()
            piece = ""
        elif sign == ":" and "@" not in piece and piece.strip().casefold() != "mailto":
            piece = ""  # the name of a group
        else:
            piece += match[0]
    if piece.strip():
        yield piece.strip()


def _read_person(piece: str) -> Correspondent:
    tokens = [(match.lastgroup, match[0]) for match in _TOKEN.finditer(piece)]
    angles = [text for kind, text in tokens if kind == "angle" and "@" in text] or [
        text for kind, text in tokens if kind == "angle"
    ]
    comments = " ".join(text[1:-1] for kind, text in tokens if kind == "comment")
    if angles:
        address = angles[-1].strip("<> ")
        name = piece.rpartition(angles[-1])[0].strip() or comments
    else:
        name, address = _split_bare("".join(text for kind, text in tokens if kind != "comment").strip())
        if not name and "@" not in address and "@" in (decoded := decode_words(piece)) and decoded != piece.strip():
            return _read_person(decoded)  # all of it is one encoded word
        name = name or (comments if "@" in address else "")
    address = re.sub(r"^mailto:", "", address.strip(), flags=re.IGNORECASE)
    address = re.sub(r"^@[^:]*:", "", address)  # the route of old mail
    return Correspondent(_read_name(name), decode_raw(re.sub(r"\s*([@.])\s*", r"\1", address)))


def _split_bare(text: str) -> tuple[str, str]:
    """A name and an address that stand side by side without the signs that part them, or with half of them."""
    match = re.fullmatch(r"(.*?)(?:\s+|\s*[<\[])([^\s<>\[\]\"]+@[^\s<>\[\]\"]+)[>\]]?", text, re.DOTALL)
    return (match[1], match[2]) if match else ("", text.strip("<> "))


def _read_name(raw: str) -> str:
    """A name without the quotes around it; programs also quote words that are encoded."""
    name = raw.strip()
    if re.fullmatch(r'"(?:[^"\\]|\\.)*"', name):
        name = re.sub(r"\\(.)", r"\1", name[1:-1])
    elif '"' in name:
        name = re.sub(r'"((?:[^"\\]|\\.)*)"', r"\1", name)
    return decode_words(name).strip("'" if name.startswith("'") and name.endswith("'") else "")
