"""Scales, ranges, ticks, guides and notes of a chart of values over x."""

import itertools
import textwrap
from typing import Any

from yardkit.servers.plot.engine import canvas, numerals
from yardkit.servers.plot.engine.positions import Positions
from yardkit.servers.plot.engine.spec import SeriesChart
from yardkit.world import Problem

_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
"""Of the years 1 and 9999, in days since 1970."""


def finish_axes(axes: Any, right: Any, chart: SeriesChart, where: Positions) -> None:
    """Everything but the series themselves.

    Raises:
        Problem: a range, tick, guide or note that the axis does not have.
    """
    _draw_guides(axes, chart, where)
    _set_areas_on_zero(axes, right, chart)
    _scale_axes(axes, right, chart, where)
    _category_ticks(axes, chart, where)
    _set_ticks(axes, chart, where)
    for axis in (axes.xaxis if chart.horizontal else axes.yaxis, right.yaxis if right else axes.yaxis):
        group_thousands(axis)
    _annotate_axes(axes, chart, where)
    if chart.horizontal:
        _lay_down(axes, chart, where)
    handles = axes.get_legend_handles_labels()[0]
    if right is not None:
        right.set_ylabel(canvas.upright_words(chart.axes.y2_label, chart.look))
        right.grid(visible=False)
        right.spines["right"].set_visible(True)
        handles += right.get_legend_handles_labels()[0]
    several = len(handles) > 1 or chart.trend or chart.guides
    if several or chart.look.legend not in ("auto", "none"):
        canvas.place_legend(right or axes, chart.look, handles)


def _scale_axes(axes: Any, right: Any, chart: SeriesChart, where: Positions) -> None:
    spec = chart.axes
    along, up = (axes.yaxis, axes.xaxis) if chart.horizontal else (axes.xaxis, axes.yaxis)
    for axis, scale in ((along, spec.x_scale), (up, spec.y_scale)):
        if scale != "linear":
            axis.axes.set_xscale(scale) if axis is axes.xaxis else axis.axes.set_yscale(scale)
    if where.kind == "date" and not chart.horizontal:
        _date_axis(axes)
    ends = [None if end is None else where.get_position(end) for end in _check_ends(spec.x_range, "x_range")]
    (axes.set_ylim if chart.horizontal else axes.set_xlim)(*ends)
    (axes.set_xlim if chart.horizontal else axes.set_ylim)(*_check_ends(spec.y_range, "y_range"))
    if right is not None:
        right.set_ylim(*_check_ends(spec.y2_range, "y2_range"))


def _set_areas_on_zero(axes: Any, right: Any, chart: SeriesChart) -> None:
    """Let an axis with areas begin at 0. Only when all is drawn: a fixed end keeps the other from growing."""
    for panel, side in ((axes, "left"), (right, "right")):
        has_areas = any((series.kind or chart.kind) == "area" and series.axis == side for series in chart.series)
        scale = chart.axes.y_scale if side == "left" else "linear"
        if has_areas and scale == "linear" and panel.dataLim.y0 >= 0:
            panel.set_ylim(bottom=0)


def _check_ends(ends: Any, name: str) -> Any:
    if ends is None:
        return (None, None)
    if len(ends) != 2:
        raise Problem(f"{name} is {ends}; give [low, high], null to fit an end to the data")
    if None not in ends and ends[0] == ends[1]:
        raise Problem(f"{name} is {ends}; its ends must differ")
    return ends


def _date_axis(axes: Any) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    locator = AutoDateLocator(minticks=3, maxticks=9)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))
    low, high = axes.get_xlim()  # with margins, which may lie beyond all dates
    if low < _FIRST_DAY or high > _LAST_DAY:
        axes.set_xlim(max(low, _FIRST_DAY), min(high, _LAST_DAY))


def _category_ticks(axes: Any, chart: SeriesChart, where: Positions) -> None:
    if where.kind != "category":
        return
    axis = axes.yaxis if chart.horizontal else axes.xaxis
    places = list(range(len(where.categories)))
    room = chart.look.width_in * 0.8 * 72 / (chart.look.font_size_pt * 0.6) / len(places)
    room = 24 if chart.horizontal or room < 9 else int(room) - 1  # too little room: turned, in fitting
    axis.set_ticks(
        places, [canvas.escape_text(_shorten_name(where.categories[place], room), chart.look) for place in places]
    )
    axis.grid(visible=False)


def _shorten_name(name: str, room: int) -> str:
    name = textwrap.shorten(name, 60, placeholder="...") if " " in name else name[:40]
    return textwrap.fill(name, max(9, min(room, 24)), break_long_words=False)


def _set_ticks(axes: Any, chart: SeriesChart, where: Positions) -> None:
    from matplotlib.ticker import FuncFormatter

    spec = chart.axes
    along, up = (axes.yaxis, axes.xaxis) if chart.horizontal else (axes.xaxis, axes.yaxis)
    if spec.x_ticks is not None:
        labels = [str(tick) for tick in spec.x_ticks] if where.kind != "number" else None
        along.set_ticks([where.get_position(tick) for tick in spec.x_ticks], labels)
    if spec.y_ticks is not None:
        up.set_ticks(spec.y_ticks)
    if spec.y_format:
        numerals.check_format(spec.y_format)
        up.set_major_formatter(
            FuncFormatter(lambda value, _: canvas.escape_text(numerals.format_number(value, spec.y_format), chart.look))
        )


def group_thousands(axis: Any) -> None:
    """Separate thousands in the tick labels of a linear axis with large numbers, with the decimals of its steps."""
    from matplotlib.ticker import ScalarFormatter, StrMethodFormatter

    largest = max(abs(end) for end in axis.get_view_interval())
    if isinstance(axis.get_major_formatter(), ScalarFormatter) and 10_000 <= largest < 1e9:
        axis.set_major_formatter(StrMethodFormatter(f"{{x:,.{_count_decimals(axis)}f}}"))


def _count_decimals(axis: Any) -> int:
    """How many decimals tell the ticks of an axis as they are."""
    ticks = [float(place) for place in axis.get_majorticklocs()]
    step = min((b - a for a, b in itertools.pairwise(sorted(ticks)) if b > a), default=1.0)
    exact = (digits for digits in range(9) if all(abs(round(tick, digits) - tick) < step / 100 for tick in ticks))
    return next(exact, 9)


def _lay_down(axes: Any, chart: SeriesChart, where: Positions) -> None:
    """Horizontal bars: the x data stand upright, the first on top."""
    across, upright = axes.get_ylabel(), axes.get_xlabel()
    axes.set_xlabel(across)
    axes.set_ylabel(upright)
    axes.grid(visible=False, axis="y")
    axes.grid(visible=chart.look.grid is not False and chart.look.theme != "boxed", axis="x")
    if where.kind == "category":
        axes.invert_yaxis()


def _draw_guides(axes: Any, chart: SeriesChart, where: Positions) -> None:
    ink = axes.xaxis.label.get_color()
    for guide in chart.guides:
        if guide.axis == "y" and isinstance(guide.value, str):
            raise Problem(f"the guide at y = {guide.value!r} needs a number; set axis to 'x' for a category or date")
        value = where.get_position(guide.value) if guide.axis == "x" else float(guide.value)
        upright = (guide.axis == "x") != chart.horizontal
        label = canvas.escape_text(guide.label, chart.look) or "_nolegend_"
        draw = axes.axvline if upright else axes.axhline
        draw(value, color=canvas.check_color(guide.color) or ink, linestyle="dashed", linewidth=1.5, label=label)


def _annotate_axes(axes: Any, chart: SeriesChart, where: Positions) -> None:
    """Notes, each set off towards the middle of the chart so that none is cut at its edge."""
    ink = axes.xaxis.label.get_color()
    for note in chart.notes:
        place = (note.y, where.get_position(note.x)) if chart.horizontal else (where.get_position(note.x), note.y)
        across, up = axes.transAxes.inverted().transform(axes.transData.transform(place))
        axes.annotate(
            canvas.escape_text(note.text, chart.look),
            place,
            xytext=(-22 if across > 0.5 else 22, -26 if up > 0.6 else 26),
            textcoords="offset points",
            horizontalalignment="right" if across > 0.5 else "left",
            arrowprops={"arrowstyle": "->", "color": ink},
            bbox={"boxstyle": "round,pad=0.3", "facecolor": axes.get_facecolor(), "edgecolor": ink, "alpha": 0.9},
            fontsize=chart.look.font_size_pt * 0.9,
            zorder=6,
        )
