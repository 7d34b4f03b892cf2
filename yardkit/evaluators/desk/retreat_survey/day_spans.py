"""The days named in a text, including both ends of spans such as 4 and 5 June or June 4-5."""

import re

from yardkit.evaluators.letters import find_days

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_NUMBERS = {name: number for number, name in enumerate(_MONTHS.split("|"), 1)}
_LONGEST = 31
"""Days of a month at most."""
_DAY_MONTH = re.compile(rf"\b(\d\d)\s+({_MONTHS})\b")
_MONTH_DAY = re.compile(rf"\b({_MONTHS})\s+(\d\d)\b")
_BETWEEN = r"(?:st|nd|rd|th|\.)?\s*(?:and|to|until|till|through|[-\u2013&/+])\s*(?:the\s+)?(?:\w+day,?\s+)?"
_BEFORE = re.compile(rf"\b(\d{{1,2}}){_BETWEEN}(?=\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?({_MONTHS})\b)")
_AFTER = re.compile(rf"\b({_MONTHS})\s+(\d{{1,2}}){_BETWEEN}(?=\d{{1,2}}(?:st|nd|rd|th)?\b(?!\s*[:.]\d))")


def find_span_days(text: str, year: int) -> set[str]:
    """Find the days (ISO 8601) that an English text names, in words or figures; `year` is used if it gives none.

    Of two days that share their month, both are found; an impossible day is returned, too, such as 2026-06-95.
    """
    both = _AFTER.sub(r"\1 \2, \1 ", _BEFORE.sub(r"\1 \2, ", text))
    named = [(month, day) for day, month in _DAY_MONTH.findall(both)] + _MONTH_DAY.findall(both)
    out_of_range = {f"{year}-{_NUMBERS[month]:02}-{day}" for month, day in named if int(day) > _LONGEST}
    return out_of_range | {str(day) for day in find_days(both, year)}
