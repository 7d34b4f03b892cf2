"""``toolyard serve``: tool servers over a folder of the user."""

import argparse
import gc
import os
from pathlib import Path

from toolyard.sandbox.cli import Subparsers, new_parser
from toolyard.sandbox.registry import chosen_servers

_DESCRIPTION = """\
Offer tool servers to an MCP client (Claude Desktop, Claude Code, Cursor, VS Code, any agent).

The tools read and write files in one folder, the workspace, and cannot leave it. Without
--http the client starts this command and talks to it over stdin and stdout; `toolyard
install` writes the client's configuration for that. With --http the client connects."""

_EXAMPLES = """\
  toolyard serve files calculator --workspace ~/Documents
  toolyard serve all --http --port 8000
  TOOLYARD_TOKEN=secret toolyard serve files --http --host 0.0.0.0

`toolyard catalog` lists the servers and their tools."""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "serve", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("servers", nargs="+", metavar="SERVER", help="servers to offer, or `all`")
    parser.add_argument("--workspace", type=Path, default=Path(), metavar="DIR", help="default: the current directory")
    parser.add_argument("--http", action="store_true", help="listen for HTTP clients instead of stdin and stdout")
    parser.add_argument("--host", default="127.0.0.1", help="with --http: the address to listen on (%(default)s)")
    parser.add_argument(
        "--port", type=int, default=8000, help="with --http: the port (%(default)s); 0 takes a free one"
    )
    parser.add_argument(
        "--token",
        metavar="TOKEN",
        help="with --http: the bearer token that clients must send; better in the environment variable TOOLYARD_TOKEN, "
        "as other users of the machine can see command lines. Needed unless the host is this machine only",
    )


def run(arguments: argparse.Namespace) -> int:
    names = chosen_servers(arguments.servers)
    # Imports make many objects and no garbage: collecting meanwhile costs a fifth of the start.
    gc.disable()
    from toolyard.sandbox.serving import build_server, serve_http, serve_stdio

    server = build_server(names)
    gc.enable()
    gc.freeze()
    if arguments.http:
        token = arguments.token or os.environ.get("TOOLYARD_TOKEN", "")
        serve_http(server, arguments.workspace, arguments.host, arguments.port, token)
    else:
        serve_stdio(server, arguments.workspace)
    return 0
