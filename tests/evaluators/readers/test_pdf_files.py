"""Readers of PDFs: words and how they are drawn, fields, what was removed, pictures of pages."""

import io
from pathlib import Path

import pikepdf
import pytest
from support import office as kits

from yardkit.evaluators.office.redaction_release.pdf_bytes import find_raw_texts, split_revisions
from yardkit.evaluators.readers.pages import rendered
from yardkit.evaluators.readers.pages.pdf import draw_pdf_page, read_pdf
from yardkit.evaluators.submission import Submission


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    (tmp_path / "files").mkdir()
    (tmp_path / "scratch").mkdir()
    return Submission(tmp_path, scratch=tmp_path / "scratch")


def put_file(submission: Submission, name: str, data: bytes) -> str:
    (submission.files / name).write_bytes(data)
    return name


def test_a_pdf_tells_words_fields_and_bookmarks(submission: Submission) -> None:
    read = read_pdf(submission, put_file(submission, "a.pdf", kits.make_sheet()))
    assert len(read.pages) == 3
    ((left, top, right, bottom),) = read.pages[0].find("dear ada")
    assert 60 < left < right < 120
    assert 280 < top < bottom < 320
    values = {name: (blank.kind, blank.value) for name, blank in read.blanks.items()}
    assert values == {
        "name": ("text", "Bo"),
        "yes": ("checkbox", "yes"),
        "size": ("radio", "large"),
        "land": ("choice", "A"),
    }
    assert read.blanks["size"].options == ("small", "large")
    assert read.blanks["name"].page == 3
    assert read.properties["Author"] == "Northwind"


def test_boxes_of_words_lie_where_the_words_are_seen_on_turned_pages(submission: Submission) -> None:
    for turn in (0, 90, 180, 270):
        with pikepdf.open(io.BytesIO(kits.make_sheet())) as opened:
            opened.pages[0].Rotate = turn
            opened.save(submission.files / "a.pdf")
        page = read_pdf(submission, "a.pdf").pages[0]
        assert (page.width > page.height) is (turn in (90, 270))
        picture = draw_pdf_page(submission, "a.pdf", 1, 2.0)
        (box,) = page.find("Northwind")[:1]
        assert rendered.is_legible(picture, box, 2.0)


def test_a_checkbox_that_is_set_in_name_only_is_not_set(submission: Submission) -> None:
    with pikepdf.open(io.BytesIO(kits.make_sheet())) as opened:
        for field in opened.Root.AcroForm.Fields:
            if str(field.T) == "yes":
                field.AS = pikepdf.Name("/Off")
        opened.save(submission.files / "a.pdf")
    assert read_pdf(submission, "a.pdf").blanks["yes"].value == ""


def test_the_picture_of_a_page_shows_what_its_fields_show(submission: Submission) -> None:
    put_file(submission, "a.pdf", kits.make_sheet())
    with pikepdf.open(submission.files / "a.pdf") as opened:
        for field in opened.Root.AcroForm.Fields:
            if str(field.T) == "yes":
                field.AS = pikepdf.Name("/Off")
        opened.save(submission.files / "b.pdf")
    ticked, empty = (draw_pdf_page(submission, name, 3, 2.0) for name in ("a.pdf", "b.pdf"))
    assert 20 < (ticked != empty).any(axis=2).sum() < 1000


def test_what_was_only_painted_over_is_found_and_what_was_removed_is_not(submission: Submission) -> None:
    put_file(submission, "a.pdf", kits.make_sheet())
    with pikepdf.open(submission.files / "a.pdf") as opened:
        opened.docinfo["/Subject"] = "about Ferdinand"
        opened.save(submission.files / "b.pdf", compress_streams=True)
    assert find_raw_texts(submission, "b.pdf", ["Dear Ada", "Ferdinand", "Zacharias"]) == ["Dear Ada", "Ferdinand"]


def test_what_an_earlier_state_of_the_file_holds_is_found_in_any_case_of_letters(submission: Submission) -> None:
    with pikepdf.open(io.BytesIO(kits.make_sheet())) as opened:
        opened.docinfo["/Subject"] = "about FERDINAND"
        opened.save(submission.files / "a.pdf")
        opened.docinfo["/Subject"], opened.docinfo["/Keywords"] = "", "Zoë Ödegård"
        del opened.pages[0]
        opened.save(submission.files / "b.pdf")
    assert find_raw_texts(submission, "a.pdf", ["Ferdinand", "dear ada"]) == ["Ferdinand", "dear ada"]
    terms = ["Ferdinand", "Dear Ada", "zoë ÖDEGÅRD"]
    assert find_raw_texts(submission, "b.pdf", terms) == ["zoë ÖDEGÅRD"]
    old, new = ((submission.files / name).read_bytes() for name in ("a.pdf", "b.pdf"))
    put_file(submission, "c.pdf", old + new)
    assert len(split_revisions(old + new)) == 2
    assert "Ferdinand" in find_raw_texts(submission, "c.pdf", terms)


def test_a_file_in_which_lengths_are_objects_of_their_own_is_searched(submission: Submission) -> None:
    with pikepdf.open(io.BytesIO(kits.make_sheet())) as opened:
        opened.save(submission.files / "a.pdf", qdf=True)
    assert find_raw_texts(submission, "a.pdf", ["Dear Ada", "Ferdinand"]) == ["Dear Ada"]


def test_what_is_drawn_in_pieces_beside_the_page_or_in_a_form_that_no_page_draws_is_found(
    submission: Submission,
) -> None:
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(300, 300))
    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    name = page.add_resource(font, pikepdf.Name.Font)
    page.contents_add(f"BT {name} 9 Tf -200 -200 Td (Ada) Tj 40 0 Td (Berg) Tj ET".encode())
    kind = {"Type": pikepdf.Name.XObject, "Subtype": pikepdf.Name.Form, "BBox": [0, 0, 300, 300]}
    page.add_resource(pdf.make_stream(b"BT /F1 9 Tf (Ferdi) Tj (nand) Tj ET", **kind), pikepdf.Name.XObject)
    pdf.save(submission.files / "a.pdf")
    assert find_raw_texts(submission, "a.pdf", ["Ada Berg", "Ferdinand", "Zacharias"]) == ["Ada Berg", "Ferdinand"]


def test_fields_and_comments_tell_whether_they_are_hidden(submission: Submission) -> None:
    with pikepdf.open(io.BytesIO(kits.make_sheet())) as opened:
        opened.save(submission.files / "a.pdf")
        for page in opened.pages:
            for annot in page.get("/Annots", []):
                annot.F = 2
        opened.save(submission.files / "b.pdf")
    for name, seen in (("a.pdf", {True}), ("b.pdf", {False})):
        read = read_pdf(submission, name)
        visible = {blank.visible for blank in read.blanks.values()} | {note.visible for note in read.annotations}
        assert visible == seen, name


def test_words_tell_their_size_as_drawn_and_whether_they_stand_on_their_heads(submission: Submission) -> None:
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(300, 300))
    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    name = page.add_resource(font, pikepdf.Name.Font)
    page.contents_add(
        f"BT {name} 1 Tf 9 0 0 9 20 100 Tm (Scaled) Tj ET q 2 0 0 2 0 0 cm BT {name} 9 Tf 20 20 Td (Twice) Tj ET Q "
        f"1 0 0 rg BT {name} 9 Tf -1 0 0 -1 200 200 Tm (Head) Tj ET".encode()
    )
    pdf.save(submission.files / "a.pdf")
    words = {word.text: word for word in read_pdf(submission, "a.pdf").pages[0].words}
    assert words["Scaled"].look == ("Helvetica", 9.0, "000000")
    assert words["Twice"].size_pt == 18.0
    assert (words["Head"].color, words["Head"].forward, words["Twice"].forward) == ("FF0000", False, True)


def test_words_tell_how_they_are_drawn_and_pictures_which_colours_they_have(submission: Submission) -> None:
    import pptx
    from pptx.dml.color import RGBColor
    from pptx.util import Pt

    name = put_file(submission, "a.pptx", kits.make_deck())
    read = pptx.Presentation(str(submission.files / name))
    font = read.slides[1].shapes.title.text_frame.paragraphs[0].runs[0].font
    font.size, font.name, font.bold, font.color.rgb = Pt(31), "Carlito", True, RGBColor(200, 0, 160)
    read.slides[1].background.fill.solid()
    read.slides[1].background.fill.fore_color.rgb = RGBColor(240, 250, 200)
    read.save(str(submission.files / name))
    page = rendered.render_slides(submission, name, [2])[2]
    assert next(word for word in page.words if word.text == "Highlights").look == ("Carlito-Bold", 31.0, "C800A0")
    shares = rendered.find_palette(rendered.draw_slide(submission, name, 2))
    assert max(shares, key=lambda share: shares[share]) == "F0FAC8"
    assert sum(shares.values()) == pytest.approx(1.0, abs=0.01)


def test_letters_are_legible_unless_something_lies_over_them() -> None:
    import numpy

    picture = numpy.full((60, 200, 3), 255, numpy.uint8)
    picture[10:30:4, 10:60] = 0
    picture[10:30, 110:160] = (80, 130, 190)
    assert rendered.is_legible(picture, (10, 10, 60, 30))
    assert rendered.is_legible(picture, (5, 5, 30, 15), scale=2)
    assert not rendered.is_legible(picture, (10, 35, 60, 55))
    assert not rendered.is_legible(picture, (112, 12, 158, 28))
    assert not rendered.is_legible(picture, (300, 10, 400, 20))
    assert not rendered.is_legible(picture, (10, 10, 60, 30), least=0.3)  # More than half of the letters is covered.
