"""HTML from Python values: everything that is not marked as HTML is always escaped."""

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
    """Remove characters that are invalid in pages and XML, and marks that change the writing direction."""
    return _BIDI.sub("\ufffd", _UNSHOWABLE.sub("\ufffd", text))


def escape_child(child: Child) -> Html:
    """Convert one or several values to HTML; text is escaped, None is empty."""
    if child is None:
        return Html()
    if isinstance(child, Html):
        return child
    if isinstance(child, str | int | float):
        return Html(html.escape(clean_text(str(child))))
    return Html("".join(escape_child(name) for name in child))


def make_tag(name: str, /, *children: Child, **attributes: str | bool | None) -> Html:
    """Make an element. ``class_`` means ``class``; True gives a bare attribute, None and False give none."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape_child(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Html(f"<{name}{written}>" if name in _VOID else f"<{name}{written}>{escape_child(children)}</{name}>")
