"""A slide on a layout that lacks places: texts keep place and look, a title stays the title, empty places go."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from PIL import Image, ImageChops
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


@pytest.fixture
def deck(files: Path) -> Any:
    """A slide with two texts, on a layout that gives one of them a ground, a size, a colour and a frame of its own."""
    presentation = Presentation()
    layout = presentation.slide_layouts.get_by_name("Two Content")
    like = layout.placeholders[1]
    like._element.spPr.append(parse_xml(f'<a:solidFill {nsdecls("a")}><a:schemeClr val="accent3"/></a:solidFill>'))
    like._element.spPr.append(parse_xml(f'<a:ln {nsdecls("a")} w="25400"><a:prstDash val="dash"/></a:ln>'))
    frame = like._element.txBody.find(f"{A}bodyPr")
    frame.set("anchor", "b")
    frame.set("lIns", "400000")
    first = like._element.txBody.find(f"{A}lstStyle/{A}lvl1pPr")
    first.set("algn", "r")
    letters = first.find(f"{A}defRPr")
    letters.set("sz", "1700")
    letters.append(parse_xml(f'<a:solidFill {nsdecls("a")}><a:schemeClr val="accent2"/></a:solidFill>'))
    slide = presentation.slides.add_slide(layout)
    slide.shapes.title.text = "Two texts"
    text = slide.placeholders[1].text_frame
    text.text = "First line"
    more = text.add_paragraph()
    more.text, more.level = "An inner line", 1
    slide.placeholders[2].text = "On the right"
    presentation.save(str(files / "a.pptx"))
    return files / "a.pptx"


def render_slides(path: Any, folder: Any) -> Any:
    folder.mkdir()
    command = ["soffice", "--headless", f"-env:UserInstallation=file://{folder.parent}/profile", "--convert-to", "png"]
    subprocess.run([*command, "--outdir", str(folder), str(path)], check=True, capture_output=True, timeout=240)
    return Image.open(folder / f"{path.stem}.png").convert("L")


def test_texts_without_a_place_on_the_layout_look_as_before(
    deck: Any, call: Callable[..., dict[str, Any]], files: Path, tmp_path: Path
) -> None:
    before = render_slides(deck, tmp_path / "one")
    reply = call("format_slides", path="a.pptx", layout="Blank")
    assert len([note for note in reply["notes"] if "stays where it was" in note]) == 3
    assert Presentation(str(deck)).slides[0].slide_layout.name == "Blank"
    off = ImageChops.difference(before, render_slides(deck, tmp_path / "two"))
    assert sum(off.histogram()[40:]) < 20


def test_what_a_shape_states_itself_stays_before_what_it_inherits(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    read = Presentation(str(deck))
    shape = read.slides[0].placeholders[1]
    shape.text_frame._txBody.find(f"{A}bodyPr").set("anchor", "ctr")
    shape.fill.solid()
    shape.fill.fore_color.rgb = RGBColor(1, 2, 3)
    read.save(str(deck))
    call("format_slides", path="a.pptx", layout="Blank")
    shape = next(
        candidate
        for candidate in Presentation(str(deck)).slides[0].shapes
        if candidate.has_text_frame and "First" in candidate.text
    )
    frame = shape.text_frame._txBody.find(f"{A}bodyPr")
    assert (frame.get("anchor"), frame.get("lIns")) == ("ctr", "400000")
    fills = [child for child in shape._element.spPr if child.tag == f"{A}solidFill"]
    assert [etree.QName(fill[0]).localname for fill in fills] == ["srgbClr"]
    level = shape.text_frame._txBody.find(f"{A}lstStyle/{A}lvl1pPr")
    assert (level.get("algn"), level.find(f"{A}defRPr").get("sz")) == ("r", "1700")


def test_a_title_stays_the_title_and_an_empty_place_goes(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    read = Presentation(str(deck))
    read.slides[0].placeholders[2].text = ""
    read.save(str(deck))
    call("format_slides", path="a.pptx", layout="Blank")
    shapes = Presentation(str(deck)).slides[0].shapes
    assert shapes.title.text == "Two texts"
    assert [shape.text for shape in shapes] == ["Two texts", "First line\nAn inner line"]
    call("format_slides", path="a.pptx", layout="Title Only")
    shapes = Presentation(str(deck)).slides[0].shapes
    assert shapes.title.text == "Two texts"
    assert [shape.is_placeholder for shape in shapes] == [True, False]
