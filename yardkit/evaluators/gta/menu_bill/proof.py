"""Solutions and near misses of gta/menu_bill."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import calculate_expression, read_rows
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_service_forgotten = misses.answered_with("service_forgotten")
near_miss_lunch_prices = misses.answered_with("lunch_prices")
near_miss_bill_of_all = misses.answered_with("bill_of_all")
near_miss_cent_off = misses.number_off()
near_miss_all_amounts = misses.all_answers_listed()
near_miss_no_amount = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Read both menus, take that of the dinner, compute."""
    return f"With service each of us pays:\n\n{_compute_share(agent)}"


def alternative_with_a_currency_sign(agent: Agent, _files: Path) -> str:
    return f"By the dinner menu. Without service it would be less.\n**Everybody pays ${_compute_share(agent)}.**"


def alternative_dish_by_dish(agent: Agent, _files: Path) -> str:
    """Amounts of single dishes before the last line."""
    amounts = [calculate_expression(agent, f"{count} * {price}") for count, price in _list_ordered(agent)]
    people, service = _read_request(agent)
    share = float(calculate_expression(agent, f"({' + '.join(amounts)}) * (1 + {service} / 100) / {people}"))
    return f"{' + '.join(amounts)}\n{share + 1e-9:.2f} dollars"


def _compute_share(agent: Agent) -> str:
    total = " + ".join(f"{count} * {price}" for count, price in _list_ordered(agent))
    people, service = _read_request(agent)
    return f"{float(calculate_expression(agent, f'round(({total}) * (100 + {service}) / 100 / {people}, 2)')):.2f}"


def _read_request(agent: Agent) -> tuple[str, str]:
    """How many people, and the service in percent."""
    return re.findall(r"We were (\d+)", agent.prompt)[0], re.findall(r"(\d+) %", agent.prompt)[0]


def _list_ordered(agent: Agent) -> list[tuple[str, str]]:
    """Counts and prices of what was ordered."""
    rows = next(rows for file in ("menu_1.jpg", "menu_2.jpg") if _is_dinner(rows := read_rows(agent, file)))
    prices = {re.sub(r"\W", "", row[0]).lower(): row[-1].lstrip("$") for row in rows if len(row) > 1}
    ordered = re.findall(r"(\d+) x ([a-z ]+?)(?:,| and |\.)", agent.prompt)
    return [(count, prices[name.replace(" ", "")]) for count, name in ordered]


def _is_dinner(rows: list[list[str]]) -> bool:
    return any("dinner" in text.lower() for row in rows for text in row)
