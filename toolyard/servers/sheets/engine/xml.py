"""XML parts: parsed without entities, DTDs or network, written back as they were declared."""

from __future__ import annotations

from typing import Any

from toolyard.world import Problem

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml/main"


def parse(data: bytes, name: str) -> Any:
    """The root element of a part.

    Raises:
        Problem: it is not well-formed, declares a DTD (entities are how XML bombs work), or is of the strict kind.
    """
    from lxml import etree

    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise Problem(f"the part {name!r} declares a DTD, which no workbook needs; it is refused")
    if _STRICT in data[:4000]:
        raise Problem("the workbook is Strict Open XML; save it as an ordinary .xlsx workbook first")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise Problem(f"the part {name!r} is not well-formed XML ({error}); the workbook is damaged") from error


def serialized(root: Any) -> bytes:
    """The bytes of a part, with the declaration that Office writes."""
    from lxml import etree

    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


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
