import io
from typing import Any

import numpy
import PIL.Image
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.patches import Patch as Key

from yardkit.evaluators.readers.pages import chart_bars
from yardkit.evaluators.readers.pages.chart_bars import Bars, Patch

BLUE, GRAY = "#1b6ca8", "#b8c4cf"


def _draw_chart(values: list[float], *, horizontal: bool = False, floor: float = 0, **look: Any) -> Any:
    """A Matplotlib chart, blue from 30 on, gray below, as an array."""
    figure = Figure(figsize=(9, 5.4), dpi=100)
    axes = figure.subplots()
    colors = [BLUE if value >= 30 else GRAY for value in values]
    names = [f"name {index}" for index in range(len(values))]
    bars = (axes.barh if horizontal else axes.bar)(names, values, color=colors, edgecolor=look.get("edge"))
    (axes.set_xlim if horizontal else axes.set_ylim)(floor, max(values) * 1.1)
    if horizontal:
        axes.invert_yaxis()
    axes.grid(visible=look.get("grid", False))
    if look.get("lettering"):
        axes.bar_label(bars, padding=3)
        figure.subplots_adjust(right=0.75)
        figure.legend(handles=[Key(color=BLUE, label="reached"), Key(color=GRAY, label="missed")], loc="upper right")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return numpy.asarray(PIL.Image.open(buffer).convert("RGB"))


def _find_chart_bars(pixels: Any, *, horizontal: bool = False) -> Bars:
    return chart_bars.find_bars(pixels, [BLUE, GRAY], horizontal=horizontal)


@pytest.mark.parametrize("horizontal", [False, True])
@pytest.mark.parametrize("look", [{}, {"grid": True}, {"edge": "black"}, {"lettering": True, "grid": True}])
def test_bars_are_found_in_order_with_their_colors(horizontal: bool, look: dict[str, Any]) -> None:
    values = [40.0, 12.0, 33.0, 29.0]
    bars = _find_chart_bars(_draw_chart(values, horizontal=horizontal, **look), horizontal=horizontal)
    assert chart_bars.are_proportional(bars.lengths, values)
    assert bars.colors == [0, 1, 0, 1]


@settings(max_examples=15)
@given(values=st.lists(st.integers(5, 100), min_size=2, max_size=8), horizontal=st.booleans())
def test_lengths_are_the_values_to_scale(values: list[int], horizontal: bool) -> None:
    bars = _find_chart_bars(
        _draw_chart([float(value) for value in values], horizontal=horizontal), horizontal=horizontal
    )
    assert chart_bars.are_proportional(bars.lengths, values)


def test_an_axis_that_does_not_start_at_zero_is_not_to_scale() -> None:
    values = [40.0, 20.0, 33.0]
    assert not chart_bars.are_proportional(_find_chart_bars(_draw_chart(values, floor=5)).lengths, values)


def test_swapped_missing_and_added_bars_are_not_to_scale() -> None:
    lengths = _find_chart_bars(_draw_chart([40.0, 20.0, 33.0])).lengths
    for other in ([20.0, 40.0, 33.0], [40.0, 20.0], [40.0, 20.0, 33.0, 5.0], []):
        assert not chart_bars.are_proportional(lengths, other)


def test_keys_of_a_legend_are_no_bars() -> None:
    bars = _find_chart_bars(_draw_chart([40.0, 12.0, 33.0], lettering=True))
    assert len(bars.patches) == 3
    assert [len(keys) for keys in bars.keys] == [1, 1]
    assert all(keys[0].left > bars.patches[-1].right for keys in bars.keys)


def test_a_turned_chart_and_a_blank_picture_have_no_such_bars() -> None:
    upright = _draw_chart([40.0, 12.0, 33.0])
    assert not chart_bars.are_proportional(_find_chart_bars(upright, horizontal=True).lengths, [40, 12, 33])
    assert _find_chart_bars(numpy.full((200, 300, 3), 255, numpy.uint8)).patches == []


def test_bars_in_another_color_are_not_found() -> None:
    assert chart_bars.find_bars(_draw_chart([40.0, 33.0]), ["#c4511d"], horizontal=False).patches == []


def test_lettering_is_told_from_lines_and_blank_ground() -> None:
    bare_chart, lettered = _draw_chart([40.0, 33.0], grid=True), _draw_chart([40.0, 33.0], grid=True, lettering=True)
    first = _find_chart_bars(lettered).patches[0]
    above = Patch(first.left, first.top - 30, first.right, first.top - 2)
    assert chart_bars.has_lettering(lettered, above)
    first = _find_chart_bars(bare_chart).patches[0]
    assert not chart_bars.has_lettering(bare_chart, Patch(first.left, first.top - 30, first.right, first.top - 2))
    assert not chart_bars.has_lettering(bare_chart, Patch(-50, -50, 2, 2))
