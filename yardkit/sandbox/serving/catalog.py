"""The catalogue: every server and tool, as the servers themselves describe them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.sandbox.serving.list_cost import list_cost
from yardkit.sandbox.serving.registry import ALL, chosen_offer, group_of, load_server, read_purpose
from yardkit.sandbox.serving.requirements import list_programs
from yardkit.world.extras import read_extras


@dataclass(frozen=True)
class ToolEntry:
    """A tool as a client sees it.

    Attributes:
        description: its description; the first line is a summary.
        access: ``reads``, ``writes`` (adds or changes) or ``destructive`` (can lose something).
        arguments: the names of its arguments, with a ``?`` after each that has a default.
    """

    name: str
    description: str
    access: str
    arguments: list[str]

    @property
    def summary(self) -> str:
        return self.description.partition("\n")[0]


@dataclass(frozen=True)
class ServerEntry:
    """A server.

    Attributes:
        purpose: one line.
        group: the group that it belongs to.
        tokens: the approximate tokens that its list of tools adds to each request to a model.
        extra: the extra of the distribution that it needs, or empty.
        packages: the requirements of that extra.
        programs: the system programs that some of its tools call.
        tools: in name order.
    """

    name: str
    purpose: str
    group: str
    tokens: int
    extra: str
    packages: list[str]
    programs: list[str]
    tools: list[ToolEntry]


def list_catalog(servers: Sequence[str] = (), dialect: str = "") -> list[ServerEntry]:
    """List the named servers (by default all), with the names of a `dialect` if given; for a selection, its tools.

    Raises:
        Problem: a server does not exist, or does not have the dialect.
    """
    offer = chosen_offer(servers, dialect)
    entries = [_make_entry(name, offer.dialect, offer.tools) for name in offer.servers]
    return [entry for entry in entries if entry.tools or not offer.tools]


def servers_table(entries: list[ServerEntry], link: str) -> str:
    """Make a Markdown table of servers; `link` is the path from the document to the folder of the servers."""
    rows = [
        f"| [{entry.name}]({link}/{entry.name}/README.md) | {entry.purpose} | {entry.group} | {len(entry.tools)} "
        f"| {entry.tokens:,} | {_format_extra(entry)} |"
        for entry in entries
    ]
    return "\n".join(["| Server | What it does | Group | Tools | Tokens | Extra |", "|---|---|---|---|---|---|", *rows])


def groups_table(entries: list[ServerEntry]) -> str:
    """Make a Markdown table of the groups of servers."""
    words = sorted({entry.group for entry in entries})
    groups = {word: [entry for entry in entries if entry.group == word] for word in words} | {ALL: entries}
    rows = [
        f"| `{word}` | {', '.join(entry.name for entry in own) if word != ALL else 'all'} "
        f"| {sum(len(entry.tools) for entry in own)} | {sum(entry.tokens for entry in own):,} |"
        for word, own in groups.items()
    ]
    return "\n".join(["| Group | Servers | Tools | Tokens |", "|---|---|---|---|", *rows])


def tools_table(entry: ServerEntry) -> str:
    """Make a Markdown table of the tools of a server."""
    rows = []
    for tool in entry.tools:
        arguments = ", ".join(f"`{name}`" for name in tool.arguments)
        rows.append(f"| `{tool.name}` | {escape_cell(tool.summary)} | {arguments} | {tool.access} |")
    return "\n".join(["| Tool | What it does | Arguments | Access |", "|---|---|---|---|", *rows])


def _make_entry(name: str, dialect: str, only: Sequence[str]) -> ServerEntry:
    listed = asyncio.run(load_server(name, dialect).list_tools())
    tools = [tool for tool in listed if not only or tool.name in only]
    packages = read_extras().get(name, {})
    return ServerEntry(
        name=name,
        purpose=read_purpose(name),
        group=group_of(name),
        tokens=list_cost(tools).tokens,
        extra=name if packages else "",
        packages=list(packages.values()),
        programs=[program.name for program in list_programs() if name in program.servers],
        tools=sorted((_make_tool_entry(tool) for tool in tools), key=lambda tool: tool.name),
    )


def _make_tool_entry(tool: Any) -> ToolEntry:
    hints = tool.annotations
    writes = "destructive" if hints.destructive_hint else "writes"
    required = tool.parameters.get("required", [])
    arguments = [name if name in required else f"{name}?" for name in tool.parameters.get("properties", {})]
    return ToolEntry(tool.name, tool.description or "", "reads" if hints.read_only_hint else writes, arguments)


def _format_extra(entry: ServerEntry) -> str:
    return f"`{entry.extra}`" if entry.extra else "-"


def escape_cell(text: str) -> str:
    """Escape text for a cell of a Markdown table."""
    return text.replace("|", "\\|")
