"""Exact numbers as text, and the bounds on their size."""

import math
from decimal import Decimal
from fractions import Fraction

from yardkit.world import Problem

MAX_BITS = 33_000
"""Size of the largest number in any step, about 10,000 decimal digits."""
MAX_EXPONENT = 4000
"""Of a decimal literal such as 1e400."""
_MAX_PLACES = 60

Real = int | Fraction | float


def parse_exact(text: str) -> int | Fraction:
    """The number that a decimal, integer or fraction literal states, without rounding.

    Raises:
        Problem: it is no such literal, or its exponent is too large.
    """
    cleaned = text.strip().replace("_", "")
    _, _, exponent = cleaned.lower().partition("e")
    if (
        len(cleaned) > 10_000
        or len(exponent) > 6
        or (exponent.lstrip("+-").isdigit() and abs(int(exponent)) > MAX_EXPONENT)
    ):
        raise Problem(f"the number {_shorten_text(cleaned)} is too large; the largest exponent is {MAX_EXPONENT}")
    try:
        if "/" in cleaned:
            numerator, denominator = cleaned.split("/")
            return simplify_fraction(parse_exact(numerator) / Fraction(parse_exact(denominator)))
        return simplify_fraction(Fraction(Decimal(cleaned)))
    except (ValueError, ArithmeticError, TypeError):
        raise Problem(f"{_shorten_text(text)} is not a valid number; use one such as 12, -0.25, 1.5e3 or 2/3") from None


def simplify_fraction(value: Fraction) -> int | Fraction:
    """An integer where the fraction is whole."""
    return value.numerator if value.denominator == 1 else value


def count_bits(value: Real) -> int:
    """The size of a number, in bits of its numerator and denominator."""
    if isinstance(value, float):
        return 64
    value = Fraction(value)
    return value.numerator.bit_length() + value.denominator.bit_length()


def exact_text(value: int | Fraction) -> str:
    """All digits: ``12`` or ``2/3``."""
    if isinstance(value, int):
        return _format_digits(value)
    return f"{_format_digits(value.numerator)}/{_format_digits(value.denominator)}"


def decimal_text(value: int | Fraction) -> str | None:
    """The decimal expansion if it ends within 60 places, else null: ``0.3`` for 3/10, nothing for 1/3."""
    value = Fraction(value)
    twos, rest = _divide_out(value.denominator, 2)
    fives, rest = _divide_out(rest, 5)
    places = max(twos, fives)
    if rest != 1 or places > _MAX_PLACES:
        return None
    scaled = _format_digits(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{scaled[:-places]}.{scaled[-places:]}" if places else sign + scaled


def nearest_float(value: Real) -> float | None:
    """The nearest double; null when it is out of range, infinite or not a number."""
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def format_scientific(value: int | Fraction) -> str:
    """Seventeen significant digits, for numbers outside the range of a double too."""
    value = Fraction(value)
    number = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{number:.16E}".replace("E", "e")


def _format_digits(value: int) -> str:
    """Decimal digits of any integer; ``str`` refuses over 4,300."""
    return format(Decimal(value), "f")


def _divide_out(value: int, prime: int) -> tuple[int, int]:
    count = 0
    while value % prime == 0 and count <= _MAX_PLACES:
        value //= prime
        count += 1
    return count, value


def _shorten_text(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:50] + "...")
