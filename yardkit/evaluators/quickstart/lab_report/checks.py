"""Converted trials, their statistics, a chart of the means, a report, the stiffness of the stiffest sample."""

import re
from collections.abc import Mapping
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import (
    Check,
    Facts,
    Finding,
    InvalidArtifact,
    define_leaf,
    make_checkpoint,
    make_finding,
    make_group,
)
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.answers import find_numbers, read_number, simplify_text
from yardkit.evaluators.readers.pages.chart_bars import are_proportional, find_bars
from yardkit.evaluators.readers.pages.pictures import read_picture
from yardkit.evaluators.readers.tables import find_records, is_near, read_sheets, to_decimal
from yardkit.evaluators.submission import Submission

BOOK, CHART, REPORT = "results.xlsx", "extension.png", "report.md"
TRIALS = ["Sample", "Trial", "Extension mm", "Force N"]
FIGURES = ["Mean extension mm", "SD extension mm", "Mean force N", "SD force N"]
STIFFNESS = "Stiffness N/mm"
CENT, MILLI = 0.0055, 0.00055
"""Half a unit of the last decimal asked for, and a little for the conversion."""
LEAST_WIDTH_PX = 800


TEXT = (f"file:{REPORT}", f"text:{REPORT}")


def _list_sheet_targets(name: str) -> tuple[str, ...]:
    return (f"cells:{BOOK}#{name}!*", f"rows:{BOOK}#{name}", f"sheet:{BOOK}#{name}")


def _read_rows(submission: Submission, sheet: str, columns: list[str]) -> list[dict[str, Any]]:
    sheets = read_sheets(submission, BOOK)
    if sheet not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet {sheet!r}, only {', '.join(sheets)}")
    return find_records(sheets[sheet].values, columns, sheet)


def _list_trials(submission: Submission) -> list[tuple[str, dict[str, Any]]]:
    rows = _read_rows(submission, "Trials", TRIALS)
    return [(f"{str(row['Sample']).strip().upper()}{to_decimal(row['Trial']) or 0:.0f}", row) for row in rows]


@define_leaf("valid", "Each valid trial has one row", *_list_sheet_targets("Trials"), weight=2)
def _valid_trials(submission: Submission, facts: Facts) -> Finding:
    trial_names, expected_names = sorted(name for name, _ in _list_trials(submission)), sorted(facts["trials"])
    return make_finding(
        trial_names == expected_names, f"trials {', '.join(trial_names)}; valid are {', '.join(expected_names)}"
    )


def _check_converted(column: str, quantity: str) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        rows = dict(_list_trials(submission))
        wrong = [
            f"{name}: {stored_value}, not {trial[quantity]:.3f}"
            for name, trial in facts["trials"].items()
            if not is_near(stored_value := rows.get(name, {}).get(column), trial[quantity], CENT)
        ]
        return make_finding(not wrong, f"{column} of {'; '.join(wrong)}" if wrong else f"every {column} is right")

    return check


def _map_summary(submission: Submission) -> dict[str, dict[str, Any]]:
    rows = _read_rows(submission, "Summary", ["Sample", "Trials", *FIGURES, STIFFNESS])
    return {str(row["Sample"]).strip().upper(): row for row in rows}


@define_leaf("samples", "Each sample has one row with its valid trials", *_list_sheet_targets("Summary"), kind="format")
def _check_samples(submission: Submission, facts: Facts) -> Finding:
    rows = _read_rows(submission, "Summary", ["Sample", "Trials"])
    sample_counts = sorted((str(row["Sample"]).strip().upper(), to_decimal(row["Trials"])) for row in rows)
    expected_counts = [(sample, figures["Trials"]) for sample, figures in facts["summary"].items()]
    return make_finding(
        sample_counts == expected_counts, f"samples and valid trials {sample_counts}, expected {expected_counts}"
    )


def _check_figures(columns: list[str], tolerance: float) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        rows = _map_summary(submission)
        wrong = [
            f"{column} of {sample} is {stored_value}, not {figures[column]:.4f}"
            for sample, figures in facts["summary"].items()
            for column in columns
            if not is_near(stored_value := rows.get(sample, {}).get(column), figures[column], tolerance)
        ]
        return make_finding(not wrong, "; ".join(wrong[:6]) or "they are right")

    return check


@define_leaf("chart", "The chart shows the mean extensions from zero", f"file:{CHART}", f"image:{CHART}", weight=2)
def _check_bars(submission: Submission, facts: Facts) -> Finding:
    pixels = read_picture(submission, CHART)
    bars = find_bars(pixels, [facts["prompt"]["color"]], horizontal=False)
    means = [figures["Mean extension mm"] for figures in facts["summary"].values()]
    wide = pixels.shape[1] >= LEAST_WIDTH_PX
    good = wide and are_proportional(bars.lengths, means) and not any(bars.keys)
    seen = f"{pixels.shape[1]} pixels wide; bars of {bars.lengths} pixels for {[round(mean, 2) for mean in means]}"
    return make_finding(good, f"{seen}; other patches in that colour: {sum(map(len, bars.keys))}")


def _find_stiffest(facts: Facts) -> tuple[str, float]:
    sample = max(facts["summary"], key=lambda sample_name: float(facts["summary"][sample_name][STIFFNESS]))
    return sample, facts["summary"][sample][STIFFNESS]


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
    sample, _ = _find_stiffest(facts)
    return make_finding(
        re.sub(r"\W+", " ", line) == f"stiffest {sample.lower()}", f"{line!r}; the stiffest is {sample}"
    )


@define_leaf("answer", "The answer states the stiffness of the stiffest", "answer")
def _check_answer(submission: Submission, facts: Facts) -> Finding:
    stated, (sample, stiffness) = read_number(submission.answer), _find_stiffest(facts)
    return make_finding(is_near(stated, stiffness, MILLI), f"{stated} was stated, {sample} has {stiffness:.4f}")


CHECKS = make_group(
    "lab_report",
    "The tensile test is documented",
    make_group(
        "trials",
        "The trials are converted",
        _valid_trials,
        make_checkpoint(
            "extensions",
            "Extensions are in mm",
            _check_converted("Extension mm", "extension"),
            covers=_list_sheet_targets("Trials"),
            weight=2,
        ),
        make_checkpoint(
            "forces",
            "Forces are in N",
            _check_converted("Force N", "force"),
            covers=_list_sheet_targets("Trials"),
            weight=2,
        ),
        weight=3,
    ),
    make_group(
        "summary",
        "The figures of each sample are right",
        _check_samples,
        make_checkpoint(
            "figures",
            "Means and standard deviations",
            _check_figures(FIGURES, CENT),
            covers=_list_sheet_targets("Summary"),
            weight=3,
        ),
        make_checkpoint(
            "stiffness",
            "Stiffness",
            _check_figures([STIFFNESS], MILLI),
            covers=_list_sheet_targets("Summary"),
            weight=2,
        ),
        weight=3,
    ),
    _check_bars,
    make_group("report", "The report states the figures", _report_lines, _report_stiffest, weight=2),
    _check_answer,
    leaves.nothing_else(BOOK, CHART, REPORT, statement="Notebook and machine files are as they were"),
)
