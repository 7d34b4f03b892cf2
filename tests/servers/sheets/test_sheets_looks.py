"""Formats, layout, print set-up, protection, tables and names."""

import json
from pathlib import Path
from typing import Any

import pytest
from support import books, rich
from support.answers import Call

from yardkit.servers.sheets.engine.objects.protection import legacy_hash


@pytest.fixture
def book(files: Path, call: Call) -> Any:
    rows = [["Item", "Qty", "Price"], ["Pen", 3, 1.5], ["Ink", 2, 8]]
    call("write_cells", path="b.xlsx", rows=rows, sheet="Data")
    return files / "b.xlsx"


def read_answer(result: Any) -> Any:
    assert not result.is_error, result.content[0].text
    return json.loads(result.content[0].text)


def list_objects(call: Any, kind: Any, path: str = "b.xlsx") -> Any:
    return read_answer(call("read_objects", path=path, kinds=[kind])).get(kind, [])


def set_layout(call: Any, **arguments: Any) -> Any:
    return read_answer(call("set_sheet_layout", path="b.xlsx", **arguments))


def test_formats_change_what_they_name_and_keep_the_rest(book: Any, call: Call) -> None:
    read_answer(call("format_cells", path="b.xlsx", range="A1:C1", bold=True, fill_color="DDEEFF", wrap=True))
    arguments = {"font": "Arial", "underline": "double", "strike": True, "rotation": -45, "indent": 2}
    read_answer(call("format_cells", path="b.xlsx", range="A1", **arguments))
    cell = books.open_book(book)["Data"]["A1"]
    assert (cell.font.name, cell.font.u, cell.font.strike, cell.font.b) == ("Arial", "double", True, True)
    assert (cell.alignment.textRotation, cell.alignment.indent, cell.alignment.wrap_text) == (135, 2, True)
    assert cell.fill.fgColor.rgb == "FFDDEEFF"


def test_borders_go_to_the_named_sides_and_around_a_range(book: Any, call: Call) -> None:
    read_answer(call("format_cells", path="b.xlsx", range="A1:C3", border="thin", border_sides=["bottom"]))
    outline = {"border": "medium", "border_sides": ["outline"], "border_color": "FF0000"}
    read_answer(call("format_cells", path="b.xlsx", range="A1:C3", **outline))
    sheet = books.open_book(book)["Data"]
    assert (sheet["B2"].border.bottom.style, sheet["B2"].border.left.style) == ("thin", None)
    assert (sheet["A1"].border.left.style, sheet["A1"].border.top.style) == ("medium", "medium")
    assert sheet["A1"].border.bottom.style == "thin"
    assert sheet["C3"].border.right.color.rgb == "FFFF0000"


def test_whole_rows_and_columns_get_a_format_of_their_own_without_cells_out_to_the_edge(book: Any, call: Call) -> None:
    read_answer(call("format_cells", path="b.xlsx", range="1:1", bold=True))
    read_answer(call("format_cells", path="b.xlsx", range="B:B", number_format="0.00"))
    read_answer(call("format_cells", path="b.xlsx", range="9:9", italic=True))
    sheet = books.open_book(book)["Data"]
    assert (sheet.max_column, sheet["C1"].font.b, sheet["A2"].font.b) == (3, True, False)
    assert [sheet[f"B{row}"].number_format for row in (1, 2, 3)] == ["0.00"] * 3
    assert (sheet["B1"].font.b, sheet.column_dimensions["B"].number_format) == (True, "0.00")
    assert (sheet.row_dimensions[1].font.b, sheet.row_dimensions[9].font.i) == (True, True)
    read_answer(call("write_cells", path="b.xlsx", sheet="Data", start_cell="E1", rows=[["late"]]))
    assert books.open_book(book)["Data"]["E1"].font.b


def test_a_named_style_is_made_once_and_applied(book: Any, call: Call) -> None:
    read_answer(call("format_cells", path="b.xlsx", range="B2:B3", style="good"))
    sheet = books.open_book(book)["Data"]
    assert sheet["B2"].style == "Good"
    assert sheet["B2"].fill.fgColor.rgb == "FFC6EFCE"
    refused = call("format_cells", path="b.xlsx", range="A1", style="Shiny")
    assert refused.is_error
    assert "the cell style 'Shiny' does not exist" in refused.content[0].text


def test_rows_and_columns_are_sized_hidden_grouped_and_shown_again(book: Any, call: Call) -> None:
    set_layout(call, column_widths={"A": 30}, row_heights={"1": 40}, hide=["C", "3:3"], group=["A:B", "2:3"])
    sheet = books.open_book(book)["Data"]
    assert sheet.column_dimensions["A"].width == 30
    assert (sheet.row_dimensions[1].height, sheet.row_dimensions[3].hidden) == (40, True)
    assert sheet.column_dimensions["C"].hidden
    assert sheet.row_dimensions[2].outlineLevel == 1
    set_layout(call, unhide=["C", "3"], ungroup=["2:3"])
    sheet = books.open_book(book)["Data"]
    assert not sheet.column_dimensions["C"].hidden
    assert not sheet.row_dimensions[3].hidden
    assert sheet.row_dimensions[2].outlineLevel == 0
    assert sheet.row_dimensions[1].height == 40


def test_the_view_the_tab_and_the_panes(book: Any, call: Call) -> None:
    set_layout(call, freeze_at="B2", gridlines=False, zoom=80, tab_color="FF0000", right_to_left=True)
    sheet = books.open_book(book)["Data"]
    view = sheet.sheet_view
    assert (sheet.freeze_panes, view.showGridLines, view.zoomScale, view.rightToLeft) == ("B2", False, 80, True)
    assert sheet.sheet_properties.tabColor.rgb == "FFFF0000"


def test_columns_fit_their_longest_value(book: Any, call: Call) -> None:
    call("write_cells", path="b.xlsx", rows=[["a much longer text than before"]], start_cell="A4")
    set_layout(call, autofit="all")
    sheet = books.open_book(book)["Data"]
    assert 30 < sheet.column_dimensions["A"].width < 36
    assert sheet.column_dimensions["B"].width < 10


def test_merging_never_hides_a_value(book: Any, call: Call) -> None:
    set_layout(call, merge=["A9:C9"])
    assert [str(merged) for merged in books.open_book(book)["Data"].merged_cells.ranges] == ["A9:C9"]
    before = book.read_bytes()
    for area, word in (("A1:C1", "hide the values"), ("C9:D9", "overlaps the merged"), ("A1", "one cell")):
        refused = call("set_sheet_layout", path="b.xlsx", merge=[area])
        assert refused.is_error
        assert word in refused.content[0].text
    assert book.read_bytes() == before
    set_layout(call, unmerge=["B9"])
    assert not books.open_book(book)["Data"].merged_cells.ranges


def test_print_set_up_is_written_and_read(book: Any, call: Call) -> None:
    print_settings = {
        "orientation": "landscape",
        "paper": "a4",
        "print_area": "A1:C3",
        "title_rows": "1:1",
        "fit_wide": 1,
        "fit_tall": 0,
        "page_header": ["", "Sales & more", "&P/&N"],
        "margins": {"left": 0.5},
        "breaks": ["3", "C"],
        "centered": True,
    }
    stored_settings = read_answer(call("set_print", path="b.xlsx", **print_settings))["objects"][0]
    assert stored_settings["fit"] == "1 wide, any tall"
    assert stored_settings["breaks"] == ["3", "C"]
    sheet = books.open_book(book)["Data"]
    assert (sheet.page_setup.orientation, sheet.page_setup.paperSize) == ("landscape", 9)
    assert (sheet.print_area, sheet.print_title_rows) == ("'Data'!$A$1:$C$3", "$1:$1")
    assert (sheet.oddHeader.center.text, sheet.page_margins.left) == ("Sales & more", 0.5)
    read_answer(call("set_print", path="b.xlsx", print_area="none", page_header=[], breaks=[]))
    sheet = books.open_book(book)["Data"]
    assert not sheet.print_area
    assert sheet.print_title_rows == "$1:$1"
    assert not sheet.row_breaks.brk


def test_a_sheet_opens_with_the_right_password_only(book: Any, call: Call) -> None:
    def protect(action: Any, **arguments: Any) -> Any:
        return call("protect_workbook", path="b.xlsx", action=action, **arguments)

    read_answer(protect("protect_sheet", password="pässword", unlocked=["B2:B3"], allow=["sort"]))
    sheet = books.open_book(book)["Data"]
    assert sheet.protection.sheet
    assert sheet.protection.spinCount == 100_000
    assert (sheet["B2"].protection.locked, sheet["A2"].protection.locked) == (False, True)
    assert list_objects(call, "protection") == [
        {"sheet": "Data", "protected": True, "password": True, "allowed": ["sort"]}
    ]
    before = book.read_bytes()
    for wrong in ({}, {"password": "password"}):
        assert protect("unprotect_sheet", **wrong).is_error
    assert book.read_bytes() == before
    read_answer(protect("unprotect_sheet", password="pässword"))
    assert list_objects(call, "protection") == []


def test_old_hashes_are_checked_too(files: Path, call: Call) -> None:
    import openpyxl

    workbook = openpyxl.Workbook()
    workbook.active.protection.set_password("abc")
    workbook.active.protection.enable()
    workbook.save(files / "old.xlsx")
    assert legacy_hash("abc") == workbook.active.protection.password
    assert call("protect_workbook", path="old.xlsx", action="unprotect_sheet", password="abd").is_error
    read_answer(call("protect_workbook", path="old.xlsx", action="unprotect_sheet", password="abc"))


def test_the_structure_is_protected_and_opened(book: Any, call: Call) -> None:
    read_answer(call("protect_workbook", path="b.xlsx", action="protect_structure", password="x"))
    assert books.open_book(book).security.lockStructure
    assert call("protect_workbook", path="b.xlsx", action="unprotect_structure").is_error
    read_answer(call("protect_workbook", path="b.xlsx", action="unprotect_structure", password="x"))
    assert b"workbookProtection" not in books.read_parts(book)["xl/workbook.xml"]


def test_a_table_is_made_renamed_summed_resized_and_taken_back(book: Any, call: Call) -> None:
    def change(**arguments: Any) -> Any:
        return read_answer(call("set_table", path="b.xlsx", **arguments)).get("objects")

    change(action="add", range="A1:C3", name="Stock", totals={"Qty": "sum"})
    assert books.open_book(book, data_only=True)["Data"]["B4"].value == 5
    call("write_cells", path="b.xlsx", rows=[['=SUM(Stock[Price])&"Stock[Qty]"']], start_cell="F1")
    change(action="change", table="Stock", name="Goods", style="TableStyleDark1")
    sheet = books.open_book(book)["Data"]
    assert sheet["F1"].value == '=SUM(Goods[Price])&"Stock[Qty]"'
    assert sheet["B4"].value == "=SUBTOTAL(109,Goods[Qty])"
    assert books.open_book(book, data_only=True)["Data"]["F1"].value == "9.5Stock[Qty]"
    assert sheet.tables["Goods"].tableStyleInfo.name == "TableStyleDark1"
    assert call("set_table", path="b.xlsx", action="delete", table="Goods").is_error
    call("write_cells", path="b.xlsx", rows=[[1]], start_cell="F1")
    change(action="change", table="Goods", totals={})
    assert books.open_book(book)["Data"]["B4"].value is None
    call("write_cells", path="b.xlsx", rows=[["Note"]], start_cell="D1")
    table = change(action="change", table="Goods", range="A1:D5")
    assert table[0]["columns"] == ["Item", "Qty", "Price", "Note"]
    change(action="delete", table="Goods")
    assert list_objects(call, "tables") == []
    assert "xl/tables/table1.xml" not in books.read_parts(book)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"range": "A1:C1"}, "one row"),
        ({"range": "A1:C3", "name": "B2"}, "not a valid name"),
        ({"range": "A1:C3", "style": "Fancy"}, "not a valid table style"),
        ({"range": "A1:C3", "totals": {"Nope": "sum"}}, "no column 'Nope'"),
        ({"action": "change", "table": "Nope"}, "the table 'Nope' does not exist"),
    ],
)
def test_what_makes_no_table_is_refused_and_nothing_is_saved(
    book: Any, call: Call, arguments: dict[str, Any], word: str
) -> None:
    before = book.read_bytes()
    refused = call("set_table", path="b.xlsx", **arguments)
    assert refused.is_error
    assert word in refused.content[0].text
    assert book.read_bytes() == before


def test_a_name_is_given_changed_and_deleted_and_formulas_follow(book: Any, call: Call) -> None:
    read_answer(call("set_name", path="b.xlsx", name="Rate", refers_to="0.5"))
    read_answer(call("set_name", path="b.xlsx", name="Prices", refers_to="C2:C3"))
    call("write_cells", path="b.xlsx", rows=[["=SUM(Prices)*Rate"]], start_cell="E1")
    assert books.open_book(book, data_only=True)["Data"]["E1"].value == 4.75
    read_answer(call("set_name", path="b.xlsx", name="Rate", refers_to="2"))
    assert books.open_book(book, data_only=True)["Data"]["E1"].value == 19
    assert books.open_book(book).defined_names["Prices"].attr_text == "Data!$C$2:$C$3"
    read_answer(call("set_name", path="b.xlsx", name="Rate", refers_to=None))
    assert books.open_book(book, data_only=True)["Data"]["E1"].value == "#NAME?"
    assert call("set_name", path="b.xlsx", name="Rate", refers_to=None).is_error


def test_layout_print_and_protection_leave_all_other_parts_as_they_are(files: Path, call: Call) -> None:
    path = rich.workbook_by_xlsxwriter(files / "r.xlsx")
    before = books.read_parts(path)
    read_answer(call("set_sheet_layout", path="r.xlsx", zoom=75, column_widths={"H": 20}))
    read_answer(call("set_print", path="r.xlsx", orientation="landscape"))
    read_answer(call("protect_workbook", path="r.xlsx", action="protect_sheet"))
    assert rich.changed_parts(before, books.read_parts(path)) == {"xl/worksheets/sheet1.xml"}


def test_inspecting_names_what_lies_on_a_sheet(files: Path, call: Call, rich: Path) -> None:
    arguments = {"data": "Data!A1:C4", "rows": ["Month"], "values": [{"field": "Sales"}]}
    read_answer(call("set_pivot", path="rich.xlsx", sheet="Report", **arguments))
    sheets = read_answer(call("inspect_workbook", path="rich.xlsx"))["sheets"]
    assert (sheets[0]["sparklines"], sheets[0]["conditional_formats"], sheets[0]["data_validations"]) == (1, 1, 1)
    assert sheets[2]["pivots"] == ["PivotTable1 at A3:B7 of Data!A1:C4"]


def read_widths(path: Any, sheet: Any) -> Any:
    dimensions = books.open_book(path)[sheet].column_dimensions
    return {letter: entry.width for letter, entry in dimensions.items() if entry.customWidth}


def test_a_new_sheet_is_as_wide_as_its_dates_amounts_and_texts(files: Path, call: Call) -> None:
    rows = [
        ["A title that stands alone and flows over the cells beside it"],
        ["Day", "Customer", "Amount", "Remark"],
        ["2026-03-16", "Ada Lovelace Laboratories", 1234567.5, "flows over, too: nothing stands beside it"],
        ["Total", None, "=C3*100", "-"],
    ]
    call("write_cells", path="new.xlsx", rows=rows, number_format="#,##0.00")
    column_widths = read_widths(files / "new.xlsx", "Sheet1")
    assert column_widths["A"] == len("2026-03-16") + 2
    assert column_widths["B"] == len("Ada Lovelace Laboratories") + 2
    assert column_widths["C"] == len("123,456,750.00") + 2
    assert "D" not in column_widths
    call("append_rows", path="new.xlsx", rows=[["2026-03-17T09:30:00", "Bo", 1, "-"]])
    assert read_widths(files / "new.xlsx", "Sheet1")["A"] == len("2026-03-17 09:30:00") + 2


def test_columns_of_a_sheet_that_held_something_keep_their_widths(files: Path, rich: Path, call: Call) -> None:
    before = read_widths(rich, "Data")
    call("write_cells", path="rich.xlsx", sheet="Data", start_cell="A20", rows=[["2026-03-16", "a" * 30, "b" * 30]])
    assert read_widths(rich, "Data") == before


def test_a_chosen_width_stays_when_more_is_written(book: Any, call: Call) -> None:
    set_layout(call, column_widths={"A": 5})
    call("append_rows", path="b.xlsx", rows=[["A much longer item", 1, 2]])
    assert read_widths(book, "Data")["A"] == 5


def test_a_row_grows_with_text_that_wraps_unless_its_height_was_chosen(book: Any, call: Call) -> None:
    text = "A remark that takes three lines or so in a column of twenty-five characters"
    set_layout(call, column_widths={"B": 25}, row_heights={"3": 20})
    call("write_cells", path="b.xlsx", start_cell="B2", rows=[[text], [text]])
    call("format_cells", path="b.xlsx", range="B2:B3", wrap=True)
    rows = books.open_book(book)["Data"].row_dimensions
    assert 45 <= rows[2].height <= 60
    assert rows[3].height == 20


def test_a_date_or_amount_in_a_column_without_a_width_never_shows_as_hashes(files: Path, book: Any, call: Call) -> None:
    rows = [["2026-03-16", 1234567.5, 0.12345678901234]]
    call("write_cells", path="b.xlsx", start_cell="F2", rows=rows)
    call("format_cells", path="b.xlsx", range="G2", number_format="#,##0.00")
    column_widths = read_widths(book, "Data")
    assert column_widths == {"F": len("2026-03-16") + 2, "G": len("1,234,567.50") + 2}


def test_a_row_grows_with_a_large_font(book: Any, call: Call) -> None:
    call("format_cells", path="b.xlsx", range="A1", size_pt=24)
    rows = books.open_book(book)["Data"].row_dimensions
    assert 30 < rows[1].height < 36
    assert rows[2].height is None


def test_an_indent_sets_cells_to_the_left_as_the_value_does_not(book: Any, call: Call) -> None:
    call("format_cells", path="b.xlsx", range="A2:B2", indent=2)
    call("format_cells", path="b.xlsx", range="C2", align="right", indent=1)
    sheet = books.open_book(book)["Data"]
    assert [sheet[cell].alignment.horizontal for cell in ("A2", "B2", "C2")] == ["left", "left", "right"]


def test_one_page_wide_leaves_the_number_of_pages_down_open(book: Any, call: Call) -> None:
    settings = read_answer(call("set_print", path="b.xlsx", fit_wide=1))["objects"][0]
    assert settings["fit"] == "1 wide, any tall"
    read_answer(call("set_print", path="b.xlsx", fit_tall=2))
    settings = read_answer(call("set_print", path="b.xlsx", fit_wide=3))["objects"][0]
    assert settings["fit"] == "3 wide, 2 tall"


def test_totals_look_like_their_column_and_count_texts_too(book: Any, call: Call) -> None:
    call("format_cells", path="b.xlsx", range="C2:C3", number_format='#,##0.00 "EUR"')
    totals = {"Item": "count", "Price": "average"}
    table = read_answer(call("set_table", path="b.xlsx", range="A1:C3", style="TableStyleLight9", totals=totals))[
        "objects"
    ][0]
    assert (table["style"], table["totals"]) == ("TableStyleLight9", totals)
    sheet = books.open_book(book, data_only=True)["Data"]
    assert (sheet["A4"].value, sheet["A4"].number_format) == (2, "General")
    assert (sheet["C4"].value, sheet["C4"].number_format) == (4.75, '#,##0.00 "EUR"')
    assert len(read_answer(call("read_records", path="b.xlsx"))["records"]) == 2


def test_a_column_has_room_for_the_words_of_a_number_format(book: Any, call: Call) -> None:
    call("write_cells", path="b.xlsx", start_cell="F2", rows=[[588.5]])
    call("format_cells", path="b.xlsx", range="F2", number_format='#,##0.00 "EUR"')
    assert read_widths(book, "Data")["F"] == len("588.50 EUR") + 2


@pytest.mark.parametrize(
    ("code", "characters"), [("dddd, d mmmm yyyy", 28), ("dd mmm yyyy", 11), ('d.m.yy "at" h:mm', 16)]
)
def test_a_column_has_room_for_its_dates_in_their_format(files: Path, call: Call, code: str, characters: int) -> None:
    call("write_cells", path="new.xlsx", rows=[["Day"], ["2026-05-13T10:30:00"]])
    call("format_cells", path="new.xlsx", range="A2", number_format=code)
    width = books.open_book(files / "new.xlsx").active.column_dimensions["A"].width
    assert width >= characters + 0.75
