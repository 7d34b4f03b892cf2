"""Ordinary differential equations: general and special solutions, and numbers where there is no closed form."""

import re
from dataclasses import dataclass, field
from typing import Any

from yardkit.servers.solver.engine.parse import Reader
from yardkit.servers.solver.engine.results import Value, convert_problems, value_of
from yardkit.world import Problem

PRELOAD = ("sympy", "scipy.integrate")
MAX_FUNCTIONS = 12
MAX_POINTS = 1_000
_BEYOND = 1e10


@dataclass(frozen=True)
class OdeSolution:
    """Solutions of differential equations.

    Attributes:
        solutions: as equations ``y(x) = ...``; C1, C2 ... are free constants. Empty for a numeric solution.
        verified: put back they fulfil the equations; null when that could not be decided.
        points: of a numeric solution, the values of the variable.
        values: of a numeric solution, per function its values at `points`.
        note: how it was got.
    """

    solutions: list[Value]
    verified: bool | None
    points: list[float] = field(default_factory=list)
    values: dict[str, list[float]] = field(default_factory=dict)
    note: str = ""

    def __str__(self) -> str:
        if self.solutions:
            word = {True: "verified", False: "NOT fulfilled when put back", None: "not decided when put back"}[
                self.verified
            ]
            note = [self.note] if self.note else []
            return "\n".join([*(solution.text for solution in self.solutions), f"[{word}]", *note])
        names = list(self.values)
        rows = ["\t".join(["point", *names])]
        for number, point in enumerate(self.points):
            rows.append("\t".join(f"{value:.10g}" for value in (point, *(self.values[name][number] for name in names))))
        return "\n".join([self.note, *rows])


@convert_problems
def solve(equations: list[str], functions: list[str], variable: str, conditions: list[str]) -> OdeSolution:
    """The closed form of ordinary differential equations, with `conditions` such as ``y(0) = 1`` put in.

    Raises:
        Problem: it cannot be read, no method is known, or the conditions contradict each other.
    """
    import sympy

    reader, pairs = _read_equations(equations, functions, variable)
    ode_equations = [sympy.Eq(left - right, 0) for left, right in pairs]
    unknown = [sympy.Function(name)(reader.make_symbol(variable)) for name in functions]
    given = dict(reader.read_equation(text) for text in conditions)
    single = len(ode_equations) == 1
    ode_solutions = sympy.dsolve(
        ode_equations[0] if single else ode_equations, unknown[0] if single else unknown, ics=given or None
    )
    listed = ode_solutions if isinstance(ode_solutions, list) else [ode_solutions]
    flat = [
        equation
        for solution_group in listed
        for equation in (solution_group if isinstance(solution_group, list) else [solution_group])
    ]
    if not flat:
        raise Problem("no solution satisfies the conditions; check them, or leave them out for the general solution")
    return OdeSolution(
        [_format_equation(solution) for solution in flat],
        _check_solutions(ode_equations, flat, unknown),
        note=_describe_constants(flat) if conditions else "",
    )


def _describe_constants(ode_solutions: list[Any]) -> str:
    """Which constants the conditions leave open."""
    free = {str(symbol) for solution in ode_solutions for symbol in solution.rhs.free_symbols}
    constants = sorted(name for name in free if re.fullmatch(r"C\d+", name))
    return f"the conditions do not fix {', '.join(constants)}: any value fits" if constants else ""


def _format_equation(solution: Any) -> Value:
    import sympy

    unevaluated = sympy.Eq(solution.lhs, solution.rhs, evaluate=False)
    return Value(f"{solution.lhs} = {value_of(solution.rhs).text}", sympy.latex(unevaluated), None, None)


def _check_solutions(ode_equations: list[Any], ode_solutions: list[Any], unknown: list[Any]) -> bool | None:
    import sympy

    try:
        if len(ode_equations) == 1:
            return all(sympy.checkodesol(ode_equations[0], solution, unknown[0])[0] for solution in ode_solutions)
        values = {solution.lhs: solution.rhs for solution in ode_solutions}
        return all(sympy.simplify(equation.lhs.subs(values).doit()) == 0 for equation in ode_equations)
    except (NotImplementedError, ValueError, TypeError):
        return None


@convert_problems
def integrate_numerically(
    equations: list[str], functions: list[str], variable: str, conditions: list[str], end: float, points: int
) -> OdeSolution:
    """Numbers of the initial value problem from the point of the conditions to `end`, at evenly spaced points.

    Raises:
        Problem: the conditions are not exactly the initial values at one point, or the integration fails.
    """
    import numpy
    import scipy.integrate
    import sympy

    reader, pairs = _read_equations(equations, functions, variable)
    symbol = reader.make_symbol(variable)
    unknown = [sympy.Function(name)(symbol) for name in functions]
    states, slopes = _first_order(pairs, unknown, symbol)
    start, first = _read_initial_values(reader, conditions, states, symbol)
    state_symbols = sympy.symbols(f"s0:{len(states)}", cls=sympy.Dummy)
    # Higher derivatives first: replacing y would change what stands inside y'.
    order = sorted(range(len(states)), key=lambda number: -_order_of(states[number]))
    slopes = [slope.subs([(states[number], state_symbols[number]) for number in order]) for slope in slopes]
    left = set().union(*(slope.free_symbols for slope in slopes)) - {symbol, *state_symbols}
    if left:
        raise Problem(f"{', '.join(sorted(map(str, left)))} must have numeric values; substitute them in the equations")
    function = sympy.lambdify((symbol, list(state_symbols)), slopes, ["scipy", "numpy"])
    at = numpy.linspace(start, end, points)
    with numpy.errstate(all="ignore"):
        run = scipy.integrate.solve_ivp(
            function, (start, end), first, "LSODA", at, events=_make_escape_event(), rtol=1e-9, atol=1e-12
        )
    if not run.success or not numpy.isfinite(run.y).all() or run.y.shape[1] != points:
        escaped = [*run.t_events[0], *run.t[-1:], start][0]
        raise Problem(
            f"the solution grows without bound or cannot be followed near {variable} = {escaped:.6g}; end before it"
        )
    values = {str(function): [float(v) for v in run.y[states.index(function)]] for function in unknown}
    return OdeSolution([], None, [float(t) for t in at], values, "numeric (LSODA, relative tolerance 1e-9)")


def _make_escape_event() -> Any:
    """An event that ends the integration where the solution grows without bound; LSODA alone would go on for ever."""

    def room(_: float, state: Any) -> float:
        return _BEYOND - float(max(abs(value) for value in state))

    room.terminal = True  # type: ignore[attr-defined]
    return room


def _read_equations(equations: list[str], functions: list[str], variable: str) -> tuple[Reader, list[tuple[Any, Any]]]:
    if not 0 < len(functions) <= MAX_FUNCTIONS or len(equations) != len(functions) or variable in functions:
        raise Problem(
            f"there are {len(equations)} equations for {len(functions)} functions of {variable!r}; "
            f"give as many equations as functions, 1 to {MAX_FUNCTIONS}, and a variable that is not one "
            "of them"
        )
    reader = Reader([variable], variable=variable, functions=tuple(functions))
    for name in functions:
        Reader().make_symbol(name)
    return reader, [reader.read_equation(text) for text in equations]


def _order_of(state: Any) -> int:
    import sympy

    return int(state.derivative_count) if isinstance(state, sympy.Derivative) else 0


def _name_state(state: Any, place: Any) -> str:
    """A function or derivative at a point as it is written in conditions: y'(0)."""
    function = state.expr if _order_of(state) else state
    return f"{function.func}{chr(39) * _order_of(state)}({place})"


def _first_order(pairs: list[tuple[Any, Any]], unknown: list[Any], symbol: Any) -> tuple[list[Any], list[Any]]:
    """The state (each function with its lower derivatives) and the slope of each part of it."""
    import sympy

    residuals = [left - right for left, right in pairs]
    states, tops = [], []
    for function in unknown:
        orders = [_order_of(d) for r in residuals for d in r.atoms(sympy.Derivative) if d.expr == function]
        if not orders:
            raise Problem(f"the equations contain no derivative of {function}; add one")
        states += [function.diff(symbol, order) if order else function for order in range(max(orders))]
        tops.append(function.diff(symbol, max(orders)))
    top_solutions = sympy.solve(residuals, tops, dict=True)
    if len(top_solutions) != 1 or len(top_solutions[0]) != len(tops):
        raise Problem("the equations do not fix the highest derivatives uniquely; solve them for y', y'' ... first")
    return states, [top_solutions[0].get(state.diff(symbol), state.diff(symbol)) for state in states]


def _read_initial_values(
    reader: Reader, conditions: list[str], states: list[Any], symbol: Any
) -> tuple[float, list[float]]:
    """The point and the value of each part of the state there."""
    given = dict(reader.read_equation(text) for text in conditions)
    places = {_find_point(left) for left in given}
    if len(places) != 1 or None in places:
        raise Problem("the conditions must give values at one point, such as y(0) = 1 and y'(0) = 0")
    (place,) = places
    values = [given.get(state.subs(symbol, place)) for state in states]
    missing = [
        _name_state(state, place)
        for state, value in zip(states, values, strict=True)
        if value is None or not value.is_number
    ]
    if missing or len(given) != len(states):
        raise Problem(
            f"{len(states)} initial values are needed at one point; missing or not a number: "
            f"{', '.join(missing) or 'none'}"
        )
    return float(place), [float(value) for value in values if value is not None]


def _find_point(left: Any) -> Any:
    import sympy

    point = left.point[0] if isinstance(left, sympy.Subs) else left.args[0] if left.args else None
    return point if point is not None and point.is_number else None
