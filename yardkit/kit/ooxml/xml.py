"""XML parts: parsed without entities, DTDs or network, written back as Office writes them."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from typing import Any

from yardkit.world import Problem

MAX_TAGS = 20_000_000
_MOST_SETTLED, _LARGE = 64, 300_000
_OTHER_ENCODING = re.compile(
    rb"""\xfe\xff|\xff\xfe|\0?<\0|[^<]{0,3}<\?xml[^>]*\sencoding\s*=\s*["'](?!utf-8["'])""", re.IGNORECASE
)
_settled: OrderedDict[bytes, bytes] = OrderedDict()
_lock = threading.Lock()


def count_tags(data: bytes, name: str, others: int = 0) -> int:
    """How many tags a part has, about; with the `others` of its package, if they are parsed together.

    Raises:
        Problem: they are more than `MAX_TAGS`, of which the smallest take a hundred bytes of memory each.
    """
    count = data.count(b"<") + others
    if count > MAX_TAGS:
        raise Problem(f"the part {name!r} has too many elements: more than {MAX_TAGS:,} tags cannot be read")
    return count


def parse_part(data: bytes, name: str) -> Any:
    """Parse a part and return its root element.

    Raises:
        Problem: it is not well-formed, has too many elements, or declares a DTD (entities are how XML bombs work).
    """
    from lxml import etree

    refusal = Problem(f"the part {name!r} declares a DTD, which no Office file needs; it is refused")
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise refusal
    count_tags(data, name)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise Problem(f"the part {name!r} is not well-formed XML ({error}); the file is damaged") from error
    if root.getroottree().docinfo.internalDTD is not None:  # in UTF-16, where the bytes above differ
        raise refusal
    return root


def is_utf8(head: bytes) -> bool:
    """Whether a part that begins with `head` is UTF-8, by its first bytes and its declaration."""
    return not _OTHER_ENCODING.match(head)


def serialize_part(root: Any) -> bytes:
    """Serialize a part with Office's XML declaration."""
    from lxml import etree

    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


def serialize_unchanged(data: bytes, root: Any) -> bytes:
    """Serialize an unchanged part with the bytes `data` and the root `root`.

    Cached for small parts, most of which are read again, unchanged, by the next edit of their file.
    """
    known = _settled.get(data)
    if known is None:
        known = serialize_part(root)
        if len(data) <= _LARGE:
            with _lock:
                _settled[data] = known
                while len(_settled) > _MOST_SETTLED:
                    _settled.popitem(last=False)
    return known
