"""How people write units, in the words of pint: ``m2``, ``KB``, ``fl oz``, ``mpg``, ``kcal/100 g``.

Pint would refuse many of these, and take others for something else without a word: ``Nm`` for a number of metres,
``Mb`` for megabarns, ``kmph`` for kilomiles an hour, ``ac`` for attospeeds of light.
"""

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable
from fractions import Fraction

_PHRASES = {
    r"fl\.?\s*oz\.?": "fluid_ounce",
    r"(imperial|imp\.?|uk)\s+(gallon|pint|quart|cup|bushel|barrel)s?": r"imperial_\2",
    r"(imperial|imp\.?|uk)\s+gal": "imperial_gallon",
    r"(imperial|imp\.?|uk)\s+(fl\.?\s*oz\.?|fluid\s+ounces?)": "imperial_fluid_ounce",
    r"us\s+(gallon|pint|quart|cup|bushel|barrel|fluid\s+ounce)s?": r"\1",
    r"us\s+gal": "gallon",
    r"sea\s+miles?": "nautical_mile",
    r"(short|us)\s+tons?": "short_ton",
    r"troy\s+(oz|ounces?)": "troy_ounce",
    r"cu\.?\s+(ft|in|yd|m|cm|mm)": r"cubic \1",
    r"sq\.?\s+(ft|in|yd|mi|m|cm|mm|km)": r"square \1",
    r"degrees?\s+(celsius|fahrenheit)": r"degree_\1",
    r"degrees?\s+([CF])": r"deg\1",
    r"square\s+([^\W\d]+)": r"\1**2",
    r"cubic\s+([^\W\d]+)": r"\1**3",
    r"([^\W\d]+)\s+squared": r"\1**2",
    r"([^\W\d]+)\s+cubed": r"\1**3",
    r"[ -]per[ -]": "/",
}
"""Phrases of several words, as regular expressions without regard to case, and what pint calls them."""

_WORDS = {
    "KB": "kilobyte",
    "Kb": "kilobit",
    "kb": "kilobit",
    "Mb": "megabit",
    "Gb": "gigabit",
    "Tb": "terabit",
    "b": "bit",
    "kbit": "kilobit",
    "KBps": "kilobyte/second",
    "kBps": "kilobyte/second",
    "MBps": "megabyte/second",
    "GBps": "gigabyte/second",
    "mpg": "mile/gallon",
    "kmh": "kilometer/hour",
    "kmph": "kilometer/hour",
    "fps": "foot/second",
    "sqm": "meter**2",
    "qm": "meter**2",
    "sqft": "foot**2",
    "cuft": "foot**3",
    "cbm": "meter**3",
    "ccm": "centimeter**3",
    "wk": "week",
    "wks": "week",
    "st": "stone",
    "lbm": "pound",
    "ac": "international_acre",
    "AU": "astronomical_unit",
    "NM": "nautical_mile",
    "Nm": "newton*meter",
    "Ncm": "newton*centimeter",
    "kNm": "kilonewton*meter",
    "mNm": "millinewton*meter",
    "PS": "metric_horsepower",
    "Cal": "kilocalorie",
    "rev": "turn",
    "revs": "turn",
    "mo": "month",
    "btu": "BTU",
    "kwh": "kilowatt_hour",
    "HP": "horsepower",
    "RPM": "rpm",
    "MPG": "mile/gallon",
    "mph": "mile/hour",
    "kph": "kilometer/hour",
    "acre": "international_acre",
    "acres": "international_acre",
    "dpi": "pixel/inch",
    "ppi": "pixel/inch",
}
"""Single words that pint does not know, or takes for another unit, in their usual case."""

DEFINITIONS = ("international_acre = 4840 * yard ** 2", "ppb = 1e-9", "permille = 1e-3")
"""What pint lacks; its own acre is that of the US survey, which was given up in 2022."""

NOTES = {
    "KB": "KB is read as kB, 1000 bytes; KiB is 1024",
    "b": "b is read as bit; B is byte",
    "Cal": "Cal is read as the food calorie, kcal",
    "ton": "ton is the US ton of 2000 lb; write t for the metric ton",
    "tons": "ton is the US ton of 2000 lb; write t for the metric ton",
    "gal": "gal is the US gallon; write 'imperial gallon' for the other",
    "mpg": "mpg counts US gallons; write 'mile/imperial_gallon' for the others",
    "pt": "pt is read as pint; write 'point' for the size of letters",
    "oz": "oz is a mass; write 'fl oz' for a volume",
    "Mb": "Mb is read as megabit; MB is megabyte",
    "mb": "mb is read as millibarn; write mbar or megabit",
    "M": "M is molar, mol/L",
}
"""What is said of a word that others use for another unit."""

_SHORT = 3
_COUNT = re.compile(r"(?<=/)\s*(\d{1,6})\s*(?=[^\W\d])")
_POWER = re.compile(r"(?<![\w.])([^\W\d_]+)\^?([-−]?\d)(?![\w.])")  # noqa: RUF001 - both signs are meant
_WORD = re.compile(r"[^\W\d](?:[\w]|(?<=\w)[- ](?=[^\W\d]))*")
_MARKS = {"″": "inch", '"': "inch", "′": "foot", "'": "foot", "‰": "permille"}  # noqa: RUF001 - the marks of units


def to_pint(text: str, is_known: Callable[[str], bool]) -> tuple[str, Fraction]:
    """A unit in the words of pint, and the number that one of it must be divided by: 100 in ``L/100km``.

    `is_known` says whether pint knows a name.
    """
    count = Fraction(1)
    written = unicodedata.normalize("NFKC", text).strip()
    for mark, name in _MARKS.items():
        written = written.replace(mark, f" {name} ")
    for match in _COUNT.finditer(written):
        count *= int(match[1])
    written = _COUNT.sub("", written)
    for phrase, name in _PHRASES.items():
        written = re.sub(phrase if name == "/" else rf"\b{phrase}(?![^\W_])", name, written, flags=re.IGNORECASE)
    return _POWER.sub(r"\1**\2", _WORD.sub(lambda match: _name_unit(match[0], is_known), written)), count


def _name_unit(word: str, is_known: Callable[[str], bool]) -> str:
    """One word, or several beside each other: ``light year`` is one unit, ``N m`` is a product."""
    parts = re.split(r"[- ]", word)
    joined = "_".join(parts)
    if len(parts) > 1 and is_known(joined):
        return joined
    return "*".join(_name_single_unit(part, is_known) for part in parts)


def _name_single_unit(word: str, is_known: Callable[[str], bool]) -> str:
    if word in _WORDS:
        return f"({_WORDS[word]})" if re.search(r"[*/]", _WORDS[word]) else _WORDS[word]
    return word.lower() if not is_known(word) and len(word) > _SHORT and is_known(word.lower()) else word


def near_names(word: str, names: Iterable[str], is_known: Callable[[str], bool]) -> list[str]:
    """Up to three names that may have been meant, those that differ in capitals first."""
    lowered = [word.lower()] if is_known(word.lower()) else []
    known = {name.lower(): name for name in [*names, *_WORDS]}
    close = [known[name] for name in difflib.get_close_matches(word.lower(), known, n=3, cutoff=0.75)]
    return [*lowered, *(name for name in close if name not in lowered)][:3]
