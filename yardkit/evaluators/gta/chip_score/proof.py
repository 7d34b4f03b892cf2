"""Solutions and near misses of gta/chip_score."""

import re
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.gta_steps import calculate
from yardkit.evaluators.proof import Agent

miss_forms_mixed = misses.answered_with("forms_mixed")
miss_colours_mixed = misses.answered_with("colours_mixed")
miss_points_exchanged = misses.answered_with("points_exchanged")
miss_one_more = misses.number_off()
miss_all_numbers = misses.all_answers_listed()
miss_no_number = misses.nothing_said()


def solve(agent: Agent) -> str:
    """Count both kinds on both boards, compute."""
    first, second = (_score(agent, board) for board in _boards(agent))
    return calculate(agent, f"{first} - ({second})")


def also_in_a_sentence(agent: Agent, _files: Path) -> str:
    first, second = (calculate(agent, _score(agent, board)) for board in _boards(agent))
    return f"It is {first} to {second}.\n\n**A lead of {calculate(agent, f'{first} - {second}')} points.**"


def also_second_board_first(agent: Agent, _files: Path) -> str:
    second, first = (calculate(agent, _score(agent, board)) for board in reversed(_boards(agent)))
    return f"lead: {float(calculate(agent, f'{first} - {second}'))}"


def _boards(agent: Agent) -> list[str]:
    return re.findall(r"`(board_\w+\.jpg)`", agent.prompt)


def _score(agent: Agent, board: str) -> str:
    """The points of a board, as an expression."""
    kinds = re.findall(r"a (\w+ (?:circle|square)) counts (\d)", agent.prompt)
    return " + ".join(
        f"{agent.text('CountGivenObject', image=board, text=f'{kind}s')} * {points}" for kind, points in kinds
    )
