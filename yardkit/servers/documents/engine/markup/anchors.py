"""Anchors: short names of paragraphs and tables that stay right while other places change.

- A paragraph with a ``w14:paraId`` of its own (Word writes them, and so do we) is called by it: ``1A2B3C4D``.
- A table is called by the id of its first row or of that row's first paragraph, with a ``t``: ``t1A2B3C4D``.
- Where there are no ids (python-docx, LibreOffice, Google Docs) the name is position and digest of the text:
  ``b12-3fa2c91``; the digest finds the block wherever it has moved; the position only tells equal blocks apart. Blocks
  whose text is not unique (empty paragraphs above all) are digested with as few neighbours as tell them apart.
- Outside the body the story comes first: ``header1:b0-91c22e7``.

An anchor whose text was changed meanwhile is refused, with what stands near: a wrong place is never edited.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from functools import cached_property
from typing import Any

from yardkit.servers.documents.engine.markup.names import TBL, TR, P, find_element, qualify_name
from yardkit.servers.documents.engine.markup.paragraph_text import outside_fallbacks, text_of
from yardkit.world import Problem

PARA_ID = qualify_name("w14:paraId")
_PLACED = re.compile(r"b(\d+)-([0-9a-f]{7})")
_RADII = (1, 2, 4)
_DIGEST_BITS = 0xFFFFFFF


class Blocks:
    """All paragraphs and tables of a story in document order, those in tables and text boxes included."""

    def __init__(self, story: str, root: Any) -> None:
        self.story = story
        self.root = root
        self.all = list(outside_fallbacks(root, P, TBL))

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {block: number for number, block in enumerate(self.all)}

    @cached_property
    def _texts(self) -> list[str]:
        return [_identity_text(block) for block in self.all]

    @cached_property
    def _sums(self) -> bytes:
        """Checksums of the texts, four bytes each."""
        sums = (zlib.crc32(text.encode("utf-8", "surrogatepass")) for text in self._texts)
        return b"".join(number.to_bytes(4, "big") for number in sums)

    @cached_property
    def _ids(self) -> dict[str, Any]:
        """Ids that one block only has."""
        ids = [block.get(PARA_ID, "").upper() if block.tag == P else _table_id(block) for block in self.all]
        often = Counter(ids)
        return {
            identity: block for identity, block in zip(ids, self.all, strict=True) if identity and often[identity] == 1
        }

    @cached_property
    def _names(self) -> dict[Any, str]:
        return {block: identity for identity, block in self._ids.items()}

    @cached_property
    def _digests(self) -> dict[int, list[int]]:
        """Digest of the text alone, and with ever more neighbours -> places."""
        indices_by_digest: dict[int, list[int]] = defaultdict(list)
        for place in range(len(self.all)):
            for digest in set(self._list_digests(place)):
                indices_by_digest[digest].append(place)
        return indices_by_digest

    def _list_digests(self, place: int) -> list[int]:
        """Digests of a block's text, alone and with ever more neighbours on each side."""
        sums, at, after = self._sums, 4 * place, 4 * place + 4
        own = sums[at:after]
        around = [sums[max(0, at - 4 * r) : at] + b"<" + own + b">" + sums[after : after + 4 * r] for r in _RADII]
        return [zlib.crc32(data) & _DIGEST_BITS for data in (own, *around)]

    def __contains__(self, block: Any) -> bool:
        return block in self._places

    def place(self, block: Any) -> int:
        """The number of a block in the story, from 0."""
        return self._places[block]

    def anchor(self, block: Any) -> str:
        """The anchor of a block of this story."""
        name = self._names.get(block)
        if name is None:
            place = self._places[block]
            digests = self._list_digests(place)
            telling = digests if self._texts[place].strip("pt\x1d ") else digests[1:]
            unique = (digest for digest in telling if len(self._digests[digest]) == 1)
            name = f"b{place}-{next(unique, digests[-1]):07x}"
        return name if self.story == "body" else f"{self.story}:{name}"

    def find(self, anchor: str) -> Any:
        """The block with an anchor.

        Raises:
            Problem: there is none (any more).
        """
        name = anchor.rpartition(":")[2].strip()
        if name.upper() in self._ids or name in self._ids:
            return self._ids.get(name, self._ids.get(name.upper()))
        placed = _PLACED.fullmatch(name)
        places = self._digests.get(int(placed[2], 16), []) if placed else []
        if placed is not None and len(places) > 1:
            places = [place for place in places if place == int(placed[1])]
        if len(places) == 1:
            return self.all[places[0]]
        raise Problem(self._explain_missing(anchor, int(placed[1]) if placed else None))

    def _explain_missing(self, anchor: str, place: int | None) -> str:
        if place is None:
            return f"no block has the anchor {anchor!r} in {self.story}; read the document again for its anchors"
        around = self.all[max(0, place - 2) : place + 3] or self.all[-3:]
        near = "; ".join(f"{self.anchor(block)} {_describe_block(block)}" for block in around)
        return (
            f"the anchor {anchor!r} is stale: its text was changed, or it was deleted, since it was read. "
            f"Near that place in {self.story}: {near or 'nothing'}"
        )


def _table_id(table: Any) -> str:
    row = next(table.iter(TR), None)
    first = None if row is None else find_element(row, ".//w:p")
    identity = "" if row is None or first is None else first.get(PARA_ID, "") or row.get(PARA_ID, "")
    return f"t{identity.upper()}" if identity else ""


def _identity_text(block: Any) -> str:
    """What a block is recognised by: its text; for a table that of its first row."""
    if block.tag == P:
        return "p" + text_of(block)
    row = next(block.iter(TR), None)
    cells = [] if row is None else [text_of(paragraph) for paragraph in row.iter(P)]
    return "t\x1d" + "\x1d".join(cells)


def _describe_block(block: Any) -> str:
    text = _identity_text(block)[1:].replace("\x1d", " | ").strip(" |")
    return repr(text if len(text) <= 40 else text[:39] + "…")
