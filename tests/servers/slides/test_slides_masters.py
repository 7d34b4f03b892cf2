"""Decks with several masters, as brands have them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.opc.packuri import PackURI

REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def copy_part(part: Any, name: Any, related: Any) -> Any:
    part_copy = type(part).load(PackURI(name), part.content_type, part.package, part.blob)
    for identity, relation in part.rels.items():
        target = related.get(relation.target_part, relation.target_part)
        part_copy.rels._rels[identity] = type(relation)(
            part_copy.partname.baseURI, identity, relation.reltype, "Internal", target
        )
    return part_copy


@pytest.fixture
def branded(files: Path) -> Any:
    """A deck with two masters that have the same layouts; its only slide is on the second one."""
    deck = Presentation()
    master = deck.slide_master.part
    second = copy_part(master, "/ppt/slideMasters/slideMaster2.xml", {})
    for identity, relation in list(second.rels.items()):
        if relation.reltype == REL + "slideLayout":
            name = f"/ppt/slideLayouts/slideLayout{100 + int(identity[3:])}.xml"
            layout = copy_part(relation.target_part, name, {master: second})
            second.rels._rels[identity] = type(relation)(
                second.partname.baseURI, identity, relation.reltype, "Internal", layout
            )
    entry = deck.part._element.sldMasterIdLst._add_sldMasterId()
    entry.rId = deck.part.relate_to(second, REL + "slideMaster")
    entry.set("id", "2147483700")
    deck.slides.add_slide(deck.slide_masters[1].slide_layouts[0])
    deck.save(str(files / "b.pptx"))
    return files / "b.pptx"


@pytest.mark.parametrize("at", [None, 1])
def test_new_slides_have_the_master_of_those_beside_them(
    branded: Any, call: Callable[..., dict[str, Any]], at: int | None
) -> None:
    where = {} if at is None else {"position": at}
    call("add_slides", path="b.pptx", slides=[{"title": "One", "body": ["a"]}, {"title": "Two"}], **where)
    deck = Presentation(str(branded))
    masters = [slide.slide_layout.slide_master.part for slide in deck.slides]
    assert masters == [deck.slide_masters[1].part] * 3
