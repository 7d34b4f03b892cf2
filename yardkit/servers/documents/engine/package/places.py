"""Places that a caller names by anchor and text, and the stock that comments and notes need: styles, declarations."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from yardkit.kit.look_alikes import build_look_pattern
from yardkit.servers.documents.engine.markup.names import (
    NS,
    VAL,
    P,
    find_element,
    get_value,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import in_fallback, isolate_runs, text_of
from yardkit.servers.documents.engine.package.document import Document
from yardkit.world import Problem


@dataclass(frozen=True)
class Place:
    """A span of characters of a paragraph.

    Attributes:
        paragraph: the w:p.
        start: offset of the first character in its visible text.
        end: offset behind the last one.
    """

    paragraph: Any
    start: int
    end: int


def locate_text(document: Document, anchor: str | None, text: str | None, occurrence: int = 0) -> Place:
    """The span that `text` covers in the block `anchor` (anywhere in the body without one); without text the block.

    `occurrence` counts from 1 where the text stands several times; 0 wants it to be unique.

    Raises:
        Problem: neither is given, the text is not there, or stands several times.
    """
    if anchor is None and text is None:
        raise Problem("no place was given; give the anchor of a block, a text, or both")
    if anchor is None:
        blocks = [paragraph for paragraph in document.body.iter(P) if not in_fallback(paragraph)]
    else:
        block = document.find(anchor)
        blocks = [block] if block.tag == P else list(block.iter(P))
    if text is None:
        return Place(blocks[0], 0, len(text_of(blocks[0])))
    return _choose_location([*_iter_matches(blocks, text)], text, anchor, occurrence)


def _iter_matches(paragraphs: Iterable[Any], text: str) -> Iterable[Place]:
    pattern = re.compile(build_look_pattern(text))
    for paragraph in paragraphs:
        for match in pattern.finditer(text_of(paragraph)):
            yield Place(paragraph, match.start(), match.end())


def _choose_location(places: list[Place], text: str, anchor: str | None, occurrence: int) -> Place:
    where = f"block {anchor}" if anchor else "body"
    if not places:
        raise Problem(
            f"the text {text!r} is not in a single paragraph of the {where}; copy it from the output of reading"
        )
    if occurrence > len(places):
        raise Problem(f"the text {text!r} occurs {len(places)} times in the {where}, but occurrence is {occurrence}")
    if len(places) > 1 and not occurrence:
        raise Problem(
            f"the text {text!r} occurs {len(places)} times in the {where}; give an anchor, a longer text or occurrence"
        )
    return places[max(occurrence, 1) - 1]


def insert_at(place: Place, node: Any) -> None:
    """Put a node (a run, an equation) behind the span of a place, outside of the links around it."""
    isolated_runs = isolate_runs(place.paragraph, 0, place.end)
    if isolated_runs:
        last = isolated_runs[-1]
        while last.getparent().tag in (
            qualify_name("w:hyperlink"),
            qualify_name("w:fldSimple"),
            qualify_name("w:smartTag"),
        ):
            last = last.getparent()
        last.addnext(node)
    else:
        properties = place.paragraph.find(qualify_name("w:pPr"))
        place.paragraph.insert(0 if properties is None else 1, node)


def style_named(document: Document, name: str, make_style: Callable[[], Any]) -> str:
    """The id of the style with a name, whatever its id is in this document's language; made if there is none."""
    root = document.root(document.ensure_part("styles"))
    for style in root.iterfind(qualify_name("w:style")):
        if (get_value(style, "w:name") or "").lower() == name.lower():
            return str(style.get(qualify_name("w:styleId")))
    style = make_style()
    base = find_element(style, "w:basedOn")
    if base is not None:
        normal = next((element for element in root.iterfind(qualify_name("w:style")) if _is_default(element)), None)
        base.set(VAL, "Normal" if normal is None else normal.get(qualify_name("w:styleId"), "Normal"))
    root.append(style)
    return str(style.get(qualify_name("w:styleId")))


def _is_default(style: Any) -> bool:
    return style.get(qualify_name("w:type")) == "paragraph" and style.get(qualify_name("w:default")) in (
        "1",
        "true",
        "on",
    )


def text_style(identity: str, name: str, *properties: Any) -> Any:
    """A paragraph style for small texts: comments, footnotes, endnotes."""
    return make_element(
        "w:style",
        *(
            make_element("w:name", val=name),
            make_element("w:basedOn", val="Normal"),
            make_element("w:uiPriority", val=99),
        ),
        make_element("w:unhideWhenUsed"),
        make_element("w:pPr", make_element("w:spacing", after=0, line=240, lineRule="auto")),
        make_element("w:rPr", *properties),
        type="paragraph",
        styleId=identity,
    )


def reference_style(identity: str, name: str, *properties: Any) -> Any:
    """A character style for the marks of comments and notes."""
    return make_element(
        "w:style",
        *(make_element("w:name", val=name), make_element("w:uiPriority", val=99), make_element("w:unhideWhenUsed")),
        make_element("w:rPr", *properties),
        type="character",
        styleId=identity,
    )


def declare_namespaces(root: Any, *prefixes: str, extra: dict[str, str] | None = None) -> None:
    """Declare namespaces at the root of a part and list them as ones that older programs may ignore."""
    from lxml import etree

    namespaces = {prefix: (extra or NS).get(prefix) or NS[prefix] for prefix in ("mc", *prefixes)}
    ignorable_prefixes = {prefix for prefix in root.nsmap if prefix} | set(namespaces)
    etree.cleanup_namespaces(root, top_nsmap=namespaces, keep_ns_prefixes=sorted(ignorable_prefixes))
    ignorable = root.get(qualify_name("mc:Ignorable"), "").split()
    missing = [prefix for prefix in prefixes if prefix not in ignorable]
    if missing:
        root.set(qualify_name("mc:Ignorable"), " ".join([*ignorable, *missing]))


def fresh_id(seed: str, taken: set[str]) -> str:
    """An id of eight hexadecimal digits below 80000000 that is not taken; the same for the same seed."""
    number = zlib.crc32(seed.encode()) & 0x7FFFFFFF or 1
    while f"{number:08X}" in taken:
        number = (number + 1) & 0x7FFFFFFF or 1
    taken.add(f"{number:08X}")
    return f"{number:08X}"
