"""Feedback with which an agent continues after a delivery: none, coarse, or per checkpoint.

Modelled on the feedback runs of GTA-2. It reveals no facts: for a leaf it gives the sentence, which is the same for
every seed, but not the evidence; for a missing file it gives the name only if the prompt has it.
"""

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from yardkit.evaluators.scoring import Grade
from yardkit.sandbox.episodes.episode import Episode
from yardkit.world import save_text

Kind = Literal["none", "coarse", "checkpoint"]
FEEDBACK: Mapping[Kind, str] = {
    "none": "that it should look over its work once more, whatever it is worth",
    "coarse": "that the work does not pass, and which deliverables are missing",
    "checkpoint": "which checkpoints do not hold, in their words",
}
"""Kinds of feedback -> what an agent is told."""
ATTEMPTS = 3
"""Deliveries in all, where feedback is asked for and no number is said."""
DELIVERIES = "deliveries.json"
"""The file of an episode with the answer, grade and feedback of each delivery but the last."""
_GO_ON = "Correct it, check what you did, and give your final answer again."


class Reviews:
    """The reviews of one run. Called with the answer of a delivery, it returns the feedback, empty for the last one.

    Attributes:
        seconds: the wall time of the reviews, which is not counted as the agent's.
        earlier: reward and pass of each delivery before the last one.
    """

    def __init__(self, episode: Episode, kind: Kind, attempts: int) -> None:
        self.seconds = 0.0
        self.earlier: list[dict[str, Any]] = []
        self._episode = episode
        self._kind = kind
        self._left = attempts - 1
        self._records: list[dict[str, Any]] = []

    def __call__(self, answer: str) -> str:
        if self._left <= 0:
            return ""
        self._left -= 1
        started = time.perf_counter()
        grade = self._episode.grade_so_far(answer)
        words = feedback_on(grade, self._kind, self._episode)
        self.seconds += time.perf_counter() - started
        if words:
            self.earlier.append({"reward": grade.reward, "passed": grade.passed})
            self._records.append({"answer": answer, "feedback": words, "grade": grade.as_dict()})
            save_text(self._episode.directory / DELIVERIES, json.dumps(self._records, indent=2) + "\n")
        return words


def feedback_on(grade: Grade, kind: Kind, episode: Episode) -> str:
    """Make the feedback on a delivery; empty if all passes, no judged leaf failed, or we are at fault.

    With the kind none, the agent is still asked to continue, since silence would reveal that it passed.
    """
    if kind == "none":
        return f"You get no verdict on your work. Check it once more yourself. {_GO_ON}"
    failed = [leaf for leaf in grade.verdict.list_leaves() if leaf.failed] if grade.verdict and grade.valid else []
    if not failed:
        return ""
    if kind == "checkpoint":
        points = "\n".join(f"- {leaf.says}" for leaf in failed)
        return f"Your work was checked point by point. These points fail:\n{points}\n\n{_GO_ON}"
    empty = {leaf.id for leaf in failed if leaf.outcome == "insufficient_evidence"}
    missing = list(dict.fromkeys(_list_missing(episode, empty)))
    named = f" Missing: {', '.join(missing)}." if missing else " Something is missing." if empty else ""
    return f"Your work was checked. It does not pass.{named} {_GO_ON}"


def _list_missing(episode: Episode, leaves: set[str]) -> Iterator[str]:
    """List the missing files that the prompt names, and the answer if it is missing."""
    for leaf in episode.task.checks().list_leaves():
        for target in leaf.covers if leaf.id in leaves else ():
            name = target.partition(":")[2].partition("#")[0]
            if name and name in episode.prompt:
                yield name
            elif target == "answer":
                yield "the final answer"
