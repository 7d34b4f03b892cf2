"""``yardkit install``: write the configuration of an MCP client."""

import argparse
import difflib
import sys
from pathlib import Path

from yardkit.sandbox.cli import Subparsers, new_parser, parse_folder, suggest_word
from yardkit.sandbox.cli.result_options import tool_names
from yardkit.sandbox.serving.client_configs import (
    BACKUP_SUFFIX,
    CLIENTS,
    Change,
    config_path,
    in_uv_cache,
    plan_change,
    server_entry,
)
from yardkit.sandbox.serving.registry import Offer, chosen_offer
from yardkit.sandbox.serving.requirements import server_states
from yardkit.world import Problem

_DESCRIPTION = """\
Write a client's configuration so that it starts the servers over one of your folders.

Everything else in the file stays; its previous content is kept in a copy next to it. Files written:
  claude-desktop  claude_desktop_config.json in Claude's folder of your account
  claude-code     .mcp.json in the current directory
  cursor          .cursor/mcp.json in the current directory (for all projects: --config ~/.cursor/mcp.json)
  vscode          .vscode/mcp.json in the current directory"""

_EXAMPLES = """\
  yardkit install claude-desktop files calculator --workspace ~/Documents
  yardkit install cursor office
  yardkit install claude-code gta-workflow
  yardkit install vscode --tools read_file,plot_series --dry-run"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "install", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("client", metavar="CLIENT", help=", ".join(CLIENTS))
    parser.add_argument("servers", nargs="*", metavar="SERVER", help="servers, groups or selections to offer, or `all`")
    parser.add_argument(
        "--tools", type=tool_names, default=[], metavar="NAME,...", help="offer only these tools, from any server"
    )
    parser.add_argument(
        "--workspace", type=parse_folder, default=Path(), metavar="DIR", help="default: the current directory"
    )
    parser.add_argument("--dialect", default="", metavar="NAME", help="offer the tools as another suite names them")
    parser.add_argument(
        "--config", type=parse_folder, metavar="FILE", help="write this file instead of the client's usual one"
    )
    parser.add_argument("--name", default="yardkit", help="name of the entry (%(default)s)")
    parser.add_argument("--dry-run", action="store_true", help="show what would change and write nothing")
    parser.add_argument("--yes", action="store_true", help="replace an entry of that name without asking")


def run(arguments: argparse.Namespace) -> int:
    if arguments.client not in CLIENTS:
        hint = suggest_word(arguments.client, list(CLIENTS))
        raise Problem(f"there is no client {arguments.client!r}.{hint} Clients: {', '.join(CLIENTS)}")
    offer = _choose_offer(arguments)
    servers = list(offer.servers)
    entry = server_entry(arguments.client, servers, arguments.workspace, offer.dialect, offer.tools)
    path = arguments.config or config_path(arguments.client)
    change = plan_change(arguments.client, path, arguments.name, entry)
    client = CLIENTS[arguments.client]
    for state in server_states(servers):
        if not state.works and not in_uv_cache():  # uvx brings the extras that the entry names
            print(f"yardkit: {state.name} needs more packages: {state.fix}", file=sys.stderr)  # noqa: T201
    if change.after == change.before:
        print(f"{change.path} already has this entry.")  # noqa: T201
    elif arguments.dry_run:
        print(_format_diff(change), end="")  # noqa: T201
    elif change.replaces is None or arguments.yes or _is_confirmed(change, arguments.name):
        change.save()
        backup_note = f" Its previous content is in {change.path.name}{BACKUP_SUFFIX}." if change.before else ""
        print(f"{client.title} will start {', '.join(servers)} as {arguments.name!r}: {change.path}.{backup_note}")  # noqa: T201
        print(f"{client.next_step} to use it.")  # noqa: T201
    else:
        print("Nothing was changed.")  # noqa: T201
        return 1
    return 0


def _choose_offer(arguments: argparse.Namespace) -> Offer:
    if not arguments.servers and not arguments.tools:
        raise Problem("nothing to offer: name servers, groups or `all`, or --tools; see `yardkit install --help`")
    offer = chosen_offer(arguments.servers, arguments.dialect, arguments.tools)
    if not offer.tools:
        return offer
    from yardkit.sandbox.serving.workspace_server import narrow_offer

    return narrow_offer(offer)


def _format_diff(change: Change) -> str:
    name = str(change.path)
    lines = difflib.unified_diff(change.before.splitlines(), change.after.splitlines(), name, name, lineterm="")
    return "".join(f"{line}\n" for line in lines)


def _is_confirmed(change: Change, name: str) -> bool:
    if not sys.stdin.isatty():
        raise Problem(
            f"{str(change.path)!r} has another entry {name!r}; add --yes to replace it, or --name for a second entry "
            "(--dry-run shows the difference)"
        )
    print(_format_diff(change), end="")  # noqa: T201
    return input(f"Replace the entry {name!r}? [y/N] ").strip().lower() in ("y", "yes")
