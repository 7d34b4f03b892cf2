"""``yardkit gateway``: episodes over HTTP."""

import argparse
import os

from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.episode_options import add_runs
from yardkit.sandbox.cli.result_options import add_results, use_results

_DESCRIPTION = """\
Serve episodes over HTTP. The operator opens one (POST /episodes), hands its MCP address,
token and prompt to an agent, and grades it (POST /e/<id>/grade). Agents work over MCP at
/e/<id>/mcp, or with plain JSON at /e/<id>/tools and /e/<id>/call."""

_EXAMPLES = """\
  YARDKIT_OPERATOR_TOKEN=a-long-secret-of-yours yardkit gateway --port 8080
  curl -X POST http://127.0.0.1:8080/episodes -H "Authorization: Bearer a-long-secret-of-yours" \\
       -d '{"task": "quickstart/sort_inbox", "seed": 7}'

docs/gateway.md describes every route."""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "gateway", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=8080, help="the port (%(default)s); 0 takes a free one")
    add_runs(parser)
    add_results(parser)
    parser.add_argument(
        "--operator-token",
        metavar="TOKEN",
        help="opens, grades, lists and deletes episodes; better in the environment variable YARDKIT_OPERATOR_TOKEN, "
        "as other users of the machine can see command lines. By default one is made and printed on stderr",
    )
    parser.add_argument("--public-url", default="", metavar="URL", help="how clients reach the gateway, behind a proxy")
    parser.add_argument(
        "--max-episodes", type=int, default=2_000, metavar="N", help="episodes open at a time (%(default)s)"
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=1,
        metavar="N",
        help="processes that share the episodes (%(default)s); agents reach them directly, on the ports after --port",
    )


def run(arguments: argparse.Namespace) -> int:
    use_results(arguments)
    from yardkit.sandbox.gateway.serve import serve_gateway
    from yardkit.sandbox.gateway.settings import Settings

    settings = Settings(max_open=arguments.max_episodes, public_url=arguments.public_url)
    token = arguments.operator_token or os.environ.get("YARDKIT_OPERATOR_TOKEN", "")
    serve_gateway(arguments.runs, arguments.host, arguments.port, token, settings, arguments.workers)
    return 0
