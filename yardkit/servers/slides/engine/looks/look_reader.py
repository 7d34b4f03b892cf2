"""What is stored of looks, read in the words in which they are set: fills, lines, frames of text, tables and cells."""

from __future__ import annotations

from typing import Any

from yardkit.servers.slides.engine.package.shape_tree import A
from yardkit.servers.slides.engine.package.units import SCHEME, to_cm, to_points
from yardkit.servers.slides.engine.results import CellInfo

ALIGN = {"l": "left", "ctr": "center", "r": "right", "just": "justify"}
_ANCHOR = {"t": "top", "ctr": "middle", "b": "bottom"}
_COLOR_NAMES = {value: name for name, value in reversed(SCHEME.items())}
_BORDERS = {"lnL": "left", "lnR": "right", "lnT": "top", "lnB": "bottom"}
_TABLE_STYLE_FLAGS = {"first_row": "header", "horz_banding": "banded", "last_row": "total", "first_col": "first_column"}


def read_fill(properties: Any) -> str:
    """A fill as stored: RRGGBB, a theme colour, none, gradient with its colours, picture or pattern."""
    fill = properties.find(f"{A}solidFill")
    if fill is not None and len(fill):
        return _read_color(fill[0])
    gradient = properties.find(f"{A}gradFill")
    if gradient is not None:
        colors = [_read_color(stop[0]) for stop in gradient.iterfind(f"{A}gsLst/{A}gs") if len(stop)]
        return f"gradient {' to '.join(colors)}" if colors else "gradient"
    names = {"noFill": "none", "blipFill": "picture", "pattFill": "pattern"}
    return next((name for tag, name in names.items() if properties.find(f"{A}{tag}") is not None), "")


def _read_color(element: Any) -> str:
    value = str(element.get("lastClr") or element.get("val", ""))
    alpha = element.find(f"{A}alpha")
    clear = "" if alpha is None else f", {round(100 - _parse_share(alpha.get('val')) * 100, 1):g}% transparent"
    changed = " (changed)" if any(child is not alpha for child in element) else ""
    return f"{_COLOR_NAMES.get(value, value)}{changed}{clear}"


def read_stroke(line: Any) -> str:
    """A line as stored: colour, width, dashes and arrows."""
    width, dash = line.get("w"), line.find(f"{A}prstDash")
    ends = {name: line.find(f"{A}{tag}") for name, tag in (("start", "headEnd"), ("end", "tailEnd"))}
    arrows = [name for name, end in ends.items() if end is not None and end.get("type", "none") != "none"]
    words = [
        read_fill(line),
        f"{to_points(_parse_number(width)):g} pt" if width else "",
        "" if dash is None or dash.get("val") == "solid" else dash.get("val", ""),
        f"arrow at {' and '.join(arrows)}" if arrows else "",
    ]
    return " ".join(filter(None, words))


def shape_look(properties: Any, body: Any) -> dict[str, object]:
    """Flips and shadow of a shape; where its text stands in it, and how far from its edges."""
    placed = None if properties is None else properties.find(f"{A}xfrm")
    effects = None if properties is None else properties.find(f"{A}effectLst")
    frame = None if body is None else body.find(f"{A}bodyPr")
    values = {} if frame is None else frame.attrib
    margins = [to_cm(_parse_number(values[side])) for side in ("lIns", "tIns", "rIns", "bIns") if side in values]
    look_values = {
        "flip_h": placed is not None and placed.get("flipH") in ("1", "true"),
        "flip_v": placed is not None and placed.get("flipV") in ("1", "true"),
        "shadow": effects is not None and effects.find(f"{A}outerShdw") is not None,
        "anchor": _ANCHOR.get(values.get("anchor", "")),
        "margin_cm": margins[0] if len(set(margins)) == 1 else margins,
    }
    return {name: value for name, value in look_values.items() if value not in (False, None, [])}


def read_spacing(properties: Any) -> dict[str, float | str]:
    """The space around a paragraph in points, and between its lines: in lines, or such as "14 pt"."""
    spacing_values: dict[str, float | str] = {}
    for name, tag in (("space_before_pt", "spcBef"), ("space_after_pt", "spcAft"), ("line_spacing", "lnSpc")):
        points = None if properties is None else properties.find(f"{A}{tag}/{A}spcPts")
        share = None if properties is None else properties.find(f"{A}{tag}/{A}spcPct")
        if points is not None:
            size = _parse_number(points.get("val")) / 100
            spacing_values[name] = f"{size:g} pt" if tag == "lnSpc" else size
        elif share is not None and tag == "lnSpc":
            spacing_values[name] = round(_parse_share(share.get("val")), 2)
    return spacing_values


def table_look(frame: Any) -> dict[str, object]:
    """The sizes of a table's columns and rows, and which parts its style shows."""
    table = frame.table
    return {
        "column_widths_cm": [to_cm(column.width) for column in table.columns],
        "row_heights_cm": [to_cm(row.height) for row in table.rows],
        "style": [word for name, word in _TABLE_STYLE_FLAGS.items() if getattr(table, name)],
    }


def cell_looks(frame: Any) -> list[CellInfo]:
    """The cells of a table that have a look of their own: rows and columns from 1."""
    cell_values = []
    for row, line in enumerate(frame.table._tbl.tr_lst, 1):
        for column, cell in enumerate(line.tc_lst, 1):
            look = _read_cell(cell)
            if look:
                cell_values.append(CellInfo(row, column, look))
    return cell_values


def _read_cell(cell: Any) -> dict[str, object]:
    properties = cell.find(f"{A}tcPr")
    cell_look: dict[str, object] = {}
    if properties is not None:
        lines = {
            side: read_stroke(border)
            for tag, side in _BORDERS.items()
            if (border := properties.find(f"{A}{tag}")) is not None
        }
        same = set(lines.values())
        cell_look |= {
            "fill": read_fill(properties),
            "vertical": _ANCHOR.get(properties.get("anchor", ""), ""),
            "border": same.pop() if len(same) == 1 and len(lines) == len(_BORDERS) else lines,
        }
    paragraphs = [element for element in cell.iterfind(f"{A}txBody/{A}p") if element.find(f"{A}r") is not None]
    aligned = [paragraph.find(f"{A}pPr") for paragraph in paragraphs]
    cell_look["align"] = _get_common_value(
        [None if holder is None else ALIGN.get(holder.get("algn", "")) for holder in aligned]
    )
    runs = [run.find(f"{A}rPr") for paragraph in paragraphs for run in paragraph.iterfind(f"{A}r")]
    cell_look |= {
        name: _get_common_value([None if run is None else read(run) for run in runs])
        for name, read in _RUN_READERS.items()
    }
    return {name: value for name, value in cell_look.items() if value not in (None, "", {})}


def _parse_number(text: str | None) -> float:
    """A number of a file; 0 for what is none."""
    try:
        return float(text or 0)
    except ValueError:
        return 0.0


def _parse_share(text: str | None) -> float:
    """A share, written in thousandths of a percent or, in strict files, in percent."""
    return _parse_number(text.rstrip("%")) / 100 if text and text.endswith("%") else _parse_number(text) / 100_000


def _get_common_value(values: list[Any]) -> Any:
    return values[0] if values and all(value == values[0] for value in values) else None


_RUN_READERS: dict[str, Any] = {
    "bold": lambda run: None if run.get("b") is None else run.get("b") in ("1", "true"),
    "italic": lambda run: None if run.get("i") is None else run.get("i") in ("1", "true"),
    "size_pt": lambda run: None if run.get("sz") is None else _parse_number(run.get("sz")) / 100,
    "color": read_fill,
    "font": lambda run: None if (latin := run.find(f"{A}latin")) is None else latin.get("typeface"),
}
