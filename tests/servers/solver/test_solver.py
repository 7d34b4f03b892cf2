"""The solver server through an MCP client."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.exceptions import ToolError

from yardkit.servers.solver.engine.results import convert_problems
from yardkit.servers.solver.server import mcp
from yardkit.world import Problem, World, use_world


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    with use_world(World.create(tmp_path / "world", task="", seed=0)) as new_world:
        yield new_world


async def call_tool(tool: str, **arguments: Any) -> dict[str, Any]:
    async with Client(mcp) as client:
        result = await client.call_tool(tool, arguments)
    assert result.structured_content is not None
    return {**result.structured_content, "shown": result.content[0].text}


async def call_refused(tool: str, **arguments: Any) -> str:
    async with Client(mcp) as client:
        with pytest.raises(ToolError) as caught:
            await client.call_tool(tool, arguments)
    return str(caught.value)


def list_numbers(reply: dict[str, Any], name: str = "x") -> list[float]:
    return sorted(solution["values"][name]["number"] for solution in reply["solutions"])


class TestEquations:
    async def test_a_quadratic_is_solved_exactly_and_put_back(self) -> None:
        reply = await call_tool("solve_equations", equations=["x^2 = 2"])
        assert [s["values"]["x"]["text"] for s in reply["solutions"]] == ["-sqrt(2)", "sqrt(2)"]
        assert reply["solutions"][1]["values"]["x"]["latex"] == r"\sqrt{2}"
        assert all(s["verified"] for s in reply["solutions"])
        assert reply["completeness"] == "all"
        assert "1.41421356" in reply["shown"]

    async def test_three_real_roots_of_a_cubic_are_all_found(self) -> None:
        reply = await call_tool("solve_equations", equations=["x^3 - 3x + 1 = 0"], domain="real")
        expected_roots = sorted(2 * math.cos(math.radians(angle)) for angle in (40, 80, 160))
        assert list_numbers(reply) == pytest.approx(expected_roots, abs=1e-12)

    @pytest.mark.parametrize(("domain", "count"), [("complex", 4), ("real", 2), ("positive", 1), ("integer", 2)])
    async def test_the_domain_selects_solutions(self, domain: str, count: int) -> None:
        assert len((await call_tool("solve_equations", equations=["x^4 = 16"], domain=domain))["solutions"]) == count

    async def test_a_system_gives_all_pairs(self) -> None:
        reply = await call_tool("solve_equations", equations=["x^2 + y^2 = 25", "x*y = 12"], domain="positive")
        pairs = {(s["values"]["x"]["text"], s["values"]["y"]["text"]) for s in reply["solutions"]}
        assert pairs == {("3", "4"), ("4", "3")}

    async def test_an_inconsistent_system_has_no_solution(self) -> None:
        reply = await call_tool("solve_equations", equations=["x + y = 3", "x + y = 1"])
        assert (reply["solutions"], reply["completeness"]) == ([], "all")
        assert "no solution" in reply["shown"]

    async def test_infinitely_many_solutions_are_told_as_a_set(self) -> None:
        reply = await call_tool("solve_equations", equations=["sin(x) = 0"], domain="real")
        assert reply["completeness"] == "general"
        assert reply["family"] == "x = 2*pi*k or x = 2*pi*k + pi, for every integer k"

    async def test_an_identity_holds_for_all_numbers(self) -> None:
        assert "infinitely many" in (await call_tool("solve_equations", equations=["x = x"], domain="real"))["shown"]

    async def test_letters_stay_letters(self) -> None:
        reply = await call_tool("solve_equations", equations=["a x^2 + b x + c = 0"], unknowns=["x"])
        assert len(reply["solutions"]) == 2
        assert all(s["verified"] for s in reply["solutions"])

    async def test_what_has_no_closed_form_is_solved_numerically(self) -> None:
        reply = await call_tool("solve_equations", equations=["cos(x) = x"], domain="real")
        assert list_numbers(reply) == pytest.approx([0.7390851332151607])
        assert not reply["solutions"][0]["exact"]
        assert reply["completeness"] == "some"

    async def test_a_start_chooses_the_numeric_solution(self) -> None:
        reply = await call_tool("solve_equations", equations=["sin(x) = x/10"], start={"x": 7})
        assert list_numbers(reply) == pytest.approx([7.0681743581], rel=1e-9)

    @pytest.mark.parametrize(
        "equations", [[], ["3 = 3"], ["x < 3"], ["x = 1 = y"], ["__import__('os')"], ["9**9**9 = x"]]
    )
    async def test_what_is_no_equation_is_refused(self, equations: list[str]) -> None:
        assert await call_refused("solve_equations", equations=equations)

    async def test_a_task_over_its_time_is_refused_with_the_limit(self) -> None:
        hard = [" + ".join(f"x{i}^{j + 2} * sin(x{i + 1})" for i in range(1, 6)) + f" = {j}" for j in range(5)]
        assert "limit of 1 s" in await call_refused("solve_equations", equations=hard, time_limit_s=1)


class TestInequalities:
    async def test_the_solutions_are_intervals(self) -> None:
        reply = await call_tool("solve_inequalities", inequalities=["x^2 > 4", "x < 5"])
        assert reply["text"] == "Union(Interval.open(-oo, -2), Interval.open(2, 5))"
        assert [end["number"] for end in reply["boundaries"]] == [-2, 2, 5]

    async def test_an_impossible_one_is_empty(self) -> None:
        assert (await call_tool("solve_inequalities", inequalities=["x^2 < -4"]))["empty"]

    async def test_two_unknowns_are_refused(self) -> None:
        assert "one unknown" in await call_refused("solve_inequalities", inequalities=["x < y"])


class TestCalculus:
    @pytest.mark.parametrize(
        ("operation", "expression", "text"),
        [
            ("simplify", "sin(x)^2 + cos(x)^2", "1"),
            ("expand", "(x + 1)^3", "x**3 + 3*x**2 + 3*x + 1"),
            ("factor", "x^2 - 1", "(x - 1)*(x + 1)"),
            ("partial_fractions", "1/(x^2 - 1)", "-1/(2*(x + 1)) + 1/(2*(x - 1))"),
            ("cancel", "(x^2 - 1)/(x - 1)", "x + 1"),
            ("expand_trig", "sin(2x)", "2*sin(x)*cos(x)"),
        ],
    )
    async def test_rewriting(self, operation: str, expression: str, text: str) -> None:
        reply = await call_tool("rewrite_expression", expression=expression, operation=operation)
        assert reply["value"]["text"] == text
        assert reply["verified"] in (True, None if text == "1" else True)

    async def test_substituting_gives_a_number(self) -> None:
        reply = await call_tool("rewrite_expression", expression="x^2 + y", substitute={"x": "1/2", "y": "0.25"})
        assert reply["value"]["text"] == "1/2"

    async def test_a_derivative_at_a_point(self) -> None:
        reply = await call_tool(
            "differentiate_expression", expression="x^3 y", variables=["x"], order=2, substitute={"x": "2", "y": "1"}
        )
        assert reply["value"]["text"] == "12"

    async def test_an_antiderivative_is_checked_by_differentiating(self) -> None:
        reply = await call_tool("integrate_expression", expression="x*ln(x)", variable="x")
        assert (reply["verified"], reply["check"]) == (True, "derivative")

    async def test_a_definite_integral_is_exact_and_checked_numerically(self) -> None:
        reply = await call_tool("integrate_expression", expression="exp(-x^2)", variable="x", lower="-oo", upper="oo")
        assert (reply["value"]["text"], reply["verified"]) == ("sqrt(pi)", True)

    async def test_without_a_closed_form_the_integral_is_numeric_with_its_error(self) -> None:
        reply = await call_tool("integrate_expression", expression="x^x", variable="x", lower="0", upper="1")
        assert reply["method"] == "numeric"
        assert reply["value"]["number"] == pytest.approx(0.78343051071213, abs=1e-9)
        assert reply["error"] < 1e-8

    @pytest.mark.parametrize(("lower", "upper"), [("0", "1"), ("-1", "1"), ("1", "oo")])
    @pytest.mark.parametrize("method", ["auto", "numeric"])
    async def test_a_divergent_integral_is_refused(self, lower: str, upper: str, method: str) -> None:
        arguments = {"expression": "1/x", "variable": "x", "lower": lower, "upper": upper, "method": method}
        assert "verge" in await call_refused("integrate_expression", **arguments)

    async def test_one_bound_alone_is_refused(self) -> None:
        assert "only one bound" in await call_refused("integrate_expression", expression="x", variable="x", lower="0")

    async def test_limits(self) -> None:
        assert (await call_tool("find_limit", expression="sin(x)/x", variable="x", point="0"))["value"]["text"] == "1"
        assert (await call_tool("find_limit", expression="(1+1/n)^n", variable="n", point="oo"))["value"]["text"] == "E"
        left_limit = await call_tool("find_limit", expression="1/x", variable="x", point="0", side="left")
        assert left_limit["value"]["text"] == "-oo"

    async def test_a_limit_that_does_not_exist_names_both_sides(self) -> None:
        message = await call_refused("find_limit", expression="abs(x)/x", variable="x", point="0")
        assert "-1 from the left, 1 from the right" in message

    async def test_series(self) -> None:
        reply = await call_tool("expand_series", expression="exp(x)", variable="x", order=4)
        assert reply["value"]["text"] == "1 + x + x**2/2 + x**3/6 + O(x**4)"

    async def test_sums_and_products(self) -> None:
        reply = await call_tool("sum_series", term="1/k^2", index="k", lower="1", upper="oo")
        assert reply["value"]["text"] == "pi**2/6"
        product = await call_tool("sum_series", term="k", index="k", lower="1", upper="n", operation="product")
        assert product["value"]["text"] == "factorial(n)"

    async def test_a_divergent_sum_is_refused(self) -> None:
        assert "diverges" in await call_refused("sum_series", term="1/k", index="k", lower="1", upper="oo")


class TestMatrices:
    async def test_the_inverse_is_exact_and_put_back(self) -> None:
        reply = await call_tool("compute_matrix", matrix=[[2, 1], ["1/2", "0.5"]], operation="inverse")
        rows = [[cell["text"] for cell in row] for row in reply["parts"][0]["rows"]]
        assert (rows, reply["verified"]) == ([["1", "-2"], ["-1", "4"]], True)

    async def test_a_singular_matrix_is_refused(self) -> None:
        assert "singular" in await call_refused("compute_matrix", matrix=[[1, 2], [2, 4]], operation="inverse")

    async def test_eigenvectors_fulfil_their_equation(self) -> None:
        reply = await call_tool("compute_matrix", matrix=[[2, 1, 0], [1, 2, 0], [0, 0, 3]], operation="eigenvectors")
        assert reply["verified"]
        values = {
            part["rows"][0][0]["text"]: part["multiplicity"] for part in reply["parts"] if part["name"] == "eigenvalue"
        }
        assert values == {"1": 1, "3": 2}

    async def test_a_system_with_free_unknowns(self) -> None:
        reply = await call_tool("compute_matrix", matrix=[[1, 2], [2, 4]], operation="solve", second=[[1], [2]])
        assert (reply["free_parameters"], reply["verified"]) == (["x2"], True)

    async def test_an_inconsistent_system_is_refused(self) -> None:
        message = await call_refused("compute_matrix", matrix=[[1, 2], [2, 4]], operation="solve", second=[[1], [3]])
        assert "inconsistent" in message

    @pytest.mark.parametrize("operation", ["lu", "qr", "null_space"])
    async def test_decompositions_are_put_back(self, operation: str) -> None:
        assert (await call_tool("compute_matrix", matrix=[[0, 2, 1], [1, 4, 2], [3, 1, 5]], operation=operation))[
            "verified"
        ]

    @pytest.mark.parametrize("matrix", [[], [[]], [[1, 2], [3]], [["x ="]], [[1] * 61]])
    async def test_what_is_no_matrix_is_refused(self, matrix: list[list[Any]]) -> None:
        assert await call_refused("compute_matrix", matrix=matrix, operation="rank")

    async def test_a_shape_that_does_not_fit_is_refused(self) -> None:
        assert "square" in await call_refused("compute_matrix", matrix=[[1, 2]], operation="determinant")


class TestDifferentialEquations:
    async def test_an_initial_value_problem_in_closed_form(self) -> None:
        reply = await call_tool(
            "solve_differential_equation",
            equations=["y'' + y = 0"],
            functions=["y"],
            conditions=["y(0) = 1", "y'(0) = 0"],
        )
        assert (reply["solutions"][0]["text"], reply["verified"]) == ("y(x) = cos(x)", True)

    async def test_a_system(self) -> None:
        reply = await call_tool(
            "solve_differential_equation",
            equations=["x' = y", "y' = -x"],
            functions=["x", "y"],
            variable="t",
            conditions=["x(0) = 1", "y(0) = 0"],
        )
        assert [solution["text"] for solution in reply["solutions"]] == ["x(t) = cos(t)", "y(t) = -sin(t)"]

    async def test_numbers_where_there_is_no_formula(self) -> None:
        reply = await call_tool(
            "solve_differential_equation",
            equations=["y'' = -y"],
            functions=["y"],
            variable="t",
            conditions=["y(0) = 1", "y'(0) = 0"],
            numeric_until=3,
            points=4,
        )
        assert reply["values"]["y(t)"] == pytest.approx([math.cos(t) for t in range(4)], abs=1e-7)

    async def test_a_solution_that_blows_up_is_refused_with_the_place(self) -> None:
        blow_up = {"equations": ["y' = y^2"], "functions": ["y"], "variable": "t", "conditions": ["y(0) = 1"]}
        assert "near t = 1" in await call_refused("solve_differential_equation", **blow_up, numeric_until=5)

    async def test_missing_initial_values_are_named(self) -> None:
        message = await call_refused(
            "solve_differential_equation",
            equations=["y'' = -y"],
            functions=["y"],
            conditions=["y(0) = 1"],
            numeric_until=3,
        )
        assert "y'(0)" in message


class TestOptimisation:
    async def test_a_linear_program_is_solved_provably(self) -> None:
        reply = await call_tool(
            "optimize_function",
            objective="3x + 2y",
            variables=[{"name": "x", "lower": 0}, {"name": "y", "lower": 0}],
            constraints=["x + y <= 4", "x + 3y <= 6"],
            goal="maximize",
        )
        assert (reply["value"], reply["guarantee"], reply["active"]) == (
            pytest.approx(12),
            "global",
            ["x + y <= 4"],
        )

    async def test_whole_numbers_change_the_optimum(self) -> None:
        task: dict[str, Any] = {
            "objective": "x + y",
            "constraints": ["2x + y <= 7.5", "x + 3y <= 9.2"],
            "goal": "maximize",
        }
        integer_optimum = await call_tool(
            "optimize_function", **task, variables=[{"name": n, "lower": 0, "integer": True} for n in ("x", "y")]
        )
        free = await call_tool("optimize_function", **task, variables=[{"name": n, "lower": 0} for n in ("x", "y")])
        assert integer_optimum["value"] == 4
        assert free["value"] > 4.5

    async def test_a_curved_problem_under_a_constraint(self) -> None:
        reply = await call_tool(
            "optimize_function",
            objective="x*y",
            variables=[{"name": "x", "lower": 0}, {"name": "y", "lower": 0}],
            constraints=["2x + 2y = 40"],
            goal="maximize",
        )
        assert reply["value"] == pytest.approx(100)
        assert reply["worst_violation"] < 1e-6

    @pytest.mark.parametrize("objective", ["x", "x^3", "-exp(x)"])
    async def test_an_unbounded_problem_is_refused(self, objective: str) -> None:
        assert "bounds" in await call_refused("optimize_function", objective=objective, variables=[{"name": "x"}])

    @pytest.mark.parametrize("constraint", ["x^2 <= -1", "x >= 3", "exp(x) >= 9"])
    async def test_an_infeasible_problem_is_refused(self, constraint: str) -> None:
        message = await call_refused(
            "optimize_function",
            objective="x",
            variables=[{"name": "x", "lower": 0, "upper": 1}],
            constraints=[constraint],
        )
        assert "constraint" in message

    async def test_an_unlisted_letter_is_refused(self) -> None:
        assert "add y" in await call_refused("optimize_function", objective="x + y", variables=[{"name": "x"}])


class TestPrograms:
    @pytest.mark.parametrize(
        "code",
        [
            "from sympy import *\nx = symbols('x')\nprint(solve(x**2 - 4))",
            "from sympy import *\ndef solution():\n    x = symbols('x')\n    return solve(x**2 - 4)",
            "```python\nfrom sympy import *\ndef solution():\n    return solve(Symbol('x')**2 - 4)\n```",
            "Here it is:\n```py\nfrom sympy import *\nprint(solve(Symbol('x')**2 - 4))\n```\nDone.",
        ],
    )
    async def test_a_program_prints_or_returns_its_result(self, code: str) -> None:
        assert (await call_tool("run_solver_code", code=code))["output"] == "[-2, 2]\n"

    async def test_a_program_reads_the_workspace_and_leaves_nothing_in_it(self, world: World) -> None:
        (world.files / "n.txt").write_text("6 7")
        code = "a, b = map(int, open('n.txt').read().split()); open('n.txt', 'w'); open('new', 'w'); print(a * b)"
        assert (await call_tool("run_solver_code", code=code))["output"] == "42\n"
        assert [path.name for path in world.files.iterdir()] == ["n.txt"]
        assert (world.files / "n.txt").read_text() == "6 7"

    async def test_a_failing_program_is_an_error_with_its_traceback(self) -> None:
        message = await call_refused("run_solver_code", code="print('so far')\n1/0")
        assert "line 2" in message
        assert "ZeroDivisionError" in message
        assert "so far" in message

    async def test_an_endless_program_ends_at_its_limit(self) -> None:
        assert "1 s" in await call_refused("run_solver_code", code="while True: pass", time_limit_s=1)

    async def test_the_secrets_of_the_server_are_out_of_reach(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SERPER_API_KEY", "secret-zqkxw")
        reply = await call_tool("run_solver_code", code="import os\ndef solution():\n    return dict(os.environ)")
        assert "zqkxw" not in str(reply)  # letters: a duration in the answer cannot hold them by chance


def test_a_fault_of_ours_is_no_task_that_cannot_be_done() -> None:
    ours: dict[str, Any] = {"__name__": "yardkit.servers.solver.engine.made_up"}
    exec("def work():\n    return int('x')", ours)
    with pytest.raises(ValueError, match="invalid literal"):
        convert_problems(ours["work"])()


def test_what_a_library_cannot_do_is_a_problem() -> None:
    theirs: dict[str, Any] = {"__name__": "sympy.made_up"}
    exec("def work():\n    return int('x')", theirs)
    with pytest.raises(Problem, match="cannot be computed"):
        convert_problems(theirs["work"])()
