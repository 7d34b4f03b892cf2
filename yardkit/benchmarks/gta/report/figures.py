"""The figures of work on GTA-2: those of the papers' code, and those that the papers only describe."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from yardkit.benchmarks.gta.report.works import Work
from yardkit.benchmarks.gta.scores.answers import Form
from yardkit.benchmarks.gta.sets.kinds import CATEGORIES, ENDINGS, list_capabilities
from yardkit.benchmarks.gta.sets.workflow import LEVELS, PASSES_ABOVE
from yardkit.sandbox.agents import Usage
from yardkit.sandbox.runs.intervals import Interval, wilson_interval
from yardkit.sandbox.runs.stages import STAGES

SIZES = ((1, 5), (6, 8), (9, 11), (12, 10_000))
"""Numbers of leaves that are put together: up to 5, 6 to 8, 9 to 11, 12 and more."""


@dataclass(frozen=True)
class Share:
    """A count out of a total; the share is None if the total is 0."""

    count: int
    of: int

    @property
    def rate(self) -> float | None:
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % Wilson score interval."""
        return wilson_interval(self.count, self.of) if self.of else None


@dataclass(frozen=True)
class Group:
    """A group of tasks: their number, their mean root, and the number of roots above 7."""

    tasks: int
    root: float
    success: Share


@dataclass(frozen=True)
class Figures:
    """Figures over some works.

    Attributes:
        root: mean points of the roots; None if none is judged.
        successes: the roots above 5, 6, 7, 8 and 9.
        leaves: the leaves above 7.
        unjudged: the number of leaves without points.
        tools: the calls without an error; None if calls are unknown.
        delivered, groups: the works whose files all exist and open; the groups of checkpoints above 7.
        stages: the number of works that failed at each of `yardkit.sandbox.runs.stages.STAGES`.
        by_capability, by_category, by_size, by_kind: tasks grouped by the capabilities of their tools, by class, by
            number of leaves, and by the kinds of files that they ask for.
        seconds: the mean time of a work, over those with a known time.
        usage: the total; its cost is None if no cost is known.
        per_cost: mean points of the roots per US dollar of the total cost.
    """

    works: int
    root: float | None
    successes: Mapping[float, Share]
    leaves: Share
    unjudged: int
    tools: Share | None
    delivered: Share
    groups: Share
    stages: Mapping[str, int]
    by_capability: Mapping[str, Group]
    by_category: Mapping[str, Group]
    by_size: Mapping[str, Group]
    by_kind: Mapping[str, Group]
    seconds: float | None
    usage: Usage
    per_cost: float | None


def figures_of(works: Sequence[Work], form: Form = "corrected") -> Figures:
    """The figures of `works`.

    In the corrected form, leaves without points and works without any are left out; in the published form they count as
    0.
    """
    is_published = form == "published"
    rooted = [(work, root) for work in works if (root := work.published if is_published else work.root) is not None]
    roots = [root for _, root in rooted]
    points = [0.0 if leaf.points is None and is_published else leaf.points for work in works for leaf in work.leaves]
    usage = sum((work.usage for work in works), Usage())
    seconds = [work.seconds for work in works if work.seconds is not None]
    stages = [work.stage for work in works]
    asked = {kind for work in works for kind in work.kinds}
    kinds = [*(kind for kind in ENDINGS if kind in asked), *sorted(asked - set(ENDINGS))]
    return Figures(
        len(works),
        fmean(roots) if roots else None,
        {level: _count_above(roots, level) for level in LEVELS},
        _count_above([point for point in points if point is not None], PASSES_ABOVE),
        points.count(None),
        _good_calls(works),
        Share(sum(work.delivered for work in works), len(works)),
        _count_above([point for work in works for point in work.groups], PASSES_ABOVE),
        {name: stages.count(name) for name in STAGES if name in stages},
        _put_together(rooted, lambda work: list_capabilities(work.tools), CATEGORIES),
        _put_together(rooted, lambda work: (work.category,), sorted({work.category for work in works} - {""})),
        _put_together(rooted, lambda work: (size_of(len(work.leaves)),), [size_of(low) for low, _ in SIZES]),
        _put_together(
            rooted,
            lambda work: work.kinds,
            kinds,
        ),
        fmean(seconds) if seconds else None,
        usage,
        fmean(roots) / usage.cost_usd if roots and usage.cost_usd else None,
    )


def size_of(leaves: int) -> str:
    """Describe a number of leaves in words."""
    low, high = next(((low, high) for low, high in SIZES if low <= leaves <= high), SIZES[0])
    return f"up to {high}" if low == 1 else f"{low} and more" if high > 1000 else f"{low} to {high}"


def _put_together(
    rooted: Sequence[tuple[Work, float]], words: Callable[[Work], Iterable[str]], known: Iterable[str]
) -> dict[str, Group]:
    """Make a group for each word of the works; a work with several words counts for each."""
    groups = {}
    for name in known:
        roots = [root for work, root in rooted if name in words(work)]
        if roots:
            groups[name] = Group(len(roots), fmean(roots), _count_above(roots, PASSES_ABOVE))
    return groups


def _good_calls(works: Sequence[Work]) -> Share | None:
    known = [
        (work.calls, work.call_errors) for work in works if work.calls is not None and work.call_errors is not None
    ]
    calls, errors = sum(calls for calls, _ in known), sum(errors for _, errors in known)
    return Share(calls - errors, calls) if known else None


def _count_above(points: Sequence[float], level: float) -> Share:
    return Share(sum(point > level for point in points), len(points))
