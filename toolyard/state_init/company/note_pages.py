"""Pages, tables and comments of a task's own in the notes of a seeded company, beside those of `fill_notes`."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from toolyard.apps.notes import APP, RECORDS, Block, Column, ColumnKind, Comment, Option, Page, Person, Table, Version
from toolyard.apps.store import Store, opened
from toolyard.state_init.company.notes_texts import Part
from toolyard.world import World

Kinds = Mapping[str, ColumnKind | tuple[ColumnKind, tuple[str, ...]]]
"""Of each column its kind, and what can be chosen in it."""


@dataclass(frozen=True)
class Notebook:
    """The notes, to be written in; people are told by their addresses."""

    store: Store

    def person(self, email: str) -> int:
        """The number of somebody who writes here."""
        return self.store.find(Person, "email = ?", [email])[0].id

    def page(self, title: str, parent: int | None, at: datetime, by: str, parts: Sequence[Part]) -> Page:
        """A page, at the end of another one or of the top."""
        where, values = ("parent_id = ?", [parent]) if parent else ("parent_id IS NULL AND table_id IS NULL", [])
        place, who, stamp = self.store.count(Page, where, values) + 1, self.person(by), at.isoformat()
        head = self.store.next_id(Page), title, stamp, stamp, parent, None, place
        page = self.store.put(Page(*head, author_id=who, editor_id=who))
        for position, one in enumerate(parts, 1):
            self._block(page, None, position, one)
        return page

    def table(
        self, title: str, columns: Kinds, at: datetime, parent: int | None = None, description: str = ""
    ) -> Table:
        """A table without rows; its first column is that of titles."""
        made = []
        for name, kind in columns.items():
            held, options = kind if isinstance(kind, tuple) else (kind, ())
            made.append(Column(name, held, [Option(option) for option in options]))
        stamp = at.isoformat()
        return self.store.put(Table(self.store.next_id(Table), title, made, stamp, stamp, parent, description))

    def row(self, table: Table, title: str, at: datetime, by: str, values: Mapping[str, Any]) -> Page:
        """A row of a table; people are their addresses in lists."""
        place, who, stamp = self.store.count(Page, "table_id = ?", [table.id]) + 1, self.person(by), at.isoformat()
        people = {column.name for column in table.columns if column.kind == "people"}
        held = {
            name: [self.person(email) for email in value] if name in people else value
            for name, value in values.items()
            if value is not None
        }
        head = self.store.next_id(Page), title, stamp, stamp, None, table.id, place
        return self.store.put(Page(*head, author_id=who, editor_id=who, values=held))

    def comment(self, page: Page, at: datetime, by: str, text: str) -> Comment:
        """What somebody says of a page."""
        number = self.store.next_id(Comment)
        return self.store.put(Comment(number, page.id, None, number, self.person(by), at.isoformat(), text))

    def older(self, page: Page, at: datetime, by: str, title: str, parts: Sequence[Part]) -> Page:
        """A page that was another one until somebody changed it."""
        number, who, stamp = self.store.next_id(Version), self.person(by), at.isoformat()
        self.store.put(Version(number, page.id, stamp, who, title, "\n\n".join(map(_shown, parts))))
        return self.store.change(page, edited=stamp, editor_id=who)

    def block_ids(self, page: int) -> list[int]:
        """The numbers of all blocks of a page."""
        return [block.id for block in self.store.find(Block, "page_id = ?", [page])]

    def values(self, row: int) -> dict[str, Any]:
        """What a row of a table holds, by column."""
        return self.store.get(Page, row).values

    def _block(self, page: Page, parent: int | None, position: int, one: Part) -> None:
        kind, text, data = one
        number, rows = self.store.next_id(Block), data.get("rows", ())
        held = {"header": True, "width": len(rows[0])} if rows else data
        stamps = page.created, page.created
        self.store.put(Block(number, page.id, parent, position, kind, text, [], held, *stamps))
        for place, cells in enumerate(rows, 1):
            self._block(page, number, place, ("table_row", "", {"cells": list(cells)}))


@contextmanager
def notebook(world: World) -> Iterator[Notebook]:
    """The notes of a world, in one transaction."""
    with opened(APP, *RECORDS, writes=True, world=world) as store:
        yield Notebook(store)


def grid(*rows: Sequence[str]) -> Part:
    """A table on a page, the first row its head."""
    return "table", "", {"rows": rows}


def parts_of(text: str) -> list[Part]:
    """The blocks of a text whose paragraphs, headings and items of lists stand apart by empty lines."""
    kinds = {"- ": "bulleted_list_item", "## ": "heading_2"}
    made: list[Part] = []
    for block in text.strip().split("\n\n"):
        mark = next((mark for mark in kinds if block.startswith(mark)), "")
        made.append((kinds.get(mark, "paragraph"), block.removeprefix(mark), {}))
    return made


def _shown(one: Part) -> str:
    """A block as Markdown."""
    kind, text, data = one
    if kind == "table":
        head, *rows = (f"| {' | '.join(cells)} |" for cells in data["rows"])
        return "\n".join([head, f"|{' --- |' * len(data['rows'][0])}", *rows])
    marks = {"heading_2": "## ", "bulleted_list_item": "- ", "callout": f"> [!{data.get('icon', '💡')}] "}
    return f"{marks.get(kind, '')}{text}"
