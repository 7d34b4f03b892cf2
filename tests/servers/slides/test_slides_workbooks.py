"""The workbook inside a chart: what it holds besides the data of the chart is kept when the data change."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.parts.embeddedpackage import EmbeddedXlsxPart
from pptx.util import Cm


def make_full_workbook() -> Any:
    """A workbook that was pasted into the deck with the chart: its data in the middle, and formulas on it elsewhere."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Q3 'final'"
    for row in (["Region", "Sales"], ["North", 10], ["South", 20]):
        sheet.append([None, None, *row])
    sheet["D2"].number_format = "#,##0.00"
    notes = book.create_sheet("Notes")
    notes["A1"] = "=SUM('Q3 ''final'''!D2:D3)"
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@pytest.fixture
def pasted(files: Path) -> Any:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    data = CategoryChartData()
    data.categories = ["North", "South"]
    data.add_series("Sales", [10, 20])
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Cm(1), Cm(1), Cm(15), Cm(10), data).chart
    chart.part.chart_workbook.xlsx_part._blob = make_full_workbook()
    for formula in chart._chartSpace.iter("{*}f"):
        formula.text = formula.text.replace("Sheet1!$B", "'Q3 ''final'''!$D").replace("Sheet1!$A", "'Q3 ''final'''!$C")
    deck.save(str(files / "c.pptx"))
    return files / "c.pptx"


def chart_in(path: Any) -> Any:
    return pptx.Presentation(str(path)).slides[0].shapes[0].chart


def book_in(path: Any) -> Any:
    return openpyxl.load_workbook(io.BytesIO(chart_in(path).part.chart_workbook.xlsx_part.blob))


def list_references(path: Any) -> Any:
    return {element.text for element in chart_in(path)._chartSpace.iterfind(".//{*}ser//{*}f")}


def write_values(call: Any, values: Any, **more: Any) -> Any:
    series = [{"name": "Sales & more", "values": values}]
    return call("write_slide_chart", path="c.pptx", slide=1, shape=2, series=series, **more)


def test_other_sheets_of_the_workbook_stay_and_the_chart_reads_a_sheet_of_its_own(
    pasted: Any, call: Callable[..., dict[str, Any]]
) -> None:
    answer = write_values(call, [5, 6.5, 7], categories=["North", "South", "West"])
    assert "reads its sheet 'Data of the chart'" in answer["notes"][0]
    book = book_in(pasted)
    assert book.sheetnames == ["Q3 'final'", "Notes", "Data of the chart"]
    assert [cell.value for cell in book["Q3 'final'"]["D"]] == ["Sales", 10, 20]
    assert book["Q3 'final'"]["D2"].number_format == "#,##0.00"
    assert book["Notes"]["A1"].value == "=SUM('Q3 ''final'''!D2:D3)"
    assert list(book["Data of the chart"].values) == [(None, "Sales & more"), ("North", 5), ("South", 6.5), ("West", 7)]
    assert list_references(pasted) == {f"'Data of the chart'!{cells}" for cells in ("$B$1", "$A$2:$A$4", "$B$2:$B$4")}
    assert book.active.title == "Data of the chart"
    assert not book["Q3 'final'"].sheet_view.tabSelected
    chart = call("read_slides", path="c.pptx")["slides"][0]["shapes"][0]["chart"]
    assert (chart["categories"], chart["series"][0]["values"]) == (["North", "South", "West"], [5, 6.5, 7])


def test_the_chart_s_own_sheet_is_written_again_by_the_next_change(
    pasted: Any, call: Callable[..., dict[str, Any]]
) -> None:
    write_values(call, [1, 2])
    write_values(call, [3, 4], kind="line")
    book = book_in(pasted)
    assert book.sheetnames == ["Q3 'final'", "Notes", "Data of the chart"]
    assert [cell.value for cell in book["Data of the chart"]["B"]] == ["Sales & more", 3, 4]
    assert all(name.startswith("'Data of the chart'!") for name in list_references(pasted))


def test_formats_of_numbers_come_into_the_workbook_that_is_kept(
    pasted: Any, call: Callable[..., dict[str, Any]]
) -> None:
    for _ in range(2):
        write_values(call, [0.25, 0.5], kind="column", look={"number_format": "0.00 %"})
    sheet = book_in(pasted)["Data of the chart"]
    assert [(cell.value, cell.number_format) for cell in sheet["B"]][1:] == [(0.25, "0.00 %"), (0.5, "0.00 %")]
    assert book_in(pasted)["Q3 'final'"]["D2"].number_format == "#,##0.00"


def test_the_same_change_makes_the_same_bytes(pasted: Any, call: Callable[..., dict[str, Any]]) -> None:
    before = pasted.read_bytes()
    write_values(call, [1, 2])
    first = pasted.read_bytes()
    pasted.write_bytes(before)
    write_values(call, [1, 2])
    assert pasted.read_bytes() == first


def test_a_workbook_that_is_no_open_xml_makes_room_for_one_that_is(
    pasted: Any, call: Callable[..., dict[str, Any]]
) -> None:
    deck = pptx.Presentation(str(pasted))
    part = deck.slides[0].shapes[0].chart.part.chart_workbook.xlsx_part
    part._content_type = "application/vnd.ms-excel.sheet.binary.macroEnabled.12"
    part._blob = b"\xd0\xcf\x11\xe0 no zip"
    deck.save(str(pasted))
    write_values(call, [1, 2])
    part = chart_in(pasted).part.chart_workbook.xlsx_part
    assert part.content_type == EmbeddedXlsxPart.content_type
    assert book_in(pasted).sheetnames == ["Sheet1"]
    with zipfile.ZipFile(pasted) as archive:
        assert len([name for name in archive.namelist() if "embeddings" in name]) == 1


def test_copies_of_slides_tell_that_comments_stay(files: Path, call: Callable[..., dict[str, Any]]) -> None:
    deck = pptx.Presentation()
    for _ in range(2):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"
    name = pptx.opc.packuri.PackURI("/ppt/comments/comment1.xml")
    content = "application/vnd.openxmlformats-officedocument.presentationml.comments+xml"
    blob = b'<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>'
    slide.part.relate_to(pptx.opc.package.Part(name, content, deck.part.package, blob), kind)
    deck.save(str(files / "a.pptx"))
    pptx.Presentation().save(str(files / "b.pptx"))
    copied = call("copy_slides", path="b.pptx", source="a.pptx", slides=[1, 2])
    assert copied["notes"] == ["slide 2: the comments were not copied"]
    doubled = call("arrange_slides", path="a.pptx", action="duplicate", slides=[1, 2])
    assert doubled["done"] == (
        "Duplicated slides 1, 2; the deck now has 4 slides; the comments on slide 2 were not copied"
    )
