"""Criteria that are unequal to a text, and joined texts: what holds no text counts as Excel counts it.

The values were worked out by hand: a cell is unequal to "Paid" whenever it does not hold that text, in whatever case;
an empty text counts as empty in TEXTJOIN.
"""

from typing import Any

import pytest
from support.answers import Call

ROWS = [
    ["Paid", 10, 1],
    [None, 20, 2],
    ["Open", 30, None],
    ["paid", 40, "x"],
    ['=""', 50, 0],
    [5, 60, True],
    ["=1/0", 70, 5],
]
KNOWN = {
    '=COUNTIF(A1:A7,"<>Paid")': 5,
    '=SUMIF(A1:A7,"<>Paid",B1:B7)': 230,
    '=SUMIFS(B1:B7,A1:A7,"<>Paid")': 230,
    '=SUMIFS(B1:B7,A1:A7,"<>Paid",A1:A7,"<>Open")': 200,
    '=COUNTIFS(A1:A7,"<>Paid",C1:C7,"<>0")': 4,
    '=COUNTIFS(A1:A7,"<>Paid",C1:C7,"<>x")': 5,
    '=AVERAGEIF(A1:A7,"<>Paid",B1:B7)': 46,
    '=AVERAGEIFS(C1:C7,A1:A7,"<>Paid")': 7 / 3,
    '=COUNTIF(A1:A7,"<>"&A1)': 5,
    '=COUNTIF(C1:C7,"<>"&C1)': 6,
    '=COUNTIF(C1:C7,"<>"&C4)': 6,
    '=COUNTIF(A1:A7,"<>P*")': 5,
    '=COUNTIF(A1:A7,"<>")': 6,
    '=COUNTIF(A1:A7,"<>5")': 6,
    '=COUNTIF(A1:A7,"=")': 1,
    '=COUNTIF(A:A,"<>Paid")': 1_048_574,
    '=MAXIFS(B1:B7,A1:A7,"<>Open")': 70,
    '=SUMIFS(B1:B7,A1:A7,"Paid")': 50,
    '=TEXTJOIN("-",TRUE,A1:A6)': "Paid-Open-paid-5",
    '=TEXTJOIN("-",FALSE,A1:A6)': "Paid--Open-paid--5",
    '=TEXTJOIN("-",TRUE,"","x",A2,A5,C3:C4)': "x-x",
    '=TEXTJOIN(", ",TRUE,IF(B1:B6>20,C1:C6,""))': "x, 0, TRUE",
    '=TEXTJOIN(",",C6,A2,"z",A5)': "z",
    '=CONCAT(UNIQUE(C4:C6))': "x0TRUE",
    '=TEXTJOIN("-",TRUE,A2,A5)': "",
    '=INDEX(A1:C7,4,0)': "paid",
    '=SUM(INDEX(A1:C7,0,2))': 280,
    '=SUM(XLOOKUP("Open",A1:A7,B1:C7))': 30,
}  # fmt: skip


@pytest.fixture
def compute(call: Call) -> Any:
    """The value of a formula beside the rows, and why it has none."""
    call("write_cells", path="a.xlsx", rows=ROWS)

    def run(formula: Any) -> Any:
        answer = call("write_cells", path="a.xlsx", start_cell="F1", rows=[[formula]])
        assert not answer.is_error, answer.content[0].text
        value = call("read_cells", path="a.xlsx", range="F1").structured_content["rows"][0][0]
        return value, [cell["reason"] for cell in answer.structured_content.get("unknown", [])]

    return run


@pytest.mark.parametrize("formula", KNOWN)
def test_criteria_and_joined_texts_give_what_excel_gives(compute: Any, formula: Any) -> None:
    right = KNOWN[formula]
    assert compute(formula) == (pytest.approx(right) if isinstance(right, float) else right, [])


def test_several_separators_are_left_to_others(compute: Any) -> None:
    value, reasons = compute('=TEXTJOIN({",",";"},TRUE,A1:C3)')
    assert value is None
    assert "separators" in reasons[0]


def test_a_later_edit_is_counted_too(call: Call, compute: Any) -> None:
    assert compute('=SUMIFS(B1:B7,A1:A7,"<>Paid")')[0] == 230
    call("write_cells", path="a.xlsx", start_cell="A2", rows=[["Paid"]])
    assert call("read_cells", path="a.xlsx", range="F1").structured_content["rows"] == [[210]]
    call("write_cells", path="a.xlsx", start_cell="A1", rows=[[None]])
    assert call("read_cells", path="a.xlsx", range="F1").structured_content["rows"] == [[220]]


def test_a_row_that_index_gives_fills_its_cells(call: Call, compute: Any) -> None:
    compute("=INDEX(A1:C7,4,0)")
    assert call("read_cells", path="a.xlsx", range="F1:H1").structured_content["rows"] == [["paid", 40, "x"]]
    compute("=INDEX(B1:B7,3,0)")
    assert call("read_cells", path="a.xlsx", range="F1:H1").structured_content["rows"] == [[30, None, None]]


def test_texts_of_whole_columns_are_joined_as_far_as_there_are_any(call: Call, compute: Any) -> None:
    assert compute('=TEXTJOIN("-",TRUE,A:A)')[0] == "#DIV/0!"
    call("write_cells", path="a.xlsx", start_cell="A7", rows=[["late"]])
    assert call("read_cells", path="a.xlsx", range="F1").structured_content["rows"] == [["Paid-Open-paid-5-late"]]
    call("write_cells", path="a.xlsx", start_cell="A40", rows=[["last"]])
    assert call("read_cells", path="a.xlsx", range="F1").structured_content["rows"] == [["Paid-Open-paid-5-late-last"]]
