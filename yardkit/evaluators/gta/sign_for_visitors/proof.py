"""Solutions and near misses of gta/sign_for_visitors."""

from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import read_rows
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_of_drivers = misses.change_answer(lambda work: work.facts["of_drivers"])
near_miss_both_signs = misses.change_answer(lambda work: f"{work.facts['gt_answer'][0]} {work.facts['of_drivers']}")
near_miss_no_place = misses.change_answer(
    lambda work: work.facts["gt_answer"][1].replace(work.facts["named"][1][0], "the gate")
)
near_miss_no_time = misses.change_answer(lambda work: work.facts["gt_answer"][2].partition(", open")[0])
near_miss_place_of_drivers = misses.change_answer(
    lambda work: work.facts["gt_answer"][0].replace(work.facts["named"][1][0], work.facts["others"]["place"])
)
near_miss_nothing_said = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Read both signs, and say what stands on that for visitors."""
    action, place, time = _compose_sign(agent)
    return f"You are asked to {action.lower()}, {place}. It is open from {time} on."


def alternative_time_first(agent: Agent, _files: Path) -> str:
    action, place, time = _compose_sign(agent)
    return f"From {time} on there is somebody {place.lower()}.\n\nThere you have to do this: {action}."


def alternative_a_reference_text(agent: Agent, _files: Path) -> str:
    action, place, time = _compose_sign(agent)
    return f"Visitors are asked to {action.lower()} {place}, open from {time}."


def _compose_sign(agent: Agent) -> tuple[str, str, str]:
    """The lines of the sign for visitors: what, where, from when on."""
    for number in (1, 2):
        rows = [" ".join(row) for row in read_rows(agent, f"sign_{number}.jpg")]
        if rows[0].upper() == "VISITORS":
            return rows[1], rows[2], rows[3].rpartition("from")[2].strip()
    raise ValueError("no sign is for visitors")
