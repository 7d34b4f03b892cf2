"""What a pivot table is, as tools take and give it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Function = Literal["sum", "count", "average", "min", "max"]


@dataclass(frozen=True)
class PivotValue:
    """A field, and its heading."""

    field: str
    function: Function = "sum"
    name: str = ""
    number_format: str = ""


@dataclass(frozen=True)
class PivotSpec:
    """The fields of a pivot table. `filters` maps fields of its filter area to the items that count (none: all)."""

    name: str
    rows: list[str]
    columns: list[str]
    values: list[PivotValue]
    filters: dict[str, list[str]]


@dataclass(frozen=True)
class PivotInfo:
    """A pivot table as the file has it."""

    name: str
    sheet: str
    range: str
    source: str
    rows: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    values: list[PivotValue] = field(default_factory=list)
    filters: dict[str, list[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        values = ", ".join(f"{value.function} of {value.field}" for value in self.values)
        across = f" by columns {', '.join(self.columns)}" if self.columns else ""
        down = f" by rows {', '.join(self.rows)}" if self.rows else ""
        filter_text = f", filters {', '.join(self.filters)}" if self.filters else ""
        return (
            f"pivot table {self.name!r} at {self.sheet}!{self.range} of {self.source}:"
            f" {values}{down}{across}{filter_text}"
        )
