"""Relationships and content types, which link the parts of a package (ECMA-376 part 2)."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from yardkit.kit.ooxml.package import Package
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.world import Problem

REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
CONTENT_TYPES = "[Content_Types].xml"
_RELATION = f"{{{PACKAGE_REL}}}Relationship"


@dataclass(frozen=True)
class Relation:
    """A relationship of a part.

    Attributes:
        id: such as rId3.
        kind: the last step of the relationship type: worksheet, image, hyperlink, footnotes ...
        target: the part that it refers to, or the address if it is external.
        external: whether the target is outside the package; such targets are never opened.
        type: the full relationship type.
    """

    id: str
    kind: str
    target: str
    external: bool
    type: str


def read_relations(package: Package, part: str) -> dict[str, Relation]:
    """Read the relations of `part` (of the package itself for an empty name) by id."""
    name = rels_name(part)
    relations_by_id = dict(_parse_relations(package.read(name), part)) if name in package else {}
    for identity, relation in relations_by_id.items():
        spelled = relation.target if relation.external else package.spell_name(relation.target)
        if spelled != relation.target:
            relations_by_id[identity] = replace(relation, target=spelled)
    return relations_by_id


@lru_cache(maxsize=256)  # an edit reads relations a dozen times, and every edit of a file reads the same parts
def _parse_relations(data: bytes, part: str) -> dict[str, Relation]:
    relations_by_id = {}
    for entry in parse_part(data, rels_name(part)).iterfind(_RELATION):
        external = entry.get("TargetMode") == "External"
        target = entry.get("Target", "")
        kind = entry.get("Type", "")
        target = target if external else resolve_target(part, target)
        identity = entry.get("Id", "")
        relations_by_id[identity] = Relation(identity, kind.rsplit("/", 1)[-1], target, external, kind)
    return relations_by_id


def list_spellings(package: Package) -> dict[str, str]:
    """How relations spell the names of parts, by how the archive does, where that is another letter case."""
    spellings, parts = {package.spell_name(CONTENT_TYPES): CONTENT_TYPES}, [""]
    for part in parts:
        name = rels_name(part)
        if name not in package:
            continue
        spellings[package.spell_name(name)] = name
        for relation in _parse_relations(package.read(name), part).values():
            member = package.spell_name(relation.target)
            if not relation.external and relation.target in package and member not in spellings:
                spellings[member] = relation.target
                parts.append(relation.target)
    return {member: name for member, name in spellings.items() if member != name}


def find_related(package: Package, part: str, kind: str) -> str | None:
    """Find the part that `part` relates to as `kind`, if there is one."""
    for relation in read_relations(package, part).values():
        if relation.kind == kind and not relation.external and relation.target in package:
            return relation.target
    return None


def add_relation(package: Package, part: str, kind: str, target: str, *, external: bool = False) -> str:
    """Relate `part` to the part `target` (or to an address); return the new relationship's id.

    `kind` is the last step of an Office relationship type, or a full type.
    """
    from lxml import etree

    name = rels_name(part)
    if name in package:
        root = parse_part(package.read(name), name)
    else:
        root = etree.Element(f"{{{PACKAGE_REL}}}Relationships", nsmap={None: PACKAGE_REL})
    taken = {entry.get("Id") for entry in root}
    identity = next(f"rId{number}" for number in range(1, len(taken) + 2) if f"rId{number}" not in taken)
    full = kind if "/" in kind else f"{REL}/{kind}"
    entry = etree.SubElement(
        root, _RELATION, Id=identity, Type=full, Target=target if external else make_relative(part, target)
    )
    if external:
        entry.set("TargetMode", "External")
    package.put(name, serialize_part(root))
    return identity


def drop_relation(package: Package, part: str, identity: str) -> None:
    """Remove a relationship of `part` and keep its target. The part of relationships goes with the last one."""
    name = rels_name(part)
    root = parse_part(package.read(name), name)
    for entry in list(root):
        if entry.get("Id") == identity:
            root.remove(entry)
    if len(root):
        package.put(name, serialize_part(root))
    else:
        package.drop_part(name)


def content_type(package: Package, part: str) -> str:
    """Return the content type of `part`: its own, or that of its extension; empty if none is declared."""
    root = _read_types(package)
    for entry in root.iterfind(f"{{{TYPES}}}Override"):
        if entry.get("PartName", "").lower() == f"/{part}".lower():
            return str(entry.get("ContentType", ""))
    extension = part.rsplit(".", 1)[-1].lower()
    for entry in root.iterfind(f"{{{TYPES}}}Default"):
        if entry.get("Extension", "").lower() == extension:
            return str(entry.get("ContentType", ""))
    return ""


def set_type(package: Package, part: str, kind: str | None) -> None:
    """Declare the content type of `part`, or remove the declaration."""
    from lxml import etree

    root = _read_types(package)
    for entry in root.findall(f"{{{TYPES}}}Override"):
        if entry.get("PartName") == f"/{part}":
            root.remove(entry)
    if kind:
        etree.SubElement(root, f"{{{TYPES}}}Override", PartName=f"/{part}", ContentType=kind)
    package.put(CONTENT_TYPES, serialize_part(root))


def set_default_type(package: Package, extension: str, kind: str) -> None:
    """Declare the content type of all parts with `extension` (without dot) if none is declared yet."""
    from lxml import etree

    root = _read_types(package)
    if any(entry.get("Extension", "").lower() == extension for entry in root.iterfind(f"{{{TYPES}}}Default")):
        return
    root.insert(0, etree.Element(f"{{{TYPES}}}Default", Extension=extension, ContentType=kind))
    package.put(CONTENT_TYPES, serialize_part(root))


def main_part(package: Package) -> str:
    """Find the main part of the file (workbook, document, presentation).

    Raises:
        Problem: the package is not an Office file.
    """
    part = find_related(package, "", "officeDocument") if CONTENT_TYPES in package else None
    if part is None:
        raise Problem("the file is a zip package but not an Office file; name a .docx, .pptx or .xlsx file")
    return part


def resolve_target(base: str, target: str) -> str:
    """Resolve the target of a relationship of the part `base`."""
    if target.startswith("/"):
        return target.lstrip("/")
    steps: list[str] = []
    for step in [*PurePosixPath(base).parent.parts, *target.split("/")]:
        if step == "..":
            steps = steps[:-1]
        elif step not in (".", ""):
            steps.append(step)
    return "/".join(steps)


def make_relative(base: str, target: str) -> str:
    """Make the relative path from the part `base` to another; some programs (IronCalc) do not resolve absolute ones."""
    return posixpath.relpath(target, posixpath.dirname(base) or ".")


def rels_name(part: str) -> str:
    """Return the name of the part with the relationships of `part`."""
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _read_types(package: Package) -> Any:
    return parse_part(package.read(CONTENT_TYPES), CONTENT_TYPES)
