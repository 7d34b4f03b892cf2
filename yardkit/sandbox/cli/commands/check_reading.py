"""``yardkit check-reading``: the words of your own files that the reading tools do not show."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.sandbox.cli import Subparsers, new_parser, parse_folder
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    from yardkit.sandbox.serving.reading.reading_check import ReadFile

_DESCRIPTION = """\
Read the .docx, .pptx, .pdf and .html files of a folder with the tools that an agent has, and list the words that a
file holds and a tool does not show. Nothing in the folder is changed. Formulas, which tools show as LaTeX, and what
was deleted while changes were tracked are left out.

Exit code: 0 when every word is shown, 1 when not, or when a file cannot be read."""

_EXAMPLES = """\
  yardkit check-reading ~/Documents
  yardkit check-reading . --format json"""

_MOST_WORDS = 20


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "check-reading", _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "folder", type=parse_folder, metavar="FOLDER", help="where the files are, also in folders below it"
    )
    parser.add_argument("--format", choices=["text", "json"], default="text", help="%(default)s by default")


def run(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.serving.reading.reading_check import check_folder

    place: Path = arguments.folder
    files = []
    for file in check_folder(place):
        files.append(file)
        if arguments.format == "text":
            print(_format_file(file), flush=True)  # noqa: T201
    wrong = sum(bool(file.missing or file.problem) for file in files)
    if arguments.format == "json":
        print(json.dumps([asdict(file) for file in files], indent=2, ensure_ascii=False))  # noqa: T201
    else:
        print(f"{format_count(len(files), 'file')}, {wrong} of them not shown in full")  # noqa: T201
    return 1 if wrong else 0


def _format_file(file: "ReadFile") -> str:
    if file.problem:
        return f"{file.path}: not read: {file.problem}"
    lost = [f"\n    {tool} lacks {len(names):,}: {_join_some(names)}" for tool, names in file.missing.items()]
    return f"{file.path}: {file.words:,} words" + ("".join(lost) or ", all shown")


def _join_some(names: list[str]) -> str:
    return ", ".join(names[:_MOST_WORDS]) + (" ..." if len(names) > _MOST_WORDS else "")
