import re
from typing import Any

import numpy as np
import pytest
from PIL import Image
from support.answers import Call

from yardkit.world import World


def read_picture(world: Any, name: Any) -> Any:
    with Image.open(world.files / name) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def is_near_color(pixels: Any, color: Any) -> Any:
    return np.abs(pixels - np.array(color)).max(axis=2) < 12


def svg_text(world: Any, name: Any) -> Any:
    return re.findall(r"<text[^>]*>(.*?)</text>", (world.files / name).read_text("utf-8"), re.DOTALL)


def test_a_histogram_counts_into_the_given_bins(call: Call) -> None:
    result = call(
        "plot_distribution",
        kind="histogram",
        samples=[{"values": [0, 1, 1, 2, 2, 2, 9, None]}],
        bins=[0, 2, 4, 10],
        target="h.png",
    )
    assert result.structured_content["remarks"] == ["bin edges: 0, 2, 4, 10", "heights: 3, 3, 1"]


@pytest.mark.parametrize(
    ("measure", "heights"), [("fraction", "0.75, 0.25"), ("cumulative", "3, 4"), ("density", "0.375, 0.125")]
)
def test_the_heights_of_a_histogram_are_what_was_asked_for(call: Call, measure: str, heights: str) -> None:
    result = call(
        "plot_distribution",
        kind="histogram",
        samples=[{"values": [0, 1, 1, 3]}],
        bins=[0, 2, 4],
        measure=measure,
        target="h.png",
    )
    assert result.structured_content["remarks"][1] == f"heights: {heights}"


@pytest.mark.parametrize("kind", ["box", "violin"])
@pytest.mark.parametrize("horizontal", [False, True])
def test_boxes_and_violins_stand_over_their_names(call: Call, world: World, kind: str, horizontal: bool) -> None:
    result = call(
        "plot_distribution",
        kind=kind,
        samples=[{"name": "before", "values": [1, 2, 3, 4, 20]}, {"name": "after 后", "values": [5, 6, 7]}],
        y_label="Time (s)",
        horizontal=horizontal,
        show_points=True,
        target="b.svg",
    )
    assert {"before", "after 后", "Time (s)"} <= set(svg_text(world, "b.svg"))
    assert [series_row["points"] for series_row in result.structured_content["series"]] == [5, 3]
    axes = result.structured_content["axes"]
    assert axes[0 if horizontal else 1]["range"][1] > 20


def test_slices_of_a_pie_are_as_large_as_their_parts(call: Call, world: World) -> None:
    colors = ["#ff0000", "#00ff00", "#0000ff"]
    call("plot_pie", labels=["a", "b", "c"], values=[50, 30, 20], colors=colors, show="none", target="p.png")
    pixels = read_picture(world, "p.png")
    areas = [is_near_color(pixels, color).sum() for color in ((255, 0, 0), (0, 255, 0), (0, 0, 255))]
    assert [area / sum(areas) for area in areas] == pytest.approx([0.5, 0.3, 0.2], abs=0.01)


def test_a_pie_tells_its_parts_and_no_axes(call: Call) -> None:
    result = call("plot_pie", labels=["a", "b"], values=[3, 1.5], target="p.png")
    assert result.content[0].text.splitlines()[1:] == ["- a: 3", "- b: 1.5"]
    assert result.structured_content["axes"] == []


def test_a_pie_tells_thin_slices_in_the_legend(call: Call, world: World) -> None:
    call("plot_pie", labels=["a lot", "little"], values=[99, 1], target="p.svg")
    assert "little (1.0%)" in svg_text(world, "p.svg")


def test_a_pie_takes_its_parts_from_a_csv_file(call: Call, world: World) -> None:
    (world.files / "d.csv").write_text("fruit,kg\nApple,3\nPear,1\n", "utf-8")
    result = call("plot_pie", source="d.csv", label_column="fruit", value_column="kg", show="both", target="p.svg")
    assert [series_row["name"] for series_row in result.structured_content["series"]] == ["Apple", "Pear"]
    assert "75.0%" in " ".join(svg_text(world, "p.svg"))


def test_cells_of_a_heat_map_get_darker_with_their_value_and_null_stays_empty(call: Call, world: World) -> None:
    call(
        "plot_heat_map",
        values=[[0, 10], [20, None]],
        x_labels=["x1", "x2"],
        y_labels=["y1", "y2"],
        color_map="blues",
        value_labels=False,
        target="m.png",
    )
    pixels = read_picture(world, "m.png").sum(axis=2)
    height, width = pixels.shape
    first, second, third, empty = (
        pixels[int(height * y), int(width * x)] for x, y in ((0.25, 0.25), (0.6, 0.25), (0.25, 0.7), (0.6, 0.7))
    )
    assert third < second < first
    assert empty == 3 * 255


def test_values_and_names_stand_in_a_heat_map(call: Call, world: World) -> None:
    call("plot_heat_map", values=[[1.25, -3]], x_labels=["left", "right"], value_format=".2f", target="m.svg")
    assert {"1.25", "-3.00", "left", "right"} <= set(svg_text(world, "m.svg"))


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("plot_pie", {"labels": ["a"], "values": [1, 2]}, "1 labels for 2 values"),
        ("plot_pie", {"labels": ["a", "b"], "values": [1, -2]}, "not -2"),
        ("plot_pie", {"labels": ["a"], "values": [0]}, "not 0"),
        ("plot_pie", {}, "give labels and values"),
        ("plot_heat_map", {"values": [[1, 2], [3]]}, "rows of equal length"),
        ("plot_heat_map", {"values": [[None]]}, "needs finite numbers"),
        ("plot_heat_map", {"values": [[1]], "x_labels": ["a", "b"]}, "2 x_labels for 1"),
        ("plot_heat_map", {"values": [[1]], "color_range": [2, 1]}, "give [low, high]"),
        ("plot_heat_map", {"values": [[0.0] * 600] * 600}, "the limit is 250,000"),
        ("plot_distribution", {"kind": "box", "samples": [{"values": [None]}]}, "at least one finite number"),
        ("plot_distribution", {"kind": "box", "samples": []}, "give 1 to 30 samples"),
        ("plot_distribution", {"kind": "histogram", "samples": [{"values": [1]}], "bins": 0}, "bins is 0"),
        ("plot_distribution", {"kind": "histogram", "samples": [{"values": [1]}], "bins": [2, 1]}, "must rise"),
        ("plot_distribution", {"kind": "box"}, "give either samples or source"),
    ],
)
def test_wrong_input_is_refused_with_its_value(refusal: Call, tool: str, arguments: dict[str, Any], says: str) -> None:
    assert says in refusal(tool, target="a.png", **arguments)
