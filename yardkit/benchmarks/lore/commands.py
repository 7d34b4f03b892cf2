"""``yardkit lore``: generate tasks without running them."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.job_options import add_seeds, chosen_seeds
from yardkit.sandbox.cli.task_options import add_dials, chosen_tasks
from yardkit.world import Problem

if TYPE_CHECKING:
    from yardkit.benchmarks.lore.generated import Generated

_DESCRIPTION = """\
Generate tasks of the suites lore and lore_published and show them: operations (N), height, documents, how many of them
the agent begins with, and the answer. The same parameters and seed give the same task
everywhere, and `yardkit run` the same again.

--format json gives all of each task: prompt, documents, trajectory, answer; --output DIR writes
that as a file for each task."""

_EXAMPLES = """\
  yardkit lore generate --domain documents --ops 5,50,500 --mode bottom-up,top-down
  yardkit lore generate --domain documents --ops 50 --seeds 1000 --output tasks
  yardkit lore generate --preset published --domain code --ops 100,350 --variant hard
  yardkit lore generate --domain documents --ops 20 --seed 7 --with operators=add+subtract --format json"""

_PRESETS = {"yardkit": "lore", "published": "lore_published"}
"""The suites of generated tasks by what they are like."""
_FIGURES = (("N", 7), ("height", 7), ("documents", 10), ("starts", 7))


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "lore", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("action", choices=["generate"], help="what to do")
    add_dials(parser)
    parser.add_argument(
        "--preset",
        choices=list(_PRESETS),
        default="yardkit",
        help="published: tasks as in the paper, those of the suite lore_published; %(default)s by default",
    )
    parser.add_argument("--seed", type=int, metavar="S", help="this one seed")
    add_seeds(parser, default=1)
    parser.add_argument("--format", choices=["text", "json"], default="text", help="%(default)s by default")
    parser.add_argument("--output", type=Path, metavar="DIR", help="write a JSON file for each task below DIR")


def run(arguments: argparse.Namespace) -> int:
    generated_tasks = _generate_tasks(arguments)
    if arguments.output:
        generated_tasks = _write_tasks(generated_tasks, arguments.output)
    if arguments.format == "json":
        _print_json(generated.as_dict() for generated in generated_tasks)
    else:
        _print_table(generated_tasks)
    return 0


def _generate_tasks(arguments: argparse.Namespace) -> "Iterator[Generated]":
    """Yield the tasks one at a time, so that a thousand long ones need no more memory than one."""
    from yardkit.benchmarks.lore.generated import Generated, of_documents

    seeds = _list_seeds(arguments)
    tasks, left_out = of_documents(chosen_tasks([_PRESETS[arguments.preset]], arguments))
    for reason in left_out:
        _print_message(f"left out: {reason}")
    return (Generated.generate(task, seed) for task in tasks for seed in seeds)


def _list_seeds(arguments: argparse.Namespace) -> list[int]:
    if arguments.seed is None:
        return chosen_seeds(arguments, 1)
    if arguments.seeds is not None or arguments.seed_list is not None:
        raise Problem("--seed, --seeds and --seed-list exclude each other; use only one")
    if arguments.seed < 0:
        raise Problem(f"--seed {arguments.seed}: a seed is 0 or more")
    return [arguments.seed]


def _write_tasks(generated_tasks: "Iterable[Generated]", folder: Path) -> "Iterator[Generated]":
    from yardkit.world import save_text, skip_syncing

    for generated in generated_tasks:
        with skip_syncing():
            save_text(
                folder.absolute() / f"{generated.name}.json", json.dumps(generated.as_dict(), ensure_ascii=False) + "\n"
            )
        yield generated
    _print_message(f"wrote to {folder}")


def _print_json(records: Iterable[dict[str, Any]]) -> None:
    """Print one JSON list, item by item as they are generated."""
    before = "["
    for record in records:
        print(before, json.dumps(record, ensure_ascii=False), sep="\n", end="")  # noqa: T201
        before = ","
    print("\n]")  # noqa: T201


def _print_table(generated_tasks: "Iterable[Generated]") -> None:
    heads = "".join(f"{name:>{width}}" for name, width in _FIGURES)
    print(f"{heads}  {'answer':24} task")  # noqa: T201
    for generated in generated_tasks:
        lore_task = generated.lore_task
        figures = (generated.operations, lore_task.height, len(lore_task.records), len(lore_task.starts))
        row = "".join(f"{figure:>{width}}" for figure, (_, width) in zip(figures, _FIGURES, strict=True))
        print(f"{row}  {lore_task.answer:24} {generated.task.id} seed {generated.seed}")  # noqa: T201


def _print_message(text: str) -> None:
    print(f"yardkit: {text}", file=sys.stderr)  # noqa: T201
