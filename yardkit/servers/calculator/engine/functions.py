"""What an expression may call: exact where the result is exact, else the functions of `math`."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from yardkit.servers.calculator.engine.numbers import MAX_BITS, Real, count_bits, simplify_fraction
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


def multiply_numbers(left: Real, right: Real) -> Real:
    if not (isinstance(left, float) or isinstance(right, float)) and count_bits(left) + count_bits(right) > MAX_BITS:
        raise too_large("the product")
    return left * right


def divide_numbers(left: Real, right: Real) -> Real:
    if isinstance(left, float) or isinstance(right, float):
        return left / right
    if count_bits(left) + count_bits(right) > MAX_BITS:
        raise too_large("the quotient")
    return simplify_fraction(Fraction(left) / Fraction(right))


def raise_to_power(base: Real, exponent: Real, modulus: Real | None = None) -> Real:
    """``base ** exponent``, exact for whole exponents and perfect roots; with a modulus for integers only."""
    if modulus is not None:
        return _modular_power(_to_integer(base), _to_integer(exponent), _to_integer(modulus))
    if isinstance(exponent, int) and isinstance(base, int | Fraction):
        if base != 0 and _log2_size(base) * abs(exponent) > MAX_BITS:
            raise too_large("the power")
        raised: Fraction = Fraction(base) ** exponent
        return raised
    if isinstance(exponent, Fraction) and isinstance(base, int | Fraction):
        root = _exact_root(base, exponent.denominator)
        if root is not None:
            return raise_to_power(root, exponent.numerator)
    if base < 0:
        raise Problem(
            f"the power of a negative number ({_format_number(base)}) is not real; only real numbers are supported"
        )
    return math.pow(base, exponent)


def square_root(value: Real) -> Real:
    return math.sqrt(value) if isinstance(value, float) else raise_to_power(value, Fraction(1, 2))


def cube_root(value: Real) -> Real:
    if isinstance(value, float):
        return math.cbrt(value)
    root = _exact_root(-value if value < 0 else value, 3)
    if root is None:
        return math.cbrt(value)
    return -root if value < 0 else root


def compute_factorial(number: Real) -> int:
    n = _to_integer(number)
    if n > MAX_BITS or (n > 0 and math.lgamma(n + 1) > MAX_BITS * math.log(2)):
        raise too_large(f"factorial({_format_number(n)})")
    return math.factorial(n)


def count_combinations(number: Real, chosen: Real) -> int:
    n, k = _to_integer(number), _to_integer(chosen)
    factors = max(0, min(k, n - k))
    saved_bits = math.lgamma(factors + 1) / math.log(2) if factors <= MAX_BITS else 0.0
    _check_product(n, factors, saved_bits, "the number of combinations")
    return math.comb(n, k)


def count_permutations(number: Real, chosen: Real | None = None) -> int:
    n = _to_integer(number)
    k = n if chosen is None else _to_integer(chosen)
    _check_product(n, k, 0.0, "the number of permutations")
    return math.perm(n, k)


def greatest_common_divisor(*values: Real) -> int:
    return math.gcd(*(_to_integer(value) for value in values))


def least_common_multiple(*values: Real) -> int:
    integers = [_to_integer(value) for value in values]
    if sum(count_bits(value) for value in integers) > MAX_BITS:
        raise too_large("the least common multiple")
    return math.lcm(*integers)


def integer_root(value: Real) -> int:
    return math.isqrt(_to_integer(value))


def round_number(value: Real, places: Real = 0) -> Real:
    """Half to even, as Python's ``round``; exact for exact numbers."""
    digits = _to_integer(places)
    if abs(digits) > 1000:
        raise Problem(f"cannot round to {_format_number(digits)} places; use -1000 to 1000")
    result: Real = round(value, digits)  # type: ignore[assignment]
    return result


def sum_values(*values: Any) -> Real:
    result: Real = 0
    for value in _list_values(values):
        result = add(result, value)
    return result


def multiply_values(*values: Any) -> Real:
    result: Real = 1
    for value in _list_values(values):
        result = multiply_numbers(result, value)
    return result


def compute_mean(*values: Any) -> Real:
    items = _list_values(values)
    if not items:
        raise Problem("the mean of an empty list is not defined; give at least one number")
    return divide_numbers(sum_values(*items), len(items))


def _list_values(values: tuple[Any, ...]) -> list[Real]:
    return list(values[0]) if len(values) == 1 and isinstance(values[0], list) else list(values)


def _make_chooser(choose: Callable[..., Any]) -> Callable[..., Real]:
    def call(*values: Any) -> Real:
        items = _list_values(values)
        if not items:
            raise Problem(f"{choose.__name__} of an empty list is not defined; give at least one number")
        best: Real = choose(items)
        return best

    return call


def _compute_logarithm(value: Real, base: Real | None = None) -> float:
    """Works for exact numbers far beyond the range of a double."""
    if base is not None:
        return _compute_logarithm(value) / _compute_logarithm(base)
    if isinstance(value, Fraction):
        return math.log(value.numerator) - math.log(value.denominator)
    return math.log(value)


def _modular_power(base: int, exponent: int, modulus: int) -> int:
    if max(count_bits(base), count_bits(exponent), count_bits(modulus)) > _MAX_MODULAR_BITS:
        raise Problem(f"pow with a modulus accepts numbers of at most {_MAX_MODULAR_BITS} bits; use smaller ones")
    return pow(base, exponent, modulus)


def _exact_root(value: int | Fraction, degree: int) -> int | Fraction | None:
    if value < 0 or degree > 64:
        return None
    top, bottom = _find_integer_root(value.numerator, degree), _find_integer_root(value.denominator, degree)
    return None if top is None or bottom is None else simplify_fraction(Fraction(top, bottom))


def _find_integer_root(value: int, degree: int) -> int | None:
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


def _to_integer(value: Real) -> int:
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise Problem(f"{_format_number(value)} is not a whole number; this function takes whole numbers")


def _format_number(value: Real) -> str:
    return f"{value}" if count_bits(value) < 200 else "a large number"


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
    "comb": count_combinations,
    "fabs": abs,
    "factorial": compute_factorial,
    "floor": math.floor,
    "gcd": greatest_common_divisor,
    "isqrt": integer_root,
    "lcm": least_common_multiple,
    "log": _compute_logarithm,
    "ln": _compute_logarithm,
    "log2": lambda value: math.log2(value) if not isinstance(value, Fraction) else _compute_logarithm(value, 2),
    "log10": lambda value: math.log10(value) if not isinstance(value, Fraction) else _compute_logarithm(value, 10),
    "max": _make_chooser(max),
    "mean": compute_mean,
    "min": _make_chooser(min),
    "perm": count_permutations,
    "pow": raise_to_power,
    "prod": multiply_values,
    "round": round_number,
    "sqrt": square_root,
    "sum": sum_values,
    "trunc": math.trunc,
}
