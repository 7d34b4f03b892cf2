"""The generated tables of tools in the READMEs of the servers; tables of servers and tasks are only on the site."""

import re
import sys
from pathlib import Path

import yardkit
from yardkit.sandbox.serving.catalog import list_catalog, tools_table
from yardkit.world import save_text


def update_table(text: str, marker: str, table: str) -> str:
    """Put `table` between ``<!-- marker -->`` and ``<!-- /marker -->`` in `text`; unchanged without the markers."""
    pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- /{marker} -->)", re.DOTALL)
    return pattern.sub(lambda match: f"{match[1]}{table}\n{match[2]}", text)


def generated_documents(root: Path) -> dict[Path, str]:
    """Map each document with generated tables in the checkout `root` to its up-to-date text."""
    return {
        path: update_table(path.read_text("utf-8"), "tools", tools_table(entry))
        for entry in list_catalog()
        if (path := root / "yardkit" / "servers" / entry.name / "README.md").is_file()
    }


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
