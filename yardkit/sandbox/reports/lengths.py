"""The sections of the page on the length of tasks: accuracy and progress against it, and where chains break."""

from collections.abc import Callable, Sequence

from yardkit.kit.markup import Html, tag
from yardkit.sandbox.reports.curves import LIMITS, TENTHS, Breaks, Curve, Curves, Point
from yardkit.sandbox.reports.horizons import LEVELS
from yardkit.sandbox.reports.plots import Bars, Line, Mark, Words, bar_plot, legend, line_plot
from yardkit.sandbox.runs.broken_chains import KINDS
from yardkit.sandbox.runs.intervals import Interval

_OPEN_ROWS = 24
"""A longer table is folded."""
_ABOUT = (
    "Accuracy is the share of runs whose answer is right and no gate failed (where that is unknown: that passed), with "
    "its 95 % Wilson interval; progress is the mean share of the chain of operations that was completed, with the 95 % "
    "interval of the mean. Correlated runs of one instance widen both intervals. Invalid runs "
    "are left out."
)
_ABOUT_HORIZONS = (
    "The length at which accuracy has fallen to a level. We only assume that accuracy decreases with length: the "
    "estimate is where the isotonic fit of the measured points crosses the level, interpolated between two lengths on "
    "a logarithmic scale; the interval reaches from the longest measured length whose 95 % interval is above the "
    "level to the shortest whose interval is below it."
)
_ABOUT_BREAKS = (
    "How far the runs got that do not count as accurate, in full tenths of the chain, and how many of them a limit "
    "stopped. A run that reaches the end and fails gave a wrong answer, or broke a rule that no right answer outweighs."
)

_ABOUT_KINDS = (
    "How the chains broke in runs that answered wrongly, counted from their calls and the content of their documents; "
    "each run is counted in one row, the first that fits of: stopped, lost leads, halted, wrong value."
)


def lengths(curves: Curves | None) -> Html | None:
    """Both sections; None where no task has a length."""
    if curves is None:
        return None
    names = [curve.name for curve in curves.operations]
    axes = [("N", "operations (N)", curves.operations), ("height", "height", curves.height)]
    plots = [plot for name, title, drawn in axes for plot in _plots(name, title, drawn, names)]
    tables = [_table(name, title, drawn) for name, title, drawn in axes if drawn]
    about = tag("p", _ABOUT, class_="quiet")
    parts = [tag("h2", "Accuracy against length"), about, legend(names), tag("div", plots, class_="plots"), tables]
    return Html(tag("section", parts, _horizons(axes)) + _breaks(curves, names))


def _horizons(axes: Sequence[tuple[str, str, Sequence[Curve]]]) -> list[Html]:
    """The lengths at which accuracy has fallen to some levels; none where all runs have one length."""
    rows = [
        tag(
            "tr",
            tag("td", curve.name),
            tag("td", title),
            [
                tag("td", text)
                for horizon in curve.horizons
                for text in (f"{100 * horizon.level:.0f} %", horizon.label, horizon.interval_label)
            ],
        )
        for _, title, curves in axes
        for curve in curves
        if len(curve.points) > 1
    ]
    if not rows:
        return []
    heads = ["tasks", "length", *(["accuracy", "horizon", "95 % interval"] * len(LEVELS))]
    head = tag("thead", tag("tr", [tag("th", text, scope="col") for text in heads]))
    table = tag("div", tag("table", head, tag("tbody", rows), class_="figures"), class_="scroll")
    return [tag("h3", "Horizon"), tag("p", _ABOUT_HORIZONS, class_="quiet"), table]


def _plots(name: str, title: str, curves: Sequence[Curve], names: Sequence[str]) -> list[Html]:
    """Accuracy and progress against a length; none where all runs have the same."""
    stops = sorted({point.first for curve in curves for point in curve.points})
    if len(stops) < 2:
        return []
    drawn = []
    for what, marks in (("accuracy", _accuracy_marks), ("progress", _progress_marks)):
        lines = [Line(names.index(curve.name), curve.name, marks(curve)) for curve in curves]
        shown = [line for line in lines if line.marks]
        if shown:
            words = Words(f"{what}-{name}", f"{what} against {title}", _described(shown), title, what)
            heading = tag("figcaption", f"{what.capitalize()} against {title}")
            drawn.append(tag("figure", heading, line_plot(words, shown, stops), class_="plot"))
    return drawn


def _described(lines: Sequence[Line]) -> str:
    """The ends of each line in words; the table has the rest."""
    told = [f"{line.name}: from {100 * line.marks[0].y:.0f} % to {100 * line.marks[-1].y:.0f} %" for line in lines]
    return f"{'; '.join(told)}. The table below holds the figures."


def _accuracy_marks(curve: Curve) -> list[Mark]:
    return [
        Mark(
            point.at,
            point.accuracy,
            point.interval,
            f"{curve.name}, {point.label}: {point.right} of {point.runs} right, {_percent(point.accuracy)} "
            f"({_range(point.interval)})",
        )
        for point in curve.points
    ]


def _progress_marks(curve: Curve) -> list[Mark]:
    return [
        Mark(
            point.at,
            point.progress,
            point.progress_interval,
            f"{curve.name}, {point.label}: progress {_percent(point.progress)} ({_range(point.progress_interval)})",
        )
        for point in curve.points
        if point.progress is not None
    ]


def _table(name: str, title: str, curves: Sequence[Curve]) -> Html:
    columns: dict[str, Callable[[Point], str]] = {
        name: lambda point: point.label,
        "runs": lambda point: f"{point.runs}",
        "passed": lambda point: f"{point.passed}",
        "right": lambda point: f"{point.right}",
        "accuracy": lambda point: _percent(point.accuracy),
        "95 % interval": lambda point: _range(point.interval),
        "progress": lambda point: _percent(point.progress),
        "95 % of mean": lambda point: _range(point.progress_interval),
    }
    bodies = [
        tag(
            "tbody",
            tag("tr", tag("th", curve.name, colspan=str(len(columns)), scope="rowgroup")),
            [tag("tr", [tag("td", show(point)) for show in columns.values()]) for point in curve.points],
        )
        for curve in curves
    ]
    head = tag("thead", tag("tr", [tag("th", column, scope="col") for column in columns]))
    table = tag("div", tag("table", head, bodies, class_="figures"), class_="scroll")
    rows = sum(len(curve.points) for curve in curves)
    heading = tag("summary", f"Figures against {title}")
    return tag("details", heading, table, class_="fold", open=rows <= _OPEN_ROWS)


def _breaks(curves: Curves, names: Sequence[str]) -> Html:
    if not curves.breaks:
        return Html()
    heading = tag("h2", "Where chains break")
    about = tag("p", _ABOUT_BREAKS, class_="quiet")
    return tag("section", heading, about, _ends(curves.breaks, names), _stops(curves.breaks), _kinds(curves.breaks))


def _ends(breaks: Sequence[Breaks], names: Sequence[str]) -> list[Html]:
    """How far failed runs came; nothing where that is not known of any."""
    bars = [Bars(names.index(limit_break.name), limit_break.name, limit_break.tenths) for limit_break in breaks]
    failed = sum(sum(bar.heights) for bar in bars)
    if not failed:
        return []
    told = "; ".join(f"{bar.name}: {', '.join(map(str, bar.heights))}" for bar in bars)
    words = Words(
        "breaks",
        "failed runs by how far they came",
        f"Runs by full tenths of the chain, from 0 to 10. {told}.",
        "tenths of the chain that were completed",
        "failed runs",
    )
    labels = [str(tenth) for tenth in range(TENTHS + 1)]
    figure = tag("figure", tag("figcaption", f"{failed} failed runs"), bar_plot(words, bars, labels), class_="plot")
    return [legend(names), tag("div", figure, class_="plots")]


def _stops(breaks: Sequence[Breaks]) -> Html:
    """How many failed runs each limit stopped."""
    rows = [
        tag(
            "tr",
            [
                tag("td", cell)
                for cell in (
                    limit_break.name,
                    limit_break.failed,
                    *(limit_break.stops.get(limit, 0) for limit in LIMITS),
                )
            ],
        )
        for limit_break in breaks
    ]
    heads = ["failed runs", "all", *(f"stopped by {limit}" for limit in LIMITS)]
    head = tag("thead", tag("tr", [tag("th", text, scope="col") for text in heads]))
    return tag("div", tag("table", head, tag("tbody", rows), class_="figures"), class_="scroll")


def _kinds(breaks: Sequence[Breaks]) -> list[Html]:
    """How many chains broke in which way; nothing where that cannot be told."""
    shown = [broken for broken in breaks if broken.kinds]
    if not shown:
        return []
    heads = [tag("th", text, scope="col") for text in ("Broken by", *(broken.name for broken in shown))]
    rows = [
        tag(
            "tr",
            tag("th", kind, tag("small", meaning), scope="row"),
            [tag("td", broken.kinds.get(kind, 0)) for broken in shown],
        )
        for kind, meaning in KINDS.items()
    ]
    table = tag("table", tag("thead", tag("tr", heads)), tag("tbody", rows))
    return [tag("p", _ABOUT_KINDS, class_="quiet"), tag("div", table, class_="scroll")]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _range(interval: Interval | None) -> str:
    return "-" if interval is None else f"{100 * interval[0]:.0f} to {100 * interval[1]:.0f} %"
