"""``yardkit open``: seed an episode."""

import argparse
import json

from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.episode_options import add_extra_servers, add_format, add_runs, add_seed

_DESCRIPTION = """\
Seed an episode of a task and print the prompt that an agent gets. Work on its workspace by hand or
with any program, or over MCP with `yardkit mcp --episode DIR`; then `yardkit grade DIR`."""

_EXAMPLES = """\
  yardkit open quickstart/sort_inbox --seed 7
  yardkit open sort_inbox --format json | jq -r .workspace"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "open", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("task", metavar="TASK", help="a task, such as quickstart/sort_inbox")
    add_seed(parser)
    add_extra_servers(parser)
    add_runs(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.episodes.opening import open_new_episode

    episode = open_new_episode(arguments.task, arguments.seed, arguments.runs, extra_servers=arguments.extra_servers)
    facts = {
        "episode": str(episode.directory),
        "workspace": str(episode.workspace),
        "task": episode.task.id,
        "seed": episode.seed,
        "now": episode.world.now.isoformat(),
        "prompt": episode.prompt,
    }
    if arguments.format == "json":
        print(json.dumps(facts, indent=2, ensure_ascii=False))  # noqa: T201
        return 0
    lines = [f"{name:10} {facts[name]}" for name in ("episode", "workspace", "task", "seed", "now")]
    steps = [
        f"to work  yardkit mcp --episode {episode.directory}",
        f"to end   yardkit grade {episode.directory} --answer TEXT",
    ]
    print("\n".join([*lines, "", episode.prompt, "", *steps]))  # noqa: T201
    return 0
