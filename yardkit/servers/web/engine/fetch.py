"""A page by its address, in parts."""

from dataclasses import dataclass
from pathlib import Path

from yardkit.servers.web.engine.sites import find_page, read_page
from yardkit.world import Problem

MAX_CHARACTERS = 20_000


@dataclass(frozen=True)
class FetchedPage:
    """A part of a page.

    Attributes:
        url, title, date: as of a page; date is empty where the page states none.
        text: Markdown.
        total_characters: of the whole page.
        next_offset: where it goes on; null at its end.
    """

    url: str
    title: str
    date: str
    text: str
    total_characters: int
    next_offset: int | None

    def __str__(self) -> str:
        head = f"{self.title}{f' ({self.date})' if self.date else ''}\n{self.url}\n\n{self.text}"
        if self.next_offset is None:
            return head
        return f"{head}\n[cut; {self.total_characters:,} characters in all; go on with offset={self.next_offset}]"


def fetch_from(folder: Path, url: str, offset: int, limit: int) -> FetchedPage:
    """A part of a page of some sites.

    Raises:
        Problem: there is no such page, or it ends before `offset`.
    """
    page = read_page(folder, find_page(folder, url))
    total = len(page.text)
    if offset and offset >= total:
        raise Problem(f"the page {page.url} ends at {total:,} characters; use an offset below that, not {offset:,}")
    end = offset + limit
    return FetchedPage(page.url, page.title, page.date, page.text[offset:end], total, end if end < total else None)
