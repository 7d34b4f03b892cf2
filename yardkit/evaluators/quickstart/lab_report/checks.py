"""Converted trials, their statistics, a chart of the means, a report, the stiffness of the stiffest sample."""

import re
from collections.abc import Mapping
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.answers import find_numbers, fold, read_number
from yardkit.evaluators.readers.pages.chart_bars import are_proportional, find_bars
from yardkit.evaluators.readers.pages.pictures import read_picture
from yardkit.evaluators.readers.tables import find_records, near, read_sheets, to_decimal
from yardkit.evaluators.submission import Submission

BOOK, CHART, REPORT = "results.xlsx", "extension.png", "report.md"
TRIALS = ["Sample", "Trial", "Extension mm", "Force N"]
FIGURES = ["Mean extension mm", "SD extension mm", "Mean force N", "SD force N"]
STIFFNESS = "Stiffness N/mm"
CENT, MILLI = 0.0055, 0.00055
"""Half a unit of the last decimal asked for, and a little for the conversion."""
LEAST_WIDTH_PX = 800


def _rows(submission: Submission, sheet: str, columns: list[str]) -> list[dict[str, Any]]:
    sheets = read_sheets(submission, BOOK)
    if sheet not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet {sheet!r}, only {', '.join(sheets)}")
    return find_records(sheets[sheet].values, columns, sheet)


def _trials(submission: Submission) -> list[tuple[str, dict[str, Any]]]:
    rows = _rows(submission, "Trials", TRIALS)
    return [(f"{str(row['Sample']).strip().upper()}{to_decimal(row['Trial']) or 0:.0f}", row) for row in rows]


def _valid_trials(submission: Submission, facts: Facts) -> Finding:
    found, wanted = sorted(name for name, _ in _trials(submission)), sorted(facts["trials"])
    return finding(found == wanted, f"trials {', '.join(found)}; valid are {', '.join(wanted)}")


def _converted(column: str, quantity: str) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        rows = dict(_trials(submission))
        wrong = [
            f"{name}: {found}, not {trial[quantity]:.3f}"
            for name, trial in facts["trials"].items()
            if not near(found := rows.get(name, {}).get(column), trial[quantity], CENT)
        ]
        return finding(not wrong, f"{column} of {'; '.join(wrong)}" if wrong else f"every {column} is right")

    return check


def _summary(submission: Submission) -> dict[str, dict[str, Any]]:
    rows = _rows(submission, "Summary", ["Sample", "Trials", *FIGURES, STIFFNESS])
    return {str(row["Sample"]).strip().upper(): row for row in rows}


def _samples(submission: Submission, facts: Facts) -> Finding:
    rows = _rows(submission, "Summary", ["Sample", "Trials"])
    found = sorted((str(row["Sample"]).strip().upper(), to_decimal(row["Trials"])) for row in rows)
    wanted = [(sample, figures["Trials"]) for sample, figures in facts["summary"].items()]
    return finding(found == wanted, f"samples and valid trials {found}, expected {wanted}")


def _figures(columns: list[str], tolerance: float) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        rows = _summary(submission)
        wrong = [
            f"{column} of {sample} is {found}, not {figures[column]:.4f}"
            for sample, figures in facts["summary"].items()
            for column in columns
            if not near(found := rows.get(sample, {}).get(column), figures[column], tolerance)
        ]
        return finding(not wrong, "; ".join(wrong[:6]) or "they are right")

    return check


def _bars(submission: Submission, facts: Facts) -> Finding:
    pixels = read_picture(submission, CHART)
    bars = find_bars(pixels, [facts["prompt"]["color"]], horizontal=False)
    means = [figures["Mean extension mm"] for figures in facts["summary"].values()]
    wide = pixels.shape[1] >= LEAST_WIDTH_PX
    good = wide and are_proportional(bars.lengths, means) and not any(bars.keys)
    seen = f"{pixels.shape[1]} pixels wide; bars of {bars.lengths} pixels for {[round(mean, 2) for mean in means]}"
    return finding(good, f"{seen}; other patches in that colour: {sum(map(len, bars.keys))}")


def _stiffest(facts: Facts) -> tuple[str, float]:
    sample = max(facts["summary"], key=lambda one: float(facts["summary"][one][STIFFNESS]))
    return sample, facts["summary"][sample][STIFFNESS]


def _lines(submission: Submission) -> list[str]:
    return [fold(line.lstrip("-*#> ")) for line in files.read_text(submission, REPORT).splitlines() if line.strip()]


def _report_lines(submission: Submission, facts: Facts) -> Finding:
    lines = _lines(submission)
    wrong = [sample for sample, figures in facts["summary"].items() if not _stated(lines, sample, figures)]
    return finding(not wrong, f"no correct line for {', '.join(wrong)} among {lines}" if wrong else "a line for each")


def _stated(lines: list[str], sample: str, figures: Mapping[str, float]) -> bool:
    mine = [line for line in lines if re.match(rf"{sample.lower()}\W*:", line)]
    if len(mine) != 1 or not re.search(r"\d\s*(±|\+/-|\+-)\s*\d[\d.]*\s*mm\b.*\d\s*n/mm\b", mine[0]):
        return False
    wanted = [(figures["Mean extension mm"], CENT), (figures["SD extension mm"], CENT), (figures[STIFFNESS], MILLI)]
    stated = [abs(number) for number in find_numbers(mine[0].replace("+/-", "±").replace("+-", "±"))]
    return len(stated) == 3 and all(near(one, *pair) for one, pair in zip(stated, wanted, strict=True))


def _report_stiffest(submission: Submission, facts: Facts) -> Finding:
    line = (_lines(submission) or [""])[-1]
    sample, _ = _stiffest(facts)
    return finding(re.sub(r"\W+", " ", line) == f"stiffest {sample.lower()}", f"{line!r}; the stiffest is {sample}")


def _answer(submission: Submission, facts: Facts) -> Finding:
    stated, (sample, stiffness) = read_number(submission.answer), _stiffest(facts)
    return finding(near(stated, stiffness, MILLI), f"{stated} was stated, {sample} has {stiffness:.4f}")


def _sheet(name: str) -> tuple[str, ...]:
    return (f"cells:{BOOK}#{name}!*", f"rows:{BOOK}#{name}", f"sheet:{BOOK}#{name}")


TEXT = (f"file:{REPORT}", f"text:{REPORT}")

CHECKS = group(
    "lab_report",
    "The tensile test is documented",
    group(
        "trials",
        "The trials are converted",
        leaf("valid", "Each valid trial has one row", _valid_trials, observes=_sheet("Trials"), weight=2),
        leaf(
            "extensions",
            "Extensions are in mm",
            _converted("Extension mm", "extension"),
            observes=_sheet("Trials"),
            weight=2,
        ),
        leaf("forces", "Forces are in N", _converted("Force N", "force"), observes=_sheet("Trials"), weight=2),
        weight=3,
    ),
    group(
        "summary",
        "The figures of each sample are right",
        leaf(
            "samples",
            "Each sample has one row with its valid trials",
            _samples,
            observes=_sheet("Summary"),
            kind="format",
        ),
        leaf("figures", "Means and standard deviations", _figures(FIGURES, CENT), observes=_sheet("Summary"), weight=3),
        leaf("stiffness", "Stiffness", _figures([STIFFNESS], MILLI), observes=_sheet("Summary"), weight=2),
        weight=3,
    ),
    leaf(
        "chart",
        "The chart shows the mean extensions from zero",
        _bars,
        observes=(f"file:{CHART}", f"image:{CHART}"),
        weight=2,
    ),
    group(
        "report",
        "The report states the figures",
        leaf("lines", "A line for each sample", _report_lines, observes=TEXT, weight=2),
        leaf("conclusion", "The stiffest sample is named", _report_stiffest, observes=TEXT),
        weight=2,
    ),
    leaf("answer", "The answer states the stiffness of the stiffest", _answer, observes=("answer",)),
    leaves.nothing_else(BOOK, CHART, REPORT, says="Notebook and machine files are as they were"),
)
