"""What the scripted model does: the calls of the task's own solver, recorded, with a picture and mistakes before them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from typing import Any

import toolyard
from toolyard.evaluators.proof import ToolFailed
from toolyard.sandbox.episodes.episode import Episode
from toolyard.sandbox.episodes.ledger import picture_of

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
class Step:
    """A call, and what came of it when it was recorded."""

    tool: str
    arguments: Mapping[str, Any]
    text: str
    data: Mapping[str, Any]
    is_error: bool
    picture: bytes


@dataclass(frozen=True)
class Script:
    """All calls of a model on an instance of a task, in turns, and its answer."""

    turns: list[list[Step]]
    answer: str

    @property
    def steps(self) -> list[Step]:
        return [step for turn in self.turns for step in turn]


@dataclass
class _Recorder:
    """The `toolyard.evaluators.proof.Agent` of a solver whose calls are written down."""

    episode: Episode
    steps: list[Step] = field(default_factory=list)

    @property
    def prompt(self) -> str:
        return self.episode.prompt

    def made(self, tool: str, arguments: Mapping[str, Any]) -> Step:
        reply = self.episode.call(tool, **arguments)
        picture = picture_of(reply.result.content) if reply.result else b""
        self.steps.append(Step(tool, arguments, reply.text, reply.data, reply.is_error, picture))
        return self.steps[-1]

    def call(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        return self._good(tool, arguments).data

    def text(self, tool: str, /, **arguments: Any) -> str:
        return self._good(tool, arguments).text

    def look(self, tool: str, /, **arguments: Any) -> tuple[str, bytes]:
        step = self._good(tool, arguments)
        return step.text, step.picture

    def _good(self, tool: str, arguments: Mapping[str, Any]) -> Step:
        step = self.made(tool, arguments)
        if step.is_error:
            raise ToolFailed(step.text)
        return step


@cache
def recorded(task: str, seed: int = 0) -> Script:
    """The script of one instance: mistakes and pictures, then looks, then the rest of the solver's work."""
    with toolyard.open_episode(task, seed) as episode:
        recorder = _Recorder(episode)
        first = min(path.name for path in episode.world.files.glob("receipts/*")) if "receipt" in task else ""
        for tool, arguments in MISTAKES[task]:
            recorder.made(tool, {name: value.format(first=first) for name, value in arguments.items()})
        before = len(recorder.steps)
        answer = str(episode.task.proof().solve(recorder))
    own = recorder.steps[before:]
    looks = [step for step in own if step.tool in LOOKS]
    work = [step for step in own if step.tool not in LOOKS]
    return Script([*_turns(recorder.steps[:before]), *_turns(looks), *_turns(work)], answer)


def _turns(steps: list[Step]) -> list[list[Step]]:
    """Calls of one tool that follow each other are made at once."""
    groups = [list(group) for _, group in groupby(steps, lambda step: step.tool)]
    return [group[start : start + AT_ONCE] for group in groups for start in range(0, len(group), AT_ONCE)]
