"""A program of small files; what its ``main()`` returns is asked for."""

import random
from typing import Any, Literal

from yardkit.benchmarks.lore.generation.operators import LARGE, Scale
from yardkit.benchmarks.lore.generation.programs import program_task
from yardkit.benchmarks.lore.generation.task import LoreTask
from yardkit.world import World

Variant = Literal["standard", "hard"]
HOW: dict[Variant, str] = {
    "standard": "It is ordinary Python 3.",
    "hard": "It is ordinary Python 3; a coroutine sleeps exactly as long as it says, and nothing else takes any time.",
}


def generate_task(
    rng: random.Random,
    *,
    ops: int,
    mode: str,  # noqa: ARG001 - there is one; the parameters are those of the other domains
    variant: Variant,
    operators: str,
    distractors: float,
    scale: Scale = LARGE,
    **dials: Any,
) -> LoreTask:
    """One task; `dials` as `yardkit.benchmarks.lore.generation.top_down.grown` takes them."""
    known = [*operators.split("+"), *(["asynchronous"] if variant == "hard" else [])]
    return program_task(rng, known, distractors, scale, ops=ops, **dials)


def describe_task(task: LoreTask, *, variant: Variant, **_dials: Any) -> dict[str, str]:
    """What the prompt says of a task."""
    return {"asked": task.asked, "how": HOW[variant]}


def seed(world: World, rng: random.Random, **dials: Any) -> dict[str, Any]:
    task = generate_task(rng, **dials)
    return task.facts(world, dials["ops"], describe_task(task, **dials))
