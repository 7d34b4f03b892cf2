"""Charts: made with a workbook inside, read, their data replaced in both places, their look changed."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.xml import parse_part
from yardkit.servers.slides.engine.charts import chart_categories as labels
from yardkit.servers.slides.engine.charts import chart_workbooks, extra_sheets
from yardkit.servers.slides.engine.charts.chart_look import color_series, dress_chart, restyle_chart
from yardkit.servers.slides.engine.charts.mixed_charts import is_mixed, mix_series
from yardkit.servers.slides.engine.inputs import ChartLook, Series, ShapeKey
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import A, Box, R, find_shape
from yardkit.servers.slides.engine.results import ChartData, ChartSeries
from yardkit.servers.slides.engine.text.paragraphs import clean_text
from yardkit.world import Problem

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
KINDS = {
    "column": "COLUMN_CLUSTERED",
    "column_stacked": "COLUMN_STACKED",
    "column_stacked_100": "COLUMN_STACKED_100",
    "bar": "BAR_CLUSTERED",
    "bar_stacked": "BAR_STACKED",
    "bar_stacked_100": "BAR_STACKED_100",
    "line": "LINE",
    "line_markers": "LINE_MARKERS",
    "area": "AREA",
    "area_stacked": "AREA_STACKED",
    "area_stacked_100": "AREA_STACKED_100",
    "pie": "PIE",
    "doughnut": "DOUGHNUT",
    "radar": "RADAR",
    "radar_markers": "RADAR_MARKERS",
    "radar_filled": "RADAR_FILLED",
    "scatter": "XY_SCATTER",
    "scatter_lines": "XY_SCATTER_LINES",
    "scatter_smooth": "XY_SCATTER_SMOOTH",
    "bubble": "BUBBLE",
}
_POINT_KINDS = ("scatter", "scatter_lines", "scatter_smooth", "bubble")


def add(
    path: Path,
    slide: int,
    kind: str,
    categories: list[str],
    series: list[Series],
    box: Box,
    look: ChartLook,
    now: datetime,
) -> int:
    """Add a chart with its data in a workbook inside; the id of its shape."""
    data = _build_data(kind, categories, series, look.number_format)
    with edit_deck(path) as deck:
        place = [round(value) for value in vars(box).values()]
        frame = deck.get_slide(slide).shapes.add_chart(_get_chart_type(kind), *place, data)
        _settle_workbook(frame.chart, now)
        mix_series(frame.chart, kind, series)
        dress_chart(frame.chart, kind, [data_series.color for data_series in series])
        restyle_chart(deck.get_slide(slide), frame.chart, look)
        _promise_values(deck, slide, frame.shape_id, series)
    return int(frame.shape_id)


def _get_chart_type(kind: str) -> Any:
    from pptx.enum.chart import XL_CHART_TYPE

    return getattr(XL_CHART_TYPE, KINDS[kind])


def _build_data(
    kind: str, categories: list[str], series: list[Series], number_format: str | None, space: Any = None
) -> Any:
    """The data of a chart; formats of values and kinds of categories are those of the `c:chartSpace` there was."""
    from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData

    _check_data(kind, categories, series)
    formats = {} if number_format or space is None else _list_formats(space)
    usual = number_format or next(iter(formats.values()), "General")
    if kind not in _POINT_KINDS:
        data = CategoryChartData(number_format=usual)
        labels.set_categories(
            data, None if space is None else space.find(f".//{C}ser/{C}cat"), [str(category) for category in categories]
        )
        for data_series in series:
            data.add_series(clean_text(data_series.name), data_series.values, formats.get(data_series.name))
        return data
    points = BubbleChartData(number_format=usual) if kind == "bubble" else XyChartData(number_format=usual)
    for data_series in series:
        new_series = points.add_series(clean_text(data_series.name), formats.get(data_series.name))
        for at, value in enumerate(data_series.values):
            new_series.add_data_point(data_series.x[at], value, *([data_series.size[at]] if kind == "bubble" else []))
    return points


def _list_formats(space: Any) -> dict[str, str]:
    """How the values of each series are shown, by its name."""
    series_formats = {}
    for series in space.iter(f"{C}ser"):
        holder = series.find(f"{C}val") if series.find(f"{C}val") is not None else series.find(f"{C}yVal")
        code = None if holder is None else holder.findtext(f".//{C}formatCode")
        if code:
            series_formats[_read_series(series).name] = code
    return series_formats


def _check_data(kind: str, categories: list[str], series: list[Series]) -> None:
    if not series or sum(len(data_series.values) for data_series in series) > labels.MAX_POINTS:
        raise Problem(f"a chart needs at least one series and at most {labels.MAX_POINTS:,} values")
    if [name for name, count in Counter(data_series.name for data_series in series).items() if count > 1]:
        raise Problem("two series have the same name; rename one")
    for data_series in series:
        if kind in _POINT_KINDS:
            sizes = [len(data_series.x)] + ([len(data_series.size)] if kind == "bubble" else [])
            if set(sizes) != {len(data_series.values)} or None in data_series.values:
                needs = "x and size" if kind == "bubble" else "x"
                raise Problem(
                    f"the series {data_series.name!r} of a {kind} chart needs {needs} for each of its values, "
                    "and no null"
                )
        elif len(data_series.values) != len(categories) or not categories:
            raise Problem(
                f"the series {data_series.name!r} has {len(data_series.values)} values for {len(categories)} categories"
            )
    if kind in ("pie", "doughnut") and len(series) > 1 and kind == "pie":
        raise Problem("a pie shows one series; give one, or choose doughnut or column")


def chart_of(deck: Deck, slide: int, key: ShapeKey) -> Any:
    """The graphic frame of a chart.

    Raises:
        Problem: the shape is no chart.
    """
    shape = find_shape(deck.get_slide(slide), key).shape
    if not getattr(shape, "has_chart", False):
        raise Problem(
            f"shape {shape.shape_id} {shape.name!r} is not a chart that can be changed; use read_slides "
            "to see the charts"
        )
    return shape


def edit_chart(
    path: Path,
    slide: int,
    key: ShapeKey,
    *,
    kind: str | None,
    categories: list[str] | None,
    series: list[Series] | None,
    look: ChartLook,
    now: datetime,
) -> tuple[ChartData, list[str]]:
    """Change the data, the kind or the look of a chart; data also in its workbook, which is written anew.

    Returns:
        What the chart shows now, and what to know besides.
    """
    notes = []
    with edit_deck(path) as deck:
        frame = chart_of(deck, slide, key)
        if kind is None and categories is None and series is None and look == ChartLook():
            raise Problem("no change was given; give series, categories, kind or look")
        if kind is not None or categories is not None or series is not None:
            frame = _renew_chart(deck, slide, frame, kind, categories, series, look, now)
            notes = extra_sheets.sheet_notes(frame.chart)
        restyle_chart(deck.get_slide(slide), frame.chart, look)
        expected_series = series if series is not None else _as_series(read_chart(frame))
        _promise_values(deck, slide, frame.shape_id, expected_series, book=series is not None)
    return read_chart(frame), notes


def _as_series(data: ChartData) -> list[Series]:
    return [
        Series(chart_series.name, chart_series.values, chart_series.x, chart_series.size)
        for chart_series in data.series
    ]


def _renew_chart(
    deck: Deck,
    slide: int,
    frame: Any,
    kind: str | None,
    categories: list[str] | None,
    series: list[Series] | None,
    look: ChartLook,
    now: datetime,
) -> Any:
    old = read_chart(frame)
    chart = frame.chart
    _check_linked(chart)
    before = extra_sheets.ChartWorkbook.from_chart(chart)
    given = series if series is not None else _as_series(old)
    names = categories if categories is not None else old.categories
    anew = kind is not None and kind != old.kind
    if is_mixed(given):
        kind, anew = kind or old.kind.split(" + ")[0], True
    elif not anew:
        given = _in_place(old, given)
    now_kind = kind or old.kind
    data_kind = now_kind if now_kind in _POINT_KINDS or now_kind in KINDS else "column"
    data = _build_data(data_kind, names, given, look.number_format, chart._chartSpace)
    if anew and kind is not None:
        _rebuild_chart(chart, kind, data)
        chart = chart_of(deck, slide, frame.shape_id).chart
        mix_series(chart, kind, given)
        dress_chart(chart, kind, [data_series.color for data_series in given])
        restyle_chart(deck.get_slide(slide), chart, ChartLook(title=old.title or None, legend=None))
    else:
        chart.replace_data(data)
        color_series(chart, [data_series.color for data_series in given])
    _settle_workbook(chart, now, before)
    return chart_of(deck, slide, frame.shape_id)


def _in_place(old: ChartData, given: list[Series]) -> list[Series]:
    """The series in the order in which a chart of several kinds holds them; any other chart takes them as they come."""
    if " + " not in old.kind:
        return given
    order = [chart_series.name for chart_series in old.series]
    if sorted(order) != sorted(series.name for series in given):
        raise Problem(
            f"the chart combines kinds ({old.kind}) over the series {', '.join(map(repr, order))}; give "
            "only these, or all series with their kind to redraw it"
        )
    return sorted(given, key=lambda series: order.index(series.name))


def _check_linked(chart: Any) -> None:
    external = chart._chartSpace.find(f"{C}externalData")
    identity = None if external is None else external.get(f"{R}id")
    if identity and identity in chart.part.rels and chart.part.rels[identity].is_external:
        raise Problem("the data of this chart are in a linked file; change them there")


def _rebuild_chart(chart: Any, kind: str, data: Any) -> None:
    """Draw the chart anew as another kind over a new workbook."""
    from pptx.chart.xmlwriter import ChartXmlWriter
    from pptx.oxml import parse_xml

    external = chart._chartSpace.find(f"{C}externalData")
    fresh = parse_xml(ChartXmlWriter(_get_chart_type(kind), data).xml.encode())
    space = chart._chartSpace
    for child in list(space):
        space.remove(child)
    for child in list(fresh):
        space.append(child)
    if external is not None:
        space.append(external)
    chart.part.chart_workbook.update_from_xlsx_blob(data._workbook_writer.xlsx_blob)


def _settle_workbook(chart: Any, now: datetime, before: extra_sheets.ChartWorkbook | None = None) -> None:
    """Give the chart its workbook: the new one, or that of `before` with the new data if it holds other sheets."""
    from pptx.parts.embeddedpackage import EmbeddedXlsxPart

    holder = chart.part.chart_workbook
    fresh = chart_workbooks.stamp_workbook(holder.xlsx_part.blob, now)
    book = None if before is None else extra_sheets.with_old_sheets(before, fresh, chart._chartSpace)
    if book is None and holder.xlsx_part.content_type != EmbeddedXlsxPart.content_type:
        # An .xlsb, an .xlsm or an OLE object: no program opens another kind of workbook under its name.
        chart.part.rels.pop(chart._chartSpace.xlsx_part_rId)
        holder.xlsx_part = EmbeddedXlsxPart.new(fresh, chart.part.package)
    holder.xlsx_part._blob = book or fresh


def _promise_values(deck: Deck, slide: int, identity: int, series: list[Series], *, book: bool = True) -> None:
    def holds(saved: Deck) -> bool:
        frame = chart_of(saved, slide, identity)
        chart_data = read_chart(frame)
        same = {chart_series.name: chart_series.values for chart_series in chart_data.series} == {
            clean_text(data_series.name): data_series.values for data_series in series
        }
        if not book:
            return same
        workbook_bytes = frame.chart.part.chart_workbook.xlsx_part.blob
        inside = Counter(chart_workbooks.list_numbers(extra_sheets.sheet_part(workbook_bytes, frame.chart._chartSpace)))
        expected_counts = Counter(
            chart_workbooks.in_15_digits(value)
            for data_series in series
            for value in data_series.values
            if value is not None
        )
        return same and not expected_counts - inside

    deck.promise("the values in the chart and in its workbook", holds)


def read_chart(frame: Any) -> ChartData:
    """What a chart shows, from its own XML: all kinds, also combined ones."""
    space = frame.chart._chartSpace
    area = space.find(f"{C}chart/{C}plotArea")
    plots = [child for child in area if child.find(f"{C}ser") is not None] if area is not None else []
    series = [_read_series(element) for plot in plots for element in plot.iterfind(f"{C}ser")]
    first = plots[0].find(f"{C}ser") if plots else None
    title = space.find(f"{C}chart/{C}title")
    titles = {paragraph for title in space.iter(f"{C}title") for paragraph in title.iter(f"{A}p")}
    written = [paragraph for root in (space, *_drawn_on(frame)) for paragraph in root.iter(f"{A}p")]
    return ChartData(
        kind=" + ".join(dict.fromkeys(_get_kind(plot) for plot in plots)),
        title="" if title is None else "".join(text.text or "" for text in title.iter(f"{A}t")),
        categories=[] if first is None else labels.category_labels(first.find(f"{C}cat")),
        series=series,
        axis_titles=[
            "".join(text.text or "" for text in title.iter(f"{A}t"))
            for title in ([] if area is None else area.iterfind(f"./*/{C}title"))
        ],
        texts=[
            text
            for paragraph in written
            if paragraph not in titles and (text := "".join(node.text or "" for node in paragraph.iter(f"{A}t")))
        ],
    )


def _drawn_on(frame: Any) -> list[Any]:
    """The boxes and lines that were drawn onto a chart."""
    shape_relations = [
        relation for relation in frame.chart.part.rels.values() if relation.reltype.endswith("/chartUserShapes")
    ]
    parts = [relation.target_part for relation in shape_relations if not relation.is_external]
    return [parse_part(part.blob, str(part.partname)) for part in parts]


def _get_kind(plot: Any) -> str:
    name = plot.tag.rsplit("}", 1)[-1].removesuffix("Chart")
    grouping = plot.find(f"{C}grouping")
    group = {"stacked": "_stacked", "percentStacked": "_stacked_100"}.get(
        "" if grouping is None else grouping.get("val", ""), ""
    )
    if name in ("bar", "bar3D"):
        direction = plot.find(f"{C}barDir")
        name = name.replace("bar", "bar" if direction is not None and direction.get("val") == "bar" else "column")
    style = plot.find(f"{C}{name}Style")
    styled = "" if style is None else style.get("val", "")
    if name == "line" and any(_has_markers(element) for element in plot.iterfind(f"{C}ser")):
        return f"line_markers{group}"
    if name == "radar" and styled == "marker" and any(_has_markers(element) for element in plot.iterfind(f"{C}ser")):
        return "radar_markers"
    if name == "scatter":
        return {"smoothMarker": "scatter_smooth", "lineMarker": _get_scatter_kind(plot)}.get(styled, "scatter")
    return f"{name}_filled" if name == "radar" and styled == "filled" else f"{name}{group}"


def _has_markers(series: Any) -> bool:
    symbol = series.find(f"{C}marker/{C}symbol")
    return symbol is None or symbol.get("val") != "none"


def _get_scatter_kind(plot: Any) -> str:
    lines = [element.find(f"{C}spPr/{A}ln/{A}noFill") for element in plot.iterfind(f"{C}ser")]
    return "scatter" if all(line is not None for line in lines) else "scatter_lines"


def _read_series(element: Any) -> ChartSeries:
    name = element.find(f"{C}tx")
    values = element.find(f"{C}val") if element.find(f"{C}val") is not None else element.find(f"{C}yVal")
    return ChartSeries(
        name="" if name is None else "".join(value.text or "" for value in name.iter(f"{C}v")),
        values=[_parse_number(value) for value in labels.cached_points(values)],
        x=[_parse_number(value) or 0.0 for value in labels.cached_points(element.find(f"{C}xVal"))],
        size=[_parse_number(value) or 0.0 for value in labels.cached_points(element.find(f"{C}bubbleSize"))],
    )


def _parse_number(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"-?[0-9.]+([eE][-+]?\d+)?", text) else None
