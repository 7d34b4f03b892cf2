"""What an expression may call: exact where the result is exact, else the functions of `math`."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from yardkit.servers.calculator.engine.numbers import MAX_BITS, Real, bits, simplify
from yardkit.world import Problem

CONSTANTS: dict[str, Real] = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "nan": math.nan}
_MAX_MODULAR_BITS = 1024


def too_large(what: str) -> Problem:
    return Problem(
        f"{what} is too large to write out (over {MAX_BITS:,} bits, about {int(MAX_BITS * math.log10(2)):,} digits); "
        "use logarithms (log, lgamma) or pow(base, exponent, modulus)"
    )


def add(left: Real, right: Real) -> Real:
    return left + right


def multiply(left: Real, right: Real) -> Real:
    if not (isinstance(left, float) or isinstance(right, float)) and bits(left) + bits(right) > MAX_BITS:
        raise too_large("the product")
    return left * right


def divide(left: Real, right: Real) -> Real:
    if isinstance(left, float) or isinstance(right, float):
        return left / right
    if bits(left) + bits(right) > MAX_BITS:
        raise too_large("the quotient")
    return simplify(Fraction(left) / Fraction(right))


def power(base: Real, exponent: Real, modulus: Real | None = None) -> Real:
    """``base ** exponent``, exact for whole exponents and perfect roots; with a modulus for integers only."""
    if modulus is not None:
        return _modular_power(_whole(base), _whole(exponent), _whole(modulus))
    if isinstance(exponent, int) and isinstance(base, int | Fraction):
        if base != 0 and _log2_size(base) * abs(exponent) > MAX_BITS:
            raise too_large("the power")
        raised: Fraction = Fraction(base) ** exponent
        return raised
    if isinstance(exponent, Fraction) and isinstance(base, int | Fraction):
        root = _exact_root(base, exponent.denominator)
        if root is not None:
            return power(root, exponent.numerator)
    if base < 0:
        raise Problem(f"the power of a negative number ({_show(base)}) is not real; only real numbers are supported")
    return math.pow(base, exponent)


def square_root(value: Real) -> Real:
    return math.sqrt(value) if isinstance(value, float) else power(value, Fraction(1, 2))


def cube_root(value: Real) -> Real:
    if isinstance(value, float):
        return math.cbrt(value)
    root = _exact_root(-value if value < 0 else value, 3)
    if root is None:
        return math.cbrt(value)
    return -root if value < 0 else root


def factorial(number: Real) -> int:
    n = _whole(number)
    if n > MAX_BITS or (n > 0 and math.lgamma(n + 1) > MAX_BITS * math.log(2)):
        raise too_large(f"factorial({_show(n)})")
    return math.factorial(n)


def combinations(number: Real, chosen: Real) -> int:
    n, k = _whole(number), _whole(chosen)
    factors = max(0, min(k, n - k))
    saved_bits = math.lgamma(factors + 1) / math.log(2) if factors <= MAX_BITS else 0.0
    _check_product(n, factors, saved_bits, "the number of combinations")
    return math.comb(n, k)


def permutations(number: Real, chosen: Real | None = None) -> int:
    n = _whole(number)
    k = n if chosen is None else _whole(chosen)
    _check_product(n, k, 0.0, "the number of permutations")
    return math.perm(n, k)


def greatest_common_divisor(*values: Real) -> int:
    return math.gcd(*(_whole(value) for value in values))


def least_common_multiple(*values: Real) -> int:
    whole = [_whole(value) for value in values]
    if sum(bits(value) for value in whole) > MAX_BITS:
        raise too_large("the least common multiple")
    return math.lcm(*whole)


def integer_root(value: Real) -> int:
    return math.isqrt(_whole(value))


def rounded(value: Real, places: Real = 0) -> Real:
    """Half to even, as Python's ``round``; exact for exact numbers."""
    digits = _whole(places)
    if abs(digits) > 1000:
        raise Problem(f"cannot round to {_show(digits)} places; use -1000 to 1000")
    result: Real = round(value, digits)  # type: ignore[assignment]
    return result


def total(*values: Any) -> Real:
    result: Real = 0
    for value in _items(values):
        result = add(result, value)
    return result


def product(*values: Any) -> Real:
    result: Real = 1
    for value in _items(values):
        result = multiply(result, value)
    return result


def mean(*values: Any) -> Real:
    items = _items(values)
    if not items:
        raise Problem("the mean of an empty list is not defined; give at least one number")
    return divide(total(*items), len(items))


def _items(values: tuple[Any, ...]) -> list[Real]:
    return list(values[0]) if len(values) == 1 and isinstance(values[0], list) else list(values)


def _best(choose: Callable[..., Any]) -> Callable[..., Real]:
    def call(*values: Any) -> Real:
        items = _items(values)
        if not items:
            raise Problem(f"{choose.__name__} of an empty list is not defined; give at least one number")
        best: Real = choose(items)
        return best

    return call


def _logarithm(value: Real, base: Real | None = None) -> float:
    """Works for exact numbers far beyond the range of a double."""
    if base is not None:
        return _logarithm(value) / _logarithm(base)
    if isinstance(value, Fraction):
        return math.log(value.numerator) - math.log(value.denominator)
    return math.log(value)


def _modular_power(base: int, exponent: int, modulus: int) -> int:
    if max(bits(base), bits(exponent), bits(modulus)) > _MAX_MODULAR_BITS:
        raise Problem(f"pow with a modulus accepts numbers of at most {_MAX_MODULAR_BITS} bits; use smaller ones")
    return pow(base, exponent, modulus)


def _exact_root(value: int | Fraction, degree: int) -> int | Fraction | None:
    if value < 0 or degree > 64:
        return None
    top, bottom = _whole_root(value.numerator, degree), _whole_root(value.denominator, degree)
    return None if top is None or bottom is None else simplify(Fraction(top, bottom))


def _whole_root(value: int, degree: int) -> int | None:
    """The root of a perfect power by Newton's method from above."""
    if value < 2:
        return value
    guess = 1 << -(-value.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + value // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess if guess**degree == value else None
        guess = better


def _log2_size(value: int | Fraction) -> float:
    return math.log2(abs(value.numerator)) + math.log2(value.denominator)


def _check_product(n: int, factors: int, saved_bits: float, what: str) -> None:
    """Refuse a product of `factors` numbers up to `n`, less `saved_bits` by cancelling, before it is computed."""
    if n > 0 and (factors > MAX_BITS or factors * n.bit_length() > MAX_BITS + saved_bits):
        raise too_large(what)


def _whole(value: Real) -> int:
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise Problem(f"{_show(value)} is not a whole number; this function takes whole numbers")


def _show(value: Real) -> str:
    return f"{value}" if bits(value) < 200 else "a large number"


_FLOAT_FUNCTIONS = (
    *(math.acos, math.acosh, math.asin, math.asinh, math.atan, math.atan2, math.atanh, math.copysign, math.cos),
    *(math.cosh, math.degrees, math.dist, math.erf, math.erfc, math.exp, math.exp2, math.expm1, math.fmod, math.fsum),
    *(math.gamma, math.hypot, math.isclose, math.isfinite, math.isinf, math.isnan, math.ldexp, math.lgamma, math.log1p),
    *(math.nextafter, math.radians, math.remainder, math.sin, math.sinh, math.tan, math.tanh, math.ulp),
)

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{function.__name__: function for function in _FLOAT_FUNCTIONS},
    "abs": abs,
    "cbrt": cube_root,
    "ceil": math.ceil,
    "comb": combinations,
    "fabs": abs,
    "factorial": factorial,
    "floor": math.floor,
    "gcd": greatest_common_divisor,
    "isqrt": integer_root,
    "lcm": least_common_multiple,
    "log": _logarithm,
    "ln": _logarithm,
    "log2": lambda value: math.log2(value) if not isinstance(value, Fraction) else _logarithm(value, 2),
    "log10": lambda value: math.log10(value) if not isinstance(value, Fraction) else _logarithm(value, 10),
    "max": _best(max),
    "mean": mean,
    "min": _best(min),
    "perm": permutations,
    "pow": power,
    "prod": product,
    "round": rounded,
    "sqrt": square_root,
    "sum": total,
    "trunc": math.trunc,
}
