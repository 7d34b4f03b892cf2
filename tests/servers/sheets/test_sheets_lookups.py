"""Lookups: what they give is what Excel gives, whatever else stands in the columns, and they are computed fast."""

import time
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import Call
from support.scale import count_tries

from yardkit.servers.sheets.engine.compute.calculator import Calculator
from yardkit.servers.sheets.engine.compute.engine_formulas import engine_form
from yardkit.servers.sheets.engine.compute.libreoffice_values import OfficeBook
from yardkit.servers.sheets.engine.compute.lookups import Lookup, Sheets
from yardkit.servers.sheets.engine.notation.references import Cell

# Rates has a header and ends long before the ranges that formulas name; Gaps has an empty row; Across lies on its side.
RATES = [["From", "Rate"], [0, 0.1], [100, 0.2], [100, 0.25], [500, 0.3]]
ACROSS = [["from", 2, 6, 8], ["to", "two", "six", "eight"]]
GAPS = [[10, "a"], [None, None], [20, "b"], [30, "c"]]
KNOWN = {
    "=VLOOKUP(250,Rates!A:B,2)": 0.25,
    "=VLOOKUP(250,Rates!$A$2:$B$1000,2,TRUE)": 0.25,
    "=VLOOKUP(-1,Rates!A:B,2)": "#N/A",
    "=VLOOKUP(9999,Rates!A:B,2,1)": 0.3,
    '=VLOOKUP("x",Rates!A2:B50,2)': "#N/A",
    "=VLOOKUP(250,Brackets,2)": 0.25,
    "=VLOOKUP(250,Brackets,2,1=2)": "#N/A",
    "=VLOOKUP(100,Brackets,2,)": 0.2,
    "=MATCH(500,Rates!A:A)": 5,
    "=MATCH(499,Rates!A1:A1000,1)": 4,
    "=LOOKUP(120,Rates!A:A,Rates!B:B)": 0.25,
    "=LOOKUP(120,Rates!A1:B900)": 0.25,
    "=LOOKUP(120,Steps[From],Steps[Rate])": 0.25,
    "=INDEX(Rates!B:B,MATCH(120,Rates!A:A,1))": 0.25,
    "=XLOOKUP(99,Rates!A:A,Rates!B:B,,-1)": 0.1,
    '=XLOOKUP(-5,Rates!A:A,Rates!B:B,"none",-1)': "none",
    "=XLOOKUP(101,Rates!A:A,Rates!B:B,,1)": 0.3,
    "=XMATCH(101,Rates!A:A,1)": 5,
    "=HLOOKUP(7,Across!A1:Z2,2)": "six",
    "=HLOOKUP(6,Across!1:2,2,FALSE)": "six",
    "=MATCH(7,Across!1:1)": 3,
    # An empty key finds no empty cell, and neither does 0.
    "=VLOOKUP(Z99,Gaps!A:B,2,FALSE)": "#N/A",
    '=IFERROR(VLOOKUP(Z99,Gaps!A1:B50,2,0),"none")': "none",
    "=VLOOKUP(0,Gaps!A:B,2,FALSE)": "#N/A",
    '=XLOOKUP(0,Gaps!A:A,Gaps!B:B,"none")': "none",
    '=XLOOKUP(FALSE,Gaps!A:A,Gaps!B:B,"none")': "none",
    '=IFNA(HLOOKUP(0,Across!A1:Z2,2,FALSE),"none")': "none",
    # With gaps in the column, or a lookup in what was computed, LibreOffice is asked.
    "=VLOOKUP(25,Gaps!A:B,2)": "b",
    "=LOOKUP(2,1/(Gaps!A1:A4<25),Gaps!B1:B4)": "b",
    "=LOOKUP(1E+300,Gaps!A:A)": 30,
    "=MATCH(25,OFFSET(Gaps!A1,0,0,4,1))": 3,
    "=ROW(INDEX(Gaps!A1:A4,3))": 3,
    "=SUM(Gaps!A1:INDEX(Gaps!A1:A4,3))": 30,
    # Whole columns.
    "=MAX(Rates!A:A)-COUNT(Gaps!A1:A90000)": 497,
    "=SUMPRODUCT(Rates!A:A,Rates!B:B)": 195,
    "=MEDIAN(Gaps!A:A)": 20,
}


@pytest.fixture
def book(files: Path) -> Any:
    workbook = openpyxl.Workbook()
    workbook.active.title = "F"
    for name, rows in (("Rates", RATES), ("Gaps", GAPS), ("Across", ACROSS)):
        sheet = workbook.create_sheet(name)
        for row in rows:
            sheet.append(row)
    workbook["Rates"].add_table(openpyxl.worksheet.table.Table(displayName="Steps", ref="A1:B5"))
    workbook.defined_names["Brackets"] = openpyxl.workbook.defined_name.DefinedName("Brackets", attr_text="Rates!$A:$B")
    workbook.save(files / "a.xlsx")
    return files / "a.xlsx"


def write_rows(call: Any, place: Any, *rows: Any) -> Any:
    sheet, first = place.split("!")
    operations = [{"op": "write", "sheet": sheet, "range": first, "values": [list(row) for row in rows]}]
    answer = call("edit_workbook", path="a.xlsx", edits=operations)
    assert not answer.is_error, answer.content
    return answer.structured_content


def read_column(path: Any, sheet: str = "F", number: int = 1) -> Any:
    return [row[number - 1].value for row in openpyxl.load_workbook(path, data_only=True)[sheet].iter_rows()]


def test_lookups_give_what_excel_gives(book: Any, call: Call) -> None:
    write_rows(call, "F!A1", *([formula] for formula in KNOWN))
    results = dict(zip(KNOWN, read_column(book), strict=True))
    assert {formula: results[formula] for formula in KNOWN if results[formula] != pytest.approx(KNOWN[formula])} == {}


def test_a_lookup_follows_rows_that_come_below_and_cells_that_change(book: Any, call: Call) -> None:
    write_rows(
        call, "F!A1", ["=VLOOKUP(7000,Rates!A:B,2)"], ["=MATCH(1E+9,Rates!A:A)"], ["=A1*2"], ["=COUNT(Rates!A:A)"]
    )
    write_rows(call, "Rates!A6", [1000, 0.4])
    assert read_column(book) == [0.4, 6, 0.8, 5]


@pytest.mark.drill
def test_a_lookup_follows_rows_that_come_below_a_gap_or_out_of_order(book: Any, call: Call) -> None:
    write_rows(
        call, "F!A1", ["=VLOOKUP(7000,Rates!A:B,2)"], ["=MATCH(1E+9,Rates!A:A)"], ["=A1*2"], ["=COUNT(Rates!A:A)"]
    )
    write_rows(call, "Rates!A6", [1000, 0.4])
    write_rows(call, "Rates!A5000", [6000, 0.5])  # LibreOffice is asked
    assert read_column(book) == [0.5, 5000, 1, 6]
    write_rows(call, "Rates!A5000", [None, None])
    write_rows(call, "Rates!A3", [None])
    write_rows(call, "Rates!A4", [5000])  # no longer in order, as Excel and LibreOffice halve the column
    write_rows(call, "Rates!A3", [50])
    write_rows(call, "Rates!A4", [100])
    assert read_column(book) == [0.4, 6, 0.8, 5]


@pytest.mark.drill
def test_a_lookup_in_what_other_lookups_find_is_up_to_date(book: Any, call: Call) -> None:
    write_rows(call, "F!A1", *([f"=VLOOKUP({number},Rates!A:B,1)"] for number in (5, 120, 700)))
    write_rows(call, "F!B1", ["=MATCH(120,A1:A99)"], ["=LOOKUP(99,A:A)"])
    assert read_column(book, number=2)[:2] == [2, 0]
    write_rows(call, "Rates!A3", [90], [110])
    assert read_column(book) == [0, 110, 500]
    assert read_column(book, number=2)[:2] == [2, 0]
    write_rows(call, "Rates!A2", [2])
    assert read_column(book, number=2)[:2] == [2, 2]


def test_a_value_that_would_need_a_lookup_the_engine_cannot_do_is_not_given(
    book: Any, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OfficeBook, "values", lambda *_: {})  # as without LibreOffice
    answer = write_rows(call, "F!A1", ["=VLOOKUP(25,Gaps!A:B,2)"], ["=A1&A1"])
    assert read_column(book) == [None, None]
    assert "empty in between or not in order" in answer["unknown"][0]["reason"]


@pytest.mark.drill
def test_lookups_in_whole_columns_take_no_longer_than_in_what_they_hold(files: Path, call: Call) -> None:
    workbook = openpyxl.Workbook()
    workbook.active.title = "F"
    items = workbook.create_sheet("Items")
    for number in range(1, 1001):
        items.append([f"AK-{number}", number])
        workbook.active.append([f"AK-{number}", f"=VLOOKUP(A{number},Items!A:B,2,FALSE)", "=MAX(Items!B$1:B$900000)"])
        workbook.active.cell(number, 4).value = f"=LOOKUP({number},Items!B:B)"
    workbook.save(files / "a.xlsx")
    started = time.process_time()
    write_rows(call, "Items!B1000", [7000])
    write_rows(call, "Items!A2000", ["AK-1", 9])
    took = time.process_time() - started
    assert read_column(files / "a.xlsx", number=2) == [*range(1, 1000), 7000]
    assert set(read_column(files / "a.xlsx", number=3)) == {7000}
    assert took < 20  # the engine alone would take some ten minutes


VALUES = st.none() | st.integers(-3, 9) | st.booleans() | st.sampled_from(["ant", "Bee", "cat", "dog"])
COLUMNS = st.one_of(
    st.lists(VALUES, max_size=8),
    st.lists(st.integers(-3, 9), min_size=1, max_size=8).map(sorted),
    st.lists(st.integers(-3, 9), min_size=1, max_size=8).map(lambda numbers: ["From", *sorted(numbers)]),
    st.lists(st.sampled_from(["ant", "Bee", "cat", "dog"]), min_size=1, max_size=5).map(
        lambda texts: sorted(texts, key=str.casefold)
    ),
)
CALLS = {
    "MATCH({v},S!A1:A20)": (1, 1),
    "MATCH({v},S!A:A,0)": (0, 1),
    "XMATCH({v},S!A:A)": (0, 1),
    "XMATCH({v},S!A:A,0,-1)": (0, -1),
    "XMATCH({v},S!A:A,-1)": (-1, 1),
    "XMATCH({v},S!A1:A20,1,-1)": (2, -1),
    "IFNA(XLOOKUP({v},S!A:A,S!B:B,,-1),99)": (-1, 1),
    "VLOOKUP({v},S!A:B,2,FALSE)": (0, 1),
    "VLOOKUP({v},S!$A$1:$B$40,2)": (1, 1),
    "LOOKUP({v},S!A:A,S!B:B)": (1, 1),
}


def to_sort_key(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def find_lookup_position(value: Any, cells: Any, how: Any, way: Any) -> Any:
    """Where a lookup ends: 0 exact, 1 the last that is not larger, -1 and 2 the nearest of the smaller and larger."""
    same = [(number, to_sort_key(cell)) for number, cell in enumerate(cells, 1) if type(cell) is type(value)]
    if how == 1:
        return max((number for number, key in same if key <= to_sort_key(value)), default=None)
    for number, sort_key in same[::way]:
        if sort_key == to_sort_key(value):
            return number
    near = (
        [key for _, key in same if (key < to_sort_key(value) if how == -1 else key > to_sort_key(value))] if how else []
    )
    nearest = (max if how == -1 else min)(near) if near else None
    return next((number for number, key in same[::way] if near and key == nearest), None)


@pytest.fixture(scope="module")
def two_sheets(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A workbook of two empty sheets."""
    path = tmp_path_factory.mktemp("sheets") / "a.xlsx"
    book = openpyxl.Workbook()
    book.active.title = "S"
    book.create_sheet()
    book.save(path)
    return path


@settings(max_examples=count_tries(150, 30), deadline=None)
@given(cells=COLUMNS, value=st.integers(-4, 10) | st.booleans() | st.sampled_from(["ant", "bat", "BEE", "zebra"]))
def test_a_lookup_that_the_engine_is_asked_for_ends_where_it_should(two_sheets: Any, cells: Any, value: Any) -> None:
    engine = Calculator(two_sheets)
    for number, cell in enumerate(cells, 1):
        if cell is not None:
            engine.put(0, number, 1, str(cell))
    for number in range(1, 41):
        engine.put(0, number, 2, str(number))
    sheets = Sheets(engine, {"s": 0}, {}, {})
    lookups = [Lookup(sheets, "S", Cell(1, 1)) for _ in CALLS]
    literal = f'"{value}"' if isinstance(value, str) else str(value).upper()
    for number, (call, lookup) in enumerate(zip(CALLS, lookups, strict=True), 1):
        engine.put(1, number, 1, engine_form(f"={call.format(v=literal)}", lookup))
    engine.evaluate()
    for number, (call, lookup) in enumerate(zip(CALLS, lookups, strict=True), 1):
        result = engine.value(1, number, 1)
        if not lookup.doubt and result != "#N/IMPL!":
            missing_value = 99 if call.startswith("IFNA") else "#N/A"
            assert result == (find_lookup_position(value, cells, *CALLS[call]) or missing_value), call
