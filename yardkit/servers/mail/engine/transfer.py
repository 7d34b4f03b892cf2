"""Contents of parts as they were before they were sent (RFC 2045), where programs on the way added or spoilt lines."""

import base64
import binascii
import re
from dataclasses import dataclass
from email.message import Message

from yardkit.world.decoding import can_decode

_LINE = re.compile(rb"[A-Za-z0-9+/]{4,}={0,2}|[A-Za-z0-9+/]+={1,2}|={1,2}")
_CHUNK = re.compile(rb"([A-Za-z0-9+/]+)=*")
_JUNK = re.compile(rb"[^A-Za-z0-9+/=]")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_SOFT_BREAK = re.compile(rb"=[ \t]+(?=\r?\n)")
_LONG_LINE = 60
"""Signs of a line that nobody takes for a word behind the code."""


@dataclass(frozen=True)
class Transferred:
    """A content. added: lines that stand behind it and are no part of the code, such as the footer of a list."""

    data: bytes
    added: bytes = b""


def decode_transferred(part: Message) -> Transferred:
    """The content of a part that holds no others."""
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().casefold()
    payload = part.get_payload()
    if encoding == "base64" and isinstance(payload, str):
        return decode_base64(payload.encode("utf-8", "surrogateescape"), text=part.get_content_maintype() == "text")
    if encoding == "quoted-printable" and isinstance(payload, str):
        return Transferred(binascii.a2b_qp(_SOFT_BREAK.sub(b"=", payload.encode("utf-8", "surrogateescape"))))
    content = part.get_payload(decode=True)
    return Transferred(content if isinstance(content, bytes) else b"")


def decode_base64(coded: bytes, *, text: bool) -> Transferred:
    """What stands in base64, of several pieces one behind the other, and the lines that were added to it.

    With `text`, what makes no sense as code is taken for text that was never encoded.
    """
    lines = coded.splitlines(keepends=True)
    count = _count_coded(lines)
    pieces = [match[1] for match in _CHUNK.finditer(_JUNK.sub(b"", b"".join(lines[:count])))]
    data = b"".join(map(_decode_piece, pieces))
    added = b"".join(lines[count:]).strip(b"\r\n")
    if text and coded.strip() and (not data or _is_senseless(data, added)):
        return Transferred(coded)
    return Transferred(data, added)


def _count_coded(lines: list[bytes]) -> int:
    """How many lines are code: all to the last one that looks like it, before words that follow."""
    last, has_words = 0, False
    for number, line in enumerate(lines):
        bare = line.strip()
        is_coded = bool(_LINE.fullmatch(bare))
        if is_coded and (not has_words or len(bare) >= _LONG_LINE or (len(bare) % 4 == 0 and bare.endswith(b"="))):
            last, has_words = number + 1, False
        elif bare:
            has_words = True
    return last or len(lines)


def _is_senseless(data: bytes, added: bytes) -> bool:
    """Whether what was decoded is no text; UTF-16 has zeros."""
    return bool(_CONTROLS.search(data.replace(b"\0", b""))) or (
        len(added) > len(data) and not can_decode(data, "utf-8")
    )


def _decode_piece(piece: bytes) -> bytes:
    piece = piece[: len(piece) - (len(piece) % 4 == 1)]
    return base64.b64decode(piece + b"=" * (-len(piece) % 4))
