"""The set Workflow of GTA-2: open tasks with trees of checkpoints (``end.json``), and their scores."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from yardkit.benchmarks.gta.sets.kinds import unknown_tools
from yardkit.benchmarks.gta.sets.records import Record, list_numbered_records, read_json
from yardkit.world import Problem

MAX_DEPTH = 20
PASSES_ABOVE = 7.0
"""Points above which a root or leaf counts as a success, in the papers."""
LEVELS = (5.0, 6.0, 7.0, 8.0, 9.0)
"""Points for which the papers give success rates of roots."""


@dataclass(frozen=True)
class Node:
    """A checkpoint: a leaf, which is judged, or a group, which is the weighted mean of its parts.

    Attributes:
        id: unique within the task.
        weight: among its siblings.
        requirements: the conditions to judge.
        parts: the parts of a group.
    """

    id: str
    weight: float
    requirements: str
    parts: tuple["Node", ...] = ()

    def list_leaves(self) -> Iterator["Node"]:
        """The leaves below, or the node itself if it is a leaf."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.list_leaves()


@dataclass(frozen=True)
class Workflow:
    """A task.

    Attributes:
        id: as in the file.
        category: one of six classes; empty if there is none.
        tools: names; empty if the file has none.
        files: paths relative to the folder of the set.
        query: the user's request.
        root: the tree; the root itself has no requirement.
    """

    id: str
    category: str
    tools: tuple[str, ...]
    files: tuple[str, ...]
    query: str
    root: Node


@dataclass(frozen=True)
class WorkflowSet:
    """The set.

    Attributes:
        tasks: the tasks by id, in the order of the file.
        broken: the faults of unusable tasks, by id.
        remarks: unknown fields and tools and missing files, with their places.
    """

    tasks: Mapping[str, Workflow]
    broken: Mapping[str, str]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class WorkflowScores:
    """The papers' figures for a set of judged tasks.

    Attributes:
        root_score: mean of the roots, 0 to 10.
        root_success: share of tasks whose root is above 7.
        leaf_success: share of leaves above 7.
        by_level: share of tasks whose root is above 5, 6, 7, 8, 9.
        by_category: mean of the roots of each class.
        tasks, leaves: their numbers.
        unjudged: the number of leaves without points, which are left out of the means above them.
    """

    root_score: float
    root_success: float
    leaf_success: float
    by_level: Mapping[float, float]
    by_category: Mapping[str, float]
    tasks: int
    leaves: int
    unjudged: int


def read_workflow(folder: Path) -> WorkflowSet:
    """Read the set in a folder.

    Raises:
        Problem: ``end.json`` is missing or not JSON, or no task in it can be used.
    """
    tasks: dict[str, Workflow] = {}
    broken, remarks = {}, []
    for key, record in list_numbered_records("end.json", read_json(folder / "end.json")):
        try:
            tasks[key] = _parse_task(key, record)
        except Problem as problem:
            broken[key] = str(problem)
            continue
        remarks += record.unknown()
        remarks += unknown_tools(record.where, tasks[key].tools)
        remarks += [
            f"{record.where}: there is no {path!r}" for path in tasks[key].files if not (folder / path).is_file()
        ]
    if not tasks:
        raise Problem("end.json holds no task that can be used" + "".join(f"; {words}" for words in broken.values()))
    return WorkflowSet(tasks, broken, tuple(remarks))


def score_tree(node: Node, points: Mapping[str, float]) -> float | None:
    """Score a checkpoint, 0 to 10, by Algorithm 1 of GTA-2: the weighted mean of its parts.

    Args:
        node: the checkpoint.
        points: the points of leaves by id. A leaf without points is left out; the result is None if all are.
    """
    if not node.parts:
        return points.get(node.id)
    scored = [(part.weight, score) for part in node.parts if (score := score_tree(part, points)) is not None]
    if not scored:
        return None
    total = sum(weight for weight, _ in scored)
    return sum(weight * score for weight, score in scored) / total if total > 0 else 0.0


def score_workflows(tasks: Sequence[Workflow], points: Mapping[str, Mapping[str, float]]) -> WorkflowScores:
    """Compute the figures of tasks whose leaves were judged: points by task and leaf.

    Raises:
        Problem: no task has a judged leaf.
    """
    judged = [(task, score_tree(task.root, points.get(task.id, {}))) for task in tasks]
    roots = [(task, root) for task, root in judged if root is not None]
    if not roots:
        raise Problem("no leaf of any task has points; give those of a judge")
    leaves = [(task.id, leaf.id) for task in tasks for leaf in task.root.list_leaves()]
    given = [points[task][leaf] for task, leaf in leaves if leaf in points.get(task, {})]
    classes = sorted({task.category for task, _ in roots if task.category})
    return WorkflowScores(
        fmean(root for _, root in roots),
        fmean(root > PASSES_ABOVE for _, root in roots),
        fmean(point > PASSES_ABOVE for point in given),
        {level: fmean(root > level for _, root in roots) for level in LEVELS},
        {name: fmean(root for task, root in roots if task.category == name) for name in classes},
        len(roots),
        len(given),
        len(leaves) - len(given),
    )


def _parse_task(key: str, record: Record) -> Workflow:
    turns = record.records("dialogs")
    users = [turn for turn in turns if turn.text("role") == "user"]
    if not users:
        raise Problem(f"{record.where}.dialogs has no turn of the user")
    # One part of the original reads the files from `files`, another from the user's `resources`.
    sources = [*record.records("files", optional=True), *users[0].records("resources", optional=True)]
    files = dict.fromkeys(source.text("path") for source in sources)
    parts = _parse_nodes(record, 1, Counter())
    tools = tuple(str(name) for name in record.items("tools", optional=True))
    category = record.text("workflow_category_6class", "")
    return Workflow(key, category, tools, tuple(files), users[0].text("content"), Node(key, 1.0, "", parts))


def _parse_nodes(record: Record, depth: int, seen: Counter[str]) -> tuple[Node, ...]:
    """Parse the checkpoints below a record; with an empty list the node is a leaf.

    `seen` counts the ids of the task, so that a repeated id gets a number appended.
    """
    if depth > MAX_DEPTH:
        raise Problem(f"{record.where}: checkpoints are nested more than {MAX_DEPTH} deep")
    nodes = []
    for part in record.records("sub_tasks", optional=depth > 1):
        weight = part.number("weight", 1.0)
        if not 0 <= weight < float("inf"):
            raise Problem(f"{part.where}.weight should be 0 or more, not {weight:g}")
        name = _read_id(part)
        seen[name] += 1
        name = name if seen[name] == 1 else f"{name}#{seen[name]}"
        nodes.append(Node(name, weight, part.text("requirements", ""), _parse_nodes(part, depth + 1, seen)))
    if not nodes and depth == 1:
        raise Problem(f"{record.where}.sub_tasks is empty; a task needs a checkpoint")
    if nodes and not any(node.weight for node in nodes):
        raise Problem(f"{record.where}.sub_tasks all have the weight 0; one must count")
    return tuple(nodes)


def _read_id(part: Record) -> str:
    value = part.get_any("id")
    if value is None:
        return "unknown"
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise Problem(f"{part.where}.id should be a text or a number, not {value!r}")
    return str(value)
