"""Decks as packages: their parts, whether they hang together, and what other programs put into them."""

import re
import zipfile
from pathlib import Path
from posixpath import dirname, join, normpath

from lxml import etree

_REL = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"


def read_parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert len(names) == len(set(names))
        return {name: archive.read(name) for name in names}


def check_consistency(path: Path) -> None:
    """Every relationship has its part, every part is reached and typed, every id used is related, ids are unique."""
    parts = read_parts(path)
    reached = {"[Content_Types].xml"}
    for name in [member for member in parts if member.endswith(".rels")]:
        folder, file = dirname(name).removesuffix("_rels").rstrip("/"), name.rsplit("/", 1)[-1].removesuffix(".rels")
        owner = join(folder, file) if file else ""
        assert not owner or owner in parts, f"{name} belongs to nothing"
        reached.add(name)
        related = set()
        for relation in etree.fromstring(parts[name]).iterfind(_REL):
            related.add(relation.get("Id"))
            if relation.get("TargetMode") != "External":
                target = relation.get("Target")
                part = target.lstrip("/") if target.startswith("/") else normpath(join(folder, target))
                assert part in parts, f"{name} points to {part}, which is missing"
                reached.add(part)
        if owner and owner.endswith(".xml"):
            used = set(re.findall(rb'r:(?:id|embed|link|pict|dm|lo|qs|cs)="(rId\d+)"', parts[owner]))
            assert {identity.decode() for identity in used} <= related, f"{owner} uses ids that are not related"
    assert set(parts) - reached == set(), "orphans"
    types = etree.fromstring(parts["[Content_Types].xml"])
    overrides = [element.get("PartName").lstrip("/") for element in types.iterfind(f"{_TYPES}Override")]
    assert set(overrides) <= set(parts)
    assert len(overrides) == len(set(overrides))
    defaults = {element.get("Extension").lower() for element in types.iterfind(f"{_TYPES}Default")}
    assert [
        n for n in parts if n not in overrides and n.rsplit(".", 1)[-1].lower() not in defaults and n[0] != "["
    ] == []
    for name in parts:
        if re.fullmatch(r"ppt/slides/slide\d+\.xml", name):
            ids = re.findall(rb'<p:cNvPr id="(\d+)"', parts[name])
            assert len(ids) == len(set(ids)), f"{name} has an id twice"


def with_extras(path: Path) -> None:
    """Put in what the tools do not know: an extension on slide 1, a custom XML part, a macro's binary."""
    parts = read_parts(path)
    slide = parts["ppt/slides/slide1.xml"].decode()
    extension = '<p:ext uri="{AAAA}"><u:thing xmlns:u="urn:unknown" a="1"/></p:ext>'
    slide = slide.replace("</p:sld>", f"<p:extLst>{extension}</p:extLst></p:sld>")
    parts["ppt/slides/slide1.xml"] = slide.encode()
    rels = parts["ppt/_rels/presentation.xml.rels"].decode()
    custom = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXml"
    entry = f'<Relationship Id="rId900" Type="{custom}" Target="../customXml/item1.xml"/>'
    parts["ppt/_rels/presentation.xml.rels"] = rels.replace("</Relationships>", f"{entry}</Relationships>").encode()
    parts["customXml/item1.xml"] = b'<?xml version="1.0"?>\n<data   spaced = "yes" ><x/></data>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
