"""Task cards: what a task looks at and what its proof showed, as JSON and Markdown. The same proof, the same bytes."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint
from yardkit.sandbox.proofs.proving import TaskProof
from yardkit.sandbox.tasks.task import Task
from yardkit.world import save_text

_HOW = "Made by `yardkit prove --seeds {seeds} --cards docs/tasks {task}`; not to be edited."


def write_card(proof: TaskProof, cards: Path) -> Path:
    """Write ``<suite>/<task>.json`` and ``.md`` below `cards`; the path of the Markdown file."""
    save_card(proof.task, card_of(proof), cards)
    return _path(proof.task, cards).with_suffix(".md")


def card_of(proof: TaskProof) -> dict[str, Any]:
    """The card as JSON, without times."""
    tried = proof.seeds
    killed = _sum(seed.killed for seed in tried)
    lost = Counter(operator_of(mutant) for seed in tried for mutant in seed.survived)
    return {
        **statement(proof.task),
        "seeds": [seed.seed for seed in tried],
        "calls": [seed.calls for seed in tried],
        "servers_crossed": sorted({server for seed in tried for server in seed.servers}),
        "tools": dict(sorted(tried[0].tools.items())),
        "also": {name: sum(name in seed.also for seed in tried) for name in proof_functions(proof.task, "also_")},
        "miss": {name: sum(name in seed.misses for seed in tried) for name in proof_functions(proof.task, "miss_")},
        "mutants": {
            name: {"killed": killed[name], "admissible": killed[name] + lost[name]}
            for name in sorted(killed.keys() | lost.keys())
        },
        "killed_by_leaf": dict(sorted(_sum(seed.by_leaf for seed in tried).items())),
        "excluded": dict(sorted(_sum(seed.excluded for seed in tried).items())),
        "hostile_survived": sum(seed.hostile for seed in tried),
        "failures": proof.failures,
    }


def read_card(task: Task, cards: Path) -> dict[str, Any] | None:
    """The card of a task; None where there is none."""
    path = _path(task, cards)
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def save_card(task: Task, card: Mapping[str, Any], cards: Path) -> None:
    """Write a card as JSON and as Markdown."""
    path = _path(task, cards)
    save_text(path, json.dumps(card, indent=2, ensure_ascii=False) + "\n")
    save_text(path.with_suffix(".md"), _as_markdown(card))


def _path(task: Task, cards: Path) -> Path:
    return cards.absolute() / task.suite / f"{task.name}.json"


def statement(task: Task) -> dict[str, Any]:
    """What a card says of the task itself, from its files: a card that says otherwise is stale."""
    return {
        "task": task.id,
        "title": task.title,
        "servers": list(task.servers),
        "leaves": [_leaf(leaf, share) for leaf, share in _shares(task.checks(), 1.0)],
    }


def proof_functions(task: Task, prefix: str) -> list[str]:
    """The names of a proof's functions that begin with ``also_`` or ``miss_``."""
    return [name for name in vars(task.proof()) if name.startswith(prefix)]


def operator_of(survivor: str) -> str:
    """The operator of a mutant that survived, as `SeedProof.survived` words it."""
    return survivor.split(" on ")[0]


def stale(task: Task, cards: Path) -> list[str]:
    """What is wrong with the card of a task; empty when it is complete, up to date and without failures."""
    card, path = read_card(task, cards), _path(task, cards)
    if card is None or not path.with_suffix(".md").exists():
        return ["there is no card"]
    wrong = [name for name, value in statement(task).items() if card.get(name) != value]
    wrong += [name for name in ("also", "miss") if [*card[name]] != proof_functions(task, f"{name}_")]
    wrong += ["failures"] * bool(card["failures"])
    wrong += ["tools"] * (sum(card.get("tools", {}).values()) != card["calls"][0])
    tried = len(card["seeds"])
    wrong += [function for name in ("also", "miss") for function, shown in card[name].items() if shown != tried]
    if path.with_suffix(".md").read_text("utf-8") != _as_markdown(card):
        wrong.append("the Markdown differs from the JSON")
    return wrong


def _sum(counters: Iterable[Mapping[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counter in counters:
        total.update(counter)
    return total


def _shares(node: Checkpoint, share: float) -> Iterable[tuple[Checkpoint, float]]:
    """The leaves, each with its part of the whole score."""
    if not node.parts:
        yield node, share
    whole = sum(part.weight for part in node.parts)
    for part in node.parts:
        yield from _shares(part, share * part.weight / whole)


def _leaf(leaf: Checkpoint, share: float) -> dict[str, Any]:
    return {
        "id": leaf.id,
        "says": leaf.says,
        "kind": leaf.kind,
        "gate": leaf.gate,
        "share": round(share, 4),
        "observes": list(leaf.observes),
    }


def _as_markdown(card: Mapping[str, Any]) -> str:
    seeds, tried = card["seeds"], len(card["seeds"])
    command = _HOW.format(seeds=tried, task=card["task"])
    killed = sum(mutant["killed"] for mutant in card["mutants"].values())
    admissible = sum(mutant["admissible"] for mutant in card["mutants"].values())
    also, miss = card["also"], card["miss"]
    lines = [
        f"# {card['task']}",
        "",
        f"{card['title']}. {command}",
        "",
        f"- Servers offered: {', '.join(card['servers'])}; used by the solver: {', '.join(card['servers_crossed'])}",
        f"- Seeds tried: {', '.join(map(str, seeds))}; calls of the solver: {', '.join(map(str, card['calls']))}",
        f"- Other right ways accepted: {sum(also.values())} of {len(also) * tried}",
        f"- Near misses killed by the checkpoint that they name: {sum(miss.values())} of {len(miss) * tried}",
        f"- Automatic mutants killed by a checkpoint that looks there: {killed} of {admissible}",
        f"- Hostile files and answers survived: {card['hostile_survived']}",
        "",
        "## Tools",
        "",
        f"Called by the solver on seed {seeds[0]}: {_called(card['tools'])}.",
        "",
        "## Checkpoints",
        "",
        *_table(
            ("Checkpoint", "It holds when", "Kind", "Share", "Mutants killed"),
            [_leaf_row(leaf, card["killed_by_leaf"]) for leaf in card["leaves"]],
        ),
        "",
        "## Mutants",
        "",
        *_table(
            ("Operator", "Killed", "Admissible"),
            [(f"`{name}`", mutant["killed"], mutant["admissible"]) for name, mutant in card["mutants"].items()],
        ),
        *_listed("Right ways", [f"`{name}`: {shown} of {tried}" for name, shown in also.items()]),
        *_listed("Near misses", [f"`{name}`: {shown} of {tried}" for name, shown in miss.items()]),
        *_listed("Excluded, with the reason", [f"{what} ({times})" for what, times in card["excluded"].items()]),
        *_listed("Failures", card["failures"]),
    ]
    return "\n".join(lines) + "\n"


def _called(tools: Mapping[str, int]) -> str:
    return ", ".join(f"`{name}` ({times})" for name, times in tools.items())


def _leaf_row(leaf: Mapping[str, Any], killed: Mapping[str, int]) -> tuple[object, ...]:
    kind = leaf["kind"] + (", gate" if leaf["gate"] else "")
    return f"`{leaf['id']}`", leaf["says"], kind, f"{100 * leaf['share']:.1f} %", killed.get(leaf["id"], 0)


def _table(heads: tuple[str, ...], rows: list[tuple[object, ...]]) -> list[str]:
    def line(cells: Iterable[object]) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"

    return [line(heads), "|" + "---|" * len(heads), *map(line, rows)]


def _listed(title: str, items: Iterable[str]) -> list[str]:
    lines = [f"- {' '.join(item.split())}" for item in items]
    return ["", f"## {title}", "", *lines] if lines else []
