"""Tables as a reader sees them: turned, struck twice, without glyphs for spaces, on grounds, beside each other."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from reportlab.lib import colors
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import SimpleDocTemplate, Table

Ok = Callable[..., Any]
ROWS = [["No", "Text"], ["1", "Bio\nlong text"], ["2", "Art"]]


def rows_of(ok: Ok, **arguments: Any) -> list[list[list[str]]]:
    return [table["rows"] for table in ok("read_pdf_tables", path="a.pdf", **arguments)["tables"]]


def draw_ruled_table(canvas: Canvas, left: float, top: float, rows: list[list[str]], width: float = 100) -> None:
    for line in range(len(rows) + 1):
        canvas.line(left, top - line * 16, left + width * len(rows[0]), top - line * 16)
    for line in range(len(rows[0]) + 1):
        canvas.line(left + line * width, top, left + line * width, top - 16 * len(rows))
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            canvas.drawString(left + 4 + column * width, top - 12 - number * 16, text)


@pytest.mark.parametrize("size", [6, 10, 14])
def test_words_without_glyphs_between_them_stay_words(ok: Ok, files: Path, size: int) -> None:
    rows = [["Payee name", "Service dates"], ["Smith Alvaro R", "Jan to Mar"]]
    canvas = Canvas(str(files / "a.pdf"), pagesize=(400, 300))
    draw_ruled_table(canvas, 50, 280, [["", ""], ["", ""]], 120)
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            x = 54.0 + column * 120
            for word in text.split():
                canvas.setFont("Helvetica", size)
                canvas.drawString(x, 268 - number * 16, word)
                x += stringWidth(word + " ", "Helvetica", size)
    canvas.save()
    assert rows_of(ok) == [rows]
    assert ok("search_pdf", path="a.pdf", query="Smith Alvaro R")["total"] == 1


@pytest.mark.parametrize("turn", [90, 180, 270])
@pytest.mark.parametrize("by", ["page", "matrix"])
def test_a_table_that_stands_sideways_is_read_turned_back(ok: Ok, files: Path, turn: int, by: str) -> None:
    if by == "page":
        style = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
        SimpleDocTemplate(str(files / "a.pdf")).build([Table(ROWS, colWidths=[60, 120], style=style)])
        with pikepdf.open(files / "a.pdf", allow_overwriting_input=True) as pdf:
            pdf.pages[0].rotate(turn, relative=False)
            pdf.save(files / "a.pdf")
    else:
        canvas = Canvas(str(files / "a.pdf"), pagesize=(400, 400))
        canvas.drawString(20, 20, "A level line below the table, longer than all of its words together.")
        canvas.translate(200, 200)
        canvas.rotate(turn)
        draw_ruled_table(canvas, -100, 60, [["No", "Text"], ["1", "Bio long text"], ["2", "Art"]])
        canvas.save()
    expected_rows = [[cell.replace("\n", " " if by == "matrix" else "\n") for cell in row] for row in ROWS]
    (table,) = ok("read_pdf_tables", path="a.pdf")["tables"]
    assert table["rows"] == expected_rows
    words = ok("read_pdf_text", path="a.pdf", format="words", box=table["box"])["pages"][0]["pieces"]
    assert {word["text"] for word in words} == {"No", "Text", "1", "Bio", "long", "text", "2", "Art"}
    assert rows_of(ok, box=table["box"]) == [expected_rows]


def test_letters_struck_twice_to_look_bold_are_there_once(ok: Ok, files: Path) -> None:
    canvas = Canvas(str(files / "a.pdf"), pagesize=(400, 300))
    for shift in (0, 0.4):
        draw_ruled_table(canvas, 50 + shift, 280, [["Sum", "Total"], ["12,50", "Cell two"]])
    canvas.save()
    assert rows_of(ok) == [[["Sum", "Total"], ["12,50", "Cell two"]]]


@pytest.mark.parametrize("inset", [2.0, 5.4, 12.0])
@pytest.mark.parametrize("parts", [1, 2])
def test_a_ground_within_the_margins_of_a_cell_is_no_cell(ok: Ok, files: Path, inset: float, parts: int) -> None:
    canvas = Canvas(str(files / "a.pdf"), pagesize=(400, 300))
    for number in range(2):
        for column in range(3):
            x, y = 50 + column * 100, 220 - number * 30
            canvas.setFillColor(colors.whitesmoke)
            for part in range(parts):
                canvas.rect(x + inset, y + 1 + part * 28 / parts, 100 - 2 * inset, 28 / parts, stroke=0, fill=1)
            canvas.setFillColor(colors.black)
            for box in ((x, y + 29.5, 100, 0.5), (x, y, 100, 0.5), (x, y, 0.5, 30), (x + 100, y, 0.5, 30)):
                canvas.rect(*box, stroke=0, fill=1)
            canvas.drawString(x + 14, y + 18, "ABC"[column] + str(number + 1))
    canvas.save()
    assert rows_of(ok) == [[["A1", "B1", "C1"], ["A2", "B2", "C2"]]]


def test_grounds_side_by_side_in_a_frame_are_the_cells(ok: Ok, files: Path) -> None:
    canvas = Canvas(str(files / "a.pdf"), pagesize=(400, 300))
    canvas.rect(40, 190, 320, 70, stroke=1, fill=0)
    for number in range(2):
        for column in range(3):
            canvas.setFillColor(colors.whitesmoke)
            canvas.rect(50 + column * 100, 200 + number * 25, 98, 23, stroke=0, fill=1)
            canvas.setFillColor(colors.black)
            canvas.drawString(56 + column * 100, 207 + number * 25, f"{column}{number}")
    canvas.save()
    cells = {cell for rows in rows_of(ok) for row in rows for cell in row}
    assert {f"{column}{number}" for number in range(2) for column in range(3)} <= cells


@pytest.mark.parametrize("place", [(50, 120), (250, 280)])
def test_an_unruled_table_beside_a_ruled_one_is_read_too(ok: Ok, files: Path, place: tuple[int, int]) -> None:
    canvas = Canvas(str(files / "a.pdf"), pagesize=(450, 400))
    draw_ruled_table(canvas, 50, 280, [["Sum", "Total"], ["1", "2"]], 80)
    prices = [["Item", "Price"], ["Pen", "1.20"], ["Book", "9.90"], ["Ink bottle", "4.00"]]
    for number, row in enumerate(prices):
        for column, text in enumerate(row):
            canvas.drawString(place[0] + column * 100, place[1] - number * 14, text)
    canvas.drawString(50, 350, "A line of ordinary text above both of them, with the year 2026.")
    canvas.save()
    assert sorted(rows_of(ok)) == sorted([[["Sum", "Total"], ["1", "2"]], prices])
    assert rows_of(ok, strategy="lines") == [[["Sum", "Total"], ["1", "2"]]]
