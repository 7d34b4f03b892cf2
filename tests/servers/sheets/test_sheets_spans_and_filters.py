"""References over several sheets, and sums of what a filter leaves to see."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from support.answers import Call


@pytest.fixture
def months(files: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Sum"
    for name, value in (("Jan", 1), ("Feb 26", 20), ("Mar", 300)):
        sheet = book.create_sheet(name)
        sheet["A1"], sheet["A2"] = value, value * 2
    book.create_sheet("After")["A1"] = 5000
    book.save(files / "a.xlsx")


@pytest.fixture
def goods(files: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in [["Kind", "Qty"], ["a", 1], ["b", 2], ["a", 4], ["b", 8], [None, None], ["c", 16]]:
        sheet.append(row)
    sheet.auto_filter.ref = "A1:B5"
    sheet.auto_filter.add_filter_column(0, ["a"])
    sheet.row_dimensions[3].hidden = sheet.row_dimensions[5].hidden = True
    book.save(files / "a.xlsx")


def read_written_values(call: Any, formulas: Any, sheet: Any = None) -> Any:
    rows = [[formula] for formula in formulas]
    answer = call("write_cells", path="a.xlsx", sheet=sheet, start_cell="E1", rows=rows)
    assert not answer.is_error, answer.content[0].text
    return [cell["value"] for cell in answer.structured_content["computed"]]


def test_a_reference_over_several_sheets_reads_each_of_them(call: Call, months: Any) -> None:
    formulas = {
        "=SUM(Jan:Mar!A1)": 321,
        "=SUM('Jan:Mar'!A1:A2)": 963,
        "=AVERAGE('Jan:Feb 26'!A1)": 10.5,
        "=MAX(mar:jan!A2,7)+Jan!A1": 601,
        '=COUNT(Jan:Mar!$A$1:$A$2)&" cells in Jan:Mar!A1"': "6 cells in Jan:Mar!A1",
    }
    assert read_written_values(call, formulas, "Sum") == list(formulas.values())
    call("write_cells", path="a.xlsx", sheet="Feb 26", start_cell="A1", rows=[[40]])
    assert call("read_cells", path="a.xlsx", sheet="Sum", range="E1").structured_content["rows"] == [[341]]


def test_names_of_sheets_are_taken_in_whatever_case_and_stored_as_they_are(
    call: Call, months: Any, files: Path
) -> None:
    assert read_written_values(call, ["=jan!A1+'FEB 26'!a1", '=MAX(MAR:jan!A1)&"jan!A1"', "=Nowhere!A1"], "Sum") == [
        21,
        "300jan!A1",
        "#REF!",
    ]
    sheet = openpyxl.load_workbook(files / "a.xlsx")["Sum"]
    assert [sheet.cell(row, 5).value for row in (1, 2)] == ["=Jan!A1+'Feb 26'!a1", '=MAX(Mar:Jan!A1)&"jan!A1"']


def test_a_subtotal_leaves_out_what_a_filter_hides_with_either_code(call: Call, goods: Any) -> None:
    formulas = {"=SUBTOTAL(9,B2:B5)": 5, "=SUBTOTAL(109,B2:B5)": 5, "=SUBTOTAL(3,A2:A5)": 2, "=SUBTOTAL(9,B7)": 16}
    assert read_written_values(call, formulas) == list(formulas.values())
    assert read_written_values(call, ["=SUM(B2:B5)", "=SUBTOTAL(9,B:B)"]) == [15, 21]


def test_a_subtotal_counts_rows_that_were_hidden_by_hand(call: Call, files: Path) -> None:
    book = openpyxl.Workbook()
    for row in ([1], [2], [4]):
        book.active.append(row)
    book.active.row_dimensions[2].hidden = True
    book.save(files / "a.xlsx")
    assert read_written_values(call, ["=SUBTOTAL(9,A1:A3)", "=SUBTOTAL(109,A1:A3)"]) == [7, 5]


def test_a_subtotal_follows_when_rows_are_hidden_and_shown(call: Call) -> None:
    call("write_cells", path="b.xlsx", rows=[[1], [2], [4], ["=SUBTOTAL(109,A1:A3)"], ["=SUBTOTAL(9,A1:A3)+A4"]])
    call("set_sheet_layout", path="b.xlsx", hide=["2"])
    assert call("read_cells", path="b.xlsx", range="A4:A5").structured_content["rows"] == [[5], [12]]
    call("write_cells", path="b.xlsx", start_cell="A1", rows=[[10]])
    assert call("read_cells", path="b.xlsx", range="A4:A5").structured_content["rows"] == [[14], [30]]
    call("set_sheet_layout", path="b.xlsx", unhide=["2:2"], group=["1:1"], collapse=True)
    assert call("read_cells", path="b.xlsx", range="A4:A5").structured_content["rows"] == [[6], [22]]
