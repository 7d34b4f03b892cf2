"""Solutions and near misses of gta/chip_score."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import calculate_expression
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_forms_mixed = misses.answered_with("forms_mixed")
near_miss_colours_mixed = misses.answered_with("colours_mixed")
near_miss_points_exchanged = misses.answered_with("points_exchanged")
near_miss_one_more = misses.number_off()
near_miss_all_numbers = misses.all_answers_listed()
near_miss_no_number = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Count both kinds on both boards, compute."""
    first, second = (_build_score(agent, board) for board in _list_boards(agent))
    return calculate_expression(agent, f"{first} - ({second})")


def alternative_in_a_sentence(agent: Agent, _files: Path) -> str:
    first, second = (calculate_expression(agent, _build_score(agent, board)) for board in _list_boards(agent))
    return f"It is {first} to {second}.\n\n**A lead of {calculate_expression(agent, f'{first} - {second}')} points.**"


def alternative_second_board_first(agent: Agent, _files: Path) -> str:
    second, first = (calculate_expression(agent, _build_score(agent, board)) for board in reversed(_list_boards(agent)))
    return f"lead: {float(calculate_expression(agent, f'{first} - {second}'))}"


def _list_boards(agent: Agent) -> list[str]:
    return re.findall(r"`(board_\w+\.jpg)`", agent.prompt)


def _build_score(agent: Agent, board: str) -> str:
    """The points of a board, as an expression."""
    kinds = re.findall(r"a (\w+ (?:circle|square)) counts (\d)", agent.prompt)
    return " + ".join(
        f"{agent.text('CountGivenObject', image=board, text=f'{kind}s')} * {points}" for kind, points in kinds
    )
