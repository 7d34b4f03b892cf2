"""The cells of one sheet part: read with types, written in place, nothing else of the part touched."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, NamedTuple

from yardkit.kit.ooxml.xml import serialize_part
from yardkit.servers.sheets.engine.cells.cell_elements import store_value
from yardkit.servers.sheets.engine.notation.formulas import move_formula
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of, column_number
from yardkit.servers.sheets.engine.notation.rewritten_formulas import bracket_columns
from yardkit.servers.sheets.engine.notation.values import (
    BLOCKED,
    DATE_FORMAT,
    DATETIME_FORMAT,
    TIME_FORMAT,
    Scalar,
    Stored,
    decode_text,
    from_serial,
    parse_number,
    to_serial,
    unescape_text,
)
from yardkit.servers.sheets.engine.package.sheet_source import cells_of, filled_ends, parsed_row, raw_cells, row_bytes
from yardkit.servers.sheets.engine.package.styles import Change
from yardkit.servers.sheets.engine.package.workbook import SheetInfo, Workbook, text_of
from yardkit.servers.sheets.engine.package.xml import ensure_child, parse_part, qualify_tag
from yardkit.world import Problem

ORDER = (
    "sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetCalcPr", "sheetProtection",
    "protectedRanges", "scenarios", "autoFilter", "sortState", "dataConsolidate", "customSheetViews", "mergeCells",
    "phoneticPr", "conditionalFormatting", "dataValidations", "hyperlinks", "printOptions", "pageMargins", "pageSetup",
    "headerFooter", "rowBreaks", "colBreaks", "customProperties", "cellWatches", "ignoredErrors", "smartTags",
    "drawing", "legacyDrawing", "legacyDrawingHF", "picture", "oleObjects", "controls", "webPublishItems",
    "tableParts", "extLst",
)  # fmt: skip
_C, _V, _F, _IS = qualify_tag("c"), qualify_tag("v"), qualify_tag("f"), qualify_tag("is")
_DIGITS = "0123456789"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


class Content(NamedTuple):
    """A cell: `value` (dates as ISO text), `kind` (number, text, boolean, date, error, empty), the stored formula,
    the index of its style, and whether a formula's value is missing from the file.
    """

    value: Scalar
    kind: str
    formula: str | None
    style: int
    uncomputed: bool = False


@dataclass(frozen=True)
class FormulaCell:
    """A formula in its stored form; `area` is what an array formula fills, `blocked` whether it found no room to."""

    text: str
    area: Area | None = None
    dynamic: bool = False
    has_value: bool = True
    blocked: bool = False


class Grid:
    """The cells of one worksheet: rows are parsed when they are asked for, and only those that change are replaced.

    `root` is the part without its rows; `changed` says whether something may have to be written.
    """

    def __init__(self, book: Workbook, info: SheetInfo) -> None:
        self.book = book
        self.info = info
        self.source = book.get_source(info.part)
        self.root = parse_part(self.source.skeleton, info.part)
        self.changed = False
        self.after = self.source
        ensure_child(self.root, "sheetData", ORDER)
        self._skeleton = serialize_part(self.root)
        self._open: dict[int, tuple[Any, bytes]] = {}
        self._fresh: dict[int, bytes] = {}
        self._columns: dict[int, list[int]] = {}
        self._masters: dict[str, tuple[Cell, str]] | None = None
        self._numbers = self.source.numbers

    def replace(self, data: bytes) -> None:
        """Take `data` as the whole part from now on."""
        self.book.package.put(self.info.part, data)
        Grid.__init__(self, self.book, self.info)

    def row(self, number_: int) -> Any | None:
        """The element of a row, if there is one."""
        if number_ not in self._open:
            data = self._fresh.pop(number_, None) or self.source.row(number_)
            if data is None:
                return None
            root = parsed_row(self.source.wrapper, data, self.info.part)
            self._open[number_] = (root, row_bytes(root))
        return self._open[number_][0][0]

    def has_row(self, number_: int) -> bool:
        """Whether the sheet has a row."""
        if number_ in self._open or number_ in self._fresh:
            return True
        index = bisect_left(self.source.numbers, number_)
        return index < len(self.source.numbers) and self.source.numbers[index] == number_

    def row_now(self, number_: int) -> bytes:
        """The bytes of a row as it is now; empty where there is none."""
        if number_ in self._open:
            return row_bytes(self._open[number_][0])
        return self._fresh.get(number_) or self.source.row(number_) or b""

    def rows_now(self) -> Iterator[tuple[int, bytes]]:
        """All rows as they are now."""
        for number_ in list(self._numbers):
            yield number_, self.row_now(number_)

    def take_rows(self, rows: list[tuple[int, bytes]]) -> None:
        """Take other rows in the place of all that there are."""
        skeleton = serialize_part(self.root)
        head, _, tail = skeleton.partition(b"<sheetData/>")
        self.replace(b"".join([head, b"<sheetData>", *(row for _, row in rows), b"</sheetData>", tail]))

    def changed_rows(self) -> dict[int, bytes]:
        """The rows that differ from the part, with their bytes."""
        rows_by_number = dict(self._fresh)
        for number_, (root, before) in self._open.items():
            now = row_bytes(root)
            if now != before or self.source.row(number_) is None:
                rows_by_number[number_] = now
        return rows_by_number

    # Reading --------------------------------------------------------------------------------------------------------

    def iter_elements(self, area: Area | None = None) -> Iterator[tuple[Cell, Any]]:
        """The cells that the part has (in `area`), in row order."""
        for number_ in list(self._numbers if area is None else self._numbers_in(area)):
            row = self.row(number_)
            for element in row.iterchildren(_C) if row is not None else ():
                column = column_number(element.get("r").rstrip(_DIGITS))
                if area is None or area.left <= column <= area.right:
                    yield Cell(number_, column), element

    def _numbers_in(self, area: Area) -> list[int]:
        return self._numbers[bisect_left(self._numbers, area.top) : bisect_left(self._numbers, area.bottom + 1)]

    def get_used_area(self) -> Area | None:
        """The smallest area with all cells that hold something."""
        if not self._open and not self._fresh:
            return self.source.used
        area: Area | None = None
        for number_ in self._numbers:
            ends = filled_ends(self.row_now(number_))
            if ends:
                here = Area(number_, ends[0], number_, ends[1])
                area = here if area is None else area.join(here)
        return area

    def contents(self, area: Area) -> Iterator[tuple[Cell, Content]]:
        """The cells in `area` that the part has, with what they hold; rows of common cells are not parsed."""
        for number_ in list(self._numbers_in(area)):
            cells = None if number_ in self._open else raw_cells(self.row_now(number_))
            if cells is None or any(cell[4][2:3] == b" " for cell in cells):
                row = Area(number_, area.left, number_, area.right)
                yield from ((cell, self.content(cell, element)) for cell, element in self.iter_elements(row))
                continue
            for raw in cells:
                column = column_number(raw[0].decode())
                if area.left <= column <= area.right:
                    yield Cell(number_, column), self._raw_content(Cell(number_, column), raw)

    def _raw_content(self, cell: Cell, raw: tuple[bytes, ...]) -> Content:
        style = int(raw[2] or 0)
        formula = decode_text(raw[4][3:-4]) if raw[4] else None
        try:
            value, kind = self.to_typed(raw, style)
        except ValueError as error:
            raise Problem(f"the cell {cell} of the sheet {self.info.name!r} is damaged ({error})") from error
        return Content(value, kind, formula, style, formula is not None and kind == "empty")

    def to_typed(self, raw: tuple[bytes, ...], style: int) -> tuple[Scalar, str]:
        """The value and kind of a cell as it stands in the part."""
        kind, text = raw[3], raw[5]
        if kind == b"inlineStr":
            return unescape_text(decode_text(raw[6])), "text"
        if text == b"" and kind != b"str":
            return None, "empty"
        if kind == b"str" and text == b"" and not raw[4]:
            return None, "empty"
        return self._convert_typed(kind.decode() or "n", decode_text(text), style)

    def content(self, cell: Cell, element: Any) -> Content:
        style = int(element.get("s", "0"))
        formula_element = element.find(_F)
        formula = None if formula_element is None else self.formula_text(cell, formula_element)
        try:
            value, kind = self._read_value(element, style)
        except ValueError as error:
            raise Problem(f"the cell {cell} of the sheet {self.info.name!r} is damaged ({error})") from error
        return Content(value, kind, formula, style, formula is not None and kind == "empty")

    def _read_value(self, element: Any, style: int) -> tuple[Scalar, str]:
        kind = element.get("t", "n")
        if kind == "inlineStr":
            item = element.find(_IS)
            return ("", "text") if item is None else (text_of(item), "text")
        text = element.findtext(_V)
        if text is None or (text == "" and kind != "str"):
            return None, "empty"
        return self._convert_typed(kind, text, style)

    def _convert_typed(self, kind: str, text: str, style: int) -> tuple[Scalar, str]:
        if kind == "s":
            index = int(text)
            return (self.book.strings[index] if index < len(self.book.strings) else ""), "text"
        if kind == "n":
            return self._convert_number(float(text), parse_number(text), style)
        simple: dict[str, tuple[Scalar, str]] = {
            "str": (unescape_text(text), "text"),
            "b": (text in ("1", "true"), "boolean"),
            "e": (text, "error"),
            "d": (text, "date"),
        }
        return simple.get(kind, (text, "text"))

    def _convert_number(self, exact: float, rounded: int | float, style: int) -> tuple[Scalar, str]:
        if not self.book.styles.is_date(style):
            return rounded, "number"
        code = self.book.styles.number_format(style)
        value = from_serial(exact, code, date1904=self.book.date1904)
        return value, "date" if isinstance(value, str) else "number"

    def formula_text(self, cell: Cell, element: Any) -> str:
        """The stored formula of a cell; one that shares another's is written out."""
        if element.get("t") == "shared" and not element.text:
            master, text = self._shared_masters().get(element.get("si", ""), (cell, ""))
            return move_formula(text, str(master), str(cell)) if text else ""
        return element.text or ""

    def _shared_masters(self) -> dict[str, tuple[Cell, str]]:
        if self._masters is None:
            self._masters = {}
            for number_ in self.rows_with_formulas():
                for cell, formula in self._formula_elements(number_):
                    if formula.get("t") == "shared" and formula.text:
                        self._masters[formula.get("si", "")] = (cell, formula.text)
        return self._masters

    def rows_with_formulas(self) -> list[int]:
        """Numbers of the rows that may hold formulas."""
        written = {number_ for number_ in {*self._open, *self._fresh} if b"<f" in self.row_now(number_)}
        return sorted({*self.source.formula_rows(), *written})

    def _formula_elements(self, number_: int) -> Iterator[tuple[Cell, Any]]:
        row = self.row(number_)
        for element in row.iterchildren(_C) if row is not None else ():
            formula = element.find(_F)
            if formula is not None:
                yield Cell(number_, column_number(element.get("r").rstrip(_DIGITS))), formula

    def has_arrays(self) -> bool:
        """Whether there may be array formulas."""
        return self.source.has_arrays or any(
            b't="array"' in self.row_now(index) for index in (*self._open, *self._fresh)
        )

    def formula_elements(self) -> Iterator[tuple[Cell, Any]]:
        """The elements of all formulas."""
        for number_ in self.rows_with_formulas():
            yield from self._formula_elements(number_)

    def map_formulas(self) -> dict[Cell, FormulaCell]:
        """All formulas of the sheet."""
        return {cell: formula for row in self.formula_rows().values() for cell, formula in row.items()}

    def formula_rows(self) -> dict[int, dict[Cell, FormulaCell]]:
        """The formulas of the sheet by row."""
        source = self.source
        simple_formulas = source.map_simple_formulas()
        cells_by_row: dict[int, dict[Cell, FormulaCell]] = {}
        for number_ in self.rows_with_formulas():
            common = simple_formulas.get(number_, [])
            if number_ not in self._open and number_ not in self._fresh and source.formulas_in(number_) == len(common):
                row = {
                    Cell(number_, column): FormulaCell(bracket_columns(text), has_value=has)
                    for column, text, has in common
                }
            else:
                row = self.formulas_of(number_)
            if row:
                cells_by_row[number_] = row
        return cells_by_row

    def formulas_of(self, number_: int) -> dict[Cell, FormulaCell]:
        """The formulas of one row, found in its bytes where they are of the common kind."""
        cells = cells_of(self.row_now(number_))
        if cells is None or any(cell.formula[2:3] == b" " for cell in cells):
            return {cell: self._formula_cell(cell, formula) for cell, formula in self._formula_elements(number_)}
        return {
            Cell(number_, column_number(cell.column.decode())): FormulaCell(
                bracket_columns(decode_text(cell.formula[3:-4])), has_value=bool(cell.value) or cell.kind == b"str"
            )
            for cell in cells
            if cell.formula
        }

    def _formula_cell(self, cell: Cell, formula: Any) -> FormulaCell:
        element = formula.getparent()
        array = formula.get("t") == "array"
        area = area_of(formula.get("ref") or str(cell)) if array else None
        value = element.findtext(_V)
        has_value = bool(value) or element.get("t") == "str"
        text = bracket_columns(self.formula_text(cell, formula))
        return FormulaCell(text, area, array and element.get("cm") is not None, has_value, value == BLOCKED)

    def list_merged(self) -> list[Area]:
        return [
            area_of(entry.get("ref", "A1"))
            for entry in self.root.iterfind(f"{qualify_tag('mergeCells')}/{qualify_tag('mergeCell')}")
        ]

    # Writing --------------------------------------------------------------------------------------------------------

    def find(self, cell: Cell) -> Any | None:
        """The element of `cell`, if the part has one."""
        row = self.row(cell.row)
        if row is None:
            return None
        columns = self._columns_of(cell.row, row)
        index = bisect_left(columns, cell.column)
        return row[index] if index < len(columns) and columns[index] == cell.column else None

    def ensure(self, cell: Cell) -> Any:
        """The element of `cell`, made in its place with the style of its row or column where there is none."""
        from lxml import etree

        self.changed = True
        cell_element = self.find(cell)
        if cell_element is not None:
            return cell_element
        row = self.ensure_row(cell.row)
        columns = self._columns_of(cell.row, row)
        element = etree.Element(_C, r=str(cell))
        style = self.inherited_style(cell)
        if style:
            element.set("s", style)
        row.insert(bisect_left(columns, cell.column), element)
        insort(columns, cell.column)
        row.attrib.pop("spans", None)
        return element

    def ensure_row(self, number_: int) -> Any:
        """The element of a row, made where there is none."""
        row = self.row(number_)
        if row is None:
            self.put_row(number_, b'<row r="%d"/>' % number_)
            row = self.row(number_)
        self.changed = True
        return row

    def put_row(self, number_: int, data: bytes) -> None:
        """Take `data` as the bytes of a row from now on."""
        self.changed = True
        if not self.has_row(number_):
            if self._numbers is self.source.numbers:
                self._numbers = list(self._numbers)
            insort(self._numbers, number_)
        self._open.pop(number_, None)
        self._columns.pop(number_, None)
        self._fresh[number_] = data

    def _columns_of(self, number_: int, row: Any) -> list[int]:
        """Columns of the cells of a row."""
        if number_ not in self._columns:
            cells = row.iterchildren(_C)
            self._columns[number_] = [column_number(cell.get("r").rstrip(_DIGITS)) for cell in cells]
        return self._columns[number_]

    def inherited_style(self, cell: Cell) -> str | None:
        """The style that an empty cell has from its row or column."""
        row = self.row(cell.row)
        if row is not None and row.get("customFormat") in ("1", "true"):
            return str(row.get("s", "0"))
        for entry in self.root.iterfind(f"{qualify_tag('cols')}/{qualify_tag('col')}"):
            if int(entry.get("min", "0")) <= cell.column <= int(entry.get("max", "0")):
                return str(entry.get("style", "")) or None
        return None

    def clear(self, element: Any) -> None:
        """Empty a cell; its style stays."""
        self.changed = True
        for name in ("t", "cm", "vm"):
            element.attrib.pop(name, None)
        for part in list(element):
            element.remove(part)

    def set_value(self, cell: Cell, value: Stored) -> None:
        """Put a value into a cell. A date gets a date format unless the cell shows dates already."""
        if value is None:
            element = self.find(cell)
            if element is not None and len(element):
                self.clear(element)
            return
        element = self.ensure(cell)
        self.clear(element)
        if isinstance(value, date | time):
            self._as_date(element, value)
        else:
            store_value(element, value)

    def _as_date(self, element: Any, value: date | time) -> None:
        style = int(element.get("s", "0"))
        if not self.book.styles.is_date(style):
            code = DATE_FORMAT
            if isinstance(value, time | datetime):
                code = TIME_FORMAT if isinstance(value, time) else DATETIME_FORMAT
            element.set("s", str(self.book.styles.derive_style(style, Change(number_format=code))))
        store_value(element, to_serial(value, date1904=self.book.date1904))

    def set_formula(self, cell: Cell, formula: str, area: Area | None = None, metadata: str | None = None) -> None:
        """Put a formula in stored form into a cell, without a value; with `area` as an array formula."""
        from lxml import etree

        element = self.ensure(cell)
        self.clear(element)
        formula_element = etree.SubElement(element, _F)
        formula_element.text = formula
        etree.SubElement(element, _V).text = "0"  # the engine complains of formulas without; saving replaces it
        if area is not None:
            formula_element.set("t", "array")
            formula_element.set("ref", str(area))
        if metadata is not None:
            element.set("cm", metadata)

    def set_result(self, cell: Cell, value: Scalar, *, error: bool = False) -> None:
        """Store the computed value of a formula beside it; None means that none is known."""
        element = self.ensure(cell)
        for old in [*element.findall(_V), *element.findall(_IS)]:
            element.remove(old)
        element.attrib.pop("t", None)
        if value is None:
            return
        store_value(element, value, error=error, computed=True)

    def share_no_more(self, si: str) -> None:
        """Write out each formula of a shared group, so that its members can change alone."""
        self._shared_masters()  # while the first of the group still says what is shared
        for number_ in self.rows_with_formulas():
            for cell, formula in self._formula_elements(number_):
                if formula.get("t") == "shared" and si in ("", formula.get("si")):
                    text = self.formula_text(cell, formula)
                    formula.attrib.clear()
                    formula.text = text
                    self.changed = True

    def update_dimension(self, rows: dict[int, bytes]) -> None:
        """State the used area in the part, where it states one and the changed `rows` reach beyond it."""
        entry = self.root.find(qualify_tag("dimension"))
        if entry is None:
            return
        try:
            area = stated = area_of(entry.get("ref", "A1"))
        except Problem:
            return
        if str(stated) == "A1" and (used := self.get_used_area()) is not None:
            area = used
        for number_, data in rows.items():
            ends = filled_ends(data)
            if ends:
                area = area.join(Area(number_, ends[0], number_, ends[1]))
        if area != stated:
            entry.set("ref", str(area))

    def save(self) -> dict[int, bytes]:
        """Hand the part to the package, if it was changed; the rows that were."""
        if not self.changed:
            return {}
        rows = self.changed_rows()
        self.update_dimension(rows)
        skeleton = serialize_part(self.root)
        if not rows and skeleton == self._skeleton:
            if self.after is not self.source:  # handed over with other values before, and now as in the file again
                self.after = self.source
                self.book.package.put(self.info.part, self.source.data)
            return {}
        head, tail = self.source.head, self.source.tail
        if skeleton != self._skeleton or head is self.source.data:
            head, _, tail = skeleton.partition(b"<sheetData/>")
        self.after = self.source.splice(rows, head, tail)
        self.book.package.put(self.info.part, self.after.data)
        return rows
