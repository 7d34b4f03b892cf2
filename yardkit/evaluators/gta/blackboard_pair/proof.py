"""Solutions and near misses of gta/blackboard_pair."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import read_lines
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_other_group = misses.answered_with("other_group")
near_miss_only_x = misses.answered_with("only_x")
near_miss_only_y = misses.answered_with("only_y")
near_miss_sign_mistaken = misses.answered_with("sign_mistaken")
near_miss_all_values = misses.all_answers_listed()
near_miss_no_value = misses.make_empty_words()

CODE = """
def solution():
    x, y = symbols("x y")
    found = solve([Eq({one}), Eq({other})], [x, y])
    return ({asked}).subs(found)
"""
SOLVE_STEP_BY_STEP = """
def solution():
    x, y = symbols("x y")
    [above] = solve(Eq({one}), y)
    [first] = solve(Eq({other}).subs(y, above), x)
    return ({asked}).subs(y, above).subs(x, first)
"""


def solve(agent: Agent) -> str:
    """Read the lines of the group, solve, put in."""
    return _solve_equations(agent, CODE)


def alternative_in_a_sentence(agent: Agent, _files: Path) -> str:
    first_equation, other, _ = _read_lines(agent)
    return f"From {first_equation} and {other}:\n\n**The value is {_solve_equations(agent, CODE)}.**"


def alternative_one_unknown_by_the_other(agent: Agent, _files: Path) -> str:
    return f"Value: {_solve_equations(agent, SOLVE_STEP_BY_STEP)}.0"


def _solve_equations(agent: Agent, code: str) -> str:
    first_equation, other, asked = (re.sub(r"(\d)([xy])", r"\1*\2", line) for line in _read_lines(agent))
    sides = {"one": first_equation.replace("=", ","), "other": other.replace("=", ",")}
    return agent.text("Solver", command=code.format(asked=asked, **sides))


def _read_lines(agent: Agent) -> list[str]:
    """Both equations of the group, and what it is to find, without blanks: what stands below its name."""
    group = re.findall(r"group (\w)", agent.prompt)[0]
    lines = sorted(read_lines(agent, "blackboard.jpg"), key=lambda line: line.top)
    head = next(line for line in lines if re.fullmatch(rf"Group\s*{group}", line.text))
    below = [line for line in lines if abs(line.left - head.left) < 150 and line.top > head.bottom]
    texts = [
        re.sub(r"[\s.]", "", line.text).replace("\N{EN DASH}", "-").replace("\N{MINUS SIGN}", "-") for line in below
    ]
    return [text.removeprefix("find") for text in texts]
