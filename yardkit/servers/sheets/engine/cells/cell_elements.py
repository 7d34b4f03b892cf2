"""Values put into the elements of cells."""

from __future__ import annotations

from typing import Any

from yardkit.servers.sheets.engine.notation.references import Area, Cell
from yardkit.servers.sheets.engine.notation.values import escape_text, number_text
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

_V, _IS = qualify_tag("v"), qualify_tag("is")
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def store_value(element: Any, value: str | int | float | bool, *, error: bool = False, computed: bool = False) -> None:
    """Store a value in a cell without content; `computed` is that of a formula."""
    from lxml import etree

    if isinstance(value, str) and not computed and not error:
        element.set("t", "inlineStr")
        text = etree.SubElement(etree.SubElement(element, _IS), qualify_tag("t"))
        text.text = escape_text(value)
        if value != value.strip() or "\n" in value:
            text.set(_SPACE, "preserve")
        return
    value_element = etree.SubElement(element, _V)
    if isinstance(value, bool):
        element.set("t", "b")
        value_element.text = str(int(value))
    elif isinstance(value, str):
        element.set("t", "e" if error else "str")
        value_element.text = escape_text(value)
    else:
        value_element.text = number_text(value)


def check_not_merged(areas: list[Area], cells: list[Cell]) -> None:
    """Refuse to write where a merged area hides the cell.

    Raises:
        Problem: a cell is inside a merged area and not its first.
    """
    for area in areas:
        for cell in cells:
            if cell in area and (cell.row, cell.column) != (area.top, area.left):
                first = Cell(area.top, area.left)
                raise Problem(f"{cell} is hidden inside the merged cells {area}; write to {first}")
