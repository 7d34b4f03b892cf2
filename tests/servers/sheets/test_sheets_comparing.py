"""Two versions of a workbook compared: what moved is no difference, what came, went or changed is."""

import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.answers import Call

from yardkit.servers.sheets.engine.cells.grid import Content
from yardkit.servers.sheets.engine.contents.line_alignment import align_versions
from yardkit.servers.sheets.engine.notation.references import Cell

STOCK = [
    ["id", "item", "qty", "price", "value"],
    *(
        [number, f"part {number * 7 % 11}", number % 4, number / 2, f"=C{number + 1}*D{number + 1}"]
        for number in range(1, 21)
    ),
    [None, "Total", None, None, "=SUM(E2:E21)"],
]


@pytest.fixture
def versions(files: Path, call: Call) -> Any:
    """`a.xlsx` with stock, a second sheet that reads it and a name; and the same as `b.xlsx`."""
    call("write_cells", path="a.xlsx", rows=STOCK)
    call("change_sheets", path="a.xlsx", action="add", name="Sum")
    call("write_cells", path="a.xlsx", sheet="Sum", rows=[["=SUM(Sheet1!C2:C21)", "=Sheet1!E22"]])
    call("set_name", path="a.xlsx", name="Prices", refers_to="Sheet1!$D$2:$D$21")
    shutil.copy(files / "a.xlsx", files / "b.xlsx")
    return files


def compare_workbooks(call: Any, **arguments: Any) -> Any:
    answer = call("compare_workbooks", path="a.xlsx", other="b.xlsx", **arguments)
    assert not answer.is_error, answer.content
    return answer.structured_content


def list_differences(answer: Any) -> Any:
    return [(entry["what"], entry["cell"]) for entry in answer["differences"]]


def edit_workbook(call: Any, *operations: Any) -> None:
    answer = call("edit_workbook", path="b.xlsx", edits=list(operations))
    assert not answer.is_error, answer.content


def test_an_inserted_row_is_told_and_what_moved_below_it_is_no_difference(versions: Any, call: Call) -> None:
    edit_workbook(
        call,
        {"op": "insert_rows", "range": "6:6"},
        {"op": "write", "range": "A6", "values": [[99, "new part", 0, 1.5, "=C6*D6"]]},
    )
    answer = compare_workbooks(call, formats=True)
    assert list_differences(answer) == [("row added", "Sheet1!6:6")]
    assert json.loads(answer["differences"][0]["after"]) == [99, "new part", 0, 1.5, "=C6*D6"]
    assert "names_changed" not in answer


def test_a_change_below_a_deleted_row_is_told_with_both_places(versions: Any, call: Call) -> None:
    edit_workbook(
        call,
        {"op": "delete_rows", "range": "3:4"},
        {"op": "write", "range": "B9", "values": [["renamed"]]},
    )
    answer = compare_workbooks(call)
    assert list_differences(answer)[:3] == [
        ("row removed", "Sheet1!3:3"),
        ("row removed", "Sheet1!4:4"),
        ("value", "Sheet1!B9"),
    ]
    assert json.loads(answer["differences"][0]["before"]) == [2, "part 3", 2, 1, "=C3*D3"]
    assert answer["differences"][2] == {
        "cell": "Sheet1!B9", "what": "value", "before": "part 4", "after": "renamed", "was": "B11",
    }  # fmt: skip
    assert {place for _, place in list_differences(answer)[3:]} == {"Sheet1!E20", "Sum!A1", "Sum!B1"}


def test_columns_that_came_and_went_are_told(versions: Any, call: Call) -> None:
    edit_workbook(
        call,
        {"op": "delete_columns", "range": "B:B"},
        {"op": "insert_columns", "range": "A:A"},
        {"op": "write", "range": "A1", "values": [["checked"], ["yes"]]},
    )
    answer = compare_workbooks(call)
    assert list_differences(answer) == [("column removed", "Sheet1!B:B"), ("column added", "Sheet1!A:A")]
    assert json.loads(answer["differences"][1]["after"]) == ["checked", "yes"]


def test_a_formula_that_no_longer_reads_what_it_read_is_told_where_rows_moved(versions: Any, call: Call) -> None:
    edit_workbook(
        call,
        {"op": "insert_rows", "range": "2:2"},
        {"op": "write", "range": "A2", "values": [[0, "first", 0, 0, 0]]},
        {"op": "write", "range": "E5", "values": [["=C5+D5"]]},
        {"op": "write", "sheet": "Sum", "range": "B1", "values": [["=Sheet1!E22"]]},
    )
    differences = {(entry["what"], entry["cell"]): entry for entry in compare_workbooks(call)["differences"]}
    assert differences["formula", "Sheet1!E5"]["before"] == "=C4*D4"
    assert differences["formula", "Sheet1!E5"]["after"] == "=C5+D5"
    assert differences["formula", "Sum!B1"]["before"] == differences["formula", "Sum!B1"]["after"] == "=Sheet1!E22"


def test_a_formula_that_lost_what_it_read_is_told(versions: Any, call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Sum", rows=[['=IFERROR(Sheet1!D3,"none")']], start_cell="A3")
    call("write_cells", path="b.xlsx", sheet="Sum", rows=[['=IFERROR(Sheet1!D3,"none")']], start_cell="A3")
    edit_workbook(call, {"op": "delete_rows", "range": "3:3"})
    differences = {(entry["what"], entry["cell"]): entry for entry in compare_workbooks(call)["differences"]}
    assert differences["formula", "Sum!A3"]["after"] == '=IFERROR(#REF!,"none")'
    assert ("formula", "Sum!A1") not in differences


def test_rows_put_below_the_last_are_added_and_ranges_beyond_the_data_stay(versions: Any, call: Call) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        call("write_cells", path=name, sheet="Sum", rows=[["=SUM(Sheet1!A1:A100)"]], start_cell="A3")
    call("write_cells", path="b.xlsx", rows=[["note", "counted twice"]], start_cell="A23")
    assert list_differences(compare_workbooks(call)) == [("row added", "Sheet1!23:23")]


def test_a_cell_put_far_from_the_others_is_told_where_it_stands(versions: Any, call: Call) -> None:
    call("write_cells", path="b.xlsx", rows=[["see page 2"]], start_cell="H3")
    answer = compare_workbooks(call)
    assert list_differences(answer) == [("column added", "Sheet1!H:H")]
    assert json.loads(answer["differences"][0]["after"]) == [None, None, "see page 2"]


def test_formats_of_empty_cells_below_are_compared_where_they_moved(versions: Any, call: Call) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        call("format_cells", path=name, range="A25:B30", bold=True)
    edit_workbook(call, {"op": "insert_rows", "range": "2:2"}, {"op": "write", "range": "A2", "values": [["one more"]]})
    call("format_cells", path="b.xlsx", range="A28", italic=True)
    call("format_cells", path="b.xlsx", range="A40", italic=True)
    answer = compare_workbooks(call, formats=True)
    assert list_differences(answer) == [("row added", "Sheet1!2:2"), ("format", "Sheet1!A28"), ("format", "Sheet1!A40")]
    assert answer["differences"][1]["was"] == "A27"


def test_rows_that_are_all_rewritten_are_compared_cell_by_cell(versions: Any, call: Call) -> None:
    edit_workbook(call, *({"op": "write", "range": f"D{row}", "values": [[row * 10.25]]} for row in range(2, 22, 2)))
    answer = compare_workbooks(call, sheet="Sheet1")
    values = {place for what, place in list_differences(answer) if what == "value"}
    assert {f"Sheet1!D{row}" for row in range(2, 22, 2)} <= values
    assert {what for what, _ in list_differences(answer)} == {"value"}


def test_a_renamed_header_is_a_changed_cell_not_another_column(versions: Any, call: Call) -> None:
    edit_workbook(call, {"op": "write", "range": "C1", "values": [["quantity"]]})
    assert list_differences(compare_workbooks(call)) == [("value", "Sheet1!C1")]


def test_merged_cells_that_moved_are_no_difference(versions: Any, call: Call) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        assert not call("set_sheet_layout", path=name, merge=["A25:C25"]).is_error
    edit_workbook(call, {"op": "insert_rows", "range": "2:2"}, {"op": "write", "range": "A2", "values": [["one more"]]})
    assert list_differences(compare_workbooks(call)) == [("row added", "Sheet1!2:2")]


def test_large_sheets_of_which_every_other_row_changed_are_compared_in_time() -> None:
    before = {
        Cell(row, column): Content(row * column, "number", None, 0) for row in range(1, 20_001) for column in (1, 2, 3)
    }
    after = {
        Cell(cell.row + 1, cell.column): content
        if cell.row % 2 or cell.column == 1
        else Content(-cell.row, "number", None, 0)
        for cell, content in before.items()
    }
    start = time.process_time()
    aligned = align_versions(before, after)
    assert time.process_time() - start < 10
    assert aligned.rows.come == [1]
    assert not aligned.rows.gone


LINES = st.lists(st.integers(1, 12), max_size=3, unique=True)


@settings(max_examples=60)
@given(gone=LINES, come=LINES)
@example(gone=[], come=[1, 2, 3])
@example(gone=[1, 2, 12], come=[12])
def test_whatever_rows_go_and_come_among_rows_of_their_own_is_found(gone: Any, come: Any) -> None:
    old = {
        Cell(row, column): Content(f"{row}.{column}", "text", None, 0) for row in range(1, 13) for column in (1, 2, 3)
    }
    stay = [row for row in range(1, 13) if row not in gone]
    later = [("old", row) for row in stay]
    for at in sorted(come):
        later.insert(min(at - 1, len(later)), ("new", at))
    new = {
        Cell(place, column): Content(f"{row}.{column}" if kind == "old" else f"new {row}/{column}", "text", None, 0)
        for place, (kind, row) in enumerate(later, 1)
        for column in (1, 2, 3)
    }
    rows = align_versions(old, new).rows
    stayed = {row: place for place, (kind, row) in enumerate(later, 1) if kind == "old"}
    if len(gone) != len(come):
        assert stayed.items() <= rows.places.items()
    assert len(rows.gone) - len(rows.come) == len(gone) - len(come)
    assert all(rows.places.get(row, place) == place for row, place in stayed.items())
