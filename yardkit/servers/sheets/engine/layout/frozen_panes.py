"""The view of a sheet: frozen panes."""

from __future__ import annotations

from typing import Any

from yardkit.servers.sheets.engine.notation.references import cell_of
from yardkit.servers.sheets.engine.package.xml import ensure_child, qualify_tag

_VIEW_CHILDREN = ("pane", "selection", "pivotSelection", "extLst")


def freeze_panes(view: Any, at: str) -> None:
    """Freeze what is above and left of the cell `at`."""
    from lxml import etree

    cell = cell_of(at)
    for old in [*view.findall(qualify_tag("pane")), *view.findall(qualify_tag("selection"))]:
        view.remove(old)
    view.set("workbookViewId", view.get("workbookViewId", "0"))
    if (cell.row, cell.column) == (1, 1):
        return
    pane = ensure_child(view, "pane", _VIEW_CHILDREN)
    if cell.column > 1:
        pane.set("xSplit", str(cell.column - 1))
    if cell.row > 1:
        pane.set("ySplit", str(cell.row - 1))
    active = ("bottom" if cell.row > 1 else "top") + ("Right" if cell.column > 1 else "Left")
    for name, value in (("topLeftCell", str(cell)), ("activePane", active), ("state", "frozen")):
        pane.set(name, value)
    pane.addnext(etree.Element(qualify_tag("selection"), pane=active))
