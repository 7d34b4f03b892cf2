"""``yardkit report``: write the report of one or several runs."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.world import Problem, save_text

_DESCRIPTION = """\
Write the report of a run: one self-contained HTML page, JSON, or JUnit XML for a CI server; or of several runs side
by side: Pass@1 with its deviation, Pass@k and Pass^k, paired differences on the same instances, calls,
tokens, costs."""

_EXAMPLES = """\
  yardkit report runs/demo --output report.html
  yardkit report runs/demo --format junit --output junit.xml
  yardkit report runs/one runs/other --format markdown
  yardkit report runs/one runs/other --output side_by_side.html"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "report", _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "directories",
        type=Path,
        nargs="+",
        metavar="DIR",
        help="run directories; the others are compared with the first",
    )
    parser.add_argument(
        "--format",
        choices=["html", "json", "junit", "markdown"],
        default="html",
        help="default: %(default)s; junit is of one run, markdown the tables of a comparison",
    )
    parser.add_argument("--output", type=Path, metavar="F", help="default: standard output")


def run(arguments: argparse.Namespace) -> int:
    text = _render_reports(arguments.directories, arguments.format)
    if arguments.output:
        save_text(arguments.output.absolute(), text)
        print(f"yardkit: wrote {arguments.output}", file=sys.stderr)  # noqa: T201
    else:
        print(text, end="")  # noqa: T201
    return 0


def _render_reports(directories: Sequence[Path], form: Literal["html", "json", "junit", "markdown"]) -> str:
    from yardkit.sandbox.reports import compare_runs, render_run
    from yardkit.sandbox.runs.run_directory import RunDirectory

    runs = [RunDirectory(directory) for directory in directories]
    if form == "markdown":
        return compare_runs(runs, form)
    if len(runs) == 1:
        return render_run(runs[0], form)
    if form == "junit":
        raise Problem("JUnit XML is of one run; name one, or take html, json or markdown")
    return compare_runs(runs, form)
