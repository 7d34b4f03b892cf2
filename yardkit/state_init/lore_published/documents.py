"""Documents that hold variables, of two digits or a few letters, or rules whose results name the next document."""

import random
from typing import Any

from yardkit.benchmarks.lore.generation.bottom_up import generate_bottom_up, short_key
from yardkit.benchmarks.lore.generation.documents import bottom_up_task, format_start_names
from yardkit.benchmarks.lore.generation.operators import small_value
from yardkit.benchmarks.lore.generation.task import LoreTask, draw_safe_task
from yardkit.world import World


def generate_task(rng: random.Random, *, distractors: float, **dials: Any) -> LoreTask:
    """One task; `dials` as `yardkit.benchmarks.lore.generation.bottom_up.generate_bottom_up` takes them."""
    dials |= {"leaf_value": small_value, "new_key": short_key}
    return draw_safe_task(
        lambda: bottom_up_task(generate_bottom_up(rng, **dials), rng, distractors, idle_value=small_value)
    )


def describe_task(task: LoreTask, **_dials: Any) -> dict[str, str]:
    """What the prompt says of a task."""
    return {"asked": task.asked, "starts": format_start_names(task)}


def seed(world: World, rng: random.Random, **dials: Any) -> dict[str, Any]:
    task = generate_task(rng, **dials)
    return task.facts(world, dials["ops"], describe_task(task, **dials))
