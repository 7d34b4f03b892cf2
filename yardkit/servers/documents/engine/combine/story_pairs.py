"""Which notes, headers and footers of two documents belong together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.servers.documents.engine.markup.names import SECT, find_all, get_attribute, qualify_name
from yardkit.servers.documents.engine.markup.note_order import KINDS, Kind
from yardkit.servers.documents.engine.markup.paragraph_text import block_text
from yardkit.servers.documents.engine.package.document import Document


@dataclass(frozen=True)
class StoryPair:
    """Containers of blocks that belong together, with the names of their stories; one side may be missing."""

    old_story: str
    new_story: str
    old: Any
    new: Any


def pair_stories(old: Document, new: Document) -> Iterator[StoryPair]:
    """Notes in the order of their marks, then headers and footers by section and kind."""
    for kind in KINDS:
        ours, theirs = _list_marked_notes(old, kind), _list_marked_notes(new, kind)
        names = _find_story(old, old.part(f"{kind}s")), _find_story(new, new.part(f"{kind}s"))
        for old_note, two in _align_stories(ours, theirs):
            yield StoryPair(*names, old_note, two)
    seen = set()
    for old_note, two in _pair_headers(old, new):
        if (old_note, two) not in seen:
            seen.add((old_note, two))
            roots = (None if part is None else document.root(part) for document, part in ((old, old_note), (new, two)))
            yield StoryPair(_find_story(old, old_note), _find_story(new, two), *roots)


def _find_story(document: Document, part: str | None) -> str:
    return next((name for name, story in document.map_stories().items() if story == part), "")


def _list_marked_notes(document: Document, kind: Kind) -> list[Any]:
    """The notes of a kind that have a mark, in the order of the marks."""
    part = document.part(f"{kind}s")
    nodes = {} if part is None else {get_attribute(node, "w:id"): node for node in document.root(part)}
    marks = dict.fromkeys(
        get_attribute(mark, "w:id") for mark in document.body.iter(qualify_name(f"w:{kind}Reference"))
    )
    return [nodes[identity] for identity in marks if identity in nodes]


def _align_stories(old: list[Any], new: list[Any]) -> Iterator[tuple[Any, Any]]:
    matcher = SequenceMatcher(None, list(map(block_text, old)), list(map(block_text, new)), autojunk=False)
    for _, a, b, c, d in matcher.get_opcodes():
        both = min(b - a, d - c)
        yield from zip(old[a : a + both], new[c : c + both], strict=True)
        yield from ((part, None) for part in old[a + both : b])
        yield from ((None, part) for part in new[c + both : d])


def _pair_headers(old: Document, new: Document) -> Iterator[tuple[str | None, str | None]]:
    """The parts of headers and footers of both documents, section by section, for each kind that one of them has."""
    ours, theirs = _by_section(old), _by_section(new)
    for number in range(max(len(ours), len(theirs))):
        old_parts, two = (
            section_parts[min(number, len(section_parts) - 1)] if section_parts else {}
            for section_parts in (ours, theirs)
        )
        for kind in dict.fromkeys((*old_parts, *two)):
            yield old_parts.get(kind), two.get(kind)


def _by_section(document: Document) -> list[dict[tuple[str, str], str]]:
    """The parts of each section by element and kind, those that it takes from the section before included."""
    known = rels.read_relations(document.package, document.main)
    parts_by_section: list[dict[tuple[str, str], str]] = []
    for section in document.body.iter(SECT):
        here = dict(parts_by_section[-1]) if parts_by_section else {}
        for name in ("headerReference", "footerReference"):
            for reference in find_all(section, f"w:{name}"):
                relation = known.get(get_attribute(reference, "r:id") or "")
                if relation is not None and relation.target in document.package:
                    here[name, get_attribute(reference, "w:type", "default") or ""] = relation.target
        parts_by_section.append(here)
    return parts_by_section
