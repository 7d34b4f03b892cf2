"""The generated tables of servers, tools and tasks in the documents of a checkout."""

import re
import sys
from pathlib import Path

import yardkit
from yardkit.sandbox.serving.catalog import escape_cell, groups_table, list_catalog, servers_table, tools_table
from yardkit.sandbox.tasks.suites import list_suites
from yardkit.sandbox.tasks.task import load_task
from yardkit.world import save_text


def update_table(text: str, marker: str, table: str) -> str:
    """`text` with `table` between ``<!-- marker -->`` and ``<!-- /marker -->``; unchanged where the marks are not."""
    pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- /{marker} -->)", re.DOTALL)
    return pattern.sub(lambda match: f"{match[1]}{table}\n{match[2]}", text)


def tasks_table(link: str) -> str:
    """A Markdown table of all tasks, linked to their prompts; `link` is the path from the document to the fixtures."""
    rows = [
        f"| [{task.id}]({link}/{task.id}/prompt.md) | {escape_cell(task.title)} | {task.profile.domain} "
        f"| {task.profile.difficulty} | {', '.join(task.servers)} |"
        for ids in list_suites().values()
        for task in map(load_task, ids)
    ]
    return "\n".join(["| Task | What is asked for | Domain | Difficulty | Servers |", "|---|---|---|---|---|", *rows])


def generated_documents(root: Path) -> dict[Path, str]:
    """Each document under the checkout `root` that holds generated tables -> its text as it should be."""
    entries = list_catalog()
    documents = {
        path: update_table(path.read_text("utf-8"), "tools", tools_table(entry))
        for entry in entries
        if (path := root / "yardkit" / "servers" / entry.name / "README.md").is_file()
    }
    for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        package = "yardkit" if path.parent == root else "../yardkit"
        text = update_table(path.read_text("utf-8"), "servers", servers_table(entries, f"{package}/servers"))
        text = update_table(text, "groups", groups_table(entries))
        documents[path] = update_table(text, "tasks", tasks_table(f"{package}/fixtures"))
    return documents


def main() -> int:
    """``python -m yardkit.sandbox.serving.document_tables --write``: bring this checkout's documents up to date."""
    if sys.argv[1:] != ["--write"]:
        print("usage: python -m yardkit.sandbox.serving.document_tables --write", file=sys.stderr)  # noqa: T201
        return 2
    for path, text in generated_documents(Path(yardkit.__file__).parent.parent).items():
        if path.read_text("utf-8") != text:
            save_text(path, text)
            print(f"updated {path}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
