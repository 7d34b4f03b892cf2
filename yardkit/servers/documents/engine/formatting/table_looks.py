"""The looks of tables and their cells as they are, in the words of `TableEdit`."""

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.formatting import looks
from yardkit.servers.documents.engine.formatting.looks import cm
from yardkit.servers.documents.engine.markup.names import P, find, find_all, get, is_on, val
from yardkit.servers.documents.engine.markup.paragraph_text import runs, text_of

_SIDES = ("top", "left", "bottom", "right", "insideH", "insideV")
_BORDER_NAMES = {"insideH": "between rows", "insideV": "between columns", "start": "left", "end": "right"}
_WIDTH_FITS = {"pct": "page", "auto": "contents"}


def table_look(table: Any, rows: list[Any]) -> dict[str, object]:
    """The direct formats of a table: column widths, alignment, borders, header rows ...; no more than it says."""
    properties = find(table, "w:tblPr")
    kind = get(find(properties, "w:tblLayout"), "w:type")
    heights = [cm(val(row, "w:trPr/w:trHeight")) for row in rows]
    kept = [is_on(row, "w:trPr/w:cantSplit") for row in rows]
    found: dict[str, object | None] = {
        "widths_cm": [cm(get(column, "w:w")) or 0 for column in find_all(table, "w:tblGrid/w:gridCol")] or None,
        "align": {"start": "left", "end": "right"}.get(val(properties, "w:jc") or "", val(properties, "w:jc")),
        "autofit": "fixed" if kind == "fixed" else _WIDTH_FITS.get(get(find(properties, "w:tblW"), "w:type") or ""),
        "borders": borders(find(properties, "w:tblBorders")),
        "padding_cm": _padding(find(properties, "w:tblCellMar")),
        "header_rows": sum(is_on(row, "w:trPr/w:tblHeader") is True for row in rows) or None,
        "keep_rows": True if all(kept) else None,
        "row_cm": _shared(heights),
        "description": val(properties, "w:tblDescription"),
    }
    return {name: value for name, value in found.items() if value is not None}


def cell_look(cell: Any) -> dict[str, object]:
    """The direct formats of a cell, and those that all its paragraphs, or all its text, have."""
    properties = find(cell, "w:tcPr")
    own: dict[str, object | None] = {
        "valign": val(properties, "w:vAlign"),
        "borders": borders(find(properties, "w:tcBorders")),
        "padding_cm": _padding(find(properties, "w:tcMar")),
    }
    paragraphs = [element for element in cell.iterchildren(P) if text_of(element)]
    parts = [looks.paragraph_look(find(paragraph, "w:pPr")) for paragraph in paragraphs]
    texts = [
        {} if (found := find(run, "w:rPr")) is None else looks.text_look(found)
        for paragraph in paragraphs
        for run in runs(paragraph)
        if find(run, "w:t") is not None
    ]
    return {name: value for name, value in own.items() if value is not None} | _common(parts) | _common(texts)


def borders(element: Any) -> str | None:
    """The sides that have a line, or none: "all single 0.5 pt 808080", "top double 0.75 pt, bottom none"."""
    if element is None or not len(element):
        return None
    said = {}
    for side in element:
        name = str(side.tag).rpartition("}")[2]
        said[_BORDER_NAMES.get(name, name)] = _line(side)
    lines = set(said.values())
    if len(lines) == 1 and len(said) >= len(_SIDES[:4]):
        return f"all {lines.pop()}"
    return ", ".join(f"{side} {line}" for side, line in said.items())


def _line(side: Any) -> str:
    kind = get(side, "w:val") or "none"
    if kind in ("nil", "none"):
        return "none"
    size, color = get(side, "w:sz"), get(side, "w:color")
    points = f" {int(size) / 8:g} pt" if size and size.isdigit() else ""
    return f"{kind}{points}{'' if color in (None, 'auto') else f' {color}'}"


def _padding(margins: Any) -> object | None:
    """One number where all sides have the same, else by side."""
    if margins is None:
        return None
    sides = {str(margin.tag).rpartition("}")[2]: cm(get(margin, "w:w")) for margin in margins}
    values = set(sides.values())
    return values.pop() if len(values) == 1 and len(sides) == len(_SIDES[:4]) else sides or None


def _shared(values: list[float | None]) -> object | None:
    if not any(values):
        return None
    return values[0] if len(set(values)) == 1 else values


def _common(found: list[dict[str, object]]) -> dict[str, object]:
    if not found:
        return {}
    return {name: value for name, value in found[0].items() if all(record.get(name) == value for record in found[1:])}
