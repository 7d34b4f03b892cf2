"""``yardkit catalog``: the servers and their tools."""

import argparse
import json
from dataclasses import asdict

from yardkit.sandbox.cli import Subparsers, new_parser

_DESCRIPTION = """\
List the servers and their tools, without starting anything. A `?` marks an argument that may be left out.

In brackets: the group of a server, about how many tokens its list of tools takes of each request to a model, and the
extra that it needs."""

_EXAMPLES = """\
  yardkit catalog
  yardkit catalog files
  yardkit catalog office
  yardkit catalog --dialect gta
  yardkit catalog gta-workflow
  yardkit catalog --format json"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "catalog", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("--format", choices=["text", "json", "markdown"], default="text", help="%(default)s by default")
    parser.add_argument("servers", nargs="*", metavar="SERVER", help="servers, groups or selections; default: all")
    parser.add_argument("--dialect", default="", metavar="NAME", help="the tools as another suite names them")


def run(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.serving.catalog import ServerEntry, list_catalog, servers_table, tools_table

    entries = list_catalog(arguments.servers, arguments.dialect)

    def heading(entry: ServerEntry) -> str:
        needs = [f"extra {entry.extra}"] if entry.extra else []
        about = [entry.group, f"about {entry.tokens:,} tokens", *needs]
        return f"{entry.name}: {entry.purpose} ({', '.join(about)})"

    if arguments.format == "json":
        text = json.dumps([asdict(entry) for entry in entries], indent=2)
    elif arguments.format == "markdown":
        parts = [f"## {entry.name}\n\n{entry.purpose}\n\n{tools_table(entry)}" for entry in entries]
        text = "\n\n".join([servers_table(entries, "yardkit/servers"), *parts])
    else:
        text = "\n\n".join(
            "\n".join(
                [heading(entry), *(_format_tool(tool.name, tool.arguments, tool.summary) for tool in entry.tools)]
            )
            for entry in entries
        )
    print(text)  # noqa: T201
    return 0


def _format_tool(name: str, arguments: list[str], summary: str) -> str:
    return f"  {name}({', '.join(arguments)})\n      {summary}"
