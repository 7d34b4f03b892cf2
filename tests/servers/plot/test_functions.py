import contextlib
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.answers import Call

from yardkit.servers.plot.engine import expressions
from yardkit.world import Problem, World

X = np.array([0.5, 1.5, 2.5])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x^2", X**2),
        ("2x + 1", 2 * X + 1),
        ("3(x - 1)(x + 1)", 3 * (X**2 - 1)),
        ("2sin(pi*x)", 2 * np.sin(np.pi * X)),
        ("log10(x) + log2(x) - ln(x)", np.log10(X) + np.log2(X) - np.log(X)),
        ("1e3x", 1000 * X),
        ("2e", np.full(3, 2 * math.e)),
        ("where(x < 1, -x, x^2)", np.where(X < 1, -X, X**2)),
        ("-x^2", -(X**2)),
        ("abs(x - 2) // 1", np.abs(X - 2) // 1),
        ("atan2(x, 2) + max(x, 1)", np.arctan2(X, 2) + np.maximum(X, 1)),
        ("(-x)^(1/3)", -np.cbrt(X)),
    ],
)
def test_formulas_have_the_values_of_mathematics(text: str, expected: Any) -> None:
    assert expressions.read_formula(text, {"x"})(x=X) == pytest.approx(expected)


@given(
    st.recursive(
        st.sampled_from(["x", "1", "2.5", "pi"]),
        lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(
            lambda parts: f"({parts[0]}{parts[1]}{parts[2]})"
        ),
        max_leaves=12,
    )
)
def test_sums_and_products_agree_with_python(text: Any) -> None:
    expected = [eval(text, {"x": float(x), "pi": math.pi}) for x in X]
    assert expressions.read_formula(text, {"x"})(x=X) == pytest.approx(np.array(expected))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "().__class__",
        "x.real",
        "[x for x in y]",
        "lambda: 1",
        "open('f')",
        "x := 3",
        "'a' * 99",
        "x if x else 1",
        "(" * 240 + "x" + ")" * 240,
        "x +",
        "",
        "True",
        "sin(x, x)",
        "sin",
        "x(3)",
        "9" * 600,
    ],
)
def test_what_is_no_formula_is_refused_and_never_run(text: str) -> None:
    with pytest.raises(Problem, match=r"formula|contains|arguments|truth value"):
        expressions.read_formula(text, {"x"})


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_reason(text: Any) -> None:
    with contextlib.suppress(Problem):
        assert expressions.read_formula(text, {"x"})(x=X).shape == X.shape


def test_huge_powers_answer_at_once() -> None:
    assert np.isinf(expressions.read_formula("9^9^9^9", {"x"})(x=X)).all()


def plot_curves(call: Any, *curves: Any, **more: Any) -> Any:
    return call("plot_functions", **{"curves": list(curves), "x_min": -3, "x_max": 3, "target": "f.svg", **more})


def count_path_moves(world: Any, name: str = "f.svg") -> Any:
    """Numbers of moves of the pen in each path of the SVG that is drawn as a curve."""
    content = (world.files / name).read_text("utf-8")
    return [len(re.findall("M", path)) for path in re.findall(r'<path d="([^"]+)" clip-path', content)]


def test_a_curve_has_the_range_of_its_function(call: Call) -> None:
    series = plot_curves(call, {"expression": "x^2"}).structured_content["series"][0]
    assert series["range"] == pytest.approx([0, 9], abs=1e-4)


def test_a_pole_is_left_open_and_does_not_flatten_the_rest(call: Call, world: World) -> None:
    result = plot_curves(call, {"expression": "1/x"}, points=1001)
    low, high = result.structured_content["axes"][1]["range"]
    assert high < 50
    assert low > -50
    assert 2 in count_path_moves(world), "one curve, two branches"


def test_an_equation_is_drawn_as_the_curve_that_solves_it(call: Call) -> None:
    result = plot_curves(call, {"expression": "x^2 + y^2 = 4", "name": "circle"}, equal_axes=True)
    series = result.structured_content["series"][0]
    assert series["name"] == "circle"
    assert series["range"] == pytest.approx([-2, 2], abs=0.02)


def test_a_curve_in_a_parameter_runs_over_its_range(call: Call) -> None:
    curve = {"expression": "2sin(t)", "x_expression": "cos(t)"}
    result = plot_curves(call, curve, t_min=0, t_max=math.pi)
    assert result.structured_content["series"][0]["range"] == pytest.approx([0, 2], abs=1e-4)


def test_a_left_side_is_no_equation(call: Call) -> None:
    result = plot_curves(call, {"expression": "y = x + 1"}, {"expression": "f(x) = 2"})
    assert [series_row["range"] for series_row in result.structured_content["series"]] == [[-2, 4], [2, 2]]


@pytest.mark.parametrize("curve", ["sin(x)", {"formula": "x"}])
def test_a_curve_of_another_shape_is_told_what_a_curve_takes(refusal: Call, curve: dict[str, Any] | str) -> None:
    message = refusal("plot_functions", curves=[curve], x_min=0, x_max=1, target="f.png")
    assert "an object with expression, x_expression, name" in message


@pytest.mark.parametrize(
    ("curve", "more", "says"),
    [
        ({"expression": "foo(x)"}, {}, "unknown function 'foo'"),
        ({"expression": "z + 1"}, {}, "unknown name 'z'"),
        ({"expression": "sqrt(-1 - x^2)"}, {}, "has no value in its range"),
        ({"expression": "x^2 + y^2 = -4"}, {}, "no solution"),
        ({"expression": "x = y = 2"}, {}, "one equals sign"),
        ({"expression": "x"}, {"x_min": 3, "x_max": 3}, "x range [3.0, 3.0] is empty"),
        ({"expression": "x"}, {"y_min": 3}, "together"),
    ],
)
def test_wrong_curves_are_refused_with_the_reason(
    refusal: Call, curve: dict[str, Any], more: dict[str, Any], says: str
) -> None:
    arguments = {"curves": [curve], "x_min": -3, "x_max": 3, "target": "f.png", **more}
    assert says in refusal("plot_functions", **arguments)
