"""Sections: where they end, their size, margins and columns."""

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.markup.names import (
    SECT,
    TWIPS_PER_CM,
    find_element,
    get_attribute,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.package.document import Document

PAPERS_CM = {
    "A3": (29.7, 42.0),
    "A4": (21.0, 29.7),
    "A5": (14.8, 21.0),
    "Letter": (21.59, 27.94),
    "Legal": (21.59, 35.56),
}
STARTS = {"next_page": "nextPage", "continuous": "continuous", "even_page": "evenPage", "odd_page": "oddPage"}


def read_sections(document: Document) -> list[Any]:
    """The w:sectPr of each section in order; the last one is made if the body has none."""
    body = document.body
    last = find_element(body, "w:sectPr")
    if last is None:
        last = make_element("w:sectPr")
        body.append(last)
    return [
        *(
            section_element
            for section_element in body.iter(SECT)
            if section_element is not last and _ends_section(section_element)
        ),
        last,
    ]


def _ends_section(section: Any) -> bool:
    parent = section.getparent()
    return parent is not None and parent.tag == qualify_name("w:pPr")


def section_of(document: Document, block: Any) -> Any:
    """The section that a block stands in; the last one for blocks outside the body."""
    every = read_sections(document)
    if block is None or block.getroottree().getroot() is not document.root(document.main):
        return every[-1]
    order = {element: number for number, element in enumerate(document.body.iter())}
    place = order.get(block, 0)
    return next((section for section in every if order[section] > place), every[-1])


def text_width_cm(document: Document, block: Any = None) -> float:
    """Width of a text column where `block` stands."""
    section = section_of(document, block)
    width = _to_cm(get_attribute(find_element(section, "w:pgSz"), "w:w"), 21.0)
    margins = find_element(section, "w:pgMar")
    left, right = (_to_cm(get_attribute(margins, f"w:{side}"), 2.5) for side in ("left", "right"))
    columns = find_element(section, "w:cols")
    number = int(get_attribute(columns, "w:num", "1") or 1)
    gap = _to_cm(get_attribute(columns, "w:space"), 1.25) if number > 1 else 0.0
    return max(1.0, (width - left - right - gap * (number - 1)) / number)


def text_height_cm(document: Document, block: Any = None) -> float:
    section = section_of(document, block)
    margins = find_element(section, "w:pgMar")
    used = sum(_to_cm(get_attribute(margins, f"w:{side}"), 2.5) for side in ("top", "bottom"))
    return max(1.0, _to_cm(get_attribute(find_element(section, "w:pgSz"), "w:h"), 29.7) - used)


def _to_cm(twips: str | None, default: float) -> float:
    try:
        return default if twips is None else float(twips) / TWIPS_PER_CM
    except ValueError:
        return default
