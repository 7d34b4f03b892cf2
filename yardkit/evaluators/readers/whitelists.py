"""Words and numbers that an answer must contain, as defined by the whitelists of GTA.

A whitelist is a list of groups, and a group a list of aliases; the answer needs one alias of each group. An alias must
be a whole word or number: `$5` is found as it is, `5` only as that number (`5.0`, not `5.50`), `1234.5` also as
`1,234.50`.
"""

import re
from collections.abc import Sequence
from functools import cache

from yardkit.evaluators.readers.answers import find_numbers

Groups = Sequence[Sequence[str]]
_NUMERAL = re.compile(r"((?<![\w.,:])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w:]|[.,]\d))")


def mentions_alias(text: str, alias: str) -> bool:
    """Whether a text contains an alias, in any case and with any spaces; an empty alias is never found."""
    return bool(alias.strip()) and re.search(_build_bordered_pattern(alias), text, re.IGNORECASE) is not None


def groups_unsaid(text: str, groups: Groups) -> list[Sequence[str]]:
    """List the groups of which a text has no alias."""
    return [group for group in groups if not any(mentions_alias(text, alias) for alias in group)]


def numbers_beside(text: str, groups: Groups) -> list[str]:
    """List the further numbers in a text if numbers are asked for, since a list of candidates is not an answer."""
    aliases = [alias for group in groups for alias in group if alias.strip()]
    if not re.search(r"\d", "".join(aliases)):
        return []
    for alias in sorted(aliases, key=len, reverse=True):
        text = re.sub(_build_bordered_pattern(alias), " ", text, flags=re.IGNORECASE)
    return [str(number) for number in find_numbers(text)]


@cache
def _build_bordered_pattern(alias: str) -> str:
    """Build a pattern for an alias as a whole word or number: 5 is found in 5.0, but not in 5.50, 15, -5 or 5,000."""
    text = alias.strip()
    before = r"(?<!\w)" if text[0].isalnum() or text[0] == "_" else ""
    after = r"(?!\w)" if text[-1].isalnum() or text[-1] == "_" else ""
    if text[0].isdigit():
        before += r"(?<!\d[.,])(?<!(?<!\w)[-\u2212])"
    elif text[0] in "-\u2212":
        before += r"(?<!\w)"
    if text[-1].isdigit():
        after += r"(?!\.\d*[1-9])(?!,\d{3})"
    parts = _NUMERAL.split(text)
    return (
        before
        + "".join(
            _build_number_pattern(part) if place % 2 else _build_words_pattern(part) for place, part in enumerate(parts)
        )
        + after
    )


def _build_words_pattern(text: str) -> str:
    return re.escape(text).replace("\\ ", r"\s+")


def _build_number_pattern(text: str) -> str:
    """Build a pattern for a number with or without commas and trailing zeros."""
    integer_part, _, decimals = text.replace(",", "").partition(".")
    grouped = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",?", integer_part)
    decimals = decimals.rstrip("0")
    return grouped + (rf"\.{decimals}0*" if decimals else r"(?:\.0+)?")
