"""Operations on texts in cells: find and replace, split, convert."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import date

from yardkit.servers.sheets.engine.cells.grid import Content, Grid
from yardkit.servers.sheets.engine.edits.cell_writer import put_cell, release_cells
from yardkit.servers.sheets.engine.edits.operation import Operation
from yardkit.servers.sheets.engine.edits.session import Session
from yardkit.servers.sheets.engine.notation.formulas import as_formula, format_formula
from yardkit.servers.sheets.engine.notation.references import Area, Cell, cell_of, column_number
from yardkit.servers.sheets.engine.notation.text_patterns import compile_pattern, replace_matches
from yardkit.servers.sheets.engine.notation.values import Scalar, is_exact, parse_number
from yardkit.world import Problem

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_SIMPLE_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
_GROUPED = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d*)?")
_DAY_FIRST = re.compile(r"(\d{1,2})[./\- ](\d{1,2})[./\- ](\d{4})")
_CURRENCY = "€$£¥ \u00a0\u202f"
_MAX_NAMED = 10


def replace_text(session: Session, operation: Operation) -> str:
    """Replace text in values, or (in_formulas) in formulas; in a range, a sheet, or without both everywhere."""
    (find,) = operation.require_fields("find")
    search_pattern = compile_pattern(
        find, regex=operation.regex, match_entire=operation.entire_cell, match_case=operation.match_case
    )

    def new(content: Content) -> str | None:
        old = format_formula(content.formula) if content.formula is not None else _format_value(content.value)
        if (content.formula is not None) != operation.in_formulas or not old:
            return None
        text = replace_matches(search_pattern, operation.replacement, old, regex=operation.regex)
        return None if text == old else text

    count = 0
    for grid, area in _list_areas(session, operation):
        changes = {cell: (content, text) for cell, content in grid.contents(area) if (text := new(content)) is not None}
        release_cells(session.book, grid, list(changes))
        for cell, (content, text) in changes.items():
            put_cell(session.book, grid, cell, _retype_text(content, text), dates=False, number_format=None)
            if content.formula is not None:
                session.written.add((grid.info.name, cell))
        session.mark_changed(grid, set(changes))
        count += len(changes)
    return f"replaced {find!r} in {count} cells"


def _list_areas(session: Session, operation: Operation) -> list[tuple[Grid, Area]]:
    if operation.range:
        return [session.find_area(operation.sheet, operation.range)]
    infos = [session.book.sheet(operation.sheet)] if operation.sheet else session.book.sheets
    grids = [session.grid(info.name) for info in infos if info.kind == "worksheet"]
    return [(grid, used) for grid in grids if (used := grid.get_used_area()) is not None]


def _format_value(value: Scalar) -> str:
    return "" if value is None else str(value).upper() if isinstance(value, bool) else str(value)


def _retype_text(content: Content, text: str) -> Scalar:
    """A changed number stays one where it can; a changed formula stays a formula; all else is text."""
    if content.formula is not None:
        return as_formula(text)
    if content.kind == "number" and _SIMPLE_NUMBER.fullmatch(text) and is_exact(text):
        return parse_number(text)
    return "'" + text if text else None


def split_text(session: Session, operation: Operation) -> str:
    """Split the texts of a column at a delimiter; the parts go to the right, from `to` on (without: in place)."""
    (text,) = operation.require_fields("range")
    if not isinstance(operation.value, str) or not operation.value:
        raise Problem("the operation 'split' needs 'value', the delimiter; such as ', '")
    session.settle()
    grid, area = session.find_area(operation.sheet, text)
    if area.columns != 1:
        raise Problem(f"{text!r} has {area.columns} columns; split one at a time")
    left = _parse_column(operation.to) if operation.to else area.left
    rows = {
        cell.row: [part.strip() for part in content.value.split(operation.value)]
        for cell, content in grid.contents(area)
        if isinstance(content.value, str) and content.formula is None
    }
    width = max((len(parts) for parts in rows.values()), default=1)
    target = Area(area.top, left, area.bottom, left + width - 1)
    taken = [cell for cell, content in grid.contents(target) if content.value is not None and cell.column != area.left]
    if taken:
        raise Problem(f"{len(taken)} cells to write to are not empty, such as {taken[0]}; insert columns or give 'to'")
    changed = set()
    for row, parts in rows.items():
        for index in range(max(len(parts), 1)):
            cell = Cell(row, left + index)
            put_cell(session.book, grid, cell, _parse_part(parts[index]), dates=False, number_format=None)
            changed.add(cell)
    session.mark_changed(grid, changed)
    return f"split {len(rows)} cells of {grid.info.name}!{area} into {width} columns"


def _parse_column(text: str) -> int:
    return column_number(text) if re.fullmatch(r"[A-Za-z]{1,3}", text) else cell_of(text.partition(":")[0]).column


def _parse_part(text: str) -> Scalar:
    return None if not text else parse_number(text) if _SIMPLE_NUMBER.fullmatch(text) and is_exact(text) else "'" + text


def convert_text(session: Session, operation: Operation) -> str:
    """Change texts: spaces and case, into numbers (decimal point, or comma: number_comma) or dates, or into text."""
    (text,) = operation.require_fields("range")
    how = operation.how or ""
    if how not in _CONVERSIONS:
        raise Problem(f"{operation.how!r} is not a valid how for convert; use one of {', '.join(_CONVERSIONS)}")
    session.settle()
    grid, area = session.find_area(operation.sheet, text)
    change = _CONVERSIONS[how]
    codes = _date_formats(grid, area) if how.startswith("date") else {}
    failed: list[Cell] = []
    changed: set[Cell] = set()
    for cell, content in list(grid.contents(area)):
        if content.formula is not None or content.value is None:
            continue
        if not isinstance(content.value, str) and how != "text":
            continue
        if content.kind in ("date", "error"):
            continue
        new = change(_format_value(content.value))
        if new is None:
            failed.append(cell)
        elif not isinstance(content.value, str) or new != "'" + content.value:
            code = codes.get(cell.column)
            put_cell(session.book, grid, cell, new, dates=how.startswith("date"), number_format=code)
            changed.add(cell)
    session.mark_changed(grid, changed)
    left = f"; {len(failed)} could not be: {', '.join(map(str, failed[:_MAX_NAMED]))}" if failed else ""
    return f"converted {len(changed)} cells of {grid.info.name}!{area} ({how}){left}"


def _date_formats(grid: Grid, area: Area) -> dict[int, str]:
    """The number format of most dates that a column has."""
    formats_by_column: dict[int, Counter[str]] = {}
    for cell, content in grid.contents(area):
        if content.kind == "date":
            formats_by_column.setdefault(cell.column, Counter())[grid.book.styles.number_format(content.style)] += 1
    return {column: codes.most_common(1)[0][0] for column, codes in formats_by_column.items()}


def _parse_number(text: str) -> Scalar:
    """A number with a decimal point; thousands may be parted by commas, a currency or percent sign may stand by."""
    bare = text.strip(_CURRENCY).strip()
    negative = bare.startswith("(") and bare.endswith(")")
    bare = bare.strip("()")
    percent = bare.endswith("%")
    bare = bare.removesuffix("%").strip(_CURRENCY)
    if _GROUPED.fullmatch(bare):
        bare = bare.replace(",", "")
    if not _NUMBER.fullmatch(bare) or not is_exact(bare):
        return None
    value = parse_number(bare) / 100 if percent else parse_number(bare)
    return -value if negative else value


def _number_comma(text: str) -> Scalar:
    """A number with a decimal comma; thousands may be parted by points, spaces or apostrophes."""
    bare = text.strip(_CURRENCY)
    if not re.fullmatch(r"[-+(]?\d{1,3}([.\u00a0\u202f' ]\d{3})*(,\d*)?%?\)?|[-+(]?\d+(,\d*)?%?\)?", bare):
        return None
    return _parse_number(re.sub(r"[.\u00a0\u202f' ]", "", bare).replace(",", "."))


def _make_date_reader(order: str) -> Callable[[str], Scalar]:
    def read(text: str) -> Scalar:
        match = _DAY_FIRST.fullmatch(text.strip())
        day, month = (1, 2) if order == "dmy" else (2, 1)
        try:
            if match:
                return date(int(match[3]), int(match[month]), int(match[day])).isoformat()
            return date.fromisoformat(text.strip()).isoformat() if order == "iso" else None
        except ValueError:
            return None

    return read


def _parse_iso(text: str) -> Scalar:
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        return None


_CONVERSIONS: dict[str, Callable[[str], Scalar]] = {
    "trim": lambda text: "'" + " ".join(text.replace("\u00a0", " ").split()),
    "upper": lambda text: "'" + text.upper(),
    "lower": lambda text: "'" + text.lower(),
    "proper": lambda text: "'" + text.title(),
    "number": _parse_number,
    "number_comma": _number_comma,
    "date": _parse_iso,
    "date_dmy": _make_date_reader("dmy"),
    "date_mdy": _make_date_reader("mdy"),
    "text": lambda text: "'" + text,
}


def looks_typed(value: Scalar) -> bool:
    """Whether a text is a number or a date that was stored as text."""
    if not isinstance(value, str) or not value.strip():
        return False
    text = value.strip()
    leading_zero = len(text) > 1 and text[0] == "0" and text.isdigit()
    return not leading_zero and any(
        read(text) is not None for read in (_parse_number, _number_comma, _parse_iso, _make_date_reader("dmy"))
    )
