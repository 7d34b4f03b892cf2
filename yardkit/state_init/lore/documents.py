"""Documents that hold variables or rules; what a rule gives names the document to read next, or the value asked for."""

import random
from typing import Any

from yardkit.benchmarks.lore.generation import bottom_up, top_down
from yardkit.benchmarks.lore.generation.documents import bottom_up_task, format_start_names, top_down_task
from yardkit.benchmarks.lore.generation.task import LoreTask, draw_safe_task
from yardkit.world import World

HOW = {
    "bottom-up": "Some documents hold values of variables, others say which document to read next: its id is given "
    "with an X, as in 'v4%X', where v4 is part of the id and no variable, and X stands for the result of a rule over "
    "variables (a negative number with its minus sign, a positive one without sign, nothing else).",
    "top-down": "Some documents hold values of variables, others say how the value of a variable follows from others, "
    "and in which documents these are. A remainder is never negative.",
}


def generate_task(rng: random.Random, *, ops: int, mode: str, distractors: float, **dials: Any) -> LoreTask:
    """One task; `dials` as `yardkit.benchmarks.lore.generation.bottom_up.generate_bottom_up` takes them."""
    if mode == "bottom-up":
        return draw_safe_task(
            lambda: bottom_up_task(bottom_up.generate_bottom_up(rng, ops=ops, **dials), rng, distractors)
        )
    return draw_safe_task(lambda: top_down_task(top_down.generate_top_down(rng, ops=ops, **dials), rng, distractors))


def describe_task(task: LoreTask, *, mode: str, **_dials: Any) -> dict[str, str]:
    """What the prompt says of a task."""
    return {"asked": task.asked, "how": HOW[mode], "starts": format_start_names(task)}


def seed(world: World, rng: random.Random, **dials: Any) -> dict[str, Any]:
    task = generate_task(rng, **dials)
    return task.facts(world, dials["ops"], describe_task(task, **dials))
