"""Charts of several kinds in one: series drawn as lines, columns or areas over the others, also on a second axis."""

from __future__ import annotations

from typing import Any

from yardkit.servers.slides.engine.inputs import Series
from yardkit.world import Problem

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_SPACE = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
_BASE_KINDS = ("column", "line", "area")
_ONLY_THERE = {
    "bar": ("invertIfNegative", "pictureOptions", "shape"),
    "line": ("marker", "smooth"),
    "area": ("pictureOptions",),
}
_PLOTS = {
    "column": '<c:barChart {}><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>'
    '<c:gapWidth val="60"/>{}</c:barChart>',
    "line": '<c:lineChart {}><c:grouping val="standard"/><c:varyColors val="0"/><c:marker val="1"/>{}</c:lineChart>',
    "area": '<c:areaChart {}><c:grouping val="standard"/><c:varyColors val="0"/>{}</c:areaChart>',
}
_AXES = (
    '<c:valAx {space}><c:axId val="{value}"/><c:scaling><c:orientation val="minMax"/></c:scaling>'
    '<c:delete val="0"/><c:axPos val="r"/><c:numFmt formatCode="General" sourceLinked="1"/>'
    '<c:majorTickMark val="none"/>'
    '<c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>'
    '<c:spPr><a:ln xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:noFill/></a:ln></c:spPr>'
    '<c:crossAx val="{category}"/><c:crosses val="max"/>'
    "</c:valAx>",
    '<c:catAx {space}><c:axId val="{category}"/><c:scaling><c:orientation val="minMax"/></c:scaling>'
    '<c:delete val="1"/><c:axPos val="b"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/>'
    '<c:tickLblPos val="nextTo"/><c:crossAx val="{value}"/><c:crosses val="autoZero"/></c:catAx>',
)


def is_mixed(series: list[Series]) -> bool:
    """Whether some series are drawn in another way than the rest."""
    return any(data_series.kind is not None or data_series.second_axis for data_series in series)


def mix_series(chart: Any, kind: str, series: list[Series]) -> None:
    """Draw the series that say so as another kind or on a second axis; `chart` is a new one of `kind`.

    Raises:
        Problem: the kinds cannot stand in one chart.
    """
    if not is_mixed(series):
        return
    base = kind.split("_")[0]
    if base not in _BASE_KINDS:
        raise Problem(f"a {kind} chart cannot be combined with others; {', '.join(_BASE_KINDS)} can")
    moved = [
        (at, data_series)
        for at, data_series in enumerate(series)
        if data_series.second_axis or (data_series.kind or base) != base
    ]
    if len(moved) == len(series):
        raise Problem(f"no series is left for the {kind} chart; keep one in it, or choose another kind")
    area = chart._chartSpace.find(f"{C}chart/{C}plotArea")
    first = next(child for child in area if child.find(f"{C}ser") is not None)
    elements = {int(element.find(f"{C}idx").get("val")): element for element in first.iterfind(f"{C}ser")}
    plots: dict[tuple[str, bool], Any] = {}
    for at, data_series in moved:
        key = (data_series.kind or base, data_series.second_axis)
        if key not in plots:
            plots[key] = _add_plot(area, first, *key)
        _move_series(elements[at], first, plots[key])


def _add_plot(area: Any, first: Any, kind: str, second: bool) -> Any:
    """An empty plot after the others, on the axes of the first one or on second ones."""
    from pptx.oxml import parse_xml

    axes = [element.get("val") for element in first.iterfind(f"{C}axId")]
    if second:
        axes = _second_axes(area, axes)
    plot = parse_xml(_PLOTS[kind].format(_SPACE, "".join(f'<c:axId val="{axis}"/>' for axis in axes)))
    last = [child for child in area if child.find(f"{C}axId") is not None and str(child.tag).endswith("Chart")][-1]
    last.addnext(plot)
    return plot


def _second_axes(area: Any, first: list[str]) -> list[str]:
    """The ids of the second category and value axis, made where there are none."""
    from pptx.oxml import parse_xml

    known = [axis.find(f"{C}axId").get("val") for axis in area if str(axis.tag).endswith("Ax")]
    others = [axis for axis in known if axis not in first]
    if others:
        return others[::-1]
    category, value = (str(max(int(axis) for axis in known) + step) for step in (1, 2))
    last = [child for child in area if str(child.tag).endswith("Ax")][-1]
    for text in reversed(_AXES):
        last.addnext(parse_xml(text.format(space=_SPACE, category=category, value=value)))
    return [category, value]


def _move_series(series: Any, source: Any, plot: Any) -> None:
    """Put a series into another plot, with what belongs to the first kind only taken out."""
    was, now = (str(element.tag).rpartition("}")[2].removesuffix("Chart") for element in (source, plot))
    for name in _ONLY_THERE[was] if was != now else ():
        for child in series.findall(f"{C}{name}"):
            series.remove(child)
    if now == "line" and series.find(f"{C}smooth") is None:
        series.append(series.makeelement(f"{C}smooth", {"val": "0"}))
    heads = (f"{C}barDir", f"{C}grouping", f"{C}varyColors", f"{C}ser")
    next(child for child in plot if child.tag not in heads).addprevious(series)
