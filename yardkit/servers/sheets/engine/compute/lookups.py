"""Lookups in the form in which the calculation engine is right about them.

The engine searches ranges as if no cell were empty and all were of one kind, and takes empty cells for 0. So an exact
lookup becomes a MATCH, which it does right, and an approximate one a MATCH in the part of the range that holds the
values in order. Which part that is depends on values: it is looked at again after each calculation. Where there is no
such part, the formula has no value here. Whole columns end below the last used row: the engine would walk a million.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from yardkit.servers.sheets.engine.compute.calculator import Calculator
from yardkit.servers.sheets.engine.notation.array_formulas import array_work
from yardkit.servers.sheets.engine.notation.formulas import STRING, is_simple_reference, list_functions, tokens_of
from yardkit.servers.sheets.engine.notation.references import MAX_ROW, Area, Cell, area_of
from yardkit.servers.sheets.engine.notation.rewritten_formulas import quote_sheet
from yardkit.servers.sheets.engine.notation.values import ERRORS
from yardkit.servers.sheets.engine.package.tables import Table, named_areas
from yardkit.world import Problem

NO_VALUE = "NOVALUE()"
"""Stands for what makes a formula be without a value."""
DISORDER = "the engine does not compute approximate lookups in cells that are empty in between or not in order"
COMPUTED = "the engine does not compute approximate lookups outside simple ranges"
_SEARCH_FUNCTIONS = frozenset(["HLOOKUP", "LOOKUP", "MATCH", "VLOOKUP", "XLOOKUP", "XMATCH"])
# These take no notice of empty cells, and the engine walks through all of them.
_SUMMING_NAMES = (
    "AVERAGE AVERAGEA CORREL COUNT COUNTA GEOMEAN HARMEAN LARGE MAX MAXA MEDIAN MIN MINA MODE MODE.SNGL PERCENTILE "
    "PERCENTILE.EXC PERCENTILE.INC QUARTILE QUARTILE.EXC QUARTILE.INC RANK RANK.AVG RANK.EQ SMALL SUBTOTAL SUMPRODUCT"
)
_SUM_FUNCTIONS = frozenset(_SUMMING_NAMES.split())
_COLUMNS = re.compile(r"((?:'(?:[^']|'')+'|[\w.]+)!)?\$?([A-Za-z]{1,3}):\$?([A-Za-z]{1,3})")
_LONG = re.compile(_COLUMNS.pattern + r"|:\$?[A-Za-z]{1,3}\$?\d{5,7}")
_RANGE_REFERENCE = re.compile(r"((?:'(?:[^']|'')+'|[\w.]+)!)?(\$?[A-Za-z]{0,3}\$?\d*:\$?[A-Za-z]{0,3}\$?\d*)")
_SINGLE_CELL = re.compile(r"(?:(?:'(?:[^']|'')+'|[\w.]+)!)?\$?[A-Za-z]{1,3}\$?\d{1,7}")
SHEETS = re.compile(
    rf"{STRING.pattern}|(?<![\w.!$:])('(?:[^':]|'')+:(?:[^':]|'')+'|[A-Za-z_\u0080-\uffff][\w.]*:[\w.]+)!"
    r"(\$?[A-Za-z]{1,3}\$?\d{1,7}(?::\$?[A-Za-z]{1,3}\$?\d{1,7})?)"
)
_COLUMN = re.compile(r"([\w.]+)\[(?:\[#Data\],)?\[?([^\[\]#@,]+)\]?\]")
_SIMPLE_TEXT = re.compile(r"[A-Za-z0-9 ]*")  # the order of other letters depends on the language
_SEVERAL = re.compile(r"[:{\[]")
_STEP = 64
_EXACT, _NEXT_SMALLER, _NEXT_LARGER = "0", "1", "-1"
_WILDCARD = "2"
_KIND_RANKS = {"number": 0, "text": 1, "truth": 2}


class Block(NamedTuple):
    """The cells of a vector, counted from 0, that hold its values, all of one kind; none where `last` is before.

    Above it there may be headers of another kind. Whether a value comes twice matters to the engine.
    """

    first: int
    last: int
    kind: str
    headed: bool = False
    repeats: bool = False


def span_of(span_text: str) -> list[str]:
    """The names of the first and last sheet of a span, in small letters."""
    return span_text.strip("'").replace("''", "'").casefold().split(":")


def depends_on_workbook(formula: str) -> bool:
    """Whether the form of a formula depends on what the workbook holds."""
    return not _SEARCH_FUNCTIONS.isdisjoint(list_functions(formula)) or is_slow(formula)


def is_slow(formula: str) -> bool:
    """Whether the engine would walk through ranges that are nearly empty."""
    return _LONG.search(formula) is not None and not (_SEARCH_FUNCTIONS | _SUM_FUNCTIONS).isdisjoint(
        list_functions(formula)
    )


def _refuse_computing(_sheet: str, _cell: Cell, _count: int, expression: str) -> tuple[str, Cell]:
    raise Problem(f"{expression!r} cannot be computed")


@dataclass
class Sheets:
    """The cells of a workbook in the engine, and what names and tables stand for there.

    `stand_ins` are the names, in small letters, that the engine knows by another, with that.
    """

    engine: Calculator
    numbers: Mapping[str, int]
    names: Mapping[str, str]
    tables: Mapping[str, Table]
    filtered: Mapping[str, Sequence[Area]] = field(default_factory=dict)
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    date1904: bool = False
    ask: Callable[[str, Cell, int, str], tuple[str, Cell]] = _refuse_computing
    _lines: dict[tuple[str, bool, int], list[Any]] = field(default_factory=dict)
    _last_row: int = 0

    def forget(self) -> None:
        """Values have changed."""
        self._lines.clear()
        self._last_row = 0

    def last_row(self) -> int:
        """A row below all that is used, which changes seldom."""
        if not self._last_row:
            used = max(self.engine.size(number)[0] for number in self.numbers.values())
            self._last_row = min((used // _STEP + 1) * _STEP, MAX_ROW)
        return self._last_row

    def get_area(self, text: str, own: str) -> tuple[str, Area] | None:
        """The range that an argument stands for, up to the last used row."""
        named_area = self._find_named(text.strip(), own)
        if named_area is None or named_area[0].casefold() not in self.numbers:
            return None
        sheet, area = named_area
        return sheet, replace(area, bottom=max(area.top, min(area.bottom, self.last_row())))

    def _find_named(self, text: str, own: str) -> tuple[str, Area] | None:
        text = self.names.get(text.lower(), text).lstrip("=")
        column = _COLUMN.fullmatch(text)
        if column and column[1].lower() in self.tables:
            table = self.tables[column[1].lower()]
            place = table.place(column[2])
            return None if place is None else (table.sheet, place)
        match = _RANGE_REFERENCE.fullmatch(text)
        try:
            return match and ((match[1] or own).rstrip("!").strip("'").replace("''", "'"), area_of(match[2]))
        except Problem:
            return None

    def values(self, sheet: str, area: Area) -> list[Any]:
        """What is in the cells of an area, line by line."""
        return self.engine.values(self.numbers[sheet.casefold()], area)

    def block(self, sheet: str, vector: Area, order: int) -> Block | None:
        """Where a vector holds values in order (1 up, -1 down, 0 any); None where there are gaps or kinds are mixed."""
        down = vector.columns == 1
        line = self._read_line(sheet, vector.left if down else vector.top, down=down)
        first, last = (vector.top, vector.bottom) if down else (vector.left, vector.right)
        return _find_block(line[first - 1 : last], order)

    def _read_line(self, sheet: str, number: int, *, down: bool) -> list[Any]:
        """The values of a whole column or row."""
        key = sheet.casefold(), down, number
        if key not in self._lines:
            index = self.numbers[sheet.casefold()]
            last = self.last_row() if down else self.engine.size(index)[1]
            area = Area(1, number, last, number) if down else Area(number, 1, number, last)
            self._lines[key] = self.engine.values(index, area)
        return self._lines[key]


def _find_block(values: Sequence[Any], order: int) -> Block | None:
    filled = [number for number, value in enumerate(values) if value is not None]
    if not filled:
        return Block(0, -1, "number")
    kinds = [_detect_kind(values[number]) for number in filled]
    kind, start = kinds[-1], kinds.index(kinds[-1])  # what stands above, of another kind, is a header
    first, last = filled[start], filled[-1]
    if "error" in kinds or kinds[start:].count(kind) != last - first + 1:
        return None
    part = values[first : last + 1]
    if kind == "text":
        if not all(map(_SIMPLE_TEXT.fullmatch, part)):
            return None
        part = [text.casefold() for text in part]
    if order and not all(a <= b if order > 0 else a > b for a, b in pairwise(part)):
        return None
    return Block(first, last, kind, headed=start > 0, repeats=any(a == b for a, b in pairwise(part)))


def _detect_kind(value: Any) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, str):
        return "error" if value in ERRORS else "text"
    return "number"


class Lookup:
    """One formula being put into its form: what it was told of the workbook, to see when that has changed."""

    def __init__(self, sheets: Sheets, own: str, cell: Cell) -> None:
        self.sheets, self.own, self.cell = sheets, own, cell
        self.told: dict[tuple[str, Area, int], Block | None] = {}
        self.texts: dict[tuple[str, Area], Any] = {}
        self.last_row = 0
        self.doubt = ""
        self._filtering = False  # whether it matters which rows a filter may hide
        self._asked: list[str] = []
        self._cuts = False  # ranges that are looked at together stay of one size

    def depends(self) -> bool:
        """Whether the form holds only for the workbook as it is, or not at all."""
        return bool(self.told or self.texts or self.last_row or self.doubt)

    def is_of_its_cells(self) -> bool:
        """Whether the form holds for the cells that the formula names, and for no others."""
        return self._filtering or self.depends()

    def is_current(self) -> bool:
        """Whether the workbook still is what the form was made for."""
        if self.last_row and self.last_row != self.sheets.last_row():
            return False
        if any(self.sheets.values(*key) != value for key, value in self.texts.items()):
            return False
        return all(self.sheets.block(*key) == block for key, block in self.told.items())

    def build_form(self, name: str, arguments: Sequence[str]) -> str:
        """The call of a function as the engine is to compute it; empty where it is right as it stands."""
        self._cuts = (
            len({area_match[1].top for area_match in map(self._find_area, arguments) if area_match is not None}) == 1
        )
        if name in _SUM_FUNCTIONS:
            bounded = [self.bound_range(argument) for argument in arguments]
            return "" if bounded == list(arguments) else f"{name}({','.join(bounded)})"
        if name not in _SEARCH_FUNCTIONS or len(arguments) < 2:
            return ""
        if name != "MATCH" and self._is_several(arguments[0]):
            return ""  # about looking for several values at once doubts.py decides
        return str(getattr(self, f"_{name.lower()}")(*arguments))

    def _is_several(self, value: str) -> bool:
        return _SEVERAL.search(value) is not None and array_work(value.strip(), self.sheets.names) is not None

    def get_computed(self, expression: str) -> Any:
        """What an expression comes to, for a form that depends on it; None as long as it is not computed."""
        area_key = self._find_area(self.resolve_cell(_to_single_area(expression)))
        if area_key is None or area_key[1].size != 1:
            sheet, cell = self.sheets.ask(self.own, self.cell, len(self._asked), self._move_elsewhere(expression))
            self._asked.append(expression)
            area_key = sheet, Area(*cell, *cell)
        self.texts[area_key] = stored_values = self.sheets.values(*area_key)
        return stored_values[0]

    def _move_elsewhere(self, expression: str) -> str:
        """An expression as it reads on another sheet."""
        tokens = tokens_of(f"={expression}")
        return "=" + "".join(
            self._from_elsewhere(token.value) if token.subtype == "RANGE" and "!" not in token.value else token.value
            for token in tokens
        )

    def _from_elsewhere(self, reference: str) -> str:
        simple_reference = self.resolve_cell(reference)
        inside = (
            "!" not in simple_reference and _RANGE_REFERENCE.fullmatch(_to_single_area(simple_reference)) is not None
        )
        return f"{quote_sheet(self.own)}!{simple_reference}" if inside else simple_reference

    def over_sheets(self, formula: str) -> str:
        """The formula with a reference for each sheet in place of one over several, as ``Jan:Dec!B2``."""
        return SHEETS.sub(self._each_sheet, formula)

    def _each_sheet(self, span: re.Match[str]) -> str:
        ends = [self.sheets.numbers.get(name) for name in span_of(span[1])] if span[1] else []
        if len(ends) != 2 or None in ends:
            return span[0]
        first, last = sorted(number for number in ends if number is not None)
        return ",".join(f"{quote_sheet(sheet)}!{span[2]}" for sheet in self.sheets.engine.sheets[first : last + 1])

    def is_filtered(self, reference: str) -> bool:
        """Whether rows of a range may be hidden by a filter."""
        area_key = self._find_area(self.resolve_cell(_to_single_area(reference)))
        if area_key is None:
            return False
        areas = self.sheets.filtered.get(area_key[0].casefold(), ())
        self._filtering |= bool(areas)
        return any(area.top <= area_key[1].bottom and area_key[1].top <= area.bottom for area in areas)

    def resolve_cell(self, text: str) -> str:
        """A name or a reference to a table's own row that stands for one cell, as that cell."""
        stripped_text = text.strip()
        named = self.sheets.names.get(stripped_text.lower(), "").lstrip("=")
        areas = list(named_areas(stripped_text, self.sheets.tables, self.cell.row)) if "[" in stripped_text else []
        if len(areas) == 1 and areas[0][1].size == 1 and stripped_text.endswith("]"):
            return f"{quote_sheet(areas[0][0])}!{areas[0][1]}"
        return named if is_simple_reference(named) and ":" not in named else text

    def bound_range(self, text: str) -> str:
        """A range without what lies below the last used row; what is no plain range stays."""
        area_key = self._find_area(text) if self._cuts else None
        return text if area_key is None or area_key[1].bottom != self.sheets.last_row() else _format_area(*area_key)

    def _find_area(self, text: str) -> tuple[str, Area] | None:
        area_key = self.sheets.get_area(text, self.own)
        if area_key is not None and area_key[1].bottom == self.sheets.last_row():
            self.last_row = area_key[1].bottom
        return area_key

    def _vlookup(self, value: str, table: str, column: str = "", kind: str = "1", *_: str) -> str:
        bounded, area_key = self.bound_range(table), self._find_area(table)
        first = (
            f"INDEX({bounded},0,1)"
            if area_key is None
            else _format_area(area_key[0], replace(area_key[1], right=area_key[1].left))
        )
        place = partial(self._locate_value, value, table if area_key is None else first, first)
        return self._choose_form(kind, lambda how: f"INDEX({bounded},{place(how)},{column})")

    def _hlookup(self, value: str, table: str, row: str = "", kind: str = "1", *_: str) -> str:
        area_key = self._find_area(table)
        first = (
            f"INDEX({table},1,0)"
            if area_key is None
            else _format_area(area_key[0], replace(area_key[1], bottom=area_key[1].top))
        )
        place = partial(self._locate_value, value, table if area_key is None else first, first, down=False)
        return self._choose_form(kind, lambda how: f"INDEX({table},{row},{place(how)})")

    def _match(self, value: str, vector: str, kind: str = "1", *_: str) -> str:
        how = _parse_match_mode(kind)
        if how is None:
            self.doubt = COMPUTED
        return self._locate_value(value, vector, self.bound_range(vector), how or _EXACT)

    def _lookup(self, value: str, vector: str, results: str = "", *_: str) -> str:
        area_key = self._find_area(vector)
        if area_key is None:
            return self._defer_lookup(value, vector, f"LOOKUP({value},{vector}{',' * bool(results)}{results})")
        sheet, area = area_key
        down = area.rows >= area.columns
        last = Area(area.top, area.right, area.bottom, area.right)
        if not down:
            last = Area(area.bottom, area.left, area.bottom, area.right)
        given = self.bound_range(results) if results.strip() else _format_area(sheet, last)
        return f"INDEX({given},{self._locate_value(value, vector, vector, _NEXT_SMALLER, down=down)})"

    def _xlookup(
        self, value: str, vector: str, results: str = "", if_missing: str = "", kind: str = "", way: str = "", *_: str
    ) -> str:
        given, if_missing = self.bound_range(results), if_missing.strip() or "NA()"
        how, way = _parse_match_mode(kind), way.strip() or "1"
        simple_formula = f"XLOOKUP({value},{self.bound_range(vector)},{given},{if_missing},{kind or 0},{way})"
        if how == _EXACT and not self._is_vector(results):
            return simple_formula
        place = self._xmatch(value, vector, kind, way)
        result_formula = f"IF(ISNA({place}),{if_missing},INDEX({given},{place}))"
        return f"IF({_is_nought(value)},{result_formula},{simple_formula})" if how == _EXACT else result_formula

    def _is_vector(self, text: str) -> bool:
        area_key = self._find_area(text)
        return area_key is not None and 1 in (area_key[1].rows, area_key[1].columns)

    def _xmatch(self, value: str, vector: str, kind: str = "", way: str = "", *_: str) -> str:
        looked, how, way = self.bound_range(vector), _parse_match_mode(kind), way.strip() or "1"
        simple_formula = f"XMATCH({value},{looked},{kind or 0},{way})"
        if how is None or way not in ("1", "-1"):
            return simple_formula if kind.strip() == _WILDCARD else self._defer_lookup(value, vector, simple_formula)
        if how != _EXACT:
            return self._locate_value(value, vector, looked, how, call=f"XMATCH({{0}},{{1}},{kind},{way})", order=0)
        of_nought = f"MATCH({value},{looked},0)" if way == "1" else NO_VALUE
        return f"IF({_is_nought(value)},{of_nought},{simple_formula})"

    def _choose_form(self, kind: str, make_formula: Any) -> str:
        """The form for an exact or an approximate lookup, or for what an argument decides."""
        how = _parse_match_mode(kind)
        if how is None:
            return f"IF({kind},{make_formula(_NEXT_SMALLER)},{make_formula(_EXACT)})"
        return str(make_formula(how if how == _EXACT else _NEXT_SMALLER))

    def _locate_value(
        self,
        value: str,
        text: str,
        vector: str,
        how: str,
        *,
        down: bool = True,
        call: str = "",
        order: int | None = None,
    ) -> str:
        """The place of a value in the vector, or in the first column or row of a range."""
        call, given = call or f"MATCH({{0}},{{1}},{how})", call
        if how == _EXACT:
            return call.format(value, vector)
        area_key = self._find_area(text)
        if area_key is None or self._is_several(value):
            return self._defer_lookup(value, text, call.format(value, vector))
        sheet, area = area_key
        down = down and (area.rows > 1 or area.columns == 1)
        searched = replace(area, right=area.left) if down else replace(area, bottom=area.top)
        key = sheet, searched, int(how) if order is None else order
        self.told[key] = block = self.sheets.block(*key)
        if block is None:
            self.doubt = DISORDER
            return NO_VALUE
        if block.last < block.first:
            return "NA()"
        if block.repeats and not given:
            call = "XMATCH({0},{1},-1,-1)"  # of equal values the last, which MATCH misses at times
        part = _format_area(sheet, _crop_vector(searched, block, down=down))
        same = f"ISTEXT({value})+2*ISLOGICAL({value})={_KIND_RANKS[block.kind]}"
        other = NO_VALUE if block.headed else "NA()"
        return f"IF({same},{call.format(value, part)}+{block.first},{other})"

    def _defer_lookup(self, value: str, where: str, simple_formula: str) -> str:
        """A lookup that only LibreOffice can do; over constants or a lost range the engine is right too."""
        if where.strip() == "#REF!" or ("{" in where and not self._is_several(value)):
            return simple_formula
        self.doubt = COMPUTED
        return NO_VALUE


def _to_single_area(text: str) -> str:
    """A cell as an area of one."""
    cell = text.strip()
    return f"{cell}:{cell.rpartition('!')[2]}" if _SINGLE_CELL.fullmatch(cell) else cell


def _parse_match_mode(kind: str) -> str | None:
    """How exact a lookup is, where that is not computed; an argument that is there and empty is 0."""
    kind_text = kind.strip().upper().removesuffix("()")
    match_mode = {"": _EXACT, "FALSE": _EXACT, "TRUE": _NEXT_SMALLER}.get(kind_text, kind_text)
    return match_mode if match_mode in (_EXACT, _NEXT_SMALLER, _NEXT_LARGER) else None


def _is_nought(value: str) -> str:
    """Whether a value is 0 or FALSE, for which the engine takes empty cells too."""
    return f"IF(OR(ISNUMBER({value}),ISLOGICAL({value})),NOT({value}),FALSE)"


def _crop_vector(vector: Area, block: Block, *, down: bool) -> Area:
    if down:
        return Area(vector.top + block.first, vector.left, vector.top + block.last, vector.left)
    return Area(vector.top, vector.left + block.first, vector.top, vector.left + block.last)


def _format_area(sheet: str, area: Area) -> str:
    return f"{quote_sheet(sheet)}!{Cell(area.top, area.left)}:{Cell(area.bottom, area.right)}"


def tables_by_name(known_tables: Iterable[Table]) -> dict[str, Table]:
    """Tables by their names in lower case."""
    return {table.name.lower(): table for table in known_tables}
