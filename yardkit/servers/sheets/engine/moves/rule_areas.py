"""The cells that conditional formats and validations of a sheet are for."""

from __future__ import annotations

from collections.abc import Callable

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.ranges import areas_of, format_sqref
from yardkit.servers.sheets.engine.notation.references import Area
from yardkit.servers.sheets.engine.package.xml import qualify_tag

_RULE_TAGS = (qualify_tag("conditionalFormatting"), qualify_tag("dataValidation"))
_NEWER = qualify_tag("sqref", "http://schemas.microsoft.com/office/excel/2006/main")


def change_rule_areas(grid: Grid, change: Callable[[list[Area]], list[Area]]) -> None:
    """Give every rule and validation other areas."""
    for element in grid.root.iter(*_RULE_TAGS, _NEWER):
        old = (element.text if element.tag == _NEWER else element.get("sqref")) or ""
        new = format_sqref(change(areas_of(old))) if old.strip() else old
        if new == old:
            continue
        grid.changed = True
        if element.tag == _NEWER:
            element.text = new
        else:
            element.set("sqref", new)
