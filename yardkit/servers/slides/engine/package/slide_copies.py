"""Slides copied and dropped with what hangs on them: notes, charts with their workbooks, diagrams, media."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from yardkit.servers.slides.engine.package.deck import Deck
from yardkit.servers.slides.engine.package.shape_tree import A, P, R
from yardkit.world import Problem

_SHARED_RELATIONS = ("slideLayout", "slideMaster", "image", "media", "video", "audio", "notesMaster", "theme", "slide")
_LEFT_OUT = ("comments", "comment")
_SECTION_LIST = "{http://schemas.microsoft.com/office/powerpoint/2010/main}sectionLst"
_P14 = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"


def duplicate_slide(deck: Deck, number: int) -> int:
    """Copy a slide and put the copy behind it; the copy's number. Comments stay with the original."""
    slide = deck.get_slide(number)
    copied_parts = {slide.part: copy_part(deck, slide.part)}
    relate_copies(deck, slide.part, copied_parts, lambda part: part)
    _register_slide(deck, copied_parts[slide.part], number)
    listing = deck.part._element.sldIdLst
    _join_section(deck, listing[number - 1].get("id"), listing[number].get("id"))
    return number + 1


def has_comments(part: Any) -> bool:
    """Whether a slide has comments, which belong to a discussion of that slide: copies come without."""
    return any(relation.reltype.rsplit("/", 1)[-1] in _LEFT_OUT for relation in part.rels.values())


def same_layout(deck: Deck, source: Deck, number: int) -> Any:
    """The layout that has the name of that of a slide of another deck.

    Raises:
        Problem: this deck has no such layout.
    """
    slide = source.get_slide(number)
    name = slide.slide_layout.name or ""
    layout = next(
        (candidate for candidate in deck.layouts if (candidate.name or "").casefold() == name.casefold()), None
    )
    if layout is None:
        names = ", ".join(repr(candidate.name) for candidate in deck.layouts)
        raise Problem(f"slide {number} uses the layout {name!r}, which this deck does not have ({names}); give layout")
    return layout


def copy_slide_from(deck: Deck, source: Deck, number: int, at: int, layout: Any, twins: dict[Any, Any]) -> int:
    """Copy a slide of another deck to position `at`, on a layout of this deck; how many links it lost.

    `twins` are the parts of all slides that are copied with their copies: links lead to these.
    """
    slide = source.get_slide(number)
    copied_parts: dict[Any, Any] = twins | {slide.slide_layout.part: layout.part}
    if slide.has_notes_slide:
        copied_parts[slide.notes_slide.part.notes_master.part] = deck.part.notes_master_part
    relate_copies(deck, slide.part, copied_parts, lambda part: _import_part(deck, part, copied_parts))
    notes = [copied_parts[slide.notes_slide.part]] if slide.has_notes_slide else []
    _register_slide(deck, copied_parts[slide.part], at - 1)
    return sum(_drop_dangling(part) for part in (copied_parts[slide.part], *notes))


def _drop_dangling(part: Any) -> int:
    """Take out links to slides that did not come along; how many."""
    count = 0
    for link in list(part._element.iter(f"{A}hlinkClick", f"{A}hlinkHover", f"{A}hlinkMouseOver")):
        identity = link.get(f"{R}id")
        if identity and identity not in part.rels:
            link.getparent().remove(link)
            count += 1
    return count


def _import_part(deck: Deck, part: Any, copied_parts: dict[Any, Any]) -> Any:
    """A shared part of another deck (a picture, a video) in this one."""
    if part not in copied_parts:
        copied_parts[part] = copy_part(deck, part)
    return copied_parts[part]


def copy_part(deck: Deck, part: Any) -> Any:
    """A part of its own with the same content."""
    name = type(part.partname)(deck.free_partname(str(part.partname)))
    return type(part).load(name, part.content_type, deck.opened, part.blob)


def relate_copies(deck: Deck, part: Any, copied_parts: dict[Any, Any], shared: Callable[[Any], Any]) -> None:
    """Give the copy of `part` the same relationships, under the same ids; what belongs to `part` alone is copied."""
    from pptx.opc.package import _Relationship

    copy_of = copied_parts[part]
    for identity, relation in part.rels.items():
        kind = relation.reltype.rsplit("/", 1)[-1]
        if kind in _LEFT_OUT:
            continue
        if relation.is_external:
            target: Any = relation.target_ref
        elif relation.target_part in copied_parts:
            target = copied_parts[relation.target_part]
        elif kind in _SHARED_RELATIONS:
            target = shared(relation.target_part)
            if kind == "slide" and target is not relation.target_part:
                continue
        else:
            target = copied_parts[relation.target_part] = copy_part(deck, relation.target_part)
            relate_copies(deck, relation.target_part, copied_parts, shared)
        mode = "External" if relation.is_external else "Internal"
        copy_of.rels._rels[identity] = _Relationship(copy_of.partname.baseURI, identity, relation.reltype, mode, target)


def _register_slide(deck: Deck, part: Any, after: int) -> None:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide"
    identity = deck.part.relate_to(part, kind)
    listing = deck.part._element.get_or_add_sldIdLst()
    entry = listing.add_sldId(identity)
    listing.insert(after, entry)


def move_slides(deck: Deck, numbers: list[int], to: int) -> None:
    """Move slides, in the order given, so that the first of them gets number `to`."""
    listing = deck.part._element.sldIdLst
    entries = [listing[number - 1] for number in numbers]
    for entry in entries:
        listing.remove(entry)
    if not 1 <= to <= len(listing) + 1:
        raise Problem(f"slides cannot be moved to {to}; give 1 to {len(listing) + 1}")
    for offset, entry in enumerate(entries):
        listing.insert(to - 1 + offset, entry)
    leave_sections(deck, {entry.get("id") for entry in entries})
    settle_sections(deck)


def delete_slides(deck: Deck, numbers: list[int]) -> None:
    """Delete slides with all that only they use; links to them are taken away."""
    listing = deck.part._element.sldIdLst
    entries = [listing[number - 1] for number in numbers]
    doomed = [deck.part.rels[entry.rId].target_part for entry in entries]
    for entry, part in zip(entries, doomed, strict=True):
        _forget_slide(deck, entry.rId)
        listing.remove(entry)
        deck.part.rels.pop(entry.rId)
        for other in [candidate for candidate in deck.opened.iter_parts() if candidate is not part]:
            _remove_links(other, part)
    settle_sections(deck)


def _forget_slide(deck: Deck, identity: str) -> None:
    """Take a slide out of the custom shows."""
    for entry in list(deck.part._element.iter(f"{P}sld")):
        if entry.get(f"{R}id") == identity:
            entry.getparent().remove(entry)


def _remove_links(other: Any, part: Any) -> None:
    """Take the links to `part` out of another slide or its notes."""
    rels = [key for key, rel in other.rels.items() if not rel.is_external and rel.target_part is part]
    kind = re.search(r"(slide|notesSlide|slideLayout|slideMaster)\+xml$", other.content_type)
    for identity in rels:
        if kind is None or other.content_type.endswith("notesSlide+xml"):
            continue
        for element in list(other._element.iter(f"{A}hlinkClick", f"{A}hlinkHover", f"{A}hlinkMouseOver")):
            if element.get(f"{R}id") == identity:
                element.getparent().remove(element)
        other.rels.pop(identity)


def section_list(deck: Deck) -> Any:
    return deck.part._element.find(f".//{_SECTION_LIST}")


def list_sections(deck: Deck) -> list[tuple[str, list[int]]]:
    """Section names with the numbers of their slides."""
    listing = section_list(deck)
    order = deck.slide_ids
    section_slides = []
    for section in [] if listing is None else listing:
        ids = [entry.get("id") for entry in section.iter(f"{_P14}sldId")]
        section_slides.append(
            (section.get("name", ""), sorted(order.index(identifier) + 1 for identifier in ids if identifier in order))
        )
    return section_slides


def _join_section(deck: Deck, like: str, new: str) -> None:
    """Put a new slide into the section of another."""
    from lxml import etree

    listing = section_list(deck)
    for entry in [] if listing is None else list(listing.iter(f"{_P14}sldId")):
        if entry.get("id") == like:
            section_entry = etree.Element(f"{_P14}sldId", id=new)
            entry.addnext(section_entry)


def leave_sections(deck: Deck, ids: set[str]) -> None:
    """Take slides out of their sections, so that they join those of their new neighbours."""
    listing = section_list(deck)
    for entry in [] if listing is None else list(listing.iter(f"{_P14}sldId")):
        if entry.get("id") in ids:
            entry.getparent().remove(entry)


def settle_sections(deck: Deck) -> None:
    """Make the sections fit the slides: deleted ones are dropped, new ones belong to the section before them."""
    from lxml import etree

    listing = section_list(deck)
    if listing is None or not len(listing):
        return
    home = {entry.get("id"): section for section in listing for entry in section.iter(f"{_P14}sldId")}
    slide_ids: dict[Any, list[str]] = {section: [] for section in listing}
    order = list(listing)
    current = order[0]
    for entry in deck.part._element.sldIdLst:
        target_section = home.get(entry.get("id"), current)
        current = target_section if order.index(target_section) >= order.index(current) else current
        slide_ids[current].append(entry.get("id"))
    for section, ids in slide_ids.items():
        holder = section.find(f"{_P14}sldIdLst")
        holder = etree.SubElement(section, f"{_P14}sldIdLst") if holder is None else holder
        for old in list(holder):
            holder.remove(old)
        for identity in ids:
            etree.SubElement(holder, f"{_P14}sldId", id=identity)
