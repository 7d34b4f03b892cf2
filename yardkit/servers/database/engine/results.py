"""What the tools tell."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Blob:
    """Bytes of a cell.

    Attributes:
        blob_bytes: how many.
        hex: all of them, if they are few; ``hex(substr(column, 1, 1000))`` in SQL gives parts of longer ones.
    """

    blob_bytes: int
    hex: str | None = None


@dataclass(frozen=True)
class LongText:
    """The beginning of a long text of a cell; ``substr(column, 4001, 4000)`` in SQL gives further parts.

    Attributes:
        text: its first characters.
        of_characters: how many it has.
    """

    text: str
    of_characters: int


Value = None | int | float | str | Blob | LongText
"""A cell: null, number or text as they are; an infinite number is the text Infinity or -Infinity."""


@dataclass(frozen=True)
class Rows:
    """Rows that a query gives.

    Attributes:
        columns: their names, in order.
        rows: the cells of each row, in the order of `columns`.
        next_offset: where to continue when there are more rows; else null.
        notes: what was cut or replaced.
    """

    columns: list[str]
    rows: list[list[Value]]
    next_offset: int | None = None
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [" | ".join(self.columns), *(" | ".join(map(_format_value, row)) for row in self.rows)]
        more = [] if self.next_offset is None else [f"[more: continue with offset={self.next_offset}]"]
        return "\n".join(lines + more + [f"[{note}]" for note in self.notes])


def _format_value(value: Value) -> str:
    if isinstance(value, Blob):
        return f"x'{value.hex}'" if value.hex is not None else f"<{value.blob_bytes:,} bytes>"
    if isinstance(value, LongText):
        return f"{value.text}... <{value.of_characters:,} characters>"
    return "NULL" if value is None else str(value)


@dataclass(frozen=True)
class Column:
    """A column of a table or view.

    Attributes:
        type: as declared; empty if none is.
        default: the SQL of its default value.
        primary_key: its place in the primary key, from 1; 0 if it is not in it.
        generated: whether its value is computed from others.
    """

    name: str
    type: str = ""
    not_null: bool = False
    default: str | None = None
    primary_key: int = 0
    generated: bool = False


@dataclass(frozen=True)
class ForeignKey:
    """Columns that must name a row of another table, or be null.

    Attributes:
        to_columns: of the other table; empty means its primary key.
    """

    columns: list[str]
    to_table: str
    to_columns: list[str]
    on_update: str = "NO ACTION"
    on_delete: str = "NO ACTION"


@dataclass(frozen=True)
class Index:
    """An index.

    Attributes:
        columns: in order; null for an expression.
        partial: whether it covers only some rows.
        origin: index (CREATE INDEX), unique or primary key (a constraint of the table).
    """

    name: str
    columns: list[str | None]
    unique: bool = False
    partial: bool = False
    origin: str = "index"


@dataclass(frozen=True)
class Trigger:
    """A trigger; its SQL is told when one table is described."""

    name: str
    sql: str | None = None


@dataclass(frozen=True)
class Table:
    """A table or view.

    Attributes:
        kind: table, view, virtual (a full text index, an R-tree ...) or shadow (what a virtual table stores).
        rows: how many; null for a view, and where counting would take too long.
        strict: whether types are enforced.
        without_rowid: whether rows are stored by their primary key.
        sql: what made it, with all its constraints; told when one table is described, and for views.
    """

    name: str
    kind: str = "table"
    rows: int | None = None
    columns: list[Column] = field(default_factory=list)
    foreign_keys: list[ForeignKey] = field(default_factory=list)
    indexes: list[Index] = field(default_factory=list)
    triggers: list[Trigger] = field(default_factory=list)
    strict: bool = False
    without_rowid: bool = False
    sql: str | None = None


@dataclass(frozen=True)
class Description:
    """A database, or a page of its tables.

    Attributes:
        path: relative to the workspace.
        size_bytes: of the file and what a program left beside it (-wal or -journal).
        encoding: of its texts.
        user_version: a number that programs keep their version of the schema in.
        table_count: tables and views, all pages together.
        tables: of this page, by name.
        next_offset: where to continue when there are more tables; else null.
        notes: what else is to be known.
    """

    path: str
    size_bytes: int
    encoding: str
    user_version: int
    table_count: int
    tables: list[Table]
    next_offset: int | None = None
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Done:
    """What a statement did.

    Attributes:
        sql: the beginning of it.
        rows_changed: rows that it inserted, updated or deleted; null if it is of another kind.
        also_changed: more rows, changed by triggers, foreign keys and virtual tables.
        result: the first rows that it gave (RETURNING, SELECT).
    """

    sql: str
    rows_changed: int | None = None
    also_changed: int = 0
    result: Rows | None = None


@dataclass(frozen=True)
class TableRows:
    """A table after a change.

    Attributes:
        rows: counted in the changed file; null if there is no such table any more, or it is a view.
    """

    table: str
    rows: int | None


@dataclass(frozen=True)
class Change:
    """What a batch of statements did.

    Attributes:
        statements: in their order.
        tables: those that were changed, made or dropped.
        notes: what else is to be known.
    """

    statements: list[Done]
    tables: list[TableRows]
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{done.sql}: {_describe_effect(done)}" for done in self.statements]
        return "\n".join([*lines, *(f"{table.table}: {table.rows} rows" for table in self.tables), *self.notes])


def _describe_effect(done: Done) -> str:
    direct = "done" if done.rows_changed is None else f"{done.rows_changed} rows"
    return direct + (f", and {done.also_changed} more" if done.also_changed else "")


@dataclass(frozen=True)
class Import:
    """What came into a table.

    Attributes:
        rows: that were added.
        columns: of the table that were filled, with their types.
        table_rows: rows of the table now, counted in the changed file.
        notes: what else is to be known.
    """

    table: str
    rows: int
    columns: list[Column]
    table_rows: int | None
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Export:
    """What was written to a file.

    Attributes:
        rows: without the header.
        notes: what a file of this kind cannot tell.
    """

    rows: int
    columns: list[str]
    notes: list[str] = field(default_factory=list)
