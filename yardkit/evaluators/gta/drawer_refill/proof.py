"""Solutions and near misses of gta/drawer_refill."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import Placed, calculate_expression, read_lines
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_another_compartment = misses.answered_with("another_compartment")
near_miss_price_of_another_size = misses.answered_with("price_of_another_size")
near_miss_price_of_last_year = misses.answered_with("price_of_last_year")
near_miss_all_to_keep = misses.answered_with("all_to_keep")
near_miss_those_that_are_there = misses.answered_with("those_that_are_there")
near_miss_all_amounts = misses.all_answers_listed()
near_miss_no_amount = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Read the labels, count between them, look the price up, compute."""
    keep, count, price = _read_refill(agent)
    return f"{float(calculate_expression(agent, f'({keep} - {count}) * {price}')):.2f}"


def alternative_with_a_currency_sign(agent: Agent, _files: Path) -> str:
    keep, count, price = _read_refill(agent)
    missing = calculate_expression(agent, f"{keep} - {count}")
    return (
        f"{missing} are missing, at {price}"
        f" each.\n\n**${float(calculate_expression(agent, f'{missing} * {price}')):.2f}**"
    )


def alternative_without_zeros(agent: Agent, _files: Path) -> str:
    keep, count, price = _read_refill(agent)
    return f"{float(calculate_expression(agent, f'{keep} * {price} - {count} * {price}')):g} dollars"


def _read_refill(agent: Agent) -> tuple[str, str, str]:
    """How many to keep, how many are there, and the price of one."""
    size = re.findall(r"(M\d+) washers", agent.prompt)[0]
    lines = read_lines(agent, "drawer.jpg")
    name = next(line for line in lines if re.match(rf"{size}\b|{size}w", line.text))
    foot = next(line for line in lines if line.text.startswith("keep") and abs(line.middle[0] - name.middle[0]) < 100)
    across = round(name.middle[0])
    inside = Placed(across - 160, name.bottom + 15, across + 160, foot.top - 15)
    count = agent.text("CountGivenObject", image="drawer.jpg", text="objects", bbox=inside.bbox)
    search_text = agent.text("GoogleSearch", query=f"Bolt and Co price list 2026 {size} washer", k=4)
    price = re.findall(rf"price list 2026: {size} washer {size} washer, steel: ([\d.]+)", search_text)[0]
    return re.findall(r"\d+", foot.text)[0], count, price
