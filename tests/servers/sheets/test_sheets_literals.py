"""Numbers written into formulas themselves, in lists, as text or left out, count as in Excel."""

from typing import Any

import pytest
from support.answers import Call


@pytest.fixture
def value(call: Call) -> Any:
    """The value of a formula at H1, and why it has none, beside A1:C3 of 1 to 9."""
    call("write_cells", path="a.xlsx", rows=[[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    call("write_cells", path="a.xlsx", start_cell="A5", rows=[["x"], ["y"]])

    def run(formula: Any) -> Any:
        answer = call("write_cells", path="a.xlsx", start_cell="H1", rows=[[formula]]).structured_content
        cell_value = call("read_cells", path="a.xlsx", range="H1").structured_content["rows"][0][0]
        return cell_value, "".join(cell["reason"] for cell in answer.get("unknown", []))

    return run


@pytest.mark.parametrize(
    ("formula", "result"),
    [
        ("=AVERAGE(1,,2)", 1),
        ("=COUNT(1,,3)", 3),
        ("=MEDIAN(ROUND(1.2,0),,3)", 1),
        ("=PRODUCT(2,,3)", 6),
        ('=VAR.S("5",3)', 2),
        ('=STDEV("1",TRUE)', 0),
        ('=SUMSQ("5",TRUE,3,2)', 39),
        ("=SMALL(A1:C3,TRUE)", 1),
        ("=SUBTOTAL(6,A1:B2)", 40),
        ("=AVERAGE(A1:C3)", 5),
        ('=COUNTA("",FALSE)', 2),
    ],
)
def test_texts_truth_values_and_gaps_in_lists_count_as_numbers(value: Any, formula: str, result: int) -> None:
    assert value(formula) == (result, "")


def test_the_cell_in_which_ranges_meet_is_computed_where_libreoffice_is(value: Any) -> None:
    assert value("=SUM(A1:B3 B1:C3)") == (15, "")
    assert value('=SUM( A1 ) + B1 & " a b "') == ("3 a b ", "")


def test_a_number_too_large_for_a_text_is_said_to_be_unknown(value: Any) -> None:
    result, reason = value('=1E20&""')
    assert result is None
    assert "TEXT" in reason
    assert value('=TEXT(1E20,"0")') == ("100000000000000000000", "")
    assert value('="DE"&"89370400440532013000"') == ("DE89370400440532013000", "")
