"""Data files in and out with their values and types, and sheets as large as sheets can be."""

import datetime
import re
import resource
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow
import pyarrow.parquet
import pypdfium2
import pytest
import xlsxwriter
from support.answers import Call

ROWS = [
    ["Name", "When", "Amount", "Open", "Share", "中文"],
    ["Ann", "2024-01-02", 1200, True, 0.125, "漢字"],
    ["Bo, Jr", "2024-02-29", -7, False, 1.5, 'a "quote"'],
    ["Cy", None, 0, True, None, "two\nlines"],
]
MAX_ROWS, MAX_COLUMNS = 1_048_576, 16_384


@pytest.fixture
def book(files: Path, call: Call) -> Any:
    assert not call("write_cells", path="book.xlsx", rows=ROWS).is_error
    assert not call("write_cells", path="book.xlsx", sheet="Other", rows=[["x", "=1+1"]]).is_error
    return files / "book.xlsx"


@pytest.mark.parametrize("kind", ["tsv", "csv", "json", "jsonl", "parquet", "ods", "xls"])
def test_a_workbook_goes_out_and_comes_in_again_with_its_values_and_types(book: Any, call: Call, kind: str) -> None:
    gone = call("export_data", path="book.xlsx", target=f"out.{kind}").structured_content
    assert (gone["rows"], gone["columns"]) == (4, 6)
    assert ("through LibreOffice" in gone.get("note", "")) == (kind in ("ods", "xls"))
    assert not call("import_data", source=f"out.{kind}", path="back.xlsx").is_error
    rows = call("read_cells", path="back.xlsx").structured_content["rows"]
    assert rows == ROWS


@pytest.mark.parametrize("kind", ["ods", "xls"])
def test_sheets_of_other_programs_are_taken_by_name(book: Any, call: Call, kind: str) -> None:
    call("export_data", path="book.xlsx", target=f"out.{kind}")
    assert not call("import_data", source=f"out.{kind}", path="back.xlsx", from_sheet="Other").is_error
    assert call("read_cells", path="back.xlsx").structured_content["rows"] == [["x", 2]]
    refused = call("import_data", source=f"out.{kind}", path="back.xlsx", from_sheet="No")
    assert f"there is no sheet 'No' in 'out.{kind}'; it has 'Sheet1', 'Other'" in refused.content[0].text


@pytest.mark.parametrize("kind", ["ods", "xls"])
def test_errors_of_sheets_of_other_programs_are_told_and_kept_by_conversion(files: Path, call: Call, kind: str) -> None:
    with xlsxwriter.Workbook(files / "e.xlsx") as workbook:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, 0, ["rate", 0])
        sheet.write_formula(1, 1, "=1/B1", None, "#DIV/0!")
    call("export_data", path="e.xlsx", target=f"out.{kind}")
    done = call("import_data", source=f"out.{kind}", path="values.xlsx").structured_content["done"]
    assert "cells with errors empty; export_data to .xlsx" in done
    assert call("read_cells", path="values.xlsx").structured_content["rows"] == [["rate", 0]]
    call("export_data", path=f"out.{kind}", target="whole.xlsx")
    assert call("read_cells", path="whole.xlsx").structured_content["rows"] == [["rate", 0], [None, "#DIV/0!"]]


def test_what_only_values_can_be_taken_of_is_told(files: Path, call: Call) -> None:
    with xlsxwriter.Workbook(files / "e.xlsx") as workbook:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, 0, ["rate", 0])
        sheet.write_formula(1, 0, "=B1+1", None, "")
        sheet.write_formula(1, 1, "=1/B1", None, "#DIV/0!")
    done = call("import_data", source="e.xlsx", path="values.xlsx").structured_content["done"]
    assert "formulas came as values, and cells with errors empty" in done
    assert "1 formula without a stored value came empty (A2); recalculate" in done
    assert call("read_cells", path="values.xlsx").structured_content["rows"] == [["rate", 0]]
    assert "(A2)" in call("export_data", path="e.xlsx", target="out.csv").structured_content["note"]
    call("edit_workbook", path="e.xlsx", edits=[{"op": "recalculate"}])
    assert "note" not in call("export_data", path="e.xlsx", target="out.csv").structured_content
    assert (files / "out.csv").read_text() == "rate,0\n1,#DIV/0!\n"


def test_a_pdf_shows_all_sheets(book: Any, files: Path, call: Call) -> None:
    assert "through LibreOffice" in call("export_data", path="book.xlsx", target="out.pdf").structured_content["note"]
    document = pypdfium2.PdfDocument(files / "out.pdf")
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    assert "漢字" in texts[0]
    assert "x" in texts[-1]


def test_what_holds_the_whole_workbook_takes_no_range(book: Any, files: Path, call: Call) -> None:
    for target in ("out.pdf", "out.xls"):
        answer = call("export_data", path="book.xlsx", target=target, range="A1:B2")
        assert answer.is_error
        assert "contain the entire workbook; leave out sheet and range" in answer.content[0].text
        assert not (files / target).exists()


def write_large(path: Any, call: Any, rows: Any) -> None:
    """A workbook whose sheet has the given bytes as rows."""
    call("write_cells", path=path.name, rows=[["x"]])
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = "xl/worksheets/sheet1.xml"
    head, tail = re.split(rb"<sheetData>.*?</sheetData>", members[name], flags=re.DOTALL)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for member, data in members.items():
            archive.writestr(
                member, b"".join([head, b"<sheetData>", rows, b"</sheetData>", tail]) if member == name else data
            )


def peak_bytes() -> Any:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.drill
def test_a_sheet_with_all_rows_there_can_be_is_read_found_in_and_written(files: Path, call: Call) -> None:
    build_seconds = (
        f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="B{n}"><v>{n}.5</v></c></row>' for n in range(1, MAX_ROWS + 1)
    )
    write_large(files / "long.xlsx", call, "".join(build_seconds).encode())
    before = peak_bytes()
    page = call("read_cells", path="long.xlsx", offset=MAX_ROWS - 2, limit=5).structured_content
    assert page["rows"] == [[MAX_ROWS - 1, MAX_ROWS - 0.5], [MAX_ROWS, MAX_ROWS + 0.5]]
    assert page["total_rows"] == MAX_ROWS
    assert call("inspect_workbook", path="long.xlsx").structured_content["sheets"][0]["used_range"] == f"A1:B{MAX_ROWS}"
    matches = call("find_cells", path="long.xlsx", query="777777.5").structured_content
    assert [cell["cell"] for cell in matches["cells"]] == ["Sheet1!B777777"]
    total = call("write_cells", path="long.xlsx", start_cell="C1", rows=[["=SUM(A:A)"]]).structured_content
    assert total["computed"] == [{"cell": "Sheet1!C1", "value": MAX_ROWS * (MAX_ROWS + 1) // 2}]
    for tool, arguments in (
        ("append_rows", {"rows": [[1, 2]]}),
        ("edit_workbook", {"edits": [{"op": "insert_rows", "range": "5:5"}]}),
    ):
        answer = call(tool, path="long.xlsx", **arguments)
        assert answer.is_error
        assert "beyond the sheet's end at XFD1048576" in answer.content[0].text
    assert call("read_cells", path="long.xlsx", range="A1:C1").structured_content["rows"] == [[1, 1.5, 549756338176]]
    assert peak_bytes() - before < 1_500_000_000


def test_a_sheet_with_all_columns_there_can_be_is_read_found_in_and_written(files: Path, call: Call) -> None:
    names = [
        f"{a}{b}{c}"
        for a in " ABCDEFGHIJKLMNOPQRSTUVWX"
        for b in " ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    ]
    columns = sorted(
        {name.replace(" ", "") for name in names if " " not in name.lstrip()}, key=lambda text: (len(text), text)
    )
    columns = columns[:MAX_COLUMNS]
    assert (len(columns), columns[-1]) == (MAX_COLUMNS, "XFD")
    rows = (
        f'<row r="{n}">'
        + "".join(f'<c r="{name}{n}"><v>{n + at}</v></c>' for at, name in enumerate(columns))
        + "</row>"
        for n in range(1, 11)
    )
    write_large(files / "wide.xlsx", call, "".join(rows).encode())
    assert call("inspect_workbook", path="wide.xlsx").structured_content["sheets"][0]["used_range"] == "A1:XFD10"
    page = call("read_cells", path="wide.xlsx", range="XFC9:XFD10").structured_content
    assert page["rows"] == [[16391, 16392], [16392, 16393]]
    cut = call("read_cells", path="wide.xlsx").structured_content
    assert 0 < len(cut["rows"]) < 10
    assert cut["next_offset"] == len(cut["rows"])
    assert call("find_cells", path="wide.xlsx", query="16393", by="whole").structured_content["total"] == 1
    done = call("write_cells", path="wide.xlsx", start_cell="XFD11", rows=[["=SUM(A10:XFC10)"]]).structured_content
    assert done["computed"] == [{"cell": "Sheet1!XFD11", "value": sum(range(10, 10 + MAX_COLUMNS - 1))}]
    for tool, arguments in (
        ("write_cells", {"start_cell": "XFD1", "rows": [[1, 2]]}),
        ("edit_workbook", {"edits": [{"op": "insert_columns", "range": "B:B"}]}),
    ):
        answer = call(tool, path="wide.xlsx", **arguments)
        assert answer.is_error
        assert "beyond the sheet's end at XFD1048576" in answer.content[0].text


def test_a_column_of_csv_with_more_digits_than_a_cell_keeps_is_text(files: Path, call: Call) -> None:
    (files / "c.csv").write_text("card,count\n4111111111111111234,1\n5500000000000000004,9007199254740991\n")
    call("import_data", source="c.csv", path="c.xlsx")
    rows = call("read_cells", path="c.xlsx").structured_content["rows"]
    assert rows[1:] == [["4111111111111111234", 1], ["5500000000000000004", 9007199254740991]]


def test_durations_beyond_a_day_of_ods_come_in_as_days(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    book.active.append([datetime.timedelta(hours=30), "PT rest"])
    book.save(files / "d.xlsx")
    call("export_data", path="d.xlsx", target="d.ods")
    call("import_data", source="d.ods", path="back.xlsx")
    assert call("read_cells", path="back.xlsx").structured_content["rows"] == [[1.25, "PT rest"]]


def test_bytes_of_a_parquet_file_are_their_text_or_hexadecimal_digits(files: Path, call: Call) -> None:
    table = pyarrow.table({"name": pyarrow.array([b"Zo\xc3\xab", None]), "key": pyarrow.array([b"\xff\x00\x10", b""])})
    pyarrow.parquet.write_table(table, files / "raw.parquet")
    assert not call("import_data", path="raw.xlsx", source="raw.parquet").is_error
    assert call("read_cells", path="raw.xlsx").structured_content["rows"] == [
        ["name", "key"],
        ["Zoë", "ff0010"],
    ]
