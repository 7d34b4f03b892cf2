"""Toolathlon's google_sheet: spreadsheets of the world's drive by their ids, each tool in its format."""

import io
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from support.answers import make_caller, read_text

from yardkit.apps.drive import FOLDER, SPREADSHEET, Account, Grant, Item, add_item, content_of, opened_drive
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, save_bytes, use_world

call = make_caller(load_server("sheets", "toolathlon"))
ME, ANNA = "mira@firm.example", "anna@firm.example"


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    new_world = World.create(tmp_path / "world", task="t", seed=1)
    with use_world(new_world):
        yield new_world


def make_budget() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Plan"
    for row in (
        ["Region", "Sum", "Share", "Day"],
        ["Harbour", 1234.5, 0.25, date(2026, 3, 16)],
        ["Hill", 7, 0.75, None],
    ):
        sheet.append(row)
    sheet["B4"] = "=SUM(B2:B3)"
    for cell, code in (("B2", "#,##0.00"), ("C2", "0%"), ("D2", "d mmm yyyy")):
        sheet[cell].number_format = code
    book.create_sheet("Notes")["A1"] = "harbour dues"
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


@pytest.fixture
def plan(world: World) -> str:
    """A spreadsheet in the folder Sales; Anna's, which may only be read, lies at the top."""
    with opened_drive(world, writes=True) as store:
        store.put(Account(ME, "Mira Vance"))
        sales = add_item(store, "Sales", FOLDER)
        own = add_item(store, "Budget 2026", SPREADSHEET, sales.id, ".xlsx")
        hers = add_item(store, "Budget 2025", SPREADSHEET, suffix=".xlsx", owner=ANNA)
        for item in (own, hers):
            save_bytes(content_of(world, item), make_budget())
        store.put(Grant(store.next_id(Grant), hers.id, ME, "reader"))
    return own.id


def call_sheet_tool(tool: str, **arguments: Any) -> Any:
    answer = call(tool, **arguments)
    assert not answer.is_error, read_text(answer)
    return json.loads(read_text(answer))


def refuse_call(tool: str, **arguments: Any) -> str:
    answer = call(tool, **arguments)
    assert answer.is_error, read_text(answer)
    return read_text(answer)


def opened_book(world: World, identity: str) -> Any:
    return openpyxl.load_workbook(world.root / "apps" / "drive" / "files" / f"{identity}.xlsx")


def find_item(world: World, name: str) -> Item:
    with opened_drive(world) as store:
        return store.find(Item, "name = ?", [name])[0]


def test_values_come_as_cells_show_them(plan: str) -> None:
    got = call_sheet_tool("get_sheet_data", spreadsheet_id=plan, sheet="Plan")
    assert got == {
        "spreadsheetId": plan,
        "valueRanges": [
            {
                "range": "Plan",
                "values": [
                    ["Region", "Sum", "Share", "Day"],
                    ["Harbour", "1,234.50", "25%", "16 Mar 2026"],
                    ["Hill", "7", "0.75"],
                    ["", "1241.5"],
                ],
            }
        ],
    }
    part = call_sheet_tool("get_sheet_data", spreadsheet_id=plan, sheet="Plan", range="A2:B3")["valueRanges"][0]
    assert part == {"range": "Plan!A2:B3", "values": [["Harbour", "1,234.50"], ["Hill", "7"]]}


def test_grid_data_tell_formulas_and_looks(plan: str) -> None:
    got = call_sheet_tool("get_sheet_data", spreadsheet_id=plan, sheet="Plan", range="B4:B4", include_grid_data=True)
    (cell,) = got["sheets"][0]["data"][0]["rowData"][0]["values"]
    assert (cell["userEnteredValue"], cell["effectiveValue"], cell["formattedValue"]) == (
        {"formulaValue": "=SUM(B2:B3)"},
        {"numberValue": 1241.5},
        "1241.5",
    )
    assert got["properties"]["title"] == "Budget 2026"


def test_formulas_stand_in_their_places(plan: str) -> None:
    assert call_sheet_tool("get_sheet_formulas", spreadsheet_id=plan, sheet="Plan", range="A3:B4") == [
        ["Hill", 7],
        ["", "=SUM(B2:B3)"],
    ]


def test_what_is_typed_becomes_numbers_formulas_and_dates(world: World, plan: str) -> None:
    data = [["12", "1,200.5"], ["50%", "=B2*2"], ["2026-04-01", None], ["TRUE", "text"]]
    got = call_sheet_tool("update_cells", spreadsheet_id=plan, sheet="Notes", range="B1:C4", data=data)
    assert got == {
        "spreadsheetId": plan,
        "updatedRange": "Notes!B1:C4",
        "updatedRows": 4,
        "updatedColumns": 2,
        "updatedCells": 7,
    }
    sheet = opened_book(world, plan)["Notes"]
    values = [[cell.value for cell in row] for row in sheet["B1:C3"]]
    assert values[:2] == [[12, 1200.5], [0.5, "=B2*2"]]
    assert (values[2][0].date(), sheet["B4"].value) == (date(2026, 4, 1), True)
    assert find_item(world, "Budget 2026").modified > find_item(world, "Budget 2025").modified
    wrong = refuse_call("update_cells", spreadsheet_id=plan, sheet="Plan", range="A1:B1", data=[[1], [2]])
    assert wrong.startswith("Requested writing within range [Plan!A1:B1], but tried writing to row [2]")


def test_several_ranges_are_written_or_none(world: World, plan: str) -> None:
    ranges = {"A5": [["x", "y"]], "D5:D6": [[1], [2]]}
    got = call_sheet_tool("batch_update_cells", spreadsheet_id=plan, sheet="Plan", ranges=ranges)
    assert (got["totalUpdatedCells"], got["totalUpdatedRows"], got["responses"][1]["updatedRange"]) == (
        4,
        3,
        "Plan!D5:D6",
    )
    refuse_call(
        "batch_update_cells", spreadsheet_id=plan, sheet="Plan", ranges={"A9": [["kept?"]], "A1:A1": [[1], [2]]}
    )
    assert opened_book(world, plan)["Plan"]["A9"].value is None


def test_rows_and_columns_are_added_and_formulas_follow(world: World, plan: str) -> None:
    assert call_sheet_tool("add_rows", spreadsheet_id=plan, sheet="Plan", count=2, start_row=1)["replies"] == [{}]
    assert call_sheet_tool("add_columns", spreadsheet_id=plan, sheet="Plan", count=1)["spreadsheetId"] == plan
    assert opened_book(world, plan)["Plan"]["C6"].value == "=SUM(C4:C5)"
    assert json.loads(refuse_call("add_rows", spreadsheet_id=plan, sheet="Nix", count=1)) == {
        "error": "Sheet 'Nix' not found"
    }


def test_sheets_are_listed_made_copied_and_renamed(world: World, plan: str) -> None:
    assert call_sheet_tool("list_sheets", spreadsheet_id=plan) == ["Plan", "Notes"]
    sheet_reply = call_sheet_tool("create_sheet", spreadsheet_id=plan, title="New")
    assert sheet_reply == {"sheetId": 2, "title": "New", "index": 2, "spreadsheetId": plan}
    assert 'A sheet with the name "New" already exists' in refuse_call("create_sheet", spreadsheet_id=plan, title="New")
    other = call_sheet_tool("create_spreadsheet", title="Other")["spreadsheetId"]
    copied = call_sheet_tool(
        "copy_sheet", src_spreadsheet=plan, src_sheet="Plan", dst_spreadsheet=other, dst_sheet="Copied"
    )
    assert (copied["copy"]["title"], copied["rename"]["replies"]) == ("Copy of Plan", [{}])
    values = [
        call_sheet_tool("get_sheet_data", spreadsheet_id=spreadsheet_id, sheet=sheet)["valueRanges"][0]["values"]
        for spreadsheet_id, sheet in ((plan, "Plan"), (other, "Copied"))
    ]
    assert values[0] == values[1]
    assert opened_book(world, other)["Copied"]["B4"].value == "=SUM(B2:B3)"
    assert json.loads(
        refuse_call("copy_sheet", src_spreadsheet=plan, src_sheet="Nix", dst_spreadsheet=other, dst_sheet="X")
    ) == {"error": "Source sheet 'Nix' not found"}
    assert call_sheet_tool("rename_sheet", spreadsheet=other, sheet="Sheet1", new_name="First")["replies"] == [{}]
    assert call_sheet_tool("list_sheets", spreadsheet_id=other) == ["First", "Copied"]


def test_many_are_read_at_once_and_each_says_what_is_wrong(plan: str) -> None:
    queries = [
        {"spreadsheet_id": plan, "sheet": "Plan", "range": "A1:A1"},
        {"spreadsheet_id": "x", "sheet": "S", "range": "A1"},
        {"sheet": "S"},
    ]
    got = call_sheet_tool("get_multiple_sheet_data", queries=queries)
    assert got[0]["data"] == [["Region"]]
    assert "Requested entity was not found" in got[1]["error"]
    assert got[2]["error"] == "Missing required keys (spreadsheet_id, sheet, range)"
    first, second = call_sheet_tool("get_multiple_spreadsheet_summary", spreadsheet_ids=[plan, "x"], rows_to_fetch=2)
    assert (first["title"], second["title"], second["error"][:34]) == (
        "Budget 2026",
        None,
        "Error fetching spreadsheet x: Requ",
    )
    assert first["sheets"][0]["headers"] == ["Region", "Sum", "Share", "Day"]
    assert first["sheets"][0]["first_rows"] == [["Harbour", "1,234.50", "25%", "16 Mar 2026"]]


def test_cells_are_found_by_what_they_show(plan: str) -> None:
    matches = call_sheet_tool("find_in_spreadsheet", spreadsheet_id=plan, query="HARBOUR")
    assert matches == [
        {"sheet": "Plan", "cell": "A2", "value": "Harbour"},
        {"sheet": "Notes", "cell": "A1", "value": "harbour dues"},
    ]
    assert call_sheet_tool("find_in_spreadsheet", spreadsheet_id=plan, query="HARBOUR", case_sensitive=True) == []
    assert len(call_sheet_tool("find_in_spreadsheet", spreadsheet_id=plan, query="h", max_results=1)) == 1


def test_spreadsheets_and_folders_of_the_drive_are_listed_and_searched(world: World, plan: str) -> None:
    folder = find_item(world, "Sales").id
    assert call_sheet_tool("list_folders") == [{"id": folder, "name": "Sales", "parent": "root"}]
    assert [spreadsheet["title"] for spreadsheet in call_sheet_tool("list_spreadsheets")] == [
        "Budget 2025",
        "Budget 2026",
    ]
    assert call_sheet_tool("list_spreadsheets", folder_id=folder) == [{"id": plan, "title": "Budget 2026"}]
    created_spreadsheet = call_sheet_tool("create_spreadsheet", title="Budget 2027", folder_id=folder)
    assert (created_spreadsheet["title"], created_spreadsheet["folder"], len(created_spreadsheet["spreadsheetId"])) == (
        "Budget 2027",
        folder,
        33,
    )
    search_reply = call_sheet_tool("search_spreadsheets", query="harbour dues", max_results=1)
    assert (search_reply[0]["name"], search_reply[0]["owners"], search_reply[0]["web_link"][-5:]) == (
        "Budget 2025",
        [ANNA],
        "/edit",
    )
    assert call_sheet_tool("search_spreadsheets", query="zebra") == []


def test_people_are_given_roles_and_each_failure_is_told(world: World, plan: str) -> None:
    recipients = [
        {"email_address": ANNA, "role": "reader"},
        {"email_address": "x@y.de", "role": "boss"},
        {"role": "reader"},
    ]
    got = call_sheet_tool("share_spreadsheet", spreadsheet_id=plan, recipients=recipients, send_notification=False)
    assert got["successes"] == [{"email_address": ANNA, "role": "reader", "permissionId": "2"}]
    assert [failure["error"][:22] for failure in got["failures"]] == [
        "Invalid role 'boss'. M",
        "Missing email_address ",
    ]


def test_what_is_anothers_or_gone_is_refused(world: World, plan: str) -> None:
    hers = find_item(world, "Budget 2025").id
    assert "The caller does not have permission" in refuse_call(
        "update_cells", spreadsheet_id=hers, sheet="Plan", range="A1", data=[[1]]
    )
    assert "Requested entity was not found" in refuse_call("list_sheets", spreadsheet_id="../../etc/passwd")
    assert "not supported for this document" in refuse_call("list_sheets", spreadsheet_id=find_item(world, "Sales").id)
    assert refuse_call("get_sheet_data", spreadsheet_id=plan, sheet="Nix", range="A1").startswith(
        "Unable to parse range: Nix!A1"
    )
    (world.root / "apps" / "drive" / "files" / f"{plan}.xlsx").write_bytes(b"PK broken")
    assert "Budget 2026" not in refuse_call("list_sheets", spreadsheet_id=plan)
    assert call_sheet_tool("list_sheets", spreadsheet_id=hers) == ["Plan", "Notes"]


def _make_grid_range(first: tuple[int, int], last: tuple[int, int], sheet: int = 0) -> dict[str, int]:
    return {
        "sheetId": sheet, "startRowIndex": first[0], "startColumnIndex": first[1], "endRowIndex": last[0],
        "endColumnIndex": last[1],
    }  # fmt: skip


def _make_coordinate(row: int, column: int, sheet: int = 0) -> dict[str, int]:
    return {"sheetId": sheet, "rowIndex": row, "columnIndex": column}


def _make_dimension_range(dimension: str, start: int, end: int, sheet: int = 0) -> dict[str, Any]:
    return {"sheetId": sheet, "dimension": dimension, "startIndex": start, "endIndex": end}


def _make_row_data(*values: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"values": [{"userEnteredValue": value} for value in values]}]


RED = {"backgroundColor": {"red": 255}}
LOOK = {"textFormat": {"bold": True}, "backgroundColor": {"red": 1}, "numberFormat": {"type": "PERCENT"}}
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    (
        "updateCells",
        {
            "start": _make_coordinate(1, 0, 1),
            "rows": _make_row_data({"stringValue": "=no"}, {"numberValue": 3}, {"formulaValue": "=1+1"}),
            "fields": "userEnteredValue",
        },
    ),
    ("appendCells", {"sheetId": 1, "rows": _make_row_data({"boolValue": True}), "fields": "*"}),
    (
        "repeatCell",
        {
            "range": _make_grid_range((0, 0), (1, 4)),
            "cell": {"userEnteredFormat": LOOK},
            "fields": "userEnteredFormat",
        },
    ),
    (
        "repeatCell",
        {
            "range": _make_grid_range((1, 4), (3, 5)),
            "cell": {"userEnteredValue": {"formulaValue": "=B2*2"}},
            "fields": "userEnteredValue",
        },
    ),
    ("insertDimension", {"range": _make_dimension_range("ROWS", 0, 1, 1)}),
    ("deleteDimension", {"range": _make_dimension_range("ROWS", 0, 1, 1)}),
    ("appendDimension", {"sheetId": 0, "dimension": "ROWS", "length": 10}),
    (
        "updateDimensionProperties",
        {
            "range": _make_dimension_range("COLUMNS", 0, 1),
            "properties": {"pixelSize": 215},
            "fields": "pixelSize",
        },
    ),
    ("autoResizeDimensions", {"dimensions": _make_dimension_range("COLUMNS", 1, 3)}),
    ("mergeCells", {"range": _make_grid_range((6, 0), (7, 2)), "mergeType": "MERGE_ALL"}),
    (
        "updateBorders",
        {
            "range": _make_grid_range((0, 0), (2, 2)),
            "bottom": {"style": "SOLID_THICK"},
            "innerVertical": {"style": "DOTTED"},
        },
    ),
    (
        "sortRange",
        {
            "range": _make_grid_range((1, 0), (3, 4)),
            "sortSpecs": [{"dimensionIndex": 1, "sortOrder": "ASCENDING"}],
        },
    ),
    ("findReplace", {"find": "harbour", "replacement": "Port", "allSheets": True}),
    (
        "copyPaste",
        {
            "source": _make_grid_range((0, 0), (1, 1)),
            "destination": _make_grid_range((9, 0), (11, 1)),
            "pasteType": "PASTE_NORMAL",
        },
    ),
    ("duplicateSheet", {"sourceSheetId": 0, "newSheetName": "Twin"}),
    ("addSheet", {"properties": {"title": "Frozen", "gridProperties": {"frozenRowCount": 1}}}),
    (
        "updateSheetProperties",
        {
            "properties": {"sheetId": 1, "title": "Remarks", "tabColor": {"blue": 1}},
            "fields": "title,tabColor",
        },
    ),
    ("unmergeCells", {"range": _make_grid_range((6, 0), (7, 2))}),
]


def test_a_batch_of_requests_is_done_in_order(world: World, plan: str) -> None:
    requests = [{kind: body} for kind, body in REQUESTS]
    replies = call_sheet_tool("batch_update", spreadsheet_id=plan, requests=requests)["replies"]
    assert replies[12] == {"findReplace": {"valuesChanged": 2, "occurrencesChanged": 2}}
    assert replies[14]["duplicateSheet"]["properties"]["sheetId"] == 2
    assert replies[15]["addSheet"]["properties"]["title"] == "Frozen"
    book = opened_book(world, plan)
    assert book.sheetnames == ["Plan", "Remarks", "Twin", "Frozen"]
    sheet, notes = book["Plan"], book["Remarks"]
    assert [cell.value for cell in notes[2]] == ["=no", 3, "=1+1"]
    assert (notes["A2"].data_type, notes["A3"].value, notes["A1"].value) == ("s", True, "Port dues")
    assert (sheet["A1"].font.b, sheet["A1"].fill.fgColor.rgb[-6:], sheet["A1"].number_format) == (
        True,
        "FF0000",
        "0.00%",
    )
    assert (sheet["A2"].value, sheet["A3"].value, sheet["E3"].value) == ("Hill", "Port", "=B3*2")
    assert (sheet["A3"].border.bottom.style, sheet["B1"].border.left.style) == ("thick", "dotted")
    assert (round(sheet.column_dimensions["A"].width), sheet["A10"].value, sheet["A11"].value) == (
        30,
        "Region",
        "Region",
    )
    assert book["Frozen"].freeze_panes == "A2"
    assert sheet.merged_cells.ranges == set()
    call_sheet_tool("batch_update", spreadsheet_id=plan, requests=[{"deleteSheet": {"sheetId": 2}}])
    assert call_sheet_tool("list_sheets", spreadsheet_id=plan) == ["Plan", "Remarks", "Frozen"]


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"addPivot": {}}, "Invalid requests[1]: 'addPivot' is not a supported request; use addSheet, "),
        ({"deleteSheet": {"sheetId": 77}}, "No grid with id: 77; there are 0 (Plan), 1 (Notes)"),
        ({"deleteSheet": {}}, "Invalid requests[1].deleteSheet: 'sheetId' is missing"),
        ({"mergeCells": {"range": {"startRowIndex": 5, "endRowIndex": 5}}}, "is not a valid range: it starts at 0"),
        (
            {"repeatCell": {"range": _make_grid_range((0, 0), (1, 1)), "cell": {"userEnteredFormat": RED}}},
            "go from 0 to 1",
        ),
        ({"mergeCells": {"range": "A1:B2"}}, "Invalid requests[1].mergeCells: "),
    ],
)  # fmt: skip
def test_a_request_that_is_wrong_undoes_the_batch(
    world: World, plan: str, request_: dict[str, Any], message: str
) -> None:
    before = (world.root / "apps" / "drive" / "files" / f"{plan}.xlsx").read_bytes()
    state = find_item(world, "Budget 2026")
    requests = [{"addSheet": {"properties": {"title": "Gone"}}}, request_]
    assert message in refuse_call("batch_update", spreadsheet_id=plan, requests=requests)
    assert (world.root / "apps" / "drive" / "files" / f"{plan}.xlsx").read_bytes() == before
    assert find_item(world, "Budget 2026") == state
