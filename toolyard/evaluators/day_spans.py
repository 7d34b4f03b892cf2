"""Days that a text names, of spans such as 4 and 5 June or June 4-5 both ends."""

import re

from toolyard.evaluators.letters import find_days

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_BETWEEN = r"(?:st|nd|rd|th|\.)?\s*(?:and|to|until|till|through|[-\u2013&/+])\s*(?:the\s+)?(?:\w+day,?\s+)?"
_BEFORE = re.compile(rf"\b(\d{{1,2}}){_BETWEEN}(?=\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?({_MONTHS})\b)")
_AFTER = re.compile(rf"\b({_MONTHS})\s+(\d{{1,2}}){_BETWEEN}(?=\d{{1,2}}(?:st|nd|rd|th)?\b(?!\s*[:.]\d))")


def find_span_days(text: str, year: int) -> set[str]:
    """The days (ISO 8601) that a text in English names, in words or figures; `year` where it says none.

    Of two days that share their month, both are found.
    """
    both = _AFTER.sub(r"\1 \2, \1 ", _BEFORE.sub(r"\1 \2, ", text))
    return {str(day) for day in find_days(both, year)}
