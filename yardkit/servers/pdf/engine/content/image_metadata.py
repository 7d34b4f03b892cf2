"""What picture files say beside their pixels: EXIF, XMP, IPTC and comments in JPEG and JPEG 2000."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_ENCODINGS = ("latin-1", "utf-8", "utf-16-le", "utf-16-be")
_COLORS = (0xE0, 0xE2, 0xEE)
"""Segments by which a JPEG is drawn: JFIF, color profiles, Adobe."""
_TEXT_SEGMENTS = frozenset({0xFE, *range(0xE0, 0xF0)} - set(_COLORS))
_STRING = re.compile(rb"\(((?:[^()\\]|\\.)*)\)", re.DOTALL)
_PROFILE = b"ICC_PROFILE\0"
_BOXES = (b"xml ", b"uuid", b"uinf", b"jp2i")


def without_texts(stream: Any, within: Callable[[str], bool]) -> bytes | None:
    """The raw bytes of a picture without its texts, if a term stands in them."""
    import pikepdf

    filters = stream.get("/Filter")
    names = [str(choice) for choice in filters] if isinstance(filters, pikepdf.Array) else [str(filters)]
    if names[-1] not in ("/DCTDecode", "/JPXDecode") or names[:-1] not in ([], ["/FlateDecode"]):
        return None
    raw = stream.read_raw_bytes()
    try:
        parts = list(_split_parts(zlib.decompress(raw) if names[:-1] else raw))
    except zlib.error:
        return None
    if not any(map(within, _decode_texts(parts))):
        return None
    left = b"".join(part for part, speaks in parts if not speaks)
    return zlib.compress(left) if names[:-1] else left


def inline_image_texts(image: Any) -> Iterator[str]:
    """The texts of an inline image: strings among its entries, and those of its file."""
    head, _, data = image.unparse().partition(b"ID")
    yield from (text.decode("latin-1") for text in _STRING.findall(head))
    yield from _decode_texts(_split_parts(data.lstrip()))


def _decode_texts(parts: Iterable[tuple[bytes, bool]]) -> Iterator[str]:
    for part in (part for part, speaks in parts if speaks):
        yield from (part[start:].decode(encoding, "ignore") for encoding in _ENCODINGS for start in (0, 1))


def _split_parts(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """What a file of a picture is made of, and whether that says something, or is drawn."""
    if data[:2] == b"\xff\xd8":
        yield from _split_jpeg(data)
    elif data[4:8] == b"jP  ":
        yield from _split_boxes(data)


def _split_jpeg(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """Segments up to the pixels, and all that follows (ISO/IEC 10918-1, B.1.1)."""
    yield data[:2], False
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] not in (0xD9, 0xDA):
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        marker, part = data[at + 1], data[at:end]
        yield part, marker in _TEXT_SEGMENTS or (marker == 0xE2 and not part[4:].startswith(_PROFILE))
        at = end
    yield data[at:], False


def _split_boxes(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """Those of JPEG 2000 (ISO/IEC 15444-1, I.4)."""
    at = 0
    while at + 8 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if size == 1:
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        end = at + size if size >= 8 else len(data)
        yield data[at:end], data[at + 4 : at + 8] in _BOXES
        at = end
