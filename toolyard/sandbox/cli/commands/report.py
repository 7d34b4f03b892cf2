"""``toolyard report``: the report of a run."""

import argparse
import sys
from pathlib import Path

from toolyard.sandbox.cli import Subparsers, new_parser
from toolyard.world import save_text

_DESCRIPTION = """\
Write the report of a run: one self-contained HTML page, JSON, or JUnit XML for a CI server."""

_EXAMPLES = """\
  toolyard report runs/demo --output report.html
  toolyard report runs/demo --format junit --output junit.xml
  toolyard report runs/demo --format json"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "report", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("directory", type=Path, metavar="DIR", help="a run directory")
    parser.add_argument("--format", choices=["html", "json", "junit"], default="html", help="default: %(default)s")
    parser.add_argument("--output", type=Path, metavar="F", help="default: standard output")


def run(arguments: argparse.Namespace) -> int:
    from toolyard.sandbox.reports import render
    from toolyard.sandbox.runs.run_directory import RunDirectory

    text = render(RunDirectory(arguments.directory), arguments.format)
    if arguments.output:
        save_text(arguments.output.absolute(), text)
        print(f"toolyard: wrote {arguments.output}", file=sys.stderr)  # noqa: T201
    else:
        print(text, end="")  # noqa: T201
    return 0
