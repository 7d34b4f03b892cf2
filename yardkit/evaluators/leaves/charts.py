"""Leaves about charts of workbooks."""

import re
from collections.abc import Mapping

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, finding, leaf
from yardkit.evaluators.leaves.drop_downs import bounds_of
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.office.charts import Chart, Series
from yardkit.evaluators.readers.office.workbooks import read_book
from yardkit.evaluators.readers.tables import read_sheets
from yardkit.evaluators.submission import Submission


def chart(
    id: str,
    says: str,
    path: str,
    sheet: str,
    title: str,
    series: Mapping[str, str],
    categories: str,
    *,
    kinds: tuple[str, ...] = ("bar",),
    weight: float = 1.0,
) -> Checkpoint:
    """A sheet has one chart with this title, which shows just this data.

    `series` are the names that the legend must say, by itself or by a cell that holds it, by the range of their values
    such as ``Summary!B4:B8``; an empty name where it may be called anything. All of them stand over the range
    `categories`. `kinds` are the kinds of chart that are right, as `readers.office.charts.Chart` names them.
    """

    def check(submission: Submission, _facts: Facts) -> Finding:
        charts = [candidate for candidate in _charts(submission, path, sheet) if fold(candidate.title) == fold(title)]
        if len(charts) != 1:
            return finding(holds=False, evidence=f"{len(charts)} charts on {sheet} have the title {title!r}")
        found = {
            _plain(data_series.values_at): _name(submission, path, data_series) for data_series in charts[0].series
        }
        over = {_plain(data_series.categories_at) for data_series in charts[0].series}
        wanted = {_plain(values): fold(name) for values, name in series.items()}
        named = all(not name or found.get(values) == name for values, name in wanted.items())
        holds = found.keys() == wanted.keys() and named and over == {_plain(categories)} and charts[0].kind in kinds
        return finding(holds, f"{charts[0].kind} of {found} over {sorted(over)}, expected {wanted}")

    return leaf(id, says, check, observes=(f"charts:{path}#{sheet}",), weight=weight)


def _charts(submission: Submission, path: str, sheet: str) -> tuple[Chart, ...]:
    sheets = read_book(submission, path).sheets
    if sheet not in sheets:
        raise InvalidArtifact(f"{path} has no sheet {sheet!r}, only {', '.join(sheets)}")
    return sheets[sheet].charts


def _name(submission: Submission, path: str, series: Series) -> str:
    """What a series is called: a chart that was just written may only say in which cell its name stands."""
    sheet, _, cell = series.name_at.rpartition("!")
    bounds, sheets = bounds_of(cell), read_sheets(submission, path)
    if series.name or bounds is None or sheet not in sheets:
        return fold(series.name)
    row = sheets[sheet].values[bounds[1] - 1 : bounds[1]]
    return fold(str(row[0][bounds[0] - 1])) if row and bounds[0] <= len(row[0]) else ""


def _plain(reference: str) -> str:
    return re.sub(r"[$'\s]", "", reference).upper()
