"""A program of small files over numbers of two digits; what its ``main()`` returns comes as it is."""

import random
from functools import partial
from typing import Any

from yardkit.benchmarks.lore.generation.operators import SMALL
from yardkit.state_init.lore import code
from yardkit.state_init.lore.code import describe_task
from yardkit.world import World

generate_task = partial(code.generate_task, mode="top-down", scale=SMALL)


def seed(world: World, rng: random.Random, **dials: Any) -> dict[str, Any]:
    task = generate_task(rng, **dials)
    return task.facts(world, dials["ops"], describe_task(task, **dials))
