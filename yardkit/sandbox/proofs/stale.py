"""Stale proofs: those whose ground has changed since the proof ledger was written."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from yardkit.sandbox.proofs.cases import Case, prove_cases
from yardkit.sandbox.proofs.proof_ledger import PARTS, Entry, read_entries, resting, stale_parts, write_entry
from yardkit.sandbox.proofs.proving import SeedProof
from yardkit.sandbox.tasks.task import Task, load_task

_SHOWN = 4
"""Names of what changed that are listed for one instance."""


@dataclass(frozen=True)
class Stale:
    """An instance that is to be proved: what of it, why, and what the ledger holds of it."""

    case: Case
    reason: str
    entry: Entry | None

    def __str__(self) -> str:
        return f"{self.case.task} seed {self.case.seed}: {self.reason}"


def with_variants(tasks: Sequence[Task]) -> list[Task]:
    """Tasks, each of default parameters followed by the further instances that its ``task.toml`` wants proved."""
    found: dict[str, Task] = {}
    for task in tasks:
        variants = task.variants if "@" not in task.id else ()
        found |= {
            instance.id: instance for instance in (task, *(load_task(f"{task.id}@{variant}") for variant in variants))
        }
    return list(found.values())


def find_stale(tasks: Sequence[Task], seeds: Sequence[int]) -> list[Stale]:
    """The instances whose proof does not stand, those that take longest first."""
    found = [stale for task in tasks for seed in seeds if (stale := _stale(task, seed))]
    return sorted(found, key=lambda stale: -stale.entry.weight if stale.entry else -math.inf)


def _stale(task: Task, seed: int) -> Stale | None:
    entry = read_entries(task).get((task.id, seed))
    if entry is None:
        return Stale(Case(task.id, seed), "it was not proved yet", None)
    changed = stale_parts(task, entry)
    if not changed:
        return None
    case = Case(task.id, seed, tuple(part for part in PARTS if part in changed), entry.world)
    return Stale(case, "; ".join(f"{part}: {_listed(names)}" for part, names in changed.items()), entry)


def _listed(names: list[str]) -> str:
    more = [f"{len(names) - _SHOWN} more"] * (len(names) > _SHOWN)
    return f"{', '.join([*names[:_SHOWN], *more])} changed"


def prove_stale(stale: Sequence[Stale], jobs: int) -> Iterator[tuple[Case, SeedProof]]:
    """The proofs of what is stale, each put into the ledger as soon as it ended and if it holds."""
    known = {instance.case: instance.entry for instance in stale}
    for case, proof in prove_cases(list(known), jobs):
        if not proof.broken:
            task = load_task(case.task)
            write_entry(task, case.seed, _entry_of(task, proof, known[case]))
        yield case, proof


def _entry_of(task: Task, proof: SeedProof, old: Entry | None) -> Entry:
    """What the ledger holds after a proof; of the parts that were not shown again what it held before."""
    known, shown = old or Entry("", (), (), 0, (), (), 0, 0, 0, {}), proof.shown
    tried = bool(shown & {"solve", "checks"})
    tools = tuple(sorted(proof.called if tried else {*proof.called, *known.tools}))
    whole = shown.issuperset(PARTS)
    return Entry(
        world=proof.world,
        suffixes=proof.suffixes,
        tools=tools,
        calls=proof.calls,
        also=tuple(proof.also) if tried else known.also,
        misses=tuple(proof.misses) if "misses" in shown else known.misses,
        mutants=proof.mutants if "mutants" in shown else known.mutants,
        hostile=proof.hostile if "checks" in shown else known.hostile,
        weight=2 ** math.ceil(math.log2(max(proof.seconds, 1))) if whole else known.weight,
        rests={part: resting(task, part, tools, proof.suffixes) for part in PARTS},
    )
