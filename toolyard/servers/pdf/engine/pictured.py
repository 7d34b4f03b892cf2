"""What picture files say beside their pixels: EXIF, XMP, IPTC and comments in JPEG and JPEG 2000."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

_ENCODINGS = ("latin-1", "utf-8", "utf-16-le", "utf-16-be")
_COLORS = (0xE0, 0xE2, 0xEE)
"""Segments by which a JPEG is drawn: JFIF, color profiles, Adobe."""
_SAYING = frozenset({0xFE, *range(0xE0, 0xF0)} - set(_COLORS))
_PROFILE = b"ICC_PROFILE\0"
_BOXES = (b"xml ", b"uuid", b"uinf", b"jp2i")


def unsaid(stream: Any, within: Callable[[str], bool]) -> bytes | None:
    """The raw bytes of a picture without its texts, if a term stands in them."""
    kept, said = _parted(stream)
    texts = (part[start:].decode(encoding, "ignore") for part in said for encoding in _ENCODINGS for start in (0, 1))
    return b"".join(kept) if any(map(within, texts)) else None


def _parted(stream: Any) -> tuple[list[bytes], list[bytes]]:
    """The parts of a picture that are drawn, and those that say something."""
    import pikepdf

    kept: list[bytes] = []
    said: list[bytes] = []
    filters = stream.get("/Filter")
    last = list(filters) if isinstance(filters, pikepdf.Array) else [filters]
    if len(last) == 1 and str(last[0]) in ("/DCTDecode", "/JPXDecode"):
        data = stream.read_raw_bytes()
        parts = _jpeg(data) if data[:2] == b"\xff\xd8" else _boxes(data) if data[4:8] == b"jP  " else ()
        for part, speaks in parts:
            (said if speaks else kept).append(part)
    return kept, said


def _jpeg(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """Segments up to the pixels, and all that follows (ISO/IEC 10918-1, B.1.1)."""
    yield data[:2], False
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] not in (0xD9, 0xDA):
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        marker, part = data[at + 1], data[at:end]
        yield part, marker in _SAYING or (marker == 0xE2 and not part[4:].startswith(_PROFILE))
        at = end
    yield data[at:], False


def _boxes(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """Those of JPEG 2000 (ISO/IEC 15444-1, I.4)."""
    at = 0
    while at + 8 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if size == 1:
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        end = at + size if size >= 8 else len(data)
        yield data[at:end], data[at + 4 : at + 8] in _BOXES
        at = end
