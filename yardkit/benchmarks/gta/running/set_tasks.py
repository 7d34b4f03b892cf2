"""Tasks for episodes from a set of GTA or GTA-2 in a user's folder: each is a world with its files."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any

from yardkit.benchmarks.gta.sets.atomic import AtomicSet, Sample, read_atomic
from yardkit.benchmarks.gta.sets.workflow import Workflow, WorkflowSet, read_workflow
from yardkit.sandbox.serving.agentlego.signatures import DIALECT
from yardkit.sandbox.serving.registry import ALL, Offer, chosen_servers, load_selections
from yardkit.sandbox.serving.workspace_server import narrow_offer
from yardkit.sandbox.tasks.profiles import Profile
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem, World

NOW = "2026-01-01T09:00:00+00:00"
"""The clock of these worlds; the sets have none."""
_ATOMIC, _WORKFLOW = "gta-atomic", "gta-workflow"


@dataclass(frozen=True)
class SetTask(Task):
    """A task of a set; it has neither checks nor a proof.

    Attributes:
        source: the set's folder.
        files: paths in that folder, which are also the paths in the world.
    """

    source: Path = field(default_factory=Path)
    files: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        return self.source / "material of the task"  # no such folder exists: files are copied one by one

    def prompt(self, gap_values: Mapping[str, str]) -> str:  # noqa: ARG002 - there is nothing to fill in
        """The set's prompt, in which braces have no special meaning."""
        return self.prompt_template

    def seeding(self) -> Any:
        """The function that copies the files, in place of a seed script."""
        return SimpleNamespace(seed=partial(_copy_files, self.source, self.files))


def with_files(query: str, files: Sequence[str]) -> str:
    """Put the list of files before the user's request, as the original does."""
    named = ", ".join(f"`{path}`" for path in files)
    return f"The related files are at {named}\n\n{query}" if named else query


def read_set(folder: Path) -> AtomicSet | WorkflowSet:
    """Read the set in a folder; the file name decides which set it is.

    Raises:
        Problem: there is no set, or nothing in it can be used.
    """
    if (folder / "dataset.json").is_file():
        return read_atomic(folder)
    if (folder / "end.json").is_file():
        return read_workflow(folder)
    raise Problem(f"{str(folder)!r} holds neither dataset.json (GTA) nor end.json (GTA-2)")


def set_task(item: Sample | Workflow, source: Path, *, all_tools: bool) -> SetTask:
    """Make a task of a set, with its own tools or all of the set.

    Raises:
        Problem: a tool is unknown, or a file is missing or outside the folder.
    """
    selection = _ATOMIC if isinstance(item, Sample) else _WORKFLOW
    if not re.fullmatch(r"\w[\w.-]*", item.id):
        raise Problem(f"the id {item.id!r} names no folder; use letters and digits")
    for path in item.files:
        if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
            raise Problem(f"the file {path!r} is outside the set; name it relative to its folder")
        if not (source / path).is_file():
            raise Problem(f"there is no {path!r} in {source.name!r}")
    tools = load_selections()[selection].tools if all_tools or not item.tools else item.tools
    offer = narrow_offer(Offer(tuple(chosen_servers([ALL], DIALECT)), DIALECT, tuple(tools)))
    return SetTask(
        id=f"{selection}/{item.id}",
        title=item.query[:80],
        servers=offer.servers,
        profile=Profile("synthetic", "medium", (), ()),
        now=NOW,
        time_limit_s=60,
        prompt_template=with_files(item.query, item.files),
        free={},
        dialect=DIALECT,
        tools=offer.tools,
        source=source.absolute(),
        files=item.files,
    )


def _copy_files(source: Path, files: Sequence[str], world: World, _rng: object) -> dict[str, Any]:
    for path in files:
        target = world.files / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, target)
    return {}
