"""Slides of another deck find their place in this one: their placeholders and the looks of their tables."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Cm
from support.decks import check_consistency, read_parts

STYLE = "{11111111-2222-3333-4444-555555555555}"
STYLES = (
    '<a:tblStyleLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" def="{0}"><a:tblStyle '
    'styleId="{0}" styleName="House"/></a:tblStyleLst>'
)
KIND = "application/vnd.openxmlformats-officedocument.presentationml.tableStyles+xml"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/tableStyles"


@pytest.fixture
def source(files: Path) -> Any:
    """A slide with two texts side by side, and one with a table in a style of the deck's own."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[3])
    slide.shapes.title.text = "Two texts"
    slide.placeholders[1].text, slide.placeholders[2].text = "on the left", "on the right"
    table = deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_table(2, 2, Cm(2), Cm(2), Cm(10), Cm(3))
    table._element.find(".//{*}tableStyleId").text = STYLE
    known = [rel.target_part for rel in deck.part.rels.values() if rel.reltype == REL]
    part = known[0] if known else Part(PackURI("/ppt/tableStyles.xml"), KIND, deck.part.package)
    part._blob = STYLES.format(STYLE).encode()
    deck.part.relate_to(part, REL)
    deck.save(str(files / "source.pptx"))
    return files / "source.pptx"


@pytest.mark.parametrize("layout", ["Blank", "Title Only"])
def test_texts_for_which_a_layout_has_no_place_stay_where_they_were(
    source: Any, call: Callable[..., dict[str, Any]], files: Path, layout: str
) -> None:
    call("create_deck", path="n.pptx", size="4:3", slides=[{"title": "Mine"}])
    reply = call("copy_slides", path="n.pptx", source="source.pptx", slides=[1], layout=layout)
    before, after = (Presentation(str(files / name)).slides for name in ("source.pptx", "n.pptx"))
    boxes = [[(s.left, s.width) for s in list(slide.placeholders)[1:]] for slide in (before[0], after[1])]
    assert boxes[0] == boxes[1]
    assert "slide 2: 'Content Placeholder 2' has no counterpart on the layout and stays where it was" in reply["notes"]
    assert after[1].shapes.title.text == "Two texts"


def test_texts_go_to_the_places_that_a_layout_has(
    source: Any, call: Callable[..., dict[str, Any]], files: Path
) -> None:
    call("create_deck", path="n.pptx", slides=[{"title": "Mine"}])
    reply = call("copy_slides", path="n.pptx", source="source.pptx", slides=[1], layout="Comparison")
    slide = Presentation(str(files / "n.pptx")).slides[1]
    assert all(shape.width for shape in slide.placeholders)
    assert len({(shape.left, shape.top) for shape in slide.placeholders}) == 3
    assert "no counterpart" not in "".join(reply.get("notes", []))


def test_the_style_of_a_table_comes_along_once(source: Any, call: Callable[..., dict[str, Any]], files: Path) -> None:
    call("create_deck", path="n.pptx", slides=[{"title": "Mine"}])
    for _ in range(2):
        call("copy_slides", path="n.pptx", source="source.pptx", slides=[2])
    assert read_parts(files / "n.pptx")["ppt/tableStyles.xml"].count(b'styleName="House"') == 1
    check_consistency(files / "n.pptx")


@pytest.mark.parametrize(("chosen", "links"), [([1, 2, 3], ["#4", "#2"]), ([1, 3], ["", "#2"])])
def test_links_between_slides_that_are_copied_together_stay(
    call: Callable[..., dict[str, Any]], files: Path, chosen: list[int], links: list[str]
) -> None:
    call("create_deck", path="l.pptx", slides=[{"title": name} for name in ("Contents", "One", "Two")])
    for slide, target in ((1, "#2"), (3, "#1")):
        text = [{"runs": [{"text": "go", "link": target}]}]
        call("set_shape_text", path="l.pptx", slide=slide, shape="title", paragraphs=text)
    call("arrange_slides", path="l.pptx", action="move", slides=[2], position=3)
    call("create_deck", path="n.pptx", slides=[{"title": "Mine"}])
    link_targets = {2: 3, 3: 2}
    reply = call("copy_slides", path="n.pptx", source="l.pptx", slides=sorted(link_targets.get(n, n) for n in chosen))
    slides = call("read_slides", path="n.pptx", details=True)["slides"]
    runs = [slide["shapes"][0]["paragraphs"][0]["runs"][0] for slide in slides[1:]]
    assert [run.get("link", "") for run in runs if run["text"] == "go"] == links
    assert reply.get("notes", []) == ["slide 2: 1 link to slides that were not copied taken out"] * links.count("")
    check_consistency(files / "n.pptx")
