"""The sections of the page on the length of tasks: accuracy and progress against it, and where chains break."""

from collections.abc import Callable, Sequence

from yardkit.kit.markup import Html, make_tag
from yardkit.sandbox.reports.curves import LIMITS, TENTHS, Breaks, Curve, Curves, Point
from yardkit.sandbox.reports.horizons import LEVELS
from yardkit.sandbox.reports.plots import Bars, Line, Mark, Words, bar_plot, build_legend, line_plot
from yardkit.sandbox.runs.chain_breaks import list_break_kinds
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


def build_length_sections(curves: Curves | None) -> Html | None:
    """Build both sections; None if no task has a length."""
    if curves is None:
        return None
    names = [curve.name for curve in curves.operations]
    axes = [("N", "operations (N)", curves.operations), ("height", "height", curves.height)]
    plots = [plot for name, title, drawn in axes for plot in _build_plots(name, title, drawn, names)]
    tables = [_build_table(name, title, drawn) for name, title, drawn in axes if drawn]
    about = make_tag("p", _ABOUT, class_="quiet")
    parts = [
        make_tag("h2", "Accuracy against length"),
        about,
        build_legend(names),
        make_tag("div", plots, class_="plots"),
        tables,
    ]
    return Html(make_tag("section", parts, _build_horizons(axes)) + _build_breaks(curves, names))


def _build_horizons(axes: Sequence[tuple[str, str, Sequence[Curve]]]) -> list[Html]:
    """Build the table of horizons for some levels; none if all runs have the same length."""
    rows = [
        make_tag(
            "tr",
            make_tag("td", curve.name),
            make_tag("td", title),
            [
                make_tag("td", text)
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
    head = make_tag("thead", make_tag("tr", [make_tag("th", text, scope="col") for text in heads]))
    table = make_tag("div", make_tag("table", head, make_tag("tbody", rows), class_="figures"), class_="scroll")
    return [make_tag("h3", "Horizon"), make_tag("p", _ABOUT_HORIZONS, class_="quiet"), table]


def _build_plots(name: str, title: str, curves: Sequence[Curve], names: Sequence[str]) -> list[Html]:
    """Plot accuracy and progress against a length; none if all runs have the same length."""
    stops = sorted({point.first for curve in curves for point in curve.points})
    if len(stops) < 2:
        return []
    drawn = []
    for what, marks in (("accuracy", _accuracy_marks), ("progress", _progress_marks)):
        lines = [Line(names.index(curve.name), curve.name, marks(curve)) for curve in curves]
        marked_lines = [line for line in lines if line.marks]
        if marked_lines:
            words = Words(f"{what}-{name}", f"{what} against {title}", _describe_lines(marked_lines), title, what)
            heading = make_tag("figcaption", f"{what.capitalize()} against {title}")
            drawn.append(make_tag("figure", heading, line_plot(words, marked_lines, stops), class_="plot"))
    return drawn


def _describe_lines(lines: Sequence[Line]) -> str:
    """Describe the ends of each line in words; the table has the other points."""
    line_descriptions = [
        f"{line.name}: from {100 * line.marks[0].y:.0f} % to {100 * line.marks[-1].y:.0f} %" for line in lines
    ]
    return f"{'; '.join(line_descriptions)}. The table below holds the figures."


def _accuracy_marks(curve: Curve) -> list[Mark]:
    return [
        Mark(
            point.at,
            point.accuracy,
            point.interval,
            f"{curve.name}, {point.label}: {point.right} of {point.runs} right, {_format_percent(point.accuracy)} "
            f"({_format_interval(point.interval)})",
        )
        for point in curve.points
    ]


def _progress_marks(curve: Curve) -> list[Mark]:
    return [
        Mark(
            point.at,
            point.progress,
            point.progress_interval,
            f"{curve.name}, {point.label}: progress {_format_percent(point.progress)}"
            f" ({_format_interval(point.progress_interval)})",
        )
        for point in curve.points
        if point.progress is not None
    ]


def _build_table(name: str, title: str, curves: Sequence[Curve]) -> Html:
    columns: dict[str, Callable[[Point], str]] = {
        name: lambda point: point.label,
        "runs": lambda point: f"{point.runs}",
        "passed": lambda point: f"{point.passed}",
        "right": lambda point: f"{point.right}",
        "accuracy": lambda point: _format_percent(point.accuracy),
        "95 % interval": lambda point: _format_interval(point.interval),
        "progress": lambda point: _format_percent(point.progress),
        "95 % of mean": lambda point: _format_interval(point.progress_interval),
    }
    bodies = [
        make_tag(
            "tbody",
            make_tag("tr", make_tag("th", curve.name, colspan=str(len(columns)), scope="rowgroup")),
            [make_tag("tr", [make_tag("td", show(point)) for show in columns.values()]) for point in curve.points],
        )
        for curve in curves
    ]
    head = make_tag("thead", make_tag("tr", [make_tag("th", column, scope="col") for column in columns]))
    table = make_tag("div", make_tag("table", head, bodies, class_="figures"), class_="scroll")
    rows = sum(len(curve.points) for curve in curves)
    heading = make_tag("summary", f"Figures against {title}")
    return make_tag("details", heading, table, class_="fold", open=rows <= _OPEN_ROWS)


def _build_breaks(curves: Curves, names: Sequence[str]) -> Html:
    if not curves.breaks:
        return Html()
    heading = make_tag("h2", "Where chains break")
    about = make_tag("p", _ABOUT_BREAKS, class_="quiet")
    return make_tag(
        "section",
        heading,
        about,
        _build_end_plots(curves.breaks, names),
        _build_stop_plot(curves.breaks),
        _build_kind_plots(curves.breaks),
    )


def _build_end_plots(breaks: Sequence[Breaks], names: Sequence[str]) -> list[Html]:
    """Plot how far failed runs got; nothing if that is unknown for all."""
    bars = [Bars(names.index(limit_break.name), limit_break.name, limit_break.tenths) for limit_break in breaks]
    failed = sum(sum(bar.heights) for bar in bars)
    if not failed:
        return []
    bar_descriptions = "; ".join(f"{bar.name}: {', '.join(map(str, bar.heights))}" for bar in bars)
    words = Words(
        "breaks",
        "failed runs by how far they came",
        f"Runs by full tenths of the chain, from 0 to 10. {bar_descriptions}.",
        "tenths of the chain that were completed",
        "failed runs",
    )
    labels = [str(tenth) for tenth in range(TENTHS + 1)]
    figure = make_tag(
        "figure", make_tag("figcaption", f"{failed} failed runs"), bar_plot(words, bars, labels), class_="plot"
    )
    return [build_legend(names), make_tag("div", figure, class_="plots")]


def _build_stop_plot(breaks: Sequence[Breaks]) -> Html:
    """Plot the number of failed runs that each limit stopped."""
    rows = [
        make_tag(
            "tr",
            [
                make_tag("td", cell)
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
    head = make_tag("thead", make_tag("tr", [make_tag("th", text, scope="col") for text in heads]))
    return make_tag("div", make_tag("table", head, make_tag("tbody", rows), class_="figures"), class_="scroll")


def _build_kind_plots(breaks: Sequence[Breaks]) -> list[Html]:
    """Plot the number of chains that broke in each way; nothing if that is unknown."""
    known_breaks = [broken for broken in breaks if broken.kinds]
    if not known_breaks:
        return []
    heads = [make_tag("th", text, scope="col") for text in ("Broken by", *(broken.name for broken in known_breaks))]
    rows = [
        make_tag(
            "tr",
            make_tag("th", kind, make_tag("small", meaning), scope="row"),
            [make_tag("td", broken.kinds.get(kind, 0)) for broken in known_breaks],
        )
        for kind, meaning in list_break_kinds().items()
    ]
    table = make_tag("table", make_tag("thead", make_tag("tr", heads)), make_tag("tbody", rows))
    return [make_tag("p", _ABOUT_KINDS, class_="quiet"), make_tag("div", table, class_="scroll")]


def _format_percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _format_interval(interval: Interval | None) -> str:
    return "-" if interval is None else f"{100 * interval[0]:.0f} to {100 * interval[1]:.0f} %"
