"""Converted trials, their statistics, a chart of the means, a report, the stiffness of the stiffest sample."""

import re
from collections.abc import Mapping
from dataclasses import replace

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, define_leaf, make_finding, make_group
from yardkit.evaluators.leaves import Kind, Number, Row, Table, Text
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.readers.pages.chart_bars import are_proportional, find_bars
from yardkit.evaluators.readers.pages.pictures import read_picture
from yardkit.evaluators.readers.tables import is_near
from yardkit.evaluators.submission import Submission

BOOK, CHART, REPORT = "results.xlsx", "extension.png", "report.md"
STIFFNESS = "Stiffness N/mm"
CENT, MILLI = 0.0055, 0.00055
"""Half a unit of the last decimal asked for, and a little for the conversion."""
LEAST_WIDTH_PX = 800
TEXT = (f"file:{REPORT}", f"text:{REPORT}")


def _list_trials(facts: Facts) -> list[Row]:
    return [
        {"Sample": name[0], "Trial": int(name[1:]), "Extension mm": trial["extension"], "Force N": trial["force"]}
        for name, trial in facts["trials"].items()
    ]


def _list_samples(facts: Facts) -> list[Row]:
    return [{"Sample": sample, **figures} for sample, figures in facts["summary"].items()]


COUNTED: dict[str, Kind] = {"Sample": Text(), "Trials": Number(places=0)}
FIGURES = dict.fromkeys(("Mean extension mm", "SD extension mm", "Mean force N", "SD force N"), Number(CENT))
CONVERTED = {"Extension mm": Number(CENT), "Force N": Number(CENT)}
TRIALS = Table(
    BOOK, "Trials", {"Sample": Text(), "Trial": Number(places=0), **CONVERTED}, ("Sample", "Trial"), _list_trials
)
SUMMARY = Table(BOOK, "Summary", {**COUNTED, **FIGURES, STIFFNESS: Number(MILLI)}, ("Sample",), _list_samples)
SAMPLES = replace(SUMMARY, columns=COUNTED, key=("Sample", "Trials"))


@define_leaf("chart", "The chart shows the mean extensions from zero", f"file:{CHART}", f"image:{CHART}", weight=2)
def _check_bars(submission: Submission, facts: Facts) -> Finding:
    pixels = read_picture(submission, CHART)
    bars = find_bars(pixels, [facts["prompt"]["color"]], horizontal=False)
    means = [figures["Mean extension mm"] for figures in facts["summary"].values()]
    wide = pixels.shape[1] >= LEAST_WIDTH_PX
    good = wide and are_proportional(bars.lengths, means) and not any(bars.keys)
    seen = f"{pixels.shape[1]} pixels wide; bars of {bars.lengths} pixels for {[round(mean, 2) for mean in means]}"
    return make_finding(good, f"{seen}; other patches in that colour: {sum(map(len, bars.keys))}")


def _read_report_lines(submission: Submission) -> list[str]:
    return [
        simplify_text(line.lstrip("-*#> ")) for line in files.read_text(submission, REPORT).splitlines() if line.strip()
    ]


@define_leaf("lines", "A line for each sample", *TEXT, weight=2)
def _report_lines(submission: Submission, facts: Facts) -> Finding:
    lines = _read_report_lines(submission)
    wrong = [sample for sample, figures in facts["summary"].items() if not _states_figures(lines, sample, figures)]
    return make_finding(
        not wrong, f"no correct line for {', '.join(wrong)} among {lines}" if wrong else "a line for each"
    )


def _states_figures(lines: list[str], sample: str, figures: Mapping[str, float]) -> bool:
    mine = [line for line in lines if re.match(rf"{sample.lower()}\W*:", line)]
    if len(mine) != 1 or not re.search(r"\d\s*(±|\+/-|\+-)\s*\d[\d.]*\s*mm\b.*\d\s*n/mm\b", mine[0]):
        return False
    expected_figures = [
        (figures["Mean extension mm"], CENT),
        (figures["SD extension mm"], CENT),
        (figures[STIFFNESS], MILLI),
    ]
    stated = [abs(number) for number in find_numbers(mine[0].replace("+/-", "±").replace("+-", "±"))]
    return len(stated) == 3 and all(
        is_near(stated_number, *pair) for stated_number, pair in zip(stated, expected_figures, strict=True)
    )


@define_leaf("conclusion", "The stiffest sample is named", *TEXT)
def _report_stiffest(submission: Submission, facts: Facts) -> Finding:
    line = (_read_report_lines(submission) or [""])[-1]
    sample = max(facts["summary"], key=lambda name: float(facts["summary"][name][STIFFNESS]))
    return make_finding(
        re.sub(r"\W+", " ", line) == f"stiffest {sample.lower()}", f"{line!r}; the stiffest is {sample}"
    )


CHECKS = make_group(
    "lab_report",
    "The tensile test is documented",
    make_group(
        "trials",
        "The trials are converted",
        leaves.check_rows("valid", "Each valid trial has one row", TRIALS, weight=2),
        leaves.check_cells("extensions", "Extensions are in mm", TRIALS, "Extension mm", weight=2),
        leaves.check_cells("forces", "Forces are in N", TRIALS, "Force N", weight=2),
        weight=3,
    ),
    make_group(
        "summary",
        "The figures of each sample are right",
        leaves.check_rows("samples", "Each sample has one row with its valid trials", SAMPLES, kind="format"),
        leaves.check_cells("figures", "Means and standard deviations", SUMMARY, *FIGURES, weight=3),
        leaves.check_cells("stiffness", "Stiffness", SUMMARY, STIFFNESS, weight=2),
        weight=3,
    ),
    _check_bars,
    make_group("report", "The report states the figures", _report_lines, _report_stiffest, weight=2),
    leaves.answer_number(
        "The answer states the stiffness of the stiffest",
        lambda facts: max(figures[STIFFNESS] for figures in facts["summary"].values()),
        MILLI,
    ),
    leaves.nothing_else(BOOK, CHART, REPORT, statement="Notebook and machine files are as they were"),
)
