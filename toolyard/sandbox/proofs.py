"""`toolyard prove`: proofs in several processes, their table, and whether all of it held."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from toolyard.programs.pool import Died, in_workers
from toolyard.sandbox.cards import card_of, operator_of, proof_functions, write_card
from toolyard.sandbox.console import new_console, progress
from toolyard.sandbox.proof_ledger import PARTS, Part
from toolyard.sandbox.proving import SeedProof, TaskProof, prove_seed
from toolyard.sandbox.registry import server_modules
from toolyard.sandbox.tasks import Task, load_task

PRELOAD = server_modules()
"""What `in_workers` keeps loaded in the process from which workers are forked: solvers work with tools."""
LIMIT_S = 3600.0
"""Seconds that the proof of one seed may take before it is given up as hung."""


@dataclass(frozen=True)
class Case:
    """One instance to prove: all of it, or some parts if its solved world is still `world`."""

    task: str
    seed: int
    parts: tuple[Part, ...] = PARTS
    world: str = ""


def prove_case(case: Case) -> SeedProof:
    """The proof of one instance; what breaks it is a failure and not raised."""
    try:
        return prove_seed(load_task(case.task), case.seed, case.parts, case.world)
    except Exception as error:  # noqa: BLE001 - one broken task must not end the proofs of the others
        return SeedProof(case.seed, failures=[f"the proof crashed: {type(error).__name__}: {error}"])


def prove_all(
    tasks: Sequence[Task],
    seeds: Sequence[int],
    jobs: int,
    on_case: Callable[[Case, SeedProof], None],
    on_task: Callable[[TaskProof], None],
) -> list[TaskProof]:
    """The proofs of all tasks with all seeds, in their order; `on_task` gets each as soon as its last seed ended."""
    cases = {task.id: [Case(task.id, seed) for seed in seeds] for task in tasks}
    known = {task.id: task for task in tasks}
    shown: dict[Case, SeedProof] = {}
    proofs: dict[str, TaskProof] = {}
    for case, result in in_workers(prove_case, [case for own in cases.values() for case in own], jobs, LIMIT_S):
        shown[case] = SeedProof(case.seed, failures=[result.reason]) if isinstance(result, Died) else result
        on_case(case, shown[case])
        if all(each in shown for each in cases[case.task]):
            proofs[case.task] = TaskProof(known[case.task], [shown[each] for each in cases[case.task]])
            on_task(proofs[case.task])
    return [proofs[task.id] for task in tasks]


def carry_out_proofs(tasks: Sequence[Task], seeds: Sequence[int], jobs: int, cards: Path | None) -> int:
    """Prove, write the card of each proof that holds as soon as it ended, print the tables; the exit code."""
    with progress(len(tasks) * len(seeds), "proving") as ended:

        def tell(case: Case, proof: SeedProof) -> None:
            broken = [*proof.failures, *(f"survived: {mutant}" for mutant in proof.survived)]
            figures = f"{proof.mutants} mutants, {len(proof.survived)} survived, {len(proof.failures)} failures"
            line = f"{case.task} seed {case.seed}: {figures}, {proof.seconds:.1f} s"
            ended("\n  - ".join([line, *broken]), "failed" if broken else "passed")

        written: list[str] = []

        def keep(proof: TaskProof) -> None:
            if cards is not None and proof.failures:
                written.append(f"no card for {proof.task.id}: its proof does not hold")
            elif cards is not None:
                written.append(f"card: {write_card(proof, cards)}")

        proofs = prove_all(tasks, seeds, jobs, tell, keep)
    console = new_console()
    console.print(_task_table(proofs), highlight=False)
    console.print()
    console.print(_operator_table(proofs), highlight=False)
    console.print()
    for line in [*complaints(proofs), *totals(proofs), *written]:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    return 1 if complaints(proofs) else 0


def complaints(proofs: Sequence[TaskProof]) -> list[str]:
    """All that does not hold, mutants that survived among it, in words."""
    return [f"FAILED {proof.task.id} {failure}" for proof in proofs for failure in proof.failures]


def totals(proofs: Sequence[TaskProof]) -> list[str]:
    """The figures over all tasks: alternatives accepted, near misses and mutants killed."""
    seeds = [seed for proof in proofs for seed in proof.seeds]
    also = sum(len(proof_functions(proof.task, "also_")) * len(proof.seeds) for proof in proofs)
    miss = sum(len(proof_functions(proof.task, "miss_")) * len(proof.seeds) for proof in proofs)
    killed, mutants = sum(sum(seed.killed.values()) for seed in seeds), sum(seed.mutants for seed in seeds)
    return [
        f"other right ways accepted: {_share(sum(len(seed.also) for seed in seeds), also)}",
        f"near misses killed by the named checkpoint: {_share(sum(len(seed.misses) for seed in seeds), miss)}",
        f"mutants killed by a checkpoint that looks there: {_share(killed, mutants)}",
        f"hostile files and answers survived: {sum(seed.hostile for seed in seeds)}",
    ]


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}" + (f" ({100 * part / whole:.2f} %)" if whole else "")


def _task_table(proofs: Sequence[TaskProof]) -> Table:
    table = _table("task", "seeds", "calls", "also", "miss", "mutants", "excluded", "hostile", "failures", "servers")
    for proof in proofs:
        card, tried = card_of(proof), len(proof.seeds)
        killed = sum(mutant["killed"] for mutant in card["mutants"].values())
        calls = card["calls"]
        table.add_row(
            proof.task.id,
            str(tried),
            f"{min(calls)}-{max(calls)}" if min(calls) < max(calls) else str(calls[0]),
            f"{sum(card['also'].values())}/{tried * len(card['also'])}",
            f"{sum(card['miss'].values())}/{tried * len(card['miss'])}",
            f"{killed}/{sum(mutant['admissible'] for mutant in card['mutants'].values())}",
            str(sum(card["excluded"].values())),
            str(card["hostile_survived"]),
            str(len(proof.failures)),
            ", ".join(card["servers_crossed"]),
        )
    return table


def _operator_table(proofs: Sequence[TaskProof]) -> Table:
    table = _table("mutation operator", "killed", "admissible")
    killed: dict[str, int] = {}
    lost: dict[str, int] = {}
    for seed in (seed for proof in proofs for seed in proof.seeds):
        for operator, count in seed.killed.items():
            killed[operator] = killed.get(operator, 0) + count
        for mutant in seed.survived:
            lost[operator_of(mutant)] = lost.get(operator_of(mutant), 0) + 1
    for operator in sorted(killed.keys() | lost.keys()):
        count = killed.get(operator, 0)
        table.add_row(operator, str(count), str(count + lost.get(operator, 0)))
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="left" if name == "servers" else "right", overflow="fold")
    return table
