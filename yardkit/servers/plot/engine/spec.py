"""What is to be drawn and what was drawn, as plain data; and the limits of both."""

from dataclasses import dataclass, field
from typing import Literal

from yardkit.world import Problem

MAX_SERIES = 30
MAX_POINTS = 200_000
MAX_CATEGORIES = 400
MAX_CANVAS_PIXELS = 40_000_000

SeriesKind = Literal["line", "area", "step", "scatter", "bar"]
Scale = Literal["linear", "log", "symlog"]
AxisKind = Literal["auto", "category", "number", "date"]
Theme = Literal["light", "minimal", "boxed", "dark"]
Palette = Literal["safe", "bright", "pastel", "gray"]
FontStyle = Literal["sans", "serif", "mono", "hand"]
LegendPlace = Literal["auto", "none", "outside", "upper left", "upper right", "lower left", "lower right"]
LineStyle = Literal["solid", "dashed", "dotted", "dashdot", "none"]
Marker = Literal["none", "circle", "square", "triangle", "diamond", "cross", "plus", "star"]
MARKERS = {
    "none": "",
    "circle": "o",
    "square": "s",
    "triangle": "^",
    "diamond": "D",
    "cross": "x",
    "plus": "+",
    "star": "*",
}

Value = float | None
"""A number; None is a gap."""


@dataclass(frozen=True)
class Look:
    """What every chart has.

    Attributes:
        width_in, height_in: size in inches; times `dpi` (dots per inch) it gives pixels.
        math_text: read ``$...$`` as TeX mathematics; else a dollar sign is a dollar sign.
    """

    title: str = ""
    x_label: str = ""
    y_label: str = ""
    theme: Theme = "light"
    palette: Palette = "safe"
    font: FontStyle = "sans"
    font_size_pt: float = 11.0
    legend: LegendPlace = "auto"
    grid: bool | None = None
    math_text: bool = False
    width_in: float = 8.0
    height_in: float = 5.0
    dpi: int = 150

    def __post_init__(self) -> None:
        pixels = self.width_in * self.height_in * self.dpi**2
        if pixels > MAX_CANVAS_PIXELS:
            raise Problem(
                f"{self.width_in:g} x {self.height_in:g} inches at {self.dpi} dpi are {pixels:,.0f} "
                f"pixels; the limit is {MAX_CANVAS_PIXELS:,}. Lower dpi, width_in or height_in"
            )


@dataclass(frozen=True)
class Series:
    """One line, set of bars or cloud of points.

    Attributes:
        values: y values; null is a gap.
        name: for the legend.
        x: where they differ from the common x.
        errors: half length of each error bar, in y units.
        labels: a text beside each point.
        kind: another kind than the chart's, such as a line over bars.
        axis: right is a second y axis.
        color: such as ``#0072B2`` or ``red``.
        width: of the line, in points.
    """

    values: list[float | None]
    name: str = ""
    x: list[float | str] | None = None
    errors: list[float] | None = None
    labels: list[str] | None = None
    kind: SeriesKind | None = None
    axis: Literal["left", "right"] = "left"
    color: str | None = None
    marker: Marker | None = None
    line_style: LineStyle = "solid"
    width: float = 2.0


@dataclass(frozen=True)
class Note:
    """A text at a point of the chart, with an arrow to it. `x` is a number, a category or an ISO date."""

    text: str
    x: float | str
    y: float


@dataclass(frozen=True)
class Guide:
    """A straight line across the chart at an x or y value, such as a target."""

    value: float | str
    axis: Literal["x", "y"] = "y"
    label: str = ""
    color: str | None = None


@dataclass(frozen=True)
class Axes:
    """How the two axes are made. Ranges are ``[low, high]``, either end null to leave it to the data."""

    x_kind: AxisKind = "auto"
    x_scale: Scale = "linear"
    y_scale: Scale = "linear"
    x_range: list[float | str | None] | None = None
    y_range: list[float | None] | None = None
    x_ticks: list[float | str] | None = None
    y_ticks: list[float] | None = None
    y_format: str = ""
    y2_label: str = ""
    y2_range: list[float | None] | None = None


@dataclass(frozen=True)
class SeriesChart:
    """A chart of values over x.

    Attributes:
        stacked: bars and areas on top of each other.
        horizontal: bars from left to right; the x axis then stands upright.
        value_labels: the value beside each bar or point, in `value_format` (a Python format such as ``,.1f``).
        trend: a least-squares line through each series, with its equation in the legend.
    """

    kind: SeriesKind
    series: list[Series]
    x: list[float | str] | None = None
    axes: Axes = field(default_factory=Axes)
    look: Look = field(default_factory=Look)
    stacked: bool = False
    horizontal: bool = False
    value_labels: bool = False
    value_format: str = ""
    trend: bool = False
    notes: tuple[Note, ...] = ()
    guides: tuple[Guide, ...] = ()


@dataclass(frozen=True)
class DrawnSeries:
    """One series; `range` is [least, greatest]; gaps are no points."""

    name: str
    points: int
    range: list[float]


@dataclass(frozen=True)
class DrawnAxis:
    """One axis; `range` in data units; dates are days since 1970, and `dates` are the same ends as dates."""

    label: str
    scale: str
    range: list[float]
    ticks: list[str] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Drawn:
    """What the picture shows."""

    kind: str
    series: list[DrawnSeries]
    axes: list[DrawnAxis]
    size_px: list[int]
    remarks: list[str] = field(default_factory=list)
