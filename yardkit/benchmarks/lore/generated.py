"""Generated tasks without an episode: the output of a domain's generator for parameters and a seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.benchmarks.lore.generation.task import LoreTask
from yardkit.sandbox.tasks.seeding import make_chance
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem


@dataclass(frozen=True)
class Generated:
    """An instance as its generator made it, with the same content as in an episode of the task and seed."""

    task: Task
    seed: int
    lore_task: LoreTask

    @classmethod
    def generate(cls, task: Task, seed: int) -> "Generated":
        """Generate an instance of a task accepted by `of_documents`, in memory."""
        return cls(task, seed, task.seeding().generate_task(make_chance(task, seed), **task.values))

    @property
    def operations(self) -> int:
        return int(self.task.values["ops"])

    @property
    def name(self) -> str:
        """The name of the instance's file."""
        return f"{self.task.id.split('/')[1]}-seed-{self.seed}"

    def as_dict(self) -> dict[str, Any]:
        """The prompt, the documents, the answer and the way to it as JSON values."""
        lore_task = self.lore_task
        measures: Mapping[str, int] = {"operations": self.operations, "height": lore_task.height}
        return {
            "task": self.task.id,
            "seed": self.seed,
            "parameters": dict(self.task.values),
            "measures": measures,
            "prompt": self.task.prompt(self.task.seeding().describe_task(lore_task, **self.task.values)),
            "starts": lore_task.starts,
            "asked": lore_task.asked,
            "answer": lore_task.answer,
            "trajectory": [vars(step) for step in lore_task.steps],
            "documents": list(lore_task.records),
        }


def of_documents(tasks: Sequence[Task]) -> tuple[list[Task], list[str]]:
    """Select the tasks made only of documents, which a generator can make, and the reasons against the others.

    Raises:
        Problem: there is none.
    """
    document_tasks = [task for task in tasks if hasattr(task.seeding(), "generate_task")]
    reasons = [
        f"{task.id} consists of a full workspace; `yardkit open {task.id}` seeds one"
        for task in tasks
        if task not in document_tasks
    ]
    if not document_tasks:
        raise Problem("; ".join(reasons))
    return document_tasks, reasons
