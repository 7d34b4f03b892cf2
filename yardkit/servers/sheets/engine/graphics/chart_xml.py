"""The XML of a chart from its description."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.servers.sheets.engine.cells.grid import Content, Grid
from yardkit.servers.sheets.engine.cells.ranges import format_reference, list_contents, source_of, used_part
from yardkit.servers.sheets.engine.graphics.chart_spec import MAKES, POINTS, ROUND, ChartInfo, Series
from yardkit.servers.sheets.engine.notation.references import Area
from yardkit.servers.sheets.engine.notation.values import is_date_format, to_serial, to_stored_value
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xlsxwriter_parts import build_scratch_parts
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

if TYPE_CHECKING:
    import xlsxwriter

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
MAX_SERIES = 255
_ACCENTS = 6
_LAYERED_TYPES = ("area", "filled_radar")
_UP_DOWN = {"up": {"fill": {"color": "white"}, "border": {"color": "black"}},
            "down": {"fill": {"color": "#404040"}, "border": {"color": "black"}}}  # fmt: skip
_TICK_MARKS = {"major_tick_mark": "outside", "minor_tick_mark": "none"}
_GRID_LINES = {"visible": True, "line": {"color": "#D9D9D9"}}
_LABEL_PARTS = ("showLegendKey", "showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize")
_BEHIND_PARTS = {qualify_tag(name, C) for name in ("separator", "showLeaderLines", "leaderLines", "extLst")}
_BEHIND_OVERLAY = {qualify_tag(name, C) for name in ("spPr", "txPr", "extLst")}
_BUBBLE = """<c:bubbleSize xmlns:c="{c}"><c:numRef><c:f>{formula}</c:f></c:numRef></c:bubbleSize>"""


@dataclass(frozen=True)
class _Range:
    """A range that a chart shows, with what is in it."""

    sheet: str
    area: Area
    rows: list[list[Content | None]]
    code: str
    """The number format of its first value."""

    @property
    def formula(self) -> str:
        return "=" + format_reference(self.sheet, self.area)

    @property
    def date_format(self) -> bool:
        cells = [content for row in self.rows for content in row if content is not None]
        return bool(cells) and all(content.kind == "date" for content in cells)


class Sources:
    """The ranges of a workbook that charts show; each sheet is read once."""

    def __init__(self, book: Workbook, sheet: str) -> None:
        self.book = book
        self.sheet = sheet
        self._grids: dict[str, Grid] = {}

    def grid(self, name: str) -> Grid:
        if name not in self._grids:
            self._grids[name] = Grid(self.book, self.book.sheet(name))
        return self._grids[name]

    def get_range(self, text: str) -> _Range:
        """The range that `text` names.

        Raises:
            Problem: no such range, or it has more than one row and more than one column.
        """
        info, area = source_of(self.book, text, self.sheet)
        area = used_part(self.grid(info.name), area)
        rows = list_contents(self.grid(info.name), area)
        numbers = (
            content for row in rows for content in row if content is not None and content.kind in ("number", "date")
        )
        first = next(numbers, None)
        code = "General" if first is None else self.book.styles.number_format(first.style)
        return _Range(info.name, area, rows, code)

    def line(self, text: str) -> _Range:
        source_range = self.get_range(text)
        if source_range.area.rows > 1 and source_range.area.columns > 1:
            raise Problem(f"{text!r} has several rows and columns; a series needs one row or one column")
        return source_range


def series_of(sources: Sources, data: str, chart: str) -> list[Series]:
    """The series of a block of cells: a column each, named by the first row where that is text, the first column as
    categories where it holds text or dates (always as x values for scatter and bubble charts).

    Raises:
        Problem: no such range, or no numbers in it.
    """
    block = sources.get_range(data)
    body = block.rows[1:] if _has_header(block.rows) else block.rows
    first = block.area.bottom - len(body) + 1
    if not body:
        raise Problem(f"{data!r} has only one row of text; include the header and the rows below it")

    def column(index: int) -> str:
        left = block.area.left + index
        return format_reference(block.sheet, Area(first, left, block.area.bottom, left))

    labelled = chart in POINTS or (block.area.columns > 1 and _is_labels(body, block))
    categories = column(0) if labelled and block.area.columns > 1 else ""
    columns = range(1 if categories else 0, block.area.columns)

    def name(index: int) -> str:
        place = Area(block.area.top, block.area.left + index, block.area.top, block.area.left + index)
        return "=" + format_reference(block.sheet, place) if first > block.area.top else ""

    if chart == "bubble":
        pairs = zip(columns[::2], columns[1::2], strict=False)
        return [Series(column(y), name(y), categories, column(size)) for y, size in pairs]
    return [Series(column(index), name(index), categories) for index in columns]


def chart_xml(sources: Sources, info: ChartInfo) -> Any:
    """The root element of the chart part for `info`, with the values that it shows.

    Raises:
        Problem: the series do not fit the type, or a range is none.
    """
    _check_chart(info)
    parts = build_scratch_parts(lambda book: _build_chart(book, sources, info))
    root = parts["xl/charts/chart1.xml"]
    for number_reference in root.iter(qualify_tag("numRef", C)):
        code = number_reference.find(f"{qualify_tag('numCache', C)}/{qualify_tag('formatCode', C)}")
        if code is not None:
            code.text = sources.get_range(number_reference.findtext(qualify_tag("f", C))).code
    for trendline in root.iter(qualify_tag("trendline", C)):
        _without_equation(trendline)
    _write_defaults(root)
    for plot in ("lineChart", "scatterChart"):
        for series in root.iterfind(f".//{qualify_tag(plot, C)}/{qualify_tag('ser', C)}"):
            _keep_straight(series)
    if info.type == "bubble":
        _as_bubbles(root, sources, info)
    if info.type == "scatter":
        _paint_markers(root, info)
    if info.type in _LAYERED_TYPES and len(info.series) > 1:
        _let_through(root, info)
    return root


def _write_defaults(root: Any) -> None:
    """Say what XlsxWriter leaves out, as Excel 2007 did: in files of later versions the unsaid means yes."""
    from lxml import etree

    def make_false_flag(name: str) -> Any:
        return etree.Element(qualify_tag(name, C), val="0")

    for labels in root.iter(qualify_tag("dLbls", C)):
        flags = [labels.find(qualify_tag(name, C)) for name in _LABEL_PARTS]
        rest = [label for label in labels if label.tag in _BEHIND_PARTS]
        labels.extend(
            make_false_flag(name) if flag is None else flag for name, flag in zip(_LABEL_PARTS, flags, strict=True)
        )
        labels.extend(rest)
    for lying in root.iter(qualify_tag("title", C), qualify_tag("legend", C)):
        if lying.find(qualify_tag("overlay", C)) is None:
            before = [name for name in lying if name.tag not in _BEHIND_OVERLAY]
            before[-1].addnext(make_false_flag("overlay"))
    if root.find(qualify_tag("roundedCorners", C)) is None:
        root.find(qualify_tag("lang", C)).addnext(make_false_flag("roundedCorners"))


def _keep_straight(series: Any) -> None:
    """Say that lines are straight where nothing is said: Excel draws them so, LibreOffice bends them."""
    from lxml import etree

    if series.find(qualify_tag("smooth", C)) is None:
        etree.SubElement(series, qualify_tag("smooth", C), val="0")


def _check_chart(info: ChartInfo) -> None:
    if not info.series or len(info.series) > MAX_SERIES:
        raise Problem(f"a chart can have 1 to {MAX_SERIES} series, not {len(info.series)}; give cells with numbers")
    kinds = {series.type or info.type for series in info.series}
    unknown = sorted(kinds - MAKES.keys())
    if unknown:
        raise Problem(f"{unknown[0]!r} is not a supported chart type; use one of {', '.join(MAKES)}")
    if len(kinds) > 2:
        raise Problem(f"a combined chart has two types, not {len(kinds)}: {', '.join(sorted(kinds))}")
    if len(kinds) == 2 and kinds & {"bubble", "stock", "pie", "doughnut", "radar", "filled_radar"}:
        raise Problem(f"{' and '.join(sorted(kinds))} cannot be combined in one chart; combine column, bar, line, area")
    _check_second_axis(info)
    if info.type == "stock" and len(info.series) not in (3, 4):
        raise Problem(f"a stock chart needs high, low, close (or open before them), not {len(info.series)} series")
    if info.type == "bubble" and not all(series.sizes and series.categories for series in info.series):
        raise Problem("each series of a bubble chart needs categories (x), values (y) and sizes")
    if info.type in ("scatter", "scatter_lines") and not all(series.categories for series in info.series):
        raise Problem("each series of a scatter chart needs categories (the x values)")


def _check_second_axis(info: ChartInfo) -> None:
    on_it = [series for series in info.series if series.second_axis]
    if on_it and info.type in (*ROUND, "bubble", "radar", "filled_radar"):
        raise Problem(f"a {info.type} chart has no second axis; leave second_axis out")
    if len(on_it) == len(info.series):
        raise Problem("all series are on the second axis; leave second_axis out for at least one")
    if info.y2_title and not on_it:
        raise Problem(f"there is no second axis for the title {info.y2_title!r}; give a series second_axis=true")


def _build_chart(book: xlsxwriter.Workbook, sources: Sources, info: ChartInfo) -> None:
    chart = _make_chart(book, info.type)
    others = [data_series for data_series in info.series if (data_series.type or info.type) != info.type]
    plots = [(chart, [data_series for data_series in info.series if data_series not in others])]
    if others:
        second = _make_chart(book, others[0].type or info.type)
        plots.append((second, others))
    ranges = _add_all(plots, sources, info)
    for plot, series in plots:
        second = [data_series for data_series in series if data_series.second_axis]
        if second:
            title = {"name": info.y2_title} if info.y2_title else {}
            plot.set_y2_axis(_TICK_MARKS | title | _number_format(sources, second[0].values))
    if others:
        chart.combine(plots[1][0])
    _dress_chart(
        chart, info, sources, dated=next((source_range.code for source_range in ranges if source_range.date_format), "")
    )
    front = book.add_worksheet("Sheet that no workbook has, :"[:27].replace(":", ""))
    front.insert_chart("A1", chart)
    _fill_ranges(book, ranges)


def _make_chart(book: xlsxwriter.Workbook, kind: str) -> Any:
    chart_type, subtype = MAKES[kind]
    return book.add_chart({"type": chart_type, "subtype": subtype} if subtype else {"type": chart_type})


def _add_all(plots: list[tuple[Any, list[Series]]], sources: Sources, info: ChartInfo) -> list[_Range]:
    ranges: list[_Range] = []
    for chart, series in plots:
        if not series:
            raise Problem(f"no series has the chart's type {info.type!r}; use the type that most series have")
        for data_series in series:
            options: dict[str, Any] = {"values": _note_range(ranges, sources.line(data_series.values))}
            if data_series.categories:
                options["categories"] = _note_range(ranges, sources.line(data_series.categories))
            if data_series.name.startswith("="):
                options["name"] = _note_range(ranges, sources.line(data_series.name))
            elif data_series.name:
                options["name"] = data_series.name
            chart.add_series(options | _series_look(data_series, info))
    return ranges


def _note_range(ranges: list[_Range], source_range: _Range) -> str:
    ranges.append(source_range)
    return source_range.formula


def _series_look(series: Series, info: ChartInfo) -> dict[str, Any]:
    options: dict[str, Any] = {"y2_axis": True} if series.second_axis else {}
    kind = series.type or info.type
    if series.trendline:
        if kind in ROUND or kind.startswith(("stacked", "percent", "radar", "filled")):
            raise Problem(f"a {kind} chart cannot have trendlines; use column, bar, line, area or scatter")
        moving = series.trendline == "moving_average"
        trend = "exponential" if series.trendline == "exponential" else series.trendline
        options["trendline"] = {"type": trend, "period": 2} if moving else {"type": trend}
    if info.labels != "none":
        options["data_labels"] = {"value" if info.labels == "value" else info.labels: True}
    color = f"#{series.color or '000000'}"
    if kind == "scatter":
        options["marker"] = {"type": "circle", "size": 7, "fill": {"color": color}, "border": {"color": color}}
    elif series.color:
        line = kind in ("line", "stacked_line", "scatter_lines", "radar")
        options["line" if line else "fill"] = {"color": color}
    if info.labels == "percentage" and kind not in ROUND:
        raise Problem(f"a {kind} chart has no percentage labels; use labels='value', or a pie")
    return options


def _number_format(sources: Sources, values: str) -> dict[str, Any]:
    """The format of an axis: that of the cells it shows, also for programs that do not look there."""
    code = sources.line(values).code
    return {} if code == "General" else {"num_format": code, "num_format_linked": True}


def _dress_chart(chart: Any, info: ChartInfo, sources: Sources, *, dated: str) -> None:
    chart.set_title({"name": info.title} if info.title else {"none": True})
    legend = {"none": True} if info.legend == "none" else {"position": info.legend}
    chart.set_legend(legend)
    if info.type == "stock" and len(info.series) == 4:  # Bars from open to close; without, neither is to be seen.
        chart.set_up_down_bars(_UP_DOWN)
    if info.type in ROUND:
        return
    across: dict[str, Any] = _TICK_MARKS | ({"name": info.x_title} if info.x_title else {})
    if info.type not in POINTS:  # Else the bars of negative values stand on the labels.
        across["label_position"] = "low"
    if dated and any(series.categories for series in info.series):
        across |= {"num_format": dated, **_scale_of_dates(info)}
    elif info.type in POINTS:
        across |= _number_format(sources, info.series[0].categories)
    upright: dict[str, Any] = {"major_gridlines": _GRID_LINES, **_TICK_MARKS}
    upright |= {"name": info.y_title} if info.y_title else {}
    if not info.type.startswith("percent"):
        upright |= _number_format(sources, info.series[0].values)
    sideways = MAKES[info.type][0] == "bar"
    chart.set_x_axis(upright if sideways else across)
    chart.set_y_axis(across if sideways else upright)


def _scale_of_dates(info: ChartInfo) -> dict[str, Any]:
    """Days stand as far apart as they are, but those of a stock chart side by side: markets close at weekends."""
    return {} if info.type in POINTS else {"text_axis" if info.type == "stock" else "date_axis": True}


def _fill_ranges(book: xlsxwriter.Workbook, ranges: list[_Range]) -> None:
    """Write the shown values, so that the chart part stores them; other programs read them from there."""
    sheets: dict[str, Any] = {}
    for source_range in ranges:
        if source_range.sheet not in sheets:
            sheets[source_range.sheet] = book.add_worksheet(source_range.sheet)
        for down, row in enumerate(source_range.rows):
            for across, content in enumerate(row):
                if content is not None and content.value is not None:
                    place = (source_range.area.top - 1 + down, source_range.area.left - 1 + across)
                    sheets[source_range.sheet].write(*place, to_cached_value(content))


def to_cached_value(content: Content) -> Any:
    """The value of a cell as a cache stores it: dates as serial numbers."""
    if content.kind == "date" and isinstance(content.value, str):
        moment = to_stored_value(content.value)
        return content.value if moment is None or isinstance(moment, str | int | float) else _to_serial_number(moment)
    return content.value


def _to_serial_number(moment: Any) -> float:
    return to_serial(moment, date1904=False)


def _has_header(rows: list[list[Content | None]]) -> bool:
    """Whether the first row holds names: text, above something that is none."""
    first = [content for content in rows[0][1:] or rows[0] if content is not None and content.value is not None]
    return len(rows) > 1 and bool(first) and all(content.kind == "text" for content in first)


def _is_labels(body: list[list[Content | None]], block: _Range) -> bool:
    """Whether the first column names the rows: text or dates, or numbers under an empty corner."""
    filled = [row[0] for row in body if row[0] is not None and row[0].value is not None]
    corner = block.rows[0][0]
    years = len(body) < len(block.rows) and (corner is None or corner.value is None)
    return bool(filled) and (years or all(content.kind in ("text", "date") for content in filled))


def _as_bubbles(root: Any, sources: Sources, info: ChartInfo) -> None:
    """Make the scatter chart, which XlsxWriter can write, a bubble chart, which it cannot."""
    from lxml import etree

    plot = next(root.iter(qualify_tag("scatterChart", C)))
    plot.tag = qualify_tag("bubbleChart", C)
    style = plot.find(qualify_tag("scatterStyle", C))
    style.tag = qualify_tag("varyColors", C)
    style.set("val", "0")
    for series, data_series in zip(plot.iterfind(qualify_tag("ser", C)), info.series, strict=True):
        for name in ("marker", "smooth", "spPr"):
            for old in series.findall(qualify_tag(name, C)):
                series.remove(old)
        formula = sources.line(data_series.sizes).formula[1:].replace("&", "&amp;")
        series.append(etree.fromstring(_BUBBLE.format(c=C, formula=formula)))
        etree.SubElement(series, qualify_tag("bubble3D", C), val="0")
        _add_cache(series[-2], sources.line(data_series.sizes))
        if data_series.color:
            _paint_series(series, data_series.color)
    axis = plot.find(qualify_tag("axId", C))
    for name, value in (("bubbleScale", "60"), ("showNegBubbles", "0")):
        axis.addprevious(etree.Element(qualify_tag(name, C), val=value))


def _paint_markers(root: Any, info: ChartInfo) -> None:
    """Give points without a colour of their own that of the theme; without a word some programs draw all alike."""
    for index, (series, data_series) in enumerate(zip(root.iter(qualify_tag("ser", C)), info.series, strict=True)):
        marker = series.find(qualify_tag("marker", C))
        for color in [] if data_series.color or marker is None else list(marker.iter(qualify_tag("srgbClr", A))):
            color.tag = qualify_tag("schemeClr", A)
            color.set("val", f"accent{index % _ACCENTS + 1}")


def _let_through(root: Any, info: ChartInfo) -> None:
    """Let areas that lie before others show them."""
    from lxml import etree

    own = [data_series for data_series in info.series if (data_series.type or info.type) == info.type]
    for index, (series, data_series) in enumerate(zip(root.iter(qualify_tag("ser", C)), own, strict=False)):
        if not data_series.color:
            _paint_series(series, "000000")
        fill = next(series.iter(qualify_tag("srgbClr", A)))
        if not data_series.color:
            fill.tag = qualify_tag("schemeClr", A)
            fill.set("val", f"accent{index % _ACCENTS + 1}")
        etree.SubElement(fill, qualify_tag("alpha", A), val="60000")


def _without_equation(trendline: Any) -> None:
    """Say that a trendline shows no equation; without a word some programs show it."""
    from lxml import etree

    for name in ("dispRSqr", "dispEq"):
        if trendline.find(qualify_tag(name, C)) is None:
            etree.SubElement(trendline, qualify_tag(name, C), val="0")


def _paint_series(series: Any, color: str) -> None:
    from lxml import etree

    fill = f'<c:spPr xmlns:c="{C}" xmlns:a="{A}"><a:solidFill><a:srgbClr val="{color}"/></a:solidFill></c:spPr>'
    before = series.find(qualify_tag("tx", C))
    place = before if before is not None else series.find(qualify_tag("order", C))
    place.addnext(etree.fromstring(fill))


def _add_cache(element: Any, source_range: _Range) -> None:
    from lxml import etree

    cache = etree.SubElement(element[0], qualify_tag("numCache", C))
    etree.SubElement(cache, qualify_tag("formatCode", C)).text = source_range.code
    values = [content for row in source_range.rows for content in row]
    etree.SubElement(cache, qualify_tag("ptCount", C), val=str(len(values)))
    for index, content in enumerate(values):
        if content is not None and isinstance(content.value, int | float):
            point = etree.SubElement(cache, qualify_tag("pt", C), idx=str(index))
            etree.SubElement(point, qualify_tag("v", C)).text = f"{content.value!r}"


__all__ = ["Sources", "chart_xml", "is_date_format", "series_of", "to_cached_value"]
