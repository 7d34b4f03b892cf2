"""A stratified sample of tasks, by domain and difficulty."""

import random
from collections.abc import Sequence

from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem


def sample_tasks(tasks: Sequence[Task], count: int) -> list[Task]:
    """Select `count` of the tasks, in their order; always the same ones.

    Each kind (domain and difficulty) has its share, rounded by largest remainders (Hamilton). A fixed random choice
    selects the tasks of a kind, and the kinds that get one more if remainders are equal.

    Raises:
        Problem: there are fewer tasks.
    """
    if not 1 <= count <= len(tasks):
        raise Problem(f"--sample {count}: there are {len(tasks)} tasks; take 1 to {len(tasks)}")
    rng = random.Random(f"sample:{count}:{','.join(task.id for task in tasks)}")  # noqa: S311 - seeded, no secret
    kinds: dict[tuple[str, str], list[Task]] = {}
    for task in tasks:
        kinds.setdefault((task.profile.domain, task.profile.difficulty), []).append(task)
    shares = {kind: count * len(some) / len(tasks) for kind, some in sorted(kinds.items())}
    places = {kind: int(share) for kind, share in shares.items()}
    by_rest = sorted(shares, key=lambda kind: (places[kind] - shares[kind], rng.random()))
    for kind in by_rest[: count - sum(places.values())]:
        places[kind] += 1
    chosen = {task.id for kind, number in places.items() for task in rng.sample(kinds[kind], number)}
    return [task for task in tasks if task.id in chosen]
