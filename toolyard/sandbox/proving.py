"""Proofs: a task's evaluator accepts every right way, and each mutant is killed by the checkpoint that names it."""

import copy
import json
import random
import shutil
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from toolyard.evaluators.mutations import Mutant, matches, mutants, record_mutants
from toolyard.evaluators.proof import Solved, ToolFailed
from toolyard.evaluators.readers.rendered import print_ahead, printed_at, show_slides_ahead, slides_shown
from toolyard.evaluators.scoring import Grade
from toolyard.evaluators.submission import Submission
from toolyard.sandbox.episode import Episode, Reply, open_new
from toolyard.sandbox.grading import judge, untouched
from toolyard.sandbox.hostile import HOSTILE_ANSWERS, plant_hostile, plant_hostile_records
from toolyard.sandbox.ledger import parse_lines, picture_of
from toolyard.sandbox.tasks import Task
from toolyard.world import remove_world

Case = TypeVar("Case")

BATCH = 8
"""Spoilt copies of a solved world that are held at once, and printed at once: a start of LibreOffice takes longest."""
MAX_HOSTILE_PATHS = 4
"""Deliverables of a task that hostile files are put in place of."""


class ToolAgent:
    """The solver's view of an episode: the prompt, and tools whose errors are exceptions."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self.prompt = episode.prompt

    def call(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        return self._reply(tool, arguments).data

    def text(self, tool: str, /, **arguments: Any) -> str:
        return self._reply(tool, arguments).text

    def look(self, tool: str, /, **arguments: Any) -> tuple[str, bytes]:
        reply = self._reply(tool, arguments)
        return reply.text, picture_of(reply.result.content if reply.result else ())

    def _reply(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        reply = self._episode.call(tool, **arguments)
        if reply.is_error:
            raise ToolFailed(reply.text)
        return reply


@dataclass
class SeedProof:
    """What was shown for one instance of a task. `failures` is empty when all of it held.

    `called` counts the calls of ``solve`` by ``server.tool``.
    """

    seed: int
    failures: list[str] = field(default_factory=list)
    calls: int = 0
    seconds: float = 0.0
    servers: tuple[str, ...] = ()
    called: Counter[str] = field(default_factory=Counter)
    also: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    killed: Counter[str] = field(default_factory=Counter)
    by_leaf: Counter[str] = field(default_factory=Counter)
    survived: list[str] = field(default_factory=list)
    excluded: Counter[str] = field(default_factory=Counter)
    hostile: int = 0

    @property
    def mutants(self) -> int:
        """Admissible mutants: those that change something a checkpoint must notice."""
        return sum(self.killed.values()) + len(self.survived)


@dataclass(frozen=True)
class TaskProof:
    """The proof of a task over several seeds."""

    task: Task
    seeds: list[SeedProof]

    @property
    def failures(self) -> list[str]:
        """All that does not hold, a surviving mutant included."""
        return [
            f"seed {proof.seed}: {failure}"
            for proof in self.seeds
            for failure in [*proof.failures, *(f"survived: {mutant}" for mutant in proof.survived)]
        ]


def prove(task: Task, seeds: list[int], on_seed: Callable[[SeedProof], None] = lambda _: None) -> TaskProof:
    """Show for every seed what the design asks of an evaluator. A failure is recorded, not raised."""
    proofs = []
    for seed in seeds:
        proof = SeedProof(seed)
        started = time.perf_counter()
        _prove_seed(task, proof)
        proof.seconds = round(time.perf_counter() - started, 2)
        proofs.append(proof)
        on_seed(proof)
    return TaskProof(task, proofs)


def _prove_seed(task: Task, proof: SeedProof) -> None:
    with _episode(task, proof.seed) as episode:
        _show_untouched_fails(task, episode, proof)
        _show_seed_is_reproducible(task, episode, proof)
        try:
            answer = str(task.proof().solve(ToolAgent(episode)))
        except Exception as error:  # noqa: BLE001 - a solver that fails in any way is a failed proof
            proof.failures.append(f"solve failed: {type(error).__name__}: {error}")
            return
        proof.calls = len(episode.ledger.calls)
        proof.servers = tuple(sorted({call.server for call in episode.ledger.calls}))
        proof.called = tools_called(episode)
        grade = episode.grade(answer)
        again = _judge(task, episode, episode.directory / "final", answer)
        _expect_pass("solve", grade, proof)
        if grade != again:
            proof.failures.append("grading twice gave two results")
        _show_misses_are_killed(task, episode, answer, proof)
        _show_mutants_are_killed(task, episode, answer, proof)
        _show_hostile_files_are_survived(task, episode, answer, proof)
    _show_alternatives_pass(task, proof)


def tools_called(episode: Episode) -> Counter[str]:
    """The number of calls by ``server.tool``."""
    return Counter(f"{call.server}.{call.tool}" for call in episode.ledger.calls)


@contextmanager
def _episode(task: Task, seed: int) -> Iterator[Episode]:
    root = Path(tempfile.mkdtemp(prefix="toolyard-prove-"))
    try:
        yield open_new(task, seed, root)
    finally:
        remove_world(root)


def _show_untouched_fails(task: Task, episode: Episode, proof: SeedProof) -> None:
    grade = _judge(task, episode, episode.world.root, "")
    for leaf in grade.verdict.leaves() if grade.verdict else ():
        wanted = leaf.kind == "guardrail"
        if (leaf.outcome == "pass") != wanted or leaf.score is None:
            proof.failures.append(f"untouched: {leaf.id} is {leaf.outcome}, {leaf.evidence[:200]}")
    if not grade.valid or grade.passed:
        proof.failures.append(f"untouched: valid {grade.valid}, passed {grade.passed} {grade.faults}")


def _show_seed_is_reproducible(task: Task, episode: Episode, proof: SeedProof) -> None:
    with _episode(task, proof.seed) as again:
        same = again.state_hash() == episode.state_hash() and again.seeded.facts == episode.seeded.facts
    if not same:
        proof.failures.append("seeding twice gave two worlds")


def _show_alternatives_pass(task: Task, proof: SeedProof) -> None:
    for name, also in _functions(task, "also_"):
        with _episode(task, proof.seed) as episode:
            try:
                grade = episode.grade(str(also(ToolAgent(episode), episode.workspace)))
            except Exception as error:  # noqa: BLE001 - an alternative that fails in any way is a failed proof
                proof.failures.append(f"{name} failed: {type(error).__name__}: {error}")
                continue
        if _expect_pass(name, grade, proof):
            proof.also.append(name)


def _show_misses_are_killed(task: Task, episode: Episode, answer: str, proof: SeedProof) -> None:
    misses = _functions(task, "miss_")
    for some in _batches(misses):
        with ExitStack() as stack:
            copies = [stack.enter_context(_copy(episode)) for _ in some]
            works = [_missed(episode, answer, files, miss) for (_, miss), (_, files) in zip(some, copies, strict=True)]
            _print_ahead(
                episode, [files for _, files in copies], _printed(episode, episode.directory / "final" / "files")
            )
            for (name, miss), (root, _), work in zip(some, copies, works, strict=True):
                _show_miss_is_killed(task, episode, name, miss, root, work, proof)


def _missed(episode: Episode, answer: str, files: Path, miss: Any) -> Solved:
    work = Solved(
        files, answer, copy.deepcopy(dict(episode.seeded.facts)), parse_lines(episode.ledger.path.read_bytes())
    )
    miss(work)
    return work


def _show_miss_is_killed(
    task: Task, episode: Episode, name: str, miss: Any, root: Path, work: Solved, proof: SeedProof
) -> None:
    ledger = root.parent / "ledger.jsonl"
    ledger.write_text("".join(json.dumps(call) + "\n" for call in work.calls), "utf-8")
    grade = _judge(task, episode, root, work.answer, ledger, only=miss.killed_by)
    outcomes = _outcomes(grade, name, proof)
    unnoticed = [leaf for leaf in miss.killed_by if outcomes.get(leaf) in ("pass", None)]
    if unnoticed:
        proof.failures.append(f"{name} is not noticed by {', '.join(unnoticed)}")
    else:
        proof.misses.append(name)


def _show_mutants_are_killed(task: Task, episode: Episode, answer: str, proof: SeedProof) -> None:
    rng = random.Random(f"{task.id}:{proof.seed}:mutants")  # noqa: S311 - reproducibility, not secrecy
    solved = _handed_in(task, episode, answer)
    alike: dict[frozenset[str], list[Mutant]] = defaultdict(list)
    of_files = mutants(solved.files, answer, solved.changed(), solved.initial, rng)
    for mutant in chain(of_files, record_mutants(solved, rng)):
        reason = next((why for pattern, why in task.free.items() if fnmatchcase(mutant.target, pattern)), None)
        if reason:
            proof.excluded[f"{mutant.target}: {reason}"] += 1
        else:
            leaves = [each for each in task.checks().leaves() if any(matches(x, mutant.target) for x in each.observes)]
            alike[frozenset(leaf.id for leaf in leaves)].append(mutant)
    for named, group in alike.items():
        _show_group_is_killed(task, episode, answer, named, group, proof)


def _show_group_is_killed(
    task: Task, episode: Episode, answer: str, named: frozenset[str], group: list[Mutant], proof: SeedProof
) -> None:
    """Mutants of targets that the same leaves look at; what these print of the first is printed ahead of the others."""
    printed: dict[str, list[int]] = {}
    for some in [group[:1], *_batches(group[1:])]:
        with ExitStack() as stack:
            copies = [stack.enter_context(_copy(episode)) for _ in some]
            answers = [mutant.apply(files, answer) for mutant, (_, files) in zip(some, copies, strict=True)]
            _print_ahead(episode, [files for _, files in copies], printed)
            for mutant, (root, _), mutated in zip(some, copies, answers, strict=True):
                # The other leaves would only cost time: many of them print whole documents.
                grade = _judge(task, episode, root, mutated, only=named) if named else None
                outcomes = _outcomes(grade, mutant.operator, proof) if grade else {}
                _record(mutant, named, outcomes, proof)
            printed = printed or _printed(episode, copies[0][1])


def _record(mutant: Mutant, named: frozenset[str], outcomes: Mapping[str, str | None], proof: SeedProof) -> None:
    killers = [leaf for leaf in sorted(named) if outcomes.get(leaf) not in ("pass", None)]
    if killers:
        proof.killed[mutant.operator] += 1
        proof.by_leaf.update(killers)
    else:
        proof.survived.append(f"{mutant.operator} on {mutant.target}: {mutant.says}; looked at by {sorted(named)}")


def _batches(cases: list[Case]) -> Iterator[list[Case]]:
    return (cases[start : start + BATCH] for start in range(0, len(cases), BATCH))


def _printed(episode: Episode, files: Path) -> dict[str, list[int]]:
    """The delivered files of a graded workspace that leaves had printed, or the slides of them that they looked at."""
    delivered = Submission(files.parent, initial=episode.seeded.initial).changed()
    scratch = episode.directory / "scratch"
    found: dict[str, list[int]] = {}
    for relative in (each for each, how in delivered.items() if how != "deleted"):
        path = files / relative
        slides = slides_shown(path, scratch) if path.suffix == ".pptx" and (scratch / "slides").exists() else []
        if slides or (path.is_file() and not path.is_symlink() and printed_at(path, scratch).exists()):
            found[relative] = slides
    return found


def _print_ahead(episode: Episode, workspaces: list[Path], printed: Mapping[str, list[int]]) -> None:
    scratch = episode.directory / "scratch"
    whole = [files / each for files in workspaces for each, slides in printed.items() if not slides]
    decks = [(files / each, slides) for files in workspaces for each, slides in printed.items() if slides]
    print_ahead(whole, scratch)
    show_slides_ahead(decks, scratch)


def _show_hostile_files_are_survived(task: Task, episode: Episode, answer: str, proof: SeedProof) -> None:
    """Whatever lies where the deliverables should be, the grader ends in time with a valid failure."""
    submission = _handed_in(task, episode, answer)
    paths = [path for path, how in submission.changed().items() if how != "deleted"]
    cases = [(f"files/{path}", plant) for path in paths[:MAX_HOSTILE_PATHS] for plant in plant_hostile()]
    plants = (*plant_hostile(), *plant_hostile_records())
    cases += [(f"apps/{path}", plant) for path in _changed_stores(submission) for plant in plants]
    for path, plant in cases:
        with _copy(episode) as (root, _files):
            plant(root, path)
            _expect_survival(f"hostile {plant.__name__} at {path}", _judge(task, episode, root, answer), proof)
    for hostile in HOSTILE_ANSWERS:
        with _copy(episode) as (root, _files):
            name = f"hostile answer {hostile[:20]!r}"
            grade = _judge(task, episode, root, hostile)
            observed = any("answer" in leaf.observes for leaf in task.checks().leaves())
            _expect_survival(name, grade, proof, must_fail=observed)


def _changed_stores(solved: Submission) -> list[str]:
    """Databases of apps that the solver changed; without any, the untouched world need not be made."""
    stores = {path.relative_to(solved.apps).as_posix() for path in solved.apps.glob("*/*.sqlite")}
    return [path for path in solved.changed_apps() if path in stores] if stores else []


def _handed_in(task: Task, episode: Episode, answer: str) -> Submission:
    final, scratch = episode.directory / "final", episode.directory / "scratch"
    scratch.mkdir(exist_ok=True)
    before = partial(untouched, task.id, final, episode.seeded.initial, scratch)
    return Submission(final, answer, episode.seeded.initial, before=before, scratch=scratch)


def _expect_survival(name: str, grade: Grade, proof: SeedProof, *, must_fail: bool = True) -> None:
    proof.hostile += 1
    if not grade.valid or (grade.passed and must_fail):
        proof.failures.append(f"{name}: valid {grade.valid}, passed {grade.passed} {grade.faults}")


def _expect_pass(name: str, grade: Grade, proof: SeedProof) -> bool:
    if grade.passed and grade.valid:
        return True
    leaves = list(grade.verdict.leaves()) if grade.verdict else []
    wrong = "; ".join(f"{leaf.id} is {leaf.outcome}: {leaf.evidence[:300]}" for leaf in leaves if leaf.score != 1.0)
    proof.failures.append(f"{name} does not pass: {wrong} {' '.join(grade.faults)}")
    return False


def _judge(
    task: Task, episode: Episode, root: Path, answer: str, ledger: Path | None = None, only: Collection[str] = ()
) -> Grade:
    calls, scratch = ledger or episode.ledger.path, episode.directory / "scratch"
    scratch.mkdir(exist_ok=True)
    return judge(task.id, root, answer, episode.seeded.initial, calls, episode.seeded.facts, scratch, only)


def _outcomes(grade: Grade, name: str, proof: SeedProof) -> dict[str, str | None]:
    if not grade.valid:
        proof.failures.append(f"{name}: the observer failed: {'; '.join(grade.faults)}")
    return {leaf.id: leaf.outcome for leaf in grade.verdict.leaves()} if grade.verdict else {}


def _functions(task: Task, prefix: str) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in vars(task.proof()).items() if name.startswith(prefix)]


@contextmanager
def _copy(episode: Episode) -> Iterator[tuple[Path, Path]]:
    """A writable copy of the solved world: its root and its workspace."""
    scratch = Path(tempfile.mkdtemp(prefix="toolyard-mutant-"))
    try:
        root = scratch / "world"
        shutil.copytree(episode.directory / "final", root, symlinks=True, copy_function=_copy_writable)
        for folder in [root, *(path for path in root.rglob("*") if path.is_dir() and not path.is_symlink())]:
            folder.chmod(0o755)
        yield root, root / "files"
    finally:
        remove_world(scratch)


def _copy_writable(source: str, target: str) -> str:
    shutil.copyfile(source, target, follow_symlinks=False)
    if not Path(target).is_symlink():
        Path(target).chmod(0o644)
    return target
