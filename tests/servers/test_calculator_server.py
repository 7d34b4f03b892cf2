"""The `calculator` server: exact, bounded, and clear about what it refuses."""

import math
import time
from contextlib import suppress
from fractions import Fraction

import pytest
from fastmcp import Client
from hypothesis import given
from hypothesis import strategies as st

from yardkit.servers.calculator.engine.expressions import evaluate_expression
from yardkit.servers.calculator.engine.statistics import describe_values
from yardkit.servers.calculator.engine.units import convert_unit
from yardkit.servers.calculator.server import mcp
from yardkit.world import Problem


@pytest.mark.parametrize(
    ("expression", "exact"),
    [
        ("0.1 + 0.2", "3/10"),
        ("1/3 * 3", "1"),
        ("2 ** -3", "1/8"),
        ("sqrt(16)", "4"),
        ("8 ** (1/3)", "2"),
        ("cbrt(-27)", "-3"),
        ("-7 // 2", "-4"),
        ("comb(52, 5)", "2598960"),
        ("factorial(1000) % 1000007", "323031"),
        ("mean([1, 2, 4])", "7/3"),
        ("x = 3; y = x ** 2; x + y", "12"),
        ("5² \N{MULTIPLICATION SIGN} 2 ÷ 4", "25/2"),
        ("round(2.675, 2)", "67/25"),
        ("+".join(["1"] * 400), "400"),
    ],
)
def test_what_can_be_exact_is_exact(expression: str, exact: str) -> None:
    assert evaluate_expression(expression).exact == exact


def test_functions_of_mathematics_are_the_nearest_double() -> None:
    assert evaluate_expression("sin(1) + log(2)").value == math.sin(1) + math.log(2)
    assert evaluate_expression("log(2 ** 10000)").value == pytest.approx(10_000 * math.log(2), rel=1e-15)
    assert evaluate_expression("price * 3", {"price": 19.99}).decimal == "59.97"


HOSTILE = [
    *("9**9**9", "factorial(10**9)", "2**(10**8)", "comb(10**9, 5*10**8)", "perm(10**9, 10**8)", "1e999999999"),
    *(
        "(" * 4000 + "1" + ")" * 4000,
        "-" * 9000 + "1",
        "1" * 20_000,
        "round(1/3, 10**9)",
        "pow(3, 2**9000, 2**9000 + 1)",
    ),
    *("lcm(2**30000, 3**20000)", "'a' * 10**9", "__import__('os')", "().__class__", "(lambda: 1)()", "[1] * 10**9"),
    *("1/0", "2^3", "5!", "exp(1000)", "sqrt(-1)", "unknown", "", "\0", "\ud800", "prod([10**300] * 9)", "nan = 3"),
    ";".join(f"x{n} = 2**30000 % (3**18000 + {n})" for n in range(180)),
]


@pytest.mark.parametrize("expression", HOSTILE, ids=range(len(HOSTILE)))
def test_what_cannot_be_computed_is_a_problem_at_once(expression: str) -> None:
    start = time.process_time()
    with pytest.raises(Problem):
        evaluate_expression(expression)
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    ("expression", "hint"),
    [
        ("80 * 15%", "15/100"),
        ("900/10%", "15/100"),
        ("sin(30°)", "radians"),
        ("sin(120 deg)", "radians"),
        ("2(3+4)", r"2\*\("),
        ("2x", r"2\*x"),
        ("5!", "factorial"),
    ],
)
def test_what_people_write_otherwise_is_told_in_the_grammar(expression: str, hint: str) -> None:
    with pytest.raises(Problem, match=hint):
        evaluate_expression(expression)


@given(st.fractions(max_denominator=10**6), st.fractions(max_denominator=10**6))
def test_arithmetic_agrees_with_fractions(a: Fraction, b: Fraction) -> None:
    given = {"a": str(a), "b": str(b)}
    assert Fraction(evaluate_expression("a * b - (a + b)", given).exact or "") == a * b - (a + b)
    if b:
        assert Fraction(evaluate_expression("a / b", given).exact or "") == a / b
    assert evaluate_expression("a < b", given).text == str(a < b)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=6))
def test_a_decimal_comes_back_as_it_was_written(number: object) -> None:
    text = evaluate_expression(f"{number:f}").decimal
    assert Fraction(text or "") == Fraction(str(number))


@given(st.text(alphabet="0123456789.+-*/() ex=<,[]'_!^%", max_size=40))
def test_any_text_is_a_value_or_a_problem(text: str) -> None:
    with suppress(Problem):
        assert evaluate_expression(text).steps


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (5, "mile", "km", 8.04672),
        ("36.6", "degC", "degF", 97.88),
        (0, "kelvin", "°C", -273.15),
        (100, "km/hour", "m/s", 27.77777777777778),
        (1, "kWh", "MJ", 3.6),
        (5, "m/s^2", "ft/s**2", 16.404199475065617),
        (180, "degree", "radian", math.pi),
        (1, "GiB", "MB", 1073.741824),
        (1, "acre", "m2", 4046.8564224),
        (1, "KB", "B", 1000),
        (8, "L/100km", "mpg", 29.401822916666667),
        (1, "mpg", "L/100km", 235.21458333333334),
        (250, "kcal/100 g", "kJ/kg", 10460),
        (1, "fl oz", "ml", 29.5735295625),
        (1, "UK gallon", "litres", 4.54609),
        (1, "light year", "km", 9460730472580.8),
        (5, "min/km", "km/h", 12),
        (2, "sq ft", "cm2", 1858.06080),
        (3, "Nm", "J", 3),
        (8, "Mb", "MB", 1),
        (1, "kmph", "m/s", 0.2777777777777778),
        (6, "'", '"', 72),
        (30, "dBm", "W", 1),
        (1, "W", "dBm", 30),
        (3, "octave", "decade", 0.90308998699194),
        (5, "‰", "%", 0.5),
    ],
)
def test_units_are_converted(value: float | str, source: str, target: str, expected: float) -> None:
    assert convert_unit(value, source, target).value == pytest.approx(expected, rel=1e-15)


def test_a_word_that_others_read_otherwise_is_explained() -> None:
    assert "KiB is 1024" in str(convert_unit(1, "KB", "bytes"))
    assert "reciprocal" in str(convert_unit(5, "min/km", "km/h"))
    assert convert_unit(1, "km", "m").note is None


@pytest.mark.parametrize(("written", "meant"), [("KM", "km"), ("houer", "hour"), ("kiogram", "kilogram")])
def test_a_unit_that_is_near_is_named(written: str, meant: str) -> None:
    with pytest.raises(Problem, match=rf"did you mean.*\b{meant}\b"):
        convert_unit(1, written, "m")


@given(st.text(alphabet="kmgslftoz123/*^()-. %°'\"²µ", max_size=12))
def test_any_text_is_a_unit_or_a_problem(text: str) -> None:
    with suppress(Problem):
        convert_unit(1, text, text)


def test_other_dimensions_are_named() -> None:
    with pytest.raises(Problem, match=r"\[mass\].*\[length\]"):
        convert_unit(1, "kg", "m")
    with pytest.raises(Problem, match="degC"):
        convert_unit(20, "C", "F")


@pytest.mark.parametrize("unit", ["9**9**9*m", "m**9**9", "m**999", "", "import os", "m.__class__", "(m", "2 m", "m\0"])
def test_a_unit_cannot_carry_a_computation(unit: str) -> None:
    with pytest.raises(Problem):
        convert_unit(1, unit, "m")


def test_statistics_are_exact_before_they_are_rounded() -> None:
    statistics = describe_values(["0.1"] * 10 + [1e15, -1e15])
    assert (statistics.sum, statistics.mean_exact) == (1.0, "1/12")
    assert describe_values([2, 4, 4, 4, 5, 5, 7, 9]).population_stdev == 2.0
    assert describe_values([1, 2, 3, 4]).quartiles == [1.75, 2.5, 3.25]
    assert describe_values([1, 2, 3, 4], method="exclusive").quartiles == [1.25, 2.5, 3.75]


async def test_a_client_gets_value_and_text() -> None:
    async with Client(mcp) as client:
        result = await client.call_tool("evaluate_expression", {"expression": "0.1 + 0.2"})
        assert result.content[0].text == "0.1 + 0.2 = 0.3"
        assert result.structured_content is not None
        assert result.structured_content["value"] == 0.3
        refused = await client.call_tool("evaluate_expression", {"expression": "9**9**9"}, raise_on_error=False)
        assert refused.is_error
        assert "too large" in refused.content[0].text
