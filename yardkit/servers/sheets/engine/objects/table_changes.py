"""Tables (list objects): made, renamed, resized, styled, given totals, turned back into plain cells."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

from yardkit.kit.ooxml.relations import REL, add_relation
from yardkit.kit.ooxml.xml import serialize_part
from yardkit.servers.sheets.engine.cells.dependencies import distant_readers
from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.cells.linked_parts import drop_part, save_objects, unlink_part
from yardkit.servers.sheets.engine.compute.saved_workbook import Saved, save_workbook
from yardkit.servers.sheets.engine.layout.fitted_sizes import fit_area
from yardkit.servers.sheets.engine.moves.column_names import ensure_headers
from yardkit.servers.sheets.engine.moves.shifted_parts import rename_pivot_sources
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.package.styles import Change
from yardkit.servers.sheets.engine.package.tables import Table, list_tables
from yardkit.servers.sheets.engine.package.workbook import SheetInfo, Workbook
from yardkit.servers.sheets.engine.package.xml import ensure_child, parse_part, qualify_tag
from yardkit.world import Problem

Total = Literal["sum", "average", "count", "min", "max", "none"]
_NAME = re.compile(r"[A-Za-z_\\\u0080-\uffff][\w.\\]{0,254}")
_LIKE_CELL = re.compile(r"[A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*")
_TOTAL_FUNCTIONS = {"sum": ("sum", 109), "average": ("average", 101), "count": ("count", 103), "min": ("min", 105),
              "max": ("max", 104)}  # fmt: skip
_STYLE = re.compile(r"TableStyle(Light|Medium|Dark)\d{1,2}")
_CHILD_ORDER = ("autoFilter", "sortState", "tableColumns", "tableStyleInfo", "extLst")
_FORMULA_TAGS = ("f", "formula1", "formula2", "formula", "definedName")
_NEEDLES = {qualify_tag(name) for name in _FORMULA_TAGS}


@dataclass(frozen=True)
class TableChange:
    """What to change of a table; None leaves it as it is. `style` is such as TableStyleMedium2, or none."""

    name: str | None = None
    area: str | None = None
    style: str | None = None
    banded_rows: bool | None = None
    totals: dict[str, str] | None = field(default=None)


def add_table(path: Path, sheet: str | None, area: str, change: TableChange, *, now: datetime) -> tuple[Table, Saved]:
    """Make a table of cells whose first row names the columns; what the saved file says of it.

    Raises:
        Problem: no such sheet, no rows, an overlap with another table or merged cells, or a bad name.
    """
    from lxml import etree

    book = Workbook.open(path)
    grid = Grid(book, book.sheet(sheet))
    where = _check_area(grid, area_of(area))
    known = list_tables(book)
    name = change.name or next(f"Table{n}" for n in range(1, len(known) + 2) if not _is_name_taken(book, f"Table{n}"))
    _check_name(book, name)
    root = etree.Element(qualify_tag("table"), nsmap={None: qualify_tag("x")[1:-2]})
    number = 1 + max((_get_table_id(book, table) for table in known), default=0)
    attributes = {"id": str(number), "name": name, "displayName": name, "ref": str(where), "totalsRowShown": "0"}
    for key, value in attributes.items():
        root.set(key, value)
    ensure_child(root, "autoFilter", _CHILD_ORDER).set("ref", str(where))
    _set_columns(root, ensure_headers(grid, where))
    _set_style(root, change.style or "TableStyleMedium2", banded=change.banded_rows is not False)
    part = _insert_table(grid, serialize_part(root))
    touched = set()
    if change.totals:
        table = Table(name, grid.info.name, part, where, [], 0)
        touched = _set_totals(grid, table, root, change.totals)
        book.package.put(part, serialize_part(root))
    dress = partial(_fit_columns, grid, touched)
    saved = save_workbook(book, {grid.info.name: grid}, path, touched=touched, written=touched, now=now, dress=dress)
    return table_named(Workbook.open(path), name), saved


def change_table(path: Path, name: str, change: TableChange, *, now: datetime) -> tuple[Table, Saved]:
    """Rename, resize or restyle a table, or set its totals; formulas follow a new name. What the saved file says.

    Raises:
        Problem: no such table, a taken name, or a range that does not fit.
    """
    book = Workbook.open(path)
    table = table_named(book, name)
    grid = Grid(book, book.sheet(table.sheet))
    root = parse_part(book.package.read(table.part), table.part)
    grids = {grid.info.name: grid}
    if change.area is not None:
        table = _resize_table(grid, table, root, area_of(change.area))
    if change.style is not None or change.banded_rows is not None:
        entry = root.find(qualify_tag("tableStyleInfo"))
        old = entry.get("name", "") if entry is not None else ""
        banded = entry is None or entry.get("showRowStripes") == "1"
        _set_style(root, change.style or old, banded=banded if change.banded_rows is None else change.banded_rows)
    touched = _set_totals(grid, table, root, change.totals) if change.totals is not None else set()
    written = set(touched)
    if change.area is not None:
        touched |= distant_readers(book, grids)
    if change.name is not None and change.name != table.name:
        if change.name.casefold() != table.name.casefold():
            _check_name(book, change.name)
        root.set("name", change.name)
        root.set("displayName", change.name)
        grids |= _rename_in_formulas(book, grids, table.name, change.name)
        rename_pivot_sources(book, "name", table.name, change.name)
    book.package.put(table.part, serialize_part(root))
    dress = partial(_fit_columns, grid, written)
    saved = save_workbook(book, grids, path, touched=touched, written=written, now=now, dress=dress)
    return table_named(Workbook.open(path), change.name or table.name), saved


def delete_table(path: Path, name: str) -> Table:
    """Turn a table back into plain cells; values and looks of the cells stay.

    Raises:
        Problem: no such table, or formulas name it.
    """
    book = Workbook.open(path)
    table = table_named(book, name)
    users = _find_users(book, table.name)
    if users:
        raise Problem(
            f"formulas refer to the table {table.name!r} ({', '.join(users[:5])}); write them with cell "
            "references first"
        )
    grid = Grid(book, book.sheet(table.sheet))
    identity = next(key for key, (_, part) in book.relations_of(grid.info.part).items() if part == table.part)
    parts = grid.root.find(qualify_tag("tableParts"))
    for entry in list(parts) if parts is not None else []:
        if entry.get(qualify_tag("id", REL)) == identity:
            parts.remove(entry)
    if parts is not None:
        parts.set("count", str(len(parts)))
        if not len(parts):
            grid.root.remove(parts)
    unlink_part(grid, table.part)
    drop_part(book, table.part)
    grid.changed = True
    save_objects(book, path, grid)
    return table


def copy_tables(book: Workbook, source: SheetInfo, root: Any) -> list[bytes]:
    """Copies of the tables of a sheet under names of their own, which formulas in the copied sheet `root` name now."""
    copies = []
    taken = {
        text.casefold()
        for text in (*(table.name for table in list_tables(book)), *(defined_name.name for defined_name in book.names))
    }
    number = max((_get_table_id(book, table) for table in list_tables(book)), default=0)
    for table in list_tables(book, source):
        stem = table.name.rstrip("0123456789") or table.name
        stem += "_" if _LIKE_CELL.fullmatch(f"{stem}2") else ""
        name = next(candidate for n in range(2, len(taken) + 3) if (candidate := f"{stem}{n}").casefold() not in taken)
        taken.add(name.casefold())
        number += 1
        copied = parse_part(book.package.read(table.part), table.part)
        for key, value in {"id": str(number), "name": name, "displayName": name}.items():
            copied.set(key, value)
        for element in copied.iter():
            for key in [key for key in element.attrib if str(key).endswith("}uid")]:
                del element.attrib[key]
        pattern = _compile_name_pattern(table.name)
        _replace_names(copied, pattern, name)
        _replace_names(root, pattern, name)
        copies.append(serialize_part(copied))
    return copies


def put_tables(grid: Grid, copies: list[bytes]) -> None:
    """Give a sheet without tables those of `copy_tables`."""
    for data in copies:
        _insert_table(grid, data)


def _insert_table(grid: Grid, data: bytes) -> str:
    """Make a table a part of the workbook and of its sheet; the name of the part."""
    from lxml import etree

    package = grid.book.package
    part = package.free_name("xl/tables/table{}.xml")
    package.put(part, data)
    grid.book.set_type(part, "table")
    parts = ensure_child(grid.root, "tableParts", ORDER)
    identity = add_relation(package, grid.info.part, "table", part)
    etree.SubElement(parts, qualify_tag("tablePart"), {qualify_tag("id", REL): identity})
    parts.set("count", str(len(parts)))
    grid.changed = True
    return part


def table_named(book: Workbook, name: str) -> Table:
    """The table called `name`, letter case aside.

    Raises:
        Problem: there is none; it says which there are.
    """
    known = list_tables(book)
    known_table = next((table for table in known if table.name.casefold() == name.casefold()), None)
    if known_table is None:
        raise Problem(
            f"the table {name!r} does not exist; the workbook has {', '.join(table.name for table in known) or 'none'}"
        )
    return known_table


def _check_area(grid: Grid, area: Area, own: str = "") -> Area:
    used = grid.get_used_area()
    if used and (area.rows > 100_000 or area.columns > 1000) and area.meets(used):
        area = area.clip(used)
    if area.rows < 2:
        raise Problem(f"{area} has one row; a table needs a header and at least one row below it")
    for other in list_tables(grid.book, grid.info):
        if other.name != own and other.area.meets(area):
            raise Problem(f"{area} overlaps the table {other.name!r} at {other.area}; choose other cells")
    merged = next((candidate for candidate in grid.list_merged() if candidate.meets(area)), None)
    if merged is not None:
        raise Problem(f"{area} overlaps the merged cells {merged}; unmerge them first")
    return area


def _set_columns(root: Any, names: list[str]) -> None:
    """The columns of a table; those that it has already keep what else they hold."""
    from lxml import etree

    parent = ensure_child(root, "tableColumns", _CHILD_ORDER)
    known = {entry.get("name", "").casefold(): entry for entry in parent}
    free = 1 + max((int(entry.get("id", "0")) for entry in parent), default=0)
    for old in list(parent):
        parent.remove(old)
    for name in names:
        entry = known.get(name.casefold())
        if entry is None:
            entry = etree.Element(qualify_tag("tableColumn"), id=str(free), name=name)
            free += 1
        entry.set("name", name)
        parent.append(entry)
    parent.set("count", str(len(parent)))


def _set_style(root: Any, style: str, *, banded: bool) -> None:
    if style != "none" and not _STYLE.fullmatch(style):
        raise Problem(f"{style!r} is not a valid table style; use TableStyleLight1-21, Medium1-28, Dark1-11, or none")
    entry = ensure_child(root, "tableStyleInfo", _CHILD_ORDER)
    entry.attrib.pop("name", None)
    if style != "none":
        entry.set("name", style)
    style_flags = {
        "showFirstColumn": "0",
        "showLastColumn": "0",
        "showRowStripes": str(int(banded)),
        "showColumnStripes": "0",
    }
    for key, value in style_flags.items():
        if key == "showRowStripes" or key not in entry.attrib:
            entry.set(key, value)


def _resize_table(grid: Grid, table: Table, root: Any, area: Area) -> Table:
    area = _check_area(grid, area, own=table.name)
    if area.top != table.area.top or not area.meets(table.area):
        raise Problem(
            f"{area} does not start in the header row of {table.name!r} ({table.area}); move the cells instead"
        )
    if table.totals:
        raise Problem(f"{table.name!r} has a totals row; remove it first with totals={{}}")
    root.set("ref", str(area))
    for entry in root.iterfind(qualify_tag("autoFilter")):
        entry.set("ref", str(area))
    names = ensure_headers(grid, area)
    _set_columns(root, names)
    return Table(table.name, table.sheet, table.part, area, names, 0)


def _set_totals(grid: Grid, table: Table, root: Any, totals_by_column: dict[str, str]) -> set[tuple[str, Cell]]:
    """Give a table a row of totals below its data, or take the row out when none is wanted; the cells written."""
    columns = list(root.iter(qualify_tag("tableColumn")))
    names = [entry.get("name", "") for entry in columns]
    unknown = [name for name in totals_by_column if name not in names]
    if unknown:
        raise Problem(f"the table {table.name!r} has no column {unknown[0]!r}; it has {', '.join(names)}")
    area = table.area
    if not totals_by_column:
        return _drop_totals(grid, table, root, columns)
    if not table.totals:
        _check_free_below(grid, table)
        area = Area(area.top, area.left, area.bottom + 1, area.right)
        root.set("ref", str(area))
        root.set("totalsRowCount", "1")
        root.attrib.pop("totalsRowShown", None)
    touched = set()
    for offset, (entry, name) in enumerate(zip(columns, names, strict=True)):
        cell = Cell(area.bottom, area.left + offset)
        kind = totals_by_column.get(name, "none")
        for attribute in ("totalsRowFunction", "totalsRowLabel"):
            entry.attrib.pop(attribute, None)
        if kind != "none":
            function, number = _TOTAL_FUNCTIONS[kind]
            entry.set("totalsRowFunction", function)
            escaped = re.sub(r"([\[\]#'@])", r"'\1", name)
            grid.set_formula(cell, f"SUBTOTAL({number},{root.get('displayName')}[{escaped}])")
            if kind != "count":
                _show_like_column(grid, cell)
            touched.add((grid.info.name, cell))
        elif offset == 0:
            entry.set("totalsRowLabel", "Total")
            grid.set_value(cell, "Total")
        else:
            grid.set_value(cell, None)
    return touched


def _fit_columns(grid: Grid, written: set[tuple[str, Cell]]) -> None:
    for _, cell in written:
        fit_area(grid, Area(cell.row, cell.column, cell.row, cell.column))


def _show_like_column(grid: Grid, cell: Cell) -> None:
    """Give a total without a number format that of the value above it, as Excel does."""
    styles = grid.book.styles
    above, element = grid.find(Cell(cell.row - 1, cell.column)), grid.ensure(cell)
    style = int(element.get("s", "0"))
    code = "General" if above is None else styles.number_format(int(above.get("s", "0")))
    if code != "General" and styles.number_format(style) == "General":
        element.set("s", str(styles.derive_style(style, Change(number_format=code))))


def _check_free_below(grid: Grid, table: Table) -> None:
    row = table.area.bottom + 1
    below = Area(row, table.area.left, row, table.area.right)
    filled = [str(cell) for cell, element in grid.iter_elements(below) if len(element)]
    if filled:
        raise Problem(f"the row below the table {table.name!r} is not empty ({', '.join(filled[:3])}); move that first")
    for other in list_tables(grid.book, grid.info):
        if other.name != table.name and other.area.meets(below):
            raise Problem(f"the table {other.name!r} starts directly below {table.name!r}; move it first")


def _drop_totals(grid: Grid, table: Table, root: Any, columns: list[Any]) -> set[tuple[str, Cell]]:
    if not table.totals:
        return set()
    area = Area(table.area.top, table.area.left, table.area.bottom - table.totals, table.area.right)
    for cell in Area(area.bottom + 1, area.left, table.area.bottom, area.right).cells():
        element = grid.find(cell)
        if element is not None:
            grid.clear(element)
    for entry in columns:
        for attribute in ("totalsRowFunction", "totalsRowLabel"):
            entry.attrib.pop(attribute, None)
    root.set("ref", str(area))
    root.attrib.pop("totalsRowCount", None)
    root.set("totalsRowShown", "0")
    grid.book.drop_calculation_chain()
    return set()


def _check_name(book: Workbook, name: str) -> None:
    if not _NAME.fullmatch(name) or _LIKE_CELL.fullmatch(name) or name.lower() in ("r", "c"):
        raise Problem(
            f"{name!r} is not a valid name; use letters, digits, _ and ., a letter first, not like a cell (A1)"
        )
    if _is_name_taken(book, name):
        raise Problem(f"the name {name!r} already belongs to a table or defined name; choose another")


def _is_name_taken(book: Workbook, name: str) -> bool:
    names = [*(table.name for table in list_tables(book)), *(defined_name.name for defined_name in book.names)]
    return name.casefold() in (text.casefold() for text in names)


def _get_table_id(book: Workbook, table: Table) -> int:
    return int(parse_part(book.package.read(table.part), table.part).get("id", "1"))


def _compile_name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.\\]){re.escape(name)}(?=\[|(?![\w.\\(!]))", re.IGNORECASE)


def _find_users(book: Workbook, name: str) -> list[str]:
    """Where formulas name a table: sheets' cells, rules and defined names."""
    pattern = _compile_name_pattern(name)
    name_users = [f"name {defined_name.name}" for defined_name in book.names if pattern.search(defined_name.formula)]
    for info in book.sheets:
        if book.mentions(info, name):
            grid = Grid(book, info)
            name_users += [
                f"{info.name}!{cell}" for cell, formula in grid.map_formulas().items() if pattern.search(formula.text)
            ]
    return name_users


def _rename_in_formulas(book: Workbook, grids: dict[str, Grid], old: str, new: str) -> dict[str, Grid]:
    """Write the new name of a table into formulas; texts in quotes stay."""
    pattern = _compile_name_pattern(old)
    changed: dict[str, Grid] = {}
    for info in book.sheets:
        if not book.mentions(info, old):
            continue
        grid = grids.get(info.name) or Grid(book, info)
        formulas = [formula for _, formula in grid.formula_elements()]
        if any(
            [_replace_names(grid.root, pattern, new), *(_replace_in(formula, pattern, new) for formula in formulas)]
        ):
            grid.changed = True
            changed[info.name] = grid
    _replace_names(book.root, pattern, new)
    for part in [name for name in book.package.names() if name.startswith("xl/tables/") and name.endswith(".xml")]:
        root = parse_part(book.package.read(part), part)
        if _replace_names(root, pattern, new):
            book.package.put(part, serialize_part(root))
    return changed


def _replace_names(root: Any, pattern: re.Pattern[str], new: str) -> bool:
    names = {*_NEEDLES, qualify_tag("calculatedColumnFormula"), qualify_tag("totalsRowFormula")}
    return bool(sum(_replace_in(element, pattern, new) for element in root.iter(*names)))


def _replace_in(element: Any, pattern: re.Pattern[str], new: str) -> bool:
    """Write the new name into one formula, outside its texts; whether it was there."""
    parts = re.split(r'("(?:[^"]|"")*")', element.text or "")
    parts[::2] = [pattern.sub(lambda _: new, part) for part in parts[::2]]
    text = "".join(parts)
    changed = text != (element.text or "")
    if changed:
        element.text = text
    return changed
