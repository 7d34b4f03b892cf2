"""What belongs to a whole slide: its layout, background, transition, and the date, footer and number at its edge."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.looks import shape_style
from yardkit.servers.slides.engine.looks.contrast import faint_shapes
from yardkit.servers.slides.engine.looks.inherited_look import Inherited
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import A, P, find_placeholder, get_role, own_box, walk_shapes
from yardkit.servers.slides.engine.package.theme import Look
from yardkit.servers.slides.engine.slides.foreign_slide import FEET, adopt_placeholder, fits_placeholder
from yardkit.servers.slides.engine.slides.new_slides import is_empty, remove_empty
from yardkit.servers.slides.engine.text.paragraphs import as_paragraphs, write_paragraphs
from yardkit.world import Problem

_P14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_P159 = "http://schemas.microsoft.com/office/powerpoint/2015/09/main"
_MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
TRANSITIONS = {
    **{name: f"<p:{name}/>" for name in ("fade", "push", "wipe", "cut", "cover", "pull", "dissolve", "zoom", "circle")},
    **{name: f"<p:{name}/>" for name in ("diamond", "plus", "wedge", "newsflash", "random")},
    "split": '<p:split orient="vert" dir="out"/>',
    "wheel": '<p:wheel spokes="4"/>',
    "blinds": '<p:blinds dir="horz"/>',
    "checker": '<p:checker dir="horz"/>',
    "comb": '<p:comb dir="horz"/>',
    "bars": '<p:randomBar dir="vert"/>',
    "strips": "<p:strips/>",
}
_LAYOUT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/slideLayout"


@dataclass(frozen=True)
class SlideLook:
    """What to change on slides; None stays as it is."""

    layout: str | None = None
    background: str | None = None
    transition: str | None = None
    transition_s: float | None = None
    advance_after_s: float | None = None
    advance_on_click: bool | None = None
    footer: str | None = None
    slide_number: bool | None = None
    date: str | None = None
    background_to: str | None = None
    background_deg: float = 90


def change_slides(path: Path, numbers: list[int] | None, look: SlideLook) -> tuple[list[int], list[str]]:
    """Change slides; their numbers, and what a reader should know."""
    if look == SlideLook():
        raise Problem("no change was given; give layout, background, transition, footer, slide_number or date")
    notes: list[str] = []
    with edit_deck(path) as deck:
        chosen = deck.numbers(numbers)
        for number in chosen:
            slide = deck.get_slide(number)
            if look.layout is not None:
                notes += [f"slide {number}: {note}" for note in _set_layout(slide, deck.layout(look.layout))]
                slide = deck.get_slide(number)
            if look.background is not None:
                set_background(slide, look.background, look.background_to, look.background_deg)
            _change_transition(slide, look)
            notes += [f"slide {number}: {note}" for note in _set_feet(slide, look)]
            if look.background is not None:
                notes += [message for _, message in faint_shapes(deck, number)]
        _promise_look(deck, chosen, look)
    return chosen, notes


def _promise_look(deck: Deck, chosen: list[int], look: SlideLook) -> None:
    def holds(saved: Deck) -> bool:
        slides = [saved.get_slide(number) for number in chosen]
        right = look.transition is None or {get_transition(slide) or "none" for slide in slides} == {look.transition}
        layout = look.layout is None or all(slide.slide_layout.name for slide in slides)
        return right and layout

    deck.promise("the transition and the layout", holds)


def get_transition(slide: Any) -> str:
    """The name of a slide's transition; empty where there is none."""
    transition_element = next(slide._element.iter(f"{P}transition"), None)
    if transition_element is None:
        return ""
    return next((child.tag.rsplit("}", 1)[-1].replace("randomBar", "bars") for child in transition_element), "")


def _change_transition(slide: Any, look: SlideLook) -> None:
    timing = (look.transition, look.transition_s, look.advance_after_s, look.advance_on_click)
    if all(value is None for value in timing):
        return
    old = next(slide._element.iter(f"{P}transition"), None)
    values = {} if old is None else {key: value for key, value in old.attrib.items() if key in ("advTm", "advClick")}
    duration = None if old is None else old.get(f"{{{_P14}}}dur")
    name = look.transition if look.transition is not None else (get_transition(slide) or "none")
    if look.transition_s is not None:
        duration = str(round(look.transition_s * 1000))
    if look.advance_after_s is not None:
        values["advTm"] = str(round(look.advance_after_s * 1000))
    if look.advance_on_click is not None:
        values["advClick"] = str(int(look.advance_on_click))
    for element in list(slide._element):
        if element.tag == f"{P}transition" or next(element.iter(f"{P}transition"), None) is not None:
            slide._element.remove(element)
    if name != "none" or values:
        _insert_element(slide, _build_transition(name, duration, values))


def _build_transition(name: str, duration: str | None, values: dict[str, str]) -> Any:
    from pptx.oxml import parse_xml
    from pptx.oxml.ns import nsdecls

    speed = "fast" if duration and int(duration) <= 500 else "med" if duration and int(duration) <= 750 else "slow"
    timed = "".join(f' {key}="{value}"' for key, value in values.items())
    if name == "morph":
        inner = f'<p159:morph xmlns:p159="{_P159}" option="byObject"/>'
        fallback_xml = f'<p:transition spd="slow"{timed}><p:fade/></p:transition>'
        exact = f'<p:transition spd="slow"{timed} p14:dur="{duration or 2000}">{inner}</p:transition>'
        return parse_xml(_build_alternatives("p159", exact, fallback_xml))
    fallback_xml = f'<p:transition spd="{speed}"{timed}>{TRANSITIONS.get(name, "")}</p:transition>'
    if duration is None:
        return parse_xml(fallback_xml.replace("<p:transition", f"<p:transition {nsdecls('p')}", 1))
    return parse_xml(
        _build_alternatives(
            "p14", fallback_xml.replace("<p:transition", f'<p:transition p14:dur="{duration}"', 1), fallback_xml
        )
    )


def _build_alternatives(needs: str, exact: str, fallback_xml: str) -> str:
    from pptx.oxml.ns import nsdecls

    spaces = f'{nsdecls("p")} xmlns:mc="{_MC}" xmlns:p14="{_P14}" xmlns:p159="{_P159}"'
    return (
        f'<mc:AlternateContent {spaces}><mc:Choice Requires="{needs}">{exact}</mc:Choice>'
        f"<mc:Fallback>{fallback_xml}</mc:Fallback></mc:AlternateContent>"
    )


def _insert_element(slide: Any, element: Any) -> None:
    """Behind the colour map, before timing and extensions."""
    before = [child for child in slide._element if child.tag in (f"{P}cSld", f"{P}clrMapOvr")]
    before[-1].addnext(element)


def set_background(slide: Any, color: str, second: str | None = None, angle_deg: float = 90) -> None:
    """Fill the background of a slide; with a second colour as a gradient, with none as its layout."""
    from pptx.oxml import parse_xml
    from pptx.oxml.ns import nsdecls

    common = slide._element.find(f"{P}cSld")
    for old in common.findall(f"{P}bg"):
        common.remove(old)
    if color.lower() == "none":
        return
    background_element = parse_xml(f"<p:bg {nsdecls('p', 'a')}><p:bgPr><a:effectLst/></p:bgPr></p:bg>")
    shape_style.set_fill(background_element[0], color, second, angle_deg=angle_deg)
    common.insert(0, background_element)


def _set_layout(slide: Any, layout: Any) -> list[str]:
    """Put a slide on another layout: placeholders move to those of the same kind, others keep their place and look."""
    from pptx.opc.package import _Relationship

    look = Look(slide)
    content_placeholders = [shape for shape in slide.placeholders if get_role(shape) not in FEET]
    boxes = {shape.shape_id: own_box(shape) for shape in content_placeholders}
    looks = {shape.shape_id: Inherited(look, shape) for shape in content_placeholders if shape._element.tag == f"{P}sp"}
    rels = slide.part.rels
    identity = next(key for key, rel in rels.items() if rel.reltype == _LAYOUT)
    rels._rels[identity] = _Relationship(slide.part.partname.baseURI, identity, _LAYOUT, "Internal", layout.part)
    free = [shape for shape in layout.placeholders if get_role(shape) not in FEET]
    notes = []
    for shape in sorted(content_placeholders, key=lambda held_shape: held_shape.placeholder_format.idx):
        target = next((candidate for candidate in free if fits_placeholder(shape, candidate)), None)
        if target is None and is_empty(shape):
            continue
        if target is None:
            box = boxes[shape.shape_id]
            if box is not None:
                shape.left, shape.top, shape.width, shape.height = (round(value) for value in vars(box).values())
            if shape.shape_id in looks:
                looks[shape.shape_id].write()
            if get_role(shape) != "title":
                find_placeholder(shape).getparent().remove(find_placeholder(shape))
            notes.append(
                f"shape {shape.shape_id} {shape.name!r} has no counterpart on the layout and stays where it was"
            )
            continue
        free.remove(target)
        adopt_placeholder(shape, target)
    for target in free:
        if get_role(target) in ("title", "subtitle", "body"):
            slide.shapes.clone_placeholder(target)
    removed = remove_empty(slide)
    return notes + ([f"left out without content: {', '.join(removed)}"] if removed else [])


def _set_feet(slide: Any, look: SlideLook) -> list[str]:
    notes = []
    for kind, text in (("footer", look.footer), ("date", look.date)):
        if text is not None:
            notes += _set_foot(slide, kind, text)
    if look.slide_number is not None:
        notes += _set_foot(slide, "number", "#" if look.slide_number else "")
    return notes


def _set_foot(slide: Any, kind: str, text: str) -> list[str]:
    """Set or take away a footer placeholder; a note where the layout has none."""
    own = next((placed.shape for placed in walk_shapes(slide.shapes) if get_role(placed.shape) == kind), None)
    if not text:
        if own is not None:
            own._element.getparent().remove(own._element)
        return []
    like = next((shape for shape in slide.slide_layout.placeholders if get_role(shape) == kind), None)
    if own is None and like is None:
        return [f"the layout {slide.slide_layout.name!r} has no {kind} placeholder; none was added"]
    if own is None:
        own = _clone_placeholder(slide, like)
    if kind != "number":
        write_paragraphs(slide, own._element.get_or_add_txBody(), as_paragraphs([text]))
    return []


def _clone_placeholder(slide: Any, like: Any) -> Any:
    element = copy.deepcopy(like._element)
    properties = element.find(f"{P}spPr")
    for child in list(properties):
        properties.remove(child)
    body = element.find(f"{P}txBody")
    for style in body.findall(f"{A}lstStyle"):
        for child in list(style):
            style.remove(child)
    frame = body.find(f"{A}bodyPr")
    for key in list(frame.attrib):
        del frame.attrib[key]
    for child in list(frame):
        frame.remove(child)
    identity = max((int(named.get("id", "0")) for named in slide._element.iter(f"{P}cNvPr")), default=1) + 1
    element.find(f"{P}nvSpPr/{P}cNvPr").set("id", str(identity))
    slide.shapes._spTree.insert_element_before(element, "p:extLst")
    return next(placed.shape for placed in walk_shapes(slide.shapes) if placed.shape._element is element)
