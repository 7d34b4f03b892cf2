"""Which cells of a row differ from what they were."""

from __future__ import annotations

from yardkit.servers.sheets.engine.notation.formulas import computable
from yardkit.servers.sheets.engine.notation.references import column_number
from yardkit.servers.sheets.engine.notation.values import Scalar, number, plain_text, unescaped
from yardkit.servers.sheets.engine.package.sheet_source import RawCell, cells_of
from yardkit.servers.sheets.engine.package.workbook import Workbook

_PLAIN_FORMULA = b"<f>"


def changed_cells(before: bytes, after: bytes, book: Workbook) -> dict[int, Scalar] | None:
    """The columns whose content changed, with the new values and "=" formulas; None if a cell is not plain.

    Formats and the stored values of formulas do not count.
    """
    old, new = cells_of(before), cells_of(after)
    if old is None or new is None:
        return None
    was = {cell.column: _content(cell) for cell in old}
    now = {cell.column: cell for cell in new}
    found: dict[int, Scalar] = {column_number(gone.decode()): None for gone in was.keys() - now.keys()}
    for column, cell in now.items():
        if was.get(column) != _content(cell):
            if cell.formula and not cell.formula.startswith(_PLAIN_FORMULA):
                return None
            found[column_number(column.decode())] = _value(cell, book)
    return found


def _content(cell: RawCell) -> tuple[bytes, ...] | None:
    if cell.formula:
        return (cell.formula,)
    empty = not cell.value and not cell.inline
    return None if empty and cell.kind not in (b"inlineStr", b"str") else (cell.kind, cell.value, cell.inline)


def _value(cell: RawCell, book: Workbook) -> Scalar:
    if cell.formula:
        return computable(plain_text(cell.formula[3:-4]))
    if cell.kind == b"inlineStr":
        return unescaped(plain_text(cell.inline))
    if cell.kind == b"s":
        index = int(cell.value or b"0")
        return book.strings[index] if index < len(book.strings) else ""
    if cell.kind == b"b":
        return cell.value in (b"1", b"true")
    if cell.kind in (b"", b"n"):
        return number(cell.value.decode()) if cell.value else None
    return unescaped(plain_text(cell.value))
