"""What mkdocs does for the site beside its own work: pages that are not in git, and links that lead out of `docs/`."""

import argparse
import importlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from yardkit.sandbox.cli import COMMANDS
from yardkit.sandbox.proofs.cards import write_cards
from yardkit.sandbox.serving.catalog import escape_cell, groups_table, list_catalog, servers_table
from yardkit.sandbox.serving.glossary import arguments_page
from yardkit.sandbox.serving.registry import group_of, list_groups, server_names
from yardkit.sandbox.serving.tool_pages import describe_tools
from yardkit.sandbox.tasks.suites import list_suites
from yardkit.sandbox.tasks.task import load_task

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SERVERS = "reference/servers"
ROOT_PAGES = {
    "CHANGELOG.md": "changelog.md",
    "AGENTS.md": "working-on-yardkit.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
}
"""Documents at the root that are pages of the site, too."""
SUITES = {
    "quickstart": "Twelve short tasks over the servers files, calculator, solver, prover, plot, ocr and sheets.",
    "office": "Realistic office files. Many tasks require a look at the rendered page and a repair.",
    "sight": "Tasks that need vision or audio understanding; the embedded models are enough.",
    "studio": "Creating images, audio and video.",
    "desk": "Long office work over several apps of one company.",
    "lore": "Generated tasks of any length, from one operation to 100,000; see [lore](../lore.md).",
    "lore_published": "The same, with the settings of the paper.",
    "gta": "Tasks with the tool names of GTA and GTA-2; see [GTA](../gta.md).",
}

Sources = dict[str, Path]
"""The pages that are written elsewhere -> the file they are made from, which their links are relative to."""
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s#]+)(#[^()\s]*)?\)")
_sources: Sources = {}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill in the parts of the navigation that follow from the registries."""
    servers: list[Any] = [f"{SERVERS}/index.md"]
    servers += [{group: [{name: f"{SERVERS}/{name}.md"} for name in names]} for group, names in list_groups().items()]
    tasks = ["cards/index.md", *({suite: f"cards/{suite}.md"} for suite in list_suites())]
    for section in config.nav or []:
        for title, pages in section.items():
            if title == "Reference":
                pages[0] = {"Servers and tools": servers}
            elif title == "Tasks":
                section[title] = tasks
            elif title == "Background":
                names = [page for file, page in ROOT_PAGES.items() if (ROOT / file).is_file()]
                pages += [page for page in names if not any(page in entry.values() for entry in pages)]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made here."""
    _sources.update(server_sources() | root_sources())
    for uri, text in {**server_pages(), **task_pages(), **root_pages(), **other_pages()}.items():
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - the signature is mkdocs'
    """Lead links to the pages of the site, and leave out words after the language of a code block."""
    uri = page.file.src_uri
    source = _sources.get(uri, DOCS / uri)
    markdown = re.sub(r"^```(\w+) [\w .-]+$", r"```\1", markdown, flags=re.MULTILINE)
    parts = _CODE.split(markdown)
    for index in range(0, len(parts), 2):
        parts[index] = _LINK.sub(lambda match: lead_link(match, uri, source, config.repo_url), parts[index])
    return "".join(parts)


def lead_link(match: re.Match[str], uri: str, source: Path, repository: str | None) -> str:
    """A link as it is on the site: to a page of it, else to the repository, else only its words."""
    mark, words, target, anchor = match[1], match[2], match[3], match[4] or ""
    if "://" in target or target.startswith("mailto:"):
        return match[0]
    file = Path(os.path.normpath(source.parent / target))
    pages = {path: page for page, path in _sources.items()} | {ROOT / "README.md": "index.md"}
    if file in pages:
        target = os.path.relpath(pages[file], Path(uri).parent)
    elif file.is_relative_to(DOCS) or not file.exists():
        # Of what does not exist mkdocs complains.
        target = os.path.relpath(file, DOCS / Path(uri).parent)
    elif repository:
        target = f"{repository.rstrip('/')}/blob/main/{file.relative_to(ROOT).as_posix()}"
    else:
        return words
    return f"{mark}[{words}]({target}{anchor})"


def server_sources() -> Sources:
    return {f"{SERVERS}/{name}.md": ROOT / "yardkit/servers" / name / "README.md" for name in server_names()}


def root_sources() -> Sources:
    return {page: ROOT / file for file, page in ROOT_PAGES.items() if (ROOT / file).is_file()}


def server_pages() -> dict[str, str]:
    """The README of each server with its tools in full, and a table of the servers."""
    pages = {}
    for uri, readme in server_sources().items():
        name = readme.parent.name
        text = readme.read_text("utf-8")
        linked = re.sub(r"^\| `(\w+)` \|", r"| [`\1`](#\1) |", _table_of(text), flags=re.MULTILINE)
        text = text.replace(_table_of(text), linked)
        pages[uri] = f"{text}\n## Tools in full\n\nGroup `{group_of(name)}`.\n\n{describe_tools(name)}"
    entries = list_catalog()
    table = servers_table(entries, ".").replace("/README.md)", ".md)")
    pages[f"{SERVERS}/index.md"] = (
        "# Servers and tools\n\nGenerated from the servers themselves. *Tokens*: what the list of tools adds to each "
        f"request to a model, about (characters / 4).\n\n{table}\n\n## Groups\n\n{groups_table(entries)}\n"
    )
    return pages


def _table_of(readme: str) -> str:
    return readme.partition("<!-- tools -->")[2].partition("<!-- /tools -->")[0]


def task_pages() -> dict[str, str]:
    """The card of each task, a table for each suite, and one of the suites."""
    with tempfile.TemporaryDirectory() as folder:
        cards = write_cards(Path(folder))
        pages = {f"cards/{card.parent.name}/{card.name}": link_up(card) for card in cards}
    rows = ["| Suite | Tasks | |", "|---|---|---|"]
    for suite, names in list_suites().items():
        pages[f"cards/{suite}.md"] = f"# Suite {suite}\n\n{SUITES.get(suite, '')}\n\n{tasks_table(names)}\n"
        rows.append(f"| [{suite}]({suite}.md) | {len(names)} | {SUITES.get(suite, '')} |")
    text = "\n".join(rows)
    pages["cards/index.md"] = (
        "# Tasks\n\nEach seed of a task is a different instance. The card of a task shows its prompt, its "
        f"checkpoints, and the result of its proof.\n\n{text}\n"
    )
    return pages


def link_up(card: Path) -> str:
    """The text of a card, with links below its title to its suite and to all tasks: it is not in the navigation."""
    suite, (title, rest) = card.parent.name, card.read_text("utf-8").split("\n", 1)
    return f"{title}\n\n[Tasks](../index.md) / [{suite}](../{suite}.md)\n{rest}"


def tasks_table(names: Iterable[str]) -> str:
    rows = [
        f"| [{task.name}]({task.id}.md) | {escape_cell(task.title)} | {task.profile.domain} "
        f"| {task.profile.difficulty} | {', '.join(task.servers)} |"
        for task in map(load_task, names)
    ]
    return "\n".join(["| Task | Goal | Domain | Difficulty | Servers |", "|---|---|---|---|---|", *rows])


def root_pages() -> dict[str, str]:
    return {page: file.read_text("utf-8") for page, file in root_sources().items()}


def other_pages() -> dict[str, str]:
    return {"reference/arguments.md": arguments_page(), "reference/commands.md": "\n".join(command_lines())}


def command_lines() -> Iterator[str]:
    """The help of every command and of its actions."""
    yield from (
        "# Commands",
        "",
        "Exit codes: 0 all passed, 1 some did not, 2 wrong usage, 3 a run was invalid through",
    )
    yield from ("no fault of the agent, 130 interrupted.", "")
    os.environ["COLUMNS"] = "100"  # argparse takes the width of its lines from there
    for name, purpose in COMMANDS.items():
        subparsers = argparse.ArgumentParser(prog="yardkit").add_subparsers()
        importlib.import_module(f"yardkit.sandbox.cli.commands.{name.replace('-', '_')}").add(subparsers)
        yield from (f"## {name}", "", f"{purpose[:1].upper()}{purpose[1:]}.", "")
        for parser in _walk_parsers(subparsers.choices[name]):
            yield from ("```text", parser.format_help().rstrip(), "```", "")


def _walk_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in dict.fromkeys(action.choices.values()):
                yield from _walk_parsers(child)
