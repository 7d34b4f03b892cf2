"""The cells of one sheet part: read with types, written in place, nothing else of the part touched."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, NamedTuple

from toolyard.servers.ooxml.xml import serialized
from toolyard.servers.sheets.engine.formulas import moved
from toolyard.servers.sheets.engine.refs import (
    MAX_COLUMN,
    MAX_ROW,
    Area,
    Cell,
    area_of,
    cell_of,
    column_name,
    column_number,
)
from toolyard.servers.sheets.engine.styles import Change
from toolyard.servers.sheets.engine.values import (
    DATE_FORMAT,
    DATETIME_FORMAT,
    TIME_FORMAT,
    Scalar,
    Stored,
    escaped,
    from_serial,
    number,
    number_text,
    to_serial,
    unescaped,
)
from toolyard.servers.sheets.engine.workbook import SheetInfo, Workbook, text_of
from toolyard.servers.sheets.engine.xml import child, parse, tag
from toolyard.world import Problem

ORDER = (
    "sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetCalcPr", "sheetProtection",
    "protectedRanges", "scenarios", "autoFilter", "sortState", "dataConsolidate", "customSheetViews", "mergeCells",
    "phoneticPr", "conditionalFormatting", "dataValidations", "hyperlinks", "printOptions", "pageMargins", "pageSetup",
    "headerFooter", "rowBreaks", "colBreaks", "customProperties", "cellWatches", "ignoredErrors", "smartTags",
    "drawing", "legacyDrawing", "legacyDrawingHF", "picture", "oleObjects", "controls", "webPublishItems",
    "tableParts", "extLst",
)  # fmt: skip
_ROW, _C, _V, _F, _IS = tag("row"), tag("c"), tag("v"), tag("f"), tag("is")
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
    """A formula in its stored form; `area` is what an array formula fills."""

    text: str
    area: Area | None
    dynamic: bool
    has_value: bool


class Grid:
    """The part of one worksheet. `changed` says whether it must be written."""

    def __init__(self, book: Workbook, info: SheetInfo) -> None:
        self.book = book
        self.info = info
        self.root = parse(book.package.read(info.part), info.part)
        self.changed = False
        self._data = child(self.root, "sheetData", ORDER)
        self._rows: dict[int, Any] = {}
        self._numbers: list[int] = []
        self._columns: dict[int, list[int]] = {}
        self._masters: dict[str, tuple[Cell, str]] | None = None
        self._index_rows()

    def _index_rows(self) -> None:
        last = 0
        for row in self._data.iterchildren(_ROW):
            last = self._row_number(row.get("r")) if row.get("r") else last + 1
            self._rows[last] = row
        self._numbers = sorted(self._rows)

    def _row_number(self, text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= MAX_ROW:
            raise Problem(f"the sheet {self.info.name!r} is damaged: it has a row {text!r}")
        return int(text)

    # Reading --------------------------------------------------------------------------------------------------------

    def elements(self, area: Area | None = None) -> Iterator[tuple[Cell, Any]]:
        """The cells that the part has (in `area`), in row order."""
        for number_ in self._numbers if area is None else self._numbers_in(area):
            column = 0
            for element in self._rows[number_].iterchildren(_C):
                reference = element.get("r")
                column = column_number(reference.rstrip(_DIGITS)) if reference else column + 1
                if area is None or area.left <= column <= area.right:
                    yield Cell(number_, column), element

    def _numbers_in(self, area: Area) -> list[int]:
        return self._numbers[bisect_left(self._numbers, area.top) : bisect_left(self._numbers, area.bottom + 1)]

    def used(self) -> Area | None:
        """The smallest area with all cells that hold something."""
        area: Area | None = None
        for number_ in self._numbers:
            ends = self._filled_ends(number_)
            if ends:
                here = Area(number_, ends[0], number_, ends[1])
                area = here if area is None else area.joined(here)
        return area

    def _filled_ends(self, number_: int) -> tuple[int, int] | None:
        """The first and last column of a row that hold something; cells stand in order, so the ends suffice."""
        row = self._rows[number_]
        first = next((element for element in row.iterchildren(_C) if len(element)), None)
        if first is None:
            return None
        last = next(element for element in row.iterchildren(_C, reversed=True) if len(element))
        if not (first.get("r") and last.get("r")):
            row_ = Area(number_, 1, number_, MAX_COLUMN)
            columns = [cell.column for cell, element in self.elements(row_) if len(element)]
            return columns[0], columns[-1]
        return column_number(first.get("r").rstrip(_DIGITS)), column_number(last.get("r").rstrip(_DIGITS))

    def content(self, cell: Cell, element: Any) -> Content:
        style = int(element.get("s", "0"))
        formula_element = element.find(_F)
        formula = None if formula_element is None else self.formula_text(cell, formula_element)
        try:
            value, kind = self._value(element, style)
        except ValueError as error:
            raise Problem(f"the cell {cell} of the sheet {self.info.name!r} is damaged ({error})") from error
        return Content(value, kind, formula, style, formula is not None and kind == "empty")

    def _value(self, element: Any, style: int) -> tuple[Scalar, str]:
        kind = element.get("t", "n")
        if kind == "inlineStr":
            item = element.find(_IS)
            return ("", "text") if item is None else (text_of(item), "text")
        text = element.findtext(_V)
        if text is None or (text == "" and kind != "str"):
            return None, "empty"
        if kind == "s":
            index = int(text)
            return (self.book.strings[index] if index < len(self.book.strings) else ""), "text"
        if kind == "n":
            return self._number(float(text), number(text), style)
        simple: dict[str, tuple[Scalar, str]] = {
            "str": (unescaped(text), "text"),
            "b": (text in ("1", "true"), "boolean"),
            "e": (text, "error"),
            "d": (text, "date"),
        }
        return simple.get(kind, (text, "text"))

    def _number(self, exact: float, plain: int | float, style: int) -> tuple[Scalar, str]:
        if not self.book.styles.is_date(style):
            return plain, "number"
        code = self.book.styles.number_format(style)
        value = from_serial(exact, code, date1904=self.book.date1904)
        return value, "date" if isinstance(value, str) else "number"

    def formula_text(self, cell: Cell, element: Any) -> str:
        """The stored formula of a cell; one that shares another's is written out."""
        if element.get("t") == "shared" and not element.text:
            master, text = self._shared_masters().get(element.get("si", ""), (cell, ""))
            return moved(text, str(master), str(cell)) if text else ""
        return element.text or ""

    def _shared_masters(self) -> dict[str, tuple[Cell, str]]:
        if self._masters is None:
            self._masters = {}
            for cell, element in self.elements():
                formula = element.find(_F)
                if formula is not None and formula.get("t") == "shared" and formula.text:
                    self._masters[formula.get("si", "")] = (cell, formula.text)
        return self._masters

    def formulas(self) -> dict[Cell, FormulaCell]:
        """All formulas of the sheet."""
        found: dict[Cell, FormulaCell] = {}
        if next(self._data.iter(_F), None) is None:
            return found
        for cell, element in self.elements():
            formula = element.find(_F)
            if formula is not None:
                array = formula.get("t") == "array"
                area = area_of(formula.get("ref") or str(cell)) if array else None
                dynamic = array and element.get("cm") is not None
                has_value = bool(element.findtext(_V)) or element.get("t") == "str"
                found[cell] = FormulaCell(self.formula_text(cell, formula), area, dynamic, has_value)
        return found

    def merged(self) -> list[Area]:
        return [
            area_of(entry.get("ref", "A1")) for entry in self.root.iterfind(f"{tag('mergeCells')}/{tag('mergeCell')}")
        ]

    # Writing --------------------------------------------------------------------------------------------------------

    def find(self, cell: Cell) -> Any | None:
        """The element of `cell`, if the part has one."""
        if cell.row not in self._rows:
            return None
        columns = self._columns_of(cell.row)
        index = bisect_left(columns, cell.column)
        return self._rows[cell.row][index] if index < len(columns) and columns[index] == cell.column else None

    def ensure(self, cell: Cell) -> Any:
        """The element of `cell`, made in its place with the style of its row or column where there is none."""
        from lxml import etree

        self.changed = True
        found = self.find(cell)
        if found is not None:
            return found
        row = self._ensure_row(cell.row)
        columns = self._columns_of(cell.row)
        element = etree.Element(_C, r=str(cell))
        style = self._inherited_style(row, cell.column)
        if style:
            element.set("s", style)
        row.insert(bisect_left(columns, cell.column), element)
        insort(columns, cell.column)
        return element

    def _ensure_row(self, number_: int) -> Any:
        from lxml import etree

        if number_ not in self._rows:
            row = etree.Element(_ROW, r=str(number_))
            place = bisect_left(self._numbers, number_)
            if place < len(self._numbers):
                self._rows[self._numbers[place]].addprevious(row)
            else:
                self._data.append(row)
            insort(self._numbers, number_)
            self._rows[number_] = row
        return self._rows[number_]

    def _columns_of(self, number_: int) -> list[int]:
        """Columns of the cells of a row; on first touch every cell gets its reference and the row loses its hint."""
        if number_ not in self._columns:
            row, columns, last = self._rows[number_], [], 0
            for element in list(row):
                if element.tag != _C:
                    continue
                last = cell_of(element.get("r")).column if element.get("r") else last + 1
                element.set("r", f"{column_name(last)}{number_}")
                columns.append(last)
            row.set("r", str(number_))
            row.attrib.pop("spans", None)
            self._columns[number_] = columns
        return self._columns[number_]

    def _inherited_style(self, row: Any, column: int) -> str | None:
        if row.get("customFormat") in ("1", "true"):
            return str(row.get("s", "0"))
        for entry in self.root.iterfind(f"{tag('cols')}/{tag('col')}"):
            if int(entry.get("min", "0")) <= column <= int(entry.get("max", "0")):
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
            _fill(element, value)

    def _as_date(self, element: Any, value: date | time) -> None:
        style = int(element.get("s", "0"))
        if not self.book.styles.is_date(style):
            code = DATE_FORMAT
            if isinstance(value, time | datetime):
                code = TIME_FORMAT if isinstance(value, time) else DATETIME_FORMAT
            element.set("s", str(self.book.styles.derived(style, Change(number_format=code))))
        _fill(element, to_serial(value, date1904=self.book.date1904))

    def set_formula(self, cell: Cell, formula: str, area: Area | None = None, metadata: str | None = None) -> None:
        """Put a formula in stored form into a cell, without a value; with `area` as an array formula."""
        from lxml import etree

        element = self.ensure(cell)
        self.clear(element)
        made = etree.SubElement(element, _F)
        made.text = formula
        etree.SubElement(element, _V).text = "0"  # the engine complains of formulas without; saving replaces it
        if area is not None:
            made.set("t", "array")
            made.set("ref", str(area))
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
        _fill(element, value, error=error, computed=True)

    def share_no_more(self, si: str) -> None:
        """Write out each formula of a shared group, so that its members can change alone."""
        self._shared_masters()  # while the first of the group still says what is shared
        for cell, element in self.elements():
            formula = element.find(_F)
            if formula is not None and formula.get("t") == "shared" and formula.get("si") == si:
                text = self.formula_text(cell, formula)
                formula.attrib.clear()
                formula.text = text
                self.changed = True

    def update_dimension(self) -> None:
        """State the used area in the part, where it states one."""
        entry = self.root.find(tag("dimension"))
        area = self.used()
        if entry is not None and area is not None:
            entry.set("ref", str(area))

    def save(self) -> None:
        """Hand the part to the package, if it was changed."""
        if self.changed:
            self.update_dimension()
            self.book.package.put(self.info.part, serialized(self.root))


def _fill(element: Any, value: str | int | float | bool, *, error: bool = False, computed: bool = False) -> None:
    from lxml import etree

    if isinstance(value, str) and not computed and not error:
        element.set("t", "inlineStr")
        text = etree.SubElement(etree.SubElement(element, _IS), tag("t"))
        text.text = escaped(value)
        if value != value.strip() or "\n" in value:
            text.set(_SPACE, "preserve")
        return
    made = etree.SubElement(element, _V)
    if isinstance(value, bool):
        element.set("t", "b")
        made.text = str(int(value))
    elif isinstance(value, str):
        element.set("t", "e" if error else "str")
        made.text = escaped(value)
    else:
        made.text = number_text(value)


def check_not_merged(areas: list[Area], cells: list[Cell]) -> None:
    """Refuse to write where a merged area hides the cell.

    Raises:
        Problem: a cell is inside a merged area and not its first.
    """
    for area in areas:
        for cell in cells:
            if cell in area and (cell.row, cell.column) != (area.top, area.left):
                first = Cell(area.top, area.left)
                raise Problem(f"{cell} is hidden inside the merged cells {area}; write to {first}")
