"""Charts as somebody else made them: examples of a style, or sources of numbers."""

import io
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.world.fonts import CJK_FAMILY, font_files

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True)
class ChartStyle:
    """What makes a house style: colours (``#rrggbb``), lettering (a bundled family), grid, frame, values at bars."""

    colors: tuple[str, ...] = ("#1f5fa8", "#f28e2b", "#3a9d5d", "#b03a48")
    family: str = "Liberation Sans"
    background: str = "#ffffff"
    ink: str = "#222222"
    grid: bool = True
    frame: bool = False
    horizontal: bool = False
    value_labels: bool = True
    marker: str = "o"


def bar_chart(
    title: str,
    categories: list[str],
    series: dict[str, list[float]],
    style: ChartStyle,
    rng: random.Random,
    axis_label: str = "",
) -> "Image":
    """Bars side by side for each category; a legend when there are several series. About 1200 x 750 pixels."""
    with _open_axes(title, style, rng) as (figure, axes):
        width = 0.8 / len(series)
        for place, (name, values) in enumerate(series.items()):
            shift = (place - (len(series) - 1) / 2) * width
            places = [index + shift for index in range(len(categories))]
            color = style.colors[place % len(style.colors)]
            draw = axes.barh if style.horizontal else axes.bar
            bars = draw(places, values, width * 0.94, label=name, color=color)
            if style.value_labels:
                axes.bar_label(bars, [f"{value:g}" for value in values], padding=3)
        (axes.set_yticks if style.horizontal else axes.set_xticks)(range(len(categories)), categories)
        if style.horizontal:
            axes.invert_yaxis()
        (axes.set_xlabel if style.horizontal else axes.set_ylabel)(axis_label)
        if style.grid:  # a colour would draw it even where `visible` says no
            axes.grid(axis="x" if style.horizontal else "y", color="#d5d5d5")
        axes.margins(**{"x" if style.horizontal else "y": 0.12})
        return _render_figure(figure, axes, len(series) > 1)


def line_chart(
    title: str,
    x: list[str],
    series: dict[str, list[float]],
    style: ChartStyle,
    rng: random.Random,
    axis_label: str = "",
) -> "Image":
    """Lines with markers over categories from left to right."""
    with _open_axes(title, style, rng) as (figure, axes):
        for place, (name, values) in enumerate(series.items()):
            color = style.colors[place % len(style.colors)]
            axes.plot(range(len(x)), values, color=color, marker=style.marker, label=name, linewidth=2.4)
            if style.value_labels and len(series) == 1:
                for index, value in enumerate(values):
                    axes.annotate(f"{value:g}", (index, value), (0, 8), textcoords="offset points", ha="center")
        axes.set_xticks(range(len(x)), x)
        axes.set_ylabel(axis_label)
        if style.grid:
            axes.grid(color="#d5d5d5")
        axes.margins(y=0.12)
        return _render_figure(figure, axes, len(series) > 1)


def pie_chart(title: str, parts: dict[str, float], style: ChartStyle, rng: random.Random) -> "Image":
    """A pie with the name of each slice outside and its percentage inside, clockwise from the top."""
    with _open_axes(title, style, rng) as (figure, axes):
        colors = [style.colors[place % len(style.colors)] for place in range(len(parts))]
        drawn = axes.pie(
            list(parts.values()),
            labels=list(parts),
            colors=colors,
            startangle=90,
            counterclock=False,
            wedgeprops={"edgecolor": style.background, "linewidth": 2},
        )
        total = sum(parts.values())
        axes.pie_label(drawn, [f"{value / total:.1%}" for value in parts.values()], textprops={"color": "white"})
        return _render_figure(figure, axes, legend=False)


@contextmanager
def _open_axes(title: str, style: ChartStyle, rng: random.Random) -> Iterator[tuple[Any, Any]]:
    import matplotlib as mpl
    from matplotlib import font_manager
    from matplotlib.figure import Figure

    known = {entry.fname for entry in font_manager.fontManager.ttflist}
    for path in font_files():
        if str(path) not in known:
            font_manager.fontManager.addfont(path)
    size = rng.choice((12, 13))
    inks = dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "axes.edgecolor"), style.ink)
    settings = {"font.family": [style.family, "DejaVu Sans", CJK_FAMILY], "font.size": size, "axes.axisbelow": True}
    with mpl.rc_context(mpl.rcParamsDefault | settings | inks):
        figure = Figure(figsize=(8.0, 5.0), dpi=150, layout="constrained", facecolor=style.background)
        axes = figure.add_subplot(facecolor=style.background)
        axes.set_title(title.replace("$", r"\$"), fontsize=size * 1.35, pad=14)
        for side in ("top", "right"):
            axes.spines[side].set_visible(style.frame)
        yield figure, axes


def _render_figure(figure: Any, axes: Any, legend: bool) -> "Image":
    from PIL import Image

    if legend:
        axes.legend(frameon=False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    buffer.seek(0)
    return Image.open(buffer).convert("RGB")
