"""``yardkit serve``: serve tools over one of the user's folders."""

import argparse
import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.sandbox.cli import INTERRUPTED, Subparsers, new_parser, parse_folder
from yardkit.sandbox.cli.result_options import add_results, tool_names, use_results
from yardkit.sandbox.serving.registry import Offer, chosen_offer
from yardkit.world import Problem

if TYPE_CHECKING:
    from fastmcp import FastMCP

_DESCRIPTION = """\
Offer tool servers to an MCP client (Claude Desktop, Claude Code, Cursor, VS Code, any agent).

The tools read and write files in one folder, the workspace, and cannot leave it. Without
--http the client starts this command and talks to it over stdin and stdout; `yardkit
install` writes the client's configuration for that. With --http the client connects."""

_EXAMPLES = """\
  yardkit serve files calculator --workspace ~/Documents
  yardkit serve office                      # a group: all servers of office work
  yardkit serve --tools read_file,write_file
  yardkit serve gta-atomic                  # a selection: the 14 tools of GTA, in its words
  yardkit serve all --http --port 8000
  yardkit serve gta-workflow --http --port 16181 --agentlego
  YARDKIT_TOKEN=secret yardkit serve files --http --host 0.0.0.0

`yardkit catalog` lists the servers, their groups and their tools. The token cost of the list of
tools in each request to a model is printed to stderr."""


_WAITING = """\
yardkit: waiting for an MCP client on stdin; Ctrl-C stops. A client starts this command itself: see
`yardkit install --help`. For one that connects, add --http."""

_HOST = "127.0.0.1"
_PORT = 8000


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "serve", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("servers", nargs="*", metavar="SERVER", help="servers, groups or selections to offer, or `all`")
    parser.add_argument(
        "--tools", type=tool_names, default=[], metavar="NAME,...", help="offer only these tools, from any server"
    )
    parser.add_argument(
        "--workspace", type=parse_folder, default=Path(), metavar="DIR", help="default: the current directory"
    )
    parser.add_argument("--dialect", default="", metavar="NAME", help="offer the tools as another suite names them")
    add_results(parser)
    parser.add_argument("--http", action="store_true", help="listen for HTTP clients instead of stdin and stdout")
    parser.add_argument(
        "--agentlego", action="store_true", help="with --http: answer AgentLego's clients, too; for the tools of GTA"
    )
    parser.add_argument("--host", help=f"with --http: the address to listen on ({_HOST})")
    parser.add_argument("--port", type=int, help=f"with --http: the port ({_PORT}); 0 takes a free one")
    parser.add_argument(
        "--token",
        metavar="TOKEN",
        help="with --http: the bearer token that clients must send; better in the environment variable YARDKIT_TOKEN, "
        "as other users of the machine can see command lines. Needed unless the host is this machine only",
    )


def run(arguments: argparse.Namespace) -> int:
    offer = chosen_offer(arguments.servers, arguments.dialect, arguments.tools)
    _check_arguments(arguments, offer)
    use_results(arguments)
    # Imports create many objects but no garbage; collecting during them takes a fifth of the startup time.
    gc.disable()
    from yardkit.sandbox.serving.workspace_server import build_server

    server = build_server(offer.servers, offer.dialect, offer.tools)
    gc.enable()
    gc.freeze()
    with _make_interruptible():
        _serve_workspace(server, arguments)
    return 0


def _serve_workspace(server: "FastMCP[Any]", arguments: argparse.Namespace) -> None:
    from yardkit.sandbox.serving.workspace_server import serve_http, serve_stdio

    if arguments.http:
        token = arguments.token or os.environ.get("YARDKIT_TOKEN", "")
        port = _PORT if arguments.port is None else arguments.port
        host = arguments.host or _HOST
        serve_http(server, arguments.workspace, host, port, token, agentlego=arguments.agentlego)
    else:
        if sys.stdin.isatty():
            print(_WAITING, file=sys.stderr)  # noqa: T201
        serve_stdio(server, arguments.workspace)


@contextmanager
def _make_interruptible() -> Iterator[None]:
    """Let Ctrl-C end the process at once: a thread waiting on stdin cannot be interrupted. Saves are atomic anyway."""
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _check_arguments(arguments: argparse.Namespace, offer: Offer) -> None:
    if not arguments.servers and not arguments.tools:
        raise Problem("nothing to serve: name servers, groups or `all`, or --tools; see `yardkit serve --help`")
    for option in ("host", "port", "token", "agentlego"):
        if getattr(arguments, option) not in (None, False) and not arguments.http:
            raise Problem(f"--{option} needs --http; without it the client talks over stdin and stdout")
    if arguments.agentlego and offer.dialect != "gta":
        raise Problem("--agentlego is for the tools of GTA; serve gta-atomic, gta-workflow or --dialect gta")
