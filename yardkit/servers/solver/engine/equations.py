"""Equations and systems of equations. What is called all of the solutions is counted or proven."""

import itertools
from dataclasses import dataclass, replace
from typing import Any, Literal

from yardkit.servers.solver.engine.parse import Reader
from yardkit.servers.solver.engine.polynomials import find_points, find_roots
from yardkit.servers.solver.engine.results import Value, convert_problems, name_values
from yardkit.servers.solver.engine.whole_numbers import solve_integers
from yardkit.world import Problem
from yardkit.world.wording import format_count

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
            f"{format_count(len(self.solutions), 'solution')} ({self.domain}; {kind}):",
            *(f"  {solution}" for solution in self.solutions),
        ]
        return "\n".join([*lines, f"all solutions: {self.family}"] if self.family else lines)


@dataclass(frozen=True)
class _Candidate:
    """A solution as it was worked out."""

    values: dict[Any, Any]
    exact: bool = True
    error: float | None = None


@convert_problems
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
    pairs = [reader.read_equation(text) for text in equations]
    unknown_symbols = [reader.make_symbol(name) for name in unknowns] or sorted(_collect_free_symbols(pairs), key=str)
    if not unknown_symbols:
        raise Problem("the equations contain no unknown; include one, such as 'x^2 = 4'")
    task = _Task(pairs, unknown_symbols, domain)
    if start is not None:
        return task.build_result([_Candidate(_numeric_from(task, start), exact=False)], "some")
    return task.solve()


@dataclass
class _Task:
    pairs: list[tuple[Any, Any]]
    unknowns: list[Any]
    domain: Domain

    @property
    def residuals(self) -> list[Any]:
        return [left - right for left, right in self.pairs]

    def solve(self) -> Solutions:
        if (
            self.domain == "integer"
            and len(self.unknowns) > 1
            and not self._collect_parameters()
            and self._are_polynomials()
        ):
            return self._solve_in_integers()
        if len(self.pairs) == len(self.unknowns) == 1 and not self._collect_parameters():
            solutions = self._by_roots() or self._by_set()
            if solutions is not None:
                return solutions
        return self._of_system()

    def _collect_parameters(self) -> set[Any]:
        return _collect_free_symbols(self.pairs) - set(self.unknowns)

    def _are_polynomials(self) -> bool:
        return all(residual.is_polynomial(*self.unknowns) for residual in self.residuals)

    def _by_roots(self) -> Solutions | None:
        """Every root of a polynomial; None where the equation is none."""
        (residual,), (symbol,) = self.residuals, self.unknowns
        if not residual.is_polynomial(symbol) or not residual.has(symbol):
            return None
        roots = find_roots(residual, symbol)
        if roots is None:
            return None
        if self.domain == "integer":  # a root that is whole has a closed form
            roots = [root for root in roots if root.error is None and self._fits_domain(root.value)]
        elif self.domain != "complex":
            roots = [root for root in roots if root.is_real and (self.domain == "real" or root.value > 0)]
        return self.build_result(
            [_Candidate({symbol: root.value}, root.error is None, root.error and float(root.error)) for root in roots],
            "all",
        )

    def _by_set(self) -> Solutions | None:
        """The solutions of one equation in one unknown as a set, which is complete; None when there is no method."""
        import sympy

        base = {"complex": sympy.S.Complexes, "integer": sympy.S.Integers}.get(self.domain, sympy.S.Reals)
        universe = sympy.Interval.open(0, sympy.oo) if self.domain == "positive" else base
        try:
            solution_set = sympy.solveset(self.residuals[0], self.unknowns[0], universe)
        except (NotImplementedError, ValueError, TypeError):
            return None
        if isinstance(solution_set, sympy.FiniteSet) or solution_set is sympy.S.EmptySet:
            values = sorted(solution_set, key=sympy.default_sort_key)
            return self._with_missed([_Candidate({self.unknowns[0]: value}) for value in values])
        if isinstance(solution_set, sympy.Intersection | sympy.Complement) or solution_set.has(sympy.ConditionSet):
            return None
        return self.build_result(
            [_Candidate(example) for example in self._find_examples()],
            "general",
            _set_text(solution_set, self.unknowns[0]),
        )

    def _with_missed(self, known_solutions: list[_Candidate]) -> Solutions:
        """What the library calls all solutions, and what a look at the signs finds besides: then it was not all."""
        missed = [
            _Candidate(candidate, exact=False)
            for candidate in ({self.unknowns[0]: value} for value in _sign_changes(self.residuals[0], self.unknowns[0]))
            if self._fits_domain(candidate[self.unknowns[0]])
            and self.check(candidate)
            and not any(_are_near(candidate, other.values) for other in known_solutions)
        ]
        return self.build_result([*known_solutions, *missed], "some" if missed else "all")

    def _find_examples(self) -> list[dict[Any, Any]]:
        return self._by_library() or []

    def _by_library(self) -> list[dict[Any, Any]] | None:
        """What the library finds for a system; None where it has no method."""
        import sympy

        try:
            library_solutions = sympy.solve(self.residuals, self.unknowns, dict=True)
        except NotImplementedError:
            return None
        return [
            solution for solution in library_solutions if all(self._fits_domain(value) for value in solution.values())
        ]

    def _of_system(self) -> Solutions:
        system_solutions = self._by_library()
        points = (
            None
            if self._collect_parameters() or not self._are_polynomials()
            else find_points(self.residuals, self.unknowns)
        )
        if points is not None:
            complex_solutions = replace(self, domain="complex")._by_library()
            if (
                complex_solutions is not None
                and _are_points(complex_solutions, self.unknowns)
                and len(complex_solutions) == points.count
            ):
                return self.build_result([_Candidate(solution) for solution in system_solutions or []], "all")
            fitting = [point for point in points.solutions if all(self._fits_domain(value) for value in point.values())]
            return self.build_result([_Candidate(point, exact=False) for point in fitting], "all")
        if system_solutions is None and self._collect_parameters():
            raise NotImplementedError("these equations for letters")
        if system_solutions is None:
            return self.build_result([_Candidate(point, exact=False) for point in _solve_numerically(self)], "some")
        return self.build_result(
            [_Candidate(solution) for solution in system_solutions],
            "all" if self._is_complete(system_solutions) else "some",
        )

    def _is_complete(self, solutions: list[dict[Any, Any]]) -> bool:
        """Whether the library's answer is all: of linear equations, of one polynomial with as many as its degree."""
        import sympy

        if not self._are_polynomials():
            return False
        degrees = [sympy.Poly(residual, *self.unknowns).total_degree() for residual in self.residuals]
        if all(degree <= 1 for degree in degrees):
            return True
        solved_for = {symbol for solution in solutions for symbol in solution}
        if len(self.pairs) > 1 or len(solved_for) != 1:
            return False
        return len(solutions) == int(sympy.Poly(self.residuals[0], *solved_for).degree())

    def _solve_in_integers(self) -> Solutions:
        """Whole numbers for several unknowns."""
        try:
            integer_solutions = solve_integers(self.residuals, self.unknowns)
        except NotImplementedError:
            points = find_points(self.residuals, self.unknowns)
            if points is None:
                raise Problem(
                    "no method is known for integers here; search between bounds with a program, or use "
                    "integer constraints"
                ) from None
            rounded = [
                {symbol: _round_to_nearest(value) for symbol, value in point.items()} for point in points.solutions
            ]
            return self.build_result([_Candidate(point) for point in rounded if self.check(point)], "all")
        families = [
            solution
            for solution in integer_solutions.solutions
            if any(value.free_symbols for value in solution.values())
        ]
        completeness: Completeness = "some" if not integer_solutions.complete else "general" if families else "all"
        family = (
            _describe_family(integer_solutions.solutions, self.unknowns)
            if families and integer_solutions.complete
            else None
        )
        return self.build_result(
            [_Candidate(solution) for solution in integer_solutions.solutions], completeness, family
        )

    def _fits_domain(self, value: Any) -> bool:
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

    def build_result(
        self, candidates: list[_Candidate], completeness: Completeness, family: str | None = None
    ) -> Solutions:
        """The solutions that fulfil the equations when they are put back; if one does not, they may not be all."""
        checked = [(candidate, self.check(candidate.values)) for candidate in candidates]
        listed = [
            Solution(
                name_values(
                    {symbol: candidate.values[symbol] for symbol in self.unknowns if symbol in candidate.values}
                ),
                verdict,
                candidate.exact,
                candidate.error,
            )
            for candidate, verdict in checked
            if verdict is not False
        ]
        if len(listed) < len(candidates):
            completeness, family = "some", None
        return Solutions([str(symbol) for symbol in self.unknowns], self.domain, listed, completeness, family)

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


def _collect_free_symbols(pairs: list[tuple[Any, Any]]) -> set[Any]:
    return set().union(*(side.free_symbols for pair in pairs for side in pair))


def _round_to_nearest(value: Any) -> Any:
    import sympy

    return sympy.Integer(round(sympy.re(value)))


def _are_points(solutions: list[dict[Any, Any]], unknowns: list[Any]) -> bool:
    """Whether each solution says a number for every unknown."""
    return all(
        set(solution) == set(unknowns) and all(value.is_number for value in solution.values()) for solution in solutions
    )


def _are_near(first_point: dict[Any, Any], other: dict[Any, Any]) -> bool:
    import sympy

    return all(
        abs(sympy.N(other[s] - value)) <= 1e-8 * (1 + abs(value)) for s, value in first_point.items() if s in other
    )


def _set_text(solution_set: Any, symbol: Any) -> str:
    """A set that may hold infinitely many values, in words."""
    import sympy

    parts = solution_set.args if isinstance(solution_set, sympy.Union) else (solution_set,)
    texts = []
    for part in parts:
        if isinstance(part, sympy.ImageSet) and part.base_sets == (sympy.S.Integers,):
            letter = sympy.Symbol("k", integer=True)
            texts.append(f"{symbol} = {sympy.expand(part.lamda(letter))}")
        else:
            texts.append(f"{symbol} in {part}")
    return " or ".join(texts) + (", for every integer k" if solution_set.has(sympy.ImageSet) else "")


def _describe_family(solutions: list[dict[Any, Any]], unknowns: list[Any]) -> str:
    texts = [", ".join(f"{symbol} = {solution[symbol]}" for symbol in unknowns) for solution in solutions]
    letters = sorted(
        {str(letter) for solution in solutions for value in solution.values() for letter in value.free_symbols}
    )
    return f"{'; or '.join(texts)} for all integers {', '.join(letters)}"


def _numeric_from(task: _Task, start: dict[str, float]) -> dict[Any, Any]:
    import sympy

    missing = [str(symbol) for symbol in task.unknowns if str(symbol) not in start]
    if missing or task._collect_parameters():
        raise Problem(
            f"a numeric solution needs a start value for each unknown; add {', '.join(missing) or 'all letters'}"
        )
    first = [start[str(symbol)] for symbol in task.unknowns]
    if len(task.residuals) < len(task.unknowns):
        equations = format_count(len(task.residuals), "equation")
        raise Problem(f"{len(task.unknowns)} unknowns need more than {equations}; add equations")
    numeric_solution = sympy.nsolve(task.residuals, task.unknowns, first, prec=20)
    return {symbol: numeric_solution[number] for number, symbol in enumerate(task.unknowns)}


def _solve_numerically(task: _Task) -> list[dict[Any, Any]]:
    """Real solutions found from a fixed grid of starts, polished to 20 digits, each once."""
    import sympy

    numeric_points: list[dict[Any, Any]] = []
    starts = itertools.islice(itertools.product(_STARTS, repeat=len(task.unknowns)), 64)
    for start in starts:
        try:
            new_point = _numeric_from(task, dict(zip(map(str, task.unknowns), start, strict=True)))
        except (ValueError, TypeError, ZeroDivisionError, OverflowError):
            continue
        if all(task._fits_domain(value) for value in new_point.values()) and not any(
            _are_near(new_point, other) for other in numeric_points
        ):
            numeric_points.append(new_point)
    return sorted(numeric_points, key=lambda solution: [float(sympy.re(solution[symbol])) for symbol in task.unknowns])


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
        roots = [scipy.optimize.brentq(function, places[at], places[at + 1], xtol=1e-15) for at in crossings]
    return [sympy.Float(value, 15) for value in roots]
