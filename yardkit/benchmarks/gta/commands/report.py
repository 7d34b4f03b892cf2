"""``yardkit gta report``: the tables of the papers for several agents side by side."""

import argparse
import sys
from pathlib import Path

from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.world import save_text

_DESCRIPTION = """\
The tables of the papers for several agents side by side. Each RUN is one of

  predictions as OpenCompass writes them (or `yardkit gta ask`), step by step or end to end: --data has their set
  a folder with judged.json, of `yardkit gta judge`; --data adds classes, capabilities, deliverables, groups, and
    usage.csv (or the log of OpenClaw) beside it adds time and cost
  a run directory of `yardkit run`

Sources with the same name share a column: NAME=RUN sets it."""

_EXAMPLES = """\
  yardkit gta report A=a/steps.json A=a/runs.json B=b/steps.json B=b/runs.json --data gta_dataset
  yardkit gta report results_of_a results_of_b --data gta_dataset_v2 --output page.html
  yardkit gta report runs/one runs/other --format markdown"""


def add(actions: Subparsers) -> None:
    parser = new_parser(actions, "report", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("sources", nargs="+", metavar="[NAME=]RUN", help="predictions, judged results, run directories")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of the set")
    parser.add_argument(
        "--mode", choices=["auto", "step", "run"], default="auto", help="of predictions; default: seen from the file"
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="default: standard output")
    parser.add_argument(
        "--format",
        choices=["text", "markdown", "html", "json"],
        help="default: text, or the format of the suffix of --output",
    )


def run(arguments: argparse.Namespace) -> int:
    from yardkit.benchmarks.gta.report.columns import Data, read_columns
    from yardkit.benchmarks.gta.report.tables import RENDERERS, ReportFormat

    endings: dict[str, ReportFormat] = {".html": "html", ".md": "markdown", ".json": "json"}
    form: ReportFormat = arguments.format or endings.get(arguments.output.suffix if arguments.output else "", "text")
    data = Data.read_sets(arguments.data)
    text = RENDERERS[form](read_columns(arguments.sources, data, arguments.mode), data.similarity_name)
    if arguments.output is None:
        print(text, end="")  # noqa: T201
    else:
        save_text(arguments.output.absolute(), text)
        print(f"yardkit: wrote {arguments.output}", file=sys.stderr)  # noqa: T201
    return 0
