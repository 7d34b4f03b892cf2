"""Sheets, formats, layout, CSV."""

from pathlib import Path

import pytest
from support import books
from support.answers import Call


def test_a_sheet_is_added_and_the_workbook_made_when_missing(files: Path, call: Call) -> None:
    call("change_sheets", action="add", path="a.xlsx", name="First")
    call("change_sheets", action="add", path="a.xlsx", name="Second & 'third' one")
    assert books.open_book(files / "a.xlsx").sheetnames == ["First", "Second & 'third' one"]
    assert call("change_sheets", action="add", path="a.xlsx", name="FIRST").is_error


@pytest.mark.parametrize("name", ["", "x" * 32, "a/b", "a:b", "[a]", "'a", "History"])
def test_names_that_excel_refuses_are_refused(files: Path, call: Call, name: str) -> None:
    call("change_sheets", action="add", path="a.xlsx", name="First")
    before = (files / "a.xlsx").read_bytes()
    assert call("change_sheets", action="add", path="a.xlsx", name=name).is_error
    assert (files / "a.xlsx").read_bytes() == before


def test_renaming_takes_formulas_names_and_charts_along(files: Path, call: Call, rich: Path) -> None:
    call("write_cells", path="rich.xlsx", sheet="Other's", rows=[["=Data!B2+1", '="Data!B2"']], start_cell="F1")
    assert not call("change_sheets", action="rename", path="rich.xlsx", sheet="Data", name="My data").is_error
    book = books.open_book(rich)
    assert book["Other's"]["F1"].value == "='My data'!B2+1"
    assert book["Other's"]["G1"].value == '="Data!B2"'
    assert book.defined_names["Total"].attr_text == "'My data'!$D$5"
    assert b"'My data'!$B$2:$B$4" in books.read_parts(rich)["xl/charts/chart1.xml"]
    assert books.open_book(rich, data_only=True)["Other's"]["F1"].value == 11


def test_a_copy_has_the_same_cells_and_formats_and_the_original_stays(files: Path, call: Call, rich: Path) -> None:
    before = books.read_parts(rich)
    answer = call("change_sheets", action="copy", path="rich.xlsx", sheet="Data", name="Copy")
    assert "without" not in answer.structured_content["done"]
    assert books.read_parts(rich)["xl/worksheets/sheet1.xml"] == before["xl/worksheets/sheet1.xml"]
    book = books.open_book(rich)
    for row in book["Data"].iter_rows():
        for cell in row:
            copied_cell = book["Copy"][cell.coordinate]
            assert (copied_cell.value, copied_cell.number_format, copied_cell.font.b) == (
                cell.value,
                cell.number_format,
                cell.font.b,
            )
    assert book["Copy"].column_dimensions["A"].width == book["Data"].column_dimensions["A"].width


def test_deleting_takes_the_parts_of_the_sheet_out_and_leaves_ref_errors(files: Path, call: Call, rich: Path) -> None:
    call("write_cells", path="rich.xlsx", sheet="Other's", rows=[["=Data!B2+1"]], start_cell="F1")
    assert not call("change_sheets", action="delete", path="rich.xlsx", sheet="Data").is_error
    after = books.read_parts(rich)
    assert not [name for name in after if "chart" in name or "drawing" in name or "comments" in name]
    assert b"chart1.xml" not in after["[Content_Types].xml"]
    book = books.open_book(rich, data_only=True)
    assert book.sheetnames == ["Other's"]
    assert book["Other's"]["F1"].value == "#REF!"
    assert book["Other's"].tables["Goods"].ref == "A1:B3"


def test_the_last_visible_sheet_is_not_deleted(files: Path, call: Call) -> None:
    call("change_sheets", action="add", path="a.xlsx", name="Only")
    assert call("change_sheets", action="delete", path="a.xlsx", sheet="Only").is_error


def test_formats_change_what_is_given_and_keep_the_rest(files: Path, call: Call, rich: Path) -> None:
    call(
        "format_cells", path="rich.xlsx", range="B2:B3", bold=True, fill_color="#fff2cc", align="center", border="thin"
    )
    sheet = books.open_book(rich)["Data"]
    cell = sheet["B2"]
    assert (cell.value, cell.number_format, cell.font.b, cell.font.name) == (10, "#,##0.00", True, "Calibri")
    assert (cell.fill.fgColor.rgb, cell.alignment.horizontal, cell.border.left.style) == ("FFFFF2CC", "center", "thin")
    assert not sheet["B4"].font.b
    call("format_cells", path="rich.xlsx", range="B2", bold=False, number_format='0.0 "kg"')
    again = books.open_book(rich)["Data"]["B2"]
    assert (again.font.b, again.number_format, again.fill.fgColor.rgb) == (False, '0.0 "kg"', "FFFFF2CC")


def test_panes_and_widths_are_set_and_other_columns_stay(files: Path, call: Call, rich: Path) -> None:
    call("set_sheet_layout", path="rich.xlsx", freeze_at="B3", column_widths={"B:C": 12.5})
    sheet = books.open_book(rich)["Data"]
    assert sheet.freeze_panes == "B3"
    assert [sheet.column_dimensions[name].width for name in "BC"] == [12.5, 12.5]
    assert sheet.column_dimensions["A"].width == pytest.approx(22.7, abs=0.1)
    call("set_sheet_layout", path="rich.xlsx", freeze_at="A1")
    assert books.open_book(rich)["Data"].freeze_panes is None


def test_a_csv_file_gets_types_by_column_and_comes_out_the_same(files: Path, call: Call) -> None:
    text = 'id,code,price,day,note\r\n1,007,1.5,2026-03-16,"a, ""b"""\r\n2,008,-2,2026-03-17,=1+1\r\n'
    (files / "in.csv").write_text(text, encoding="utf-8", newline="")
    call("import_data", source="in.csv", path="a.xlsx")
    details = call("read_cells", path="a.xlsx", range="A2:E3", show="details").structured_content["details"]
    assert [detail["kind"] for detail in details] == ["number", "text", "number", "date", "text"] * 2
    assert details[-1]["value"] == "=1+1"
    assert "formula" not in details[-1]
    call("export_data", path="a.xlsx", target="out.csv")
    assert (files / "out.csv").read_text(encoding="utf-8") == text.replace("\r\n", "\n")


def test_the_delimiter_of_a_csv_file_is_found(files: Path, call: Call) -> None:
    (files / "in.csv").write_text("a;b\n1,5;x\n2,5;y\n", encoding="cp1252")
    call("import_data", source="in.csv", path="a.xlsx")
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == [["a", "b"], ["1,5", "x"], ["2,5", "y"]]


def test_a_decimal_comma_in_every_field_is_no_delimiter(files: Path, call: Call) -> None:
    (files / "in.csv").write_text("1,5;2,5\n3,5;4,5\n", encoding="utf-8")
    call("import_data", source="in.csv", path="a.xlsx")
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == [["1,5", "2,5"], ["3,5", "4,5"]]


def test_links_into_a_renamed_sheet_lead_to_it(files: Path, call: Call) -> None:
    call("write_cells", path="l.xlsx", rows=[["x"]], sheet="Start")
    call("write_cells", path="l.xlsx", rows=[["y"]], sheet="End")
    change = {"op": "link", "cell": "A1", "target": "#End!A1"}
    call("annotate_cells", path="l.xlsx", sheet="Start", edits=[change])
    call("change_sheets", path="l.xlsx", action="rename", sheet="End", name="The end")
    links = call("read_objects", path="l.xlsx", kinds=["links"]).structured_content["links"]
    assert [link["target"] for link in links] == ["#'The end'!A1"]


def test_columns_left_as_text_though_they_look_typed_are_told(files: Path, call: Call) -> None:
    (files / "a.csv").write_text("id;price;day;word\n1;1.234,50;16.03.2026;a\n2;8,00;2026-03-17;\n3;;x;c\n")
    notes = call("import_data", source="a.csv", path="a.xlsx").structured_content["done"]
    assert "left as text, though it looks like numbers or dates: B (1.234,50), C (16.03.2026)" in notes
    notes = call("import_data", source="a.csv", path="b.xlsx", decimal=",", typed=True).structured_content["done"]
    assert "B (" not in notes
    assert "left as text" not in call("import_data", source="a.csv", path="c.xlsx", typed=False).content[0].text


def test_formulas_that_a_change_breaks_are_named(call: Call) -> None:
    lookups = ["=B!A1", "=VLOOKUP(2,B!A1:B2,2)", "=MATCH(2,B!A1:A2,1)", "=LOOKUP(2,B!A1:A2)", "=IFERROR(B!A1,0)"]
    call("write_cells", path="a.xlsx", sheet="B", rows=[[1, 10], [2, 20]])
    call("write_cells", path="a.xlsx", sheet="A", rows=[lookups])
    call("set_name", path="a.xlsx", name="Rate", refers_to="=0.2")
    call("write_cells", path="a.xlsx", sheet="A", start_cell="A2", rows=[["=Rate*10"]])
    gone = call("change_sheets", action="delete", path="a.xlsx", sheet="B").structured_content
    assert gone["broken"] == [{"cell": f"A!{column}1", "value": "#REF!"} for column in "ABCD"]
    assert "unknown" not in gone
    assert "A!A2" in call("set_name", path="a.xlsx", name="Rate", refers_to=None).structured_content["done"]
    step = {"op": "write", "range": "C3", "values": [["=1/0"]]}
    written = call("edit_workbook", path="a.xlsx", edits=[step]).structured_content
    assert written["broken"] == [{"cell": "A!C3", "value": "#DIV/0!"}]
