"""Conversion of units with pint, exact where the factors are."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from toolyard.servers.calculator.engine import numbers
from toolyard.world import Problem

MAX_UNIT = 200
# pint computes numbers inside a unit (m**9**9**9): exponents are small literals here, and other numbers do not occur.
_EXPONENT = re.compile(r"(\*\*|\^)\s*[-+]?\d{1,2}(\.\d{1,3})?(?![\d.*^])")
_UNIT = re.compile(r"(1\s*/)?[^\W\d]?[\w\s*/·()%°Ωµμ'\"-]*")
_BARE_NUMBER = re.compile(r"(?<![\w.])\d")
_PI_DIGITS = 31415926535897932384626433832795028841971693993751
_TEMPERATURE_HINT = "; temperatures are written degC, degF, kelvin (C is coulomb, F is farad)"


@dataclass(frozen=True)
class Conversion:
    """A quantity in another unit.

    Attributes:
        value: the nearest double of the converted number.
        exact: the converted number as an integer or fraction, where all factors are exact; else null.
        unit: the new unit by its full name, such as ``kilometer / hour``.
        dimension: what is measured, such as ``[length] / [time]``.
    """

    text: str
    value: float
    exact: str | None
    unit: str
    dimension: str

    def __str__(self) -> str:
        return f"{self.text}  ({self.dimension})"


def convert(value: str | float, from_unit: str, to_unit: str) -> Conversion:
    """`value` of `from_unit` in `to_unit`.

    Raises:
        Problem: a unit is not known, the dimensions differ, or the result is out of range.
    """
    number = Fraction(numbers.exact(str(value)))
    source, target = _unit(from_unit), _unit(to_unit)
    from pint.util import to_units_container

    if source.dimensionality != target.dimensionality:
        raise Problem(
            f"{from_unit!r} measures {_dimension(source)} and {to_unit!r} measures {_dimension(target)}; "
            f"they cannot be converted{_TEMPERATURE_HINT if {from_unit, to_unit} & {'C', 'F'} else ''}"
        )
    magnitude = _magnitude(number, source, target)
    near = numbers.nearest_float(magnitude)
    if near is None:
        raise Problem(f"{value} {from_unit} in {to_unit} is beyond the range of floating point; use a larger unit")
    rounded = isinstance(magnitude, float) or _is_rounded(magnitude, source, target)
    exact = None if rounded else numbers.simplify(Fraction(magnitude))
    shown = numbers.decimal_text(exact) if exact is not None and abs(near) < 1e17 else None
    return Conversion(
        text=f"{value} {from_unit} = {shown or repr(near)} {to_unit}",
        value=near,
        exact=None if exact is None else numbers.exact_text(exact),
        unit=_product(to_units_container(target)) or "dimensionless",
        dimension=_dimension(target),
    )


@cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(non_int_type=Fraction, cache_folder=None)


def _unit(text: str) -> Any:
    import tokenize

    registry = _registry()
    import pint

    stripped = _EXPONENT.sub("", text)
    bare = _BARE_NUMBER.search(stripped.strip().removeprefix("1"))
    if not 0 < len(text) <= MAX_UNIT or not _UNIT.fullmatch(stripped.strip()) or "**" in stripped or bare:
        raise Problem(f"{text[:80]!r} is not a unit; write one such as 'km/hour', 'kg*m/s**2', 'degC' or '1/s'")
    try:
        return registry.Unit(registry.parse_units(text))
    except pint.UndefinedUnitError as error:
        names = error.unit_names if isinstance(error.unit_names, str) else ", ".join(error.unit_names)
        raise Problem(
            f"{names!r} is not a known unit; write one such as 'km', 'mile', 'degF', 'kWh' or 'litre'"
        ) from error
    except (
        pint.PintError,
        ValueError,
        TypeError,
        ArithmeticError,
        AttributeError,
        tokenize.TokenError,
        SyntaxError,
        RecursionError,
    ) as error:
        raise Problem(f"{text[:80]!r} cannot be read as a unit ({error}); write one such as 'kg*m/s**2'") from error


def _magnitude(number: Fraction, source: Any, target: Any) -> Fraction | float:
    import pint

    try:
        magnitude = _registry().Quantity(number, source).to(target).magnitude
    except pint.OffsetUnitCalculusError as error:
        raise Problem(f"{error}; in products and quotients use differences: delta_degC, delta_degF, kelvin") from error
    except (pint.PintError, ArithmeticError, ValueError) as error:
        raise Problem(f"this cannot be converted ({error}); use other units") from error
    return magnitude if isinstance(magnitude, float | Fraction) else Fraction(magnitude)


def _is_rounded(magnitude: Fraction, *units: Any) -> bool:
    from pint.util import to_units_container

    powers = [Fraction(power) for unit in units for power in to_units_container(unit).values()]
    return any(power.denominator != 1 for power in powers) or _involves_pi(magnitude)


def _involves_pi(value: Fraction) -> bool:
    """Angles and circular units go through the first fifty digits of pi, which leave their trace in the fraction."""
    return math.gcd(value.numerator * value.denominator, _PI_DIGITS) > 10**20


def _dimension(unit: Any) -> str:
    return _product(unit.dimensionality) or "a pure number"


def _product(powers: Any) -> str:
    """``[length] / [time] ** 2``; pint's own formatter cannot write exponents that are fractions."""
    above = [_power(name, power) for name, power in sorted(powers.items()) if power > 0]
    below = [_power(name, -power) for name, power in sorted(powers.items()) if power < 0]
    return " / ".join([" * ".join(above) or "1", *below]) if above or below else ""


def _power(name: str, power: Any) -> str:
    return name if power == 1 else f"{name} ** {Fraction(power).limit_denominator(1000)}"
