"""Solutions and near misses of gta/boat_tickets."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import calculate_expression, read_rows
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_other_price = misses.answered_with("other_price")
near_miss_one_on_each_photograph = misses.answered_with("one_on_each_photograph")
near_miss_last_digit = misses.number_off()
near_miss_all_amounts = misses.all_answers_listed()
near_miss_no_amount = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Count the people, read the board, take the price that is theirs."""
    count, price = _count_people(agent), _read_price(agent)
    return f"There are {count} people.\n\n{float(calculate_expression(agent, f'{count} * {price}')):.2f}"


def alternative_with_a_currency_sign(agent: Agent, _files: Path) -> str:
    count, price = _count_people(agent), _read_price(agent)
    return f"**In all ${float(calculate_expression(agent, f'{price} * {count}')):.2f}**"


def alternative_without_zeros(agent: Agent, _files: Path) -> str:
    """Photograph by photograph."""
    price = _read_price(agent)
    parts = [calculate_expression(agent, f"{_count_on_photo(agent, number)} * {price}") for number in (1, 2, 3)]
    return f"{float(calculate_expression(agent, ' + '.join(parts))):g} dollars"


def _count_people(agent: Agent) -> str:
    return calculate_expression(agent, " + ".join(_count_on_photo(agent, number) for number in (1, 2, 3)))


def _count_on_photo(agent: Agent, number: int) -> str:
    return agent.text("CountGivenObject", image=f"photo_{number}.jpg", text="people")


def _read_price(agent: Agent) -> str:
    """Of the trip to the lighthouse: the first two prices of the board."""
    rows = [row for row in read_rows(agent, "board.jpg") if re.search(r"\d\.\d\d$", row[-1])]
    single, reduced = (row[-1].lstrip("$") for row in rows[:2])
    least = re.findall(r"from\s*(\d)", rows[1][0])[0]
    return reduced if int(_count_people(agent)) >= int(least) else single
