"""The comparison of several runs, with the same tables as a page and as Markdown."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from yardkit.kit.markup import make_tag
from yardkit.sandbox.reports.breakdowns import ASPECTS, THIRDS
from yardkit.sandbox.reports.deliveries import delivery_rows
from yardkit.sandbox.reports.page import page_of
from yardkit.sandbox.reports.side_by_side import Column
from yardkit.sandbox.reports.tables import Table, markdown_cell, markdown_of, section_of
from yardkit.sandbox.runs.call_errors import CALL_ERRORS
from yardkit.sandbox.runs.closed_loops import FAILURES
from yardkit.sandbox.runs.stages import STAGES
from yardkit.sandbox.runs.summary import Summary

_ABOUT = (
    "Invalid runs are left out. Pass@1 is the mean share of passes, with its standard deviation between rounds of "
    "runs; Pass@k the chance that one of k runs of an instance passes, Pass^k that all do, k being the fewest runs "
    "that an instance has. Differences are paired: each instance against itself in the first run, with a 95 % interval."
)
_NONE = "-"


def as_page(columns: Sequence[Column]) -> str:
    """Render one self-contained HTML page."""
    title = "Runs side by side" if len(columns) > 1 else f"The run of {columns[0].name}"
    names = make_tag("ul", [make_tag("li", make_tag("b", column.name), f": {column.about}") for column in columns])
    header = make_tag("header", make_tag("h1", title), names, make_tag("p", _ABOUT, class_="quiet"))
    return page_of(title, header, [section_of(table) for table in build_tables(columns)])


def as_markdown(columns: Sequence[Column]) -> str:
    """The same tables as Markdown."""
    about = [f"- **{markdown_cell(column.name)}**: {markdown_cell(column.about)}" for column in columns]
    parts = ["\n".join(about), _ABOUT, *(markdown_of(table) for table in build_tables(columns))]
    return "\n\n".join(parts) + "\n"


def as_json(columns: Sequence[Column]) -> str:
    """All figures."""
    return json.dumps([column.as_dict() for column in columns], indent=1) + "\n"


def build_tables(columns: Sequence[Column]) -> list[Table]:
    """Build all tables that are not empty."""
    names = [column.name for column in columns]
    comparison_tables = [
        Table("Figures", ["", *names], list(_list_figures(columns))),
        Table("Tasks", ["", *names], _list_tasks(columns)),
    ]
    comparison_tables += [Table(f"By {aspect}", ["", *names], _list_aspect_rows(columns, aspect)) for aspect in ASPECTS]
    about = "Runs that needed fewer deliveries count with their last one."
    with_feedback = [column for column in columns if column.deliveries]
    rows = list(delivery_rows([column.deliveries for column in with_feedback]))
    comparison_tables.append(
        Table("After each delivery", ["", *(column.name for column in with_feedback)], rows, about)
    )
    comparison_tables.append(Table("By turns", ["", *names], list(_list_thirds(columns))))
    comparison_tables.append(Table("Errors of calls", ["", *names], list(_call_errors(columns))))
    comparison_tables.append(Table("Stages at which failed runs failed", ["", *names], list(_list_stages(columns))))
    comparison_tables.append(Table("Reasons why runs failed", ["", *names], list(_list_failures(columns))))
    return [table for table in comparison_tables if table.rows]


def _list_figures(columns: Sequence[Column]) -> Iterator[list[str]]:
    for name, figure in _FIGURES.items():
        cells = [figure(column) for column in columns]
        if any(cell != _NONE for cell in cells):
            yield [name, *cells]


def _list_tasks(columns: Sequence[Column]) -> list[list[str]]:
    tasks = list(dict.fromkeys(task for column in columns for task in column.by_task))
    return [[task, *(_format_passes(column.by_task.get(task)) for column in columns)] for task in tasks]


def _list_aspect_rows(columns: Sequence[Column], aspect: str) -> list[list[str]]:
    words = [word for word in ASPECTS[aspect] if any(word in column.by_profile[aspect] for column in columns)]
    if len(words) < 2:
        return []
    return [[word, *(_format_passes(column.by_profile[aspect].get(word)) for column in columns)] for word in words]


def _list_thirds(columns: Sequence[Column]) -> Iterator[list[str]]:
    for name in THIRDS:
        column_thirds = [column.by_turns.get(name) for column in columns]
        cells = [f"{_format_passes(third.summary)}, {third.length}" if third else _NONE for third in column_thirds]
        if any(cell != _NONE for cell in cells):
            yield [name, *cells]


def _call_errors(columns: Sequence[Column]) -> Iterator[list[str]]:
    for name in CALL_ERRORS:
        counts = [column.health.kinds.get(name, 0) for column in columns]
        if any(counts):
            yield [name, *(f"{count}" for count in counts)]


def _list_stages(columns: Sequence[Column]) -> Iterator[list[str]]:
    for name in STAGES:
        counts = [column.stages.get(name, 0) for column in columns]
        if any(counts):
            yield [name, *(f"{count}" for count in counts)]


def _list_failures(columns: Sequence[Column]) -> Iterator[list[str]]:
    for name in FAILURES:
        counts = [column.summary.failures.get(name, 0) for column in columns]
        if any(counts):
            yield [name, *(f"{count}" for count in counts)]


def _format_passes(summary: Summary | None) -> str:
    if summary is None or summary.pass_rate is None:
        return _NONE
    return f"{summary.passed}/{summary.runs - summary.invalid} ({100 * summary.pass_rate:.0f} %)"


def _pass_at_1(column: Column) -> str:
    if column.repeats is None:
        return _NONE
    spread = "" if column.repeats.deviation is None else f" ± {100 * column.repeats.deviation:.1f}"
    return f"{_format_percent(column.repeats.pass_at_1)}{spread}"


def _at_k(column: Column) -> str:
    repeat_figures = column.repeats
    return (
        _NONE
        if repeat_figures is None or repeat_figures.runs < 2
        else f"{_format_percent(repeat_figures.pass_at_k)} (k = {repeat_figures.runs})"
    )


def _hat_k(column: Column) -> str:
    repeat_figures = column.repeats
    return (
        _NONE
        if repeat_figures is None or repeat_figures.runs < 2
        else f"{_format_percent(repeat_figures.pass_hat_k)} (k = {repeat_figures.runs})"
    )


def _format_interval(column: Column) -> str:
    interval = column.summary.interval
    return _NONE if interval is None else f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f} %"


def _format_difference(column: Column) -> str:
    paired = column.paired
    if paired is None or paired.difference is None:
        return _NONE
    between = ""
    if paired.interval:
        between = f" ({100 * paired.interval[0]:+.1f} to {100 * paired.interval[1]:+.1f})"
    return f"{100 * paired.difference:+.1f} points{between}"


def _format_instances(column: Column) -> str:
    paired = column.paired
    return _NONE if paired is None else f"{paired.instances}: better on {paired.better}, worse on {paired.worse}"


def _format_unlooked(column: Column) -> str:
    summary = column.summary
    if not summary.loops:
        return _NONE
    return f"{summary.passed_loops} and {summary.passed_unlooked} of {summary.loops}"


def _format_tokens(column: Column) -> str:
    usage = column.summary.usage
    cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
    return f"{usage.tokens:,}{cached}" if usage.tokens else _NONE


def _format_cost(column: Column) -> str:
    cost = column.summary.usage.cost_usd
    return _NONE if cost is None else f"{cost:.4f} USD"


def _reward_per_cost(column: Column) -> str:
    summary, cost = column.summary, column.summary.usage.cost_usd
    return f"{10 * summary.reward / cost:.2f} per USD" if cost and summary.reward is not None else _NONE


def _format_stops(column: Column) -> str:
    stops = ", ".join(f"{count} {stop}" for stop, count in sorted(column.summary.stops.items()))
    return stops or _NONE


_FIGURES: Mapping[str, Callable[[Column], str]] = {
    "Runs (invalid)": lambda column: f"{column.summary.runs} ({column.summary.invalid})",
    "Pass@1": _pass_at_1,
    "95 % interval": _format_interval,
    "Pass@k": _at_k,
    "Pass^k": _hat_k,
    "Against the first": _format_difference,
    "Instances in common": _format_instances,
    "Passed, and when looking is ignored": _format_unlooked,
    "Mean reward": lambda column: _NONE if column.summary.reward is None else f"{column.summary.reward:.3f}",
    "Turns": lambda column: _NONE if column.turns is None else f"{column.turns:g}",
    "Calls": lambda column: f"{column.summary.calls:g}",
    "Calls that ended in an error": lambda column: _format_percent(column.health.errors),
    "Passed without an error": lambda column: _format_percent(column.health.pass_rate_clean),
    "Passed with an error": lambda column: _format_percent(column.health.pass_rate_troubled),
    "Passed with an over-long output": lambda column: _format_percent(column.health.pass_rate_long),
    "Stopped before done": _format_stops,
    "Seconds": lambda column: f"{column.summary.agent_seconds:.1f}",
    "Tokens in all": _format_tokens,
    "Cost in all": _format_cost,
    "Root score per cost": _reward_per_cost,
}
"""Rows of the first table -> what they show of a run."""


def _format_percent(rate: float | None) -> str:
    return _NONE if rate is None else f"{100 * rate:.1f} %"
