"""Documents of which some show their value: objects to count, formulas to read; turned and mirrored if it is hard."""

import random
from typing import Any

from yardkit.benchmarks.lore.generation import bottom_up, top_down
from yardkit.benchmarks.lore.generation.documents import bottom_up_task, top_down_task
from yardkit.benchmarks.lore.generation.pictures import FORMULAS, RULES, Pictures, Variant, has_picture, leaf_value
from yardkit.benchmarks.lore.generation.task import LoreTask, draw_safe_task
from yardkit.state_init.lore import documents
from yardkit.world import Problem, World

PICTURES: dict[Variant, str] = {
    "standard": "Some documents show the value of a variable in a picture.",
    "hard": "Some documents show the value of a variable in a picture: of objects (circles, squares, triangles, "
    "hexagons, and diamonds, which are higher than wide), or of a formula that may be stretched, slanted, mirrored or "
    "turned.",
}


def generate_task(
    rng: random.Random,
    *,
    ops: int,
    mode: str,
    variant: Variant,
    operators: str,
    formulas: str,
    distractors: float,
    **dials: Any,
) -> LoreTask:
    """One task, with at least one picture.

    `dials` are those of `yardkit.benchmarks.lore.generation.bottom_up.generate_bottom_up`.

    Raises:
        Problem: no operator is over numbers, which alone are shown; or rules that name no document are to be shown.
    """
    pictures = Pictures(variant, rng, [kind for kind in FORMULAS if kind in formulas.split("+")])
    show = pictures.show
    dials |= {"ops": ops, "operators": operators, "leaf_value": leaf_value}
    if mode == "top-down":
        if "values" not in formulas:
            raise Problem(f"formulas={formulas}: top-down no rule names a document; leave it out, or the mode")
        return draw_safe_task(
            lambda: top_down_task(top_down.generate_top_down(rng, **dials), rng, distractors, show), has_picture
        )
    if operators == "concatenate":
        raise Problem(
            "operators=concatenate: bottom-up it joins texts, and only numbers are shown in pictures; add 'add'"
        )
    rule = pictures.show_rule
    return draw_safe_task(
        lambda: bottom_up_task(bottom_up.generate_bottom_up(rng, **dials), rng, distractors, show, show_rule=rule),
        has_picture,
    )


def describe_task(task: LoreTask, *, variant: Variant, formulas: str, **dials: Any) -> dict[str, str]:
    """What the prompt says of a task."""
    rules = f" {RULES}" if "rules" in formulas else ""
    return {**documents.describe_task(task, **dials), "pictures": PICTURES[variant] + rules}


def seed(world: World, rng: random.Random, **dials: Any) -> dict[str, Any]:
    task = generate_task(rng, **dials)
    return task.facts(world, dials["ops"], describe_task(task, **dials))
