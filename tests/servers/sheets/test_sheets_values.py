"""What is written is what is read."""

import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import books
from support.answers import Call

from yardkit.servers.sheets import engine

NOW = datetime.datetime(2026, 3, 16, 9, tzinfo=datetime.UTC)

MORNING = datetime.datetime.fromisoformat("1900-01-01")

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
numbers = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
dates = st.dates(datetime.date(1900, 1, 1), datetime.date(9999, 12, 31)).map(lambda day: day.isoformat())
moments = st.datetimes(MORNING.replace(year=1900), MORNING.replace(year=9999)).map(
    lambda moment: moment.replace(microsecond=0).isoformat()
)
scalars = st.none() | st.booleans() | numbers | texts | dates | moments
tables = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(scalars, min_size=width, max_size=width), min_size=1, max_size=6)
)


def as_text(value: Any) -> Any:
    """Text as a caller writes it when it must stay text."""
    is_date = isinstance(value, str) and len(value) >= 10 and value[4:5] == "-" and value[:4].isdigit()
    return "'" + value if isinstance(value, str) and not is_date else value


@settings(max_examples=60)
@given(rows=tables)
def test_what_is_written_is_read_back_with_the_same_values(tmp_path_factory: pytest.TempPathFactory, rows: Any) -> None:
    path = tmp_path_factory.mktemp("law") / "law.xlsx"
    written = [[as_text(value) for value in row] for row in rows]
    engine.write_cells(path, None, "B2", written, now=NOW)
    width = max(len(row) for row in rows)
    area = f"B2:{chr(65 + width)}{len(rows) + 1}"
    read = engine.read_cells(path, None, area, limit=100).rows
    assert normalize_rows(read) == normalize_rows(rows)
    assert [[type(v) is bool for v in row] for row in read] == [[type(v) is bool for v in row] for row in rows]


def normalize_rows(rows: Any) -> Any:
    """Midnight may be told as a date: a cell does not know the difference."""
    return [[v.removesuffix("T00:00:00") if isinstance(v, str) else v for v in row] for row in rows]


@settings(max_examples=25)
@given(
    rows=st.lists(st.lists(st.integers(-99, 99) | st.sampled_from(["x", "y z"]), min_size=3, max_size=3), min_size=1)
)
def test_an_independent_reader_sees_the_same_values(tmp_path_factory: pytest.TempPathFactory, rows: Any) -> None:
    path = tmp_path_factory.mktemp("law") / "law.xlsx"
    engine.write_cells(path, None, "A1", rows, now=NOW)
    sheet = books.open_book(path).active
    assert [list(row) for row in sheet.iter_rows(values_only=True)] == rows


def test_dates_get_a_date_format_and_texts_stay_texts(files: Path, call: Call) -> None:
    rows = [["2026-03-16", "2026-03-16T09:30:00", "'2026-03-16", "007", "'=1+1", "09:30"]]
    call("write_cells", path="a.xlsx", rows=rows)
    sheet = books.open_book(files / "a.xlsx").active
    assert sheet["A1"].value == MORNING.replace(year=2026, month=3, day=16)
    assert sheet["B1"].value == MORNING.replace(year=2026, month=3, day=16, hour=9, minute=30)
    assert [sheet[f"{c}1"].value for c in "CDE"] == ["2026-03-16", "007", "=1+1"]
    assert sheet["F1"].value == datetime.time(9, 30)
    read = call("read_cells", path="a.xlsx").structured_content["rows"]
    assert read == [["2026-03-16", "2026-03-16T09:30:00", "2026-03-16", "007", "=1+1", "09:30:00"]]
    kinds = [d["kind"] for d in call("read_cells", path="a.xlsx", show="details").structured_content["details"]]
    assert kinds == ["date", "date", "text", "text", "text", "date"]


def test_pages_cover_a_long_sheet_without_loss(files: Path, call: Call) -> None:
    rows = [[number, f"row {number}"] for number in range(1, 1001)]
    call("write_cells", path="long.xlsx", rows=rows)
    read_rows, offset = [], 0
    while offset is not None:
        page = call("read_cells", path="long.xlsx", offset=offset, limit=300).structured_content
        assert page["total_rows"] == 1000
        read_rows += page["rows"]
        offset = page.get("next_offset")
    assert read_rows == rows


def test_records_are_keyed_by_the_header(files: Path, call: Call) -> None:
    rows = [["Name", "Name", None, "Born"], ["Ada", "L", 1, "1815-12-10T00:00:00"], [None] * 4, ["Bo", "K", 2, None]]
    call("write_cells", path="r.xlsx", rows=rows)
    answer = call("read_records", path="r.xlsx").structured_content
    assert answer["columns"] == ["Name", "Name (2)", "column 3", "Born"]
    assert [record["Name"] for record in answer["records"]] == ["Ada", "Bo"]


def test_tables_and_names_stand_for_their_ranges(files: Path, call: Call, rich: Path) -> None:
    assert call("read_cells", path="rich.xlsx", range="Goods").structured_content["rows"] == [
        ["x", "y"],
        [1, 2],
        [3, 4],
    ]
    assert call("read_cells", path="rich.xlsx", range="Total").structured_content["rows"] == [[16]]
    assert call("read_cells", path="rich.xlsx", range="'Other''s'!D2").structured_content["rows"] == [["2024-02-29"]]
    assert call("read_cells", path="rich.xlsx", range="A7").structured_content["rows"] == [["plain bold"]]


def test_appending_goes_on_below_with_the_formats_and_grows_the_table(files: Path, call: Call, rich: Path) -> None:
    call("append_rows", path="rich.xlsx", sheet="Other's", rows=[[5, 6]])
    assert books.open_book(rich)["Other's"].tables["Goods"].ref == "A1:B4"
    assert books.open_book(rich, data_only=True)["Other's"]["D1"].value == 12
    call("write_cells", path="b.xlsx", rows=[["v"], [1.5]], number_format="0.00")
    call("append_rows", path="b.xlsx", rows=[[2.5], [3.5]])
    sheet = books.open_book(files / "b.xlsx").active
    assert [sheet[f"A{row}"].value for row in range(1, 5)] == ["v", 1.5, 2.5, 3.5]
    assert sheet["A4"].number_format == "0.00"


def test_null_empties_a_cell_or_keeps_it_as_asked(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[[1, 2, 3]])
    call("write_cells", path="a.xlsx", rows=[[9, None, 7]], keep_where_null=True)
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == [[9, 2, 7]]
    call("write_cells", path="a.xlsx", rows=[[8, None, 6]])
    assert call("read_cells", path="a.xlsx").structured_content["rows"] == [[8, None, 6]]


def test_inspecting_tells_what_is_there(files: Path, call: Call, rich: Path) -> None:
    answer = call("inspect_workbook", path="rich.xlsx")
    data, other = answer.structured_content["sheets"]
    assert (data["used_range"], data["formulas"], data["images"], data["comments"]) == ("A1:D7", 4, 1, 1)
    assert data["charts"] == ["Sales by month (barChart)"]
    assert data["header"] == ["Month", "Sales", "Cost", "Margin"]
    assert data["frozen_at"] == "A2"
    assert other["tables"] == [{"name": "Goods", "range": "A1:B3", "columns": ["x", "y"]}]
    assert {name["name"] for name in answer.structured_content["names"]} == {"Total", "Rate"}


@pytest.mark.parametrize("value", [1e308, -1e-308, 0.1, 123456789.123456789, 2**53 - 1])
def test_numbers_keep_all_their_digits(tmp_path: Path, value: float) -> None:
    engine.write_cells(tmp_path / "n.xlsx", None, "A1", [[value]], now=NOW)
    assert engine.read_cells(tmp_path / "n.xlsx").rows == [[value]]
