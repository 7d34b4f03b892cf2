"""A generated task as it is stored, told and graded."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from yardkit.apps.lore_documents import Record, save_documents
from yardkit.world import World


@dataclass(frozen=True)
class Step:
    """One document of the right way.

    Attributes:
        read: its name.
        result_text: how its name (bottom-up) or its value (top-down) is found; empty where it is told.
        result: of the operation by which it is found; empty where there is none.
    """

    read: str
    result_text: str = ""
    result: str = ""


@dataclass(frozen=True)
class Leads:
    """How documents lead to others.

    Attributes:
        named: the documents that a document names.
        rules: for each document whose name must be worked out: its name, and the documents that must be read for that.
    """

    named: Mapping[str, Sequence[str]] = field(default_factory=dict)
    rules: Sequence[Sequence[str]] = ()


@dataclass(frozen=True)
class LoreTask:
    """A whole task.

    Attributes:
        records: all documents.
        starts: the names that the agent is told.
        asked: what is asked for.
        answer: its value.
        height: the longest chain of operations that depend on each other.
        steps: the documents in an order in which they can be read.
        answer_source: the one document that says the answer; empty where none does.
        leads: how documents lead to others.
    """

    records: Sequence[Record]
    starts: list[str]
    asked: str
    answer: str
    height: int
    steps: list[Step]
    answer_source: str = ""
    leads: Leads = Leads()

    @property
    def gives_answer_away(self) -> bool:
        """Whether the answer stands in a document that does not have to say it, as it may by chance."""
        word = re.compile(rf"(?<!\w){re.escape(self.answer)}(?!\w)")
        return any(
            self.answer in record["text"] and word.search(record["text"]) and record["id"] != self.answer_source
            for record in self.records
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON, without the leads, which follow from the documents."""
        return {name: value for name, value in asdict(self).items() if name != "leads"}

    def facts(self, world: World, ops: int, clues: Mapping[str, str]) -> dict[str, Any]:
        """Store the documents, and return what graders and reports know, with what the prompt tells.

        ``solved`` holds the documents whose names are results: who has read one has solved an operation. Top-down there
        are none: nothing but the answer shows how far an agent came. ``leads`` tell how an agent gets to know names.
        """
        save_documents(world, self.records)
        return {
            "answer": self.answer,
            "documents": [step.read for step in self.steps],
            "solved": [step.read for step in self.steps if step.result] if self.answer_source else [],
            "results": [step.result for step in self.steps if step.result],
            "leads": {"told": self.starts, "named": self.leads.named, "rules": self.leads.rules},
            "measures": {"operations": ops, "height": self.height},
            "prompt": clues,
        }


def draw_safe_task(
    generate: Callable[[], LoreTask], is_suitable: Callable[[LoreTask], bool] = lambda _: True
) -> LoreTask:
    """The first task that does not give its answer away and is as `wanted`; each call of `generate` makes another."""
    while (task := generate()).gives_answer_away or not is_suitable(task):
        pass
    return task
