"""The terminal output of proofs: progress, tables, and failures."""

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from yardkit.sandbox.cli.console import new_console, show_progress
from yardkit.sandbox.proofs.cards import ALTERNATIVES, NEAR_MISSES, operator_of, proof_functions, write_card
from yardkit.sandbox.proofs.cases import Case, prove_all
from yardkit.sandbox.proofs.proof_parts import PARTS
from yardkit.sandbox.proofs.proving import SeedProof, TaskProof
from yardkit.sandbox.proofs.stale import find_stale, prove_stale
from yardkit.sandbox.tasks.task import Task
from yardkit.world.wording import format_count


def carry_out_proofs(tasks: Sequence[Task], seeds: Sequence[int], jobs: int, cards: Path | None) -> int:
    """Prove, write the card of each successful proof as soon as it ends, print the tables; return the exit code."""
    with show_progress(len(tasks) * len(seeds), "proving") as ended:

        def show_proof(case: Case, proof: SeedProof) -> None:
            failures = format_count(len(proof.failures), "failure")
            figures = f"{format_count(proof.mutants, 'mutant')}, {len(proof.survived)} survived, {failures}"
            ended(*_format_proof(case, proof, figures))

        written: list[str] = []

        def keep(proof: TaskProof) -> None:
            if cards is not None and proof.failures:
                written.append(f"no card for {proof.task.id}: its proof failed")
            elif cards is not None:
                written.append(f"card: {write_card(proof, cards)}")

        proofs = prove_all(tasks, seeds, jobs, show_proof, keep)
    console = new_console()
    console.print(_task_table(proofs), highlight=False)
    console.print()
    console.print(_operator_table(proofs), highlight=False)
    console.print()
    # The failures were already printed when each proof ended.
    for line in [*failed_tasks(proofs), *list_totals(proofs), *written]:
        _print_line(line)
    return 1 if failed_tasks(proofs) else 0


def _format_proof(case: Case, proof: SeedProof, figures: str) -> tuple[str, str]:
    """Format the proof of one instance as a line, with a line per failure; return it with its state."""
    line = f"{case.task} seed {case.seed}: {figures}, {proof.seconds:.1f} s"
    return "\n  - ".join([line, *proof.broken]), "failed" if proof.broken else "passed"


def failed_tasks(proofs: Sequence[TaskProof]) -> list[str]:
    """List the tasks whose proofs failed, with the number of failures; a surviving mutant counts as one."""
    return [
        f"FAILED {proof.task.id}: {format_count(len(proof.failures), 'failure')}" for proof in proofs if proof.failures
    ]


def list_totals(proofs: Sequence[TaskProof]) -> list[str]:
    """List the totals over all tasks: accepted alternatives, and near misses and mutants that were caught."""
    seeds = [seed for proof in proofs for seed in proof.seeds]
    also = sum(len(proof_functions(proof.task, ALTERNATIVES)) * len(proof.seeds) for proof in proofs)
    miss = sum(len(proof_functions(proof.task, NEAR_MISSES)) * len(proof.seeds) for proof in proofs)
    killed, mutants = sum(sum(seed.killed.values()) for seed in seeds), sum(seed.mutants for seed in seeds)
    return [
        f"alternative solutions accepted: {_format_share(sum(len(seed.also) for seed in seeds), also)}",
        f"near misses caught by the named checkpoint: {_format_share(sum(len(seed.misses) for seed in seeds), miss)}",
        f"mutants caught by a checkpoint that covers them: {_format_share(killed, mutants)}",
        f"hostile files and answers survived: {sum(seed.hostile for seed in seeds)}",
    ]


def _format_share(part: int, total: int) -> str:
    return f"{part} of {total}" + (f" ({100 * part / total:.2f} %)" if total else "")


def _task_table(proofs: Sequence[TaskProof]) -> Table:
    table = _make_table(
        "task", "seeds", "calls", "alternatives", "near misses", "mutants", "excluded", "hostile", "failures", "servers"
    )
    for proof in proofs:
        calls = [seed.calls for seed in proof.seeds]
        table.add_row(
            proof.task.id,
            str(len(proof.seeds)),
            f"{min(calls)}-{max(calls)}" if min(calls) < max(calls) else str(calls[0]),
            _of_all(proof, ALTERNATIVES, [seed.also for seed in proof.seeds]),
            _of_all(proof, NEAR_MISSES, [seed.misses for seed in proof.seeds]),
            f"{sum(seed.killed.total() for seed in proof.seeds)}/{sum(seed.mutants for seed in proof.seeds)}",
            str(sum(seed.excluded.total() for seed in proof.seeds)),
            str(sum(seed.hostile for seed in proof.seeds)),
            str(len(proof.failures)),
            ", ".join(sorted({server for seed in proof.seeds for server in seed.servers})),
        )
    return table


def _of_all(proof: TaskProof, prefix: str, proved_names: Sequence[Sequence[str]]) -> str:
    return f"{sum(map(len, proved_names))}/{len(proof.seeds) * len(proof_functions(proof.task, prefix))}"


def _operator_table(proofs: Sequence[TaskProof]) -> Table:
    table = _make_table("mutation operator", "caught", "admissible")
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


def _make_table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="left" if name == "servers" else "right", overflow="fold")
    return table


def check_proofs(tasks: Sequence[Task], seeds: Sequence[int]) -> int:
    """Print the stale proofs with the reasons; return the exit code."""
    stale = find_stale(tasks, seeds)
    for instance in stale:
        _print_line(str(instance))
    count = len(tasks) * len(seeds)
    hint = "; `yardkit prove --stale` proves the others" if stale else ""
    _print_line(f"{count - len(stale)} of {count} proofs are valid{hint}")
    return 1 if stale else 0


def carry_out_stale_proofs(tasks: Sequence[Task], seeds: Sequence[int], jobs: int) -> int:
    """Prove stale instances and write each success to the lock at once; return the exit code."""
    stale, failed = find_stale(tasks, seeds), 0
    with show_progress(len(stale), "proving") as ended:
        for case, proof in prove_stale(stale, jobs):
            failed += bool(proof.broken)
            ended(*_format_proof(case, proof, ", ".join(part for part in PARTS if part in proof.proved_parts)))
    count = len(tasks) * len(seeds)
    _print_line(f"{count - failed} of {count} proofs are valid, {len(stale)} of them were stale")
    return 1 if failed else 0


def _print_line(line: str) -> None:
    new_console().print(line, highlight=False, markup=False, soft_wrap=True)
