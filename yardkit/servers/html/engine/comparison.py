"""What two pages differ in: texts, elements, attributes."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

from yardkit.servers.html.engine.page_content import extract_text, path_of, shorten_address
from yardkit.servers.html.engine.source import Page, tag_of

_MAX_CHANGES = 200


@dataclass(frozen=True)
class Change:
    """A difference: of a text line, an element (added, removed) or an attribute."""

    kind: str
    where: str
    before: str = ""
    after: str = ""


def compare_pages(before: Page, after: Page) -> list[Change]:
    """The differences of two pages, at most 200: of shown texts first, then of elements and attributes."""
    changes = _compare_texts(before, after)
    _compare_elements(before, before.root, after, after.root, changes)
    return changes[:_MAX_CHANGES]


def _compare_texts(before: Page, after: Page) -> list[Change]:
    old, new = extract_text(before.root).splitlines(), extract_text(after.root).splitlines()
    changes = []
    for tag, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            kind = {"replace": "text changed", "delete": "text removed", "insert": "text added"}[tag]
            changes.append(
                Change(kind, f"line {start + 1} of the text", "\n".join(old[first:last]), "\n".join(new[start:end]))
            )
    return changes


def _compare_elements(before: Page, old: Any, after: Page, new: Any, changes: list[Change]) -> None:
    if len(changes) >= _MAX_CHANGES:
        return
    for name in dict.fromkeys([*old.attrib, *new.attrib]):
        if old.get(name) != new.get(name):
            values = [shorten_address(version.get(name) or "") for version in (old, new)]
            changes.append(Change(f"attribute {name}", path_of(after, new), *values))
    left, right = ([child for child in version if tag_of(child)] for version in (old, new))
    matcher = difflib.SequenceMatcher(None, [_make_key(e) for e in left], [_make_key(e) for e in right], autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            for old_child, other in zip(left[first:last], right[start:end], strict=True):
                _compare_elements(before, old_child, after, other, changes)
            continue
        changes += [
            Change("element removed", path_of(before, child), f"<{_make_key(child)}>") for child in left[first:last]
        ]
        changes += [
            Change("element added", path_of(after, child), "", f"<{_make_key(child)}>") for child in right[start:end]
        ]


def _make_key(element: Any) -> str:
    identity = element.get("id")
    return tag_of(element) + (f"#{identity}" if identity else "")
