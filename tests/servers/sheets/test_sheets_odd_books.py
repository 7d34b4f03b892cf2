"""Workbooks that the calculation engine does not take as they are: each formula has the value that Excel gives it."""

import datetime
import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.table import Table
from support import books
from support.answers import Call
from support.packages import pack_members

from yardkit.servers.sheets.engine.compute.calculator import Calculator, Panic


def drop_elements(path: Any, part: Any, *elements: Any) -> None:
    """The workbook without some elements of a part, or without the part."""
    members = books.read_parts(path)
    if not elements:
        del members[part]
    for element in elements:
        pattern = rf"<{element}\b[^>]*/>|<{element}\b.*?</{element}>".encode()
        members[part] = re.sub(pattern, b"", members[part], flags=re.DOTALL)
    path.write_bytes(pack_members(members))


def map_computed(answer: Any) -> Any:
    """The values by their cells."""
    assert not answer.is_error, answer.content
    return [entry["value"] for entry in answer.structured_content["computed"]]


STYLES = "xl/styles.xml"


@pytest.mark.parametrize(
    "gone",
    [
        (STYLES, "cellStyles"),
        (STYLES, "cellStyles", "cellStyleXfs", "dxfs", "tableStyles"),
        (STYLES, "fonts", "fills", "borders"),
        (STYLES,),
        ("xl/theme/theme1.xml",),
        ("docProps/app.xml",),
    ],
)
def test_a_workbook_that_lacks_parts_without_values_is_computed(files: Path, call: Call, gone: tuple[Any, ...]) -> None:
    book = openpyxl.Workbook()
    book.active.append([1, 2, "=A1+B1", "text"])
    book.active["A1"].number_format = "0.00%"
    book.save(files / "odd.xlsx")
    drop_elements(files / "odd.xlsx", *gone)
    call("write_cells", path="odd.xlsx", rows=[[5]])
    call("write_cells", path="odd.xlsx", start_cell="E1", rows=[["=C1*2"]])
    assert call("read_cells", path="odd.xlsx", range="C1:E1").structured_content["rows"] == [[7, "text", 14]]


def test_what_xlsxwriter_leaves_at_nought_is_computed(files: Path, call: Call) -> None:
    with xlsxwriter.Workbook(files / "x.xlsx") as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, [1, 2])
        sheet.write_formula("C1", "=A1+B1")
    call("write_cells", path="x.xlsx", start_cell="D5", rows=[["note"]])
    assert call("read_cells", path="x.xlsx", range="C1").structured_content["rows"] == [[3]]


NAMES = {r"Tax\Rate": "0.19", "Überschuss": "Größe!$A$1*2", "Was?": "Größe!$A$1", r"DOC\10_1\110___lab": "#REF!"}


def test_names_with_any_signs_that_excel_allows_are_known(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Größe"
    book.active.append([5, 2, "=A1*2"])
    for name, formula in NAMES.items():
        book.defined_names[name] = DefinedName(name, attr_text=formula)
    book.save(files / "names.xlsx")
    formulas = [r"=Tax\Rate*100", "=überschuss+1", "=Was?+Größe!B1", r'=tax\RATE&"Tax\Rate"', "=SUM(Größe!A1:Größe!B1)"]
    answer = call("write_cells", path="names.xlsx", start_cell="E1", rows=[[formula] for formula in formulas])
    assert map_computed(answer) == [19, 11, 7, r"0.19Tax\Rate", 7]
    assert call("read_cells", path="names.xlsx", range="C1").structured_content["rows"] == [[10]]


def test_empty_brackets_stand_for_the_data_of_a_table(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    for row in (["Code", "Text"], ["m", "Male"], ["f", "Female"]):
        book.active.append(row)
    book.active.add_table(Table(displayName="Lookup", ref="A1:B3"))
    book.active["D1"] = "f"
    book.active["E1"] = "=VLOOKUP(D1,Lookup[],2,0)"
    book.save(files / "table.xlsx")
    rows = [["=VLOOKUP(D1,Lookup[],2,0)", "=ROWS(Lookup[])", '=COUNTIF(Lookup[],"m")&"[]"']]
    assert map_computed(call("write_cells", path="table.xlsx", start_cell="F1", rows=rows)) == ["Female", 2, "1[]"]
    assert call("read_cells", path="table.xlsx", range="E1").structured_content["rows"] == [["Female"]]


DAY_FORMULAS = {
    "=A2-A1": 1,
    "=YEAR(A1)": 2026,
    "=MONTH(A1)*100+DAY(A1)": 316,
    "=WEEKDAY(A1)": 2,
    "=DATE(2026,3,18)": "2026-03-18",
    "=EOMONTH(A1,0)": "2026-03-31",
    "=EDATE(A1,1)": "2026-04-16",
    "=WORKDAY(A1,5)": "2026-03-23",
    "=WORKDAY(A1,5,A2:A2)": "2026-03-24",
    "=NETWORKDAYS(A1,A1+6)": 5,
    "=NETWORKDAYS(A1,A1+6,A2:A3)": 4,
    "=WEEKNUM(A1)": 12,
    "=ISOWEEKNUM(A1)": 12,
    '=DATEDIF(DATE(2000,3,17),A1,"y")': 25,
    "=YEARFRAC(DATE(2025,3,16),A1)": 1,
    '=TEXT(A1,"yyyy-mm-dd")': "2026-03-16",
    '=TEXT(A1,"dddd, d mmm")': "Monday, 16 Mar",
    '=TEXT(0.5,"hh:mm")': "12:00",
    "=YEAR(TODAY())-YEAR(NOW())": 0,
    '=DATEVALUE("2026-03-16")-A1': 0,
    '=COUNTIF(A1:A2,">="&DATE(2026,3,17))': 1,
    '=COUNTIF(A1:A2,">=3/17/2026")': 1,
    "=SUMPRODUCT((YEAR(A1:A2)=2026)*1)": 2,
    "=MAX(FILTER(A1:A2,DAY(A1:A2)=16))-A1": 0,
}


def test_days_of_the_1904_date_system_are_those_that_excel_shows(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    book.epoch = CALENDAR_MAC_1904
    book.active["A1"], book.active["B1"] = datetime.date(2026, 3, 16), "=YEAR(A1)"
    book.save(files / "old.xlsx")
    call("write_cells", path="old.xlsx", start_cell="A2", rows=[["2026-03-17"]])
    answer = call("write_cells", path="old.xlsx", start_cell="C1", rows=[[formula] for formula in DAY_FORMULAS])
    assert dict(zip(DAY_FORMULAS, map_computed(answer), strict=True)) == DAY_FORMULAS
    assert call("read_cells", path="old.xlsx", range="B1").structured_content["rows"] == [[2026]]


OMITTED = {
    "=INDEX(SORT(A1:A3,,-1),1)": 3,
    "=INDEX(TAKE(SORT(A1:B3,,-1),2),2,2)": "c",
    '=TEXTJOIN(",",TRUE,SORTBY(B1:B3,A1:A3,))': "a,c,b",
    "=SUM(SEQUENCE(,3))": 6,
    "=SUM(SEQUENCE(3,,5))": 18,
    "=XLOOKUP(2,A1:A3,B1:B3,,0)": "c",
    "=XLOOKUP(2,A1:A3,B1:B3,,,-1)": "c",
    "=SUM(INDEX(A1:C3,,3))": 60,
    "=SUM(OFFSET(A1,,2,3,))": 60,
    "=SUM(TAKE(A1:C3,,-1))": 60,
    "=SUM(DROP(A1:C3,,2))": 60,
    "=IF(A1>9,,1)": 1,
    "=IF(A1>1,,1)": 0,
    "=IFERROR(1/0,)": 0,
    "=VLOOKUP(2,A1:B3,2,)": "c",
    '=ADDRESS(1,2,,,"S")': "S!$B$1",
    '=TEXTAFTER("a-b-c","-",,1)': "b-c",
    "=CEILING.MATH(2.5,,1)": 3,
    "=SUM(EXPAND(A1:A3,,2,0))": 6,
    "=AND(TRUE,)": False,
    "=COUNT(1,,)": 3,
    "=ROUND(2.5,)": 3,
    "=PMT(0,12,1200,,)": -100,
    "=FIXED(1234.567,,TRUE)": "1234.57",
    "=LET(s,SORT(A1:A3,,-1),INDEX(s,3))": 1,
    "=SUM(EXPAND(A1:A3,4,,5))": 11,
    '=TEXTJOIN(",",FALSE,IFERROR(EXPAND(A1:A3,,2,),"-"))': "3,-,1,-,2,-",
    "=SUM(DROP(A1:C3,,))": 66,
    "=OFFSET(A1,,)": 3,
    "=SUM(SEQUENCE(3,,,2))": 9,
    "=XLOOKUP(99,A1:A3,B1:B3,,0)": "#N/A",
    '=TEXT(5,)&"x"': "x",
}


def test_arguments_that_are_left_out_are_what_excel_takes_for_them(call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[[3, "b", 10], [1, "a", 20], [2, "c", 30]])
    answer = call("write_cells", path="a.xlsx", start_cell="E1", rows=[[formula] for formula in OMITTED])
    assert dict(zip(OMITTED, map_computed(answer), strict=True)) == OMITTED


NOT_KNOWN = ["=VLOOKUP(2,A1:B3,,FALSE)", "=SUM(VSTACK(A1:A3,,9))", "=REDUCE(,A1:A3,LAMBDA(a,b,a*b))", "=DOLLAR(1.5,)"]


def test_a_formula_has_no_value_where_it_is_not_known_what_excel_takes_for_an_argument_left_out(call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[[3, "b", 10], [1, "a", 20], [2, "c", 30]])
    answer = call("write_cells", path="a.xlsx", start_cell="E1", rows=[[formula] for formula in NOT_KNOWN])
    reasons = [cell["reason"] for cell in answer.structured_content["unknown"]]
    assert [reason.split(" is left out in ")[1].split()[0] for reason in reasons] == [
        "VLOOKUP", "VSTACK", "REDUCE", "DOLLAR",
    ]  # fmt: skip


AS_NUMBERS = {
    "=LEFT(A1,B1)": "Invoice",
    '=MID(A1,9,"4")': "4711",
    '=RIGHT(A1,"4")': "4711",
    "=LEFT(A1,TRUE)": "I",
    '=REPT("ab","2")': "abab",
    "=B1*2": 14,
    '=SUBSTITUTE("aXbX","X","-","2")': "aXb-",
    '=REPLACE("abcd","2","2","-")': "a-d",
    '=FIND("b","abab","3")': 4,
    '=INDEX(C1:C3,"2")': 20,
    '=ROUND("2.345","2")': 2.35,
    '=CHOOSE("2","a","b")': "b",
    "=DATEVALUE(D1)": "2026-01-05",
    "=D2+1": 46113,
    "=MONTH(D1)": 1,
    '=VALUE("1 1/2")': 1.5,
    '=IFERROR(VALUE(D1),"none")': 46027,
    "=DATE(LEFT(D3,4),MID(D3,6,2),RIGHT(D3,2))": "2026-03-31",
}


def test_texts_that_are_numbers_or_days_are_taken_for_them(call: Call) -> None:
    rows = [["Invoice 4711", "'7", 10, "5 Jan 2026"], [None, None, 20, "31-Mar-2026"], [None, None, 30, "'2026-03-31"]]
    call("write_cells", path="a.xlsx", rows=rows)
    answer = call("write_cells", path="a.xlsx", start_cell="F1", rows=[[formula] for formula in AS_NUMBERS])
    assert dict(zip(AS_NUMBERS, map_computed(answer), strict=True)) == AS_NUMBERS


@pytest.fixture
def macros(files: Path) -> Any:
    """A workbook in which Excel stored values of functions of its own, and of chance."""
    path = files / "macros.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        sheet.write("A1", "abc")
        sheet.write_formula("B1", "=myFunc(A1)", None, "_abc")
        sheet.write_formula("C1", '=B1&"2"', None, "_abc2")
        sheet.write_formula("D1", "=RAND()", None, 0.5)
        sheet.write_formula("E1", "=D1*2", None, 1)
    books.drop_recalculation_wish(path)
    return path


def test_functions_of_the_workbooks_own_have_no_value_here_and_keep_the_one_that_excel_stored(
    macros: Any, call: Call
) -> None:
    rows = [["q", "=myFunc(H1)", '=I1&"!"', "=nosuch(H1)"]]
    answer = call("write_cells", path="macros.xlsx", start_cell="H1", rows=rows).structured_content
    reasons = {entry["cell"]: entry["reason"] for entry in answer["unknown"]}
    assert "MYFUNC is not an Excel function" in reasons["Sheet1!I1"]
    assert "depends" in reasons["Sheet1!J1"]
    macros.write_bytes(macros.read_bytes())  # as for a process that knows nothing of the file
    call("write_cells", path="macros.xlsx", start_cell="H1", rows=[["r"]])
    call("edit_workbook", path="macros.xlsx", edits=[{"op": "recalculate"}])
    read = call("read_cells", path="macros.xlsx", range="A1:K1").structured_content["rows"]
    assert read == [["abc", "_abc", "_abc2", 0.5, 1, None, None, "r", None, None, None]]
    answer = call("write_cells", path="macros.xlsx", start_cell="A1", rows=[["new"]]).structured_content
    assert {entry["cell"] for entry in answer["unknown"]} >= {"Sheet1!B1", "Sheet1!C1"}
    assert call("read_cells", path="macros.xlsx", range="B1:C1").structured_content["rows"] == [[None, None]]


def test_a_workbook_that_the_engine_cannot_read_is_computed_by_libreoffice(
    files: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("write_cells", path="a.xlsx", rows=[[1, 2, "=A1+B1", "=UNIQUE(A1:B1)"]])
    (files / "a.xlsx").write_bytes((files / "a.xlsx").read_bytes())  # as for a process that knows nothing of the file
    monkeypatch.setattr(Calculator, "_load_file", lambda *_: (_ for _ in ()).throw(Panic("index out of bounds")))
    answer = call("write_cells", path="a.xlsx", start_cell="A1", rows=[[5]]).structured_content
    assert call("read_cells", path="a.xlsx", range="C1").structured_content["rows"] == [[7]]
    assert [entry["cell"] for entry in answer["unknown"]] == ["Sheet1!D1"]
    assert "does not compute this workbook" in answer["unknown"][0]["reason"]


def test_a_workbook_of_another_name_and_spelling_is_read_and_changed(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[[1, "=A1*2"]])
    parts = books.read_parts(files / "a.xlsx")
    with zipfile.ZipFile(files / "b.xlsx", "w") as archive:
        for name, data in parts.items():
            moved = {"xl/workbook.xml": "book.xml", "xl/_rels/workbook.xml.rels": "_rels/book.xml.rels"}.get(name, name)
            moved_data = data.replace(b"xl/workbook.xml", b"book.xml") if name.startswith(("[", "_rels")) else data
            if moved.startswith("_rels/book"):
                moved_data = data.replace(b'Target="', b'Target="xl/').replace(b"xl//", b"/")
            info = zipfile.ZipInfo(moved)
            info.filename = moved.replace("/", "\\")
            archive.writestr(info, moved_data)
    call("write_cells", path="b.xlsx", start_cell="C1", rows=[["=B1+1"]])
    assert call("read_cells", path="b.xlsx").structured_content["rows"] == [[1, 2, 3]]
    assert openpyxl.load_workbook(files / "b.xlsx", data_only=True).active["C1"].value == 3
