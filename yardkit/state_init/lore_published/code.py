"""A program of small files over numbers of two digits; what its ``main()`` returns comes as it is."""

import random
from typing import Any

from yardkit.benchmarks.lore.generation.operators import SMALL
from yardkit.benchmarks.lore.generation.programs import program_task
from yardkit.benchmarks.lore.generation.task import LoreTask
from yardkit.state_init.lore.code import HOW, Variant
from yardkit.world import World


def generate_task(
    rng: random.Random, *, variant: Variant, operators: str, distractors: float, **dials: Any
) -> LoreTask:
    """One task; `dials` as `yardkit.benchmarks.lore.generation.top_down.grown` takes them."""
    known = [*operators.split("+"), *(["asynchronous"] if variant == "hard" else [])]
    return program_task(rng, known, distractors, SMALL, **dials)


def describe_task(task: LoreTask, *, variant: Variant, **_dials: Any) -> dict[str, str]:
    """What the prompt says of a task."""
    return {"asked": task.asked, "how": HOW[variant]}


def seed(world: World, rng: random.Random, **dials: Any) -> dict[str, Any]:
    task = generate_task(rng, **dials)
    return task.facts(world, dials["ops"], describe_task(task, **dials))
