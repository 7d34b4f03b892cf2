"""Charts of values over x: lines, areas, steps, scatters, bars, and mixtures of them."""

import itertools
import math
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from yardkit.servers.plot.engine import canvas, numerals, positions
from yardkit.servers.plot.engine.axes import finish_axes
from yardkit.servers.plot.engine.positions import Positions
from yardkit.servers.plot.engine.spec import (
    MARKERS,
    Drawn,
    DrawnSeries,
    Series,
    SeriesChart,
    SeriesKind,
)
from yardkit.world import Problem
from yardkit.world.wording import format_count

_GROUP_WIDTH = 0.8
_MAX_MARKED_POINTS = 40
_LONG_DAYS = 730
"""A trend over more days than this is told per year."""


@dataclass
class _Painter:
    """What the series share while they are drawn: axes, slots of grouped bars, heights of stacks."""

    chart: SeriesChart
    left: Any
    right: Any
    slot: float
    bars: int
    stacks: dict[tuple[str, float, bool], float]
    drawn_bars: int = 0


def draw_chart(chart: SeriesChart, path: Path) -> Drawn:
    """Draw the chart to `path` (.png, .svg or .pdf).

    Raises:
        Problem: the data do not fit together, a limit is passed, or the file cannot be saved.
    """
    canvas.check_format(path)
    numerals.check_format(chart.value_format)
    kinds = [data_series.kind or chart.kind for data_series in chart.series]
    where, columns = positions.lay_out(chart.x, chart.series, chart.axes.x_kind, "bar" in kinds)
    _check_chart(chart, kinds, columns, where)
    with canvas.open_canvas(chart.look) as (figure, axes):
        right = axes.twinx() if any(data_series.axis == "right" for data_series in chart.series) else None
        group = sum(kind == "bar" for kind in kinds)
        painter = _Painter(chart, axes, right, _compute_slot(columns, where), 1 if chart.stacked else group, {})
        for data_series, kind, column in zip(chart.series, kinds, columns, strict=True):
            _paint_series(painter, data_series, kind, column, where)
        canvas.write_words(axes, chart.look)
        finish_axes(axes, right, chart, where)
        remarks = [*canvas.save_figure(figure, path, chart.look), *_describe_colors(chart), *_describe_gaps(chart)]
        return canvas.describe_figure(
            chart.kind, figure, [_summarize_series(data_series) for data_series in chart.series], chart.look, remarks
        )


def _describe_colors(chart: SeriesChart) -> list[str]:
    """That colours come more than once, where there are more series than colours."""
    count = sum(data_series.color is None for data_series in chart.series)
    colors = len(canvas.list_colors(chart.look.palette))
    return [f"{count} series share {colors} colours: split the chart"] if count > colors else []


def _describe_gaps(chart: SeriesChart) -> list[str]:
    """That missing values count as 0 where values stand on each other."""
    if not chart.stacked:
        return []
    count = sum(value is None or math.isnan(value) for series in chart.series for value in series.values)
    return [f"{format_count(count, 'missing value')} drawn as 0 in the stack"] if count else []


def _check_once(data_series: Series, column: list[float], where: Positions) -> None:
    """Refuse an x value that comes twice in a series of bars: one would hide the other."""
    place, count = Counter(column).most_common(1)[0]
    if count > 1:
        name = repr(where.categories[int(place)]) if where.kind == "category" else f"number {column.index(place) + 1}"
        raise Problem(
            f"the x value {name} comes {count} times in series {data_series.name!r}, so that its bars would hide each "
            "other; add its values up, or give each another name"
        )


def _check_chart(chart: SeriesChart, kinds: list[SeriesKind], columns: list[list[float]], where: Positions) -> None:
    if chart.horizontal and set(kinds) != {"bar"}:
        raise Problem(f"horizontal is only for bars; the series are {', '.join(sorted(set(kinds)))}")
    if chart.horizontal and any(data_series.axis == "right" for data_series in chart.series):
        raise Problem("horizontal bars have no right axis; set axis to 'left' for each series")
    if chart.stacked and not set(kinds) & {"bar", "area"}:
        raise Problem(f"stacked is only for bars and areas; the kind is {chart.kind!r}")
    for data_series, kind, column in zip(chart.series, kinds, columns, strict=True):
        canvas.check_color(data_series.color)
        if kind in ("bar", "area"):
            _check_once(data_series, column, where)
        positions.check_positive(
            _list_values(data_series), chart.axes.y_scale if data_series.axis == "left" else "linear", "y"
        )
        positions.check_positive(column, chart.axes.x_scale, "x")


def _compute_slot(columns: list[list[float]], where: Positions) -> float:
    """The room of one group of bars: the smallest distance between two x values."""
    places = sorted({place for column in columns for place in column})
    if where.kind == "category" or len(places) < 2:
        return 1.0
    return min(b - a for a, b in itertools.pairwise(places))


def _paint_series(
    painter: _Painter, data_series: Series, kind: SeriesKind, column: list[float], where: Positions
) -> None:
    data_series = replace(data_series, color=data_series.color or _next_color(painter))
    if kind == "bar":
        _draw_bars(painter, data_series, column)
    elif kind == "area":
        _draw_area(painter, data_series, column)
    else:
        _draw_line(painter, data_series, kind, column)
    if painter.chart.trend:
        _draw_trend(painter, data_series, column, where)


def _next_color(painter: _Painter) -> str:
    """The next colour of the palette, counted over both axes together."""
    return str(painter.left._get_lines.get_next_color())


def _get_panel(painter: _Painter, data_series: Series) -> Any:
    return painter.right if data_series.axis == "right" else painter.left


def _get_label(painter: _Painter, data_series: Series) -> str:
    return canvas.escape_text(data_series.name, painter.chart.look) if data_series.name else "_nolegend_"


def _draw_line(painter: _Painter, data_series: Series, kind: SeriesKind, column: list[float]) -> None:
    axes, heights = _get_panel(painter, data_series), _list_heights(data_series)
    style = "none" if kind == "scatter" else data_series.line_style
    marker = MARKERS[
        data_series.marker or ("circle" if kind == "scatter" or len(column) <= _MAX_MARKED_POINTS else "none")
    ]
    crowded = kind == "scatter" and len(column) > 300
    look = {
        "color": data_series.color,
        "marker": marker,
        "label": _get_label(painter, data_series),
        "alpha": 0.5 if crowded else 1.0,
    }
    size = 4.0 if crowded else 6.5 if kind == "scatter" else 5.0
    step = {"drawstyle": "steps-post"} if kind == "step" else {}
    axes.plot(column, heights, linestyle=style, linewidth=data_series.width, markersize=size, zorder=3, **look, **step)
    _draw_errors(painter, data_series, column, heights)
    if painter.chart.value_labels and kind != "scatter":
        _point_texts(painter, data_series, column, [painter_format(painter, value) for value in heights])
    if data_series.labels:
        _point_texts(painter, data_series, column, data_series.labels)


def painter_format(painter: _Painter, value: float) -> str:
    """A value as it stands beside its bar or point; nothing for a gap."""
    return "" if math.isnan(value) else numerals.format_number(value, painter.chart.value_format)


def _point_texts(painter: _Painter, data_series: Series, column: list[float], words: list[str]) -> None:
    axes, look = _get_panel(painter, data_series), painter.chart.look
    for place, height, word in zip(column, _list_heights(data_series), words, strict=True):
        if word and not math.isnan(height):
            axes.annotate(
                canvas.escape_text(word, look),
                (place, height),
                xytext=(0, 7),
                textcoords="offset points",
                ha="center",
                fontsize=look.font_size_pt * 0.85,
                bbox={"boxstyle": "round,pad=0.1", "facecolor": axes.get_facecolor(), "linewidth": 0, "alpha": 0.8},
                zorder=4,
            )
    axes.margins(y=0.12)


def _draw_errors(painter: _Painter, data_series: Series, column: list[float], heights: list[float]) -> None:
    if data_series.errors:
        ink = _get_panel(painter, data_series).xaxis.label.get_color()
        _get_panel(painter, data_series).errorbar(
            column, heights, yerr=data_series.errors, fmt="none", ecolor=ink, capsize=3, zorder=4
        )


def _draw_area(painter: _Painter, data_series: Series, column: list[float]) -> None:
    axes, heights = _get_panel(painter, data_series), _list_heights(data_series)
    if painter.chart.stacked:  # a gap would tear apart what stands on it
        heights = [0.0 if math.isnan(value) else value for value in heights]
    floor = _stack_bars(painter, data_series, column, heights) if painter.chart.stacked else [0.0] * len(heights)
    top = [low + height for low, height in zip(floor, heights, strict=True)]
    opacity = 0.85 if painter.chart.stacked else 0.35
    axes.fill_between(
        column, floor, top, color=data_series.color, alpha=opacity, linewidth=0, label=_get_label(painter, data_series)
    )
    axes.plot(column, top, color=data_series.color, linewidth=data_series.width, linestyle=data_series.line_style)
    axes.margins(x=0)


def _draw_bars(painter: _Painter, data_series: Series, column: list[float]) -> None:
    chart, heights = painter.chart, [0.0 if math.isnan(value) else value for value in _list_heights(data_series)]
    floor = _stack_bars(painter, data_series, column, heights) if chart.stacked else [0.0] * len(heights)
    width = painter.slot * _GROUP_WIDTH / painter.bars
    shift = 0.0 if chart.stacked else (painter.drawn_bars - (painter.bars - 1) / 2) * width
    painter.drawn_bars += 1
    places, axes = [place + shift for place in column], _get_panel(painter, data_series)
    look = {"color": data_series.color, "label": _get_label(painter, data_series), "zorder": 2}
    ink = axes.xaxis.label.get_color()
    if chart.horizontal:
        error = {"xerr": data_series.errors, "ecolor": ink, "capsize": 3} if data_series.errors else {}
        drawn = axes.barh(places, heights, height=width * 0.95, left=floor, **look, **error)
    else:
        error = {"yerr": data_series.errors, "ecolor": ink, "capsize": 3} if data_series.errors else {}
        drawn = axes.bar(places, heights, width=width * 0.95, bottom=floor, **look, **error)
    if chart.value_labels or data_series.labels:
        _bar_texts(painter, data_series, drawn)


def _bar_texts(painter: _Painter, data_series: Series, drawn: Any) -> None:
    chart, axes = painter.chart, _get_panel(painter, data_series)
    words = data_series.labels or [painter_format(painter, value) for value in _list_heights(data_series)]
    small = chart.look.font_size_pt * (0.85 if len(words) * painter.bars <= 24 else 0.65)
    inside: dict[str, Any] = (
        {"label_type": "center", "color": canvas.ink_on(data_series.color)} if chart.stacked else {"padding": 3}
    )
    if len(words) * painter.bars > 16 and not chart.horizontal:
        inside["rotation"] = 90
    axes.bar_label(drawn, [canvas.escape_text(word, chart.look) for word in words], fontsize=small, **inside)
    axes.margins(**{"x" if chart.horizontal else "y": 0.1})


def _stack_bars(painter: _Painter, data_series: Series, column: list[float], heights: list[float]) -> list[float]:
    """Where each bar starts, upwards for positive and downwards for negative values; the stack grows by it."""
    floor = []
    for place, height in zip(column, heights, strict=True):
        key = (data_series.axis, place, height < 0)
        floor.append(painter.stacks.get(key, 0.0))
        painter.stacks[key] = floor[-1] + height
    return floor


def _draw_trend(painter: _Painter, data_series: Series, column: list[float], where: Positions) -> None:
    import numpy as np

    pairs = [(x, y) for x, y in zip(column, _list_heights(data_series), strict=True) if not math.isnan(y)]
    if len({x for x, _ in pairs}) < 2:
        raise Problem("a trend needs at least two different x values; leave trend out")
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    middle = x.mean()  # dates are large numbers; a fit about their middle stays exact
    slope = float(((x - middle) * (y - y.mean())).sum() / ((x - middle) ** 2).sum())
    offset = float(y.mean() - slope * middle)
    logarithmic = painter.chart.axes.x_scale == "log"
    run = (np.geomspace if logarithmic else np.linspace)(x.min(), x.max(), 200)
    rise = slope * run + offset
    if painter.chart.axes.y_scale == "log":
        rise = np.where(rise > 0, rise, np.nan)
    name = f"{data_series.name}: " if data_series.name else ""
    words = name + _describe_trend(slope, offset, where, float(x.max() - x.min()))
    axes = _get_panel(painter, data_series)
    label = canvas.escape_text(words, painter.chart.look)
    axes.plot(run, rise, color=data_series.color, linestyle="dashed", linewidth=1.5, label=label)


def _describe_trend(slope: float, offset: float, where: Positions, width: float) -> str:
    """The equation of a trend; over dates and categories, whose numbers nobody sees, how much it rises."""
    if where.kind == "date":
        unit, days = ("year", 365.2425) if width > _LONG_DAYS else ("day", 1.0)
        return f"{slope * days:+.4g} per {unit}"
    if where.kind == "category":
        return f"{slope:+.4g} per step of the x axis"
    return f"y = {slope:.4g} x {'+' if offset >= 0 else '-'} {abs(offset):.4g}"


def _list_heights(data_series: Series) -> list[float]:
    return [math.nan if value is None else float(value) for value in data_series.values]


def _list_values(data_series: Series) -> list[float]:
    return [float(value) for value in data_series.values if value is not None]


def _summarize_series(data_series: Series) -> DrawnSeries:
    values = _list_values(data_series)
    return DrawnSeries(data_series.name, len(values), [min(values), max(values)])
