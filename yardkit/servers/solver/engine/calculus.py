"""Derivatives, integrals, limits, series, sums and rewriting."""

import itertools
from dataclasses import dataclass
from typing import Any, Literal

from yardkit.servers.solver.engine.parse import Reader
from yardkit.servers.solver.engine.results import Value, convert_problems, value_of
from yardkit.world import Problem

PRELOAD = ("sympy", "scipy.integrate", "mpmath")
Operation = Literal[
    "simplify",
    "expand",
    "factor",
    "cancel",
    "partial_fractions",
    "together",
    "expand_trig",
    "simplify_trig",
    "collect",
    "evaluate",
]
Method = Literal["auto", "symbolic", "numeric"]
Side = Literal["both", "left", "right"]


@dataclass(frozen=True)
class Worked:
    """What was worked out, its value, and how.

    Attributes:
        verified: the `check` agreed; null when none was possible.
        error: estimated absolute error of a numeric value.
        note: how something unusual was read.
    """

    task: str
    value: Value
    method: Literal["symbolic", "numeric"] = "symbolic"
    verified: bool | None = None
    check: str = ""
    error: float | None = None
    note: str = ""

    def __str__(self) -> str:
        lines = [f"{self.task} = {self.value}"]
        if self.note:
            lines.append(self.note)
        if self.error is not None:
            lines.append(f"numeric, estimated error {self.error:.2g}")
        if self.check:
            word = {True: "agrees", False: "DISAGREES", None: "undecided"}[self.verified]
            lines.append(f"check ({self.check}): {word}")
        return "\n".join(lines)


@convert_problems
def rewrite_expression(
    expression: str, operation: Operation, variable: str | None, substitute: dict[str, str] | None
) -> Worked:
    """Simplify, expand, factor ... an expression, after `substitute` put values for letters.

    Raises:
        Problem: it cannot be read, or `collect` lacks a variable.
    """
    import sympy

    reader = Reader([variable] if variable else [])
    given = reader.expression(expression)
    values = {reader.make_symbol(name): reader.expression(text) for name, text in (substitute or {}).items()}
    given = given.subs(values, simultaneous=True)
    if operation == "collect" and not variable:
        raise Problem("collect needs a variable to collect powers of; give variable, such as 'x'")
    symbol = reader.make_symbol(variable) if variable else None
    work = {
        "simplify": sympy.simplify,
        "expand": sympy.expand,
        "factor": sympy.factor,
        "cancel": sympy.cancel,
        "partial_fractions": lambda e: sympy.apart(e, symbol) if symbol else sympy.apart(e),
        "together": sympy.together,
        "expand_trig": sympy.expand_trig,
        "simplify_trig": sympy.trigsimp,
        "collect": lambda e: sympy.collect(sympy.expand(e), symbol),
        "evaluate": lambda e: e.doit(),
    }[operation]
    rewritten = work(given)
    return Worked(f"{operation}({given})", value_of(rewritten), "symbolic", *_compare_expressions(given, rewritten))


def _compare_expressions(first: Any, other: Any) -> tuple[bool | None, str]:
    """Compare two expressions at two points away from the special ones."""
    letters = sorted(first.free_symbols | other.free_symbols, key=str)
    if not letters:
        return None, ""
    verdicts = []
    for shift in (0.7310, 1.9127):
        point = {letter: shift + 0.2713 * number for number, letter in enumerate(letters)}
        left, right = first.subs(point).evalf(), other.subs(point).evalf()
        if not (left.is_number and right.is_number and left.is_finite and right.is_finite):
            return None, "values at two points"
        verdicts.append(bool(abs(left - right) <= 1e-8 * (1 + abs(left))))
    return all(verdicts), "values at two points"


@convert_problems
def differentiate_expression(expression: str, variables: list[str], order: int, at: dict[str, str] | None) -> Worked:
    """The derivative by `variables` one after the other, each `order` times; its value at a point if one is given.

    Raises:
        Problem: it cannot be read.
    """
    import sympy

    reader = Reader(variables)
    given = reader.expression(expression)
    if given.has(*_list_kinked()):  # of complex numbers these have no derivative
        reader = Reader(variables, {"real": True})
        given = reader.expression(expression)
    symbols = [reader.make_symbol(name) for name in variables]
    derivative = given
    for symbol in symbols:
        derivative = sympy.diff(derivative, symbol, order)
    derivative = sympy.simplify(derivative)
    if derivative.has(sympy.Derivative):
        raise Problem(f"no derivative of {given} is known; it may have steps")
    by = ", ".join(f"{symbol}^{order}" if order > 1 else str(symbol) for symbol in symbols)
    if not at:
        return Worked(f"d/d({by}) [{given}]", value_of(derivative))
    point = {reader.make_symbol(name): reader.expression(text) for name, text in at.items()}
    place = ", ".join(f"{name} = {value}" for name, value in point.items())
    if given.has(*_list_kinked()):
        _require_smooth(derivative, point, place)
    return Worked(f"d/d({by}) [{given}] = {derivative}; at {place}", value_of(derivative.subs(point)))


def _require_smooth(derivative: Any, point: dict[Any, Any], place: str) -> None:
    """Refuse a point where a derivative differs from the left and from the right."""
    import sympy

    for symbol, value in point.items():
        others = {other: number for other, number in point.items() if other != symbol}
        ends = [sympy.limit(derivative.subs(others), symbol, value, side) for side in ("-", "+")]
        if sympy.simplify(ends[0] - ends[1]) != 0:
            raise Problem(
                f"there is no derivative at {place}: {ends[0]} from the left of {symbol}, {ends[1]} from the right"
            )


@convert_problems
def integrate_expression(
    expression: str, variable: str, lower: str | None, upper: str | None, method: Method
) -> Worked:
    """The integral, indefinite without bounds. With bounds a symbolic result is compared with a numeric one.

    Raises:
        Problem: no antiderivative is known and there are no bounds; the integral diverges; only one bound is given.
    """
    import sympy

    if (lower is None) != (upper is None):
        raise Problem("only one bound was given; give both lower and upper, or neither for an antiderivative")
    reader = Reader([variable])
    given, symbol = reader.expression(expression), reader.make_symbol(variable)
    if lower is None or upper is None:
        return _find_antiderivative(given, symbol, method)
    bounds = reader.expression(lower), reader.expression(upper)
    task = f"integral of {given} d{symbol} from {bounds[0]} to {bounds[1]}"
    if method == "numeric":
        return _integrate_numerically(task, given, symbol, bounds)
    integral = sympy.integrate(given, (symbol, *bounds))
    if integral.has(sympy.oo, sympy.zoo, sympy.nan, sympy.AccumBounds) and not given.has(sympy.oo):
        raise Problem(f"the {task} diverges{_describe_swing(integral)}; integrate over a range where it converges")
    if integral.has(sympy.Integral):
        if method == "symbolic" or given.free_symbols - {symbol}:
            raise Problem(f"no closed form of the {task} is known; use method 'numeric' with numbers for all letters")
        return _integrate_numerically(task, given, symbol, bounds)
    return _compare_integral(task, sympy.simplify(integral), given, symbol, bounds, method)


def _find_antiderivative(given: Any, symbol: Any, method: Method) -> Worked:
    import sympy

    if method == "numeric":
        raise Problem("a numeric integral needs bounds; give lower and upper")
    antiderivative = sympy.integrate(given, symbol)
    if antiderivative.has(sympy.Integral):
        raise Problem(f"no closed-form antiderivative of {given} was found; give bounds for a numeric integral")
    verdict, _ = _compare_expressions(given, sympy.diff(antiderivative, symbol))
    if verdict is False:
        raise Problem(f"the antiderivative found for {given} is wrong; give bounds for a numeric integral")
    return Worked(
        f"integral of {given} d{symbol} (plus a constant)", value_of(antiderivative), "symbolic", verdict, "derivative"
    )


def _integrate_numerically(task: str, given: Any, symbol: Any, bounds: tuple[Any, Any]) -> Worked:
    import math

    import sympy

    integral, error = _integral_number(given, symbol, bounds)
    if not math.isfinite(integral) or error > 1e-3 * (1 + abs(integral)):
        raise Problem(f"the {task} does not converge numerically (error {error:.2g}); it may diverge: split the range")
    return Worked(task, value_of(sympy.Float(integral, 15)), "numeric", None, "", error)


def _compare_integral(
    task: str, closed_form: Any, given: Any, symbol: Any, bounds: tuple[Any, Any], method: Method
) -> Worked:
    """A closed form that quadrature does not speak against; where it does, the number that it gives.

    Raises:
        Problem: a closed form was asked for, and the one that is known is wrong.
    """
    if given.free_symbols - {symbol} or not closed_form.is_number:
        return Worked(task, value_of(closed_form))
    number, error = _integral_number(given, symbol, bounds)
    value = complex(closed_form.evalf())
    trusted = error <= 1e-6 * (1 + abs(number))
    verdict = abs(value - number) <= 1e-6 * (1 + abs(number)) if trusted else None
    if verdict is not False:
        return Worked(task, value_of(closed_form), "symbolic", verdict, "numeric quadrature")
    if method == "symbolic":
        raise Problem(
            f"the closed form found for the {task} is wrong (its value is {number:.15g}); use method 'numeric'"
        )
    return _integrate_numerically(task, given, symbol, bounds)


def _integral_number(given: Any, symbol: Any, bounds: tuple[Any, Any]) -> tuple[float, float]:
    """The integral and how far it may be off: two divisions of the range must agree.

    Quadrature of a range as a whole misses narrow peaks, and makes a number of an integral that diverges at a pole.
    """
    import warnings

    import numpy
    import scipy.integrate
    import sympy

    if given.free_symbols - {symbol} or any(not bound.is_extended_real for bound in bounds):
        raise Problem("a numeric integral needs numbers for all other letters, and real bounds")
    function = sympy.lambdify(symbol, given, ["scipy", "numpy"])
    ends = [float(bound) for bound in bounds]
    low, high = min(ends), max(ends)
    results = []
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for scale in _SCALES:
            places = [scale * sign * power for sign in (-1, 1) for power in _POWERS]
            if numpy.isfinite(ends).all():
                places += [low + (high - low) * scale * part / _PARTS for part in range(1, _PARTS)]
            cuts = sorted({low, high, *(place for place in places if low < place < high)})
            # NumPy's numbers give infinity at a pole, where Python's raise.
            parts = [
                scipy.integrate.quad(lambda value: function(numpy.float64(value)), *pair, limit=100)
                for pair in itertools.pairwise(cuts)
            ]
            results.append((sum(part for part, _ in parts), sum(error for _, error in parts)))
    integral, error = min(results, key=lambda result: result[1])
    spread = abs(results[0][0] - results[1][0])
    return float(integral if ends[0] <= ends[1] else -integral), float(max(error, spread))


_SCALES = (1.0, 0.93)
_POWERS = (0.0, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
_PARTS = 16


@convert_problems
def compute_limit(expression: str, variable: str, point: str, side: Side) -> Worked:
    """The limit for `variable` towards `point` (``oo`` for infinity).

    Raises:
        Problem: there is no limit, with both one-sided ones when they differ.
    """
    import sympy

    reader = Reader([variable])
    given, symbol, target = reader.expression(expression), reader.make_symbol(variable), reader.expression(point)
    task = f"limit of {given} for {symbol} -> {target}"
    one_sided = side != "both" or target.is_infinite
    if one_sided:
        limit_value = sympy.limit(given, symbol, target, "-" if side == "left" else "+")
    else:
        ends = [sympy.limit(given, symbol, target, direction) for direction in ("-", "+")]
        if sympy.simplify(ends[0] - ends[1]) != 0 and ends[0] != ends[1]:
            raise Problem(
                f"the {task} does not exist: {ends[0]} from the left, {ends[1]} from the right; choose a side"
            )
        limit_value = ends[1]
    if limit_value.has(sympy.AccumBounds, sympy.Limit) or limit_value is sympy.nan:
        raise Problem(f"the {task} does not exist or was not found{_describe_swing(limit_value)}")
    if limit_value.has(sympy.oo, sympy.zoo) and limit_value.free_symbols:
        raise Problem(f"the {task} depends on the other letters; give numbers for them")
    return Worked(f"{task}{'' if side == 'both' else f' ({side})'}", value_of(limit_value))


def _describe_swing(value: Any) -> str:
    import sympy

    ranges = sorted(value.atoms(sympy.AccumBounds), key=str)
    return f" (the value swings between {ranges[0].min} and {ranges[0].max})" if ranges else ""


@convert_problems
def expand_series(expression: str, variable: str, point: str, order: int) -> Worked:
    """The power series (Taylor, Laurent, Puiseux) at `point` up to and without the power `order`."""
    import sympy

    reader = Reader([variable])
    given, symbol, at = reader.expression(expression), reader.make_symbol(variable), reader.expression(point)
    series = sympy.series(given, symbol, at, order)
    if given.has(*_list_kinked()) and at.is_finite:
        other = sympy.series(given, symbol, at, order, dir="-")
        if sympy.simplify(series.removeO() - other.removeO()) != 0:
            raise Problem(
                f"{given} has no one series at {symbol} = {at}: from the right it is {series.removeO()}, from the left "
                f"{other.removeO()}; expand it elsewhere"
            )
    return Worked(f"series of {given} at {symbol} = {at}", value_of(series))


def _list_kinked() -> tuple[Any, ...]:
    """Functions with kinks or steps."""
    import sympy

    return (sympy.Abs, sympy.sign, sympy.floor, sympy.ceiling, sympy.Heaviside, sympy.Min, sympy.Max, sympy.Piecewise)


@convert_problems
def sum_terms(term: str, index: str, lower: str, upper: str, operation: Literal["sum", "product"]) -> Worked:
    """The sum or product of `term` for an integer index, in closed form if there is one, else as a number.

    Raises:
        Problem: it diverges, or neither a closed form nor a number is to be had.
    """
    import sympy

    reader = Reader([index])
    given, symbol = reader.expression(term), reader.make_symbol(index)
    bounds = reader.expression(lower), reader.expression(upper)
    kind = sympy.Sum if operation == "sum" else sympy.Product
    task = f"{operation} of {given} for {symbol} = {bounds[0]} ... {bounds[1]}"
    note = _check_bounds(bounds, operation)
    _require_values(task, given, symbol, bounds)
    symbolic_sum = kind(given, (symbol, *bounds))
    if (
        operation == "sum"
        and bounds[1] is sympy.oo
        and not symbolic_sum.free_symbols
        and symbolic_sum.is_convergent() == sympy.false
    ):
        raise Problem(f"the {task} diverges; check the term or the bounds")
    computed_sum = symbolic_sum.doit()
    if computed_sum.has(sympy.Sum, sympy.Product):
        if computed_sum.free_symbols:
            raise Problem(f"no closed form of the {task} is known; give numbers for the letters")
        return Worked(task, value_of(symbolic_sum.evalf(15)), "numeric", note=note)
    simplified = sympy.simplify(computed_sum)
    if simplified.has(sympy.oo, sympy.zoo, sympy.nan, sympy.AccumBounds):
        raise Problem(f"the {task} diverges{_describe_swing(simplified)}; check the term or the bounds")
    return Worked(task, value_of(simplified), note=note)


def _check_bounds(bounds: tuple[Any, Any], operation: str) -> str:
    """How bounds that are not in order are read; empty where they are.

    Raises:
        Problem: a bound is no whole number, or they are infinite and not in order.
    """
    for bound in bounds:
        if bound.is_number and not (bound.is_integer or bound.is_infinite):
            raise Problem(f"the bound {bound} is not a whole number; use whole numbers, letters, or oo")
    if not all(bound.is_number for bound in bounds) or bounds[0] <= bounds[1]:
        return ""
    if any(bound.is_infinite for bound in bounds):
        raise Problem(f"the bounds {bounds[0]} ... {bounds[1]} are in reverse order; exchange them")
    first, last = bounds[1] + 1, bounds[0] - 1
    empty, opposite = ("0", "minus the sum") if operation == "sum" else ("1", "1 divided by the product")
    if first > last:
        return f"note: the range holds no whole number, so the {operation} is {empty}"
    return (
        f"note: the bounds are in reverse order, which is read as {opposite} for {first} ... {last} (Karr's "
        f"convention); by another convention it is {empty}. Exchange the bounds if that was meant"
    )


_MOST_TERMS = 200


def _require_values(task: str, given: Any, symbol: Any, bounds: tuple[Any, Any]) -> None:
    """Refuse a range in which a term is undefined, as 1/k for 0; of a long one its first and last terms are tried."""
    import sympy

    ends = sorted(int(bound) for bound in bounds if bound.is_integer and bound.is_number)
    if not ends:
        return
    first, last = ends[0], ends[-1]
    if len(ends) == 1:
        first, last = (first - _MOST_TERMS, first) if bounds[1] == first else (first, first + _MOST_TERMS)
    tried = [*range(first, min(last, first + _MOST_TERMS) + 1), *range(max(first, last - _MOST_TERMS), last + 1)]
    poles = sympy.denom(sympy.together(given))
    for number in tried if poles.free_symbols == {symbol} else ():
        if poles.subs(symbol, number) == 0:
            raise Problem(f"the {task} has no value: its term is undefined for {symbol} = {number}; change the bounds")
