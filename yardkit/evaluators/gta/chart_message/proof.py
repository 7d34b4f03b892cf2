"""Solutions and near misses of gta/chart_message."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import calculate_expression, read_lines
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved


def _write_text(work: Solved, **other: str) -> str:
    """A text with the facts, or others in their places."""
    what, first, last, off = (group[0] for group in work.facts["named"])
    message_values = {"what": what, "first": first, "last": last, "off": off, **other}
    return "The {what} were most in {first} and fewest in {last}; the difference is {off}.".format(**message_values)


near_miss_in_hundreds = misses.change_answer(lambda work: _write_text(work, off=work.facts["others"]["in_hundreds"]))
near_miss_second_best = misses.change_answer(lambda work: _write_text(work, first=work.facts["others"]["second_best"]))
near_miss_second_weakest = misses.change_answer(
    lambda work: _write_text(work, last=work.facts["others"]["second_weakest"])
)
near_miss_what_left_out = misses.change_answer(lambda work: _write_text(work, what="numbers"))
near_miss_difference_left_out = misses.change_answer(lambda work: _write_text(work, off="large"))
near_miss_nothing_said = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Read months and numbers, and subtract."""
    what, first, last, off = _read_message_facts(agent)
    return f"Of the {what}, most came in {first} and fewest in {last}: a difference of {off}."


def alternative_with_a_comma_in_two_sentences(agent: Agent, _files: Path) -> str:
    what, first, last, off = _read_message_facts(agent)
    return f"{first} was the best month and {last} the weakest.\nThey differ by {int(off):,} {what}."


def alternative_a_headline(agent: Agent, _files: Path) -> str:
    what, first, last, off = _read_message_facts(agent)
    return f"{what.capitalize()}: {off} more in {first.upper()} (the best month) than in {last.upper()} (the weakest)"


def _read_message_facts(agent: Agent) -> tuple[str, str, str, str]:
    """What was counted, the best and the weakest month, the difference."""
    lines = read_lines(agent, "chart.png")
    title = next(line.text for line in lines if "hundred" in line.text)
    lowest = max(line.bottom for line in lines)
    names = [line for line in lines if line.bottom > lowest - 25 and line.text.isalpha()]
    numbers = [line for line in lines if re.fullmatch(r"\d\d", line.text)]
    counts = {}
    for name in names:
        above = [line for line in numbers if abs(line.middle[0] - name.middle[0]) < 30]
        counts[name.text] = int(min(above, key=lambda line: line.top).text)
    first, last = (choose(counts, key=counts.__getitem__) for choose in (max, min))
    off = calculate_expression(agent, f"({counts[first]} - {counts[last]}) * 100")
    return title.split()[0].lower(), first, last, off
