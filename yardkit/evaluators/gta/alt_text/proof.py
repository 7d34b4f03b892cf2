"""Solutions and near misses of gta/alt_text."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import find_objects, read_lines
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved

CLASSES = {"horse": "horse", "airplane": "airplane", "sports ball": "ball", "cup": "cup"}


def _replace_word(work: Solved, place: int, other: str) -> str:
    """The first reference text with another word in the place of a fact."""
    text = str(work.facts["gt_answer"][0])
    return text.replace(work.facts["named"][place][0], other)


near_miss_year_of_the_print = misses.change_answer(lambda work: _replace_word(work, 2, work.facts["others"]["printed"]))
near_miss_town_of_the_laboratory = misses.change_answer(
    lambda work: _replace_word(work, 1, work.facts["others"]["laboratory"])
)
near_miss_thing_left_out = misses.change_answer(
    lambda work: "The photograph was taken in {} in {}.".format(*(group[0] for group in work.facts["named"][1:]))
)
near_miss_caption_copied = misses.change_answer(
    lambda work: f"{work.facts['gt_answer'][0]} Print: {work.facts['others']['laboratory']}"
)
near_miss_nothing_said = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Find what is shown, and read the caption."""
    thing, town, year = _read_facts(agent)
    return f"A photograph of the {thing}, taken in {town} in {year}."


def alternative_year_first(agent: Agent, _files: Path) -> str:
    thing, town, year = _read_facts(agent)
    return f"{year}, {town.upper()}: the {thing.title()} in the middle of the picture."


def alternative_with_its_month(agent: Agent, _files: Path) -> str:
    thing, town, year = _read_facts(agent)
    return f'alt="In {town}, in early summer of {year},\nsomebody took this picture of the {thing}."'


def _read_facts(agent: Agent) -> tuple[str, str, str]:
    """What is shown, the town and the year in which the photograph was taken."""
    detected_objects = {name: objects[0] for name in CLASSES if (objects := find_objects(agent, "print.jpg", name))}
    best = max(detected_objects, key=lambda name: int(re.findall(r"\d+", detected_objects[name].text)[0]))
    caption = " ".join(line.text for line in read_lines(agent, "print.jpg"))
    town, year = re.findall(r"Taken ?in ?(\w+?), ?[A-Z][a-z]+ ?(\d{4})", caption)[0]
    return CLASSES[best], town, year
