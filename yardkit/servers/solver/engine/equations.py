"""Equations and systems of equations. What is called all of the solutions is counted or proven."""

import itertools
from dataclasses import dataclass, replace
from typing import Any, Literal

from yardkit.servers.solver.engine.parse import Reader
from yardkit.servers.solver.engine.polynomials import find_points, find_roots
from yardkit.servers.solver.engine.results import Value, named, problems
from yardkit.servers.solver.engine.whole_numbers import solve_whole
from yardkit.world import Problem
from yardkit.world.wording import counted

PRELOAD = ("sympy", "sympy.solvers", "scipy.optimize")
MAX_EQUATIONS = 50
Domain = Literal["complex", "real", "positive", "integer"]
Completeness = Literal["all", "general", "some"]
_TOLERANCE = 1e-9
_SEARCHED = 100
_MAX_MISSED = 20
_STARTS = (0.5, -0.7, 1.3, -2.1, 4.0, -6.5, 11.0, 0.05)


@dataclass(frozen=True)
class Solution:
    """One solution.

    Attributes:
        values: of each unknown; an unknown that is missing may be anything.
        verified: put back into the equations it fulfils them; null when that could not be decided.
        exact: worked out symbolically, not approximated.
        error: how far an approximated value may be off, where that is known.
    """

    values: dict[str, Value]
    verified: bool | None
    exact: bool = True
    error: float | None = None

    def __str__(self) -> str:
        word = "verified" if self.verified else "not decided when put back"
        pairs = ", ".join(f"{name} = {value}" for name, value in self.values.items()) or "any values"
        bound = "" if self.error is None else f", to within {self.error:.1g}"
        return f"{pairs}  [{word}{'' if self.exact else ', numeric'}{bound}]"


@dataclass(frozen=True)
class Solutions:
    """The solutions of equations.

    Attributes:
        unknowns: in the order they were solved for.
        solutions: those that were found; empty when there is none.
        completeness: ``all``, where that is proven; ``general`` when `family` describes more than are listed; ``some``
            when others may exist.
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
            none = "no solution" if self.completeness == "all" else "no solution found; there may be some"
            return f"{none} ({self.domain}) for {', '.join(self.unknowns)}"
        if not self.solutions:
            return f"infinitely many solutions ({self.domain}) for {', '.join(self.unknowns)}: {self.family}"
        lines = [
            f"{counted(len(self.solutions), 'solution')} ({self.domain}; {kind}):",
            *(f"  {one}" for one in self.solutions),
        ]
        return "\n".join([*lines, f"all solutions: {self.family}"] if self.family else lines)


@dataclass(frozen=True)
class _Found:
    """A solution as it was worked out."""

    values: dict[Any, Any]
    exact: bool = True
    error: float | None = None


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
        raise Problem("the equations contain no unknown; include one, such as 'x^2 = 4'")
    task = _Task(pairs, wanted, domain)
    if start is not None:
        return task.result([_Found(_numeric_from(task, start), exact=False)], "some")
    return task.solved()


@dataclass
class _Task:
    pairs: list[tuple[Any, Any]]
    wanted: list[Any]
    domain: Domain

    @property
    def residuals(self) -> list[Any]:
        return [left - right for left, right in self.pairs]

    def solved(self) -> Solutions:
        if self.domain == "integer" and len(self.wanted) > 1 and not self._others() and self._are_polynomials():
            return self._in_whole_numbers()
        if len(self.pairs) == len(self.wanted) == 1 and not self._others():
            found = self._by_roots() or self._by_set()
            if found is not None:
                return found
        return self._of_system()

    def _others(self) -> set[Any]:
        return _free(self.pairs) - set(self.wanted)

    def _are_polynomials(self) -> bool:
        return all(residual.is_polynomial(*self.wanted) for residual in self.residuals)

    def _by_roots(self) -> Solutions | None:
        """Every root of a polynomial; None where the equation is none."""
        (residual,), (symbol,) = self.residuals, self.wanted
        if not residual.is_polynomial(symbol) or not residual.has(symbol):
            return None
        roots = find_roots(residual, symbol)
        if roots is None:
            return None
        if self.domain == "integer":  # a root that is whole has a closed form
            roots = [root for root in roots if root.error is None and self._fits(root.value)]
        elif self.domain != "complex":
            roots = [root for root in roots if root.is_real and (self.domain == "real" or root.value > 0)]
        return self.result(
            [_Found({symbol: root.value}, root.error is None, root.error and float(root.error)) for root in roots],
            "all",
        )

    def _by_set(self) -> Solutions | None:
        """The solutions of one equation in one unknown as a set, which is complete; None when there is no method."""
        import sympy

        base = {"complex": sympy.S.Complexes, "integer": sympy.S.Integers}.get(self.domain, sympy.S.Reals)
        universe = sympy.Interval.open(0, sympy.oo) if self.domain == "positive" else base
        try:
            found = sympy.solveset(self.residuals[0], self.wanted[0], universe)
        except (NotImplementedError, ValueError, TypeError):
            return None
        if isinstance(found, sympy.FiniteSet) or found is sympy.S.EmptySet:
            values = sorted(found, key=sympy.default_sort_key)
            return self._with_missed([_Found({self.wanted[0]: value}) for value in values])
        if isinstance(found, sympy.Intersection | sympy.Complement) or found.has(sympy.ConditionSet):
            return None
        return self.result([_Found(one) for one in self._examples()], "general", _set_text(found, self.wanted[0]))

    def _with_missed(self, found: list[_Found]) -> Solutions:
        """What the library calls all solutions, and what a look at the signs finds besides: then it was not all."""
        missed = [
            _Found(one, exact=False)
            for one in ({self.wanted[0]: value} for value in _sign_changes(self.residuals[0], self.wanted[0]))
            if self._fits(one[self.wanted[0]])
            and self.check(one)
            and not any(_are_near(one, other.values) for other in found)
        ]
        return self.result([*found, *missed], "some" if missed else "all")

    def _examples(self) -> list[dict[Any, Any]]:
        return self._by_library() or []

    def _by_library(self) -> list[dict[Any, Any]] | None:
        """What the library finds for a system; None where it has no method."""
        import sympy

        try:
            found = sympy.solve(self.residuals, self.wanted, dict=True)
        except NotImplementedError:
            return None
        return [solution for solution in found if all(self._fits(value) for value in solution.values())]

    def _of_system(self) -> Solutions:
        found = self._by_library()
        points = None if self._others() or not self._are_polynomials() else find_points(self.residuals, self.wanted)
        if points is not None:
            whole = replace(self, domain="complex")._by_library()
            if whole is not None and _are_points(whole, self.wanted) and len(whole) == points.count:
                return self.result([_Found(one) for one in found or []], "all")
            fitting = [one for one in points.solutions if all(self._fits(value) for value in one.values())]
            return self.result([_Found(one, exact=False) for one in fitting], "all")
        if found is None and self._others():
            raise NotImplementedError("these equations for letters")
        if found is None:
            return self.result([_Found(one, exact=False) for one in _numeric(self)], "some")
        return self.result([_Found(one) for one in found], "all" if self._is_complete(found) else "some")

    def _is_complete(self, found: list[dict[Any, Any]]) -> bool:
        """Whether the library's answer is all: of linear equations, of one polynomial with as many as its degree."""
        import sympy

        if not self._are_polynomials():
            return False
        degrees = [sympy.Poly(residual, *self.wanted).total_degree() for residual in self.residuals]
        if all(degree <= 1 for degree in degrees):
            return True
        solved_for = {symbol for one in found for symbol in one}
        if len(self.pairs) > 1 or len(solved_for) != 1:
            return False
        return len(found) == int(sympy.Poly(self.residuals[0], *solved_for).degree())

    def _in_whole_numbers(self) -> Solutions:
        """Whole numbers for several unknowns."""
        try:
            found = solve_whole(self.residuals, self.wanted)
        except NotImplementedError:
            points = find_points(self.residuals, self.wanted)
            if points is None:
                raise Problem(
                    "no method is known for integers here; search between bounds with a program, or use "
                    "integer constraints"
                ) from None
            rounded = [{symbol: _nearest(value) for symbol, value in one.items()} for one in points.solutions]
            return self.result([_Found(one) for one in rounded if self.check(one)], "all")
        families = [one for one in found.solutions if any(value.free_symbols for value in one.values())]
        completeness: Completeness = "some" if not found.complete else "general" if families else "all"
        family = _family(found.solutions, self.wanted) if families and found.complete else None
        return self.result([_Found(one) for one in found.solutions], completeness, family)

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

    def result(self, found: list[_Found], completeness: Completeness, family: str | None = None) -> Solutions:
        """The solutions that fulfil the equations when they are put back; if one does not, they may not be all."""
        checked = [(one, self.check(one.values)) for one in found]
        listed = [
            Solution(
                named({symbol: one.values[symbol] for symbol in self.wanted if symbol in one.values}),
                verdict,
                one.exact,
                one.error,
            )
            for one, verdict in checked
            if verdict is not False
        ]
        if len(listed) < len(found):
            completeness, family = "some", None
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


def _nearest(value: Any) -> Any:
    import sympy

    return sympy.Integer(round(sympy.re(value)))


def _are_points(found: list[dict[Any, Any]], wanted: list[Any]) -> bool:
    """Whether each solution says a number for every unknown."""
    return all(set(one) == set(wanted) and all(value.is_number for value in one.values()) for one in found)


def _are_near(one: dict[Any, Any], other: dict[Any, Any]) -> bool:
    import sympy

    return all(abs(sympy.N(other[s] - value)) <= 1e-8 * (1 + abs(value)) for s, value in one.items() if s in other)


def _set_text(found: Any, symbol: Any) -> str:
    """A set that may hold infinitely many values, in words."""
    import sympy

    parts = found.args if isinstance(found, sympy.Union) else (found,)
    texts = []
    for part in parts:
        if isinstance(part, sympy.ImageSet) and part.base_sets == (sympy.S.Integers,):
            letter = sympy.Symbol("k", integer=True)
            texts.append(f"{symbol} = {sympy.expand(part.lamda(letter))}")
        else:
            texts.append(f"{symbol} in {part}")
    return " or ".join(texts) + (", for every integer k" if found.has(sympy.ImageSet) else "")


def _family(solutions: list[dict[Any, Any]], wanted: list[Any]) -> str:
    texts = [", ".join(f"{symbol} = {one[symbol]}" for symbol in wanted) for one in solutions]
    letters = sorted({str(letter) for one in solutions for value in one.values() for letter in value.free_symbols})
    return f"{'; or '.join(texts)} for all integers {', '.join(letters)}"


def _numeric_from(task: _Task, start: dict[str, float]) -> dict[Any, Any]:
    import sympy

    missing = [str(symbol) for symbol in task.wanted if str(symbol) not in start]
    if missing or task._others():
        raise Problem(
            f"a numeric solution needs a start value for each unknown; add {', '.join(missing) or 'all letters'}"
        )
    first = [start[str(symbol)] for symbol in task.wanted]
    if len(task.residuals) < len(task.wanted):
        raise Problem(
            f"{len(task.wanted)} unknowns need more than {counted(len(task.residuals), 'equation')}; add equations"
        )
    found = sympy.nsolve(task.residuals, task.wanted, first, prec=20)
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
        if all(task._fits(value) for value in one.values()) and not any(_are_near(one, other) for other in found):
            found.append(one)
    return sorted(found, key=lambda one: [float(sympy.re(one[symbol])) for symbol in task.wanted])


def _sign_changes(residual: Any, symbol: Any) -> list[Any]:
    """Real numbers within a hundred of zero between which a function changes its sign, to fifteen digits."""
    import numpy
    import scipy.optimize
    import sympy

    function = sympy.lambdify(symbol, residual, ["scipy", "numpy"])
    places = numpy.linspace(-_SEARCHED, _SEARCHED, _SEARCHED * 20 + 1) + 0.00713
    with numpy.errstate(all="ignore"):
        try:
            values = numpy.broadcast_to(numpy.real_if_close(function(places)), places.shape)
        except (TypeError, ValueError, NameError, AttributeError, OverflowError):
            return []
        if numpy.iscomplexobj(values):
            return []
        changes = numpy.flatnonzero(numpy.signbit(values[:-1]) != numpy.signbit(values[1:]))
        crossings = [at for at in changes if numpy.isfinite(values[at : at + 2]).all()][:_MAX_MISSED]
        found = [scipy.optimize.brentq(function, places[at], places[at + 1], xtol=1e-15) for at in crossings]
    return [sympy.Float(value, 15) for value in found]
