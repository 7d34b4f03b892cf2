"""Plots of functions: y = f(x), curves in a parameter, and curves given by an equation in x and y."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.servers.plot.engine import canvas, expressions
from yardkit.servers.plot.engine.spec import MAX_SERIES, Drawn, DrawnSeries, LineStyle, Look
from yardkit.world import Problem

_LEFT_SIDE = re.compile(r"^\s*(y|[a-zA-Z]\(x\))\s*=(?!=)")
_GRID = 600


@dataclass(frozen=True)
class Curve:
    """One curve.

    Attributes:
        expression: ``sin(x)/x`` for y over x; ``x^2 + y^2 = 4`` for an equation; y in ``t`` beside `x_expression`.
        x_expression: x in ``t``, for a curve in a parameter.
        name: shown in the legend; the expression without.
    """

    expression: str
    x_expression: str = ""
    name: str = ""
    color: str | None = None
    line_style: LineStyle = "solid"


@dataclass(frozen=True)
class FunctionPlot:
    """Curves over a common range of x, and of the parameter t.

    Attributes:
        samples: points per curve.
        equal_axes: one unit is as long on both axes.
    """

    curves: list[Curve]
    x_range: tuple[float, float]
    y_range: tuple[float, float] | None = None
    t_range: tuple[float, float] = (0.0, 6.283185307179586)
    samples: int = 1000
    equal_axes: bool = False
    look: Look = field(default_factory=Look)


def draw_functions(plot: FunctionPlot, path: Path) -> Drawn:
    """Draw the curves to `path`. Poles are left open, and do not stretch the y axis.

    Raises:
        Problem: an expression cannot be read or has no value in the range, or a range is empty.
    """
    canvas.check_format(path)
    _check_plot(plot)
    with canvas.open_canvas(plot.look) as (figure, axes):
        axes.axhline(0, color=axes.xaxis.label.get_color(), linewidth=0.8, alpha=0.5, zorder=1)
        axes.axvline(0, color=axes.xaxis.label.get_color(), linewidth=0.8, alpha=0.5, zorder=1)
        drawn, heights = [], []
        for curve in plot.curves:
            summary, values = _draw_curve(axes, plot, curve)
            drawn.append(summary)
            heights.append(values)
        axes.set_xlim(*plot.x_range)
        axes.set_ylim(*(plot.y_range or (plot.x_range if plot.equal_axes else _y_range(heights))))
        if plot.equal_axes:
            axes.set_aspect("equal", adjustable="box")
        canvas.write_words(axes, plot.look)
        if not plot.look.x_label:
            axes.set_xlabel("x")
        if not plot.look.y_label:
            axes.set_ylabel("y", rotation=0)
        canvas.place_legend(axes, plot.look)
        remarks = canvas.save_figure(figure, path, plot.look)
        return canvas.describe_figure("function", figure, drawn, plot.look, remarks)


def _check_plot(plot: FunctionPlot) -> None:
    if not 1 <= len(plot.curves) <= MAX_SERIES:
        raise Problem(f"there are {len(plot.curves)} curves; give 1 to {MAX_SERIES}")
    for name, ends in (("x", plot.x_range), ("y", plot.y_range), ("t", plot.t_range)):
        if ends is not None and not ends[0] < ends[1]:
            raise Problem(f"the {name} range {list(ends)} is empty; give the smaller end first")
    for curve in plot.curves:
        canvas.check_color(curve.color)


def _draw_curve(axes: Any, plot: FunctionPlot, curve: Curve) -> tuple[DrawnSeries, Any]:
    color = curve.color or axes._get_lines.get_next_color()
    words = curve.name or (f"({curve.x_expression}, {curve.expression})" if curve.x_expression else curve.expression)
    line = {"color": color, "linestyle": curve.line_style, "linewidth": 2.0}
    right = _LEFT_SIDE.sub("", curve.expression)
    if "=" in right.replace("<=", "").replace(">=", ""):
        x, y = _draw_equation(axes, plot, right, line)
        axes.plot([], [], label=canvas.escape_text(words, plot.look), **line)
    else:
        x, y = _compute_explicit(plot, right) if not curve.x_expression else _compute_parametric(plot, curve, right)
        axes.plot(x, y, label=canvas.escape_text(words, plot.look), **line)
    return _summarize_curve(words, x, y), y


def _compute_explicit(plot: FunctionPlot, text: str) -> tuple[Any, Any]:
    import numpy as np

    x = np.linspace(*plot.x_range, plot.samples)
    return x, _open_poles(expressions.read_formula(text, {"x"})(x=x))


def _compute_parametric(plot: FunctionPlot, curve: Curve, text: str) -> tuple[Any, Any]:
    import numpy as np

    t = np.linspace(*plot.t_range, plot.samples)
    return expressions.read_formula(curve.x_expression, {"t"})(t=t), expressions.read_formula(text, {"t"})(t=t)


def _draw_equation(axes: Any, plot: FunctionPlot, text: str, line: dict[str, Any]) -> tuple[Any, Any]:
    """The curve on which both sides are equal: the zero contour of their difference on a grid."""
    import numpy as np

    sides = text.split("=")
    if len(sides) != 2:
        raise Problem(f"{text!r} is not a valid equation; use one equals sign, such as 'x^2 + y^2 = 4'")
    left, right = (expressions.read_formula(side, {"x", "y"}) for side in sides)
    x, y = np.linspace(*plot.x_range, _GRID), np.linspace(*(plot.y_range or plot.x_range), _GRID)
    across, up = np.meshgrid(x, y)
    level = left(x=across, y=up) - right(x=across, y=up)
    known = level[np.isfinite(level)]
    if not known.size or known.min() > 0 or known.max() < 0:
        raise Problem(f"{text!r} has no solution in the ranges of x and y; widen x_min, x_max, y_min and y_max")
    drawn = axes.contour(
        x, y, level, levels=[0.0], colors=[line["color"]], linewidths=line["linewidth"], linestyles=line["linestyle"]
    )
    paths = [vertices for vertices in drawn.allsegs[0] if len(vertices)]
    points = np.concatenate(paths) if paths else np.zeros((0, 2))
    return points[:, 0], points[:, 1]


def _open_poles(y: Any) -> Any:
    """`y` with a gap where it jumps from one side of a pole to the other."""
    import numpy as np

    y = np.where(np.isfinite(y), y, np.nan)
    known = y[~np.isnan(y)]
    if known.size < 10:
        return y
    low, high = np.percentile(known, [5, 95])
    jumps = np.abs(np.diff(y)) > 5 * max(high - low, 1e-12)
    flips = np.sign(y[:-1]) * np.sign(y[1:]) < 0
    y[1:][jumps & flips] = np.nan
    return y


def _y_range(heights: list[Any]) -> tuple[float, float]:
    """All values, unless a few of them lie so far out that the rest would be flat."""
    import numpy as np

    values = np.concatenate([column[np.isfinite(column)] for column in heights])
    low, high = float(values.min()), float(values.max())
    inner = np.percentile(values, [4, 96])
    spread = float(inner[1] - inner[0])
    if spread > 0 and high - low > 8 * spread:
        low, high = max(low, inner[0] - spread), min(high, inner[1] + spread)
    room = (high - low) * 0.06 or 1.0
    return low - room, high + room


def _summarize_curve(words: str, x: Any, y: Any) -> DrawnSeries:
    import numpy as np

    known = y[np.isfinite(x) & np.isfinite(y)]
    if not known.size:
        raise Problem(f"{words!r} has no value in its range; choose another range")
    return DrawnSeries(words, int(known.size), [float(known.min()), float(known.max())])
