"""Documents read page by page: blocks with their anchors, their formats on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from yardkit.servers.documents.engine.blocks.block_reader import BlockInfo, Reader, Show
from yardkit.servers.documents.engine.markup.names import qualify_name
from yardkit.servers.documents.engine.package.document import Document
from yardkit.world import Problem
from yardkit.world.wording import format_count


@dataclass(frozen=True)
class BlockPage:
    """Blocks of a story, or their Markdown; `next_offset` is set where more follow; notes say what is not shown."""

    story: str
    total: int
    blocks: list[BlockInfo] = field(default_factory=list)
    markdown: str = ""
    next_offset: int | None = None
    stories: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Chosen:
    """Some of the blocks of a story."""

    total: int
    elements: list[Any]
    next_offset: int | None
    notes: list[str]


def read_page(document: Document, story: str, show: Show, start: str, offset: int, limit: int) -> BlockPage:
    """A page of the blocks of a story, from the block with the anchor `start` (or the first) on.

    Raises:
        Problem: the story or the anchor does not exist.
    """
    reader = Reader(document, story)
    chosen = choose_blocks(reader, start, offset, limit)
    if chosen.elements:
        reader.count_up_to(chosen.elements[-1])
    block_infos = [reader.block(element, show) for element in chosen.elements]
    stories = list(document.map_stories())
    return BlockPage(
        story, chosen.total, block_infos, next_offset=chosen.next_offset, stories=stories, notes=chosen.notes
    )


def choose_blocks(reader: Reader, start: str, offset: int, limit: int) -> Chosen:
    """The blocks of a page; where `start` stands in a text box, those of the box.

    Raises:
        Problem: the anchor does not exist.
    """
    top = reader.top(start)
    first = offset + (_top_place(reader, top, start) if start else 0)
    following = first + limit if first + limit < len(top) else None
    foreign = sum(1 for _ in reader.root.iter(qualify_name("w:altChunk"), qualify_name("w:subDoc")))
    notes = (
        [f"{format_count(foreign, 'file')} put into the document (altChunk) can be read in Word only"]
        if foreign
        else []
    )
    return Chosen(len(top), top[first : first + limit], following, notes)


def _top_place(reader: Reader, top: list[Any], anchor: str) -> int:
    block = reader.blocks.find(anchor)
    around = {block, *block.iterancestors()}
    place = next((number for number, element in enumerate(top) if element in around), None)
    if place is None:
        raise Problem(f"{anchor!r} is not in a block of {reader.story}")
    return place
