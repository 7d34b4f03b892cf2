"""The tools of the `solver` server."""

from collections.abc import Callable
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.programs.bounded import run_bounded
from yardkit.servers.solver.engine import calculus, matrices, odes, optimise, programs
from yardkit.servers.solver.engine import equations as algebra
from yardkit.servers.solver.engine import inequalities as unequal
from yardkit.world import current_world

mcp = make_server(
    "solver",
    "Exact and numeric mathematics with SymPy and SciPy: equations, inequalities, calculus, series, "
    "matrices, differential equations, optimisation, Python programs. Formulas are text: '2*x^2 + sin(x)'; "
    "'2x' is a product; 0.1 is exactly 1/10; constants are pi, e, I, oo. Results are exact, with decimals "
    "and LaTeX, and are verified where possible.",
)

_MEMORY_BYTES = 1_500_000_000
Result = TypeVar("Result")
Formula = Annotated[str, Field(description="Formula, such as '2*x^2 + sin(x)'.", min_length=1)]
Variable = Annotated[str, Field(description="Name of the variable, such as 'x'.", min_length=1, max_length=40)]
Seconds = Annotated[float, Field(description="Time limit in seconds.", ge=0.5, le=120)]


@tool(mcp)
def solve_equations(
    equations: Annotated[
        list[str], Field(description="Equations such as 'x^2 = 2'; without '=', the expression is set equal to zero.")
    ],
    unknowns: Annotated[
        tuple[str, ...], Field(description="Unknowns to solve for; empty: all letters in the equations.", max_length=50)
    ] = (),
    domain: Annotated[algebra.Domain, Field(description="Domain of the solutions.")] = "complex",
    start: Annotated[
        dict[str, float] | None,
        Field(description="Start value for each unknown: finds one numeric solution near it instead."),
    ] = None,
    time_limit_s: Seconds = 20,
) -> algebra.Solutions:
    """Solve an equation or a system, exactly where possible, otherwise numerically; each solution is verified."""
    return _run_limited(algebra.solve, equations, list(unknowns), domain, start, seconds=time_limit_s)


@tool(mcp)
def solve_inequalities(
    inequalities: Annotated[
        list[str], Field(description="Inequalities that must all hold, such as ['x^2 < 4', '0 < x <= 3'].")
    ],
    unknown: Annotated[str | None, Field(description="The unknown, if there are other letters.")] = None,
    time_limit_s: Seconds = 20,
) -> unequal.SolutionSet:
    """Solve inequalities in one real unknown; the solution is given as intervals."""
    return _run_limited(unequal.solve_inequalities, inequalities, unknown, seconds=time_limit_s)


@tool(mcp)
def rewrite_expression(
    expression: Formula,
    operation: Annotated[calculus.Operation, Field(description="Operation to perform.")] = "simplify",
    variable: Annotated[str | None, Field(description="Variable for collect and partial_fractions.")] = None,
    substitute: Annotated[
        dict[str, str] | None, Field(description="Substitutions to make first, such as {'x': 'y + 1'}.")
    ] = None,
    time_limit_s: Seconds = 20,
) -> calculus.Worked:
    """Simplify, expand, factor or otherwise rewrite a formula, or evaluate it for given values."""
    return _run_limited(calculus.rewrite_expression, expression, operation, variable, substitute, seconds=time_limit_s)


@tool(mcp)
def differentiate_expression(
    expression: Formula,
    variables: Annotated[
        list[str], Field(description="Variables to differentiate by, in order.", min_length=1, max_length=10)
    ],
    order: Annotated[int, Field(description="Order of the derivative in each variable.", ge=1, le=20)] = 1,
    substitute: Annotated[
        dict[str, str] | None, Field(description="Point at which to evaluate the derivative, such as {'x': 'pi/2'}.")
    ] = None,
    time_limit_s: Seconds = 20,
) -> calculus.Worked:
    """Differentiate a formula, partially or repeatedly, and evaluate the derivative at a point."""
    return _run_limited(
        calculus.differentiate_expression, expression, variables, order, substitute, seconds=time_limit_s
    )


@tool(mcp)
def integrate_expression(
    expression: Formula,
    variable: Variable,
    lower: Annotated[str | None, Field(description="Lower bound, such as '0' or '-oo'; null: antiderivative.")] = None,
    upper: Annotated[str | None, Field(description="Upper bound, such as 'pi' or 'oo'.")] = None,
    method: Annotated[calculus.Method, Field(description="auto: numeric if there is no closed form.")] = "auto",
    time_limit_s: Seconds = 30,
) -> calculus.Worked:
    """Integrate a formula: antiderivative (checked by differentiating) or definite integral (checked numerically)."""
    return _run_limited(calculus.integrate_expression, expression, variable, lower, upper, method, seconds=time_limit_s)


@tool(mcp)
def find_limit(
    expression: Formula,
    variable: Variable,
    point: Annotated[str, Field(description="Value that the variable approaches, such as '0', 'oo', 'pi/2'.")],
    side: Annotated[calculus.Side, Field(description="Direction of approach.")] = "both",
    time_limit_s: Seconds = 20,
) -> calculus.Worked:
    """Find the limit of a formula; if it does not exist, the error gives the one-sided limits."""
    return _run_limited(calculus.compute_limit, expression, variable, point, side, seconds=time_limit_s)


@tool(mcp)
def expand_series(
    expression: Formula,
    variable: Variable,
    point: Annotated[str, Field(description="Point to expand around; 'oo' for infinity.")] = "0",
    order: Annotated[int, Field(description="Include terms below this power.", ge=1, le=60)] = 6,
    time_limit_s: Seconds = 20,
) -> calculus.Worked:
    """Expand a formula into a power series (Taylor, Laurent, Puiseux)."""
    return _run_limited(calculus.expand_series, expression, variable, point, order, seconds=time_limit_s)


@tool(mcp)
def sum_series(
    term: Annotated[str, Field(description="Formula of one term, such as '1/k^2'.", min_length=1)],
    index: Annotated[str, Field(description="Name of the index, such as 'k'.")],
    lower: Annotated[str, Field(description="First index, such as '1'.")],
    upper: Annotated[str, Field(description="Last index, such as 'n', '100' or 'oo'.")],
    operation: Annotated[Literal["sum", "product"], Field(description="Add or multiply the terms.")] = "sum",
    time_limit_s: Seconds = 20,
) -> calculus.Worked:
    """Sum or multiply a finite or infinite series, in closed form if there is one."""
    return _run_limited(calculus.sum_terms, term, index, lower, upper, operation, seconds=time_limit_s)


@tool(mcp)
def compute_matrix(
    matrix: Annotated[
        list[list[str | int | float]], Field(description="Rows of numbers or formulas, such as [[1, 'a'], ['1/2', 4]].")
    ],
    operation: Annotated[matrices.Operation, Field(description="Operation to perform.")],
    second: Annotated[
        list[list[str | int | float]] | None,
        Field(description="Second matrix for multiply; right-hand side for solve, one column such as [[1], [2]]."),
    ] = None,
    exponent: Annotated[
        int | None, Field(description="Exponent for power; negative for powers of the inverse.")
    ] = None,
    time_limit_s: Seconds = 20,
) -> matrices.MatrixResult:
    """Work with matrices exactly: determinant, inverse, rank, eigenvalues, echelon form, decompositions, A x = b ..."""
    right = None if second is None else _to_texts(second)
    return _run_limited(matrices.compute_matrix, _to_texts(matrix), operation, right, exponent, seconds=time_limit_s)


@tool(mcp)
def solve_differential_equation(
    equations: Annotated[
        list[str], Field(description="Equations, one per function, such as [\"y'' + 2y' + y = sin(x)\"].")
    ],
    functions: Annotated[list[str], Field(description="Unknown functions, such as ['y'].")],
    variable: Variable = "x",
    conditions: Annotated[
        tuple[str, ...], Field(description="Initial or boundary values, such as ['y(0) = 1', \"y'(0) = 0\"].")
    ] = (),
    numeric_until: Annotated[
        float | None,
        Field(description="Solve numerically from the initial values up to this value of the variable."),
    ] = None,
    points: Annotated[int, Field(description="Number of points of a numeric solution.", ge=2, le=odes.MAX_POINTS)] = 21,
    time_limit_s: Seconds = 30,
) -> odes.OdeSolution:
    """Solve ordinary differential equations in closed form, or numerically from initial values."""
    given = (equations, functions, variable, list(conditions))
    if numeric_until is None:
        return _run_limited(odes.solve, *given, seconds=time_limit_s)
    return _run_limited(odes.integrate_numerically, *given, numeric_until, points, seconds=time_limit_s)


@tool(mcp)
def optimize_function(
    objective: Annotated[str, Field(description="Formula to minimise or maximise, such as '3x + 2y'.", min_length=1)],
    variables: Annotated[list[optimise.Bound], Field(description="All variables, with bounds if they have any.")],
    constraints: Annotated[
        tuple[str, ...], Field(description="Constraints, such as ['x + y <= 4', 'x^2 + y^2 = 1'].", max_length=500)
    ] = (),
    goal: Annotated[optimise.Goal, Field(description="Minimise or maximise.")] = "minimize",
    time_limit_s: Seconds = 30,
) -> optimise.Optimum:
    """Minimise or maximise a formula under bounds and constraints; linear (also integer) optima are proven."""
    return _run_limited(
        optimise.optimise_objective, objective, variables, list(constraints), goal, seconds=time_limit_s
    )


@tool(mcp)
def run_solver_code(
    code: Annotated[
        str,
        Field(
            description="Python program; it can import sympy, numpy and scipy. Print the result, or define solution() "
            "that returns it. It can read workspace files by relative paths.",
            min_length=1,
        ),
    ],
    time_limit_s: Seconds = 30,
) -> programs.ProgramRun:
    """Run a Python program for mathematics in isolation: no network, read-only workspace, limited time and memory."""
    return programs.run(code, current_world().files, time_limit_s)


def _run_limited(function: Callable[..., Result], *args: object, seconds: float) -> Result:
    return run_bounded(function, *args, seconds=seconds, memory_bytes=_MEMORY_BYTES)


def _to_texts(rows: list[list[str | int | float]]) -> list[list[str]]:
    return [[str(entry) for entry in row] for row in rows]
