"""Finding the damage in an Office file on which an engine failed, part by part.

Engines assume that a file follows its schema (ECMA-376): numbers are numbers, relations have targets, required parts
exist. Checking that in advance would take as long as the work itself, so it is only done after a failure.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.package import Package
from yardkit.kit.ooxml.relations import CONTENT_TYPES, REL, read_relations
from yardkit.kit.ooxml.xml import parse_part
from yardkit.world import Problem

_RELATION = f"{{{REL}}}"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_SUFFIXES = (".docx", ".docm", ".dotx", ".pptx", ".pptm", ".potx", ".ppsx", ".xlsx", ".xlsm", ".xltx")
_NUMBER = re.compile(r"[+-]?\d{1,18}")
_NUMBERS = {
    "wordprocessingml": "abstractNumId numId ilvl id w h left right top bottom header footer gutter start hanging "
    "firstLine line before after space sz cols num pos",
    "presentationml": "id idx cx cy x y spid gridSpan rowSpan firstSlideNum",
    "drawingml/2006/chart": "idx",
    "drawingml": "x y cx cy w h sz indent marL marR lvl ang rot dist relativeHeight distT distB distL distR "
    "gridSpan rowSpan spcFirstLastPara numCol spcCol",
    "spreadsheetml": "s min max count uniqueCount numFmtId fontId fillId borderId xfId sheetId localSheetId "
    "activeTab firstSheet xSplit ySplit outlineLevel dxfId id tableColumnId authorId shapeId cacheId fld "
    "baseField hier headerRowCount totalsRowCount colId priority",
}
"""Attributes that hold whole numbers wherever they stand, by a word in the namespace of their element."""
_NUMBERS_AS_TEXT = {
    "spreadsheetDrawing": ("col", "row", "colOff", "rowOff"),
    "wordprocessingDrawing": ("posOffset",),
}
"""Elements whose text is a whole number, by a word in their namespace."""
_NAMESPACE = re.compile(r"https?://|urn:")
_QUOTED = re.compile(r"'([^']*)'")
_MUST_HOLD = {
    "sp": ("nvSpPr", "spPr"),
    "pic": ("nvPicPr", "blipFill", "spPr"),
    "cxnSp": ("nvCxnSpPr", "spPr"),
    "graphicFrame": ("nvGraphicFramePr", "xfrm", "graphic"),
    "grpSp": ("nvGrpSpPr", "grpSpPr"),
    "nvSpPr": ("cNvPr", "cNvSpPr", "nvPr"),
    "nvPicPr": ("cNvPr", "cNvPicPr", "nvPr"),
    "nvCxnSpPr": ("cNvPr", "cNvCxnSpPr", "nvPr"),
    "nvGraphicFramePr": ("cNvPr", "cNvGraphicFramePr", "nvPr"),
    "nvGrpSpPr": ("cNvPr", "cNvGrpSpPr", "nvPr"),
}
"""What elements of presentations hold in any case."""
_MUST_LEAD = {
    "slides/slide": "slideLayout",
    "slideLayouts/slideLayout": "slideMaster",
    "slideMasters/slideMaster": "theme",
    "notesSlides/notesSlide": "notesMaster",
}
"""Parts of a presentation, and a kind of part that each is related to in any case."""


def explain_crash(error: Exception, values: Iterable[object]) -> Problem | None:
    """Explain the damage in the Office files among the `values` of a call that failed with `error`, if any."""
    values = list(values)
    paths = [
        value for value in _flatten_values(values) if isinstance(value, Path) and value.suffix.lower() in _SUFFIXES
    ]
    for path in paths:
        damage = find_damage(path) or find_unreadable(path, error, str(values)) if path.is_file() else ""
        if damage:
            return Problem(f"{path.name!r} is damaged: {damage} ({type(error).__name__}); restore it or make it again")
    return None


def _flatten_values(values: Iterable[object]) -> Iterator[object]:
    for value in values:
        yield from _flatten_values(value) if isinstance(value, list | tuple) else (value,)


def find_damage(path: Path) -> str:
    """Find the first damage of an Office file, with its part; empty if none is found."""
    try:
        package = Package.open(path)
        for fault in _wrong_types(package):
            return f"the part {CONTENT_TYPES!r} {fault}"
        for name in package.names():
            if name.endswith(".xml"):
                for fault in _list_faults(package, name):
                    return f"the part {name!r} {fault}"
    except Problem as problem:
        return str(problem)
    return ""


def find_unreadable(path: Path, error: Exception, asked: str = "") -> str:
    """Find the part of a file with the unreadable value that an error quotes; empty if there is none.

    Parsers quote their input: ``invalid literal for int() with base 10: '#REF!'``. Values that the caller `asked` for
        are
    not the file's fault.
    """
    quoted = {value for value in _QUOTED.findall(str(error)) if value and repr(value) not in asked}
    if not isinstance(error, ValueError) or not quoted:
        return ""
    package = Package.open(path)
    for name in package.names():
        for element in parse_part(package.read(name), name).iter("{*}*") if name.endswith(".xml") else ():
            for value in (*element.attrib.values(), element.text):
                if value in quoted:
                    tag = element.tag.rpartition("}")[2]
                    return f"the part {name!r} has {value!r} in {tag!r}, where it cannot be read"
    return ""


def _wrong_types(package: Package) -> Iterator[str]:
    """List the parts of a presentation whose declared type differs from their role, so that programs ignore them."""
    types = parse_part(package.read(CONTENT_TYPES), CONTENT_TYPES).iterchildren("{*}Override")
    kinds = {override.get("PartName", "")[1:]: override.get("ContentType", "") for override in types}
    for name in package.names():
        belongs = re.fullmatch(r"ppt/(slide|slideLayout|slideMaster|notesSlide|notesMaster)s/\1\d+\.xml", name)
        if belongs and not kinds.get(name, "").endswith(f".{belongs[1]}+xml"):
            yield f"does not call {name!r} a {belongs[1]}"


def _list_faults(package: Package, name: str) -> Iterator[str]:
    root = parse_part(package.read(name), name)
    space = root.tag[1:].rpartition("}")[0]
    if space and not _NAMESPACE.match(space):
        yield f"has the namespace {space!r}, which does not belong in an Office file"
    related = read_relations(package, name)
    for relation in related.values():
        if not relation.external and relation.target not in package:
            yield f"is related to {relation.target!r}, a {relation.kind}, which is not there"
    yield from _list_missing(name, {relation.kind for relation in related.values()})
    for element in root.iter("{*}*"):
        yield from _element_faults(element, set(related))


def _list_missing(name: str, kinds: set[str]) -> Iterator[str]:
    for place, kind in _MUST_LEAD.items():
        if re.fullmatch(rf"ppt/{place}\d*\.xml", name) and kind not in kinds:
            yield f"has no relation to a {kind}"


def _element_faults(element: Any, related: set[str]) -> Iterator[str]:
    space, _, tag = element.tag[1:].rpartition("}")
    numbers = next((names.split() for word, names in _NUMBERS.items() if word in space), [])
    for attribute, value in element.attrib.items():
        local_name = attribute.rpartition("}")[2]
        if attribute.startswith(_RELATION):
            if value and value not in related:
                yield f"names the relation {value!r}, which it does not have"
        elif local_name in numbers and not attribute.startswith(_XML) and not _NUMBER.fullmatch(value):
            yield f"has {value!r} as {local_name!r} of {tag!r}, where a number belongs"
    if "presentationml" in space and tag in _MUST_HOLD:
        child_names = {child.tag.rpartition("}")[2] for child in element.iterchildren("{*}*")}
        for missing in (part for part in _MUST_HOLD[tag] if part not in child_names):
            yield f"has a {tag!r} without {missing!r}"
    in_text = next((tags for word, tags in _NUMBERS_AS_TEXT.items() if word in space), ())
    if tag in in_text and not _NUMBER.fullmatch(element.text or ""):
        yield f"has {element.text!r} as {tag!r}, where a number belongs"
    if tag == "ph" and not element.get("type", "obj"):
        yield "has a placeholder of the type ''"
    of_text = tag == "v" and element.getparent() is not None and element.getparent().get("t") == "s"
    if of_text and not _NUMBER.fullmatch(element.text or ""):
        yield f"has {element.text!r} as the number of a text"
