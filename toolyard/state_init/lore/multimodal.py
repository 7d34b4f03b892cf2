"""Documents of which some show their value: objects to count, formulas to read; turned and mirrored if it is hard."""

import random
from typing import Any

from toolyard.state_init.lore.documents import HOW
from toolyard.state_init.weaving import bottom_up, top_down
from toolyard.state_init.weaving.documents import bottom_up_task, told_starts, top_down_task
from toolyard.state_init.weaving.pictures import Pictures, Variant, leaf_value
from toolyard.state_init.weaving.task import LoreTask, unspoilt
from toolyard.world import World


def generate(
    rng: random.Random, *, ops: int, mode: str, variant: Variant, distractors: float, **dials: Any
) -> LoreTask:
    """One task; `dials` as `toolyard.state_init.weaving.bottom_up.weave` takes them."""
    show = Pictures(variant, rng).show
    dials |= {"ops": ops, "leaf_value": leaf_value}
    if mode == "bottom-up":
        return unspoilt(lambda: bottom_up_task(bottom_up.weave(rng, **dials), rng, distractors, show))
    return unspoilt(lambda: top_down_task(top_down.weave(rng, **dials), rng, distractors, show))


def seed(world: World, rng: random.Random, *, ops: int, mode: str, **dials: Any) -> dict[str, Any]:
    task = generate(rng, ops=ops, mode=mode, **dials)
    return task.facts(world, ops, {"how": HOW[mode], "starts": told_starts(task)})
