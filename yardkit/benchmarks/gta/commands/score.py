"""``yardkit gta score``: the figures of the papers for predictions."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.commands.telling import add_format, print_summary
from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.world import Problem

_DESCRIPTION = """\
The figures of the papers for predictions as OpenCompass writes them, of the set Atomic in --data DIR: as published
(what the original code computes) and corrected (without its defects). A directory of `yardkit run gta` is scored end
to end, on the set that `yardkit gta export` makes of the same seed."""

_EXAMPLES = """\
  yardkit gta score predictions/model/gta_bench.json --data gta_dataset --mode step
  yardkit gta score predictions/model/gta_bench.json --data gta_dataset --mode run --format json
  yardkit gta score runs/2026-11-26_101500_gta_openai --data sets/atomic"""


def add(actions: Subparsers) -> None:
    parser = new_parser(actions, "score", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("path", type=Path, metavar="FILE|RUN", help="the predictions, or a run directory")
    parser.add_argument("--data", type=Path, metavar="DIR", required=True, help="the folder of the set")
    parser.add_argument(
        "--mode", choices=["step", "run"], default="run", help="step by step or end to end; default: run"
    )
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    from yardkit.benchmarks.gta.report.own_runs import predictions_of
    from yardkit.benchmarks.gta.scores.answers import chosen_similarity
    from yardkit.benchmarks.gta.scores.runs import score_runs
    from yardkit.benchmarks.gta.scores.steps import score_steps
    from yardkit.benchmarks.gta.sets.atomic import read_atomic
    from yardkit.benchmarks.gta.sets.predictions import as_steps, read_predictions, worked_of

    data = read_atomic(arguments.data)
    samples = list(data.samples.values())
    broken = dict(data.broken)
    is_run = (arguments.path / "run.json").is_file()
    if is_run and arguments.mode == "step":
        raise Problem("a run is end to end; step by step is what `yardkit gta ask` does")
    predictions = (
        predictions_of(arguments.path, samples)
        if is_run
        else read_predictions(arguments.path, samples, data.ids, broken)
    )
    if arguments.mode == "step":
        predictions = as_steps(samples, predictions, broken)
    similarity, name = chosen_similarity()
    summary: dict[str, Any] = {"samples": len(samples), "similarity": name}
    if is_run:
        summary["without a run"] = [sample for sample, steps in predictions.items() if not steps]
    for form in ("published", "corrected"):
        scores = (
            score_steps(samples, predictions, form, similarity, data.defaults)
            if arguments.mode == "step"
            else score_runs(samples, worked_of(predictions), form, similarity)
        )
        summary[form] = asdict(scores)
    summary["broken"] = broken
    return print_summary(summary, arguments)
