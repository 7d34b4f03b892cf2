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
    """`value` in the format `text`; without one, up to six significant digits and thousands separated.

    Raises:
        Problem: `text` is no format.
    """
    match = _FORMAT.fullmatch(check_format(text))
    spec = match["spec"] if match else ""
    if not spec:
        number = f"{value:,.0f}" if value == round(value) and abs(value) < 1e15 else f"{value:,.6g}"
    else:
        number = f"{round(value) if spec.endswith('d') else value:{spec}}"
    return f"{match['before']}{number}{match['after']}" if match else number
