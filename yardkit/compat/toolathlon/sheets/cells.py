"""Values and formulas of cells."""

import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from yardkit.compat.toolathlon.sheets.app import filled_span, format_span
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.arguments import report_written
from yardkit.servers.sheets.engine.cells.ranges import areas_of
from yardkit.servers.sheets.engine.compute.saved_workbook import Saved
from yardkit.servers.sheets.engine.contents.object_list import read_objects
from yardkit.servers.sheets.engine.notation.references import Area, area_of, cell_of
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.servers.sheets.engine.objects.validations import ValidationInfo
from yardkit.servers.sheets.engine.results import CellDetail
from yardkit.world import InFile, OutFile, Problem, current_world, lock_file

PREVIEW_ROWS = 10
MAX_CELLS = 2000
"""Of one answer; each takes some 60 characters."""


@dataclass(frozen=True)
class Rule:
    """What cells accept; a list by its values, other rules by one or two formulas."""

    ranges: str
    validation_type: str
    operator: str = ""
    allowed_values: list[Scalar] | None = None
    formula1: str = ""
    formula2: str = ""
    allow_blank: bool = True
    prompt: str = ""
    error_message: str = ""


@dataclass(frozen=True)
class ReadCell:
    """A cell: dates are ISO 8601 text; a formula stands beside its value."""

    address: str
    value: Scalar
    row: int
    column: int
    formula: str | None = None
    validation: Rule | None = None


@dataclass(frozen=True)
class ReadRange:
    """The filled cells of a range; `next_offset` is set where more rows follow."""

    range: str
    sheet_name: str
    cells: list[ReadCell]
    total_rows: int
    next_offset: int | None = None


@dataclass(frozen=True)
class Rules:
    """What the cells of a sheet accept."""

    sheet_name: str
    validation_rules: list[Rule]


def apply_formula(filepath: InFile, sheet_name: str, cell: str, formula: str) -> str:
    with lock_file(filepath, current_world().locks):
        saved = _put_formula(filepath, sheet_name, cell, formula)
    return f"Applied formula '{_prefix_equals(formula)}' to cell {cell}{_get_value(saved, sheet_name, cell)}"


def validate_formula_syntax(filepath: InFile, sheet_name: str, cell: str, formula: str) -> str:
    with TemporaryDirectory() as folder:
        copy = Path(folder) / filepath.name
        copy.write_bytes(filepath.read_bytes())
        saved = _put_formula(copy, sheet_name, cell, formula)
    return f"Formula '{_prefix_equals(formula)}' is valid{_get_value(saved, sheet_name, cell)}"


def read_data_from_excel(
    filepath: InFile,
    sheet_name: str,
    start_cell: str = "A1",
    end_cell: str | None = None,
    preview_only: bool = False,
    offset: int = 0,
) -> ReadRange:
    area = filled_span(filepath, sheet_name, start_cell, end_cell)
    if area is None:
        return ReadRange(start_cell, sheet_name, [], 0)
    limit = PREVIEW_ROWS if preview_only else max(1, MAX_CELLS // area_of(area).columns)
    page = engine.read_cells(filepath, sheet_name, area, show="details", offset=offset, limit=limit)
    rules = [(areas_of(rule.ranges), rule) for rule in _read_rules(filepath, sheet_name)]
    cells = [_describe_cell(detail, rules) for detail in page.details]
    return ReadRange(page.range, page.sheet, cells, page.total_rows, page.next_offset)


def write_data_to_excel(filepath: OutFile, sheet_name: str, data: list[list[Scalar]], start_cell: str = "A1") -> str:
    now = current_world().now
    rows = [[f"'{value}" if isinstance(value, str) and value[:1] == "'" else value for value in row] for row in data]
    with lock_file(filepath, current_world().locks):
        applied = engine.write_cells(filepath, sheet_name, start_cell, rows, now=now, dates=False)
    write_result = report_written(filepath, applied)
    unknown_note = "".join(f"; no value for {unknown}" for unknown in write_result.unknown)
    return f"Data written to {applied.sheet}!{applied.area}{unknown_note}"


def validate_excel_range(filepath: InFile, sheet_name: str, start_cell: str, end_cell: str | None = None) -> str:
    area = format_span(start_cell, end_cell)
    summary = engine.inspect_workbook(filepath, sheet_name).sheets[0]
    message = f"Sheet contains data in range '{summary.used_range}'" if summary.used_range else "The sheet is empty"
    return f"Range '{area}' is valid. {message}"


def get_data_validation_info(filepath: InFile, sheet_name: str) -> Rules:
    return Rules(sheet_name, _read_rules(filepath, sheet_name))


def _prefix_equals(formula: str) -> str:
    return "=" + formula.strip().removeprefix("=")


def _put_formula(path: Path, sheet: str, cell: str, formula: str) -> Saved:
    step = engine.Operation("write", sheet, str(cell_of(cell)), values=[[_prefix_equals(formula)]])
    return engine.edit_workbook(path, [step], now=current_world().now)[1]


def _get_value(saved: Saved, sheet: str, cell: str) -> str:
    """What a formula that was written comes to."""
    for (name, place), value in saved.values.items():
        if name.casefold() == sheet.casefold() and place == cell_of(cell):
            reason = saved.unknown.get((name, place))
            return f"; it has no value: {reason}" if reason else f"; its value is {json.dumps(value)}"
    return ""


def _read_rules(path: Path, sheet: str) -> list[Rule]:
    return [_build_rule(path, info) for info in read_objects(path, sheet, ["validations"]).validations]


def _build_rule(path: Path, info: ValidationInfo) -> Rule:
    kind = {"text_length": "textLength"}.get(info.allow, info.allow)
    allowed = _list_allowed(path, info) if info.allow == "list" else None
    return Rule(
        info.range, kind, info.operator, allowed, info.formula1, info.formula2, info.blank, info.prompt, info.error
    )


def _list_allowed(path: Path, info: ValidationInfo) -> list[Scalar] | None:
    """The values of a list: those in its text, or in the cells that it names; None where a formula gives them."""
    if info.formula1.startswith('"'):
        return [item.strip() for item in info.formula1.strip('"').replace('""', '"').split(",")]
    try:
        rows = engine.read_all_values(path, info.sheet, info.formula1)
    except Problem:
        return None
    return [value for row in rows for value in row if value is not None]


def _describe_cell(detail: CellDetail, rules: list[tuple[list[Area], Rule]]) -> ReadCell:
    place = area_of(detail.cell)
    rule = next((rule for areas, rule in rules if any(area.meets(place) for area in areas)), None)
    return ReadCell(detail.cell, detail.value, place.top, place.left, detail.formula, rule)
