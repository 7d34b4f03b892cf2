"""``toolyard mcp``: one episode over stdin and stdout."""

import argparse
import gc
import sys
from pathlib import Path

from toolyard.sandbox.cli import Subparsers, new_parser
from toolyard.sandbox.cli.episode_options import add_runs, add_seed
from toolyard.sandbox.cli.result_options import add_results, use_results

_DESCRIPTION = """\
Serve one episode to the MCP client that starts this command, over stdin and stdout: the
tools of a task, on a freshly seeded workspace, with every call recorded. Where the episode
is and how to grade it is said on stderr."""

_EXAMPLES = """\
  toolyard mcp --task quickstart/sort_inbox --seed 7
  toolyard mcp --task sort_inbox --server files --runs ~/episodes
  toolyard mcp --episode runs/e0123456789abcdef     # go on with one of `toolyard open`"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "mcp", _DESCRIPTION, _EXAMPLES)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--task", metavar="TASK", help="open a new episode of this task")
    which.add_argument("--episode", type=Path, metavar="DIR", help="go on with an episode that was opened before")
    add_seed(parser)
    parser.add_argument(
        "--server", nargs="+", default=[], metavar="NAME", help="offer these servers only (all of the task's)"
    )
    add_runs(parser)
    add_results(parser)


def run(arguments: argparse.Namespace) -> int:
    use_results(arguments)
    # Imports make many objects and no garbage: collecting meanwhile costs a fifth of the start.
    gc.disable()
    from toolyard.sandbox.episodes.opening import continued, opened
    from toolyard.sandbox.episodes.stdio import serve_episode_stdio

    servers = arguments.server
    if arguments.episode:
        episode = continued(arguments.episode, servers)
    else:
        episode = opened(arguments.task, arguments.seed, arguments.runs, servers)
    gc.enable()
    gc.freeze()
    _say(f"episode of {episode.task.id}, seed {episode.seed}, in {episode.directory}")
    serve_episode_stdio(episode, servers)
    count = len(episode.ledger.calls)
    _say(f"{count} {'call' if count == 1 else 'calls'} recorded; grade with: toolyard grade {episode.directory}")
    return 0


def _say(text: str) -> None:
    print(f"toolyard: {text}", file=sys.stderr, flush=True)  # noqa: T201
