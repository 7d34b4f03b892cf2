"""Solutions and near misses of gta/boat_tickets."""

import re
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.gta_steps import calculate, read_rows
from yardkit.evaluators.proof import Agent

miss_other_price = misses.answered_with("other_price")
miss_one_on_each_photograph = misses.answered_with("one_on_each_photograph")
miss_last_digit = misses.number_off()
miss_all_amounts = misses.all_answers_listed()
miss_no_amount = misses.nothing_said()


def solve(agent: Agent) -> str:
    """Count the people, read the board, take the price that is theirs."""
    count, price = _count(agent), _price(agent)
    return f"There are {count} people.\n\n{float(calculate(agent, f'{count} * {price}')):.2f}"


def also_with_a_currency_sign(agent: Agent, _files: Path) -> str:
    count, price = _count(agent), _price(agent)
    return f"**In all ${float(calculate(agent, f'{price} * {count}')):.2f}**"


def also_without_zeros(agent: Agent, _files: Path) -> str:
    """Photograph by photograph."""
    price = _price(agent)
    parts = [calculate(agent, f"{_people(agent, number)} * {price}") for number in (1, 2, 3)]
    return f"{float(calculate(agent, ' + '.join(parts))):g} dollars"


def _count(agent: Agent) -> str:
    return calculate(agent, " + ".join(_people(agent, number) for number in (1, 2, 3)))


def _people(agent: Agent, number: int) -> str:
    return agent.text("CountGivenObject", image=f"photo_{number}.jpg", text="people")


def _price(agent: Agent) -> str:
    """Of the trip to the lighthouse: the first two prices of the board."""
    rows = [row for row in read_rows(agent, "board.jpg") if re.search(r"\d\.\d\d$", row[-1])]
    single, reduced = (row[-1].lstrip("$") for row in rows[:2])
    least = re.findall(r"from\s*(\d)", rows[1][0])[0]
    return reduced if int(_count(agent)) >= int(least) else single
