"""Links of an HTML text: ids to which something leads become bookmarks, addresses of files follow the document."""

from __future__ import annotations

import os
import re
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from yardkit.servers.documents.engine.markup.names import P, make_element, qualify_name
from yardkit.servers.documents.engine.package.field_values import map_bookmarks
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.world import Problem

_NO_NAME = re.compile(r"\W")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_MAX_NAME = 40
_TOP = "_top"
"""The start of a document, which has this name in Word without a bookmark."""


class Marks:
    """The places of a text that its links lead to, each marked once."""

    def __init__(self, writer: Writer, root: Any) -> None:
        named = {_get_id(node) for node in root.iter() if isinstance(node.tag, str)}
        linked_ids = (
            unquote(link.get("href", "")[1:]) for link in root.iter("a") if link.get("href", "").startswith("#")
        )
        taken = {name.lower() for name in map_bookmarks(writer.document)}
        self.names: dict[str, str] = {}
        for identity in dict.fromkeys(linked_ids):
            if identity and identity in named:
                self.names[identity] = name = _make_free_name(identity, taken)
                taken.add(name.lower())
        self._left = dict(self.names)
        self._number = writer.fresh_id((qualify_name("w:bookmarkStart"),), qualify_name("w:id"))

    def address(self, href: str, moved: str = "") -> str:
        """What a link of the document leads to; `moved` is how its folder sees that of the text.

        Raises:
            Problem: nothing in the text has that name.
        """
        if href.startswith("#"):
            identity = unquote(href[1:])
            if identity.lower() in ("", "top") and identity not in self.names:
                return f"#{_TOP}"
            if identity not in self.names:
                raise Problem(f"the text has no element with the id {identity!r}")
            return f"#{self.names[identity]}"
        if not moved or _SCHEME.match(href) or href.startswith("/"):
            return href
        path, sign, rest = re.fullmatch(r"([^?#]*)([?#]?)(.*)", href, re.DOTALL).groups()  # type: ignore[union-attr]
        return str(PurePosixPath(os.path.normpath(f"{moved}/{path}"))) + sign + rest

    def make_marks(self, node: Any) -> list[Any]:
        """The marks for an element that something leads to, to be put where it begins; none a second time."""
        name = self._left.pop(_get_id(node), None)
        if name is None:
            return []
        self._number += 1
        return [
            make_element("w:bookmarkStart", id=self._number, name=name),
            make_element("w:bookmarkEnd", id=self._number),
        ]

    def mark_beginning(self, node: Any, blocks: list[Any]) -> None:
        """Mark the first paragraph of the blocks that an element became."""
        paragraph = next((candidate for block in blocks for candidate in block.iter(P)), None)
        if paragraph is None:
            return
        at = sum(child.tag == qualify_name("w:pPr") for child in paragraph)
        for mark in reversed(self.make_marks(node)):
            paragraph.insert(at, mark)


def _get_id(node: Any) -> str:
    return node.get("id") or (node.get("name") if node.tag == "a" else "") or ""


def _make_free_name(identity: str, taken: set[str]) -> str:
    """An id as a name that Word takes: letters, digits and _, at most 40, the first no digit."""
    safe_name = _NO_NAME.sub("_", identity)
    safe_name = (safe_name if safe_name[0].isalpha() or safe_name[0] == "_" else f"_{safe_name}")[:_MAX_NAME]
    name, number = safe_name, 1
    while name.lower() in taken:
        number += 1
        name = f"{safe_name[: _MAX_NAME - 5]}_{number}"
    return name
