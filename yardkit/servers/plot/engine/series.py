"""Charts of values over x: lines, areas, steps, scatters, bars, and mixtures of them."""

import itertools
import math
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

_GROUP_WIDTH = 0.8
_MAX_MARKED_POINTS = 40


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


def draw(chart: SeriesChart, path: Path) -> Drawn:
    """Draw the chart to `path` (.png, .svg or .pdf).

    Raises:
        Problem: the data do not fit together, a limit is passed, or the file cannot be saved.
    """
    canvas.check_format(path)
    numerals.check_format(chart.value_format)
    kinds = [one.kind or chart.kind for one in chart.series]
    where, columns = positions.lay_out(chart.x, chart.series, chart.axes.x_kind, "bar" in kinds)
    _check(chart, kinds, columns)
    with canvas.canvas(chart.look) as (figure, axes):
        right = axes.twinx() if any(one.axis == "right" for one in chart.series) else None
        group = sum(kind == "bar" for kind in kinds)
        painter = _Painter(chart, axes, right, _slot(columns, where), 1 if chart.stacked else group, {})
        for one, kind, column in zip(chart.series, kinds, columns, strict=True):
            _paint(painter, one, kind, column)
        canvas.write_words(axes, chart.look)
        finish_axes(axes, right, chart, where)
        remarks = canvas.save(figure, path, chart.look)
        return canvas.describe(chart.kind, figure, [_summary(one) for one in chart.series], chart.look, remarks)


def _check(chart: SeriesChart, kinds: list[SeriesKind], columns: list[list[float]]) -> None:
    if chart.horizontal and set(kinds) != {"bar"}:
        raise Problem(f"horizontal is only for bars; the series are {', '.join(sorted(set(kinds)))}")
    if chart.horizontal and any(one.axis == "right" for one in chart.series):
        raise Problem("horizontal bars have no right axis; set axis to 'left' for each series")
    if chart.stacked and not set(kinds) & {"bar", "area"}:
        raise Problem(f"stacked is only for bars and areas; the kind is {chart.kind!r}")
    for one, column in zip(chart.series, columns, strict=True):
        canvas.check_color(one.color)
        positions.check_positive(_values(one), chart.axes.y_scale if one.axis == "left" else "linear", "y")
        positions.check_positive(column, chart.axes.x_scale, "x")


def _slot(columns: list[list[float]], where: Positions) -> float:
    """The room of one group of bars: the smallest distance between two x values."""
    places = sorted({place for column in columns for place in column})
    if where.kind == "category" or len(places) < 2:
        return 1.0
    return min(b - a for a, b in itertools.pairwise(places))


def _paint(painter: _Painter, one: Series, kind: SeriesKind, column: list[float]) -> None:
    one = replace(one, color=one.color or _next_color(painter))
    if kind == "bar":
        _bars(painter, one, column)
    elif kind == "area":
        _area(painter, one, column)
    else:
        _line(painter, one, kind, column)
    if painter.chart.trend:
        _trend(painter, one, column)


def _next_color(painter: _Painter) -> str:
    """The next colour of the palette, counted over both axes together."""
    return str(painter.left._get_lines.get_next_color())


def _panel(painter: _Painter, one: Series) -> Any:
    return painter.right if one.axis == "right" else painter.left


def _label(painter: _Painter, one: Series) -> str:
    return canvas.text(one.name, painter.chart.look) if one.name else "_nolegend_"


def _line(painter: _Painter, one: Series, kind: SeriesKind, column: list[float]) -> None:
    axes, heights = _panel(painter, one), _heights(one)
    style = "none" if kind == "scatter" else one.line_style
    marker = MARKERS[one.marker or ("circle" if kind == "scatter" or len(column) <= _MAX_MARKED_POINTS else "none")]
    crowded = kind == "scatter" and len(column) > 300
    look = {"color": one.color, "marker": marker, "label": _label(painter, one), "alpha": 0.5 if crowded else 1.0}
    size = 4.0 if crowded else 6.5 if kind == "scatter" else 5.0
    step = {"drawstyle": "steps-post"} if kind == "step" else {}
    axes.plot(column, heights, linestyle=style, linewidth=one.width, markersize=size, zorder=3, **look, **step)
    _errors(painter, one, column, heights)
    if painter.chart.value_labels and kind != "scatter":
        _point_texts(painter, one, column, [painter_format(painter, value) for value in heights])
    if one.labels:
        _point_texts(painter, one, column, one.labels)


def painter_format(painter: _Painter, value: float) -> str:
    """A value as it stands beside its bar or point; nothing for a gap."""
    return "" if math.isnan(value) else numerals.write(value, painter.chart.value_format)


def _point_texts(painter: _Painter, one: Series, column: list[float], words: list[str]) -> None:
    axes, look = _panel(painter, one), painter.chart.look
    for place, height, word in zip(column, _heights(one), words, strict=True):
        if word and not math.isnan(height):
            axes.annotate(
                canvas.text(word, look),
                (place, height),
                xytext=(0, 7),
                textcoords="offset points",
                ha="center",
                fontsize=look.font_size_pt * 0.85,
                bbox={"boxstyle": "round,pad=0.1", "facecolor": axes.get_facecolor(), "linewidth": 0, "alpha": 0.8},
                zorder=4,
            )
    axes.margins(y=0.12)


def _errors(painter: _Painter, one: Series, column: list[float], heights: list[float]) -> None:
    if one.errors:
        ink = _panel(painter, one).xaxis.label.get_color()
        _panel(painter, one).errorbar(column, heights, yerr=one.errors, fmt="none", ecolor=ink, capsize=3, zorder=4)


def _area(painter: _Painter, one: Series, column: list[float]) -> None:
    axes, heights = _panel(painter, one), [0.0 if math.isnan(value) else value for value in _heights(one)]
    floor = _stack(painter, one, column, heights) if painter.chart.stacked else [0.0] * len(heights)
    top = [low + height for low, height in zip(floor, heights, strict=True)]
    opacity = 0.85 if painter.chart.stacked else 0.35
    axes.fill_between(column, floor, top, color=one.color, alpha=opacity, linewidth=0, label=_label(painter, one))
    axes.plot(column, top, color=one.color, linewidth=one.width, linestyle=one.line_style)
    axes.margins(x=0)
    if min(top) >= 0:
        axes.set_ylim(bottom=0)


def _bars(painter: _Painter, one: Series, column: list[float]) -> None:
    chart, heights = painter.chart, [0.0 if math.isnan(value) else value for value in _heights(one)]
    floor = _stack(painter, one, column, heights) if chart.stacked else [0.0] * len(heights)
    width = painter.slot * _GROUP_WIDTH / painter.bars
    shift = 0.0 if chart.stacked else (painter.drawn_bars - (painter.bars - 1) / 2) * width
    painter.drawn_bars += 1
    places, axes = [place + shift for place in column], _panel(painter, one)
    look = {"color": one.color, "label": _label(painter, one), "zorder": 2}
    ink = axes.xaxis.label.get_color()
    if chart.horizontal:
        error = {"xerr": one.errors, "ecolor": ink, "capsize": 3} if one.errors else {}
        drawn = axes.barh(places, heights, height=width * 0.95, left=floor, **look, **error)
    else:
        error = {"yerr": one.errors, "ecolor": ink, "capsize": 3} if one.errors else {}
        drawn = axes.bar(places, heights, width=width * 0.95, bottom=floor, **look, **error)
    if chart.value_labels or one.labels:
        _bar_texts(painter, one, drawn)


def _bar_texts(painter: _Painter, one: Series, drawn: Any) -> None:
    chart, axes = painter.chart, _panel(painter, one)
    words = one.labels or [painter_format(painter, value) for value in _heights(one)]
    small = chart.look.font_size_pt * (0.85 if len(words) * painter.bars <= 24 else 0.65)
    inside: dict[str, Any] = (
        {"label_type": "center", "color": canvas.ink_on(one.color)} if chart.stacked else {"padding": 3}
    )
    if len(words) * painter.bars > 16 and not chart.horizontal:
        inside["rotation"] = 90
    axes.bar_label(drawn, [canvas.text(word, chart.look) for word in words], fontsize=small, **inside)
    axes.margins(**{"x" if chart.horizontal else "y": 0.1})


def _stack(painter: _Painter, one: Series, column: list[float], heights: list[float]) -> list[float]:
    """Where each bar starts, upwards for positive and downwards for negative values; the stack grows by it."""
    floor = []
    for place, height in zip(column, heights, strict=True):
        key = (one.axis, place, height < 0)
        floor.append(painter.stacks.get(key, 0.0))
        painter.stacks[key] = floor[-1] + height
    return floor


def _trend(painter: _Painter, one: Series, column: list[float]) -> None:
    import numpy as np

    pairs = [(x, y) for x, y in zip(column, _heights(one), strict=True) if not math.isnan(y)]
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
    words = f"{one.name + ': ' if one.name else ''}y = {slope:.4g} x {'+' if offset >= 0 else '-'} {abs(offset):.4g}"
    axes = _panel(painter, one)
    label = canvas.text(words, painter.chart.look)
    axes.plot(run, rise, color=one.color, linestyle="dashed", linewidth=1.5, label=label)


def _heights(one: Series) -> list[float]:
    return [math.nan if value is None else float(value) for value in one.values]


def _values(one: Series) -> list[float]:
    return [float(value) for value in one.values if value is not None]


def _summary(one: Series) -> DrawnSeries:
    values = _values(one)
    return DrawnSeries(one.name, len(values), [min(values), max(values)])
