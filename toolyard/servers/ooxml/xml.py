"""XML parts: parsed without entities, DTDs or network, written back as Office writes them."""

from __future__ import annotations

from typing import Any

from toolyard.world import Problem


def parse(data: bytes, name: str) -> Any:
    """The root element of a part.

    Raises:
        Problem: it is not well-formed, or declares a DTD (entities are how XML bombs work).
    """
    from lxml import etree

    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise Problem(f"the part {name!r} declares a DTD, which no Office file needs; it is refused")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise Problem(f"the part {name!r} is not well-formed XML ({error}); the file is damaged") from error


def serialized(root: Any) -> bytes:
    """The bytes of a part, with the declaration that Office writes."""
    from lxml import etree

    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))
