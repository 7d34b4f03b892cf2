"""Charts without a common x axis: histograms, box and violin plots, pies, heat maps."""

import itertools
import math
import textwrap
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.plot.engine import canvas, numerals
from yardkit.servers.plot.engine.axes import group_thousands
from yardkit.servers.plot.engine.spec import MAX_POINTS, MAX_SERIES, Drawn, DrawnSeries, Look, Scale, Value
from yardkit.world import Problem

DistributionKind = Literal["histogram", "box", "violin"]
ColorMap = Literal["viridis", "cividis", "magma", "blues", "greens", "diverging"]
MAX_BINS = 500
MAX_SLICES = 40
MAX_CELLS = 250_000
_COLOR_MAPS = {"blues": "Blues", "greens": "Greens", "diverging": "RdBu_r"}


@dataclass(frozen=True)
class Sample:
    """Values of one group; null is left out."""

    values: list[float | None]
    name: str = ""
    color: str | None = None


@dataclass(frozen=True)
class Distribution:
    """How samples spread. `bins` is the number of bars of a histogram or the edges of its bars.

    Attributes:
        measure: heights of a histogram: counts, fractions of 1, density, or counts up to here.
        show_points: each sample as a dot beside its box.
    """

    kind: DistributionKind
    samples: list[Sample]
    look: Look = field(default_factory=Look)
    bins: int | list[float] | None = None
    measure: Literal["count", "fraction", "density", "cumulative"] = "count"
    horizontal: bool = False
    show_points: bool = False
    y_scale: Scale = "linear"


@dataclass(frozen=True)
class Pie:
    """Parts of a whole. `hole` is the radius of the hole as a fraction of the radius (0 none, 0.5 a ring)."""

    labels: list[str]
    values: list[float]
    look: Look = field(default_factory=Look)
    hole: float = 0.0
    show: Literal["percent", "value", "both", "none"] = "percent"
    value_format: str = ""
    colors: list[str] | None = None


@dataclass(frozen=True)
class HeatMap:
    """A matrix as colours; ``values[row][column]``, the first row on top. Null cells stay empty."""

    values: list[list[float | None]]
    x_labels: list[str] | None = None
    y_labels: list[str] | None = None
    look: Look = field(default_factory=Look)
    color_map: ColorMap = "viridis"
    color_range: list[float] | None = None
    color_label: str = ""
    value_labels: bool = True
    value_format: str = ""


def draw_distribution(chart: Distribution, path: Path) -> Drawn:
    """Draw the chart to `path`.

    Raises:
        Problem: no samples, too many of them, or the file cannot be saved.
    """
    canvas.check_format(path)
    data = [_list_samples(sample, index) for index, sample in enumerate(chart.samples, 1)]
    if not data or len(data) > MAX_SERIES or sum(map(len, data)) > MAX_POINTS:
        raise Problem(
            f"there are {len(data)} samples of {sum(map(len, data)):,} values; "
            f"give 1 to {MAX_SERIES} samples of at most {MAX_POINTS:,} values together"
        )
    names = [
        sample.name or (f"Sample {index}" if len(data) > 1 else "") for index, sample in enumerate(chart.samples, 1)
    ]
    with canvas.open_canvas(chart.look) as (figure, axes):
        remarks = []
        if chart.kind == "histogram":
            remarks = _draw_histogram(axes, chart, data, names)
        else:
            _draw_boxes(axes, chart, data, names)
        (axes.set_xscale if chart.horizontal else axes.set_yscale)(chart.y_scale)
        canvas.write_words(axes, chart.look)
        if chart.horizontal:
            across, upright = axes.get_ylabel(), axes.get_xlabel()
            axes.set_xlabel(across)
            axes.set_ylabel(upright)
        if chart.kind == "histogram" and len(data) > 1:
            canvas.place_legend(axes, chart.look)
        group_thousands(axes.yaxis)
        remarks += canvas.save_figure(figure, path, chart.look)
        drawn = [
            DrawnSeries(name, len(sample_values), [min(sample_values), max(sample_values)])
            for name, sample_values in zip(names, data, strict=True)
        ]
        return canvas.describe_figure(chart.kind, figure, drawn, chart.look, remarks)


def _list_samples(sample: Sample, index: int) -> list[float]:
    values = [float(value) for value in sample.values if value is not None]
    canvas.check_color(sample.color)
    if not values or not all(map(math.isfinite, values)):
        raise Problem(f"sample {sample.name or index!r} needs at least one finite number; null is left out")
    return values


def _draw_histogram(axes: Any, chart: Distribution, data: list[list[float]], names: list[str]) -> list[str]:
    import numpy as np

    edges = _compute_edges(chart.bins, data)
    remarks = [f"bin edges: {', '.join(f'{edge:.6g}' for edge in edges[:60])}"]
    for sample_values, name, series in zip(data, names, chart.samples, strict=True):
        heights = np.histogram(sample_values, edges, density=chart.measure == "density")[0].astype(float)
        if chart.measure == "fraction":
            heights /= len(sample_values)
        if chart.measure == "cumulative":
            heights = np.cumsum(heights)
        remarks.append(f"{name or 'heights'}: {', '.join(f'{height:.6g}' for height in heights[:60])}")
        look = {"alpha": 0.6 if len(data) > 1 else 0.9, "edgecolor": axes.get_facecolor(), "linewidth": 0.8}
        color = series.color or axes._get_lines.get_next_color()
        label = canvas.escape_text(name, chart.look)
        bars = axes.barh if chart.horizontal else axes.bar
        bars(edges[:-1], heights, np.diff(edges), align="edge", color=color, label=label, **look)
    return remarks


def _compute_edges(bins: int | list[float] | None, data: list[list[float]]) -> Any:
    import numpy as np

    together = np.concatenate([np.asarray(sample_values) for sample_values in data])
    if bins is None:
        count = len(np.histogram_bin_edges(together, "auto")) - 1 if np.ptp(together) else 1
        return np.histogram_bin_edges(together, min(count, 100))
    if isinstance(bins, int):
        if not 1 <= bins <= MAX_BINS:
            raise Problem(f"bins is {bins}; give 1 to {MAX_BINS}, or a list of edges")
        return np.histogram_bin_edges(together, bins)
    if not 2 <= len(bins) <= MAX_BINS + 1 or any(b <= a for a, b in itertools.pairwise(bins)):
        raise Problem(f"the bin edges {str(bins)[:80]} must rise and be 2 to {MAX_BINS + 1}; or give a number of bins")
    return np.asarray(bins, dtype=float)


def _draw_boxes(axes: Any, chart: Distribution, data: list[list[float]], names: list[str]) -> None:
    from matplotlib.colors import to_rgba

    way: Literal["horizontal", "vertical"] = "horizontal" if chart.horizontal else "vertical"
    colors = [series.color or axes._get_lines.get_next_color() for series in chart.samples]
    ink = axes.xaxis.label.get_color()
    if chart.kind == "violin":
        drawn = axes.violinplot(data, orientation=way, showmedians=True, widths=0.8)
        shapes = drawn["bodies"]
        for part in ("cmedians", "cbars", "cmins", "cmaxes"):
            drawn[part].set_color(ink)
    else:
        line = {"color": ink, "linewidth": 1.3}
        drawn = axes.boxplot(
            data,
            orientation=way,
            patch_artist=True,
            widths=0.55,
            boxprops={"edgecolor": ink, "linewidth": 1.3},
            whiskerprops=dict(line),
            capprops=dict(line),
            medianprops={"color": ink, "linewidth": 2.2},
            flierprops={"marker": "o", "markersize": 4, "markeredgecolor": ink, "alpha": 0.6},
            showfliers=not chart.show_points,
        )
        shapes = drawn["boxes"]
    for shape, color in zip(shapes, colors, strict=True):
        shape.set_facecolor(to_rgba(color, 0.75))
        shape.set_alpha(None)
    if chart.show_points:
        _draw_dots(axes, chart, data, ink)
    labels = [canvas.escape_text(name, chart.look) for name in names]
    (axes.yaxis if chart.horizontal else axes.xaxis).set_ticks(range(1, len(data) + 1), labels)
    axes.grid(visible=chart.look.grid is not False, axis="x" if chart.horizontal else "y")
    axes.grid(visible=False, axis="y" if chart.horizontal else "x")


def _draw_dots(axes: Any, chart: Distribution, data: list[list[float]], ink: str) -> None:
    """The samples beside their box, spread by the golden ratio so that equal ones are seen apart."""
    for place, sample_values in enumerate(data, 1):
        spread = [place + 0.3 * ((index * 0.618034) % 1 - 0.5) for index in range(len(sample_values))]
        pair = (sample_values, spread) if chart.horizontal else (spread, sample_values)
        axes.plot(*pair, "o", color=ink, markersize=3, alpha=0.5, linestyle="none", zorder=4)


def draw_pie(chart: Pie, path: Path) -> Drawn:
    """Draw the chart to `path`; slices too thin for their words are told in the legend instead.

    Raises:
        Problem: labels and values do not match, a value is negative, all are zero, or there are too many.
    """
    canvas.check_format(path)
    numerals.check_format(chart.value_format)
    _check_pie(chart)
    total = sum(chart.values)
    with canvas.open_canvas(chart.look) as (figure, axes):
        axes.grid(visible=False)
        paper = axes.get_facecolor()
        wedge = {"edgecolor": paper, "linewidth": 1.5, "width": 1.0 - chart.hole}
        palette = canvas.list_colors(chart.look.palette)
        colors = chart.colors or [palette[place % len(palette)] for place in range(len(chart.values))]
        wedges = axes.pie(chart.values, colors=colors, wedgeprops=wedge, startangle=90, counterclock=False)[0]
        thin = any(value / total < 0.05 for value in chart.values) or len(chart.values) > 6
        for shape, label, value in zip(wedges, chart.labels, chart.values, strict=True):
            _slice_words(axes, chart, shape, "" if thin else label, value / total, _format_share(chart, value, total))
        if thin and chart.look.legend != "none":
            words = [
                f"{label} ({_format_share(chart, value, total).replace(chr(10), ', ')})"
                if chart.show != "none"
                else label
                for label, value in zip(chart.labels, chart.values, strict=True)
            ]
            where = {"loc": "center left", "bbox_to_anchor": (1.02, 0.5)}
            canvas.write_legend(
                axes, chart.look, wedges, [canvas.escape_text(word, chart.look) for word in words], **where
            )
        canvas.write_words(axes, chart.look)
        remarks = canvas.save_figure(figure, path, chart.look)
        drawn = [DrawnSeries(label, 1, [value, value]) for label, value in zip(chart.labels, chart.values, strict=True)]
        return replace(
            canvas.describe_figure("pie", figure, drawn, chart.look, remarks), axes=[]
        )  # its axes are not shown


def _check_pie(chart: Pie) -> None:
    if len(chart.labels) != len(chart.values) or not chart.values:
        raise Problem(f"{len(chart.labels)} labels for {len(chart.values)} values; give one label for each value")
    if len(chart.values) > MAX_SLICES:
        raise Problem(f"{len(chart.values)} slices are too many; the limit is {MAX_SLICES}. Combine the smallest")
    bad = [value for value in chart.values if not math.isfinite(value) or value < 0]
    if bad or sum(chart.values) <= 0:
        raise Problem(f"a pie shows parts of a whole, not {bad[0] if bad else 0:g}; give positive values or use bars")
    for color in chart.colors or []:
        canvas.check_color(color)
    if chart.colors is not None and len(chart.colors) != len(chart.values):
        raise Problem(f"{len(chart.colors)} colours for {len(chart.values)} slices; give one for each")


def _format_share(chart: Pie, value: float, total: float) -> str:
    percent, amount = f"{value / total:.1%}", numerals.format_number(value, chart.value_format)
    return {"percent": percent, "value": amount, "both": f"{amount}\n{percent}", "none": ""}[chart.show]


def _slice_words(axes: Any, chart: Pie, shape: Any, label: str, part: float, share: str) -> None:
    middle = math.radians((shape.theta1 + shape.theta2) / 2)
    across, up = math.cos(middle), math.sin(middle)
    ink = canvas.ink_on(shape.get_facecolor())
    radius = 0.65 if chart.hole < 0.3 else (1 + chart.hole) / 2
    if part >= (0.045 if label else 0.08):
        place = (radius * across, radius * up)
        size = chart.look.font_size_pt * (0.9 if chart.show != "both" else 0.75)
        axes.text(*place, canvas.escape_text(share, chart.look), ha="center", va="center", color=ink, fontsize=size)
    if label:
        side = "left" if across >= 0 else "right"
        words = textwrap.fill(canvas.escape_text(label, chart.look), 18)
        axes.text(1.1 * across, 1.1 * up, words, ha=side, va="center")


def draw_heat_map(chart: HeatMap, path: Path) -> Drawn:
    """Draw the matrix to `path`.

    Raises:
        Problem: rows of different lengths, labels that do not match, or too many cells.
    """
    import numpy as np

    canvas.check_format(path)
    numerals.check_format(chart.value_format)
    _check_matrix(chart)
    cells = np.array([[np.nan if cell is None else cell for cell in row] for row in chart.values], dtype=float)
    low, high = chart.color_range or _color_ends(chart, cells)
    with canvas.open_canvas(chart.look) as (figure, axes):
        axes.grid(visible=False)
        mapped = _COLOR_MAPS.get(chart.color_map, chart.color_map)
        image = axes.imshow(cells, cmap=mapped, aspect="auto", vmin=low, vmax=high, interpolation="nearest")
        bar = figure.colorbar(image, ax=axes, pad=0.02)
        bar.set_label(canvas.escape_text(chart.color_label, chart.look))
        for axis, labels, count in (
            (axes.xaxis, chart.x_labels, cells.shape[1]),
            (axes.yaxis, chart.y_labels, cells.shape[0]),
        ):
            if labels is not None:
                axis.set_ticks(range(count), [canvas.escape_text(label, chart.look) for label in labels])
        if chart.value_labels and cells.size <= 600:
            _cell_texts(axes, chart, cells, image)
        canvas.write_words(axes, chart.look)
        remarks = canvas.save_figure(figure, path, chart.look)
        rows = chart.y_labels or [f"row {place}" for place in range(1, len(cells) + 1)]
        drawn = [_row_summary(name, row) for name, row in zip(rows[:50], chart.values[:50], strict=True)]
        return canvas.describe_figure("heat map", figure, drawn, chart.look, remarks)


def _row_summary(name: str, row: list[Value]) -> DrawnSeries:
    known = [cell for cell in row if cell is not None]
    return DrawnSeries(name, len(known), [min(known), max(known)] if known else [])


def _check_matrix(chart: HeatMap) -> None:
    widths = {len(row) for row in chart.values}
    if len(widths) != 1 or widths == {0}:
        raise Problem(f"the rows have {sorted(widths)} cells; give rows of equal length")
    columns = widths.pop()
    if len(chart.values) * columns > MAX_CELLS:
        raise Problem(
            f"{len(chart.values):,} x {columns:,} cells are too many; the limit is {MAX_CELLS:,}. Aggregate them"
        )
    for name, labels, count in (("x_labels", chart.x_labels, columns), ("y_labels", chart.y_labels, len(chart.values))):
        if labels is not None and len(labels) != count:
            raise Problem(f"{len(labels)} {name} for {count}; give one for each")
    cells = [cell for row in chart.values for cell in row if cell is not None]
    if not cells or not all(map(math.isfinite, cells)):
        raise Problem("the matrix needs finite numbers; use null for an empty cell")
    if chart.color_range is not None and (len(chart.color_range) != 2 or chart.color_range[0] >= chart.color_range[1]):
        raise Problem(f"color_range is {chart.color_range}; give [low, high]")


def _color_ends(chart: HeatMap, cells: Any) -> tuple[float, float]:
    import numpy as np

    low, high = float(np.nanmin(cells)), float(np.nanmax(cells))
    if chart.color_map == "diverging":
        high = max(abs(low), abs(high))
        low = -high
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _cell_texts(axes: Any, chart: HeatMap, cells: Any, image: Any) -> None:
    words = [
        [("" if math.isnan(cell) else numerals.format_number(cell, chart.value_format)) for cell in row]
        for row in cells
    ]
    longest = max(len(word) for row in words for word in row) or 1
    room = chart.look.width_in * 0.72 * 72 / cells.shape[1] / (longest * 0.68)
    size = min(chart.look.font_size_pt, room, chart.look.height_in * 0.72 * 72 / cells.shape[0] * 0.7)
    if size < 4:
        return
    for row, line in enumerate(words):
        for column, word in enumerate(line):
            ink = canvas.ink_on(image.cmap(image.norm(cells[row, column])))
            axes.text(
                column, row, canvas.escape_text(word, chart.look), ha="center", va="center", color=ink, fontsize=size
            )
