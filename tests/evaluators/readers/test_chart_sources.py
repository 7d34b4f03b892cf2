"""What "Edit data" shows of a chart in a presentation, whoever wrote its workbook."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pptx
import pytest
from support import office as kits

from yardkit.evaluators.readers.office.chart_sources import holds_series, read_chart_sources
from yardkit.evaluators.submission import Submission

SERIES = {"Plan": [3.0, 4.0], "Actual": [2.5, 4.4]}
CATEGORIES = ["Jan", "Feb"]
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.pptx").write_bytes(kits.make_deck())
    return Submission(tmp_path)


def edit_chart(submission: Submission, change: Callable[[Any, Any], object]) -> None:
    """Change the chart of the deck, and the workbook inside."""
    read = pptx.Presentation(str(submission.files / "a.pptx"))
    chart = next(shape.chart for slide in read.slides for shape in slide.shapes if shape.has_chart)
    inside, buffer = chart.part.chart_workbook.xlsx_part, io.BytesIO()
    opened = openpyxl.load_workbook(io.BytesIO(inside.blob))
    change(chart, opened)
    opened.save(buffer)
    inside._blob = buffer.getvalue()
    read.save(str(submission.files / "a.pptx"))


def matches_series(submission: Submission) -> bool:
    return holds_series(read_chart_sources(submission, "a.pptx").get(3, ()), CATEGORIES, SERIES)


def test_the_cells_that_a_chart_refers_to_are_told(submission: Submission) -> None:
    first, second = read_chart_sources(submission, "a.pptx")[3]
    assert (first.name, first.categories, first.values) == (("Plan",), ("Jan", "Feb"), (3, 4))
    assert second.name == ("Actual",)
    assert matches_series(submission)


def test_references_are_followed_to_another_place_and_sheet(submission: Submission) -> None:
    def change(chart: Any, opened: Any) -> None:
        opened.worksheets[0].insert_rows(1, 2)
        opened.worksheets[0].title = "New figures"
        opened.create_sheet("Before", 0)
        for formula in chart._chartSpace.iter(f"{C}f"):
            formula.text = formula.text.replace("Sheet1", "'New figures'").replace("$3", "$5").replace("$2", "$4")
            formula.text = formula.text.replace("$1", "$3")

    edit_chart(submission, change)
    assert matches_series(submission)


@pytest.mark.parametrize("area", ["Sheet1!$C$2:$C$3", "Sheet1!$K$2:$K$3", "Gone!$B$2:$B$3", "Sheet1!$B$2", "#REF!", ""])
def test_references_that_lead_elsewhere_are_noticed(submission: Submission, area: str) -> None:
    def change(chart: Any, _opened: Any) -> None:
        values = next(chart._chartSpace.iter(f"{C}val"))
        next(values.iter(f"{C}f")).text = area

    edit_chart(submission, change)
    assert not matches_series(submission)


def test_other_figures_in_the_workbook_are_noticed_within_a_tolerance(submission: Submission) -> None:
    edit_chart(submission, lambda _chart, opened: opened.worksheets[0].__setitem__("B2", 3.04))
    sources = read_chart_sources(submission, "a.pptx")[3]
    assert not holds_series(sources, CATEGORIES, SERIES)
    assert holds_series(sources, CATEGORIES, SERIES, tolerance=0.1)
    assert not holds_series(sources[:1], CATEGORIES, SERIES, tolerance=0.1)
