"""Solutions and near misses of gta/horse_poster."""

import re
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.gta_steps import Placed, calculate, find_objects
from yardkit.evaluators.proof import Agent

miss_whole_sheets_compared = misses.answered_with("whole_sheets")
miss_areas_compared = misses.answered_with("areas")
miss_one_more = misses.number_off()
miss_all_numbers = misses.all_answers_listed()
miss_no_number = misses.nothing_said()


def solve(agent: Agent) -> str:
    """Find it on both, divide the widths."""
    flyer, poster = _found(agent)
    times = calculate(agent, f"round(({poster.right} - {poster.left}) / ({flyer.right} - {flyer.left}))")
    return f"It is {poster.right - poster.left} pixels wide on the poster.\n\n{times}"


def also_in_a_sentence(agent: Agent, _files: Path) -> str:
    flyer, poster = _found(agent)
    times = float(calculate(agent, f"({poster.right} - {poster.left}) / ({flyer.right} - {flyer.left})"))
    return f"**It is {times:.0f} times as wide.**"


def also_by_heights(agent: Agent, _files: Path) -> str:
    """The photograph is not distorted."""
    flyer, poster = _found(agent)
    return calculate(agent, f"round(({poster.bottom} - {poster.top}) / ({flyer.bottom} - {flyer.top}))") + " times"


def _found(agent: Agent) -> list[Placed]:
    subject = re.findall(r"the (\w+) on", agent.prompt)[0]
    return [find_objects(agent, f"{name}.jpg", subject)[0] for name in ("flyer", "poster")]
