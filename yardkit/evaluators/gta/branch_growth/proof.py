"""Solutions and near misses of gta/branch_growth."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import Placed, calculate_expression, read_lines
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_other_branch = misses.answered_with("other_branch")
near_miss_all_years = misses.answered_with("all_years")
near_miss_against_the_later_year = misses.answered_with("against_the_later_year")
near_miss_against_the_year_before = misses.answered_with("against_the_year_before")
near_miss_all_numbers = misses.all_answers_listed()
near_miss_no_number = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Read both charts, take the values above the two years, compute."""
    before, after = _read_values(agent)
    return calculate_expression(agent, f"round(100 * ({after} - {before}) / {before})")


def alternative_with_a_percent_sign(agent: Agent, _files: Path) -> str:
    before, after = _read_values(agent)
    share = float(calculate_expression(agent, f"{after} / {before}"))
    return f"From {before} to {after}.\n\n**It grew by {100 * (share - 1):.0f} %.**"


def alternative_in_words(agent: Agent, _files: Path) -> str:
    before, after = _read_values(agent)
    return f"growth: {calculate_expression(agent, f'round({after} / {before} * 100 - 100)')} percent"


def _read_values(agent: Agent) -> list[str]:
    town = re.findall(r"the (\w+) branch", agent.prompt)[0]
    charts = (read_lines(agent, f"chart_{number}.png") for number in (1, 2))
    chart = next(lines for lines in charts if any(town in line.text for line in lines))
    return [_value_above(chart, year) for year in re.findall(r"20\d\d", agent.prompt)[:2]]


def _value_above(chart: list[Placed], year: str) -> str:
    """The lowest number in the column of a year."""
    foot = next(line for line in chart if line.text == year)
    column = [line for line in chart if abs(line.middle[0] - foot.middle[0]) < 40 and line.bottom < foot.top]
    return max((line for line in column if line.text.isdigit()), key=lambda line: line.bottom).text
