"""``toolyard gta``: the data sets and figures of GTA and GTA-2."""

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from toolyard.sandbox.cli import Subparsers, new_parser
from toolyard.world import Problem

_DESCRIPTION = """\
Work with the released data of GTA (dataset.json, toolmeta.json, image/) and GTA-2 (end.json, files/).

check DIR      read a set, and tell what is in it, what is broken and what is unknown
score FILE     the figures of the papers for predictions as OpenCompass writes them, of the set in --data DIR,
               as published (what the original code computes) and corrected (without its defects)"""

_EXAMPLES = """\
  toolyard gta check gta_dataset
  toolyard gta score predictions/model/gta_bench.json --data gta_dataset --mode step
  toolyard gta score predictions/model/gta_bench.json --data gta_dataset --mode run --format json"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "gta", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("action", choices=["check", "score"], help="what to do")
    parser.add_argument("path", type=Path, metavar="DIR|FILE", help="the folder of a set; a file of predictions")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of the set, for score")
    parser.add_argument(
        "--mode", choices=["step", "run"], default="run", help="step by step or end to end; default: run"
    )
    parser.add_argument("--format", choices=["text", "json"], default="text", help="default: text")


def run(arguments: argparse.Namespace) -> int:
    told = _checked(arguments.path) if arguments.action == "check" else _scored(arguments)
    print(json.dumps(told, indent=1) if arguments.format == "json" else "\n".join(_lines(told)))  # noqa: T201
    return 0


def _checked(folder: Path) -> dict[str, Any]:
    from toolyard.sandbox.gta.atomic import read_atomic
    from toolyard.sandbox.gta.workflow import read_workflow

    if (folder / "dataset.json").is_file():
        atomic = read_atomic(folder)
        kinds = [sample.kind for sample in atomic.samples.values()]
        return {
            "samples": len(atomic.samples),
            "kinds": {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)},
            "gold calls": sum(len(sample.calls) for sample in atomic.samples.values()),
            "tools": sorted({name for sample in atomic.samples.values() for name in sample.tools}),
            "broken": dict(atomic.broken),
            "remarks": list(atomic.remarks),
        }
    if (folder / "end.json").is_file():
        workflow = read_workflow(folder)
        leaves = [sum(1 for _ in task.root.leaves()) for task in workflow.tasks.values()]
        return {
            "tasks": len(workflow.tasks),
            "leaves": sum(leaves),
            "leaves of a task": f"{min(leaves)} to {max(leaves)}",
            "tools": sorted({name for task in workflow.tasks.values() for name in task.tools}),
            "broken": dict(workflow.broken),
            "remarks": list(workflow.remarks),
        }
    raise Problem(f"{folder.name!r} holds neither dataset.json (GTA) nor end.json (GTA-2)")


def _scored(arguments: argparse.Namespace) -> dict[str, Any]:
    from dataclasses import asdict

    from toolyard.sandbox.gta.atomic import read_atomic
    from toolyard.sandbox.gta.predictions import read_predictions, worked_of
    from toolyard.sandbox.gta.runs import score_runs
    from toolyard.sandbox.gta.similarity import chosen_similarity
    from toolyard.sandbox.gta.steps import score_steps

    if arguments.data is None:
        raise Problem("score needs the set: --data DIR")
    data = read_atomic(arguments.data)
    samples = list(data.samples.values())
    predictions = read_predictions(arguments.path, samples)
    similarity, name = chosen_similarity()
    told: dict[str, Any] = {"samples": len(samples), "similarity": name}
    for form in ("published", "corrected"):
        scores = (
            score_steps(samples, predictions, form, similarity, data.defaults)
            if arguments.mode == "step"
            else score_runs(samples, worked_of(predictions), form, similarity)
        )
        told[form] = asdict(scores)
    return told


def _lines(told: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    for name, value in told.items():
        if isinstance(value, Mapping):
            yield f"{indent}{name}:" + ("" if value else " none")
            yield from _lines(value, indent + "  ")
        elif isinstance(value, list):
            yield f"{indent}{name}: {', '.join(map(str, value)) or 'none'}"
        else:
            yield f"{indent}{name}: {value}"
