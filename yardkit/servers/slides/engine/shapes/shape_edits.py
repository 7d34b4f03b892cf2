"""A batch of operations on shapes: moved, aligned, grouped, styled, linked ... all applied or none."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.inputs import ShapeEdit, require_value
from yardkit.servers.slides.engine.looks import shape_style
from yardkit.servers.slides.engine.looks.contrast import faint_shapes
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import (
    MC,
    A,
    Box,
    P,
    Placed,
    R,
    find_shape,
    fit_group,
    get_kind,
    is_group,
    move_shape,
    non_visual,
    walk_shapes,
    with_versions,
)
from yardkit.servers.slides.engine.package.slide_copies import relate_copies
from yardkit.servers.slides.engine.package.units import to_cm, to_emu
from yardkit.servers.slides.engine.shapes import animations, shape_versions, turned_shapes
from yardkit.servers.slides.engine.shapes.connectors import Spot, list_spots, redraw_connectors
from yardkit.servers.slides.engine.text.paragraphs import clean_text, set_link
from yardkit.world import Problem

_OWN = (
    *("image", "chart", "chartEx", "hyperlink", "slide", "media", "video", "audio", "package", "oleObject"),
    *("diagramData", "diagramLayout", "diagramQuickStyle", "diagramColors", "diagramDrawing"),
)
"""Kinds of relationships that exist only for the shapes that name them."""
_LOCATIONS = {
    "left": ("left", 0.0),
    "center": ("left", 0.5),
    "right": ("left", 1.0),
    "top": ("top", 0.0),
    "middle": ("top", 0.5),
    "bottom": ("top", 1.0),
}


def edit_shapes(path: Path, edits: list[ShapeEdit]) -> list[str]:
    """Apply all operations in their order, or none; a line for each, with the ids of new shapes, then faint texts."""
    done = []
    with edit_deck(path) as deck:
        for number, shape_edit in enumerate(edits, 1):
            try:
                done.append(_OPERATIONS[shape_edit.op](deck, shape_edit))
            except Problem as problem:
                raise Problem(f"operation {number} ({shape_edit.op}): {problem}; none was applied") from problem
        counts = [len(list(walk_shapes(slide.shapes))) for slide in deck.slides]
        deck.promise("the shapes", lambda saved: [len(list(walk_shapes(s.shapes))) for s in saved.slides] == counts)
        done += _find_faint_texts(deck, edits)
    return done


def _find_faint_texts(deck: Deck, edits: list[ShapeEdit]) -> list[str]:
    """Shapes whose text can hardly be read on the fill that they were given: text keeps its colour."""
    filled = [
        shape_edit
        for shape_edit in edits
        if shape_edit.op == "style" and (shape_edit.fill, shape_edit.transparency) != (None, None)
    ]
    faint_notes = []
    for number in sorted({shape_edit.slide for shape_edit in filled}):
        slide = deck.get_slide(number)
        keys = {str(key).casefold() for shape_edit in filled if shape_edit.slide == number for key in shape_edit.shapes}
        for identity, message in faint_shapes(deck, number):
            if keys & {str(identity), find_shape(slide, identity).shape.name.casefold()}:
                faint_notes.append(message)
    return faint_notes


def _choose_shapes(deck: Deck, shape_edit: ShapeEdit) -> list[Placed]:
    if not shape_edit.shapes:
        raise Problem("no shapes were given")
    slide = deck.get_slide(shape_edit.slide)
    return [find_shape(slide, key) for key in shape_edit.shapes]


def _require_box(placed: Placed) -> Box:
    box = placed.box
    if box is None:
        raise Problem(f"shape {placed.shape.shape_id} {placed.shape.name!r} has no position; move it first")
    return box


def _get_visible_box(placed: Placed) -> Box:
    """The box that a shape takes on the slide, turned as it is."""
    return turned_shapes.seen_box(_require_box(placed), turned_shapes.get_angle(placed.shape))


def _move_side(placed: Placed, side: str, start: float) -> None:
    """Move a shape so that it is seen from `start` on, at its left or top."""
    box = _require_box(placed)
    shift = start - getattr(_get_visible_box(placed), side)
    move_shape(placed, Box(**(vars(box) | {side: getattr(box, side) + shift})))


def _settle_shapes(deck: Deck, number: int, chosen: list[Placed], before: list[Spot | None]) -> None:
    """Connectors follow moved shapes; groups around both grow or shrink with them, from the inside out."""
    slide = deck.get_slide(number)
    followed = redraw_connectors(slide, {placed.shape.shape_id for placed in chosen}, before)
    for identity in _inside_out((*chosen, *followed)):
        fit_group(find_shape(slide, identity).shape)


def _inside_out(inner: Iterable[Placed]) -> list[int]:
    """The ids of the groups around shapes, the deepest first."""
    depths = {group: depth for placed in inner for depth, group in enumerate(placed.groups)}
    return sorted(depths, key=lambda group: -depths[group])


def _move_shapes(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    before = list_spots(deck.get_slide(shape_edit.slide))
    fields = (shape_edit.left_cm, shape_edit.top_cm, shape_edit.width_cm, shape_edit.height_cm)
    if (
        fields == (None,) * 4
        and shape_edit.rotation_deg is None
        and shape_edit.flip_h is None
        and shape_edit.flip_v is None
    ):
        raise Problem("move needs left_cm, top_cm, width_cm, height_cm, rotation_deg, flip_h or flip_v")
    for placed in chosen:
        box = placed.box or Box(0, 0, 0, 0)
        values = [
            to_emu(given) if given is not None else old for given, old in zip(fields, vars(box).values(), strict=True)
        ]
        if min(values[2:]) < 0:
            raise Problem("width and height must be 0 or more")
        if fields != (None,) * 4:
            move_shape(placed, Box(*values))
        if shape_edit.rotation_deg is not None:
            if get_kind(placed.shape) in ("table", "chart", "diagram", "object"):
                raise Problem(f"a {get_kind(placed.shape)} cannot be rotated")
            placed.shape.rotation = shape_edit.rotation_deg
        shape_style.set_flips(placed.shape, shape_edit.flip_h, shape_edit.flip_v)
    _settle_shapes(deck, shape_edit.slide, chosen, before)
    turned = any(value is not None for value in (shape_edit.rotation_deg, shape_edit.flip_h, shape_edit.flip_v))
    return f"moved {_join_ids(chosen)}{_settle_versions(chosen) if turned else ''}"


def _style_shapes(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    for placed in chosen:
        shape_style.style_shape(placed.shape, shape_edit)
    return f"styled {_join_ids(chosen)}{_settle_versions(chosen)}"


def _settle_versions(chosen: list[Placed]) -> str:
    return "".join(f"; {note}" for placed in chosen for note in shape_versions.settle_versions(placed.shape))


def _order_shapes(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    for placed in chosen if shape_edit.to in ("front", "backward") else reversed(chosen):
        reorder_shape(with_versions(placed.shape), require_value(shape_edit.to, "to", "order"))
    return f"moved {_join_ids(chosen)} {shape_edit.to}"


def reorder_shape(element: Any, to: str) -> None:
    """Bring a shape to the front or back, or a step forward or backward."""
    parent = element.getparent()
    drawn = [child for child in parent if child.find(f".//{P}cNvPr") is not None and child.tag != f"{P}nvGrpSpPr"]
    at = drawn.index(element)
    if to not in ("front", "back", "forward", "backward"):
        raise Problem(f"{to!r} is not a valid order; use front, back, forward or backward")
    target = {"front": len(drawn) - 1, "back": 0, "forward": min(at + 1, len(drawn) - 1), "backward": max(at - 1, 0)}[
        to
    ]
    if target > at:
        drawn[target].addnext(element)
    elif target < at:
        drawn[target].addprevious(element)


def _align_shapes(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    before = list_spots(deck.get_slide(shape_edit.slide))
    if shape_edit.to not in _LOCATIONS:
        raise Problem(f"{shape_edit.to!r} is not a valid alignment; use {', '.join(_LOCATIONS)}")
    side, share = _LOCATIONS[shape_edit.to]
    size = "width" if side == "left" else "height"
    around = _get_reference_box(deck, shape_edit, chosen)
    for placed in chosen:
        box = _get_visible_box(placed)
        _move_side(placed, side, getattr(around, side) + (getattr(around, size) - getattr(box, size)) * share)
    _settle_shapes(deck, shape_edit.slide, chosen, before)
    return f"aligned {_join_ids(chosen)} {shape_edit.to}"


def _get_reference_box(deck: Deck, shape_edit: ShapeEdit, chosen: list[Placed]) -> Box:
    if shape_edit.within == "slide" or len(chosen) == 1:
        return Box(0, 0, deck.width, deck.height)
    boxes = [_get_visible_box(placed) for placed in chosen]
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    return Box(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def _distribute_shapes(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    before = list_spots(deck.get_slide(shape_edit.slide))
    if shape_edit.to not in ("horizontal", "vertical"):
        raise Problem(f"{shape_edit.to!r} is not a valid distribution; use horizontal or vertical")
    if len(chosen) < (2 if shape_edit.within == "slide" else 3):
        raise Problem("distribute needs at least three shapes (two within the slide)")
    side, size = ("left", "width") if shape_edit.to == "horizontal" else ("top", "height")
    around = _get_reference_box(deck, shape_edit, chosen)
    ordered = sorted(chosen, key=lambda placed: float(getattr(_get_visible_box(placed), side)))
    free = getattr(around, size) - sum(getattr(_get_visible_box(placed), size) for placed in ordered)
    parts = len(ordered) + 1 if shape_edit.within == "slide" else len(ordered) - 1
    at = getattr(around, side) + (free / parts if shape_edit.within == "slide" else 0)
    for placed in ordered:
        _move_side(placed, side, at)
        at += getattr(_get_visible_box(placed), size) + free / parts
    _settle_shapes(deck, shape_edit.slide, chosen, before)
    return f"distributed {_join_ids(chosen)}, {to_cm(free / parts):g} cm between them"


def _group_shapes(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    if len(chosen) < 2 or len({placed.groups for placed in chosen}) > 1:
        raise Problem("group needs at least two shapes of the same slide or the same group")
    if any(with_versions(placed.shape) is not placed.shape._element for placed in chosen):
        raise Problem("a shape with two versions, such as one with a formula, cannot be grouped")
    if any(placed.shape._element.find(f"./*/{P}nvPr/{P}ph") is not None for placed in chosen):
        raise Problem("placeholders cannot be grouped; group other shapes")
    parent = chosen[0].shape._element.getparent()
    order = [child for child in parent if any(child is placed.shape._element for placed in chosen)]
    holder = deck.get_slide(shape_edit.slide).shapes
    owner = (
        find_shape(deck.get_slide(shape_edit.slide), chosen[0].groups[-1]).shape.shapes if chosen[0].groups else holder
    )
    new_group = owner.add_group_shape()
    order[-1].addnext(new_group._element)
    for element in order:
        new_group._element.append(element)
    new_group.name = clean_text(shape_edit.name) if shape_edit.name else new_group.name
    fit_group(new_group)
    return f"grouped {_join_ids(chosen)} as {new_group.shape_id}"


def _ungroup_shapes(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    freed = []
    for placed in chosen:
        group = placed.shape
        if not is_group(group):
            raise Problem(f"shape {group.shape_id} {group.name!r} is not a group")
        inside = [
            inner
            for inner in walk_shapes([group], placed.frame)
            if with_versions(inner.shape).getparent() is group._element
        ]
        boxes = [(inner, inner.box) for inner in inside]
        for inner, box in boxes:
            group._element.addprevious(with_versions(inner.shape))
            if box:
                stays = turned_shapes.leave_group(inner.shape, box, group, placed.box or box)
                move_shape(Placed(inner.shape, placed.frame), stays)
            freed.append(inner.shape.shape_id)
        group._element.getparent().remove(group._element)
    animations.drop_orphans(deck.get_slide(shape_edit.slide))
    return f"ungrouped {_join_ids(chosen)} into {', '.join(map(str, freed))}"


def _delete_shapes(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    for placed in chosen:
        element = with_versions(placed.shape)
        element.getparent().remove(element)
    slide = deck.get_slide(shape_edit.slide)
    animations.drop_orphans(slide)
    drop_unused(slide)
    for identity in _inside_out(chosen):
        left = [other.shape for other in walk_shapes(slide.shapes) if other.shape.shape_id == identity]
        if left and not len(left[0].shapes):
            left[0]._element.getparent().remove(left[0]._element)
        elif left:
            fit_group(left[0])
    return f"deleted {_join_ids(chosen)}"


def drop_unused(slide: Any) -> None:
    """Let go of pictures, charts and links that no shape of the slide uses any more."""
    used = {value for element in slide._element.iter() for key, value in element.attrib.items() if key.startswith(R)}
    diagram = any(
        "diagram" in value for element in slide._element.iter(f"{A}graphicData") for value in element.attrib.values()
    )
    for identity, relation in list(slide.part.rels.items()):
        name = relation.reltype.rsplit("/", 1)[-1]
        if identity not in used and name in _OWN and not (diagram and name == "diagramDrawing"):
            slide.part.rels.pop(identity)


def _duplicate_shapes(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    source, target = deck.get_slide(shape_edit.slide), deck.get_slide(shape_edit.to_slide or shape_edit.slide)
    new_shapes, copies, numbers = [], [], dict[str, str]()
    for placed in chosen:
        element = copy.deepcopy(with_versions(placed.shape))
        _bring_relations(deck, source, target, element)
        following = target.shapes._spTree.max_shape_id + 1 if hasattr(target.shapes._spTree, "max_shape_id") else 0
        following = following or max((int(e.get("id", 0)) for e in target._element.iter(f"{P}cNvPr")), default=1) + 1
        numbers |= _renumber_shapes(element, following)
        copies.append(element)
        target.shapes._spTree.insert_element_before(element, "p:extLst")
        new = next(other for other in walk_shapes(target.shapes) if with_versions(other.shape) is element)
        box = placed.box
        if box is not None:
            shift = to_emu(0.6) if target is source and shape_edit.left_cm is None and shape_edit.top_cm is None else 0
            left = to_emu(shape_edit.left_cm) if shape_edit.left_cm is not None else box.left + shift
            top = to_emu(shape_edit.top_cm) if shape_edit.top_cm is not None else box.top + shift
            move_shape(new, Box(left, top, box.width, box.height))
        new_shapes.append(new.shape.shape_id)
    for element in copies:
        _glue_copies(element, numbers)
    where = f" on slide {shape_edit.to_slide}" if shape_edit.to_slide else ""
    return f"copied {_join_ids(chosen)} as {', '.join(map(str, new_shapes))}{where}"


def _renumber_shapes(element: Any, following: int) -> dict[str, str]:
    """Give the shapes of a copy ids of their own, the same to both versions of one; the new ids by the old ones."""
    fresh: dict[str, str] = {}
    for at, properties in enumerate(element.iter(f"{P}cNvPr"), following):
        old = properties.get("id", "")
        older = next(properties.iterancestors(f"{MC}Fallback"), None) is not None
        fresh[old] = fresh[old] if older and old in fresh else str(at)
        properties.set("id", fresh[old])
    return fresh


def _glue_copies(element: Any, numbers: dict[str, str]) -> None:
    """Copied connectors hold on to the copies of their shapes, and to nothing where those were not copied."""
    for glue in list(element.iter(f"{A}stCxn", f"{A}endCxn")):
        if glue.get("id") in numbers:
            glue.set("id", numbers[glue.get("id")])
        else:
            glue.getparent().remove(glue)


def _bring_relations(deck: Deck, source: Any, target: Any, element: Any) -> None:
    """Charts get a workbook of their own; pictures and links are shared."""
    for holder in element.iter():
        for key, identity in list(holder.attrib.items()):
            if not key.startswith(R) or identity not in source.part.rels:
                continue
            relation = source.part.rels[identity]
            if relation.is_external:
                new = target.part.rels.get_or_add_ext_rel(relation.reltype, relation.target_ref)
            elif (
                relation.reltype.endswith(("/chart", "/chartEx", "/package", "/oleObject"))
                or "diagram" in relation.reltype
            ):
                part = relation.target_part
                name = type(part.partname)(deck.free_partname(str(part.partname)))
                part_copy = type(part).load(name, part.content_type, deck.opened, part.blob)
                relate_copies(deck, part, {part: part_copy}, lambda other: other)
                new = target.part.rels._add_relationship(relation.reltype, part_copy)
            else:
                new = target.part.rels.get_or_add(relation.reltype, relation.target_part)
            holder.set(key, new)


def _link_shapes(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    slide = deck.get_slide(shape_edit.slide)
    for placed in chosen:
        set_link(slide, non_visual(placed.shape), require_value(shape_edit.link, "link", "link"))
    drop_unused(slide)
    return (
        f"linked {_join_ids(chosen)} to {shape_edit.link}"
        if shape_edit.link
        else f"took the link of {_join_ids(chosen)} away"
    )


def _describe_shapes(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    if shape_edit.name is None and shape_edit.alt_text is None:
        raise Problem("describe needs name or alt_text")
    for placed in chosen:
        if shape_edit.name is not None:
            non_visual(placed.shape).set("name", clean_text(shape_edit.name))
        if shape_edit.alt_text is not None:
            non_visual(placed.shape).set("descr", clean_text(shape_edit.alt_text))
    return f"described {_join_ids(chosen)}"


def _crop_pictures(deck: Deck, shape_edit: ShapeEdit) -> str:
    chosen = _choose_shapes(deck, shape_edit)
    sides = {"left": shape_edit.left, "top": shape_edit.top, "right": shape_edit.right, "bottom": shape_edit.bottom}
    if all(value is None for value in sides.values()):
        raise Problem("crop needs left, top, right or bottom: the fraction (0-1) of the picture to cut off")
    for placed in chosen:
        if get_kind(placed.shape) != "picture":
            raise Problem(
                f"shape {placed.shape.shape_id} {placed.shape.name!r} is not a picture; only pictures can be cropped"
            )
        for side, value in sides.items():
            if value is not None:
                setattr(placed.shape, f"crop_{side}", value)
        if (
            placed.shape.crop_left + placed.shape.crop_right >= 1
            or placed.shape.crop_top + placed.shape.crop_bottom >= 1
        ):
            raise Problem(
                "nothing of the picture would be left; the fractions of opposite sides must add up to less than 1"
            )
    return f"cropped {_join_ids(chosen)}{_settle_versions(chosen)}"


def _join_ids(chosen: list[Placed]) -> str:
    return ", ".join(str(placed.shape.shape_id) for placed in chosen)


_OPERATIONS: dict[str, Callable[[Deck, ShapeEdit], str]] = {
    "move": _move_shapes,
    "style": _style_shapes,
    "order": _order_shapes,
    "align": _align_shapes,
    "distribute": _distribute_shapes,
    "group": _group_shapes,
    "ungroup": _ungroup_shapes,
    "delete": _delete_shapes,
    "duplicate": _duplicate_shapes,
    "link": _link_shapes,
    "describe": _describe_shapes,
    "crop": _crop_pictures,
}
