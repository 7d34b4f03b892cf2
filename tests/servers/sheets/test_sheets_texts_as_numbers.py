"""Formulas compute with texts as Excel (English, United States) does: dates, times, negative amounts, fractions.

The serial numbers are those of the dates in the 1900 system, worked out with Python's calendar.
"""

from datetime import date

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolyard.servers.sheets.engine.notation.numeric_texts import FAILS, read_apart

DAY = date(2026, 3, 31).toordinal() - date(1899, 12, 30).toordinal()
TEXTS = ["31-Mar-2026", "March 31, 2026", "2026-03-31 14:30", "(5.50)", "25:30", "3/31/2026", " 1 1/2 ", "<>Paid"]
CRITERIA = [">1-Jan-2026", "31-Mar-2026", ">=M", "12\u00a0"]
KNOWN = {
    "=A1+0": DAY,
    "=A2*1": DAY,
    "=A3-DATE(2026,3,31)": pytest.approx(14.5 / 24),
    "=--A4": -5.5,
    "=A4^2": 30.25,
    "=A5*24": 25.5,
    "=A7/3": 0.5,
    "=-A7": -1.5,
    "=A6+A1": 2 * DAY,
    "=VALUE(A5)": 1.0625,
    '=VALUE("12:30")*24': 12.5,
    "=VALUE(A4)": -5.5,
    "=DATEVALUE(A2)": DAY,
    "=DATEVALUE(A3)": DAY,
    "=TIMEVALUE(A3)*24": 14.5,
    '=DATEVALUE("31/03/2026")': "#VALUE!",
    "=DATEVALUE(A4)": "#VALUE!",
    '=IFERROR(DATEVALUE(A2),"bad")': DAY,
    '=IFERROR(A1+30,"bad")': DAY + 30,
    "=ISNUMBER(--A1)": True,
    "=YEAR(A2)*100+MONTH(A1)": 202603,
    "=HOUR(A3)": 14,
    "=EDATE(A1,1)": DAY + 30,
    "=EOMONTH(A2,-1)": DAY - 31,
    '=DATEDIF(DATE(2026,1,1),A1,"m")': 2,
    "=NETWORKDAYS(DATE(2026,3,2),A2)": 22,
    "=ROUND(A4,0)": -6,
    '=TEXT(A1,"yyyy-mm")': "2026-03",
    '=TEXT(A1,"@")': "31-Mar-2026",
    '=TRIM(" "&A2)+1': DAY + 1,
    "=MID(A1,4,8)+0": date(2026, 3, 1).toordinal() - date(1899, 12, 30).toordinal(),
    '=DATEVALUE(31&"-March-"&2026)': DAY,
    '=("18:15"-"9:45")*24': 8.5,
    "=INDEX(A1:A8,2)+1": DAY + 1,
    '=IF(A5="25:30",A5,0)*24': 25.5,
    "=VLOOKUP(A1,A1:A8,1,FALSE)+1": DAY + 1,
    "=LET(day,A1,day+1)": DAY + 1,
    "=IFERROR(B4+0,0)": 0,
    "=LEN(A1)&A4": "11(5.50)",
    '=A1="31-mar-2026"': True,
    "=COUNT(A1:A8)": 0,
    '=COUNTIF(D1:D4,"31-Mar-2026")': 1,
    '=COUNTIF(D1:D4,">=1-Feb-2026")': 2,
    "=SUMIFS(E1:E4,D1:D4,B1)": 90,
    "=COUNTIF(D1:D4,B2)": 1,
    "=COUNTIF(C1:C4,A8)": 3,
    "=SUMIF(C1:C4,A8,E1:E4)": 90,
}  # fmt: skip


@pytest.fixture
def dirty(files):
    book = openpyxl.Workbook()
    sheet = book.active
    for row, text in enumerate(TEXTS, 1):
        sheet.cell(row, 1, text)
    for row, text in enumerate(CRITERIA, 1):
        sheet.cell(row, 2, text)
    dates = [date(2026, 1, 1), date(2026, 3, 31), None, date(2026, 5, 1)]
    for row, (status, day) in enumerate(zip(["Paid", "Open", None, 7], dates, strict=True), 1):
        sheet.cell(row, 3, status)
        sheet.cell(row, 4, day)
        sheet.cell(row, 5, 10 * (row if row > 1 else 1))
    sheet["E4"] = 40
    sheet["E2"], sheet["E3"] = 50, 0
    book.save(files / "a.xlsx")


@pytest.fixture
def told(call, dirty):
    """The values of formulas beside the texts, and why one has none."""

    def run(*formulas):
        answer = call("write_cells", path="a.xlsx", start_cell="N1", rows=[[formula] for formula in formulas])
        assert not answer.is_error, answer.content[0].text
        read = call("read_cells", path="a.xlsx", range=f"N1:N{len(formulas)}", show="values", limit=len(formulas))
        rows = read.structured_content["rows"]
        return [row[0] for row in rows], [cell["reason"] for cell in answer.structured_content.get("unknown", [])]

    return run


def serial(value):
    """A date as its number, since results that are dates are shown as such."""
    if isinstance(value, str) and value[:2] in ("20", "19") and value[4:5] == "-" and len(value) == 10:
        return date.fromisoformat(value).toordinal() - date(1899, 12, 30).toordinal()
    return value


def test_texts_that_excel_reads_as_numbers_are_computed_with(told):
    values, reasons = told(*KNOWN)
    found = dict(zip(KNOWN, map(serial, values), strict=True))
    assert {text: value for text, value in found.items() if value != KNOWN[text]} == {}
    assert reasons == []


def test_what_is_read_follows_the_cell(call, told):
    assert told("=A1+0", "=TRIM(A2)+0", '=IFERROR(A4*1,"none")')[0][0] in (DAY, "2026-03-31")
    call("write_cells", path="a.xlsx", start_cell="A1", rows=[["'1-Apr-2026"], ["'2 April 2026"], [None], ["plain"]])
    rows = call("read_cells", path="a.xlsx", range="N1:N3", show="values").structured_content["rows"]
    assert [serial(row[0]) for row in rows] == [DAY + 1, DAY + 2, "none"]
    call("write_cells", path="a.xlsx", start_cell="A4", rows=[["'(7)"]])
    assert call("read_cells", path="a.xlsx", range="N3").structured_content["rows"] == [[-7]]


def test_a_text_that_comes_of_a_formula_is_read_where_another_computes_with_it(call, told):
    told('="31-"&"Mar"&"-2026"')
    call("write_cells", path="a.xlsx", start_cell="O1", rows=[["=N1+1", '=IFERROR(O1-N1,"bad")']])
    rows = call("read_cells", path="a.xlsx", range="O1:P1", show="values").structured_content["rows"]
    assert [serial(row) for row in rows[0]] == [DAY + 1, 1]


def test_a_date_without_a_year_is_not_guessed(call, told):
    call("write_cells", path="a.xlsx", start_cell="A1", rows=[["'3/31"]])
    values, reasons = told("=A1+0", '=IFERROR(DATEVALUE("Mar-26"),0)')
    assert values == [None, None]
    assert all("without a year" in reason for reason in reasons)


def test_a_number_beside_a_no_break_space_is_none(told):
    assert told("=VALUE(B4)", "=B4+1", "=IFERROR(B4*1,0)") == (["#VALUE!", "#VALUE!", 0], [])


def test_a_date_with_points_is_a_text_as_in_english_excel(call, told):
    call("write_cells", path="a.xlsx", start_cell="A1", rows=[["02.01.2026"], ["2026.1.2"], ["12\u00a0"]])
    values, reasons = told("=A1+30", "=VALUE(A2)", "=YEAR(A1)", '=IFERROR(A1*1,"none")', '=TEXT(A1,"yyyy")')
    assert (values, reasons) == (["#VALUE!", "#VALUE!", "#VALUE!", "none", "02.01.2026"], [])
    assert told('=TEXT(A3,"0.0")')[0] == ["12\u00a0"]


def test_texts_in_arrays_are_left_to_others_or_unknown(told):
    values, reasons = told("=SUMPRODUCT(A1:A2*1)")
    assert values == [2 * DAY] or "text" in reasons[0]


@settings(max_examples=300, deadline=None)
@given(day=st.dates(date(1900, 3, 1), date(2199, 12, 31)), seconds=st.integers(0, 86_399))
def test_every_date_that_is_written_in_a_usual_way_is_read_as_that_date(day, seconds):
    right = day.toordinal() - date(1899, 12, 30).toordinal()
    clock = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    for written in (f"{day:%d-%b-%Y}", f"{day.day} {day:%B %Y}", f"{day:%B} {day.day}, {day.year}", f"{day:%b %d, %Y}"):
        assert read_apart(written, "+0") == right
        assert read_apart(f"{written} {clock}", "VALUE") == pytest.approx(right + seconds / 86400)
        assert read_apart(f"{written} {clock}", "DATEVALUE") in (right, None)


@settings(max_examples=300, deadline=None)
@given(st.text("0123456789 -/:.,()$%JanMarch\u00a0", max_size=20))
def test_any_text_is_read_as_a_number_an_error_or_something_unclear(text):
    for way in ("+0", "VALUE", "DATEVALUE", "TIMEVALUE"):
        found = read_apart(text, way)
        assert found is None or isinstance(found, float) or found == FAILS or " a date" in found


def test_a_criterion_in_a_cell_is_followed(call, told):
    assert told("=SUMIF(C1:C4,A8,E1:E4)", "=COUNTIF(D1:D4,B2)")[0] == [90, 1]
    call("write_cells", path="a.xlsx", start_cell="A8", rows=[["'<>Open"]])
    call("write_cells", path="a.xlsx", start_cell="B2", rows=[["'1-May-2026"]])
    assert call("read_cells", path="a.xlsx", range="N1:N2").structured_content["rows"] == [[50], [1]]
    call("write_cells", path="a.xlsx", start_cell="A8", rows=[["Open"]])
    assert call("read_cells", path="a.xlsx", range="N1").structured_content["rows"] == [[50]]
