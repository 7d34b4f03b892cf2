"""Formulas that fill other cells: their mark (MS-XLSX 2.4.59, dynamicArrayProperties), and their cells let go."""

from __future__ import annotations

from yardkit.kit.ooxml.relations import resolve_target
from yardkit.servers.sheets.engine.cells.grid import FormulaCell, Grid
from yardkit.servers.sheets.engine.notation.references import Cell
from yardkit.servers.sheets.engine.notation.values import BLOCKED
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import parse_part, qualify_tag

_PART = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<metadata xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    b'xmlns:xda="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray"><metadataTypes count="1">'
    b'<metadataType name="XLDAPR" minSupportedVersion="120000" copy="1" pasteAll="1" pasteValues="1" merge="1" '
    b'splitFirst="1" rowColShift="1" clearFormats="1" clearComments="1" assign="1" coerce="1" cellMeta="1"/>'
    b'</metadataTypes><futureMetadata name="XLDAPR" count="1"><bk><extLst>'
    b'<ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}">'
    b'<xda:dynamicArrayProperties fDynamic="1" fCollapsed="0"/></ext></extLst></bk></futureMetadata>'
    b'<cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata></metadata>'
)


def metadata_index(book: Workbook) -> str | None:
    """The value of a cell's ``cm`` that makes its array formula dynamic; the metadata part is made when missing.

    None where the workbook has metadata of other kinds only: then the formula stays an ordinary array formula.
    """
    part = resolve_target(book.part, "metadata.xml")
    if part not in book.package:
        book.package.put(part, _PART)
        book.add_relation("sheetMetadata", part)
        book.set_type(part, "sheetMetadata")
        return "1"
    root = parse_part(book.package.read(part), part)
    kinds = [
        entry.get("name") for entry in root.iterfind(f"{qualify_tag('metadataTypes')}/{qualify_tag('metadataType')}")
    ]
    kind_number = str(kinds.index("XLDAPR") + 1) if "XLDAPR" in kinds else ""
    for index, block in enumerate(root.iterfind(f"{qualify_tag('cellMetadata')}/{qualify_tag('bk')}"), start=1):
        if any(entry.get("t") == kind_number for entry in block.iterfind(qualify_tag("rc"))):
            return str(index)
    return None


def empty_spill(grid: Grid, anchor: Cell, formula: FormulaCell, *, ends: bool) -> None:
    """Empty the cells that a formula fills. One that does not end is left without room, until it is computed anew."""
    for cell in set(formula.area.cells()) - {anchor} if formula.area is not None else ():
        element = grid.find(cell)
        if element is not None:
            grid.clear(element)
    element = None if ends else grid.find(anchor)
    if element is not None:
        grid.set_result(anchor, BLOCKED, error=True)
        element.find(qualify_tag("f")).set("ref", str(anchor))
