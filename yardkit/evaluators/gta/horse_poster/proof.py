"""Solutions and near misses of gta/horse_poster."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import Placed, calculate_expression, find_objects
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_whole_sheets_compared = misses.answered_with("whole_sheets")
near_miss_areas_compared = misses.answered_with("areas")
near_miss_one_more = misses.number_off()
near_miss_all_numbers = misses.all_answers_listed()
near_miss_no_number = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Find it on both, divide the widths."""
    flyer, poster = _find_subjects(agent)
    times = calculate_expression(agent, f"round(({poster.right} - {poster.left}) / ({flyer.right} - {flyer.left}))")
    return f"It is {poster.right - poster.left} pixels wide on the poster.\n\n{times}"


def alternative_in_a_sentence(agent: Agent, _files: Path) -> str:
    flyer, poster = _find_subjects(agent)
    times = float(calculate_expression(agent, f"({poster.right} - {poster.left}) / ({flyer.right} - {flyer.left})"))
    return f"**It is {times:.0f} times as wide.**"


def alternative_by_heights(agent: Agent, _files: Path) -> str:
    """The photograph is not distorted."""
    flyer, poster = _find_subjects(agent)
    return (
        calculate_expression(agent, f"round(({poster.bottom} - {poster.top}) / ({flyer.bottom} - {flyer.top}))")
        + " times"
    )


def _find_subjects(agent: Agent) -> list[Placed]:
    subject = re.findall(r"the (\w+) on", agent.prompt)[0]
    return [find_objects(agent, f"{name}.jpg", subject)[0] for name in ("flyer", "poster")]
