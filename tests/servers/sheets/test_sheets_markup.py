"""Worksheet parts in other encodings and of odd but legal markup are read and edited as the usual ones."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from lxml import etree
from openpyxl.worksheet.table import Table
from support import books
from support.answers import Call
from support.packages import pack_members

from yardkit.servers.sheets.engine.package.sheet_source import Source

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PART = "xl/worksheets/sheet1.xml"


def encode_part(part: Any, declared: Any, codec: Any) -> Any:
    body = part.decode("utf-8").partition("?>")[2]
    return f'<?xml version="1.0" encoding="{declared}"?>{body}'.encode(codec)


def prefix_part(part: Any) -> Any:
    root = etree.fromstring(part)
    others = {prefix: space for prefix, space in root.nsmap.items() if prefix}
    prefixed_root = etree.Element(root.tag, dict(root.attrib), nsmap={"x": MAIN, **others})
    prefixed_root.extend(list(root))
    return b'<?xml version="1.0" encoding="UTF-8"?>' + etree.tostring(prefixed_root, encoding="UTF-8")


def prefixed_inside(part: Any) -> Any:
    """Only the rows have a prefix, which is declared where they begin."""
    head, data, tail = re.fullmatch(rb"(.*)<sheetData>(.*)</sheetData>(.*)", part, re.DOTALL).groups()
    data = re.sub(rb"<(/?)", rb"<\1x:", data)
    return b"".join([head, f'<x:sheetData xmlns:x="{MAIN}">'.encode(), data, b"</x:sheetData>", tail])


def single_quoted(part: Any) -> Any:
    return re.sub(rb'="([^"\']*)"', rb"='\1'", part)


UNUSUAL_MARKUP: dict[str, Callable[[bytes], bytes]] = {
    "ISO-8859-1": lambda part: encode_part(part, "ISO-8859-1", "latin-1"),
    "windows-1252": lambda part: encode_part(part, "windows-1252", "cp1252"),
    "UTF-16": lambda part: encode_part(part, "UTF-16", "utf-16"),
    "a prefix": prefix_part,
    "a prefix in UTF-16": lambda part: encode_part(prefix_part(part), "UTF-16", "utf-16"),
    "a prefix inside": prefixed_inside,
    "room in one tag": lambda part: part.replace(b"</sheetData>", b"</sheetData >"),
    "room in all end tags": lambda part: re.sub(rb"</([\w:]+)>", rb"</\1 >", part),
    "line breaks in tags": lambda part: re.sub(rb'(?<=[\w"])>', b"\n>", part),
    "room around values": lambda part: part.replace(b"<v>", b"<v >").replace(b"</v>", b"</v >"),
    "single quotes": single_quoted,
    "a bracket in the root": lambda part: part.replace(b"<worksheet ", b'<worksheet xmlns:q="urn:q" q:a="1>0" '),
}


@pytest.fixture
def unusual_book(request: pytest.FixtureRequest, files: Path, call: Call, rich: Path) -> Any:
    """The rich workbook with a text beyond ASCII, an error value and a name in use, its first sheet in odd form."""
    call("write_cells", path="rich.xlsx", rows=[["Größe & é", None], ["=1/0", "=Rate*2"]], start_cell="A9")
    members = books.read_parts(rich)
    path = files / "odd.xlsx"
    path.write_bytes(pack_members({**members, PART: UNUSUAL_MARKUP[request.param](members[PART])}))
    return path


def list_rules(sheet: Any) -> Any:
    return [str(rule.sqref) for rule in sheet.conditional_formatting]


def describe_workbook(call: Any, path: Any) -> Any:
    """All that the reading tools say of a workbook."""
    answers = [call("read_cells", path=path.name, show=show) for show in ("values", "formulas", "details")]
    answers += [call("inspect_workbook", path=path.name), call("find_cells", path=path.name, query="Größe")]
    assert not any(answer.is_error for answer in answers)
    return [answer.content[0].text.replace(path.name, "it") for answer in answers]


@pytest.mark.parametrize("unusual_book", UNUSUAL_MARKUP, indirect=True)
def test_an_odd_part_reads_as_the_usual_one(call: Call, rich: Path, unusual_book: Any) -> None:
    assert describe_workbook(call, unusual_book) == describe_workbook(call, rich)


@pytest.mark.parametrize("unusual_book", UNUSUAL_MARKUP, indirect=True)
def test_an_odd_part_is_edited_as_the_usual_one(call: Call, rich: Path, unusual_book: Any) -> None:
    steps = [
        {"op": "insert_rows", "range": "2:3"},
        {"op": "sort", "range": "A4:C6", "by": ["-B"]},
        {"op": "replace", "find": "Größe", "replacement": "Straße"},
    ]
    for path in (rich, unusual_book):
        assert not call("write_cells", path=path.name, rows=[[25, "=SUM(B2:B4)"]], start_cell="B3").is_error
        assert not call("edit_workbook", path=path.name, edits=steps).is_error
        assert not call("append_rows", path=path.name, rows=[["x", 1]]).is_error
    assert describe_workbook(call, unusual_book) == describe_workbook(call, rich)
    ours, theirs = books.open_book(unusual_book), books.open_book(rich)
    assert [[cell.value for cell in row] for row in ours["Data"]] == [
        [cell.value for cell in row] for row in theirs["Data"]
    ]
    assert list_rules(ours["Data"]) == list_rules(theirs["Data"]) == ["B4:B7"]


@pytest.mark.parametrize("unusual_book", UNUSUAL_MARKUP, indirect=True)
def test_an_edit_elsewhere_leaves_the_bytes_of_an_odd_part(call: Call, unusual_book: Any) -> None:
    before = books.read_parts(unusual_book)[PART]
    assert not call("write_cells", path="odd.xlsx", sheet="Other's", rows=[[5]], start_cell="B2").is_error
    assert books.read_parts(unusual_book)[PART] == before


@pytest.mark.parametrize("unusual_book", ["ISO-8859-1", "UTF-16", "a prefix"], indirect=True)
def test_formulas_of_an_odd_part_follow_the_operations_of_one_call(call: Call, unusual_book: Any) -> None:
    steps = [
        {"op": "write", "range": "B2", "values": [[100]]},
        {"op": "filter", "range": "A1:D4", "by": ["Margin"], "test": ">", "value": 50},
    ]
    assert not call("edit_workbook", path="odd.xlsx", edits=steps).is_error
    assert call("read_cells", path="odd.xlsx", range="A2:D2").structured_content["rows"] == [["Jan", 100, 7, 93]]


def test_a_main_element_below_a_foreign_default_namespace_keeps_its_own() -> None:
    inner = '<y:z xmlns="urn:other" xmlns:y="urn:y"><w/><x:f>1</x:f></y:z>'
    part = f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData/><x:extLst><x:ext>{inner}</x:ext></x:extLst></x:worksheet>'
    source = Source(part.encode(), "part")
    names = [element.tag for element in etree.fromstring(source.data).iter()]
    assert names == [element.tag for element in etree.fromstring(part).iter()]


def test_signs_that_only_look_odd_leave_a_part_as_it_is() -> None:
    rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>a >b, c =\'d\'</t></is></c></row>'
    rule = "<dataValidations><dataValidation prompt=\"x = '5' or >\"/></dataValidations>"
    begin = f"<?xml version='1.0' encoding='utf-8'?><worksheet xmlns=\"{MAIN}\">"
    part = f"{begin}<sheetData>{rows}</sheetData>{rule}</worksheet>".encode()
    assert Source(part, "part").data == part


@pytest.mark.parametrize("unusual_book", ["ISO-8859-1", "UTF-16"], indirect=True)
def test_formulas_of_an_odd_part_follow_a_name(call: Call, unusual_book: Any) -> None:
    assert not call("set_name", path="odd.xlsx", name="Rate", refers_to="=2.5").is_error
    assert call("read_cells", path="odd.xlsx", range="B10").structured_content["rows"] == [[5]]


@pytest.mark.parametrize(("declared", "codec"), [("UTF-16", "utf-16"), ("windows-1252", "cp1252")])
def test_a_workbook_whose_parts_are_all_in_another_encoding_is_computed(
    files: Path, call: Call, rich: Path, declared: str, codec: str
) -> None:
    members = books.read_parts(rich)
    own = [name for name in members if name.endswith(".xml") and "theme" not in name]
    (files / "all.xlsx").write_bytes(
        pack_members({**members, **{part: encode_part(members[part], declared, codec) for part in own}})
    )
    written = call("write_cells", path="all.xlsx", rows=[[25]], start_cell="B3").structured_content
    assert written["recalculated"] == 2
    assert call("read_cells", path="all.xlsx", range="D3:D5").structured_content["rows"] == [[10], [8], [21]]
    assert books.open_book(files / "all.xlsx", data_only=True)["Data"]["D5"].value == 21


def of_another_library(path: Any, change: Any) -> None:
    """A workbook with a table Tür on the first sheet and a formula that names it on the second, changed by `change`."""
    book = openpyxl.Workbook()
    for row in (["k", "v"], [1, 2], [3, 4]):
        book.active.append(row)
    book.active.add_table(Table(displayName="Tür", ref="A1:B3"))
    book.create_sheet("Other")["A1"] = "=SUM(Tür[v])"
    book.save(path)
    members = books.read_parts(path)
    other = "xl/worksheets/sheet2.xml"
    path.write_bytes(pack_members({**members, other: change(members[other])}))


def test_a_renamed_table_is_renamed_in_formulas_that_another_library_wrote_with_character_references(
    files: Path, call: Call
) -> None:
    of_another_library(files / "t.xlsx", lambda part: part.replace("ü".encode(), b"&#252;"))
    assert b"T&#252;r[v]" in books.read_parts(files / "t.xlsx")["xl/worksheets/sheet2.xml"]
    assert not call("set_table", path="t.xlsx", action="change", table="Tür", name="Tor").is_error
    assert books.open_book(files / "t.xlsx")["Other"]["A1"].value == "=SUM(Tor[v])"


def test_a_table_used_by_formulas_with_character_references_is_not_deleted(files: Path, call: Call) -> None:
    of_another_library(files / "t.xlsx", lambda part: part.replace("ü".encode(), b"&#252;"))
    answer = call("set_table", path="t.xlsx", action="delete", table="Tür")
    assert answer.is_error
    assert "Other!A1" in answer.content[0].text


@pytest.mark.parametrize("formula", [b'SUM(T&#252;r[v])&amp;"\xff"', b'1&amp;"\xff"'])
def test_a_sheet_that_is_no_utf8_does_not_break_renaming_a_table_unforeseen(
    files: Path, call: Call, formula: bytes
) -> None:
    of_another_library(files / "t.xlsx", lambda part: re.sub(rb"<f>[^<]*</f>", b"<f>" + formula + b"</f>", part))
    answer = call("set_table", path="t.xlsx", action="change", table="Tür", name="Tor")
    assert answer.is_error
    assert "damaged" in answer.content[0].text
