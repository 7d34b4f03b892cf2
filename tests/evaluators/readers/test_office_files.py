"""Readers of delivered office files, on files of several programs and on hostile ones."""

import datetime
import io
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation
from support import office as kits
from support.papers import write_commented_notes
from support.scale import select_drills

from yardkit.evaluators.checkpoints import EnvironmentInvalid, InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.readers.office.documents import Document, read_document
from yardkit.evaluators.readers.office.presentations import read_deck
from yardkit.evaluators.readers.office.visible_lists import find_unseen
from yardkit.evaluators.readers.office.workbooks import read_book, same_number_format
from yardkit.evaluators.readers.pages import rendered
from yardkit.evaluators.readers.pages.pdf import parse_pdf, read_pdf
from yardkit.evaluators.readers.web.html import read_html
from yardkit.evaluators.submission import Submission
from yardkit.kit.pages import libreoffice

READERS: list[tuple[str, Callable[[Submission, str], object]]] = [
    ("a.docx", read_document), ("a.xlsx", read_book), ("a.pptx", read_deck), ("a.pdf", read_pdf),
    ("a.docx", rendered.render_pages),
]  # fmt: skip


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    (tmp_path / "files").mkdir()
    (tmp_path / "scratch").mkdir()
    return Submission(tmp_path, scratch=tmp_path / "scratch")


def put_file(submission: Submission, name: str, data: bytes) -> str:
    (submission.files / name).write_bytes(data)
    return name


@pytest.fixture
def minutes(submission: Submission) -> Document:
    return read_document(submission, put_file(submission, "a.docx", kits.make_paper()))


def test_a_document_reads_as_with_its_changes_accepted_and_as_it_was(minutes: Document) -> None:
    assert "We spend 5 euros." in minutes.text
    assert "We spend 4 euros." in minutes.original
    assert [(change.kind, change.author, change.text) for change in minutes.changes] == [
        ("deleted", "Ada Berg", "4"),
        ("inserted", "Bo Lind", "5"),
    ]
    tracked = [run for paragraph in minutes.paragraphs for run in paragraph.runs if run.tracked]
    assert [(run.text, run.tracked, run.author) for run in tracked] == [
        ("4", "deleted", "Ada Berg"),
        ("5", "inserted", "Bo Lind"),
    ]


def test_headings_lists_tables_and_formats_are_told(minutes: Document) -> None:
    assert minutes.headings == [(1, "Decisions")]
    listed = {
        paragraph.text: (paragraph.list_kind, paragraph.list_id)
        for paragraph in minutes.paragraphs
        if paragraph.list_kind
    }
    assert listed["one"] == listed["two"] != listed["eins"]
    table = minutes.tables[0]
    assert table.rows == [["Item", "Euros"], ["Rent", "1,200"]]
    assert (table.header_rows, table.under, table.cells[0][0].fill) == (1, ("Decisions",), "1F3864")
    assert table.unsplit_rows == (False, False)
    run = next(run for paragraph in minutes.paragraphs for run in paragraph.runs if run.text == " for good")
    assert (run.look.bold, run.look.color, run.look.highlight, run.look.size_pt) == (True, "FF0000", "yellow", 11.0)
    assert run.look.font == "Calibri"
    heading = next(paragraph for paragraph in minutes.paragraphs if paragraph.level == 1)
    assert heading.look is not None
    assert heading.look.bold
    assert len(minutes.list_section("decisions")) == len(minutes.blocks) - 4


def test_comments_know_their_anchor_thread_and_state(minutes: Document) -> None:
    first, reply = minutes.comments
    assert (first.author, first.text, first.anchor, first.resolved) == ("Bo Lind", "Why?", "See this", True)
    assert (reply.author, reply.parent) == ("Ada", first.id)
    assert (first.at, reply.at) == ("See this", "See this")


def test_comments_without_text_stand_where_their_sign_is_and_lost_ones_nowhere(submission: Submission) -> None:
    import docx

    def without(*names: str) -> str:
        read = docx.Document(io.BytesIO(kits.make_paper()))
        for mark in [element for element in read.element.iter() if element.tag.endswith(names)]:
            mark.getparent().remove(mark)
        read.save(str(submission.files / "a.docx"))
        return read_document(submission, "a.docx").comments[0].at

    assert without("}commentRangeStart", "}commentRangeEnd") == "See this"
    assert without("}commentRangeStart", "}commentRangeEnd", "}commentReference") == ""


def test_hidden_letters_indents_and_what_cells_said_are_told(submission: Submission) -> None:
    import docx

    read = docx.Document(io.BytesIO(kits.make_paper()))
    format_ = read.styles["Normal"].paragraph_format
    format_.left_indent, format_.first_line_indent = docx.shared.Mm(20), docx.shared.Mm(-5)
    line = read.add_paragraph("Not for you.")
    line.runs[0].font.hidden = True
    read.save(str(submission.files / "a.docx"))
    last = read_document(submission, "a.docx").paragraphs[-1]
    assert last.look is not None
    assert (last.look.hidden, last.indent_mm) == (True, (20.0, -5.0))
    paper = kits.Paper("x", author="A", now=kits.NOW)
    paper.table([["Rate", [kits.Deleted("4", by="A"), kits.Inserted("5", by="A")]]])
    table = read_document(submission, put_file(submission, "b.docx", paper.bytes()))
    assert (table.text.strip(), table.original.strip()) == ("Rate\t5", "Rate\t4")


def test_notes_fields_pictures_links_and_pages_are_told(minutes: Document) -> None:
    assert [(note.kind, note.text) for note in minutes.notes] == [("footnote", "In 2025.")]
    assert {field.code.split()[0] for field in minutes.fields} == {"TOC", "PAGE"}
    assert next(field.result for field in minutes.fields if field.code.startswith("TOC")) == "Decisions\t1\nMoney\t2"
    assert [(picture.alt, picture.width_mm) for picture in minutes.pictures] == [("A gradient", 40.0)]
    assert {run.link for paragraph in minutes.paragraphs for run in paragraph.runs} == {"", "https://a.example"}
    assert [section.landscape for section in minutes.sections] == [False, True]
    assert minutes.sections[1].headers == {"default": "Confidential"}
    assert minutes.sections[0].footers == {"default": "Page {PAGE}"}
    assert minutes.properties["creator"] == "Ada Berg"


def test_a_paragraph_whose_end_is_deleted_runs_on(submission: Submission) -> None:
    paper = kits.Paper("x", author="A", now=kits.NOW)
    paper.add_paragraph("One", mark=kits.Deleted("", by="A"))
    paper.add_paragraph(" and two")
    paper.add_paragraph(kits.Deleted("gone", by="A"), mark=kits.Deleted("", by="A"))
    paper.add_paragraph("three")
    read = read_document(submission, put_file(submission, "a.docx", paper.bytes()))
    assert read.text == "One and two\nthree"
    assert read.original == "One\n and two\ngone\nthree"


def test_formats_of_cells_rules_charts_and_print_set_up_are_told(submission: Submission) -> None:
    workbook = openpyxl.load_workbook(io.BytesIO(kits.make_book()))
    sheet = workbook["Plan"]
    sheet["B5"].font, sheet["B5"].fill = Font(bold=True, color="FFAA0000"), PatternFill("solid", "FFEEEEEE")
    red = CellIsRule(operator="lessThan", formula=["0"], font=Font(color="FFFF0000"))
    sheet.conditional_formatting.add("B5:C6", red)
    valid = DataValidation(type="list", formula1='"a,b"', allow_blank=True)
    valid.add("D5:D9")
    sheet.add_data_validation(valid)
    sheet["C5"].comment = Comment("why?", "Ada")
    sheet.print_area, sheet.page_setup.orientation = "A1:C6", "landscape"
    sheet.sheet_properties.pageSetUpPr = openpyxl.worksheet.properties.PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToHeight = 0
    sheet.row_breaks.append(openpyxl.worksheet.pagebreak.Break(3))
    sheet.add_table(openpyxl.worksheet.table.Table(displayName="Costs", ref="H1:I4"))
    sheet["H1"], sheet["I1"] = "Item", "Cost"
    workbook.create_named_range = None
    workbook.defined_names["rate"] = openpyxl.workbook.defined_name.DefinedName("rate", attr_text="Plan!$B$5")
    buffer = io.BytesIO()
    workbook.save(buffer)
    read = read_book(submission, put_file(submission, "a.xlsx", buffer.getvalue()))
    grid = read.sheets["Plan"]
    look = grid.look("B5")
    assert (look.bold, look.color, look.fill, look.number_format) == (True, "AA0000", "EEEEEE", "#,##0.00")
    assert (grid.merged, grid.freeze, grid.landscape) == (("A1:C1", "B3:C3"), "A5", True)
    assert (grid.print_area, grid.fit_width, grid.fit_height, grid.breaks) == ("Plan!A1:C6", 1, 0, 1)
    assert [(rule.cells, rule.kind, rule.operator, rule.formulas) for rule in grid.rules] == [
        ("B5:C6", "cellIs", "lessThan", ("0",))
    ]
    assert [(validation.cells, validation.kind, validation.formulas[0]) for validation in grid.validations] == [
        ("D5:D9", "list", '"a,b"')
    ]
    assert grid.comments == {"C5": "why?"}
    assert grid.tables == {"Costs": "H1:I4"}
    assert (read.names, read.sheets["Old"].state) == ({"rate": "Plan!$B$5"}, "hidden")
    (chart,) = grid.charts
    assert (chart.kind, chart.title, chart.series[0].values_at) == ("bar", "Costs", "Plan!$B$5:$B$5")
    assert chart.place.startswith("E2:")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("#,##0.00", "#,##0.00_);(#,##0.00)", True),
        ("0%", "0.0%", False),
        ("General", "general", True),
        ('#,##0.00 "€"', "#,##0.00\\ [$€-407]", True),
        ("yyyy-mm-dd", "dd/mm/yyyy", False),
        ("#,##0", "0", False),
    ],
)
def test_number_formats_are_compared_by_what_they_show(first: str, second: str, same: bool) -> None:
    assert same_number_format(first, second) is same


def test_a_deck_tells_its_slides_shapes_charts_and_notes(submission: Submission) -> None:
    read = read_deck(submission, put_file(submission, "a.pptx", kits.make_deck()))
    assert read.titles == ["Review", "Highlights", "Revenue", "Regions", "Site"]
    assert [slide.layout for slide in read.slides][:2] == ["Title Slide", "Title and Content"]
    assert [(line.text, line.level) for line in read.slides[1].body] == [("Up", 0), ("by 12 %", 1)]
    assert read.slides[1].notes == "Say thanks."
    (chart,) = [shape.chart for shape in read.slides[2].of_kind("chart")]
    assert chart is not None
    assert [(series.name, series.values) for series in chart.series] == [("Plan", (3.0, 4.0)), ("Actual", (2.5, 4.4))]
    assert read.slides[3].of_kind("table")[0].table == (("Region", "Sales"), ("North", "12"))
    assert read.slides[4].of_kind("picture")[0].alt == "The site"
    assert (read.colors["accent1"], read.fonts["major"]) == ("0B6E4F", "Calibri")
    assert [read.off_slide(slide) for slide in read.slides] == [[]] * 5


def test_members_of_groups_and_shapes_off_the_slide_are_found(submission: Submission) -> None:
    from pptx.util import Mm

    deck = kits.Deck("x", "A", kits.NOW)
    slide = deck.add_slide("Blank")
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(Mm(10), Mm(20), Mm(30), Mm(10)).text_frame.text = "inside"
    group.left = Mm(100)
    slide.shapes.add_textbox(Mm(330), Mm(20), Mm(30), Mm(10)).text_frame.text = "beyond"
    read = read_deck(submission, put_file(submission, "a.pptx", deck.bytes()))
    inside = next(shape for shape in read.slides[0].shapes if shape.text == "inside")
    assert inside.box_mm == pytest.approx((100, 20, 30, 10), abs=0.1)
    assert [shape.text for shape in read.off_slide(read.slides[0])] == ["beyond"]


def test_a_list_is_seen_unless_some_of_it_is_hidden_white_or_formatted_away(submission: Submission) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    sheet.title = "List"
    for row in (["Name", "Day"], ["Ada", datetime.date(2026, 3, 1)], ["Bo", datetime.date(2026, 3, 2)]):
        sheet.append(row)
    workbook.save(submission.files / "a.xlsx")
    assert find_unseen(submission, "a.xlsx", "List") == []
    sheet["A2"].font = Font(color="FFFFFFFF")
    sheet["B2"].number_format = "mmmm"
    sheet["A3"].number_format = ";;;"
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["B"].hidden = True
    workbook.create_sheet("More")
    workbook.save(submission.files / "a.xlsx")
    unseen_text = " ".join(find_unseen(submission, "a.xlsx", "List"))
    for part in ("'More'", "row 3 is", "column B is", "A2 has the colour", "B2 does not show", "A3 is formatted away"):
        assert part in unseen_text
    assert find_unseen(submission, "a.xlsx", "Lost")[-1] == "there is no sheet 'Lost'"


def test_a_page_of_html_reads_as_a_browser_shows_it(submission: Submission) -> None:
    page = b"""<html lang=en><title>A  page</title><style>p{}</style><h1>Top</h1><p>One <b>bold</b>
      word<p hidden>not seen<table><tr><th>a<th>b<tr><td>1<td>2</table><a href=x.html>go</a><img src=a.png alt="A">
      <script src=s.js>var x</script>"""
    read = read_html(submission, put_file(submission, "a.html", page))
    assert (read.title, read.language, read.headings) == ("A page", "en", ((1, "Top"),))
    assert "One bold word" in read.text
    assert "not seen" not in read.text
    assert "var x" not in read.text
    assert read.tables == ((("a", "b"), ("1", "2")),)
    assert (read.links, read.pictures) == ((("go", "x.html"),), (("a.png", "A"),))
    assert read.loads == ("a.png", "s.js")


@pytest.mark.parametrize(("name", "read"), READERS)
def test_what_cannot_be_read_is_the_file_s_fault(
    submission: Submission, name: str, read: Callable[[Submission, str], object]
) -> None:
    with pytest.raises(InsufficientEvidence):
        read(submission, name)
    original_bytes = {
        "a.docx": kits.make_paper,
        "a.xlsx": kits.make_book,
        "a.pptx": kits.make_deck,
        "a.pdf": kits.make_sheet,
    }[name]()
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"\0" * 50_000_000)
    for data in (b"", b"\x7fELF" + bytes(200), original_bytes[: len(original_bytes) // 3], bomb.getvalue()):
        put_file(submission, name, data)
        with pytest.raises(InvalidArtifact):
            read(submission, name)


def test_entities_are_refused(submission: Submission) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(kits.make_paper())) as source, zipfile.ZipFile(target, "w") as damaged_archive:
        for name in source.namelist():
            data = source.read(name)
            if name == "word/document.xml":
                data = data.replace(b"?>", b'?><!DOCTYPE x [<!ENTITY a "aa">]>', 1)
            damaged_archive.writestr(name, data)
    with pytest.raises(InvalidArtifact, match="DTD"):
        read_document(submission, put_file(submission, "a.docx", target.getvalue()))


def test_notes_are_seen_as_they_are_beside_comments(submission: Submission, tmp_path: Path) -> None:
    write_commented_notes(tmp_path / "a.docx")
    text = rendered.render_pages(submission, put_file(submission, "a.docx", (tmp_path / "a.docx").read_bytes())).text
    assert text.index("Note 1") < text.index("Note 2")


@pytest.mark.parametrize(
    ("name", "make"),
    [("a.pptx", kits.make_deck), *select_drills(("a.docx", kits.make_paper), ("a.xlsx", kits.make_book))],
)
def test_a_file_is_seen_as_it_is_printed_and_printed_once(
    submission: Submission, name: str, make: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = rendered.render_pages(submission, put_file(submission, name, make()))
    assert seen.pages
    assert rendered.find_tofu(seen) == []
    assert rendered.find_outside(seen.pages[0]) == []
    assert rendered.draw_printed(submission, name, 1).std() > 1
    monkeypatch.setenv("PATH", "/nowhere")
    assert rendered.render_pages(submission, name).text == seen.text
    with pytest.raises(InvalidArtifact, match="no page 99"):
        rendered.draw_printed(submission, name, 99)


def test_a_document_breaks_into_the_lines_and_pages_that_the_agent_saw(submission: Submission, tmp_path: Path) -> None:
    import docx

    paper, text = docx.Document(), "What is printed in one font is as long in no other font. " * 40
    for family in ("Times New Roman", "Arial", "Calibri", "Cambria", "Courier New", "Georgia", "Nobody Has This"):
        paper.add_paragraph().add_run(text).font.name = family
    paper.save(str(submission.files / "a.docx"))
    libreoffice.convert_file(submission.files / "a.docx", tmp_path / "seen.pdf")
    seen, printed = parse_pdf(tmp_path / "seen.pdf").pages, rendered.render_pages(submission, "a.docx").pages
    assert len(seen) > 2
    assert [page.words for page in printed] == [page.words for page in seen]


def test_a_column_that_is_too_narrow_is_seen(submission: Submission) -> None:
    book = kits.Book(kits.NOW)
    book.sheet("A", [["Sum"], [123456789.25]], formats={0: "#,##0.00"}, widths={0: 4})
    seen = rendered.render_pages(submission, put_file(submission, "a.xlsx", book.bytes()))
    assert rendered.find_cut_cells(seen) == ["page 1: ###"]


def test_a_machine_without_libreoffice_is_not_the_agent_s_fault(
    submission: Submission, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    put_file(submission, "a.docx", kits.make_paper())
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        with pytest.raises(EnvironmentInvalid, match="LibreOffice is not installed"):
            rendered.render_pages(submission, "a.docx")
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "soffice").write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    (tools / "soffice").chmod(0o755)
    for tool in ("timeout", "sh", "bwrap", "true"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    monkeypatch.setenv("PATH", str(tools))
    with pytest.raises(EnvironmentInvalid, match="broken"):
        rendered.render_pages(submission, "a.docx")


@pytest.mark.drill
def test_a_slide_is_rendered_alone_and_once_for_decks_that_share_it(submission: Submission, tmp_path: Path) -> None:
    import pptx

    name = put_file(submission, "a.pptx", kits.make_deck())
    page = rendered.render_slides(submission, name, [2, 3])[2]
    assert "Highlights" in page.text
    assert "Regions" not in page.text
    assert page.text == rendered.render_pages(submission, name).pages[1].text
    read = pptx.Presentation(str(submission.files / name))
    read.slides[3].shapes.title.text = "Other regions"
    read.slides[1]._element.set("show", "0")
    read.save(str(submission.files / name))
    folder = rendered.get_scratch_folder(submission) / "slides"
    before = len(list(folder.iterdir()))
    assert rendered.render_slides(submission, name, [2])[2] == page
    assert len(list(folder.iterdir())) == before
    assert "Other regions" in rendered.render_slides(submission, name, [4])[4].text
    with pytest.raises(InvalidArtifact, match="no slide 9"):
        rendered.render_slides(submission, name, [9])
    box = page.find("Highlights")[0]
    picture = rendered.draw_slide(submission, name, 2, 3.0)
    assert 4 < rendered.measure_contrast(picture, box, 3.0) < 21
    assert rendered.measure_contrast(picture, (300, 300, 320, 320), 3.0) == pytest.approx(1.0)


def test_a_page_break_that_is_turned_off_is_none(tmp_path: Path) -> None:
    read = docx.Document()
    for is_on in (True, False):
        read.add_paragraph("Text").paragraph_format.page_break_before = is_on
    (tmp_path / "files").mkdir()
    read.save(str(tmp_path / "files" / "a.docx"))
    assert [paragraph.page_break for paragraph in read_document(Submission(tmp_path), "a.docx").paragraphs] == [
        True,
        False,
    ]


def test_what_was_read_of_a_file_serves_its_copies_while_it_stays_what_it_is(
    submission: Submission, tmp_path: Path
) -> None:
    original = openpyxl.Workbook()
    original.save(submission.files / "a.xlsx")
    copy = Submission(tmp_path / "copy")
    shutil.copytree(submission.files, copy.files)
    read = read_book(submission, "a.xlsx")
    assert read_book(copy, "a.xlsx") is read
    original.create_sheet("Spoilt")
    original.save(submission.files / "a.xlsx")
    assert [*read_book(submission, "a.xlsx").sheets] == ["Sheet", "Spoilt"]
    assert [*read_book(copy, "a.xlsx").sheets] == ["Sheet"]
