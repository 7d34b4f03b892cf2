"""Office packages as a zip of XML parts, read without any library of Office formats; hardened and cached."""

import zipfile
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from toolyard.evaluators.checkpoints import InvalidArtifact
from toolyard.evaluators.readers import files
from toolyard.evaluators.submission import Submission
from toolyard.world import Problem
from toolyard.world.limits import check_archive
from toolyard.world.tree import file_digest

Read = TypeVar("Read")

MAX_PART_BYTES = 100_000_000
MAX_PLACES = 512
_places: OrderedDict[tuple[str, str], Path] = OrderedDict()
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_STRICT = b"http://purl.oclc.org/ooxml/"


@dataclass(frozen=True)
class Relation:
    """What a part points to: `kind` is the last step of the type (image, hyperlink ...), `target` a part or address."""

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
        """The bytes of a part; `InvalidArtifact` where it is missing or huge."""
        if name not in self.names:
            raise InvalidArtifact(f"{self.path.name} has no part {name}")
        with zipfile.ZipFile(self.path) as archive:
            if archive.getinfo(name).file_size > MAX_PART_BYTES:
                raise InvalidArtifact(f"the part {name} of {self.path.name} is over {MAX_PART_BYTES:,} bytes")
            return archive.read(name)

    def xml(self, name: str) -> Any:
        """The root element of a part, parsed without entities, DTD or network."""
        from lxml import etree

        data = self.read(name)
        if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
            raise InvalidArtifact(f"the part {name} of {self.path.name} declares a DTD")
        if _STRICT in data:
            raise InvalidArtifact(f"{self.path.name} is written in Strict Open XML, which few programs read")
        return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))

    def relations(self, part: str) -> dict[str, Relation]:
        """The relationships of `part` (of the package for an empty name) by id."""
        place = PurePosixPath(part)
        name = str(place.parent / "_rels" / f"{place.name}.rels") if part else "_rels/.rels"
        if name not in self.names:
            return {}
        found = {}
        for element in self.xml(name).iterfind(_RELATION):
            external = element.get("TargetMode") == "External"
            target = element.get("Target", "")
            target = target if external else _resolved(part, target)
            found[element.get("Id", "")] = Relation(element.get("Type", "").rsplit("/", 1)[-1], target, external)
        return found

    def related(self, part: str, kind: str) -> list[str]:
        """The parts that `part` points to as `kind`."""
        return [
            relation.target
            for relation in self.relations(part).values()
            if relation.kind == kind and not relation.external and relation.target in self.names
        ]

    def main(self) -> str:
        """The part with which the file begins."""
        found = self.related("", "officeDocument")
        if not found:
            raise InvalidArtifact(f"{self.path.name} is no Office file")
        return found[0]


def open_parts(path: Path) -> Parts:
    """The parts of the package at `path`; a zip bomb, an encrypted or a broken package is an `InvalidArtifact`."""
    try:
        check_archive(path)
    except Problem as problem:
        raise InvalidArtifact(str(problem)) from problem
    with zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
    if any(info.flag_bits & 1 for info in infos):
        raise InvalidArtifact(f"{path.name} is encrypted")
    return Parts(path, frozenset(info.filename for info in infos))


def parsed(submission: Submission, relative: str, read: Callable[[Path], Read], what: str) -> Read:
    """What `read` makes of a delivered file, kept for the other leaves; whatever `read` raises is the file's fault.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is no readable `what`.
    """
    path = files.delivered(submission, relative)
    try:
        return kept(read, path)
    except InvalidArtifact:
        raise
    except MemoryError as error:
        raise InvalidArtifact(f"{relative} takes more memory than there is") from error
    except Exception as error:
        raise InvalidArtifact(f"{relative} is no readable {what} ({type(error).__name__}: {error})") from error


def kept(read: Callable[[Path], Read], path: Path) -> Read:
    """What `read` makes of the file at `path`, kept for files of that name with the same content, wherever they lie."""
    digest = file_digest(path)
    result: Read = _parsed(read, standing(path, digest), digest)
    return result


def standing(path: Path, digest: str) -> Path:
    """Where a file of this name with this content was found first and still lies: copies of a world are alike."""
    known = _places.pop((path.name, digest), path)
    place = known if known.is_file() and file_digest(known) == digest else path
    _places[path.name, digest] = place
    while len(_places) > MAX_PLACES:
        _places.popitem(last=False)
    return place


@lru_cache(maxsize=96)
def _parsed(read: Callable[[Path], Any], path: Path, _digest: str) -> Any:
    return read(path)


def _resolved(base: str, target: str) -> str:
    if target.startswith("/"):
        return target.lstrip("/")
    steps: list[str] = []
    for step in [*PurePosixPath(base).parent.parts, *target.split("/")]:
        if step == "..":
            steps = steps[:-1]
        elif step not in (".", ""):
            steps.append(step)
    return "/".join(steps)


def core_properties(parts: Parts) -> dict[str, str]:
    """Title, creator, subject, keywords, description ... of an Office file, as far as they are stated."""
    found = parts.related("", "core-properties")
    if not found:
        return {}
    return {str(each.tag).rsplit("}", 1)[-1]: each.text or "" for each in parts.xml(found[0]) if each.text}
