"""Solutions and near misses of gta/picture_hall."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import find_objects, read_lines
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_another_picture = misses.answered_with("another_picture")
near_miss_a_third_picture = misses.answered_with("a_third_picture")
near_miss_year_before = misses.answered_with("year_before")
near_miss_all_halls = misses.all_answers_listed()
near_miss_no_hall = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Find the thing, read the title below it, look for its page."""
    title = _find_title(agent)
    return _find_hall(agent, title, f"Spring Exhibition 2026 {title}")


def alternative_in_a_sentence(agent: Agent, _files: Path) -> str:
    title = _find_title(agent)
    return f'**"{title}" hangs in the {_find_hall(agent, title, title).lower()}.**'


def alternative_with_the_title_before(agent: Agent, _files: Path) -> str:
    title = _find_title(agent)
    return f"It is called {title}.\n\nThe {_find_hall(agent, title, f'the photograph {title} hangs in which hall')}"


def _find_title(agent: Agent) -> str:
    """The nearest line below the middle of what was found."""
    subject = re.findall(r"shows an? (\w+)", agent.prompt)[0]
    across, down = find_objects(agent, "catalogue.jpg", subject)[0].middle
    below = [
        line for line in read_lines(agent, "catalogue.jpg") if line.top > down and abs(line.middle[0] - across) < 225
    ]
    title = min(below, key=lambda line: line.top).text
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", title)


def _find_hall(agent: Agent, title: str, query: str) -> str:
    search_text = agent.text("GoogleSearch", query=query)
    return str(re.findall(rf"The photograph {title} hangs in the (\w+ Hall)", search_text)[0])
