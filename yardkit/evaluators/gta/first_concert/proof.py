"""Solutions and near misses of gta/first_concert."""

import datetime
import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import Placed, read_lines
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.solver import to_iso_day

near_miss_later_one = misses.answered_with("later")
near_miss_first_day_of_the_moved_one = misses.answered_with("moved")
near_miss_all_bands = misses.all_answers_listed()
near_miss_no_band = misses.make_empty_words()

FORMS = ("%d%B%Y", "%B%d,%Y", "%Y-%m-%d", "%d%b%Y")


def solve(agent: Agent) -> str:
    """Read the posters, compare the days that hold now."""
    return min(_read_concerts(agent))[1]


def alternative_in_a_sentence(agent: Agent, _files: Path) -> str:
    """With all days before the last line."""
    concerts = sorted(_read_concerts(agent))
    days = "\n".join(f"{band}: {day}" for day, band in concerts)
    return f"{days}\n\n**The first one is {concerts[0][1].upper()}.**"


def alternative_with_its_day(agent: Agent, _files: Path) -> str:
    day, band = min(_read_concerts(agent))
    return f"{band}, on {datetime.date.fromisoformat(day):%A %d %B}"


def _read_concerts(agent: Agent) -> list[tuple[str, str]]:
    """Day and band of each poster."""
    return [_parse_concert(read_lines(agent, f"poster_{number}.jpg")) for number in (1, 2, 3)]


def _parse_concert(lines: list[Placed]) -> tuple[str, str]:
    """The lowest line that is a day holds; the band is written largest."""
    texts = [line.text.replace(" ", "") for line in sorted(lines, key=lambda line: line.top)]
    days = [day for day in (to_iso_day(text, *FORMS) for text in texts) if re.fullmatch(r"\d{4}-\d\d-\d\d", day)]
    return days[-1], max(lines, key=lambda line: line.bottom - line.top).text
