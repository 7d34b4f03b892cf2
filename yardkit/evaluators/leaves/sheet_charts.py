"""Leaves about sheets with charts: what a chart refers to, and the page on which it is printed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.office.workbooks import Chart, Grid, read_book
from yardkit.evaluators.readers.pages.pdf import Page
from yardkit.evaluators.readers.pages.rendered import draw_printed, find_cut_cells, is_legible, render_pages
from yardkit.evaluators.submission import Submission

_A4_PT = (841.9, 595.3)
_SCALE = 2.0


@dataclass(frozen=True)
class ChartSheet:
    """A sheet with so many charts, one printed page of which has its title."""

    path: str
    name: str
    title: str
    charts: int

    @property
    def covers(self) -> tuple[str, ...]:
        """The targets of mutants that change its charts."""
        return (f"charts:{self.path}#{self.name}",)

    def find_grid(self, submission: Submission) -> Grid:
        """Find the sheet as it looks.

        Raises:
            InvalidArtifact: there is no sheet with this name, or it has another number of charts.
        """
        sheets = read_book(submission, self.path).sheets
        if self.name not in sheets:
            raise InvalidArtifact(f"{self.path} has no sheet {self.name!r}, only {', '.join(sheets)}")
        if len(sheets[self.name].charts) != self.charts:
            raise InvalidArtifact(f"{self.name} has {len(sheets[self.name].charts)} charts instead of {self.charts}")
        return sheets[self.name]

    def find_page(self, submission: Submission) -> Page:
        """Find the printed page with the title.

        Raises:
            InvalidArtifact: there is none.
        """
        for page in render_pages(submission, self.path).pages:
            if simplify_text(self.title) in simplify_text(page.text):
                return page
        raise InvalidArtifact(f"no printed page of {self.path} says {self.title!r}")

    def list_unseen(self, submission: Submission, texts: Sequence[str]) -> list[str]:
        """List the texts that cannot be seen on the page, because they are pale or something lies over them."""
        page = self.find_page(submission)
        picture = draw_printed(submission, self.path, page.number, _SCALE)
        return [text for text in texts if not any(is_legible(picture, box, _SCALE) for box in page.find(text))]

    def check_single_page(
        self,
        id: str,
        statement: str,
        texts: Callable[[Facts], Sequence[str]],
        *,
        all_sheets: bool = False,
        weight: float = 1.0,
    ) -> Checkpoint:
        """These texts are on its page, A4 landscape, and no number there, or in `all_sheets`, turns into signs."""

        def check(submission: Submission, facts: Facts) -> Finding:
            self.find_grid(submission)
            page, printed = self.find_page(submission), render_pages(submission, self.path)
            missing_texts = [text for text in texts(facts) if simplify_text(text) not in simplify_text(page.text)]
            cut = find_cut_cells(printed if all_sheets else replace(printed, pages=(page,)))
            a4 = all(abs(a - b) < 3 for a, b in zip((page.width, page.height), _A4_PT, strict=True))
            evidence = f"A4 landscape {a4}; the page lacks {missing_texts}; number signs {cut[:4]}"
            return make_finding(a4 and not missing_texts and not cut, evidence)

        return make_checkpoint(id, statement, check, covers=self.covers, weight=weight)


@dataclass(frozen=True)
class SheetChart:
    """A chart, found by its title.

    Attributes:
        values: the ranges of its series, such as ``B4:B8``, in this order or the other way round.
        names: by column, the cell with the name of its series and other names that do, or the number in them; empty
            where names are free.
    """

    sheet: ChartSheet
    title: str
    categories: str
    values: tuple[str, ...]
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def check(self, id: str, statement: str, accepts: Callable[[Chart], bool], *, weight: float = 1.0) -> Checkpoint:
        """It shows just these ranges over these categories, with names that tell the series apart, in a form that
        `accepts` likes.
        """

        def check(submission: Submission, _facts: Facts) -> Finding:
            charts = self.sheet.find_grid(submission).charts
            titled = [chart for chart in charts if simplify_text(chart.title) == simplify_text(self.title)]
            if len(titled) != 1:
                return make_finding(holds=False, evidence=f"{len(titled)} charts have the title {self.title!r}")
            (chart,) = titled
            values = [self._normalize(series.values_at) for series in chart.series]
            ranges = values in (list(self.values), list(self.values)[::-1])
            months = {self._normalize(series.categories_at) for series in chart.series} == {self.categories}
            named = not self.names or all(map(self._is_named, chart.series))
            drawn = [(series.name or series.name_at, series.values_at, series.categories_at) for series in chart.series]
            evidence = f"{chart.kind} {chart.grouping}, legend {chart.legend}, named {named}: {drawn}"
            return make_finding(ranges and months and named and accepts(chart), evidence)

        return make_checkpoint(id, statement, check, covers=self.sheet.covers, weight=weight)

    def _is_named(self, series: Any) -> bool:
        cell, *others = self.names[re.sub(r"\d.*", "", self._normalize(series.values_at))]
        name = simplify_text(series.name)
        named = any(name == other or re.findall(r"\d+", name) == [other] for other in others)
        return named or self._normalize(series.name_at) == cell

    def _normalize(self, reference: str) -> str:
        """A reference without signs and the name of its own sheet."""
        return re.sub(r"[$'\s]", "", reference).upper().removeprefix(f"{self.sheet.name.upper()}!")
