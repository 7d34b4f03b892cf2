"""Reading formulas: what is understood, and that nothing is evaluated."""

from contextlib import suppress

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from yardkit.servers.solver.engine.parse import FUNCTIONS, Reader
from yardkit.world import Problem

x, y = sympy.symbols("x y")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2x^2 + 3(x+1)(x-1)", 2 * x**2 + 3 * (x + 1) * (x - 1)),
        ("0.1 + 0.2", sympy.Rational(3, 10)),
        ("1e-3", sympy.Rational(1, 1000)),
        ("-2^2", sympy.Integer(-4)),
        ("2^3^2", sympy.Integer(512)),
        ("sin(2pi x)", sympy.sin(2 * sympy.pi * x)),
        ("ln(x)sin(x)", sympy.log(x) * sympy.sin(x)),
        ("x y", x * y),
        ("x(x+1)", x * (x + 1)),
        ("\u221a(2) \u00d7 x\u00b2 \u2212 \u03c0", sympy.sqrt(2) * x**2 - sympy.pi),
        ("e^(I*pi)", sympy.Integer(-1)),
        ("log(8, 2) + log10(100)", sympy.Integer(5)),
        ("abs(-3) + max(1, 2)", sympy.Integer(5)),
        ("7 % 4", sympy.Integer(3)),
        ("1/3", sympy.Rational(1, 3)),
    ],
)
def test_formulas_are_read_as_a_person_means_them(text: str, value: sympy.Expr) -> None:
    assert Reader().expression(text) == value


def test_the_letter_e_is_a_symbol_when_it_is_asked_for() -> None:
    assert Reader(["e"]).expression("e").is_Symbol


def test_both_sides_of_an_equation_come_back() -> None:
    assert Reader().read_equation("x^2 = 4") == (x**2, 4)
    assert Reader().read_equation("x - 1") == (x - 1, 0)


def test_chained_comparisons_all_hold() -> None:
    assert Reader().read_condition("0 < x <= 3") == sympy.And(sympy.Lt(0, x), sympy.Le(x, 3))


def test_primes_are_derivatives_of_the_unknown_functions() -> None:
    f = sympy.Function("y")(x)
    left, right = Reader(variable="x", functions=("y",)).read_equation("y'' + 2y' = y(0)")
    assert left == f.diff(x, 2) + 2 * f.diff(x)
    assert right == f.subs(x, 0)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('touch x')",
        "().__class__.__bases__",
        "x.func",
        "lambda: 1",
        "[1, 2]",
        "{1}",
        "'text'",
        "f'{x}'",
        "x if x else y",
        "not x",
        "x and y",
        "x := 3",
        "eval(x)",
        "open(x)",
        "print(1)",
        "sin(*x)",
        "sin(x=1)",
        "sin",
        "a = b = c",
        "1_000",
        "3 4",
        "x;y",
        "x\\y",
        "x@y",
        "x // y",
        "x << 2",
        "~x",
        "",
        "   ",
        "(",
        ")",
        "()",
        "1/0",
        "c%0",
        "mod(c, 0)",
        "0^-1",
        "9**9**9",
        "2^(10^9)",
        "10^(-10^9)",
        "factorial(10^9)",
        "binomial(10^9, 5)",
        "fibonacci(10^8)",
        "1e999999999",
        "1" * 400,
        "(" * 300 + "x" + ")" * 300,
        "+".join(["x"] * 4_000),
        "-" * 3_000 + "x",
        "sin(" * 120 + "x" + ")" * 120 + "+",
        "x" * 60,
        "a__b",
        "\0",
        "\ud800",
        "unknownfunction(x)",
    ],
)
def test_what_is_no_formula_is_a_problem_at_once(text: str) -> None:
    with pytest.raises(Problem):
        Reader().read_statement(text)


@settings(max_examples=300)
@given(st.text(alphabet="xyez019.+-*/^()=<>,' _pisnco!&|%\u221a\u00b2\u2212", max_size=40))
def test_any_text_is_read_or_is_a_problem(text: str) -> None:
    with suppress(Problem):
        assert Reader().read_statement(text) is not None


def generate_sums() -> st.SearchStrategy[str]:
    return st.recursive(
        st.sampled_from(["x", "y", "2", "1/3", "0.5"]),
        lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda parts: f"({''.join(parts)})"),
        max_leaves=6,
    )


@settings(max_examples=100)
@given(generate_sums())
def test_reading_what_sympy_writes_gives_the_same(text: str) -> None:
    value = Reader().expression(text)
    assert sympy.simplify(Reader().expression(str(value)) - value) == 0


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS.values())))
def test_every_listed_function_exists_in_sympy(name: str) -> None:
    assert callable(getattr(sympy, name))
