"""Defined names: added, changed, deleted."""

from __future__ import annotations

import re
from datetime import date, datetime
from pathlib import Path
from typing import Any

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.ranges import format_reference, source_of
from yardkit.servers.sheets.engine.compute.saved_workbook import Saved, save_workbook
from yardkit.servers.sheets.engine.notation.formulas import as_formula, check_formula
from yardkit.servers.sheets.engine.notation.values import to_stored_value
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.package.workbook import DefinedName, Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

_NAME = re.compile(r"[A-Za-z_\\\u0080-\uffff][\w.\\?]{0,254}")
_LIKE_CELL = re.compile(r"[A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*")
BUILT_IN = "_xlnm."


def set_name(path: Path, name: str, refers_to: str, scope: str | None, *, now: datetime) -> tuple[DefinedName, Saved]:
    """Give a name to a range, value or formula, or change what it means; formulas that use it are computed anew.

    Raises:
        Problem: no name, a taken one, or nothing that a name can stand for.
    """
    book = Workbook.open(path)
    if not _NAME.fullmatch(name) or _LIKE_CELL.fullmatch(name) or name.lower() in ("r", "c"):
        raise Problem(
            f"{name!r} is not a valid name; use letters, digits, _ and ., a letter first, not like a cell (A1)"
        )
    if name.casefold() in (table.name.casefold() for table in list_tables(book)):
        raise Problem(f"the table {name!r} already exists; choose another name")
    sheet = None if scope is None else book.sheet(scope).name
    put_name(book, name, _normalize_meaning(book, refers_to, sheet), sheet)
    saved = save_workbook(book, {}, path, touched=_find_users(book, name), written=set(), now=now)
    return _find_name(Workbook.open(path), name, sheet), saved


def delete_name(path: Path, name: str, scope: str | None, *, now: datetime) -> tuple[DefinedName, Saved]:
    """Delete a name; formulas that use it say #NAME?, as in Excel.

    Raises:
        Problem: there is none.
    """
    book = Workbook.open(path)
    sheet = None if scope is None else book.sheet(scope).name
    old = _find_name(book, name, sheet)
    put_name(book, name, None, sheet)
    return old, save_workbook(book, {}, path, touched=_find_users(book, name), written=set(), now=now)


def put_name(book: Workbook, name: str, formula: str | None, sheet: str | None) -> None:
    """Write a defined name into the workbook's list, which is in order, or take it out."""
    from lxml import etree

    parent = book.element("definedNames")
    index = _find_sheet_index(book, sheet)
    for entry in parent.findall(qualify_tag("definedName")):
        if entry.get("name", "").casefold() == name.casefold() and entry.get("localSheetId") == index:
            if formula is not None:
                entry.text = formula
                return
            parent.remove(entry)
    if formula is not None:
        name_element = etree.Element(qualify_tag("definedName"), name=name)
        if index is not None:
            name_element.set("localSheetId", index)
        name_element.text = formula
        later = (child for child in parent if _get_sort_key(child) > _get_sort_key(name_element))
        place = next(later, None)
        if place is None:
            parent.append(name_element)
        else:
            place.addprevious(name_element)
    if not len(parent):
        book.root.remove(parent)


def name_of_sheet(book: Workbook, name: str, sheet: str) -> str:
    """What a sheet's own name (such as its print area) stands for; empty without one."""
    name_elements = (
        defined_name.formula for defined_name in book.names if defined_name.name == name and defined_name.scope == sheet
    )
    return next(name_elements, "")


def _get_sort_key(entry: Any) -> tuple[str, int]:
    return entry.get("name", "").casefold(), int(entry.get("localSheetId", "-1"))


def _find_sheet_index(book: Workbook, sheet: str | None) -> str | None:
    if sheet is None:
        return None
    names = [entry.get("name", "") for entry in book.element("sheets")]
    return str(names.index(sheet))


def _normalize_meaning(book: Workbook, text: str, sheet: str | None) -> str:
    """What a name stands for as files store it: references absolute and with their sheet."""
    stripped_text = text.strip()
    try:
        info, area = source_of(book, stripped_text, sheet)
    except Problem:
        value = to_stored_value(stripped_text)
        if isinstance(value, date):  # also a datetime
            day = f"DATE({value.year},{value.month},{value.day})"
            clock = f"+TIME({value.hour},{value.minute},{value.second})" if isinstance(value, datetime) else ""
            return day + clock
        return check_formula(as_formula(stripped_text))
    return format_reference(info.name, area)


def _find_users(book: Workbook, name: str) -> set[tuple[str, Any]]:
    """The formulas that use a name."""
    pattern = re.compile(rf"(?<![\w.\\]){re.escape(name)}(?![\w.\\(!])", re.IGNORECASE)
    user_cells = set()
    for info in book.sheets:
        if book.mentions(info, name):
            formulas = Grid(book, info).map_formulas()
            user_cells |= {(info.name, cell) for cell, formula in formulas.items() if pattern.search(formula.text)}
    return user_cells


def _find_name(book: Workbook, name: str, sheet: str | None) -> DefinedName:
    for defined_name in book.names:
        if defined_name.name.casefold() == name.casefold() and defined_name.scope == (sheet or ""):
            return defined_name
    known = (
        ", ".join(defined_name.name for defined_name in book.names if not defined_name.name.startswith(BUILT_IN))
        or "none"
    )
    where = f"only in {sheet!r} " if sheet else ""
    raise Problem(f"the name {name!r} does not exist {where}; the workbook has {known}")
