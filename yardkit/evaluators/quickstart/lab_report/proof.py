"""Solutions and near misses of quickstart/lab_report."""

import csv
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

BOOK, CHART, REPORT = "results.xlsx", "extension.png", "report.md"
TRIALS = ["Sample", "Trial", "Extension mm", "Force N"]
SUMMARY = ["Sample", "Trials", "Mean extension mm", "SD extension mm", "Mean force N", "SD force N", "Stiffness N/mm"]
Trials = dict[str, list[tuple[int, float, float]]]
"""Number, extension in mm and force in N of the valid trials by sample."""
_seen: dict[str, str] = {}
"""The text of a photo by its digest: reading one takes seconds, and the alternatives see the same photos."""


def solve(agent: Agent) -> str:
    """Read the pages and the machine's file, convert, describe, draw, write."""
    trials = _read_trials(agent)
    figures = {sample: _compute_figures(agent, rows) for sample, rows in trials.items()}
    agent.call("write_cells", path=BOOK, sheet="Trials", rows=_trial_rows(trials))
    rows = [[sample, *(round(value, 4) for value in values)] for sample, values in figures.items()]
    agent.call("write_cells", path=BOOK, sheet="Summary", rows=[SUMMARY, *rows])
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


@caught_by_leaf("valid")
def near_miss_slipped_trials_kept(work: Solved) -> None:
    _edit_sheet(work, "Trials", lambda sheet: sheet.append(["A", 6, 61.2, 44.0]))


@caught_by_leaf("extensions")
def near_miss_inches_taken_for_centimetres(work: Solved) -> None:
    _edit_sheet(work, "Trials", lambda sheet: _set_cell(sheet, "C2", sheet["C2"].value / 2.54))


@caught_by_leaf("forces")
def near_miss_kilograms_force_times_ten(work: Solved) -> None:
    _edit_sheet(work, "Trials", lambda sheet: _set_cell(sheet, "D3", sheet["D3"].value * 10 / 9.80665))


@caught_by_leaf("figures")
def near_miss_population_standard_deviation(work: Solved) -> None:

    def change(sheet: Any) -> None:
        for row in range(2, 5):
            count = sheet.cell(row, 2).value
            sheet.cell(row, 4).value *= ((count - 1) / count) ** 0.5

    _edit_sheet(work, "Summary", change)


@caught_by_leaf("stiffness")
def near_miss_stiffness_upside_down(work: Solved) -> None:
    _edit_sheet(work, "Summary", lambda sheet: _set_cell(sheet, "G2", 1 / sheet["G2"].value))


@caught_by_leaf("chart")
def near_miss_axis_cut_off(work: Solved) -> None:
    _draw_chart(work, [figures["Mean extension mm"] - 20 for figures in work.facts["summary"].values()])


@caught_by_leaf("chart")
def near_miss_forces_drawn(work: Solved) -> None:
    _draw_chart(work, [figures["Mean force N"] for figures in work.facts["summary"].values()])


@caught_by_leaf("chart")
def near_miss_chart_for_stamps(work: Solved) -> None:
    _draw_chart(work, [figures["Mean extension mm"] for figures in work.facts["summary"].values()], dpi=40)


@caught_by_leaf("lines")
def near_miss_report_in_centimetres(work: Solved) -> None:
    path = work.files / REPORT
    path.write_text(path.read_text("utf-8").replace(" mm,", " cm,"), "utf-8")


@caught_by_leaf("conclusion")
def near_miss_every_sample_is_the_stiffest(work: Solved) -> None:
    with (work.files / REPORT).open("a") as handle:
        handle.write("Stiffest: A, B, C\n")


near_miss_answer_too_coarse = misses.change_answer(lambda work: f"{float(work.answer.split()[-1]) + 0.002:.3f}")


@caught_by_leaf("kept")
def near_miss_machine_file_cleaned(work: Solved) -> None:
    path = sorted((work.files / "machine").iterdir())[0]
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "CAL" not in line), "utf-8")


def _edit_sheet(work: Solved, sheet: str, change: Callable[[Any], object]) -> None:
    with open_edited(work.files / BOOK) as book:
        change(book[sheet])


def _set_cell(sheet: Any, place: str, value: float) -> None:
    sheet[place].value = value


def _draw_chart(work: Solved, values: list[float], dpi: int = 150) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), dpi=dpi)
    figure.add_subplot().bar(["A", "B", "C"], values, color=work.facts["prompt"]["color"])
    figure.savefig(work.files / CHART)


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
    machine = agent.call("read_file", path=f"machine/tensile_{day}.csv")["content"]
    forces = {
        (row["sample"], int(row["trial"])): _convert_value(agent, row["peak_force"], row["unit"], "N")
        for row in csv.DictReader(machine.splitlines())
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
    text = _read_photo(agent, path)
    sample, date = re.findall(r"Sample\s*([A-C])\W*(\d{4}-\d\d-\d\d)", text)[0]
    lines = re.findall(r"^\s*(\d)\s*\)\s*(\d+\.\d+)\s*(mm|cm|in)\b(.*)$", text, re.MULTILINE)
    if len(lines) != 5:
        raise LookupError(f"{path} should hold five trials: {text}")
    return sample, date, [(int(number), value, unit) for number, value, unit, rest in lines if "slip" not in rest]


def _read_photo(agent: Agent, path: str) -> str:
    digest = agent.call("describe_path", path=path, sha256=True)["sha256"]
    if digest not in _seen:
        rows: dict[int, str] = {}
        for piece in agent.call("read_image_text", path=path)["pieces"]:
            rows[piece["row"]] = f"{rows.get(piece['row'], '')} {piece['text']}".strip()
        _seen[digest] = unicodedata.normalize("NFKC", "\n".join(rows.values()))
    return _seen[digest]
