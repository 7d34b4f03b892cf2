"""Cases: instances to prove, run in several processes at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from yardkit.programs.pool import Died, in_workers
from yardkit.sandbox.proofs.proof_parts import PARTS, Part
from yardkit.sandbox.proofs.proving import SeedProof, TaskProof, prove_seed
from yardkit.sandbox.serving.registry import server_modules
from yardkit.sandbox.tasks.task import Task, load_task

PRELOAD = server_modules()
"""What `in_workers` keeps loaded in the process from which workers are forked: solvers work with tools."""
LIMIT_S = 3600.0
"""Seconds that the proof of one seed may take before it is given up as hung."""


@dataclass(frozen=True)
class Case:
    """One instance to prove: all parts, or only some if its solved world is still `world`."""

    task: str
    seed: int
    parts: tuple[Part, ...] = PARTS
    world: str = ""


def prove_case(case: Case) -> SeedProof:
    """Prove one instance; an exception is recorded as a failure and not raised."""
    try:
        return prove_seed(load_task(case.task), case.seed, case.parts, case.world)
    except Exception as error:  # noqa: BLE001 - one broken task must not end the proofs of the others
        return SeedProof(case.seed, failures=[f"the proof crashed: {type(error).__name__}: {error}"])


def prove_cases(cases: Sequence[Case], jobs: int) -> Iterator[tuple[Case, SeedProof]]:
    """Prove instances, `jobs` at a time, and yield each proof as soon as it ends; a process that dies is a failure."""
    for case, result in in_workers(prove_case, cases, jobs, LIMIT_S):
        yield case, SeedProof(case.seed, failures=[result.reason]) if isinstance(result, Died) else result


def prove_all(
    tasks: Sequence[Task],
    seeds: Sequence[int],
    jobs: int,
    on_case: Callable[[Case, SeedProof], None],
    on_task: Callable[[TaskProof], None],
) -> list[TaskProof]:
    """Prove all tasks with all seeds, in order; `on_task` gets each proof as soon as its last seed ends."""
    cases = {task.id: [Case(task.id, seed) for seed in seeds] for task in tasks}
    known = {task.id: task for task in tasks}
    proofs_by_case: dict[Case, SeedProof] = {}
    proofs: dict[str, TaskProof] = {}
    for case, proof in prove_cases([case for own in cases.values() for case in own], jobs):
        proofs_by_case[case] = proof
        on_case(case, proof)
        if all(own in proofs_by_case for own in cases[case.task]):
            proofs[case.task] = TaskProof(known[case.task], [proofs_by_case[own] for own in cases[case.task]])
            on_task(proofs[case.task])
    return [proofs[task.id] for task in tasks]
