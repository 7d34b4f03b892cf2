"""Stale proofs: those with a dependency that has changed since `proofs.lock` was written."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from yardkit.sandbox.proofs.cases import Case, prove_cases
from yardkit.sandbox.proofs.proof_parts import PARTS, Part, digest_parts
from yardkit.sandbox.proofs.proofs_lock import Entry, Instance, read_lock, write_entry
from yardkit.sandbox.proofs.proving import SeedProof
from yardkit.sandbox.serving.registry import get_version
from yardkit.sandbox.tasks.task import Task, load_task

_REASONS: dict[Part, str] = {
    "solve": "its prompt, files, seed script, solver or tools, or a library",
    "checks": "its checkpoints, what they read with, or the hostile files",
    "misses": "its near misses, or what their checkpoints read with",
    "mutants": "the mutations, or [free] in its task.toml",
}
"""What may have changed where a part is stale: the lock holds a digest of all of it."""
_NOTHING = Entry("", "", {}, 0, 0, 0, 0, 0, (), {})


@dataclass(frozen=True)
class Stale:
    """An instance to prove: the stale parts, the reason, and its entry in the lock."""

    case: Case
    reason: str
    entry: Entry | None

    def __str__(self) -> str:
        return f"{self.case.task} seed {self.case.seed}: {self.reason}"


def with_variants(tasks: Sequence[Task]) -> list[Task]:
    """List the tasks, each followed by the further instances that its ``task.toml`` wants proved."""
    tasks_by_id: dict[str, Task] = {}
    for task in tasks:
        variants = task.variants if "@" not in task.id else ()
        tasks_by_id |= {
            instance.id: instance for instance in (task, *(load_task(f"{task.id}@{variant}") for variant in variants))
        }
    return list(tasks_by_id.values())


def find_stale(tasks: Sequence[Task], seeds: Sequence[int]) -> list[Stale]:
    """Find the instances whose proof is missing or stale, the slowest first.

    Raises:
        Problem: this is an installed package, which has no lock.
    """
    entries = read_lock()
    stale_proofs = [stale for task in tasks for seed in seeds if (stale := _find_stale(task, seed, entries))]
    return sorted(stale_proofs, key=lambda stale: -stale.entry.weight if stale.entry else -math.inf)


def _find_stale(task: Task, seed: int, entries: Mapping[Instance, Entry]) -> Stale | None:
    entry = entries.get((task.id, seed))
    if entry is None:
        return Stale(Case(task.id, seed), "not proved yet", None)
    changed = find_stale_parts(task, entry)
    if not changed:
        return None
    reason = "; ".join(f"{part}: {_REASONS[part]} changed" for part in changed)
    return Stale(Case(task.id, seed, changed, entry.world), f"{reason} (proved by {entry.version})", entry)


def find_stale_parts(task: Task, entry: Entry) -> tuple[Part, ...]:
    """Find the parts with a changed dependency."""
    digests = digest_parts(task, entry.tools, entry.suffixes)
    return tuple(part for part in PARTS if digests[part] != entry.digests[part])


def prove_stale(stale: Sequence[Stale], jobs: int) -> Iterator[tuple[Case, SeedProof]]:
    """Prove the stale instances and write each success to the lock as soon as it ends."""
    known = {instance.case: instance.entry for instance in stale}
    for case, proof in prove_cases(list(known), jobs):
        if not proof.broken:
            write_entry(case.task, case.seed, make_entry(load_task(case.task), proof, known[case]))
        yield case, proof


def make_entry(task: Task, proof: SeedProof, old: Entry | None) -> Entry:
    """Make the lock's entry after a proof; parts that were not proved again keep their old digests."""
    known, proved_parts = old or _NOTHING, proof.proved_parts
    tried = bool(proved_parts & {"solve", "checks"})
    others = proof.called if tried else {*proof.called, *known.tools}
    tools = {tool: proof.tools[tool] for tool in sorted(others)}
    return Entry(
        version=get_version(),
        world=proof.world,
        digests=digest_parts(task, tools, proof.suffixes),
        accepted=len(proof.also) if tried else known.accepted,
        caught=len(proof.misses) if "misses" in proved_parts else known.caught,
        killed=proof.mutants if "mutants" in proved_parts else known.killed,
        survived=proof.hostile if "checks" in proved_parts else known.survived,
        weight=2 ** math.ceil(math.log2(max(proof.seconds, 1))) if proved_parts.issuperset(PARTS) else known.weight,
        suffixes=proof.suffixes,
        tools=tools,
    )
