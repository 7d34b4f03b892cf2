"""The same with pictures: objects to count, and expressions over variables whose values name the next document."""

import random
from functools import partial
from typing import Any

from yardkit.benchmarks.lore.generation.bottom_up import generate_bottom_up, short_key
from yardkit.benchmarks.lore.generation.documents import bottom_up_task
from yardkit.benchmarks.lore.generation.operators import small_value
from yardkit.benchmarks.lore.generation.pictures import RULES, Pictures, Variant, has_picture, leaf_value
from yardkit.benchmarks.lore.generation.task import LoreTask, draw_safe_task
from yardkit.state_init.lore_published import documents
from yardkit.world import Problem, World

PICTURES: dict[Variant, str] = {
    "standard": "Some documents show the value of a variable in a picture.",
    "hard": "Some documents show the value of a variable in a picture of objects: circles, squares, triangles, "
    "hexagons, and diamonds, which are higher than wide.",
}


def generate_task(
    rng: random.Random, *, variant: Variant, operators: str, distractors: float, **dials: Any
) -> LoreTask:
    """One task, with at least one picture.

    `dials` are those of `yardkit.benchmarks.lore.generation.bottom_up.generate_bottom_up`.

    Raises:
        Problem: no operator is over numbers, which alone are shown.
    """
    if operators == "concatenate":
        raise Problem("operators=concatenate: it joins texts, and only numbers are shown in pictures; add 'add'")
    pictures = Pictures(variant, rng, ["rules"], named=True)
    values = partial(leaf_value, usual=small_value)
    dials |= {"operators": operators, "leaf_value": values, "new_key": short_key}
    show, rule = pictures.show, pictures.show_rule

    def build_task() -> LoreTask:
        generated_tree = generate_bottom_up(rng, **dials)
        return bottom_up_task(generated_tree, rng, distractors, show, show_rule=rule, idle_value=small_value)

    return draw_safe_task(build_task, has_picture)


def describe_task(task: LoreTask, *, variant: Variant, **dials: Any) -> dict[str, str]:
    """What the prompt says of a task."""
    return {**documents.describe_task(task, **dials), "pictures": f"{PICTURES[variant]} {RULES}"}


def seed(world: World, rng: random.Random, **dials: Any) -> dict[str, Any]:
    task = generate_task(rng, **dials)
    return task.facts(world, dials["ops"], describe_task(task, **dials))
