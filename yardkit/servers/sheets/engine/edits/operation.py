"""What `edit` can be asked to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.world import Problem

Name = Literal[
    "write", "clear", "insert_rows", "insert_columns", "delete_rows", "delete_columns", "move", "copy", "transpose",
    "replace", "sort", "filter", "deduplicate", "fill", "split", "convert", "seek_goal", "recalculate",
]  # fmt: skip
How = Literal[
    "all", "values", "formats", "down", "right", "series", "trim", "upper", "lower", "proper", "number",
    "number_comma", "date", "date_dmy", "date_mdy", "text",
]  # fmt: skip
Test = Literal["=", "!=", ">", ">=", "<", "<=", "contains", "matches", "empty", "filled"]


@dataclass(frozen=True)
class Operation:
    """One step; each kind takes only some of the fields."""

    op: Name
    sheet: str | None = None
    range: str | None = None
    to: str | None = None
    to_sheet: str | None = None
    values: list[list[Scalar]] = field(default_factory=list)
    find: str | None = None
    replacement: str = ""
    regex: bool = False
    entire_cell: bool = False
    match_case: bool = False
    in_formulas: bool = False
    by: list[str] = field(default_factory=list)
    test: Test = "="
    value: Scalar = None
    header: bool = True
    how: How | None = None

    def require_fields(self, *names: str) -> list[str]:
        """The text fields `names`.

        Raises:
            Problem: one is missing.
        """
        needed_values = []
        for name in names:
            value = getattr(self, name)
            if not isinstance(value, str) or not value:
                raise Problem(f"the operation {self.op!r} needs {name!r}; give it")
            needed_values.append(value)
        return needed_values
