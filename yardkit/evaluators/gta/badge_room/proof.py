"""Solutions and near misses of gta/badge_room."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import read_lines
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_namesake = misses.answered_with("namesake")
near_miss_year_before = misses.answered_with("year_before")
near_miss_another_speaker = misses.answered_with("another_speaker")
near_miss_all_rooms = misses.all_answers_listed()
near_miss_no_room = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Read the badge, look for the talk."""
    conference, name = _read_badge(agent)
    return _find_room(agent, conference, name, f"{conference} {name}")


def alternative_in_a_sentence(agent: Agent, _files: Path) -> str:
    conference, name = _read_badge(agent)
    return (
        f"There are several people of that name.\n\n**{name} speaks in room"
        f" {_find_room(agent, conference, name, name)}.**"
    )


def alternative_by_the_room(agent: Agent, _files: Path) -> str:
    conference, name = _read_badge(agent)
    return f"room {_find_room(agent, conference, name, f'{name} speaks in which room').upper()}"


def _read_badge(agent: Agent) -> tuple[str, str]:
    """The conference and the name, which is written largest."""
    lines = read_lines(agent, "badge.jpg")
    name = max(lines, key=lambda line: line.bottom - line.top)
    conference = next(line for line in lines if re.search(r"20\d\d", line.text))
    return _insert_blanks(conference.text), _insert_blanks(name.text)


def _insert_blanks(text: str) -> str:
    """A blank before each capital and number, where the reading lost it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z\d])", " ", text)


def _find_room(agent: Agent, conference: str, name: str, query: str) -> str:
    search_text = agent.text("GoogleSearch", query=query)
    return str(re.findall(rf"{conference}: {name}: .*? in room (\w+)", search_text, re.DOTALL)[0])
