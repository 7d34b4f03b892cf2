"""Documents that hold variables, of two digits or a few letters, or rules whose results name the next document."""

import random
from typing import Any

from yardkit.state_init.weaving.bottom_up import short_key, weave
from yardkit.state_init.weaving.documents import bottom_up_task, told_starts
from yardkit.state_init.weaving.operators import small_value
from yardkit.state_init.weaving.task import LoreTask, unspoilt
from yardkit.world import World


def generate(rng: random.Random, *, distractors: float, **dials: Any) -> LoreTask:
    """One task; `dials` as `yardkit.state_init.weaving.bottom_up.weave` takes them."""
    dials |= {"leaf_value": small_value, "new_key": short_key}
    return unspoilt(lambda: bottom_up_task(weave(rng, **dials), rng, distractors, idle_value=small_value))


def told(task: LoreTask, **_dials: Any) -> dict[str, str]:
    """What the prompt says of a task."""
    return {"asked": task.asked, "starts": told_starts(task)}


def seed(world: World, rng: random.Random, **dials: Any) -> dict[str, Any]:
    task = generate(rng, **dials)
    return task.facts(world, dials["ops"], told(task, **dials))
