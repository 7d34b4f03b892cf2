"""The XML of workbooks: its namespace, and elements made where the schema wants them."""

from __future__ import annotations

from typing import Any

from yardkit.kit.ooxml import xml
from yardkit.world import Problem

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml/main"


def parse_part(data: bytes, name: str) -> Any:
    """The root element of a part.

    Raises:
        Problem: it is not well-formed, declares a DTD, or is of the strict kind.
    """
    if STRICT in data[:4000]:
        raise Problem("the workbook is Strict Open XML; save it as an ordinary .xlsx workbook first")
    return xml.parse_part(data, name)


def qualify_tag(name: str, namespace: str = MAIN) -> str:
    return f"{{{namespace}}}{name}"


def ensure_child(parent: Any, name: str, order: tuple[str, ...]) -> Any:
    """The child element `name` of `parent`, made where the schema's sequence `order` wants it."""
    from lxml import etree

    known_child = parent.find(qualify_tag(name))
    if known_child is not None:
        return known_child
    new_child = etree.Element(qualify_tag(name))
    later = {qualify_tag(other) for other in order[order.index(name) + 1 :]}
    for index, sibling in enumerate(parent):
        if sibling.tag in later:
            parent.insert(index, new_child)
            return new_child
    parent.append(new_child)
    return new_child
