"""Task lists in Markdown: items that begin with [ ] or [x] show a checkbox."""

from __future__ import annotations

from typing import Any

BOXES = {"[ ] ": "\u2610 ", "[x] ": "\u2611 "}


def add_tasks(parser: Any) -> None:
    """Make a markdown-it parser recognize such items and give them the class `task`."""
    parser.core.ruler.push("tasks", _mark_tasks)


def _mark_tasks(state: Any) -> None:
    for opening, _, token in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if opening.type == "list_item_open" and token.type == "inline" and token.content[:4].lower() in BOXES:
            first = token.children[0]
            first.content = BOXES[first.content[:4].lower()] + first.content[4:]
            opening.attrJoin("class", "task")
