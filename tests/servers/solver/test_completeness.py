"""What is called all, no solution or verified is proven."""

import itertools
import math

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from support.scale import count_tries

from yardkit.servers.solver.engine.calculus import integrate_expression
from yardkit.servers.solver.engine.equations import Solutions, solve
from yardkit.servers.solver.engine.inequalities import solve_inequalities
from yardkit.world import Problem

SOME = count_tries(200, 8)
small_integers = st.integers(-6, 6)


def real_values(solutions: Solutions, name: str) -> list[float]:
    numbers = (solution.values[name].number for solution in solutions.solutions)
    return sorted(number for number in numbers if number is not None)


@settings(max_examples=SOME, deadline=None)
@given(st.lists(st.fractions(-5, 5, max_denominator=4), min_size=1, max_size=4), st.booleans())
def test_every_root_of_a_polynomial_is_listed_once(roots: list[sympy.Rational], unsolvable: bool) -> None:
    """Also beside a factor whose five roots, of which one is real, have no closed form."""
    x = sympy.Symbol("x")
    factors = [x - sympy.Rational(root.numerator, root.denominator) for root in roots]
    text = str(sympy.expand(sympy.prod(factors) * (x**5 - x - 1 if unsolvable else 1)))
    solutions = solve([f"{text} = 0"], [], "complex")
    real = sorted({*map(float, roots), *([1.1673039782614187] if unsolvable else [])})
    assert solutions.completeness == "all"
    assert real_values(solutions, "x") == pytest.approx(real, abs=1e-12)
    assert len(solutions.solutions) == len(set(roots)) + (5 if unsolvable else 0)
    assert len(solve([f"{text} = 0"], [], "real").solutions) == len(real)


@pytest.mark.parametrize(
    ("equation", "domain", "root"),
    [
        ("1000*(1+r)^10 = 2000", "positive", 2**0.1 - 1),
        ("100000*(1+r)^5 = 150000", "positive", 1.5**0.2 - 1),
        ("r^5 - r - 1 = 0", "real", 1.1673039782614187),
        ("r^7 = r + 3", "real", 1.228736208662081),
    ],
)
def test_a_rate_over_many_periods_is_found(equation: str, domain: str, root: float) -> None:
    solutions = solve([equation], [], domain)  # type: ignore[arg-type]
    assert real_values(solutions, "r") == pytest.approx([root], abs=1e-6)
    assert solutions.completeness == "all"


@settings(max_examples=SOME, deadline=None)
@given(small_integers, small_integers, small_integers, small_integers)
def test_all_points_of_a_system_are_listed(a: int, b: int, c: int, d: int) -> None:
    """A product of two lines meets a product of two others in four points, where they are different."""
    solutions = solve([f"(x - {a})*(x - {b}) = 0", f"(y - x - {c})*(y + x - {d}) = 0"], ["x", "y"], "complex")
    points = {(x, y) for x in (a, b) for y in (x + c, d - x)}
    assert {(solution.values["x"].number, solution.values["y"].number) for solution in solutions.solutions} == points
    assert solutions.completeness == "all"


@pytest.mark.parametrize(
    ("system", "count"),
    [
        (["(x + 3)*(x - 5) = 0", "(y - x)*(y + x) = 0"], 4),
        (["x^2 + y^2 + z^2 = 14", "x + y + z = 6", "x*y*z = 6"], 6),
        (["(x^2 - 1)^2 = 0", "x*y = 2"], 2),
    ],
)
def test_points_in_a_row_or_of_a_high_order_are_counted_once_each(system: list[str], count: int) -> None:
    solutions = solve(system, [], "complex")
    assert len(solutions.solutions) == count
    assert solutions.completeness == "all"


def test_points_without_a_closed_form_are_counted_by_elimination() -> None:
    solutions = solve(["x^5 - x - 1 = y", "y^2 = x"], ["x", "y"], "complex")
    assert len(solutions.solutions) == 10
    assert solutions.completeness == "all"
    assert all(solution.verified for solution in solutions.solutions)


@settings(max_examples=SOME, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(-20, 20))
def test_a_linear_equation_in_whole_numbers_has_the_members_of_a_family(a: int, b: int, c: int) -> None:
    solutions = solve([f"{a}*x + {b}*y = {c}"], ["x", "y"], "integer")
    assert bool(solutions.solutions) == (c % math.gcd(a, b) == 0)
    assert solutions.completeness == ("general" if solutions.solutions else "all")
    for solution, k in itertools.product(solutions.solutions, range(-2, 3)):
        x, y = (sympy.sympify(solution.values[name].text).subs(sympy.Symbol("k1"), k) for name in "xy")
        assert a * x + b * y == c
        assert (x.is_Integer, y.is_Integer) == (True, True)


@pytest.mark.parametrize(
    ("equation", "count"), [("x^2+y^2=25", 12), ("x^2-y^2=15", 8), ("x*y=12", 12), ("x*y+x+y=5", 8)]
)
def test_whole_numbers_that_are_few_are_all_listed(equation: str, count: int) -> None:
    solutions = solve([equation], ["x", "y"], "integer")
    assert (len(solutions.solutions), solutions.completeness) == (count, "all")
    assert all(solution.verified for solution in solutions.solutions)


def test_whole_numbers_that_may_be_more_are_not_called_all() -> None:
    assert solve(["x^2 + y^2 = z^2"], ["x", "y", "z"], "integer").completeness == "some"
    with pytest.raises(Problem, match="no method is known for integers"):
        solve(["x^3 + y^3 = 9"], ["x", "y"], "integer")


def test_an_infinite_set_is_told_in_plain_words() -> None:
    solutions = solve(["sin(x) = 1/2"], ["x"], "real")
    assert solutions.family == "x = 2*pi*k + pi/6 or x = 2*pi*k + 5*pi/6, for every integer k"


@pytest.mark.parametrize(
    ("inequalities", "condition", "period"),
    [
        (["sin(x) >= 0"], "(0 <= x) & (x <= pi)", "2*pi"),
        (["cos(x) < 0"], "(pi/2 < x) & (x < 3*pi/2)", "2*pi"),
        (["tan(x) > 1"], "(pi/4 < x) & (x < pi/2)", "pi"),
        (["sin(x) > 0", "cos(x) > 0"], "(0 < x) & (x < pi/2)", "2*pi"),
        (["sin(x) < 2"], "True", None),
        (["sin(x) > 1/2", "0 < x", "x < 10"], "((pi/6 < x) & (x < 5*pi/6)) | ((13*pi/6 < x) & (x < 17*pi/6))", None),
        (["sqrt(x) < 2"], "(0 <= x) & (x < 4)", None),
    ],
)
def test_what_repeats_is_told_with_its_period(inequalities: list[str], condition: str, period: str | None) -> None:
    solutions = solve_inequalities(inequalities, "x")
    assert solutions.condition == condition
    assert (solutions.period.text if solutions.period else None) == period


def test_the_end_of_an_interval_without_a_closed_form_is_a_number() -> None:
    solutions = solve_inequalities(["x^5 - x - 1 > 0"], None)
    assert solutions.condition == "1.16730397826142 < x"


@pytest.mark.parametrize(
    ("expression", "lower", "upper", "right"),
    [
        ("abs(sin(x)*cos(x))", "0", "2*pi", 2),
        ("abs(cos(x))", "-pi/2", "pi/2", 2),
        ("abs(sin(x))", "0", "7*pi", 14),
        ("atan((3x-x^3)/(1-3x^2))", "0", "sqrt(3)", -0.26564217744562),
        ("x^2", "0", "3", 9),
    ],
)
def test_an_integral_is_the_number_that_its_check_finds(expression: str, lower: str, upper: str, right: float) -> None:
    integral = integrate_expression(expression, "x", lower, upper, "auto")
    assert integral.value.number == pytest.approx(right, abs=1e-7)
    assert integral.verified is not False
