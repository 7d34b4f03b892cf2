"""Headings of Markdown as anchors, named as GitHub names them: what links such as [see](#two-words) lead to."""

from __future__ import annotations

import re
from typing import Any

_NO_PART = re.compile(r"[^\w\- ]")
_TEXT_TOKENS = ("text", "code_inline")


def add_anchors(parser: Any) -> None:
    """Teach a markdown-it parser to give each heading an id, unique among the headings."""
    parser.core.ruler.push("anchors", _add_heading_anchors)


def slug_of(words: str) -> str:
    """The words of a heading as an id: small letters, digits, hyphens for spaces; empty for a heading of signs alone.

    As github.com does; https://github.com/gjtorikian/html-pipeline (table of contents).
    """
    return _NO_PART.sub("", words.strip().lower()).replace(" ", "-")


def new_slug(words: str, taken: set[str]) -> str:
    """The id of a further heading, with a number where `taken` has it already, and put there; empty for signs alone."""
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
