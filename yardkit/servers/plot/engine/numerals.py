"""Numbers as text, in formats that a caller chooses."""

import re

from yardkit.world import Problem

_FORMAT = re.compile(r"(?P<before>[^{}%\d.,]{0,4})(?P<spec>\+?,?(\.\d)?[fgde%]?)(?P<after>( ?[^{}\d.,]{1,6})?)")


def check_format(text: str) -> str:
    """`text` if it is a format that we write.

    Raises:
        Problem: it is not.
    """
    if not _FORMAT.fullmatch(text):
        raise Problem(f"{text!r} is not a valid number format; use one like ',.0f', '.1f', '.0%', '$,.2f' or '.1f kg'")
    return text


def format_number(value: float, text: str) -> str:
    """`value` in the format `text`; without one, up to six significant digits, or two decimals of large numbers.

    Raises:
        Problem: `text` is no format.
    """
    match = _FORMAT.fullmatch(check_format(text))
    spec = match["spec"] if match else ""
    number = f"{round(value) if spec.endswith('d') else value:{spec}}" if spec else _format_freely(value)
    return f"{match['before']}{number}{match['after']}" if match else number


def _format_freely(value: float) -> str:
    """Thousands separated; what stands behind the point of a large number is not rounded away."""
    if value == round(value) and abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:,.2f}" if 1e5 <= abs(value) < 1e15 else f"{value:,.6g}"


def format_ends(low: float, high: float) -> str:
    """Two numbers with as many digits as tell them apart: 101325.2 to 101326.1, not 101325 to 101326."""
    return f"{_format_end(low, high - low)} to {_format_end(high, high - low)}"


def _format_end(value: float, width: float) -> str:
    if value == round(value) and abs(value) < 1e15:
        return f"{value:.0f}"
    digits = next((count for count in range(6, 15) if abs(float(f"{value:.{count}g}") - value) <= width / 1000), 15)
    return f"{value:.{digits}g}"
