"""A sheet part as bytes with an index of its rows: cells are found, read and replaced without parsing the rest."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from operator import lt
from typing import Any, NamedTuple

from yardkit.servers.sheets.engine.notation.references import MAX_ROW, Area, column_number
from yardkit.servers.sheets.engine.notation.values import decode_text
from yardkit.servers.sheets.engine.package.unusual_markup import ROOT, contains_mark, normalize_part, seems_usual
from yardkit.servers.sheets.engine.package.xml import STRICT, parse_part
from yardkit.world import Problem

_CELL = re.compile(
    rb'<c r="([A-Z]{1,3})([0-9]{1,7})"(?: s="([0-9]+)")?(?: t="([a-zA-Z]+)")?(?: [cv]m="[0-9]+")*'
    rb"(?:/>|>(<f(?:\s[^>]*?)?(?:/>|>[^<]*</f>))?(?:<v(?:>([^<]*)</v>|/>)|<is><t[^>]*>([^<]*)</t></is>)?</c>)"
)
_ROW = re.compile(rb'<row(?:\s[^>]*?)?\sr="([0-9]{1,8})"')
_NAME = re.compile(rb'<c r="([A-Z]{1,3})[0-9]')
_ROW_HEAD = re.compile(rb'\0<row r="([0-9]{1,8})"')
_HEAD = len('<row r="12345678"')
_OTHER_ROWS = 3
"""How many elements besides rows may begin as they do, such as rowBreaks."""
_MOST_UNIFORM = 300
"""Columns up to which rows are looked at as one."""
_OPEN, _SLASH = b'<c r="', ord("/")
_UNUSUAL_CELL = re.compile(rb'<c(?![ho])(?! r=")')
_ALONE = re.compile(rb'<c r="([A-Z]{1,3})([0-9]{1,7})"([^>]*)><f>([^<]*)</f>(<v>[^<])?')
_HIDDEN = re.compile(rb'<row\s[^>]*?\bhidden="(?:1|true)"')
_ERROR = re.compile(rb'<c r="([A-Z]{1,3}[0-9]{1,7})"[^>]*? t="e"[^>]*>(?:<f[^>]*?(?:/>|>[^<]*</f>))?<v>([^<]*)</v>')
_FORMULA = re.compile(rb"<f[\s/>]")


class RawCell(NamedTuple):
    """A cell as it stands in the part: style, type, formula element, value and inline text as bytes."""

    column: bytes
    row: bytes
    style: bytes
    kind: bytes
    formula: bytes
    value: bytes
    inline: bytes


class Source:
    """The bytes of a worksheet part and where its rows begin. It never changes, so threads may share it."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self.data, self.starts, self.numbers, self._in_columns = _normalize_part(data, name)
        root = ROOT.search(self.data, 0, 20_000)
        if root is None:
            raise Problem(f"the part {name!r} is not a worksheet; the file is damaged")
        self.wrapper = root[0]
        opening = self.data.find(b"<sheetData")
        inner = self.data.find(b">", opening) + 1 if opening >= 0 else len(self.data)
        empty = opening < 0 or self.data[inner - 2 : inner] == b"/>"
        self.end = inner if empty else self.data.rfind(b"</sheetData>")
        self.head = self.data[:opening] if opening >= 0 else self.data
        self.tail = b"" if opening < 0 else self.data[self.end + (0 if empty else len(b"</sheetData>")) :]

    @property
    def skeleton(self) -> bytes:
        """The part without its rows."""
        return self.head + b"<sheetData/>" + self.tail if self.head is not self.data else self.data

    def span(self, index: int) -> tuple[int, int]:
        """Where the row at `index` begins and ends."""
        return self.starts[index], self.starts[index + 1] if index + 1 < len(self.starts) else self.end

    def row(self, number: int) -> bytes | None:
        """The bytes of the row `number`, if there is one."""
        index = bisect_left(self.numbers, number)
        if index == len(self.numbers) or self.numbers[index] != number:
            return None
        first, last = self.span(index)
        return self.data[first:last]

    def splice(self, rows: dict[int, bytes], head: bytes, tail: bytes) -> Source:
        """The part with other rows in place of (or between) its own, and around them `head` and `tail`."""
        new_source = object.__new__(Source)
        new_source.name, new_source.wrapper, new_source.head, new_source.tail = self.name, self.wrapper, head, tail
        pieces, starts, numbers = [head, b"<sheetData>"], list[int](), list[int]()
        position, done = len(head) + len(b"<sheetData>"), 0
        for number in sorted(rows):
            index = bisect_left(self.numbers, number)
            position = self._copy_rows(done, index, position, pieces, starts, numbers)
            starts.append(position)
            numbers.append(number)
            pieces.append(rows[number])
            position += len(rows[number])
            done = index + (index < len(self.numbers) and self.numbers[index] == number)
        new_source.end = self._copy_rows(done, len(self.numbers), position, pieces, starts, numbers)
        new_source.data = b"".join([*pieces, b"</sheetData>", tail])
        new_source.starts, new_source.numbers, new_source._in_columns = starts, numbers, False
        return new_source

    def _copy_rows(
        self, first: int, last: int, position: int, pieces: list[bytes], starts: list[int], numbers: list[int]
    ) -> int:
        """Take over the rows from index `first` to before `last`; the position after them."""
        if first >= last:
            return position
        begin, end = self.starts[first], self.span(last - 1)[1]
        pieces.append(self.data[begin:end])
        starts += [start - begin + position for start in self.starts[first:last]]
        numbers += self.numbers[first:last]
        return position + end - begin

    def formulas_in(self, number: int) -> int:
        """How many formulas the row `number` holds."""
        first, last = self.span(bisect_left(self.numbers, number))
        return len(_FORMULA.findall(self.data, first, last))

    def hidden_rows(self) -> int:
        """How many rows are hidden."""
        return len(_HIDDEN.findall(self.data, self.starts[0], self.end)) if self.starts else 0

    def errors(self, most: int) -> list[str]:
        """The first cells with error values, such as ``B3 #DIV/0!``."""
        error_cells = []
        for match in _ERROR.finditer(self.data, self.starts[0], self.end) if self._has_errors else ():
            error_cells.append(f"{match[1].decode()} {decode_text(match[2])}")
            if len(error_cells) == most:
                break
        return error_cells

    @property
    def _has_errors(self) -> bool:
        return bool(self.starts) and b' t="e"' in self.data

    @cached_property
    def has_arrays(self) -> bool:
        """Whether array formulas may be among the cells."""
        return b't="array"' in self.data

    def map_simple_formulas(self) -> dict[int, list[tuple[int, str, bool]]]:
        """By row: column, text and whether there is a value, of the formulas that stand alone; without those that
        share or fill cells.
        """
        formulas_by_row: dict[int, list[tuple[int, str, bool]]] = {}
        if not self.starts or self.data.find(b"<f", self.starts[0], self.end) < 0:
            return formulas_by_row
        for column, row, attributes, text, value in _ALONE.findall(self.data, self.starts[0], self.end):
            has_value = bool(value) or b't="str"' in attributes
            try:
                formula = decode_text(text)
            except UnicodeDecodeError as error:
                place = f"{column.decode()}{row.decode()}"
                raise Problem(f"the cell {place} of the part {self.name!r} is damaged ({error})") from error
            formulas_by_row.setdefault(int(row), []).append((column_number(column.decode()), formula, has_value))
        return formulas_by_row

    @cached_property
    def used(self) -> Area | None:
        """The smallest area with all cells that hold something."""
        if (area := self._find_rectangular_area()) is not None:
            return area
        rows, firsts, lasts = list[int](), set[bytes](), set[bytes]()
        for index, number in enumerate(self.numbers):
            names = _filled_names(self.data, *self.span(index))
            if names:
                rows.append(number)
                firsts.add(names[0])
                lasts.add(names[1])
        if not rows:
            return None
        return Area(rows[0], min(map(_parse_column, firsts)), rows[-1], max(map(_parse_column, lasts)))

    def _find_rectangular_area(self) -> Area | None:
        """The used area, if the first row begins and ends with cells that hold something and no row goes beyond."""
        if not self.starts:
            return None
        first, last = self.span(0), self.span(len(self.starts) - 1)
        names = _NAME.findall(self.data, *first)[:_MOST_UNIFORM]
        filled = _filled_names(self.data, *first)
        if not names or not filled or _filled_names(self.data, *last) is None:
            return None
        left, right = map(_parse_column, filled)
        if left > right or [left, right] != [_parse_column(names[0]), _parse_column(names[-1])]:
            return None
        if not self._in_columns and _compile_outside_pattern(names).search(self.data, self.starts[0], self.end):
            return None
        return Area(self.numbers[0], left, self.numbers[-1], right)

    def formula_rows(self) -> list[int]:
        """The numbers of the rows that hold formulas."""
        row_numbers: list[int] = []
        index, count = 0, len(self.starts)
        place = self.starts[0] if count else self.end
        while (match := _FORMULA.search(self.data, place, self.end)) is not None:
            index = bisect_left(self.starts, match.start(), index) - 1
            row_numbers.append(self.numbers[index])
            index += 1
            place = self.starts[index] if index < count else self.end
        return row_numbers


def cells_of(row: bytes) -> list[RawCell] | None:
    """The cells in the bytes of a row, or of several; None if one of them is of a less common kind (rich text ...)."""
    matches = _CELL.findall(row)
    if len(matches) != row.count(b"<c "):
        return None
    return [RawCell(*parts) for parts in matches]


def raw_cells(rows: bytes) -> list[tuple[bytes, ...]] | None:
    """As `cells_of`, as plain tuples: for many cells."""
    matches: list[tuple[bytes, ...]] = _CELL.findall(rows)
    return matches if len(matches) == rows.count(b"<c ") else None


def filled_ends(data: bytes, start: int = 0, end: int | None = None) -> tuple[int, int] | None:
    """The first and last column of a row that hold something."""
    names = _filled_names(data, start, len(data) if end is None else end)
    return (_parse_column(names[0]), _parse_column(names[1])) if names else None


def _filled_names(data: bytes, start: int, end: int) -> tuple[bytes, bytes] | None:
    """The names of the first and last cell of a row that hold something, cut where the longest column's name ends."""
    close = data.rfind(b"</c>", start, end)
    first = data.find(_OPEN, start, end)
    while first >= 0 and data[data.find(b">", first) - 1] == _SLASH:
        first = data.find(_OPEN, first + 1, end)
    if first < 0 or close < 0:
        return None
    last = data.rfind(_OPEN, start, close)
    return data[first + len(_OPEN) : first + len(_OPEN) + 3], data[last + len(_OPEN) : last + len(_OPEN) + 3]


def _parse_column(name: bytes) -> int:
    return column_number("".join(filter(str.isalpha, name.decode())))


def parsed_row(wrapper: bytes, row: bytes, name: str) -> Any:
    """The root element around one row, whose namespaces are those of the part."""
    return parse_part(wrapper + row + b"</worksheet>", name)


def row_bytes(root: Any) -> bytes:
    """The bytes of the row inside such a root."""
    from lxml import etree

    text = bytes(etree.tostring(root, encoding="UTF-8"))
    return text[text.index(b">") + 1 : text.rindex(b"</")].strip()


def _normalize_part(data: bytes, name: str) -> tuple[bytes, list[int], list[int], bool]:
    """The part in the usual form, where its rows begin, their numbers, and whether all cells are known to stand in
    columns in which the first row has a cell. The usual form is UTF-8, no prefix, no comments; rows and cells with
    references that come first.
    """
    marked = contains_mark(data, b"<!")
    if STRICT in data[:4000] or (marked and (b"<!DOCTYPE" in data or b"<!ENTITY" in data)):
        parse_part(data, name)  # says what is wrong
    if data.count(b"<row") > MAX_ROW + _OTHER_ROWS:
        raise Problem(f"the part {name!r} is damaged: it has more than {MAX_ROW:,} rows")
    start, end, starts, numbers, numbered = _index_rows(data)
    rows = numbered and all(map(lt, numbers, numbers[1:]))
    names = _NAME.findall(data, starts[0], starts[1] if len(starts) > 1 else end)[:_MOST_UNIFORM] if starts else []
    in_columns = bool(names) and _compile_outside_pattern(names).search(data, start, end) is None
    cells = in_columns or _UNUSUAL_CELL.search(data, start, end) is None
    if marked or not (rows and cells and seems_usual(data, start, end)):
        data, in_columns = normalize_part(data, name), False
        _, _, starts, numbers, _ = _index_rows(data)
    if numbers and not 1 <= numbers[0] <= numbers[-1] <= MAX_ROW:
        raise Problem(f"the part {name!r} is damaged: it has rows {numbers[0]} to {numbers[-1]}")
    return data, starts, numbers, in_columns


def _compile_outside_pattern(names: list[bytes]) -> re.Pattern[bytes]:
    """What finds a cell that stands in no column of `names`, or does not begin as usual."""
    return re.compile(rb'<c(?![ho])(?! r="(?:' + b"|".join(names) + rb")[0-9])")


class _Rows(NamedTuple):
    """Where the rows begin and end as a whole, where each begins, its number, and whether all have one."""

    start: int
    end: int
    starts: list[int]
    numbers: list[int]
    numbered: bool


def _index_rows(data: bytes) -> _Rows:
    start = max(data.find(b"<sheetData"), 0)
    end = max(data.rfind(b"</sheetData>"), start)
    starts, place = list[int](), data.find(b"<row", start, end)
    while place >= 0:
        starts.append(place)
        place = data.find(b"<row", place + 4, end)
    # As all programs write it, and found the fastest.
    numbers = _ROW_HEAD.findall(b"\0" + b"\0".join([data[place : place + _HEAD] for place in starts]))
    count = len(starts)
    if len(numbers) != count:
        row_matches = list(_ROW.finditer(data, start, end))
        starts, numbers = [match.start() for match in row_matches], [match[1] for match in row_matches]
    return _Rows(start, end, starts, list(map(int, numbers)), numbered=len(starts) == count)
