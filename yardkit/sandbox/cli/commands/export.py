"""``yardkit export``: tasks in the form of other harnesses."""

import argparse
from pathlib import Path

from yardkit.sandbox.cli import Subparsers, new_parser, parse_folder
from yardkit.sandbox.cli.episode_options import add_seed

_DESCRIPTION = """\
Write tasks in the format of another harness. `harbor` writes a directory for each task: the
agent's container, one that serves the episode's tools over MCP, and one that grades it,
with the calls of the task's own solver as the oracle. They run on the image of
docker/Dockerfile."""

_EXAMPLES = """\
  yardkit export harbor sort_inbox --seed 7 --output tasks
  yardkit export harbor quickstart --output tasks --image registry.example/yardkit:1
  YARDKIT_TOKEN=a-long-secret-of-yours harbor run -p tasks -a oracle"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "export", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("form", choices=["harbor"], help="the harness")
    parser.add_argument("names", nargs="+", metavar="SUITE|TASK", help="which tasks")
    add_seed(parser)
    parser.add_argument(
        "--output",
        type=parse_folder,
        default=Path("tasks"),
        metavar="DIR",
        help="the directory to write to (%(default)s)",
    )
    parser.add_argument("--image", default="yardkit", help="the image that serves and grades (%(default)s)")


def run(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.adapters.harbor import export_task
    from yardkit.sandbox.tasks.suites import find_tasks

    for task in find_tasks(arguments.names):
        print(export_task(task, arguments.seed, arguments.output, arguments.image))  # noqa: T201
    return 0
