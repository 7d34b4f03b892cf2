"""``yardkit mcp``: one episode over stdin and stdout, or over HTTP."""

import argparse
import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.episode_options import add_extra_servers, add_runs, add_seed
from yardkit.sandbox.cli.result_options import add_results, use_results
from yardkit.world import Problem

if TYPE_CHECKING:
    from yardkit.sandbox.episodes.episode import Episode

_DESCRIPTION = """\
Serve one episode: the tools of a task, on a freshly seeded workspace, with every call
recorded. Without --http the MCP client starts this command and talks to it over stdin and
stdout. With --http one process serves the episode to all of its clients, which send
`Authorization: Bearer TOKEN` with the token of the environment variable YARDKIT_TOKEN;
without that variable the episode's own token is needed, which is printed on stderr.
Where the episode is and how to grade it is said there too.

Each start with --task opens a new episode. For a client that starts a process for each
call, open one first (`yardkit open`) and give it with --episode, or use --http."""

_EXAMPLES = """\
  yardkit mcp --task quickstart/sort_inbox --seed 7
  yardkit mcp --task sort_inbox --server files --runs ~/episodes
  yardkit mcp --episode runs/e0123456789abcdef     # go on with one of `yardkit open`
  YARDKIT_TOKEN=secret yardkit mcp --task sort_inbox --http --host 0.0.0.0 --port 8000"""

_HOST = "127.0.0.1"
_PORT = 8000


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "mcp", _DESCRIPTION, _EXAMPLES)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--task", metavar="TASK", help="open a new episode of this task")
    which.add_argument("--episode", type=Path, metavar="DIR", help="continue an episode that was opened before")
    add_seed(parser)
    parser.add_argument(
        "--server", nargs="+", default=[], metavar="NAME", help="offer these servers only (all of the task's)"
    )
    add_extra_servers(parser)
    add_runs(parser)
    add_results(parser)
    parser.add_argument("--http", action="store_true", help="listen for HTTP clients instead of stdin and stdout")
    parser.add_argument("--host", help=f"with --http: the address to listen on ({_HOST})")
    parser.add_argument("--port", type=int, help=f"with --http: the port ({_PORT}); 0 takes a free one")


def run(arguments: argparse.Namespace) -> int:
    use_results(arguments)
    for option in ("host", "port"):
        if getattr(arguments, option) is not None and not arguments.http:
            raise Problem(f"--{option} needs --http; without it the client talks over stdin and stdout")
    if arguments.episode and arguments.extra_servers:
        raise Problem(
            "--extra-servers is for a new episode (--task); an episode keeps the servers that it was opened with"
        )
    # Imports create many objects but no garbage; collecting during them takes a fifth of the startup time.
    gc.disable()
    from yardkit.sandbox.episodes.opening import continue_episode, open_new_episode, opened_per_call

    servers = arguments.server
    warning = ""
    if arguments.episode:
        episode = continue_episode(arguments.episode, servers)
    else:
        warning = "" if arguments.http else opened_per_call(arguments.task, arguments.seed, arguments.runs)
        episode = open_new_episode(arguments.task, arguments.seed, arguments.runs, servers, arguments.extra_servers)
    gc.enable()
    gc.freeze()
    if arguments.http:
        _serve_http(episode, arguments)
    else:
        _serve_stdio(episode, servers, warning)
    return 0


def _serve_http(episode: "Episode", arguments: argparse.Namespace) -> None:
    from yardkit.sandbox.episodes.http import serve_episode_http

    port = _PORT if arguments.port is None else arguments.port
    token = os.environ.get("YARDKIT_TOKEN", "")
    serve_episode_http(episode, arguments.server, arguments.host or _HOST, port, token)


def _serve_stdio(episode: "Episode", servers: list[str], warning: str) -> None:
    from yardkit.sandbox.episodes.stdio import serve_episode_stdio

    if warning:
        _print_message(warning)
    _print_message(f"episode of {episode.task.id}, seed {episode.seed}, in {episode.directory}")
    serve_episode_stdio(episode, servers, warning)
    count = len(episode.ledger.calls)
    _print_message(
        f"{count} {'call' if count == 1 else 'calls'} recorded; grade with: yardkit grade {episode.directory}"
    )


def _print_message(text: str) -> None:
    print(f"yardkit: {text}", file=sys.stderr, flush=True)  # noqa: T201
