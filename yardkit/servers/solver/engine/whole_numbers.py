"""Equations in several whole numbers."""

import itertools
from dataclasses import dataclass
from typing import Any

_TRIED = {2: 50, 3: 20}
"""Numbers of either sign that are tried for two and for three unknowns, to see whether a method forgets some."""
_PUT_IN = {1: 50, 2: 12}
"""Numbers of either sign that are put in for the letters of a family, to compare it with the numbers tried."""
_POWERS = 4
"""The same for a letter that is an exponent."""


@dataclass(frozen=True)
class IntegerSolutions:
    """Solutions in whole numbers.

    Attributes:
        solutions: of each unknown; a family holds the letters k1, k2 ..., which are any integers.
        complete: no solution among small numbers is missing, and the method finds all.
    """

    solutions: list[dict[Any, Any]]
    complete: bool


def solve_integers(residuals: list[Any], unknowns: list[Any]) -> IntegerSolutions:
    """Solve one polynomial equation, or several linear ones, in whole numbers.

    Raises:
        NotImplementedError: no method is known.
    """
    import sympy

    cleared = [sympy.expand(sympy.together(residual).as_numer_denom()[0]) for residual in residuals]
    if all(sympy.Poly(residual, *unknowns).total_degree() <= 1 for residual in cleared):
        return IntegerSolutions(_solve_linear(cleared, unknowns), complete=True)
    if len(cleared) > 1:
        raise NotImplementedError("several equations in whole numbers that are not linear")
    solutions = _solve_single(cleared[0], unknowns)
    missing = _find_missing_solutions(cleared[0], unknowns, solutions)
    families = any(value.free_symbols for solution in solutions for value in solution.values())
    return IntegerSolutions(solutions if families else [*solutions, *missing], complete=not missing)


def _solve_linear(residuals: list[Any], unknowns: list[Any]) -> list[dict[Any, Any]]:
    """Solve one equation after the other, each in the letters that the one before leaves free."""
    solution = {symbol: symbol for symbol in unknowns}
    for residual in residuals:
        left = residual.subs(solution, simultaneous=True).expand()
        letters = sorted(left.free_symbols, key=str)
        if not letters:
            if left != 0:
                return []
            continue
        linear_solutions = _solve_diophantine(left, letters)
        if not linear_solutions:
            return []
        solution = {
            symbol: value.subs(linear_solutions[0], simultaneous=True).expand() for symbol, value in solution.items()
        }
    return [_with_letters(solution, unknowns)]


def _solve_single(residual: Any, unknowns: list[Any]) -> list[dict[Any, Any]]:
    letters = [symbol for symbol in unknowns if symbol in residual.free_symbols]
    solutions = _solve_diophantine(residual, letters)
    return [
        _with_letters({symbol: solution.get(symbol, symbol) for symbol in unknowns}, unknowns) for solution in solutions
    ]


def _solve_diophantine(residual: Any, letters: list[Any]) -> list[dict[Any, Any]]:
    import sympy
    from sympy.solvers.diophantine import diophantine

    _, primitive = sympy.Poly(residual, *letters).primitive()
    parameter = sympy.Dummy("k", integer=True)
    diophantine_solutions = diophantine(primitive.as_expr(), parameter, syms=letters, permute=True)
    ordered = sorted(diophantine_solutions, key=lambda values: [sympy.default_sort_key(value) for value in values])
    return [dict(zip(letters, values, strict=True)) for values in ordered]


def _with_letters(solution: dict[Any, Any], unknowns: list[Any]) -> dict[Any, Any]:
    """A solution in which what stays free is called k1, k2 ..."""
    import sympy

    free = [symbol for value in solution.values() for symbol in sorted(value.free_symbols, key=str)]
    names = {old: sympy.Symbol(f"k{number}", integer=True) for number, old in enumerate(dict.fromkeys(free), 1)}
    return {symbol: sympy.expand(solution[symbol].subs(names, simultaneous=True)) for symbol in unknowns}


def _find_missing_solutions(
    residual: Any, unknowns: list[Any], solutions: list[dict[Any, Any]]
) -> list[dict[Any, Any]]:
    """Solutions among small numbers that no member of `solutions` gives."""
    import numpy
    import sympy

    reach = _TRIED.get(len(unknowns))
    if reach is None or residual.free_symbols - set(unknowns):
        return []
    axes = numpy.meshgrid(*[numpy.arange(-reach, reach + 1)] * len(unknowns), indexing="ij")
    zero = numpy.broadcast_to(sympy.lambdify(unknowns, residual, "numpy")(*axes) == 0, axes[0].shape)
    tried = list(zip(*(axis[zero].tolist() for axis in axes), strict=True))
    given = {point for solution in solutions for point in _list_members(solution, unknowns)}
    return [dict(zip(unknowns, map(sympy.Integer, point), strict=True)) for point in tried if point not in given]


def _list_members(solution: dict[Any, Any], unknowns: list[Any]) -> set[tuple[int, ...]]:
    """The points that a family gives for small values of its letters."""
    import sympy

    letters = sorted({letter for value in solution.values() for letter in value.free_symbols}, key=str)
    members = set()
    is_polynomial = all(solution[symbol].is_polynomial(*letters) for symbol in unknowns)
    reach = _PUT_IN.get(len(letters), 0) if is_polynomial else _POWERS
    for values in itertools.product(range(-reach, reach + 1), repeat=len(letters)):
        put_in = dict(zip(letters, values, strict=True))
        point = [sympy.expand(sympy.radsimp(solution[symbol].subs(put_in))) for symbol in unknowns]
        if all(value.is_Integer for value in point):
            members.add(tuple(int(value) for value in point))
    return members
