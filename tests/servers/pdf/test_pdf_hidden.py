"""Redaction: terms beside what is shown: comments, odd operators, lists of properties, glyphs that are drawn, names."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import changed, everything_decoded, text_of
from pikepdf import Dictionary, Name

Ok = Callable[..., dict[str, Any]]
Refused = Callable[..., str]
HELVETICA = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)


def added(content: bytes) -> Callable[[pikepdf.Pdf], None]:
    return lambda pdf: pdf.pages[1].contents_add(content)


@pytest.mark.parametrize("more", [{}, {"pages": "2"}])
def test_comments_of_a_page_go_and_it_stays_text(ok: Ok, letter: Path, more: dict[str, Any]) -> None:
    changed(letter, added(b"q % by Jane Roe\nQ (100% Jane) pop"))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"], **more)
    assert done["elsewhere"]["comments in content"] == 1
    assert b"by Jane" not in everything_decoded(letter)
    assert text_of(letter, 2).split() == ["Turned", "page", "text"]


def test_percent_signs_are_no_comments(ok: Ok, letter: Path) -> None:
    changed(letter, added(b"BT /F1 12 Tf 300 300 Td (100% of 2022) Tj 0 2022 Td ET"))
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
    changed(letter, added(BESIDE[name]))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert list(done["rasterised"]) == ["2"]
    assert b"Roe" not in everything_decoded(letter)


def drawing(pdf: pikepdf.Pdf, content: bytes) -> None:
    """A font whose glyph draws this, with the fonts that it has itself."""
    glyph = pdf.make_stream(b"500 0 d0 " + content)
    font = Dictionary(Type=Name.Font, Subtype=Name.Type3, CharProcs=Dictionary(a=glyph))
    font.Resources = Dictionary(Font=Dictionary(F1=HELVETICA))
    pdf.Root.Held = font


@pytest.mark.parametrize("content", [b"(by Jane Roe) odd", b"BT /F1 1 Tf <4A616E6520526F65> Tj ET"])
def test_a_glyph_that_spells_a_term_is_seen(refused: Refused, letter: Path, content: bytes) -> None:
    changed(letter, lambda pdf: drawing(pdf, content))
    assert "(form object " in refused("redact_pdf", path="letter.pdf", terms=["Jane Roe"])


def test_comments_of_what_is_drawn_go(ok: Ok, letter: Path) -> None:
    def hide(pdf: pikepdf.Pdf) -> None:
        drawing(pdf, b"0 0 9 9 re % by Jane Roe\nf")
        pdf.Root.More = pdf.make_stream(b"q % by Jane Roe\nQ", Subtype=Name.Form)
        pdf.Root.Most = pdf.make_stream(b"q % by Jane Roe\nQ", PatternType=1)

    changed(letter, hide)
    assert ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])["elsewhere"]["comments in content"] == 3
    with pikepdf.open(letter) as pdf:
        assert pdf.Root.Held.CharProcs.a.read_bytes().split() == b"500 0 d0 0 0 9 9 re f".split()


def test_numbers_of_forms_are_no_terms(ok: Ok, letter: Path) -> None:
    changed(letter, lambda pdf: setattr(pdf.Root, "Held", pdf.make_stream(b"0 2022 m 9 9 l S", Subtype=Name.Form)))
    ok("redact_pdf", path="letter.pdf", terms=["2022", "Jane Roe"])
    with pikepdf.open(letter) as pdf:
        assert pdf.Root.Held.read_bytes() == b"0 2022 m 9 9 l S"
