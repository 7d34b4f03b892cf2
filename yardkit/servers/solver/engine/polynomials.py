"""All roots of a polynomial and all points of a system of them, counted against the degree."""

from dataclasses import dataclass
from typing import Any

DIGITS = 40
"""To which roots that have no closed form are worked out."""
_MAX_POINTS = 60
"""Solutions of a system, with their multiplicities, up to which it is worked out by elimination."""
_MAX_UNKNOWNS = 6
_STEPS = (3, 17, 101, 1009)
"""Of combinations of the unknowns. Points fall together under few of them."""
_ROUNDING = 1e-15
"""Of a number that is shown with fifteen digits, for its size."""


@dataclass(frozen=True)
class Root:
    """One root of a polynomial, once however often it counts.

    Attributes:
        value: in closed form, or a number of `DIGITS` digits.
        is_real: whether it is real, which is counted and not judged by its digits.
        error: how far the number may be from the root; null in closed form.
    """

    value: Any
    is_real: bool
    error: Any = None


def find_roots(expression: Any, symbol: Any) -> list[Root] | None:
    """Every complex root of a polynomial with numbers for coefficients; None where it is no such polynomial."""
    import sympy

    polynomial = sympy.Poly(expression, symbol)
    if polynomial.degree() < 1 or not all(coefficient.is_number for coefficient in polynomial.coeffs()):
        return None
    factors = polynomial.factor_list()[1] if polynomial.domain.is_QQ or polynomial.domain.is_ZZ else None
    parts = factors or polynomial.sqf_list()[1] if polynomial.domain.is_Exact else [(polynomial, 1)]
    return [root for factor, _ in parts for root in _roots_of_factor(factor)]


def _roots_of_factor(factor: Any) -> list[Root]:
    import sympy

    degree, symbol = factor.degree(), factor.gen
    # Without its second coefficient (1 + r)**10 = 2 is s**10 = 2.
    shift = factor.nth(degree - 1) / (degree * factor.LC())
    for polynomial, moved in ((factor, 0), (factor.compose(sympy.Poly(symbol - shift, symbol)), shift)):
        closed = sympy.roots(polynomial)
        if sum(closed.values()) == degree:
            return [Root(value - moved, _is_real(value)) for value in sorted(closed, key=sympy.default_sort_key)]
    return _numeric_roots(factor)


def _is_real(value: Any) -> bool:
    import sympy

    if value.is_real is not None:
        return bool(value.is_real)
    real, imaginary = sympy.N(value, 30).as_real_imag()
    return bool(abs(imaginary) <= 1e-20 * (1 + abs(real)))


def _numeric_roots(factor: Any) -> list[Root]:
    """The simple roots of a polynomial as numbers; as many are real as Sturm's sequence counts."""
    import sympy

    approximate_roots = sorted(factor.nroots(n=DIGITS, maxsteps=500), key=lambda root: abs(sympy.im(root)))
    real = (
        int(factor.count_roots())
        if factor.domain.is_QQ or factor.domain.is_ZZ
        else sum(map(_is_real, approximate_roots))
    )
    slope, degree = factor.diff(), factor.degree()
    roots = []
    for number, value in enumerate(approximate_roots):
        root = sympy.re(value) if number < real else value
        steepness = abs(slope.eval(root))
        # Some root lies within degree * |p / p'| of any point (Laguerre).
        error = degree * abs(factor.eval(root)) / steepness if steepness else sympy.oo
        roots.append(Root(root, number < real, max(sympy.N(error, 5), sympy.N(abs(root), 5) * _ROUNDING)))
    return sorted(roots, key=lambda root: (sympy.re(root.value), sympy.im(root.value)))


@dataclass(frozen=True)
class Points:
    """What elimination says of a system: how many different solutions there are, and the solutions as numbers."""

    count: int
    solutions: list[dict[Any, Any]]


def find_points(residuals: list[Any], unknowns: list[Any]) -> Points | None:
    """The complex points where all polynomials vanish; None where they are too many, infinitely many or too hard.

    What is without squares for each unknown alone is added, so that no point counts twice, and a combination t of the
    unknowns. Where t takes another value at each point, each unknown is a polynomial of t, and what a Groebner basis
    says of t alone has a root for each point (Cox, Little, O'Shea: Ideals, Varieties, and Algorithms, 2.8 and 4.2).
    """
    import sympy

    if len(unknowns) > _MAX_UNKNOWNS or not _is_rational_system(residuals, unknowns):
        return None
    basis = sympy.groebner(residuals, *unknowns, order="grevlex")
    if basis.exprs == [1]:
        return Points(0, [])
    if not basis.is_zero_dimensional:
        return None
    bounds = [sympy.Poly(leading, *unknowns).total_degree() for leading in _leading_powers(basis, unknowns)]
    if sympy.prod(bounds) > _MAX_POINTS:
        return None
    simple = [*basis.exprs, *(_without_squares(basis, unknowns, symbol) for symbol in unknowns)]
    return next(filter(None, (_separate_points(simple, unknowns, step) for step in _STEPS)), None)


def _without_squares(basis: Any, unknowns: list[Any], symbol: Any) -> Any:
    """The polynomial of one unknown alone that has each of its values once."""
    import sympy

    others = [other for other in unknowns if other != symbol]
    alone = sympy.groebner(basis.exprs, *others, symbol, order="lex").exprs[-1]
    return sympy.Poly(alone, symbol).sqf_part().as_expr()


def _separate_points(simple: list[Any], unknowns: list[Any], step: int) -> Points | None:
    """The points by t = x + step y + step² z; None where two points have the same t."""
    import sympy

    separator = sympy.Dummy("t")
    combination = separator - sum(step**number * symbol for number, symbol in enumerate(unknowns))
    shape = sympy.groebner([*simple, combination], *unknowns, separator, order="lex")
    minimal = sympy.Poly(shape.exprs[-1], separator)
    solutions = _from_shape(shape, unknowns, separator, minimal)
    return None if solutions is None else Points(int(minimal.degree()), solutions)


def _is_rational_system(residuals: list[Any], unknowns: list[Any]) -> bool:
    import sympy

    return all(
        residual.is_polynomial(*unknowns)
        and all(coefficient.is_Rational for coefficient in sympy.Poly(residual, *unknowns).coeffs())
        for residual in residuals
    )


def _leading_powers(basis: Any, unknowns: list[Any]) -> list[Any]:
    """For each unknown the power of it alone that leads an element of the basis; there is one where points are few."""
    import sympy

    leading = [sympy.LM(element, *unknowns, order="grevlex") for element in basis.exprs]
    return [next(monomial for monomial in leading if monomial.free_symbols == {symbol}) for symbol in unknowns]


def _from_shape(basis: Any, unknowns: list[Any], separator: Any, minimal: Any) -> list[dict[Any, Any]] | None:
    """Every unknown as a polynomial of t, at each root of what t fulfils; None where the basis has another shape."""
    import sympy

    forms = {}
    for element in basis.exprs:
        for symbol in unknowns:
            rest = sympy.expand(element).coeff(symbol, 1)
            if rest.is_number and rest != 0 and element.free_symbols <= {symbol, separator}:
                forms[symbol] = sympy.expand(symbol - element / rest)
    if set(forms) != set(unknowns):
        return None
    roots = find_roots(minimal.as_expr(), separator) or []
    return [
        {
            symbol: _clean_value(sympy.N(form.subs(separator, root.value), DIGITS), root)
            for symbol, form in forms.items()
        }
        for root in roots
    ]


def _clean_value(value: Any, root: Root) -> Any:
    import sympy

    return sympy.re(value) if root.is_real else value
