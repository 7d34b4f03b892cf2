"""Office packages as zips of XML parts, read without an Office library; hardened and cached."""

import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers.files import parse_file as parse_file
from yardkit.world import Problem
from yardkit.world.limits import check_archive

MAX_PART_BYTES = 100_000_000
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_STRICT = b"http://purl.oclc.org/ooxml/"


@dataclass(frozen=True)
class Relation:
    """A part's relationship: `kind` is the last step of its type (image, hyperlink ...), `target` a part or address."""

    kind: str
    target: str
    external: bool


@dataclass(frozen=True)
class Parts:
    """The parts of a package by name."""

    path: Path
    names: frozenset[str] = field(repr=False)

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def read(self, name: str) -> bytes:
        """Read the bytes of a part; `InvalidArtifact` if it is missing or huge."""
        if name not in self.names:
            raise InvalidArtifact(f"{self.path.name} has no part {name}")
        with zipfile.ZipFile(self.path) as archive:
            if archive.getinfo(name).file_size > MAX_PART_BYTES:
                raise InvalidArtifact(f"the part {name} of {self.path.name} is over {MAX_PART_BYTES:,} bytes")
            return archive.read(name)

    def xml(self, name: str) -> Any:
        """Parse a part without entities, DTD or network, and return its root element."""
        from lxml import etree

        data = self.read(name)
        if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
            raise InvalidArtifact(f"the part {name} of {self.path.name} declares a DTD")
        if _STRICT in data:
            raise InvalidArtifact(f"{self.path.name} is written in Strict Open XML, which few programs read")
        try:
            return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
        except etree.XMLSyntaxError as error:
            raise InvalidArtifact(f"the part {name} of {self.path.name} is not well-formed XML ({error})") from error

    def read_relations(self, part: str) -> dict[str, Relation]:
        """Read the relationships of `part` (of the package for an empty name) by id."""
        place = PurePosixPath(part)
        name = str(place.parent / "_rels" / f"{place.name}.rels") if part else "_rels/.rels"
        if name not in self.names:
            return {}
        relations = {}
        for element in self.xml(name).iterfind(_RELATION):
            external = element.get("TargetMode") == "External"
            target = element.get("Target", "")
            target = target if external else _resolve_target(part, target)
            relations[element.get("Id", "")] = Relation(element.get("Type", "").rsplit("/", 1)[-1], target, external)
        return relations

    def list_related(self, part: str, kind: str) -> list[str]:
        """List the parts that `part` refers to as `kind`."""
        return [
            relation.target
            for relation in self.read_relations(part).values()
            if relation.kind == kind and not relation.external and relation.target in self.names
        ]

    def find_main(self) -> str:
        """Find the main part of the file."""
        main_parts = self.list_related("", "officeDocument")
        if not main_parts:
            raise InvalidArtifact(f"{self.path.name} is not an Office file")
        return main_parts[0]


def open_parts(path: Path) -> Parts:
    """Open the parts of the package at `path`; a zip bomb, an encrypted or broken package is an `InvalidArtifact`."""
    try:
        check_archive(path)
    except Problem as problem:
        raise InvalidArtifact(str(problem)) from problem
    with zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
    if any(info.flag_bits & 1 for info in infos):
        raise InvalidArtifact(f"{path.name} is encrypted")
    return Parts(path, frozenset(info.filename for info in infos))


def _resolve_target(base: str, target: str) -> str:
    if target.startswith("/"):
        return target.lstrip("/")
    steps: list[str] = []
    for step in [*PurePosixPath(base).parent.parts, *target.split("/")]:
        if step == "..":
            steps = steps[:-1]
        elif step not in (".", ""):
            steps.append(step)
    return "/".join(steps)


def read_core_properties(parts: Parts) -> dict[str, str]:
    """Read the title, creator, subject, keywords, description ... of an Office file, as far as they are set."""
    property_parts = parts.list_related("", "core-properties")
    if not property_parts:
        return {}
    return {str(entry.tag).rsplit("}", 1)[-1]: entry.text or "" for entry in parts.xml(property_parts[0]) if entry.text}
