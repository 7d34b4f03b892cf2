"""Fast reading says what careful reading says; searching, tracing, comparing and profiling."""

import datetime
import multiprocessing
import zipfile
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st
from support import books
from support.answers import Call
from support.replaced_files import put_in_place

from yardkit.servers.sheets import engine
from yardkit.servers.sheets.engine.cells.bulk_values import read_values
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.compute import saved_workbook
from yardkit.servers.sheets.engine.notation.references import Area, column_name
from yardkit.servers.sheets.engine.package.sheet_source import Source
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.world import Problem, lock_file

NOW = datetime.datetime(2026, 3, 16, 9, tzinfo=datetime.UTC)
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
FORMATS = ["General", "0.00", "yyyy-mm-dd", "hh:mm", "[h]:mm:ss", "d/m/yy h:mm", "mm:ss", '"d" 0', "@", "0.0E+00"]
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
cells = st.tuples(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(0, 60_000) | texts
    | st.sampled_from(["=1/0", '=""', "=1+1", "=TRUE", "rich"]),
    st.sampled_from(FORMATS),
)  # fmt: skip
tables = st.lists(st.lists(cells, min_size=1, max_size=4), min_size=1, max_size=6)


def write_workbook(path: Path, rows: list[list[tuple[object, str]]], *, constant_memory: bool = False) -> None:
    book = xlsxwriter.Workbook(path, {"constant_memory": constant_memory})
    sheet = book.add_worksheet()
    looks = {code: book.add_format({"num_format": code}) for code in FORMATS}
    values = {"=1/0": "#DIV/0!", '=""': "", "=1+1": 2, "=TRUE": True}
    for row, line in enumerate(rows):
        for column, (value, code) in enumerate(line):
            if value == "rich":
                sheet.write_rich_string(row, column, "a ", looks["0.00"], "b")
            elif isinstance(value, str) and value in values:
                sheet.write_formula(row, column, value, looks[code], values[value])
            elif isinstance(value, str):
                sheet.write_string(row, column, value, looks[code])
            else:
                sheet.write(row, column, value, looks[code])
    book.close()


def read_carefully(grid: Grid) -> list[list[object]]:
    """The values by parsing each cell's XML."""
    used = grid.get_used_area()
    if used is None:
        return []
    values = {cell: grid.content(cell, element).value for cell, element in grid.iter_elements(used)}
    return [[values.get(cell) for cell in used.cells() if cell.row == row] for row in range(used.top, used.bottom + 1)]


single_kind_columns = st.sampled_from(
    [
        st.integers(-(2**60), 2**60),
        st.integers(0, 999).map(float) | st.floats(-1e18, 1e18) | st.none(),
        st.floats(0, 1000).map(lambda value: round(value, 1)),
        texts | st.sampled_from(["a & b", "_x0041_", "1 < 2", " x ", "two\nlines"]),
        st.sampled_from(["=1+1", '=""']) | st.just("=1+1"),
        st.none() | st.integers(0, 9),
    ]
)


@st.composite
def long_tables(draw: Any) -> Any:
    """Tables of many rows, each column of one kind, with a header and now and then something else."""
    kinds = draw(st.lists(single_kind_columns, min_size=1, max_size=5))
    some = [draw(st.lists(kind, min_size=3, max_size=12)) for kind in kinds]
    looks = [draw(st.sampled_from(["General", "General", "General", "0.00", "yyyy-mm-dd"])) for _ in kinds]
    rows = [
        [(column[number % len(column)], look) for column, look in zip(some, looks, strict=True)] for number in range(60)
    ]
    for place in draw(st.lists(st.integers(0, 59), max_size=1)):
        rows[place] = draw(st.lists(cells, min_size=len(kinds), max_size=len(kinds)))
    return [[(f"head {number}", "General") for number in range(len(kinds))], *rows]


@settings(max_examples=60)
@given(rows=long_tables(), shared=st.booleans())
def test_rows_that_are_built_alike_are_read_as_cell_by_cell(tmp_path: Path, rows: Any, shared: Any) -> None:
    path = tmp_path / "long.xlsx"
    write_workbook(path, rows, constant_memory=not shared)
    book = Workbook.open(path)
    grid = Grid(book, book.sheet(None))
    area = grid.get_used_area()
    assert area
    values = read_values(grid, area)[0]
    expected = read_carefully(grid)
    assert values == expected
    assert [[type(value) for value in row] for row in values] == [[type(value) for value in row] for row in expected]


@settings(max_examples=80)
@given(rows=tables)
def test_fast_reading_agrees_with_careful_reading(tmp_path_factory: pytest.TempPathFactory, rows: Any) -> None:
    path = tmp_path_factory.mktemp("law") / "law.xlsx"
    write_workbook(path, rows)
    book = Workbook.open(path)
    grid = Grid(book, book.sheet(None))
    used = grid.get_used_area()
    fast = read_values(grid, used)[0] if used else []
    assert fast == read_carefully(grid)
    assert [[type(value) for value in row] for row in fast] == [[type(v) for v in row] for row in read_carefully(grid)]


def test_unusual_but_valid_parts_are_read_and_edited(files: Path, call: Call) -> None:
    write_workbook(files / "a.xlsx", [[(1, "General"), ("x", "General")], [(2, "0.00"), ("y", "General")]])
    name = "xl/worksheets/sheet1.xml"
    part = books.read_parts(files / "a.xlsx")[name]
    prefixed = (
        part.replace(b"<", b"<x:").replace(b"<x:/", b"</x:").replace(b"<x:?", b"<?").replace(b"xmlns=", b"xmlns:x=")
    )
    bare = part.replace(b'<row r="1"', b"<row").replace(b'<c r="A1"', b"<c").replace(b'<c r="B2"', b"<c")
    commented = part.replace(b"<sheetData>", b'<sheetData><!-- <row r="7"> -->')
    for number, data in enumerate((prefixed, bare, commented)):
        path = files / f"odd{number}.xlsx"
        rewrite_archive(files / "a.xlsx", path, {name: data})
        assert call("read_cells", path=path.name).structured_content["rows"] == [[1, "x"], [2, "y"]]
        assert not call("write_cells", path=path.name, rows=[[5]], start_cell="A2").is_error
        sheet = books.open_book(path).active
        assert [[cell.value for cell in row] for row in sheet] == [[1, "x"], [5, "y"]]
        assert sheet["A2"].number_format == "0.00"


def rewrite_archive(source: Any, target: Any, members: Any) -> None:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            new.writestr(info.filename, members.get(info.filename, old.read(info.filename)))


def test_an_edit_leaves_the_bytes_of_all_other_rows(files: Path, call: Call, rich: Path) -> None:
    before = books.read_parts(rich)["xl/worksheets/sheet1.xml"]
    call("write_cells", path="rich.xlsx", rows=[["new"]], start_cell="A9")
    after = books.read_parts(rich)["xl/worksheets/sheet1.xml"]
    head, tail = before.split(b"<sheetData>")[0], before.split(b"</sheetData>")[1]
    rows = before.split(b"<sheetData>")[1].split(b"</sheetData>")[0]
    assert rows in after
    assert tail in after
    assert head.replace(b"A1:E7", b"").split(b"<dimension")[0].split(b"?>")[1] in after


def test_a_file_changed_by_another_program_is_read_anew(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[[1, "=A1*2"]])
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == [[1, 2]]
    book = books.open_book(files / "a.xlsx")
    book.active["A1"] = 5
    book.save(files / "a.xlsx")
    call("write_cells", path="a.xlsx", rows=[[7]], start_cell="C1")
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == [[5, 10, 7]]


def test_a_workbook_of_the_inode_size_and_date_of_another_is_read_as_itself(files: Path, call: Call) -> None:
    for word in ("one", "two"):
        call("write_cells", path="packed.xlsx", rows=[[word]])
        with zipfile.ZipFile(files / "packed.xlsx") as packed, zipfile.ZipFile(files / f"{word}.xlsx", "w") as stored:
            for name in packed.namelist():
                stored.writestr(name, packed.read(name))
    assert call("read_cells", path="one.xlsx").structured_content["rows"] == [["one"]]
    put_in_place(files / "one.xlsx", (files / "two.xlsx").read_bytes())
    assert call("read_cells", path="one.xlsx").structured_content["rows"] == [["two"]]


def test_a_change_of_another_program_during_an_edit_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    engine.write_cells(path, None, "A1", [[1]], now=NOW)
    book = Workbook.open(path)
    grid = Grid(book, book.sheet(None))
    engine.write_cells(path, None, "A1", [[2]], now=NOW)
    grid.set_value(next(grid.get_used_area().cells()), 3)
    with pytest.raises(Problem, match="another program"):
        saved_workbook.save_workbook(book, {grid.info.name: grid}, path, touched=set(), written=set(), now=NOW)
    assert engine.read_all_values(path) == [[2]]


@pytest.mark.drill
def test_two_processes_lose_no_row(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    engine.write_cells(path, None, "A1", [["first", "=COUNTA(A:A)"]], now=NOW)
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_rows_of, args=(str(path), str(tmp_path / "locks"), name)) for name in "xy"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(240)
    rows = engine.read_all_values(path)
    assert sorted(str(row[0]) for row in rows[1:]) == sorted(f"{name}{number}" for name in "xy" for number in range(10))
    assert rows[0][1] == 21


def _rows_of(path: str, locks: str, name: str) -> None:
    for number in range(10):
        with lock_file(Path(path), Path(locks)):
            engine.append_rows(Path(path), None, [[f"{name}{number}"]], now=NOW)


def test_edits_in_a_row_say_what_a_full_computation_says(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    rows: list[list[Any]] = [
        [number, f"=A{number}*2", f"=SUM(A$1:A{number})", f'=IF(A{number}>5,"big",A{number})'] for number in range(1, 9)
    ]
    engine.write_cells(path, None, "A1", rows, now=NOW)
    for cell, value in (
        ("A3", 50),
        ("A1", None),
        ("A7", "text"),
        ("B2", 9),
        ("B5", "=C5+1"),
        ("A3", True),
        ("A8", 0.1),
    ):
        engine.write_cells(path, None, cell, [[value]], now=NOW)
    quick = engine.read_all_values(path)
    copy = tmp_path / "copy.xlsx"
    copy.write_bytes(path.read_bytes())
    engine.recalculate_workbook(copy, now=NOW)
    assert engine.read_all_values(copy) == quick


def test_cells_are_found_and_formulas_traced(call: Call, rich: Path) -> None:
    def find_cells(**arguments: Any) -> Any:
        answer = call("find_cells", path="rich.xlsx", **arguments).structured_content
        return [hit["cell"] for hit in answer["cells"]]

    assert find_cells(query="jan") == ["Data!A2"]
    assert find_cells(query="Jan", by="whole", match_case=True) == ["Data!A2"]
    assert find_cells(query="^[JF].*[nb]$", by="regex") == ["Data!A2", "Data!A3"]
    assert find_cells(query="SUM(", by="formula") == ["Data!D5", "Other's!D1"]
    assert find_cells(query="B3", by="dependents", sheet="Data") == ["Data!D3", "Data!D5"]
    assert find_cells(query="D5", by="precedents", sheet="Data")[0] == "Data!D2:D4"
    assert "Data!C2" in find_cells(query="D5", by="precedents", sheet="Data")
    assert find_cells(query="D1", by="precedents", sheet="Other's") == ["Other's!B1:B3"]


def test_two_workbooks_are_compared_by_what_they_say(files: Path, call: Call, rich: Path) -> None:
    (files / "same.xlsx").write_bytes(rich.read_bytes())
    same = call("compare_workbooks", path="rich.xlsx", other="same.xlsx", formats=True).structured_content
    assert same["equal"] is True
    call("write_cells", path="same.xlsx", rows=[[25]], start_cell="B3")
    call("format_cells", path="same.xlsx", range="A1", italic=True)
    call("change_sheets", path="same.xlsx", action="add", name="More")
    answer = call("compare_workbooks", path="rich.xlsx", other="same.xlsx", formats=True).structured_content
    cells = {(entry["cell"], entry["what"]) for entry in answer["differences"]}
    assert cells == {("Data!B3", "value"), ("Data!D3", "value"), ("Data!D5", "value"), ("Data!A1", "format")}
    assert answer["sheets_added"] == ["More"]


def test_a_profile_says_what_stands_out(call: Call) -> None:
    values = [["id", "amount", "city"], *([number, 10 + number % 3, "Rome"] for number in range(20))]
    values += [[20, 5000, "'12,5"], [20, 5000, "'12,5"], [21, None, "Oslo"], [22, "'17", "Oslo"]]
    call("write_cells", path="a.xlsx", rows=values)
    profile = call("inspect_workbook", path="a.xlsx", profile=True).structured_content["profile"]
    amount = profile["columns"][1]
    assert amount["kinds"] == {"number": 22, "text": 1}
    assert amount["missing"] == 1
    assert amount["outliers"] == ["B22", "B23"]
    assert amount["unusual"] == ["B25"]
    assert profile["duplicate_rows"] == [23]
    assert profile["columns"][2]["common"]["Rome"] == 20


@pytest.mark.parametrize(("beside", "rows", "missing"), [(None, 20, 20), ("checked", 21, 20)])
def test_the_totals_of_a_table_are_no_data_of_its_profile(
    files: Path, call: Call, beside: str | None, rows: int, missing: int
) -> None:
    with xlsxwriter.Workbook(files / "t.xlsx") as book:
        sheet = book.add_worksheet()
        columns = [{"header": "id", "total_string": "Total"}, {"header": "amount", "total_function": "sum"}]
        data = [[number, 10 + number % 3] for number in range(20)]
        sheet.add_table("A1:B22", {"data": data, "columns": columns, "total_row": True})
        sheet.write_formula("B22", "=SUBTOTAL(109,[amount])", None, 218)
        sheet.write("D1", "remark")
        sheet.write("D22", beside)
    profile = call("inspect_workbook", path="t.xlsx", profile=True).structured_content["profile"]
    number, amount, _, remark = profile["columns"]
    assert number["kinds"] == amount["kinds"] == {"number": 20}
    assert not {"unusual", "outliers", "missing"} & {*number, *amount}
    assert amount["maximum"] == 12
    assert (profile["rows"], remark["missing"]) == (rows, missing)


def test_data_files_come_in_and_go_out_with_their_types(files: Path, call: Call) -> None:
    rows = [["name", "n", "x", "ok", "day"], ["a", 1, 1.5, True, "2026-03-16"], ["=b", 2, None, False, "2026-03-17"]]
    call("write_cells", path="a.xlsx", rows=[rows[0], rows[1], ["'=b", *rows[2][1:]]])
    for name in ("o.json", "o.jsonl", "o.parquet", "o.ods", "o.csv", "o.tsv"):
        assert not call("export_data", path="a.xlsx", target=name).is_error, name
        call("import_data", source=name, path=f"{name}.xlsx")
        read_rows = call("read_cells", path=f"{name}.xlsx").structured_content["rows"]
        assert read_rows == rows, name


def test_a_decimal_comma_is_stated(files: Path, call: Call) -> None:
    (files / "in.csv").write_text("a;b\n1.234,5;x\n-2;y\n", encoding="utf-8")
    call("import_data", source="in.csv", path="a.xlsx", decimal=",")
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == [["a", "b"], [1234.5, "x"], [-2, "y"]]


@pytest.mark.parametrize("name", ["bad.parquet", "bad.ods", "bad.xls", "bad.json", "bad.xyz", "bad.csv"])
def test_a_damaged_data_file_is_refused(files: Path, call: Call, name: str) -> None:
    (files / name).write_bytes(b"\x00\x01 no data" * 20)
    answer = call("import_data", source=name, path="a.xlsx")
    assert answer.is_error
    assert name in answer.content[0].text
    assert not (files / "a.xlsx").exists()


rows_of_cells = st.dictionaries(
    st.integers(1, 9),
    st.dictionaries(st.sampled_from([1, 2, 3, 26, 27, 28, 703]), st.booleans(), max_size=4),
    max_size=5,
)


@given(rows_of_cells)
def test_the_used_area_is_that_of_the_cells_that_hold_something(rows: dict[int, dict[int, bool]]) -> None:
    text = ""
    for row, line in sorted(rows.items()):
        cells = (
            f'<c r="{column_name(n)}{row}"' + ("><v>1</v></c>" if has_value else "/>")
            for n, has_value in sorted(line.items())
        )
        text += f'<row r="{row}">{"".join(cells)}</row>'
    source = Source(f'<worksheet xmlns="{MAIN}"><sheetData>{text}</sheetData></worksheet>'.encode(), "sheet1.xml")
    filled = [(row, column) for row, line in rows.items() for column, has_value in line.items() if has_value]
    filled_rows, columns = [row for row, _ in filled], [column for _, column in filled]
    assert source.used == (Area(min(filled_rows), min(columns), max(filled_rows), max(columns)) if filled else None)


def make_sheet(rows: str, after: str = "") -> Source:
    return Source(f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData>{after}</worksheet>'.encode(), "sheet1.xml")


@pytest.mark.parametrize("stranger", ["<rowX/>", '<row xmlns="urn:o"/>', '<row r="1"><extLst><row/></extLst></row>'])
def test_rows_are_found_among_elements_that_only_look_like_rows(stranger: str) -> None:
    source = make_sheet(stranger + '<row r="2"><c r="A2"><v>2</v></c></row><row r="3"><c r="A3"><v>3</v></c></row>')
    for number in (2, 3):
        assert f'<c r="A{number}"><v>{number}</v></c>'.encode() in (source.row(number) or b"")
    assert source.formula_rows() == []


@pytest.mark.parametrize("reference", ["a1", "$A$1", "1"])
def test_a_cell_with_an_odd_reference_does_not_stop_the_reading(reference: str) -> None:
    assert make_sheet(f'<row r="1"><c r="{reference}"><v>1</v></c></row>').used is not None


def test_an_error_outside_the_cells_is_none() -> None:
    assert make_sheet("", '<headerFooter><oddHeader>x t="e" y</oddHeader></headerFooter>').errors(5) == []
