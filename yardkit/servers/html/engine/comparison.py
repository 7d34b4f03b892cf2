"""What two pages differ in: texts, elements, attributes."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

from yardkit.servers.html.engine.page_content import brief, path_of, plain_text
from yardkit.servers.html.engine.source import Page, tag_of

_MAX_CHANGES = 200


@dataclass(frozen=True)
class Change:
    """A difference: of a text line, an element (added, removed) or an attribute."""

    kind: str
    where: str
    before: str = ""
    after: str = ""


def compare(before: Page, after: Page) -> list[Change]:
    """The differences of two pages, at most 200: of shown texts first, then of elements and attributes."""
    found = _texts(before, after)
    _elements(before, before.root, after, after.root, found)
    return found[:_MAX_CHANGES]


def _texts(before: Page, after: Page) -> list[Change]:
    old, new = plain_text(before.root).splitlines(), plain_text(after.root).splitlines()
    found = []
    for tag, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            kind = {"replace": "text changed", "delete": "text removed", "insert": "text added"}[tag]
            found.append(
                Change(kind, f"line {start + 1} of the text", "\n".join(old[first:last]), "\n".join(new[start:end]))
            )
    return found


def _elements(before: Page, old: Any, after: Page, new: Any, found: list[Change]) -> None:
    if len(found) >= _MAX_CHANGES:
        return
    for name in dict.fromkeys([*old.attrib, *new.attrib]):
        if old.get(name) != new.get(name):
            values = [brief(version.get(name) or "") for version in (old, new)]
            found.append(Change(f"attribute {name}", path_of(after, new), *values))
    left, right = ([child for child in version if tag_of(child)] for version in (old, new))
    matcher = difflib.SequenceMatcher(None, [_key(e) for e in left], [_key(e) for e in right], autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            for one, other in zip(left[first:last], right[start:end], strict=True):
                _elements(before, one, after, other, found)
            continue
        found += [Change("element removed", path_of(before, child), f"<{_key(child)}>") for child in left[first:last]]
        found += [Change("element added", path_of(after, child), "", f"<{_key(child)}>") for child in right[start:end]]


def _key(element: Any) -> str:
    identity = element.get("id")
    return tag_of(element) + (f"#{identity}" if identity else "")
