"""What the tools return."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from pydantic import SerializeAsAny

from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.world import FileRef
from yardkit.world.wording import format_count

Value = SerializeAsAny[Scalar]
"""For many values: written out by what each is, without trying the types one by one, in a fourth of the time."""


@dataclass(frozen=True)
class Unknown:
    """A formula without a computed value, and why."""

    cell: str
    reason: str

    def __str__(self) -> str:
        return f"{self.cell}: {self.reason}"


@dataclass(frozen=True)
class CellDetail:
    """A cell: dates as ISO 8601 text, kind (number, text, boolean, date, error, empty), formula, look, merged range."""

    cell: str
    value: Scalar
    kind: str
    formula: str | None = None
    number_format: str = "General"
    format: str | None = None
    merged: str | None = None

    def __str__(self) -> str:
        merged = f"merged {self.merged}" if self.merged else None
        details = ", ".join(filter(None, (self.kind, self.number_format, self.format, merged)))
        formula = f"  {self.formula}" if self.formula else ""
        return f"{self.cell}: {json.dumps(self.value, ensure_ascii=False)} ({details}){formula}"


@dataclass(frozen=True)
class SheetCells:
    """Cells: rows of values from `range` (dates as ISO 8601 text), or details; uncomputed: formulas without a value."""

    sheet: str
    range: str
    rows: list[list[Value]]
    details: list[CellDetail] = field(default_factory=list)
    total_rows: int = 0
    next_offset: int | None = None
    uncomputed: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        top = int("".join(filter(str.isdigit, self.range.split(":", maxsplit=1)[0])) or 1)
        lines = [f"{self.sheet}!{self.range}"]
        lines += [f"{top + index}: {json.dumps(row, ensure_ascii=False)}" for index, row in enumerate(self.rows)]
        lines += [str(detail) for detail in self.details]
        if self.uncomputed:
            lines.append(_without_value(self.uncomputed))
        if self.next_offset is not None:
            lines.append(f"{self.total_rows} rows in all; go on with offset={self.next_offset}")
        return "\n".join(lines)


def _without_value(cells: list[str]) -> str:
    have = f"{format_count(len(cells), 'formula')} {'has' if len(cells) == 1 else 'have'}"
    return f"{have} no stored value (null): {', '.join(cells[:20])}; recalculate"


@dataclass(frozen=True)
class Records:
    """Rows as objects keyed by column; next_offset is null at the end; uncomputed: formulas without a value."""

    sheet: str
    columns: list[str]
    records: list[dict[str, Value]]
    total: int
    next_offset: int | None = None
    uncomputed: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.sheet}: {self.total} records; columns {', '.join(self.columns)}"]
        lines += [json.dumps(list(record.values()), ensure_ascii=False) for record in self.records]
        if self.next_offset is not None:
            lines.append(f"More: go on with offset={self.next_offset}")
        if self.uncomputed:
            lines.append(_without_value(self.uncomputed))
        return "\n".join(lines)


@dataclass(frozen=True)
class TableSummary:
    """A table (list object) with its range and column names."""

    name: str
    range: str
    columns: list[str]


@dataclass(frozen=True)
class SheetSummary:
    """A sheet: its first used row as header, formulas (uncomputed: without stored value), errors, what is on it."""

    name: str
    kind: str = "worksheet"
    state: str = "visible"
    used_range: str | None = None
    header: list[Scalar] = field(default_factory=list)
    formulas: int = 0
    uncomputed: int = 0
    errors: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    tables: list[TableSummary] = field(default_factory=list)
    charts: list[str] = field(default_factory=list)
    images: int = 0
    comments: int = 0
    conditional_formats: int = 0
    data_validations: int = 0
    hidden_rows: int = 0
    hidden_columns: int = 0
    frozen_at: str | None = None
    protected: bool = False
    pivots: list[str] = field(default_factory=list)
    sparklines: int = 0
    links: int = 0
    slicers: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        facts = [f"{self.name!r} ({self.kind}{'' if self.state == 'visible' else ', ' + self.state})"]
        facts.append(f"used {self.used_range}" if self.used_range else "empty")
        counted = ("formulas", "uncomputed", "images", "comments", "conditional_formats", "data_validations")
        for name in (*counted, "sparklines", "links"):
            facts += [f"{getattr(self, name)} {name.replace('_', ' ')}"] if getattr(self, name) else []
        facts += [f"{self.hidden_rows} hidden rows"] if self.hidden_rows else []
        facts += [f"{self.hidden_columns} hidden columns"] if self.hidden_columns else []
        facts += [f"frozen at {self.frozen_at}"] if self.frozen_at else []
        facts += ["protected"] if self.protected else []
        lines = ["; ".join(facts)]
        lines += [f"  first row: {json.dumps(self.header, ensure_ascii=False)}"] if self.header else []
        lines += [f"  table {table.name} {table.range}: {', '.join(table.columns)}" for table in self.tables]
        for name in ("charts", "pivots", "slicers"):
            lines += [f"  {name}: {'; '.join(getattr(self, name))}"] if getattr(self, name) else []
        lines += [f"  merged: {', '.join(self.merged)}"] if self.merged else []
        lines += [f"  errors: {', '.join(self.errors)}"] if self.errors else []
        return "\n".join(lines)


@dataclass(frozen=True)
class NameSummary:
    """A defined name; scope is the sheet it belongs to, empty for the workbook."""

    name: str
    refers_to: str
    scope: str = ""


@dataclass(frozen=True)
class WorkbookSummary:
    """What a workbook holds; macros are kept and never run; date_system is 1900 or 1904."""

    path: str
    sheets: list[SheetSummary]
    names: list[NameSummary] = field(default_factory=list)
    macros: bool = False
    pivot_tables: int = 0
    external_links: int = 0
    date_system: int = 1900
    profile: Profile | None = None

    def __str__(self) -> str:
        lines = [f"{self.path}: {format_count(len(self.sheets), 'sheet')}", *map(str, self.sheets)]
        for name in self.names:
            scope = f" (only in {name.scope!r})" if name.scope else ""
            lines.append(f"name {name.name} = {name.refers_to}{scope}")
        lines += ["has macros (VBA)"] if self.macros else []
        lines += [format_count(self.pivot_tables, "pivot table")] if self.pivot_tables else []
        lines += [f"{format_count(self.external_links, 'link')} to other workbooks"] if self.external_links else []
        lines += ["dates count from 1904"] if self.date_system == 1904 else []
        return "\n".join(lines)


@dataclass(frozen=True)
class CellHit:
    """A cell, or the range that a formula reads."""

    cell: str
    value: Scalar = None
    formula: str | None = None
    format: str | None = None


@dataclass(frozen=True)
class SearchHits:
    """Cells that were found: how many in all, and a page of them."""

    total: int
    cells: list[CellHit]
    next_offset: int | None = None


@dataclass(frozen=True)
class Difference:
    """A cell that differs: `what` is value, formula or format (of a range); or a row or column that came or went.

    Cells, and what was added, are named by their places in the later workbook; `was`: where the cell was, if elsewhere.
    """

    cell: str
    what: str
    before: Scalar = None
    after: Scalar = None
    was: str | None = None


@dataclass(frozen=True)
class Comparison:
    """What differs between two workbooks: sheets and names that came, went or changed, and a page of cells."""

    equal: bool
    total: int
    differences: list[Difference]
    sheets_added: list[str] = field(default_factory=list)
    sheets_removed: list[str] = field(default_factory=list)
    names_changed: list[str] = field(default_factory=list)
    next_offset: int | None = None


@dataclass(frozen=True)
class ColumnProfile:
    """A column below its header: how many cells of each kind, and what stands out.

    Attributes:
        kinds: filled cells by kind: number, text, date, boolean, error.
        missing: empty cells.
        distinct: different values.
        outliers: cells beyond 1.5 interquartile ranges from the middle half.
        unusual: cells of a kind that is rare here, or numbers and dates stored as text.
        common: the most frequent values of a column of few different texts.
    """

    column: str
    name: str
    kinds: dict[str, int]
    missing: int = 0
    distinct: int = 0
    minimum: Scalar = None
    maximum: Scalar = None
    mean: float | None = None
    median: float | None = None
    outliers: list[str] = field(default_factory=list)
    unusual: list[str] = field(default_factory=list)
    common: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Profile:
    """The data of a sheet by column; `duplicate_rows` are equal to a row above them."""

    sheet: str
    range: str
    rows: int
    columns: list[ColumnProfile]
    duplicate_rows: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Computed:
    """The stored value of a formula; null when unknown."""

    cell: str
    value: Scalar


@dataclass(frozen=True)
class Written:
    """A saved change: written range, values of its formulas and of those in its way, how many were renewed, unknown.

    broken: other formulas, whose value the change made an error.
    """

    done: str
    file: FileRef
    range: str | None = None
    computed: list[Computed] = field(default_factory=list)
    recalculated: int = 0
    unknown: list[Unknown] = field(default_factory=list)
    broken: list[Computed] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.done}. {self.file}"]
        if self.computed:
            values = (f"{entry.cell} = {json.dumps(entry.value, ensure_ascii=False)}" for entry in self.computed)
            lines.append("Computed: " + "; ".join(values))
        lines += [f"{format_count(self.recalculated, 'formula value')} renewed"] if self.recalculated else []
        if self.unknown:
            lines.append(f"{format_count(len(self.unknown), 'formula')} without a value:")
            lines += [f"  {entry}" for entry in self.unknown]
        if self.broken:
            lines.append("Now an error: " + "; ".join(f"{entry.cell} = {entry.value}" for entry in self.broken))
        return "\n".join(lines)


@dataclass(frozen=True)
class Exported:
    """A data file that was written: rows and columns (of the first sheet, where it holds all), what to know."""

    file: FileRef
    rows: int
    columns: int
    note: str = ""

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note else ""
        return f"{self.rows} rows x {self.columns} columns written to {self.file}{note}"


@dataclass(frozen=True)
class Changed:
    """A saved change of objects: what was done, and the objects as the saved file then has them."""

    done: str
    file: FileRef
    objects: list[Any] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join([f"{self.done}. {self.file}", *map(str, self.objects)])
