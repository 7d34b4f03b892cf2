"""Charts of several kinds in one, and drawings that decks do not hold."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pptx
import pytest
from lxml import etree
from support.decks import read_parts

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
SERIES = [
    {"name": "Growth", "values": [5, 9.7, -3], "kind": "line", "second_axis": True},
    {"name": "EUR m", "values": [310, 340, 290]},
    {"name": "Plan", "values": [300, 300, 300], "kind": "line"},
]
PLACE = {"left_cm": 2, "top_cm": 4, "width_cm": 28, "height_cm": 13}


@pytest.fixture
def mixed(files: Path, call: Callable[..., dict[str, Any]]) -> Any:
    call("create_deck", path="mix.pptx", slides=[{"title": "a"}, {"title": "Mix"}])
    call(
        "write_slide_chart", path="mix.pptx", slide=2, kind="column", categories=["a", "b", "c"], series=SERIES, **PLACE
    )
    return files / "mix.pptx"


def list_plots(path: Any) -> Any:
    chart = next(shape.chart for shape in pptx.Presentation(str(path)).slides[1].shapes if shape.has_chart)
    return [(type(plot).__name__, {series.name: list(series.values) for series in plot.series}) for plot in chart.plots]


def test_lines_stand_over_columns_on_their_own_axis_or_the_same(
    mixed: Any, call: Callable[..., dict[str, Any]]
) -> None:
    assert list_plots(mixed) == [
        ("BarPlot", {"EUR m": [310, 340, 290]}),
        ("LinePlot", {"Growth": [5, 9.7, -3]}),
        ("LinePlot", {"Plan": [300, 300, 300]}),
    ]
    chart = next(data for name, data in read_parts(mixed).items() if name.startswith("ppt/charts/chart"))
    assert (chart.count(b"<c:valAx"), chart.count(b"<c:catAx")) == (2, 2)
    shapes = call("read_slides", path="mix.pptx", slides=[2])["slides"][0]["shapes"]
    assert [shape["chart"]["kind"] for shape in shapes if shape["kind"] == "chart"] == ["column + line_markers"]


def test_new_data_of_a_mixed_chart_go_to_the_series_of_their_names(
    mixed: Any, call: Callable[..., dict[str, Any]], refused: Callable[..., str]
) -> None:
    data = [
        {"name": "Plan", "values": [1, 2]},
        {"name": "Growth", "values": [3, 4]},
        {"name": "EUR m", "values": [5, 6]},
    ]
    call("write_slide_chart", path="mix.pptx", slide=2, shape="Chart 2", categories=["x", "y"], series=data)
    assert list_plots(mixed) == [
        ("BarPlot", {"EUR m": [5, 6]}),
        ("LinePlot", {"Growth": [3, 4]}),
        ("LinePlot", {"Plan": [1, 2]}),
    ]
    message = refused("write_slide_chart", path="mix.pptx", slide=2, shape="Chart 2", series=data[:2])
    assert "combines kinds (column + line_markers) over the series 'EUR m', 'Growth', 'Plan'" in message
    drawn_anew = [{"name": "All", "values": [1, 2]}, {"name": "Sum", "values": [1, 3], "kind": "area"}]
    call("write_slide_chart", path="mix.pptx", slide=2, shape="Chart 2", series=drawn_anew)
    assert list_plots(mixed) == [("BarPlot", {"All": [1, 2]}), ("AreaPlot", {"Sum": [1, 3]})]


@pytest.mark.parametrize(
    ("kind", "series", "words"),
    [
        ("pie", [SERIES[0]], "a pie chart cannot be combined"),
        ("bar", SERIES, "a bar chart cannot be combined with others; column, line, area can"),
        ("column", [SERIES[0], SERIES[2]], "no series is left"),
    ],
)
def test_kinds_that_cannot_stand_in_one_chart_are_refused(
    mixed: Any, refused: Callable[..., str], kind: str, series: list[Any], words: str
) -> None:
    before = mixed.read_bytes()
    message = refused(
        "write_slide_chart", path="mix.pptx", slide=1, kind=kind, categories=["a", "b", "c"], series=series, **PLACE
    )
    assert words in message
    assert mixed.read_bytes() == before


def test_a_drawing_is_refused_with_the_way_to_a_picture(mixed: Any, files: Path, refused: Callable[..., str]) -> None:
    (files / "logo.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    message = refused("place_slide_picture", path="mix.pptx", slide=1, image="logo.svg")
    assert message.endswith("'logo.svg' is a drawing (SVG); convert_file of the render server makes a .png file of it")


def read_axes(path: Any) -> Any:
    """The number formats, titles and maxima of the value axes of the chart on the second slide."""
    chart = next(data for name, data in read_parts(path).items() if name.startswith("ppt/charts/chart"))
    axes = etree.fromstring(chart).iter(C + "valAx")
    return [
        (axis.find(C + "numFmt"), "".join(axis.itertext()), axis.find(f"{C}scaling/{C}max") is not None)
        for axis in axes
    ]


def test_the_look_of_a_chart_with_two_axes_goes_to_the_first(mixed: Any, call: Callable[..., dict[str, Any]]) -> None:
    look = {"value_title": "EUR", "value_max": 500, "number_format": "0.0"}
    call("write_slide_chart", path="mix.pptx", slide=2, shape="Chart 2", look=look)
    (code, title, limited), second = read_axes(mixed)
    assert (code.get("formatCode"), title, limited) == ("0.0", "EUR", True)
    assert (second[0].get("formatCode"), *second[1:]) == ("General", "", False)


@pytest.mark.parametrize(
    ("kind", "values", "code"),
    [("column", [999, 20], None), ("bar", [-12000, 20], "#,##0"), ("area_stacked_100", [1, 2], "0%")],
)
def test_axes_show_large_values_in_groups_and_shares_in_percent(
    files: Path, call: Callable[..., dict[str, Any]], kind: str, values: list[int], code: str | None
) -> None:
    call("create_deck", path="c.pptx", slides=[{"title": "Chart"}])
    series = [{"name": "Sales", "values": values}]
    call("write_slide_chart", path="c.pptx", slide=1, kind=kind, categories=["a", "b"], series=series, **PLACE)
    number_format = read_axes(files / "c.pptx")[0][0]
    assert (None if number_format is None else number_format.get("formatCode")) == code
