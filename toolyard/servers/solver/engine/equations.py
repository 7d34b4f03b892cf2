"""Equations, systems of equations and inequalities."""

import itertools
from dataclasses import dataclass, field
from typing import Any, Literal

from toolyard.servers.solver.engine.parse import Reader
from toolyard.servers.solver.engine.results import Value, named, problems, value_of
from toolyard.world import Problem
from toolyard.world.wording import counted

PRELOAD = ("sympy", "sympy.solvers", "scipy.optimize")
MAX_EQUATIONS = 50
Domain = Literal["complex", "real", "positive", "integer"]
Completeness = Literal["all", "general", "some"]
_TOLERANCE = 1e-9
_STARTS = (0.5, -0.7, 1.3, -2.1, 4.0, -6.5, 11.0, 0.05)


@dataclass(frozen=True)
class Solution:
    """One solution.

    Attributes:
        values: of each unknown; an unknown that is missing may be anything.
        verified: put back into the equations it fulfils them; null when that could not be decided.
        exact: worked out symbolically, not approximated.
    """

    values: dict[str, Value]
    verified: bool | None
    exact: bool = True

    def __str__(self) -> str:
        word = {True: "verified", False: "NOT fulfilled when put back", None: "not decided when put back"}[
            self.verified
        ]
        pairs = ", ".join(f"{name} = {value}" for name, value in self.values.items()) or "any values"
        return f"{pairs}  [{word}{'' if self.exact else ', numeric'}]"


@dataclass(frozen=True)
class Solutions:
    """The solutions of equations.

    Attributes:
        unknowns: in the order they were solved for.
        solutions: those that were found; empty when there is none.
        completeness: ``all``; ``general`` when `family` describes more than are listed; ``some`` when others may exist.
        family: all solutions as a set, when they are infinitely many; else null.
    """

    unknowns: list[str]
    domain: Domain
    solutions: list[Solution]
    completeness: Completeness
    family: str | None = None

    def __str__(self) -> str:
        kind = {"all": "all", "general": "some of infinitely many", "some": "there may be more"}[self.completeness]
        if not self.solutions and self.family is None:
            none = "no solution" if self.completeness == "all" else "no solution found"
            return f"{none} ({self.domain}) for {', '.join(self.unknowns)}"
        if not self.solutions:
            return f"infinitely many solutions ({self.domain}) for {', '.join(self.unknowns)}: {self.family}"
        lines = [
            f"{counted(len(self.solutions), 'solution')} ({self.domain}; {kind}):",
            *(f"  {one}" for one in self.solutions),
        ]
        return "\n".join([*lines, f"all solutions: {self.family}"] if self.family else lines)


@dataclass(frozen=True)
class SolutionSet:
    """The solutions of inequalities in one real unknown.

    Attributes:
        text: as intervals, such as ``Union(Interval.open(-oo, -2), Interval.open(2, oo))``.
        condition: as a condition on the unknown.
        empty: no real number fulfils all.
        boundaries: the ends of the intervals.
    """

    unknown: str
    text: str
    condition: str
    latex: str
    empty: bool
    boundaries: list[Value] = field(default_factory=list)

    def __str__(self) -> str:
        if self.empty:
            return f"no real {self.unknown} fulfils this"
        ends = "; ".join(str(end) for end in self.boundaries)
        return f"{self.condition}\nas a set: {self.text}" + (f"\nboundaries: {ends}" if ends else "")


@problems
def solve(
    equations: list[str], unknowns: list[str], domain: Domain, start: dict[str, float] | None = None
) -> Solutions:
    """Solve equations, exactly where there is a method, else numerically from several starts (or from `start`).

    Raises:
        Problem: something cannot be read, or there is nothing to solve for.
    """
    if not 0 < len(equations) <= MAX_EQUATIONS:
        raise Problem(f"there are {len(equations)} equations; give 1 to {MAX_EQUATIONS}, such as ['x^2 = 4']")
    reader = Reader(unknowns)
    pairs = [reader.equation(text) for text in equations]
    wanted = [reader.symbol(name) for name in unknowns] or sorted(_free(pairs), key=str)
    if not wanted:
        raise Problem("the equations hold no unknown; name one in them, such as 'x^2 = 4'")
    task = _Task(pairs, wanted, domain)
    if start is not None:
        return task.result([_numeric_from(task, start)], "some", exact=False)
    return task.solved()


@dataclass
class _Task:
    pairs: list[tuple[Any, Any]]
    wanted: list[Any]
    domain: Domain

    def solved(self) -> Solutions:
        if len(self.pairs) == len(self.wanted) == 1 and not self._others():
            found = self._by_set()
            if found is not None:
                return found
        try:
            return self.result(self._by_solve(), "all")
        except NotImplementedError:
            if self._others():
                raise
            return self.result(_numeric(self), "some", exact=False)

    def _others(self) -> set[Any]:
        return _free(self.pairs) - set(self.wanted)

    def _by_set(self) -> Solutions | None:
        """The solutions of one equation in one unknown as a set, which is complete; None when there is no method."""
        import sympy

        left, right = self.pairs[0]
        if (left - right).is_polynomial(self.wanted[0]) and (left - right).has(self.wanted[0]):
            return None
        base = {"complex": sympy.S.Complexes, "integer": sympy.S.Integers}.get(self.domain, sympy.S.Reals)
        universe = sympy.Interval.open(0, sympy.oo) if self.domain == "positive" else base
        try:
            found = sympy.solveset(left - right, self.wanted[0], universe)
        except (NotImplementedError, ValueError, TypeError):
            return None
        if found is sympy.S.EmptySet:
            return self.result([], "all")
        if isinstance(found, sympy.FiniteSet):
            return self.result([{self.wanted[0]: value} for value in sorted(found, key=sympy.default_sort_key)], "all")
        if found.has(sympy.ConditionSet) or isinstance(found, sympy.Intersection | sympy.Complement):
            return None
        return self.result(self._examples(), "general", family=str(found))

    def _examples(self) -> list[dict[Any, Any]]:
        try:
            return self._by_solve()
        except NotImplementedError:
            return []

    def _by_solve(self) -> list[dict[Any, Any]]:
        import sympy

        found = sympy.solve([left - right for left, right in self.pairs], self.wanted, dict=True)
        return [solution for solution in found if all(self._fits(value) for value in solution.values())]

    def _fits(self, value: Any) -> bool:
        """Whether a value lies in the domain; a value that still holds letters is kept."""
        import sympy

        if self.domain == "complex" or not value.is_number:
            return True
        real, imaginary = sympy.N(value, 30).as_real_imag()
        if abs(imaginary) > 1e-20 * (1 + abs(real)):
            return False
        nearest = sympy.Integer(round(real))
        if self.domain == "integer":
            return bool(abs(real - nearest) < 1e-20) and bool(sympy.simplify(value - nearest) == 0)
        return self.domain == "real" or bool(real > 0)

    def result(
        self, found: list[dict[Any, Any]], completeness: Completeness, family: str | None = None, *, exact: bool = True
    ) -> Solutions:
        listed = [
            Solution(
                {**named({symbol: one[symbol] for symbol in self.wanted if symbol in one})}, self.check(one), exact
            )
            for one in found
        ]
        return Solutions([str(symbol) for symbol in self.wanted], self.domain, listed, completeness, family)

    def check(self, solution: dict[Any, Any]) -> bool | None:
        """Put a solution back into every equation: numerically if it is numbers, else symbolically."""
        import sympy

        verdicts: list[bool | None] = []
        for sides in self.pairs:
            left, right = (side.subs(solution) for side in sides)
            if (left - right).is_number:
                scale = 1 + abs(sympy.N(left)) + abs(sympy.N(right))
                verdicts.append(bool(abs(sympy.N(left - right, 20)) <= _TOLERANCE * scale))
            else:
                verdicts.append(True if sympy.simplify(left - right) == 0 else None)
        return False if False in verdicts else None if None in verdicts else True


def _free(pairs: list[tuple[Any, Any]]) -> set[Any]:
    return set().union(*(side.free_symbols for pair in pairs for side in pair))


def _numeric_from(task: _Task, start: dict[str, float]) -> dict[Any, Any]:
    import sympy

    missing = [str(symbol) for symbol in task.wanted if str(symbol) not in start]
    if missing or task._others():
        raise Problem(f"a numeric solution needs a start for each unknown; add {', '.join(missing) or 'all letters'}")
    first = [start[str(symbol)] for symbol in task.wanted]
    residuals = [left - right for left, right in task.pairs]
    if len(residuals) < len(task.wanted):
        raise Problem(
            f"{len(task.wanted)} unknowns need more than {counted(len(residuals), 'equation')}; add equations"
        )
    found = sympy.nsolve(residuals, task.wanted, first, prec=20)
    return {symbol: found[number] for number, symbol in enumerate(task.wanted)}


def _numeric(task: _Task) -> list[dict[Any, Any]]:
    """Real solutions found from a fixed grid of starts, polished to 20 digits, each once."""
    import sympy

    found: list[dict[Any, Any]] = []
    starts = itertools.islice(itertools.product(_STARTS, repeat=len(task.wanted)), 64)
    for start in starts:
        try:
            one = _numeric_from(task, dict(zip(map(str, task.wanted), start, strict=True)))
        except (ValueError, TypeError, ZeroDivisionError, OverflowError):
            continue
        new = all(any(abs(one[s] - other[s]) > 1e-8 * (1 + abs(one[s])) for s in task.wanted) for other in found)
        if new and all(task._fits(value) for value in one.values()):
            found.append(one)
    return sorted(found, key=lambda one: [float(sympy.re(one[symbol])) for symbol in task.wanted])


@problems
def solve_inequalities(inequalities: list[str], unknown: str | None) -> SolutionSet:
    """The real numbers that fulfil every inequality (equations are allowed among them).

    Raises:
        Problem: it cannot be read or holds more than one unknown.
    """
    import sympy

    if not 0 < len(inequalities) <= MAX_EQUATIONS:
        raise Problem(f"there are {len(inequalities)} inequalities; give 1 to {MAX_EQUATIONS}, such as ['x^2 < 4']")
    reader = Reader([unknown] if unknown else [], {"real": True})
    conditions = [_condition(reader, text) for text in inequalities]
    letters = set(reader.symbols.values())
    symbol = reader.symbol(unknown) if unknown else next(iter(letters), None)
    if symbol is None or letters - {symbol}:
        raise Problem(f"there must be one unknown, not {sorted(map(str, letters))}; give numbers for the others")
    found = sympy.S.Reals
    for condition in conditions:
        found = found.intersect(_solution_set(condition, symbol))
    empty = found is sympy.S.EmptySet
    ends = [value_of(end) for end in sorted(found.boundary, key=float)] if _is_finite(found.boundary) else []
    condition = "false" if empty else str(found.as_relational(symbol))
    return SolutionSet(str(symbol), str(found), condition, sympy.latex(found), bool(empty), ends)


def _condition(reader: Reader, text: str) -> Any:
    import sympy

    found = reader.statement(text)
    return sympy.Eq(*found) if isinstance(found, tuple) else reader.condition(text)


def _solution_set(condition: Any, symbol: Any) -> Any:
    import sympy

    if condition in (sympy.true, sympy.false):
        return sympy.S.Reals if condition == sympy.true else sympy.S.EmptySet
    parts = condition.args if isinstance(condition, sympy.And) else (condition,)
    sets = [sympy.solveset(part, symbol, sympy.S.Reals) for part in parts]
    found = sets[0]
    for other in sets[1:]:
        found = found.intersect(other)
    return found


def _is_finite(boundary: Any) -> bool:
    import sympy

    return isinstance(boundary, sympy.FiniteSet) and all(end.is_number for end in boundary)
