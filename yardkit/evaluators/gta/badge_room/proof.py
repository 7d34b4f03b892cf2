"""Solutions and near misses of gta/badge_room."""

import re
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.gta_steps import read_lines
from yardkit.evaluators.proof import Agent

miss_namesake = misses.answered_with("namesake")
miss_year_before = misses.answered_with("year_before")
miss_another_speaker = misses.answered_with("another_speaker")
miss_all_rooms = misses.all_answers_listed()
miss_no_room = misses.nothing_said()


def solve(agent: Agent) -> str:
    """Read the badge, look for the talk."""
    conference, name = _badge(agent)
    return _room(agent, conference, name, f"{conference} {name}")


def also_in_a_sentence(agent: Agent, _files: Path) -> str:
    conference, name = _badge(agent)
    return (
        f"There are several people of that name.\n\n**{name} speaks in room {_room(agent, conference, name, name)}.**"
    )


def also_by_the_room(agent: Agent, _files: Path) -> str:
    conference, name = _badge(agent)
    return f"room {_room(agent, conference, name, f'{name} speaks in which room').upper()}"


def _badge(agent: Agent) -> tuple[str, str]:
    """The conference and the name, which is written largest."""
    lines = read_lines(agent, "badge.jpg")
    name = max(lines, key=lambda line: line.bottom - line.top)
    conference = next(line for line in lines if re.search(r"20\d\d", line.text))
    return _spaced(conference.text), _spaced(name.text)


def _spaced(text: str) -> str:
    """A blank before each capital and number, where the reading lost it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z\d])", " ", text)


def _room(agent: Agent, conference: str, name: str, query: str) -> str:
    found = agent.text("GoogleSearch", query=query)
    return str(re.findall(rf"{conference}: {name}: .*? in room (\w+)", found, re.DOTALL)[0])
