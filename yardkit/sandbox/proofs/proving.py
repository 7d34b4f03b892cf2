"""Proofs: a task's evaluator accepts all correct solutions, and the checkpoint that covers a mutant catches it."""

import copy
import hashlib
import json
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from yardkit.evaluators.isolation import Limits
from yardkit.evaluators.mutations import Mutant, generate_mutants, matches_target, record_mutants
from yardkit.evaluators.proof import Solved
from yardkit.evaluators.rewrites.blank_records import add_blank_records
from yardkit.evaluators.rewrites.blanks import add_blank_files
from yardkit.evaluators.rewrites.other_programs import MOST_WAYS, rewrite_deliverables
from yardkit.evaluators.scoring import Grade
from yardkit.evaluators.submission import Submission, build_manifest
from yardkit.sandbox.episodes.episode import Episode, open_like, open_new
from yardkit.sandbox.episodes.grading import HandedIn, judge_in_fork, judge_submission
from yardkit.sandbox.episodes.ledger import encode_canonical, parse_lines
from yardkit.sandbox.episodes.replies import ToolAgent
from yardkit.sandbox.proofs.grader_turns import in_turns
from yardkit.sandbox.proofs.hostile import (
    HOSTILE_ANSWERS,
    STORE,
    empty_file,
    kind_of,
    name_of,
    plant_hostile,
    plant_hostile_formats,
    plant_hostile_records,
)
from yardkit.sandbox.proofs.hostile_formats import MAY_PASS
from yardkit.sandbox.proofs.proof_parts import PARTS, Part
from yardkit.sandbox.tasks.task import Task
from yardkit.world import remove_world

Judge = Callable[[], Grade]

BATCH = 16
"""Spoilt copies of a solved world that are held at once, and judged in turns."""
MAX_HOSTILE_PATHS = 4
"""Deliverables of a task that hostile files are put in place of."""
HOSTILE_MEMORY_BYTES = 2 << 30
"""That reading one of them may take, less than in a grader: several proofs run at a time."""


@dataclass
class SeedProof:
    """The proof of one instance of a task. `failures` is empty if all of it succeeded.

    Attributes:
        tools: the number of ``solve``'s calls by ``server.tool``.
        proved_parts: the parts proved now; the others were proved before, with the same solved world.
        world: digest of the solved world and of the other inputs of its judges.
        suffixes: the suffixes of its files.
        called: ``server.tool`` of all tools that the solver and its alternatives called.
    """

    seed: int
    failures: list[str] = field(default_factory=list)
    calls: int = 0
    seconds: float = 0.0
    servers: tuple[str, ...] = ()
    tools: Counter[str] = field(default_factory=Counter)
    also: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    killed: Counter[str] = field(default_factory=Counter)
    by_leaf: Counter[str] = field(default_factory=Counter)
    survived: list[str] = field(default_factory=list)
    excluded: Counter[str] = field(default_factory=Counter)
    hostile: int = 0
    proved_parts: frozenset[Part] = frozenset()
    world: str = ""
    suffixes: tuple[str, ...] = ()
    called: set[str] = field(default_factory=set)

    @property
    def mutants(self) -> int:
        """The number of admissible mutants: those that change something a checkpoint must notice."""
        return sum(self.killed.values()) + len(self.survived)

    @property
    def broken(self) -> list[str]:
        """All that does not hold, a surviving mutant included."""
        return [*self.failures, *(f"survived: {mutant}" for mutant in self.survived)]


@dataclass(frozen=True)
class TaskProof:
    """The proof of a task over several seeds."""

    task: Task
    seeds: list[SeedProof]

    @property
    def failures(self) -> list[str]:
        """All that does not hold, a surviving mutant included."""
        return [f"seed {proof.seed}: {failure}" for proof in self.seeds for failure in proof.broken]


def prove_task(task: Task, seeds: list[int]) -> TaskProof:
    """Prove the task's evaluator for every seed. A failure is recorded, not raised."""
    return TaskProof(task, [prove_seed(task, seed) for seed in seeds])


def prove_seed(task: Task, seed: int, parts: Collection[Part] = PARTS, world: str = "") -> SeedProof:
    """Prove some parts for one seed, or all if the solved world is not the `world` of the other parts' proof."""
    proof, started = SeedProof(seed), time.perf_counter()
    with _open_episode(task, seed) as fresh, _open_episode(task, seed) as episode:
        initial = episode.state_hash()
        answer = _solve_episode(task, episode, proof)
        same = answer is not None and proof.world == world
        proof.proved_parts = frozenset(parts if same else PARTS)
        if not same or "solve" in parts:
            _show_seed_is_reproducible(initial, fresh, episode, proof)
        if "checks" in proof.proved_parts:
            _show_untouched_fails(task, fresh, proof)
        if answer is not None:
            _show_evaluator_is_right(task, episode, answer, proof)
        if answer is not None and proof.proved_parts & {"solve", "checks"}:
            _show_alternatives_pass(task, fresh, proof)
    proof.seconds = round(time.perf_counter() - started, 2)
    return proof


def _solve_episode(task: Task, episode: Episode, proof: SeedProof) -> str | None:
    """Run the solver and return its answer; None if it fails."""
    try:
        answer = str(task.proof().solve(ToolAgent(episode)))
    except Exception as error:  # noqa: BLE001 - a solver that fails in any way is a failed proof
        proof.failures.append(f"solve failed: {type(error).__name__}: {error}")
        return None
    proof.calls = len(episode.ledger.calls)
    proof.servers = tuple(sorted({call.server for call in episode.ledger.calls}))
    proof.tools = tools_called(episode)
    proof.called |= proof.tools.keys()
    proof.world = _digest_of_solved(episode, answer)
    names = [
        *build_manifest(episode.world.files),
        *episode.seeded.initial,
        *build_manifest(episode.world.root / "apps"),
    ]
    proof.suffixes = tuple(sorted({Path(name).suffix.lower() for name in names} - {""}))
    return answer


def tools_called(episode: Episode) -> Counter[str]:
    """Count the calls by ``server.tool``."""
    return Counter(f"{call.server}.{call.tool}" for call in episode.ledger.calls)


def _digest_of_solved(episode: Episode, answer: str) -> str:
    """Compute the digest of all inputs of judges in a solved world, without times."""
    calls = [
        [call.server, call.tool, call.arguments, call.error, bool(call.media), call.state_before != call.state_after]
        for call in episode.ledger.calls
    ]
    given = [episode.state_hash(), answer, calls, episode.seeded.facts, episode.seeded.initial]
    return hashlib.sha256(encode_canonical(given)).hexdigest()[:16]


def _show_evaluator_is_right(task: Task, episode: Episode, answer: str, proof: SeedProof) -> None:
    """Check that the solved world passes, and that every spoiled copy is caught."""
    grade = episode.grade(answer)
    _expect_pass("solve", grade, proof)
    if "checks" in proof.proved_parts and grade != _judge_copy(task, episode, episode.directory / "final", answer):
        proof.failures.append("grading twice gave different results")
    if "misses" in proof.proved_parts:
        _show_misses_are_killed(task, episode, answer, proof)
    if "mutants" in proof.proved_parts:
        _show_mutants_are_killed(task, episode, answer, proof)
    if "checks" in proof.proved_parts:
        _show_hostile_files_are_survived(task, episode, answer, proof)
        _show_blanks_earn_nothing(task, episode, answer, proof)
        _show_other_programs_pass(task, episode, answer, proof)


@contextmanager
def _open_episode(task: Task, seed: int, fresh: Episode | None = None) -> Iterator[Episode]:
    root = Path(tempfile.mkdtemp(prefix="yardkit-prove-"))
    try:
        yield open_like(fresh, root) if fresh else open_new(task, seed, root)
    finally:
        remove_world(root)


def _show_untouched_fails(task: Task, episode: Episode, proof: SeedProof) -> None:
    grade = _judge_copy(task, episode, episode.world.root, "")
    for leaf in grade.verdict.list_leaves() if grade.verdict else ():
        is_guardrail = leaf.kind == "guardrail"
        if (leaf.outcome == "pass") != is_guardrail or leaf.score is None:
            proof.failures.append(f"untouched: {leaf.id} is {leaf.outcome}, {leaf.evidence[:200]}")
    if not grade.valid or grade.passed:
        proof.failures.append(f"untouched: valid {grade.valid}, passed {grade.passed} {grade.faults}")


def _show_seed_is_reproducible(initial: str, fresh: Episode, episode: Episode, proof: SeedProof) -> None:
    if fresh.state_hash() != initial or fresh.seeded.facts != episode.seeded.facts:
        proof.failures.append("seeding twice gave different worlds")


def _show_alternatives_pass(task: Task, fresh: Episode, proof: SeedProof) -> None:
    for name, also in _list_functions(task, "alternative_"):
        with _open_episode(task, proof.seed, fresh) as episode:
            try:
                grade = episode.grade(str(also(ToolAgent(episode), episode.workspace)))
                proof.called |= tools_called(episode).keys()
            except Exception as error:  # noqa: BLE001 - an alternative that fails in any way is a failed proof
                proof.failures.append(f"{name} failed: {type(error).__name__}: {error}")
                continue
        if _expect_pass(name, grade, proof):
            proof.also.append(name)


def _show_misses_are_killed(task: Task, episode: Episode, answer: str, proof: SeedProof) -> None:
    misses = _list_functions(task, "near_miss_")
    grades = _grades_of_copies(episode, [partial(_apply_miss, task, episode, answer, miss) for _, miss in misses])
    for (name, miss), grade in zip(misses, grades, strict=True):
        outcomes = _list_outcomes(grade, name, proof)
        unnoticed = [leaf for leaf in miss.caught_by_leaf if outcomes.get(leaf) in ("pass", None)]
        if unnoticed:
            proof.failures.append(f"{name} is not caught by {', '.join(unnoticed)}")
        else:
            proof.misses.append(name)


def _apply_miss(task: Task, episode: Episode, answer: str, miss: Any, root: Path) -> Judge:
    """Spoil the copy at `root`; what then judges it."""
    facts, calls = copy.deepcopy(dict(episode.seeded.facts)), parse_lines(episode.ledger.join_parts().read_bytes())
    work = Solved(root / "files", answer, facts, calls)
    miss(work)
    ledger = root.parent / "ledger.jsonl"
    ledger.write_text("".join(json.dumps(call) + "\n" for call in work.calls), "utf-8")
    return partial(_judge_copy, task, episode, root, work.answer, ledger, only=miss.caught_by_leaf)


def _show_mutants_are_killed(task: Task, episode: Episode, answer: str, proof: SeedProof) -> None:
    rng = random.Random(f"{task.id}:{proof.seed}:mutants")  # noqa: S311 - reproducibility, not secrecy
    solved = _hand_in(task, episode, episode.directory / "final", answer).make_submission()
    of_files = generate_mutants(solved.files, answer, solved.list_changed(), solved.initial, rng)
    watched: list[tuple[Mutant, frozenset[str]]] = []
    for mutant in chain(of_files, record_mutants(solved, rng)):
        reason = next((why for pattern, why in task.free.items() if fnmatchcase(mutant.target, pattern)), None)
        named = frozenset(
            leaf.id
            for leaf in task.checks().list_leaves()
            if any(matches_target(x, mutant.target) for x in leaf.covers)
        )
        if reason:
            proof.excluded[f"{mutant.target}: {reason}"] += 1
        elif named:
            watched.append((mutant, named))
        else:
            _record_mutant(mutant, named, {}, proof)
    grades = _grades_of_copies(episode, [partial(_apply_mutant, task, episode, answer, *pair) for pair in watched])
    for (mutant, named), grade in zip(watched, grades, strict=True):
        _record_mutant(mutant, named, _list_outcomes(grade, mutant.operator, proof), proof)


def _apply_mutant(
    task: Task, episode: Episode, answer: str, mutant: Mutant, named: frozenset[str], root: Path
) -> Judge:
    """Change the copy at `root`; return the leaves that judge it. The others print documents, which takes time."""
    return partial(_judge_copy, task, episode, root, mutant.apply(root / "files", answer), only=named)


def _grades_of_copies(episode: Episode, world_changes: Sequence[Callable[[Path], Judge]]) -> list[Grade]:
    """Grade copies of the solved world, each after it was spoiled."""
    grades: list[Grade] = []
    for start in range(0, len(world_changes), BATCH):
        with ExitStack() as stack:
            some = world_changes[start : start + BATCH]
            grades += in_turns([grade(stack.enter_context(_copy_world(episode.directory / "final"))) for grade in some])
    return grades


def _record_mutant(mutant: Mutant, named: frozenset[str], outcomes: Mapping[str, str | None], proof: SeedProof) -> None:
    killers = [leaf for leaf in sorted(named) if outcomes.get(leaf) not in ("pass", None)]
    if killers:
        proof.killed[mutant.operator] += 1
        proof.by_leaf.update(killers)
    else:
        covered = f"covered by {', '.join(sorted(named))}" if named else "no checkpoint covers it"
        proof.survived.append(f"{mutant.operator} on {mutant.target}: {mutant.says}; {covered}")


def _show_hostile_files_are_survived(task: Task, episode: Episode, answer: str, proof: SeedProof) -> None:
    """Check that with any file in place of the deliverables, the grader ends in time with a valid failure."""
    submission = _hand_in(task, episode, episode.directory / "final", answer).make_submission()
    paths = [path for path, how in submission.list_changed().items() if how != "deleted"][:MAX_HOSTILE_PATHS]
    # A hostile file tests the reader of its type, so each is tried once per type.
    files = {Path(path).suffix: path for path in reversed(paths) if (submission.files / path).is_file()}
    cases = [(f"files/{path}", plant) for path in paths for plant in plant_hostile()]
    cases += [(f"files/{path}", plant) for path in files.values() for plant in plant_hostile_formats(path)]
    for path in _changed_in_apps(submission):
        of_format = plant_hostile_records() if kind_of(path) == STORE else plant_hostile_formats(path)
        cases += [(f"apps/{path}", plant) for plant in (*plant_hostile(), *of_format)]
    for path, plant in cases:
        # The leaves that cover a file are declared; one of the plants checks that no other leaf reads it.
        only = () if plant is empty_file else _find_observers(task, path)
        with _copy_world(episode.directory / "final") as root:
            plant(root, path)
            grade, name = _judge_hostile(task, episode, root, answer, only), name_of(plant)
        _expect_survival(f"hostile {name} at {path}", grade, proof, must_fail=name not in MAY_PASS)
    observers = frozenset(leaf.id for leaf in task.checks().list_leaves() if "answer" in leaf.covers)
    for hostile in HOSTILE_ANSWERS if observers else HOSTILE_ANSWERS[:1]:
        grade = _judge_hostile(task, episode, episode.directory / "final", hostile, observers)
        _expect_survival(f"hostile answer {hostile[:20]!r}", grade, proof, must_fail=bool(observers))


def _show_blanks_earn_nothing(task: Task, episode: Episode, answer: str, proof: SeedProof) -> None:
    """Check that blank deliverables and empty records earn nothing, even if the agent looked at them.

    What is judged by the agent's calls alone, which are kept, says nothing of deliverables.
    """
    by_calls = {
        leaf.id
        for leaf in task.checks().list_leaves()
        if "calls" in leaf.covers and not any(":" in target for target in leaf.covers)
    }
    solved = _hand_in(task, episode, episode.directory / "final", answer).make_submission()
    with _copy_world(solved.untouched.root) as root:
        add_blank_files(solved, root / "files")
        if solved.apps.is_dir():
            add_blank_records(solved, root / "apps")
        grade = _judge_copy(task, episode, root, "")
    _list_outcomes(grade, "blank deliverables", proof)
    for leaf in grade.verdict.list_leaves() if grade.verdict else ():
        if leaf.score and leaf.kind != "guardrail" and leaf.id not in by_calls:
            proof.failures.append(f"blank deliverables: {leaf.id} is {leaf.outcome}, {leaf.evidence[:200]}")


def _show_other_programs_pass(task: Task, episode: Episode, answer: str, proof: SeedProof) -> None:
    """Check that the same deliverables pass as other programs write them."""
    solved = _hand_in(task, episode, episode.directory / "final", answer).make_submission()
    for place in range(MOST_WAYS):
        with _copy_world(episode.directory / "final") as root:
            written = rewrite_deliverables(solved, root, place, task.free)
            if written:
                _expect_pass(
                    f"as other programs write it ({', '.join(written)})",
                    _judge_copy(task, episode, root, answer),
                    proof,
                )


def _judge_hostile(task: Task, episode: Episode, root: Path, answer: str, only: Collection[str]) -> Grade:
    limits = Limits(4 * task.time_limit_s, HOSTILE_MEMORY_BYTES, hurried=True)
    return judge_in_fork(_hand_in(task, episode, root, answer), limits, only)


def _find_observers(task: Task, path: str) -> frozenset[str]:
    """Find the leaves that cover any target of a file; none for records, which every leaf may read."""
    area, _, name = path.partition("/")
    observed = {
        leaf.id: [pattern.partition(":")[2].partition("#")[0] for pattern in leaf.covers]
        for leaf in task.checks().list_leaves()
    }
    observers = [leaf for leaf, patterns in observed.items() if any(fnmatchcase(name, pattern) for pattern in patterns)]
    return frozenset(observers if area == "files" else ())


def _changed_in_apps(solved: Submission) -> list[str]:
    """List the solver's changes in the apps: each database, and of other files one of each kind and app."""
    if not solved.apps.is_dir():
        return []  # so the untouched world need not be seeded
    paths = [path for path, how in solved.changed_apps().items() if how != "deleted"]
    # Prefer a sent mail to its copies in other mailboxes.
    paths.sort(key=lambda path: "/.Sent/" not in path)
    kinds: dict[tuple[str, str], str] = {}
    for path in paths:
        kind = kind_of(path)
        if kind:
            kinds.setdefault((path if kind == STORE else path.split("/")[0], kind), path)
    return list(kinds.values())


def _expect_survival(name: str, grade: Grade, proof: SeedProof, *, must_fail: bool = True) -> None:
    proof.hostile += 1
    if not grade.valid or (grade.passed and must_fail):
        proof.failures.append(f"{name}: valid {grade.valid}, passed {grade.passed} {grade.faults}")


def _expect_pass(name: str, grade: Grade, proof: SeedProof) -> bool:
    if grade.passed and grade.valid:
        return True
    leaves = list(grade.verdict.list_leaves()) if grade.verdict else []
    wrong = "; ".join(
        f"{leaf.id} is {leaf.outcome}: {leaf.evidence[:300]}" for leaf in leaves if leaf.outcome != "pass"
    )
    proof.failures.append(f"{name} does not pass: {wrong} {' '.join(grade.faults)}")
    return False


def _judge_copy(
    task: Task, episode: Episode, root: Path, answer: str, ledger: Path | None = None, only: Collection[str] = ()
) -> Grade:
    return judge_submission(_hand_in(task, episode, root, answer, ledger), only)


def _hand_in(task: Task, episode: Episode, root: Path, answer: str, ledger: Path | None = None) -> HandedIn:
    scratch, seeded = episode.directory / "scratch", episode.seeded
    scratch.mkdir(exist_ok=True)
    ledger = ledger or episode.ledger.join_parts()
    return HandedIn(
        *(task.id, root, answer, seeded.initial, ledger, seeded.facts, scratch), untouched=episode.find_untouched()
    )


def _list_outcomes(grade: Grade, name: str, proof: SeedProof) -> dict[str, str | None]:
    if not grade.valid:
        proof.failures.append(f"{name}: the observer failed: {'; '.join(grade.faults)}")
    return {leaf.id: leaf.outcome for leaf in grade.verdict.list_leaves()} if grade.verdict else {}


def _list_functions(task: Task, prefix: str) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in vars(task.proof()).items() if name.startswith(prefix)]


@contextmanager
def _copy_world(source: Path) -> Iterator[Path]:
    """Make a writable copy of a world and return its root."""
    scratch = Path(tempfile.mkdtemp(prefix="yardkit-mutant-"))
    try:
        root = scratch / "world"
        shutil.copytree(source, root, symlinks=True, copy_function=_copy_writable)
        for folder in [root, *(path for path in root.rglob("*") if path.is_dir() and not path.is_symlink())]:
            folder.chmod(0o755)
        yield root
    finally:
        remove_world(scratch)


def _copy_writable(source: str, target: str) -> str:
    shutil.copyfile(source, target, follow_symlinks=False)
    if not Path(target).is_symlink():
        Path(target).chmod(0o644)
    return target
