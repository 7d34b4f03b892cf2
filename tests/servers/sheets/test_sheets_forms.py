"""The form of a formula for the engine is the one for its own cells, though it is kept for others of its shape."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName
from support.answers import Call

TEXTS = [["Ref 5 Jan 2024", "Ref 7 Feb 2024", "Ref (5)"], ["1", "May", "June"]]
READ_IN_TEXTS = {
    "=VALUE(MID(A1,5,11))": 45296,
    "=VALUE(MID(B1,5,11))": 45329,
    "=VALUE(MID(C1,5,6))": -5,
    '=MONTH(DATEVALUE(B2&" 1, 2024"))': 5,
    '=MONTH(DATEVALUE(C2&" 1, 2024"))': 6,
}


def read_column(path: Any, letter: Any) -> Any:
    return [cell.value for cell in openpyxl.load_workbook(path, data_only=True).worksheets[0][letter]]


def test_texts_that_functions_cut_out_are_read_in_each_formula_of_a_shape(files: Path, call: Call) -> None:
    call("write_cells", path="texts.xlsx", rows=TEXTS)
    call("write_cells", path="texts.xlsx", start_cell="E1", rows=[[text] for text in READ_IN_TEXTS])
    assert dict(zip(READ_IN_TEXTS, read_column(files / "texts.xlsx", "E"), strict=True)) == READ_IN_TEXTS
    call("write_cells", path="texts.xlsx", rows=[["Ref 6 Jan 2024", "Ref 8 Feb 2024"]])
    assert read_column(files / "texts.xlsx", "E")[:2] == [45297, 45330]


def test_names_that_look_like_cells_beyond_the_last_column_keep_their_own_meaning(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    for row in range(1, 4):
        book.active.append([row])
    book.defined_names["YTD2025"] = DefinedName("YTD2025", attr_text="Sheet!$A$1:$A$2")
    book.defined_names["YTD2026"] = DefinedName("YTD2026", attr_text="RAND()")
    book.save(files / "names.xlsx")
    rows = [["=SUM(YTD2025)/8"], ["=SUM(YTD2026)/8"]]
    reply = call("write_cells", path="names.xlsx", start_cell="C1", rows=rows).structured_content
    assert read_column(files / "names.xlsx", "C")[:2] == [0.375, None]
    assert "another value" in reply["unknown"][0]["reason"]


def test_what_a_filter_hides_is_seen_in_each_formula_of_a_shape(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    for row in (["Key", "Amount"], ["a", 1], ["b", 2], ["a", 3]):
        book.active.append(row)
    book.active.auto_filter.ref = "A1:B4"
    book.active.auto_filter.add_filter_column(0, ["a"])
    book.active.row_dimensions[3].hidden = True
    book.save(files / "filter.xlsx")
    rows = [["=SUBTOTAL(3,D1)+0"], *([f"=SUBTOTAL(3,A{row})+0"] for row in (2, 3, 4))]
    call("write_cells", path="filter.xlsx", start_cell="F1", rows=rows)
    assert read_column(files / "filter.xlsx", "F") == [0, 1, 0, 1]


def test_a_lambda_may_give_texts_and_truth_values_step_by_step(files: Path, call: Call) -> None:
    steps = {
        '=REDUCE("",A1:A2,LAMBDA(a,b,a&b))': "57",
        "=REDUCE(TRUE,A1:A2,LAMBDA(a,b,AND(a,b>1)))": True,
        '=LEN(REDUCE("",A1:A2,LAMBDA(a,b,a&b&"x")))': 4,
        '=TEXTJOIN(",",TRUE,REDUCE("h",{1,2},LAMBDA(a,b,VSTACK(a,b))))': "h,1,2",
        "=REDUCE(1,A1:A2,LAMBDA(a,b,a*b))": 35,
    }
    call("write_cells", path="steps.xlsx", rows=[[5], [7]])
    call("write_cells", path="steps.xlsx", start_cell="C1", rows=[[step] for step in steps])
    assert dict(zip(steps, read_column(files / "steps.xlsx", "C"), strict=True)) == steps


def test_names_that_stand_for_formulas_are_as_careful_as_formulas(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    names = {"Monthly": "(1+0.05)^(1/12)-1", "Twice": "LAMBDA(x,x*2)", "Joined": '("a"&"b")="ab"'}
    for name, text in names.items():
        book.defined_names[name] = DefinedName(name, attr_text=text)
    book.save(files / "named.xlsx")
    rows = [["=Monthly*12"], ["=Twice(3)"], ["=Joined"]]
    call("write_cells", path="named.xlsx", start_cell="C1", rows=rows)
    assert read_column(files / "named.xlsx", "C") == [pytest.approx(0.048889485), None, True]
