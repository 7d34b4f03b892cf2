"""The table of docs/frameworks.md: ``python -m frameworks.table --write`` runs every snippet and writes it anew."""

import argparse
import re
from collections.abc import Mapping

from frameworks.environments import Framework, frameworks
from frameworks.rows import TASKS, Shown, work
from frameworks.snippets import DOCUMENT

_HEAD = "| Framework | Versions | Reward | Results | Pictures | Errors |\n|---|---|---|---|---|---|\n"
_TABLE = re.compile(r"(?<=<!-- frameworks -->\n).*?(?=<!-- /frameworks -->)", re.DOTALL)


def row(framework: Framework, shown: Mapping[str, Shown]) -> str:
    """The row of a framework from what was seen of it on each task."""
    seen = list(shown.values())
    wrong = [f"{one.stop} {sorted(set(one.unmade))}" for one in seen if one.stop != "done" or one.unmade]
    results = " / ".join(dict.fromkeys(one.results for one in seen))
    pictures = next(one.pictures for one in seen if one.pictures)
    errors = "yes" if all(one.errors for one in seen) else "no"
    rewards = ", ".join(f"{one.reward:.1f}" for one in seen)
    cells = [framework.title, framework.versions, " ".join([rewards, *wrong]), results, pictures, errors]
    return "| " + " | ".join(cell.replace("|", "/").replace("\n", " ") for cell in cells) + " |"


def measured(framework: Framework) -> str:
    """The row as it comes out now."""
    return row(framework, {task: work(framework, task) for task in TASKS})


def written() -> dict[str, str]:
    """The rows that stand in the document, by title."""
    found = _TABLE.search(DOCUMENT.read_text("utf-8"))
    assert found, "docs/frameworks.md has lost the marks of its table"
    lines = found[0].splitlines()[2:]
    return {line.split(" | ")[0].removeprefix("| "): line for line in lines}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the rows into the document")
    parser.add_argument("names", nargs="*", metavar="NAME", help="measure these frameworks only")
    arguments = parser.parse_args()
    known = frameworks()
    rows = {title: line for title, line in written().items() if title in {own.title for own in known.values()}}
    for name in arguments.names or known:
        rows[known[name].title] = measured(known[name])
        print(rows[known[name].title], flush=True)
    if arguments.write:
        table = "".join(f"{rows[own.title]}\n" for own in known.values() if own.title in rows)
        text = DOCUMENT.read_text("utf-8")
        DOCUMENT.write_text(_TABLE.sub(lambda _: _HEAD + table, text), "utf-8")


if __name__ == "__main__":
    main()
