"""Redaction: comments, fields and patterns of the given pages; pages that become pictures; structure and its pages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import change_pdf, dark_share, everything_decoded, pixels_of, text_of
from pikepdf import Array, Dictionary, Name

Ok = Callable[..., dict[str, Any]]
Refused = Callable[..., str]
HELVETICA = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
SHOWS = b"BT /F1 20 Tf 5 10 Td (by Jane Roe) Tj ET"
LOST = b"BT /F1 (large) Tf (abc) Tj ET"
UNREAD = "it shows text in a font without a letter mapping"


def make_form(pdf: pikepdf.Pdf, content: bytes = SHOWS, **resources: Any) -> Any:
    form_object = pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 200, 40])
    form_object.Resources = Dictionary(Font=Dictionary(F1=HELVETICA), **resources)
    return form_object


def add_content(pdf: pikepdf.Pdf, content: bytes, page: int = 1, **resources: Any) -> None:
    page_resources = pdf.pages[page].Resources
    pdf.pages[page].Resources = Dictionary(Font=page_resources.Font, **resources)
    pdf.pages[page].contents_add(content)


def add_annotation(pdf: pikepdf.Pdf, kind: Any, **entries: Any) -> Any:
    note = Dictionary(Type=Name.Annot, Subtype=kind, Rect=[300, 300, 500, 340], F=4, DA="/Helv 12 Tf 0 g")
    note.AP = Dictionary(N=make_form(pdf))
    for key, value in entries.items():
        note["/" + key] = value
    pdf.pages[1].obj.Annots = Array([pdf.make_indirect(note)])
    return pdf.pages[1].obj.Annots[0]


def add_comment(pdf: pikepdf.Pdf) -> None:
    add_annotation(pdf, Name.FreeText, Contents="by Jane Roe", RC="<p>by Jane <b>Roe</b></p>")


def add_filled_field(pdf: pikepdf.Pdf) -> None:
    """The value stands in the field, and the page has one of its widgets."""
    field = pdf.make_indirect(Dictionary(FT=Name.Tx, T="a", V="by Jane Roe", Kids=[]))
    field.Kids.append(add_annotation(pdf, Name.Widget, Parent=field, MK=Dictionary(CA="by Jane Roe")))
    fonts = Dictionary(Font=Dictionary(Helv=HELVETICA))
    pdf.Root.AcroForm = Dictionary(Fields=[field], DA="/Helv 12 Tf 0 g", DR=fonts)


def add_link(pdf: pikepdf.Pdf) -> None:
    note = add_annotation(
        pdf, Name.Link, A=pdf.make_indirect(Dictionary(S=Name.URI, URI="mailto:Jane%20Roe@example.org"))
    )
    del note["/AP"]


@pytest.mark.parametrize("add", [add_comment, add_filled_field, add_link])
def test_comments_and_fields_of_the_given_pages_lose_the_term(
    ok: Ok, letter: Path, add: Callable[[pikepdf.Pdf], None]
) -> None:
    change_pdf(letter, add)
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"], pages="2")
    assert "Jane Roe" in text_of(letter)
    with pikepdf.open(letter) as pdf:
        pdf.pages.remove(p=1)
        del pdf.docinfo["/Title"]
        del pdf.Root["/Outlines"]
        pdf.save(letter.with_name("second.pdf"))
    data = everything_decoded(letter.with_name("second.pdf"))
    assert b"Roe" not in data
    assert b"Jane%20" not in data


def make_tiling(pdf: pikepdf.Pdf) -> Any:
    pattern = pdf.make_stream(
        SHOWS, PatternType=1, PaintType=1, TilingType=1, BBox=[0, 0, 150, 40], XStep=150, YStep=40
    )
    pattern.Resources = Dictionary(Font=Dictionary(F1=HELVETICA))
    return pattern


TILED = b"/Pattern cs /P1 scn 0 0 200 40 re f"


def add_pattern(pdf: pikepdf.Pdf) -> None:
    add_content(pdf, TILED, Pattern=Dictionary(P1=make_tiling(pdf)))


def patterned_within(pdf: pikepdf.Pdf) -> None:
    add_content(pdf, b"/X Do", XObject=Dictionary(X=make_form(pdf, TILED, Pattern=Dictionary(P1=make_tiling(pdf)))))


def add_mask(pdf: pikepdf.Pdf) -> None:
    soft = Dictionary(SMask=Dictionary(S=Name.Luminosity, G=make_form(pdf)))
    add_content(pdf, b"/Soft gs 0 0 200 40 re f", ExtGState=Dictionary(Soft=soft))


@pytest.mark.parametrize("add", [add_pattern, patterned_within, add_mask])
def test_patterns_and_masks_of_the_given_pages_are_searched(
    refused: Refused, letter: Path, add: Callable[[pikepdf.Pdf], None]
) -> None:
    change_pdf(letter, add)
    change_pdf(letter, lambda pdf: pdf.pages[1].contents_add(b"BT /F1 12 Tf 300 300 Td (Jane Roe) Tj ET"))
    assert "still contains it" in refused("redact_pdf", path="letter.pdf", terms=["Jane Roe"], pages="2")


def test_what_only_other_pages_paint_stays(ok: Ok, letter: Path) -> None:
    def share(pdf: pikepdf.Pdf) -> None:
        add_content(pdf, b"BT /F1 12 Tf 300 300 Td (Jane Roe) Tj ET", XObject=Dictionary(X=make_form(pdf)))
        pdf.pages[0].Resources = pdf.pages[1].Resources
        pdf.pages[0].contents_add(b"/X Do")

    change_pdf(letter, share)
    assert ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"], pages="2")["matches"] == {"Jane Roe": 1}
    assert "by Jane Roe" in text_of(letter)


def test_the_picture_of_a_page_does_not_show_what_went_from_its_comments(ok: Ok, letter: Path) -> None:
    change_pdf(letter, add_comment)
    change_pdf(letter, lambda pdf: pdf.pages[1].contents_add(LOST))
    before = pixels_of(letter, 2)
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert "could not be followed" in done["rasterised"]["2"]
    assert "pages 2 became pictures: not all of their content could be followed; look at them" in done["warnings"][0]
    place = (300, 300, 340, 500)  # turned by a quarter
    assert dark_share(before, place) > 0
    assert dark_share(pixels_of(letter, 2), place) == 0


def test_fields_of_a_page_that_becomes_a_picture_go_with_their_values(ok: Ok, letter: Path) -> None:
    change_pdf(letter, add_filled_field)
    change_pdf(letter, lambda pdf: pdf.pages[1].contents_add(LOST))
    ok("redact_pdf", path="letter.pdf", areas=[{"page": 2, "box": [300, 300, 340, 500]}])
    with pikepdf.open(letter) as pdf:
        assert "/AcroForm" not in pdf.Root
    assert b"by Jane" not in everything_decoded(letter)


def add_tagged_span(pdf: pikepdf.Pdf, content: bytes, **entries: Any) -> None:
    """A paragraph with a span whose content lies on the second page."""
    pdf.pages[1].contents_add(b"/Span <</MCID 0>> BDC BT /F1 20 Tf 300 300 Td (Secret) Tj ET EMC " + content)
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
    outer = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.P, P=root, ActualText="Secret text"))
    inner = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Span, P=outer, Alt="Secret text"))
    inner.K = Array([Dictionary(Type=Name.MCR, Pg=pdf.pages[1].obj, MCID=0), inner])
    outer.K, root.K, pdf.Root.StructTreeRoot = inner, outer, root


@pytest.mark.parametrize("content", [b"", LOST])
def test_texts_of_the_structure_go_by_the_pages_of_their_content(ok: Ok, letter: Path, content: bytes) -> None:
    change_pdf(letter, lambda pdf: add_tagged_span(pdf, content))
    ok("redact_pdf", path="letter.pdf", areas=[{"page": 2, "box": [280, 280, 340, 400]}])
    assert b"Secret" not in everything_decoded(letter)


def make_drawn_font(pdf: pikepdf.Pdf, glyph: bytes) -> Any:
    """A font whose two glyphs are drawn."""
    procs = Dictionary(a=pdf.make_stream(b"2500 0 d0 " + glyph), b=pdf.make_stream(b"2500 0 d0 0 0 500 500 re f"))
    font = Dictionary(Type=Name.Font, Subtype=Name.Type3, FontBBox=[0, 0, 3000, 1000], CharProcs=procs)
    font.FontMatrix, font.FirstChar, font.LastChar, font.Widths = [0.001, 0, 0, 0.001, 0, 0], 97, 98, [2500, 2500]
    font.Encoding = Dictionary(Differences=[97, Name.a, Name.b])
    font.Resources = Dictionary(Font=Dictionary(F1=HELVETICA), XObject=Dictionary(X=make_form(pdf, b"(Jane)")))
    return pdf.make_indirect(font)


@pytest.mark.parametrize(
    ("glyph", "reads"),
    [(b"BT /F1 1000 Tf (Jane) Tj ET", False), (b"/X Do", False), (b"0 0 9 9 re f % Do Tj", True)],
)
def test_glyphs_that_show_text_of_other_fonts_tell_nothing(ok: Ok, letter: Path, glyph: bytes, reads: bool) -> None:
    def add(pdf: pikepdf.Pdf) -> None:
        pdf.pages[1].Resources = Dictionary(Font=Dictionary(F1=HELVETICA, T3=make_drawn_font(pdf, glyph)))
        pdf.pages[1].contents_add(b"BT /T3 20 Tf 300 300 Td (ab) Tj ET")

    change_pdf(letter, add)
    done = ok("redact_pdf", path="letter.pdf", terms=["John Roe", "Jane Roe"])
    assert done.get("rasterised", {}) == ({} if reads else {"2": UNREAD})


def test_forms_that_lie_too_deep_are_not_taken_for_empty(ok: Ok, letter: Path) -> None:
    def nest(pdf: pikepdf.Pdf) -> None:
        inner = make_form(pdf, b"BT /F1 20 Tf 5 10 Td (Jane) Tj ET")
        for _ in range(15):
            inner = make_form(pdf, b"/X Do", XObject=Dictionary(X=inner))
        add_content(pdf, b"/X Do BT /F1 20 Tf 60 10 Td (Roe) Tj ET", XObject=Dictionary(X=inner))

    change_pdf(letter, nest)
    done = ok("redact_pdf", path="letter.pdf", terms=["John Roe", "Jane Roe"])
    assert "could not be followed (forms are nested too deeply)" in done["rasterised"]["2"]


def test_a_text_that_differs_from_what_is_shown_hides_nothing(ok: Ok, letter: Path) -> None:
    content = b"/Span <</ActualText (somebody)>> BDC BT /F1 20 Tf 300 300 Td (Jane Roe) Tj ET EMC"
    change_pdf(letter, lambda pdf: pdf.pages[1].contents_add(content))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert list(done["rasterised"]) == ["2"]
    assert dark_share(pixels_of(letter, 2), (302, 302, 314, 380)) == 1


def test_a_page_whose_drawing_stands_for_a_term_is_to_be_looked_at(ok: Ok, letter: Path) -> None:
    content = b"/Figure <</Alt (Jane Roe)>> BDC 300 300 50 20 re f EMC"
    change_pdf(letter, lambda pdf: pdf.pages[1].contents_add(content))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    message = (
        "pages 2 became pictures: they contain a term as a replacement for something drawn; "
        "look at them, and give `areas`"
    )
    assert done["warnings"] == [message]


def test_a_drawing_that_reaches_out_of_an_area_does_not_stay_under_its_box(ok: Ok, letter: Path) -> None:
    """A line of letters drawn as one path."""
    letters = b" ".join(
        b"%d 300 m %d 310 l %d 320 l %d 300 l h" % (x, x + 5, x + 8, x + 9) for x in range(300, 400, 10)
    )
    change_pdf(letter, lambda pdf: pdf.pages[1].contents_add(letters + b" f 10 10 400 400 re S"))
    frame = ok("redact_pdf", path="letter.pdf", target="a.pdf", areas=[{"page": 2, "box": [5, 5, 30, 300]}])
    assert "rasterised" not in frame
    done = ok("redact_pdf", path="letter.pdf", areas=[{"page": 2, "box": [290, 290, 330, 350]}])
    assert done["rasterised"] == {"2": "a drawing is in the area and extends beyond it"}
    assert dark_share(pixels_of(letter, 2), (291, 291, 329, 349)) == 1
    assert b"310 310 m" not in everything_decoded(letter)
