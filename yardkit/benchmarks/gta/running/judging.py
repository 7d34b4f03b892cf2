"""Judging the deliverables of any harness for the set Workflow, leaf by leaf.

Results are one folder per task. Four layouts are supported: ``generic`` (``<task>/final.txt`` with the answer and
``<task>/files/**``), ``openclaw`` (``<task>/**``), ``manus`` (the files directly in ``<task>``), and ``yardkit``: the
folder of an episode that was graded.
"""

import os
import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from yardkit.benchmarks.gta.sets.records import read_json, save_json
from yardkit.benchmarks.gta.sets.workflow import Node, Workflow, score_tree
from yardkit.evaluators.checkpoints import (
    Checkpoint,
    Facts,
    Finding,
    InsufficientEvidence,
    InvalidArtifact,
    make_checkpoint,
)
from yardkit.evaluators.isolation import Limits, look_in_fork
from yardkit.evaluators.judge import Material, rate_look
from yardkit.evaluators.readers.views import show_file
from yardkit.evaluators.submission import Submission
from yardkit.programs.pool import Died, in_workers
from yardkit.world import Problem

Layout = Literal["generic", "openclaw", "manus", "yardkit"]

MAX_FILES, MAX_BYTES = 20, 500_000_000
"""Deliverables of a task that a judge is shown, and bytes of all of them."""
LIMITS = Limits(1800.0, 4 << 30)
_CACHE = "YARDKIT_JUDGE_CACHE"
RESULTS = "judged.json"
UNOPENED = "unopened"
"""The field of a judged task with the files that cannot be opened."""
_SKIPPED = {".git", "__pycache__", ".idea", ".vscode", "node_modules", ".DS_Store"}


@dataclass(frozen=True)
class JudgedLeaf:
    """A leaf with its judgement.

    Attributes:
        id, requirements: from the tree.
        points: 0 to 10; None if it was not judged.
        outcome: the outcome, as for any checkpoint, such as ``pass`` or ``observer_invalid``.
        why: the evidence.
    """

    id: str
    requirements: str
    points: float | None
    outcome: str
    why: str


@dataclass(frozen=True)
class JudgedTask:
    """A task: the points of its root (None if no leaf has any), its leaves, the files that were shown, and those among
    them that cannot be opened.
    """

    id: str
    root: float | None
    leaves: tuple[JudgedLeaf, ...]
    files: tuple[str, ...]
    unopened: tuple[str, ...] = ()

    @property
    def points(self) -> dict[str, float]:
        """The points of judged leaves, by id."""
        return {leaf.id: leaf.points for leaf in self.leaves if leaf.points is not None}


@dataclass(frozen=True)
class Judging:
    """A task whose result is in a folder with one of the layouts."""

    folder: Path
    task: Workflow
    layout: Layout


def judge_results(
    results: Path, places: Sequence[tuple[Workflow, Path]], layout: Layout, jobs: int
) -> Iterator[JudgedTask | tuple[str, str]]:
    """Judge the results of tasks and yield them as they finish; for an unjudgeable one, its id and the reason.

    The judge's answers are kept below `results`, so that a resumed run does not ask again.
    """
    judgings = [Judging(folder, task, layout) for task, folder in places]
    with _keep_answers(results / ".judge"):
        # The judging's own limit comes first; this one only ends a worker that hangs.
        for judging, judged in in_workers(_try_judging, judgings, jobs, LIMITS.seconds + 60):
            yield (judging.task.id, judged.reason) if isinstance(judged, Died) else judged


@contextmanager
def _keep_answers(folder: Path) -> Iterator[None]:
    """Let the workers that start meanwhile keep the judge's answers in a folder, unless the user has named one."""
    if _CACHE in os.environ:
        yield
        return
    os.environ[_CACHE] = str(folder.absolute())
    try:
        yield
    finally:
        del os.environ[_CACHE]


def _try_judging(judging: Judging) -> JudgedTask | tuple[str, str]:
    try:
        return judge_task(judging.folder, judging.task, judging.layout)
    except Problem as problem:
        return judging.task.id, str(problem)


def judge_task(folder: Path, task: Workflow, layout: Layout) -> JudgedTask:
    """Judge the files in the folder of a task, with the judge that is set in the environment.

    Raises:
        Problem: the folder is missing or too large.
    """
    with _open_submission(folder, layout) as submission:
        paths = [path for path in submission.files.rglob("*") if path.is_file()]
        names = sorted(path.relative_to(submission.files).as_posix() for path in paths)[:MAX_FILES]
        checks = [_make_leaf(task, node, above, names) for node, above in _with_those_above(task.root)]
        opened = [_make_opening_check(number, name) for number, name in enumerate(names)]
        findings = look_in_fork([*checks, *opened], lambda: submission, {}, LIMITS)
    leaves = tuple(_make_judged_leaf(node, findings[node.id]) for node in task.root.list_leaves())
    points = {leaf.id: leaf.points for leaf in leaves if leaf.points is not None}
    unopened = tuple(
        name for check, name in zip(opened, names, strict=True) if findings[check.id].outcome == "invalid_artifact"
    )
    return JudgedTask(task.id, score_tree(task.root, points), leaves, tuple(names), unopened)


def save_judged(results: Path, tasks: Sequence[JudgedTask]) -> Path:
    """Write the judgements beside the results."""
    target = results / RESULTS
    save_json(target, {task.id: asdict(task) for task in tasks})
    return target


def _with_those_above(node: Node, above: tuple[str, ...] = ()) -> Iterator[tuple[Node, tuple[str, ...]]]:
    """List the leaves, each with the requirements of the groups above it."""
    if not node.parts:
        yield node, above
    for part in node.parts:
        yield from _with_those_above(part, (*above, node.requirements) if node.requirements else above)


def _make_leaf(task: Workflow, node: Node, above: Sequence[str], names: Sequence[str]) -> Checkpoint:
    def look(submission: Submission, _facts: Facts) -> Material:
        if not names and not submission.answer:
            raise InsufficientEvidence("nothing was delivered and there is no answer")
        return [f"The final answer:\n{submission.answer or '(none)'}", *_list_views(submission, names)]

    part_of = [f"It is a part of: {'; '.join(above)}"] if above else []
    about = "\n\n".join([f"The task was:\n{task.query}", *part_of])
    return make_checkpoint(
        node.id, node.requirements, rate_look(look, node.requirements, about), covers=(), kind="judge"
    )


def _make_opening_check(number: int, name: str) -> Checkpoint:
    """Make a check whether a file can be shown; it reuses pages that were rendered for the leaves."""

    def look(submission: Submission, _facts: Facts) -> Finding:
        for _ in show_file(submission, name):
            pass
        return Finding("pass", "it opens")

    return make_checkpoint(f"file {number} opens", f"{name} opens", look, covers=())


def _list_views(submission: Submission, names: Sequence[str]) -> Iterator[str | bytes]:
    for name in names:
        try:
            yield from show_file(submission, name)
        except InvalidArtifact as error:
            yield f"File {name} cannot be opened: {error}"


def _make_judged_leaf(node: Node, leaf_finding: Finding) -> JudgedLeaf:
    points = None if leaf_finding.share is None else 10 * leaf_finding.share
    if leaf_finding.outcome in ("insufficient_evidence", "invalid_artifact"):
        points = 0.0
    return JudgedLeaf(node.id, node.requirements, points, leaf_finding.outcome, leaf_finding.evidence)


@contextmanager
def _open_submission(folder: Path, layout: Layout) -> Iterator[Submission]:
    """Open the result as a submission, in a temporary folder."""
    if not folder.is_dir():
        raise Problem(f"there is no result in {folder.name!r}")
    answer, chosen = "", None
    source = folder
    if layout == "yardkit":
        answer = str(read_json(folder / "outcome.json").get("answer", ""))
        source, changed = folder / "final" / "files", read_json(folder / "delivered.json")
        chosen = {path for path, how in changed.items() if how != "deleted"}
    if layout == "generic":
        final = folder / "final.txt"
        if not final.is_file():
            raise Problem(f"{folder.name!r} holds no final.txt with the answer; name its layout, or write one")
        answer, source = final.read_text("utf-8", "replace"), folder / "files"
    with tempfile.TemporaryDirectory(prefix="yardkit-judged-") as temporary_folder:
        root = Path(temporary_folder)
        (root / "files").mkdir()
        if source.is_dir():
            _take_over(source, root / "files", deep=layout != "manus", chosen=chosen)
        yield Submission(root, answer, scratch=root / "scratch")


def _take_over(source: Path, target: Path, *, deep: bool, chosen: Collection[str] | None) -> None:
    """Copy the regular files of a result, or the `chosen` ones, without links and temporary files of tools."""
    left = MAX_BYTES
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if deep and name not in _SKIPPED]
        for name in names:
            path = Path(folder, name)
            if path.is_symlink() or not path.is_file() or name in _SKIPPED or name.startswith("._"):
                continue
            if chosen is not None and path.relative_to(source).as_posix() not in chosen:
                continue
            left -= path.stat().st_size
            if left < 0:
                raise Problem(f"{source.name!r} holds more than {MAX_BYTES:,} bytes")
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
