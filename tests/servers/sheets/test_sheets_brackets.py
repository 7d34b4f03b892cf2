"""Brackets count in every place, also where the calculation engine writes a formula down without them.

What is right was worked out with Python's own brackets, from the rank of the operators of a spreadsheet.
"""

import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.answers import Call

A, B, C = 2, 3, 5
WORK: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "&": lambda a, b: _to_text(a) + _to_text(b),
    "=": lambda a, b: type(a) is type(b) and a == b,
    "<": lambda a, b: _rank_value(a) < _rank_value(b),
    ">=": lambda a, b: _rank_value(a) >= _rank_value(b),
    "<>": lambda a, b: type(a) is not type(b) or a != b,
}


def _to_text(value: Any) -> Any:
    return (
        str(value).upper() if isinstance(value, bool) else f"{value:.15g}" if isinstance(value, float) else str(value)
    )


def _rank_value(value: Any) -> Any:
    """Numbers are less than texts, texts less than truth values."""
    return (2, value) if isinstance(value, bool) else (1, value) if isinstance(value, str) else (0, value)


def _to_number(value: Any) -> Any:
    return float(value) if isinstance(value, str) else value


def _apply_operator(sign: Any, a: Any, b: Any) -> Any:
    left, right = (_to_number(a), _to_number(b)) if sign in "+-*/" else (a, b)
    if sign in ("=", "<>"):
        left, right = (operand if isinstance(operand, bool | str) else float(operand) for operand in (left, right))
    return WORK[sign](left, right)


def _list_cases() -> Iterator[Any]:
    for first, second in itertools.product(WORK, WORK):
        if not (first == "/" and second in ("=", ">=")):  # FALSE is a nought
            yield f"=(A1{first}B1){second}C1", _apply_operator(second, _apply_operator(first, A, B), C)
            yield f"=A1{first}(B1{second}C1)", _apply_operator(first, A, _apply_operator(second, B, C))
    for sign in WORK:
        yield f"=(A1{sign}B1)%", _to_number(_apply_operator(sign, A, B)) / 100
        yield f"=((A1{sign}B1))*2", _to_number(_apply_operator(sign, A, B)) * 2


@pytest.fixture
def values(call: Call) -> Any:
    def of(formulas: Any, rows: Any) -> Any:
        call("write_cells", path="a.xlsx", rows=rows)
        answer = call("write_cells", path="a.xlsx", start_cell="F1", rows=[[formula] for formula in formulas])
        assert not answer.is_error, answer.content[0].text
        read = call("read_cells", path="a.xlsx", range=f"F1:F{len(formulas)}", limit=len(formulas))
        return [row[0] for row in read.structured_content["rows"]]

    return of


def test_every_two_operators_are_taken_in_the_order_of_their_brackets(values: Any) -> None:
    cases = dict(_list_cases())
    results = dict(zip(cases, values(cases, [[A, B, C]]), strict=True))
    wrong = {
        formula: (results[formula], right)
        for formula, right in cases.items()
        if results[formula] != (pytest.approx(right) if isinstance(right, float) else right)
    }
    assert not wrong
    assert len(cases) == 2 * (len(WORK) ** 2 - 2) + 2 * len(WORK)


def test_brackets_count_over_arrays_and_in_functions_too(values: Any) -> None:
    formulas = {
        "=SUMPRODUCT((A1:A2&B1:B2)*1)": 47,
        '=SUMPRODUCT(--((A1:A2=2)&""="TRUE"))': 2,
        '=IF((A1=A2)&""="TRUE","same","other")': "same",
        "=(A1&B1)*(B1&C1)": 805,
        "=LET(joined,A1&B1,joined*2)": 46,
        "=ROUND((A1/B1)%,4)": 0.0067,
        "=ROUND(A1/(-(B1*C1)),4)": -0.1333,
        "=ROUND(A1/-(B1/C1),4)": -3.3333,
        "=C1/(-((B1)*A1)%)": -83.3333333333333,
        "=-((A1^A1)/A1)": -2,
        "=(-(A1*B1))^2": 36,
    }
    assert values(formulas, [[2, 3, 5], [2, 4, 6]]) == [pytest.approx(formula) for formula in formulas.values()]


def test_brackets_of_a_name_count(call: Call, values: Any) -> None:
    call("write_cells", path="a.xlsx", rows=[[2, 3, 5]])
    call("set_name", path="a.xlsx", name="Joined", refers_to="=(Sheet1!$A$1&Sheet1!$B$1)*2")
    assert values(["=Joined+1"], [[2, 3, 5]]) == [47]
