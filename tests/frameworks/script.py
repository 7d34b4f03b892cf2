"""What the scripted model does: the calls of a task's own solver, recorded; before them mistakes and a picture."""

from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

import yardkit
from frameworks.dialects import Turn
from yardkit.sandbox.adapters.recording import Recorded, Recorder

AT_ONCE = 24
"""Calls that the model makes in one turn, at most."""
LOOKS = ("list_folder", "describe_path", "read_file", "read_image_text")
"""Tools whose calls do not depend on what others change here: they are made first, many at once."""
MISTAKES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "quickstart/sort_inbox": [("read_file", {"path": "inbox/not_there.txt"})],
    "quickstart/receipt_total": [
        ("read_file", {"path": "agreement_final.md"}),
        ("read_media", {"path": "receipts/none.jpg"}),
        ("evaluate_expression", {"expression": "1 / 0"}),
        ("read_media", {"path": "receipts/{first}"}),
    ],
}
"""Calls that are made before those of the solver: errors of three kinds, and a look at a picture."""


@dataclass(frozen=True)
class Script:
    """All calls of a model on an instance of a task, in turns, and its answer."""

    turns: list[list[Recorded]]
    answer: str

    @property
    def asked(self) -> list[Turn]:
        """The turns as a model makes them."""
        return [[(step.tool, step.arguments) for step in turn] for turn in self.turns]

    @property
    def steps(self) -> list[Recorded]:
        return [step for turn in self.turns for step in turn]


@cache
def record_script(task: str, seed: int = 0) -> Script:
    """The script of one instance: mistakes and pictures, then looks, then the rest of the solver's work."""
    with yardkit.open_episode(task, seed) as episode:
        recorder = Recorder(episode)
        first = min(path.name for path in episode.world.files.glob("receipts/*")) if "receipt" in task else ""
        for tool, arguments in MISTAKES[task]:
            recorder.make_call(tool, {name: value.format(first=first) for name, value in arguments.items()})
        before = len(recorder.calls)
        answer = str(episode.task.proof().solve(recorder))
    own = recorder.calls[before:]
    looks = [step for step in own if step.tool in LOOKS]
    work = [step for step in own if step.tool not in LOOKS]
    return Script([*_group_turns(recorder.calls[:before]), *_group_turns(looks), *_group_turns(work)], answer)


def _group_turns(steps: list[Recorded]) -> list[list[Recorded]]:
    """Calls of one tool that follow each other are made at once."""
    groups = [list(group) for _, group in groupby(steps, lambda step: step.tool)]
    return [group[start : start + AT_ONCE] for group in groups for start in range(0, len(group), AT_ONCE)]
