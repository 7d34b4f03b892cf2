"""The catalogue: every server and tool, as the servers themselves state them; and the tables in the documents."""

import asyncio
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import toolyard
from toolyard.sandbox.registry import ALL, chosen_servers, load_server, purpose
from toolyard.sandbox.requirements import programs
from toolyard.world import save_text
from toolyard.world.extras import extras


@dataclass(frozen=True)
class ToolEntry:
    """A tool as a client sees it.

    Attributes:
        description: what it does; the first line is a summary.
        access: ``reads``, ``writes`` (adds or changes) or ``destructive`` (can lose something).
        arguments: the names of its arguments, a ``?`` behind each that has a default.
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
        extra: the extra of the distribution that it needs, or empty.
        packages: the requirements of that extra.
        programs: the system programs that some of its tools call.
        tools: in name order.
    """

    name: str
    purpose: str
    extra: str
    packages: list[str]
    programs: list[str]
    tools: list[ToolEntry]


def catalog(servers: Iterable[str] | None = None, dialect: str = "") -> list[ServerEntry]:
    """The named servers (by default all), in the names of a `dialect` if one is given.

    Raises:
        Problem: there is no such server, or it has no such dialect.
    """
    return [_entry(name, dialect) for name in chosen_servers([ALL] if servers is None else servers, dialect)]


def update(text: str, marker: str, table: str) -> str:
    """`text` with `table` between ``<!-- marker -->`` and ``<!-- /marker -->``; unchanged where the marks are not."""
    pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- /{marker} -->)", re.DOTALL)
    return pattern.sub(lambda match: f"{match[1]}{table}\n{match[2]}", text)


def servers_table(entries: list[ServerEntry], link: str) -> str:
    """A Markdown table of servers; `link` is the path from the document to the folder of the servers."""
    rows = [
        f"| [{entry.name}]({link}/{entry.name}/README.md) | {entry.purpose} | {len(entry.tools)} | {_install(entry)} |"
        for entry in entries
    ]
    return "\n".join(["| Server | What it does | Tools | Install |", "|---|---|---|---|", *rows])


def tools_table(entry: ServerEntry) -> str:
    """A Markdown table of the tools of a server."""
    rows = []
    for tool in entry.tools:
        arguments = ", ".join(f"`{name}`" for name in tool.arguments)
        rows.append(f"| `{tool.name}` | {_cell(tool.summary)} | {arguments} | {tool.access} |")
    return "\n".join(["| Tool | What it does | Arguments | Access |", "|---|---|---|---|", *rows])


def tasks_table(link: str, cards: Path) -> str:
    """A Markdown table of all tasks; `link` is the path from the document to the folder `cards` of the task cards.

    A task that has no card yet, because it was not proved over several seeds, is named without a link.
    """
    from toolyard.sandbox.tasks import load_task, suites

    def name(task: str) -> str:
        return f"[{task}]({link}/{task}.md)" if (cards / f"{task}.md").is_file() else task

    rows = [
        f"| {name(task.id)} | {_cell(task.title)} | {task.profile.domain} | {task.profile.difficulty} "
        f"| {', '.join(task.servers)} |"
        for ids in suites().values()
        for task in map(load_task, ids)
    ]
    return "\n".join(["| Task | What is asked for | Domain | Difficulty | Servers |", "|---|---|---|---|---|", *rows])


def generated_documents(root: Path) -> dict[Path, str]:
    """Each document under the checkout `root` that holds generated tables -> its text as it should be."""
    entries = catalog()
    documents = {
        path: update(path.read_text("utf-8"), "tools", tools_table(entry))
        for entry in entries
        if (path := root / "toolyard" / "servers" / entry.name / "README.md").is_file()
    }
    for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        servers, cards = ("toolyard/servers", "docs/tasks") if path.parent == root else ("../toolyard/servers", "tasks")
        text = update(path.read_text("utf-8"), "servers", servers_table(entries, servers))
        documents[path] = update(text, "tasks", tasks_table(cards, root / "docs" / "tasks"))
    return documents


def _entry(name: str, dialect: str) -> ServerEntry:
    server = load_server(name, dialect)
    packages = extras().get(name, {})
    return ServerEntry(
        name=name,
        purpose=purpose(name),
        extra=name if packages else "",
        packages=list(packages.values()),
        programs=[program.name for program in programs() if name in program.servers],
        tools=sorted((_tool(tool) for tool in asyncio.run(server.list_tools())), key=lambda tool: tool.name),
    )


def _tool(tool: Any) -> ToolEntry:
    hints = tool.annotations
    writes = "destructive" if hints.destructive_hint else "writes"
    required = tool.parameters.get("required", [])
    arguments = [name if name in required else f"{name}?" for name in tool.parameters.get("properties", {})]
    return ToolEntry(tool.name, tool.description or "", "reads" if hints.read_only_hint else writes, arguments)


def _install(entry: ServerEntry) -> str:
    return f"`toolyard[{entry.extra}]`" if entry.extra else "`toolyard`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> int:
    """``python -m toolyard.sandbox.catalog --write``: bring the tables in the documents of this checkout up to date."""
    if sys.argv[1:] != ["--write"]:
        print("usage: python -m toolyard.sandbox.catalog --write", file=sys.stderr)  # noqa: T201
        return 2
    for path, text in generated_documents(Path(toolyard.__file__).parent.parent).items():
        if path.read_text("utf-8") != text:
            save_text(path, text)
            print(f"updated {path}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
