"""What the codes of a shown string are: how many bytes, how wide, which text (PDF 32000-1, 9.6 to 9.10)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from yardkit.servers.pdf.engine.content.font_programs import PROGRAMS, names_of_program

_HEX = rb"<([0-9A-Fa-f\s]*)>"
_BLOCK = re.compile(rb"begin(bfchar|bfrange|codespacerange|cidrange|cidchar)(.*?)end\1", re.DOTALL)
_ITEM = re.compile(_HEX + rb"|\[((?:\s*<[0-9A-Fa-f\s]*>)*)\s*\]|(\d+)")
_MAX_RANGE = 70_000
_USED = re.compile(rb"/([^\s()<>\[\]{}/%]+)\s+usecmap\b")
_MAX_CMAPS = 5
"""How many CMaps are followed that one after the other builds on."""
_SIGNS = re.compile(
    "(?:paren|brace|bracket|angbracket|floor|ceiling|vextend|radical|summation|product|coproduct|integral|contintegral"
    "|union|intersection|circle|logical|square|triangle|subset|superset|arrow|negationslash|prime|bardbl|mapsto|owner"
    ")[A-Za-z]*$"
)
"""How the fonts of TeX name mathematical signs and their parts, which no list of Adobe has."""
_SIGN = "\u25a1"
"""Stands for each of them."""
_SYMBOLS = re.compile(r"/(?:[A-Z]{6}\+)?(?:ZapfDingbats|Dingbats|Symbol|Wingdings|Webdings)")
_MAY_SHOW = re.compile(rb"Tj|TJ|Do|['\"]")
"""What a content stream holds that shows text or paints an object; pixels may spell it, too."""
_WORD = 60
"""Letters of the longest word that one glyph shows."""
_MEANINGLESS = {"Cc", "Cn", "Co", "Cs"}
"""Categories of characters that mean nothing by themselves: controls, unassigned, private, halves of pairs."""


@dataclass(frozen=True)
class Code:
    """One character code of a string.

    Attributes:
        data: its bytes.
        advance: in units of the font size.
        text: what it means, empty when unknown.
        unread: which glyph it is where its font does not tell what it means, else empty.
        letters: how many of those it may show.
    """

    data: bytes
    advance: float
    text: str
    unread: str = ""
    letters: int = 1


class Encoding:
    """Decodes the strings that one font shows."""

    def __init__(self, font: Any) -> None:
        self._font = font  # while it lives, no other has its id
        self.vertical = False
        self._letters = 1
        self._symbols = _is_symbols(font)
        self._texts, _ = parse_cmap(_read_stream(font.get("/ToUnicode")))
        self._composite = str(font.get("/Subtype", "")) == "/Type0"
        self.scale = 0.001
        if self._composite:
            self._read_composite(font)
        else:
            self._read_simple(font)

    def decode_codes(self, data: bytes) -> list[Code]:
        """The codes of a string."""
        if not self._composite:
            return [self._decode_simple(byte) for byte in data]
        string_codes = []
        position = 0
        while position < len(data):
            length = self._get_code_length(data, position)
            piece = data[position : position + length]
            number = int.from_bytes(piece, "big")
            cid = self._cids.get(piece, number if self._identity else 0)
            advance = -self._down if self.vertical else self._widths.get(cid, self._default)
            string_codes.append(
                self._make_code(piece, advance * 0.001, self._texts.get(piece) or self._characters.get(cid, ""))
            )
            position += length
        return string_codes

    def _decode_simple(self, byte: int) -> Code:
        data = bytes([byte])
        text = self._texts.get(data)
        advance = self._widths.get(byte, self._default) * self.scale
        return self._make_code(data, advance, self._names[byte] if text is None else text)

    def _make_code(self, data: bytes, advance: float, text: str) -> Code:
        unread = "" if self._symbols or _is_meaningful(text) else f"{id(self)} {data.hex()}"
        return Code(data, advance, text, unread, self._letters)

    def _read_simple(self, font: Any) -> None:
        names = glyph_names(font)
        self._names = [_unicode_of(name) for name in names]
        first = int(font.get("/FirstChar", 0))
        self._widths = {first + number: float(width) for number, width in enumerate(font.get("/Widths", []))}
        self._default = float(font.get("/FontDescriptor", {}).get("/MissingWidth", 0))
        if str(font.get("/Subtype", "")) == "/Type3":
            self.scale = abs(float(font.get("/FontMatrix", [0.001])[0])) or 0.001
            if _shows_text(font):
                self._names, self._texts, self._letters = [""] * 256, {}, _WORD
        elif not self._widths:
            self._widths, self._default = _standard_widths(str(font.get("/BaseFont", "/Helvetica"))[1:], names), 500

    def _read_composite(self, font: Any) -> None:
        import pikepdf

        below = font.get("/DescendantFonts", [pikepdf.Dictionary()])[0]
        self._default = float(below.get("/DW", 1000))
        self._widths = _cid_widths(below.get("/W", []))
        self._down = float(below.get("/DW2", [880, -1000])[1])
        self._characters = {} if self._texts else _load_characters(below)
        encoding = font.get("/Encoding", pikepdf.Name("/Identity-H"))
        self._cids: dict[bytes, int] = {}
        self._spaces: list[tuple[bytes, bytes]] = []
        self._identity = True
        self._take_cmap(encoding, _MAX_CMAPS)
        if isinstance(encoding, pikepdf.Stream):
            self.vertical = int(encoding.get("/WMode", 0)) == 1

    def _take_cmap(self, encoding: Any, depth: int) -> None:
        """Codes to CIDs; those of a stream which gives none, and takes none from elsewhere, mean nothing."""
        import pikepdf

        if not isinstance(encoding, pikepdf.Stream):
            name = str(encoding)[1:]
            self.vertical = name.endswith("-V")
            self._identity = name.startswith("Identity")
            self._cids = {} if self._identity else _load_predefined(name)
            return
        data = _read_stream(encoding)
        used = _USED.search(data)
        base = encoding.get("/UseCMap", pikepdf.Name("/" + used[1].decode("latin-1")) if used else None)
        self._identity = False
        if base is not None and depth:
            self._take_cmap(base, depth - 1)
        texts, spaces = parse_cmap(data, cids=True)
        self._spaces = spaces or self._spaces
        self._cids |= {key: int(value) for key, value in texts.items()}

    def _get_code_length(self, data: bytes, position: int) -> int:
        for low, high in self._spaces:
            piece = data[position : position + len(low)]
            if len(piece) == len(low) and all(a <= b <= c for a, b, c in zip(low, piece, high, strict=True)):
                return len(low)
        if self._cids and not self._spaces:
            for length in (1, 2, 3, 4):
                if data[position : position + length] in self._cids:
                    return length
        return min(2, len(data) - position)


def _read_stream(stream: Any) -> bytes:
    import pikepdf

    if not isinstance(stream, pikepdf.Stream):
        return b""
    try:
        return bytes(stream.read_bytes())
    except pikepdf.PikepdfError:
        return b""


def parse_cmap(data: bytes, *, cids: bool = False) -> tuple[dict[bytes, str], list[tuple[bytes, bytes]]]:
    """Code to text (or to the CID as decimal text), and the code space ranges, of a CMap."""
    mapped: dict[bytes, str] = {}
    spaces: list[tuple[bytes, bytes]] = []
    for kind, body in _BLOCK.findall(data):
        items = [_parse_item(match) for match in _ITEM.finditer(body)]
        if kind == b"codespacerange":
            spaces += [
                (low, high) for low, high in zip(items[::2], items[1::2], strict=False) if _are_filled_bytes(low, high)
            ]
        elif kind in (b"bfchar", b"cidchar") and cids == (kind == b"cidchar"):
            mapped |= {
                code: _to_text(to) for code, to in zip(items[::2], items[1::2], strict=False) if _are_filled_bytes(code)
            }
        elif kind in (b"bfrange", b"cidrange") and cids == (kind == b"cidrange"):
            for low, high, to in zip(items[::3], items[1::3], items[2::3], strict=False):
                if _are_filled_bytes(low, high):
                    mapped |= _map_range(low, high, to)
    return mapped, spaces


def _are_filled_bytes(*items: Any) -> bool:
    return all(isinstance(item, bytes) and item for item in items)


def _parse_item(match: re.Match[bytes]) -> Any:
    if match[3] is not None:
        return int(match[3])
    if match[2] is not None:
        return [_decode_hex(part) for part in re.findall(_HEX, match[2])]
    return _decode_hex(match[1])


def _decode_hex(text: bytes) -> bytes:
    digits = b"".join(text.split())
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())


def _to_text(to: Any) -> str:
    if isinstance(to, int):
        return str(to)
    if not isinstance(to, bytes):
        return ""
    return to.decode("utf-16-be", "replace") if len(to) > 1 else to.decode("latin-1")


def _map_range(low: bytes, high: bytes, to: Any) -> dict[bytes, str]:
    start, count = int.from_bytes(low, "big"), int.from_bytes(high, "big") - int.from_bytes(low, "big") + 1
    codes = [(start + step).to_bytes(len(low), "big") for step in range(max(0, min(count, _MAX_RANGE)))]
    if isinstance(to, list):
        return {code: _to_text(text) for code, text in zip(codes, to, strict=False)}
    if isinstance(to, int):
        return {code: str(to + step) for step, code in enumerate(codes)}
    base = int.from_bytes(to, "big")
    size = len(to)
    return {
        code: _to_text((base + step).to_bytes(size, "big"))
        for step, code in enumerate(codes)
        if base + step < 256**size
    }


def _cid_widths(array: Any) -> dict[int, float]:
    import pikepdf

    widths: dict[int, float] = {}
    items = list(array)
    at = 0
    while at + 1 < len(items):
        first = int(items[at])
        if isinstance(items[at + 1], pikepdf.Array):
            widths |= {first + number: float(width) for number, width in enumerate(items[at + 1])}
            at += 2
        elif at + 2 < len(items):
            last = min(int(items[at + 1]), first + _MAX_RANGE)
            widths |= dict.fromkeys(range(first, last + 1), float(items[at + 2]))
            at += 3
        else:
            break
    return widths


def _load_predefined(name: str) -> dict[bytes, int]:
    """Code to CID of a predefined CMap, from the tables that pdfminer carries."""
    from pdfminer.cmapdb import CMapDB

    code_map: dict[bytes, int] = {}
    try:
        tree = vars(CMapDB.get_cmap(name))["code2cid"]
    except (CMapDB.CMapNotFound, KeyError):
        return code_map
    waiting: list[tuple[bytes, Any]] = [(b"", tree)]
    while waiting:
        above, node = waiting.pop()
        for byte, value in node.items():
            code = above + bytes([byte])
            if isinstance(value, dict):
                waiting.append((code, value))
            else:
                code_map[code] = value
    return code_map


def _load_characters(font: Any) -> dict[int, str]:
    """CID to text of the character collections of Adobe, from the tables that pdfminer carries."""
    from pdfminer.cmapdb import CMapDB

    system = font.get("/CIDSystemInfo", {})
    try:
        return dict(CMapDB.get_unicode_map(f"{system.get('/Registry', '')}-{system.get('/Ordering', '')}").cid2unichr)
    except CMapDB.CMapNotFound:
        return {}


def glyph_names(font: Any) -> list[str]:
    """The glyph name of each of the 256 codes of a simple font, empty where nothing tells it."""
    import pikepdf
    from reportlab.pdfbase import _fontdata

    encoding = font.get("/Encoding")
    base = str(font.get("/BaseFont", ""))
    named = str(encoding.get("/BaseEncoding", "")) if isinstance(encoding, pikepdf.Dictionary) else str(encoding or "")
    default = "WinAnsiEncoding" if font.get("/Subtype") == "/TrueType" else "StandardEncoding"
    for special in ("ZapfDingbats", "Symbol"):
        default = f"{special}Encoding" if special in base else default
    chosen = _fontdata.encodings.get(named.removeprefix("/"))
    if chosen is None:
        chosen = names_of_program(font, font.get("/FontDescriptor", {})) or _fontdata.encodings[default]
    names = [name or "" for name in chosen]
    code = 0
    for difference in encoding.get("/Differences", []) if isinstance(encoding, pikepdf.Dictionary) else []:
        if isinstance(difference, pikepdf.Name):
            if code < 256:
                names[code] = str(difference)[1:]
            code += 1
        else:
            code = int(difference)
    return names


def _is_symbols(font: Any) -> bool:
    """Whether a font is known to hold signs that are no letters; one that comes along may draw what it likes."""
    holders = [font, *font.get("/DescendantFonts", [])]
    embedded = any(key in holder.get("/FontDescriptor", {}) for holder in holders for key in PROGRAMS)
    return not (embedded or "/CharProcs" in font) and bool(_SYMBOLS.match(str(font.get("/BaseFont", ""))))


def _shows_text(font: Any) -> bool:
    """Whether glyphs that are drawn show text of other fonts, or forms: what they mean is not what their font says."""
    import pikepdf

    procs = font.get("/CharProcs", {})
    for proc in [procs.get(key) for key in procs.keys()]:  # noqa: SIM118 - no mapping of Python
        if _MAY_SHOW.search(_read_stream(proc)):
            for instruction in pikepdf.parse_content_stream(proc):
                name = str(instruction.operator)
                if name in ("Tj", "TJ", "'", '"') or (name == "Do" and _paints_form(font, instruction.operands)):
                    return True
    return False


def _paints_form(font: Any, operands: Any) -> bool:
    painted_object = font.get("/Resources", {}).get("/XObject", {}).get(str(operands[0]) if len(operands) else "")
    return painted_object is None or painted_object.get("/Subtype") != "/Image"


def _is_meaningful(text: str) -> bool:
    """Whether a text means something."""
    return any(char.isspace() or (char != "\ufffd" and unicodedata.category(char) not in _MEANINGLESS) for char in text)


@lru_cache(10_000)
def _unicode_of(name: str) -> str:
    from fontTools.agl import toUnicode  # type: ignore[import-untyped]

    if not name or name == ".notdef":
        return ""
    return str(toUnicode(name)) or (_SIGN if _SIGNS.match(name) else "")


def _standard_widths(base: str, names: list[str]) -> dict[int, float]:
    from reportlab.pdfbase import _fontdata

    from yardkit.servers.pdf.engine.drawing.fonts import _STANDARD_FONTS, style_of

    table = _fontdata.widthsByFontGlyph.get(base)
    if table is None:
        style = style_of(base)
        table = _fontdata.widthsByFontGlyph[_STANDARD_FONTS[style.family][style.bold + 2 * style.italic]]
    return {code: float(table[name]) for code, name in enumerate(names) if name in table}
