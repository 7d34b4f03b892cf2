"""Solutions and near misses of gta/box_last_show."""

import re
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.gta_steps import read_boxes
from yardkit.evaluators.misses import boxed, save_boxed
from yardkit.evaluators.proof import Agent

SOURCE, BOXED = "cinema.png", "generated/show.png"
Box = tuple[int, ...]


def solve(agent: Agent) -> str:
    """Read the programme, and draw the box around the time."""
    box = ", ".join(map(str, _place(agent)))
    return agent.text("DrawBox", image=SOURCE, bbox=f"({box})", filename="show.png")


def also_around_the_button_with_words(agent: Agent, _files: Path) -> str:
    """The box is as large as the button, and says what it shows; its numbers stand without brackets."""
    left, top, right, bottom = _place(agent)
    box = f"{left - 15} {top - 8} {right + 15} {bottom + 8}"
    return agent.text("DrawBox", image=SOURCE, bbox=box, annotation="go", output_dir="generated", filename="show")


def also_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow draws an outline, without a tint."""
    save_boxed(files, SOURCE, BOXED, [_place(agent)])
    return "done"


miss_trailers_forgotten = boxed(BOXED, SOURCE, lambda facts: [facts["without_trailers"]], "around")
miss_sequel = boxed(BOXED, SOURCE, lambda facts: [facts["of_the_sequel"]], "around")
miss_both = boxed(BOXED, SOURCE, lambda facts: [*facts["wanted"], facts["without_trailers"]], "around")
miss_painted_over = boxed(BOXED, SOURCE, lambda facts: facts["wanted"], ("around", "rest"), filled=True)
miss_nothing_drawn = misses.picture_changed(BOXED, lambda image: image, ("around", "rest"), source=SOURCE)
miss_original_overwritten = misses.overwritten(SOURCE, BOXED)


@misses.picture_changes(BOXED, kills="rest")
def miss_half_of_the_page_gone(image: Any) -> Any:
    """The head of the page is cut off by a white stripe."""
    image.paste("white", (0, 60, image.width, 160))
    return image


def _place(agent: Agent) -> Box:
    """Where the latest time stands that leaves room for trailers and film."""
    title, limit = re.findall(r"see (.+), all of it, .* by (\d+:\d+)", agent.prompt)[0]
    pieces = read_boxes(agent, SOURCE)
    trailers = next(int(found[1]) for _, text in pieces if (found := re.search(r"with (\d+) ?min", text)))
    top = min(box[1] for box, text in pieces if _plain(text) == _plain(title))
    below = sorted((box, text) for box, text in pieces if box[1] > top)
    facts = min((box[1], text) for box, text in below if re.match(r"\d ?h", text))
    hours, minutes = re.findall(r"(\d) ?h ?(\d+)", facts[1])[0]
    latest = _minutes(limit) - trailers - 60 * int(hours) - int(minutes)
    times = [(_minutes(text), box) for box, text in below if re.fullmatch(r"\d+:\d\d", text) and box[1] < top + 150]
    return max(time for time in times if time[0] <= latest)[1]


def _plain(text: str) -> str:
    return text.replace(" ", "").casefold()


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return 60 * int(hours) + int(minutes)
