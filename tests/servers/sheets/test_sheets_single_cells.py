"""A single cell is a range of one for every function that looks in ranges, however it is referred to.

The values follow from what the functions give over longer ranges.
"""

from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from support.answers import Call

KNOWN = {
    '=COUNTIF(A1,"*corp*")': 1,
    '=COUNTIF($A$1,"*x*")': 0,
    "=COUNTIF('My Data'!A1,\"*corp*\")": 1,
    '=COUNTIF((A1),"acme*")': 1,
    '=COUNTIF(Solo,"acme*")': 1,
    '=COUNTIF(A1,"<>acme")': 1,
    '=COUNTIF(A9,"")': 1,
    '=IF(COUNTIF(A1,"*corp*")>0,"yes","no")': "yes",
    '=SUM(COUNTIF(A1,{"*corp*","*acme*"}))': 2,
    '=SUMIF(A1,"acme*",B1)': 5,
    '=SUMIFS(B1,A1,"acme*",C1,"x")': 5,
    '=COUNTIFS(A1,"acme*",B1,5)': 1,
    '=AVERAGEIF(A1,"acme*",B1)': 5,
    '=AVERAGEIFS(B1,A1,"acme*")': 5,
    '=MAXIFS(B1,A1,"acme*")': 5,
    '=MINIFS(B1,A1,"acme*")': 5,
    '=MATCH("acme corp",A1,0)': 1,
    "=XMATCH(5,B1)": 1,
    '=INDEX(A1,1)&"!"': "acme corp!",
    "=INDEX(A1,1,1)": "acme corp",
    '=VLOOKUP("acme*",A1,1,FALSE)': "acme corp",
    '=VLOOKUP("acme*",A1:C1,3,FALSE)': "x",
    '=VLOOKUP("acme corp",A1:C1,2)': 5,
    '=IFERROR(VLOOKUP("x",A1:C1,2,TRUE),"none")': 5,
    "=HLOOKUP(5,B1,1,FALSE)": 5,
    "=HLOOKUP(5,B1:B2,2,FALSE)": 7,
    '=XLOOKUP("acme corp",A1,B1)': 5,
    "=LOOKUP(6,B1,A1)": "acme corp",
    "=SMALL(B1,1)": 5,
    "=LARGE(B1,1)": 5,
    "=RANK(5,B1)": 1,
    '=COUNTIF(INDEX(A1:C2,0,1),"acme*")': 1,
    '=COUNTIF(INDEX(A1:C2,1,1),"acme*")': 1,
}  # fmt: skip


@pytest.fixture
def book(files: Path) -> None:
    with xlsxwriter.Workbook(files / "a.xlsx") as workbook:
        sheet = workbook.add_worksheet("My Data")
        sheet.write_row(0, 0, ["acme corp", 5, "x"])
        sheet.write_row(1, 1, [7])
        workbook.define_name("Solo", "='My Data'!$A$1")
        formula = '=COUNTIF(T[@Name],"*b*")+SUMIF(T[@Name],"*b*",T[@Qty])'
        columns = [{"header": "Name"}, {"header": "Qty"}, {"header": "Has", "formula": formula}]
        sheet.add_table("A4:C6", {"name": "T", "columns": columns, "data": [["abc", 1], ["xyz", 2]]})


def test_a_single_cell_counts_as_a_range_of_one(call: Call, book: Any) -> None:
    rows = [[formula] for formula in KNOWN]
    answer = call("write_cells", path="a.xlsx", start_cell="H1", rows=rows)
    assert not answer.is_error, answer.content[0].text
    read = call("read_cells", path="a.xlsx", range=f"H1:H{len(rows)}", limit=len(rows)).structured_content
    assert dict(zip(KNOWN, (row[0] for row in read["rows"]), strict=True)) == KNOWN


def test_a_cell_of_the_same_row_of_a_table_counts_as_a_range_of_one(call: Call, book: Any) -> None:
    call("write_cells", path="a.xlsx", start_cell="B5", rows=[[10]])
    assert call("read_cells", path="a.xlsx", range="C5:C6").structured_content["rows"] == [[11], [0]]
