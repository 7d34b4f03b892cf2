"""Computed values are stored, never stale and never guessed."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from support import books
from support.answers import Call


def read_stored(path: Any, sheet: Any, cell: Any) -> Any:
    return books.open_book(path, data_only=True)[sheet][cell].value


def test_formulas_are_stored_with_their_values(files: Path, call: Call) -> None:
    rows = [["Item", "Qty", "Price", "Total"], ["Pen", 3, 1.5, "=B2*C2"], ["Lamp", 2, 20, "=B3*C3"]]
    rows.append(["Sum", None, None, "=SUM(D2:D3)"])
    answer = call("write_cells", path="new.xlsx", sheet="Order", rows=rows).structured_content
    assert [entry["value"] for entry in answer["computed"]] == [4.5, 40, 44.5]
    assert read_stored(files / "new.xlsx", "Order", "D4") == 44.5
    assert books.open_book(files / "new.xlsx")["Order"]["D4"].value == "=SUM(D2:D3)"


def test_a_change_renews_what_depends_on_it_on_other_sheets(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="In", rows=[[2]])
    call("write_cells", path="a.xlsx", sheet="Out", rows=[["=In!A1*10", "=A1+1"]])
    call("write_cells", path="a.xlsx", sheet="In", rows=[[5]])
    assert read_stored(files / "a.xlsx", "Out", "B1") == 51


def test_values_that_do_not_depend_on_the_change_stay_as_the_other_program_left_them(
    files: Path, call: Call, rich: Path
) -> None:
    members = books.read_parts(rich)
    members["xl/worksheets/sheet2.xml"] = members["xl/worksheets/sheet2.xml"].replace(b"<v>6</v>", b"<v>77</v>")
    rewrite_members(rich, members)
    call("write_cells", path="rich.xlsx", rows=[[25]], start_cell="B3")
    assert read_stored(rich, "Other's", "D1") == 77


def rewrite_members(path: Any, members: Any) -> None:
    import zipfile

    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


@pytest.mark.parametrize(
    ("formula", "reason"),
    [("=FORECAST.ETS(1,A1:A2,A1:A2)", "FORECAST.ETS"), ("=RAND()", "another value"), ("=NOSUCHFUNCTION(1)", "NOSUCH")],
)
def test_what_cannot_be_computed_is_null_with_the_reason_and_so_is_what_reads_it(
    files: Path, call: Call, formula: str, reason: str
) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[[formula, "=IFERROR(A1,0)", "=1+1"]]).structured_content
    unknown = {entry["cell"]: entry["reason"] for entry in answer["unknown"]}
    assert reason in unknown["Sheet1!A1"]
    assert "depends" in unknown["Sheet1!B1"]
    assert [entry["value"] for entry in answer["computed"]] == [None, None, 2]
    assert read_stored(files / "a.xlsx", "Sheet1", "A1") is None
    assert b'fullCalcOnLoad="1"' in books.read_parts(files / "a.xlsx")["xl/workbook.xml"]
    read = call("read_cells", path="a.xlsx").structured_content
    assert read["uncomputed"] == ["A1", "B1"]


@pytest.mark.parametrize(
    "formula", ["=SUMIF(C1:C3,2,D1:D3)", "=ROUND(SUM(C1:C3),1)", "=COUNTIF(C1:C3,2)", "=SUMPRODUCT((C1:C3=2)*D1:D3)"]
)
def test_ranges_where_they_belong_are_computed(call: Call, formula: str) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[[formula]]).structured_content
    assert "unknown" not in answer


def test_error_values_are_stored_as_errors(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[["=1/0", "=NA()", '="#N/A"&""']])
    sheet = books.open_book(files / "a.xlsx", data_only=True)["Sheet1"]
    assert (sheet["A1"].value, sheet["A1"].data_type) == ("#DIV/0!", "e")
    assert (sheet["B1"].value, sheet["B1"].data_type) == ("#N/A", "e")


def test_a_circle_has_no_value(files: Path, call: Call) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[["=B1+1", "=A1+1"]]).structured_content
    assert all("circle" in entry["reason"] or "depends" in entry["reason"] for entry in answer["unknown"])
    assert len(answer["unknown"]) == 2


def test_today_is_the_day_of_the_world(files: Path, call: Call) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[["=TODAY()", "=YEAR(NOW())"]])
    assert answer.structured_content["computed"][1]["value"] == 2026
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == [["2026-03-16", 2026]]


def test_defined_names_of_constants_are_computed(files: Path, call: Call, rich: Path) -> None:
    answer = call("write_cells", path="rich.xlsx", rows=[["=Total*Rate"]], start_cell="H1").structured_content
    assert answer["computed"] == [{"cell": "Data!H1", "value": 4}]


def test_new_functions_carry_their_prefix_in_the_file_and_none_for_the_reader(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[["=LET(x,2,x*3)", '=TEXTJOIN("-",TRUE,1,2)', "=sum(1,2)"]])
    data = books.read_parts(files / "a.xlsx")["xl/worksheets/sheet1.xml"]
    assert b"_xlfn.LET(_xlpm.x,2,_xlpm.x*3)" in data
    read = call("read_cells", path="a.xlsx", show="formulas").structured_content["rows"]
    assert read == [["=LET(x,2,x*3)", '=TEXTJOIN("-",TRUE,1,2)', "=SUM(1,2)"]]
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == [[6, "1-2", 3]]


def test_a_formula_that_spills_fills_its_neighbours_and_lets_go_of_them(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[[3], [1], [2]])
    call("write_cells", path="a.xlsx", rows=[["=SORT(A1:A3)"]], start_cell="C1")
    assert call("read_cells", path="a.xlsx", range="C1:C3").structured_content["rows"] == [[1], [2], [3]]
    call("write_cells", path="a.xlsx", rows=[["=SORT(A1:A2)"]], start_cell="C1")
    assert call("read_cells", path="a.xlsx", range="C1:C3").structured_content["rows"] == [[1], [3], [None]]


def test_a_value_in_the_way_of_a_spill_stays_and_the_formula_says_so_until_it_is_gone(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[[3, None, "=SORT(A1:A3)", None, "=SUM(C1:C3)"], [1], [2]])
    reply = call("write_cells", path="a.xlsx", rows=[["mine"]], start_cell="C2").structured_content
    assert {cell["cell"]: cell["value"] for cell in reply["computed"]} == dict.fromkeys(
        ["Sheet1!C1", "Sheet1!E1"], "#SPILL!"
    )
    call("write_cells", path="a.xlsx", rows=[[7]], start_cell="A1")
    spill_rows = [["#SPILL!"], ["mine"], [None]]
    assert call("read_cells", path="a.xlsx", range="C1:C3").structured_content["rows"] == spill_rows
    call("edit_workbook", path="a.xlsx", edits=[{"op": "clear", "range": "C2"}])
    assert call("read_cells", path="a.xlsx", range="C1:C3").structured_content["rows"] == [[1], [2], [7]]
    assert read_stored(files / "a.xlsx", "Sheet1", "E1") == 10


def test_a_formula_reads_all_that_another_one_fills_however_large_that_becomes(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[[3, None, "=SORT(A1:A9)"], [1], [2]])
    call("write_cells", path="a.xlsx", rows=[["=UNIQUE(A1:A3)", "=SUM(C1#)", "=D1#*10"]], start_cell="D1")
    reply = call("write_cells", path="a.xlsx", rows=[["=SUM(Sheet1!$D$1#,D1:D1)"]], start_cell="H1").structured_content
    assert reply["computed"][0]["value"] == 9
    assert b"_xlfn.ANCHORARRAY(D1)" in books.read_parts(files / "a.xlsx")["xl/worksheets/sheet1.xml"]
    call("write_cells", path="a.xlsx", rows=[[3]], start_cell="A2")
    rows = call("read_cells", path="a.xlsx", range="D1:F3").structured_content["rows"]
    assert [row[2] for row in rows] == [30, 20, None]
    formula_rows = call("read_cells", path="a.xlsx", range="E1:H1", show="formulas").structured_content["rows"]
    assert formula_rows == [["=SUM(C1#)", "=D1#*10", None, "=SUM(Sheet1!$D$1#,D1:D1)"]]


def test_what_looks_like_a_spill_in_texts_and_columns_is_none(call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[["Q1#", "b"], [2, 3], ['="A1#"&"B2#"', "=SUM(1,2)"]])
    call("set_table", path="a.xlsx", action="add", range="A1:B2", name="Plan")
    call("write_cells", path="a.xlsx", rows=[["=SUM(Plan[#Data])"]], start_cell="E1")
    read = call("read_cells", path="a.xlsx", range="A3:E3").structured_content["rows"]
    assert read[0][0] == "A1#B2#"
    assert call("read_cells", path="a.xlsx", range="E1").structured_content["rows"] == [[5]]


@pytest.mark.parametrize(
    ("operation", "seen"),
    [
        ({"op": "insert_rows", "range": "2:3"}, [[3, 1], [None, 2], [None, 3], [1, 0], [2, 0]]),
        ({"op": "delete_rows", "range": "2"}, [[3, 2], [2, 3]]),
        ({"op": "delete_rows", "range": "1"}, [[1], [2]]),
    ],
)
def test_rows_come_and_go_beside_what_a_formula_fills(call: Call, operation: dict[str, Any], seen: list[Any]) -> None:
    call("write_cells", path="a.xlsx", rows=[[3, "=SORT(A1:A3)"], [1], [2]])
    call("edit_workbook", path="a.xlsx", edits=[operation])
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == seen


def test_what_moves_up_into_the_way_of_a_spill_is_kept(call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[["=SEQUENCE(3)"], [None], [None], ["mine"]])
    call("edit_workbook", path="a.xlsx", edits=[{"op": "delete_rows", "range": "2"}])
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == [["#SPILL!"], [None], ["mine"]]


def test_a_use_of_functions_that_the_engine_lacks_is_named(call: Call) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[[1, "=INDEX(A1:A2,SEQUENCE(2),{1,2})"]])
    assert "INDEX" in answer.structured_content["unknown"][0]["reason"]


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("=SUM(A1;A2)", "separate arguments with commas"),
        ("=1,5+2", "with a point"),
        ("=ROUND(A1*1,5;2)", "separate arguments with commas"),
    ],
)
def test_the_signs_of_other_languages_are_told_with_what_to_write(call: Call, formula: str, words: str) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[[formula]])
    assert answer.is_error
    assert words in answer.content[0].text


def test_unions_and_array_constants_have_their_signs(call: Call) -> None:
    rows = [[1, 2, "=SUM((A1,B1))", "=SUM({1,2;3,4})", '=SUM(A1,B1)&";"']]
    assert not call("write_cells", path="a.xlsx", rows=rows).is_error
    assert call("read_cells", path="a.xlsx").structured_content["rows"][0][2:] == [3, 10, "3;"]


def test_overwriting_the_first_of_shared_formulas_keeps_the_others(files: Path, call: Call, rich: Path) -> None:
    members = books.read_parts(rich)
    data = members["xl/worksheets/sheet1.xml"]
    data = data.replace(b"<f>B2-C2</f>", b'<f t="shared" ref="D2:D4" si="0">B2-C2</f>')
    for row in (b"3", b"4"):
        data = data.replace(b"<f>B" + row + b"-C" + row + b"</f>", b'<f t="shared" si="0"/>')
    rewrite_members(rich, {**members, "xl/worksheets/sheet1.xml": data})
    assert call("read_cells", path="rich.xlsx", range="D2:D4", show="formulas").structured_content["rows"] == [
        ["=B2-C2"],
        ["=B3-C3"],
        ["=B4-C4"],
    ]
    call("write_cells", path="rich.xlsx", rows=[[100]], start_cell="D2")
    sheet = books.open_book(rich)["Data"]
    assert [sheet[f"D{row}"].value for row in (2, 3, 4)] == [100, "=B3-C3", "=B4-C4"]
    assert read_stored(rich, "Data", "D5") == 100 + 5 + 8


def test_a_calculation_chain_does_not_name_a_formula_that_is_gone(files: Path, call: Call, rich: Path) -> None:
    members = books.read_parts(rich)
    chain = (
        b'<calcChain xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><c r="D2" i="1"/></calcChain>'
    )
    kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml"
    types = members["[Content_Types].xml"].replace(
        b"</Types>", b'<Override PartName="/xl/calcChain.xml" ContentType="' + kind + b'"/></Types>'
    )
    rels = members["xl/_rels/workbook.xml.rels"].replace(
        b"</Relationships>",
        b'<Relationship Id="rId99" Target="calcChain.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        b'relationships/calcChain"/></Relationships>',
    )
    extra = {"xl/calcChain.xml": chain, "[Content_Types].xml": types, "xl/_rels/workbook.xml.rels": rels}
    rewrite_members(rich, {**members, **extra})
    call("write_cells", path="rich.xlsx", rows=[[5]], start_cell="B2")
    assert books.read_parts(rich)["xl/calcChain.xml"] == chain
    call("write_cells", path="rich.xlsx", rows=[[5]], start_cell="D2")
    after = books.read_parts(rich)
    assert "xl/calcChain.xml" not in after
    assert b"calcChain" not in after["[Content_Types].xml"] + after["xl/_rels/workbook.xml.rels"]


def test_formulas_are_computed_in_a_workbook_with_the_notes_of_another_library(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    book.active.append([1, 2])
    book.active["A1"].comment = openpyxl.comments.Comment("check this", "Anna")
    book.save(files / "noted.xlsx")
    answer = call("write_cells", path="noted.xlsx", rows=[["=A1+B1"]], start_cell="C1").structured_content
    assert [entry["value"] for entry in answer["computed"]] == [3]
    assert books.open_book(files / "noted.xlsx").active["A1"].comment.text == "check this"


def test_part_of_an_array_formula_cannot_be_changed(files: Path, call: Call) -> None:
    import xlsxwriter

    book = xlsxwriter.Workbook(files / "array.xlsx")
    sheet = book.add_worksheet()
    sheet.write_array_formula("C1:C3", "{=A1:A3*2}", None, 0)
    book.close()
    answer = call("write_cells", path="array.xlsx", rows=[[1]], start_cell="C2")
    assert answer.is_error
    assert "C1:C3" in answer.content[0].text


def test_recalculating_fills_in_what_another_library_left_out(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    for row in ([1, 2, "=A1+B1"], ["p", "q", "r"], [3, 4, "=A3+B3"]):
        book.active.append(row)
    book.save(files / "bare.xlsx")
    assert call("read_cells", path="bare.xlsx").structured_content["uncomputed"] == ["C1", "C3"]
    records = call("read_records", path="bare.xlsx", range="A2:C3")
    assert records.structured_content["uncomputed"] == ["C3"]
    call("edit_workbook", path="bare.xlsx", edits=[{"op": "recalculate"}])
    assert read_stored(files / "bare.xlsx", "Sheet", "C1") == 3


def test_a_function_that_the_engine_lacks_is_computed_by_libreoffice(files: Path, call: Call) -> None:
    rows = [[1, "=FORECAST.ETS(4,A1:A3,C1:C3)", 1], [3, "=B1+1", 2], [5, "=FORECAST.ETS(RAND(),A1:A3,C1:C3)", 3]]
    answer = call("write_cells", path="a.xlsx", rows=rows).structured_content
    assert {entry["cell"] for entry in answer["unknown"]} == {"Sheet1!B3"}
    assert read_stored(files / "a.xlsx", "Sheet1", "B1") == pytest.approx(7)
    assert read_stored(files / "a.xlsx", "Sheet1", "B2") == pytest.approx(8)


def test_a_rate_far_from_the_first_guess_is_found(files: Path, call: Call) -> None:
    rows = [["=RATE(36,-900,4000)", "=RATE(36,-900,MAX(4000,(1+(2*(3-(1))))),0,0,0.2)", "=RATE(12,-100,1000)"]]
    call("write_cells", path="a.xlsx", rows=rows)
    for cell, rate, count, payment, loan in (("A1", 0.2248, 36, 900, 4000), ("C1", 0.0292, 12, 100, 1000)):
        stored_rate = read_stored(files / "a.xlsx", "Sheet1", cell)
        assert stored_rate == pytest.approx(rate, abs=1e-4)
        assert payment * (1 - (1 + stored_rate) ** -count) / stored_rate == pytest.approx(loan)
    assert read_stored(files / "a.xlsx", "Sheet1", "B1") == pytest.approx(read_stored(files / "a.xlsx", "Sheet1", "A1"))


@pytest.mark.parametrize(
    ("formula", "stored", "display", "value"),
    [
        ("=Plan[@Days]*2", "Plan[[#This Row],[Days]]*2", "=Plan[@Days]*2", 60),
        ("=[@Days]*2", "Plan[[#This Row],[Days]]*2", "=Plan[@Days]*2", 60),
        ("=[@[Unit price]]+[@Days]", "Plan[[#This Row],[Unit price]]+Plan[[#This Row],[Days]]", None, 34),
        ("=SUM(Plan[@[Unit price]:[Days]])", "SUM(Plan[[#This Row],[Unit price]:[Days]])", None, 34),
        ("=SUM([Days])", "SUM(Plan[Days])", "=SUM(Plan[Days])", 35),
        ("=COLUMNS(Plan[@])", "COLUMNS(Plan[#This Row])", "=COLUMNS(Plan[@])", 3),
        ("=Plan[[#This Row],[Days]]", "Plan[[#This Row],[Days]]", "=Plan[@Days]", 30),
        ('="[@Days] "&[@Days]', '"[@Days] "&Plan[[#This Row],[Days]]', '="[@Days] "&Plan[@Days]', "[@Days] 30"),
    ],
)
def test_cells_of_a_tables_row_are_stored_as_files_have_them(
    files: Path, call: Call, formula: str, stored: str, display: str | None, value: int | str
) -> None:
    rows = [["Unit price", "Days", "Sum"], [4, 30, None], [2, 5, None]]
    call("write_cells", path="a.xlsx", rows=rows)
    call("set_table", path="a.xlsx", action="add", range="A1:C3", name="Plan")
    written = call("write_cells", path="a.xlsx", rows=[[formula]], start_cell="C2").structured_content
    assert written["computed"] == [{"cell": "Sheet1!C2", "value": value}]
    assert openpyxl.load_workbook(files / "a.xlsx")["Sheet1"]["C2"].value == f"={stored}"
    read = call("read_cells", path="a.xlsx", range="C2", show="formulas").structured_content["rows"][0][0]
    assert read == (display or read)
    again = call("write_cells", path="a.xlsx", rows=[[read]], start_cell="C3").structured_content
    assert not again.get("unknown")


def test_a_column_of_no_table_is_refused(call: Call) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[["=[@Days]*2"]])
    assert answer.is_error
    assert "the cell is not in a table" in answer.content[0].text


@pytest.mark.parametrize(
    ("formula", "values"),
    [
        ('=SUM(IF(A1:A3="b",B1:B3,0))', [5]),
        ("=SUM(IF(B1:B3>1,B1:B3))", [5]),
        ("=B1:B3*2", [6, 2, 4]),
        ("=A1:A3", ["b", "a", "b"]),
        ('=IF(B1:B3>1,"x","y")', ["x", "y", "x"]),
        ('=INDEX(B1:B3,MATCH(1,(A1:A3="a")*(B1:B3=1),0))', [1]),
    ],
)
def test_a_formula_over_the_cells_of_a_range_is_a_dynamic_array(
    files: Path, call: Call, formula: str, values: list[Any]
) -> None:
    call("write_cells", path="a.xlsx", rows=[["b", 3], ["a", 1], ["b", 2]])
    for start in ("D1", "F1"):
        call("write_cells", path="a.xlsx", rows=[[formula]], start_cell=start)
    rows = call("read_cells", path="a.xlsx", range="D1:F3").structured_content["rows"]
    assert [row[0] for row in rows][: len(values)] == values
    assert [row[2] for row in rows][: len(values)] == values
    data = books.read_parts(files / "a.xlsx")["xl/worksheets/sheet1.xml"]
    assert data.count(b't="array"') == 2


def test_formulas_that_take_ranges_anyway_stay_plain(files: Path, call: Call) -> None:
    rows = [
        ["b", 3, '=SUMPRODUCT((A1:A2="b")*B1:B2)'],
        ["a", 1, "=SUM(B1:B2)*2"],
        [None, None, '=COUNTIF(A1:A2,"b")+1'],
    ]
    call("write_cells", path="a.xlsx", rows=rows)
    assert b't="array"' not in books.read_parts(files / "a.xlsx")["xl/worksheets/sheet1.xml"]
    assert call("read_cells", path="a.xlsx", range="C1:C3").structured_content["rows"] == [[3], [8], [2]]


def test_a_formula_that_is_written_again_as_it_was_keeps_its_value_in_the_file(files: Path, call: Call) -> None:
    rows = [["Sales"], [100], ["=A2*2"]]
    call("write_cells", path="a.xlsx", sheet="S", rows=rows)
    for _ in range(2):
        call("write_cells", path="a.xlsx", sheet="S", rows=rows)
        assert read_stored(files / "a.xlsx", "S", "A3") == 200
    call("write_cells", path="a.xlsx", sheet="S", rows=[["=A2*2"]], start_cell="A3")
    assert read_stored(files / "a.xlsx", "S", "A3") == 200
    call("write_cells", path="a.xlsx", sheet="S", rows=[[7]], start_cell="A2")
    assert read_stored(files / "a.xlsx", "S", "A3") == 14


def test_a_cell_that_no_longer_reads_an_unknown_value_has_a_value_again(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="S", rows=[["=B1&1", "=A1&1"], ["=SUM(A1:B1)", "=A2*2"]])
    assert [read_stored(files / "a.xlsx", "S", cell) for cell in ("A1", "A2", "B2")] == [None] * 3
    call("write_cells", path="a.xlsx", sheet="S", rows=[["=1+1"]], start_cell="A2")
    assert [read_stored(files / "a.xlsx", "S", cell) for cell in ("A1", "A2", "B2")] == [None, 2, 4]
    dependents = call("find_cells", path="a.xlsx", query="A1", by="dependents", sheet="S").structured_content
    assert [cell["cell"] for cell in dependents["cells"]] == ["S!B1"]


def test_offset_and_indirect_have_their_values_though_another_cell_holds_one_that_nobody_knows(call: Call) -> None:
    call("write_cells", path="a.xlsx", sheet="Data", rows=[[1, 2], [3, 4]])
    call("write_cells", path="a.xlsx", sheet="Chance", rows=[["=RAND()"]])
    rows: list[list[Any]] = [["=SUM(OFFSET(A1,0,1,2,1))", "=OFFSET('Chance'!A1,0,0)", '=INDIRECT("A1")']]
    answer = call("write_cells", path="a.xlsx", sheet="Data", start_cell="D1", rows=rows).structured_content
    assert {cell["cell"]: cell["value"] for cell in answer["computed"]} == {
        "Data!D1": 6,
        "Data!E1": None,
        "Data!F1": 1,
    }
    rows = [["=SUM(OFFSET(A1,0,1,2,1))", "=OFFSET($A$1,1,0)", None]]
    answer = call("write_cells", path="a.xlsx", sheet="Data", start_cell="D1", rows=rows).structured_content
    assert {cell["cell"]: cell["value"] for cell in answer["computed"]} == {"Data!D1": 6, "Data!E1": 3}
    call("write_cells", path="a.xlsx", sheet="Data", start_cell="B2", rows=[[40]])
    assert call("read_cells", path="a.xlsx", sheet="Data", range="D1").structured_content["rows"] == [[42]]


def test_years_between_two_dates_are_the_same_whichever_comes_first(call: Call) -> None:
    rows = [["=YEARFRAC(DATE(2026,3,31),DATE(2026,1,1))", "=YEARFRAC(DATE(2026,1,1),DATE(2026,3,31),0)"]]
    assert call("write_cells", path="a.xlsx", rows=rows).structured_content["computed"][0]["value"] == 0.25
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == [[0.25, 0.25]]
