"""Leaves about the native charts of a presentation: what they show, from which cells, on which scale."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.readers.office.chart_sources import holds_series, read_chart_sources
from yardkit.evaluators.readers.office.charts import Chart
from yardkit.evaluators.readers.office.presentations import Shape, read_deck
from yardkit.evaluators.submission import Submission

_MOVED_MM = 3


@dataclass(frozen=True)
class DeckChart:
    """The only native chart of a slide.

    Attributes:
        path: the presentation.
        slide: the number of the slide, or how the facts tell it.
        truth: from the facts, ``categories`` and ``series``: the values by name, in order.
        tolerance: by how much a value may be off.
    """

    path: str
    slide: int | Callable[[Facts], int]
    truth: Callable[[Facts], Mapping[str, Any]]
    tolerance: float = 0.0

    @property
    def covers(self) -> tuple[str, ...]:
        """The targets of mutants that change what it shows."""
        return (f"charts:{self.path}#{self.slide}" if isinstance(self.slide, int) else f"charts:{self.path}",)

    def get_number(self, facts: Facts) -> int:
        """The number of its slide."""
        return self.slide if isinstance(self.slide, int) else self.slide(facts)

    def find_shape(self, submission: Submission, facts: Facts) -> tuple[Shape, Chart]:
        """Find the chart with its shape.

        Raises:
            InvalidArtifact: there is no slide with this number, or it has not exactly one native chart.
        """
        number, slides = self.get_number(facts), read_deck(submission, self.path).slides
        shapes = slides[number - 1].of_kind("chart") if len(slides) >= number else []
        if len(shapes) != 1 or shapes[0].chart is None:
            raise InvalidArtifact(f"slide {number} of {self.path} has {len(shapes)} native charts, expected one")
        return shapes[0], shapes[0].chart

    def check_columns(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """The chart has columns, side by side or stacked, with these values; the series in any order."""

        def check(submission: Submission, facts: Facts) -> Finding:
            _, chart = self.find_shape(submission, facts)
            columns = chart.kind == "bar" and not chart.horizontal and chart.grouping in ("", "clustered", "stacked")
            shows = self._shows_truth(chart, facts) and len(chart.series) == len(self.truth(facts)["series"])
            return make_finding(columns and shows, f"{chart.grouping} {chart.kind}; {self._describe(chart, facts)}")

        return make_checkpoint(id, statement, check, covers=self.covers, weight=weight)

    def check_update(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """The chart has its old place and kind, with these values; the series in this order."""

        def check(submission: Submission, facts: Facts) -> Finding:
            shape, chart = self.find_shape(submission, facts)
            old_shape, old = self.find_shape(submission.untouched, facts)
            placed = all(abs(a - b) <= _MOVED_MM for a, b in zip(shape.box_mm, old_shape.box_mm, strict=True))
            same_kind = (chart.kind, chart.horizontal) == (old.kind, old.horizontal)
            names = [series.name.strip() for series in chart.series]
            shows = self._shows_truth(chart, facts) and names == list(self.truth(facts)["series"])
            evidence = f"in place {placed}, same kind {same_kind}; {self._describe(chart, facts)}"
            return make_finding(placed and same_kind and shows, evidence)

        return make_checkpoint(id, statement, check, covers=self.covers, weight=weight)

    def check_sources(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """The cells that the chart refers to, in the workbook inside, hold what it is to show."""

        def check(submission: Submission, facts: Facts) -> Finding:
            _, chart = self.find_shape(submission, facts)
            truth, cells = self.truth(facts), read_chart_sources(submission, self.path).get(self.get_number(facts), ())
            names = [series.name.strip() for series in chart.series]
            series = {name: truth["series"][name] for name in names if name in truth["series"]}
            holds = holds_series(cells, truth["categories"], series, tolerance=self.tolerance)
            return make_finding(holds, f"the references of slide {self.get_number(facts)} lead to {cells}")

        return make_checkpoint(id, statement, check, covers=(f"file:{self.path}",), weight=weight)

    def check_scale(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """The scale begins at zero or below and does not end below the highest column."""

        def check(submission: Submission, facts: Facts) -> Finding:
            _, chart = self.find_shape(submission, facts)
            low, high = chart.scale
            columns = zip(*self.truth(facts)["series"].values(), strict=True)
            highest = max(sum(values) if chart.grouping == "stacked" else max(values) for values in columns)
            drawn_values = [value or 0 for series in chart.series for value in series.values]
            drawn = chart.grouping == "stacked" or any(abs(v - highest) <= self.tolerance for v in drawn_values)
            uncut = (high is None or high >= highest - self.tolerance) and (low is None or low <= 0)
            return make_finding(drawn and uncut, f"the scale goes from {low} to {high} for {highest}")

        return make_checkpoint(id, statement, check, covers=self.covers, weight=weight, kind="format")

    def _shows_truth(self, chart: Chart, facts: Facts) -> bool:
        """Whether each true series is drawn, with all categories and values."""
        truth, drawn = self.truth(facts), {series.name.strip(): series for series in chart.series}
        return set(drawn) == set(truth["series"]) and all(
            list(drawn[name].categories) == truth["categories"] and self._same(drawn[name].values, values)
            for name, values in truth["series"].items()
        )

    def _same(self, drawn: Sequence[float | None], values: Sequence[float]) -> bool:
        return len(drawn) == len(values) and all(
            a is not None and abs(a - b) <= self.tolerance for a, b in zip(drawn, values, strict=True)
        )

    def _describe(self, chart: Chart, facts: Facts) -> str:
        drawn = [(series.name, list(series.categories), list(series.values)) for series in chart.series]
        return f"shows {drawn}, expected {self.truth(facts)}"
