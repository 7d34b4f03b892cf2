"""Anchors of Markdown headings with GitHub's names, for links such as [see](#two-words)."""

from __future__ import annotations

import re
from typing import Any

_NO_PART = re.compile(r"[^\w\- ]")
_TEXT_TOKENS = ("text", "code_inline")


def add_anchors(parser: Any) -> None:
    """Make a markdown-it parser give each heading a unique id."""
    parser.core.ruler.push("anchors", _add_heading_anchors)


def slug_of(words: str) -> str:
    """Convert a heading to an id: lower-case letters, digits, hyphens for spaces; empty if it has only signs.

    The same as on github.com: https://github.com/gjtorikian/html-pipeline (table of contents).
    """
    return _NO_PART.sub("", words.strip().lower()).replace(" ", "-")


def new_slug(words: str, taken: set[str]) -> str:
    """Make the id of the next heading, numbered if it is in `taken`, and add it there; empty if it has only signs."""
    slug = slug_of(words)
    name, number = slug, 0
    while name in taken:
        number += 1
        name = f"{slug}-{number}"
    if slug:
        taken.add(name)
    return name if slug else ""


def _add_heading_anchors(state: Any) -> None:
    taken: set[str] = set()
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type == "heading_open":
            name = new_slug("".join(child.content for child in inline.children if child.type in _TEXT_TOKENS), taken)
            if name:
                opening.attrSet("id", name)
