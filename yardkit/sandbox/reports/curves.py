"""Results by the length of tasks: the figures behind the plots of a report.

Results whose ``measures`` have ``operations`` are plotted against them and against ``height``, with a curve for each
task and its parameters except the number of operations. Accuracy is whether the answer is right, regardless of
guardrails, or if that is unknown, whether the run passed. Invalid runs are left out.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from yardkit.sandbox.agents import Stop
from yardkit.sandbox.reports.horizons import Horizon, horizons_of
from yardkit.sandbox.runs.chain_breaks import list_break_kinds
from yardkit.sandbox.runs.intervals import Interval, mean_interval, rate_interval
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.summary import by_instance
from yardkit.sandbox.tasks.parameters import LENGTH, Value, split_name
from yardkit.sandbox.tasks.task import load_task
from yardkit.world import Problem

OPERATIONS, HEIGHT, PROGRESS = "operations", "height", "progress"
TENTHS = 10
LIMITS: tuple[Stop, ...] = ("max_turns", "token_limit", "time_limit", "failed_rounds", "cut_off")
"""The limits that stop an agent."""
MOST_POINTS = {OPERATIONS: 24, HEIGHT: 12}
"""More distinct lengths than these are put together in ranges."""
FEWEST_RUNS = 5
"""A range of fewer runs is joined with the one before it, so that a curve does not end in the luck of one run."""


@dataclass(frozen=True)
class Point:
    """The runs of one length or of a range of lengths.

    Attributes:
        first, last: the range; both are the same for one length.
        at: the mean length.
        runs, right: the number of runs, and of those with the right answer; `accuracy` is their quotient, `interval`
            its 95 % interval (`yardkit.sandbox.runs.intervals`).
        passed: the number of runs that passed.
        progress: the mean share of the chain that was followed; None if unknown.
        progress_interval: its 95 % interval; None for fewer than two runs.
    """

    first: float
    last: float
    at: float
    runs: int
    right: int
    passed: int
    accuracy: float
    interval: Interval
    progress: float | None
    progress_interval: Interval | None

    @property
    def label(self) -> str:
        return f"{self.first:g}" if self.first == self.last else f"{self.first:g} to {self.last:g}"


@dataclass(frozen=True)
class Curve:
    """One kind of task, from short to long, and the lengths up to which it is solved."""

    name: str
    points: tuple[Point, ...]
    horizons: tuple[Horizon, ...] = ()


@dataclass(frozen=True)
class Breaks:
    """Where the failed runs of one kind of task ended, that is, the runs that do not count for accuracy.

    Attributes:
        failed: the number of failed runs.
        tenths: their number by full tenths of the chain that they followed, 0 to 10, if known.
        stops: the number of runs stopped by a limit, by limit.
        kinds: how their chains broke (`yardkit.sandbox.runs.chain_breaks`), if known.
    """

    name: str
    failed: int
    tenths: tuple[int, ...]
    stops: Mapping[Stop, int]
    kinds: Mapping[str, int]


@dataclass(frozen=True)
class Curves:
    """The curves against the number of operations and against the height, and where chains break."""

    operations: tuple[Curve, ...]
    height: tuple[Curve, ...]
    breaks: tuple[Breaks, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def curves_of(results: Iterable[Result]) -> Curves | None:
    """Compute the curves of a run; None if no result has a number of operations."""
    measured = [result for result in results if result.valid and OPERATIONS in result.measures]
    names = curve_names([result.task for result in measured])
    series: dict[str, list[Result]] = {}
    for result in measured:
        series.setdefault(names[result.task], []).append(result)
    if not series:
        return None
    return Curves(_build_curves(OPERATIONS, series), _build_curves(HEIGHT, series), tuple(_list_breaks(series)))


def curve_names(tasks: Iterable[str]) -> dict[str, str]:
    """Name the curve of each task: the task's name and the parameters, except the length, that any instance sets.

    An instance whose id lacks such a parameter has the default. With several suites, the name includes the suite.
    """
    split = {task: split_name(task) for task in tasks}
    one_suite = len({base.partition("/")[0] for base, _ in split.values()}) == 1
    names_by_base: dict[str, dict[str, None]] = {}
    for base, values in split.values():
        names_by_base.setdefault(base, {}).update(dict.fromkeys(values))
    names = {}
    for task, (base, values) in split.items():
        defaults = _read_defaults(base)
        value_texts = {name: values.get(name, defaults.get(name, "default")) for name in names_by_base[base]}
        value_texts.pop(LENGTH, None)  # the horizontal axis
        called = base.partition("/")[2] if one_suite else base
        names[task] = ", ".join([called, *(f"{name}={value}" for name, value in value_texts.items())])
    return names


def _read_defaults(task: str) -> Mapping[str, Value]:
    try:
        return load_task(task).values
    except (OSError, Problem, KeyError):
        return {}  # a report must stay readable after the task was uninstalled


def _build_curves(measure: str, series: Mapping[str, Sequence[Result]]) -> tuple[Curve, ...]:
    lengths = [
        result.measures[measure] for results in series.values() for result in results if _has_measure(result, measure)
    ]
    range_of = _choose_ranges(lengths, MOST_POINTS[measure])
    least, most = min(lengths, default=0), max(lengths, default=0)
    curves = []
    for name, results in series.items():
        by_range: dict[Interval, list[Result]] = {}
        for result in results:
            if _has_measure(result, measure):
                by_range.setdefault(range_of(result.measures[measure]), []).append(result)
        joined = _join_ranges(sorted(by_range.items()))
        # A range of round numbers may begin before the shortest task and end after the longest.
        points = tuple(_make_point(measure, some, max(first, least), min(last, most)) for (first, last), some in joined)
        curves.append(Curve(name, points, horizons_of(points)))
    return tuple(curve for curve in curves if curve.points)


def _has_measure(result: Result, measure: str) -> bool:
    return measure in result.measures


def _choose_ranges(lengths: Sequence[float], most: int) -> Callable[[float], Interval]:
    """Choose single lengths if there are few, else ranges of a round width, up to a maximum number."""
    if len(set(lengths)) <= most:
        return lambda length: (length, length)
    width = next(width for width in round_numbers() if max(lengths) // width - min(lengths) // width < most)
    return lambda length: (width * (length // width), width * (length // width) + width - 1)


def round_numbers() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50 ..."""
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def _join_ranges(ranges: Sequence[tuple[Interval, list[Result]]]) -> list[tuple[Interval, list[Result]]]:
    """Join ranges of few runs with the range before them, and the first one with the next."""
    joined_ranges: list[tuple[Interval, list[Result]]] = []
    for (first, last), results in ranges:
        few = joined_ranges and min(len(results), len(joined_ranges[-1][1])) < FEWEST_RUNS
        if few and first != last:
            (begin, _), others = joined_ranges.pop()
            joined_ranges.append(((begin, last), [*others, *results]))
        else:
            joined_ranges.append(((first, last), results))
    return joined_ranges


def _make_point(measure: str, results: Sequence[Result], first: float, last: float) -> Point:
    right = sum(result.right for result in results)
    progress_values = list(_list_progress(results))
    return Point(
        first,
        last,
        round(fmean(result.measures[measure] for result in results), 3),
        len(results),
        right,
        sum(result.state == "passed" for result in results),
        round(right / len(results), 6),
        rate_interval([[result.right for result in some] for some in by_instance(results)]),
        round(fmean(progress_values), 6) if progress_values else None,
        mean_interval([list(_list_progress(some)) for some in by_instance(results)]),
    )


def _list_progress(results: Iterable[Result]) -> Iterator[float]:
    return (result.measures[PROGRESS] for result in results if _has_measure(result, PROGRESS))


def _list_breaks(series: Mapping[str, Sequence[Result]]) -> Iterable[Breaks]:
    for name, results in series.items():
        failed = [result for result in results if not result.right and result.state != "open"]
        # A score of 0.3 may be stored as 0.29999, which must still count as three tenths.
        ends = Counter(
            int(TENTHS * result.measures[PROGRESS] + 1e-6) for result in failed if _has_measure(result, PROGRESS)
        )
        stops, kinds = Counter(result.stop for result in failed), Counter(result.chain_break for result in failed)
        if failed:
            tenths = tuple(ends[tenth] for tenth in range(TENTHS + 1))
            limits = {limit: stops[limit] for limit in LIMITS if stops[limit]}
            known_kinds = {kind: kinds[kind] for kind in list_break_kinds() if kinds[kind]}
            yield Breaks(name, len(failed), tenths, limits, known_kinds)
