"""The table of docs/frameworks.md: ``python -m frameworks.table --write`` runs every snippet and writes it anew."""

import argparse
import re
from collections.abc import Mapping

from frameworks.environments import Framework, read_frameworks
from frameworks.rows import TASKS, SnippetRun, run_framework
from frameworks.snippets import DOCUMENT

_HEAD = "| Framework | Versions | Reward | Results | Pictures | Errors |\n|---|---|---|---|---|---|\n"
_TABLE = re.compile(r"(?<=<!-- frameworks -->\n).*?(?=<!-- /frameworks -->)", re.DOTALL)


def format_row(framework: Framework, runs_by_task: Mapping[str, SnippetRun]) -> str:
    """The row of a framework from what was seen of it on each task."""
    seen = list(runs_by_task.values())
    wrong = [
        f"{run_summary.stop} {sorted(set(run_summary.unmade))}"
        for run_summary in seen
        if run_summary.stop != "done" or run_summary.unmade
    ]
    results = " / ".join(dict.fromkeys(run_summary.results for run_summary in seen))
    pictures = next(run_summary.pictures for run_summary in seen if run_summary.pictures)
    errors = "yes" if all(run_summary.errors for run_summary in seen) else "no"
    rewards = ", ".join(f"{run_summary.reward:.1f}" for run_summary in seen)
    cells = [framework.title, framework.versions, " ".join([rewards, *wrong]), results, pictures, errors]
    return "| " + " | ".join(cell.replace("|", "/").replace("\n", " ") for cell in cells) + " |"


def measure_row(framework: Framework) -> str:
    """The row as it comes out now."""
    return format_row(framework, {task: run_framework(framework, task) for task in TASKS})


def read_rows() -> dict[str, str]:
    """The rows that stand in the document, by title."""
    table_match = _TABLE.search(DOCUMENT.read_text("utf-8"))
    assert table_match, "docs/frameworks.md has lost the marks of its table"
    lines = table_match[0].splitlines()[2:]
    return {line.split(" | ")[0].removeprefix("| "): line for line in lines}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the rows into the document")
    parser.add_argument("names", nargs="*", metavar="NAME", help="measure these frameworks only")
    arguments = parser.parse_args()
    known = read_frameworks()
    rows = {title: line for title, line in read_rows().items() if title in {own.title for own in known.values()}}
    for name in arguments.names or known:
        rows[known[name].title] = measure_row(known[name])
        print(rows[known[name].title], flush=True)
    if arguments.write:
        table = "".join(f"{rows[own.title]}\n" for own in known.values() if own.title in rows)
        text = DOCUMENT.read_text("utf-8")
        DOCUMENT.write_text(_TABLE.sub(lambda _: _HEAD + table, text), "utf-8")


if __name__ == "__main__":
    main()
