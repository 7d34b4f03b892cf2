"""Operations on a workbook: everything that names cells follows, all of them or none."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from support import books
from support.answers import Call


@pytest.fixture
def edit(call: Call) -> Any:
    """Apply operations to a workbook; the answer."""

    def run(path: str = "book.xlsx", *operations: Any) -> Any:
        return call("edit_workbook", path=path, edits=list(operations))

    return run


@pytest.fixture
def write(call: Call) -> Any:
    def run(rows: Any, path: str = "book.xlsx", **arguments: Any) -> Any:
        answer = call("write_cells", path=path, rows=rows, **arguments)
        assert not answer.is_error, answer.content[0].text
        return answer

    return run


@pytest.fixture
def rows(call: Call) -> Any:
    """The values of a sheet."""

    def run(path: str = "book.xlsx", **arguments: Any) -> Any:
        return call("read_cells", path=path, **arguments).structured_content["rows"]

    return run


def read_formula(files: Any, cell: Any, sheet: Any = None, path: str = "book.xlsx") -> Any:
    book = books.open_book(files / path)
    return (book[sheet] if sheet else book.active)[cell].value


def test_rows_come_in_and_every_formula_follows(files: Path, edit: Any, write: Any, rows: Any) -> None:
    write([[1, "=A1*2"], [2, "=A2*2"], ["=SUM(A1:A2)", "=$A$1+A2"]])
    write([["=Sheet1!A2", "=SUM(Sheet1!A:A)", "=SUM(Sheet1!2:2)", '="A2 is "&Sheet1!A2']], sheet="Other")
    edit("book.xlsx", {"op": "insert_rows", "range": "2:3"})
    assert read_formula(files, "A5", "Sheet1") == "=SUM(A1:A4)"
    assert read_formula(files, "B5", "Sheet1") == "=$A$1+A4"
    assert read_formula(files, "A1", "Other") == "=Sheet1!A4"
    assert read_formula(files, "B1", "Other") == "=SUM(Sheet1!A:A)"
    assert read_formula(files, "C1", "Other") == "=SUM(Sheet1!4:4)"
    assert read_formula(files, "D1", "Other") == '="A2 is "&Sheet1!A4'
    assert rows(sheet="Other") == [[2, 6, 6, "A2 is 2"]]


def test_what_a_deleted_row_held_is_a_reference_error_and_ranges_shrink(
    files: Path, edit: Any, write: Any, rows: Any
) -> None:
    write([[1], [2], [3], ["=SUM(A1:A3)"], ["=A2"]])
    edit("book.xlsx", {"op": "delete_rows", "range": "2"})
    assert read_formula(files, "A3") == "=SUM(A1:A2)"
    assert read_formula(files, "A4") == "=#REF!"
    assert rows() == [[1], [3], [4], ["#REF!"]]


def test_columns_come_and_go(files: Path, edit: Any, write: Any, rows: Any) -> None:
    write([["a", 1, 2, "=B1+C1"]])
    edit("book.xlsx", {"op": "insert_columns", "range": "B:C"})
    assert read_formula(files, "F1") == "=D1+E1"
    edit("book.xlsx", {"op": "delete_columns", "range": "B:C"})
    assert read_formula(files, "D1") == "=B1+C1"
    assert rows() == [["a", 1, 2, 3]]


def test_names_tables_rules_charts_links_notes_and_pictures_follow_rows(
    files: Path, call: Call, edit: Any, rich: Path
) -> None:
    edit("rich.xlsx", {"op": "insert_rows", "range": "2:4", "sheet": "Data"})
    book = books.open_book(rich)
    data = book["Data"]
    assert book.defined_names["Total"].attr_text == "Data!$D$8"
    assert [str(area.sqref) for area in data.conditional_formatting] == ["B5:B7"]
    assert [str(rule.sqref) for rule in data.data_validations.dataValidation] == ["A5:A7"]
    assert data._charts[0].series[0].val.numRef.f == "Data!$B$5:$B$7"
    assert data._charts[0].anchor._from.row == 4
    assert data._images[0].anchor._from.row == 22
    assert data["A1"].comment.text == "a note"
    assert data["D8"].value == "=SUM(D5:D7)"
    parts = books.read_parts(rich)
    assert b"<xm:f>Data!B5:B7</xm:f>" in parts["xl/worksheets/sheet1.xml"]
    assert b"<xm:sqref>E5</xm:sqref>" in parts["xl/worksheets/sheet1.xml"]
    assert call("read_cells", path="rich.xlsx", range="A10").structured_content["rows"] == [["plain bold"]]


def test_rich_text_and_formats_stay_when_rows_move(files: Path, edit: Any, rich: Path) -> None:
    before = books.read_parts(rich)["xl/worksheets/sheet1.xml"]
    edit("rich.xlsx", {"op": "insert_rows", "range": "3", "sheet": "Data"})
    assert books.open_book(rich)["Data"]["B3"].number_format == "#,##0.00"
    edit("rich.xlsx", {"op": "delete_rows", "range": "3", "sheet": "Data"})
    edit("rich.xlsx", {"op": "insert_rows", "range": "6", "sheet": "Data"})
    edit("rich.xlsx", {"op": "delete_rows", "range": "6", "sheet": "Data"})
    cells = {cell.coordinate: cell.number_format for row in books.open_book(rich)["Data"] for cell in row}
    assert cells["B3"] == "#,##0.00"
    assert books.read_parts(rich)["xl/worksheets/sheet1.xml"].count(b"<c ") == before.count(b"<c ")


def test_a_table_takes_new_columns_and_refuses_to_lose_its_header(files: Path, edit: Any, rich: Path) -> None:
    edit("rich.xlsx", {"op": "insert_columns", "range": "B:B", "sheet": "Other's"})
    sheet = books.open_book(rich)["Other's"]
    assert sheet.tables["Goods"].ref == "A1:C3"
    assert [column.name for column in sheet.tables["Goods"].tableColumns] == ["x", "Column1", "y"]
    assert sheet["B1"].value == "Column1"
    answer = edit("rich.xlsx", {"op": "delete_rows", "range": "1:1", "sheet": "Other's"})
    assert answer.is_error
    assert "Goods" in answer.content[0].text


def test_a_pivot_source_and_merged_cells_follow(files: Path, edit: Any) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["a", "b"])
    sheet.merge_cells("A3:B4")
    sheet.auto_filter.ref = "A1:B9"
    sheet.print_area = "A1:B9"
    sheet["A6"].hyperlink = "#Sheet!A8"
    book.save(files / "book.xlsx")
    edit("book.xlsx", {"op": "insert_rows", "range": "2"})
    sheet = books.open_book(files / "book.xlsx").active
    assert str(sheet.merged_cells) == "A4:B5"
    assert sheet.auto_filter.ref == "A1:B10"
    assert sheet.print_area == "'Sheet'!$A$1:$B$10"
    assert sheet["A7"].hyperlink.ref == "A7"


def test_a_moved_range_takes_its_readers_along(files: Path, edit: Any, write: Any, rows: Any) -> None:
    write([[1, 2, "=A1+B1"], [None, None, "=SUM(A1:B1)"]])
    write([["=Sheet1!A1"]], sheet="Other")
    edit("book.xlsx", {"op": "move", "range": "A1:B1", "to": "A5"})
    assert read_formula(files, "C1", "Sheet1") == "=A5+B5"
    assert read_formula(files, "C2", "Sheet1") == "=SUM(A5:B5)"
    assert read_formula(files, "A1", "Other") == "=Sheet1!A5"
    edit("book.xlsx", {"op": "move", "range": "C1:C2", "to": "A3", "to_sheet": "Other"})
    assert read_formula(files, "A3", "Other") == "=Sheet1!A5+Sheet1!B5"
    assert rows(sheet="Other") == [[1], [None], [3], [3]]


def test_a_copy_moves_relative_references(files: Path, edit: Any, write: Any, rows: Any) -> None:
    write([[1, 10, "=A1*B$1"], [2]])
    edit("book.xlsx", {"op": "copy", "range": "C1", "to": "C2"})
    assert read_formula(files, "C2") == "=A2*B$1"
    edit("book.xlsx", {"op": "copy", "range": "C1:C2", "to": "E1", "how": "values"})
    assert read_formula(files, "E2") == 20
    assert rows() == [[1, 10, 10, None, 10], [2, None, 20, None, 20]]


def test_sorting_takes_whole_rows_formulas_included(files: Path, edit: Any, write: Any, rows: Any) -> None:
    write([["n", "v", "double"], ["b", 2, "=B2*2"], ["a", 10, "=B3*2"], ["c", None, "=B4*2"], ["d", 1, "=B5*2"]])
    answer = edit("book.xlsx", {"op": "sort", "range": "A1:C5", "by": ["-v"]})
    assert not answer.is_error, answer.content[0].text
    assert rows() == [["n", "v", "double"], ["a", 10, 20], ["b", 2, 4], ["d", 1, 2], ["c", None, 0]]
    assert read_formula(files, "C2") == "=B2*2"


def test_rows_that_fail_a_test_go_and_duplicates_too(edit: Any, write: Any, rows: Any) -> None:
    write([["n", "v"], ["x", 1], ["y", 5], ["x", 1], ["z", 7]])
    edit("book.xlsx", {"op": "deduplicate", "range": "A1:B5"})
    assert rows() == [["n", "v"], ["x", 1], ["y", 5], ["z", 7]]
    edit("book.xlsx", {"op": "filter", "range": "A1:B4", "by": ["v"], "test": ">", "value": 4})
    assert rows() == [["n", "v"], ["y", 5], ["z", 7]]


def test_filling_goes_on_with_formulas_numbers_dates_and_numbered_texts(
    files: Path, edit: Any, write: Any, rows: Any
) -> None:
    write([[1, "2026-01-30", "Q1", "=A1*2", "=A1*3"], [3]])
    edit(
        "book.xlsx",
        {"op": "fill", "range": "A1:A4", "how": "series"},
        {"op": "fill", "range": "B1:C4", "how": "series"},
        {"op": "fill", "range": "D1:D4"},
        {"op": "fill", "range": "E1:E4", "how": "series"},
    )
    assert rows() == [[1, "2026-01-30", "Q1", 2, 3], [3, "2026-01-31", "Q2", 6, 9], [5, "2026-02-01", "Q3", 10, 15],
                      [7, "2026-02-02", "Q4", 14, 21]]  # fmt: skip
    assert [read_formula(files, cell) for cell in ("D4", "E4")] == ["=A4*2", "=A4*3"]


@pytest.mark.parametrize(
    ("begun", "then"),
    [
        ([1.5], [2.5, 3.5, 4.5]),
        ([10, 7], [4, 1]),
        (["2026-01-31", "2026-02-28"], ["2026-03-31", "2026-04-30"]),
        (["2026-02-28", "2026-03-28"], ["2026-04-28", "2026-05-28"]),
        (["2026-01-30", "2026-02-28"], ["2026-03-30", "2026-04-30"]),
        (["2026-03-02", "2026-03-09"], ["2026-03-16", "2026-03-23"]),
        (["2024-02-29", "2025-02-28"], ["2026-02-28", "2027-02-28"]),
        (["Mon", "Wed"], ["Fri", "Sun"]),
        (["november"], ["december", "january", "february"]),
        (["Q3 2026"], ["Q4 2026", "Q1 2027", "Q2 2027"]),
        (["Q4", "Q2"], ["Q4", "Q2"]),
        (["Item 05", "Item 10"], ["Item 15", "Item 20"]),
        (["red", "green"], ["red", "green"]),
        (["a", "b", "c"], ["a"]),
        (["yes"], ["yes", "yes", "yes"]),
        ([True], [True, True, True]),
    ],
)
def test_a_series_goes_on_as_its_first_values_say_and_leaves_those(
    edit: Any, write: Any, rows: Any, begun: list[Any], then: list[Any]
) -> None:
    write([[value] for value in begun])
    edit("book.xlsx", {"op": "fill", "range": "A1:A4", "how": "series"})
    assert [row[0] for row in rows()] == [*begun, *then]


def test_text_is_replaced_in_values_or_formulas(files: Path, edit: Any, write: Any, rows: Any) -> None:
    write([["north", "=LEN(A1)"], ["North pole", 1200]])
    edit("book.xlsx", {"op": "replace", "find": "north", "replacement": "south"})
    assert rows() == [["south", 5], ["south pole", 1200]]
    edit("book.xlsx", {"op": "replace", "find": "LEN(", "replacement": "2*LEN(", "in_formulas": True})
    assert read_formula(files, "B1") == "=2*LEN(A1)"
    edit("book.xlsx", {"op": "replace", "find": r"(\w+) pole", "replacement": r"pole \1", "regex": True})
    assert rows()[1][0] == "pole south"


def test_a_column_is_split_and_texts_become_numbers_and_dates(edit: Any, write: Any, rows: Any) -> None:
    write([["Doe, Ann, 7"], ["Roe, Bob"]])
    edit("book.xlsx", {"op": "split", "range": "A1:A2", "value": ","})
    assert rows() == [["Doe", "Ann", 7], ["Roe", "Bob", None]]
    write([["'1.234,50", "'31.12.2025", "  a  b "], ["'12", "'x", "c"]], sheet="N")
    answer = edit(
        "book.xlsx",
        {"op": "convert", "range": "A1:A2", "how": "number_comma", "sheet": "N"},
        {"op": "convert", "range": "B1:B2", "how": "date_dmy", "sheet": "N"},
        {"op": "convert", "range": "C1:C2", "how": "trim", "sheet": "N"},
    )
    assert "1 could not be: B2" in answer.structured_content["done"]
    assert rows(sheet="N") == [[1234.5, "2025-12-31", "a b"], [12, "x", "c"]]


def test_texts_become_dates_that_look_like_the_others_of_their_column(files: Path, edit: Any, call: Call) -> None:
    call("write_cells", path="book.xlsx", rows=[["2025-12-30", "2025-12-30"]] * 2, number_format="d. mmm yyyy")
    call("write_cells", path="book.xlsx", rows=[["'2025-12-31", None, "'2025-12-31"]], start_cell="A3")
    edit("book.xlsx", {"op": "convert", "range": "A1:C3", "how": "date"})
    sheet = books.open_book(files / "book.xlsx").active
    assert [sheet[cell].number_format for cell in ("A1", "A3", "C3")] == ["d. mmm yyyy", "d. mmm yyyy", "yyyy-mm-dd"]
    assert sheet["A3"].is_date


def test_texts_that_look_like_dates_become_dates_and_good_texts_are_left_alone(
    files: Path, edit: Any, write: Any
) -> None:
    write([["'2025-12-31", "good", " bad "]])
    answer = edit("book.xlsx", {"op": "convert", "range": "A1", "how": "date"})
    assert answer.structured_content["done"].startswith("converted 1 cells")
    assert books.open_book(files / "book.xlsx").active["A1"].is_date
    answer = edit("book.xlsx", {"op": "convert", "range": "B1:C1", "how": "trim"})
    assert answer.structured_content["done"].startswith("converted 1 cells")


def test_a_goal_is_found(edit: Any, write: Any, rows: Any) -> None:
    write([[100, 0.1, "=A1*(1+B1)^5"]])
    answer = edit("book.xlsx", {"op": "seek_goal", "range": "C1", "value": 200, "by": ["B1"]})
    assert not answer.is_error, answer.content[0].text
    assert rows()[0][1] == pytest.approx(2**0.2 - 1, abs=1e-8)
    assert rows()[0][2] == pytest.approx(200, abs=1e-5)
    assert edit("book.xlsx", {"op": "seek_goal", "range": "C1", "value": -1, "by": ["A2"]}).is_error


def test_a_goal_is_found_by_changing_another_sheet(edit: Any, write: Any, rows: Any) -> None:
    write([[10], [3]], sheet="Prices")
    write([["=Prices!A1*Prices!A2*2"]], sheet="Plan")
    goal = {"op": "seek_goal", "range": "Plan!A1", "value": 90, "by": ["Prices!A1"]}
    answer = edit("book.xlsx", goal)
    assert not answer.is_error, answer.content[0].text
    assert rows(sheet="Prices") == [[15], [3]]
    assert rows(sheet="Plan") == [[90]]
    assert "2 cells" in edit("book.xlsx", goal | {"by": ["Prices!A1:A2"]}).content[0].text


def test_an_operation_sees_the_values_that_the_ones_before_it_made(edit: Any, write: Any, rows: Any) -> None:
    write([["k", "v"], ["a", 1], ["b", 2]])
    edit(
        "book.xlsx",
        {"op": "write", "range": "C1", "values": [["w"], ["=10-B2"], ["=10-B3"]]},
        {"op": "sort", "range": "A1:C3", "by": ["w"]},
        {"op": "copy", "range": "C1:C3", "to": "E1", "how": "values"},
    )
    assert rows() == [["k", "v", "w", None, "w"], ["b", 2, 8, None, 8], ["a", 1, 9, None, 9]]


def test_all_operations_are_done_or_none(files: Path, edit: Any, write: Any) -> None:
    write([[1], [2]])
    before = (files / "book.xlsx").read_bytes()
    answer = edit("book.xlsx", {"op": "delete_rows", "range": "1"}, {"op": "sort", "range": "A1:A2", "by": ["Z"]})
    assert "operation 2 (sort)" in answer.content[0].text
    assert (files / "book.xlsx").read_bytes() == before


def test_an_array_formula_is_not_torn(files: Path, edit: Any) -> None:
    book = xlsxwriter.Workbook(files / "book.xlsx")
    sheet = book.add_worksheet()
    sheet.write_column(0, 0, [1, 2, 3])
    sheet.write_array_formula("C1:C3", "{=A1:A3*2}")
    book.close()
    assert "split" in edit("book.xlsx", {"op": "insert_rows", "range": "2"}).content[0].text
    assert "array formula" in edit("book.xlsx", {"op": "move", "range": "C2", "to": "F1"}).content[0].text
    assert not edit("book.xlsx", {"op": "insert_columns", "range": "B"}).is_error
    assert books.open_book(files / "book.xlsx").active["D1"].value.ref == "D1:D3"


@pytest.mark.parametrize(
    ("operation", "word"),
    [
        ({"op": "insert_rows", "range": "B:C"}, "rows as 5:7"),
        ({"op": "sort", "range": "A1:A2"}, "needs 'by'"),
        ({"op": "replace", "find": "(", "regex": True}, "not a valid RE2 pattern"),
        ({"op": "move", "range": "A1"}, "needs 'to'"),
        ({"op": "move", "range": "A1:B1", "to": "XFD1"}, "beyond"),
        ({"op": "convert", "range": "A1"}, "use one of"),
        ({"op": "insert_rows", "range": "1:1048576"}, "too many"),
        ({"op": "clear", "range": "A1", "sheet": "nope"}, "does not exist"),
    ],
)
def test_what_cannot_be_done_is_said(edit: Any, write: Any, operation: dict[str, Any], word: str) -> None:
    write([[1], [2]])
    answer = edit("book.xlsx", operation)
    assert answer.is_error
    assert word in answer.content[0].text


def test_sorting_puts_letters_with_accents_beside_those_without(edit: Any, write: Any, rows: Any) -> None:
    write([["Zoe"], ["\u00c9mile"], ["Eva"], ["Ansgar"], ["\u00c4nne"], ["emil"]])
    edit("book.xlsx", {"op": "sort", "range": "A1:A6", "by": ["A"], "header": False})
    assert rows() == [["\u00c4nne"], ["Ansgar"], ["emil"], ["\u00c9mile"], ["Eva"], ["Zoe"]]


def test_a_pattern_names_its_groups_by_backslash_or_dollar(edit: Any, write: Any, rows: Any) -> None:
    write([["Ada Lovelace", "5 USD"]])
    swap = {"op": "replace", "range": "A1", "find": r"(\w+) (\w+)", "regex": True}
    edit("book.xlsx", swap | {"replacement": "$2, $1"})
    assert rows() == [["Lovelace, Ada", "5 USD"]]
    edit("book.xlsx", swap | {"find": r"(\w+), (\w+)", "replacement": r"\2 \1"})
    edit("book.xlsx", swap | {"range": "B1", "find": r"(\d) USD", "replacement": r"$\1 and $9"})
    assert rows() == [["Ada Lovelace", "$5 and $9"]]


def test_numbers_with_more_digits_than_a_cell_keeps_stay_text(edit: Any, write: Any, rows: Any) -> None:
    card, sent = "4111111111111111234", "9007199254740991"
    write([["'" + card, "'" + sent, "'1;" + card]])
    answer = edit("book.xlsx", {"op": "convert", "range": "A1:B1", "how": "number"})
    assert "1 could not be: A1" in answer.structured_content["done"]
    edit("book.xlsx", {"op": "split", "range": "C1", "value": ";"})
    assert rows() == [[card, int(sent), 1, card]]


@pytest.fixture
def annotated(files: Path) -> Any:
    """A note and a link at A2 and B2, a note at E2, a rule and a validation at A2:B3, a rule at A1:C3."""
    book = xlsxwriter.Workbook(files / "book.xlsx")
    sheet = book.add_worksheet("Data")
    for row in range(3):
        sheet.write_row(row, 0, [row, row * 2, row * 3, None, row * 4])
    sheet.write_comment("A2", "mine")
    sheet.write_comment("E2", "goes")
    sheet.write_url("B2", "https://example.org/", string="x")
    sheet.conditional_format("A2:B3", {"type": "data_bar", "data_bar_2010": True})
    sheet.conditional_format("A1:C3", {"type": "duplicate"})
    sheet.data_validation("A2:B3", {"validate": "integer", "criteria": ">", "value": 0})
    book.add_worksheet("Other")
    book.close()
    return files / "book.xlsx"


def list_references(call: Any) -> Any:
    objects = call("read_objects", path="book.xlsx").structured_content
    places = (
        [(comment["text"], comment["cell"]) for comment in objects["comments"]],
        [link["cell"] for link in objects["links"]],
    )
    rules = [rule["range"] for rule in (*objects["conditional_formats"], *objects["validations"])]
    return *places, sorted(rules)


def test_a_moved_range_takes_notes_links_and_its_own_rules_along(annotated: Any, edit: Any, call: Call) -> None:
    edit("book.xlsx", {"op": "move", "range": "A2:B3", "to": "E2"})
    assert list_references(call) == ([("mine", "E2")], ["F2"], ["A1:C3", "E2:F3", "E2:F3"])
    assert b"<xm:sqref>E2:F3</xm:sqref>" in books.read_parts(annotated)["xl/worksheets/sheet1.xml"]
    assert books.open_book(annotated)["Data"]["E2"].comment.text == "mine"


def test_a_range_that_moves_to_another_sheet_tells_the_notes_and_links_that_stay(
    annotated: Any, edit: Any, call: Call
) -> None:
    answer = edit("book.xlsx", {"op": "move", "range": "A2:B3", "to": "E2", "to_sheet": "Other"})
    assert "notes, comments and links stay at Data!A2, B2" in answer.structured_content["done"]
