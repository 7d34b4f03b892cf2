"""Task cards in Markdown: a task's prompt, the targets of its checkpoints, and the results of its proofs.

    python -m yardkit.sandbox.proofs.cards DIR

writes the cards of all tasks from their files and `proofs.lock` without proving anything. `yardkit prove --cards DIR`
writes more detailed ones, which also list the mutants. Cards contain no time, so the same proof gives the same bytes.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import isfunction
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint
from yardkit.sandbox.proofs.proofs_lock import Entry, Instance, read_lock
from yardkit.sandbox.proofs.proving import SeedProof, TaskProof
from yardkit.sandbox.tasks.suites import list_suites
from yardkit.sandbox.tasks.task import Task, load_task
from yardkit.world import save_text

ALTERNATIVES, NEAR_MISSES = "alternative_", "near_miss_"
"""How the names of a proof's functions begin."""


@dataclass(frozen=True)
class Figures:
    """The figures of one instance's proof; `instance` names its seed and any parameters."""

    instance: str
    calls: int
    accepted: int
    caught: int
    killed: int
    survived: int


def write_cards(folder: Path) -> list[Path]:
    """Write the card of every task as ``<suite>/<task>.md`` below `folder`, from task files and the lock.

    Raises:
        Problem: this is an installed package, which has no lock.
    """
    entries = read_lock()
    tasks = [load_task(name) for names in list_suites().values() for name in names]
    return [_save(task, folder, _describe_task(task, *_from_lock(task, entries))) for task in tasks]


def write_card(proof: TaskProof, folder: Path) -> Path:
    """Write the full card of a proof and return its path."""
    figures = [
        Figures(f"seed {seed.seed}", seed.calls, len(seed.also), len(seed.misses), seed.killed.total(), seed.hostile)
        for seed in proof.seeds
    ]
    return _save(proof.task, folder, _describe_task(proof.task, figures, proof.seeds[0].tools, proof.seeds))


def proof_functions(task: Task, prefix: str) -> list[str]:
    """List the names of a proof's functions that begin with `ALTERNATIVES` or `NEAR_MISSES`."""
    return [name for name in vars(task.proof()) if name.startswith(prefix)]


def operator_of(survivor: str) -> str:
    """The operator of a surviving mutant, as named in `SeedProof.survived`."""
    return survivor.split(" on ")[0]


def _save(task: Task, folder: Path, lines: Iterable[str]) -> Path:
    path = folder.absolute() / task.suite / f"{task.name}.md"
    save_text(path, "\n".join(lines) + "\n")
    return path


def _from_lock(task: Task, entries: Mapping[Instance, Entry]) -> tuple[list[Figures], Mapping[str, int]]:
    """Read the figures of a task and its variants, and the calls of the first, from the lock."""
    lock_entries = [(*instance, entries[instance]) for instance in sorted(entries) if _is_of(instance[0], task)]
    figures = [
        Figures(
            ", ".join(filter(None, [name.partition("@")[2], f"seed {seed}"])),
            entry.calls,
            entry.accepted,
            entry.caught,
            entry.killed,
            entry.survived,
        )
        for name, seed, entry in lock_entries
    ]
    return figures, lock_entries[0][2].tools if lock_entries else {}


def _is_of(instance: str, task: Task) -> bool:
    return instance.partition("@")[0] == f"{task.suite}/{task.name}"


def _describe_task(
    task: Task, figures: list[Figures], tools: Mapping[str, int], proofs: Iterable[SeedProof] = ()
) -> Iterator[str]:
    """Yield the lines of a card."""
    profile, checks = task.profile, task.checks()
    yield from (f"# {task.id}", "", f"{task.title}.", "")
    yield f"- Domain: {profile.domain}; difficulty: {profile.difficulty}"
    yield f"- Servers: {', '.join(task.servers)}"
    called = ", ".join(f"`{tool}` ({times})" for tool, times in sorted(tools.items()) if times)
    yield f"- Tools that the reference solution calls: {called or 'not recorded'}"
    yield from ("", "## Prompt", "", *(f"> {line}".rstrip() for line in task.prompt_template.strip().splitlines()))
    yield from _format_section(
        "Checkpoints",
        ("Checkpoint", "It holds when", "Kind", "Weight", "Covers"),
        [_checkpoint_row(leaf, share) for leaf, share in _list_shares(checks, 1.0)],
    )
    yield from _format_section("Alternative solutions", ("Name", "What it does"), [*_list_alternatives(task)])
    yield from _format_section("Near misses", ("Name", "What is wrong", "Caught by"), [*_near_misses(task)])
    yield from _format_section(
        "Proof",
        (
            "Instance",
            "Calls",
            "Alternatives accepted",
            "Near misses caught",
            "Mutants caught",
            "Hostile files survived",
        ),
        [(row.instance, row.calls, row.accepted, row.caught, row.killed, row.survived) for row in figures],
    )
    yield from _describe_mutants(list(proofs))


def _describe_mutants(proofs: list[SeedProof]) -> Iterator[str]:
    """Describe what only a fresh proof knows: mutants by operator and checkpoint, and those that were left out."""
    by_operator, by_leaf, excluded = (Counter[str]() for _ in range(3))
    for proof in proofs:
        by_operator.update(proof.killed)
        by_leaf.update(proof.by_leaf)
        excluded.update(proof.excluded)
    yield from _format_section(
        "Mutants", ("Operator", "Caught"), [(f"`{name}`", by_operator[name]) for name in sorted(by_operator)]
    )
    yield from _format_section(
        "Mutants by checkpoint", ("Checkpoint", "Noticed"), [(f"`{name}`", by_leaf[name]) for name in sorted(by_leaf)]
    )
    yield from _format_section("Excluded mutants", ("Target and reason", "Times"), sorted(excluded.items()))


def _list_alternatives(task: Task) -> Iterator[tuple[str, str]]:
    for name in proof_functions(task, ALTERNATIVES):
        yield f"`{name}`", _describe_function(name, getattr(task.proof(), name), ALTERNATIVES)


def _near_misses(task: Task) -> Iterator[tuple[str, str, str]]:
    for name in proof_functions(task, NEAR_MISSES):
        near_miss = getattr(task.proof(), name)
        leaves = ", ".join(f"`{leaf}`" for leaf in near_miss.caught_by_leaf)
        yield f"`{name}`", _describe_function(name, near_miss, NEAR_MISSES), leaves


def _describe_function(name: str, function: Any, prefix: str) -> str:
    """Describe a function by the first line of its docstring, else by the words of its name."""
    written = function.__doc__ if isfunction(function) and function.__name__ == name else None
    words = name.removeprefix(prefix).replace("_", " ")
    return written.strip().splitlines()[0].rstrip(".") if written else words[:1].upper() + words[1:]


def _list_shares(node: Checkpoint, share: float) -> Iterable[tuple[Checkpoint, float]]:
    """List the leaves, each with its share of the score."""
    if not node.parts:
        yield node, share
    total = sum(part.weight for part in node.parts)
    for part in node.parts:
        yield from _list_shares(part, share * part.weight / total)


def _checkpoint_row(leaf: Checkpoint, share: float) -> tuple[object, ...]:
    kind = leaf.kind + (", gate" if leaf.gate else "")
    covered = ", ".join(f"`{target}`" for target in leaf.covers)
    return f"`{leaf.id}`", leaf.says, kind, f"{100 * share:.1f} %", covered


def _format_section(title: str, heads: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> Iterator[str]:
    """Format a heading and a table; nothing if there are no rows."""
    if not rows:
        return
    yield from ("", f"## {title}", "", _format_row(heads), "|" + "---|" * len(heads), *map(_format_row, rows))


def _format_row(cells: Iterable[object]) -> str:
    return "| " + " | ".join(" ".join(str(cell).split()).replace("|", "\\|") for cell in cells) + " |"


def main() -> int:
    """Write the cards of all tasks."""
    parser = argparse.ArgumentParser(prog="python -m yardkit.sandbox.proofs.cards", description="Write all task cards.")
    parser.add_argument("folder", type=Path, metavar="DIR", help="where SUITE/TASK.md is written")
    print(f"{len(write_cards(parser.parse_args().folder))} cards written")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
