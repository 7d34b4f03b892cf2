"""The notes of a seeded company, written in: pages with older versions and drafts, tables with rows, comments."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import cycle
from typing import Any

from yardkit.apps.notes import (
    APP,
    RECORDS,
    Block,
    Column,
    ColumnKind,
    Comment,
    Option,
    Page,
    Person,
    Span,
    Table,
    Version,
)
from yardkit.apps.store import Store, open_store
from yardkit.state_init.company.notes_texts import Part, make_part
from yardkit.world import World

Kinds = Mapping[str, ColumnKind | tuple[ColumnKind, str | tuple[str, ...]]]
"""Of each column its kind, and what can be chosen in it or to which table it leads; the first holds the titles."""
_COLORS = ("gray", "blue", "yellow", "green", "red")
_MARKED = re.compile(r"(@[\w.-]+@[\w-]+(?:\.[\w-]+)*\w|\[\[[^\]]+\]\]|\*\*[^*]+\*\*)")


@dataclass(frozen=True)
class Notebook:
    """The notes, to be written in behind what stands there; people are told by their addresses."""

    store: Store

    def add_page(self, title: str, parent: int | None, at: datetime, by: str, parts: Sequence[Part] = ()) -> Page:
        """A page, at the end of another one or of the top."""
        beside = self.store.count(Page, "parent_id IS ? AND table_id IS NULL", [parent])
        return self._write_page(title, at, by, parts, parent_id=parent, position=beside + 1)

    def add_older_page(self, page: Page, at: datetime, by: str, parts: Sequence[Part], title: str = "") -> Page:
        """A page that said something else, perhaps under another title, until somebody changed it."""
        number, who, stamp = self.store.next_id(Version), self._find_person(by).id, at.isoformat()
        text = "\n\n".join(map(_format_markdown, parts))
        self.store.put(Version(number, page.id, stamp, who, title or page.title, text))
        return self.store.change(page, edited=stamp, editor_id=who)

    def add_draft(self, title: str, parent: int, at: datetime, by: str, parts: Sequence[Part]) -> Page:
        """A page beside the one of this title, which never came to hold."""
        warned = [make_part("callout", "A proposal. It does not hold.", icon="🚧"), *parts]
        return self.add_page(f"{title} (draft)", parent, at, by, warned)

    def comment(self, page: int, at: datetime, by: str, text: str) -> Comment:
        """What somebody says of a page or a row."""
        number = self.store.next_id(Comment)
        return self.store.put(Comment(number, page, None, number, self._find_person(by).id, at.isoformat(), text))

    def table(
        self, title: str, columns: Kinds, at: datetime, parent: int | None = None, description: str = ""
    ) -> Table:
        """A table without rows."""
        new_columns, stamp = [self._make_column(name, kind) for name, kind in columns.items()], at.isoformat()
        return self.store.put(Table(self.store.next_id(Table), title, new_columns, stamp, stamp, parent, description))

    def row(
        self, table: Table, title: str, at: datetime, by: str, values: Mapping[str, Any], parts: Sequence[Part] = ()
    ) -> Page:
        """A row of a table; what is empty is left out, and people are lists of addresses, or of their numbers."""
        beside = self.store.count(Page, "table_id = ?", [table.id])
        filled_values = {name: value for name, value in values.items() if value not in (None, "", [])}
        for column in table.columns:
            if column.kind == "people" and column.name in filled_values:
                people = filled_values[column.name]
                filled_values[column.name] = [
                    self._find_person(person).id if isinstance(person, str) else person for person in people
                ]
        return self._write_page(title, at, by, parts, table_id=table.id, position=beside + 1, values=filled_values)

    def block_ids(self, page: int) -> list[int]:
        """The numbers of all blocks of a page."""
        return [block.id for block in self.store.find(Block, "page_id = ?", [page])]

    def values(self, row: int) -> dict[str, Any]:
        """What a row of a table holds, by column."""
        return self.store.get(Page, row).values

    def _find_person(self, email: str) -> Person:
        return self.store.find(Person, "email = ?", [email])[0]

    def _write_page(self, title: str, at: datetime, by: str, parts: Sequence[Part], **where: Any) -> Page:
        number, who, stamp = self.store.next_id(Page), self._find_person(by).id, at.isoformat()
        page = self.store.put(Page(number, title, stamp, stamp, author_id=who, editor_id=who, **where))
        for position, block in enumerate(parts, 1):
            self._add_block(page, None, position, block)
        return page

    def _add_block(self, page: Page, parent: int | None, position: int, block: Part) -> None:
        kind, block_text, data = block
        spans, number, rows = self._parse_spans(block_text), self.store.next_id(Block), data.get("rows", ())
        text = "".join(span.text for span in spans)
        styled = spans if any(span.link or span.bold for span in spans) else []
        block_data = {"header": True, "width": len(rows[0])} if rows else data
        self.store.put(
            Block(number, page.id, parent, position, kind, text, styled, block_data, page.created, page.created)
        )
        for place, cells in enumerate(rows, 1):
            self._add_block(page, number, place, ("table_row", "", {"cells": list(cells)}))

    def _parse_spans(self, text: str) -> list[Span]:
        """``@ada.berg@x.example`` leads to a person, ``[[Title]]`` to a page, ``**word**`` is bold."""
        return [self._parse_span(piece) for piece in _MARKED.split(text) if piece]

    def _parse_span(self, piece: str) -> Span:
        if piece.startswith("@"):
            for person in self.store.find(Person, "email = ?", [piece[1:]]):
                return Span(f"@{person.name}", link=f"person:{person.id}")
        if piece.startswith("[["):
            for page in self.store.find(Page, "title = ? AND table_id IS NULL", [piece[2:-2]], order="id")[:1]:
                return Span(piece[2:-2], link=f"page:{page.id}")
        bold = _MARKED.fullmatch(piece) and piece.startswith("**")
        return Span(piece[2:-2], bold=True) if bold else Span(piece)

    def _make_column(self, name: str, kind: ColumnKind | tuple[ColumnKind, str | tuple[str, ...]]) -> Column:
        if not isinstance(kind, tuple):
            return Column(name, kind)
        if isinstance(kind[1], str):
            return Column(name, kind[0], table_id=self.store.find(Table, "title = ?", [kind[1]])[0].id)
        return Column(
            name,
            kind[0],
            [Option(option_name, color) for option_name, color in zip(kind[1], cycle(_COLORS), strict=False)],
        )


@contextmanager
def open_notebook(world: World) -> Iterator[Notebook]:
    """The notes of a world, in one transaction."""
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        yield Notebook(store)


def build_grid(*rows: Sequence[str]) -> Part:
    """A table on a page, the first row its head."""
    return "table", "", {"rows": rows}


def parts_of(text: str) -> list[Part]:
    """The blocks of a text: a line is an item where it begins with ``- ``, a heading with ``## ``, else a paragraph."""
    kinds = {"- ": "bulleted_list_item", "##": "heading_2"}
    lines = (line.strip() for line in text.splitlines() if line.strip())
    return [make_part(kinds.get(line[:2], "paragraph"), line.removeprefix("- ").removeprefix("## ")) for line in lines]


def _format_markdown(block: Part) -> str:
    kind, text, data = block
    if kind == "table":
        head, *rows = (f"| {' | '.join(cells)} |" for cells in data["rows"])
        return "\n".join([head, f"|{' --- |' * len(data['rows'][0])}", *rows])
    marks = {"heading_2": "## ", "bulleted_list_item": "- ", "callout": f"> [!{data.get('icon', '💡')}] "}
    return f"{marks.get(kind, '')}{text}"
