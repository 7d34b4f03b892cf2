"""Numbers too large to be held are #NUM! at once, and numbers in texts have 15 digits, as Excel has it."""

import math
import operator

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolyard.servers.sheets.engine.compute import saved_workbook
from toolyard.servers.sheets.engine.formula_forms import overflow, text_digits

CELLS = [[5], [0], [-1000], [400], [1e200], ["=0.1+0.2"], ["=0*-1"], [None], ["abc"], ["=1E+19/3"], [1.23456789012e-05]]
BY_THE_ENGINE = {
    "=EXP(1000)": "#NUM!",
    "=IFERROR(EXP(1000),0)": 0,
    "=ISERROR(EXP(800))": True,
    "=1/EXP(1000)": "#NUM!",
    "=1/(1+EXP(-A3))": "#NUM!",
    "=MAX(EXP(1000),1)": "#NUM!",
    '=TEXT(EXP(1000),"0%")': "#NUM!",
    "=LET(x,EXP(1000),IFERROR(x,3))": 3,
    '=IFERROR(FACT(200),"large")': "large",
    "=FACT(1E+12)": "#NUM!",
    '=FACT("5")': 120,
    "=IFERROR(PRODUCT(A5,A5),4)": 4,
    "=IFERROR(PRODUCT({1E200,1E200}),4)": 4,
    "=1/COMBIN(2000,1000)": "#NUM!",
    '=EXP("x")': "#VALUE!",
    '=IFERROR(1/EXP("x"),1)': 1,
    "=10^400": "#NUM!",
    "=POWER(10,A4)": "#NUM!",
    "=10^A4/0": "#NUM!",
    "=-10^A4": "#NUM!",
    "=1/2^-A4^3": "#DIV/0!",
    "=10^A4^2": "#NUM!",
    "=IFERROR(10^A4,5)": 5,
    "=A2^-1": "#DIV/0!",
    "=A1/0^A1": "#DIV/0!",
    "=(A1/A2)^(1/5)-1": "#DIV/0!",
    "=(A2/A1)^(1/5)-1": -1,
    "=POWER(1/0,2)": "#DIV/0!",
    "=-2^2": 4,
    "=2^3^2": 64,
    "=A5*A5": "#NUM!",
    "=A5/A5": 1,
    "=IF(A5>1,1,2)": 1,
    "=SUM(A5,A5)": 2e200,
    "=LEN(0.1+0.2)": 3,
    "=LEN(A6)": 3,
    "=RIGHT(A6,1)": "3",
    '=SUBSTITUTE(A6,".",",")': "0,3",
    "=MID(A6*10,1,9)": "3",
    "=UPPER(SUM(A6,A6)*10)": "6",
    "=EXACT(A6,0.3)": True,
    '=IF(A6&""="0.3","y","n")': "y",
    "=A6&A6": "0.30.3",
    "=LEN(1/3)": 17,
    '="v"&1/3': "v0.333333333333333",
    "=VALUE(LEFT(A6,9))": 0.3,
    '=A7&"x"': "0x",
    '=0*-1&"x"': "0x",
    "=LEN(A7)": 1,
    "=LEN(A8)": 0,
    '=A8&"x"': "x",
    "=LEN(A9)": 3,
    '=TRUE&""': "TRUE",
    "=LEFT(A10,20)": "3333333333333330000",
    "=RIGHT(YEAR(45000),2)": "23",
    "=DAY(60)": 29,
}
BY_LIBREOFFICE = {
    "=IFERROR(1E+300*1E+300,7)": 7,
    "=1/(A5*A5)": "#NUM!",
    "=IF(A5*A5>1,1,2)": "#NUM!",
    "=IFERROR(SUMPRODUCT(A5:A5,A5:A5),1)": 1,
    "=ERROR.TYPE(10^400)": 6,
    "=SUMPRODUCT(LEN(A6:A7))": 4,
    "=SUMPRODUCT(LEN(A1:A1/3))": 16,
    "=FIXED(1E+20,0)": "100,000,000,000,000,000,000",
}
BY_NOBODY = ["=LEN(A11)", "=LEN(A11/7)", '=IMEXP("1000")', "=DATE(1900,2,29)"]


def values(path, column):
    cells = openpyxl.load_workbook(path, data_only=True).worksheets[0][column]
    return [cell.value for cell in cells]


def alone(monkeypatch):
    monkeypatch.setattr(saved_workbook, "office_values", lambda *_: {})


def test_a_number_that_is_too_large_is_an_error_and_texts_have_fifteen_digits(files, call, monkeypatch):
    alone(monkeypatch)
    call("write_cells", path="large.xlsx", rows=CELLS)
    assert not call(
        "write_cells", path="large.xlsx", start_cell="C1", rows=[[formula] for formula in BY_THE_ENGINE]
    ).is_error
    found = dict(zip(BY_THE_ENGINE, values(files / "large.xlsx", "C"), strict=True))
    assert {formula: found[formula] for formula in found if found[formula] != BY_THE_ENGINE[formula]} == {}


def test_what_may_be_too_large_on_the_way_is_asked_of_libreoffice_and_never_guessed(files, call, monkeypatch):
    asked = [*BY_LIBREOFFICE, *BY_NOBODY]
    call("write_cells", path="large.xlsx", rows=CELLS)
    call("write_cells", path="large.xlsx", start_cell="C1", rows=[[formula] for formula in asked])
    found = values(files / "large.xlsx", "C")[: len(asked)]
    assert dict(zip(asked, found, strict=True)) == BY_LIBREOFFICE | dict.fromkeys(BY_NOBODY)
    alone(monkeypatch)
    told = call("write_cells", path="large.xlsx", start_cell="C1", rows=[[formula] for formula in asked])
    assert values(files / "large.xlsx", "C")[: len(asked)] == [None] * len(asked)
    assert len(told.structured_content["unknown"]) == len(asked)


def test_a_value_that_becomes_too_large_later_is_told_apart_then(files, call, monkeypatch):
    alone(monkeypatch)
    rows = [[1, '=IFERROR(1/EXP(A1),"large")', "=10^A1", '=A1/7&"!"', "=LEN(A1)", "=IF(F1*2>1,1,2)", 3]]
    call("write_cells", path="later.xlsx", rows=rows)
    call("edit_workbook", path="later.xlsx", edits=[{"op": "write", "range": "F1", "values": [["=G1"]]}])
    for amount, expected in ((900, ["large", "#NUM!"]), (2, [pytest.approx(math.exp(-2)), 100])):
        call("write_cells", path="later.xlsx", rows=[[amount]])
        assert [values(files / "later.xlsx", column)[0] for column in "BC"] == expected
    call("write_cells", path="later.xlsx", rows=[["=0.1+0.2"]])
    assert values(files / "later.xlsx", "E") == [3]
    call("write_cells", path="later.xlsx", start_cell="G1", rows=[[1e200]])
    assert values(files / "later.xlsx", "F") == [1e200]


OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow}
NUMBERS = st.sampled_from([0.5, 2.0, 3.0, 40.0, 600.0, -2.0])
TREES = st.recursive(
    NUMBERS,
    lambda part: st.one_of(
        st.tuples(st.sampled_from(sorted(OPERATORS)), part, part),
        st.tuples(st.sampled_from(["EXP", "FACT", "IFERROR"]), part),
    ),
    max_leaves=6,
)


class TooLarge(Exception):
    """What Excel makes #NUM! of."""


def said(tree):
    if isinstance(tree, float):
        return repr(tree)
    if len(tree) == 3:
        return f"({said(tree[1])}){tree[0]}({said(tree[2])})"
    return f"IFERROR({said(tree[1])},7)" if tree[0] == "IFERROR" else f"{tree[0]}({said(tree[1])})"


def worked_out(tree):
    """What Excel computes: an error as soon as a number is too large, or there is none."""
    if isinstance(tree, float):
        return tree
    if tree[0] == "IFERROR":
        try:
            return worked_out(tree[1])
        except TooLarge:
            return 7.0
    parts = [worked_out(branch) for branch in tree[1:]]
    try:
        if tree[0] == "FACT":
            found = float(math.factorial(math.floor(parts[0]))) if parts[0] < 171 else math.inf
        else:
            found = math.exp(*parts) if tree[0] == "EXP" else OPERATORS[tree[0]](*parts)
    except (ArithmeticError, ValueError) as error:
        raise TooLarge from error
    if isinstance(found, complex) and abs(1 / parts[1] - round(1 / parts[1])) < 1e-9 and round(1 / parts[1]) % 2:
        found = -(abs(parts[0]) ** parts[1])  # the odd root of a negative number, which spreadsheets have
    if isinstance(found, complex) or not math.isfinite(found):
        raise TooLarge
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TREES, min_size=8, max_size=8))
def test_whatever_is_computed_on_the_way_an_error_stays_one(files, call, monkeypatch, trees):
    alone(monkeypatch)
    (files / "trees.xlsx").unlink(missing_ok=True)
    call("write_cells", path="trees.xlsx", rows=[[f"={said(tree)}"] for tree in trees])
    for tree, found in zip(trees, values(files / "trees.xlsx", "A"), strict=True):
        try:
            expected = worked_out(tree)
        except TooLarge:
            assert found is None or isinstance(found, str), said(tree)
        else:
            assert found is None or found == pytest.approx(expected, rel=1e-9), said(tree)


@pytest.mark.parametrize(
    ("formula", "calls"),
    [
        ("=A1^B1", "=POWER(A1,B1)"),
        ("=-A1^-B1%", "=POWER(-A1,-B1%)"),
        ("=A1^B1^C1", "=POWER(POWER(A1,B1),C1)"),
        ("=2*(A1+1)^SUM(B1^2,1)/3", "=2*POWER((A1+1),SUM(POWER(B1,2),1))/3"),
        ('="a^b"&A1', '="a^b"&A1'),
    ],
)
def test_powers_are_written_as_calls(formula, calls):
    assert overflow.with_calls(formula) == calls


@pytest.mark.parametrize(
    ("formula", "hiding"),
    [
        ("=A1*B1", False),
        ("=SUM(A1:A9)*2", False),
        ("=A1/B1", False),
        ("=IF(A1>B1,A1,B1)", False),
        ("=ROUND(A1*B1,2)", False),
        ("=A1/(B1*2)", True),
        ("=A1*B1>5", True),
        ("=IF(A1*B1>5,1,2)", True),
        ("=IFERROR(A1/B1,0)", True),
        ("=1/total", True),
        ("=MAX(SUM(A1:A2),1)", True),
        ("=A1^2", True),
    ],
)
def test_it_is_known_which_formulas_may_hide_that_a_number_is_too_large(formula, hiding):
    assert overflow.hides(formula) is hiding


def test_only_numbers_that_come_into_texts_are_rounded():
    same = ["=A1+B1", "=SUM(A1:A9)", '=A1&"x"', "=LEN(A1)", '=LEFT(A1,LEN(A1)-1)&"x"', "=RIGHT(ROUND(A1,2),3)"]
    assert [formula for formula in same if text_digits.with_rounded_texts(formula, cells=False) != formula] == []
    assert text_digits.with_rounded_texts('=A1*2&"x"', cells=False).endswith('&"x"')
    assert text_digits.with_rounded_texts("=LEN(A1)", cells=True).startswith("=LEN(LET(told,A1,")
