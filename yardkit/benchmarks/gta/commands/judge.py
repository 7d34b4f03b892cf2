"""``yardkit gta judge``: judge the deliverables of any agent leaf by leaf."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.benchmarks.gta.commands.telling import add_format, print_summary
from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.job_options import add_jobs, chosen_jobs
from yardkit.world import Problem

if TYPE_CHECKING:
    from yardkit.benchmarks.gta.running.judging import Layout
    from yardkit.benchmarks.gta.sets.workflow import Workflow

_DESCRIPTION = """\
Judge what any agent delivered for the set Workflow in --data DIR, leaf by leaf, and give the figures of the paper.
DIR holds a folder for each task; the judge is YARDKIT_JUDGE_URL and YARDKIT_JUDGE_MODEL.

layouts of results:
  generic   TASK/final.txt with the answer and TASK/files; what `yardkit gta run` writes
  openclaw  all files below TASK
  manus     the files directly in TASK
  yardkit  a directory of `yardkit run gta`, with the set that `yardkit gta export` makes of the same seed"""

_EXAMPLES = """\
  yardkit gta judge results --data gta_dataset_v2
  yardkit gta judge results --data gta_dataset_v2 --layout openclaw --jobs 4
  yardkit gta judge runs/2026-11-26_101500_gta_openai --data sets/workflow"""

_LAYOUTS = ("generic", "openclaw", "manus", "yardkit")


def add(actions: Subparsers) -> None:
    parser = new_parser(actions, "judge", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("path", type=Path, metavar="DIR", help="the folder of results")
    parser.add_argument("--data", type=Path, metavar="DIR", required=True, help="the folder of the set")
    parser.add_argument(
        "--layout", choices=_LAYOUTS, help="of results; by default the layout that is found there, else generic"
    )
    add_jobs(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    from yardkit.benchmarks.gta.running.judging import JudgedTask, judge_results, save_judged
    from yardkit.benchmarks.gta.sets.workflow import read_workflow, score_workflows

    data = read_workflow(arguments.data)
    layout: Layout = arguments.layout or ("yardkit" if (arguments.path / "run.json").is_file() else "generic")
    places = _pair_results(arguments.path, list(data.tasks.values()), layout)
    broken, judged = dict(data.broken), []
    for result in judge_results(arguments.path, places, layout, chosen_jobs(arguments)):
        if isinstance(result, JudgedTask):
            judged.append(result)
        else:
            broken[result[0]] = result[1]
    judged.sort(key=lambda task: list(data.tasks).index(task.id))
    save_judged(arguments.path, judged)
    outcomes = [leaf.outcome for task in judged for leaf in task.leaves]
    if "unjudged" in outcomes:
        raise Problem("no judge is configured; set YARDKIT_JUDGE_URL and YARDKIT_JUDGE_MODEL")
    scores = score_workflows([data.tasks[task.id] for task in judged], {task.id: task.points for task in judged})
    summary = {
        **asdict(scores),
        "roots": {task.id: task.root for task in judged},
        "outcomes": {name: outcomes.count(name) for name in dict.fromkeys(outcomes)},
        "without a result": [name for name in data.tasks if name not in {task.id for task, _ in places}],
        "broken": broken,
    }
    return print_summary(summary, arguments)


def _pair_results(results: Path, tasks: Sequence["Workflow"], layout: str) -> list[tuple["Workflow", Path]]:
    """Pair the tasks that have a result with their folders."""
    from yardkit.benchmarks.gta.report.own_runs import episodes_of

    if layout == "yardkit":
        episodes = episodes_of(results)
        task_folders = [(task, episodes[task.query]) for task in tasks if task.query in episodes]
    else:
        task_folders = [(task, results / task.id) for task in tasks if (results / task.id).is_dir()]
    if not task_folders:
        raise Problem(f"{results.name!r} holds a result for none of the {len(tasks)} tasks of the set")
    return task_folders
