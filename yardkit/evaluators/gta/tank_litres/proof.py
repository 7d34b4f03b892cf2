"""Solutions and near misses of gta/tank_litres."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import calculate_expression, read_rows
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_twin = misses.answered_with("twin")
near_miss_other_letters = misses.answered_with("other_letters")
near_miss_full = misses.answered_with("full")
near_miss_width_taken_as_cm = misses.answered_with("width_in_cm")
near_miss_all_numbers = misses.all_answers_listed()
near_miss_last_digit = misses.number_off()


def solve(agent: Agent) -> str:
    """Find the label, bring the measures to decimetres, multiply."""
    length, width, height, percent = _read_measures(agent)
    return calculate_expression(agent, f"round({length} / 10 * {width} / 100 * {height} * 10 * {percent} / 100)")


def alternative_in_cubic_metres_in_a_sentence(agent: Agent, _files: Path) -> str:
    length, width, height, percent = _read_measures(agent)
    cubic = calculate_expression(agent, f"{length} / 100 * {width} / 1000 * {height} * {percent} / 100")
    return f"The tank holds {cubic} cubic metres.\n\n**{round(1000 * float(cubic))} litres**"


def alternative_with_a_comma(agent: Agent, _files: Path) -> str:
    return f"{int(solve(agent)):,} l"


def _read_measures(agent: Agent) -> tuple[str, str, str, str]:
    """Length in cm, width in mm, height in m of the tank, and how full it is."""
    tank, percent = re.findall(r"in tank (\S+) when .* (\d+) %", agent.prompt)[0]
    for number in (1, 2, 3):
        text = "\n".join(" ".join(row) for row in read_rows(agent, f"label_{number}.jpg"))
        if tank in text:
            length, width, height = (
                re.findall(rf"{name} *([\d.]+)", text)[0] for name in ("Length", "Width", "Height")
            )
            return length, width, height, percent
    raise ValueError(f"no label names {tank}")
