"""What has no value, or is read in an unusual way, is said in plain words."""

import math
import re

import pytest
from support.answers import Call

REVERSED = [("5", "1", "sum", -9, "minus the sum for 2 ... 4"), ("5", "1", "product", 1 / 24, "1 divided by")]


@pytest.mark.parametrize(("lower", "upper", "operation", "value", "words"), REVERSED)
def test_bounds_in_reverse_order_are_said_to_be_read_so(
    call: Call, lower: str, upper: str, operation: str, value: float, words: str
) -> None:
    answer = call("sum_series", term="k", index="k", lower=lower, upper=upper, operation=operation)
    assert answer.structured_content["value"]["number"] == pytest.approx(value)
    assert words in answer.structured_content["note"]
    assert words in answer.content[0].text


UNDEFINED = [
    ("sum_series", {"term": "1/k", "index": "k", "lower": "-3", "upper": "3"}, "undefined for k = 0"),
    ("sum_series", {"term": "k", "index": "k", "lower": "1/2", "upper": "3"}, "not a whole number"),
    ("sum_series", {"term": "k", "index": "k", "lower": "oo", "upper": "1"}, "reverse order"),
    ("integrate_expression", {"expression": "sin(x)", "variable": "x", "lower": "0", "upper": "oo"}, "between 0 and 2"),
    (
        "integrate_expression",
        {"expression": "1/(x-0.3)^2", "variable": "x", "lower": "0", "upper": "1", "method": "numeric"},
        "may diverge",
    ),
    ("find_limit", {"expression": "sin(1/x)", "variable": "x", "point": "0"}, "between -1 and 1"),
    ("find_limit", {"expression": "a^x", "variable": "x", "point": "oo"}, "other letters"),
    ("rewrite_expression", {"expression": "log(0)", "operation": "evaluate"}, "a value is undefined"),
    ("differentiate_expression", {"expression": "abs(x)", "variables": ["x"], "substitute": {"x": "0"}}, "-1 from"),
    ("differentiate_expression", {"expression": "floor(x)", "variables": ["x"]}, "no derivative"),
    ("expand_series", {"expression": "abs(x)", "variable": "x"}, "from the left -x"),
    (
        "solve_differential_equation",
        {"equations": ["y'' = -y"], "functions": ["y"], "conditions": ["y(0) = 1"], "numeric_until": 2},
        "y'(0)",
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "words"), UNDEFINED)
def test_what_has_no_value_is_refused_in_words_without_names_of_classes(
    call: Call, tool: str, arguments: dict[str, object], words: str
) -> None:
    answer = call(tool, **arguments)
    assert answer.is_error
    assert words in answer.content[0].text
    assert not re.search(r"AccumBounds|Derivative|NaN|nan\b|generators", answer.content[0].text)


def test_a_narrow_peak_is_not_missed_by_quadrature(call: Call) -> None:
    peak = {"expression": "exp(-1000*(x-0.5)^2)", "lower": "-1000", "upper": "1000"}
    answer = call("integrate_expression", **peak, variable="x", method="numeric").structured_content
    assert answer["value"]["number"] == pytest.approx(math.sqrt(math.pi / 1000), rel=1e-9)


def test_constants_that_conditions_leave_open_are_named(call: Call) -> None:
    answer = call("solve_differential_equation", equations=["y'' = -y"], functions=["y"], conditions=["y(0) = 1"])
    assert "do not fix C1" in answer.content[0].text
