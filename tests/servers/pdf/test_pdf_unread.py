"""Redaction: words in fonts that do not tell their letters never count as clean; lone signs do not matter."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import change_pdf, text_of
from pikepdf import Array, Dictionary, Name
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

Ok = Callable[..., dict[str, Any]]
Refused = Callable[..., str]
UNREAD = "it shows text in a font without a letter mapping"


def make_numbered_font(pdf: pikepdf.Pdf, **entries: Any) -> Any:
    """A font that numbers its glyphs, each 600 wide, and does not say what they mean."""
    below = Dictionary(Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.Odd, DW=600)
    font = Dictionary(Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.Odd, Encoding=Name("/Identity-H"))
    font.DescendantFonts = Array([below])
    for key, value in entries.items():
        font["/" + key] = value
    return pdf.make_indirect(font)


def add_shown_content(
    content: bytes, make: Callable[[pikepdf.Pdf], Any] = make_numbered_font
) -> Callable[[pikepdf.Pdf], None]:
    """Adds this to the second page, where Odd is the font."""

    def change(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[1]
        page.Resources = Dictionary(Font=Dictionary(F1=page.Resources.Font.F1, Odd=make(pdf)))
        page.contents_add(b"BT /Odd 12 Tf " + content + b" ET")

    return change


def make_private_font(pdf: pikepdf.Pdf) -> Any:
    """A font that says its glyphs mean characters for private use, and one that none knows."""
    cmap = b"begincmap 1 beginbfrange <0001> <0004> <E001> endbfrange 1 beginbfchar <0005> <FFFD> endbfchar endcmap"
    return make_numbered_font(pdf, ToUnicode=pdf.make_stream(cmap))


def make_unreadable_names_font(pdf: pikepdf.Pdf) -> Any:
    differences = Array([1, *(Name(f"/glyph{number}") for number in range(1, 9))])
    return Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Odd, Encoding=Dictionary(Differences=differences)
    )


def in_symbols(pdf: pikepdf.Pdf) -> Any:
    """Called as a font of symbols is, but it brings its glyphs along, which may be any."""
    font = make_numbered_font(pdf, BaseFont=Name("/ABCDEF+Wingdings"))
    descriptor = Dictionary(Type=Name.FontDescriptor, FontFile2=pdf.make_stream(b"glyphs"))
    font.DescendantFonts[0].FontDescriptor = descriptor
    return font


WORDS: dict[str, Callable[[pikepdf.Pdf], None]] = {
    "numbered": add_shown_content(b"300 300 Td <00010002000300040005> Tj"),
    "private": add_shown_content(b"300 300 Td <00010002000300040005> Tj", make_private_font),
    "names": add_shown_content(b"300 300 Td <0102030405> Tj", make_unreadable_names_font),
    "symbols": add_shown_content(b"300 300 Td <0001000200030004> Tj", in_symbols),
    "no font": add_shown_content(b"/None 12 Tf 300 300 Td (Jane) Tj"),
    "among others": add_shown_content(
        b"300 300 Td <00010002> Tj /F1 12 Tf -99 0 Td (and) Tj /Odd 12 Tf 113.4 0 Td <00030004> Tj"
    ),
    "not in turn": add_shown_content(
        b"7.2 0 0 7.2 0 0 cm /Odd 1 Tf 12 9 Td <0004> Tj -.6 0 Td <0003> Tj -1.2 0 Td <0001> Tj .6 0 Td <0002> Tj"
    ),
    "turned": add_shown_content(b"0 1 -1 0 300 300 Tm <00010002000300040005> Tj"),
}


@pytest.mark.parametrize("more", [{}, {"pages": "2"}])
@pytest.mark.parametrize("name", WORDS)
def test_a_page_with_a_word_that_cannot_be_read_becomes_a_picture(
    ok: Ok, letter: Path, name: str, more: dict[str, Any]
) -> None:
    change_pdf(letter, WORDS[name])
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"], **more)
    assert done["rasterised"] == {"2": UNREAD}
    assert "pages 2 became pictures" in " ".join(done["warnings"])
    assert text_of(letter, 2) == ""


def test_it_does_so_when_the_term_is_nowhere_else(ok: Ok, letter: Path) -> None:
    change_pdf(letter, WORDS["numbered"])
    assert ok("redact_pdf", path="letter.pdf", terms=["John"])["rasterised"] == {"2": UNREAD}


SIGNS: dict[str, Callable[[pikepdf.Pdf], None]] = {
    "bullets": add_shown_content(
        b"300 400 Td 12 TL" + b" <0001> Tj T* <0002> Tj T* <0003> Tj T* <0004> Tj T* <0005> Tj T*"
    ),
    "apart": add_shown_content(b"300 400 Td <0001> Tj 40 0 Td <0002> Tj 40 0 Td <0003> Tj 40 0 Td <0004> Tj"),
    "stars": add_shown_content(b"300 400 Td <00010001000100010001> Tj"),
    "short": add_shown_content(b"300 400 Td <000100020003> Tj"),
    "ticks": add_shown_content(
        b"300 400 Td (3454) Tj",
        lambda pdf: Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.ZapfDingbats),
    ),
    "wingdings": add_shown_content(
        b"300 400 Td <0001000200030004> Tj", lambda pdf: make_numbered_font(pdf, BaseFont=Name("/Wingdings-Regular"))
    ),
}


@pytest.mark.parametrize("name", SIGNS)
def test_signs_that_are_no_word_leave_the_page_text(ok: Ok, letter: Path, name: str) -> None:
    change_pdf(letter, SIGNS[name])
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert done.get("rasterised", {}) == {}
    assert done.get("warnings", []) == []


@pytest.mark.parametrize(("name", "seen"), [("bullets", False), ("apart", False), ("stars", True), ("short", True)])
def test_for_a_pattern_two_signs_may_be_a_word(ok: Ok, letter: Path, name: str, seen: bool) -> None:
    change_pdf(letter, SIGNS[name])
    done = ok("redact_pdf", path="letter.pdf", patterns=[r"\d{4}-\d{2}"])
    assert ("2" in done.get("rasterised", {})) == seen


@pytest.mark.parametrize(("font", "text"), [("HeiseiMin-W3", "山田太郎様"), ("STSong-Light", "王小明先生")])
def test_fonts_with_known_characters_are_read(ok: Ok, files: Path, font: str, text: str) -> None:
    """They have no table of meanings, but the collection of characters that they name tells them."""
    pdfmetrics.registerFont(UnicodeCIDFont(font))
    canvas = Canvas(str(files / "east.pdf"), invariant=1)
    canvas.setFont(font, 14)
    canvas.drawString(72, 700, text)
    canvas.save()
    done = ok("redact_pdf", path="east.pdf", terms=[text[:2]])
    assert done.get("rasterised", {}) == {}
    assert text_of(files / "east.pdf").strip() == text[2:]


def test_an_attached_pdf_with_words_that_cannot_be_read_goes(ok: Ok, letter: Path, files: Path) -> None:
    inner = io.BytesIO()
    with pikepdf.open(letter) as pdf:
        del pdf.pages[0]
        pdf.docinfo["/Title"] = ""
        del pdf.Root["/Outlines"]
        pdf.save(inner)
    (files / "clean.pdf").write_bytes(inner.getvalue())
    (files / "odd.pdf").write_bytes(inner.getvalue())
    with pikepdf.open(files / "odd.pdf", allow_overwriting_input=True) as pdf:
        pdf.pages.append(pdf.pages[0])
        WORDS["numbered"](pdf)
        pdf.save(files / "odd.pdf")
    ok("attach_pdf_files", path="letter.pdf", files=["clean.pdf", "odd.pdf"])
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert f"'odd.pdf' cannot be searched ({UNREAD}); it was removed" in " ".join(done["warnings"])
    left = ok("list_pdf_items", path="letter.pdf", what="attachments")["items"]
    assert [attachment["text"] for attachment in left] == ["clean.pdf"]


BROKEN_UP = [
    b"BT /F1 12 Tf 2 30 Td (call Jane) Tj 0 -14 Td (Roe now) Tj ET",
    b"BT /F1 12 Tf 2 30 Td [(call Jane) -278 (Roe now)] TJ ET",
]


def add_mask(pdf: pikepdf.Pdf, content: bytes, font: Any) -> None:
    """Something that only a mask uses."""
    mask_form = pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 99, 99])
    mask_form.Resources = Dictionary(Font=Dictionary(F1=font))
    pdf.Root.Held = Dictionary(S=Name.Luminosity, G=mask_form)


@pytest.mark.parametrize("content", BROKEN_UP)
def test_a_form_that_no_page_paints_is_searched_in_parts_too(refused: Refused, letter: Path, content: bytes) -> None:
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    change_pdf(letter, lambda pdf: add_mask(pdf, content, font))
    assert "(form object " in refused("redact_pdf", path="letter.pdf", terms=["Jane Roe"])


def test_a_form_that_no_page_paints_and_that_cannot_be_read_is_emptied(ok: Ok, letter: Path) -> None:
    change_pdf(letter, lambda pdf: add_mask(pdf, b"BT /F1 12 Tf <00010002000300040005> Tj ET", make_numbered_font(pdf)))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert f"(Form) cannot be searched ({UNREAD}); it was removed" in " ".join(done["warnings"])
    with pikepdf.open(letter) as pdf:
        assert pdf.Root.Held.G.read_bytes() == b""
