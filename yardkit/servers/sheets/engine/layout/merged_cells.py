"""Merged cells."""

from __future__ import annotations

from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.notation.references import Area
from yardkit.servers.sheets.engine.package.xml import ensure_child, qualify_tag
from yardkit.world import Problem


def merge_cells(grid: Grid, area: Area) -> None:
    """Merge cells into one.

    Raises:
        Problem: one cell only, an overlap with other merged cells or a table, or values that would be hidden.
    """
    from lxml import etree

    from yardkit.servers.sheets.engine.package.tables import list_tables

    if area.size == 1:
        raise Problem(f"{area} is one cell; merge a range such as A1:D1")
    other = next((candidate for candidate in grid.list_merged() if candidate.meets(area)), None)
    if other is not None:
        raise Problem(f"{area} overlaps the merged cells {other}; unmerge them first")
    table = next((candidate for candidate in list_tables(grid.book, grid.info) if candidate.area.meets(area)), None)
    if table is not None:
        raise Problem(f"{area} overlaps the table {table.name!r}; cells of a table cannot be merged")
    hidden = [str(cell) for cell, element in grid.iter_elements(area) if len(element)]
    lost = [cell for cell in hidden if cell != str(area).split(":")[0]]
    if lost:
        raise Problem(f"merging {area} would hide the values of {', '.join(lost[:5])}; clear or move them first")
    parent = ensure_child(grid.root, "mergeCells", ORDER)
    etree.SubElement(parent, qualify_tag("mergeCell"), ref=str(area))
    parent.set("count", str(len(parent)))
    grid.changed = True


def unmerge_cells(grid: Grid, area: Area) -> None:
    """Take apart the merged cells that meet `area`.

    Raises:
        Problem: there are none.
    """
    parent = grid.root.find(qualify_tag("mergeCells"))
    pairs = zip(grid.list_merged(), list(parent) if parent is not None else [], strict=True)
    entries = [entry for merged_area, entry in pairs if merged_area.meets(area)]
    if not entries or parent is None:
        raise Problem(f"{area} in {grid.info.name!r} has no merged cells")
    for entry in entries:
        parent.remove(entry)
    parent.set("count", str(len(parent)))
    if not len(parent):
        grid.root.remove(parent)
    grid.changed = True
