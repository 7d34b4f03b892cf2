"""Solutions and near misses of office/survey_charts."""

import csv
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.solver import read_full_text, to_iso_day

BOOK = "survey_results.xlsx"
SOURCE = "survey/responses.csv"
HEADER = ["Respondent", "Date", "Channel", "Site", "Department", "Satisfaction", "Recommend"]
FIRST, LAST = "2026-02-02", "2026-02-22"
CHARTS = ("Satisfaction by site", "NPS by department")
PRINT = {"orientation": "landscape", "paper": "a4", "fit_wide": 1, "fit_tall": 1}
Rows = list[list[Any]]


def solve(agent: Agent) -> str:
    """Clean in memory, count with COUNTIFS, charts beside the tables, a look at the page."""
    rows = _deliver_sheets(agent, _make_countifs)
    _draw_charts(agent, "J2:R18", "J20:R36")
    agent.call("set_print", path=BOOK, sheet="Summary", **PRINT)
    agent.call("render_range", path=BOOK, sheet="Summary")
    return f"The lowest NPS is in\n\n{_find_lowest(agent, rows)}"


def alternative_with_charts_of_another_program(agent: Agent, files: Path) -> str:
    """SUMPRODUCT, charts by openpyxl that are anchored at one cell, no stored values, Summary first."""
    rows = _deliver_sheets(agent, _make_sumproduct)
    lowest = _find_lowest(agent, rows)
    agent.call("set_print", path=BOOK, sheet="Summary", **PRINT)
    _draw_elsewhere(files)
    agent.call("convert_to_pdf", path=BOOK, target="page.pdf")
    agent.call("render_pages", path="page.pdf", pages="1")
    agent.call("delete_path", path="page.pdf")
    return f"It is **{lowest}**"


def alternative_with_charts_below_the_tables(agent: Agent, _files: Path) -> str:
    """Columns instead of bars side by side below the tables, the best level first, Clean as narrow as it comes."""
    rows = _deliver_sheets(agent, _make_countifs)
    _draw_charts(agent, "A22:D40", "F22:L40", "column", "FEDCB")
    agent.call("set_sheet_layout", path=BOOK, sheet="Clean", column_widths={"B": 8})
    agent.call("set_print", path=BOOK, sheet="Summary", **PRINT)
    agent.call("change_sheets", path=BOOK, action="move", sheet="Summary", position=1)
    agent.call("render_pages", path=BOOK, pages="1")
    return _find_lowest(agent, rows)


in_summary, in_clean = (misses.InSheet(BOOK, name) for name in ("Summary", "Clean"))
near_miss_chart_over_the_second_table = in_summary.edit_sheet(
    lambda sheet: _move_chart(sheet, 1, 1, 11), caught_by="uncovered"
)
near_miss_charts_over_each_other = in_summary.edit_sheet(
    lambda sheet: _move_chart(sheet, 1, 9, 1), caught_by="uncovered"
)
near_miss_not_fitted_to_a_page = in_summary.edit_sheet(
    lambda sheet: setattr(sheet.sheet_properties.pageSetUpPr, "fitToPage", False), caught_by="on_one_page"
)
near_miss_column_too_narrow = in_summary.edit_sheet(
    lambda sheet: setattr(sheet.column_dimensions["B"], "width", 1.5), caught_by="on_one_page"
)
near_miss_synonym_left = in_clean.column(
    "Department", lambda name: {"Human Resources": "HR"}.get(name, name), caught_by="people"
)
near_miss_dates_as_text = in_clean.column("Date", lambda day: str(day)[:10], caught_by="dates")
near_miss_never_looked = misses.never_looked()
near_miss_two_departments_named = misses.change_answer(lambda work: ", ".join(work.facts["departments"]))
near_miss_old_export_deleted = misses.delete_file("survey/responses_until_2026-02-13.csv")


@in_clean.make_edit_decorator(caught_by="marks")
def near_miss_no_answer_read_as_zero(sheet: Any) -> None:
    """Empty cells are zeros."""
    for cell in (cell for row in sheet.iter_rows(min_row=2, min_col=6, max_col=7) for cell in row):
        cell.value = cell.value or 0


@in_summary.make_edit_decorator(caught_by="stacked")
def near_miss_total_is_a_bar_too(sheet: Any) -> None:
    """The row of totals is in the chart."""
    for series in sheet._charts[0].series:
        for reference in (series.val.numRef, series.cat.strRef):
            reference.f = reference.f.replace("$8", "$9")


@in_summary.make_edit_decorator(caught_by="stacked")
def near_miss_legend_without_the_levels(sheet: Any) -> None:
    """The series have no names."""
    for series in sheet._charts[0].series:
        series.tx = None


@in_summary.make_edit_decorator(caught_by="laid_out")
def near_miss_levels_as_text(sheet: Any) -> None:
    """The headers of the levels are texts that look like numbers."""
    for cell in sheet["B3:F3"][0]:
        cell.value = str(cell.value)


@in_summary.make_edit_decorator(caught_by="bars")
def near_miss_promoters_drawn_instead_of_the_score(sheet: Any) -> None:
    """The wrong column."""
    values = sheet._charts[1].series[0].val.numRef
    values.f = values.f.replace("$E", "$C")


@in_summary.make_edit_decorator(caught_by="live")
def near_miss_figures_pasted(sheet: Any, work: Solved) -> None:
    """Right, but dead."""
    from yardkit.evaluators.office.survey_charts.checks import _tally_replies

    facts: Any = work.facts
    for row, values in enumerate(_tally_replies(facts["replies"], facts)[0].values(), 4):
        for column, value in enumerate(values, 2):
            sheet.cell(row, column).value = value


@in_clean.make_edit_decorator(caught_by=("each_once", "one"))
def near_miss_first_answer_kept_beside_the_last(sheet: Any) -> None:
    """Somebody counts twice."""
    sheet.insert_rows(12)
    for column in range(1, 8):
        sheet.cell(12, column).value = sheet.cell(11, column).value
    sheet["F12"].value = 5


def _move_chart(sheet: Any, number: int, column: int, row: int) -> None:
    """Move a chart to a cell, both counted from 0, as large as before."""
    anchor = sheet._charts[number].anchor
    wide, tall = anchor.to.col - anchor._from.col, anchor.to.row - anchor._from.row
    anchor._from.col, anchor._from.row = column, row
    anchor.to.col, anchor.to.row = column + wide, row + tall


def _deliver_sheets(agent: Agent, count: Callable[[int], Callable[[str], str]]) -> Rows:
    """Both sheets; the rows of Clean."""
    sites, departments = _read_codebook(agent)
    rows = _clean_rows(agent, sites, departments)
    agent.call("write_cells", path=BOOK, sheet="Clean", rows=[HEADER, *rows])
    agent.call(
        "set_sheet_layout", path=BOOK, sheet="Clean", freeze_at="A2", column_widths={"A:D": 12, "E": 18, "F:G": 12}
    )
    agent.call("set_print", path=BOOK, sheet="Clean", title_rows="1:1", fit_wide=1)
    formula = count(len(rows) + 1)
    names, groups = sorted(set(sites.values())), sorted(set(departments.values()))
    table: Rows = [["Staff survey February 2026"], [None], ["Site", 1, 2, 3, 4, 5, "Answers", "Mean"]]
    for row, name in enumerate([*names, "All"], 4):
        levels = [formula(_build_condition("D", f"$A{row}", name) + f"|F={letter}$3") for letter in "BCDEF"]
        mean = f"=({'+'.join(f'{letter}$3*{letter}{row}' for letter in 'BCDEF')})/G{row}"
        table.append([name, *levels, f"=SUM(B{row}:F{row})", mean])
    table += [[None]] * (11 - len(table)) + [["Department", "Answers", "Promoters", "Detractors", "NPS"]]
    for row, name in enumerate([*groups, "All"], 13):
        where = _build_condition("E", f"$A{row}", name)
        cells = [formula(f"{where}|G>={least}") for least in ("0", "9")]
        table.append([name, *cells, formula(f"{where}|G<=6"), f"=(C{row}-D{row})/B{row}*100"])
    agent.call("write_cells", path=BOOK, sheet="Summary", rows=table)
    _format_summary(agent)
    return rows


def _build_condition(column: str, cell: str, name: str) -> str:
    return "A<>" if name == "All" else f"{column}={cell}"


def _split_conditions(conditions: str, last: int) -> list[tuple[str, str, str]]:
    """The area, test and value of each condition such as ``D=$A4|G>=9``."""
    matches = re.findall(r"([A-G])(<>|>=|<=|=)([^|]*)", conditions)
    return [(f"Clean!${column}$2:${column}${last}", test, value) for column, test, value in matches]


def _make_countifs(last: int) -> Callable[[str], str]:
    def formula(conditions: str) -> str:
        parts = [
            f'{area},"{test}{value}"' if value.isdigit() or not value else f"{area},{value}"
            for area, test, value in _split_conditions(conditions, last)
        ]
        return f"=COUNTIFS({','.join(parts)})"

    return formula


def _make_sumproduct(last: int) -> Callable[[str], str]:
    """The same with SUMPRODUCT; an empty cell is no zero."""

    def formula(conditions: str) -> str:
        parts = [
            f'({area}<>"")' + (f"*({area}{test}{value})" if value else "")
            for area, test, value in _split_conditions(conditions, last)
        ]
        return f"=SUMPRODUCT({'*'.join(parts)})"

    return formula


def _format_summary(agent: Agent) -> None:
    look = {"path": BOOK, "sheet": "Summary"}
    agent.call("format_cells", **look, range="A1", bold=True, size_pt=14)
    agent.call("format_cells", **look, range="A3:H3 A12:E12", bold=True, fill_color="1F3864", font_color="FFFFFF")
    agent.call("format_cells", **look, range="A9:H9 A19:E19", bold=True, border="thin", border_sides=["top"])
    agent.call("format_cells", **look, range="H4:H9", number_format="0.00")
    agent.call("format_cells", **look, range="B3:H3 B12:E12", align="right")
    agent.call("format_cells", **look, range="E13:E19", number_format="0.0")
    agent.call("set_sheet_layout", **look, column_widths={"A": 20, "B:H": 11}, gridlines=False)


def _draw_charts(agent: Agent, first_title: str, two: str, kind: str = "bar", order: str = "BCDEF") -> None:
    levels = [{"values": f"Summary!{x}4:{x}8", "categories": "Summary!A4:A8", "name": f"=Summary!{x}3"} for x in order]
    score = [{"values": "Summary!E13:E18", "categories": "Summary!A13:A18", "name": "=Summary!E12"}]
    for title, series, at, sort, legend in (
        (CHARTS[0], levels, first_title, f"percent_{kind}", "bottom"),
        (CHARTS[1], score, two, kind, "none"),
    ):
        agent.call("set_chart", path=BOOK, sheet="Summary", type=sort, series=series, title=title, legend=legend, at=at)


def _draw_elsewhere(files: Path) -> None:
    from openpyxl.chart import BarChart, Reference

    with open_edited(files / BOOK) as book:
        sheet = book["Summary"]
        for title, values, labels, at in (
            (CHARTS[0], (2, 3, 6, 8), (4, 8), "K2"),
            (CHARTS[1], (5, 12, 5, 18), (13, 18), "K22"),
        ):
            chart = BarChart()
            chart.title, chart.height, chart.width = title, 8, 15
            if title == CHARTS[0]:
                chart.grouping, chart.overlap, chart.type = "percentStacked", 100, "bar"
            chart.add_data(Reference(sheet, values[0], values[1], values[2], values[3]), titles_from_data=True)
            chart.set_categories(Reference(sheet, 1, labels[0], 1, labels[1]))
            sheet.add_chart(chart, at)
        book.move_sheet("Summary", -1)


def _find_lowest(agent: Agent, rows: Rows) -> str:
    """The department with the lowest score, as Summary has it."""
    first = len(rows) and 13
    table = agent.call("read_cells", path=BOOK, sheet="Summary", range=f"A{first}:E18")["rows"]
    return str(min(table, key=lambda row: row[4])[0])


def _read_codebook(agent: Agent) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Names by folded spelling, of sites and of departments."""
    blocks = agent.call("read_document", path="survey/codebook.docx")["blocks"]
    tables = [block["rows"] for block in blocks if block.get("rows")]
    names_by_spelling = []
    for table in tables[-2:]:
        spellings = {}
        for name, others in table[1:]:
            for text in (name, *others.split(";")):
                spellings[text.strip().casefold()] = name
        names_by_spelling.append(spellings)
    return names_by_spelling[0], names_by_spelling[1]


def _clean_rows(agent: Agent, sites: Mapping[str, str], departments: Mapping[str, str]) -> Rows:
    best: dict[str, list[Any]] = {}
    for row in csv.DictReader(read_full_text(agent, SOURCE).splitlines(), delimiter=";"):
        code, day = row["respondent"].strip().upper(), to_iso_day(row["submitted"].strip()[:10], "%d.%m.%Y", "%Y-%m-%d")
        if not re.fullmatch(r"R\d{5}", code) or not FIRST <= day <= LAST:
            continue
        if code in best and best[code][1] >= day:
            continue
        place = [sites[row["site"].strip().casefold()], departments[row["department"].strip().casefold()]]
        marks = [_parse_level(row["q1 satisfaction"]), _parse_score(row["q2 recommend"])]
        best[code] = [code, day, row["channel"].strip(), *place, *marks]
    return [best[code] for code in sorted(best)]


LEVELS = ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied")


def _parse_level(text: str) -> int | None:
    normalized = text.strip().casefold()
    if normalized in LEVELS:
        return LEVELS.index(normalized) + 1
    return int(normalized) if normalized in {"1", "2", "3", "4", "5"} else None


def _parse_score(text: str) -> int | None:
    match = re.fullmatch(r"(\d+)(?: - \w+)?", text.strip())
    return int(match[1]) if match and int(match[1]) <= 10 else None
