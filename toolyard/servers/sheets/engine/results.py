"""What the tools return."""

from __future__ import annotations

import json
from dataclasses import dataclass

from toolyard.servers.sheets.engine.values import Scalar
from toolyard.world import FileRef


@dataclass(frozen=True)
class Unknown:
    """A formula without a computed value.

    Attributes:
        cell: such as Sheet1!B3.
        reason: why there is none.
    """

    cell: str
    reason: str

    def __str__(self) -> str:
        return f"{self.cell}: {self.reason}"


@dataclass(frozen=True)
class CellDetail:
    """A cell in full.

    Attributes:
        cell: such as B3.
        value: dates as ISO 8601 text; null when empty or not computed.
        kind: number, text, boolean, date, error or empty.
        formula: as typed, or null.
        number_format: such as 0.00 or yyyy-mm-dd.
    """

    cell: str
    value: Scalar
    kind: str
    formula: str | None
    number_format: str

    def __str__(self) -> str:
        formula = f"  {self.formula}" if self.formula else ""
        return f"{self.cell}: {json.dumps(self.value, ensure_ascii=False)} ({self.kind}, {self.number_format}){formula}"


@dataclass(frozen=True)
class SheetCells:
    """Cells of a range.

    Attributes:
        sheet: its name.
        range: the range that `rows` cover, such as A1:C10.
        rows: values (or formulas where asked), row by row; null for empty cells; dates as ISO 8601 text.
        details: every non-empty cell in full, where asked; then `rows` is empty.
        total_rows: rows in the asked range.
        next_offset: row offset of the next page; null at the end.
        uncomputed: formulas whose value the file does not hold (shown as null); recalculate_workbook computes them.
    """

    sheet: str
    range: str
    rows: list[list[Scalar]]
    details: list[CellDetail]
    total_rows: int
    next_offset: int | None
    uncomputed: list[str]

    def __str__(self) -> str:
        top = int("".join(filter(str.isdigit, self.range.split(":", maxsplit=1)[0])) or 1)
        lines = [f"{self.sheet}!{self.range}"]
        lines += [f"{top + index}: {json.dumps(row, ensure_ascii=False)}" for index, row in enumerate(self.rows)]
        lines += [str(detail) for detail in self.details]
        if self.uncomputed:
            shown = ", ".join(self.uncomputed[:20])
            lines.append(
                f"{len(self.uncomputed)} formula(s) have no stored value (null): {shown}; recalculate_workbook"
            )
        if self.next_offset is not None:
            lines.append(f"{self.total_rows} rows in all; go on with offset={self.next_offset}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Records:
    """Rows of a table with a header.

    Attributes:
        sheet: its name.
        columns: names from the header row; empty or repeated ones get a number.
        records: one object per row, keyed by column.
        total: records in all.
        next_offset: offset of the next page; null at the end.
    """

    sheet: str
    columns: list[str]
    records: list[dict[str, Scalar]]
    total: int
    next_offset: int | None

    def __str__(self) -> str:
        lines = [f"{self.sheet}: {self.total} records; columns {', '.join(self.columns)}"]
        lines += [json.dumps(list(record.values()), ensure_ascii=False) for record in self.records]
        if self.next_offset is not None:
            lines.append(f"More: go on with offset={self.next_offset}")
        return "\n".join(lines)


@dataclass(frozen=True)
class TableSummary:
    """A table (list object).

    Attributes:
        name: as formulas name it.
        range: with header.
        columns: their names.
    """

    name: str
    range: str
    columns: list[str]


@dataclass(frozen=True)
class SheetSummary:
    """A sheet.

    Attributes:
        name: its name.
        kind: worksheet or chartsheet.
        state: visible, hidden or veryHidden.
        used_range: all cells that hold something; null when empty.
        header: values of the first used row (at most 50).
        formulas: number of formulas.
        uncomputed: formulas without a stored value.
        errors: cells with error values (at most 20), such as "B3 #DIV/0!".
        merged: merged ranges (at most 50).
        tables: tables on it.
        charts: titles (or kinds) of its charts.
        images: number of pictures.
        comments: number of notes and comments.
        conditional_formats: number of ranges.
        data_validations: number of rules.
        hidden_rows: number of hidden rows.
        hidden_columns: number of hidden columns.
        frozen_at: first cell that scrolls, when panes are frozen.
        protected: whether the sheet is protected.
    """

    name: str
    kind: str
    state: str
    used_range: str | None
    header: list[Scalar]
    formulas: int
    uncomputed: int
    errors: list[str]
    merged: list[str]
    tables: list[TableSummary]
    charts: list[str]
    images: int
    comments: int
    conditional_formats: int
    data_validations: int
    hidden_rows: int
    hidden_columns: int
    frozen_at: str | None
    protected: bool

    def __str__(self) -> str:
        facts = [f"{self.name!r} ({self.kind}{'' if self.state == 'visible' else ', ' + self.state})"]
        facts.append(f"used {self.used_range}" if self.used_range else "empty")
        for name in ("formulas", "uncomputed", "images", "comments", "conditional_formats", "data_validations"):
            facts += [f"{getattr(self, name)} {name.replace('_', ' ')}"] if getattr(self, name) else []
        facts += [f"{self.hidden_rows} hidden rows"] if self.hidden_rows else []
        facts += [f"{self.hidden_columns} hidden columns"] if self.hidden_columns else []
        facts += [f"frozen at {self.frozen_at}"] if self.frozen_at else []
        facts += ["protected"] if self.protected else []
        lines = ["; ".join(facts)]
        lines += [f"  first row: {json.dumps(self.header, ensure_ascii=False)}"] if self.header else []
        lines += [f"  table {table.name} {table.range}: {', '.join(table.columns)}" for table in self.tables]
        lines += [f"  charts: {'; '.join(self.charts)}"] if self.charts else []
        lines += [f"  merged: {', '.join(self.merged)}"] if self.merged else []
        lines += [f"  errors: {', '.join(self.errors)}"] if self.errors else []
        return "\n".join(lines)


@dataclass(frozen=True)
class NameSummary:
    """A defined name.

    Attributes:
        name: the name.
        refers_to: its formula.
        scope: the sheet it belongs to; empty for the workbook.
    """

    name: str
    refers_to: str
    scope: str


@dataclass(frozen=True)
class WorkbookSummary:
    """What a workbook holds.

    Attributes:
        path: file name.
        sheets: in their order.
        names: defined names.
        macros: whether it has VBA code (kept, never run).
        pivot_tables: number of pivot tables (kept as they are).
        external_links: number of links to other workbooks.
        date_system: 1900 or 1904.
    """

    path: str
    sheets: list[SheetSummary]
    names: list[NameSummary]
    macros: bool
    pivot_tables: int
    external_links: int
    date_system: int

    def __str__(self) -> str:
        lines = [f"{self.path}: {len(self.sheets)} sheet(s)", *map(str, self.sheets)]
        for name in self.names:
            scope = f" (only in {name.scope!r})" if name.scope else ""
            lines.append(f"name {name.name} = {name.refers_to}{scope}")
        lines += ["has macros (VBA)"] if self.macros else []
        lines += [f"{self.pivot_tables} pivot table(s)"] if self.pivot_tables else []
        lines += [f"{self.external_links} link(s) to other workbooks"] if self.external_links else []
        lines += ["dates count from 1904"] if self.date_system == 1904 else []
        return "\n".join(lines)


@dataclass(frozen=True)
class Computed:
    """The value of a formula after a change.

    Attributes:
        cell: such as Sheet1!B3.
        value: computed and stored; null when unknown.
    """

    cell: str
    value: Scalar


@dataclass(frozen=True)
class Written:
    """A change that was saved.

    Attributes:
        done: what was changed.
        file: the workbook.
        range: the cells that were written; null when none were.
        computed: values of the formulas that were written (at most 100).
        recalculated: formulas anywhere whose stored value was renewed.
        unknown: formulas without a value (at most 50), with the reason; the file says that they are to be computed.
    """

    done: str
    file: FileRef
    range: str | None
    computed: list[Computed]
    recalculated: int
    unknown: list[Unknown]

    def __str__(self) -> str:
        lines = [f"{self.done}. {self.file}"]
        if self.computed:
            values = (f"{entry.cell} = {json.dumps(entry.value, ensure_ascii=False)}" for entry in self.computed)
            lines.append("Computed: " + "; ".join(values))
        lines += [f"{self.recalculated} formula value(s) renewed"] if self.recalculated else []
        if self.unknown:
            lines.append(f"{len(self.unknown)} formula(s) without a value:")
            lines += [f"  {entry}" for entry in self.unknown]
        return "\n".join(lines)


@dataclass(frozen=True)
class Exported:
    """A sheet written as CSV.

    Attributes:
        file: the CSV file.
        rows: rows written.
        columns: columns written.
    """

    file: FileRef
    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows} rows x {self.columns} columns written to {self.file}"
