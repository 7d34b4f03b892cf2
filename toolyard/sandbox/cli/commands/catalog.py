"""``toolyard catalog``: the servers and their tools."""

import argparse
import json
from dataclasses import asdict

from toolyard.sandbox.cli import Subparsers, new_parser
from toolyard.sandbox.serving.registry import ALL

_DESCRIPTION = """\
List the servers and their tools, without starting anything. A `?` marks an argument that may be left out."""

_EXAMPLES = """\
  toolyard catalog
  toolyard catalog --server files
  toolyard catalog --dialect gta
  toolyard catalog --format json"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "catalog", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("--format", choices=["text", "json", "markdown"], default="text", help="%(default)s by default")
    parser.add_argument("--server", action="append", metavar="NAME", help="only this server; may be repeated")
    parser.add_argument("--dialect", default="", metavar="NAME", help="the tools as another suite names them")


def run(arguments: argparse.Namespace) -> int:
    from toolyard.sandbox.serving.catalog import ServerEntry, catalog, servers_table, tools_table

    entries = catalog(arguments.server or [ALL], arguments.dialect)

    def heading(entry: ServerEntry) -> str:
        needs = [f"toolyard[{entry.extra}]"] if entry.extra else []
        return f"{entry.name}: {entry.purpose}" + "".join(f" ({need})" for need in needs)

    if arguments.format == "json":
        text = json.dumps([asdict(entry) for entry in entries], indent=2)
    elif arguments.format == "markdown":
        parts = [f"## {entry.name}\n\n{entry.purpose}\n\n{tools_table(entry)}" for entry in entries]
        text = "\n\n".join([servers_table(entries, "toolyard/servers"), *parts])
    else:
        text = "\n\n".join(
            "\n".join([heading(entry), *(_tool(tool.name, tool.arguments, tool.summary) for tool in entry.tools)])
            for entry in entries
        )
    print(text)  # noqa: T201
    return 0


def _tool(name: str, arguments: list[str], summary: str) -> str:
    return f"  {name}({', '.join(arguments)})\n      {summary}"
