"""What belongs to the whole deck: theme colours and fonts, size, sections, properties."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.xml import serialize_part
from yardkit.servers.slides.engine.inputs import Section
from yardkit.servers.slides.engine.package import slide_copies
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import A, P
from yardkit.servers.slides.engine.package.theme import SLOTS, theme_colors, theme_part, theme_root
from yardkit.servers.slides.engine.package.units import to_emu
from yardkit.servers.slides.engine.slides import slide_sizes
from yardkit.servers.slides.engine.text.paragraphs import clean_text
from yardkit.world import Problem

_P14 = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
_SECTIONS_URI = "{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"
PROPERTIES = ("title", "author", "subject", "keywords", "category", "comments", "content_status", "last_modified_by")


@dataclass(frozen=True)
class ThemeChange:
    """Colours by name and fonts to put into a theme."""

    colors: dict[str, str] = field(default_factory=dict)
    heading_font: str | None = None
    body_font: str | None = None


def _set_theme(deck: Deck, change: ThemeChange) -> list[str]:
    """Change colours and fonts of every theme that slides use; what was changed."""
    theme_colors = {SLOTS.get(name.lower(), name): value.lstrip("#").upper() for name, value in change.colors.items()}
    for name, value in theme_colors.items():
        if name not in SLOTS.values():
            raise Problem(f"{name!r} is not a valid theme colour; use {', '.join(SLOTS)}")
        if len(value) != 6 or set(value) - set("0123456789ABCDEF"):
            raise Problem(f"{value!r} is not a valid colour; use RRGGBB")
    fonts = {kind: font for kind, font in (("major", change.heading_font), ("minor", change.body_font)) if font}
    for master in deck.presentation.slide_masters if theme_colors or fonts else []:
        root = theme_root(master)
        _paint_theme(root, theme_colors)
        for kind, font in fonts.items():
            root.find(f".//{A}{kind}Font/{A}latin").set("typeface", clean_text(font))
        theme_part(master).blob = serialize_part(root)
    deck.promise("the theme", lambda saved: _has_theme_colors(saved, theme_colors))
    named = {"major": "heading font", "minor": "body font"}
    return [
        *(f"{name} {value.lstrip('#').upper()}" for name, value in change.colors.items()),
        *(f"{named[kind]} {font}" for kind, font in fonts.items()),
    ]


def _paint_theme(root: Any, theme_colors: dict[str, str]) -> None:
    from lxml import etree

    scheme = root.find(f".//{A}clrScheme")
    for slot, value in theme_colors.items():
        holder = scheme.find(f"{A}{slot}")
        for old in list(holder):
            holder.remove(old)
        etree.SubElement(holder, f"{A}srgbClr", val=value)


def _has_theme_colors(saved: Deck, requested_colors: dict[str, str]) -> bool:
    return all(
        requested_colors.items() <= theme_colors(theme_root(master)).items()
        for master in saved.presentation.slide_masters
    )


def configure_deck(
    path: Path,
    theme: ThemeChange,
    size_cm: tuple[float, float] | None,
    sections: list[Section] | None,
    properties: dict[str, str],
    *,
    scale: bool,
    now: datetime,
) -> list[str]:
    """Change theme, size, sections and properties; what was changed."""
    with edit_deck(path) as deck:
        done = _set_theme(deck, theme)
        if size_cm is not None:
            _resize_deck(deck, to_emu(size_cm[0]), to_emu(size_cm[1]), scale=scale)
            done.append(f"slides of {size_cm[0]:g} x {size_cm[1]:g} cm")
        if sections is not None:
            _set_sections(deck, sections)
            done.append(f"sections {', '.join(section.name for section in sections)}" if sections else "no sections")
        done += _set_properties(deck, properties, now)
        if not done:
            raise Problem("no change was given; give colors, fonts, properties, sections, or width_cm and height_cm")
        names = [section.name for section in sections or []]
        deck.promise(
            "the sections", lambda saved: not names or [name for name, _ in slide_copies.list_sections(saved)] == names
        )
    return done


def _set_properties(deck: Deck, properties: dict[str, str], now: datetime) -> list[str]:
    for name, value in properties.items():
        if name not in PROPERTIES:
            raise Problem(f"{name!r} is not a valid property; use {', '.join(PROPERTIES)}")
        if len(value) > 255:
            raise Problem(f"the property {name!r} has {len(value)} characters; the limit is 255")
        setattr(deck.opened.core_properties, name, clean_text(value))
    if properties:
        deck.opened.core_properties.modified = now.astimezone(UTC).replace(tzinfo=None, microsecond=0)
    return [f"{name} {value!r}" for name, value in properties.items()]


def _resize_deck(deck: Deck, width: int, height: int, *, scale: bool) -> None:
    if not 914_400 <= min(width, height) <= max(width, height) <= 51_206_400:
        raise Problem("the slide size is invalid; use 2.54 to 142 cm for width and height")
    factor_x, factor_y = width / deck.width, height / deck.height
    deck.presentation.slide_width, deck.presentation.slide_height = width, height
    size = deck.part._element.find(f"{P}sldSz")
    size.attrib.pop("type", None)
    if scale:
        for holder in [*deck.presentation.slide_masters, *deck.layouts, *deck.slides]:
            for shape in slide_sizes.outer_shapes(holder._element.find(f"{P}cSld/{P}spTree")):
                _scale_shape(shape, factor_x, factor_y)


def _scale_shape(shape: Any, factor_x: float, factor_y: float) -> None:
    """Scale the box of a shape, and the cells of a table; pictures and groups keep their proportions, in the middle."""
    xfrm = next(
        (
            transform
            for path in (f"{P}spPr/{A}xfrm", f"{P}grpSpPr/{A}xfrm", f"{P}xfrm")
            for transform in shape.iterfind(path)
        ),
        None,
    )
    offset, extent = (None, None) if xfrm is None else (xfrm.find(f"{A}off"), xfrm.find(f"{A}ext"))
    if offset is None or extent is None:
        return
    x, y, wide, high = (int(value) for value in (offset.get("x"), offset.get("y"), extent.get("cx"), extent.get("cy")))
    table = shape.find(f".//{A}tbl") is not None and shape.tag == f"{P}graphicFrame"
    fixed = shape.tag in (f"{P}pic", f"{P}grpSp", f"{P}graphicFrame") and not table
    by_x, by_y = (min(factor_x, factor_y),) * 2 if fixed else (factor_x, factor_y)
    if table:
        slide_sizes.scale_cells(shape, factor_x, factor_y)
    offset.set("x", str(round(x * factor_x + wide * (factor_x - by_x) / 2)))
    offset.set("y", str(round(y * factor_y + high * (factor_y - by_y) / 2)))
    extent.set("cx", str(round(wide * by_x)))
    extent.set("cy", str(round(high * by_y)))


def _set_sections(deck: Deck, new_sections: list[Section]) -> None:
    from lxml import etree

    ids = deck.slide_ids
    starts = [section.first_slide for section in new_sections]
    if new_sections and (starts != sorted(set(starts)) or starts[0] != 1 or starts[-1] > len(ids)):
        raise Problem(
            f"sections start at {starts}; the first must start at slide 1, each later one after it, up to {len(ids)}"
        )
    old = slide_copies.section_list(deck)
    if old is not None:
        old.getparent().getparent().remove(old.getparent())
    if not new_sections:
        return
    holder = deck.part._element.find(f"{P}extLst")
    holder = etree.SubElement(deck.part._element, f"{P}extLst") if holder is None else holder
    extension = etree.SubElement(holder, f"{P}ext", uri=_SECTIONS_URI)
    listing = etree.SubElement(extension, f"{_P14}sectionLst", nsmap={"p14": _P14.strip("{}")})
    for number, (section, end) in enumerate(zip(new_sections, [*starts[1:], len(ids) + 1], strict=True)):
        identity = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{number}:{section.name}")).upper()
        section_element = etree.SubElement(
            listing, f"{_P14}section", name=clean_text(section.name), id=f"{{{identity}}}"
        )
        inside = etree.SubElement(section_element, f"{_P14}sldIdLst")
        for slide in ids[section.first_slide - 1 : end - 1]:
            etree.SubElement(inside, f"{_P14}sldId", id=slide)
