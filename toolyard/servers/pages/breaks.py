"""<br> in Markdown ends a line also where other HTML is shown as text: nothing else parts the lines of a cell."""

from __future__ import annotations

import re
from typing import Any

_BREAK = re.compile(r"<br\s*/?>[ \t]*\n?", re.IGNORECASE)


def add_breaks(parser: Any) -> None:
    """Teach a markdown-it parser such line ends."""
    parser.inline.ruler.before("html_inline", "breaks", _rule)


def _rule(state: Any, silent: bool) -> bool:
    found = _BREAK.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("hardbreak", "br", 0)
    state.pos = found.end()
    return True
