"""Smallest and largest values: linear and integer programs by HiGHS, others by local searches from many starts."""

from dataclasses import dataclass, field
from typing import Any, Literal

from yardkit.servers.solver.engine.parse import Reader
from yardkit.servers.solver.engine.results import convert_problems
from yardkit.world import Problem

PRELOAD = ("sympy", "scipy.optimize", "numpy")
MAX_VARIABLES = 200
_STARTS = 40
_FEASIBLE = 1e-6
Goal = Literal["minimize", "maximize"]


@dataclass(frozen=True)
class Bound:
    """A variable of an optimisation.

    Attributes:
        name: as it stands in the objective.
        lower: smallest value; null for none.
        upper: largest value; null for none.
        integer: whole numbers only (linear problems).
    """

    name: str
    lower: float | None = None
    upper: float | None = None
    integer: bool = False


@dataclass(frozen=True)
class Optimum:
    """The best point that was found.

    Attributes:
        value: of the objective there.
        point: value of each variable.
        guarantee: ``global`` is proven best; ``local`` is the best of many local searches.
        method: the algorithm.
        worst_violation: by how much a constraint is broken at most; 0 when all hold.
        active: constraints that hold with equality.
    """

    goal: Goal
    value: float
    point: dict[str, float]
    guarantee: Literal["global", "local"]
    method: str
    worst_violation: float
    active: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        place = ", ".join(f"{name} = {value:.10g}" for name, value in self.point.items())
        sure = "global optimum" if self.guarantee == "global" else "best of many local searches, not proven global"
        lines = [f"{self.goal}: {self.value:.12g} at {place}", f"{sure} ({self.method})"]
        if self.active:
            lines.append(f"active constraints: {'; '.join(self.active)}")
        return "\n".join(lines)


@dataclass
class _Task:
    goal: Goal
    objective: Any
    symbols: list[Any]
    bounds: list[Bound]
    texts: list[str]
    slacks: list[tuple[Any, bool]]
    """Per constraint an expression that must be >= 0, or = 0 where the second is true."""


@convert_problems
def optimise_objective(objective: str, variables: list[Bound], constraints: list[str], goal: Goal) -> Optimum:
    """Minimise or maximise an objective within bounds and constraints (equations and inequalities).

    Raises:
        Problem: it cannot be read, is infeasible or unbounded, or has integer variables without being linear.
    """
    names = [bound.name for bound in variables]
    reader = Reader(names, {"real": True})
    symbols = [reader.make_symbol(name) for name in names]
    expression = reader.expression(objective)
    task = _Task(goal, expression, symbols, variables, [], [])
    for text in constraints:
        for slack in _list_slacks(reader.read_statement(text), text):
            task.texts.append(text)
            task.slacks.append(slack)
    unknown = set(reader.symbols.values()) - set(symbols)
    if unknown or not 0 < len(set(names)) == len(names) <= MAX_VARIABLES:
        listed = ", ".join(sorted(map(str, unknown))) or "a name that stands once"
        raise Problem(f"every letter must be one of the variables (1 to {MAX_VARIABLES}); add {listed}")
    linear = all(_is_linear(e, symbols) for e in (expression, *(slack for slack, _ in task.slacks)))
    if linear:
        return _solve_linear(task)
    if any(bound.integer for bound in variables):
        raise Problem("integer variables are supported in linear problems only; make it linear or drop integer")
    return _solve_nonlinear(task)


def _list_slacks(statement: Any, text: str) -> list[tuple[Any, bool]]:
    import sympy

    if isinstance(statement, tuple):
        return [(statement[0] - statement[1], True)]
    if statement == sympy.true:
        return []
    if statement == sympy.false:
        raise Problem(f"the constraint {text!r} can never hold; correct it or leave it out")
    parts = statement.args if isinstance(statement, sympy.And) else (statement,)
    if any(not isinstance(part, sympy.Rel) or isinstance(part, sympy.Ne) for part in parts):
        raise Problem(f"the constraint {text!r} is not an equation or inequality; use <=, >= or =")
    return [(part.gts - part.lts, False) for part in parts]


def _is_linear(expression: Any, symbols: list[Any]) -> bool:
    import sympy

    if not expression.is_polynomial(*symbols):
        return False
    return bool(sympy.Poly(expression, *symbols).total_degree() <= 1)


def _solve_linear(task: _Task) -> Optimum:
    import numpy
    import scipy.optimize
    import sympy

    sign = 1 if task.goal == "minimize" else -1
    costs = [sign * float(task.objective.coeff(symbol)) for symbol in task.symbols]
    rows = [[float(slack.expand().coeff(symbol)) for symbol in task.symbols] for slack, _ in task.slacks]
    zero = dict.fromkeys(task.symbols, sympy.Integer(0))
    floors = [-float(slack.subs(zero)) for slack, _ in task.slacks]
    tops = [floor if equal else numpy.inf for floor, (_, equal) in zip(floors, task.slacks, strict=True)]
    lows = [-numpy.inf if bound.lower is None else bound.lower for bound in task.bounds]
    highs = [numpy.inf if bound.upper is None else bound.upper for bound in task.bounds]
    run = scipy.optimize.milp(
        costs,
        integrality=[int(bound.integer) for bound in task.bounds],
        bounds=scipy.optimize.Bounds(lows, highs),
        constraints=scipy.optimize.LinearConstraint(rows, floors, tops) if rows else None,
    )
    if run.status == 2:
        raise Problem("no point satisfies all constraints and bounds; relax one of them")
    if run.status == 3:
        raise Problem(f"the objective can be {task.goal}d without limit; add bounds or constraints")
    if not run.success:
        raise Problem(f"the optimiser failed ({run.message}); simplify the problem")
    point = [round(v) if bound.integer else float(v) for v, bound in zip(run.x, task.bounds, strict=True)]
    integer = any(bound.integer for bound in task.bounds)
    return _build_optimum(task, point, "global", "HiGHS, mixed-integer linear" if integer else "HiGHS, linear")


def _solve_nonlinear(task: _Task) -> Optimum:
    import warnings

    import numpy
    import scipy.optimize

    sign = 1 if task.goal == "minimize" else -1
    objective = _to_numeric_function(task, sign * task.objective)
    slope = _to_numeric_function(task, [sign * task.objective.diff(symbol) for symbol in task.symbols])
    rules = [
        {"type": "eq" if equal else "ineq", "fun": _to_numeric_function(task, slack)} for slack, equal in task.slacks
    ]
    bounds = [(bound.lower, bound.upper) for bound in task.bounds]
    best: list[float] | None = None
    lowest = numpy.inf
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for start in _choose_starts(bounds):
            run = scipy.optimize.minimize(
                objective, start, jac=slope, bounds=bounds, constraints=rules, method="SLSQP", options=_SLSQP_OPTIONS
            )
            value = float(run.fun)
            if value < -1e12:
                raise Problem(f"the objective can be {task.goal}d without limit; add bounds or constraints")
            point = [float(v) for v in run.x]
            if (
                run.success
                and numpy.isfinite(value)
                and value < lowest
                and _measure_violation(task, point) <= _FEASIBLE
            ):
                best, lowest = point, value
        if best is None:
            raise Problem(
                "no point that satisfies all constraints was found; relax one, or give bounds near the solution"
            )
        _check_far_away(task, objective, best, float(lowest))
        _check_closer(task, objective, best, float(lowest))
    return _build_optimum(task, best, "local", f"SLSQP from {_STARTS} starts")


def _to_numeric_function(task: _Task, formula: Any) -> Any:
    """A formula (or a list of them) as a function of a point, in the doubles that the search insists on."""
    import numpy
    import sympy

    function = sympy.lambdify([task.symbols], formula, ["scipy", "numpy"])
    return lambda point: numpy.asarray(function(numpy.asarray(point, float)), dtype=float)


def _check_far_away(task: _Task, objective: Any, best: list[float], lowest: float) -> None:
    """Refuse a local optimum when allowed points far away are better: the search cannot reach them."""
    import numpy

    bounds = [(bound.lower, bound.upper) for bound in task.bounds]
    if all(low is not None and high is not None for low, high in bounds):
        return
    lows = [-numpy.inf if low is None else low for low, _ in bounds]
    highs = [numpy.inf if high is None else high for _, high in bounds]
    for start in _choose_starts([(None, None)] * len(bounds)):
        for reach in (1e2, 1e4, 1e6):
            point = [float(v) for v in numpy.clip(numpy.asarray(best) + start * reach, lows, highs)]
            value = float(objective(point))
            if value < lowest - 1e-6 * (1 + abs(lowest)) and _measure_violation(task, point) <= _FEASIBLE:
                raise Problem(
                    f"the objective can be {task.goal}d far away, as at {point}; give bounds for the variables"
                )


def _check_closer(task: _Task, objective: Any, best: list[float], lowest: float) -> None:
    """Refuse an optimum at almost 0 that goes on improving towards it, as that of log(x)."""
    import numpy

    for number, value in enumerate(best):
        if not 0 < abs(value) < _ALMOST_ZERO:
            continue
        points = [[*best[:number], value / shrink, *best[number + 1 :]] for shrink in (1e3, 1e6, 1e9)]
        values = [lowest, *(float(objective(point)) for point in points)]
        steps = numpy.diff(values)
        if numpy.isfinite(steps).all() and (steps < -1e-3 * (1 + abs(lowest))).all():
            raise Problem(
                f"the objective goes on improving as {task.symbols[number]} approaches 0: no optimum was found; give "
                "bounds for the variables"
            )


_ALMOST_ZERO = 1e-6
_SLSQP_OPTIONS = {"maxiter": 200, "ftol": 1e-14}


def _choose_starts(bounds: list[tuple[float | None, float | None]]) -> list[Any]:
    """Starts spread over the bounds, the same every time; an open side reaches ten times beyond the other."""
    import numpy

    lows = numpy.array([low if low is not None else -10 - abs(high or 0) * 10 for low, high in bounds], float)
    highs = numpy.array([high if high is not None else 10 + abs(low or 0) * 10 for low, high in bounds], float)
    points = numpy.random.default_rng(0).random((_STARTS - 1, len(bounds)))
    return [(lows + highs) / 2, *(lows + (highs - lows) * point for point in points)]


def _measure_violation(task: _Task, point: list[float]) -> float:
    at = dict(zip(task.symbols, point, strict=True))
    worst = 0.0
    for slack, equal in task.slacks:
        value = float(slack.subs(at).evalf())
        worst = max(worst, abs(value) if equal else -value)
    return worst


def _build_optimum(task: _Task, point: list[float], guarantee: Literal["global", "local"], method: str) -> Optimum:
    at = dict(zip(task.symbols, point, strict=True))
    value = float(task.objective.subs(at).evalf())
    near = [abs(float(slack.subs(at).evalf())) <= 1e-6 for slack, _ in task.slacks]
    active = list(dict.fromkeys(text for text, holds in zip(task.texts, near, strict=True) if holds))
    named = {bound.name: number for bound, number in zip(task.bounds, point, strict=True)}
    return Optimum(task.goal, value, named, guarantee, method, _measure_violation(task, point), active)
