import itertools
import re
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from PIL import Image
from support.answers import Call
from support.scale import select_drills

from yardkit.world import World
from yardkit.world.fonts import CJK_FAMILY, font_file

BARS = {"kind": "bar", "x": ["Oslo", "Lima", "Kyoto"], "series": [{"name": "2025", "values": [10, 25, 40]}]}
BLUE = (0, 114, 178)


def read_picture(world: Any, name: Any) -> Any:
    with Image.open(world.files / name) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def bars_of(pixels: Any, color: Any = BLUE) -> Any:
    """Height in pixels of each bar of a colour, from left to right."""
    mask = (np.abs(pixels - np.array(color)).max(axis=2) < 12).sum(axis=0)
    heights, inside = [], False
    for column in mask:
        if column > 20 and not inside:
            heights.append(0)
        inside = column > 20
        if inside:
            heights[-1] = max(heights[-1], int(column))
    return heights


def svg_text(world: Any, name: Any) -> Any:
    return re.findall(r"<text[^>]*>(.*?)</text>", (world.files / name).read_text("utf-8"), re.DOTALL)


def test_bars_are_as_high_as_their_values(call: Call, world: World) -> None:
    call("plot_series", target="a.png", **BARS)
    low, middle, high = bars_of(read_picture(world, "a.png"))
    assert middle / low == pytest.approx(2.5, rel=0.03)
    assert high / low == pytest.approx(4.0, rel=0.03)


def test_the_picture_comes_back_with_a_summary_of_what_it_shows(call: Call, world: World) -> None:
    result = call("plot_series", target="out/a.png", title="Visitors", **BARS)
    assert [block.type for block in result.content] == ["text", "image"]
    drawn = result.structured_content
    assert drawn["kind"] == "bar"
    assert drawn["series"] == [{"name": "2025", "points": 3, "range": [10.0, 40.0]}]
    assert drawn["axes"][0]["ticks"] == ["Oslo", "Lima", "Kyoto"]
    assert drawn["size_px"] == [1200, 750]
    assert read_picture(world, "out/a.png").shape == (750, 1200, 3)


def test_size_and_dpi_give_the_pixels(call: Call, world: World) -> None:
    call("plot_series", target="a.png", width_in=4, height_in=3, dpi=100, **BARS)
    assert read_picture(world, "a.png").shape == (300, 400, 3)


def test_every_text_is_in_the_svg_as_text(call: Call, world: World) -> None:
    call(
        "plot_series",
        target="a.svg",
        title="Umsatz in $ und €, $1,000 each",
        x_label="City",
        y_label="Amount ($)",
        value_labels=True,
        value_format="$,.2f",
        **BARS,
    )
    texts = svg_text(world, "a.svg")
    for words in ("Umsatz in $ und €, $1,000 each", "City", "Amount ($)", "Oslo", "Kyoto", "$10.00", "$40.00"):
        assert words in texts


def test_math_text_is_set_only_on_request(call: Call, world: World) -> None:
    call("plot_series", target="plain.svg", title="$x^2$", **BARS)
    call("plot_series", target="math.svg", title="$x^2$", math_text=True, **BARS)
    assert "$x^2$" in svg_text(world, "plain.svg")
    assert "$x^2$" not in svg_text(world, "math.svg")


def test_chinese_labels_are_drawn_as_letters_and_not_as_boxes(call: Call, world: World) -> None:
    shapes = []
    for words in ("销售", "中文"):
        call("plot_series", target="a.png", title=words, kind="line", series=[{"values": [1, 2]}])
        shapes.append(read_picture(world, "a.png")[:60])
    assert (shapes[0] < 128).any()
    assert (shapes[0] != shapes[1]).any(), "two boxes would look the same as two others"
    call("plot_series", target="a.pdf", title="销售", kind="line", series=[{"values": [1, 2]}])
    assert TTFont(font_file(CJK_FAMILY))["name"].getDebugName(6).encode() in (world.files / "a.pdf").read_bytes()


def test_grouped_bars_stand_side_by_side_and_stacked_ones_on_top(call: Call, world: World) -> None:
    two = [{"name": "a", "values": [10, 10], "color": "#ff0000"}, {"name": "b", "values": [20, 20], "color": "#0000ff"}]
    ends = {}
    for stacked in (False, True):
        call("plot_series", kind="bar", x=["p", "q"], series=two, target="a.png", stacked=stacked, legend="none")
        pixels = read_picture(world, "a.png")
        red, blue = (np.abs(pixels - np.array(color)).max(axis=2) < 12 for color in ((255, 0, 0), (0, 0, 255)))
        ends[stacked] = (red.any(axis=0) & blue.any(axis=0)).sum()
    assert ends[False] == 0
    assert ends[True] > 100


def test_horizontal_bars_put_the_first_category_on_top(call: Call, world: World) -> None:
    result = call("plot_series", target="a.png", horizontal=True, x_label="City", y_label="Count", **BARS)
    pixels = np.abs(read_picture(world, "a.png") - np.array(BLUE)).max(axis=2) < 12
    rows = [int(row.sum()) for row in pixels if row.sum() > 20]
    assert max(rows) == pytest.approx(4 * min(rows), rel=0.05)
    assert rows[0] == min(rows)
    assert [axis["label"] for axis in result.structured_content["axes"]] == ["Count", "City"]


def test_a_csv_file_gives_a_series_per_column_with_gaps(call: Call, world: World) -> None:
    (world.files / "d.csv").write_text("month|sales|costs|note\nJan|1,200|3|x\nFeb||4|y\nMar|900|5|z\n", "utf-8")
    result = call("plot_series", kind="line", source="d.csv", x_column="month", target="a.png")
    series = result.structured_content["series"]
    assert [(series_row["name"], series_row["points"], series_row["range"][1]) for series_row in series] == [
        ("sales", 2, 1200.0),
        ("costs", 3, 5.0),
    ]
    assert result.structured_content["axes"][0]["label"] == "month"


def test_a_group_column_splits_one_column_into_series(call: Call, world: World) -> None:
    (world.files / "d.csv").write_text("year,city,n\n2024,Oslo,1\n2025,Oslo,2\n2024,Lima,3\n", "utf-8")
    result = call(
        "plot_series",
        kind="bar",
        source="d.csv",
        x_column="year",
        y_columns=["n"],
        group_column="city",
        target="a.png",
    )
    assert [(series_row["name"], series_row["points"]) for series_row in result.structured_content["series"]] == [
        ("Oslo", 2),
        ("Lima", 1),
    ]


def test_dates_make_a_date_axis(call: Call, world: World) -> None:
    result = call(
        "plot_series", kind="line", x=["2026-01-01", "2026-02-01"], series=[{"values": [1, 2]}], target="a.png"
    )
    axis = result.structured_content["axes"][0]
    assert axis["range"][0] < 20454 < 20485 < axis["range"][1]  # days from 1970-01-01 to the two dates
    assert axis["dates"] == ["2025-12-30 10:48:00", "2026-02-02 13:12:00"]


def test_the_margins_of_a_date_axis_stay_within_the_years_that_there_are(call: Call, world: World) -> None:
    days = ["0044-03-15", "9990-01-01"]
    result = call("plot_series", kind="line", x=days, series=[{"values": [1, 2]}], target="a.png")
    assert result.structured_content["axes"][0]["dates"] == ["0001-01-01", "9999-12-31"]


def test_ticks_between_powers_are_told(call: Call, world: World) -> None:
    result = call("plot_series", kind="line", series=[{"values": [2, 3, 7]}], y_scale="log", target="a.png")
    assert result.structured_content["axes"][1]["ticks"][:2] == ["2\u00d710\u2070", "3\u00d710\u2070"]


def test_a_log_axis_refuses_zero_and_says_what_to_do(call: Call, refusal: Call) -> None:
    words = refusal("plot_series", kind="line", series=[{"values": [0, 2]}], y_scale="log", target="a.png")
    assert "logarithmic but has the value 0" in words
    assert "symlog" in words


def test_a_trend_finds_the_line_that_the_points_lie_on(call: Call, world: World) -> None:
    call("plot_series", kind="scatter", x=[1, 2, 3], series=[{"values": [5, 7, 9]}], trend=True, target="a.svg")
    assert "y = 2 x + 3" in svg_text(world, "a.svg")


def test_ranges_ticks_guides_and_notes_are_kept(call: Call, world: World) -> None:
    result = call(
        "plot_series",
        kind="line",
        x=[0, 10],
        series=[{"values": [0, 10]}],
        target="a.svg",
        x_range=[-5, 15],
        y_range=[-2, 12],
        x_ticks=[0, 5, 10],
        guides=[{"value": 5, "label": "target"}],
        annotations=[{"text": "the end", "x": 10, "y": 10}],
    )
    across, up = result.structured_content["axes"]
    assert across["range"] + up["range"] == [-5, 15, -2, 12]
    assert across["ticks"] == ["0", "5", "10"]
    assert {"target", "the end"} <= set(svg_text(world, "a.svg"))


def test_a_right_axis_carries_its_own_series(call: Call) -> None:
    result = call(
        "plot_series",
        kind="bar",
        x=["a", "b"],
        series=[
            {"values": [1, 2], "name": "n"},
            {"values": [1000, 3000], "name": "m", "kind": "line", "axis": "right"},
        ],
        y2_label="metres",
        target="a.png",
    )
    right = result.structured_content["axes"][-1]
    assert right["label"] == "metres"
    assert right["range"][0] < 1000 < 3000 < right["range"][1]


@pytest.mark.parametrize("count", [6, 12, 30])
def test_category_labels_never_touch(count: int) -> None:
    from yardkit.servers.plot.engine import canvas, fitting
    from yardkit.servers.plot.engine.axes import finish_axes
    from yardkit.servers.plot.engine.positions import lay_out
    from yardkit.servers.plot.engine.spec import Series, SeriesChart

    names: list[float | str] = [f"Long category {place}" for place in range(count)]
    chart = SeriesChart("bar", [Series([1.0] * count)], names)
    where = lay_out(names, chart.series, "auto", bars=True)[0]
    with canvas.open_canvas(chart.look) as (figure, axes):
        axes.bar(range(count), [1] * count)
        finish_axes(axes, None, chart, where)
        fitting.fit_figure(figure)
        figure.draw_without_rendering()
        boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
        figure_box = figure.bbox
    if axes.get_xticklabels()[0].get_rotation() != 30:
        assert not any(a.overlaps(b) for a, b in itertools.pairwise(boxes))
    assert all(figure_box.x0 <= box.x0 and box.x1 <= figure_box.x1 and figure_box.y0 <= box.y0 for box in boxes)


@pytest.mark.parametrize("suffix", ["png", "svg", *select_drills("pdf")])
def test_the_same_chart_gives_the_same_bytes(call: Call, world: World, suffix: str) -> None:
    for name in ("a", "b"):
        call("plot_series", target=f"{name}.{suffix}", title="Same 同", **BARS)
    assert (world.files / f"a.{suffix}").read_bytes() == (world.files / f"b.{suffix}").read_bytes()


def test_charts_drawn_at_once_do_not_mix_their_themes(call: Call, world: World, tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from yardkit.servers.plot.engine.series import draw_chart
    from yardkit.servers.plot.engine.spec import Look, Series, SeriesChart

    def draw_corner(place: Any) -> Any:
        theme: Literal["dark", "light"] = "dark" if place % 2 else "light"
        draw_chart(SeriesChart("line", [Series([1.0, 2.0])], look=Look(theme=theme, dpi=40)), tmp_path / f"{place}.png")
        with Image.open(tmp_path / f"{place}.png") as image:
            return image.convert("L").getpixel((2, 2))

    with ThreadPoolExecutor(4) as pool:
        corners = list(pool.map(draw_corner, range(8)))
    assert all((corner > 200) == (place % 2 == 0) for place, corner in enumerate(corners))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"target": "a.bmp"}, "use .png, .svg or .pdf"),
        ({"target": "../a.png"}, "outside the workspace"),
        ({"series": [{"values": [1, 2]}]}, "2 values for 3 x values"),
        ({"series": [{"values": [None, None, None]}]}, "has no values"),
        ({"series": []}, "nothing to draw"),
        ({"series": [{"values": [1, 2, 3], "color": "blurple"}]}, "'blurple' is not a valid colour"),
        ({"width_in": 40, "height_in": 40, "dpi": 600}, "the limit is 40,000,000"),
        ({"value_labels": True, "value_format": "{0.__class__}"}, "is not a valid number format"),
        ({"source": "missing.csv", "series": None}, "does not exist"),
        ({"guides": [{"value": "Paris", "axis": "x"}]}, "'Paris' is not a category"),
        ({"horizontal": True, "kind": "line"}, "horizontal is only for bars"),
        ({"x_range": [1]}, "give [low, high]"),
        ({"kind": "waffle"}, "kind"),
        ({"series": [{"values": [1.0]}] * 31, "x": [1]}, "31 series; the limit is 30"),
        ({"series": [{"values": [0.0] * 200_001}], "x": None, "kind": "line"}, "the limit is 200,000"),
    ],
)
def test_wrong_input_is_refused_with_its_value_and_nothing_is_written(
    refusal: Call, wrong: dict[str, Any], says: str
) -> None:
    assert says in refusal("plot_series", **{"target": "a.png", **BARS, **wrong})


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"a,b\n1,two\n", "has no column of numbers"),
        (b"a,b\n", "no rows below its header"),
        (b"\xff\xfe\x00\x01", "no rows below its header"),  # one letter in UTF-16
        (b"\xff\xfe\x00", "cannot be read as utf-16 text"),
        (b"a,b\n\x00\x01\xff", "is binary, not text"),
        (b"", "no rows"),
    ],
)
def test_a_bad_csv_file_is_refused_with_the_reason(refusal: Call, world: World, content: bytes, says: str) -> None:
    (world.files / "d.csv").write_bytes(content)
    assert says in refusal("plot_series", kind="bar", source="d.csv", x_column="a", target="a.png") or (
        says in refusal("plot_series", kind="bar", source="d.csv", target="a.png")
    )


def test_a_cell_that_is_no_number_is_named_with_its_row(refusal: Call, world: World) -> None:
    (world.files / "d.csv").write_text("a,b\nx,1\ny,many\n", "utf-8")
    words = refusal("plot_series", kind="bar", source="d.csv", x_column="a", y_columns=["b"], target="a.png")
    assert "row 3 of column 'b' is 'many'" in words


def test_a_replaced_chart_keeps_the_old_one_when_drawing_fails(call: Call, world: World) -> None:
    call("plot_series", target="a.png", **BARS)
    before = (world.files / "a.png").read_bytes()
    assert call("plot_series", target="a.png", kind="bar", series=[{"values": []}]).is_error
    assert (world.files / "a.png").read_bytes() == before
    assert before.startswith(b"\x89PNG")
