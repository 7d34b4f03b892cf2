"""Redaction: what reads as a term is one, however it is written; texts in odd encodings and in files of pictures."""

import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import change_pdf, dark_share, everything_decoded, pixels_of, raw_streams, text_of
from fontTools.ttLib import TTFont
from pikepdf import Array, Dictionary, Name
from PIL import Image
from reportlab.pdfbase.pdfmetrics import stringWidth

from yardkit.world.fonts import font_file

Ok = Callable[..., dict[str, Any]]
_FACE = font_file("DejaVu Sans")


class Face:
    """A composite font with the program of DejaVu Sans, in which each glyph means the character that it shows."""

    def __init__(self) -> None:
        self.program = TTFont(_FACE)
        self.glyphs = self.program.getBestCmap()

    def list_codes(self, text: str) -> list[int]:
        return [self.program.getGlyphID(self.glyphs[ord(char)]) for char in text]

    def font(self, pdf: pikepdf.Pdf, text: str, meant: str) -> Any:
        pairs = zip(self.list_codes(text), meant, strict=True)
        body = " ".join(f"<{code:04x}> <{char.encode('utf-16-be').hex()}>" for code, char in pairs)
        cmap = f"begincmap {len(text)} beginbfchar {body} endbfchar endcmap".encode()
        wide = self.program["hmtx"]
        below = Dictionary(Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.DejaVu, CIDToGIDMap=Name.Identity)
        below.CIDSystemInfo = Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0)
        below.W = Array([])
        for char, code in zip(text, self.list_codes(text), strict=True):
            below.W.extend([code, Array([round(wide[self.glyphs[ord(char)]][0] * 1000 / 2048)])])
        about = Dictionary(Type=Name.FontDescriptor, FontName=Name.DejaVu, Flags=4, FontBBox=[0, -200, 1000, 900])
        about.FontFile2 = pdf.make_stream(_FACE.read_bytes())
        below.FontDescriptor = pdf.make_indirect(about)
        font = Dictionary(Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.DejaVu, Encoding=Name("/Identity-H"))
        font.DescendantFonts, font.ToUnicode = Array([pdf.make_indirect(below)]), pdf.make_stream(cmap)
        return pdf.make_indirect(font)

    def show_codes(self, text: str) -> bytes:
        return b"<" + b"".join(b"%04x" % code for code in self.list_codes(text)) + b"> Tj"


FACE = Face()
LOOK_ALIKE_TEXTS = {
    "joiner": ("Jane Roe", "Ja\u200bne Roe", "Ja\u200bne Roe"),
    "soft hyphen": ("Jane Roe", "Ja\u200bne Roe", "Ja\u00adne Roe"),
    "accents apart": ("Zo\u00eb M\u00fcller", "Zoe\u0308 Mu\u0308ller", "Zoe\u0308 Mu\u0308ller"),
    "accents together": ("Zoe\u0308 Mu\u0308ller", "Zo\u00eb M\u00fcller", "Zo\u00eb M\u00fcller"),
    "ligature": ("Griffin", "Gri\ufb00in", "Gri\ufb00in"),
    "dash": ("Smith-Jones", "Smith\u2011Jones", "Smith\u2011Jones"),
    "quote": ("O'Brien", "O\u2019Brien", "O\u2019Brien"),
    "given with a quote": ("O\u2019Brien", "O'Brien", "O'Brien"),
    "from right to left": (
        "\u05e9\u05dc\u05d5\u05dd \u05db\u05d4\u05df",
        "\u05df\u05d4\u05db \u05dd\u05d5\u05dc\u05e9",
        "\u05df\u05d4\u05db \u05dd\u05d5\u05dc\u05e9",
    ),
}
"""The term, the glyphs as they are drawn, and what those mean."""


@pytest.mark.parametrize("pages", [None, "2"])
@pytest.mark.parametrize("name", LOOK_ALIKE_TEXTS)
def test_what_reads_as_a_term_is_taken_out_or_painted_over(ok: Ok, letter: Path, name: str, pages: str | None) -> None:
    term, text, meant = LOOK_ALIKE_TEXTS[name]

    def add(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[1]
        page.Resources = Dictionary(Font=Dictionary(F1=page.Resources.Font.F1, Odd=FACE.font(pdf, text, meant)))
        page.contents_add(b"BT /Odd 20 Tf 300 300 Td " + FACE.show_codes(text) + b" ET")

    change_pdf(letter, add)
    assert dark_share(pixels_of(letter, 2), (299, 300, 316, 360)) < 0.5
    ok("redact_pdf", path="letter.pdf", terms=[term], pages=pages)
    assert dark_share(pixels_of(letter, 2), (303, 303, 313, 360)) == 1
    assert not set(text_of(letter, 2)) & set(meant) - set("Turned page text\r\n")


@pytest.mark.parametrize("name", LOOK_ALIKE_TEXTS)
def test_a_comment_that_shows_what_reads_as_a_term_loses_its_look(ok: Ok, letter: Path, name: str) -> None:
    term, text, meant = LOOK_ALIKE_TEXTS[name]

    def add(pdf: pikepdf.Pdf) -> None:
        look = pdf.make_stream(
            b"BT /Odd 20 Tf 3 9 Td " + FACE.show_codes(text) + b" ET", Subtype=Name.Form, Type=Name.XObject
        )
        look.BBox, look.Resources = [0, 0, 200, 40], Dictionary(Font=Dictionary(Odd=FACE.font(pdf, text, meant)))
        note = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=[300, 300, 500, 340], AP=Dictionary(N=look))
        pdf.pages[1].obj.Annots = Array([pdf.make_indirect(note)])

    change_pdf(letter, add)
    done = ok("redact_pdf", path="letter.pdf", terms=[term])
    assert done["elsewhere"]["appearances of fields and comments"] == 1


STRINGS = {
    "joiner": ("Jane Roe", "by Ja\u200bne Roe".encode("utf-16")),
    "wide letters": ("Jane Roe", "by \uff2a\uff41\uff4e\uff45 Roe".encode("utf-16")),
    "language": (
        "Jane Roe",
        b"\xfe\xff" + "by Jane ".encode("utf-16-be") + b"\0\x1ben\0\x1b" + "Roe".encode("utf-16-be"),
    ),
    "accents apart": ("Zo\u00eb", "by Zoe\u0308".encode("utf-16")),
    "bytes of UTF-8": ("Zo\u00eb", "by Zo\u00eb".encode()),
}


@pytest.mark.parametrize("name", STRINGS)
def test_a_string_that_reads_as_a_term_goes(ok: Ok, letter: Path, name: str) -> None:
    term, data = STRINGS[name]
    change_pdf(letter, lambda pdf: setattr(pdf.Root, "Held", pikepdf.String(data)))
    assert ok("redact_pdf", path="letter.pdf", terms=[term])["elsewhere"]["other texts"] == 1
    with pikepdf.open(letter) as pdf:
        assert str(pdf.Root.Held) in ("", "by " + "\u2588" * len(str(pdf.Root.Held)[3:]))


def test_patterns_match_what_reads_the_same_too(ok: Ok, letter: Path) -> None:
    change_pdf(letter, lambda pdf: setattr(pdf.Root, "Held", pikepdf.String("see 47\u200b11\u201122")))
    ok("redact_pdf", path="letter.pdf", patterns=[r"\d{4}-\d{2}"])
    with pikepdf.open(letter) as pdf:
        assert str(pdf.Root.Held) == "see " + "\u2588" * 8


SCRIPT = "say('Zo\u00eb M\u00fcller')"


def test_a_script_in_one_byte_per_letter_loses_the_term_alone(ok: Ok, letter: Path) -> None:
    change_pdf(letter, lambda pdf: setattr(pdf.Root, "Held", pdf.make_stream(SCRIPT.encode("cp1252"))))
    ok("redact_pdf", path="letter.pdf", terms=["Zo\u00eb M\u00fcller"])
    with pikepdf.open(letter) as pdf:
        assert pdf.Root.Held.read_bytes() == b"say('??????????')"


@pytest.mark.parametrize("encoding", ["utf-16-be", "utf-16-le"])
@pytest.mark.parametrize("before", [b"\x01\x02\0", b"\x01\x02\0\x04"])
def test_wide_letters_are_found_wherever_they_begin(
    refused: Callable[..., str], letter: Path, before: bytes, encoding: str
) -> None:
    data = before + "by Jane Roe".encode(encoding) + b"\0"
    change_pdf(letter, lambda pdf: setattr(pdf.Root, "Held", pdf.make_stream(data)))
    assert "still contains it" in refused("redact_pdf", path="letter.pdf", terms=["Jane Roe"])


def test_deflated_bytes_within_a_stream_go(ok: Ok, letter: Path) -> None:
    change_pdf(letter, lambda pdf: setattr(pdf.Root, "Held", pdf.make_stream(zlib.compress(b"by Jane Roe"))))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert "(it is packed); it was removed" in done["warnings"][0]


def test_private_data_of_programs_goes_from_every_page(ok: Ok, letter: Path) -> None:
    """As Illustrator keeps the whole drawing, packed after a few words."""

    def keep(pdf: pikepdf.Pdf) -> None:
        data = pdf.make_stream(b"%AI12_CompressedData" + zlib.compress(b"(Jane Roe) Tj"))
        pdf.pages[1].obj.PieceInfo = Dictionary(Illustrator=Dictionary(Private=Dictionary(AIPrivateData1=data)))

    change_pdf(letter, keep)
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert done["elsewhere"]["private data of programs"] == 1
    assert b"AI12" not in everything_decoded(letter)


def make_jpeg(caption: str) -> bytes:
    """A photo with a text in each place for it."""
    exif = Image.Exif()
    exif[0x013B] = caption
    buffer = io.BytesIO()
    picture = Image.effect_noise((80, 60), 50).convert("RGB")
    picture.save(buffer, "JPEG", exif=exif, comment=caption.encode(), xmp=f"<x:xmpmeta>{caption}</x:xmpmeta>".encode())
    return buffer.getvalue()


def jpeg_2000(caption: str) -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((80, 60), 50).convert("RGB").save(buffer, "JPEG2000")
    text = f"<x>{caption}</x>".encode()
    return buffer.getvalue() + (len(text) + 8).to_bytes(4, "big") + b"xml " + text


def make_inline_image(caption: str) -> bytes:
    return b"q 80 0 0 60 300 300 cm BI /W 80 /H 60 /BPC 8 /CS /RGB /F /DCT ID " + make_jpeg(caption) + b" EI Q"


@pytest.mark.parametrize(
    "content", [make_inline_image("by Jane Roe"), b"BI /W 2 /H 2 /BPC 8 /CS /G /Name (by Jane Roe) ID abcd EI"]
)
def test_an_inline_picture_that_says_a_term_becomes_one_of_the_page(ok: Ok, letter: Path, content: bytes) -> None:
    change_pdf(letter, lambda pdf: pdf.pages[1].contents_add(pdf.make_stream(content)))
    assert list(ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])["rasterised"]) == ["2"]
    assert b"Jane" not in everything_decoded(letter) + letter.read_bytes()


def test_an_inline_picture_that_says_nothing_of_it_stays(ok: Ok, letter: Path) -> None:
    change_pdf(letter, lambda pdf: pdf.pages[1].contents_add(pdf.make_stream(make_inline_image("by Ann"))))
    assert "rasterised" not in ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])


def inflate_bytes(data: bytes) -> bytes:
    return zlib.decompress(data) if data[:1] == b"x" else data


def deflate_jpeg(caption: str) -> bytes:
    return zlib.compress(make_jpeg(caption))


@pytest.mark.parametrize(
    ("encode_caption", "filter_"),
    [
        (deflate_jpeg, Array([Name.FlateDecode, Name.DCTDecode])),
        (make_jpeg, Name.DCTDecode),
        (jpeg_2000, Name.JPXDecode),
    ],
    ids=["deflated", "JPEG", "JPEG 2000"],
)
def test_the_file_of_a_picture_loses_the_texts_in_it(
    ok: Ok, letter: Path, encode_caption: Callable[[str], bytes], filter_: Any
) -> None:
    def paint(pdf: pikepdf.Pdf) -> None:
        images = Dictionary()
        for key, caption in (("/A", "by Jane Roe"), ("/B", "by Ann")):
            image = pikepdf.Stream(pdf, b"", Type=Name.XObject, Subtype=Name.Image, Width=80, Height=60)
            image.ColorSpace, image.BitsPerComponent = Name.DeviceRGB, 8
            image.write(encode_caption(caption), filter=filter_)
            images[key] = pdf.make_indirect(image)
        pdf.pages[1].Resources = Dictionary(Font=pdf.pages[1].Resources.Font, XObject=images)
        pdf.pages[1].contents_add(b"q 80 0 0 60 300 300 cm /A Do Q q 80 0 0 60 400 300 cm /B Do Q")

    change_pdf(letter, paint)
    before = pixels_of(letter, 2).tobytes()
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert done["elsewhere"]["texts in the files of pictures"] == 1
    assert b"Jane" not in letter.read_bytes()
    remaining_bytes = (
        letter.read_bytes() if encode_caption is not deflate_jpeg else b"".join(map(inflate_bytes, raw_streams(letter)))
    )
    assert b"by Ann" in remaining_bytes
    assert b"Jane" not in remaining_bytes
    assert pixels_of(letter, 2).tobytes() == before


WORDS_WITH_SIGNS = {
    "Zo\u00eb": "see Zo\u00eb now",
    "\u00c9mile": "see \u00c9mile now",
    "C++": "see C++ now",
    "(Roe)": "see \\(Roe\\) now",
}


@pytest.mark.parametrize("term", WORDS_WITH_SIGNS)
def test_whole_words_may_begin_and_end_with_any_sign(ok: Ok, letter: Path, term: str) -> None:
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)

    def add(pdf: pikepdf.Pdf) -> None:
        pdf.pages[1].Resources = Dictionary(Font=Dictionary(F1=font))
        pdf.pages[1].contents_add(f"BT /F1 20 Tf 300 300 Td ({WORDS_WITH_SIGNS[term]}) Tj ET".encode("cp1252"))

    change_pdf(letter, add)
    assert ok("search_pdf", path="letter.pdf", query=term, whole_words=True)["total"] == 1
    assert ok("redact_pdf", path="letter.pdf", terms=[term], whole_words=True)["matches"] == {term: 1}
    assert text_of(letter, 2).split()[-2:] == ["see", "now"]


def test_a_comment_that_divides_a_term_over_lines_loses_its_look(ok: Ok, letter: Path) -> None:
    def add(pdf: pikepdf.Pdf) -> None:
        look = pdf.make_stream(b"BT /F1 14 Tf 5 25 Td (call Ja-) Tj 0 -15 Td (ne Roe) Tj ET", Subtype=Name.Form)
        look.BBox, look.Resources = [0, 0, 200, 40], Dictionary(Font=pdf.pages[0].Resources.Font)
        note = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=[300, 300, 500, 340], AP=Dictionary(N=look))
        pdf.pages[1].obj.Annots = Array([pdf.make_indirect(note)])

    change_pdf(letter, add)
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert done["elsewhere"]["appearances of fields and comments"] == 1


def test_names_of_inks_and_of_metadata_lose_the_term(ok: Ok, letter: Path) -> None:
    def add(pdf: pikepdf.Pdf) -> None:
        ink = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0], C1=[1], N=1)
        separation = Array([Name.Separation, Name("/Red of Jane Roe"), Name.DeviceGray, ink])
        two = Array([Name.DeviceN, Array([Name("/Red of Jane Roe"), Name.Black]), Name.DeviceGray, ink])
        pdf.pages[1].Resources = Dictionary(
            Font=pdf.pages[1].Resources.Font, ColorSpace=Dictionary(A=separation, B=two)
        )
        pdf.docinfo["/For Jane Roe"] = "yes"

    change_pdf(letter, add)
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert (done["elsewhere"]["names of inks"], done["elsewhere"]["entries of the metadata"]) == (2, 1)
    assert b"Jane" not in everything_decoded(letter)


def test_letters_drawn_in_turn_with_those_of_another_line_are_read(ok: Ok, letter: Path) -> None:
    places = [300 + stringWidth("Jane Roe"[:at], "Helvetica", 20) for at in range(8)]
    parts = zip(places, b"Jane Roe", b"Some txt", strict=True)
    content = b" ".join(b"1 0 0 1 %f 300 Tm (%c) Tj 1 0 0 1 %f 200 Tm (%c) Tj" % (x, a, x, b) for x, a, b in parts)
    change_pdf(letter, lambda pdf: pdf.pages[1].contents_add(b"BT /F1 20 Tf " + content + b" ET"))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert list(done["rasterised"]) == ["2"]
    assert dark_share(pixels_of(letter, 2), (302, 302, 312, 350)) == 1
    assert 0 < dark_share(pixels_of(letter, 2), (190, 290, 225, 420)) < 0.3


@pytest.mark.parametrize("text", ["<p>Jane<br/>Roe</p>", "https://example.org/?q=Jane+Roe", "<p>Jane&nbsp;Roe</p>"])
def test_words_divided_by_an_element_or_for_a_link_are_found(ok: Ok, letter: Path, text: str) -> None:
    change_pdf(letter, lambda pdf: setattr(pdf.Root, "Held", pikepdf.String(text)))
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert b"Jane" not in everything_decoded(letter)
