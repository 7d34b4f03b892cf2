"""How charts look: labels that are read, names beside losses, markers, layers that let others through."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pptx
import pytest
from pptx.enum.chart import XL_LABEL_POSITION, XL_MARKER_STYLE, XL_TICK_LABEL_POSITION
from pptx.enum.dml import MSO_THEME_COLOR

PLACE = {"left_cm": 2, "top_cm": 4, "width_cm": 28, "height_cm": 13}
UNITS = [{"name": "New", "values": [1210, 1840]}, {"name": "Old", "values": [900, -870]}]
POINTS = [{"name": "Shops", "x": [1, 2], "values": [3, 4]}]


@pytest.fixture
def draw(files: Path, call: Callable[..., dict[str, Any]]) -> Any:
    """A chart of a kind, as another library reads it."""

    def drawn(kind: Any, series: Any, **look: Any) -> Any:
        call("create_deck", path="c.pptx", slides=[{"title": "Look"}])
        categories = [] if "x" in series[0] else [f"C{at}" for at in range(len(series[0]["values"]))]
        call(
            "write_slide_chart", path="c.pptx", slide=1, kind=kind, categories=categories, series=series, look=look,
            **PLACE,
        )  # fmt: skip
        return read_chart(files)

    return drawn


def read_chart(files: Any) -> Any:
    return pptx.Presentation(str(files / "c.pptx")).slides[0].shapes[1].chart


@pytest.mark.parametrize("kind", ["column", "bar", "line", "area", "scatter"])
def test_names_of_categories_stand_at_the_edge_and_not_in_the_bars_of_losses(draw: Any, kind: str) -> None:
    chart = draw(kind, POINTS if kind == "scatter" else UNITS)
    assert chart.category_axis.tick_label_position == XL_TICK_LABEL_POSITION.LOW


def test_labels_stand_over_lines_and_have_the_format_of_the_axis(draw: Any) -> None:
    labels = draw("line_markers", UNITS, data_labels=True).plots[0].data_labels
    assert labels.position == XL_LABEL_POSITION.ABOVE
    assert (labels.number_format, labels.number_format_is_linked) == ("#,##0", False)


@pytest.mark.parametrize(
    ("fill", "color"), [("14213D", MSO_THEME_COLOR.BACKGROUND_1), ("FFE08A", MSO_THEME_COLOR.TEXT_1)]
)
@pytest.mark.parametrize("kind", ["column_stacked", "bar_stacked_100", "pie"])
def test_labels_in_bars_and_slices_can_be_read_on_them(draw: Any, kind: str, fill: str, color: Any) -> None:
    series = [{**unit, "color": fill} for unit in UNITS[: 1 if kind == "pie" else 2]]
    labels = draw(kind, series, data_labels=True).plots[0].data_labels
    assert labels.font.color.theme_color == color


def test_titles_are_as_large_as_the_texts_and_grow_with_them(
    draw: Any, call: Callable[..., dict[str, Any]], files: Path
) -> None:
    chart = draw("column", UNITS, title="Units", value_title="Pieces", font_size_pt=18)
    sizes = [chart.chart_title.text_frame, chart.value_axis.axis_title.text_frame]
    assert [frame.paragraphs[0].runs[0].font.size.pt for frame in sizes] == [24, 18]
    call("write_slide_chart", path="c.pptx", slide=1, shape=3, look={"font_size_pt": 12})
    sizes = [read_chart(files).chart_title.text_frame, read_chart(files).value_axis.axis_title.text_frame]
    assert [frame.paragraphs[0].runs[0].font.size.pt for frame in sizes] == [16, 12]


@pytest.mark.parametrize("kind", ["line_markers", "scatter", "scatter_lines", "radar_markers"])
def test_markers_are_round_and_large_enough_to_be_seen(draw: Any, kind: str) -> None:
    series = list(draw(kind, POINTS if kind.startswith("scatter") else UNITS).series)
    assert {(data_series.marker.style, data_series.marker.size) for data_series in series} == {
        (XL_MARKER_STYLE.CIRCLE, 7)
    }


@pytest.mark.parametrize("kind", ["area", "radar_filled"])
def test_areas_that_cover_each_other_let_those_behind_be_seen_in_any_colour(
    draw: Any, call: Callable[..., dict[str, Any]], files: Path, kind: str
) -> None:
    chart = draw(kind, UNITS)
    assert [element.get("val") for element in chart._chartSpace.xpath(".//c:ser/c:spPr//a:alpha")] == ["60000"] * 2
    given = [{**unit, "color": "C92A2A"} for unit in UNITS]
    call("write_slide_chart", path="c.pptx", slide=1, shape=3, series=given)
    alphas = read_chart(files)._chartSpace.xpath(".//c:ser/c:spPr/a:solidFill/a:srgbClr[@val='C92A2A']/a:alpha")
    assert len(alphas) == 2


def test_what_is_said_of_a_chart_reads_well(draw: Any, call: Callable[..., dict[str, Any]]) -> None:
    draw("column", UNITS)
    reply = call("write_slide_chart", path="c.pptx", slide=1, shape=3, kind="line")
    assert reply["done"] == "Changed the chart: line: New (2 values), Old (2 values)"
    reply = call("write_slide_chart", path="c.pptx", slide=1, kind="area", categories=["a", "b"], series=UNITS, **PLACE)
    assert reply["done"] == "Added an area chart to slide 1"


def test_labels_of_areas_and_of_bars_side_by_side_keep_the_colour_of_the_text(draw: Any) -> None:
    for kind in ("area_stacked", "column"):
        assert not draw(kind, UNITS, data_labels=True)._chartSpace.xpath(".//c:dLbls/c:txPr//a:schemeClr")


def test_a_pie_is_drawn_in_the_colour_that_is_given(draw: Any) -> None:
    chart = draw("pie", [{**UNITS[0], "color": "0B7F8A"}])
    colors = chart._chartSpace.xpath(".//c:dPt/c:spPr/a:solidFill/a:srgbClr/@val")
    assert colors == ["0B7F8A"] * 2
