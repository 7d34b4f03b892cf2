"""Inequalities in one real unknown."""

import itertools
from dataclasses import dataclass, field
from typing import Any

from yardkit.servers.solver.engine.parse import Reader
from yardkit.servers.solver.engine.results import Value, convert_problems, value_of, with_numbers
from yardkit.world import Problem

PRELOAD = ("sympy", "sympy.solvers", "sympy.calculus.util")
MAX_INEQUALITIES = 50
_MAX_PERIODS = 200
"""Periods that a bounded answer may reach over."""
_TRIED = 60
"""Places at which an answer is compared with the inequalities themselves."""


@dataclass(frozen=True)
class SolutionSet:
    """The solutions of inequalities in one real unknown.

    Attributes:
        text: as intervals, such as ``Union(Interval.open(-oo, -2), Interval.open(2, oo))``; of what repeats those
            within one period, from 0.
        condition: as a condition on the unknown; of what repeats within one period.
        empty: no real number fulfils all.
        boundaries: the ends of the intervals.
        period: after which the solutions repeat for ever, in both directions; else null.
    """

    unknown: str
    text: str
    condition: str
    latex: str
    empty: bool
    boundaries: list[Value] = field(default_factory=list)
    period: Value | None = None

    def __str__(self) -> str:
        if self.empty:
            return f"no real {self.unknown} fulfils this"
        ends = "; ".join(str(end) for end in self.boundaries)
        again = (
            "" if self.period is None else f"\nin one period; it repeats every {self.period}: add k*{self.period.text}"
        )
        return f"{self.condition}{again}\nas a set: {self.text}" + (f"\nboundaries: {ends}" if ends else "")


@convert_problems
def solve_inequalities(inequalities: list[str], unknown: str | None) -> SolutionSet:
    """The real numbers that fulfil every inequality (equations are allowed among them).

    Raises:
        Problem: it cannot be read or holds more than one unknown; what was found is not what the inequalities say.
    """
    import sympy

    if not 0 < len(inequalities) <= MAX_INEQUALITIES:
        raise Problem(f"there are {len(inequalities)} inequalities; give 1 to {MAX_INEQUALITIES}, such as ['x^2 < 4']")
    reader = Reader([unknown] if unknown else [], {"real": True})
    conditions = [part for text in inequalities for part in _split_condition(_parse_condition(reader, text))]
    letters = set(reader.symbols.values())
    symbol = reader.make_symbol(unknown) if unknown else next(iter(letters), None)
    if symbol is None or letters - {symbol}:
        raise Problem(f"there must be one unknown, not {sorted(map(str, letters))}; give numbers for the others")
    solution_set, period = _solve(conditions, symbol)
    _require_right(solution_set, period, conditions, symbol)
    empty = solution_set is sympy.S.EmptySet
    ends = (
        [value_of(end) for end in sorted(solution_set.boundary, key=float)] if _is_finite(solution_set.boundary) else []
    )
    solution_set = with_numbers(solution_set)
    condition = "false" if empty else str(solution_set.as_relational(symbol))
    repeats = None if empty or period is None else value_of(period)
    return SolutionSet(str(symbol), str(solution_set), condition, sympy.latex(solution_set), bool(empty), ends, repeats)


def _parse_condition(reader: Reader, text: str) -> Any:
    import sympy

    statement = reader.read_statement(text)
    return sympy.Eq(*statement) if isinstance(statement, tuple) else reader.read_condition(text)


def _split_condition(condition: Any) -> tuple[Any, ...]:
    import sympy

    return condition.args if isinstance(condition, sympy.And) else (condition,)


def _solve(conditions: list[Any], symbol: Any) -> tuple[Any, Any]:
    """The set of solutions, and the period after which it repeats if it does; then the set is that of one period."""
    import sympy
    from sympy.calculus.util import lcim

    periods = {condition: _find_period(condition, symbol) for condition in conditions}
    within = _intersect_conditions([condition for condition in conditions if periods[condition] is None], symbol)
    repeating = [condition for condition in conditions if periods[condition] is not None]
    if not repeating or within is sympy.S.EmptySet:
        return within, None
    period = lcim([periods[condition] for condition in repeating])
    if period is None:
        raise Problem("these inequalities have no common period; bound the unknown on both sides")
    full_period = sympy.Interval.Ropen(0, period)
    solution_set = full_period
    for condition in repeating:
        own = periods[condition]
        solution_set = solution_set.intersect(
            _repeat_solution(_intersect_conditions([condition], symbol, sympy.Interval.Ropen(0, own)), own, full_period)
        )
    if solution_set is sympy.S.EmptySet:
        return solution_set, None
    if within == sympy.S.Reals:
        return (sympy.S.Reals, None) if solution_set == full_period else (solution_set, period)
    return _repeat_solution(solution_set, period, within), None


def _find_period(condition: Any, symbol: Any) -> Any:
    import sympy
    from sympy.calculus.util import periodicity

    if not isinstance(condition, sympy.core.relational.Relational):
        return None
    difference = condition.lhs - condition.rhs
    if not difference.has(sympy.functions.elementary.trigonometric.TrigonometricFunction):
        return None
    period = periodicity(difference, symbol)
    return period if period is not None and period.is_positive else None


def _intersect_conditions(conditions: list[Any], symbol: Any, universe: Any = None) -> Any:
    import sympy

    intersection = sympy.S.Reals if universe is None else universe
    for condition in conditions:
        if condition == sympy.false:
            return sympy.S.EmptySet
        if condition != sympy.true:
            intersection = intersection.intersect(
                sympy.solveset(condition, symbol, sympy.S.Reals if universe is None else universe)
            )
    return intersection


def _repeat_solution(solution_set: Any, period: Any, within: Any) -> Any:
    """What repeats, within a set that is bounded."""
    import sympy

    if not (within.inf.is_finite and within.sup.is_finite):
        raise Problem("a periodic inequality is bounded on one side only; bound the unknown on both sides")
    first, last = (int(sympy.floor(end / period)) for end in (within.inf, within.sup))
    if last - first >= _MAX_PERIODS:
        raise Problem(
            f"the bounds hold {last - first:,} periods of {period}; the limit is {_MAX_PERIODS}. Narrow the bounds"
        )
    moved = [_shift_set(solution_set, number * period) for number in range(first, last + 1)]
    return sympy.Union(*moved).intersect(within)


def _shift_set(solution_set: Any, shift: Any) -> Any:
    import sympy

    if solution_set is sympy.S.EmptySet:
        return solution_set
    if isinstance(solution_set, sympy.Union):
        return sympy.Union(*(_shift_set(part, shift) for part in solution_set.args))
    if isinstance(solution_set, sympy.FiniteSet):
        return sympy.FiniteSet(*(value + shift for value in solution_set))
    return sympy.Interval(
        solution_set.start + shift, solution_set.end + shift, solution_set.left_open, solution_set.right_open
    )


def _require_right(solution_set: Any, period: Any, conditions: list[Any], symbol: Any) -> None:
    """Compare an answer with what was asked, at places between its ends and far out.

    Raises:
        Problem: they differ somewhere, or the answer is none that can be looked at.
    """
    import sympy

    ends = sorted(float(end) for end in solution_set.boundary) if _is_finite(solution_set.boundary) else None
    if ends is None:
        raise Problem("no method is known to solve this; bound the unknown, or plot it")
    for number in _choose_test_points(ends):
        place = number % float(period) if period is not None else number
        claimed = solution_set.contains(sympy.Float(place))
        asked = [_check_condition(condition, symbol, number) for condition in conditions]
        if any(answer not in (sympy.true, sympy.false) for answer in (claimed, *asked)):
            continue
        if bool(claimed) != all(bool(answer) for answer in asked):
            raise Problem(f"no reliable answer was found: the candidate is wrong at {symbol} = {number:g}; plot it")


def _check_condition(condition: Any, symbol: Any, number: float) -> Any:
    import sympy

    try:
        return condition.subs(symbol, number)
    except TypeError:  # a side is not real there
        return sympy.false


def _choose_test_points(ends: list[float]) -> list[float]:
    """Numbers away from the ends of an answer: between them, and over a wide range."""
    between = [(start + other) / 2 for start, other in itertools.pairwise(ends)]
    reach = 2 * max((abs(end) for end in ends), default=0) + 10
    spread = [reach * (2 * (number * 0.6180339887498949 % 1) - 1) for number in range(_TRIED)]
    return [place for place in between + spread if all(abs(place - end) > 1e-6 * (1 + abs(end)) for end in ends)]


def _is_finite(boundary: Any) -> bool:
    import sympy

    return boundary is sympy.S.EmptySet or (
        isinstance(boundary, sympy.FiniteSet) and all(end.is_number for end in boundary)
    )
