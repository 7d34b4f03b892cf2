"""The 25 tools of Toolathlon's excel server on the engine of sheets, their effects read by openpyxl."""

import datetime
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.datavalidation import DataValidation
from support.books import open_book, read_parts
from support.speaking import Agent, open_speaking_agent

from yardkit.sandbox.serving.registry import load_server

ROWS = [["Region", "Product", "Sales"], ["North", "Tea", 10], ["South", "Tea", 20], ["North", "Coffee", 30]]
BOOK = "book.xlsx"


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[Agent]:
    async with open_speaking_agent(load_server("sheets", "toolathlon"), tmp_path) as agent:
        yield agent


@pytest.fixture
def book(agent: Agent) -> Path:
    """A workbook by openpyxl: sales, a sum, a date, a list of regions, a second sheet that reads the first."""
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Data"
    for row in ROWS:
        sheet.append(row)
    sheet["C5"] = "=SUM(C2:C4)"
    sheet["D2"] = datetime.date(2026, 3, 16)
    regions = DataValidation(type="list", formula1='"North,South"', allow_blank=True, showErrorMessage=True)
    regions.error, regions.prompt = "No such region", "Choose"
    regions.add("A2:A4")
    limit = DataValidation(type="whole", operator="between", formula1="0", formula2="100")
    limit.add("C2:C4")
    sheet.add_data_validation(regions)
    sheet.add_data_validation(limit)
    other = workbook.create_sheet("Other")
    other["A1"] = "=Data!C5*2"
    workbook.save(agent.files / BOOK)
    return agent.files / BOOK


def sheet_of(path: Path, name: str = "Data", *, values: bool = False) -> Any:
    return open_book(path, data_only=values)[name]


def read_column(path: Path, letter: str, *, values: bool = False) -> list[Any]:
    return [cell.value for cell in sheet_of(path, values=values)[letter]]


async def call_on_data(agent: Agent, tool: str, **arguments: Any) -> str:
    """Call a tool on the sheet Data of the book."""
    return await agent.says(tool, filepath=BOOK, sheet_name="Data", **arguments)


async def refuse_call(agent: Agent, tool: str, **arguments: Any) -> str:
    before = (agent.files / BOOK).read_bytes()
    message = await agent.call_for_error(tool, **({"filepath": BOOK, "sheet_name": "Data"} | arguments))
    assert (agent.files / BOOK).read_bytes() == before
    return message


async def test_a_new_workbook_has_one_empty_sheet(agent: Agent) -> None:
    assert "Created workbook at new/a.xlsx" in await agent.says("create_workbook", filepath="new/a.xlsx")
    workbook = open_book(agent.files / "new" / "a.xlsx")
    assert workbook.sheetnames == ["Sheet1"]
    assert workbook.active.max_row == 1
    assert "outside the workspace" in await agent.call_for_error("create_workbook", filepath="../a.xlsx")
    assert "xls" in await agent.call_for_error("create_workbook", filepath="a.txt")


async def test_rows_are_written_as_they_are_given_and_formulas_are_computed(agent: Agent) -> None:
    rows = [["name", "n", "twice"], ["'quoted", 1.5, "=B2*2"], ["2026-01-02", True, None]]
    reply = await agent.says("write_data_to_excel", filepath=BOOK, sheet_name="New", data=rows, start_cell="B2")
    assert reply == "Data written to New!B2:D4"
    sheet = sheet_of(agent.files / BOOK, "New")
    assert [[cell.value for cell in row] for row in sheet["B2:D4"]] == rows
    assert sheet_of(agent.files / BOOK, "New", values=True)["D3"].value == "#VALUE!"
    await agent.says("write_data_to_excel", filepath=BOOK, sheet_name="New", data=[["=C3*2"]], start_cell="D3")
    assert sheet_of(agent.files / BOOK, "New", values=True)["D3"].value == 3


async def test_an_applied_formula_tells_its_value(agent: Agent, book: Path) -> None:
    reply = await call_on_data(agent, "apply_formula", cell="E5", formula="AVERAGE(C2:C4)")
    assert reply == "Applied formula '=AVERAGE(C2:C4)' to cell E5; its value is 20"
    assert sheet_of(book)["E5"].value == "=AVERAGE(C2:C4)"
    assert sheet_of(book, values=True)["E5"].value == 20
    assert (
        "does not exist"
        in (await refuse_call(agent, "apply_formula", sheet_name="Nope", cell="A1", formula="=1")).lower()
    )
    assert "brackets" in await refuse_call(agent, "apply_formula", cell="A1", formula="=SUM(C2:C4")


async def test_a_formula_is_tried_and_not_applied(agent: Agent, book: Path) -> None:
    before = book.read_bytes()
    reply = await call_on_data(agent, "validate_formula_syntax", cell="E5", formula="=SUM(C2:C4)*2")
    assert reply == "Formula '=SUM(C2:C4)*2' is valid; its value is 120"
    assert book.read_bytes() == before
    assert "cannot be parsed" in await refuse_call(
        agent, "validate_formula_syntax", cell="E5", formula="=SUM(C2:C4)*/2"
    )


async def test_formats_are_set_and_what_is_not_given_stays(agent: Agent, book: Path) -> None:
    await call_on_data(
        agent, "format_range", start_cell="A1", end_cell="C1", bold=True, italic=True, underline=True, font_size=14,
        font_color="FF0000", bg_color="#FFFF00", border_style="thin", border_color="FF00FF00", alignment="center",
        wrap_text=True, protection={"locked": False, "hidden": True},
    )  # fmt: skip
    await call_on_data(agent, "format_range", start_cell="C1", number_format="0.00")
    cell = sheet_of(book)["C1"]
    font = cell.font
    assert (font.b, font.i, font.u, font.sz, font.color.rgb) == (True, True, "single", 14, "FFFF0000")
    assert cell.fill.fgColor.rgb == "FFFFFF00"
    assert (cell.border.left.style, cell.border.bottom.color.rgb) == ("thin", "FF00FF00")
    assert (cell.alignment.horizontal, cell.alignment.wrap_text) == ("center", True)
    assert (cell.protection.locked, cell.protection.hidden) == (False, True)
    assert cell.number_format == "0.00"
    assert sheet_of(book)["A1"].number_format == "General"
    assert sheet_of(book)["A2"].font.b is False


async def test_formatting_can_merge_and_fails_as_a_whole(agent: Agent, book: Path) -> None:
    await call_on_data(agent, "format_range", start_cell="A7", end_cell="C7", bold=True, merge_cells=True)
    assert [str(area) for area in sheet_of(book).merged_cells.ranges] == ["A7:C7"]
    message = await refuse_call(agent, "format_range", start_cell="A1", end_cell="C1", bold=True, merge_cells=True)
    assert "would hide the values of B1, C1" in message
    assert "not a valid colour" in await refuse_call(agent, "format_range", start_cell="A1", bg_color="reddish")


RULES = [
    ({"type": "cell_is", "params": {"operator": "greaterThan", "formula": ["15"], "fill": {"fgColor": "FFC7CE"}}},
     {"type": "cellIs", "operator": "greaterThan", "formula": ["15"]}),
    ({"type": "cell_is", "params": {"operator": "between", "formula": ["5", "$C$5"], "font": {"color": "FF0000"}}},
     {"type": "cellIs", "operator": "between", "formula": ["5", "$C$5"]}),
    ({"type": "formula", "params": {"formula": ["$C2>15"], "fill": "00FF00", "stopIfTrue": True}},
     {"type": "expression", "formula": ["$C2>15"], "stopIfTrue": True}),
    ({"type": "color_scale", "params": {"start_type": "min", "start_color": "F8696B", "end_type": "max",
                                        "end_color": "63BE7B"}}, {"type": "colorScale"}),
    ({"type": "color_scale", "params": {"start_type": "num", "start_value": 5, "start_color": "FF0000",
                                        "mid_type": "percentile", "mid_value": 50, "mid_color": "FFFF00",
                                        "end_type": "max", "end_color": "00FF00"}}, {"type": "colorScale"}),
    ({"type": "data_bar", "params": {"start_type": "num", "start_value": 0, "end_type": "max", "color": "638EC6",
                                     "showValue": False}}, {"type": "dataBar"}),
    ({"type": "icon_set", "params": {"icon_style": "3Arrows", "type": "percent", "values": [0, 40, 80],
                                     "reverse": True}}, {"type": "iconSet"}),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), RULES, ids=[f"{n}-{rule[0]['type']}" for n, rule in enumerate(RULES)])
async def test_conditional_formats_are_rules_of_the_file(
    agent: Agent, book: Path, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    await call_on_data(agent, "format_range", start_cell="C2", end_cell="C4", conditional_format=given)
    ((where, rules),) = sheet_of(book).conditional_formatting._cf_rules.items()
    assert str(where.sqref) == "C2:C4"
    assert {name: getattr(rules[0], name) for name in expected} == expected
    params, rule = given["params"], rules[0]
    if given["type"] == "color_scale":
        assert [color.rgb[2:] for color in rule.colorScale.color] == [
            params[f"{end}_color"] for end in ("start", "mid", "end") if f"{end}_color" in params
        ]
        points = [(point.type, point.val) for point in rule.colorScale.cfvo]
        assert points[0] == (params["start_type"], params.get("start_value", 0))
        assert points[-1][0] == "max"
    elif given["type"] == "data_bar":
        assert (rule.dataBar.showValue, rule.dataBar.cfvo[0].type, rule.dataBar.cfvo[0].val) == (False, "num", 0)
    elif given["type"] == "icon_set":
        assert (rule.iconSet.iconSet, rule.iconSet.reverse) == ("3Arrows", True)
        assert [point.val for point in rule.iconSet.cfvo] == [0, 40, 80]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"type": "sparkle"}, "'sparkle'; it takes cell_is, formula"),
        ({"type": "cell_is", "params": {"operator": "greaterThan", "fill": "FF0000"}}, "needs formula"),
        ({"type": "cell_is", "params": {"operator": "near", "formula": ["1"]}}, "'near'; it takes greaterThan"),
        ({"type": "cell_is", "params": {"operator": "equal", "formula": ["1"]}}, "fill_color"),
        ({"type": "data_bar", "params": {"minLength": 3}}, "no parameter 'minLength'"),
        ({"type": "color_scale", "params": {"start_color": "FF0000"}}, "two or three colours"),
        ({"type": "icon_set", "params": {"icon_style": "3Hats"}}, "'3Hats'; it takes 3Arrows"),
        ({"type": "icon_set", "params": {"icon_style": "3Arrows", "values": [0, 50]}}, "needs 2 points"),
    ],
)
async def test_a_conditional_format_that_is_none_is_refused(
    agent: Agent, book: Path, given: dict[str, Any], message: str
) -> None:
    assert message in await refuse_call(agent, "format_range", start_cell="C2", end_cell="C4", conditional_format=given)


async def test_reading_gives_values_dates_formulas_and_rules(agent: Agent, book: Path) -> None:
    await call_on_data(agent, "apply_formula", cell="C5", formula="=SUM(C2:C4)")
    reply = json.loads(await call_on_data(agent, "read_data_from_excel"))
    assert (reply["range"], reply["sheet_name"], reply["total_rows"]) == ("A1:D5", "Data", 5)
    cells = {cell["address"]: cell for cell in reply["cells"]}
    assert cells["C5"] == {"address": "C5", "value": 60, "row": 5, "column": 3, "formula": "=SUM(C2:C4)"}
    assert cells["D2"]["value"] == "2026-03-16"
    assert cells["A2"]["validation"]["allowed_values"] == ["North", "South"]
    assert "validation" not in cells["A1"]
    assert len(cells) == 14
    part = json.loads(await call_on_data(agent, "read_data_from_excel", start_cell="B2", end_cell="C3"))
    assert [cell["value"] for cell in part["cells"]] == ["Tea", 10, "Tea", 20]
    assert json.loads(await call_on_data(agent, "read_data_from_excel", start_cell="C2"))["range"] == "C2:D5"
    assert json.loads(await call_on_data(agent, "read_data_from_excel", start_cell="H9"))["cells"] == []


async def test_long_sheets_are_read_in_parts_or_as_a_preview(agent: Agent) -> None:
    rows = [[number, "x"] for number in range(2500)]
    await agent.says("write_data_to_excel", filepath=BOOK, sheet_name="Data", data=rows)
    preview = json.loads(await call_on_data(agent, "read_data_from_excel", preview_only=True))
    assert (len(preview["cells"]), preview["next_offset"]) == (20, 10)
    seen: list[int] = []
    offset: int | None = 0
    while offset is not None:
        reply = json.loads(await call_on_data(agent, "read_data_from_excel", offset=offset))
        assert len(reply["cells"]) <= 2000
        seen += [cell["value"] for cell in reply["cells"] if cell["column"] == 1]
        offset = reply.get("next_offset")
    assert seen == list(range(2500))


async def test_a_range_is_checked_against_what_is_used(agent: Agent, book: Path) -> None:
    reply = await call_on_data(agent, "validate_excel_range", start_cell="A1", end_cell="C3")
    assert reply == "Range 'A1:C3' is valid. Sheet contains data in range 'A1:D5'"
    assert "beyond the end of the sheet" in await refuse_call(
        agent, "validate_excel_range", start_cell="A1", end_cell="ZZZ9"
    )
    assert "not a valid range" in await refuse_call(agent, "validate_excel_range", start_cell="Q")


async def test_validation_rules_are_listed(agent: Agent, book: Path) -> None:
    reply = json.loads(await call_on_data(agent, "get_data_validation_info"))
    lists, number_rule = reply["validation_rules"]
    assert (lists["ranges"], lists["validation_type"], lists["allowed_values"]) == ("A2:A4", "list", ["North", "South"])
    assert (lists["prompt"], lists["error_message"]) == ("Choose", "No such region")
    assert (
        number_rule["validation_type"],
        number_rule["operator"],
        number_rule["formula1"],
        number_rule["formula2"],
    ) == (
        "whole",
        "between",
        "0",
        "100",
    )
    assert json.loads(await agent.says("get_data_validation_info", filepath=BOOK, sheet_name="Other")) == {
        "sheet_name": "Other",
        "validation_rules": [],
    }


async def test_a_list_from_cells_tells_their_values(agent: Agent, book: Path) -> None:
    workbook = openpyxl.load_workbook(book)
    rule = DataValidation(type="list", formula1="Data!$B$2:$B$4")
    rule.add("C1")
    workbook["Other"].add_data_validation(rule)
    workbook.save(book)
    reply = await agent.call_for_json("get_data_validation_info", filepath=BOOK, sheet_name="Other")
    assert reply["validation_rules"][0]["allowed_values"] == ["Tea", "Tea", "Coffee"]


async def test_sheets_come_are_copied_renamed_and_go(agent: Agent, book: Path) -> None:
    assert await agent.says("create_worksheet", filepath=BOOK, sheet_name="New") == "Sheet New created successfully"
    await agent.says("copy_worksheet", filepath=BOOK, source_sheet="Data", target_sheet="Copy")
    await agent.says("rename_worksheet", filepath=BOOK, old_name="Data", new_name="Sales 2026")
    workbook = open_book(book)
    assert workbook.sheetnames == ["Sales 2026", "Other", "New", "Copy"]
    assert workbook["Other"]["A1"].value == "='Sales 2026'!C5*2"
    assert [cell.value for cell in workbook["Copy"]["A"]][:2] == ["Region", "North"]
    await agent.says("delete_worksheet", filepath=BOOK, sheet_name="Copy")
    assert open_book(book).sheetnames == ["Sales 2026", "Other", "New"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_worksheet", {"sheet_name": "data"}),
        ("create_worksheet", {"sheet_name": "a/b"}),
        ("copy_worksheet", {"source_sheet": "Nope", "target_sheet": "X"}),
        ("rename_worksheet", {"old_name": "Data", "new_name": "Other"}),
        ("delete_worksheet", {"sheet_name": "Nope"}),
    ],
)
async def test_sheets_that_cannot_be_are_refused(
    agent: Agent, book: Path, tool: str, arguments: dict[str, str]
) -> None:
    before = book.read_bytes()
    assert await agent.call_for_error(tool, filepath=BOOK, **arguments)
    assert book.read_bytes() == before


async def test_metadata_names_sheets_and_their_used_ranges(agent: Agent, book: Path) -> None:
    metadata = await agent.call_for_json("get_workbook_metadata", filepath=BOOK, include_ranges=True)
    ranges = {"Data": "A1:D5", "Other": "A1"}
    assert metadata == {
        "filename": BOOK, "sheets": ["Data", "Other"], "size": book.stat().st_size, "used_ranges": ranges,
    }  # fmt: skip
    assert "used_ranges" not in await agent.call_for_json("get_workbook_metadata", filepath=BOOK)


@pytest.mark.parametrize(
    ("kind", "drawn", "direction"),
    [
        ("bar", "BarChart", "col"),
        ("horizontal_bar", "BarChart", "bar"),
        ("Line", "LineChart", None),
        ("pie", "PieChart", None),
        ("scatter", "ScatterChart", None),
        ("area", "AreaChart", None),
        ("doughnut", "DoughnutChart", None),
        ("radar", "RadarChart", None),
    ],
)
async def test_charts_are_charts_of_the_data(
    agent: Agent, book: Path, kind: str, drawn: str, direction: str | None
) -> None:
    await call_on_data(
        agent, "create_chart", data_range="B1:C4", chart_type=kind, target_cell="F2", title="Sales", x_axis="Product",
        y_axis="Units",
    )  # fmt: skip
    (chart,) = sheet_of(book)._charts
    assert type(chart).__name__ == drawn
    assert direction in (None, getattr(chart, "barDir", None))
    assert chart.title.tx.rich.p[0].r[0].t == "Sales"
    (series,) = chart.series
    values = series.yVal if drawn == "ScatterChart" else series.val
    assert values.numRef.f == "Data!$C$2:$C$4"
    assert (chart.anchor._from.col, chart.anchor._from.row) == (5, 1)
    if drawn in ("BarChart", "LineChart", "ScatterChart", "AreaChart"):  # of the last openpyxl reads no titles
        drawing = read_parts(book)["xl/charts/chart1.xml"]
        assert re.findall(rb"<a:t>(.*?)</a:t>", drawing) == [b"Sales", b"Product", b"Units"]


async def test_a_chart_of_an_unknown_kind_is_refused(agent: Agent, book: Path) -> None:
    message = await refuse_call(agent, "create_chart", data_range="B1:C4", chart_type="waterfall", target_cell="F2")
    assert "chart_type" in message
    assert "'doughnut'" in message


async def test_a_pivot_table_is_one_and_shows_its_values(agent: Agent, book: Path) -> None:
    reply = await call_on_data(
        agent, "create_pivot_table", data_range="A1:C4", rows=["Region"], values=["Sales"], columns=["Product"]
    )
    assert "Data_pivot" in reply
    pivot_sheet = open_book(book)["Data_pivot"]
    (pivot,) = pivot_sheet._pivots
    assert pivot.cache.cacheSource.worksheetSource.ref == "A1:C4"
    assert [field.name for field in pivot.cache.cacheFields] == ["Region", "Product", "Sales"]
    rows = [[cell.value for cell in row] for row in pivot_sheet.iter_rows()]
    north = next(row for row in rows if row[0] == "North")
    assert north[1:] == [30, 10, 40]
    await call_on_data(
        agent, "create_pivot_table", data_range="A1:C4", rows=["Product"], values=["Sales"], agg_func="mean"
    )
    again = open_book(book)["Data_pivot2"]
    assert [cell.value for cell in next(row for row in again.iter_rows() if row[0].value == "Tea")][1] == 15
    assert "Colour" in await refuse_call(
        agent, "create_pivot_table", data_range="A1:C4", rows=["Colour"], values=["Sales"]
    )  # fmt: skip


async def test_a_table_has_name_columns_and_style(agent: Agent, book: Path) -> None:
    reply = await call_on_data(
        agent, "create_table", data_range="A1:C4", table_name="Sales", table_style="TableStyleLight3"
    )
    assert reply == "Successfully created table 'Sales' at A1:C4 in sheet 'Data'."
    table = sheet_of(book).tables["Sales"]
    assert (table.ref, table.tableStyleInfo.name) == ("A1:C4", "TableStyleLight3")
    assert [tablecolumn.name for tablecolumn in table.tableColumns] == ["Region", "Product", "Sales"]
    assert "overlaps the table" in await refuse_call(agent, "create_table", data_range="A3:C5")


async def test_cells_are_merged_listed_and_unmerged(agent: Agent, book: Path) -> None:
    await call_on_data(agent, "merge_cells", start_cell="A7", end_cell="B8")
    assert [str(area) for area in sheet_of(book).merged_cells.ranges] == ["A7:B8"]
    assert json.loads(await call_on_data(agent, "get_merged_cells")) == ["A7:B8"]
    assert "would hide" in await refuse_call(agent, "merge_cells", start_cell="A1", end_cell="B1")
    await call_on_data(agent, "unmerge_cells", start_cell="A7", end_cell="B8")
    assert not sheet_of(book).merged_cells.ranges
    assert json.loads(await call_on_data(agent, "get_merged_cells")) == []
    assert "no merged cells" in await refuse_call(agent, "unmerge_cells", start_cell="A7", end_cell="B8")


async def test_a_range_is_copied_with_formulas_that_move_along(agent: Agent, book: Path) -> None:
    await call_on_data(agent, "copy_range", source_start="C2", source_end="C5", target_start="D2", target_sheet="Other")
    sheet = sheet_of(book, "Other")
    assert [sheet[f"D{row}"].value for row in range(2, 6)] == [10, 20, 30, "=SUM(D2:D4)"]
    assert sheet_of(book, "Other", values=True)["D5"].value == 60
    await call_on_data(agent, "copy_range", source_start="A1", source_end="B1", target_start="A9")
    assert [sheet_of(book)[cell].value for cell in ("A9", "B9")] == ["Region", "Product"]
    assert "Nope" in await refuse_call(
        agent, "copy_range", source_start="A1", source_end="A1", target_start="A1", target_sheet="Nope"
    )


async def test_a_deleted_range_lets_the_cells_below_move_up(agent: Agent, book: Path) -> None:
    await call_on_data(agent, "apply_formula", cell="F1", formula="=C3")
    await call_on_data(agent, "delete_range", start_cell="C3", end_cell="C3")
    assert read_column(book, "C") == ["Sales", 10, 30, "=SUM(C2:C3)", None]
    assert read_column(book, "B")[:4] == ["Product", "Tea", "Tea", "Coffee"]
    assert sheet_of(book, values=True)["C4"].value == 40
    assert sheet_of(book)["F1"].value == "=#REF!"
    assert sheet_of(book, "Other")["A1"].value == "=Data!C4*2"
    assert sheet_of(book, "Other", values=True)["A1"].value == 80
    rules = {str(rule.sqref): rule.type for rule in sheet_of(book).data_validations.dataValidation}
    assert rules == {"A2:A4": "list", "C2:C3": "whole"}


async def test_a_deleted_range_lets_the_cells_to_the_right_move_left(agent: Agent, book: Path) -> None:
    await call_on_data(agent, "format_range", start_cell="C2", bold=True)
    await call_on_data(agent, "delete_range", start_cell="A2", end_cell="B3", shift_direction="left")
    sheet = sheet_of(book)
    assert [sheet[cell].value for cell in ("A2", "A3", "A4", "C2")] == [10, 20, "North", None]
    assert sheet["A2"].font.b
    assert sheet["C5"].value == "=SUM(C2:C4)"
    assert sheet["B2"].value.isoformat() == "2026-03-16T00:00:00"


@pytest.mark.parametrize(
    ("hindrance", "message"),
    [
        ({"tool": "merge_cells", "start_cell": "C7", "end_cell": "C8"}, "merged cells C7:C8"),
        ({"tool": "create_table", "data_range": "A1:C4"}, "the table 'Table1'"),
    ],
)
async def test_deleting_a_range_tears_nothing_apart(
    agent: Agent, book: Path, hindrance: dict[str, str], message: str
) -> None:
    await call_on_data(agent, hindrance.pop("tool"), **hindrance)
    if "merged" in message:
        await call_on_data(agent, "write_data_to_excel", data=[["below"]], start_cell="C9")
    assert message in await refuse_call(agent, "delete_range", start_cell="C2", end_cell="C2")


@pytest.mark.parametrize(
    ("tool", "place", "expected"),
    [
        ("insert_rows", {"start_row": 3, "count": 2}, ["Sales", 10, None, None, 20, 30, "=SUM(C2:C6)"]),
        ("delete_sheet_rows", {"start_row": 3}, ["Sales", 10, 30, "=SUM(C2:C3)"]),
    ],
)
async def test_rows_come_and_go_and_formulas_follow(
    agent: Agent, book: Path, tool: str, place: dict[str, int], expected: list[Any]
) -> None:
    await call_on_data(agent, tool, **place)
    assert read_column(book, "C") == expected
    assert sheet_of(book, values=True).cell(len(expected), 3).value == sum(n for n in expected if isinstance(n, int))


async def test_columns_come_and_go_and_formulas_follow(agent: Agent, book: Path) -> None:
    await call_on_data(agent, "insert_columns", start_col=2, count=2)
    assert [cell.value for cell in sheet_of(book)[1]] == ["Region", None, None, "Product", "Sales", None]
    assert sheet_of(book)["E5"].value == "=SUM(E2:E4)"
    await call_on_data(agent, "delete_sheet_columns", start_col=2, count=3)
    assert [cell.value for cell in sheet_of(book)[1]] == ["Region", "Sales", None]
    assert sheet_of(book, "Other")["A1"].value == "=Data!B5*2"
    assert "start_col" in await refuse_call(agent, "delete_sheet_columns", start_col=0)
    assert "go beyond the sheet" in await refuse_call(agent, "insert_columns", start_col=16_384, count=2)


async def test_what_a_call_does_not_name_stays_byte_for_byte(agent: Agent, book: Path) -> None:
    await call_on_data(agent, "create_chart", data_range="B1:C4", chart_type="bar", target_cell="F2")
    await call_on_data(agent, "apply_formula", cell="E9", formula="=1")  # computes what openpyxl leaves without values
    before = read_parts(book)
    await agent.says("apply_formula", filepath=BOOK, sheet_name="Other", cell="B1", formula="=1+1")
    after = read_parts(book)
    changed = {name for name in before if before[name] != after.get(name)}
    assert changed == {"xl/worksheets/sheet2.xml"}
    assert set(after) == set(before)


@pytest.mark.parametrize("tool", ["read_data_from_excel", "get_merged_cells", "insert_rows", "delete_range"])
async def test_files_that_are_no_workbooks_are_told_as_errors(agent: Agent, tool: str) -> None:
    more: dict[str, dict[str, Any]] = {
        "insert_rows": {"start_row": 1},
        "delete_range": {"start_cell": "A1", "end_cell": "A1"},
    }
    needed = more.get(tool, {})
    (agent.files / "a.xlsx").write_bytes(b"PK\x03\x04 broken")
    (agent.files / "b.xlsx").write_text("no workbook")
    for name in ("a.xlsx", "b.xlsx", "missing.xlsx"):
        assert name in await agent.call_for_error(tool, filepath=name, sheet_name="Data", **needed)
