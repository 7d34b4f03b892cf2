"""Redaction of what ordinary programs write: it finds all, and no page becomes a picture without need."""

import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import change_pdf, everything_decoded, text_of
from pikepdf import Array, Dictionary, Name
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

Ok = Callable[..., dict[str, Any]]
Refused = Callable[..., str]
MAIL = r"[\w.]+@[\w.]+"
NOT_ASCII = r"[^\x00-\x7e]"


def write_page(path: Path, content: bytes) -> None:
    """A page with this content, where F1 is Helvetica."""
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    canvas.showPage()
    canvas.save()
    change_pdf(path, lambda pdf: pdf.pages[0].contents_add(b"BT /F1 12 Tf " + content + b" ET"))


def test_the_structure_refers_to_a_form_that_lost_a_term(ok: Ok, letter: Path) -> None:
    """Chromium writes so what is painted half transparent."""

    def tagged(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        form = pdf.make_stream(b"/P <</MCID 0>> BDC BT /F1 12 Tf 72 300 Td (By Jane Roe, 4711) Tj ET EMC")
        form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, [0, 0, 595, 842]
        form.Resources = page.Resources
        page.Resources = Dictionary(Font=page.Resources.Font, XObject=Dictionary(Half=form))
        page.contents_add(b"/Half Do")
        part = Dictionary(Type=Name.MCR, Pg=page.obj, Stm=form, MCID=0)
        pdf.Root.StructTreeRoot = Dictionary(K=Dictionary(S=Name.P, K=Array([part])))

    change_pdf(letter, tagged)
    assert ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"]).get("rasterised", {}) == {}
    assert "4711" in text_of(letter)
    assert b"Roe" not in everything_decoded(letter)
    with pikepdf.open(letter) as pdf:
        painted = next(form for _, form in pdf.pages[0].Resources.XObject.items())
        assert pdf.Root.StructTreeRoot.K.K[0].Stm.objgen == painted.objgen


@pytest.mark.parametrize("encryption", [False, pikepdf.Encryption(owner="owner", user="")])
def test_random_bytes_that_a_file_is_read_by_are_no_texts(ok: Ok, letter: Path, encryption: Any) -> None:
    with pikepdf.open(letter, allow_overwriting_input=True) as pdf:
        pdf.save(letter, object_stream_mode=pikepdf.ObjectStreamMode.generate, encryption=encryption)
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"], patterns=[NOT_ASCII])
    assert done["elsewhere"] == {"titles and bookmarks": 2}
    assert "your number" in text_of(letter)


LETTERS = b"".join(
    b"(%c) Tj %g 0 Td " % (letter, wide) for letter, wide in zip(b"Total", (7.3, 6.7, 3.3, 6.7, 3), strict=True)
)
DIVIDED_TEXTS = {
    "letters one by one": b"72 700 Td " + LETTERS,
    "lines": b"72 700 Td (chapter 4) Tj 0 -14 Td (2 pages) Tj",
    "gaps": b"72 700 Td [(been) -333 (done 4) -900 (2 pages)] TJ",
}


@pytest.mark.parametrize("name", DIVIDED_TEXTS)
def test_ends_of_words_are_no_words(refused: Refused, files: Path, name: str) -> None:
    write_page(files / "apart.pdf", DIVIDED_TEXTS[name])
    for terms, words_only in ((["a", "o"], True), (["42", "end"], False)):
        assert "nothing to redact" in refused("redact_pdf", path="apart.pdf", terms=terms, whole_words=words_only)


SPACED_OUT = {
    "letters": (b"72 700 Td [(R) -600 (o) -600 (e)] TJ", "Roe"),
    "parts": (b"72 700 Td [(Jan) -400 (e R) -400 (oe)] TJ", "Jane Roe"),
    "line": (b"72 700 Td (Jan) Tj 0 -14 Td (ine) Tj", "Janine"),
}


@pytest.mark.parametrize("name", SPACED_OUT)
def test_words_that_are_spaced_out_are_words(ok: Ok, files: Path, name: str) -> None:
    content, term = SPACED_OUT[name]
    write_page(files / "apart.pdf", content)
    ok("redact_pdf", path="apart.pdf", terms=[term])
    assert text_of(files / "apart.pdf").strip() == ""


@pytest.mark.parametrize("given", [{"patterns": [r"\d{4}-\d{2}-\d{2}"]}, {"terms": ["2026-04-11"]}])
def test_a_date_may_break_at_its_hyphen(ok: Ok, files: Path, given: dict[str, Any]) -> None:
    write_page(files / "date.pdf", b"72 700 Td (due on 2026-04-) Tj 0 -14 Td (11 at noon) Tj")
    done = ok("redact_pdf", path="date.pdf", **given)
    assert (list(done["matches"].values()), done.get("rasterised", {})) == ([1], {})
    assert text_of(files / "date.pdf").split() == ["due", "on", "at", "noon"]


def test_chinese_may_break_anywhere(ok: Ok, files: Path) -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    canvas = Canvas(str(files / "east.pdf"), invariant=1)
    canvas.setFont("STSong-Light", 14)
    canvas.drawString(72, 700, "我们写信给王小")
    canvas.drawString(72, 682, "明先生")
    canvas.save()
    done = ok("redact_pdf", path="east.pdf", terms=["王小明"])
    assert (done["matches"], done.get("rasterised", {})) == ({"王小明": 1}, {})
    assert "".join(text_of(files / "east.pdf").split()) == "我们写信给先生"


def make_color_profile(count: int = 1024) -> bytes:
    """A color profile with the table of tones that scanners and LibreOffice write."""
    tones = [round(65535 * (step / (count - 1)) ** 2.2) for step in range(count)]
    head = bytearray(128)
    head[12:24], head[36:40] = b"mntrRGB XYZ ", b"acsp"
    tags = struct.pack(">I4sII", 1, b"kTRC", 144, 12 + 2 * count)
    return bytes(head) + tags + struct.pack(f">4sII{count}H", b"curv", 0, count, *tones)


def add_color_space(pdf: pikepdf.Pdf) -> None:
    pdf.Root.Held = Array([Name.ICCBased, pdf.make_stream(make_color_profile(), N=3)])


def add_tint(pdf: pikepdf.Pdf) -> None:
    numbers = random.Random(7).randbytes(400_000)
    tint_function = pdf.make_stream(
        numbers, FunctionType=0, Domain=[0, 1], Range=[0, 1], Size=[400_000], BitsPerSample=8
    )
    pdf.Root.Held = Array([Name.Separation, Name.Ink, Name.DeviceGray, tint_function])


def add_mesh(pdf: pikepdf.Pdf) -> None:
    shade = pdf.make_stream(b"\x80 in \0 a.b@c.d 2026 \0", ShadingType=4, ColorSpace=Name.DeviceRGB, BitsPerFlag=8)
    pdf.pages[0].Resources = Dictionary(Font=pdf.pages[0].Resources.Font, Shading=Dictionary(Sh=shade))


PALETTES = {"/Plain": b"", "/Odd": b"Jane Roe"}


def test_palettes_keep_their_colors_and_lose_terms(ok: Ok, letter: Path) -> None:
    colors = b"\x80 in \0 2026 \xff a.b@c.d"
    spaces = {key: Array([Name.Indexed, Name.DeviceGray, 255, colors + more]) for key, more in PALETTES.items()}
    change_pdf(letter, lambda pdf: setattr(pdf.pages[0].Resources, "ColorSpace", Dictionary(spaces)))
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe", "in", "2026"], patterns=[MAIL])
    with pikepdf.open(letter) as pdf:
        palettes = [bytes(pdf.pages[0].Resources.ColorSpace[key][3]) for key in PALETTES]
    assert palettes == [colors, colors + b"        "]


@pytest.mark.parametrize("add", [add_color_space, add_tint, add_mesh])
def test_tables_of_numbers_keep_their_numbers(ok: Ok, letter: Path, add: Callable[[pikepdf.Pdf], None]) -> None:
    def tables() -> set[bytes]:
        with pikepdf.open(letter) as pdf:
            return {bytes(thing.read_bytes()) for thing in pdf.objects if isinstance(thing, pikepdf.Stream)}

    before = tables()
    change_pdf(letter, add)
    added = tables() - before
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe", "in", "2026"], patterns=[MAIL, "[A-Z]{3}"])
    assert added <= tables()


def own_names(pdf: pikepdf.Pdf) -> Any:
    """A font as TeX embeds it: only its program says what its codes are."""
    names = {1: "R", 2: "o", 3: "e", 15: "bullet", 16: "parenleftbigg"}
    puts = "".join(f"dup {code} /{name} put\n" for code, name in names.items())
    program = f"%!PS-AdobeFont-1.0: CMSY10\n/Encoding 256 array\n{puts}readonly def\ncurrentfile eexec".encode()
    descriptor = Dictionary(Type=Name.FontDescriptor, FontFile=pdf.make_stream(program))
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/ABCDEF+CMSY10"), FontDescriptor=descriptor)


@pytest.mark.parametrize(("codes", "seen"), [(b"\x10\x0f\x01\x0f\x03\x02\x10", False), (b"\x01\x02\x03", True)])
def test_the_program_of_a_font_tells_its_letters(ok: Ok, letter: Path, codes: bytes, seen: bool) -> None:
    def change(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[1]
        page.Resources = Dictionary(Font=Dictionary(F1=page.Resources.Font.F1, Own=own_names(pdf)))
        page.contents_add(b"BT /Own 12 Tf 300 300 Td <%s> Tj ET" % codes.hex().encode())

    change_pdf(letter, change)
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane", "Roe"])
    assert ("2" in done.get("rasterised", {})) == seen
    assert done.get("warnings", []) == []


def test_a_lone_sign_is_no_word_of_one_letter(ok: Ok, letter: Path) -> None:
    def change(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[1]
        below = Dictionary(Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.Odd, DW=600)
        font = Dictionary(Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.Odd, Encoding=Name("/Identity-H"))
        font.DescendantFonts = Array([below])
        page.Resources = Dictionary(Font=Dictionary(F1=page.Resources.Font.F1, Odd=font))
        page.contents_add(b"BT /Odd 12 Tf 300 300 Td <0001> Tj 0 -20 Td <0001> Tj ET")

    change_pdf(letter, change)
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe", "x"], whole_words=True)
    assert done.get("rasterised", {}) == {}


def test_a_file_without_pages_is_called_so_and_nothing_is_said_to_be_done(
    refused: Callable[..., str], files: Path
) -> None:
    pikepdf.new().save(files / "e.pdf")
    for tool in ("inspect_pdf", "read_pdf_text", "read_pdf_tables", "flatten_pdf"):
        assert "'e.pdf' has no pages" in refused(tool, path="e.pdf")
    assert "'e.pdf' has no pages" in refused("stamp_pdf", path="e.pdf", stamps=[{"text": "x"}], target="t.pdf")
    assert not (files / "t.pdf").exists()
