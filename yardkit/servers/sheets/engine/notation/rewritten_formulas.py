"""Formulas rewritten reference by reference: when rows or columns come and go, when cells move or are copied."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, column_name, column_number
from yardkit.world import Problem

_OPAQUE_PART = re.compile(r"\"(?:[^\"]|\"\")*\"|\[(?:[^\[\]]|\[[^\[\]]*\])*\]")
"""Texts, and what stands in brackets: columns of tables, other workbooks."""
_END = r"(\$?)([A-Za-z]{1,3})(\$?)([0-9]{1,7})"
_REFERENCE = re.compile(
    r"(?<![A-Za-z0-9_.$'\\])('(?:[^']|'')+'!|[A-Za-z0-9_.\u0080-\uffff]+(?::[A-Za-z0-9_.\u0080-\uffff]+)?!)?"
    rf"(?:{_END}(?::{_END})?|(\$?)([A-Za-z]{{1,3}}):(\$?)([A-Za-z]{{1,3}})|(\$?)([0-9]{{1,7}}):(\$?)([0-9]{{1,7}}))"
    r"(?![A-Za-z0-9_.(!\u0080-\uffff])"
)
_TEXT = r"\"(?:[^\"]|\"\")*\""
_BARE_COLUMN = re.compile(rf"{_TEXT}|(\[#This Row\],)([^\[\],]+)\]")
_INNER_TEXT = r"(?:[^\[\]']|'.)*"
_QUOTE = re.compile(r"'(.)")
_SPECIAL = re.compile(r"([\[\]#'@])")
GONE = "#REF!"
Renamed = Callable[[str], str | None]
"""A column's name to its new one; None where the column is gone."""


@dataclass(frozen=True)
class Ref:
    """A reference as it is written: the sheet with its "!" as it stands (or empty), the area, "$" before its four
    bounds (top, left, bottom, right); whole rows and whole columns say so; `single` is written as one cell.
    """

    prefix: str
    area: Area
    fixed: tuple[bool, bool, bool, bool]
    single: bool
    whole_rows: bool = False
    whole_columns: bool = False

    @property
    def sheet(self) -> str:
        name = self.prefix.removesuffix("!")
        return name[1:-1].replace("''", "'") if name.startswith("'") else name

    def __str__(self) -> str:
        top, left, bottom, right = ("$" if fixed else "" for fixed in self.fixed)
        area = self.area
        if self.whole_columns:
            return f"{self.prefix}{left}{column_name(area.left)}:{right}{column_name(area.right)}"
        if self.whole_rows:
            return f"{self.prefix}{top}{area.top}:{bottom}{area.bottom}"
        first = f"{self.prefix}{left}{column_name(area.left)}{top}{area.top}"
        return first if self.single else f"{first}:{right}{column_name(area.right)}{bottom}{area.bottom}"


def rewrite_formula(formula: str, change: Callable[[Ref], Ref | None]) -> str:
    """The formula with `change` applied to each reference to cells of this workbook; None makes it #REF!."""

    def rewrite_reference(match: re.Match[str]) -> str:
        if match.start() == 0 and after_brackets:
            return match[0]  # it belongs to another workbook
        ref = _parse_reference(match)
        if ref is None:
            return match[0]
        changed = change(ref)
        return GONE if changed is None else match[0] if changed == ref else str(changed)

    parts, place, after_brackets = [], 0, False
    for excluded_match in _OPAQUE_PART.finditer(formula):
        parts += [_REFERENCE.sub(rewrite_reference, formula[place : excluded_match.start()]), excluded_match[0]]
        place, after_brackets = excluded_match.end(), excluded_match[0].startswith("[")
    return "".join([*parts, _REFERENCE.sub(rewrite_reference, formula[place:])])


def bracket_columns(formula: str) -> str:
    """A formula with brackets around the column of a row: XlsxWriter leaves ``Plan[[#This Row],Due]``."""
    if "[#This Row]," not in formula:
        return formula
    return _BARE_COLUMN.sub(lambda match: f"{match[1]}[{match[2]}]]" if match[1] else match[0], formula)


def with_columns(formula: str, table: str, renamed: Renamed) -> str:
    """A formula with other names for columns of a table; a reference to one that is gone becomes #REF!.

    `renamed` is asked for "#Data" and the like, too. ECMA-376 part 1, 18.17.2.2: ``Plan[Due]``,
    ``Plan[[#This Row],[Due]]``, ``Plan[[Due]:[End]]``; "'" escapes.
    """
    if f"{table}[".casefold() not in formula.casefold():
        return formula
    formula = bracket_columns(formula)
    reference = re.compile(
        rf"(?<![\w.\\]){re.escape(table)}\[((?:[^\[\]']|'.|\[{_INNER_TEXT}\])*)\]|{_TEXT}", re.IGNORECASE
    )

    def changed(match: re.Match[str]) -> str:
        inner = match[1]
        if not inner:  # a text; or Plan[], which is all data
            return match[0]
        names = re.findall(rf"\[({_INNER_TEXT})\]", inner) or [inner]
        new = {
            name: renamed(name) if name.startswith("#") else _escape_name(renamed(_QUOTE.sub(r"\1", name)))
            for name in names
        }
        if None in new.values():
            return GONE
        written = inner if "[" in inner else f"[{inner}]"
        changed_text = re.sub(rf"\[({_INNER_TEXT})\]", lambda match: f"[{new[match[1]]}]", written)
        return match[0][: match[0].index("[")] + (f"[{changed_text}]" if "[" in inner else changed_text)

    return reference.sub(changed, formula)


def _escape_name(name: str | None) -> str | None:
    return None if name is None else _SPECIAL.sub(r"'\1", name)


def _parse_reference(match: re.Match[str]) -> Ref | None:
    (prefix, la, lc, ta, tr, ra, rc, ba, br, wl, wlc, wr, wrc, ht, htr, hb, hbr) = match.groups()
    if wlc:
        area = Area(1, column_number(wlc), MAX_ROW, column_number(wrc))
        reference = Ref(prefix or "", area, (False, bool(wl), False, bool(wr)), single=False, whole_columns=True)
    elif htr:
        area = Area(int(htr), 1, int(hbr), MAX_COLUMN)
        reference = Ref(prefix or "", area, (bool(ht), False, bool(hb), False), single=False, whole_rows=True)
    else:
        first = int(tr), column_number(lc)
        last = (int(br), column_number(rc)) if rc else first
        fixed = bool(ta), bool(la), bool(ba if rc else ta), bool(ra if rc else la)
        reference = Ref(prefix or "", Area(*first, *last), fixed, single=not rc)
    area = reference.area
    inside = 1 <= area.top <= MAX_ROW and area.bottom <= MAX_ROW and area.right <= MAX_COLUMN
    return reference if inside and min(area.bottom, area.left, area.right) >= 1 else None


@dataclass(frozen=True)
class Shift:
    """Rows (or columns) of a sheet: `count` come in before `at`, or, where negative, go from `at` on."""

    sheet: str
    rows: bool
    at: int
    count: int

    def line(self, number: int) -> int | None:
        """Where a row (or column) is afterwards; None when it went."""
        if number < self.at:
            return number
        if self.count < 0 and number < self.at - self.count:
            return None
        return number + self.count

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Where a run of rows (or columns) is afterwards; None when all of it went."""
        if self.count > 0:
            end = MAX_ROW if self.rows else MAX_COLUMN
            moved = first + self.count if first >= self.at else first, last + self.count if last >= self.at else last
            return None if moved[0] > end else (moved[0], min(moved[1], end))
        gone = self.at - self.count
        start = first if first < self.at else self.at if first < gone else first + self.count
        stop = last if last < self.at else self.at - 1 if last < gone else last + self.count
        return (start, stop) if start <= stop else None

    def get_area(self, area: Area) -> Area | None:
        """Where an area is afterwards; None when all of it went."""
        if self.rows:
            if (area.top, area.bottom) == (1, MAX_ROW):
                return area
            span = self.span(area.top, area.bottom)
            return span and Area(span[0], area.left, span[1], area.right)
        if (area.left, area.right) == (1, MAX_COLUMN):
            return area
        span = self.span(area.left, area.right)
        return span and Area(area.top, span[0], area.bottom, span[1])

    def formula(self, text: str, own: str) -> str:
        """A formula of the sheet `own` as it reads afterwards."""

        def change(ref: Ref) -> Ref | None:
            if (ref.sheet or own).casefold() != self.sheet.casefold():
                return ref
            area = self.get_area(ref.area)
            return None if area is None else replace(ref, area=area)

        return rewrite_formula(text, change)


@dataclass(frozen=True)
class Move:
    """A range of a sheet that moves by `down` and `right`, perhaps to another sheet: who read it follows."""

    sheet: str
    area: Area
    to_sheet: str
    down: int
    right: int

    def formula(self, text: str, own: str) -> str:
        """A formula of the sheet `own` that stays where it is."""
        return rewrite_formula(text, lambda ref: self._follow_reference(ref, own))

    def carry_formula(self, text: str) -> str:
        """A formula that moves along: what it reads stays, unless that moves too."""

        def change(ref: Ref) -> Ref | None:
            followed = self._follow_reference(ref, self.sheet)
            if followed is not ref or ref.prefix or self.sheet == self.to_sheet:
                inside = followed is not ref and not ref.prefix
                return replace(followed, prefix="") if inside and followed else followed
            return replace(ref, prefix=quote_sheet(self.sheet) + "!")

        return rewrite_formula(text, change)

    def _follow_reference(self, ref: Ref, own: str) -> Ref | None:
        area = ref.area
        if (ref.sheet or own).casefold() != self.sheet.casefold() or self.area.join(area) != self.area:
            return ref
        prefix = ref.prefix
        if self.to_sheet != self.sheet:
            prefix = "" if own == self.to_sheet and not ref.prefix else quote_sheet(self.to_sheet) + "!"
        return replace(ref, prefix=prefix, area=offset_area(area, self.down, self.right))


def offset_area(area: Area, down: int, right: int) -> Area:
    return Area(area.top + down, area.left + right, area.bottom + down, area.right + right)


def fill_formula(formula: str, down: int, right: int) -> str:
    """A formula as it reads when it is copied: what has no "$" moves along; beyond the sheet's edge it is #REF!."""

    def change(ref: Ref) -> Ref | None:
        area, (top, left, bottom, right_fixed) = ref.area, ref.fixed
        new = Area(
            area.top if top or ref.whole_columns else area.top + down,
            area.left if left or ref.whole_rows else area.left + right,
            area.bottom if bottom or ref.whole_columns else area.bottom + down,
            area.right if right_fixed or ref.whole_rows else area.right + right,
        )
        inside = min(new.top, new.bottom) >= 1 and min(new.left, new.right) >= 1
        inside = inside and max(new.top, new.bottom) <= MAX_ROW and max(new.left, new.right) <= MAX_COLUMN
        return replace(ref, area=new) if inside else None

    return rewrite_formula(formula, change)


def quote_sheet(sheet: str) -> str:
    """A sheet's name as formulas write it."""
    is_simple_name = re.fullmatch(r"[A-Za-z_][\w.]*", sheet) and not re.fullmatch(r"[A-Za-z]{1,3}\d+|[RrCc]\d*", sheet)
    return sheet if is_simple_name else "'" + sheet.replace("'", "''") + "'"


def lines_of(text: str) -> tuple[bool, int, int]:
    """Whether ``5:7`` or ``C:D`` names rows, and the first and last.

    Raises:
        Problem: it names neither.
    """
    match = re.fullmatch(r"\$?(\d{1,7})(?::\$?(\d{1,7}))?|\$?([A-Za-z]{1,3})(?::\$?([A-Za-z]{1,3}))?", text.strip())
    if not match:
        raise Problem(f"{text!r} is not valid rows or columns; write rows as 5:7 and columns as C:D")
    if match[1]:
        first, last = sorted((int(match[1]), int(match[2] or match[1])))
        limit = MAX_ROW
    else:
        first, last = sorted((column_number(match[3]), column_number(match[4] or match[3])))
        limit = MAX_COLUMN
    if not 1 <= first <= last <= limit:
        raise Problem(f"{text!r} is beyond the end of the sheet, XFD1048576")
    return bool(match[1]), first, last
