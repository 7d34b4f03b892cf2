"""Every word of a deck comes out of the reading tools, wherever it stands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.util import Cm

_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_CHARTEX = "http://schemas.microsoft.com/office/drawing/2014/chartex"
_WORDS = (
    *("Title9", "Grouped9", "Cell9", "Field9", "Described9", "Income9", "North9", "Heading9", "Axis9", "Label9"),
    *("Plan9", "Do9", "Cashflow9", "Opening9", "Slogan9", "Company9", "Footer9", "Spoken9", "Scribbled9", "Remarked9"),
)
_BOX = (Cm(1), Cm(8), Cm(8), Cm(3))


def _add_related_part(owner: Any, name: str, kind: str, xml: str) -> str:
    """Add a part to that of a slide; the id of the relation."""
    part = Part(PackURI(name), "application/xml", owner.part.package, f"<?xml version='1.0'?>{xml}".encode())
    return owner.part.relate_to(part, f"{RELATIONSHIP_TYPE.CHART.rsplit('/', 1)[0]}/{kind}")


def _add_frame(slide: Any, number: int, uri: str, inside: str) -> None:
    place = '<p:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></p:xfrm>'
    named = f'<p:cNvPr id="{number}" name="Frame {number}"/><p:cNvGraphicFramePr/><p:nvPr/>'
    xml = f"<p:graphicFrame {_A} {_P} {_R}><p:nvGraphicFramePr>{named}</p:nvGraphicFramePr>{place}"
    data = f'<a:graphic><a:graphicData uri="{uri}">{inside}</a:graphicData></a:graphic></p:graphicFrame>'
    slide.shapes._spTree.append(parse_xml(xml + data))


def _add_diagram(slide: Any) -> None:
    point = "<dgm:pt><dgm:t><a:p><a:r><a:t>{}</a:t></a:r></a:p></dgm:t></dgm:pt>"
    points = "".join(map(point.format, ("Plan9", "Do9")))
    xml = f'<dgm:dataModel xmlns:dgm="{_DIAGRAM}" {_A}><dgm:ptLst>{points}</dgm:ptLst></dgm:dataModel>'
    key = _add_related_part(slide, "/ppt/diagrams/data1.xml", "diagramData", xml)
    _add_frame(slide, 71, _DIAGRAM, f'<dgm:relIds xmlns:dgm="{_DIAGRAM}" r:dm="{key}"/>')


def _add_waterfall(slide: Any) -> None:
    texts = "<cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Cashflow9</a:t></a:r></a:p></cx:rich></cx:tx></cx:title>"
    data = "<cx:chartData><cx:data><cx:strDim><cx:lvl><cx:pt idx='0'>Opening9</cx:pt></cx:lvl></cx:strDim></cx:data>"
    xml = f'<cx:chartSpace xmlns:cx="{_CHARTEX}" {_A}>{data}</cx:chartData><cx:chart>{texts}</cx:chart></cx:chartSpace>'
    key = _add_related_part(slide, "/ppt/charts/chartEx1.xml", "chartEx", xml)
    _add_frame(slide, 72, _CHARTEX, f'<cx:chart xmlns:cx="{_CHARTEX}" r:id="{key}"/>')


def _add_chart(slide: Any) -> None:
    data = CategoryChartData()
    data.categories = ["North9"]
    data.add_series("Income9", [1])
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *_BOX, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Heading9"
    chart.value_axis.has_title = True
    chart.value_axis.axis_title.text_frame.text = "Axis9"
    chart.plots[0].series[0].points[0].data_label.text_frame.text = "Label9"


def _add_boxes(slide: Any) -> None:
    inner = slide.shapes.add_group_shape().shapes.add_group_shape().shapes
    inner.add_textbox(*_BOX).text_frame.text = "Grouped9"
    slide.shapes.add_table(1, 1, *_BOX).table.cell(0, 0).text = "Cell9"
    field = f'<a:fld {_A} id="{{11111111-1111-1111-1111-111111111111}}" type="custom"><a:t>Field9</a:t></a:fld>'
    slide.shapes.add_textbox(*_BOX).text_frame.paragraphs[0]._p.append(parse_xml(field))
    picture = slide.shapes.add_picture("red.png", *_BOX)
    picture._element.nvPicPr.cNvPr.set("descr", "Described9")


def _add_layout_text(slide: Any) -> None:
    for place, words in ((slide.slide_layout, "Slogan9"), (slide.slide_layout.slide_master, "Company9")):
        shape = slide.shapes.add_textbox(*_BOX)
        shape.text_frame.text = words
        place.shapes._spTree.append(shape._element)
    footer = slide.shapes.add_textbox(*_BOX)
    footer.text_frame.text = "Footer9"
    footer._element.nvSpPr.nvPr.append(parse_xml(f'<p:ph {_P} type="ftr" idx="11"/>'))
    slide.notes_slide.notes_text_frame.text = "Spoken9"
    note = slide.shapes.add_textbox(*_BOX)
    note.text_frame.text = "Scribbled9"
    slide.notes_slide.shapes._spTree.append(note._element)
    comment = f"<p:cmLst {_P}><p:cm authorId='0'><p:text>Remarked9</p:text></p:cm></p:cmLst>"
    _add_related_part(slide, "/ppt/comments/comment1.xml", "comments", comment)


def _write_rich_deck(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    Image.new("RGB", (40, 30), "red").save("red.png")
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Title9"
    for add in (_add_boxes, _add_chart, _add_diagram, _add_waterfall, _add_layout_text):
        add(slide)
    deck.save("deck.pptx")


def test_each_word_of_a_slide_is_read(
    call: Callable[..., dict[str, Any]], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write_rich_deck(files, monkeypatch)
    text = json.dumps(call("read_deck_text", path="deck.pptx"))
    assert {word for word in _WORDS if word not in text} == set()
    shapes = json.dumps(call("read_slides", path="deck.pptx"))
    assert {word for word in _WORDS if word not in shapes} == {"Slogan9", "Company9"}
    outline = call("read_deck_text", path="deck.pptx", format="outline")
    assert "- Plan9" in outline["text"]
    assert "Spoken9" in outline["text"]
    assert outline["repeated"] == {"Footer9": [1], "Slogan9": [1], "Company9": [1]}


def _title_picture(slide: Any) -> None:
    picture = slide.shapes.add_picture("red.png", *_BOX)
    title = slide.shapes.title._element
    place = title.nvSpPr.nvPr[0]
    title.getparent().remove(title)
    picture._element.nvPicPr.nvPr.append(place)


def _title_table(slide: Any) -> None:
    table = slide.shapes.add_table(1, 1, *_BOX)
    table.table.cell(0, 0).text = "Held9"
    place = slide.shapes.title._element.nvSpPr.nvPr[0]
    slide.shapes.title._element.getparent().remove(slide.shapes.title._element)
    table._element.nvGraphicFramePr.nvPr.append(place)


def _title_without_text(slide: Any) -> None:
    element = slide.shapes.title._element
    element.remove(element.txBody)


@pytest.mark.parametrize("change_title", [_title_picture, _title_table, _title_without_text])
def test_a_title_that_holds_no_text_spoils_no_deck(
    call: Callable[..., dict[str, Any]], files: Path, monkeypatch: pytest.MonkeyPatch, change_title: Any
) -> None:
    monkeypatch.chdir(files)
    Image.new("RGB", (40, 30), "red").save("red.png")
    deck = Presentation()
    change_title(deck.slides.add_slide(deck.slide_layouts[5]))
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "Second9"
    deck.save("deck.pptx")
    assert [slide["title"] for slide in call("inspect_deck", path="deck.pptx")["slides"]] == ["", "Second9"]
    text = call("read_deck_text", path="deck.pptx")["text"]
    assert ("Held9" in text) == (change_title is _title_table)
    findings = call("check_deck", path="deck.pptx", kinds=["missing_title"])["findings"]
    assert [finding["slide"] for finding in findings] == [1]


def test_a_title_of_no_number_in_the_layout_and_one_in_a_group_are_titles(
    call: Callable[..., dict[str, Any]], files: Path
) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Orphan9"
    slide.shapes.title._element.nvSpPr.nvPr[0].set("idx", "4294967295")
    slide.shapes.add_textbox(*_BOX).text_frame.text = "Bare9"
    other = deck.slides.add_slide(deck.slide_layouts[5])
    other.shapes.title.text = "Second9"
    other.shapes.add_group_shape()._element.append(other.shapes.title._element)
    deck.save(files / "deck.pptx")
    info = call("inspect_deck", path="deck.pptx")
    assert [slide["title"] for slide in info["slides"]] == ["Orphan9", "Second9"]
    text = call("read_deck_text", path="deck.pptx")["text"]
    assert text == "<!-- slide 1 -->\n# Orphan9\n\nBare9\n\n<!-- slide 2 -->\n# Second9"
    assert call("check_deck", path="deck.pptx", kinds=["missing_title"])["count"] == 0


def test_layouts_are_listed_in_short_and_with_boxes_on_demand(call: Callable[..., dict[str, Any]], files: Path) -> None:
    deck = Presentation()
    deck.save(files / "deck.pptx")
    assert call("inspect_deck", path="deck.pptx")["layouts"][1] == {
        "name": "Title and Content",
        "holds": ["title", "body"],
    }
    detailed_layout = call("inspect_deck", path="deck.pptx", details=True)["layouts"][1]
    assert [(holder["role"], len(holder["box_cm"])) for holder in detailed_layout["placeholders"]] == [
        ("title", 4),
        ("body", 4),
    ]
