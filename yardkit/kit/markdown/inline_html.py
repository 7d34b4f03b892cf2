"""<br>, <sup> and <sub>, which Markdown lacks, are allowed even where other HTML is shown as text."""

from __future__ import annotations

import re
from typing import Any

_BREAK = re.compile(r"<br\s*/?>[ \t]*\n?", re.IGNORECASE)
_RAISED = re.compile(r"<(?:/(sup|sub)>|(sup|sub)>(?=[^<>`]*</\2>))", re.IGNORECASE)


def add_allowed(parser: Any) -> None:
    """Make a markdown-it parser accept these line breaks, superscripts and subscripts."""
    parser.inline.ruler.before("html_inline", "breaks", parse_break)
    parser.inline.ruler.before("html_inline", "raised", _parse_raised)


def parse_break(state: Any, silent: bool) -> bool:
    """Parse `<br>` as the end of a line; a rule of markdown-it."""
    match = _BREAK.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("hardbreak", "br", 0)
    state.pos = match.end()
    return True


def _parse_raised(state: Any, silent: bool) -> bool:
    """Parse a tag with its closing tag; an unpaired one is text."""
    match = _RAISED.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    closes, tag = match[1], (match[1] or match[2]).lower()
    kinds = [token.type for token in state.tokens]
    if closes and kinds.count(f"{tag}_open") <= kinds.count(f"{tag}_close"):
        return False
    if not silent:
        state.push(f"{tag}_close" if closes else f"{tag}_open", tag, -1 if closes else 1)
    state.pos = match.end()
    return True
