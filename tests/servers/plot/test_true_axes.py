"""Axes, ticks and numbers of charts say what the data are."""

from collections.abc import Sequence
from typing import Any

import pytest
from support.answers import Call, read_text

from yardkit.world import World

X = [1, 2, 3, 4]


def draw(call: Call, *series: Sequence[float | None], **arguments: object) -> dict[str, Any]:
    named = [{"name": f"s{number}", "values": values} for number, values in enumerate(series)]
    result = call("plot_series", **{"kind": "line", "target": "a.png", "x": X, "dpi": 60, "series": named, **arguments})
    assert not result.is_error, read_text(result)
    facts: dict[str, Any] = result.structured_content
    return facts


@pytest.mark.parametrize(
    ("stacked", "series", "top"),
    [
        (True, [[10, 11, 12, 13], [5, 5, 5, 5], [8, 8, 8, 8]], 26),
        (False, [[1, 2, 3, 4], [20, 30, 40, 50]], 50),
    ],
)
def test_an_area_chart_reaches_to_its_highest_value(
    call: Call, stacked: bool, series: list[list[float]], top: float
) -> None:
    low, high = draw(call, *series, kind="area", stacked=stacked)["axes"][1]["range"]
    assert low == 0
    assert high >= top


def test_a_line_below_zero_and_a_guide_above_an_area_are_seen(call: Call) -> None:
    series = [{"name": "a", "values": [1, 2, 3, 4]}, {"name": "b", "values": [-5, 0, 0, 0], "kind": "line"}]
    low, _ = draw(call, kind="area", series=series)["axes"][1]["range"]
    assert low <= -5
    _, high = draw(call, [1, 2, 3, 4], kind="area", guides=[{"value": 40, "label": "goal"}])["axes"][1]["range"]
    assert high >= 40


@pytest.mark.parametrize("values", [[101325.2, 101325.6, 101325.9, 101326.1], [20000.25, 20000.3, 20000.5, 20000.75]])
def test_ticks_of_large_values_that_are_close_differ(call: Call, values: list[float]) -> None:
    facts = draw(call, values)
    ticks = facts["axes"][1]["ticks"]
    assert len(set(ticks)) == len(ticks)
    result = call("plot_series", kind="line", target="a.png", x=X, series=[{"name": "s", "values": values}])
    assert f"{values[0]} to {values[-1]}" in read_text(result)
    labels = draw(call, values, kind="bar", value_labels=True, target="a.svg")
    assert labels["series"][0]["range"] == [values[0], values[-1]]


@pytest.mark.parametrize(
    ("content", "ends"),
    [
        ("d;v\na;1,789\nb;1,805\n", [1.789, 1.805]),
        ("d;v\na;1,250\nb;0,750\nc;12,5\n", [0.75, 12.5]),
        ("d;v\na;1.234.500\nb;1.410,50\nc;12.050\n", [1410.5, 1234500.0]),
        ("d;v\na;1 234,5\nb;12\u202f345,75\n", [1234.5, 12345.75]),
        ('d,v\na,"1,789"\nb,"1,805"\n', [1789.0, 1805.0]),
        ('d,v\na,"12,5"\nb,"1,805"\n', [1.805, 12.5]),
        ("d;v\na;1,234.5\nb;12\n", [12.0, 1234.5]),
        ("d\tv\na\t0,5\nb\t1,25 %\n", [0.5, 1.25]),
    ],
)
def test_decimal_commas_are_told_by_the_file(call: Call, world: World, content: str, ends: list[float]) -> None:
    (world.files / "d.csv").write_text(content, "utf-8")
    result = call("plot_series", kind="bar", target="a.png", source="d.csv", x_column="d", y_columns=["v"])
    assert result.structured_content["series"][0]["range"] == ends


def test_a_file_with_decimal_commas_and_points_is_refused(refusal: Call, world: World) -> None:
    (world.files / "d.csv").write_text("d;v\na;1,5\nb;1.25\n", "utf-8")
    words = refusal("plot_series", kind="bar", target="a.png", source="d.csv", x_column="d", y_columns=["v"])
    assert "decimal commas and decimal points (1,5, 1.25)" in str(words)


def test_a_log_axis_is_told_without_tex(call: Call) -> None:
    facts = draw(call, [0.001, 0.1, 10, 1000], y_scale="log")
    assert "10\u207b\u00b3" in facts["axes"][1]["ticks"]
    assert "mathdefault" not in str(facts)


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"], "+2 per day"),
        (["2020-01-01", "2021-01-01", "2022-01-01", "2023-01-01"], "per year"),
        (["a", "b", "c", "d"], "+2 per step of the x axis"),
        (X, "y = 2 x + 0"),
    ],
)
def test_a_trend_says_its_unit(call: Call, world: World, x: list[Any], words: str) -> None:
    draw(call, [2, 4, 6, 8], x=x, trend=True, target="a.svg")
    assert words in (world.files / "a.svg").read_text("utf-8")


def test_fourteen_lines_have_fourteen_colours(call: Call, world: World) -> None:
    import re

    draw(call, *[[number, number + 1, number, number] for number in range(14)], target="a.svg")
    colors = set(re.findall(r"stroke: (#[0-9a-f]{6}); stroke-width: 2", (world.files / "a.svg").read_text("utf-8")))
    assert len(colors) == 14
    remarks = draw(call, *[[number] * 4 for number in range(26)])["remarks"]
    assert any("26 series share 24 colours" in remark for remark in remarks)


def test_a_gap_of_an_area_is_a_gap_and_counts_as_0_in_a_stack(call: Call) -> None:
    low, _ = draw(call, [5, None, 6, 7], kind="area")["axes"][1]["range"]
    assert low == 0
    stacked = draw(call, [5, None, 6, 7], [1, 2, 3, 4], kind="area", stacked=True)
    assert any("1 missing value drawn as 0" in remark for remark in stacked["remarks"])


def test_ticks_that_are_not_drawn_are_neither_told_nor_cut_off(call: Call) -> None:
    facts = draw(call, [0.001, 10, 1000, 1], y_scale="log")
    assert facts["axes"][1]["ticks"] == ["10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹", "10²", "10³"]
    assert facts["remarks"] == []


def test_bars_that_would_hide_each_other_are_refused(call: Call) -> None:
    series = [{"name": "a", "values": [1, 2, 3]}]
    answer = call("plot_series", kind="bar", target="a.png", x=["A", "B", "A"], series=series)
    assert "'A' comes 2 times" in read_text(answer)
    assert not call("plot_series", kind="scatter", target="a.png", x=["A", "B", "A"], series=series).is_error
