"""``toolyard gta``: the data sets and figures of GTA and GTA-2."""

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from toolyard.sandbox.cli import Subparsers, new_parser
from toolyard.sandbox.cli.job_options import add_jobs, chosen_jobs
from toolyard.world import Problem, save_text

_DESCRIPTION = """\
Work with the released data of GTA (dataset.json, toolmeta.json, image/) and GTA-2 (end.json, files/).

check DIR      read a set, and tell what is in it, what is broken and what is unknown
judge DIR      judge what any agent delivered for GTA-2, leaf by leaf, and give the figures of the paper: DIR holds
               a folder for each task, --data the set; the judge is TOOLYARD_JUDGE_URL and TOOLYARD_JUDGE_MODEL
ask DIR        ask a model step by step (openai:MODEL at OPENAI_BASE_URL) and write its predictions to --output:
               it sees the gold chain up to a step and says the next one; no tool runs
sheet DIR      write a sheet for people to rate the leaves of GTA-2 (CSV) to --output
agree FILE     how far two raters agree on leaves and roots: FILE and --with are sheets that were filled in, or
               the judged.json that judge writes; correlations, ICC, kappa, mean difference
score FILE     the figures of the papers for predictions as OpenCompass writes them, of the set in --data DIR,
               as published (what the original code computes) and corrected (without its defects)"""

_EXAMPLES = """\
  toolyard gta check gta_dataset
  toolyard gta ask gta_dataset --agent openai:gpt-5.2 --output predictions.json
  toolyard gta judge results --data gta_dataset_v2 --layout openclaw --jobs 4
  toolyard gta agree sheet_of_ada.csv --with results/judged.json --data gta_dataset_v2
  toolyard gta score predictions/model/gta_bench.json --data gta_dataset --mode step
  toolyard gta agree sheet_of_ada.csv --with results/judged.json --data gta_dataset_v2
  toolyard gta score predictions/model/gta_bench.json --data gta_dataset --mode run --format json"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "gta", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("action", choices=["check", "ask", "judge", "sheet", "agree", "score"], help="what to do")
    parser.add_argument(
        "path", type=Path, metavar="DIR|FILE", help="the folder of a set or of results; a file of predictions"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of the set, for judge and score")
    parser.add_argument(
        "--mode", choices=["step", "run"], default="run", help="step by step or end to end; default: run"
    )
    parser.add_argument("--agent", metavar="openai:MODEL", help="whom to ask")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the agent, as for run"
    )
    parser.add_argument(
        "--all-tools", action="store_true", help="ask with all tools of the set, not those of the sample"
    )
    parser.add_argument("--with", dest="other", type=Path, metavar="FILE", help="the other rater, for agree")
    parser.add_argument("--output", type=Path, metavar="FILE", help="where the predictions go")
    layouts = ["generic", "openclaw", "manus"]
    parser.add_argument(
        "--layout", choices=layouts, default="generic", help="of results; generic: TASK/final.txt, TASK/files"
    )
    add_jobs(parser)
    parser.add_argument("--format", choices=["text", "json"], default="text", help="default: text")


def run(arguments: argparse.Namespace) -> int:
    told = _ACTIONS[arguments.action](arguments)
    print(json.dumps(told, indent=1) if arguments.format == "json" else "\n".join(_lines(told)))  # noqa: T201
    return 0


def _checked(arguments: argparse.Namespace) -> dict[str, Any]:
    from toolyard.sandbox.gta.atomic import read_atomic
    from toolyard.sandbox.gta.workflow import read_workflow

    folder: Path = arguments.path
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


def _judged(arguments: argparse.Namespace) -> dict[str, Any]:
    from dataclasses import asdict

    from toolyard.sandbox.gta.judging import JudgedTask, judge_results, save_judged
    from toolyard.sandbox.gta.workflow import read_workflow, score_workflows

    if arguments.data is None:
        raise Problem("judge needs the set: --data DIR")
    data = read_workflow(arguments.data)
    chosen = [task for task in data.tasks.values() if (arguments.path / task.id).is_dir()]
    if not chosen:
        raise Problem(f"{arguments.path.name!r} holds a folder for none of the {len(data.tasks)} tasks of the set")
    broken, judged = dict(data.broken), []
    for result in judge_results(arguments.path, chosen, arguments.layout, chosen_jobs(arguments)):
        if isinstance(result, JudgedTask):
            judged.append(result)
        else:
            broken[result[0]] = result[1]
    judged.sort(key=lambda task: list(data.tasks).index(task.id))
    save_judged(arguments.path, judged)
    outcomes = [leaf.outcome for task in judged for leaf in task.leaves]
    if "unjudged" in outcomes:
        raise Problem("no judge is configured; set TOOLYARD_JUDGE_URL and TOOLYARD_JUDGE_MODEL")
    scores = score_workflows([data.tasks[task.id] for task in judged], {task.id: task.points for task in judged})
    return {
        **asdict(scores),
        "roots": {task.id: task.root for task in judged},
        "outcomes": {name: outcomes.count(name) for name in dict.fromkeys(outcomes)},
        "without a result": [name for name in data.tasks if name not in {task.id for task in chosen}],
        "broken": broken,
    }


def _asked(arguments: argparse.Namespace) -> dict[str, Any]:
    from toolyard.sandbox.agents.chat import ChatAgent
    from toolyard.sandbox.agents.service import ContextFull, ServiceInvalid
    from toolyard.sandbox.gta.asking import ask_steps, save_predictions
    from toolyard.sandbox.gta.atomic import read_atomic

    kind, _, model = (arguments.agent or "").partition(":")
    if kind != "openai" or arguments.output is None:
        raise Problem("ask needs a model and a file: --agent openai:MODEL --output FILE")
    settings = ChatAgent.of(model, dict(pair.partition("=")[::2] for pair in arguments.set)).settings
    data = read_atomic(arguments.path)
    samples = list(data.samples.values())
    predictions = {}
    for sample in samples:
        try:
            predictions[sample.id] = ask_steps(sample, data, settings, all_tools=arguments.all_tools)
        except (ServiceInvalid, ContextFull) as error:
            raise Problem(f"sample {sample.id}: the model gave no answer: {error}") from error
    save_predictions(arguments.output, samples, predictions)
    return {
        "samples": len(samples),
        "tools": "all" if arguments.all_tools else "of each sample",
        "written": str(arguments.output),
    }


def _sheet(arguments: argparse.Namespace) -> dict[str, Any]:
    from toolyard.sandbox.gta.agreement import write_sheet
    from toolyard.sandbox.gta.workflow import read_workflow

    if arguments.output is None:
        raise Problem("sheet needs a file: --output FILE")
    tasks = read_workflow(arguments.path).tasks
    save_text(arguments.output.absolute(), write_sheet(tasks))
    return {"tasks": len(tasks), "written": str(arguments.output)}


def _agreement(arguments: argparse.Namespace) -> dict[str, Any]:
    from dataclasses import asdict

    from toolyard.sandbox.gta.agreement import agree_on, check_known, read_ratings
    from toolyard.sandbox.gta.workflow import read_workflow

    if arguments.data is None or arguments.other is None:
        raise Problem("agree needs the other rater and the set: --with FILE --data DIR")
    tasks = read_workflow(arguments.data).tasks
    raters = [read_ratings(path) for path in (arguments.path, arguments.other)]
    for path, ratings in zip((arguments.path, arguments.other), raters, strict=True):
        check_known(ratings, tasks, path.name)
    found = agree_on(raters[0], raters[1], tasks)
    if not found["leaves"].items:
        raise Problem("the two rated no leaf in common")
    return {level: asdict(figures) for level, figures in found.items()}


_ACTIONS = {"agree": _agreement, "sheet": _sheet, "ask": _asked, "check": _checked, "judge": _judged, "score": _scored}


def _lines(told: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    for name, value in told.items():
        if isinstance(value, Mapping):
            yield f"{indent}{name}:" + ("" if value else " none")
            yield from _lines(value, indent + "  ")
        elif isinstance(value, list):
            yield f"{indent}{name}: {', '.join(map(str, value)) or 'none'}"
        else:
            yield f"{indent}{name}: {value}"
