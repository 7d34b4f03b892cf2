"""Redaction: fonts whose own program says what their codes mean, and programs that cannot be read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import change_pdf, dark_share, everything_decoded, pixels_of, text_of
from pikepdf import Dictionary, Name
from support import programs
from support.programs import encode_text

Ok = Callable[..., dict[str, Any]]
Make = Callable[[pikepdf.Pdf], Any]
UNREAD = "it shows text in a font without a letter mapping"
BROKEN = b"\x01\x00\x04\x02" + bytes(range(200))
TYPE_1 = b"%%!PS-AdobeFont-1.0: Odd\n/FontName /Odd def\n%s\ncurrentfile eexec\n"
NAMED = b"/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n" + b"".join(
    b"dup %d /%s put\n" % (ord(code), b"space" if letter == " " else letter.encode())
    for letter, code in zip(programs.LETTERS, programs.CODES, strict=True)
)


def make_font(key: str, program: bytes, sub: str = "", kind: str = "/Type1", **entries: Any) -> Make:
    """A simple font that brings its program along."""

    def make(pdf: pikepdf.Pdf) -> Any:
        program_stream = pdf.make_stream(program)
        if sub:
            program_stream.Subtype = Name(sub)
        about = Dictionary(Type=Name.FontDescriptor, FontName=Name.Odd, Flags=4, FontBBox=[0, -200, 1000, 900])
        about.update(
            {"/ItalicAngle": 0, "/Ascent": 900, "/Descent": -200, "/CapHeight": 700, "/StemV": 80, key: program_stream}
        )
        font_object = Dictionary(
            Type=Name.Font, Subtype=Name(kind), BaseFont=Name.Odd, FontDescriptor=pdf.make_indirect(about)
        )
        font_object.update({"/FirstChar": 0, "/LastChar": 255, "/Widths": pikepdf.Array(programs.list_widths())})
        for name, value in entries.items():
            font_object["/" + name] = value(pdf) if callable(value) else value
        return pdf.make_indirect(font_object)

    return make


def add_text(letter: Path, make: Make, text: str) -> None:
    """Adds a text to the second page in a font; parentheses are balanced in it."""

    def add(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[1]
        page.Resources = Dictionary(Font=Dictionary(F1=page.Resources.Font.F1, Odd=make(pdf)))
        page.contents_add(b"BT /Odd 20 Tf 300 300 Td (%s) Tj ET" % text.encode())

    change_pdf(letter, add)


def content_of(path: Path) -> bytes:
    with pikepdf.open(path) as pdf:
        return b"".join(pikepdf.unparse_content_stream(pikepdf.parse_content_stream(page)) for page in pdf.pages)


def make_compact_font(program: bytes, **entries: Any) -> Make:
    return make_font("/FontFile3", program, "/Type1C", **entries)


UNREADABLE: dict[str, Make] = {
    "compact": make_compact_font(BROKEN),
    "compact, empty": make_compact_font(b""),
    "of no known kind": make_font("/FontFile3", BROKEN, "/Odd"),
    "open type": make_font("/FontFile3", b"OTTO" + BROKEN, "/OpenType"),
    "type 1": make_font("/FontFile", b"no program"),
    "type 1 without codes": make_font("/FontFile", TYPE_1 % b""),
    "type 1, codes in a comment": make_font("/FontFile", TYPE_1 % b"%/Encoding StandardEncoding def"),
    "true type": make_font("/FontFile2", b"\0\1\0\0" + BROKEN, kind="/TrueType"),
    "true type without names": make_font("/FontFile2", programs.true_type(encoding_stated=False), kind="/TrueType"),
    "no stream": make_font("/FontFile3", b"", FontDescriptor=Dictionary(FontFile3=5)),
    "named in part": make_compact_font(BROKEN, Encoding=Dictionary(Differences=[ord("M"), Name.J])),
    "two programs": make_font(
        "/FontFile3",
        b"",
        FontDescriptor=lambda pdf: Dictionary(
            FontFile=pdf.make_stream(TYPE_1 % b"/Encoding StandardEncoding def"),
            FontFile3=pdf.make_stream(programs.build_compact_font(), Subtype=Name.Type1C),
        ),
    ),
}


@pytest.mark.parametrize("more", [{}, {"pages": "2"}])
@pytest.mark.parametrize("name", UNREADABLE)
def test_a_program_that_cannot_be_read_tells_nothing_of_its_codes(
    ok: Ok, letter: Path, name: str, more: dict[str, Any]
) -> None:
    add_text(letter, UNREADABLE[name], encode_text("Jane Roe"))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"], **more)
    assert done["rasterised"] == {"2": UNREAD}
    assert "pages 2 became pictures" in " ".join(done["warnings"])
    assert encode_text("Jane").encode() not in everything_decoded(letter)


@pytest.mark.parametrize("program", [programs.strange_compact(), programs.build_compact_font("ExpertEncoding")])
def test_nor_does_one_that_a_viewer_shows_all_the_same(ok: Ok, letter: Path, program: bytes) -> None:
    add_text(letter, make_compact_font(program), encode_text("Jane Roe"))
    done = ok("redact_pdf", path="letter.pdf", terms=["John"])
    assert done["rasterised"] == {"2": UNREAD}


def to_unicode(pdf: pikepdf.Pdf) -> Any:
    pairs = b"".join(
        b"<%02x> <%04x>" % (ord(code), ord(letter)) for letter, code in zip("JaneRo", "Mdqhur", strict=True)
    )
    return pdf.make_stream(b"begincmap 7 beginbfchar <20> <0020>" + pairs + b" endbfchar endcmap")


ALL_NAMED = Dictionary(
    Differences=[ord(" "), Name.space]
    + [key for letter, code in zip("JaneRo", "Mdqhur", strict=True) for key in (ord(code), Name("/" + letter))]
)
READABLE: dict[str, Make] = {
    "compact": make_compact_font(programs.build_compact_font()),
    "true type": make_font("/FontFile2", programs.true_type(encoding_stated=True), kind="/TrueType"),
    "type 1": make_font("/FontFile", TYPE_1 % (NAMED + b"readonly def")),
    "table of meanings": make_compact_font(BROKEN, ToUnicode=to_unicode),
    "all named": make_compact_font(BROKEN, Encoding=ALL_NAMED),
}


@pytest.mark.parametrize("name", READABLE)
def test_what_a_font_tells_is_found(ok: Ok, letter: Path, name: str) -> None:
    """PDFium takes some of them for usual codes; then the page becomes a picture, but with the name painted over."""
    add_text(letter, READABLE[name], encode_text("Jane Roe"))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert encode_text("Jane").encode() not in content_of(letter)
    assert UNREAD not in done.get("rasterised", {}).values()
    assert dark_share(pixels_of(letter, 2), (298, 302, 316, 348)) == 1


USUAL: dict[str, Make] = {
    "compact": make_compact_font(programs.build_compact_font("StandardEncoding")),
    "compact, own codes": make_compact_font(programs.build_compact_font(), ToUnicode=to_unicode),
    "type 1": make_font("/FontFile", TYPE_1 % b"/Encoding StandardEncoding def"),
    "named codes": make_compact_font(BROKEN, Encoding=Name.WinAnsiEncoding),
}


@pytest.mark.parametrize("name", USUAL)
def test_a_program_that_can_be_read_leaves_the_page_text(ok: Ok, letter: Path, name: str) -> None:
    text = "Roe Jan" if name == "compact" else "Mdqh ruq"
    add_text(letter, USUAL[name], text)
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert done.get("rasterised", {}) == {}
    assert "Turned" in text_of(letter, 2)


def make_composite_font(program: bytes, encoding: Callable[[pikepdf.Pdf], Any], ordering: str) -> Make:
    """A composite font with a compact program."""

    def make(pdf: pikepdf.Pdf) -> Any:
        program_stream = pdf.make_stream(program, Subtype=Name.CIDFontType0C)
        below = Dictionary(Type=Name.Font, Subtype=Name.CIDFontType0, BaseFont=Name.Odd, DW=600)
        below.CIDSystemInfo = Dictionary(Registry="Adobe", Ordering=ordering, Supplement=0)
        below.FontDescriptor = Dictionary(Type=Name.FontDescriptor, FontName=Name.Odd, FontFile3=program_stream)
        font = Dictionary(Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.Odd, Encoding=encoding(pdf))
        font.DescendantFonts = [pdf.make_indirect(below)]
        return pdf.make_indirect(font)

    return make


def make_cmap(body: bytes, **entries: Any) -> Callable[[pikepdf.Pdf], Any]:
    head = b"begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange "
    return lambda pdf: pdf.make_stream(head + body + b" endcmap", Type=Name.CMap, CMapName=Name.Odd, **entries)


def make_undecodable(pdf: pikepdf.Pdf) -> Any:
    stream = pikepdf.Stream(pdf, b"", Type=Name.CMap, CMapName=Name.Odd)
    stream.write(b"no such filter", filter=Name.FlateDecode)
    return stream


NUMBERED: dict[str, tuple[Make, bool]] = {
    "no collection": (make_composite_font(BROKEN, lambda pdf: Name("/Identity-H"), "Identity"), True),
    "a collection": (make_composite_font(BROKEN, lambda pdf: Name("/Identity-H"), "Japan1"), False),
    "codes that cannot be decoded": (make_composite_font(BROKEN, make_undecodable, "Japan1"), True),
    "codes for nothing": (make_composite_font(BROKEN, make_cmap(b""), "Japan1"), True),
    "codes as another has them": (make_composite_font(BROKEN, make_cmap(b"/Identity-H usecmap"), "Japan1"), False),
    "codes of another stream": (
        make_composite_font(BROKEN, make_cmap(b"", UseCMap=Name("/Identity-H")), "Japan1"),
        False,
    ),
}


@pytest.mark.parametrize("name", NUMBERED)
def test_a_composite_font_is_read_by_its_codes_and_its_collection_alone(ok: Ok, letter: Path, name: str) -> None:
    make, unread = NUMBERED[name]

    def add(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[1]
        page.Resources = Dictionary(Font=Dictionary(F1=page.Resources.Font.F1, Odd=make(pdf)))
        page.contents_add(b"BT /Odd 20 Tf 300 300 Td <002b0042004f0046> Tj ET")  # in Adobe-Japan1: Jane

    change_pdf(letter, add)
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane"])
    assert (done.get("rasterised", {}).get("2") == UNREAD) == unread
    assert b"002b0042" not in content_of(letter)
    assert b"\x00+\x00B" not in content_of(letter)
