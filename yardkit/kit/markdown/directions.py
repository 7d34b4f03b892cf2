"""Right-to-left paragraphs, headings, lists and tables, which begin with Hebrew or Arabic."""

import unicodedata
from typing import Any

_CONTAINERS = ("list_item_open", "bullet_list_open", "ordered_list_open", "blockquote_open", "table_open")


def add_directions(parser: Any) -> None:
    """Make a Markdown parser set each block's direction by its first letter."""
    parser.core.ruler.push("directions", _set_directions)


def _set_directions(state: Any) -> None:
    undecided: list[Any] = []
    for before, token in zip([None, *state.tokens], state.tokens, strict=False):
        if token.type in _CONTAINERS:
            undecided.append(token)
        elif token.type == "inline" and before is not None:
            if runs_backward(token.content):
                for block in [before, *undecided]:
                    block.attrSet("dir", "rtl")
            undecided = []


def runs_backward(text: str) -> bool:
    """Whether a text runs from right to left: by its first letter that has a direction (UAX #9, P2)."""
    kinds = (unicodedata.bidirectional(char) for char in text)
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), False)
