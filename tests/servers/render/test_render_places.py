"""Places on turned and cropped pages are those of the page as shown."""

from pathlib import Path
from typing import Any

import openpyxl
import pikepdf
import pytest
from openpyxl.styles import PatternFill
from reportlab.pdfgen.canvas import Canvas
from support.answers import Call, list_pictures, read_facts, read_text


@pytest.mark.parametrize("crop", [(0, 0, 600, 400), (50, -120, 350, 160)])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_text_is_placed_on_the_page_as_shown_and_not_over_its_edge(
    files: Path, call: Call, turn: int, crop: tuple[int, int, int, int]
) -> None:
    canvas = Canvas(str(files / "plain.pdf"), pagesize=(600, 400))
    canvas.setFont("Helvetica", 20)
    canvas.drawString(crop[0] + 40, crop[1] + 60, "Marker")
    canvas.save()
    with pikepdf.open(files / "plain.pdf") as pdf:
        pdf.pages[0].mediabox = [-100, -200, 600, 400]
        pdf.pages[0].cropbox = list(crop)
        pdf.pages[0].Rotate = turn
        pdf.save(files / "turned.pdf")
    (place,) = read_facts(call("find_on_pages", path="turned.pdf", query="Marker"))["places"]
    (page_picture,) = list_pictures(call("render_pages", path="turned.pdf", dpi=72))
    left, top, right, bottom = (
        page_picture.convert("L").point(lambda grey: 255 if grey < 128 else 0).getbbox() or (0,) * 4
    )
    assert place["box"] == pytest.approx([left, top, right, bottom], abs=2.5)
    assert "findings" not in read_facts(call("check_pages", path="turned.pdf"))


def test_a_text_beyond_the_crop_box_is_over_the_edge(files: Path, call: Call) -> None:
    canvas = Canvas(str(files / "plain.pdf"), pagesize=(600, 400))
    canvas.drawString(20, 200, "Cut off")
    canvas.drawString(300, 200, "Shown")
    canvas.save()
    with pikepdf.open(files / "plain.pdf", allow_overwriting_input=True) as pdf:
        pdf.pages[0].cropbox = [100, 100, 500, 300]
        pdf.save(files / "plain.pdf")
    (finding,) = read_facts(call("check_pages", path="plain.pdf"))["findings"]
    assert (finding["kind"], finding["text"]) == ("over the edge", "Cut off")
    assert finding["box"][0] == pytest.approx(-80, abs=2)


def test_a_range_in_which_nothing_is_seen_is_told(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    book.active["B2"] = "seen"
    book.active.row_dimensions[4].hidden = True
    book.active["A4"] = "hidden"
    book.create_sheet("Later")
    book.save(files / "b.xlsx")
    message = read_text(call("render_range", path="b.xlsx", range="D10:F20"))
    assert message.startswith("nothing is visible in D10:F20 of sheet 'Sheet', which is empty")
    assert "A1 of sheet 'Later', which is empty" in read_text(call("render_range", path="b.xlsx", sheet="Later"))
    assert "hidden rows or columns" in read_text(call("render_range", path="b.xlsx", range="A4:C4"))
    assert list_pictures(call("render_range", path="b.xlsx", range="B2:B3"))


def test_a_note_does_not_hide_the_cells_beside_it(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    book.active["B3"] = "noted"
    book.save(files / "plain.xlsx")
    book.active["B3"].comment = openpyxl.comments.Comment("check this", "Anna")
    book.save(files / "noted.xlsx")
    bare_picture, noted = (
        list_pictures(call("render_range", path=f"{name}.xlsx", range="A1:D4"))[0] for name in ("plain", "noted")
    )
    assert (255, 255, 0) not in {color for _, color in noted.convert("RGB").getcolors(100_000) or []}
    assert noted.size == bare_picture.size


def test_a_range_that_holds_only_colours_is_shown(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = "Plan"
    for place in ("C3", "D4"):
        book.active[place].fill = PatternFill("solid", fgColor="FFCC00")
    book.save(files / "gantt.xlsx")
    (range_picture,) = list_pictures(call("render_range", path="gantt.xlsx", range="C3:E5", headings=False))
    colors: dict[Any, int] = {color: count for count, color in range_picture.convert("RGB").getcolors(100_000) or []}
    assert colors[255, 204, 0] > 1000
