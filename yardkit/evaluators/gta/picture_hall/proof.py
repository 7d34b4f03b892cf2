"""Solutions and near misses of gta/picture_hall."""

import re
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.gta_steps import find_objects, read_lines
from yardkit.evaluators.proof import Agent

miss_another_picture = misses.answered_with("another_picture")
miss_a_third_picture = misses.answered_with("a_third_picture")
miss_year_before = misses.answered_with("year_before")
miss_all_halls = misses.all_answers_listed()
miss_no_hall = misses.nothing_said()


def solve(agent: Agent) -> str:
    """Find the thing, read the title below it, look for its page."""
    title = _title(agent)
    return _hall(agent, title, f"Spring Exhibition 2026 {title}")


def also_in_a_sentence(agent: Agent, _files: Path) -> str:
    title = _title(agent)
    return f'**"{title}" hangs in the {_hall(agent, title, title).lower()}.**'


def also_with_the_title_before(agent: Agent, _files: Path) -> str:
    title = _title(agent)
    return f"It is called {title}.\n\nThe {_hall(agent, title, f'the photograph {title} hangs in which hall')}"


def _title(agent: Agent) -> str:
    """The nearest line below the middle of what was found."""
    subject = re.findall(r"shows an? (\w+)", agent.prompt)[0]
    across, down = find_objects(agent, "catalogue.jpg", subject)[0].middle
    below = [
        line for line in read_lines(agent, "catalogue.jpg") if line.top > down and abs(line.middle[0] - across) < 225
    ]
    title = min(below, key=lambda line: line.top).text
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", title)


def _hall(agent: Agent, title: str, query: str) -> str:
    found = agent.text("GoogleSearch", query=query)
    return str(re.findall(rf"The photograph {title} hangs in the (\w+ Hall)", found)[0])
