"""What the categories and values of a chart are stays when only the figures change: dates, levels, formats."""

import datetime
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Cm


@pytest.fixture
def chart(files: Path, call: Callable[..., dict[str, Any]]) -> Any:
    """Put a chart made by another library on a slide; the deck is c.pptx and the chart its shape 2."""

    def make(categories: Any, number_format: str = "General") -> None:
        deck = pptx.Presentation()
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        data = CategoryChartData(number_format=number_format)
        for label, inner in categories:
            new_category = data.add_category(label)
            for category in inner:
                new_category.add_sub_category(category)
        count = sum(len(inner) or 1 for _, inner in categories)
        data.add_series("Sales", range(1, count + 1))
        slide.shapes.add_chart(XL_CHART_TYPE.LINE, Cm(1), Cm(1), Cm(15), Cm(10), data)
        deck.save(str(files / "c.pptx"))

    return make


def read_categories(call: Any) -> Any:
    return call("read_slides", path="c.pptx")["slides"][0]["shapes"][0]["chart"]["categories"]


def open_plot(files: Any) -> Any:
    chart = pptx.Presentation(str(files / "c.pptx")).slides[0].shapes[0].chart
    return chart, openpyxl.load_workbook(io.BytesIO(chart.part.chart_workbook.xlsx_part.blob)).worksheets[0]


def write_values(call: Any, values: Any, **more: Any) -> None:
    series = [{"name": "Sales", "values": values}]
    call("write_slide_chart", path="c.pptx", slide=1, shape=2, series=series, **more)


@pytest.mark.parametrize("given", [None, ["2024-01-01", "2024-02-01", "2024-03-01"]])
def test_dates_stay_dates_on_the_axis_and_in_the_workbook(
    files: Path, call: Callable[..., dict[str, Any]], chart: Any, given: list[str] | None
) -> None:
    chart([(datetime.date(2024, 1, 1), []), (datetime.date(2024, 2, 1), [])])
    assert read_categories(call) == ["2024-01-01", "2024-02-01"]
    values = [10, 20] if given is None else [10, 20, 30]
    write_values(call, values, categories=given)
    assert read_categories(call) == (given or ["2024-01-01", "2024-02-01"])
    drawn, sheet = open_plot(files)
    assert [int(category.label.split(".")[0]) for category in drawn.plots[0].categories][:2] == [45292, 45323]
    assert drawn._chartSpace.find(".//{*}cat/{*}numRef") is not None
    assert sheet["A3"].value.date() == datetime.date(2024, 2, 1)


@pytest.mark.parametrize("given", [None, ["USA / CA", "USA / NY", "DE / BY", "DE / HE", "DE / TH"]])
def test_categories_of_several_levels_stay_such(
    files: Path, call: Callable[..., dict[str, Any]], chart: Any, given: list[str] | None
) -> None:
    chart([("USA", ["CA", "NY"]), ("DE", ["BY", "HE"])])
    assert read_categories(call) == ["USA / CA", "USA / NY", "DE / BY", "DE / HE"]
    values = [5, 6, 7, 8] if given is None else [5, 6, 7, 8, 9]
    write_values(call, values, categories=given)
    assert read_categories(call) == (given or ["USA / CA", "USA / NY", "DE / BY", "DE / HE"])
    drawn, _ = open_plot(files)
    assert [level[0].label for level in drawn.plots[0].categories.levels] == ["CA", "USA"]
    assert list(drawn.plots[0].series[0].values) == values


def test_labels_in_place_of_dates_are_labels(call: Callable[..., dict[str, Any]], chart: Any) -> None:
    chart([(datetime.date(2024, 1, 1), []), (datetime.date(2024, 2, 1), [])])
    write_values(call, [1, 2], categories=["before", "after"])
    assert read_categories(call) == ["before", "after"]


def test_numbers_are_told_without_the_point_that_files_store(call: Callable[..., dict[str, Any]], chart: Any) -> None:
    chart([(2020, []), (2021, [])])
    assert read_categories(call) == ["2020", "2021"]
    write_values(call, [1, 2])
    assert read_categories(call) == ["2020", "2021"]


@pytest.mark.parametrize("more", [{}, {"kind": "column"}])
def test_values_keep_the_format_in_which_they_are_shown(
    files: Path, call: Callable[..., dict[str, Any]], chart: Any, more: dict[str, Any]
) -> None:
    chart([("a", []), ("b", [])], "0.0%")
    write_values(call, [0.5, 0.25], **more)
    drawn, sheet = open_plot(files)
    assert drawn._chartSpace.findtext(".//{*}val//{*}formatCode") == "0.0%"
    assert sheet["B2"].number_format == "0.0%"
