"""New workbooks and sheets."""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path

from yardkit.kit.ooxml.package import Package
from yardkit.kit.ooxml.relations import REL, resolve_target
from yardkit.servers.sheets.engine.package.workbook import SheetInfo, Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

MAX_NAME = 31
_EPOCH = datetime(2000, 1, 1)  # noqa: DTZ001 - the same bytes for the same call
SUFFIXES = (".xlsx", ".xlsm")
_SHEET = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    b'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    b'<dimension ref="A1"/><sheetViews><sheetView workbookViewId="0"/></sheetViews>'
    b'<sheetFormatPr defaultRowHeight="15"/><sheetData/>'
    b'<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>'
)


def new_workbook(path: Path, sheet: str) -> Workbook:
    """An empty workbook with one sheet, not yet saved.

    Raises:
        Problem: `path` does not end in .xlsx, or the sheet's name is not allowed.
    """
    import xlsxwriter

    if path.suffix.lower() != ".xlsx":
        raise Problem(f"{path.name!r} does not exist; the name of a new workbook must end in .xlsx")
    check_name(sheet, [])
    with tempfile.TemporaryDirectory() as directory:
        blank = Path(directory) / "blank.xlsx"
        blank_workbook = xlsxwriter.Workbook(blank, {"in_memory": True})
        blank_workbook.set_properties({"created": _EPOCH})
        blank_workbook.add_worksheet(sheet)
        blank_workbook.set_calc_mode("auto")
        blank_workbook.close()
        source = Package.open(blank)
        package = Package.empty()
        for name in source.names():
            package.put(name, source.read(name))
    book = Workbook(package)
    settings = book.element("calcPr")
    settings.attrib.pop("fullCalcOnLoad", None)
    return book


def add_sheet_part(book: Workbook, name: str, data: bytes = _SHEET) -> SheetInfo:
    """A new sheet at the end of the workbook.

    Raises:
        Problem: the name is not allowed or taken.
    """
    from lxml import etree

    check_name(name, [sheet.name for sheet in book.sheets])
    part = book.package.free_name(resolve_target(book.part, "worksheets/sheet{}.xml"))
    book.package.put(part, data)
    book.set_type(part, "worksheet")
    identity = book.add_relation("worksheet", part)
    sheets = book.element("sheets")
    number = max((int(entry.get("sheetId", "0")) for entry in sheets), default=0) + 1
    etree.SubElement(
        sheets, qualify_tag("sheet"), {"name": name, "sheetId": str(number), qualify_tag("id", REL): identity}
    )
    del book.sheets
    return book.sheet(name)


def check_name(name: str, taken: list[str]) -> None:
    """Excel's rules for names of sheets.

    Raises:
        Problem: which rule is broken.
    """
    if not name.strip() or len(name) > MAX_NAME:
        raise Problem(f"the sheet name {name!r} has {len(name)} characters; use 1 to {MAX_NAME}")
    bad = sorted(set(name) & set("[]:*?/\\"))
    if bad or name.startswith("'") or name.endswith("'"):
        raise Problem(f"the sheet name {name!r} contains {' '.join(bad) or 'an outer apostrophe'}; remove that")
    if name.casefold() == "history":
        raise Problem("Excel reserves the sheet name 'History'; choose another")
    if name.casefold() in (other.casefold() for other in taken):
        raise Problem(f"the sheet {name!r} already exists; choose another name")
