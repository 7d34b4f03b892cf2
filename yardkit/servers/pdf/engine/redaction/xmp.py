"""Metadata in XML (XMP): what of it can be taken out so that the rest can still be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_DATE = r"\d{4}-\d\d(?:-\d\d(?:T[\d:.]{5,18}(?:Z|[-+]\d\d:?\d\d)?)?)?"
_DATES = re.compile(
    rf"""<(?P<name>[\w:.-]+)(?:\s[^<>]*)?>\s*{_DATE}\s*</(?P=name)\s*>|\s[\w:.-]+\s*=\s*(["']){_DATE}\2"""
)
"""An element or an attribute that is a date (XMP specification, part 1, 8.2.1.2)."""
_TAG = re.compile(r"<[^<>]*>")
_NAMES = re.compile(r"""^</?[\w:.-]+|\sxmlns:[\w.-]+\s*=\s*(?:"[^"]*"|'[^']*')|\s[\w:.-]+(?=\s*=)""")


def is_xmp(stream: Any) -> bool:
    """Whether a stream is such metadata."""
    return bool(stream.get("/Type") == "/Metadata" or stream.get("/Subtype") == "/XML")


def without_dates(text: str, within: Callable[[str], bool]) -> tuple[str, int]:
    """The text without the dates that a term stands in, and how many these are: half a date is none."""
    gone = [date_match.span() for date_match in _DATES.finditer(text) if within(date_match[0])]
    for start, end in reversed(gone):
        text = text[:start] + text[end:]
    return text, len(gone)


def in_markup(text: str, within: Callable[[str], bool]) -> bool:
    """Whether a term stands in the names of elements, attributes or namespaces: without it nothing can be read."""
    return any(within(name) for tag in _TAG.findall(text) for name in _NAMES.findall(tag))


def unlink_metadata(pdf: Any, gone: set[Any]) -> None:
    """Let nothing refer to these metadata any more."""
    import pikepdf

    for thing in pdf.objects if gone else ():
        metadata_stream = thing.get("/Metadata") if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream) else None
        if metadata_stream is not None and metadata_stream.objgen in gone:
            del thing["/Metadata"]
