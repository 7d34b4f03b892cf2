"""Solutions and near misses of office/pivot_dashboard."""

import re
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved

FILE = "sales/orders_2026_h1.xlsx"
REGIONS = ("East", "North", "South", "West")
TITLE, CHART = "Orders of the first half of 2026", "Revenue and target by month"
PRINT = {"orientation": "landscape", "paper": "a4", "fit_wide": 1, "fit_tall": 1}
RED, GREEN = "FFC7CE", "C6EFCE"
SUMIFS = 'SUMIFS(Orders!$F$2:$F${0},Orders!$C$2:$C${0},{1},{2},Orders!$G$2:$G${0},"<>cancelled")'
SUMPRODUCT = (
    "SUMPRODUCT((Orders!$C$2:$C${0}={1})*(MONTH(Orders!$B$2:$B${0})=MONTH($A{3}))"
    '*(Orders!$G$2:$G${0}<>"cancelled")*Orders!$F$2:$F${0})'
)
DASH = {"path": FILE, "sheet": "Dashboard"}
Rows = list[list[Any]]


def solve(agent: Agent) -> str:
    """Pivot, table, rules, chart below the table, paper, a look."""
    last = _find_last_row(agent)
    _make_pivot(agent, last)
    below = _make_dashboard(agent, last, SUMIFS, "cell", "A12:H30")
    agent.call("render_range", path=FILE, sheet="Dashboard")
    return f"We stayed below in {below} months.\n\n{below}"


def alternative_dashboard_first_and_saved_by_openpyxl(agent: Agent, files: Path) -> str:
    """A line for the target, months and rules by formula, the source by name; saved by openpyxl without values."""
    from openpyxl.workbook.defined_name import DefinedName

    last = _find_last_row(agent)
    below = _make_dashboard(agent, last, SUMIFS, "formula", "J2:R22", target="line")
    _make_pivot(agent, last)
    with open_edited(files / FILE) as book:
        _replace_rules(book["Dashboard"], ("$F4/$G4<90%", RED), ("AND(ISNUMBER(H4),1<=H4)", GREEN))
        source = book["Pivot"]._pivots[0].cache.cacheSource.worksheetSource
        book.defined_names["all_orders"] = DefinedName("all_orders", attr_text=f"Orders!$A$1:$G${last}")
        source.name, source.ref, source.sheet = "all_orders", None, None
        for row in range(5, 10):
            book["Dashboard"][f"A{row}"].value = f"=EDATE(A{row - 1},1)"
    agent.call("render_pages", path=FILE, pages="last")
    return f"**{below}**"


def alternative_by_sumproduct_and_the_pivot_table_last(agent: Agent, _files: Path) -> str:
    """SUMPRODUCT over the months of the dates, the table before the pivot table, a look at the printed page."""
    last = _find_last_row(agent)
    below = _make_dashboard(agent, last, SUMPRODUCT, "cell", "A13:H32")
    _make_pivot(agent, last)
    agent.call("render_pages", path=FILE, pages="last")
    return str(below)


in_pivot, on_dashboard = (misses.InSheet(FILE, name) for name in ("Pivot", "Dashboard"))
near_miss_pivot_replaced_by_plain_cells = in_pivot.edit_sheet(lambda sheet: sheet._pivots.clear(), caught_by="fields")
near_miss_rules_of_the_first_month_for_all = on_dashboard.edit_sheet(
    lambda sheet: _replace_rules(sheet, ("$H$4<0.9", RED), ("$H$4>=1", GREEN)), caught_by="rules"
)
near_miss_rules_a_row_too_low = on_dashboard.edit_sheet(
    lambda sheet: _replace_rules(sheet, ("H5<0.9", RED), ("H5>=1", GREEN)), caught_by="rules"
)
near_miss_column_too_narrow = on_dashboard.edit_sheet(
    lambda sheet: setattr(sheet.column_dimensions["F"], "width", 4), caught_by="on_one_page"
)
near_miss_cancelled_orders_deleted = misses.InSheet(FILE, "Orders").edit_sheet(
    lambda sheet: sheet.delete_rows(9), caught_by="kept"
)
near_miss_never_looked = misses.never_looked()
near_miss_months_below_the_target_counted = misses.change_answer(lambda work: work.facts["below"] + 2)
near_miss_draft_deleted = misses.delete_file("sales/targets_2026_draft.xlsx", caught_by="others")


@in_pivot.make_edit_decorator(caught_by=("source", "pivot_cells"))
def near_miss_pivot_of_the_table_only(sheet: Any) -> None:
    """The pasted orders are not in the source."""
    sheet._pivots[0].cache.cacheSource.worksheetSource.ref = "A1:G1481"
    sheet["B6"].value = sheet["B5"].value = 12345.0


@in_pivot.make_edit_decorator(caught_by="source")
def near_miss_cancelled_orders_ticked(sheet: Any) -> None:
    """Nothing is left out of the pivot table."""
    for item in (item for field in sheet._pivots[0].pivotFields for item in field.items or ()):
        item.h = None


@on_dashboard.make_edit_decorator(caught_by="drawn")
def near_miss_series_named_the_wrong_way_round(sheet: Any) -> None:
    """The legend calls the target the total."""
    from openpyxl.chart.series import SeriesLabel

    for series, name in zip(sheet._charts[0].series, ("Target", "Total"), strict=True):
        series.tx = SeriesLabel(v=name)


@on_dashboard.make_edit_decorator(caught_by="live")
def near_miss_amounts_pasted(sheet: Any, work: Solved) -> None:
    """Right figures that will not follow."""
    from yardkit.evaluators.office.pivot_dashboard.checks import _compute_figures

    facts: Any = work.facts
    for row, values in enumerate(_compute_figures(facts["orders"], facts["targets"], facts)[:6], 4):
        for column, value in enumerate(values[:4], 2):
            sheet.cell(row, column).value = value


@on_dashboard.make_edit_decorator(caught_by="amounts")
def near_miss_cancelled_orders_summed(sheet: Any) -> None:
    """Cancelled orders count on the dashboard."""
    for cell in (cell for row in sheet["B4:E9"] for cell in row):
        cell.value = cell.value.replace(',"<>cancelled"', ',"<>x"')


@on_dashboard.make_edit_decorator(caught_by="rules")
def near_miss_rule_of_the_wrong_limit(sheet: Any) -> None:
    """Green from 90 percent."""
    for rule in (rule for area in sheet.conditional_formatting for rule in area.rules):
        rule.formula = ["0.9"]


@on_dashboard.make_edit_decorator(caught_by="drawn")
def near_miss_line_of_totals_in_the_chart(sheet: Any) -> None:
    """The sum of all months dwarfs them."""
    for series in sheet._charts[0].series:
        series.val.numRef.f = series.val.numRef.f.replace("$9", "$10")


@on_dashboard.make_edit_decorator(caught_by="uncovered")
def near_miss_chart_over_the_table(sheet: Any) -> None:
    """The chart lies over the last months."""
    anchor = sheet._charts[0].anchor
    anchor._from.row, anchor.to.row = 5, 24


@on_dashboard.make_edit_decorator(caught_by="formats")
def near_miss_attainment_as_a_fraction(sheet: Any) -> None:
    """0.87 instead of 87 %."""
    for row in range(4, 11):
        sheet.cell(row, 8).number_format = "0.00"


def _replace_rules(sheet: Any, *rules: tuple[str, str]) -> None:
    """Rules by formula in place of those that are there."""
    from openpyxl.formatting.formatting import ConditionalFormattingList
    from openpyxl.formatting.rule import FormulaRule
    from openpyxl.styles import PatternFill

    sheet.conditional_formatting = ConditionalFormattingList()
    for formula, color in rules:
        fill = PatternFill("solid", bgColor=color)
        sheet.conditional_formatting.add("H4:H10", FormulaRule(formula=[formula], fill=fill))


def _find_last_row(agent: Agent) -> int:
    """The last row of the orders, the pasted ones included."""
    sheets = agent.call("inspect_workbook", path=FILE)["sheets"]
    used = next(sheet["used_range"] for sheet in sheets if sheet["name"] == "Orders")
    return int(re.findall(r"\d+$", used)[0])


def _make_pivot(agent: Agent, last: int) -> None:
    name = re.findall(r"pivot table named `(\w+)`", agent.prompt)[0]
    status = agent.call("read_records", path=FILE, sheet="Orders", range="G1:G400", limit=400)["records"]
    ticked = sorted({row["Status"] for row in status} - {"cancelled"})
    agent.call(
        "set_pivot",
        path=FILE,
        pivot=name,
        data=f"Orders!A1:G{last}",
        sheet="Pivot",
        at="A3",
        rows=["Region"],
        columns=["Category"],
        values=[{"field": "Amount", "function": "sum", "number_format": "#,##0"}],
        filters={"Status": ticked},
    )
    agent.call("set_sheet_layout", path=FILE, sheet="Pivot", column_widths={"A:F": 16})
    agent.call("set_print", path=FILE, sheet="Pivot", fit_wide=1)


def _make_dashboard(agent: Agent, last: int, formula: str, rules: str, chart_at: str, target: str = "column") -> int:
    """Table, formats, rules, chart and paper; how many months stayed below 90 percent."""
    below = _write_table(agent, last, formula)
    _format_dashboard(agent)
    _add_color_rules(agent, rules)
    _draw_chart(agent, chart_at, target)
    agent.call("set_print", **DASH, **PRINT)
    return below


def _write_table(agent: Agent, last: int, formula: str) -> int:
    rows: Rows = [[TITLE], [None], ["Month", *REGIONS, "Total", "Target", "Attainment"]]
    for row in range(4, 10):
        when = f'Orders!$B$2:$B${last},">="&$A{row},Orders!$B$2:$B${last},"<"&EDATE($A{row},1)'
        sums = ["=" + formula.format(last, f"{letter}$3", when, row) for letter in "BCDE"]
        target = f"=INDEX(Targets!$B$4:$B$9,MATCH($A{row},Targets!$A$4:$A$9,0))"
        rows.append([f"2026-{row - 3:02d}-01", *sums, f"=SUM(B{row}:E{row})", target, f"=F{row}/G{row}"])
    rows.append(["Total", *(f"=SUM({letter}4:{letter}9)" for letter in "BCDEFG"), "=F10/G10"])
    agent.call("write_cells", **DASH, rows=rows)
    shares = agent.call("read_cells", **DASH, range="H4:H9")["rows"]
    return sum(row[0] < 0.9 for row in shares)


def _format_dashboard(agent: Agent) -> None:
    looks: dict[str, dict[str, Any]] = {
        "A1": {"bold": True, "size_pt": 14},
        "A3:H3": {"bold": True, "fill_color": "1F3864", "font_color": "FFFFFF", "align": "right"},
        "A4:A9": {"number_format": "mmm yyyy", "align": "left"},
        "A3": {"align": "left"},
        "B4:G10": {"number_format": "#,##0"},
        "H4:H10": {"number_format": "0.0%"},
        "A10:H10": {"bold": True, "border": "thin", "border_sides": ["top"]},
    }
    for area, look in looks.items():
        agent.call("format_cells", **DASH, range=area, **look)
    agent.call("set_sheet_layout", **DASH, column_widths={"A": 14, "B:H": 13}, gridlines=False)


def _add_color_rules(agent: Agent, kind: str) -> None:
    for operator, limit, color in (("<", 0.9, "FFC7CE"), (">=", 1, "C6EFCE")):
        rule: dict[str, Any] = {"rule": "cell", "operator": operator, "value": limit}
        if kind == "formula":
            rule = {"rule": "formula", "value": f"=$H4{operator}{limit}"}
        agent.call("set_conditional_format", **DASH, range="H4:H10", fill_color=color, **rule)


def _draw_chart(agent: Agent, at: str, kind: str) -> None:
    common = {"categories": "Dashboard!A4:A9"}
    series = [
        common | {"values": "Dashboard!F4:F9", "name": "=Dashboard!F3"},
        common | {"values": "Dashboard!G4:G9", "name": "=Dashboard!G3"} | ({"type": "line"} if kind == "line" else {}),
    ]
    agent.call("set_chart", **DASH, type="column", series=series, title=CHART, legend="bottom", at=at)
