"""Charts, pivot tables and tables."""

from typing import Annotated, Literal

from pydantic import BeforeValidator

from yardkit.servers.sheets.engine.cells.ranges import quote_sheet
from yardkit.servers.sheets.engine.graphics import charts
from yardkit.servers.sheets.engine.graphics.charts import ChartChange
from yardkit.servers.sheets.engine.objects import table_changes
from yardkit.servers.sheets.engine.package.new_sheets import MAX_NAME
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.pivots import pivot_spec, pivot_tables
from yardkit.world import InFile, current_world, lock_file

ChartType = Annotated[
    Literal["line", "bar", "pie", "scatter", "area", "horizontal_bar", "doughnut", "radar"],
    BeforeValidator(lambda given: given.lower() if isinstance(given, str) else given),
]

_CHART_TYPES = {"bar": "column", "horizontal_bar": "bar"}
_PIVOT_FUNCTIONS: dict[str, pivot_spec.Function] = {
    "sum": "sum", "average": "average", "mean": "average", "count": "count", "min": "min", "max": "max",
}  # fmt: skip


def create_chart(
    filepath: InFile,
    sheet_name: str,
    data_range: str,
    chart_type: ChartType,
    target_cell: str,
    title: str = "",
    x_axis: str = "",
    y_axis: str = "",
) -> str:
    change = ChartChange(
        _CHART_TYPES.get(chart_type, chart_type), data_range, None, title or None, x_axis or None, y_axis or None,
        at=target_cell,
    )  # fmt: skip
    with lock_file(filepath, current_world().locks):
        chart = charts.add_chart(filepath, sheet_name, change)
    return f"{chart_type.capitalize()} chart created successfully: {chart}"


def create_pivot_table(
    filepath: InFile,
    sheet_name: str,
    data_range: str,
    rows: list[str],
    values: list[str],
    columns: list[str] | None = None,
    agg_func: str = "sum",
) -> str:
    source = data_range if "!" in data_range else f"{quote_sheet(sheet_name)}!{data_range}"
    function = _PIVOT_FUNCTIONS[agg_func]
    spec = pivot_spec.PivotSpec(
        "", rows, columns or [], [pivot_spec.PivotValue(field, function) for field in values], {}
    )
    with lock_file(filepath, current_world().locks):
        taken = [info.name for info in Workbook.open(filepath).sheets]
        sheet = _free_name(f"{sheet_name[: MAX_NAME - 8]}_pivot", taken)
        pivot = pivot_tables.add_pivot(filepath, source, sheet, "A3", spec, now=current_world().now)
    return f"Pivot table created successfully: {pivot}"


def create_table(
    filepath: InFile,
    sheet_name: str,
    data_range: str,
    table_name: str | None = None,
    table_style: str = "TableStyleMedium9",
) -> str:
    change = table_changes.TableChange(name=table_name, style=table_style)
    with lock_file(filepath, current_world().locks):
        table, _ = table_changes.add_table(filepath, sheet_name, data_range, change, now=current_world().now)
    return f"Successfully created table '{table.name}' at {table.area} in sheet '{table.sheet}'."


def _free_name(name: str, taken: list[str]) -> str:
    taken_names = {text.casefold() for text in taken}
    names = (name if number == 1 else f"{name}{number}" for number in range(1, len(taken) + 2))
    return next(text for text in names if text.casefold() not in taken_names)
