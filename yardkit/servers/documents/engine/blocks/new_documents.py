"""New documents: a package in clean standard styles, or one with the styles and layout of a template."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.kit.ooxml.package import Package
from yardkit.kit.ooxml.xml import serialize_part
from yardkit.servers.documents.engine.formatting.builtin_styles import KNOWN, TEXT_FONT
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.names import NS, add_in_order, get_attribute, make_element, qualify_name
from yardkit.servers.documents.engine.package import page_sections
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.review import note_settings

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
_STANDARD_STYLES = (
    *("Normal", "Normal Table", "Report Table", "Table Grid", "Title", "Subtitle"),
    *("heading 1", "heading 2", "heading 3", "heading 4", "List Paragraph", "Quote", "Code", "caption", "header"),
    *("footer", "Hyperlink", "Strong", "Emphasis", "Code Char"),
)
_COMPAT = "http://schemas.microsoft.com/office/word"


def new_document(now: datetime, language: str = "en-US") -> Document:
    """An empty document (A4, 2.5 cm margins) in our standard styles."""
    from lxml import etree

    package = Package.empty()
    types = etree.Element(f"{{{rels.TYPES}}}Types", nsmap={None: rels.TYPES})
    package.put(rels.CONTENT_TYPES, serialize_part(types))
    rels.set_default_type(package, "xml", "application/xml")
    rels.set_default_type(package, "rels", "application/vnd.openxmlformats-package.relationships+xml")
    section = make_element(
        "w:sectPr",
        make_element("w:pgSz", w=11906, h=16838),
        make_element("w:pgMar", top=1417, right=1417, bottom=1417, left=1417, header=708, footer=708, gutter=0),
        make_element("w:cols", space=708),
    )
    spaces = {prefix: NS[prefix] for prefix in ("w", "r", "wp", "a", "pic", "m", "mc", "w14")}
    root = etree.Element(qualify_name("w:document"), nsmap=spaces)
    root.set(qualify_name("mc:Ignorable"), "w14")
    root.append(make_element("w:body", section))
    package.put("word/document.xml", serialize_part(root))
    rels.set_type(package, "word/document.xml", _WORD + "document.main+xml")
    rels.add_relation(package, "", "officeDocument", "word/document.xml")
    document = Document(package)
    _add_styles(document, language)
    _add_settings(document)
    _add_fonts(document)
    _add_core(package, now)
    return document


def from_template(path: Path) -> Document:
    """A document with all that a template has but the content of its body; a dotx becomes a docx."""
    document = Document.open(path)
    body = document.body
    last = _last_section(document)
    for child in list(body):
        if child is not last:
            body.remove(child)
    for checked in note_settings.check_notes(document):
        note_settings.drop_orphans(document, checked)
    comments = document.part("comments")
    if comments is not None:
        document.root(comments)[:] = []
    kind = rels.content_type(document.package, document.main)
    document_type = kind.replace("template.main", "document.main").replace("macroEnabledTemplate", "macroEnabled")
    if document_type != kind:
        rels.set_type(document.package, document.main, document_type)
    return document


def _last_section(document: Document) -> Any:
    """The last section, with the headers and footers that it has from sections before it."""
    *before, last = page_sections.read_sections(document)
    names = {qualify_name("w:headerReference"), qualify_name("w:footerReference")}
    layout_values = {
        (reference.tag, get_attribute(reference, "w:type", "default")): reference
        for section in [*before, last]
        for reference in section
        if reference.tag in names
    }
    for shown_reference in layout_values.values():
        if shown_reference.getparent() is not last:
            add_in_order(last, shown_reference)
    return last


def _add_styles(document: Document, language: str) -> None:
    root = document.root(document.ensure_part("styles"))
    fonts = make_element("w:rFonts", ascii=TEXT_FONT, hAnsi=TEXT_FONT, cs=TEXT_FONT, eastAsia="Droid Sans Fallback")
    text = make_element("w:rPr", fonts, make_element("w:sz", val=22), make_element("w:szCs", val=22))
    text.append(make_element("w:lang", val=language, eastAsia="zh-CN", bidi="ar-SA"))
    spacing = make_element("w:spacing", after=160, line=276, lineRule="auto")
    defaults = make_element(
        "w:docDefaults",
        make_element("w:rPrDefault", text),
        make_element("w:pPrDefault", make_element("w:pPr", spacing)),
    )
    root.insert(0, defaults)
    styles = Styles(document)
    known = {style_edit.name: style_edit for style_edit in KNOWN}
    for name in _STANDARD_STYLES:
        styles.make(known[name])
    for name in ("Normal", "Normal Table"):
        styles.by_name(name).set(qualify_name("w:default"), "1")


def _add_settings(document: Document) -> None:
    compat = make_element("w:compatSetting", name="compatibilityMode", uri=_COMPAT, val=15)
    document.settings.extend(
        [
            make_element("w:zoom", percent=100),
            make_element("w:defaultTabStop", val=709),
            make_element("w:characterSpacingControl", val="doNotCompress"),
            make_element("w:compat", compat),
        ]
    )


def _add_fonts(document: Document) -> None:
    """Say which well-known fonts may stand in for ours, where those are missing."""
    instead = {TEXT_FONT: "Calibri", "Liberation Mono": "Consolas", "Droid Sans Fallback": "Microsoft YaHei"}
    fonts = [make_element("w:font", make_element("w:altName", val=other), name=name) for name, other in instead.items()]
    root = make_element("w:fonts", *fonts)
    document.new_part("fontTable", "word/fontTable.xml", root, _WORD + "fontTable+xml")


def _add_core(package: Package, now: datetime) -> None:
    from lxml import etree

    root = etree.Element(
        qualify_name("cp:coreProperties"), nsmap={prefix: NS[prefix] for prefix in ("cp", "dc", "dcterms", "xsi")}
    )
    for name in ("created", "modified"):
        moment: Any = etree.SubElement(root, qualify_name(f"dcterms:{name}"))
        moment.set(qualify_name("xsi:type"), "dcterms:W3CDTF")
        moment.text = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    package.put("docProps/core.xml", serialize_part(root))
    rels.set_type(package, "docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml")
    rels.add_relation(package, "", _CORE, "docProps/core.xml")
