"""``toolyard gta judge``: the deliverables of any agent, judged leaf by leaf."""

import argparse
from dataclasses import asdict
from pathlib import Path

from toolyard.sandbox.cli import Subparsers, new_parser
from toolyard.sandbox.cli.commands.gta.telling import add_format, tell
from toolyard.sandbox.cli.job_options import add_jobs, chosen_jobs
from toolyard.world import Problem

_DESCRIPTION = """\
Judge what any agent delivered for the set Workflow in --data DIR, leaf by leaf, and give the figures of the paper.
DIR holds a folder for each task; the judge is TOOLYARD_JUDGE_URL and TOOLYARD_JUDGE_MODEL."""

_EXAMPLES = """\
  toolyard gta judge results --data gta_dataset_v2
  toolyard gta judge results --data gta_dataset_v2 --layout openclaw --jobs 4"""

_LAYOUTS = ("generic", "openclaw", "manus")


def add(actions: Subparsers) -> None:
    parser = new_parser(actions, "judge", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("path", type=Path, metavar="DIR", help="the folder of results")
    parser.add_argument("--data", type=Path, metavar="DIR", required=True, help="the folder of the set")
    parser.add_argument(
        "--layout", choices=_LAYOUTS, default="generic", help="of results; generic: TASK/final.txt, TASK/files"
    )
    add_jobs(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    from toolyard.sandbox.gta.judging import JudgedTask, judge_results, save_judged
    from toolyard.sandbox.gta.workflow import read_workflow, score_workflows

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
    told = {
        **asdict(scores),
        "roots": {task.id: task.root for task in judged},
        "outcomes": {name: outcomes.count(name) for name in dict.fromkeys(outcomes)},
        "without a result": [name for name in data.tasks if name not in {task.id for task in chosen}],
        "broken": broken,
    }
    return tell(told, arguments)
