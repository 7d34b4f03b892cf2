"""A copied sheet has what its original has, and neither changes with the other."""

import io
import posixpath
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from lxml import etree
from PIL import Image
from support import books
from support.answers import Call


@pytest.fixture
def full(files: Path, call: Call) -> Any:
    """A workbook whose sheet Data has a chart, a picture, a sparkline, a note, a thread, links, rules, a print area."""
    picture = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(picture, "PNG")
    book = xlsxwriter.Workbook(files / "full.xlsx")
    data = book.add_worksheet("Data")
    for row, values in enumerate([["Item", "Qty"], ["a", 1], ["b", 2], ["c", 3]]):
        data.write_row(row, 0, values)
    chart = book.add_chart({"type": "column"})
    chart.add_series({"values": "=Data!$B$2:$B$4", "categories": "=Data!$A$2:$A$4", "name": "=Other!$A$1"})
    data.insert_chart("F2", chart)
    data.insert_image("F20", "red.png", {"image_data": picture})
    data.insert_textbox("J2", "", {"textlink": "=Data!$B$2"})
    data.add_sparkline("C2", {"range": "Data!B2:B4"})
    data.write_comment("B2", "A note", {"author": "Ann"})
    data.write_url("A6", "https://example.org/a", string="away")
    data.write_url("A7", "internal:Other!A1", string="there")
    data.conditional_format("B2:B4", {"type": "data_bar", "data_bar_2010": True})
    data.data_validation("B2:B4", {"validate": "integer", "criteria": ">", "value": 0})
    data.print_area("A1:N30")
    data.set_header("&C&G", {"image_center": "red.png", "image_data_center": picture})
    book.add_worksheet("Other").write("A1", "Amounts")
    book.close()
    annotate_sheet(call, "Data", "Bo", op="comment", cell="B3", text="Is that so?")
    return files / "full.xlsx"


def annotate_sheet(call: Any, sheet: Any, author: Any, **change: Any) -> None:
    answer = call("annotate_cells", path="full.xlsx", sheet=sheet, author=author, edits=[change])
    assert not answer.is_error, answer.content[0].text


def copy_sheet(call: Any, **more: Any) -> Any:
    answer = call("change_sheets", path="full.xlsx", action="copy", sheet="Data", name="Copy of it", **more)
    assert not answer.is_error, answer.content[0].text
    return answer.structured_content["done"]


def read_sheet_objects(call: Any, sheet: Any) -> Any:
    return call("read_objects", path="full.xlsx", sheet=sheet).structured_content


def drop_sheet_name(value: Any) -> Any:
    """What `read_objects` tells, without the name of the sheet."""
    return re.sub("Copy of it|Data", "S", re.sub("['\"]", "", str(value)))


def test_all_that_lies_on_a_sheet_is_copied_and_shows_the_copy(full: Any, call: Call) -> None:
    before = books.read_parts(full)
    assert copy_sheet(call) == "Copied 'Data' to 'Copy of it'"
    for kind, objects in read_sheet_objects(call, "Data").items():
        assert drop_sheet_name(read_sheet_objects(call, "Copy of it")[kind]) == drop_sheet_name(objects), kind
    series = read_sheet_objects(call, "Copy of it")["charts"][0]["series"][0]
    assert (series["values"], series["name"]) == ("'Copy of it'!$B$2:$B$4", "=Other!$A$1")
    book = books.open_book(full)
    assert book["Copy of it"].print_area == "'Copy of it'!$A$1:$N$30"
    assert book["Copy of it"]["A6"].hyperlink.target == "https://example.org/a"
    parts = books.read_parts(full)
    assert sum(name.startswith("xl/media/") for name in parts) == sum(name.startswith("xl/media/") for name in before)
    assert b"textlink=\"'Copy of it'!$B$2\"" in parts["xl/drawings/drawing2.xml"]


def test_every_relationship_of_a_copy_leads_to_a_part_with_a_type(full: Any, call: Call) -> None:
    copy_sheet(call, position=1)
    with zipfile.ZipFile(full) as package:
        names = set(package.namelist())
        types = etree.fromstring(package.read("[Content_Types].xml"))
        known = {entry.get("PartName", "").lstrip("/") for entry in types}
        extensions = {entry.get("Extension") for entry in types} - {"xml"}
        for rels in [name for name in names if name.endswith(".rels")]:
            owner = posixpath.dirname(posixpath.dirname(rels))
            for entry in etree.fromstring(package.read(rels)):
                target = posixpath.normpath(posixpath.join("/" + owner, entry.get("Target"))).lstrip("/")
                assert entry.get("TargetMode") == "External" or target in names, (rels, target)
                assert entry.get("TargetMode") or target in known or target.rsplit(".")[-1] in extensions


def test_the_copy_of_a_thread_is_a_thread_of_its_own(full: Any, call: Call) -> None:
    copy_sheet(call)
    annotate_sheet(call, "Copy of it", "Cy", op="comment", cell="B3", text="No")
    annotate_sheet(call, "Copy of it", "Cy", op="note", cell="B2", text="Another")
    by_cell = {comment["cell"]: comment for comment in read_sheet_objects(call, "Data")["comments"]}
    assert (by_cell["B3"].get("replies", []), by_cell["B2"]["text"]) == ([], "A note")
    ids = re.findall(rb'<threadedComment [^>]*\bid="([^"]+)"', b"".join(books.read_parts(full).values()))
    assert len(ids) == len(set(ids)) == 3


def test_a_copy_keeps_its_pictures_and_charts_when_the_original_goes(full: Any, call: Call) -> None:
    copy_sheet(call)
    call("change_sheets", path="full.xlsx", action="delete", sheet="Data")
    objects = read_sheet_objects(call, "Copy of it")
    assert [len(objects[kind]) for kind in ("charts", "images")] == [1, 1]
    parts = books.read_parts(full)
    assert any(name.startswith("xl/media/") for name in parts)
    assert [name for name, data in parts.items() if b"Data!" in data and name[:3] == "xl/"] == []


def test_the_sheet_that_is_copied_keeps_its_bytes(full: Any, call: Call) -> None:
    before = books.read_parts(full)
    copy_sheet(call)
    after = books.read_parts(full)
    changed = {name for name, data in before.items() if after[name] != data}
    assert changed <= {"[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "docProps/app.xml"}


def test_of_a_pivot_table_the_cells_are_copied_and_that_is_said(files: Path, call: Call, full: Any) -> None:
    order = {"data": "Data!A1:B4", "sheet": "Data", "at": "M3", "rows": ["Item"], "values": [{"field": "Qty"}]}
    assert not call("set_pivot", path="full.xlsx", **order).is_error
    assert "without its pivot tables (their cells are copied)" in copy_sheet(call)
    assert read_sheet_objects(call, "Data")["pivots"]
    assert not read_sheet_objects(call, "Copy of it").get("pivots")
    read = call("read_cells", path="full.xlsx", sheet="Copy of it", range="N4:N7").structured_content
    assert read["rows"] == [[1], [2], [3], [6]]


BUTTON = (
    '<v:shape id="_x0000_s2049" type="#_x0000_t201"><x:ClientData ObjectType="Button"><x:Anchor>1, 0, 1, 0, 2, 0, 3, 0'
    "</x:Anchor></x:ClientData></v:shape></xml>"
)
LISTED = (
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice '
    'Requires="x14"><controls><control shapeId="2049" r:id="rIdC" name="Button 1"/></controls></mc:Choice>'
    "</mc:AlternateContent></worksheet>"
)
RELATED = (
    '<Relationship Id="rIdC" Target="../ctrlProps/ctrlProp1.xml" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/ctrlProp"/></Relationships>'
)
FLOATING = (
    '<xdr:absoluteAnchor><xdr:pos x="0" y="0"/><xdr:ext cx="9" cy="9"/><xdr:sp macro="" textlink=""><xdr:nvSpPr>'
    '<xdr:cNvPr id="2049" name="Button 1"><a:extLst><a:ext uri="{63B3BB69-23CF-44E3-9099-C40C66FF867C}">'
    '<a14:compatExt xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" spid="_x0000_s2049"/></a:ext>'
    "</a:extLst></xdr:cNvPr><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr/></xdr:sp><xdr:clientData/></xdr:absoluteAnchor>"
    "</xdr:wsDr>"
)


def test_form_controls_stay_behind_and_that_is_said(full: Any, call: Call) -> None:
    parts = books.read_parts(full)
    for name, end, more in (
        ("xl/worksheets/sheet1.xml", b"</worksheet>", LISTED),
        ("xl/worksheets/_rels/sheet1.xml.rels", b"</Relationships>", RELATED),
        ("xl/drawings/vmlDrawing1.vml", b"</xml>", BUTTON),
        ("xl/drawings/drawing1.xml", b"</xdr:wsDr>", FLOATING),
    ):
        assert parts[name].endswith(end)
        parts[name] = parts[name].removesuffix(end) + more.encode()
    parts["xl/ctrlProps/ctrlProp1.xml"] = b"<formControlPr/>"
    with zipfile.ZipFile(full, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    assert copy_sheet(call) == "Copied 'Data' to 'Copy of it' without its form controls"
    after = books.read_parts(full)
    new = {name: data for name, data in after.items() if name not in parts}
    assert not [name for name, data in new.items() if b"Button" in data or b"control" in data or "ctrl" in name]
    assert any(b'ObjectType="Note"' in data for data in new.values())
    assert after["xl/drawings/vmlDrawing1.vml"] == parts["xl/drawings/vmlDrawing1.vml"]
