"""Solutions and near misses of gta/fence_cost."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import calculate_expression, read_lines
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_all_sides = misses.answered_with("all_sides")
near_miss_short_sides_fenced = misses.answered_with("short_sides_fenced")
near_miss_another_wood = misses.answered_with("another_wood")
near_miss_x_for_the_length = misses.answered_with("x_for_the_length")
near_miss_all_amounts = misses.all_answers_listed()
near_miss_no_amount = misses.make_empty_words()

CODE = """
def solution():
    x = symbols("x")
    [value] = solve(Eq(2 * ({long}) + 2 * ({short}), {around}), x)
    return (2 * ({long}) + ({short})).subs(x, value)
"""


def solve(agent: Agent) -> str:
    """Read the sketch, solve for x, look the price up, compute."""
    return f"{float(calculate_expression(agent, f'{_compute_metres(agent)} * {_find_price(agent)}')):.2f}"


def alternative_with_a_currency_sign(agent: Agent, _files: Path) -> str:
    price, metres = _find_price(agent), _compute_metres(agent)
    return f"{metres} m at {price} each.\n\n**${float(calculate_expression(agent, f'{price} * {metres}')):,.2f}**"


def alternative_without_zeros(agent: Agent, _files: Path) -> str:
    return f"{float(calculate_expression(agent, f'{_compute_metres(agent)} * {_find_price(agent)}')):.12g} dollars"


def _compute_metres(agent: Agent) -> str:
    """Of two long sides and a short one; the sum at the right is of a short one."""
    lines = sorted(read_lines(agent, "sketch.jpg"), key=lambda line: line.left)
    sums = [
        re.sub(r"(\d)x", r"\1*x", re.sub(r"\s", "", line.text)) for line in lines if re.search(r"x\s*\+", line.text)
    ]
    around = next(re.findall(r"\d+", line.text)[0] for line in lines if "around" in line.text)
    return agent.text("Solver", command=CODE.format(long=sums[0], short=sums[1], around=around))


def _find_price(agent: Agent) -> str:
    wood = re.findall(r"the (\w+) fence of", agent.prompt)[0].capitalize()
    search_text = agent.text("GoogleSearch", query=f"Garden Fences {wood} fence per metre", k=4)
    return str(re.findall(rf"{wood} fence, 1\.20 m high: ([\d.]+)", search_text)[0])
