"""MCP surface of the plot server."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import FileRef, make_server, tool
from yardkit.servers.plot.engine import code as code_engine
from yardkit.servers.plot.engine import positions, shapes, spec, table
from yardkit.servers.plot.engine.curves import Curve, FunctionPlot
from yardkit.servers.plot.engine.curves import draw_functions as draw_functions
from yardkit.servers.plot.engine.numerals import format_ends
from yardkit.servers.plot.engine.series import draw_chart as draw_series
from yardkit.servers.plot.engine.spec import (
    Axes,
    Drawn,
    DrawnAxis,
    DrawnSeries,
    Guide,
    Look,
    Note,
    Series,
    SeriesChart,
    Value,
)
from yardkit.world import InFile, OutFile, Problem, current_world

mcp = make_server(
    "plot",
    "Draw charts (PNG, SVG, PDF) from numbers or columns of a CSV file, plot functions, and run Matplotlib "
    "code in isolation. PNG pictures are returned for viewing. Texts may be in any language, including "
    "Chinese, Japanese and Korean.",
)

_SECONDS = float(os.environ.get("YARDKIT_PLOT_CODE_SECONDS", "60"))

Output = Annotated[OutFile, Field(description="Picture to write: .png, .svg or .pdf.")]
Title = Annotated[str, Field(description="Title above the chart.", max_length=300)]
AxisLabel = Annotated[str, Field(description="Axis label with its unit.", max_length=200)]
Theme = Annotated[spec.Theme, Field(description="Frame and background.")]
Palette = Annotated[spec.Palette, Field(description="Series colours; 'safe' suits colour-blind readers.")]
Font = Annotated[spec.FontStyle, Field(description="Font family.")]
FontSize = Annotated[float, Field(description="Font size in points.", ge=5, le=40)]
Legend = Annotated[spec.LegendPlace, Field(description="Legend position; auto shows one when needed.")]
Grid = Annotated[bool | None, Field(description="Grid lines; by default as in the theme.")]
MathText = Annotated[bool, Field(description="Read $...$ in texts as TeX mathematics; otherwise $ is a dollar sign.")]
Width = Annotated[float, Field(description="Width in inches.", ge=1, le=40)]
Height = Annotated[float, Field(description="Height in inches.", ge=1, le=40)]
Dpi = Annotated[int, Field(description="Dots per inch.", ge=30, le=600)]
Table = Annotated[InFile | None, Field(description="CSV file with a header to read the numbers from.")]
Format = Annotated[str, Field(description="Number format of values, such as ',.0f', '.0%', '$,.2f', '.1f kg'.")]
Scale = Annotated[spec.Scale, Field(description="Axis scale; symlog also accepts zero and negative numbers.")]


@dataclass(frozen=True)
class Chart:
    """A chart that was saved, and what it shows."""

    picture: FileRef
    kind: str
    series: list[DrawnSeries]
    axes: list[DrawnAxis]
    size_px: list[int]
    remarks: list[str]

    def __str__(self) -> str:
        lines = [f"Saved {self.picture}: {self.kind}, {self.size_px[0]} x {self.size_px[1]} pixels"]
        lines += [f"- {data_series.name or 'series'}: {_describe_extent(data_series)}" for data_series in self.series]
        for axis in self.axes:
            scale = "" if axis.scale == "linear" else f", {axis.scale}"
            ticks = f"; ticks {', '.join(tick.replace(chr(10), ' ') for tick in axis.ticks[:12])}" if axis.ticks else ""
            ends = " to ".join(axis.dates) or format_ends(*axis.range)
            lines.append(f"- axis {axis.label or '(no label)'}: {ends}{scale}{ticks}")
        return "\n".join(lines + [f"- {remark}" for remark in self.remarks])


def _describe_extent(series: DrawnSeries) -> str:
    if series.points == 1 and series.range:
        return f"{series.range[0]:.12g}"
    ends = f", {format_ends(*series.range)}" if series.range else ""
    return f"{series.points} points{ends}"


@dataclass(frozen=True)
class CodeChart:
    """A figure that code drew; `stdout` is what it printed, up to 5,000 characters."""

    picture: FileRef
    panels: list[code_engine.Panel]
    stdout: str
    seconds: float

    def __str__(self) -> str:
        lines = [f"Saved {self.picture} after {self.seconds:g} s"]
        for number, panel in enumerate(self.panels, 1):
            counts = ", ".join(f"{count} {kind}" for kind, count in panel.artists.items() if count) or "empty"
            lines.append(f"- panel {number} {panel.title!r}: {counts}; legend: {', '.join(panel.legend) or 'none'}")
        return "\n".join(lines) + (f"\nPrinted:\n{self.stdout}" if self.stdout else "")


def _build_chart(path: Path, drawn: Drawn) -> Chart:
    return Chart(FileRef.from_path(path), drawn.kind, drawn.series, drawn.axes, drawn.size_px, drawn.remarks)


@tool(mcp, writes=True, destructive=True)
def plot_series(
    kind: Annotated[
        spec.SeriesKind,
        Field(description="Chart type; a series may set its own kind (mixed charts)."),
    ],
    target: Output,
    x: Annotated[
        list[float | str] | None,
        Field(description="Common x values: numbers, categories, or ISO dates. Without: 1, 2, 3 ..."),
    ] = None,
    series: Annotated[list[Series] | None, Field(description="The series; or use source.")] = None,
    source: Table = None,
    x_column: Annotated[str | None, Field(description="Column of source with the x values.")] = None,
    y_columns: Annotated[
        list[str] | None, Field(description="Columns of source to plot, one series each. Without: all numeric ones.")
    ] = None,
    group_column: Annotated[
        str | None, Field(description="Column of source that splits the single y column into series.")
    ] = None,
    stacked: Annotated[bool, Field(description="Stack bars or areas.")] = False,
    horizontal: Annotated[
        bool, Field(description="Horizontal bars. x_... still means the categories, y_... the values.")
    ] = False,
    value_labels: Annotated[bool, Field(description="Write the value at each bar or point.")] = False,
    value_format: Format = "",
    trend: Annotated[bool, Field(description="Add a least-squares line with its equation to each series.")] = False,
    annotations: Annotated[
        list[Note] | None, Field(description="Texts with an arrow to a point.", max_length=50)
    ] = None,
    guides: Annotated[
        list[Guide] | None, Field(description="Straight lines across, such as a target.", max_length=50)
    ] = None,
    x_kind: Annotated[
        spec.AxisKind, Field(description="Type of the x values; auto treats numbers under bars as categories.")
    ] = "auto",
    x_scale: Scale = "linear",
    y_scale: Scale = "linear",
    x_range: Annotated[
        list[float | str | None] | None, Field(description="[low, high] of the x axis; null fits an end to the data.")
    ] = None,
    y_range: Annotated[
        list[Value] | None, Field(description="[low, high] of the y axis; null fits an end to the data.")
    ] = None,
    x_ticks: Annotated[list[float | str] | None, Field(description="x values that get a tick.", max_length=200)] = None,
    y_ticks: Annotated[list[float] | None, Field(description="y values that get a tick.", max_length=200)] = None,
    y_format: Annotated[str, Field(description="Number format of the y axis, as in value_format.")] = "",
    title: Title = "",
    x_label: AxisLabel = "",
    y_label: AxisLabel = "",
    y2_label: AxisLabel = "",
    y2_range: Annotated[list[Value] | None, Field(description="[low, high] of the right y axis.")] = None,
    theme: Theme = "light",
    palette: Palette = "safe",
    font: Font = "sans",
    size_pt: FontSize = 11.0,
    legend: Legend = "auto",
    grid: Grid = None,
    math_text: MathText = False,
    width_in: Width = 8.0,
    height_in: Height = 5.0,
    dpi: Dpi = 150,
) -> Chart:
    """Plot values over x: line, area, step, scatter or bar charts (grouped, stacked, horizontal, mixed, two y axes)."""
    look = Look(
        *(title, x_label, y_label, theme, palette, font, size_pt, legend, grid, math_text),
        *(width_in, height_in, dpi),
    )
    if source is not None:
        only = y_columns[0] if y_columns and len(y_columns) == 1 else ""
        look = replace(look, x_label=x_label or x_column or "", y_label=y_label or only)
    axes = Axes(x_kind, x_scale, y_scale, x_range, y_range, x_ticks, y_ticks, y_format, y2_label, y2_range)
    if (series is None) == (source is None):
        raise Problem("give either series or source, not both and not neither")
    if source is not None:
        x, series = table.read_series(source, x_column, y_columns, group_column)
    chart = SeriesChart(
        *(kind, series or [], x, axes, look, stacked, horizontal, value_labels, value_format, trend),
        *(tuple(annotations or ()), tuple(guides or ())),
    )
    drawn = draw_series(chart, target)
    return _build_chart(target, drawn)


@tool(mcp, writes=True, destructive=True)
def plot_distribution(
    kind: Annotated[shapes.DistributionKind, Field(description="Chart type.")],
    target: Output,
    samples: Annotated[
        list[shapes.Sample] | None, Field(description="Samples, each with a name and values; or use source.")
    ] = None,
    source: Table = None,
    columns: Annotated[
        list[str] | None, Field(description="Columns of source, one sample each. Without: all numeric ones.")
    ] = None,
    group_column: Annotated[
        str | None, Field(description="Column of source that splits the single column into samples.")
    ] = None,
    bins: Annotated[
        int | list[float] | None, Field(description="Histogram: number of bars, or their edges. Without: automatic.")
    ] = None,
    measure: Annotated[
        Literal["count", "fraction", "density", "cumulative"], Field(description="Histogram: meaning of the heights.")
    ] = "count",
    horizontal: Annotated[bool, Field(description="Horizontal chart.")] = False,
    show_points: Annotated[bool, Field(description="Box, violin: show each value as a dot.")] = False,
    y_scale: Scale = "linear",
    title: Title = "",
    x_label: AxisLabel = "",
    y_label: AxisLabel = "",
    theme: Theme = "light",
    palette: Palette = "safe",
    size_pt: FontSize = 11.0,
    width_in: Width = 8.0,
    height_in: Height = 5.0,
    dpi: Dpi = 150,
) -> Chart:
    """Plot the spread of samples as a histogram (returns heights and bin edges), box plot or violin plot."""
    look = Look(
        title=title,
        x_label=x_label,
        y_label=y_label,
        theme=theme,
        palette=palette,
        font_size_pt=size_pt,
        width_in=width_in,
        height_in=height_in,
        dpi=dpi,
    )
    if (samples is None) == (source is None):
        raise Problem("give either samples or source, not both and not neither")
    if source is not None:
        read_series = table.read_series(source, None, columns, group_column)[1]
        samples = [shapes.Sample(data_series.values, data_series.name) for data_series in read_series]
    chart = shapes.Distribution(kind, samples or [], look, bins, measure, horizontal, show_points, y_scale)
    drawn = shapes.draw_distribution(chart, target)
    return _build_chart(target, drawn)


@tool(mcp, writes=True, destructive=True)
def plot_pie(
    target: Output,
    labels: Annotated[list[str] | None, Field(description="Name of each slice; or use source.")] = None,
    values: Annotated[list[float] | None, Field(description="Size of each slice, in any unit.")] = None,
    source: Table = None,
    label_column: Annotated[str | None, Field(description="Column of source with the names.")] = None,
    value_column: Annotated[str | None, Field(description="Column of source with the sizes.")] = None,
    show: Annotated[Literal["percent", "value", "both", "none"], Field(description="Text in each slice.")] = "percent",
    value_format: Format = "",
    hole: Annotated[
        float, Field(description="Radius of the hole as a fraction of the radius; 0.5 is a ring.", ge=0, le=0.9)
    ] = 0.0,
    colors: Annotated[list[str] | None, Field(description="One colour for each slice.")] = None,
    title: Title = "",
    theme: Theme = "light",
    width_in: Width = 7.0,
    height_in: Height = 5.0,
    dpi: Dpi = 150,
) -> Chart:
    """Draw a pie or ring chart, clockwise from the top in the given order."""
    look = Look(title=title, theme=theme, width_in=width_in, height_in=height_in, dpi=dpi)
    if source is not None:
        if labels is not None or values is not None or label_column is None or value_column is None:
            raise Problem("with source, give label_column and value_column, not labels or values")
        names, columns = table.read_series(source, label_column, [value_column], None)
        labels, values = (
            [positions.format_category(name) for name in names or []],
            [value or 0.0 for value in columns[0].values],
        )
    if labels is None or values is None:
        raise Problem("give labels and values, or source with label_column and value_column")
    drawn = shapes.draw_pie(shapes.Pie(labels, values, look, hole, show, value_format, colors), target)
    return _build_chart(target, drawn)


@tool(mcp, writes=True, destructive=True)
def plot_heat_map(
    values: Annotated[
        list[list[Value]], Field(description="Rows of the matrix from top to bottom; null is an empty cell.")
    ],
    target: Output,
    x_labels: Annotated[list[str] | None, Field(description="Name of each column.")] = None,
    y_labels: Annotated[list[str] | None, Field(description="Name of each row.")] = None,
    color_map: Annotated[
        shapes.ColorMap, Field(description="Colours from low to high; diverging is white at 0.")
    ] = "viridis",
    color_range: Annotated[list[float] | None, Field(description="[low, high] of the colour scale.")] = None,
    color_label: Annotated[str, Field(description="Label of the colour bar.", max_length=200)] = "",
    value_labels: Annotated[bool, Field(description="Write the value in each cell (up to 600 cells).")] = True,
    value_format: Format = "",
    title: Title = "",
    x_label: AxisLabel = "",
    y_label: AxisLabel = "",
    theme: Theme = "light",
    width_in: Width = 8.0,
    height_in: Height = 6.0,
    dpi: Dpi = 150,
) -> Chart:
    """Draw a matrix as a heat map with a colour bar, such as correlations or hours by weekday."""
    look = Look(
        title=title,
        x_label=x_label,
        y_label=y_label,
        theme=theme,
        width_in=width_in,
        height_in=height_in,
        dpi=dpi,
    )
    chart = shapes.HeatMap(
        *(values, x_labels, y_labels, look, color_map, color_range, color_label, value_labels, value_format)
    )
    drawn = shapes.draw_heat_map(chart, target)
    return _build_chart(target, drawn)


@tool(mcp, writes=True, destructive=True)
def plot_functions(
    curves: Annotated[
        list[Curve],
        Field(
            description="Each curve: 'sin(x)/x' (y over x), 'x^2 + y^2 = 4' (equation), or expression and "
            "x_expression in t (parameter). With + - * / ^ %, pi, e, sin, exp, ln, sqrt, abs, where(x<0, a, b) ...",
            min_length=1,
        ),
    ],
    x_min: Annotated[float, Field(description="Left end of the x axis.")],
    x_max: Annotated[float, Field(description="Right end of the x axis.")],
    target: Output,
    y_min: Annotated[Value, Field(description="Lower end of the y axis; with y_max.")] = None,
    y_max: Annotated[Value, Field(description="Upper end of the y axis; with y_min.")] = None,
    t_min: Annotated[float, Field(description="First value of the parameter t.")] = 0.0,
    t_max: Annotated[float, Field(description="Last value of the parameter t.")] = 6.283185307179586,
    points: Annotated[int, Field(description="Points of each curve.", ge=10, le=100_000)] = 1000,
    equal_axes: Annotated[bool, Field(description="Use the same scale on both axes.")] = False,
    title: Title = "",
    x_label: AxisLabel = "",
    y_label: AxisLabel = "",
    theme: Theme = "light",
    legend: Legend = "auto",
    grid: Grid = True,
    width_in: Width = 7.0,
    height_in: Height = 5.0,
    dpi: Dpi = 150,
) -> Chart:
    """Plot functions of x, curves in a parameter t, and curves given by an equation in x and y."""
    look = Look(
        title=title,
        x_label=x_label,
        y_label=y_label,
        theme=theme,
        legend=legend,
        grid=grid,
        width_in=width_in,
        height_in=height_in,
        dpi=dpi,
    )
    if (y_min is None) != (y_max is None):
        raise Problem("give y_min and y_max together, or neither")
    upright = None if y_min is None or y_max is None else (y_min, y_max)
    plot = FunctionPlot(curves, (x_min, x_max), upright, (t_min, t_max), points, equal_axes, look)
    drawn = draw_functions(plot, target)
    return _build_chart(target, drawn)


@tool(mcp, writes=True, destructive=True)
def run_plot_code(
    code: Annotated[
        str,
        Field(
            description="Python code with Matplotlib and NumPy. It defines solution() that returns a Figure, or draws "
            "with pyplot. It runs in the workspace, read-only, without network.",
            min_length=1,
            max_length=200_000,
        ),
    ],
    target: Output,
    dpi: Annotated[int | None, Field(description="Dots per inch; at least 150 by default.", ge=30, le=600)] = None,
) -> CodeChart:
    """Run Matplotlib code in isolation and save its figure, for charts that the other tools do not draw."""
    figure = code_engine.run(code, target, current_world().files, dpi, wall_s=_SECONDS)
    return CodeChart(FileRef.from_path(target), figure.panels, figure.stdout, figure.seconds)
