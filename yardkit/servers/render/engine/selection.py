"""Which pages are meant."""

import re

from yardkit.world import Problem
from yardkit.world.wording import format_count

_PART = re.compile(r"\s*(\d+|last)\s*(?:(-)\s*(\d+|last)?\s*)?")


def pages_of(text: str, total: int, most: int) -> list[int]:
    """The page numbers that ``"3"``, ``"2-4,7"``, ``"5-"``, ``"last"`` or ``"all"`` means, in ascending order.

    Raises:
        Problem: it cannot be read, a page does not exist, or it means more than `most` pages.
    """
    numbers: set[int] = set()
    for part in ("1-" if text.strip() == "all" else text).split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise Problem(f"{text!r} is not a valid page range; use '3', '2-4,7', '5-', 'last' or 'all'")
        first = _parse_number(match[1], total)
        last = first if match[2] is None else _parse_number(match[3] or "last", total)
        if not 1 <= first <= last <= total:
            raise Problem(f"pages {part.strip()!r} do not exist; the file has {format_count(total, 'page')}")
        numbers |= set(range(first, last + 1))
    if len(numbers) > most:
        raise Problem(f"{text!r} is {len(numbers)} pages; the limit is {most} at once. Ask for fewer")
    return sorted(numbers)


def _parse_number(word: str, total: int) -> int:
    return total if word == "last" else int(word)


def group_runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Neighbouring numbers as first and last."""
    page_runs: list[tuple[int, int]] = []
    for number in numbers:
        if page_runs and page_runs[-1][1] == number - 1:
            page_runs[-1] = (page_runs[-1][0], number)
        else:
            page_runs.append((number, number))
    return page_runs
