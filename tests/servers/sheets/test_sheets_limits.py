"""Formulas that would fill the memory, never end or fail the calculation engine do none of that."""

import time

import openpyxl
import pytest

from toolyard.servers.sheets.engine.compute import saved_workbook
from toolyard.servers.sheets.engine.formula_forms.limits import form_of
from toolyard.world import current_world

ENDLESS = [
    "=COMBIN(A1,A1/2)",
    "=COMBINA(A1,A1/2)",
    "=PERMUT(A1,A1/2)",
    "=MULTINOMIAL(A1,5)",
    "=HYPGEOM.DIST(A1/10,A1/5,A1/5,A1,TRUE)",
    "=DB(10000,500,A1,A1/2)",
    "=VDB(10000,500,A1,0,A1)",
    "=BESSELI(1,A1)",
    "=BESSELK(1E300,1E300)",
    "=BETA.INV(0.5,A1,A1)",
    "=F.INV(0.5,A1,A1)",
    "=F.INV.RT(0.5,A1,40000)",
    "=T.INV(0.3,A1)",
    "=T.INV.2T(0.5,A1)",
    "=SUM(EXPAND(1,A1,A1,0))",
    "=SUM(SEQUENCE(A1,40000,2))",
    "=SUM(WRAPROWS(A2:A3,A1))",
    '=LEN(SUBSTITUTE(REPT("a",32000),"a",REPT("b",A4)))',
    "=LET(f,LAMBDA(f,n,f(f,n+1)),f(f,1))",
    "=LET(f,LAMBDA(f,n,IF(n<2,n,f(f,n-1)+f(f,n-2))),f(f,A2+60))",
    "=LAMBDA(f,f(f))(LAMBDA(f,f(f)))",
    "=ROWS(REDUCE(1,SEQUENCE(60),LAMBDA(a,b,VSTACK(a,a))))",
]
FAILING = ["=EDATE(1,A1)", "=DATE(2026,1,A1)", "=FIXED(1,A1)", "=DOLLAR(1,A1)", "=XNPV(0.1,2)"]
USUAL = {
    "=COMBIN(49,6)": 13983816,
    "=PERMUT(A2,2)": 20,
    "=SUM(SEQUENCE(A2))": 15,
    "=SUM(SEQUENCE(A2,2))": 55,
    "=SUM(EXPAND(A2,2,2,1))": 8,
    '=SUBSTITUTE("a-b","-",A3)': "axb",
    '=SUM(SEQUENCE("3"))': 6,
    "=SUM(SEQUENCE(A3))": "#VALUE!",
    '=LEN(TEXTJOIN(REPT("y",32000),TRUE,SEQUENCE(5000)))': "#VALUE!",
    '=LEN(REDUCE("x",SEQUENCE(60),LAMBDA(a,b,a&a)))': "#VALUE!",
    '=LEN(INDEX(SCAN("x",SEQUENCE(60),LAMBDA(a,b,SUBSTITUTE(a,"x","xx"))),60))': "#VALUE!",
    "=BASE(5,2,A1)": "#NUM!",
    "=DB(10000,500,5,2)": pytest.approx(2475.99),
    "=EDATE(DATE(2026,1,31),1)-DATE(2026,2,28)": 0,
}
CELLS = [[1e12], [5], ["x"], [32000]]


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """Without LibreOffice."""
    monkeypatch.setattr(saved_workbook, "office_values", lambda *_: {})


def column(path, letter):
    return [cell.value for cell in openpyxl.load_workbook(path, data_only=True).worksheets[0][letter]]


@pytest.mark.parametrize("formula", ENDLESS)
def test_a_formula_that_would_not_end_has_no_value(files, call, formula):
    started = time.monotonic()
    call("write_cells", path="endless.xlsx", rows=CELLS)
    told = call("write_cells", path="endless.xlsx", start_cell="C1", rows=[[formula], ["=A2*2"]]).structured_content
    assert [cell["cell"] for cell in told["unknown"]] == ["Sheet1!C1"]
    assert column(files / "endless.xlsx", "C")[:2] == [None, 10]
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("formula", FAILING)
def test_a_formula_at_which_the_engine_fails_takes_no_other_with_it(files, call, formula):
    call("write_cells", path="failing.xlsx", rows=CELLS)
    told = call("write_cells", path="failing.xlsx", start_cell="C1", rows=[[formula], ["=EDATE(A2,A2)"]])
    assert [cell["cell"] for cell in told.structured_content["unknown"]] == ["Sheet1!C1"]
    assert column(files / "failing.xlsx", "C")[1] is not None
    call("write_cells", path="failing.xlsx", rows=[[1]])
    assert column(files / "failing.xlsx", "C")[1] is not None


def test_several_formulas_at_which_the_engine_fails_take_no_other_with_them(files, call):
    call("write_cells", path="failing.xlsx", rows=CELLS)
    rows = [["=EDATE(1,-A1)"], ["=DATE(2024,1E300,1)"], ["=EDATE(2,-A1)"], ["=A2*2"]]
    call("write_cells", path="failing.xlsx", start_cell="C1", rows=rows)
    assert column(files / "failing.xlsx", "C") == [None, None, None, 10]


def test_a_formula_at_which_the_engine_fails_later_takes_no_other_with_it(files, call):
    rows = [['="25:30"&""', "=A1+0", "=EDATE(1,A1*1E12)", "=B1*2"]]
    told = call("write_cells", path="later.xlsx", rows=rows).structured_content
    assert [cell["cell"] for cell in told["unknown"]] == ["Sheet1!C1"]
    assert column(files / "later.xlsx", "B") == [pytest.approx(25.5 / 24)]
    assert column(files / "later.xlsx", "D") == [pytest.approx(25.5 / 12)]


def test_the_clock_stands_still_also_where_the_engine_failed(files, call):
    call("write_cells", path="clock.xlsx", rows=[["=TODAY()", "=EDATE(TODAY(),0)", "=EDATE(1,1E12)"]])
    found = [column(files / "clock.xlsx", letter)[0] for letter in "ABC"]
    assert found == [found[0], found[0], None]
    assert found[0].date() == current_world().now.date()


def test_usual_sizes_are_computed_as_ever(files, call):
    call("write_cells", path="usual.xlsx", rows=CELLS)
    call("write_cells", path="usual.xlsx", start_cell="C1", rows=[[formula] for formula in USUAL])
    found = dict(zip(USUAL, column(files / "usual.xlsx", "C"), strict=False))
    assert {formula: found[formula] for formula in USUAL if found[formula] != USUAL[formula]} == {}


def test_amounts_of_money_may_be_large(files, call):
    rows = [[2_500_000, "=DB(A1,100000,5,2)", "=VDB(A1,100000,10,0,1)", "=BINOM.DIST(5,A1,0.5,TRUE)", "=GAMMA(171)"]]
    told = call("write_cells", path="money.xlsx", rows=rows).structured_content
    assert [cell["cell"] for cell in told["unknown"]] == ["Sheet1!D1", "Sheet1!E1"]
    assert [column(files / "money.xlsx", letter)[0] for letter in "BC"] == [623_437.5, 500_000]


def test_a_formula_that_would_fill_a_million_cells_says_so(files, call):
    told = call("write_cells", path="whole.xlsx", rows=[[3, "x", "y", "=SORT(A:A)"]]).structured_content
    assert "1,048,576 cells; name the rows" in told["unknown"][0]["reason"]
    assert column(files / "whole.xlsx", "D") == [None]


def test_sizes_that_stand_in_a_formula_need_no_form():
    assert form_of("SEQUENCE", ["10", "5"], limited=False) == form_of("COMBIN", ["49", "6"], limited=True) == ""
    assert (
        form_of("EDATE", ["A1", "1"], limited=False) == form_of("SUBSTITUTE", ["A1", '","', '"."'], limited=False) == ""
    )


def test_cells_that_each_double_the_text_above_end_where_a_cell_does(files, call):
    book = openpyxl.Workbook()
    book.active.append(["x" * 1000, "=LEN(A40)", '=IFERROR(A40,"long")'])
    for row in range(2, 41):
        book.active.cell(row, 1, f"=A{row - 1}&A{row - 1}" if row % 2 else f"=A{row - 1}")
        book.active.cell(row, 4, f"=CONCAT(D{row - 1},A1,D{row - 1})")
    book.save(files / "bomb.xlsx")
    assert not call("write_cells", path="bomb.xlsx", start_cell="F1", rows=[["=LEN(A7)"], ["=LEN(D3)"]]).is_error
    assert column(files / "bomb.xlsx", "F")[:2] == [8000, 3000]
    assert column(files / "bomb.xlsx", "A")[-1] == "#VALUE!" == column(files / "bomb.xlsx", "D")[-1]
    assert [column(files / "bomb.xlsx", letter)[0] for letter in "BC"] == ["#VALUE!", "long"]


def test_a_chain_over_sheets_named_in_any_case_ends_where_a_cell_does(files, call):
    call("write_cells", path="case.xlsx", sheet="Long", rows=[["x" * 10000, "=A1&A1"]])
    call("write_cells", path="case.xlsx", sheet="Short", rows=[[1, "=A1"]])
    call("write_cells", path="case.xlsx", sheet="Short", rows=[["=LONG!B1&LONG!B1", "=SHORT!A1&SHORT!A1", "=LEN(B1)"]])
    book = openpyxl.load_workbook(files / "case.xlsx", data_only=True)
    assert [cell.value for cell in book["Short"][1]] == ["#VALUE!"] * 3


def test_a_text_that_is_too_long_for_a_cell_is_not_stored(files, call):
    rows = [["a" * 20000, "b" * 20000, "=A1&B1"]]
    told = call("write_cells", path="long.xlsx", rows=rows).structured_content
    assert [cell["cell"] for cell in told["unknown"]] == ["Sheet1!C1"]
    assert "32,767" in told["unknown"][0]["reason"]
    assert column(files / "long.xlsx", "C") == [None]


def test_a_text_that_is_too_long_on_the_way_is_not_computed_with(files, call):
    rows = [["a" * 20000, "b" * 20000, "=LEN(A1&B1)", '=IF(A1&B1="x",1,2)', "=LEN(A1)+LEN(B1)", '=LEN(A1&"x")']]
    told = call("write_cells", path="way.xlsx", rows=rows).structured_content
    assert [cell["cell"] for cell in told["unknown"]] == ["Sheet1!C1", "Sheet1!D1"]
    assert [column(files / "way.xlsx", letter)[0] for letter in "EF"] == [40000, 20001]
    call("write_cells", path="way.xlsx", rows=[["a"]])
    assert [column(files / "way.xlsx", letter)[0] for letter in "CD"] == [20001, 2]


def test_a_formula_without_a_value_no_longer_counts_once_it_is_gone(files, call):
    rows = [[1.23456789012e-05, "=LEN(A1)", "=B1+1"]]
    told = call("write_cells", path="gone.xlsx", rows=rows).structured_content
    assert len(told["unknown"]) == 2
    call("write_cells", path="gone.xlsx", start_cell="B1", rows=[[4]])
    assert column(files / "gone.xlsx", "C") == [5]
