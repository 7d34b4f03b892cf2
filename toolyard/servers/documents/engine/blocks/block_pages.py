"""Documents read page by page: blocks with their anchors, their formats on demand, or as Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from toolyard.servers.documents.engine.blocks.block_markdown import markdown
from toolyard.servers.documents.engine.blocks.block_reader import BlockInfo, Reader, Show
from toolyard.servers.documents.engine.package.document import Document
from toolyard.world import Problem


@dataclass(frozen=True)
class BlockPage:
    """Blocks of a story, or their Markdown; `next_offset` is set where more follow."""

    story: str
    total: int
    blocks: list[BlockInfo] = field(default_factory=list)
    markdown: str = ""
    next_offset: int | None = None
    stories: list[str] = field(default_factory=list)


def read(document: Document, story: str, show: Show, start: str, offset: int, limit: int) -> BlockPage:
    """A page of the blocks of a story, from the block with the anchor `start` (or the first) on.

    Raises:
        Problem: the story or the anchor does not exist.
    """
    reader = Reader(document, story)
    top = reader.top()
    first = offset + (_top_place(reader, top, start) if start else 0)
    chosen = top[first : first + limit]
    following = first + limit if first + limit < len(top) else None
    if show == "markdown":
        return BlockPage(story, len(top), markdown=markdown(reader, chosen), next_offset=following)
    found = [reader.block(element, show) for element in chosen]
    return BlockPage(story, len(top), found, next_offset=following, stories=list(document.stories()))


def _top_place(reader: Reader, top: list[Any], anchor: str) -> int:
    block = reader.blocks.find(anchor)
    around = {block, *block.iterancestors()}
    place = next((number for number, element in enumerate(top) if element in around), None)
    if place is None:
        raise Problem(f"{anchor!r} stands in no block of {reader.story}")
    return place
