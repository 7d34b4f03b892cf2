"""Hostile files of single formats: small files that make a careless reader hang, exhaust memory or crash."""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import partial

Make = Callable[[bytes], bytes]
"""Makes the hostile file out of the bytes of the right one."""

ENDLESS_NUMBER = "1e999999999"
_NUMBER = re.compile(rb"(?<![\w.#&])\d[\d.,]*(?![\w;])")
_CELL = re.compile(rb"<c\b([^>]*)>(<f\b[^>]*>[^<]*</f>|<f\b[^>]*/>)?<v>[^<]*</v>")


def list_makers(suffix: str) -> dict[str, Make]:
    """Return, by name, the makers of hostile files of a type, such as ``.pdf``; none for other types."""
    return _MAKERS.get(suffix, {})


def _build_pdf(*objects: bytes) -> bytes:
    """Build a PDF of these objects; the first is its catalog."""
    out = io.BytesIO()
    out.write(b"%PDF-1.7\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n" % number + content + b"\nendobj\n")
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start, size = out.tell(), len(objects) + 1
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % size + table)
    out.write(b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, start))
    return out.getvalue()


_PAGES = (b"<</Type/Pages/Kids[3 0 R]/Count 1>>", b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>")


def _field_loop(_right: bytes) -> bytes:
    """A field of a form is its own kid."""
    catalog = b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>"
    return _build_pdf(catalog, *_PAGES, b"<</T(a)/FT/Tx/Kids[4 0 R]>>")


def _outline_loop(_right: bytes) -> bytes:
    """A bookmark follows itself and is its own child."""
    entry = b"<</Title(a)/Parent 4 0 R/Next 5 0 R/First 5 0 R/Last 5 0 R>>"
    return _build_pdf(b"<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>", *_PAGES, b"<</First 5 0 R/Last 5 0 R>>", entry)


def _page_loop(_right: bytes) -> bytes:
    """The tree of pages contains itself."""
    return _build_pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R 2 0 R]/Count 9>>", _PAGES[1])


def _form_bomb(_right: bytes) -> bytes:
    """Nine levels of forms, each of which draws the next one ten times."""
    return _nest_forms(9, 10)


def _build_series(rule: bytes) -> bytes:
    """Build a calendar with a recurring event by this rule."""
    lines = (b"BEGIN:VCALENDAR", b"BEGIN:VEVENT", b"UID:a", b"DTSTART:20260101T080000Z", b"RRULE:" + rule)
    return b"\r\n".join((*lines, b"END:VEVENT", b"END:VCALENDAR", b""))


def _form_loop(_right: bytes) -> bytes:
    """A form that draws itself twice."""
    return _nest_forms(0, 2)


def _nest_forms(levels: int, wide: int) -> bytes:
    draws = b"<</XObject<</X %d 0 R>>>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources" + draws % 5 + b">>"
    head = b"/Type/XObject/Subtype/Form/BBox[0 0 200 200]"
    forms = [_build_stream(b"/X Do " * wide, head + b"/Resources" + draws % (6 + level)) for level in range(levels)]
    last = (
        _build_stream(b"0 0 1 1 re f", head)
        if levels
        else _build_stream(b"/X Do " * wide, head + b"/Resources" + draws % 5)
    )
    return _build_pdf(b"<</Type/Catalog/Pages 2 0 R>>", _PAGES[0], page, _build_stream(b"/X Do"), *forms, last)


def _build_stream(data: bytes, head: bytes = b"") -> bytes:
    return b"<<" + head + b"/Length %d>>stream\n" % len(data) + data + b"\nendstream"


def _make_script(_right: bytes) -> bytes:
    """A script that never ends starts when the file is opened."""
    catalog = b"<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(while(true){})>>>>"
    return _build_pdf(catalog, *_PAGES)


def _repeat_piece(piece: bytes, times: int, _right: bytes) -> bytes:
    return b"<!doctype html><title>x</title>" + piece * times


def _make_attributes(_right: bytes) -> bytes:
    return b"<!doctype html><p " + b" ".join(b"a%d=1" % number for number in range(90_000)) + b">x"


def _huge_picture(_right: bytes) -> bytes:
    """A PNG whose header announces 60,000 by 60,000 pixels, few of which follow."""
    size = struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0)
    data = zlib.compress(bytes(7_501) * 60)
    return b"\x89PNG\r\n\x1a\n" + _build_chunk(b"IHDR", size) + _build_chunk(b"IDAT", data) + _build_chunk(b"IEND", b"")


def _build_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _endless_numbers(right: bytes) -> bytes:
    """Each number is too long to be written out."""
    return _NUMBER.sub(ENDLESS_NUMBER.encode(), right)


def _endless_cells(right: bytes) -> bytes:
    """The number in each cell of a workbook, or in each text, is given as text and too long to be written out."""

    def change(name: str, part: bytes) -> bytes:
        if "/worksheets/" in name:
            return _CELL.sub(_as_text, part)
        return re.sub(rb"(?<=>)-?\d[\d.,]*(?=</(?:\w+:)?t>)", ENDLESS_NUMBER.encode(), part)

    return _repack_package(right, change)


def _as_text(cell: re.Match[bytes]) -> bytes:
    if re.search(rb'\bt="(?!n")', cell[1]):
        return cell[0]
    attributes = re.sub(rb'\s*\bt="n"', b"", cell[1])
    return b'<c%b t="str">%b<v>%b</v>' % (attributes, cell[2] or b"", ENDLESS_NUMBER.encode())


def _long_cells(right: bytes) -> bytes:
    """Each number in a cell of a workbook is beyond the range of any program."""
    numbers = (b"1e999", b"9" * 400, b"-1e-400")

    def change(name: str, part: bytes) -> bytes:
        if "/worksheets/" not in name:
            return part
        count = iter(range(10**9))
        return re.sub(rb"(?<=<v>)\d[\d.]*(?=</v>)", lambda _: numbers[next(count) % len(numbers)], part)

    return _repack_package(right, change)


def _wide_ranges(right: bytes) -> bytes:
    """All possible cells of a sheet are merged; rules, filters and tables cover as many."""

    def change(name: str, part: bytes) -> bytes:
        if "/worksheets/sheet" not in name:
            return part
        wide = re.sub(rb'(?<=ref=")[A-Z]+\d+:[A-Z]+\d+(?=")', b"A1:XFD1048576", part)
        end = wide.rindex(b"</")
        return wide[:end] + b'<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>' + wide[end:]

    return _repack_package(right, change)


def _spell_number_attributes(right: bytes) -> bytes:
    """In each part, one numeric attribute is a word."""

    def change(name: str, part: bytes) -> bytes:
        places = [match.span(1) for match in re.finditer(rb'="(-?\d+)"', part)]
        if not places or not name.endswith(".xml"):
            return part
        start, end = places[zlib.crc32(name.encode() + part) % len(places)]
        return part[:start] + b"x" + part[end:]

    return _repack_package(right, change)


def _deep_part(right: bytes) -> bytes:
    """The main part nests elements deeper than any stack allows."""

    def change(name: str, part: bytes) -> bytes:
        if not re.fullmatch(r"word/document\.xml|ppt/slides/slide1\.xml", name):
            return part
        end = part.rindex(b"</")
        return part[:end] + b"<a>" * 300 + b"</a>" * 300 + part[end:]

    return _repack_package(right, change)


def _repack_package(right: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """Repack the package with changed parts, given by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(right)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return buffer.getvalue()


def _make_wave(channels: int, rate_hz: int) -> bytes:
    """Make a WAV whose header announces these channels and samples a second, and four gigabytes of them; few follow."""
    form = struct.pack("<HHIIHH", 1, channels, rate_hz, 2 * channels * rate_hz & 0xFFFFFFFF, 2 * channels & 0xFFFF, 16)
    head = b"RIFF" + struct.pack("<I", 0xFFFFFFF0) + b"WAVEfmt " + struct.pack("<I", 16) + form
    return head + b"data" + struct.pack("<I", 0xFFFFFFC0) + b"\x10\x27" * 4000


def _endless_film(right: bytes) -> bytes:
    """Each frame of an MP4 lasts 600,000 units of time."""
    changed = bytearray(right)
    for match in re.finditer(rb"stts", right):
        count = struct.unpack_from(">I", right, match.end() + 4)[0] if match.end() + 8 <= len(right) else 0
        for entry in range(min(count, 10_000)):
            at = match.end() + 8 + 8 * entry + 4
            changed[at : at + 4] = struct.pack(">I", 600_000)
    return bytes(changed)


_PLAYLIST = b"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///dev/zero\n#EXT-X-ENDLIST\n"


def _make_constant(data: bytes) -> Make:
    return lambda _right: data


_ENTITIES = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 12))
_XML_BOMB = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "x">{_ENTITIES}]><x>&e11;</x>'.encode()
_CONTROLS = bytes(range(1, 32)) * 100 + "\u202e\u2066\ufeff".encode() * 100 + b"\xed\xa0\x80"
_TEXT: dict[str, Make] = {
    "endless_numbers": _endless_numbers,
    "long_line": _make_constant(b"a" * 4_500_000),
    "controls": _make_constant(_CONTROLS),
}
_TABLE: dict[str, Make] = {
    **_TEXT,
    "open_quote": _make_constant(b'"' + b"a," * 1_000_000),
    "wide_row": _make_constant(b"a," * 1_000_000),
}
_MAIL: dict[str, Make] = {
    "deep_parts": _make_constant(b"From: a@example.com\r\n" + b"Content-Type: message/rfc822\r\n\r\n" * 20_000),
    "many_headers": _make_constant(b"To: a@example.com\r\n" * 200_000),
    "many_addresses": _make_constant(b"To: " + b"<a@example.com>, " * 500_000 + b"\r\n\r\n"),
}
_CALENDAR: dict[str, Make] = {
    **_TEXT,
    "endless_series": _make_constant(_build_series(b"FREQ=SECONDLY")),
    "empty_series": _make_constant(_build_series(b"FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30")),
    "deep_components": _make_constant(b"BEGIN:VCALENDAR\r\n" * 190_000),
}
_XML: dict[str, Make] = {"entities": _make_constant(_XML_BOMB)}
_CHANGED: dict[str, Make] = {
    "odd_attributes": _spell_number_attributes,
    "endless_numbers": _endless_cells,
}
_DOCUMENT: dict[str, Make] = {**_CHANGED, "deep_part": _deep_part}
_HTML: dict[str, Make] = {
    "endless_numbers": _endless_numbers,
    "misnested": partial(_repeat_piece, b"<a><b><i><p>", 80_000),
    "deep": partial(_repeat_piece, b"<div>", 190_000),
    "many_attributes": _make_attributes,
    "endless": partial(_repeat_piece, b"<div>", 1_500_000),
}
_PICTURE: dict[str, Make] = {"huge_picture": _huge_picture}
_SOUND: dict[str, Make] = {
    "many_channels": _make_constant(_make_wave(60_000, 4_000_000_000)),
    "lying_length": _make_constant(_make_wave(2, 48_000)),
    "playlist": _make_constant(_PLAYLIST),
}
_FILM: dict[str, Make] = {"playlist": _make_constant(_PLAYLIST)}
_MAKERS: dict[str, dict[str, Make]] = {
    ".pdf": {
        "field_loop": _field_loop,
        "outline_loop": _outline_loop,
        "page_loop": _page_loop,
        "form_bomb": _form_bomb,
        "form_loop": _form_loop,
        "script": _make_script,
    },
    **dict.fromkeys((".html", ".htm"), _HTML),
    **dict.fromkeys((".docx", ".pptx"), _DOCUMENT),
    ".xlsx": {**_CHANGED, "long_numbers": _long_cells, "wide_ranges": _wide_ranges},
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".webp"), _PICTURE),
    **dict.fromkeys((".wav", ".mp3", ".flac", ".ogg", ".m4a"), _SOUND),
    ".mp4": {**_FILM, "endless_film": _endless_film},
    **dict.fromkeys((".webm", ".gif"), _FILM),
    ".json": {
        "endless_numbers": _endless_numbers,
        "long_numbers": lambda right: _NUMBER.sub(b"9" * 400, right),
        "deep": _make_constant(b"[" * 900_000),
    },
    **dict.fromkeys((".csv", ".tsv"), _TABLE),
    **dict.fromkeys((".txt", ".md", ".tex", ".vcf", ".yaml"), _TEXT),
    ".ics": _CALENDAR,
    ".yardkit": _MAIL,
    **dict.fromkeys((".xml", ".svg"), _XML),
}


MAY_PASS = ("deep_part", "endless_numbers", "long_numbers", "odd_attributes")
"""Names of makers whose file may still be right: what they change need not be looked at."""
