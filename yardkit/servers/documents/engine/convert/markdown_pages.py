"""Documents read page by page as Markdown, by the writer that converts whole documents."""

from __future__ import annotations

from yardkit.servers.documents.engine.blocks.block_pages import BlockPage, choose_blocks
from yardkit.servers.documents.engine.blocks.block_reader import Reader
from yardkit.servers.documents.engine.convert import html_writer, markdown
from yardkit.servers.documents.engine.package.document import Document


def read_page(document: Document, story: str, start: str, offset: int, limit: int) -> BlockPage:
    """A page of a story as Markdown, from the block with the anchor `start` (or the first) on; images by number.

    Raises:
        Problem: the story or the anchor does not exist.
    """
    reader = Reader(document, story)
    chosen = choose_blocks(reader, start, offset, limit)
    tree = html_writer.to_tree(document, story=story, blocks=chosen.elements, numbers=reader.images)
    text = markdown.from_tree(tree).rstrip("\n")
    return BlockPage(story, chosen.total, markdown=text, next_offset=chosen.next_offset, notes=chosen.notes)
