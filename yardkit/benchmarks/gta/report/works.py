"""Deliverables for the tasks of GTA-2 and their scores, from judged results or from runs of our own suites."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from yardkit.benchmarks.gta.running.judging import RESULTS, UNOPENED
from yardkit.benchmarks.gta.running.working import USAGE, USAGE_COLUMNS
from yardkit.benchmarks.gta.sets.kinds import ANSWER, asked_kinds
from yardkit.benchmarks.gta.sets.records import Record, list_numbered_records, read_json
from yardkit.benchmarks.gta.sets.workflow import PASSES_ABOVE, Node, Workflow, score_tree
from yardkit.sandbox.agents import Usage
from yardkit.sandbox.runs.stages import stage_of
from yardkit.world import Problem

_LOGS = (USAGE, "openclaw_execution_log.csv")
_ALIASES = {"task_id": "task", "duration_seconds": "seconds"}
"""Columns of OpenClaw's log -> ours."""


@dataclass(frozen=True)
class Leaf:
    """A leaf with its points from 0 to 10 (None if it was not judged) and its outcome."""

    id: str
    points: float | None
    outcome: str


@dataclass(frozen=True)
class Work:
    """An agent's work on one task.

    Attributes:
        task, category: its id and class.
        tools: the task's tools; empty if unknown.
        kinds: the kinds of files that it asks for (`yardkit.benchmarks.gta.sets.kinds`).
        root: points of the root, leaving out leaves without points; None if no leaf has any.
        published: the same as in the original's code, where a leaf without points counts as 0.
        groups: points of the groups of checkpoints below the root.
        leaves: all leaves except guardrails.
        delivered: whether something was delivered and all of it opens.
        calls, call_errors: the tool calls and their errors; None if unknown.
        seconds: the time of the work; None if unknown.
        usage: the model's usage.
    """

    task: str
    category: str = ""
    tools: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    root: float | None = None
    published: float = 0.0
    groups: tuple[float, ...] = ()
    leaves: tuple[Leaf, ...] = ()
    delivered: bool = False
    calls: int | None = None
    call_errors: int | None = None
    seconds: float | None = None
    usage: Usage = field(default_factory=Usage)

    @property
    def passed(self) -> bool:
        """Whether the root is above 7 points."""
        return self.root is not None and self.root > PASSES_ABOVE

    @property
    def stage(self) -> str:
        """The stage of its failure, one of `yardkit.sandbox.runs.stages.STAGES`; empty if it passed or is unjudged."""
        judged = [leaf for leaf in self.leaves if leaf.points is not None]
        failure_stage = stage_of(
            [leaf.outcome for leaf in judged], [(leaf.points or 0) > PASSES_ABOVE for leaf in judged], self.passed
        )
        return "delivery" if failure_stage in ("leaves", "composition") and not self.delivered else failure_stage


def read_judged(path: Path, tasks: Mapping[str, Workflow]) -> list[Work]:
    """Read the judged results in a folder, or in the file that `yardkit gta judge` wrote.

    Args:
        path: the folder or the file; time and cost of each task are read from ``usage.csv`` beside it, or from the log
            of OpenClaw.
        tasks: the tasks of the set, for data that the file lacks: classes, tools, groups. Without them these are
            omitted.

    Raises:
        Problem: the file is missing or has another format.
    """
    file = path / RESULTS if path.is_dir() else path
    used = _read_usage(file.parent)
    works = [
        _make_judged_work(name, record, tasks.get(name))
        for name, record in list_numbered_records(file.name, read_json(file))
    ]
    if not works:
        raise Problem(f"{file.name!r} in {file.parent.name!r} holds no task")
    return [_with_usage(work, used.get(work.task, {})) for work in works]


def groups_of(node: Node, points: Mapping[str, float], *, top: bool = True) -> Iterator[float]:
    """List the points of the groups below a root that have any."""
    score = score_tree(node, points) if node.parts and not top else None
    if score is not None:
        yield score
    for part in node.parts:
        yield from groups_of(part, points, top=False)


def _make_judged_work(name: str, record: Record, task: Workflow | None) -> Work:
    leaves = tuple(_make_leaf(leaf) for leaf in record.records("leaves"))
    points = {leaf.id: leaf.points for leaf in leaves if leaf.points is not None}
    root = record.get_any("root")
    files, unopened = record.items("files"), record.items(UNOPENED, optional=True)
    work = Work(
        name,
        root=float(root) if isinstance(root, int | float) else None,
        published=float(root or 0),
        leaves=leaves,
        delivered=bool(files) and not unopened,
    )
    if task is None:
        return work
    needs = " ".join([task.query, *(leaf.requirements for leaf in task.root.list_leaves())])
    kinds = asked_kinds(needs, task.files, task.tools)
    full_score = score_tree(task.root, {leaf.id: points.get(leaf.id, 0.0) for leaf in task.root.list_leaves()})
    has_answer = any(leaf.outcome != "insufficient_evidence" for leaf in leaves)
    return replace(
        work,
        category=task.category,
        tools=task.tools,
        kinds=kinds,
        published=full_score or 0.0,
        groups=tuple(groups_of(task.root, points)),
        delivered=work.delivered or (kinds == (ANSWER,) and not unopened and has_answer),
    )


def _make_leaf(record: Record) -> Leaf:
    points = record.number("points", 0.0) if record.get_any("points") is not None else None
    if points is not None and not 0 <= points <= 10:
        raise Problem(f"{record.where}.points should be 0 to 10, not {points:g}")
    return Leaf(record.text("id"), points, record.text("outcome"))


def _read_usage(folder: Path) -> dict[str, dict[str, float]]:
    """Read the time and cost of each task, by its id and the name of the column."""
    for file in (place / name for name in _LOGS for place in (folder, folder.parent)):
        if file.is_file():
            rows = csv.DictReader(io.StringIO(file.read_text("utf-8-sig")))
            return dict(_usage_row(file.name, number, row) for number, row in enumerate(rows, 2))
    return {}


def _usage_row(name: str, number: int, row: Mapping[str, str | None]) -> tuple[str, dict[str, float]]:
    named = {_ALIASES.get(name, name): value.strip() for name, value in row.items() if value}
    given = {column: named[column] for column in USAGE_COLUMNS if column in named}
    if "task" not in given:
        raise Problem(f"{name!r}, row {number} names no task; a sheet of usage has the columns task, seconds, cost_usd")
    try:
        return given["task"], {column: float(value) for column, value in given.items() if column != "task" and value}
    except ValueError as error:
        raise Problem(f"{name!r}, row {number}: {error}") from error


def _with_usage(work: Work, used: Mapping[str, float]) -> Work:
    tokens = {name: int(used.get(name, 0)) for name in ("prompt_tokens", "completion_tokens", "cached_tokens")}
    return replace(
        work,
        seconds=used.get("seconds"),
        calls=int(used["calls"]) if "calls" in used else None,
        call_errors=int(used["call_errors"]) if "call_errors" in used else None,
        usage=Usage(**tokens, cost_usd=used.get("cost_usd")),
    )
