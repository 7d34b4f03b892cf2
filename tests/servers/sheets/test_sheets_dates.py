"""Formulas whose results are dates are shown as dates, and no others."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from support.answers import Call

ROWS = [["Due", "Days", "Count"], ["2026-01-10", 30, 46033], ["2026-03-01", 5, 1], ["2026-02-01", 7, 2]]


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("=A2", "2026-01-10"),
        ("=A2+30", "2026-02-09"),
        ("=A2+B2", "2026-02-09"),
        ("=Data!A2 - 1", "2026-01-09"),
        ("=A2-A3+A4", "2025-12-13"),
        ("=MAX(A2:A4)", "2026-03-01"),
        ("=MIN(A:A)", "2026-01-10"),
        ("=INDEX(A2:A4,MATCH(7,B2:B4,0))", "2026-02-01"),
        ("=XLOOKUP(5,B2:B4,A2:A4)", "2026-03-01"),
        ("=IF(B2>3,A2,A3)", "2026-01-10"),
        ("=EOMONTH(A2,0)", "2026-01-31"),
        ("=EDATE(A2,1)+2", "2026-02-12"),
        ("=DATE(2026,2,3)", "2026-02-03"),
        ("=A3-A2", 50),
        ("=DATE(2026,2,3)-A2", 24),
        ("=EOMONTH(A2,0)*1", 46053),
        ("=YEAR(A2)", 2026),
        ("=COUNT(A:B)", 6),
        ("=C2+1", 46034),
        ("=SUM(A2:A4)", 138168),
        ("=MAX(A2:A4)+1", "2026-03-02"),
        ("=DATE(2026,1,1)+B2", "2026-01-31"),
        ("=A2+B3*7", "2026-02-14"),
        ("=A2+7*2", "2026-01-24"),
        ('=IF(B2>0,A2+B2,"")', "2026-02-09"),
        ('=IFERROR(A2+5,"")', "2026-01-15"),
        ("=LET(a,A2,a+1)", "2026-01-11"),
        ("=MAX(A2,TODAY())", "2026-03-16"),
        ("=A2+TIME(8,30,0)", "2026-01-10T08:30:00"),
        ("=INDEX(A2:C4,1,3)", 46033),
        ("=(A2+A3)/2", 46057),
        ("=A2^1", 46032),
        ("=A2*1", 46032),
        ("=N(A2)", 46032),
        ("=A2>A3", False),
        ('=A2&""', "46032"),
        ("=-A2", -46032),
        ("=NETWORKDAYS(A2,A3)", 35),
    ],
)
def test_a_formula_is_shown_as_a_date_where_its_result_is_one(call: Call, formula: str, value: Any) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", rows=ROWS)
    written = call("write_cells", path="a.xlsx", rows=[[formula]], start_cell="E1").structured_content
    assert written["computed"] == [{"cell": "Data!E1", "value": value}]
    assert call("read_cells", path="a.xlsx", range="E1").structured_content["rows"] == [[value]]


def test_dates_are_passed_on_from_formula_to_formula_and_from_sheet_to_sheet(call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", rows=ROWS)
    rows = [["=Data!A2+7"], ["=A1+7"], ["=A2+7"], ["=MAX(A1:A3)"]]
    call("write_cells", path="a.xlsx", sheet="Plan", rows=rows)
    read_rows = call("read_cells", path="a.xlsx", sheet="Plan").structured_content["rows"]
    assert read_rows == [["2026-01-17"], ["2026-01-24"], ["2026-01-31"], ["2026-01-31"]]


def test_a_chosen_format_stays(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", rows=ROWS)
    call("write_cells", path="a.xlsx", rows=[["=MAX(A2:A4)"]], start_cell="E1", number_format="0.00")
    sheet = openpyxl.load_workbook(files / "a.xlsx", data_only=True)["Data"]
    assert (sheet["E1"].value, sheet["E1"].number_format) == (46082, "0.00")


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("=MAX(Plan[Due])", "2026-03-01"),
        ("=INDEX(Plan[Due],MATCH(7,Plan[Days],0))", "2026-02-01"),
        ("=Plan[@Due]+Plan[@Days]", "2026-02-09"),
        ("=MIN(Dates)", "2026-01-10"),
        ("=SUM(Plan[Days])", 42),
    ],
)
def test_columns_of_tables_and_names_pass_dates_on(call: Call, formula: str, value: int | str) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", rows=ROWS)
    call("set_table", path="a.xlsx", action="add", range="A1:C4", name="Plan")
    call("set_name", path="a.xlsx", name="Dates", refers_to="=Data!$A$2:$A$4")
    written = call("write_cells", path="a.xlsx", rows=[[formula]], start_cell="E2").structured_content
    assert written["computed"] == [{"cell": "Data!E2", "value": value}]


def test_all_dates_that_a_formula_spills_are_shown_as_dates(call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", rows=ROWS)
    call("write_cells", path="a.xlsx", rows=[["=SORT(A2:C4,1,-1)"]], start_cell="E2")
    rows = call("read_cells", path="a.xlsx", range="E2:G4").structured_content["rows"]
    assert rows == [["2026-03-01", 5, 1], ["2026-02-01", 7, 2], ["2026-01-10", 30, 46033]]


def test_dates_of_functions_need_no_dates_in_the_workbook(call: Call) -> None:
    written = call(
        "write_cells", path="a.xlsx", rows=[["=TODAY()+7*2", "=EDATE(DATE(2026,1,31),1)", "=TODAY()-TODAY()"]]
    )
    assert [cell["value"] for cell in written.structured_content["computed"]] == ["2026-03-30", "2026-02-28", 0]


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ('=TEXT(A4,"yyyy-mm")', "1900-01"),
        ('=TEXT(A4,"dd.mm.yyyy")', "00.01.1900"),
        ('=TEXT(A4,"ddd d")', "Sat 0"),
        ('=TEXT(A5,"dd.mm.yyyy hh:mm")', "00.01.1900 12:00"),
        ('=TEXT(A6,"yyyy-mm-dd")', "1900-01-01"),
        ('=TEXT(A6,"ddd")', "Sun"),
        ('=TEXT(A3,"yyyy")', "abc"),
        ('=TEXT(A1,"dddd, d. mmmm yyyy")', "Thursday, 15. January 2026"),
        ('=TEXT(A4,"hh:mm")', "00:00"),
        ('=TEXT("2026-03-05","dd.mm.yyyy")', "05.03.2026"),
        ('=TEXT(" 14:30 ","h.mm AM/PM")', "2.30 PM"),
        ('=TEXT("abc","h:mm")', "abc"),
        ('=TEXT("46037","yyyy")', "2026"),
        ('=TEXTJOIN(",",TRUE,UNIQUE(TEXT(A1:A4,"yyyy")))', "2026,abc,1900"),
        ('=SUMPRODUCT((TEXT(A1:A4,"yyyy-mm")="2026-01")*B1:B4)', 10),
    ],
)
def test_dates_are_shown_in_texts_as_excel_shows_them_and_empty_cells_too(
    call: Call, formula: str, text: int | str
) -> None:
    rows = [["2026-01-15", 10], ["2026-02-10", 20], ["abc", 30], [None, 40], [0.5, 50], [1, 60]]
    call("write_cells", path="a.xlsx", rows=rows)
    answer = call("write_cells", path="a.xlsx", start_cell="D1", rows=[[formula]]).structured_content
    assert answer["computed"] == [{"cell": "Sheet1!D1", "value": text}]


def test_a_number_that_a_formula_gives_in_a_cell_with_a_date_format_is_said_to_be_one(call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[["2026-03-16", 1000.5, "=A1+30", "=A1+1"]])
    answer = call("write_cells", path="a.xlsx", start_cell="C1", rows=[["=B1+234", "=A1+2"]]).structured_content
    assert answer["computed"][0]["value"] == "1903-05-18T12:00:00"
    assert "Sheet1!C1 kept its date format and shows 1234.5 as a date" in answer["done"]
    assert "such cells" not in answer["done"]
    answer = call("write_cells", path="a.xlsx", start_cell="C1", rows=[["=B1+1"]], number_format="0.00")
    assert "kept" not in answer.structured_content["done"]
