"""Which cells of a row differ from what they were."""

from __future__ import annotations

from yardkit.servers.sheets.engine.notation.formulas import to_computable
from yardkit.servers.sheets.engine.notation.references import column_number
from yardkit.servers.sheets.engine.notation.values import Scalar, decode_text, parse_number, unescape_text
from yardkit.servers.sheets.engine.package.sheet_source import RawCell, cells_of
from yardkit.servers.sheets.engine.package.workbook import Workbook

_BARE_FORMULA = b"<f>"


def changed_cells(before: bytes, after: bytes, book: Workbook) -> dict[int, Scalar] | None:
    """The columns whose content changed, with the new values and "=" formulas; None if a cell is not plain.

    Formats and the stored values of formulas do not count.
    """
    old, new = cells_of(before), cells_of(after)
    if old is None or new is None:
        return None
    was = {cell.column: _get_content(cell) for cell in old}
    now = {cell.column: cell for cell in new}
    changed_values: dict[int, Scalar] = {column_number(gone.decode()): None for gone in was.keys() - now.keys()}
    for column, cell in now.items():
        if was.get(column) != _get_content(cell):
            if cell.formula and not cell.formula.startswith(_BARE_FORMULA):
                return None
            changed_values[column_number(column.decode())] = _get_value(cell, book)
    return changed_values


def _get_content(cell: RawCell) -> tuple[bytes, ...] | None:
    if cell.formula:
        return (cell.formula,)
    empty = not cell.value and not cell.inline
    return None if empty and cell.kind not in (b"inlineStr", b"str") else (cell.kind, cell.value, cell.inline)


def _get_value(cell: RawCell, book: Workbook) -> Scalar:
    if cell.formula:
        return to_computable(decode_text(cell.formula[3:-4]))
    if cell.kind == b"inlineStr":
        return unescape_text(decode_text(cell.inline))
    if cell.kind == b"s":
        index = int(cell.value or b"0")
        return book.strings[index] if index < len(book.strings) else ""
    if cell.kind == b"b":
        return cell.value in (b"1", b"true")
    if cell.kind in (b"", b"n"):
        return parse_number(cell.value.decode()) if cell.value else None
    return unescape_text(decode_text(cell.value))
