"""Sheets of a workbook: add, rename, copy, delete; formulas, names and charts that refer to them follow."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.xml import serialize_part
from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.compute.saved_workbook import Saved, save_workbook
from yardkit.servers.sheets.engine.edits.sheet_copy import copy_of
from yardkit.servers.sheets.engine.moves.shifted_parts import rename_pivot_sources
from yardkit.servers.sheets.engine.notation.formulas import list_words
from yardkit.servers.sheets.engine.notation.rewritten_formulas import with_columns
from yardkit.servers.sheets.engine.package.new_sheets import add_sheet_part, check_name, new_workbook
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import parse_part, qualify_tag
from yardkit.world import Problem

_STRING = re.compile(r'("(?:[^"]|"")*")')
_CHART_FORMULA = "{http://schemas.openxmlformats.org/drawingml/2006/chart}f"
_SHEET_FORMULAS = {qualify_tag(name) for name in ("formula", "formula1", "formula2")} | {
    "{http://schemas.microsoft.com/office/excel/2006/main}f"
}


def change_sheets(
    path: Path, action: str, sheet: str | None, name: str | None, position: int | None, *, now: datetime
) -> tuple[str, Saved]:
    """Add, rename, copy, move, delete, hide or show a sheet; what was done, and what recomputing found.

    Raises:
        Problem: an argument that the action needs is missing, or as the functions below.
    """
    if action != "add" and not path.exists():
        raise Problem(f"{path.name!r} does not exist; only add creates a new workbook")
    if action == "add":
        saved = add_sheet(path, _require_argument(action, "name", name), now=now, position=position)
        return f"Added the sheet {name!r}", saved
    sheet = _require_argument(action, "sheet", sheet)
    if action == "rename":
        return f"Renamed {sheet!r} to {name!r}", rename_sheet(
            path, sheet, _require_argument(action, "name", name), now=now
        )
    if action == "copy":
        saved, left_out = copy_sheet(path, sheet, _require_argument(action, "name", name), now=now, position=position)
        without = f" without its {', '.join(left_out)}" if left_out else ""
        return f"Copied {sheet!r} to {name!r}{without}", saved
    if action == "move":
        if position is None:
            raise Problem("move needs 'position', the new position of the sheet from 1")
        return f"Moved {sheet!r} to place {position}", move_sheet(path, sheet, position, now=now)
    if action == "delete":
        return f"Deleted the sheet {sheet!r}", delete_sheet(path, sheet, now=now)
    return f"The sheet {sheet!r} is {'hidden' if action == 'hide' else 'shown'}", show_sheet(
        path, sheet, visible=action == "show", now=now
    )


def _require_argument(action: str, argument: str, value: str | None) -> str:
    if not value:
        raise Problem(f"{action} needs {argument!r}; give it")
    return value


def add_sheet(path: Path, name: str, *, now: datetime, position: int | None = None) -> Saved:
    """Add an empty sheet at the end; a missing workbook is made.

    Raises:
        Problem: the name is taken or not allowed.
    """
    if not path.exists():
        return save_workbook(new_workbook(path, name), {}, path, touched=set(), written=set(), now=now)
    book = Workbook.open(path)
    add_sheet_part(book, name)
    if position is not None:
        _move_entry(book, name, position)
    return save_workbook(book, {}, path, touched=set(), written=set(), now=now)


def rename_sheet(path: Path, sheet: str, name: str, *, now: datetime) -> Saved:
    """Rename a sheet, and write the new name into formulas, defined names and charts.

    Raises:
        Problem: no such sheet, or the name is taken or not allowed.
    """
    book = Workbook.open(path)
    old = _any_sheet(book, sheet)
    check_name(name, [info.name for info in book.sheets if info.name != old])

    def renamed(formula: str) -> str:
        return replace_sheet(formula, old, _quote_name(name))

    _rewrite_formulas(book, renamed)
    rename_pivot_sources(book, "sheet", old, name)
    entry = _find_entry(book, old)
    entry.set("name", name)
    del book.sheets
    return save_workbook(book, {}, path, touched=set(), written=set(), now=now)


def copy_sheet(
    path: Path, sheet: str, name: str, *, now: datetime, position: int | None = None
) -> tuple[Saved, list[str]]:
    """Copy a sheet with what lies on it to a new one; what was left out (pivot tables, slicers, controls).

    Raises:
        Problem: no such worksheet, or the name is taken or not allowed.
    """
    book = Workbook.open(path)
    source = book.sheet(sheet)
    new_sheet, left_out = copy_of(
        book, source, name, lambda formula: replace_sheet(formula, source.name, _quote_name(name))
    )
    if position is not None:
        _move_entry(book, name, position)
    copied = {(new_sheet.name, cell) for cell in Grid(book, new_sheet).map_formulas()}
    return save_workbook(book, {}, path, touched=copied, written=set(), now=now), left_out


def move_sheet(path: Path, sheet: str, position: int, *, now: datetime) -> Saved:
    """Put a sheet at the place `position`, counted from 1; the last place where there are fewer.

    Raises:
        Problem: no such sheet.
    """
    book = Workbook.open(path)
    _move_entry(book, _any_sheet(book, sheet), position)
    return save_workbook(book, {}, path, touched=set(), written=set(), now=now)


def _move_entry(book: Workbook, name: str, position: int) -> None:
    """Move the entry of a sheet; numbers that stand for sheets follow."""
    sheets = book.element("sheets")
    before = list(sheets)
    entry = _find_entry(book, name)
    sheets.remove(entry)
    sheets.insert(min(position, len(before)) - 1, entry)
    place = {index: list(sheets).index(sheet_name) for index, sheet_name in enumerate(before)}
    for defined in book.root.iter(qualify_tag("definedName")):
        if defined.get("localSheetId"):
            old = int(defined.get("localSheetId"))
            defined.set("localSheetId", str(place.get(old, old)))
    for view in book.root.iter(qualify_tag("workbookView")):
        for attribute in ("activeTab", "firstSheet"):
            if view.get(attribute):
                old = int(view.get(attribute))
                view.set(attribute, str(place.get(old, old)))
    del book.sheets


def show_sheet(path: Path, sheet: str, *, visible: bool, now: datetime) -> Saved:
    """Show a sheet or hide it.

    Raises:
        Problem: no such sheet, or the last visible one is to be hidden.
    """
    book = Workbook.open(path)
    name = _any_sheet(book, sheet)
    others = [number for number, info in enumerate(book.sheets) if info.state == "visible" and info.name != name]
    entry = _find_entry(book, name)
    if visible:
        entry.attrib.pop("state", None)
    elif not others:
        raise Problem(f"{name!r} is the last visible sheet; a workbook needs one. Show another first")
    else:
        entry.set("state", "hidden")
        index = list(book.element("sheets")).index(entry)
        for view in book.root.iter(qualify_tag("workbookView")):
            if int(view.get("activeTab", "0")) == index:
                view.set("activeTab", str(others[0]))
    del book.sheets
    return save_workbook(book, {}, path, touched=set(), written=set(), now=now)


def delete_sheet(path: Path, sheet: str, *, now: datetime) -> Saved:
    """Delete a sheet; formulas that referred to it say #REF!, as in Excel.

    Raises:
        Problem: no such sheet, or it is the last visible one.
    """
    book = Workbook.open(path)
    name = _any_sheet(book, sheet)
    info = next(info for info in book.sheets if info.name == name)
    visible = [other for other in book.sheets if other.state == "visible" and other.name != name]
    if not visible:
        raise Problem(f"{name!r} is the last visible sheet; a workbook needs one. Add another first")
    gone = [table.name for table in list_tables(book, info)]

    def without(formula: str) -> str:
        for table in gone:
            formula = with_columns(formula, table, lambda _: None)
        return replace_sheet(formula, name, None)

    touched = _rewrite_formulas(book, without, leave_out=name)
    touched |= _name_readers(book)
    _drop_entry(book, name)
    book.drop_relation(info.part)
    book.set_type(info.part, None)
    _drop_parts(book, info.part)
    book.drop_calculation_chain()
    del book.sheets
    return save_workbook(book, {}, path, touched=touched, written=set(), now=now)


def _name_readers(book: Workbook) -> set[Place]:
    """The cells whose formulas use a name that has become #REF!."""
    lost = {name.name.lower() for name in book.names if "#REF!" in name.formula}
    changed_cells: set[Place] = set()
    for info in book.sheets if lost else ():
        if info.kind == "worksheet":
            formulas = Grid(book, info).map_formulas()
            changed_cells |= {
                (info.name, cell) for cell, formula in formulas.items() if list_words(formula.text) & lost
            }
    return changed_cells


def replace_sheet(formula: str, old: str, new: str | None) -> str:
    """A formula in which references to the sheet `old` name `new`, or say #REF! where that is None."""
    quoted = re.escape("'" + old.replace("'", "''") + "'!")
    unquoted_pattern = rf"(?<![\w.'\]]){re.escape(old)}!" if re.fullmatch(r"[\w.]+", old) else r"(?!)"
    cells = (
        r"(?:\$?[A-Za-z]{1,3}\$?\d+(?::\$?[A-Za-z]{1,3}\$?\d+)?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?\d+:\$?\d+|[\w.]+)"
    )
    pattern = re.compile(rf"(?:{quoted}|{unquoted_pattern})" + ("" if new is not None else cells), re.IGNORECASE)
    parts = _STRING.split(formula)
    target = "#REF!" if new is None else f"{new}!"
    parts[::2] = [pattern.sub(lambda _: target, part) for part in parts[::2]]
    return "".join(parts)


def _quote_name(name: str) -> str:
    return (
        name
        if re.fullmatch(r"[A-Za-z_][\w.]*", name) and not re.fullmatch(r"[A-Za-z]{1,3}\d+", name)
        else ("'" + name.replace("'", "''") + "'")
    )


def _any_sheet(book: Workbook, sheet: str) -> str:
    for info in book.sheets:
        if info.name.casefold() == sheet.casefold():
            return info.name
    return book.sheet(sheet).name  # says which sheets there are


def _find_entry(book: Workbook, name: str) -> Any:
    return next(entry for entry in book.element("sheets") if entry.get("name") == name)


def _drop_entry(book: Workbook, name: str) -> None:
    """Take a sheet out of the list; names that belong to it go, those of later sheets count one less."""
    entry = _find_entry(book, name)
    index = list(book.element("sheets")).index(entry)
    book.element("sheets").remove(entry)
    names = book.root.find(qualify_tag("definedNames"))
    for defined in list(names) if names is not None else []:
        scope = int(defined.get("localSheetId", "-1"))
        if scope == index:
            names.remove(defined)
        elif scope > index:
            defined.set("localSheetId", str(scope - 1))
    if names is not None and not len(names):
        book.root.remove(names)
    for view in book.root.iter(qualify_tag("workbookView")):
        for attribute in ("activeTab", "firstSheet"):
            if int(view.get(attribute, "0")) >= index:
                view.set(attribute, "0")


def _drop_parts(book: Workbook, part: str) -> None:
    """Take out a sheet and the parts that only it uses: its drawing, charts, tables, notes."""
    related = [other for _, other in book.relations_of(part).values()]
    rels = _get_relations_path(part)
    book.package.drop_part(part)
    book.package.drop_part(rels)
    for other in related:
        if (
            other in book.package
            and not other.startswith(("xl/worksheets/", "xl/media/"))
            and not _is_part_used(book, other)
        ):
            book.set_type(other, None)
            _drop_parts(book, other)


def _is_part_used(book: Workbook, part: str) -> bool:
    owners = [
        name
        for name in book.package.names()
        if not name.endswith(".rels") and _get_relations_path(name) in book.package
    ]
    return any(part == other for owner in owners for _, other in book.relations_of(owner).values())


def _get_relations_path(part: str) -> str:
    folder, _, name = part.rpartition("/")
    return f"{folder}/_rels/{name}.rels"


def _rewrite_formulas(book: Workbook, change: Callable[[str], str], leave_out: str = "") -> set[Place]:
    """Apply `change` to the formulas of cells, rules, defined names and charts; the cells whose formulas changed."""
    changed: set[Place] = set()
    for info in book.sheets:
        if info.kind == "worksheet" and info.name != leave_out:
            grid = Grid(book, info)
            for cell, formula in grid.formula_elements():
                if formula.text and change(formula.text) != formula.text:
                    formula.text = change(formula.text)
                    changed.add((info.name, cell))
            linked = _rewrite_links(grid.root, change)
            grid.changed = _rewrite_texts(grid.root, _SHEET_FORMULAS, change) or linked or bool(changed)
            grid.save()
    _rewrite_texts(book.root, {qualify_tag("definedName")}, change)
    for name in [name for name in book.package.names() if "/charts/chart" in name and name.endswith(".xml")]:
        root = parse_part(book.package.read(name), name)
        if _rewrite_texts(root, {_CHART_FORMULA}, change):
            book.package.put(name, serialize_part(root))
    return changed


def _rewrite_links(root: Any, change: Callable[[str], str]) -> bool:
    changed = False
    for link in root.iter(qualify_tag("hyperlink")):
        place = link.get("location", "")
        if "!" in place and change(place) != place:
            link.set("location", change(place))
            changed = True
    return changed


def _rewrite_texts(root: Any, tags: set[str], change: Callable[[str], str]) -> bool:
    changed = False
    for element in root.iter(*tags):
        if element.text and change(element.text) != element.text:
            element.text = change(element.text)
            changed = True
    return changed
