"""Pages of all kinds of files as pictures, compared, checked, converted."""

import re
import shutil
import time
from pathlib import Path

import docx
import numpy as np
import openpyxl
import PIL.Image
import pptx
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.chart import BarChart, Reference
from pptx.util import Inches, Pt
from support.answers import Call, list_pictures, read_facts, read_text
from support.papers import write_commented_notes
from support.scale import select_drills

from yardkit.servers.render.engine.selection import group_runs, pages_of
from yardkit.world import Problem

KINDS = ["a.docx", "a.xlsx", "a.pptx", "a.csv", "a.md", "a.html", "a.txt", "a.svg", "a.png", "a.pdf"]


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_file_is_shown(everything: Path, call: Call, name: str) -> None:
    answer = call("render_pages", path=name)
    assert not answer.is_error, read_text(answer)
    (picture,) = list_pictures(answer)
    assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 1 or name == "a.png"
    assert read_facts(answer)["pages"] == [1]
    assert "data" not in read_facts(answer)


@pytest.mark.parametrize(
    "name", ["a.docx", "a.xlsx", "a.pptx", "a.csv", "a.md", "a.txt", "a.pdf", *select_drills("a.html", "a.svg")]
)
def test_the_text_of_every_kind_of_file_is_found_on_its_page(everything: Path, call: Call, name: str) -> None:
    matches = read_facts(call("find_on_pages", path=name, query="quarterly"))
    assert matches["total"] >= 1
    x_min, y_min, x_max, y_max = matches["places"][0]["box"]
    assert 0 <= x_min < x_max
    assert 0 <= y_min < y_max


def test_formulas_and_footnotes_of_markdown_are_set(files: Path, call: Call) -> None:
    (files / "g.md").write_text("It grows as $\\frac{a}{b}$ and costs $5.[^1]\n\n[^1]: In 2026.\n")
    assert read_facts(call("find_on_pages", path="g.md", query="frac"))["total"] == 0
    for text in ("costs $5.", "In 2026."):
        assert read_facts(call("find_on_pages", path="g.md", query=text))["total"] == 1


def test_a_text_that_was_found_is_shown_by_its_box(everything: Path, call: Call) -> None:
    box = read_facts(call("find_on_pages", path="a.docx", query="Quarterly", match_case=True))["places"][0]["box"]
    (picture,) = list_pictures(call("render_pages", path="a.docx", box=box, dpi=144))
    assert picture.width == pytest.approx(2 * (box[2] - box[0]), abs=2)
    assert min(picture.convert("L").tobytes()) < 160
    beside = [box[0], box[3] + 40, box[2], box[3] + 60]
    (empty,) = list_pictures(call("render_pages", path="a.docx", box=beside, dpi=144))
    assert set(empty.convert("L").tobytes()) == {255}


def test_several_pages_come_in_order_and_missing_ones_are_refused(everything: Path, call: Call) -> None:
    answer = call("render_pages", path="a.pptx", pages="3,1-2", dpi=40)
    assert len(list_pictures(answer)) == 3
    assert read_facts(answer)["pages"] == [1, 2, 3]
    refused = call("render_pages", path="a.pptx", pages="4")
    assert refused.is_error
    assert "the file has 3 pages" in read_text(refused)
    unread = call("render_pages", path="a.pptx", pages="x")
    assert "use '3', '2-4,7'" in read_text(unread)


def test_a_hidden_slide_keeps_its_number(everything: Path, call: Call) -> None:
    deck = pptx.Presentation(str(everything / "a.pptx"))
    deck.slides[1]._element.set("show", "0")
    deck.save(str(everything / "hidden.pptx"))
    before = read_facts(call("list_pages", path="a.pptx"))
    assert read_facts(call("list_pages", path="hidden.pptx")) == before
    (slide_picture,) = list_pictures(call("render_pages", path="hidden.pptx", pages="3", dpi=40))
    (third,) = list_pictures(call("render_pages", path="a.pptx", pages="3", dpi=40))
    assert slide_picture.tobytes() == third.tobytes()


@pytest.mark.drill
def test_the_second_page_of_an_open_document_is_quick(everything: Path, call: Call) -> None:
    call("render_pages", path="a.docx")
    times = []
    for page in ("2", "1", "2"):
        start = time.perf_counter()
        assert not call("render_pages", path="a.docx", pages=page).is_error
        times.append(time.perf_counter() - start)
    assert min(times) < 0.5


def test_fonts_that_were_replaced_are_named_in_the_result(everything: Path, call: Call) -> None:
    document = docx.Document()
    document.add_paragraph("x").add_run("y").font.name = "Nobody Has This"
    document.save(str(everything / "fonts.docx"))
    assert "Nobody Has This -> " in read_facts(call("render_pages", path="fonts.docx"))["fonts_replaced"][-1]
    assert read_facts(call("list_fonts", path="fonts.docx"))["fonts"][-1]["replaced"] is True


def test_pages_are_listed_with_sizes_and_words(everything: Path, call: Call) -> None:
    listed = read_facts(call("list_pages", path="a.docx"))
    assert listed["page_count"] == 2
    assert listed["pages"][1]["text"] == "Second page"
    assert listed["pages"][0]["width_mm"] == pytest.approx(215.9, abs=0.2)
    book = read_facts(call("list_pages", path="a.xlsx"))
    assert book["sheets"] == ["Sheet"]
    part = read_facts(call("list_pages", path="a.pptx", offset=1, limit=1))
    assert (part["pages"][0]["page"], part["next_offset"]) == (2, 2)


def test_a_range_is_one_picture_whatever_the_print_set_up(everything: Path, call: Call) -> None:
    with_letters = list_pictures(call("render_range", path="a.xlsx", range="A1:B3"))[0]
    bare = list_pictures(call("render_range", path="a.xlsx", range="A1:B3", headings=False))[0]
    assert bare.width < with_letters.width < 400
    wrong = call("render_range", path="a.xlsx", sheet="Nope")
    assert "its sheets: Sheet" in read_text(wrong)
    assert "has no sheets" in read_text(call("render_range", path="a.docx"))


def test_a_sheet_is_shown_with_the_chart_below_its_cells(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Price", 12])
    chart = BarChart()
    chart.add_data(Reference(book.active, min_col=2, min_row=1, max_row=1))
    book.active.add_chart(chart, "B4")
    book.save(files / "chart.xlsx")
    (sheet_picture,) = list_pictures(call("render_range", path="chart.xlsx", headings=False, dpi=72))
    assert sheet_picture.width > chart.width / 2.54 * 72
    assert sheet_picture.height > chart.height / 2.54 * 72
    (part,) = list_pictures(call("render_range", path="chart.xlsx", range="A1:B1", headings=False, dpi=72))
    assert part.height < 30


def test_a_page_alone_on_a_contact_sheet_is_as_sharp_as_the_page(everything: Path, call: Call) -> None:
    (sheet,) = list_pictures(call("render_contact_sheet", path="a.pdf", pages="1", width_px=1300))
    (page,) = list_pictures(call("render_pages", path="a.pdf", dpi=1272 / 8.5))
    share = abs(np.asarray(sheet.crop((14, 14, 1286, 14 + page.height)), int) - np.asarray(page, int)).mean()
    assert share < 0.02


def test_a_contact_sheet_shows_all_pages(everything: Path, call: Call) -> None:
    answer = call("render_contact_sheet", path="a.pptx", per_row=3, width_px=600)
    (sheet,) = list_pictures(answer)
    assert sheet.width == 600
    assert read_facts(answer)["pages"] == [1, 2, 3]
    assert read_facts(answer)["page_count"] == 3


def test_equal_files_do_not_differ_and_a_changed_word_is_boxed(everything: Path, call: Call) -> None:
    shutil.copyfile(everything / "a.pptx", everything / "b.pptx")
    same = read_facts(call("compare_pages", path="a.pptx", other="b.pptx"))
    assert (same["compared"], same["changes"]) == (3, [])
    deck = pptx.Presentation(str(everything / "b.pptx"))
    deck.slides[1].shapes.title.text = "Monthly 2"
    deck.save(str(everything / "b.pptx"))
    answer = call("compare_pages", path="a.pptx", other="b.pptx")
    (change,) = read_facts(answer)["changes"]
    assert change["page"] == 2
    title = read_facts(call("find_on_pages", path="a.pptx", query="Quarterly 2"))["places"][0]["box"]
    assert min(box[0] for box in change["boxes_pt"]) == pytest.approx(title[0], abs=15)
    assert max(box[3] for box in change["boxes_pt"]) == pytest.approx(title[3], abs=25)
    (picture,) = list_pictures(answer)
    assert any(r > 200 and g < 60 and b < 60 for _, (r, g, b) in picture.convert("RGB").getcolors(1 << 24))  # type: ignore[misc]


def test_files_of_other_length_and_kind_are_compared_as_far_as_they_go(everything: Path, call: Call) -> None:
    answer = call("compare_pages", path="a.docx", other="a.pdf")
    assert (read_facts(answer)["compared"], read_facts(answer)["changes"]) == (2, [])
    longer = read_facts(call("compare_pages", path="a.docx", other="a.pptx"))
    assert (longer["pages_before"], longer["pages_after"], longer["compared"]) == (2, 3, 2)


def test_what_looks_wrong_is_found_with_its_place(everything: Path, call: Call) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for left, top, text, size in (
        (6.0, 1, "Far over the edge of it", 44),
        (1, 3, "Under all", 40),
        (1.3, 3.1, "Over it", 40),
    ):
        box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(6), Inches(1))
        box.text_frame.text = text
        box.text_frame.paragraphs[0].runs[0].font.size = Pt(size)
    small = slide.shapes.add_textbox(Inches(1), Inches(6), Inches(6), Inches(1))
    small.text_frame.text = "small print"
    small.text_frame.paragraphs[0].runs[0].font.size = Pt(4)
    deck.slides.add_slide(deck.slide_layouts[6])
    deck.save(str(everything / "bad.pptx"))
    findings = read_facts(call("check_pages", path="bad.pptx"))["findings"]
    kinds = {(finding["page"], finding["kind"]) for finding in findings}
    assert kinds == {(1, "over the edge"), (1, "texts overlap"), (1, "tiny text"), (2, "empty page")}
    sheet = read_facts(call("check_pages", path="a.xlsx"))["findings"]
    assert [finding["kind"] for finding in sheet] == ["column too narrow"]
    assert "findings" not in read_facts(call("check_pages", path="a.docx"))


def test_chosen_pages_become_a_pdf(everything: Path, call: Call) -> None:
    answer = call("convert_to_pdf", path="a.pptx", target="out/two.pdf", pages="2-3")
    assert read_facts(answer)["done"] == "Wrote 2 pages"
    assert read_facts(answer)["files"][0]["path"] == "out/two.pdf"
    document = pypdfium2.PdfDocument(everything / "out" / "two.pdf")
    assert "Quarterly 3" in document[1].get_textpage().get_text_range()
    sheets = call("convert_to_pdf", path="a.xlsx", target="out/sheets.pdf", whole_sheets=True)
    assert "Wrote 1 page" in read_text(sheets)


def test_hidden_sheets_are_not_among_the_whole_sheets_of_a_pdf(call: Call, files: Path) -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = "first"
    for name in ("secret", "last"):
        book.create_sheet(name)["A1"] = name
    book["secret"].sheet_state = "hidden"
    book.save(files / "hidden.xlsx")
    assert "Wrote 2 pages" in read_text(call("convert_to_pdf", path="hidden.xlsx", target="h.pdf", whole_sheets=True))
    document = pypdfium2.PdfDocument(files / "h.pdf")
    assert [page.get_textpage().get_text_range() for page in document] == ["first", "last"]


@pytest.mark.parametrize(
    ("name", "target"),
    [
        *(("a.docx", "b.odt"), ("a.docx", "b.txt"), ("a.xlsx", "b.csv"), ("a.md", "b.docx"), ("a.html", "b.pdf")),
        *(("a.pptx", "b.png"), ("a.png", "b.jpg"), ("a.png", "b.pdf"), ("a.txt", "b.docx"), ("a.csv", "b.xlsx")),
        *select_drills(("a.pptx", "b.odp"), ("a.md", "b.html"), ("a.svg", "b.pdf"), ("a.html", "b.png")),
    ],
)
def test_files_are_converted(everything: Path, call: Call, name: str, target: str) -> None:
    answer = call("convert_file", path=name, target=target)
    assert not answer.is_error, read_text(answer)
    if not target.endswith((".png", ".jpg")) and name != "a.png":
        assert read_facts(call("find_on_pages", path=target, query="Quarterly"))["total"] >= 1
    else:
        assert not call("render_pages", path=target).is_error


def test_a_range_is_shown_where_the_cells_reach_the_last_column(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append([1, 2])
    sheet["XFD1"] = 3
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=1, max_col=2, min_row=1))
    sheet.add_chart(chart, "XEZ3")
    for column in sheet.iter_cols(min_col=3, max_col=16_383, max_row=1):
        sheet.column_dimensions[column[0].column_letter].hidden = True
    book.save(files / "wide.xlsx")
    answer = call("render_range", path="wide.xlsx", dpi=72)
    assert not answer.is_error, read_text(answer)


def test_a_drawing_becomes_a_picture_of_its_size(everything: Path, call: Call) -> None:
    call("convert_file", path="a.svg", target="drawing.png")
    with PIL.Image.open(everything / "drawing.png") as picture:
        assert picture.width / picture.height == pytest.approx(3, abs=0.05)
        assert picture.convert("RGB").getpixel((picture.width - 3, picture.height - 3)) == (0, 128, 128)


def test_formulas_of_markdown_are_left_as_latex_in_word_and_it_is_told(files: Path, call: Call) -> None:
    (files / "f.md").write_text("Between $\\Delta T = 25$ and\n\n$$a<b$$\n")
    answer = read_facts(call("convert_file", path="f.md", target="f.docx"))
    assert "here they are LaTeX" in answer["done"]
    text = " ".join(paragraph.text for paragraph in docx.Document(str(files / "f.docx")).paragraphs)
    assert r"Between \Delta T = 25 and" in text
    assert "a<b" in text


def test_markdown_keeps_its_font_and_the_rules_of_its_tables_in_word(everything: Path, call: Call) -> None:
    call("convert_file", path="a.md", target="b.docx")
    document = docx.Document(str(everything / "b.docx"))
    fonts = set(re.findall('w:ascii="(.*?)"', document.styles.element.xml + document.element.xml))
    assert "Arial" in fonts
    assert not [font for font in fonts if ";" in font], "the name of no font"
    assert document.paragraphs[0].style.font.name == "Arial"
    assert "<w:tcBorders>" in document.tables[0]._tbl.xml


def test_a_conversion_says_that_it_leaves_comments_out(files: Path, call: Call) -> None:
    write_commented_notes(files / "a.docx")
    assert "without the comments" in read_text(call("convert_file", path="a.docx", target="b.odt"))
    assert read_facts(call("find_on_pages", path="b.odt", query="Note 2"))["total"] == 1


def test_a_text_of_another_kind_under_the_name_of_a_document_is_converted(files: Path, call: Call) -> None:
    (files / "a.docx").write_bytes(b"{\\rtf1 Hello}")
    answer = call("convert_file", path="a.docx", target="b.odt")
    assert not answer.is_error, read_text(answer)
    assert "without the comments" not in read_text(answer)


def test_a_conversion_that_is_not_possible_leaves_the_target_alone(everything: Path, call: Call) -> None:
    (everything / "b.csv").write_text("mine")
    answer = call("convert_file", path="a.pptx", target="b.csv")
    assert answer.is_error
    assert "'a.pptx' cannot be converted to .csv" in read_text(answer)
    assert (everything / "b.csv").read_text() == "mine"
    assert "would overwrite itself" in read_text(call("convert_to_pdf", path="a.pdf", target="a.pdf"))


@pytest.mark.parametrize("name", ["a.pptx", "a.png", "a.pdf", *select_drills("a.md")])
def test_a_file_becomes_all_that_is_said_to_be_possible(everything: Path, call: Call, name: str) -> None:
    refused = read_text(call("convert_file", path=name, target="b.xyz"))
    assert f"{name!r} cannot be converted to .xyz; use one of" in refused
    possible = refused.rsplit("use one of ", 1)[1].split(", ")
    assert {"pdf", "png", "jpg", "jpeg", "webp", "gif", "tif", "tiff", "bmp"} <= set(possible)
    for suffix in possible:
        answer = call("convert_file", path=name, target=f"made.{suffix}")
        assert not answer.is_error, read_text(answer)
        assert (everything / f"made.{suffix}").stat().st_size


def test_pages_are_exported_as_files(everything: Path, call: Call) -> None:
    answer = call("export_pages", path="a.pptx", folder="pics", pages="2-", dpi=40, format="jpeg")
    assert read_facts(answer)["paths"] == ["pics/a-2.jpg", "pics/a-3.jpg"]
    assert list_pictures(call("render_pages", path="pics/a-2.jpg"))[0].width == 400


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("x.pdf", b"hello", "is not a valid PDF"),
        ("x.docx", b"hello", "is not a valid .docx file"),
        ("x.png", b"hello", "is not a picture"),
        ("x.md", b"\xff\xfe\xff", "cannot be read as utf-16 text"),
        ("x.txt", b"\x00\x01\x02\xff\x00", "is binary, not text"),
        ("x.zip", b"PK\x03\x04", "not a readable package"),
    ],
)
def test_bad_files_are_named_with_the_reason(files: Path, call: Call, name: str, data: bytes, words: str) -> None:
    (files / name).write_bytes(data)
    answer = call("render_pages", path=name)
    assert answer.is_error
    assert f"'{name}'" in read_text(answer)
    assert words in read_text(answer)


@given(st.sets(st.integers(1, 40), min_size=1))
def test_pages_written_as_runs_mean_the_same_pages(numbers: set[int]) -> None:
    ordered = sorted(numbers)
    text = ",".join(f"{first}-{last}" if last > first else str(first) for first, last in group_runs(ordered))
    assert pages_of(text, 40, 40) == ordered


@pytest.mark.parametrize("text", ["", "0", "2-1", "1-", "a", "1--2", "-3", "41", "1;2"])
def test_pages_that_cannot_be_meant_are_refused(text: str) -> None:
    if text == "1-":
        assert pages_of(text, 3, 40) == [1, 2, 3]
    else:
        with pytest.raises(Problem, match="page"):
            pages_of(text, 40, 40)


@pytest.mark.parametrize(("name", "kind"), [("deep.png", "uint16"), ("deep.tif", "uint16"), ("real.tif", "float32")])
def test_pictures_of_deep_greys_show_all_their_shades(files: Path, call: Call, name: str, kind: str) -> None:
    shades = np.linspace(0, 65535 if kind == "uint16" else 1, 256).reshape(1, 256).repeat(20, 0)
    PIL.Image.fromarray(shades.astype(kind)).save(files / name)
    (picture,) = list_pictures(call("render_pages", path=name))
    row = list(picture.convert("L").crop((0, 0, 256, 1)).tobytes())
    assert row == pytest.approx(list(range(256)), abs=1)


def test_a_page_that_does_not_say_its_encoding_is_read_as_what_it_is(files: Path, call: Call) -> None:
    (files / "plain.html").write_text("<h1>Größe 漢字</h1>", "utf-8")
    (files / "old.html").write_bytes("<h1>Größe</h1>".encode("cp1252"))
    assert read_facts(call("find_on_pages", path="plain.html", query="Größe 漢字"))["total"] == 1
    assert read_facts(call("find_on_pages", path="old.html", query="Größe"))["total"] == 1


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-8-sig"])
@pytest.mark.parametrize("name", ["t.txt", "t.csv"])
def test_a_text_in_another_encoding_is_read_as_what_it_is(files: Path, call: Call, name: str, encoding: str) -> None:
    (files / name).write_bytes("Größe, Menü\n".encode(encoding))
    assert read_facts(call("find_on_pages", path=name, query="Menü"))["total"] == 1
    assert (files / name).read_bytes() == "Größe, Menü\n".encode(encoding)


@pytest.mark.parametrize("name", ["a.docx", "a.png"])
def test_what_is_only_called_a_pdf_is_shown_as_what_it_is(everything: Path, call: Call, name: str) -> None:
    shutil.copy(everything / name, everything / "called.pdf")
    assert len(list_pictures(call("render_pages", path="called.pdf"))) == 1


def test_pictures_that_a_conversion_leaves_out_are_told(files: Path, call: Call) -> None:
    shots = [PIL.Image.new("RGB", (60, 40), color) for color in ("red", "green", "blue")]
    shots[0].save(files / "moving.gif", save_all=True, append_images=shots[1:], duration=100)
    answer = read_facts(call("convert_file", path="moving.gif", target="still.png"))
    assert answer["done"] == "Converted 'moving.gif' (Not kept: all 3 frames (only frame 1 is in the result).)"


@pytest.mark.parametrize("reference", ["ZZ", "A0", "no range"])
def test_what_is_no_range_is_told_with_how_to_write_one(everything: Path, call: Call, reference: str) -> None:
    answer = call("render_range", path="a.xlsx", range=reference)
    assert (
        read_text(answer)
        == f"{reference!r} is not a range of 'a.xlsx'; write one such as A1:F30, or the name of a range"
    )
