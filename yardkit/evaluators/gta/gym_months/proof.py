"""Solutions and near misses of gta/gym_months."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import read_rows
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_first_fee_forgotten = misses.answered_with("first_fee_forgotten")
near_miss_rounded_down = misses.answered_with("rounded_down")
near_miss_third_tariff = misses.answered_with("third_tariff")
near_miss_fees_added = misses.answered_with("fees_added")
near_miss_all_numbers = misses.all_answers_listed()
near_miss_no_number = misses.make_empty_words()

CODE = """
def solution():
    import math
    n = symbols("n")
    [even] = solve(Eq({one_fee} + {one_month}*n, {other_fee} + {other_month}*n), n)
    return math.floor(even) + 1
"""
BY_TRYING = """
def solution():
    return next(n for n in range(1, 200) if {other_fee} + {other_month}*n < {one_fee} + {one_month}*n)
"""


def solve(agent: Agent) -> str:
    """Read both tariffs, and solve for the months at which they cost the same."""
    return agent.text("Solver", command=CODE.format(**_read_tariffs(agent)))


def alternative_by_trying_each_month(agent: Agent, _files: Path) -> str:
    return f"From month\n\n**{agent.text('Solver', command=BY_TRYING.format(**_read_tariffs(agent)))}** on"


def alternative_in_a_sentence(agent: Agent, _files: Path) -> str:
    return f"With both fees counted,\nit takes {solve(agent)} months."


def _read_tariffs(agent: Agent) -> dict[str, str]:
    """Fee and price of a month of both tariffs, in cents."""
    names = re.findall(r"between (\w+) and (\w+)\.", agent.prompt)[0]
    rows = {row[0]: row[1:] for row in read_rows(agent, "board.jpg")}
    tariffs: dict[str, str] = {}
    for word, name in zip(("one", "other"), names, strict=True):
        fee, month = re.findall(r"\d+[.,]\d\d", " ".join(rows[name]))
        tariffs |= {f"{word}_fee": re.sub(r"\D", "", fee), f"{word}_month": re.sub(r"\D", "", month)}
    return {key: str(int(value)) for key, value in tariffs.items()}
