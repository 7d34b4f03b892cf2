"""``yardkit tasks``: the suites and their tasks."""

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from yardkit.sandbox.cli import Subparsers, new_parser

if TYPE_CHECKING:
    from yardkit.sandbox.tasks.task import Task

_DESCRIPTION = """\
List the suites, or the tasks of a suite: what each is about, how hard it is, and the servers that the agent gets."""

_EXAMPLES = """\
  yardkit tasks
  yardkit tasks quickstart
  yardkit tasks all --json"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "tasks", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("names", nargs="*", metavar="SUITE|TASK|all", help="whose tasks; default: only the suites")
    parser.add_argument("--json", action="store_true", help="as JSON, with inputs, deliverables and parameters")


def run(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.tasks.suites import find_tasks, list_suites

    suites = list_suites()
    tasks = find_tasks([suite for name in arguments.names for suite in (suites if name == "all" else [name])])
    if arguments.json:
        print(json.dumps([_as_dict(task) for task in tasks or find_tasks([*suites])], indent=2))  # noqa: T201
    elif tasks:
        print("\n".join(_format_tasks(tasks)))  # noqa: T201
    else:
        width = max(map(len, suites), default=0)
        print("\n".join(f"{suite:<{width}}  {len(ids):>3} tasks" for suite, ids in suites.items()))  # noqa: T201
        print("\n`yardkit tasks SUITE` lists the tasks of a suite, `yardkit run TASK --agent ...` runs one.")  # noqa: T201
    return 0


def _format_tasks(tasks: "list[Task]") -> Iterator[str]:
    width = max(len(task.id) for task in tasks)
    for task in tasks:
        yield f"{task.id:<{width}}  {task.profile.difficulty:<6}  {task.title}"
        yield f"{'':<{width}}  {'':<6}  servers: {', '.join(task.servers)}"


def _as_dict(task: "Task") -> dict[str, object]:
    return {
        "id": task.id,
        "title": task.title,
        "servers": list(task.servers),
        **task.profile.as_dict(),
        "parameters": dict(task.values),
        "max_turns": task.max_turns,
    }
