"""The records of the app `notes`: pages of blocks, tables whose rows are pages, comments, versions of pages."""

from dataclasses import dataclass, field
from typing import Any, Literal

APP = "notes"
ColumnKind = Literal[
    "title", "text", "number", "select", "multi_select", "status", "date", "checkbox", "url", "email", "phone",
    "people", "relation", "files", "created", "edited",
]  # fmt: skip
"""Of a column; `created` and `edited` are the times of the row and have no values of their own."""
BlockKind = str
"""As Notion calls them: ``paragraph``, ``heading_1``, ``to_do``, ``code``, ``table`` and the like."""


@dataclass(frozen=True)
class Span:
    """A piece of text in one style. link: an address, ``page:12`` or ``person:3``; color: Notion's name."""

    text: str
    bold: bool = False
    italic: bool = False
    strikethrough: bool = False
    underline: bool = False
    code: bool = False
    link: str = ""
    color: str = ""


@dataclass(frozen=True)
class Person:
    """A user of the notes. The first of kind ``person`` is the owner, who acts."""

    id: int
    name: str
    email: str
    kind: Literal["person", "bot"] = "person"


@dataclass(frozen=True)
class Page:
    """A page, or a row of a table.

    Attributes:
        parent_id: the page that contains it; null at the top, and for a row.
        table_id: the table of a row.
        values: of a row, by column but for its title: texts, numbers, lists; dates as ISO 8601, a period with a
            slash between; people and relations as lists of numbers.
        archived: when it was archived, or null. Pages in it are archived with it.
        position: its position among the pages of one parent.
    """

    id: int
    title: str
    created: str
    edited: str
    parent_id: int | None = None
    table_id: int | None = None
    position: int = 1
    icon: str = ""
    cover: str = ""
    author_id: int | None = None
    editor_id: int | None = None
    archived: str | None = None
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Block:
    """A piece of a page.

    Attributes:
        parent_id: the block that contains it; null for a top-level block.
        text: its text, without style; spans: the same in pieces if some of it has a style, else empty.
        data: its other properties: checked, language, icon, color, url, caption, expression, cells (Markdown), header.
    """

    id: int
    page_id: int
    parent_id: int | None
    position: int
    kind: BlockKind
    text: str = ""
    spans: list[Span] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    created: str = ""
    edited: str = ""

    @property
    def rich(self) -> list[Span]:
        """Its text in pieces."""
        return self.spans or ([Span(self.text)] if self.text else [])


@dataclass(frozen=True)
class Option:
    """A choice in a column."""

    name: str
    color: str = "default"


@dataclass(frozen=True)
class Column:
    """A column of a table. options: of choices; table_id: of a relation; format: of numbers, Notion's name."""

    name: str
    kind: ColumnKind
    options: list[Option] = field(default_factory=list)
    table_id: int | None = None
    format: str = "number"


@dataclass(frozen=True)
class Table:
    """A table, whose rows are pages. parent_id: the page that contains it."""

    id: int
    title: str
    columns: list[Column]
    created: str
    edited: str
    parent_id: int | None = None
    description: str = ""
    icon: str = ""
    archived: str | None = None


@dataclass(frozen=True)
class Comment:
    """A comment on a page or on one of its blocks. thread: the number of its first comment."""

    id: int
    page_id: int
    block_id: int | None
    thread: int
    author_id: int | None
    created: str
    text: str


@dataclass(frozen=True)
class Version:
    """An earlier version of a page as Markdown. saved: when `author_id` changed the page."""

    id: int
    page_id: int
    saved: str
    author_id: int | None
    title: str
    text: str


RECORDS = (Person, Page, Block, Table, Comment, Version)
