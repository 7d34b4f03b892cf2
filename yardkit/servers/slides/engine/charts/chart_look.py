"""The look of charts: colours of the theme, quiet axes and grid, titles, legend, labels."""

from __future__ import annotations

from typing import Any

from yardkit.servers.slides.engine.inputs import ChartLook
from yardkit.servers.slides.engine.looks.contrast import compute_contrast
from yardkit.servers.slides.engine.package.shape_tree import A
from yardkit.servers.slides.engine.package.theme import Look
from yardkit.servers.slides.engine.package.units import color_element, make_solid_fill
from yardkit.servers.slides.engine.text.paragraphs import as_paragraphs, write_paragraphs
from yardkit.world import Problem

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_ROUND_KINDS = ("pie", "doughnut")
_COVERING_KINDS = ("area", "radar_filled")
_LARGE = 1000
_TEXT_PT = 12.0
_TITLE = 4 / 3
"""A chart's title beside its other texts."""


def dress_chart(chart: Any, kind: str, colors: list[str | None]) -> None:
    """The look of a new chart: theme colours by series (by slice for pies), light grid, texts of 12 pt."""
    from pptx.enum.chart import XL_LEGEND_POSITION
    from pptx.util import Pt

    chart.font.size = Pt(_TEXT_PT)
    series = list(chart.series)
    chart.has_legend = len(series) > 1 or kind in _ROUND_KINDS
    if chart.has_legend:
        chart.legend.position = XL_LEGEND_POSITION.BOTTOM
        chart.legend.include_in_layout = False
    chart.has_title = False
    if kind in _ROUND_KINDS:
        _color_slices(chart, colors)
    else:
        color_series(chart, [given or f"accent{at % 6 + 1}" for at, given in enumerate(colors)])
        _quiet_axes(chart, kind)
        _even_markers(chart)
    if kind in _COVERING_KINDS and len(series) > 1:
        _let_through(chart)
    for plot in chart.plots:
        if kind.startswith(("column", "bar")):
            plot.gap_width = 60
            plot.overlap = 100 if "stacked" in kind else -10
    if kind == "scatter_smooth":  # python-pptx draws straight lines for it
        for data_series in chart.series:
            data_series._element.find(f"{C}smooth").set("val", "1")


def _even_markers(chart: Any) -> None:
    """Round markers of one size: those that programs choose by themselves differ, and are small."""
    from pptx.enum.chart import XL_MARKER_STYLE

    for plot in chart.plots:
        for series in plot.series:
            symbol = series._element.find(f"{C}marker/{C}symbol")
            if hasattr(series, "marker") and (symbol is None or symbol.get("val") != "none"):
                series.marker.style, series.marker.size = XL_MARKER_STYLE.CIRCLE, 7


def _let_through(chart: Any) -> None:
    """Series that cover each other let what is behind them be seen."""
    from lxml import etree

    for series in chart.plots[0].series:
        etree.SubElement(series._element.find(f"{C}spPr/{A}solidFill")[0], f"{A}alpha", val="60000")


def _quiet_axes(chart: Any, kind: str) -> None:
    from pptx.enum.chart import XL_TICK_LABEL_POSITION, XL_TICK_MARK
    from pptx.util import Pt

    value, category = _value_axis(chart), chart.category_axis
    if kind.endswith("_100") or _find_largest_value(chart) >= _LARGE:
        value.tick_labels.number_format = "0%" if kind.endswith("_100") else "#,##0"
        value.tick_labels.number_format_is_linked = False
    value.has_major_gridlines = True
    grid = value.major_gridlines.format.line
    grid.width = Pt(0.75)
    grid.fill.solid()
    _recolor_holder(grid.fill._xPr, "bg1", 85_000)
    if kind.startswith("radar"):
        value.major_tick_mark = XL_TICK_MARK.NONE
        value.format.line.fill.solid()
        _recolor_holder(value.format.line.fill._xPr, "bg1", 85_000)
    else:  # the labels stand at the edge also where values are below zero
        category.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    if kind.startswith(("scatter", "bubble")):
        value.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    elif not kind.startswith("radar"):
        value.format.line.fill.background()
    category.format.line.fill.solid()
    _recolor_holder(category.format.line.fill._xPr, "bg1", 65_000)
    if kind.startswith(("scatter", "bubble")):
        category.has_major_gridlines = False


def _value_axis(chart: Any) -> Any:
    """The axis of the values: of two the first, unless points have one across and one upright.

    Raises:
        ValueError: the chart has no axes.
    """
    from pptx.chart.axis import ValueAxis

    axes = chart._chartSpace.valAx_lst
    points = chart._chartSpace.find(f".//{C}catAx") is None and chart._chartSpace.find(f".//{C}dateAx") is None
    return chart.value_axis if points or not axes else ValueAxis(axes[0])


def _find_largest_value(chart: Any) -> float:
    """The largest value that the first axis shows."""
    values = [value for series in chart.plots[0].series for value in series.values if value is not None]
    return max(map(abs, values), default=0.0)


def _recolor_holder(holder: Any, scheme: str, luminance: int) -> None:
    from lxml import etree

    color = color_element(scheme)
    etree.SubElement(color, f"{A}lumMod", val=str(luminance))
    fill = holder.find(f"{A}solidFill")
    for old in list(fill):
        fill.remove(old)
    fill.append(color)


def color_series(chart: Any, colors: list[str | None]) -> None:
    """Paint series with the colours that are given; lines and markers as well as areas."""
    for plot in chart.plots:
        stroked = plot._element.tag.rsplit("}", 1)[-1] in ("lineChart", "scatterChart", "radarChart")
        filled = (
            plot._element.find(f"{C}radarStyle") is not None
            and plot._element.find(f"{C}radarStyle").get("val") == "filled"
        )
        for series in plot.series:
            at = int(series._element.find(f"{C}idx").get("val"))
            color = colors[at] if at < len(colors) else None
            if color:
                _paint_series(series, color, stroked=stroked and not filled)


def _paint_series(series: Any, color: str, *, stroked: bool) -> None:
    if not stroked:
        series.format.fill.solid()
        _swap_fill(series.format.fill._xPr, color)
        return
    line = series.format.line
    hidden = series._element.find(f"{C}spPr/{A}ln/{A}noFill") is not None
    if not hidden:
        line.fill.solid()
        _swap_fill(line.fill._xPr, color)
        line.width = line.width if series._element.find(f"{C}spPr/{A}ln").get("w") else 28_575
    symbol = series._element.find(f"{C}marker/{C}symbol")
    if symbol is None or symbol.get("val") != "none":
        for fill in (series.marker.format.fill, series.marker.format.line.fill):
            fill.solid()
            _swap_fill(fill._xPr, color)


def _swap_fill(holder: Any, color: str) -> None:
    old, new_fill = holder.find(f"{A}solidFill"), make_solid_fill(color)
    new_fill[0].extend(old.iterfind(f"./*/{A}alpha"))
    old.getparent().replace(old, new_fill)


def _color_slices(chart: Any, colors: list[str | None]) -> None:
    """Each slice a colour of its own unless one is given for all, with a thin white edge."""
    from pptx.util import Pt

    for given, series in zip(colors, chart.plots[0].series, strict=True):
        for at in range(len(list(series.values))):
            point = series.points[at].format
            point.fill.solid()
            _swap_element(point.fill._xPr, color_element(given or f"accent{at % 6 + 1}"))
            point.line.width = Pt(1)
            point.line.fill.solid()
            _swap_element(point.line.fill._xPr, color_element("bg1"))


def _swap_element(holder: Any, color: Any) -> None:
    fill = holder.find(f"{A}solidFill")
    for old in list(fill):
        fill.remove(old)
    fill.append(color)


def restyle_chart(slide: Any, chart: Any, look: ChartLook) -> None:
    """Change what `look` gives."""
    if look.font_size_pt is not None:
        _set_size(chart, look.font_size_pt)
    size = chart.font.size.pt if chart.font.size else _TEXT_PT
    if look.title is not None:
        _set_title(slide, chart, look.title, round(size * _TITLE))
    if look.legend is not None:
        _set_legend(chart, look.legend)
    axes = (look.category_title, look.value_title, look.value_min, look.value_max, look.gridlines)
    if any(axis is not None for axis in axes):
        _set_axes(slide, chart, look, size)
    if look.number_format is not None or look.data_labels is not None:
        _set_labels(slide, chart, look)
    if look.gap_percent is not None:
        with_gaps = [plot for plot in chart.plots if hasattr(plot, "gap_width")]
        if not with_gaps:
            raise Problem("gap_percent is only for column and bar charts; leave it out")
        for plot in with_gaps:
            plot.gap_width = look.gap_percent


def _set_size(chart: Any, size_pt: float) -> None:
    """The size of all texts; titles that are there keep to it."""
    from pptx.util import Pt

    chart.font.size = Pt(size_pt)
    for title in chart._chartSpace.iter(f"{C}title"):
        is_chart_title = title.getparent().tag == f"{C}chart"
        for properties in (run_properties for tag in ("rPr", "defRPr") for run_properties in title.iter(f"{A}{tag}")):
            properties.set("sz", str(round(size_pt * _TITLE if is_chart_title else size_pt) * 100))


def _set_title(slide: Any, holder: Any, text: str, size_pt: float) -> None:
    """The title of a chart or an axis, in the format that it has."""
    from pptx.util import Pt

    axis = not hasattr(type(holder), "chart_title")  # asking the chart itself would make a title
    had = holder.has_title
    holder.has_title = bool(text)
    if not text:
        return
    frame = (holder.axis_title if axis else holder.chart_title).text_frame
    write_paragraphs(slide, frame._txBody, as_paragraphs([text.strip("\t")]))
    if not had:
        for run in frame.paragraphs[0].runs:
            run.font.size = Pt(size_pt)
            run.font.bold = not axis
    if not axis:
        holder.chart_title.include_in_layout = False


def _set_legend(chart: Any, place: str) -> None:
    from pptx.enum.chart import XL_LEGEND_POSITION

    chart.has_legend = place != "none"
    if chart.has_legend:
        chart.legend.position = getattr(XL_LEGEND_POSITION, place.upper())
        chart.legend.include_in_layout = False


def _set_axes(slide: Any, chart: Any, look: ChartLook, size_pt: float) -> None:
    try:
        category, value = chart.category_axis, _value_axis(chart)
    except ValueError as error:
        raise Problem("this chart has no axes; leave the titles and limits of axes out") from error
    for axis, text in ((category, look.category_title), (value, look.value_title)):
        if text is not None:
            _set_title(slide, axis, text, size_pt)
    if look.value_min is not None:
        value.minimum_scale = look.value_min
    if look.value_max is not None:
        value.maximum_scale = look.value_max
    if look.gridlines is not None:
        value.has_major_gridlines = look.gridlines


def _set_labels(slide: Any, chart: Any, look: ChartLook) -> None:
    for plot in chart.plots:
        if not hasattr(type(plot._element), "dLbls"):
            if look.data_labels:
                raise Problem("data_labels are not supported in scatter and bubble charts; leave them out")
            continue
        if look.data_labels is not None:
            plot.has_data_labels = look.data_labels
        if plot.has_data_labels:
            plot.data_labels.show_value = True
            if look.data_labels:
                _dress_labels(slide, plot)
            number_format = look.number_format or (_axis_format(chart) if look.data_labels else None)
            if number_format:
                plot.data_labels.number_format, plot.data_labels.number_format_is_linked = number_format, False
    if look.number_format and chart._chartSpace.find(f".//{C}valAx") is not None:
        labels = _value_axis(chart).tick_labels
        labels.number_format, labels.number_format_is_linked = look.number_format, False


def _axis_format(chart: Any) -> str | None:
    """The format that the axis was given, unless that is of shares, which labels do not show."""
    number_format = chart._chartSpace.find(f".//{C}valAx/{C}numFmt")
    own = (
        number_format is not None
        and number_format.get("sourceLinked") in ("0", "false")
        and "%" not in number_format.get("formatCode")
    )
    return number_format.get("formatCode") if own else None


def _dress_labels(slide: Any, plot: Any) -> None:
    """Labels over the points of lines; those that lie in bars or slices in a colour that is read on all of them."""
    from pptx.enum.chart import XL_LABEL_POSITION
    from pptx.enum.dml import MSO_THEME_COLOR

    if plot._element.tag == f"{C}lineChart":
        plot.data_labels.position = XL_LABEL_POSITION.ABOVE
    inside = plot._element.tag in (f"{C}pieChart", f"{C}doughnutChart") or (
        plot._element.tag == f"{C}barChart" and plot._element.grouping_val in ("stacked", "percentStacked")
    )
    if not inside:
        return
    look = Look(slide)
    fills = plot._element.xpath(".//c:ser/c:spPr/a:solidFill | .//c:dPt/c:spPr/a:solidFill")
    behind = [color for color in map(look.color, fills) if color]
    shades = {"bg1": MSO_THEME_COLOR.BACKGROUND_1, "tx1": MSO_THEME_COLOR.TEXT_1}
    seen = {
        name: look.colors.get(look.map[name]) or default_color
        for name, default_color in (("bg1", "FFFFFF"), ("tx1", "000000"))
    }
    best = max(seen, key=lambda name: min((compute_contrast(seen[name], color) for color in behind), default=0))
    plot.data_labels.font.color.theme_color = shades[best]
    plot.data_labels.font.bold = True
