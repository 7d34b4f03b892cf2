"""What the program of a font tells of its codes: Type 1, Compact Font Format, TrueType and OpenType."""

from __future__ import annotations

import io
import re
from functools import lru_cache
from typing import Any

PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")
_NOTHING = ("",) * 256
_COMMENT = re.compile(rb"%[^\r\n]*")
_NAME = rb"/([^\s()<>\[\]{}/%]+)"
_ENCODING = re.compile(rb"/Encoding(?![^\s()<>\[\]{}/%])\s*(.*?)(?:\b(?:def|readonly)\b|$)", re.DOTALL)
_PUT = re.compile(rb"\bdup\s+(\d{1,3}|8#[0-7]{1,3}|16#[0-9A-Fa-f]{1,2})\s*" + _NAME + rb"\s+put\b")
"""How a Type 1 program names a code (Adobe Type 1 Font Format, 2.2); numbers may have a base."""
_SFNT = (b"\0\1\0\0", b"true", b"OTTO", b"ttcf")
_NONSYMBOLIC = 1 << 5


def names_of_program(font: Any, descriptor: Any) -> list[str] | None:
    """The glyph names of the 256 codes of a simple font as its program gives them, empty where it tells none.

    A program that cannot be read tells nothing: a viewer that can read it may show any letter for a code.

    Returns:
        None where the font has no program, or one that takes the encoding that is usual for such a font.
    """
    program_keys = [key for key in PROGRAMS if key in descriptor]
    if not program_keys:
        return None
    if len(program_keys) > 1:  # which one is shown, each viewer decides
        return list(_NOTHING)
    flags = descriptor.get("/Flags", 0)
    is_nonsymbolic = font.get("/Subtype") == "/TrueType" and isinstance(flags, int) and bool(flags & _NONSYMBOLIC)
    glyph_names = _read_names(_read_program(descriptor[program_keys[0]]), is_nonsymbolic)
    return None if glyph_names is None else list(glyph_names)


def _read_program(stream: Any) -> bytes:
    import pikepdf

    try:
        return bytes(stream.read_bytes()) if isinstance(stream, pikepdf.Stream) else b""
    except pikepdf.PikepdfError:
        return b""


@lru_cache(100)
def _read_names(program: bytes, is_nonsymbolic: bool) -> tuple[str, ...] | None:
    """By what the program is, not by what the font says it is: so do viewers."""
    if program.startswith((b"%!", b"\x80\x01")):
        return _type1_names(program)
    try:
        if program.startswith(_SFNT):
            return _sfnt_names(program, is_nonsymbolic)
        return _compact_names(program)
    except Exception:  # noqa: BLE001 - whatever the decoder dislikes: the program tells nothing
        return _NOTHING


def _type1_names(program: bytes) -> tuple[str, ...] | None:
    bodies = _ENCODING.findall(_COMMENT.sub(b"", program.partition(b"eexec")[0]))
    body = bodies[-1].strip() if bodies else b""
    if body == b"StandardEncoding":
        return None
    if body == b"ISOLatin1Encoding":
        return tuple(f"uni{code:04X}" for code in range(256))
    named = {_parse_number(code): name for code, name in _PUT.findall(body)}
    if body[:1] in (b"[", b"{"):
        named = dict(enumerate(re.findall(_NAME, body)))
    return tuple(named.get(code, b"").decode("latin-1").replace(".notdef", "") for code in range(256))


def _parse_number(text: bytes) -> int:
    base, _, digits = text.rpartition(b"#")
    return int(digits, int(base or 10))


def _compact_names(program: bytes) -> tuple[str, ...] | None:
    from fontTools.cffLib import CFFFontSet  # type: ignore[import-untyped]

    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(program), None)
    return _of_compact(fonts[0])


def _of_compact(font: Any) -> tuple[str, ...] | None:
    named = font.Encoding
    if named == "StandardEncoding":
        return None
    if isinstance(named, str):  # of fonts with small capitals and fractions
        return _NOTHING
    return tuple(str(name).replace(".notdef", "") for name in named)


def _sfnt_names(program: bytes, is_nonsymbolic: bool) -> tuple[str, ...] | None:
    """What the table of characters makes of the codes (ISO 32000-1, 9.6.6.4), unless the letters are the usual ones."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    font = TTFont(io.BytesIO(program), lazy=True, fontNumber=0)
    if "CFF " in font:
        return _of_compact(font["CFF "].cff[0])
    if is_nonsymbolic:
        return None
    tables = {(table.platformID, table.platEncID): table.cmap for table in font["cmap"].tables}
    unicode = font["cmap"].getBestCmap() or {}
    own = tables.get((3, 0)) or tables.get((1, 0))
    if own is None:
        return tuple(f"uni{code:04X}" if code in unicode else "" for code in range(256))
    meant = {glyph: f"uni{char:04X}" for char, glyph in unicode.items() if char <= 0xFFFF and not _is_private(char)}
    has_names = font["post"].formatType in (1.0, 2.0) if "post" in font else False
    names = []
    for code in range(256):
        glyph = own.get(code) or next((own[high + code] for high in (0xF000, 0xF100, 0xF200) if high + code in own), "")
        names.append(meant.get(glyph) or (glyph if has_names and glyph != ".notdef" else ""))
    return tuple(names)


def _is_private(char: int) -> bool:
    return 0xE000 <= char <= 0xF8FF
