"""The looks of tables and their cells as they are, in the words of `TableEdit`."""

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.formatting import looks
from yardkit.servers.documents.engine.formatting.looks import to_cm
from yardkit.servers.documents.engine.markup.names import P, find_all, find_element, get_attribute, get_value, is_on
from yardkit.servers.documents.engine.markup.paragraph_text import list_runs, text_of

_SIDES = ("top", "left", "bottom", "right", "insideH", "insideV")
_BORDER_NAMES = {"insideH": "between rows", "insideV": "between columns", "start": "left", "end": "right"}
_WIDTH_FITS = {"pct": "page", "auto": "contents"}


def table_look(table: Any, rows: list[Any]) -> dict[str, object]:
    """The direct formats of a table: column widths, alignment, borders, header rows ...; no more than it says."""
    properties = find_element(table, "w:tblPr")
    kind = get_attribute(find_element(properties, "w:tblLayout"), "w:type")
    heights = [to_cm(get_value(row, "w:trPr/w:trHeight")) for row in rows]
    row_flags = [is_on(row, "w:trPr/w:cantSplit") for row in rows]
    look_values: dict[str, object | None] = {
        "widths_cm": [to_cm(get_attribute(column, "w:w")) or 0 for column in find_all(table, "w:tblGrid/w:gridCol")]
        or None,
        "align": {"start": "left", "end": "right"}.get(
            get_value(properties, "w:jc") or "", get_value(properties, "w:jc")
        ),
        "autofit": "fixed"
        if kind == "fixed"
        else _WIDTH_FITS.get(get_attribute(find_element(properties, "w:tblW"), "w:type") or ""),
        "borders": describe_borders(find_element(properties, "w:tblBorders")),
        "padding_cm": _describe_padding(find_element(properties, "w:tblCellMar")),
        "header_rows": sum(is_on(row, "w:trPr/w:tblHeader") is True for row in rows) or None,
        "keep_rows": True if all(row_flags) else None,
        "row_cm": _get_shared_value(heights),
        "description": get_value(properties, "w:tblDescription"),
    }
    return {name: value for name, value in look_values.items() if value is not None}


def cell_look(cell: Any) -> dict[str, object]:
    """The direct formats of a cell, and those that all its paragraphs, or all its text, have."""
    properties = find_element(cell, "w:tcPr")
    own: dict[str, object | None] = {
        "valign": get_value(properties, "w:vAlign"),
        "borders": describe_borders(find_element(properties, "w:tcBorders")),
        "padding_cm": _describe_padding(find_element(properties, "w:tcMar")),
    }
    paragraphs = [element for element in cell.iterchildren(P) if text_of(element)]
    parts = [looks.paragraph_look(find_element(paragraph, "w:pPr")) for paragraph in paragraphs]
    texts = [
        {} if (run_properties := find_element(run, "w:rPr")) is None else looks.text_look(run_properties)
        for paragraph in paragraphs
        for run in list_runs(paragraph)
        if find_element(run, "w:t") is not None
    ]
    return (
        {name: value for name, value in own.items() if value is not None}
        | _get_common_values(parts)
        | _get_common_values(texts)
    )


def describe_borders(element: Any) -> str | None:
    """The sides that have a line, or none: "all single 0.5 pt 808080", "top double 0.75 pt, bottom none"."""
    if element is None or not len(element):
        return None
    side_texts = {}
    for side in element:
        name = str(side.tag).rpartition("}")[2]
        side_texts[_BORDER_NAMES.get(name, name)] = _describe_line(side)
    lines = set(side_texts.values())
    if len(lines) == 1 and len(side_texts) >= len(_SIDES[:4]):
        return f"all {lines.pop()}"
    return ", ".join(f"{side} {line}" for side, line in side_texts.items())


def _describe_line(side: Any) -> str:
    kind = get_attribute(side, "w:val") or "none"
    if kind in ("nil", "none"):
        return "none"
    size, color = get_attribute(side, "w:sz"), get_attribute(side, "w:color")
    points = f" {int(size) / 8:g} pt" if size and size.isdigit() else ""
    return f"{kind}{points}{'' if color in (None, 'auto') else f' {color}'}"


def _describe_padding(margins: Any) -> object | None:
    """One number where all sides have the same, else by side."""
    if margins is None:
        return None
    sides = {str(margin.tag).rpartition("}")[2]: to_cm(get_attribute(margin, "w:w")) for margin in margins}
    values = set(sides.values())
    return values.pop() if len(values) == 1 and len(sides) == len(_SIDES[:4]) else sides or None


def _get_shared_value(values: list[float | None]) -> object | None:
    if not any(values):
        return None
    return values[0] if len(set(values)) == 1 else values


def _get_common_values(records: list[dict[str, object]]) -> dict[str, object]:
    if not records:
        return {}
    return {
        name: value for name, value in records[0].items() if all(record.get(name) == value for record in records[1:])
    }
