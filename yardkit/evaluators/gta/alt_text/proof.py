"""Solutions and near misses of gta/alt_text."""

import re
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.gta_steps import find_objects, read_lines
from yardkit.evaluators.proof import Agent, Solved

CLASSES = {"horse": "horse", "airplane": "airplane", "sports ball": "ball", "cup": "cup"}


def _said(work: Solved, place: int, other: str) -> str:
    """The first reference text with another word in the place of a fact."""
    text = str(work.facts["gt_answer"][0])
    return text.replace(work.facts["named"][place][0], other)


miss_year_of_the_print = misses.answered(lambda work: _said(work, 2, work.facts["others"]["printed"]))
miss_town_of_the_laboratory = misses.answered(lambda work: _said(work, 1, work.facts["others"]["laboratory"]))
miss_thing_left_out = misses.answered(
    lambda work: "The photograph was taken in {} in {}.".format(*(group[0] for group in work.facts["named"][1:]))
)
miss_caption_copied = misses.answered(
    lambda work: f"{work.facts['gt_answer'][0]} Print: {work.facts['others']['laboratory']}"
)
miss_nothing_said = misses.nothing_said()


def solve(agent: Agent) -> str:
    """Find what is shown, and read the caption."""
    thing, town, year = _told(agent)
    return f"A photograph of the {thing}, taken in {town} in {year}."


def also_year_first(agent: Agent, _files: Path) -> str:
    thing, town, year = _told(agent)
    return f"{year}, {town.upper()}: the {thing.title()} in the middle of the picture."


def also_with_its_month(agent: Agent, _files: Path) -> str:
    thing, town, year = _told(agent)
    return f'alt="In {town}, in early summer of {year},\nsomebody took this picture of the {thing}."'


def _told(agent: Agent) -> tuple[str, str, str]:
    """What is shown, the town and the year in which the photograph was taken."""
    found = {name: objects[0] for name in CLASSES if (objects := find_objects(agent, "print.jpg", name))}
    best = max(found, key=lambda name: int(re.findall(r"\d+", found[name].text)[0]))
    caption = " ".join(line.text for line in read_lines(agent, "print.jpg"))
    town, year = re.findall(r"Taken ?in ?(\w+?), ?[A-Z][a-z]+ ?(\d{4})", caption)[0]
    return CLASSES[best], town, year
