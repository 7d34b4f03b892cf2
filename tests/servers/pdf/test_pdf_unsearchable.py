"""Redaction: what cannot be searched never counts as clean; it goes and that is said, or nothing is saved."""

import struct
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import AS_IT_IS, change_pdf, everything_decoded, text_of
from pikepdf import Array, Dictionary, Name
from reportlab.pdfgen.canvas import Canvas
from support.packages import pack_members

Ok = Callable[..., dict[str, Any]]
Refused = Callable[..., str]

SHOWS = b"BT /F1 12 Tf 20 20 Td (Jane Roe) Tj ET"


def make_damaged_stream(pdf: pikepdf.Pdf, data: bytes = SHOWS, **entries: Any) -> pikepdf.Stream:
    """A stream whose filter does not fit its bytes."""
    stream = pikepdf.Stream(pdf, b"", **entries)
    stream.write(data, filter=Name.FlateDecode)
    return stream


HELVETICA = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/Helvetica"))


def make_form(pdf: pikepdf.Pdf, make: Callable[..., Any] = make_damaged_stream, data: bytes = SHOWS) -> Any:
    form_object = make(pdf, data, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 99, 99])
    form_object.Resources = Dictionary(Font=Dictionary(F1=HELVETICA))
    return pdf.make_indirect(form_object)


def make_misnamed_form(pdf: pikepdf.Pdf) -> Any:
    """A form that decodes well, but in which the name of a font is a number."""
    return make_form(pdf, pikepdf.Stream, b"BT /F1 (large) Tf (<JRoe>) Tj ET")


def add_stamp(pdf: pikepdf.Pdf, look: Any) -> None:
    note = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=[300, 300, 400, 400], AP=Dictionary(N=look))
    pdf.pages[1].obj.Annots = Array([pdf.make_indirect(note)])


def redact_pdf(ok: Ok, path: Path, **more: Any) -> dict[str, Any]:
    done = ok("redact_pdf", path=path.name, terms=["Jane Roe"], **more)
    assert b"Jane Roe" not in everything_decoded(path) + path.read_bytes()
    return done


def test_a_form_that_cannot_be_decoded_is_emptied_and_its_page_stays_text(ok: Ok, letter: Path) -> None:
    def paint(pdf: pikepdf.Pdf) -> None:
        for page in pdf.pages:
            page.Resources.XObject = Dictionary(Odd=make_form(pdf))
            page.contents_add(b"/Odd Do")

    change_pdf(letter, paint)
    done = redact_pdf(ok, letter)
    assert done["elsewhere"]["streams that cannot be searched"] == 2
    assert [
        warning.endswith("(Form) cannot be searched (it cannot be decoded); it was removed")
        for warning in done["warnings"]
    ] == [True] * 2
    assert done.get("rasterised", {}) == {}
    assert "Dear" in text_of(letter)


def test_a_form_that_only_a_mask_uses_and_that_cannot_be_followed_is_emptied(ok: Ok, letter: Path) -> None:
    def mask(pdf: pikepdf.Pdf) -> None:
        soft = Dictionary(S=Name.Luminosity, G=make_misnamed_form(pdf))
        pdf.pages[1].Resources.ExtGState = Dictionary(Soft=Dictionary(SMask=soft))
        pdf.pages[1].contents_add(b"/Soft gs", prepend=True)

    change_pdf(letter, mask)
    done = redact_pdf(ok, letter)
    assert b"(<JRoe>)" not in everything_decoded(letter)
    assert "(Form) cannot be searched (its content could not be followed" in " ".join(done["warnings"])
    assert done["elsewhere"]["streams that cannot be searched"] == 1
    assert text_of(letter, 2).split() == ["Turned", "page", "text"]


@pytest.mark.parametrize("look", [make_form, make_misnamed_form])
def test_a_comment_loses_an_appearance_that_cannot_be_searched(ok: Ok, letter: Path, look: Callable[..., Any]) -> None:
    change_pdf(letter, lambda pdf: add_stamp(pdf, look(pdf)))
    done = redact_pdf(ok, letter)
    assert done["elsewhere"]["appearances of fields and comments"] == 1
    assert "the appearance of a field or comment on page 2 cannot be searched" in " ".join(done["warnings"])
    with pikepdf.open(letter) as pdf:
        assert "/AP" not in pdf.pages[1].Annots[0]


def test_metadata_that_cannot_be_decoded_goes(ok: Ok, letter: Path) -> None:
    def describe(pdf: pikepdf.Pdf) -> None:
        pdf.Root.Metadata = make_damaged_stream(pdf, b"<x>Jane Roe</x>", Type=Name.Metadata, Subtype=Name.XML)

    change_pdf(letter, describe)
    done = redact_pdf(ok, letter)
    assert done["elsewhere"]["streams that cannot be searched"] == 1
    assert "(XML) cannot be searched (it cannot be decoded); it was removed" in done["warnings"][0]
    assert ok("inspect_pdf", path="letter.pdf")["pages"] == 2


def test_what_cannot_be_searched_goes_although_the_term_is_nowhere_else(ok: Ok, letter: Path) -> None:
    change_pdf(letter, lambda pdf: add_stamp(pdf, make_form(pdf)))
    assert ok("redact_pdf", path="letter.pdf", terms=["John"])["elsewhere"] == {"appearances of fields and comments": 1}


def test_run_lengths_are_decoded_and_cleaned(ok: Ok, letter: Path) -> None:
    def remark(pdf: pikepdf.Pdf) -> None:
        pdf.Root.Remark = pdf.make_stream(b"")
        pdf.Root.Remark.write(b"\x0eby Jane Roe, 70\x80", filter=Name.RunLengthDecode)

    change_pdf(letter, remark)
    done = redact_pdf(ok, letter)
    assert done["elsewhere"]["metadata, scripts and other streams"] == 1
    assert b", 70" in everything_decoded(letter)


def damage_contents(pdf: pikepdf.Pdf) -> None:
    pdf.pages[1].Contents = make_damaged_stream(pdf)


@pytest.mark.parametrize("more", [{}, {"pages": "2"}, {"areas": [{"page": 2, "box": [1, 1, 9, 9]}]}])
def test_page_content_that_cannot_be_decoded_is_refused(refused: Refused, letter: Path, more: dict[str, Any]) -> None:
    change_pdf(letter, damage_contents)
    before = letter.read_bytes()
    message = refused("redact_pdf", path="letter.pdf", terms=["Jane Roe"], **more)
    assert "cannot be decoded, so it cannot be searched: 2; nothing was saved" in message
    assert letter.read_bytes() == before


def test_the_advice_for_pages_that_cannot_be_decoded_helps(ok: Ok, refused: Refused, letter: Path) -> None:
    change_pdf(letter, damage_contents)
    message = refused("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert "Delete them with arrange_pdf_pages first, or let rewrite_pdf with action 'repair' leave them out" in message
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"], pages="1", target="first.pdf")
    ok("rewrite_pdf", path="letter.pdf", action="repair", target="repaired.pdf")
    redact_pdf(ok, letter.with_name("repaired.pdf"))
    ok("arrange_pdf_pages", path="letter.pdf", edits=[{"op": "delete", "pages": "2"}])
    redact_pdf(ok, letter)


@pytest.mark.parametrize("more", [{}, {"pages": "2"}])
def test_a_page_that_cannot_be_followed_becomes_a_picture_without_a_match(
    ok: Ok, letter: Path, more: dict[str, Any]
) -> None:
    change_pdf(letter, lambda pdf: pdf.pages[1].contents_add(b"BT /F1 (large) Tf (<JRoe>) Tj ET"))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"], **more)
    assert "could not be followed" in done["rasterised"]["2"]
    assert b"<JRoe>" not in everything_decoded(letter)
    assert text_of(letter, 2) == ""


def test_a_text_of_the_trailer_goes(ok: Ok, letter: Path) -> None:
    change_pdf(letter, lambda pdf: setattr(pdf.trailer, "Remark", "by Jane Roe"))
    assert redact_pdf(ok, letter)["elsewhere"]["other texts"] == 1


def make_nested_array() -> pikepdf.Array:
    deep: Any = pikepdf.String("Jane Roe")
    for _ in range(99):
        deep = Array([deep])
    return deep


def deep_in_the_catalog(pdf: pikepdf.Pdf) -> None:
    pdf.Root.Deep = make_nested_array()


def deep_in_the_trailer(pdf: pikepdf.Pdf) -> None:
    pdf.trailer.Deep = make_nested_array()


def add_disguised_stream(pdf: pikepdf.Pdf) -> None:
    """A stream that says it holds objects, which nothing edits."""
    pdf.Root.Odd = make_damaged_stream(pdf, Type=Name.ObjStm)


@pytest.mark.parametrize(
    ("hide", "reason"),
    [
        (deep_in_the_catalog, "object 1: it nests too deeply"),
        (deep_in_the_trailer, "/Deep of the trailer: it nests too deeply"),
        (add_disguised_stream, "it cannot be decoded"),
    ],
)
def test_what_can_neither_be_searched_nor_removed_is_refused(
    refused: Refused, letter: Path, hide: Callable[[pikepdf.Pdf], None], reason: str
) -> None:
    change_pdf(letter, hide)
    before = letter.read_bytes()
    answer = refused("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert "after redaction the file may still contain unsearchable content" in answer
    assert reason in answer
    assert letter.read_bytes() == before


def lzma_of(dictionary_bytes: int) -> bytes:
    """A package whose member asks for a dictionary of this size."""
    data = bytearray(pack_members({"a.txt": b"some words" * 99}, zipfile.ZIP_LZMA))
    at = data.index(b"\x05\x00", 30) + 2  # after the version of LZMA and the length of its properties
    data[at + 1 : at + 5] = struct.pack("<I", dictionary_bytes)
    return bytes(data)


def pdf_with(change: Callable[[pikepdf.Pdf], None]) -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.drawString(72, 700, "Some words")
    canvas.save()
    with pikepdf.open(BytesIO(buffer.getvalue())) as pdf:
        change(pdf)
        out = BytesIO()
        pdf.save(out, **AS_IT_IS)
    return out.getvalue()


ATTACHED = {
    "hungry.zip": (lzma_of(0xFFFF_FFFF), "it takes more memory than there is"),
    "content.pdf": (
        pdf_with(lambda pdf: pdf.pages[0].contents_add(make_damaged_stream(pdf, b"no such filter"))),
        "the content of page 1 cannot be decoded",
    ),
    "form.pdf": (pdf_with(lambda pdf: pdf.Root.__setitem__("/Held", make_misnamed_form(pdf))), "could not be followed"),
    "xml.pdf": (
        pdf_with(lambda pdf: pdf.Root.__setitem__("/Held", make_damaged_stream(pdf, b"no such filter"))),
        "it cannot be decoded",
    ),
}


@pytest.mark.parametrize("name", ATTACHED)
def test_an_attached_file_that_can_be_searched_only_in_part_goes(ok: Ok, letter: Path, files: Path, name: str) -> None:
    data, reason = ATTACHED[name]
    (files / name).write_bytes(data)
    (files / "clean.pdf").write_bytes(pdf_with(lambda pdf: None))
    (files / "clean.zip").write_bytes(pack_members({"a.txt": b"some words"}, zipfile.ZIP_LZMA))
    ok("attach_pdf_files", path="letter.pdf", files=[name, "clean.pdf", "clean.zip"])
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert done["elsewhere"]["attachments removed"] == 1
    assert any(f"{name!r} cannot be searched" in warning and reason in warning for warning in done["warnings"])
    left = ok("list_pdf_items", path="letter.pdf", what="attachments")["items"]
    assert [attachment["text"] for attachment in left] == ["clean.pdf", "clean.zip"]


def test_a_removed_file_goes_from_every_place_that_names_it(ok: Ok, letter: Path, files: Path) -> None:
    (files / "words.docx").write_bytes(pack_members({"word/document.xml": b"<t>Jane</t><t> Roe</t>"}))
    ok("attach_pdf_files", path="letter.pdf", files=["words.docx"])

    def share(pdf: pikepdf.Pdf) -> None:
        same = pdf.attachments["words.docx"].obj.EF.F
        pdf.Root.AF = Array([pdf.make_indirect(Dictionary(Type=Name.Filespec, F="b.docx", EF=Dictionary(F=same)))])

    change_pdf(letter, share)
    assert redact_pdf(ok, letter)["elsewhere"]["attachments removed"] == 1
    assert b"PK\x03\x04" not in everything_decoded(letter)


BROKEN_UP = {
    "lines": b"BT /F1 12 Tf 2 30 Td (call Jane) Tj 0 -14 Td (Roe now) Tj ET",
    "kerning": b"BT /F1 12 Tf 2 30 Td [(call Jane) -278 (Roe now)] TJ ET",
    "letters": b"BT /F1 12 Tf 2 30 Td (J) Tj 8 0 Td (ane Roe) Tj ET",
    "next line": b"BT /F1 12 Tf 14 TL 2 30 Td (call Jane) Tj (Roe now) ' ET",
    "texts": b"BT /F1 12 Tf 1 0 0 1 2 30 Tm (Jane) Tj ET BT 1 0 0 1 2 10 Tm (Roe) Tj ET",
}


@pytest.mark.parametrize("how", BROKEN_UP)
def test_an_appearance_that_shows_a_term_in_parts_goes(ok: Ok, letter: Path, how: str) -> None:
    change_pdf(letter, lambda pdf: add_stamp(pdf, make_form(pdf, pikepdf.Stream, BROKEN_UP[how])))
    assert redact_pdf(ok, letter)["elsewhere"]["appearances of fields and comments"] == 1


def test_a_comment_whose_text_is_wrapped_loses_its_appearance(ok: Ok, letter: Path) -> None:
    note = {"kind": "free_text", "page": 1, "boxes": [[300, 300, 375, 360]], "text": "Hello to Jane Roe"}
    ok("annotate_pdf", path="letter.pdf", add=[note])
    assert redact_pdf(ok, letter)["elsewhere"]["appearances of fields and comments"] == 1


def without_font(pdf: pikepdf.Pdf) -> Any:
    form_object = make_form(pdf, pikepdf.Stream)
    del form_object["/Resources"]
    return form_object


def in_glyphs(pdf: pikepdf.Pdf) -> Any:
    """A form whose font numbers its glyphs and does not say what they mean."""
    form_object = make_form(pdf, pikepdf.Stream, b"BT /F1 12 Tf 2 30 Td <002D004400510048> Tj ET")
    below = Dictionary(Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.Odd)
    form_object.Resources.Font.F1 = Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.Odd, Encoding=Name("/Identity-H"), DescendantFonts=[below]
    )
    return form_object


@pytest.mark.parametrize("look", [without_font, in_glyphs])
def test_an_appearance_in_a_font_that_cannot_be_read_goes(
    ok: Ok, letter: Path, look: Callable[[pikepdf.Pdf], Any]
) -> None:
    change_pdf(letter, lambda pdf: add_stamp(pdf, look(pdf)))
    done = redact_pdf(ok, letter)
    assert done["elsewhere"]["appearances of fields and comments"] == 1
    assert "cannot be searched (it shows text in a font without a letter mapping)" in " ".join(done["warnings"])


def test_a_page_in_a_font_that_cannot_be_read_becomes_a_picture(ok: Ok, letter: Path) -> None:
    def paint(pdf: pikepdf.Pdf) -> None:
        pdf.pages[1].Resources.XObject = Dictionary(Odd=in_glyphs(pdf))
        pdf.pages[1].contents_add(b"/Odd Do")

    change_pdf(letter, paint)
    done = redact_pdf(ok, letter)
    assert done["rasterised"] == {"2": "it shows text in a font without a letter mapping"}
    assert "pages 2 became pictures" in done["warnings"][0]
    assert b"002D00440051" not in everything_decoded(letter).upper()
    assert text_of(letter, 2) == ""


def test_a_tick_is_no_text(ok: Ok, letter: Path) -> None:
    def tick(pdf: pikepdf.Pdf) -> None:
        look = make_form(pdf, pikepdf.Stream, b"BT /F1 12 Tf 2 30 Td (4) Tj ET")
        look.Resources.Font.F1 = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.ZapfDingbats)
        add_stamp(pdf, look)

    change_pdf(letter, tick)
    assert "appearances of fields and comments" not in redact_pdf(ok, letter)["elsewhere"]


STRANGE_NOTES: dict[str, dict[str, Any]] = {
    "three numbers": {"/Rect": Array([1, 2, 3])},
    "a name in the box": {"/Rect": Array([Name.A, 1, 2, 3])},
    "a number as box": {"/Rect": 5},
    "flags": {"/F": Name.X},
}


@pytest.mark.parametrize("name", STRANGE_NOTES)
def test_odd_comments_are_no_crash(ok: Ok, letter: Path, name: str) -> None:
    def add_strange_comment(pdf: pikepdf.Pdf) -> None:
        add_stamp(pdf, make_form(pdf, pikepdf.Stream))
        pdf.pages[0].obj.Annots = pdf.pages[1].obj.Annots
        del pdf.pages[1].obj["/Annots"]
        for key, value in STRANGE_NOTES[name].items():
            pdf.pages[0].obj.Annots[0][key] = value

    change_pdf(letter, add_strange_comment)
    assert redact_pdf(ok, letter)["matches"] == {"Jane Roe": 2}


def test_states_that_refer_to_themselves_are_looked_at_once(ok: Ok, letter: Path) -> None:
    def turn(pdf: pikepdf.Pdf) -> None:
        look = pdf.make_indirect(Dictionary())
        for number in range(60):
            look[f"/S{number}"] = look
        look["/N"] = make_form(pdf, pikepdf.Stream)
        add_stamp(pdf, look)
        pdf.pages[1].obj.Annots[0].AP = look

    change_pdf(letter, turn)
    assert redact_pdf(ok, letter)["elsewhere"]["appearances of fields and comments"] == 1


def test_fields_whose_kids_are_none_are_no_crash(ok: Ok, letter: Path) -> None:
    def add_field(pdf: pikepdf.Pdf) -> None:
        field = Dictionary(FT=Name.Tx, T="a", V="Jane Roe", Kids=Array([5, None]))
        pdf.Root.AcroForm = Dictionary(Fields=Array([pdf.make_indirect(field)]))

    change_pdf(letter, add_field)
    assert redact_pdf(ok, letter)["matches"] == {"Jane Roe": 2}


@pytest.mark.parametrize("text", ["<p>Jane <b>Roe</b></p>", "<p>J&#97;ne Roe</p>"])
def test_rich_text_and_metadata_with_a_term_among_markup_go(ok: Ok, letter: Path, text: str) -> None:
    def describe(pdf: pikepdf.Pdf) -> None:
        pdf.Root.Metadata = pdf.make_stream(text.encode(), Type=Name.Metadata, Subtype=Name.XML)
        pdf.Root.Remark = pikepdf.String(text)

    change_pdf(letter, describe)
    done = redact_pdf(ok, letter)
    assert done["elsewhere"]["metadata, scripts and other streams"] == 1
    assert done["elsewhere"]["other texts"] == 1
    with pikepdf.open(letter) as pdf:
        assert (pdf.Root.Metadata.read_bytes(), str(pdf.Root.Remark)) == (b"", "")


def test_an_escaped_ampersand_is_found(ok: Ok, letter: Path) -> None:
    change_pdf(letter, lambda pdf: setattr(pdf.Root, "Remark", pdf.make_stream(b"<p>by Smith &amp; Co</p>")))
    ok("redact_pdf", path="letter.pdf", terms=["Smith & Co"])
    assert b"Smith &amp; Co" not in everything_decoded(letter)


@pytest.mark.parametrize("term", ["Page", "Font", "Adobe", "2014", "595"])
def test_words_of_the_format_are_ordinary_terms(ok: Ok, files: Path, term: str) -> None:
    ok("create_pdf", path="plan.pdf", markdown=f"In {term} \u2014 a plan")
    assert ok("redact_pdf", path="plan.pdf", terms=[term])["matches"] == {term: 1}
    assert "\u2014 a plan" in text_of(files / "plan.pdf")


def test_a_stream_that_only_says_that_it_holds_objects_is_searched(refused: Refused, letter: Path) -> None:
    change_pdf(letter, lambda pdf: setattr(pdf.Root, "Odd", pdf.make_stream(b"by Jane Roe", Type=Name.ObjStm)))
    assert "the file still contains it" in refused("redact_pdf", path="letter.pdf", terms=["Jane Roe"])


def test_glyphs_that_are_drawn_keep_their_operators(ok: Ok, letter: Path) -> None:
    def draw(pdf: pikepdf.Pdf) -> None:
        glyph = pdf.make_stream(b"500 0 d0 0 0 2022 700 re f")
        pdf.Root.Odd = Dictionary(CharProcs=Dictionary(a=glyph))

    change_pdf(letter, draw)
    ok("redact_pdf", path="letter.pdf", terms=["2022", "Jane Roe"])
    with pikepdf.open(letter) as pdf:
        assert pdf.Root.Odd.CharProcs.a.read_bytes() == b"500 0 d0 0 0 2022 700 re f"


def test_a_text_that_stands_for_a_drawing_goes(ok: Ok, letter: Path) -> None:
    """Nothing on the page shows it, but a reader reads it out."""

    def change(pdf: pikepdf.Pdf) -> None:
        content = b"\n/Span <</ActualText (Jane Roe)>> BDC 10 10 5 5 re f EMC\n"
        pdf.pages[1].contents_add(pdf.make_stream(content))

    change_pdf(letter, change)
    done = redact_pdf(ok, letter)
    assert "2" in str(done["rasterised"])
    assert b"Jane Roe" not in everything_decoded(letter)


def test_a_pattern_that_spells_a_term_is_seen(refused: Refused, letter: Path) -> None:
    def change(pdf: pikepdf.Pdf) -> None:
        pattern = pikepdf.Stream(pdf, b"BT /F1 12 Tf 2 2 Td <4A616E6520526F65> Tj ET", PatternType=1, PaintType=1)
        pattern.BBox, pattern.XStep, pattern.YStep, pattern.TilingType = [0, 0, 99, 99], 99, 99, 1
        pattern.Resources = Dictionary(
            Font=Dictionary(F1=Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/Helvetica")))
        )
        pdf.pages[1].obj.Resources.Pattern = Dictionary(P1=pdf.make_indirect(pattern))

    change_pdf(letter, change)
    before = letter.read_bytes()
    assert "still contains" in refused("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert letter.read_bytes() == before


@pytest.mark.parametrize("form", [5, Array([1]), Dictionary(Fields=5), Dictionary(Fields=Array([5, None]))], ids=repr)
def test_a_form_that_is_none_hinders_nothing(ok: Ok, letter: Path, form: Any) -> None:
    change_pdf(letter, lambda pdf: pdf.Root.__setitem__("/AcroForm", form))
    assert redact_pdf(ok, letter)["matches"]
    assert ok("inspect_pdf", path="letter.pdf")
