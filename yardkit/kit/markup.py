"""HTML from Python values: what is not marked as HTML already is escaped, always."""

import html
import re
from collections.abc import Iterable

_UNSHOWABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f]")
_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


class Html(str):
    """Text that is HTML."""

    __slots__ = ()


Child = str | int | float | None | Iterable["Child"]


def clean_text(text: str) -> str:
    """`text` without what no page or XML document can hold, and without marks that turn the writing direction."""
    return _BIDI.sub("\ufffd", _UNSHOWABLE.sub("\ufffd", text))


def escape_child(child: Child) -> Html:
    """A value, or several one after the other, as HTML; text is escaped, None is nothing."""
    if child is None:
        return Html()
    if isinstance(child, Html):
        return child
    if isinstance(child, str | int | float):
        return Html(html.escape(clean_text(str(child))))
    return Html("".join(escape_child(name) for name in child))


def make_tag(name: str, /, *children: Child, **attributes: str | bool | None) -> Html:
    """An element. ``class_`` stands for ``class``; a value of True gives a bare attribute, None and False none."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape_child(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Html(f"<{name}{written}>" if name in _VOID else f"<{name}{written}>{escape_child(children)}</{name}>")
