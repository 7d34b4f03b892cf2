"""Redaction: terms beside what is shown: comments, odd operators, lists of properties, glyphs that are drawn, names."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import change_pdf, everything_decoded, text_of
from pikepdf import Array, Dictionary, Name

Ok = Callable[..., dict[str, Any]]
Refused = Callable[..., str]
HELVETICA = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)


def add_content(content: bytes) -> Callable[[pikepdf.Pdf], None]:
    return lambda pdf: pdf.pages[1].contents_add(content)


@pytest.mark.parametrize("more", [{}, {"pages": "2"}])
def test_comments_of_a_page_go_and_it_stays_text(ok: Ok, letter: Path, more: dict[str, Any]) -> None:
    change_pdf(letter, add_content(b"q % by Jane Roe\nQ (100% Jane) pop"))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"], **more)
    assert done["elsewhere"]["comments in content"] == 1
    assert b"by Jane" not in everything_decoded(letter)
    assert text_of(letter, 2).split() == ["Turned", "page", "text"]


def test_percent_signs_are_no_comments(ok: Ok, letter: Path) -> None:
    change_pdf(letter, add_content(b"BT /F1 12 Tf 300 300 Td (100% of 2022) Tj 0 2022 Td ET"))
    done = ok("redact_pdf", path="letter.pdf", terms=["2022"])
    assert "comments in content" not in done.get("elsewhere", {})
    assert done.get("rasterised", {}) == {}
    assert text_of(letter, 2).split() == ["Turned", "page", "text", "100%", "of"]


BESIDE = {
    "operand of no operator": b"(by Jane Roe) odd",
    "operand of another operator": b"(by Jane Roe) 1 0 0 1 0 0 cm",
    "no operators": b"BX Jane Roe EX",
    "properties": b"/Span <</Remark [(by Jane Roe)]>> BDC EMC",
    "point": b"/Span <</Remark (by Jane Roe)>> DP",
    "two texts": b"/Span <</ActualText (Jane R)>> BDC EMC /Span <</ActualText (oe)>> BDC EMC",
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_page_that_holds_a_term_without_showing_it_becomes_a_picture(ok: Ok, letter: Path, name: str) -> None:
    change_pdf(letter, add_content(BESIDE[name]))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert list(done["rasterised"]) == ["2"]
    assert b"Roe" not in everything_decoded(letter)


def add_drawing_font(pdf: pikepdf.Pdf, content: bytes) -> None:
    """A font whose glyph draws this, with the fonts that it has itself."""
    glyph = pdf.make_stream(b"500 0 d0 " + content)
    font = Dictionary(Type=Name.Font, Subtype=Name.Type3, CharProcs=Dictionary(a=glyph))
    font.Resources = Dictionary(Font=Dictionary(F1=HELVETICA))
    pdf.Root.Held = font


@pytest.mark.parametrize("content", [b"(by Jane Roe) odd", b"BT /F1 1 Tf <4A616E6520526F65> Tj ET"])
def test_a_glyph_that_spells_a_term_is_seen(refused: Refused, letter: Path, content: bytes) -> None:
    change_pdf(letter, lambda pdf: add_drawing_font(pdf, content))
    assert "(form object " in refused("redact_pdf", path="letter.pdf", terms=["Jane Roe"])


def test_comments_of_what_is_drawn_go(ok: Ok, letter: Path) -> None:
    def hide(pdf: pikepdf.Pdf) -> None:
        add_drawing_font(pdf, b"0 0 9 9 re % by Jane Roe\nf")
        pdf.Root.More = pdf.make_stream(b"q % by Jane Roe\nQ", Subtype=Name.Form)
        pdf.Root.Most = pdf.make_stream(b"q % by Jane Roe\nQ", PatternType=1)

    change_pdf(letter, hide)
    assert ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])["elsewhere"]["comments in content"] == 3
    with pikepdf.open(letter) as pdf:
        assert pdf.Root.Held.CharProcs.a.read_bytes().split() == b"500 0 d0 0 0 9 9 re f".split()


def test_numbers_of_forms_are_no_terms(ok: Ok, letter: Path) -> None:
    change_pdf(letter, lambda pdf: setattr(pdf.Root, "Held", pdf.make_stream(b"0 2022 m 9 9 l S", Subtype=Name.Form)))
    ok("redact_pdf", path="letter.pdf", terms=["2022", "Jane Roe"])
    with pikepdf.open(letter) as pdf:
        assert pdf.Root.Held.read_bytes() == b"0 2022 m 9 9 l S"


def add_note(pdf: pikepdf.Pdf, **entries: Any) -> None:
    note = Dictionary(Type=Name.Annot, Rect=[300, 300, 400, 400])
    for key, value in entries.items():
        note["/" + key] = value
    pdf.pages[1].obj.Annots = Array([pdf.make_indirect(note)])


def add_checkbox(pdf: pikepdf.Pdf) -> None:
    states = Dictionary({"/Jane Roe": pdf.make_stream(b"", Subtype=Name.Form), "/Off": Dictionary()})
    add_note(pdf, Subtype=Name.Widget, FT=Name.Btn, T="a", AS=Name("/Jane Roe"), AP=Dictionary(N=states))
    pdf.Root.AcroForm = Dictionary(Fields=[pdf.pages[1].obj.Annots[0]])


def put_into_catalog(**entries: Any) -> Callable[[pikepdf.Pdf], None]:
    """In the catalog."""

    def keep(pdf: pikepdf.Pdf) -> None:
        for key, value in entries.items():
            pdf.Root["/" + key] = value(pdf) if callable(value) else value

    return keep


WIDE = "by Jane Roe".encode("utf-16-be")
PLACES: dict[str, Callable[[pikepdf.Pdf], None]] = {
    "page label": put_into_catalog(PageLabels=Dictionary(Nums=[0, Dictionary(P="Jane Roe ")])),
    "layer": put_into_catalog(OCProperties=Dictionary(OCGs=[Dictionary(Type=Name.OCG, Name="Jane Roe")])),
    "script": put_into_catalog(Names=Dictionary(JavaScript=Dictionary(Names=["a", Dictionary(JS="say('Jane Roe')")]))),
    "escapes of a script": put_into_catalog(OpenAction=Dictionary(S=Name.JavaScript, JS="say('Jane\\x20Ro\\u0065')")),
    "form of XML": put_into_catalog(
        AcroForm=lambda pdf: Dictionary(XFA=["datasets", pdf.make_stream(b"<a>Jane Roe</a>")], Fields=[])
    ),
    "private data": lambda pdf: setattr(pdf.pages[1].obj, "PieceInfo", Dictionary(App=Dictionary(Private="Jane Roe"))),
    "structure": put_into_catalog(StructTreeRoot=Dictionary(K=Dictionary(S=Name.Figure, Alt="Jane Roe", E="Jane Roe"))),
    "collection": put_into_catalog(Collection=Dictionary(Schema=Dictionary(Name=Dictionary(N="Jane Roe")))),
    "measure": lambda pdf: setattr(pdf.pages[1].obj, "VP", Array([Dictionary(Name="Jane Roe")])),
    "permission": put_into_catalog(Perms=Dictionary(DocMDP=Dictionary(Reason="Jane Roe"))),
    "sound": put_into_catalog(Held=lambda pdf: pdf.make_stream(b"by Jane Roe", Type=Name.Sound)),
    "wide without a mark": put_into_catalog(Held=pikepdf.String(WIDE)),
    "link": lambda pdf: add_note(pdf, Subtype=Name.Link, A=Dictionary(S=Name.URI, URI="mailto:Jane%20Roe@example.org")),
    "place": put_into_catalog(Names=Dictionary(Dests=Dictionary(Names=["Jane Roe", Array([0, Name.Fit])]))),
    "place of old": put_into_catalog(Dests=Dictionary({"/Jane Roe": Array([0, Name.Fit])})),
    "link to a place": lambda pdf: add_note(pdf, Subtype=Name.Link, Dest=Name("/Jane Roe")),
    "state": add_checkbox,
}


@pytest.mark.parametrize("name", PLACES)
def test_a_term_goes_wherever_it_hides(ok: Ok, letter: Path, name: str) -> None:
    change_pdf(letter, PLACES[name])
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    data = everything_decoded(letter) + letter.read_bytes()
    for spelled in (b"Jane Roe", b"Jane#20Roe", b"Jane%20Roe", b"Jane\\x20", WIDE, WIDE.hex().encode()):
        assert spelled not in data


def test_a_state_keeps_its_name_in_all_places(ok: Ok, letter: Path) -> None:
    change_pdf(letter, PLACES["state"])
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe", "Off"])
    with pikepdf.open(letter) as pdf:
        box = pdf.pages[1].Annots[0]
        assert {str(box.AS), "/Off"} == set(box.AP.N.keys())


def test_named_properties_lose_their_texts(ok: Ok, letter: Path) -> None:
    def name(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[1]
        properties = Dictionary(MC0=Dictionary(ActualText="Jane Roe"))
        page.Resources = Dictionary(Font=page.Resources.Font, Properties=properties)
        page.contents_add(b"/Span /MC0 BDC EMC")

    change_pdf(letter, name)
    assert ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"]).get("rasterised", {}) == {}
    assert b"Jane" not in everything_decoded(letter)


@pytest.mark.parametrize("data", [b"PRC model", b"U3D\0 model", b"CWS film", b"PK\x03\x04 words", b"\x1f\x8b words"])
def test_what_is_packed_in_a_stream_goes(ok: Ok, letter: Path, data: bytes) -> None:
    change_pdf(letter, put_into_catalog(Held=lambda pdf: pdf.make_stream(data)))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert "(it is packed); it was removed" in done["warnings"][0]
    with pikepdf.open(letter) as pdf:
        assert pdf.Root.Held.read_bytes() == b""


def test_earlier_versions_of_a_file_do_not_stay_in_it(ok: Ok, letter: Path) -> None:
    """What an appended version replaced, and objects that nothing refers to."""
    data = letter.read_bytes()
    with pikepdf.open(letter) as pdf:
        size, root = int(pdf.trailer.Size), pdf.Root.objgen[0]
    start = int(data.rsplit(b"startxref", 1)[1].split()[0])
    more = b"%d 0 obj\n(by Jane Roe, nobody)\nendobj\n" % size
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n<< /Size %d /Root %d 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n"
    at = len(data) + len(more)
    letter.write_bytes(data + more + table % (size, len(data), size + 1, root, start, at))
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    left = letter.read_bytes()
    assert b"Jane Roe" not in left
    assert b"nobody" not in left
    assert left.count(b"%%EOF") == 1
