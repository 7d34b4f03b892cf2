"""Formulas that name tables follow them: when rows and columns come and go, when columns get other names."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from support import books
from support.answers import Call

PLAN = [["Item", "Days", "Price"], ["a", 30, 2], ["b", 20, 3], ["c", 10, 4]]
READERS = [["=SUM(T[Days])"], ['=COUNTIF(T[Item],"*")'], ["=SUM(Amounts)"]]
FAR = [["=ROWS(T[Days])"], ["=SUM(Amounts)"], ["=SUM(Data!B:B)"], ['=SUM(INDIRECT("Data!B3"))']]


@pytest.fixture
def plan(files: Path, call: Call) -> Any:
    """A table T at A1:C4, formulas in H1:H3 and on another sheet that read it."""
    call("write_cells", path="a.xlsx", sheet="Data", rows=PLAN)
    call("set_table", path="a.xlsx", action="add", range="A1:C4", name="T")
    call("set_name", path="a.xlsx", name="Amounts", refers_to="=Data!$B$2:$B$4")
    call("write_cells", path="a.xlsx", sheet="Data", start_cell="H1", rows=READERS)
    call("write_cells", path="a.xlsx", sheet="Other", rows=[["=SUM(T[Days])*2"]])
    return files / "a.xlsx"


def read_values(path: Any, sheet: Any, area: Any) -> Any:
    cells = openpyxl.load_workbook(path, data_only=True)[sheet][area]
    return [cell.value for row in cells for cell in row] if isinstance(cells, tuple) else cells.value


def read_formula(path: Any, sheet: Any, cell: Any) -> Any:
    return openpyxl.load_workbook(path)[sheet][cell].value


def edit_workbook(call: Any, **operation: Any) -> None:
    answer = call("edit_workbook", path="a.xlsx", edits=[operation])
    assert not answer.is_error, answer.content[0].text


def test_totals_over_tables_names_and_columns_are_renewed_when_rows_go(plan: Any, call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Other", start_cell="A2", rows=FAR)
    assert read_values(plan, "Other", "A1:A5") == [120, 3, 60, 60, 20]
    edit_workbook(call, op="delete_rows", sheet="Data", range="3:3")
    assert read_values(plan, "Other", "A1:A5") == [80, 2, 40, 40, 10]
    assert read_values(plan, "Data", "H1:H2") == [40, 2]


def test_totals_are_renewed_when_a_table_grows_over_more_rows(plan: Any, call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", start_cell="A5", rows=[["d", 5, 1]])
    call("set_table", path="a.xlsx", action="change", table="T", range="A1:C5")
    assert read_values(plan, "Data", "H1:H2") == [65, 4]
    assert read_values(plan, "Other", "A1") == 130


@pytest.mark.parametrize("op", ["write", "replace", "write_cells"])
def test_a_new_header_is_the_new_name_of_the_column(plan: Any, call: Call, op: str) -> None:
    if op == "write":
        edit_workbook(call, op="write", sheet="Data", range="B1", values=[["Working days"]])
    elif op == "replace":
        edit_workbook(call, op="replace", sheet="Data", range="A1:C1", find="Days", replacement="Working days")
    else:
        call("write_cells", path="a.xlsx", sheet="Data", start_cell="B1", rows=[["Working days"]])
    assert read_formula(plan, "Data", "H1") == "=SUM(T[Working days])"
    assert read_formula(plan, "Other", "A1") == "=SUM(T[Working days])*2"
    assert read_values(plan, "Data", "H1") == 60
    names = openpyxl.load_workbook(plan)["Data"].tables["T"].column_names
    assert names == ["Item", "Working days", "Price"]
    again = call("write_cells", path="a.xlsx", sheet="Data", start_cell="I1", rows=[["=MAX(T[Working days])"]])
    assert again.structured_content["computed"][0]["value"] == 30


def test_columns_swap_their_names(plan: Any, call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", start_cell="D2", rows=[["=[@Days]*[@Price]"]])
    call(
        "write_cells",
        path="a.xlsx",
        sheet="Data",
        start_cell="I1",
        rows=[["=SUM(T[[Days]:[Price]])-T[[#Totals],[Days]]"]],
    )
    call("write_cells", path="a.xlsx", sheet="Data", start_cell="B1", rows=[["Price", "Days"]])
    assert read_formula(plan, "Data", "H1") == "=SUM(T[Price])"
    assert read_formula(plan, "Data", "I1") == "=SUM(T[[Price]:[Days]])-T[[#Totals],[Price]]"


def test_a_header_that_is_taken_or_emptied_gets_a_name_as_in_excel(plan: Any, call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", start_cell="B1", rows=[["Item", None]])
    sheet = openpyxl.load_workbook(plan)["Data"]
    assert sheet.tables["T"].column_names == ["Item", "Item2", "Column3"]
    assert [cell.value for cell in sheet["A1:C1"][0]] == ["Item", "Item2", "Column3"]
    assert read_formula(plan, "Data", "H1") == "=SUM(T[Item2])"


def test_formulas_of_a_column_that_is_deleted_say_so(plan: Any, call: Call) -> None:
    edit_workbook(call, op="delete_columns", sheet="Data", range="B:B")
    assert read_formula(plan, "Data", "G1") == "=SUM(#REF!)"
    assert read_values(plan, "Data", "G1") == "#REF!"
    assert read_values(plan, "Data", "G2") == 3
    assert read_values(plan, "Other", "A1") == "#REF!"
    assert read_values(plan, "Data", "G3") == "#REF!"


def test_formulas_of_a_table_whose_sheet_is_deleted_say_so(plan: Any, call: Call) -> None:
    call("change_sheets", path="a.xlsx", action="delete", sheet="Data")
    assert read_formula(plan, "Other", "A1") == "=SUM(#REF!)*2"
    assert read_values(plan, "Other", "A1") == "#REF!"


@pytest.mark.parametrize(
    ("text", "stored", "value"),
    [
        ("=ROWS(t)", "=ROWS(T[#Data])", 3),
        ("=SUM(T)", "=SUM(T[#Data])", 69),
        ('=VLOOKUP("b",T,2,FALSE)', '=VLOOKUP("b",T[#Data],2,FALSE)', 20),
        ("=SUM(t[days])", "=SUM(T[Days])", 60),
        ('=COUNTA(T)&"T"', '=COUNTA(T[#Data])&"T"', "9T"),
    ],
)
def test_a_table_alone_is_its_data_and_letter_case_does_not_matter(
    plan: Any, call: Call, text: str, stored: str, value: int | str
) -> None:
    written = call("write_cells", path="a.xlsx", sheet="Data", rows=[[text]], start_cell="J1").structured_content
    assert written["computed"][0]["value"] == value
    assert read_formula(plan, "Data", "J1") == stored


def test_a_column_that_a_table_lacks_is_refused_with_those_it_has(plan: Any, call: Call) -> None:
    answer = call("write_cells", path="a.xlsx", sheet="Data", rows=[["=SUM(T[Weeks])"]], start_cell="J1")
    assert answer.is_error
    assert "no column 'Weeks'; it has Item, Days, Price" in answer.content[0].text


def test_appended_rows_get_the_formulas_of_calculated_columns(files: Path, call: Call) -> None:
    rows = [
        ["Item", "Days", "Double", "Plus", "Own"],
        ["a", 1, "=[@Days]*2", "=B2+1", 5],
        ["b", 2, "=[@Days]*2", "=B3+1", 6],
    ]
    call("write_cells", path="c.xlsx", sheet="Data", rows=[[*row[:2], None, None, row[4]] for row in rows])
    call("write_cells", path="c.xlsx", sheet="Data", start_cell="C1", rows=[row[2:4] for row in rows[:1]])
    call("set_table", path="c.xlsx", action="add", range="A1:E3", name="T")
    call("write_cells", path="c.xlsx", sheet="Data", start_cell="C2", rows=[row[2:4] for row in rows[1:]])
    call("append_rows", path="c.xlsx", sheet="Data", rows=[["c", 3], ["d", 4, None, 99]])
    read_rows = call("read_cells", path="c.xlsx", range="A4:E5").structured_content["rows"]
    assert read_rows == [["c", 3, 6, 4, None], ["d", 4, 8, 99, None]]
    assert openpyxl.load_workbook(files / "c.xlsx")["Data"].tables["T"].ref == "A1:E5"


def test_appended_rows_go_above_the_totals_of_a_table(plan: Any, call: Call) -> None:
    call("set_table", path="a.xlsx", action="change", table="T", totals={"Days": "sum"})
    call("write_cells", path="a.xlsx", sheet="Sums", rows=[["=Data!B5"]])
    answer = call("append_rows", path="a.xlsx", sheet="Data", rows=[["d", 5, 1], ["e", 7, 2]])
    assert answer.structured_content["range"] == "A5:C6"
    assert read_values(plan, "Data", "A4:B7") == ["c", 10, "d", 5, "e", 7, "Total", 72]
    assert read_values(plan, "Data", "H1:H3") == [72, 5, 72]
    assert read_values(plan, "Sums", "A1") == 72
    table = openpyxl.load_workbook(plan)["Data"].tables["T"]
    assert (table.ref, table.autoFilter.ref) == ("A1:C7", "A1:C6")


def test_rows_above_totals_that_would_tear_a_table_beside_are_refused(files: Path, call: Call) -> None:
    call("write_cells", path="b.xlsx", rows=[["a", None, "b"], [1, None, 2], [3, None, 4], [None, None, 5]])
    call("set_table", path="b.xlsx", range="C1:C4", name="Right")
    call("set_table", path="b.xlsx", range="A1:A3", name="Left", totals={"a": "sum"})
    answer = call("append_rows", path="b.xlsx", rows=[[9]])
    assert answer.is_error
    assert "would split the table 'Right'" in answer.content[0].text


@pytest.mark.parametrize("totals", [False, True])
def test_what_shows_whole_columns_of_a_table_grows_with_it(files: Path, call: Call, totals: bool) -> None:
    book = xlsxwriter.Workbook(files / "t.xlsx")
    sheet = book.add_worksheet("Data")
    columns = [{"header": "Item", "total_string": "Total"}, {"header": "Qty", "total_function": "sum"}]
    area = "A1:B5" if totals else "A1:B4"
    data = [["a", 1], ["b", 2], ["c", 3]]
    sheet.add_table(area, {"name": "T", "columns": columns, "data": data, "total_row": totals})
    sheet.conditional_format("B2:B4", {"type": "data_bar", "data_bar_2010": True})
    sheet.conditional_format("B2:B3", {"type": "duplicate"})
    sheet.data_validation("A2:A4", {"validate": "list", "source": ["a", "b", "c", "d"]})
    chart = book.add_chart({"type": "column"})
    chart.add_series({"values": "=Data!$B$2:$B$4", "categories": "=Data!$A$2:$A$4", "name": "=Data!$B$1"})
    sheet.insert_chart("F2", chart)
    book.define_name("Amounts", "=Data!$B$2:$B$4")
    book.close()
    call("append_rows", path="t.xlsx", rows=[["d", 4]])
    objects = call("read_objects", path="t.xlsx").structured_content
    series = objects["charts"][0]["series"][0]
    assert (series["values"], series["categories"]) == ("Data!$B$2:$B$5", "Data!$A$2:$A$5")
    assert [rule["range"] for rule in objects["conditional_formats"]] == ["B2:B5", "B2:B3"]
    assert [rule["range"] for rule in objects["validations"]] == ["A2:A5"]
    assert [name["refers_to"] for name in objects["names"]] == ["Data!$B$2:$B$5"]
    assert b"<xm:sqref>B2:B5</xm:sqref>" in books.read_parts(files / "t.xlsx")["xl/worksheets/sheet1.xml"]


def test_a_name_may_be_a_date(plan: Any, call: Call) -> None:
    call("set_name", path="a.xlsx", name="Due", refers_to="2026-03-15")
    written = call("write_cells", path="a.xlsx", sheet="Other", start_cell="C1", rows=[["=Due-DATE(2026,3,1)"]])
    assert written.structured_content["computed"][0]["value"] == 14


def test_a_copied_sheet_has_tables_of_its_own_that_its_formulas_read(plan: Any, call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", start_cell="F2", rows=[["=T[@Days]*2"]])
    answer = call("change_sheets", path="a.xlsx", action="copy", sheet="Data", name="Copy")
    assert "tableParts" not in answer.content[0].text
    call("write_cells", path="a.xlsx", sheet="Copy", start_cell="B2", rows=[[1000]])
    assert read_values(plan, "Copy", "F2") == 2000
    assert read_values(plan, "Copy", "H1") == 1030
    assert read_values(plan, "Data", "H1") == 60
    book = openpyxl.load_workbook(plan)
    assert list(book["Copy"].tables) == ["T_2"]
    assert list(book["Data"].tables) == ["T"]
    assert read_formula(plan, "Copy", "H1") == "=SUM(T_2[Days])"
    assert len({table.id for sheet in book for table in sheet.tables.values()}) == 2


def test_totals_that_leave_out_the_name_of_their_table_are_renewed(files: Path, call: Call) -> None:
    book = xlsxwriter.Workbook(files / "x.xlsx")
    columns = [{"header": "Qty", "total_function": "sum"}, {"header": "Twice", "formula": "=T[[#This Row],[Qty]]*2"}]
    book.add_worksheet("Data").add_table("A1:B4", {"name": "T", "columns": columns, "data": [[1], [2]], "total_row": 1})
    book.close()
    assert read_formula(files / "x.xlsx", "Data", "A4") == "=SUBTOTAL(109,[Qty])"
    answer = call("append_rows", path="x.xlsx", rows=[[10]])
    assert not answer.structured_content.get("unknown")
    assert read_formula(files / "x.xlsx", "Data", "A5") == "=SUBTOTAL(109,T[Qty])"
    assert read_values(files / "x.xlsx", "Data", "A2:B5") == [1, 2, 2, 4, 10, 20, 13, None]


def written_by_xlsxwriter(path: Any) -> None:
    """A table Orders at A1:F3 whose row formulas have no values yet; its column Noise cannot be computed."""
    book = xlsxwriter.Workbook(path)
    formulas = {
        "Total": "=Orders[@Qty]*Orders[@[Unit Price]]",
        "Noise": "=RAND()",
        "Span": "=SUM(Orders[@[Qty]:[Unit Price]])",
    }
    columns = [{"header": name} for name in ("Item", "Qty", "Unit Price")]
    columns += [{"header": name, "formula": formula} for name, formula in formulas.items()]
    rows = [["a", 2, 3.5], ["b", 4, 1.25]]
    book.add_worksheet("Data").add_table("A1:F3", {"name": "Orders", "data": rows, "columns": columns})
    book.close()


def test_row_references_as_xlsxwriter_writes_them_are_computed_and_follow_their_columns(
    files: Path, call: Call
) -> None:
    written_by_xlsxwriter(files / "a.xlsx")
    call("write_cells", path="a.xlsx", start_cell="B2", rows=[[5]])
    assert read_values(files / "a.xlsx", "Data", "D2:D3") == [17.5, 5]
    assert read_values(files / "a.xlsx", "Data", "F2:F3") == [8.5, 5.25]
    call("write_cells", path="a.xlsx", start_cell="B1", rows=[["Pieces"]])
    call("write_cells", path="a.xlsx", start_cell="B3", rows=[[8]])
    assert "Orders[[#This Row],[Pieces]]" in read_formula(files / "a.xlsx", "Data", "D3")
    assert read_values(files / "a.xlsx", "Data", "D2:D3") == [17.5, 10]


def test_a_column_without_values_leaves_those_of_other_columns_of_its_table(files: Path, call: Call) -> None:
    written_by_xlsxwriter(files / "a.xlsx")
    answer = call("write_cells", path="a.xlsx", start_cell="B2", rows=[[5]]).structured_content
    assert {cell["cell"] for cell in answer["unknown"]} == {"Data!E2", "Data!E3"}
    assert read_values(files / "a.xlsx", "Data", "E2:E3") == [None, None]


def test_references_to_tables_are_traced_to_their_columns_and_rows(files: Path, call: Call) -> None:
    written_by_xlsxwriter(files / "a.xlsx")

    def traced(cell: Any, by: Any) -> Any:
        answer = call("find_cells", path="a.xlsx", query=cell, by=by, sheet="Data").structured_content
        return [traced_cell["cell"] for traced_cell in answer["cells"]]

    assert traced("B2", "dependents") == ["Data!D2", "Data!F2"]
    assert traced("F3", "precedents") == ["Data!B3:C3"]
