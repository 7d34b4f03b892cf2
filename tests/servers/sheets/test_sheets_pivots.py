"""Pivot tables: real ones, whose values stand in the cells and agree with a plain sum over the source."""

import json
import subprocess
from pathlib import Path
from typing import Any

import openpyxl
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import books
from support.answers import Call
from support.scale import count_tries

from yardkit.kit.pages import libreoffice

ROWS = [
    ["Region", "Product", "Day", "Qty", "Sales"],
    ["North", "Pen", "2026-01-05", 3, 10.5],
    ["South", "Ink", "2026-01-05", 1, 20],
    ["North", "Ink", "2026-02-01", 2, 30],
    ["north", "Pen", "2026-02-01", 5, 5],
    ["South", "Pen", "2026-02-07", None, 7],
]


@pytest.fixture
def sales(files: Path, call: Call) -> Any:
    call("write_cells", path="s.xlsx", rows=ROWS, sheet="Data")
    return files / "s.xlsx"


def read_answer(result: Any) -> Any:
    assert not result.is_error, result.content[0].text
    return json.loads(result.content[0].text)


def read_table(path: Any, sheet: Any, area: Any) -> Any:
    return [[cell.value for cell in row] for row in books.open_book(path, data_only=True)[sheet][area]]


def set_pivot(call: Any, **arguments: Any) -> Any:
    return read_answer(call("set_pivot", path="s.xlsx", data="Data!A1:E6", sheet="Report", **arguments))["objects"][0]


def test_sums_by_rows_and_columns_stand_in_the_cells(sales: Any, call: Call) -> None:
    pivot = set_pivot(call, rows=["Region"], columns=["Product"], values=[{"field": "Sales"}])
    assert pivot["range"] == "A3:D7"
    assert read_table(sales, "Report", "A3:D7") == [
        ["Sum of Sales", "Product", None, None],
        ["Region", "Ink", "Pen", "Grand Total"],
        ["North", 30, 15.5, 45.5],
        ["South", 20, 7, 27],
        ["Grand Total", 50, 22.5, 72.5],
    ]


def test_several_values_and_functions_stand_side_by_side(sales: Any, call: Call) -> None:
    values = [{"field": "Sales", "function": name} for name in ("average", "min", "max")]
    set_pivot(call, rows=["Product", "Region"], values=[{"field": "Qty", "function": "count", "name": "N"}, *values])
    assert read_table(sales, "Report", "A3:F8") == [
        ["Product", "Region", "N", "Average of Sales", "Min of Sales", "Max of Sales"],
        ["Ink", "North", 1, 30, 30, 30],
        [None, "South", 1, 20, 20, 20],
        ["Pen", "North", 2, 7.75, 5, 10.5],
        [None, "South", 0, 7, 7, 7],
        ["Grand Total", None, 4, 14.5, 5, 30],
    ]


def test_a_filter_keeps_only_its_items(sales: Any, call: Call) -> None:
    pivot = set_pivot(call, rows=["Region"], values=[{"field": "Sales"}], filters={"Product": ["Pen"]})
    assert pivot["filters"] == {"Product": ["Pen"]}
    assert read_table(sales, "Report", "A3:B8") == [
        ["Product", "Pen"],
        [None, None],
        ["Region", "Sum of Sales"],
        ["North", 15.5],
        ["South", 7],
        ["Grand Total", 22.5],
    ]


def test_another_library_finds_a_pivot_table_with_its_cache(sales: Any, call: Call) -> None:
    set_pivot(call, rows=["Region"], columns=["Product"], values=[{"field": "Sales"}], pivot="Sales by region")
    (pivot,) = openpyxl.load_workbook(sales)["Report"]._pivots
    assert pivot.name == "Sales by region"
    assert pivot.location.ref == "A3:D7"
    assert pivot.cache.cacheSource.worksheetSource.ref == "A1:E6"
    assert [field.name for field in pivot.cache.cacheFields] == ROWS[0]
    assert len(pivot.cache.records.r) == 5


def test_libreoffice_computes_the_same_pivot_table(sales: Any, call: Call, tmp_path: Path) -> None:
    set_pivot(call, rows=["Region"], values=[{"field": "Sales"}, {"field": "Qty", "function": "max"}])
    target = tmp_path / "out"
    command = ["soffice", f"-env:UserInstallation=file://{tmp_path}/lo", "--headless", "--convert-to", "xlsx"]
    subprocess.run([*command, "--outdir", str(target), str(sales)], check=True, timeout=240, capture_output=True)
    book = books.open_book(target / "s.xlsx", data_only=True)
    values = {row[0].value: [cell.value for cell in row[1:3]] for row in book["Report"]["A3:C9"] if row[0].value}
    assert values["North"] == [45.5, 5]
    assert values["South"] == [27, 1]
    assert len(book["Report"]._pivots) == 1


def test_only_the_new_parts_and_their_links_are_written(files: Path, call: Call, rich: Path) -> None:
    before = books.read_parts(rich)
    arguments = {"data": "Data!A1:C4", "rows": ["Month"], "values": [{"field": "Sales"}]}
    read_answer(call("set_pivot", path="rich.xlsx", sheet="Report", **arguments))
    after = books.read_parts(rich)
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml"}


def test_refreshing_takes_the_source_as_it_is_now(sales: Any, call: Call) -> None:
    set_pivot(call, rows=["Region"], columns=["Product"], values=[{"field": "Sales"}])
    call("write_cells", path="s.xlsx", sheet="Data", start_cell="A2", rows=[["West", "Pad", "2026-03-01", 1, 100]])
    pivot = read_answer(call("set_pivot", path="s.xlsx", action="refresh"))["objects"][0]
    assert pivot["range"] == "A3:E8"
    assert read_table(sales, "Report", "A4:E8")[3] == ["West", None, 100, None, 100]
    assert read_table(sales, "Report", "A4:E8")[4] == ["Grand Total", 50, 100, 12, 162]


def test_a_formula_that_reads_the_pivot_table_follows_it(sales: Any, call: Call) -> None:
    set_pivot(call, rows=["Region"], values=[{"field": "Sales"}])
    call("write_cells", path="s.xlsx", sheet="Data", start_cell="H1", rows=[["=SUM(Report!B4:B5)*2"]])
    call("write_cells", path="s.xlsx", sheet="Data", start_cell="E2", rows=[[110.5]])
    read_answer(call("set_pivot", path="s.xlsx", action="refresh"))
    assert books.open_book(sales, data_only=True)["Data"]["H1"].value == 345


def test_deleting_takes_out_cells_parts_and_cache(sales: Any, call: Call) -> None:
    call("change_sheets", path="s.xlsx", action="add", sheet="Report")
    set_pivot(call, rows=["Region"], values=[{"field": "Sales"}])
    read_answer(call("set_pivot", path="s.xlsx", action="delete"))
    after = books.read_parts(sales)
    assert [name for name in after if "pivot" in name] == []
    assert b"pivot" not in after["xl/workbook.xml"] + after["[Content_Types].xml"]
    assert all(cell.value is None for row in books.open_book(sales)["Report"].iter_rows() for cell in row)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"rows": ["Nope"], "values": [{"field": "Sales"}]}, "no field 'Nope'"),
        ({"rows": ["Region"]}, "at least one field"),
        ({"rows": ["Region"], "columns": ["Region"], "values": [{"field": "Sales"}]}, "used twice"),
        ({"rows": ["Region"], "values": [{"field": "Sales"}], "filters": {"Product": ["Gum"]}}, "no item 'Gum'"),
        ({"rows": ["Region"], "values": [{"field": "Sales", "name": "Qty"}]}, "already a field"),
        ({"rows": ["Region"], "values": [{"field": "Sales"}], "sheet": "Data", "at": "A4"}, "filled"),
        ({"rows": ["Region"], "values": [{"field": "Sales"}], "data": "Data!F1:G3"}, "no name"),
    ],
)
def test_what_makes_no_pivot_table_is_refused_and_nothing_is_saved(
    sales: Any, call: Call, arguments: dict[str, Any], word: str
) -> None:
    before = sales.read_bytes()
    refused = call("set_pivot", path="s.xlsx", **({"data": "Data!A1:E6", "sheet": "Report"} | arguments))
    assert refused.is_error
    assert word in refused.content[0].text
    assert sales.read_bytes() == before


@settings(max_examples=count_tries(12, 6))
@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.sampled_from(["x", "y"]), st.integers(-99, 99)), min_size=1)
)
def test_the_grand_total_and_each_cell_agree_with_a_plain_sum(files: Path, call: Call, records: Any) -> None:
    path = files / "law.xlsx"
    path.unlink(missing_ok=True)
    call("write_cells", path="law.xlsx", rows=[["K", "L", "V"], *map(list, records)], sheet="Data")
    arguments = {"data": f"Data!A1:C{len(records) + 1}", "rows": ["K"], "columns": ["L"], "values": [{"field": "V"}]}
    pivot = read_answer(call("set_pivot", path="law.xlsx", sheet="P", at="A1", **arguments))["objects"][0]
    _, head, *body, total = read_table(path, "P", pivot["range"])
    for row in body:
        for name, value in list(zip(head, row, strict=True))[1:-1]:
            members = [number for key, other, number in records if (key, other) == (row[0], name)]
            assert (value or 0) == sum(members)
    assert total[-1] == sum(number for _, _, number in records)


def test_a_second_pivot_table_on_a_sheet_makes_room_for_its_labels_too(sales: Any, call: Call) -> None:
    set_pivot(call, rows=["Region"], values=[{"field": "Sales"}])
    values = [{"field": "Qty", "function": "average", "name": "A rather long heading"}]
    set_pivot(call, at="F3", rows=["Product"], columns=["Region"], values=values)
    columns = books.open_book(sales)["Report"].column_dimensions
    assert columns["B"].width == len("Sum of Sales") + 2
    assert columns["F"].width == len("A rather long heading") + 2


def test_a_pivot_table_follows_the_new_names_of_its_sheet_and_its_table(sales: Any, call: Call) -> None:
    set_pivot(call, rows=["Region"], values=[{"field": "Sales"}])
    read_answer(call("change_sheets", path="s.xlsx", action="rename", sheet="Data", name="Raw data"))
    call("write_cells", path="s.xlsx", sheet="Raw data", start_cell="E2", rows=[[110.5]])
    pivot = read_answer(call("set_pivot", path="s.xlsx", action="refresh"))["objects"][0]
    assert pivot["source"] == "'Raw data'!A1:E6"
    assert read_table(sales, "Report", "A4:B4") == [["North", 145.5]]
    call("set_pivot", path="s.xlsx", action="delete")
    call("set_table", path="s.xlsx", sheet="Raw data", range="A1:E6", name="Plan")
    read_answer(call("set_pivot", path="s.xlsx", data="Plan", rows=["Region"], values=[{"field": "Qty"}]))
    read_answer(call("set_table", path="s.xlsx", action="change", table="Plan", name="Orders"))
    assert read_answer(call("set_pivot", path="s.xlsx", action="refresh"))["objects"][0]["source"] == "Orders"


def test_libreoffice_has_room_for_totals_which_it_shows_in_the_number_format_of_their_source(
    sales: Any, call: Call
) -> None:
    sums = [[1234.5], [2500], [3000], [4000], [9000]]
    read_answer(call("write_cells", path="s.xlsx", sheet="Data", start_cell="E2", rows=sums))
    read_answer(call("format_cells", path="s.xlsx", sheet="Data", range="E2:E6", number_format='#,##0.00 "EUR"'))
    set_pivot(call, rows=["Region"], values=[{"field": "Sales", "name": "Sum", "number_format": "#,##0.00"}])
    document = pypdfium2.PdfDocument(libreoffice.pdf_pages(sales, 1, 2))
    page_text = " ".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    assert "19,734.50 EUR" in page_text
    assert "#" not in page_text
