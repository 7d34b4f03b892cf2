"""Solutions and near misses of gta/box_dearest."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.solving.tool_results import read_boxes
from yardkit.evaluators import misses
from yardkit.evaluators.misses import draw_other_boxes, save_boxed
from yardkit.evaluators.proof import Agent, Solved

SOURCE, BOXED = "receipt.jpg", "generated/dearest.png"


def solve(agent: Agent) -> str:
    """Read the receipt, and draw the box around the line of the article."""
    box = ", ".join(map(str, _find_dearest(agent)))
    return f"The box is on {agent.text('DrawBox', image=SOURCE, bbox=f'({box})', filename='dearest')}."


def alternative_a_wider_box_with_words(agent: Agent, _files: Path) -> str:
    """The box has some room, and says what it shows."""
    left, top, right, bottom = _find_dearest(agent)
    box = f"{left - 12}, {top - 8}, {right + 12}, {bottom + 8}"
    return agent.text("DrawBox", image=SOURCE, bbox=box, annotation="dearest", filename="dearest.png")


def alternative_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow draws an outline, without a tint."""
    save_boxed(files, SOURCE, BOXED, [_find_dearest(agent)])
    return ""


near_miss_largest_amount = draw_other_boxes(BOXED, SOURCE, lambda facts: [facts["largest"]], "around")
near_miss_all_articles_in_one_box = draw_other_boxes(
    BOXED, SOURCE, lambda facts: [_compute_hull([*facts["wanted"], *facts["others"]])], "around"
)
near_miss_two_boxes = draw_other_boxes(BOXED, SOURCE, lambda facts: [*facts["wanted"], facts["largest"]], "around")
near_miss_in_another_colour = draw_other_boxes(BOXED, SOURCE, lambda facts: facts["wanted"], "around", color="#2040E0")
near_miss_painted_over = draw_other_boxes(BOXED, SOURCE, lambda facts: facts["wanted"], ("around", "rest"), filled=True)
near_miss_nothing_drawn = misses.picture_changed(BOXED, lambda image: image, ("around", "rest"), source=SOURCE)
near_miss_original_deleted = misses.delete_file(SOURCE)


@misses.picture_changes(BOXED, caught_by="rest")
def near_miss_another_article_crossed_out(image: Any, work: Solved) -> Any:
    """A line stands through an article that is not asked for."""
    left, top, right, bottom = work.facts["others"][0]
    image.paste("#202020", (left, (top + bottom) // 2 - 3, right, (top + bottom) // 2 + 3))
    return image


def _find_dearest(agent: Agent) -> tuple[int, ...]:
    """Where the article that costs most per piece stands, with its amount."""
    pieces = read_boxes(agent, SOURCE)
    end = min(box[1] for box, text in pieces if "TOTAL" in text.upper())
    priced_lines = []
    for amount, text in pieces:
        if re.fullmatch(r"\d+\.\d\d", text) and amount[1] < end - 20:
            line = _compute_hull([box for box, _ in pieces if box[1] < (amount[1] + amount[3]) / 2 < box[3]])
            below = [text for box, text in pieces if line[3] - 12 <= box[1] < line[3] + 12]
            counts = [int(text[0]) for text in below if re.match(r"\d ?x", text, re.IGNORECASE)]
            priced_lines.append((float(text) / (counts[0] if counts else 1), line))
    return tuple(round(side) for side in max(priced_lines)[1])


def _compute_hull(boxes: Sequence[Sequence[float]]) -> tuple[float, ...]:
    lows, highs = [min(box[at] for box in boxes) for at in (0, 1)], [max(box[at] for box in boxes) for at in (2, 3)]
    return *lows, *highs
