"""Rows that are appended: below the data, above its totals, and what shows the data takes them in."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from support.answers import Call

HEAD = ["Item", "Qty", "Amount"]
DATA = [["a", 1, 10], ["b", 2, 20], ["c", 3, 30]]
TOTAL = ["Total", "=SUM(B2:B4)", "=SUM(C2:C4)"]


def read_values(path: Any, area: Any, sheet: str = "Data") -> Any:
    return [[cell.value for cell in row] for row in openpyxl.load_workbook(path, data_only=True)[sheet][area]]


def read_formulas(path: Any, *cells: Any, sheet: str = "Data") -> Any:
    book = openpyxl.load_workbook(path)
    return [book[sheet][cell].value for cell in cells]


@pytest.fixture
def append(files: Path, call: Call) -> Any:
    """Append rows to a sheet Data with the rows given; the answer."""

    def run(rows: Any, new: tuple[Any, ...] = (("d", 4, 40), ("e", 5, 50))) -> Any:
        call("write_cells", path="a.xlsx", sheet="Data", rows=rows)
        answer = call("append_rows", path="a.xlsx", rows=[list(row) for row in new])
        assert not answer.is_error, answer.content[0].text
        return answer

    return run


def test_rows_go_above_a_total_row_which_takes_them_in(files: Path, append: Any) -> None:
    answer = append([HEAD, *DATA, TOTAL])
    assert answer.structured_content["range"] == "A5:C6"
    assert "above the totals" in answer.content[0].text
    assert read_values(files / "a.xlsx", "A5:C7") == [["d", 4, 40], ["e", 5, 50], ["Total", 15, 150]]
    assert read_formulas(files / "a.xlsx", "B7", "C7") == ["=SUM(B2:B6)", "=SUM(C2:C6)"]


def test_a_foot_of_several_rows_stays_below(files: Path, append: Any) -> None:
    foot = [["Net", None, "=SUM(C2:C4)"], ["VAT", None, "=C5*0.2"], ["Gross", None, "=SUM(C5:C6)"], ["Signed: me"]]
    append([HEAD, *DATA, *foot])
    foot_values = read_values(files / "a.xlsx", "A5:C10")
    assert foot_values == [
        *(["d", 4, 40], ["e", 5, 50], ["Net", None, 150], ["VAT", None, 30], ["Gross", None, 180]),
        ["Signed: me", None, None],
    ]


def test_an_empty_row_above_the_totals_stays_there(files: Path, append: Any) -> None:
    append([HEAD, *DATA, [None], ["Total", "=SUM(B2:B5)", "=SUM(C2:C4)"]])
    assert read_values(files / "a.xlsx", "A5:C8")[2:] == [[None, None, None], ["Total", 15, 150]]


def test_of_sections_with_subtotals_the_last_one_grows(files: Path, append: Any) -> None:
    sections = [HEAD, *DATA[:2], ["Sub", None, "=SUBTOTAL(9,C2:C3)"], *DATA[:2], ["Sub", None, "=SUBTOTAL(9,C5:C6)"]]
    append([*sections, ["All", None, "=C4+C7"]])
    assert read_values(files / "a.xlsx", "C9:C10") == [[120], [150]]


@pytest.mark.parametrize(
    "last",
    [
        ["c", 3, "=SUM(C$2:C3)"],  # a sum that runs on
        ["c", 3, "=AVERAGE(B2:B3)"],  # of another column
        ["c", 3, "=SUM(A4:B4)"],
        ["c", 3, "=B4*2"],
    ],
)
def test_a_last_row_of_data_is_no_total(files: Path, append: Any, last: list[Any]) -> None:
    append([HEAD, ["a", 1, 10], ["b", 2, "=SUM(C$2:C2)"], last])
    assert read_values(files / "a.xlsx", "A5:C6") == [["d", 4, 40], ["e", 5, 50]]


def test_data_below_a_subtotal_is_no_foot(files: Path, append: Any) -> None:
    append([HEAD, *DATA, TOTAL, ["f", 9, 90]])
    assert read_values(files / "a.xlsx", "A7:C8") == [["d", 4, 40], ["e", 5, 50]]


def test_other_data_below_a_total_goes_on(files: Path, append: Any) -> None:
    append([HEAD, *DATA, TOTAL, [None], ["Name", "Place"], ["Ann", "Rome"]], new=[["Bo", "Oslo"]])
    assert read_values(files / "a.xlsx", "A8:B9") == [["Ann", "Rome"], ["Bo", "Oslo"]]


def test_a_merged_area_is_not_torn_for_totals(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", rows=[HEAD, *DATA, TOTAL])
    assert not call("set_sheet_layout", path="a.xlsx", merge=["E2:E5"]).is_error
    answer = call("append_rows", path="a.xlsx", rows=[["d", 4, 40]])
    assert answer.structured_content["range"] == "A6:C6"


def test_what_shows_the_whole_data_takes_the_new_rows_in(files: Path, call: Call) -> None:
    book = xlsxwriter.Workbook(files / "a.xlsx")
    sheet = book.add_worksheet("Data")
    for number, row in enumerate([[*HEAD, "Share", "Running"], *DATA, TOTAL]):
        sheet.write_row(number, 0, row)
    for row in range(2, 5):
        sheet.write_formula(f"D{row}", f"=C{row}/SUM(C$2:C$4)")
        sheet.write_formula(f"E{row}", f"=SUM(C$2:C{row})")
    sheet.autofilter("A1:E4")
    sheet.conditional_format("B2:B4", {"type": "data_bar"})
    sheet.data_validation("A2:A4", {"validate": "list", "source": ["a", "b", "c", "d"]})
    chart = book.add_chart({"type": "column"})
    chart.add_series({"values": "=Data!$B$2:$B$4", "categories": "=Data!$A$2:$A$4"})
    sheet.insert_chart("G2", chart)
    book.add_worksheet("Sums").write_formula("A1", '=SUMIFS(Data!B2:B4,Data!A2:A4,"d")')
    book.close()
    call("append_rows", path="a.xlsx", sheet="Data", rows=[["d", 4, 40]])
    assert read_formulas(files / "a.xlsx", "D2", "D4", "E4", "B6") == [
        "=C2/SUM(C$2:C$5)", "=C4/SUM(C$2:C$5)", "=SUM(C$2:C4)", "=SUM(B2:B5)"
    ]  # fmt: skip
    assert read_values(files / "a.xlsx", "A1:A1", "Sums") == [[4]]
    objects = call("read_objects", path="a.xlsx").structured_content
    series = objects["charts"][0]["series"][0]
    assert (series["values"], series["categories"]) == ("Data!$B$2:$B$5", "Data!$A$2:$A$5")
    assert [rule["range"] for rule in objects["conditional_formats"]] == ["B2:B5"]
    assert [rule["range"] for rule in objects["validations"]] == ["A2:A5"]
    assert openpyxl.load_workbook(files / "a.xlsx")["Data"].auto_filter.ref == "A1:E5"


def test_formulas_over_a_whole_column_of_a_table_take_its_new_rows_in(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", rows=[HEAD, *DATA])
    call("set_table", path="a.xlsx", range="A1:C4", name="T")
    sums = [["=SUM(Data!B2:B4)"], ["=SUM(Data!B2:B3)"], ['=VLOOKUP("d",Data!A$1:C$4,3,FALSE)']]
    call("write_cells", path="a.xlsx", sheet="Sums", rows=sums)
    call("append_rows", path="a.xlsx", sheet="Data", rows=[["d", 4, 40]])
    assert read_values(files / "a.xlsx", "A1:A3", "Sums") == [[10], [3], [40]]
