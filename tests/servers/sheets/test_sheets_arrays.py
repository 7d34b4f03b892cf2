"""Formulas that work on each cell of ranges: a value that is given is Excel's, else it is said to be unknown.

The expected values were worked out by hand for the rules of Excel: in arrays, text and truth values count nowhere in
SUM, COUNT or AVERAGE, and a date that is an empty cell lies in January 1900.
"""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from support.answers import Call

ROWS = [
    ["Day", "Rev", "Name", "Any"],
    ["2026-01-05", 10, "ab", 1],
    ["2026-02-05", 20, "b", "x"],
    ["2026-01-15", 40, "c ", 2],
    ["2026-03-19", 20, "b", None],
    [None, 5, "Bd", 3],
]
KNOWN = {
    "=SUMPRODUCT((MONTH(A2:A6)=1)*B2:B6)": 55,
    "=SUMPRODUCT((MONTH(A2:A6)=2)*(YEAR(A2:A6)=2026)*B2:B6)": 20,
    "=SUM(IF(MONTH(A2:A6)=3,B2:B6))": 20,
    "=SUMPRODUCT(--(DAY(A2:A6)=0))": 1,
    "=SUMPRODUCT(--(WEEKDAY(A2:A6)=7))": 1,
    "=SUMPRODUCT(1/COUNTIF(C2:C6,C2:C6))": 4,
    "=AVERAGE(IF(C2:C6=\"b\",B2:B6))": 20,
    "=AVERAGE(IF(B2:B6>15,B2:B6))": 80 / 3,
    "=MEDIAN(IF(C2:C6=\"b\",B2:B6))": 20,
    "=COUNT(IF(B2:B6>15,B2:B6))": 3,
    "=COUNT(1/(B2:B6-20))": 3,
    "=COUNT(B2:B6*1)": 5,
    "=MIN(IF(C2:C6=\"b\",B2:B6))": 20,
    "=MAX((C2:C6=\"b\")*B2:B6)": 20,
    "=SMALL(IF(B2:B6>15,B2:B6),2)": 20,
    "=SUM(LARGE(B2:B6,{1,2}))": 60,
    "=SUM(ROUND(B2:B6/3,0))": 32,
    "=SUMPRODUCT(MOD(B2:B6,3))": 8,
    "=SUM(--ISNUMBER(SEARCH(\"b\",C2:C6)))": 4,
    "=SUM(--ISNUMBER(D2:D6))": 3,
    "=SUMPRODUCT(--(ISBLANK(D2:D6)))": 1,
    "=SUM(SUMIFS(B2:B6,C2:C6,C2:C6))": 135,
    "=SUM(COUNTIF(C2:C6,{\"b\",\"ab\"}))": 3,
    "=SUM(LEN(C2:C6)-LEN(SUBSTITUTE(C2:C6,\"b\",\"\")))": 3,
    "=INDEX(C2:C6,MATCH(1,(B2:B6=40)*(MONTH(A2:A6)=1),0))": "c ",
    "=LOOKUP(2,1/(B2:B6=20),A2:A6)": "2026-03-19",
    "=SUM(VLOOKUP({10,40},B2:D6,3,FALSE))": 3,
    "=SUM(CHOOSE({1,2},B2,B3))": 30,
    "=SUM((B2:B6>5)*(B2:B6<30)*B2:B6)": 50,
    "=SUM(B2:B6*TRANSPOSE(B2:B6))": 9025,
    "=COUNT(UNIQUE(B2:B6))": 4,
    "=SUM(XLOOKUP(1,(B2:B6=40)*1,B2:B6))": 40,
    "=COUNT(FILTER(B2:B6,C2:C6=\"b\"),7)": 3,
    "=TEXTJOIN(\",\",TRUE,UNIQUE(C2:C6))": "ab,b,c ,Bd",
    "=XLOOKUP(\"b\",C2:C6,A2:B6)": "2026-02-05",
    "=SUM(D2:D6=\"\")": 0,
    "=SUM(--(D2:D6=\"\"))": 1,
    "=TEXTJOIN(\",\",TRUE,IF(B2:B6>15,C2:C6,\"\"))": "b,c ,b",
    "=SUM(FILTER(B2:B6,MONTH(A2:A6)=1))": 55,
    "=AVERAGE(FILTER(B2:B6,B2:B6>15))": 80 / 3,
    "=ROWS(UNIQUE(C2:C6))": 4,
    "=SUMPRODUCT((TRIM(C2:C6)=\"c\")*B2:B6)": 40,
    "=SUM(ABS(Rev-20))": 45,
    "=SUM(Rev*2)": 190,
    "=SUMPRODUCT((MONTH(Days)=1)*Rev)": 55,
    "=AVERAGE(IF(Names=\"b\",Rev))": 20,
    "=SUMPRODUCT((MONTH(T[Day])=1)*T[Rev])": 55,
    "=SUM(ROUND(T[Rev]/3,0))": 32,
    "=SUM(Revenue*2)": 190,
    "=XLOOKUP(\"b\",C2:C6,B2:B6)": 20,
    "=SUM((A2:A6>=TODAY()-30)*B2:B6)": 20,
}  # fmt: skip
UNKNOWN = {
    "=COUNT({1,\"a\"})+SUM(SEQUENCE(2))": "COUNT",
    "=FILTER(Revenue,Revenue>15)": "'revenue'",
}  # fmt: skip


@pytest.fixture
def data(call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=ROWS)
    call("set_table", path="a.xlsx", range="A1:D6", name="T")
    names = {
        "Days": "A2:A6",
        "Rev": "B2:B6",
        "Names": "C2:C6",
        "Moving": "=OFFSET(Sheet1!$B$2,0,0,2,1)",
        "Revenue": "=T[Rev]",
    }
    for name, refers_to in names.items():
        assert not call("set_name", path="a.xlsx", name=name, refers_to=refers_to).is_error


def write_formulas(call: Any, formulas: Any) -> Any:
    rows = [[formula] for formula in formulas]
    answer = call("write_cells", path="a.xlsx", rows=rows, start_cell="Z1").structured_content
    values = {cell["cell"]: cell["value"] for cell in answer.get("computed", [])}
    reasons = {cell["cell"]: cell["reason"] for cell in answer.get("unknown", [])}
    cells = [f"Sheet1!Z{row}" for row in range(1, len(rows) + 1)]
    return [values.get(cell) for cell in cells], [reasons.get(cell, "") for cell in cells]


def test_what_a_formula_comes_to_over_arrays_is_what_excel_gives(call: Call, data: Any) -> None:
    values, reasons = write_formulas(call, KNOWN)
    wrong = {
        formula: (value, reason)
        for (formula, right), value, reason in zip(KNOWN.items(), values, reasons, strict=True)
        if value != pytest.approx(right)
    }
    assert wrong == {}


def test_a_name_that_finds_its_cells_out_is_computed(call: Call, data: Any) -> None:
    assert write_formulas(call, ["=SUM(Moving*2)", "=SUM(Moving)"])[0] == [60, 30]


def test_truth_values_in_ranges_are_no_numbers_over_arrays(call: Call, data: Any) -> None:
    call("write_cells", path="a.xlsx", rows=[[True]], start_cell="D5")
    formulas = ["=SUM(BITAND(B2:B6,4))", "=SUM(B2:B6*2)", "=SUM(--ISNUMBER(D2:D6))", "=AGGREGATE(4,6,D2:D6)"]
    values, reasons = write_formulas(call, formulas)
    assert values == [None, 190, 3, None]
    assert ("BITAND" in reasons[0], "AGGREGATE" in reasons[3]) == (True, True)


@pytest.mark.parametrize("formula", UNKNOWN)
def test_what_no_engine_is_right_about_over_arrays_is_named_and_not_guessed(
    call: Call, data: Any, formula: Any
) -> None:
    values, reasons = write_formulas(call, [formula])
    assert values == [None]
    assert UNKNOWN[formula] in reasons[0]


def test_a_formula_that_is_not_marked_as_an_array_takes_one_cell_of_a_range_as_in_excel(
    files: Path, call: Call
) -> None:
    book = openpyxl.Workbook()
    for row in ([1, "=SUM(A1:A3*2)", "=SUMPRODUCT(A1:A3*2)"], [2, "=A1:A3*10"], [3, "=ABS(A1:A3)"]):
        book.active.append(row)
    book.save(files / "plain.xlsx")
    call("edit_workbook", path="plain.xlsx", edits=[{"op": "recalculate"}])
    rows = call("read_cells", path="plain.xlsx", range="B1:C3").structured_content["rows"]
    assert rows == [[2, 12], [20, None], [3, None]]


@pytest.mark.parametrize(
    ("formula", "value"),
    [("=MONTH(Z9)", 1), ("=YEAR(Z9)", 1900), ("=DAY(Z9)", 0), ("=WEEKDAY(Z9,2)", 6), ("=IFERROR(MONTH(Z9),7)", 1),
     ("=MONTH(IF(YEAR(Z9)=1900,DATE(2026,5,1),Z9))", 5), ("=YEAR(\"2026-03-05\")", 2026),
     ("=YEAR(Z9-5)", "#NUM!"), ("=MONTH(Z9-1)", "#NUM!"), ("=WEEKDAY(-3)", "#NUM!"), ("=DAY(Z9-0.5)", "#NUM!"),
     ("=NETWORKDAYS(Z9-3,Z9)", "#NUM!"), ("=EOMONTH(Z9-1,3)", "#NUM!")],
)  # fmt: skip
def test_a_date_that_is_an_empty_cell_has_the_parts_that_excel_gives_it(
    call: Call, formula: str, value: int | str
) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[[formula]]).structured_content
    assert answer["computed"] == [{"cell": "Sheet1!A1", "value": value}]
    call("write_cells", path="a.xlsx", rows=[["=A1+1"]], start_cell="B1")
    read = call("read_cells", path="a.xlsx", show="formulas").structured_content["rows"]
    assert read == [[formula, "=A1+1"]]


@pytest.mark.parametrize(
    ("formula", "value"),
    [("=EOMONTH(Z9,0)", 31), ("=EOMONTH(Z9,12)", "1901-01-31"), ("=EOMONTH(Z9,-1)", "#NUM!"), ("=EDATE(Z9,0)", 0),
     ("=EDATE(Z9,1)", 31), ("=EDATE(Z9,24)", "1901-12-31"), ("=EDATE(Z9,-1)", "#NUM!"), ('=EDATE("x",1)', "#VALUE!"),
     ("=IFERROR(EDATE(Z9,12),7)", "1900-12-31"), ("=NETWORKDAYS(Z9,Z8)", 0), ("=NETWORKDAYS(Z9,DATE(2026,1,5))", 32876),
     ("=WORKDAY(Z9,5)", 6), ('=DATEDIF(Z9,DATE(2026,3,1),"y")', 126), ('=DATEDIF(Z9,DATE(2026,3,1),"m")', 1514),
     ('=DATEDIF(Z9,DATE(2026,3,1),"d")', 46082), ('=DATEDIF(Z9,Z8,"d")', 0), ("=WEEKNUM(Z9)", None),
     ("=NETWORKDAYS(Y1,Y2,Y1:Y3)", 21), ("=EDATE(Y1,1)", "2026-02-01"), ("=WORKDAY(Y1,-3)", "2025-12-29"),
     ('=DATEDIF(Y1,Y2,"d")', 30)],
)  # fmt: skip
def test_what_is_counted_from_a_date_that_is_an_empty_cell_is_what_excel_counts_or_unknown(
    call: Call, formula: str, value: int | str | None
) -> None:
    call("write_cells", path="a.xlsx", rows=[["2026-01-01"], ["2026-01-31"]], start_cell="Y1")
    call("write_cells", path="a.xlsx", rows=[[formula]])
    assert call("read_cells", path="a.xlsx", range="A1").structured_content["rows"] == [[value]]


@pytest.mark.parametrize(
    ("formula", "value"),
    [('=COUNTIF(B1:B5,">a")', 5), ('=COUNTIF(B1:B5,">=banana")', 3), ('=COUNTIF(B1:B5,"<>banana")', 4),
     ('=SUMIF(B1:B5,"<b",C1:C5)', 5)],
)  # fmt: skip
def test_criteria_compare_texts_in_the_order_of_letters_not_of_their_codes(
    call: Call, formula: str, value: int
) -> None:
    rows = [["Äpfel", 1], ["banana", 2], ["Cherry", 3], ["apple", 4], ["zebra", 5]]
    call("write_cells", path="a.xlsx", rows=rows, start_cell="B1")
    call("write_cells", path="a.xlsx", rows=[[formula]])
    assert call("read_cells", path="a.xlsx", range="A1").structured_content["rows"] == [[value]]


def test_formulas_that_fill_cells_read_the_clock_of_the_world(call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[["2026-03-15"], ["2026-03-17"], ["2026-03-20"]])
    call("write_cells", path="a.xlsx", rows=[["=FILTER(A1:A3,A1:A3>TODAY())"]], start_cell="C1")
    rows = call("read_cells", path="a.xlsx", range="C1:C3").structured_content["rows"]
    assert rows == [["2026-03-17"], ["2026-03-20"], [None]]


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ('=TEXT(2.5,"0")', "3"), ('=TEXT(-2.5,"0")', "-3"), ('=TEXT(2.675,"0.00")', "2.68"),
        ('=TEXT(0.285,"0%")', "29%"),
        ('=TEXT(1234.5,"#,##0")', "1,235"), ('=TEXT(1500,"0,")', "2"), ('=TEXT(0.125,"0.00;(0.00)")', "0.13"),
        ('=TEXT("abc","0")', "abc"), ('=TEXT(TRUE,"0.00")', "TRUE"), ('=TEXT("2.675","0.00")', "2.68"),
        ('=TEXT(1234.567,"#,##0.0 ""m""")', "1,234.6 m"), ('=TEXT(1/0,"0")', "#DIV/0!"),
        ('=TEXT(DATE(2026,3,5),"yyyy-mm-dd")', "2026-03-05"), ('=TEXT(1.5,"# ?/?")', "1 1/2"),
        ('="Total: "&(5384.94+0.0000000000005)', "Total: 5384.94"), ('=0.1+0.2&" EUR"', "0.3 EUR"),
        ('=CONCATENATE(100000/3)', "33333.3333333333"), ('="No. "&12345.25&"/"&1', "No. 12345.25/1"),
        ("=COUNT({1,2,3})", 3), ("=VARA(B1,C1,C3)", 7 / 3), ("=MINA(B1,C1)", 0), ("=(1/3)&7", "0.3333333333333337"),
        ('=CONCAT(C3/7," of ",1/3)', "0.428571428571429 of 0.333333333333333"), ("=OR(EXACT({\"a\",\"q\"},B1))", True),
        ('=TEXTJOIN("",TRUE,Y2:Y3)', "0.3333333333333330.142857142857143"), ('=(1E14/3)&""', "33333333333333.3"),
        ("=OR(TRUE,1/0)", "#DIV/0!"), ("=AND(C1=2,C2-B1>1)", "#VALUE!"), ("=IF(OR(C1=1,NA()),1,2)", "#N/A"),
        ("=AND(FALSE,IFERROR(1/0,TRUE))", False), ('=OR(B1="a",B2="q")', True),
        ('=SUMIF(B1:B3,"a",C1)', 4), ('=SUMIF(B1:B3,"a",C1:C3)', 4), ('=AVERAGEIF(B1:B3,"a",C1:C2)', 2),
    ],
)  # fmt: skip
def test_where_the_engine_differs_from_excel_excels_value_is_stored(call: Call, formula: str, value: Any) -> None:
    call("write_cells", path="a.xlsx", rows=[["a", 1], ["b", 2], ["a", 3]], start_cell="B1")
    call("write_cells", path="a.xlsx", rows=[["=1/3"], ["=1/7"]], start_cell="Y2")
    answer = call("write_cells", path="a.xlsx", rows=[[formula]]).structured_content
    assert answer["computed"] == [{"cell": "Sheet1!A1", "value": pytest.approx(value)}]


def test_ranges_of_other_sizes_are_told_apart_beside_the_same_formula(call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[["a", 1, 5], ["b", 2, 6], ["a", 3, 7]], start_cell="B1")
    rows = [
        ['=SUMIF(B1:B3,"a",C1:C3)', '=XLOOKUP("b",B1:B3,C1:C3)'],
        ['=SUMIF(B1:B3,"a",C1:C2)', '=XLOOKUP("b",B1:B3,C1:D3)'],
    ]
    answer = call("write_cells", path="a.xlsx", rows=rows, start_cell="F1").structured_content
    assert [cell["value"] for cell in answer["computed"]] == [4, 2, 4, 2]
    assert call("read_cells", path="a.xlsx", range="G1:H2").structured_content["rows"] == [[2, None], [2, 6]]


def third_column(call: Any) -> Any:
    return [row[0] for row in call("read_cells", path="a.xlsx", range="C1:C3").structured_content["rows"]]


def test_and_and_or_pass_no_error_by_that_comes_into_a_cell_later(call: Call) -> None:
    rows = [[1, 2, '=IF(OR(A1=1,B1=9),"yes","no")'], [3, 4, "=AND(A2=9,B2=4)"], [5, "=A3*2", "=OR(A3=5,B3=1)"]]
    call("write_cells", path="a.xlsx", rows=rows)
    assert third_column(call) == ["yes", False, True]
    call("write_cells", path="a.xlsx", rows=[["#N/A"]], start_cell="B1")
    call("write_cells", path="a.xlsx", rows=[["=1/0"]], start_cell="B2")
    call("write_cells", path="a.xlsx", rows=[["five"]], start_cell="A3")
    assert third_column(call) == ["#N/A", "#DIV/0!", "#VALUE!"]
    call("write_cells", path="a.xlsx", rows=[[2], [4]], start_cell="B1")
    assert third_column(call) == ["yes", False, "#VALUE!"]


def test_pairs_are_computed_again_once_a_cell_of_them_is_empty(call: Call) -> None:
    formulas = ["=SUMX2PY2(A1:A3,B1:B3)", "=COVARIANCE.P(A1:A3,B1:B3)", None]
    rows = [list(row) for row in zip([1, 3, 5], [2, 5, 9], formulas, strict=True)]
    call("write_cells", path="a.xlsx", rows=rows)
    assert third_column(call)[:2] == [145, pytest.approx(14 / 3)]
    call("write_cells", path="a.xlsx", rows=[[None]], start_cell="A3")
    assert third_column(call)[:2] == [39, 1.5]


def test_numbers_in_texts_have_15_digits(call: Call) -> None:
    rows = [
        [
            '="Sum "&0.1+0.2',
            '=1.1*3&" EUR"',
            '=CONCAT(1/3,";",2/3)',
            "=RIGHT(0.1+0.2,2)",
            '=SUBSTITUTE(SQRT(2),".",",")',
        ]
    ]
    answer = call("write_cells", path="a.xlsx", rows=rows).structured_content
    cell_values = [entry["value"] for entry in answer["computed"]]
    joined = ["Sum 0.3", "3.3 EUR", "0.333333333333333;0.666666666666667"]
    assert cell_values == [*joined, ".3", "1,4142135623731"]


def test_a_small_number_with_many_digits_in_a_text_is_not_guessed(call: Call) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[['=(1/30000000)&"x"']]).structured_content
    assert "so small a number" in answer["unknown"][0]["reason"]
