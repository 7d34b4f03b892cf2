"""Reading native charts (DrawingML) in workbooks: kind, titles, series with their references, place."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.readers.office.packages import Parts

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_DRAWING = re.compile(rb"<(?:\w+:)?drawing\s[^>]*?\bid=[\"']([^\"']+)")
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


@dataclass(frozen=True)
class Series:
    """A series: its name, its reference (``Data!$B$2:$B$9``, without quotes) and the values stored in the file.

    `name_at` is the cell with its name; empty if the name is literal or missing.
    """

    name: str
    values_at: str
    categories_at: str
    values: tuple[float | None, ...]
    categories: tuple[str, ...]
    name_at: str = ""


@dataclass(frozen=True)
class Chart:
    """A chart.

    Attributes:
        kind: bar, line, pie, scatter, area, doughnut, radar ... ; several of a mixed chart joined by ``+``.
        horizontal: whether its bars are horizontal.
        grouping: clustered, stacked, percentStacked, standard or empty.
        scale: the fixed start and end of the value axis; None if automatic.
        place: the cells that it covers, such as ``E2:L18``; empty if it is not placed on cells.
    """

    kind: str
    title: str
    series: tuple[Series, ...]
    x_title: str
    y_title: str
    horizontal: bool
    grouping: str
    legend: bool
    place: str
    scale: tuple[float | None, float | None] = (None, None)


def read_charts(parts: Parts, sheets: Mapping[str, str]) -> dict[str, tuple[Chart, ...]]:
    """Read the charts of each sheet; `sheets` are their parts by name."""
    return {name: tuple(_of_sheet(parts, part)) for name, part in sheets.items()}


def _of_sheet(parts: Parts, sheet: str) -> Iterator[Chart]:
    for drawing in find_drawings(parts, sheet):
        relations = parts.read_relations(drawing)
        for anchor in parts.xml(drawing):
            for frame in anchor.iter(f"{C}chart"):
                relation = relations.get(frame.get(f"{_R}id", ""))
                if relation is not None and relation.target in parts:
                    yield read_chart(parts.xml(relation.target), _read_anchor(anchor))


def find_drawings(parts: Parts, sheet: str) -> list[str]:
    """Find the drawing that a sheet shows; one that it is only related to is invisible."""
    drawing_ids = _DRAWING.findall(parts.read(sheet))
    relations = parts.read_relations(sheet)
    targets = [relations[identity.decode()].target for identity in drawing_ids if identity.decode() in relations]
    return [target for target in targets if target in parts]


def read_chart(root: Any, place: str = "") -> Chart:
    """Read the chart in a part."""
    area = root.find(f".//{C}plotArea")
    plots = [child for child in area if str(child.tag).endswith("Chart")]
    kinds = list(dict.fromkeys(str(plot.tag).rsplit("}", 1)[-1].removesuffix("Chart") for plot in plots))
    axes = [child for child in area if str(child.tag).endswith("Ax")]
    across = [axis for axis in axes if str(axis.tag).endswith(("catAx", "dateAx"))] or axes[:1]
    up = [axis for axis in axes if axis not in across]
    return Chart(
        kind="+".join(kinds),
        title=_read_title(root.find(f"{C}chart")),
        series=tuple(_read_series(element) for plot in plots for element in plot.iterfind(f"{C}ser")),
        x_title=_read_title(across[0]) if across else "",
        y_title=_read_title(up[0]) if up else "",
        horizontal=any(direction.get("val") == "bar" for direction in area.iter(f"{C}barDir")),
        grouping=next((grouping.get("val", "") for grouping in area.iter(f"{C}grouping")), ""),
        legend=root.find(f".//{C}legend") is not None,
        place=place,
        scale=_read_scale(up[0]) if up else (None, None),
    )


def _read_scale(axis: Any) -> tuple[float | None, float | None]:
    ends = (axis.find(f"{C}scaling/{C}{end}") for end in ("min", "max"))
    low, high = (_parse_number(end.get("val")) if end is not None else None for end in ends)
    return low, high


def _read_title(holder: Any) -> str:
    title = holder.find(f"{C}title") if holder is not None else None
    if title is None:
        return ""
    written = "".join(text.text or "" for text in title.iter(f"{A}t"))
    return (written or "".join(value.text or "" for value in title.iter(f"{C}v"))).strip()


def _read_series(element: Any) -> Series:
    name = element.find(f"{C}tx")
    values = next(
        (value_element for tag in ("val", "yVal") if (value_element := element.find(f"{C}{tag}")) is not None), None
    )
    categories = next(
        (value_element for tag in ("cat", "xVal") if (value_element := element.find(f"{C}{tag}")) is not None), None
    )
    return Series(
        name="".join(value.text or "" for value in name.iter(f"{C}v")).strip() if name is not None else "",
        values_at=_read_reference(values),
        categories_at=_read_reference(categories),
        values=tuple(_parse_number(point) for point in _read_points(values)),
        categories=tuple(point or "" for point in _read_points(categories)),
        name_at=_read_reference(name),
    )


def _read_reference(holder: Any) -> str:
    formula_element = next(holder.iter(f"{C}f"), None) if holder is not None else None
    return (formula_element.text or "").replace("'", "") if formula_element is not None else ""


def _read_points(holder: Any) -> list[str | None]:
    """Read the stored points in order; None for a missing point."""
    if holder is None:
        return []
    points = {int(point.get("idx", "0")): point.findtext(f"{C}v") for point in holder.iter(f"{C}pt")}
    count = next((int(length.get("val", "0")) for length in holder.iter(f"{C}ptCount")), len(points))
    # A hostile file may state any count.
    return [points.get(number) for number in range(min(count, 100_000))]


def _parse_number(text: str | None) -> float | None:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None


def _read_anchor(anchor: Any) -> str:
    from openpyxl.utils import get_column_letter

    corners = []
    for tag in ("from", "to"):
        corner = anchor.find(f"{_XDR}{tag}")
        if corner is not None:
            column, row = (int(corner.findtext(f"{_XDR}{side}") or "0") for side in ("col", "row"))
            corners.append(f"{get_column_letter(column + 1)}{row + 1}")
    return ":".join(corners)
