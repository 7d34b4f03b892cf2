"""The argument types that the tools of the sheets server share, and the result of its writing tools."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import FileRef
from yardkit.servers.sheets.engine import results
from yardkit.servers.sheets.engine.compute.saved_workbook import Saved
from yardkit.servers.sheets.engine.edits.cell_writer import Applied
from yardkit.servers.sheets.engine.notation.references import Cell
from yardkit.servers.sheets.engine.notation.values import BLOCKED, Scalar
from yardkit.world import InFile, OutFile

InBook = Annotated[InFile, Field(description="Workbook.")]
OutBook = Annotated[OutFile, Field(description="Workbook (.xlsx or .xlsm).")]
Sheet = Annotated[str | None, Field(description="Default: the first.")]
Range = Annotated[
    str | None,
    Field(description="A1:C10, B:D, a table or a defined name; without: all used cells."),
]
Rows = Annotated[
    list[list[Scalar]],
    Field(
        description="Rows of values: numbers, true/false, null, text, '=' formulas, ISO dates (2026-03-16, "
        '2026-03-16T09:30:00). A leading apostrophe keeps text as text: "\'=x", "\'2026-03-16".',
        min_length=1,
    ),
]
Dates = Annotated[bool, Field(description="Store ISO dates as dates; false keeps them as text.")]
SheetName = Annotated[str, Field(description="Name of the new sheet, at most 31 characters.")]
OldSheet = Annotated[str, Field(description="Sheet name.")]
Offset = Annotated[int, Field(description="Rows to skip.", ge=0)]
Limit = Annotated[int, Field(description="At most this many rows.", ge=1, le=50_000)]

MAX_COMPUTED = 100
MAX_UNKNOWN = 50


def report_written(path: Path, applied: Applied) -> results.Written:
    """What a write of values did."""
    created_note = f" ({applied.created})" if applied.created else ""
    done = f"Wrote {applied.area.rows} x {applied.area.columns} cells at {applied.sheet}!{applied.area}{created_note}"
    return build_result(path, done, applied.saved, applied)


def build_result(path: Path, done: str, saved: Saved, applied: Applied | None = None) -> results.Written:
    """What a change `done` to the workbook at `path` did."""

    def is_shown(sheet: str, cell: Cell) -> bool:
        return applied is not None and sheet == applied.sheet and cell in applied.area

    computed = [
        results.Computed(f"{sheet}!{cell}", value)
        for (sheet, cell), value in saved.values.items()
        if value == BLOCKED or is_shown(sheet, cell)
    ]
    unknown = [results.Unknown(f"{sheet}!{cell}", reason) for (sheet, cell), reason in saved.unknown.items()]
    broken = [
        results.Computed(f"{sheet}!{cell}", value)
        for sheet, cell in saved.broken
        if (value := saved.values[sheet, cell]) != BLOCKED and not is_shown(sheet, cell)
    ]
    return results.Written(
        done + _of_undated(saved),
        FileRef.from_path(path),
        str(applied.area) if applied else None,
        computed[:MAX_COMPUTED],
        saved.renewed,
        unknown[:MAX_UNKNOWN],
        broken[:MAX_UNKNOWN],
    )


def _of_undated(saved: Saved) -> str:
    """Which numbers are shown as dates, and why."""
    if not saved.undated:
        return ""
    (sheet, cell), value = min(saved.undated.items())
    more = f" ({len(saved.undated)} such cells)" if len(saved.undated) > 1 else ""
    return f"; {sheet}!{cell} kept its date format and shows {value} as a date, 'General' shows the number{more}"
