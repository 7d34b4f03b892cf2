"""Document properties: core and custom ones."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.servers.documents.engine.markup.names import NS, qualify_name
from yardkit.servers.documents.engine.package.document import Document
from yardkit.world import Problem

Value = str | int | float | bool
CORE = {
    "title": "dc:title", "author": "dc:creator", "subject": "dc:subject", "keywords": "cp:keywords",
    "comments": "dc:description", "category": "cp:category", "status": "cp:contentStatus", "language": "dc:language",
    "last_modified_by": "cp:lastModifiedBy", "created": "dcterms:created", "modified": "dcterms:modified",
    "revision": "cp:revision",
}  # fmt: skip
_SETTABLE_PROPERTIES = ("title", "author", "subject", "keywords", "comments", "category", "status", "language")
_CORE_TYPE = "application/vnd.openxmlformats-package.core-properties+xml"
_CORE_REL = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
_CUSTOM_TYPE = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
_CUSTOM = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
_VARIANT = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
_FORMAT_ID = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"
_FIRST_ID = 2


def core_properties(document: Document) -> dict[str, str]:
    """The core properties that are set."""
    part = rels.find_related(document.package, "", "core-properties")
    root = None if part is None else parse_part(document.package.read(part), part)
    core_values = {name: "" if root is None else (root.findtext(qualify_name(tag)) or "") for name, tag in CORE.items()}
    return {name: value for name, value in core_values.items() if value}


def custom_properties(document: Document) -> dict[str, Value]:
    part = rels.find_related(document.package, "", "custom-properties")
    root = None if part is None else parse_part(document.package.read(part), part)
    return {} if root is None else {entry.get("name", ""): _parse_value(entry) for entry in root}


def _parse_value(entry: Any) -> Value:
    if not len(entry):
        return ""
    text, kind = entry[0].text or "", entry[0].tag.rpartition("}")[2]
    if kind == "bool":
        return text in ("1", "true")
    try:
        return int(text) if kind in ("i4", "int", "i8") else float(text) if kind in ("r8", "r4") else text
    except ValueError:
        return str(text)


def set_core(document: Document, values: dict[str, str], now: datetime) -> None:
    """Set core properties (an empty text takes one out) and the date of the last change."""
    from lxml import etree

    unknown = set(values) - set(_SETTABLE_PROPERTIES)
    if unknown:
        listed = ", ".join(_SETTABLE_PROPERTIES)
        raise Problem(f"{', '.join(sorted(unknown))}: not a core property that can be set; use {listed}")
    part = rels.find_related(document.package, "", "core-properties")
    if part is None:
        part = "docProps/core.xml"
        root = etree.Element(
            qualify_name("cp:coreProperties"), nsmap={key: NS[key] for key in ("cp", "dc", "dcterms", "xsi")}
        )
        document.package.put(part, serialize_part(root))
        rels.set_type(document.package, part, _CORE_TYPE)
        rels.add_relation(document.package, "", _CORE_REL, part)
    root = document.root(part)
    for name, value in values.items():
        _set_text(root, qualify_name(CORE[name]), value)
    modified = _set_text(root, qualify_name("dcterms:modified"), now.strftime("%Y-%m-%dT%H:%M:%SZ"))
    modified.set(qualify_name("xsi:type"), "dcterms:W3CDTF")


def _set_text(root: Any, tag: str, value: str) -> Any:
    from lxml import etree

    element = root.find(tag)
    if element is None:
        element = etree.SubElement(root, tag)
    element.text = value
    if not value:
        root.remove(element)
    return element


def set_custom(document: Document, values: dict[str, Value | None]) -> None:
    """Set custom properties by name; None takes one out."""
    from lxml import etree

    part = rels.find_related(document.package, "", "custom-properties")
    if part is None:
        part = "docProps/custom.xml"
        empty = etree.Element(f"{{{_CUSTOM}}}Properties", nsmap={None: _CUSTOM, "vt": _VARIANT})
        document.package.put(part, serialize_part(empty))
        rels.set_type(document.package, part, _CUSTOM_TYPE)
        rels.add_relation(document.package, "", "custom-properties", part)
    root = document.root(part)
    for name, value in values.items():
        for old in [entry for entry in root if entry.get("name") == name]:
            root.remove(old)
        if value is not None:
            taken = [int(entry.get("pid", "1")) for entry in root]
            entry = etree.SubElement(root, f"{{{_CUSTOM}}}property", fmtid=_FORMAT_ID, name=name)
            entry.set("pid", str(max([_FIRST_ID - 1, *taken]) + 1))
            kind, text = _to_typed_text(value)
            etree.SubElement(entry, f"{{{_VARIANT}}}{kind}").text = text


def _to_typed_text(value: Value) -> tuple[str, str]:
    if isinstance(value, bool):
        return "bool", "true" if value else "false"
    if isinstance(value, int) and abs(value) < 2**31:
        return "i4", str(value)
    return ("lpwstr", value) if isinstance(value, str) else ("r8", repr(float(value)))
