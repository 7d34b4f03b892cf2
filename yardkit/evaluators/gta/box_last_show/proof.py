"""Solutions and near misses of gta/box_last_show."""

import re
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.solving.tool_results import read_boxes
from yardkit.evaluators import misses
from yardkit.evaluators.misses import draw_other_boxes, save_boxed
from yardkit.evaluators.proof import Agent

SOURCE, BOXED = "cinema.png", "generated/show.png"
Box = tuple[int, ...]


def solve(agent: Agent) -> str:
    """Read the programme, and draw the box around the time."""
    box = ", ".join(map(str, _find_last_show(agent)))
    return agent.text("DrawBox", image=SOURCE, bbox=f"({box})", filename="show.png")


def alternative_around_the_button_with_words(agent: Agent, _files: Path) -> str:
    """The box is as large as the button, and says what it shows; its numbers stand without brackets."""
    left, top, right, bottom = _find_last_show(agent)
    box = f"{left - 15} {top - 8} {right + 15} {bottom + 8}"
    return agent.text("DrawBox", image=SOURCE, bbox=box, annotation="go", output_dir="generated", filename="show")


def alternative_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow draws an outline, without a tint."""
    save_boxed(files, SOURCE, BOXED, [_find_last_show(agent)])
    return "done"


near_miss_trailers_forgotten = draw_other_boxes(BOXED, SOURCE, lambda facts: [facts["without_trailers"]], "around")
near_miss_sequel = draw_other_boxes(BOXED, SOURCE, lambda facts: [facts["of_the_sequel"]], "around")
near_miss_both = draw_other_boxes(BOXED, SOURCE, lambda facts: [*facts["wanted"], facts["without_trailers"]], "around")
near_miss_painted_over = draw_other_boxes(BOXED, SOURCE, lambda facts: facts["wanted"], ("around", "rest"), filled=True)
near_miss_nothing_drawn = misses.picture_changed(BOXED, lambda image: image, ("around", "rest"), source=SOURCE)
near_miss_original_overwritten = misses.overwrite_file(SOURCE, BOXED)


@misses.picture_changes(BOXED, caught_by="rest")
def near_miss_half_of_the_page_gone(image: Any) -> Any:
    """The head of the page is cut off by a white stripe."""
    image.paste("white", (0, 60, image.width, 160))
    return image


def _find_last_show(agent: Agent) -> Box:
    """Where the latest time stands that leaves room for trailers and film."""
    title, limit = re.findall(r"see (.+), all of it, .* by (\d+:\d+)", agent.prompt)[0]
    pieces = read_boxes(agent, SOURCE)
    trailers = next(int(match[1]) for _, text in pieces if (match := re.search(r"with (\d+) ?min", text)))
    top = min(box[1] for box, text in pieces if _normalize_text(text) == _normalize_text(title))
    below = sorted((box, text) for box, text in pieces if box[1] > top)
    facts = min((box[1], text) for box, text in below if re.match(r"\d ?h", text))
    hours, minutes = re.findall(r"(\d) ?h ?(\d+)", facts[1])[0]
    latest = _to_minutes(limit) - trailers - 60 * int(hours) - int(minutes)
    times = [(_to_minutes(text), box) for box, text in below if re.fullmatch(r"\d+:\d\d", text) and box[1] < top + 150]
    return max(time for time in times if time[0] <= latest)[1]


def _normalize_text(text: str) -> str:
    return text.replace(" ", "").casefold()


def _to_minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return 60 * int(hours) + int(minutes)
