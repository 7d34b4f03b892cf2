"""The XML of workbooks: its namespace, and elements made where the schema wants them."""

from __future__ import annotations

from typing import Any

from yardkit.kit.ooxml import xml
from yardkit.world import Problem

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml/main"


def parse(data: bytes, name: str) -> Any:
    """The root element of a part.

    Raises:
        Problem: it is not well-formed, declares a DTD, or is of the strict kind.
    """
    if STRICT in data[:4000]:
        raise Problem("the workbook is Strict Open XML; save it as an ordinary .xlsx workbook first")
    return xml.parse(data, name)


def tag(name: str, namespace: str = MAIN) -> str:
    return f"{{{namespace}}}{name}"


def child(parent: Any, name: str, order: tuple[str, ...]) -> Any:
    """The child element `name` of `parent`, made where the schema's sequence `order` wants it."""
    from lxml import etree

    found = parent.find(tag(name))
    if found is not None:
        return found
    made = etree.Element(tag(name))
    later = {tag(other) for other in order[order.index(name) + 1 :]}
    for index, sibling in enumerate(parent):
        if sibling.tag in later:
            parent.insert(index, made)
            return made
    parent.append(made)
    return made
