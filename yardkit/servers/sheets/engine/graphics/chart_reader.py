"""Charts read from their parts."""

from __future__ import annotations

from typing import Any, cast

from yardkit.kit.ooxml.xml import parse_part
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.graphics.chart_spec import ChartInfo, Series, Trend
from yardkit.servers.sheets.engine.graphics.chart_xml import C
from yardkit.servers.sheets.engine.graphics.drawings import A, Drawing, name_of, place_text, size_of
from yardkit.servers.sheets.engine.package.xml import qualify_tag

_TRENDLINES = {"linear": "linear", "exp": "exponential", "log": "log", "power": "power", "movingAvg": "moving_average"}
_LEGEND_PLACES = {"r": "right", "b": "bottom", "t": "top", "l": "left", "tr": "right"}
_LABEL_CONTENTS = {"showPercent": "percentage", "showVal": "value", "showCatName": "category"}


def read_charts(grid: Grid) -> dict[str, tuple[ChartInfo, Any, str]]:
    """Name of each chart of a sheet -> what it is, its anchor, its part."""
    drawing = Drawing(grid)
    charts_by_name: dict[str, tuple[ChartInfo, Any, str]] = {}
    links = grid.book.relations_of(drawing.part) if drawing.part else {}
    for anchor in drawing.list_anchors():
        reference = next(anchor.iter(qualify_tag("chart", C)), None)
        if reference is None:
            continue
        identity = next((value for key, value in reference.attrib.items() if key.endswith("}id")), "")
        part = links.get(identity, ("", ""))[1]
        if part in grid.book.package:
            root = parse_part(grid.book.package.read(part), part)
            name = _make_unique(name_of(anchor) or "Chart", charts_by_name)
            charts_by_name[name] = (read_chart(root, anchor, name, grid.info.name), anchor, part)
    return charts_by_name


def read_chart(root: Any, anchor: Any, name: str, sheet: str) -> ChartInfo:
    """What a chart part shows."""
    area = root.find(f"{qualify_tag('chart', C)}/{qualify_tag('plotArea', C)}")
    plots = [element for element in area if str(element.tag).endswith("Chart")] if area is not None else []
    kinds = [_get_kind(plot) for plot in plots]
    seconds = {_get_value(axis, "axId") or "" for axis in _second_axes(area)}
    series = [
        _read_series(element, kind if kind != kinds[0] else None, second=bool(seconds & _axis_ids(plot)))
        for plot, kind in zip(plots, kinds, strict=True)
        for element in plot.iterfind(qualify_tag("ser", C))
    ]
    across, upright, second = (_axis_title(axis) for axis in find_axes(area))
    size = size_of(anchor)
    legend = root.find(f"{qualify_tag('chart', C)}/{qualify_tag('legend', C)}")
    return ChartInfo(
        name=name,
        sheet=sheet,
        type=kinds[0] if kinds else "unknown",
        at=place_text(anchor),
        title=_read_title(root.find(f"{qualify_tag('chart', C)}/{qualify_tag('title', C)}")),
        x_title=across,
        y_title=upright,
        y2_title=second,
        legend="none" if legend is None else _LEGEND_PLACES.get(_get_value(legend, "legendPos") or "r", "right"),
        labels=_get_labels(plots),
        series=series,
        width_px=size[0] if size else None,
        height_px=size[1] if size else None,
    )


def _make_unique(name: str, taken: dict[str, Any]) -> str:
    return next(text for text in (name, *(f"{name} ({n})" for n in range(2, len(taken) + 3))) if text not in taken)


def _get_kind(plot: Any) -> str:
    """The type of a plot in our words."""
    name = str(plot.tag).rsplit("}", 1)[-1].removesuffix("Chart").removesuffix("3D")
    grouping = {"stacked": "stacked_", "percentStacked": "percent_"}.get(_get_value(plot, "grouping") or "", "")
    if name == "bar":
        return grouping + ("bar" if _get_value(plot, "barDir") == "bar" else "column")
    if name == "scatter":
        lines = (_get_value(plot, "scatterStyle") or "").startswith(("line", "smooth"))
        bare = next(plot.iter("{http://schemas.openxmlformats.org/drawingml/2006/main}noFill"), None) is not None
        return "scatter_lines" if lines and not bare else "scatter"
    if name == "radar":
        return "filled_radar" if _get_value(plot, "radarStyle") == "filled" else "radar"
    return grouping + {"ofPie": "pie"}.get(name, name)


def _read_series(element: Any, kind: str | None, *, second: bool) -> Series:
    def formula(*names: str) -> str:
        for name in names:
            holder = element.find(qualify_tag(name, C))
            formula_element = next(holder.iter(qualify_tag("f", C)), None) if holder is not None else None
            if formula_element is not None:
                return str(formula_element.text or "")
        return ""

    name = formula("tx")
    trend = element.find(qualify_tag("trendline", C))
    return Series(
        values=formula("val", "yVal"),
        name=f"={name}" if name else str(element.findtext(f"{qualify_tag('tx', C)}/{qualify_tag('v', C)}") or ""),
        categories=formula("cat", "xVal"),
        sizes=formula("bubbleSize"),
        type=kind or "",
        second_axis=second,
        trendline=cast(
            "Trend | None", None if trend is None else _TRENDLINES.get(_get_value(trend, "trendlineType") or "")
        ),
        color=_read_color(element),
    )


def _read_color(element: Any) -> str:
    looks = [element.find(qualify_tag("spPr", C)), element.find(f"{qualify_tag('marker', C)}/{qualify_tag('spPr', C)}")]
    paths = (qualify_tag("solidFill", A), f"{qualify_tag('ln', A)}/{qualify_tag('solidFill', A)}")
    holders = [look.find(path) for look in looks if look is not None for path in paths]
    colors = [holder.find(qualify_tag("srgbClr", A)) for holder in holders if holder is not None]
    return next((str(color.get("val", "")) for color in colors if color is not None), "")


def _second_axes(area: Any) -> list[Any]:
    """The value axes on the far side, where there are such on the near side, too."""
    every = area.findall(qualify_tag("valAx", C)) if area is not None else []
    far = [axis for axis in every if _get_value(axis, "crosses") == "max" and _get_value(axis, "axPos") in ("r", "t")]
    return far if len(far) < len(every) else []


def _axis_ids(plot: Any) -> set[str]:
    return {entry.get("val", "") for entry in plot.iterfind(qualify_tag("axId", C))}


def find_axes(area: Any) -> tuple[Any | None, Any | None, Any | None]:
    """The main axis of categories (or x values), the main axis of values and the second one."""
    if area is None:
        return None, None, None
    seconds = _second_axes(area)
    values = [axis for axis in area.findall(qualify_tag("valAx", C)) if axis not in seconds]
    named = [axis for name in ("catAx", "dateAx", "serAx") for axis in area.findall(qualify_tag(name, C))]
    main = [*named[:1], *values] if named else values if len(values) > 1 else []
    across, upright, *_ = [*main, None, None]
    return across, upright, next(iter(seconds), None)


def _axis_title(axis: Any | None) -> str:
    return "" if axis is None else _read_title(axis.find(qualify_tag("title", C)))


def _get_labels(plots: list[Any]) -> str:
    for plot in plots:
        for labels in plot.iter(qualify_tag("dLbls", C)):
            for name, word in _LABEL_CONTENTS.items():
                if _get_value(labels, name) == "1":
                    return word
    return "none"


def _read_title(title: Any) -> str:
    if title is None:
        return ""
    runs = [run.text or "" for run in title.iter(qualify_tag("t", A))]
    return "".join(runs) or next((entry.text or "" for entry in title.iter(qualify_tag("v", C))), "")


def _get_value(element: Any, name: str) -> str | None:
    value_element = element.find(qualify_tag(name, C))
    return None if value_element is None else value_element.get("val", "1")
