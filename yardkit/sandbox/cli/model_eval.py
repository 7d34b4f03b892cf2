"""``yardkit models eval``: measure a capability on the user's data, as a table or JSON."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.world import Problem
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    from yardkit.sandbox.quality.measures import Measured

HELP = """\
`eval CAPABILITY --data DIR` measures a capability on data that you have, by the field's figures, through the
tools that an agent calls:
  objects, counting   COCO: a JSON of boxes and its pictures      AP, AP50, AP75, AR100; exact counts, MAE
  classes             a folder of pictures for each class         top-1, top-5
  ocr                 NAME.txt beside each picture, or ICDAR      CER, WER; precision, recall, F1 of words
  formulas            NAME.txt of LaTeX beside each picture       match, edits over signs
  transcription       LibriSpeech, or NAME.txt beside each sound  WER, CER
  noise               folders noisy and clean                     SI-SDR before and after
  speakers            lines '1 a.wav b.wav' in a .txt             EER"""
_MOST_LISTED = 5


def add_eval(group: "argparse._ArgumentGroup") -> None:
    group.add_argument("--data", type=Path, metavar="DIR", help="the folder of the data")
    backends = ("auto", "endpoint", "local", "embedded", "rapidocr", "tesseract")
    group.add_argument(
        "--backend",
        choices=backends,
        default="auto",
        help="tier of the model, of ocr also the recogniser (default: the best there is)",
    )
    group.add_argument("--limit", type=int, metavar="N", help="try at most this many files")


def evaluate_capability(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.quality.measures import MEASURES, measure_capability

    if len(arguments.names) != 1 or arguments.names[0] not in MEASURES:
        raise Problem(f"say what to measure, one of {', '.join(MEASURES)}: yardkit models eval objects --data DIR")
    [capability] = arguments.names
    if arguments.data is None or not arguments.data.is_dir():
        raise Problem(f"--data must be a folder; {capability} takes {MEASURES[capability].data}")
    if arguments.limit is not None and arguments.limit < 1:
        raise Problem(f"--limit is {arguments.limit}; give 1 or more")
    measured = measure_capability(capability, arguments.data, arguments.backend, arguments.limit)
    print(json.dumps(asdict(measured), indent=2) if arguments.json else _format_table(measured))  # noqa: T201
    return 1 if measured.failures else 0


def _format_table(measured: "Measured") -> str:
    from yardkit.sandbox.quality.measures import MEANINGS

    head = f"{measured.capability}: {measured.items} tried, {measured.seconds:.2f} s a call, by {measured.model}"
    rows = [f"  {name:14} {value:8.3f}  {MEANINGS[name]}" for name, value in measured.figures.items()]
    failed = (
        [f"{format_count(len(measured.failures), 'call')} failed and not in the figures:"] if measured.failures else []
    )
    return "\n".join([head, *rows, *failed, *(f"  {failure}" for failure in measured.failures[:_MOST_LISTED])])
