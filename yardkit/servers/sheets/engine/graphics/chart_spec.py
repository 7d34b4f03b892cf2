"""What a chart is, as tools take and give it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

ChartType = Literal[
    "column", "stacked_column", "percent_column", "bar", "stacked_bar", "percent_bar", "line", "stacked_line",
    "area", "stacked_area", "percent_area", "pie", "doughnut", "scatter", "scatter_lines", "bubble", "radar",
    "filled_radar", "stock",
]  # fmt: skip
Trend = Literal["linear", "exponential", "log", "power", "moving_average"]
Legend = Literal["right", "bottom", "top", "left", "none"]
Labels = Literal["value", "percentage", "category", "none"]

# What XlsxWriter calls each type: its type and subtype.
MAKES: dict[str, tuple[str, str | None]] = {
    "column": ("column", None),
    "stacked_column": ("column", "stacked"),
    "percent_column": ("column", "percent_stacked"),
    "bar": ("bar", None),
    "stacked_bar": ("bar", "stacked"),
    "percent_bar": ("bar", "percent_stacked"),
    "line": ("line", None),
    "stacked_line": ("line", "stacked"),
    "area": ("area", None),
    "stacked_area": ("area", "stacked"),
    "percent_area": ("area", "percent_stacked"),
    "pie": ("pie", None),
    "doughnut": ("doughnut", None),
    "scatter": ("scatter", None),
    "scatter_lines": ("scatter", "straight_with_markers"),
    "bubble": ("scatter", None),
    "radar": ("radar", "with_markers"),
    "filled_radar": ("radar", "filled"),
    "stock": ("stock", None),
}
ROUND = ("pie", "doughnut")
POINTS = ("scatter", "scatter_lines", "bubble")


@dataclass(frozen=True)
class Series:
    """A series."""

    values: str
    name: str = ""
    categories: str = ""
    sizes: str = ""
    type: str = ""
    second_axis: bool = False
    trendline: Trend | None = None
    color: str = ""


@dataclass(frozen=True)
class ChartInfo:
    """A chart of a sheet: `at` is the range that it covers (or its first cell)."""

    name: str
    sheet: str
    type: str
    at: str
    title: str = ""
    x_title: str = ""
    y_title: str = ""
    y2_title: str = ""
    legend: str = "none"
    labels: str = "none"
    series: list[Series] = field(default_factory=list)
    width_px: int | None = None
    height_px: int | None = None

    @property
    def axis_titles(self) -> tuple[str, str, str]:
        return self.x_title, self.y_title, self.y2_title

    def __str__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        parts = "; ".join(f"{series.name or 'series'} = {series.values}" for series in self.series)
        return f"chart {self.name!r}{title} ({self.type}) at {self.sheet}!{self.at}: {parts}"
