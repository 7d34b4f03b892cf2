"""An edit changes what it names and nothing else."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from lxml import etree
from support import books
from support.answers import Call

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def list_changed(before: Any, after: Any) -> Any:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def test_editing_one_cell_changes_one_part_of_the_package(files: Path, call: Call, rich: Path) -> None:
    before = books.read_parts(rich)
    assert not call("write_cells", path="rich.xlsx", rows=[[25]], start_cell="B3").is_error
    after = books.read_parts(rich)
    assert list_changed(before, after) == {"xl/worksheets/sheet1.xml"}
    assert list(before) == list(after)


def test_within_the_part_only_the_cell_and_the_formulas_that_read_it_change(
    files: Path, call: Call, rich: Path
) -> None:
    before = map_cells(books.read_parts(rich)["xl/worksheets/sheet1.xml"])
    call("write_cells", path="rich.xlsx", rows=[[25]], start_cell="B3")
    root = books.read_parts(rich)["xl/worksheets/sheet1.xml"]
    after = map_cells(root)
    assert {name for name in before if before[name] != after[name]} == {"B3", "D3", "D5"}
    assert before.keys() == after.keys()
    for marker in (b"conditionalFormatting", b"dataValidation", b"sparkline", b"legacyDrawing", b"<pane "):
        assert marker in root


def map_cells(data: Any) -> Any:
    return {cell.get("r"): etree.tostring(cell, method="c14n") for cell in etree.fromstring(data).iter(MAIN + "c")}


def test_the_edited_workbook_opens_in_another_library_with_everything(files: Path, call: Call, rich: Path) -> None:
    call("write_cells", path="rich.xlsx", rows=[[25]], start_cell="B3")
    values = books.open_book(rich, data_only=True)
    assert values["Data"]["B3"].value == 25
    assert values["Data"]["D3"].value == 10
    assert values["Data"]["D5"].value == 21
    assert values["Data"]["B3"].number_format == "#,##0.00"
    workbook = books.open_book(rich)
    assert workbook["Data"]["D5"].value == "=SUM(D2:D4)"
    assert len(workbook["Data"]._charts) == 1
    assert len(workbook["Data"]._images) == 1
    assert workbook["Data"]["A1"].comment.text == "a note"
    assert workbook.defined_names["Total"].attr_text == "Data!$D$5"
    assert workbook["Other's"].tables["Goods"].ref == "A1:B3"


def test_a_workbook_of_another_library_keeps_its_parts_too(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["a", 1])
    sheet.append(["b", 2])
    chart = openpyxl.chart.BarChart()
    chart.add_data(openpyxl.chart.Reference(sheet, min_col=2, min_row=1, max_row=2))
    sheet.add_chart(chart, "E5")
    book.save(files / "other.xlsx")
    before = books.read_parts(files / "other.xlsx")
    call("write_cells", path="other.xlsx", rows=[[7, "text & <more>"]], start_cell="B2")
    assert list_changed(before, books.read_parts(files / "other.xlsx")) == {"xl/worksheets/sheet1.xml"}
    read = books.open_book(files / "other.xlsx").active
    assert (read["B2"].value, read["C2"].value, read["A1"].value) == (7, "text & <more>", "a")


def test_a_date_adds_a_style_and_leaves_the_old_styles_as_they_were(files: Path, call: Call, rich: Path) -> None:
    before = books.open_book(rich)["Data"]
    looks = {cell.coordinate: (cell.number_format, cell.font.b) for row in before.iter_rows() for cell in row}
    call("write_cells", path="rich.xlsx", rows=[["2026-03-16"]], start_cell="A9")
    after = books.open_book(rich)["Data"]
    assert {name: (after[name].number_format, after[name].font.b) for name in looks} == looks
    assert after["A9"].is_date


def test_a_refused_call_leaves_the_file_byte_for_byte(files: Path, call: Call, rich: Path) -> None:
    before = rich.read_bytes()
    for rows in ([["=SUM(A1:"]], [["=1+"]], [['=WEBSERVICE("http://example.com")']], [["x" * 40_000]]):
        assert call("write_cells", path="rich.xlsx", rows=rows, start_cell="H1").is_error
    assert rich.read_bytes() == before
    assert not [path for path in files.iterdir() if path.name.startswith(".yardkit")]


@pytest.mark.parametrize("number", range(3))
def test_several_edits_in_a_row_keep_the_other_parts(files: Path, call: Call, rich: Path, number: int) -> None:
    before = books.read_parts(rich)
    for step in range(number + 1):
        call("write_cells", path="rich.xlsx", rows=[[step]], start_cell=f"B{step + 2}")
    assert list_changed(before, books.read_parts(rich)) == {"xl/worksheets/sheet1.xml"}
