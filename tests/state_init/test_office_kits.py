"""Documents, decks, workbooks, PDF files and mails of seeded worlds."""

import email
import io
import random
import re
import time
import zipfile
from collections.abc import Callable
from email.policy import default
from typing import Any

import docx
import openpyxl
import pikepdf
import pptx
import pypdfium2
import pytest
from support import office

from yardkit.state_init import names
from yardkit.state_init.mails import message_id
from yardkit.state_init.pdfs import Sheet, build_scan
from yardkit.state_init.workbooks import age_rows

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.mark.parametrize(
    "make",
    [
        office.make_paper,
        office.make_deck,
        office.make_book,
        office.make_sheet,
        office.make_letter,
        lambda: build_scan([office.make_picture()] * 2),
    ],
)
def test_the_same_content_gives_the_same_bytes_at_another_hour(
    make: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make()
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    later = time.time() + 7_000
    monkeypatch.setattr(time, "time", lambda: later)
    monkeypatch.setattr(time, "localtime", lambda *_args: time.gmtime(later))
    try:
        assert make() == first
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_paper_holds_what_python_docx_reads_and_what_it_does_not_write() -> None:
    data = office.make_paper()
    read = docx.Document(io.BytesIO(data))
    assert [p.text for p in read.paragraphs if p.style and p.style.name == "Heading 1"] == ["Decisions"]
    assert read.tables[0].cell(1, 1).text == "1,200"
    assert read.sections[0].header.paragraphs[0].text == "Confidential"
    assert read.sections[1].page_width > read.sections[1].page_height
    assert read.core_properties.author == "Ada Berg"
    authors = [change.get(f"{W}author") for change in read.element.iter(f"{W}ins", f"{W}del")]
    assert authors == ["Ada Berg", "Bo Lind"]
    lists = {p.text: p._p.pPr.numPr.numId.val for p in read.paragraphs if p.text in ("one", "two", "eins")}
    assert lists["one"] == lists["two"] != lists["eins"]
    package = zipfile.ZipFile(io.BytesIO(data))
    assert b'done="1"' in package.read("word/commentsExtended.xml")
    assert b"In 2025." in package.read("word/footnotes.xml")


def test_a_deck_carries_its_brand_in_the_theme_and_native_charts_and_tables() -> None:
    read = pptx.Presentation(io.BytesIO(office.make_deck()))
    titles = [slide.shapes.title.text for slide in read.slides if slide.shapes.title]
    assert titles == ["Review", "Highlights", "Revenue", "Regions", "Site"]
    assert read.slides[1].notes_slide.notes_text_frame is not None
    assert read.slides[1].notes_slide.notes_text_frame.text == "Say thanks."
    chart = next(shape.chart for shape in read.slides[2].shapes if shape.has_chart)
    assert [tuple(series.values) for series in chart.plots[0].series] == [(3.0, 4.0), (2.5, 4.4)]
    theme = zipfile.ZipFile(io.BytesIO(office.make_deck())).read("ppt/theme/theme1.xml")
    assert b"0B6E4F" in theme
    for slide in read.slides:
        for shape in slide.shapes:
            assert shape.left >= 0
            assert shape.left + shape.width <= read.slide_width


def test_a_book_stores_the_values_of_its_formulas_and_its_formats() -> None:
    data = office.make_book()
    values = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    written = openpyxl.load_workbook(io.BytesIO(data))
    assert (written["Plan"]["B6"].value, values["Plan"]["B6"].value) == ("=B4", 10)
    assert written["Plan"]["B5"].number_format == "#,##0.00"
    assert {str(area) for area in written["Plan"].merged_cells.ranges} == {"A1:C1", "B3:C3"}
    assert written["Old"].sheet_state == "hidden"
    assert values["Old"]["A2"].is_date
    assert len(written["Plan"]._charts) == 1


def test_a_pdf_has_text_fields_and_pages() -> None:
    read = pypdfium2.PdfDocument(office.make_sheet())
    assert "Dear Ada" in read[0].get_textpage().get_text_bounded()
    assert "69.00" in read[1].get_textpage().get_text_bounded()
    with pikepdf.open(io.BytesIO(office.make_sheet())) as opened:
        fields = {str(field.T): str(field.get("/V")) for field in opened.Root.AcroForm.Fields}
    assert fields == {"name": "Bo", "yes": "/Yes", "size": "/large", "land": "A"}
    assert pypdfium2.PdfDocument(build_scan([office.make_picture()]))[0].get_textpage().get_text_bounded() == ""


def test_an_invoice_may_misstate_its_total() -> None:
    sheet = Sheet("Invoice")
    stated = sheet.add_invoice(
        sender=("N",), to=("A",), number="1", date="1", due="2", items=[("a", 2, 5.0)], vat_percent=10, total=12.0
    )
    text = pypdfium2.PdfDocument(sheet.bytes())[0].get_textpage().get_text_bounded()
    assert stated == 12.0
    assert "12.00" in text
    assert "11.00" not in text


def test_a_mail_is_read_by_any_program() -> None:
    read = email.message_from_bytes(office.make_letter(), policy=default)
    assert read["Subject"] == "Überblick"
    assert read["In-Reply-To"] == "<1@b.example>"
    assert read["Message-ID"] == message_id("Ada <ada@a.example>", "Überblick", office.NOW)
    body = read.get_body(("plain",))
    assert body is not None
    assert body.get_content().strip() == "Hello"
    assert [part.get_filename() for part in read.iter_attachments()] == ["a.csv"]


def test_a_stale_copy_differs_in_some_numbers_only() -> None:
    rows: list[list[Any]] = [["a", "b"], ["x", 1], ["y", 2.5], ["z", 7]]
    old = age_rows(rows, random.Random(1), 2)
    assert rows[1:] == [["x", 1], ["y", 2.5], ["z", 7]]
    assert sum(cell != other for cell, other in zip(rows, old, strict=True)) == 2
    assert [row[0] for row in old] == ["a", "x", "y", "z"]


def test_people_and_companies_can_be_told_apart_and_a_near_duplicate_cannot_quite() -> None:
    rng = random.Random(3)
    people = names.make_people(rng, 30, "northwind.example")
    assert len({person.first for person in people}) == len({person.last for person in people}) == 30
    assert all(person.email.isascii() and person.email.endswith("@northwind.example") for person in people)
    assert len({company.name for company in names.make_companies(rng, 20)}) == 20
    for person in people:
        near = names.near_duplicate(rng, person.last)
        assert near != person.last
        assert abs(len(near) - len(person.last)) <= 1


def test_no_text_of_a_deck_is_as_large_as_its_title() -> None:
    deck = pptx.Presentation(io.BytesIO(office.make_deck()))
    styles = deck.slide_master._element.find("{*}txStyles")
    title = int(styles.find("{*}titleStyle/{*}lvl1pPr/{*}defRPr").get("sz"))
    sizes = [int(properties.get("sz")) for properties in styles.find("{*}bodyStyle").iter("{*}defRPr")]
    cover = deck.slide_layouts[0].placeholders[1]._element
    sizes += [int(element.get("sz")) for element in cover.iterfind(".//{*}lvl1pPr/{*}defRPr[@sz]")]
    assert len(sizes) == 10
    assert max(sizes) < title


def test_notes_of_a_document_have_the_styles_of_notes() -> None:
    with zipfile.ZipFile(io.BytesIO(office.make_paper())) as package:
        notes = package.read("word/footnotes.xml").decode()
    named = {style.style_id: style.name for style in docx.Document(io.BytesIO(office.make_paper())).styles}
    assert [named[style] for style in re.findall('w:[pr]Style w:val="(.*?)"', notes)][:2] == [
        "footnote text",
        "footnote reference",
    ]
