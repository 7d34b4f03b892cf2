"""Conversion of units with pint, exact where the factors are."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from yardkit.servers.calculator.engine import numbers, unit_spellings
from yardkit.world import Problem

MAX_UNIT = 200
# pint computes numbers inside a unit (m**9**9**9): exponents are small literals here, and other numbers do not occur.
_EXPONENT = re.compile(r"(\*\*|\^)\s*[-+]?\d{1,2}(\.\d{1,3})?(?![\d.*^])")
_UNIT = re.compile(r"(1\s*/)?[^\W\d]?[\w\s*/·()%°ΩµμÅ-]*")
_BARE_NUMBER = re.compile(r"(?<![\w.])\d")
_OWN_FACTORS = re.compile(r"(?<=/)10+(?=\))")
_LOGARITHM_DIGITS = 14
"""Significant digits that logarithms keep."""
_EXAMPLES = "'km/hour', 'kg*m/s**2', 'degC', '1/s' or 'kcal/100 g'"
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
        note: how a word was read that others use otherwise, such as KB; null where none was.
    """

    text: str
    value: float
    exact: str | None
    unit: str
    dimension: str
    note: str | None

    def __str__(self) -> str:
        return f"{self.text}  ({self.dimension})" + (f"\n{self.note}" if self.note else "")


def convert_unit(value: str | float, from_unit: str, to_unit: str) -> Conversion:
    """`value` of `from_unit` in `to_unit`; a pace in a speed, or litres for a distance in miles for a gallon, too.

    Raises:
        Problem: a unit is not known, the dimensions differ, or the result is out of range.
    """
    number = Fraction(numbers.parse_exact(str(value)))
    source, target = _read_unit(from_unit), _read_unit(to_unit)
    turned = _is_reciprocal(source, target)
    if not turned and source.dimensions != target.dimensions:
        raise Problem(
            f"{from_unit!r} measures {_describe_dimension(source.unit)} and {to_unit!r} measures"
            f" {_describe_dimension(target.unit)}; they cannot be"
            f" converted{_TEMPERATURE_HINT if {from_unit, to_unit} & {'C', 'F'} else ''}"
        )
    magnitude = _convert_magnitude(number, source, target, turned=turned)
    near = numbers.nearest_float(magnitude)
    if near is None:
        raise Problem(f"{value} {from_unit} in {to_unit} is beyond the range of floating point; use a larger unit")
    rounded = isinstance(magnitude, float) or _is_rounded(magnitude, source.unit, target.unit)
    exact = None if rounded else numbers.simplify_fraction(Fraction(magnitude))
    exact_text = numbers.decimal_text(exact) if exact is not None and abs(near) < 1e17 else None
    count = "" if target.count == 1 else f" per {target.count}"
    return Conversion(
        text=f"{value} {from_unit} = {exact_text or repr(near)} {to_unit}",
        value=near,
        exact=None if exact is None else numbers.exact_text(exact),
        unit=(_format_product(target.powers) or "dimensionless") + count,
        dimension=_describe_dimension(target.unit),
        note=_note_spellings(from_unit, to_unit, turned=turned),
    )


@dataclass(frozen=True)
class _Read:
    """A unit as pint has it, and the number that stands below it: 100 in ``L/100km``."""

    unit: Any
    count: Fraction

    @property
    def dimensions(self) -> Any:
        return self.unit.dimensionality

    @property
    def powers(self) -> Any:
        from pint.util import to_units_container

        return to_units_container(self.unit)

    @property
    def is_logarithmic(self) -> bool:
        return any(
            _load_registry()._units[name].is_logarithmic for name in self.powers if name in _load_registry()._units
        )


def _is_reciprocal(source: _Read, target: _Read) -> bool:
    """Whether one measures how much for one of what the other measures: minutes for a kilometre, kilometres an hour."""
    both = source.dimensions and target.dimensions and source.dimensions == target.dimensions**-1
    return bool(both) and source.dimensions != target.dimensions


def _note_spellings(*units: str, turned: bool) -> str | None:
    words = [word for unit in units if unit not in ("fl oz", "fl. oz.") for word in re.findall(r"[^\W\d]+", unit)]
    spelling_notes = [unit_spellings.NOTES[word] for word in dict.fromkeys(words) if word in unit_spellings.NOTES]
    return "; ".join(["one is the reciprocal of the other"] * turned + spelling_notes) or None


@cache
def _load_registry(*, exact: bool = True) -> Any:
    import pint

    registry: Any = pint.UnitRegistry(non_int_type=Fraction if exact else float, cache_folder=None)
    for definition in unit_spellings.DEFINITIONS:
        registry.define(definition)
    return registry


def _is_known(name: str) -> bool:
    # Pint takes NaN for a number, which is no fraction.
    return "__" not in name and bool(name.strip("_")) and name.lower() != "nan" and name in _load_registry()


def _read_unit(text: str) -> _Read:
    if not 0 < len(text) <= MAX_UNIT:
        raise Problem(f"{text[:80]!r} is not a valid unit; use one such as {_EXAMPLES}")
    written, count = unit_spellings.to_pint(text, _is_known)
    stripped = _EXPONENT.sub("", written).strip()
    bare = _BARE_NUMBER.search(_OWN_FACTORS.sub("", stripped).removeprefix("1"))
    if not _UNIT.fullmatch(stripped) or "**" in stripped or bare or not count:
        raise Problem(f"{text[:80]!r} is not a valid unit; use one such as {_EXAMPLES}")
    return _Read(_parse_unit(written, text), count)


def _parse_unit(written: str, text: str) -> Any:
    import tokenize

    import pint

    registry = _load_registry()
    try:
        return registry.Unit(registry.parse_units(written))
    except pint.UndefinedUnitError as error:
        raise _report_unknown(error.unit_names, text) from error
    except (
        pint.PintError,
        ValueError,
        TypeError,
        ArithmeticError,
        AssertionError,
        AttributeError,
        tokenize.TokenError,
        SyntaxError,
        RecursionError,
    ) as error:
        raise Problem(f"{text[:80]!r} is not a valid unit; use one such as {_EXAMPLES}") from error


def _report_unknown(names: Any, text: str) -> Problem:
    name = names if isinstance(names, str) else ", ".join(names)
    near = unit_spellings.near_names(name, _load_registry()._units, _is_known)
    hint = f"did you mean {', '.join(near)}?" if near else "write one such as 'km', 'mile', 'degF', 'kWh' or 'litre'"
    return Problem(f"{name!r} in {text[:80]!r} is not a known unit; {hint}")


def _convert_magnitude(number: Fraction, source: _Read, target: _Read, *, turned: bool) -> Fraction | float:
    import pint

    exact = not (source.is_logarithmic or target.is_logarithmic)
    registry = _load_registry(exact=exact)
    given = number if exact else float(number)
    try:
        quantity = registry.Quantity(given, registry.Unit(source.powers))
        if source.count != 1:
            quantity /= source.count if exact else float(source.count)
        if turned:
            quantity = 1 / quantity
        magnitude = quantity.to(registry.Unit(target.powers)).magnitude
    except pint.OffsetUnitCalculusError as error:
        raise Problem(f"{error}; in products and quotients use differences: delta_degC, delta_degF, kelvin") from error
    except ZeroDivisionError as error:
        raise Problem(f"0 has no reciprocal; {number} cannot be converted to a unit that measures it") from error
    except (pint.PintError, ArithmeticError, ValueError, TypeError) as error:
        raise Problem(f"this cannot be converted ({error}); use other units") from error
    if not exact:
        return float(f"{float(magnitude) * float(target.count):.{_LOGARITHM_DIGITS}g}")
    return magnitude if isinstance(magnitude, float) else Fraction(magnitude) * target.count


def _is_rounded(magnitude: Fraction, *units: Any) -> bool:
    from pint.util import to_units_container

    powers = [Fraction(power) for unit in units for power in to_units_container(unit).values()]
    return any(power.denominator != 1 for power in powers) or _involves_pi(magnitude)


def _involves_pi(value: Fraction) -> bool:
    """Angles and circular units go through the first fifty digits of pi, which leave their trace in the fraction."""
    return math.gcd(value.numerator * value.denominator, _PI_DIGITS) > 10**20


def _describe_dimension(unit: Any) -> str:
    return _format_product(unit.dimensionality) or "a pure number"


def _format_product(powers: Any) -> str:
    """``[length] / [time] ** 2``; pint's own formatter cannot write exponents that are fractions."""
    above = [_format_power(name, power) for name, power in sorted(powers.items()) if power > 0]
    below = [_format_power(name, -power) for name, power in sorted(powers.items()) if power < 0]
    return " / ".join([" * ".join(above) or "1", *below]) if above or below else ""


def _format_power(name: str, power: Any) -> str:
    return name if power == 1 else f"{name} ** {Fraction(power).limit_denominator(1000)}"
