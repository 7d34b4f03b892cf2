"""Whatever sequence of edits made a workbook, its stored values are those of its formulas."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.answers import Call
from support.scale import count_tries

PLACES = st.builds("{}{}".format, st.sampled_from("ABCD"), st.integers(1, 6))
FORMULAS = st.one_of(
    st.builds("={}*2".format, PLACES),
    st.builds("=SUM(A1:{})".format, PLACES),
    st.builds('=IF({}>2,"big",0)'.format, PLACES),
    st.builds("=IFERROR({}/0,{})".format, PLACES, PLACES),
    st.builds("=Other!A1+{}".format, PLACES),
    st.sampled_from(["=1+1", '=COUNTIF(A1:D6,">1")', "=VLOOKUP(2,A1:D6,2,FALSE)"]),
)
VALUES = st.one_of(st.sampled_from([0, 1, 2, 5, -3, 2.5, "x", "text", None]), FORMULAS)
LINES = st.integers(1, 6).map("{0}:{0}".format)
OPERATIONS = st.one_of(
    st.fixed_dictionaries(
        {"op": st.just("write"), "range": PLACES, "values": st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=2)}
    ),
    st.fixed_dictionaries({"op": st.sampled_from(["insert_rows", "delete_rows"]), "range": LINES}),
    st.fixed_dictionaries({"op": st.sampled_from(["insert_columns", "delete_columns"]), "range": st.just("B:B")}),
    st.fixed_dictionaries({"op": st.just("clear"), "range": PLACES}),
    st.fixed_dictionaries({"op": st.sampled_from(["move", "copy"]), "range": PLACES, "to": PLACES}),
)


def read_values(path: Any) -> Any:
    book = openpyxl.load_workbook(path, data_only=True)
    cells = ((sheet, cell) for sheet in book if sheet.title != "New" for row in sheet for cell in row)
    return {f"{sheet.title}!{cell.coordinate}": cell.value for sheet, cell in cells if cell.value is not None}


@pytest.mark.drill
@settings(max_examples=count_tries(60, 20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(*[VALUES] * 4), min_size=6, max_size=6),
    steps=st.lists(OPERATIONS, min_size=1, max_size=6),
    twice=st.booleans(),
)
def test_stored_values_are_those_of_a_fresh_calculation(
    files: Path, call: Call, rows: Any, steps: Any, twice: Any
) -> None:
    for name in ("a.xlsx", "fresh.xlsx"):
        (files / name).unlink(missing_ok=True)
    call("write_cells", path="a.xlsx", sheet="Own", rows=[list(row) for row in rows])
    call("write_cells", path="a.xlsx", sheet="Other", rows=[[3, "=Own!B2"]])
    for step in steps:
        for _ in range(1 + twice * (step["op"] == "write")):
            call("edit_workbook", path="a.xlsx", edits=[{**step, "sheet": "Own"}])
    stored_values = read_values(files / "a.xlsx")
    openpyxl.load_workbook(files / "a.xlsx").save(files / "fresh.xlsx")  # which keeps formulas without their values
    assert not call("write_cells", path="fresh.xlsx", sheet="New", rows=[[1]]).is_error
    assert stored_values == read_values(files / "fresh.xlsx")
