"""The tools of the `solver` server."""

from collections.abc import Callable
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.programs.bounded import bounded
from yardkit.servers.solver.engine import calculus, matrices, odes, optimise, programs
from yardkit.servers.solver.engine import equations as algebra
from yardkit.servers.solver.engine import inequalities as unequal
from yardkit.world import current_world

mcp = make_server(
    "solver",
    "Exact and numeric mathematics with SymPy and SciPy: equations, inequalities, calculus, series, matrices, "
    "differential equations, optimisation, Python programs. Formulas are text: '2*x^2 + sin(x)'; '2x' is a product; "
    "0.1 is exactly 1/10; constants are pi, e, I, oo. Results are exact, with decimals and LaTeX, and are put back "
    "into the task where that can be checked.",
)

_MEMORY_BYTES = 1_500_000_000
Result = TypeVar("Result")
Formula = Annotated[str, Field(description="Formula, such as '2*x^2 + sin(x)'.", min_length=1)]
Variable = Annotated[str, Field(description="Name of the variable, such as 'x'.", min_length=1, max_length=40)]
Seconds = Annotated[float, Field(description="Time limit in seconds.", ge=0.5, le=120)]


@tool(mcp)
def solve_equations(
    equations: Annotated[
        list[str], Field(description="Equations such as 'x^2 = 2'; a text without '=' is meant to equal zero.")
    ],
    unknowns: Annotated[
        tuple[str, ...], Field(description="Names to solve for; empty for all letters in the equations.", max_length=50)
    ] = (),
    domain: Annotated[algebra.Domain, Field(description="Which solutions count.")] = "complex",
    start: Annotated[
        dict[str, float] | None,
        Field(description="A number per unknown: then one numeric solution near it is found instead."),
    ] = None,
    time_limit_s: Seconds = 20,
) -> algebra.Solutions:
    """Solve an equation or a system: exactly where there is a method, else numerically; each solution is put back."""
    return _limited(algebra.solve, equations, list(unknowns), domain, start, seconds=time_limit_s)


@tool(mcp)
def solve_inequalities(
    inequalities: Annotated[
        list[str], Field(description="Conditions that must all hold, such as ['x^2 < 4', '0 < x <= 3'].")
    ],
    unknown: Annotated[str | None, Field(description="Name of the unknown, if there are other letters.")] = None,
    time_limit_s: Seconds = 20,
) -> unequal.SolutionSet:
    """Find the real numbers that fulfil inequalities in one unknown, as intervals."""
    return _limited(unequal.solve_inequalities, inequalities, unknown, seconds=time_limit_s)


@tool(mcp)
def rewrite_expression(
    expression: Formula,
    operation: Annotated[calculus.Operation, Field(description="What to do with it.")] = "simplify",
    variable: Annotated[str | None, Field(description="For collect and partial_fractions.")] = None,
    substitute: Annotated[
        dict[str, str] | None, Field(description="Formulas to put in for letters first, such as {'x': 'y + 1'}.")
    ] = None,
    time_limit_s: Seconds = 20,
) -> calculus.Worked:
    """Simplify, expand, factor or otherwise rewrite a formula, or evaluate it for given values."""
    return _limited(calculus.rewrite, expression, operation, variable, substitute, seconds=time_limit_s)


@tool(mcp)
def differentiate_expression(
    expression: Formula,
    variables: Annotated[
        list[str], Field(description="Variables to differentiate by, one after the other.", min_length=1, max_length=10)
    ],
    order: Annotated[int, Field(description="How often by each variable.", ge=1, le=20)] = 1,
    substitute: Annotated[
        dict[str, str] | None, Field(description="Point to evaluate the derivative at, such as {'x': 'pi/2'}.")
    ] = None,
    time_limit_s: Seconds = 20,
) -> calculus.Worked:
    """Differentiate a formula, partially or repeatedly, and evaluate the derivative at a point."""
    return _limited(calculus.differentiate, expression, variables, order, substitute, seconds=time_limit_s)


@tool(mcp)
def integrate_expression(
    expression: Formula,
    variable: Variable,
    lower: Annotated[str | None, Field(description="Lower bound, such as '0' or '-oo'; null: antiderivative.")] = None,
    upper: Annotated[str | None, Field(description="Upper bound, such as 'pi' or 'oo'.")] = None,
    method: Annotated[calculus.Method, Field(description="auto: numeric where there is no closed form.")] = "auto",
    time_limit_s: Seconds = 30,
) -> calculus.Worked:
    """Integrate a formula: antiderivative (checked by differentiating) or definite integral (checked numerically)."""
    return _limited(calculus.integrate, expression, variable, lower, upper, method, seconds=time_limit_s)


@tool(mcp)
def find_limit(
    expression: Formula,
    variable: Variable,
    point: Annotated[str, Field(description="Where the variable goes, such as '0', 'oo', 'pi/2'.")],
    side: Annotated[calculus.Side, Field(description="From which side.")] = "both",
    time_limit_s: Seconds = 20,
) -> calculus.Worked:
    """Find the limit of a formula; a limit that does not exist is an error that names the one-sided limits."""
    return _limited(calculus.limit, expression, variable, point, side, seconds=time_limit_s)


@tool(mcp)
def expand_series(
    expression: Formula,
    variable: Variable,
    point: Annotated[str, Field(description="Expand at this point; 'oo' for infinity.")] = "0",
    order: Annotated[int, Field(description="Terms up to and without this power.", ge=1, le=60)] = 6,
    time_limit_s: Seconds = 20,
) -> calculus.Worked:
    """Expand a formula into a power series (Taylor, Laurent, Puiseux)."""
    return _limited(calculus.series, expression, variable, point, order, seconds=time_limit_s)


@tool(mcp)
def sum_series(
    term: Annotated[str, Field(description="Formula of one term, such as '1/k^2'.", min_length=1)],
    index: Annotated[str, Field(description="Name of the index, such as 'k'.")],
    lower: Annotated[str, Field(description="First index, such as '1'.")],
    upper: Annotated[str, Field(description="Last index, such as 'n', '100' or 'oo'.")],
    operation: Annotated[Literal["sum", "product"], Field(description="Add or multiply the terms.")] = "sum",
    time_limit_s: Seconds = 20,
) -> calculus.Worked:
    """Add up or multiply a finite or infinite series, in closed form where there is one."""
    return _limited(calculus.sum_terms, term, index, lower, upper, operation, seconds=time_limit_s)


@tool(mcp)
def compute_matrix(
    matrix: Annotated[
        list[list[str | int | float]], Field(description="Rows of numbers or formulas, such as [[1, 'a'], ['1/2', 4]].")
    ],
    operation: Annotated[matrices.Operation, Field(description="What to work out.")],
    second: Annotated[
        list[list[str | int | float]] | None,
        Field(description="Second matrix for multiply; right side for solve, one column such as [[1], [2]]."),
    ] = None,
    exponent: Annotated[int | None, Field(description="For power; negative for powers of the inverse.")] = None,
    time_limit_s: Seconds = 20,
) -> matrices.MatrixResult:
    """Work with matrices exactly: determinant, inverse, rank, eigenvalues, echelon form, decompositions, A x = b ..."""
    right = None if second is None else _texts(second)
    return _limited(matrices.compute, _texts(matrix), operation, right, exponent, seconds=time_limit_s)


@tool(mcp)
def solve_differential_equation(
    equations: Annotated[list[str], Field(description="Such as [\"y'' + 2y' + y = sin(x)\"]; one per function.")],
    functions: Annotated[list[str], Field(description="Names of the unknown functions, such as ['y'].")],
    variable: Variable = "x",
    conditions: Annotated[
        tuple[str, ...], Field(description="Initial or boundary values, such as ['y(0) = 1', \"y'(0) = 0\"].")
    ] = (),
    numeric_until: Annotated[
        float | None,
        Field(
            description="End of the variable: then numbers from the initial values up to there instead of a formula."
        ),
    ] = None,
    points: Annotated[int, Field(description="Number of points of a numeric solution.", ge=2, le=odes.MAX_POINTS)] = 21,
    time_limit_s: Seconds = 30,
) -> odes.OdeSolution:
    """Solve ordinary differential equations in closed form, or as numbers from initial values."""
    given = (equations, functions, variable, list(conditions))
    if numeric_until is None:
        return _limited(odes.solve, *given, seconds=time_limit_s)
    return _limited(odes.integrate, *given, numeric_until, points, seconds=time_limit_s)


@tool(mcp)
def optimize_function(
    objective: Annotated[str, Field(description="Formula to make small or large, such as '3x + 2y'.", min_length=1)],
    variables: Annotated[list[optimise.Bound], Field(description="Every letter, with its bounds if it has any.")],
    constraints: Annotated[
        tuple[str, ...], Field(description="Such as ['x + y <= 4', 'x^2 + y^2 = 1'].", max_length=500)
    ] = (),
    goal: Annotated[optimise.Goal, Field(description="Smallest or largest value.")] = "minimize",
    time_limit_s: Seconds = 30,
) -> optimise.Optimum:
    """Find the smallest or largest value under bounds and constraints; linear (also integer) problems provably."""
    return _limited(optimise.optimise, objective, variables, list(constraints), goal, seconds=time_limit_s)


@tool(mcp)
def run_solver_code(
    code: Annotated[
        str,
        Field(
            description="Python program; sympy, numpy, scipy can be imported. Print the result, or define solution() "
            "that returns it. Files of the workspace can be read by relative paths.",
            min_length=1,
        ),
    ],
    time_limit_s: Seconds = 30,
) -> programs.ProgramRun:
    """Run a Python program for mathematics in isolation: no network, read-only workspace, limited time and memory."""
    return programs.run(code, current_world().files, time_limit_s)


def _limited(function: Callable[..., Result], *args: object, seconds: float) -> Result:
    return bounded(function, *args, seconds=seconds, memory_bytes=_MEMORY_BYTES)


def _texts(rows: list[list[str | int | float]]) -> list[list[str]]:
    return [[str(entry) for entry in row] for row in rows]
