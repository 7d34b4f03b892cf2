"""Solutions and near misses of quickstart/lab_report."""

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Miss, Solved, caught_by_leaf
from yardkit.evaluators.solving.solver import read_csv_records, read_picture_lines, write_book

BOOK, CHART, REPORT = "results.xlsx", "extension.png", "report.md"
TRIALS = ["Sample", "Trial", "Extension mm", "Force N"]
SUMMARY = ["Sample", "Trials", "Mean extension mm", "SD extension mm", "Mean force N", "SD force N", "Stiffness N/mm"]
Trials = dict[str, list[tuple[int, float, float]]]
"""Number, extension in mm and force in N of the valid trials by sample."""


def solve(agent: Agent) -> str:
    """Read the pages and the machine's file, convert, describe, draw, write."""
    trials = _read_trials(agent)
    figures = {sample: _compute_figures(agent, rows) for sample, rows in trials.items()}
    rows = [[sample, *(round(value, 4) for value in values)] for sample, values in figures.items()]
    write_book(agent, BOOK, {"Trials": _trial_rows(trials), "Summary": [SUMMARY, *rows]})
    means = [values[1] for values in figures.values()]
    agent.call(
        "plot_series",
        kind="bar",
        target=CHART,
        x=list(figures),
        series=[{"values": means, "color": _find_color(agent)}],
        y_range=[0, None],
        x_label="Sample",
        y_label="Mean extension (mm)",
        title="Extension at break",
    )
    agent.call("write_file", path=REPORT, content=_build_report(figures))
    return f"The write-up is done.\n\n{max(values[-1] for values in figures.values()):.3f}"


def alternative_with_formulas_and_own_chart_code(agent: Agent, files: Path) -> str:
    """A workbook of formulas without stored values, backwards; a chart with error bars and numbers; a titled report."""
    trials = _read_trials(agent)
    figures = {sample: _compute_figures(agent, rows) for sample, rows in trials.items()}
    _write_formulas(files / BOOK, trials)
    means, deviations = ([values[place] for values in figures.values()] for place in (1, 2))
    code = (
        f"import matplotlib.pyplot as plt\nfig, ax = plt.subplots(figsize=(9, 6))\nax.bar({list(figures)}, {means},"
        f" yerr={deviations}, capsize=8, color={_find_color(agent)!r},"
        " edgecolor='black')\nax.grid(axis='y')\nax.set_ylabel('mm')\nax.set_ylim(0, None)\n"
    )
    agent.call("run_plot_code", code=code, target=CHART)
    (files / REPORT).write_text(
        "# Tensile test\n\n" + _build_report(figures, "- **{0}**: {1:.2f} +/- {2:.2f} mm, {3:.3f} N/mm")
    )
    return f"{max(values[-1] for values in figures.values()):.3f} N/mm"


def alternative_resaved_with_more_columns(agent: Agent, files: Path) -> str:
    """Another program saves the workbook with a further column and sheet, and the chart again, larger."""
    import PIL.Image

    answer = solve(agent)
    with open_edited(files / BOOK) as book:
        book["Trials"].insert_cols(2)
        book["Trials"]["B1"] = "Remark"
        book.create_sheet("Notes", 0)["A1"] = "SD: n - 1"
    with PIL.Image.open(files / CHART) as image:
        image.convert("RGB").resize((image.width * 3 // 2, image.height * 3 // 2)).save(files / CHART)
    return answer


def draw_figure(figure_name: str, *, less: float = 0, dpi: int = 150) -> Miss:
    """The bars show a figure, or less than it."""

    def corrupt_world(work: Solved) -> None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8, 5), dpi=dpi)
        values = [figures[figure_name] - less for figures in work.facts["summary"].values()]
        figure.add_subplot().bar(["A", "B", "C"], values, color=work.facts["prompt"]["color"])
        figure.savefig(work.files / CHART)

    return caught_by_leaf("chart")(corrupt_world)


def _is_of_a(row: Mapping[str, Any]) -> bool:
    return bool(row["Sample"] == "A")


in_trials, in_summary = misses.InSheet(BOOK, "Trials"), misses.InSheet(BOOK, "Summary")
near_miss_slipped_trials_kept = in_trials.row_added(lambda _: ["A", 6, 61.2, 44.0], "valid")
near_miss_inches_taken_for_centimetres = in_trials.column(
    "Extension mm", lambda length: length / 2.54, "extensions", where=_is_of_a
)
near_miss_kilograms_force_times_ten = in_trials.column(
    "Force N", lambda force: force * 10 / 9.80665, "forces", where=_is_of_a
)
near_miss_population_standard_deviation = in_summary.column(
    "SD extension mm", lambda spread, row, _: spread * (1 - 1 / row["Trials"]) ** 0.5, "figures"
)
near_miss_stiffness_upside_down = in_summary.column(
    "Stiffness N/mm", lambda stiffness: 1 / stiffness, "stiffness", where=_is_of_a
)
near_miss_axis_cut_off = draw_figure("Mean extension mm", less=20)
near_miss_forces_drawn = draw_figure("Mean force N")
near_miss_chart_for_stamps = draw_figure("Mean extension mm", dpi=40)
near_miss_report_in_centimetres = misses.text_changed(REPORT, (" mm,", " cm,"), "lines")
near_miss_every_sample_is_the_stiffest = misses.text_changed(
    REPORT, lambda text, _: f"{text}Stiffest: A, B, C\n", "conclusion"
)
near_miss_answer_too_coarse = misses.change_answer(lambda work: f"{float(work.answer.split()[-1]) + 0.002:.3f}")
near_miss_machine_file_cleaned = misses.overwrite_file("machine/*.csv", "orders.txt")


def _write_formulas(path: Path, trials: Trials) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    data, summary = book.worksheets[0], book.create_sheet("Summary")
    data.title = "Trials"
    summary.append(SUMMARY)
    data.append(TRIALS)
    for sample, rows in reversed(trials.items()):
        first = data.max_row + 1
        for number, extension, force in reversed(rows):
            data.append([sample, number, extension, force])
        lengths, forces = (f"Trials!{column}{first}:{column}{data.max_row}" for column in "CD")
        row = summary.max_row + 1
        spread = [f"=AVERAGE({lengths})", f"=STDEV({lengths})", f"=AVERAGE({forces})", f"=STDEV({forces})"]
        summary.append([sample, f"=COUNT({lengths})", *spread, f"=E{row}/C{row}"])
    book.save(path)


def _trial_rows(trials: Trials) -> list[list[Any]]:
    rows = [
        [sample, number, round(length, 4), round(force, 4)]
        for sample, of in trials.items()
        for number, length, force in of
    ]
    return [list(TRIALS), *rows]


def _build_report(figures: dict[str, list[float]], line: str = "{0}: {1:.2f} ± {2:.2f} mm, {3:.3f} N/mm") -> str:
    lines = [line.format(sample, *values[1:3], values[-1]) for sample, values in figures.items()]
    stiffest = max(figures, key=lambda sample: figures[sample][-1])
    return "\n".join([*lines, f"Stiffest: {stiffest}", ""])


def _find_color(agent: Agent) -> str:
    return str(re.findall(r"#[0-9A-F]{6}", agent.prompt)[0])


def _compute_figures(agent: Agent, rows: list[tuple[int, float, float]]) -> list[float]:
    """Count, mean and standard deviation of extension and of force, stiffness."""
    length, force = (agent.call("compute_statistics", values=[row[place] for row in rows]) for place in (1, 2))
    spread = [length["mean"], length["sample_stdev"], force["mean"], force["sample_stdev"]]
    return [len(rows), *spread, force["mean"] / length["mean"]]


def _read_trials(agent: Agent) -> Trials:
    day = str(re.findall(r"tensile_(\S+)\.csv", agent.prompt)[0])
    forces = {
        (row["sample"], int(row["trial"])): _convert_value(agent, row["peak_force"], row["unit"], "N")
        for row in read_csv_records(agent, f"machine/tensile_{day}.csv")
        if row["sample"] != "CAL"
    }
    trials: Trials = {}
    for entry in agent.call("list_folder", path="notebook")["entries"]:
        sample, date, page = _parse_page(agent, entry["path"])
        if date == day:
            trials[sample] = [
                (number, _convert_value(agent, length, unit, "mm"), forces[sample, number])
                for number, length, unit in page
            ]
    return dict(sorted(trials.items()))


def _convert_value(agent: Agent, value: str, unit: str, target_unit: str) -> float:
    symbol = {"N": "newton", "kgf": "kilogram_force", "lbf": "pound_force", "in": "inch"}
    units = {"from_unit": symbol.get(unit, unit), "to_unit": symbol.get(target_unit, target_unit)}
    return float(agent.call("convert_units", value=value, **units)["value"])


def _parse_page(agent: Agent, path: str) -> tuple[str, str, list[tuple[int, str, str]]]:
    """Sample, date, and number, value and unit of the trials that did not slip."""
    text = unicodedata.normalize("NFKC", "\n".join(read_picture_lines(agent, path)))
    sample, date = re.findall(r"Sample\s*([A-C])\W*(\d{4}-\d\d-\d\d)", text)[0]
    lines = re.findall(r"^\s*(\d)\s*\)\s*(\d+\.\d+)\s*(mm|cm|in)\b(.*)$", text, re.MULTILINE)
    if len(lines) != 5:
        raise LookupError(f"{path} should hold five trials: {text}")
    return sample, date, [(int(number), value, unit) for number, value, unit, rest in lines if "slip" not in rest]
