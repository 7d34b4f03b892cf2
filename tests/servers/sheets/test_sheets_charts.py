"""Charts are added, changed and deleted without touching anything else, and read back as they are."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support import books, rich
from support.answers import Call

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
ROWS = [
    ["Day", "Open", "High", "Low", "Close"],
    ["2026-03-02", 10, 14, 9, 12],
    ["2026-03-03", 12, 15, 11, 13],
    ["2026-03-04", 13, 18, 12, 17],
]
TYPES = {
    "column": "barChart", "stacked_column": "barChart", "percent_column": "barChart", "bar": "barChart",
    "stacked_bar": "barChart", "percent_bar": "barChart", "line": "lineChart", "stacked_line": "lineChart",
    "area": "areaChart", "stacked_area": "areaChart", "percent_area": "areaChart", "pie": "pieChart",
    "doughnut": "doughnutChart", "scatter": "scatterChart", "scatter_lines": "scatterChart", "bubble": "bubbleChart",
    "radar": "radarChart", "filled_radar": "radarChart", "stock": "stockChart",
}  # fmt: skip


@pytest.fixture
def prices(files: Path, call: Call) -> Any:
    call("write_cells", path="p.xlsx", rows=ROWS, sheet="The Data")
    return files / "p.xlsx"


def read_answer(result: Any) -> Any:
    assert not result.is_error, result.content[0].text
    return json.loads(result.content[0].text)


def list_charts(call: Any, path: str = "p.xlsx") -> Any:
    return read_answer(call("read_objects", path=path, kinds=["charts"])).get("charts", [])


@pytest.mark.parametrize("kind", TYPES)
def test_each_type_is_drawn_and_read_back_as_that_type(prices: Any, call: Call, kind: Any) -> None:
    chart = read_answer(call("set_chart", path="p.xlsx", type=kind, data="A1:E4", title="Prices & more", at="G2"))[
        "objects"
    ][0]
    assert chart["type"] == kind
    assert chart["title"] == "Prices & more"
    assert chart["at"] == "G2"
    root = etree.fromstring(books.read_parts(prices)["xl/charts/chart1.xml"])
    assert [str(element.tag) for element in root.iter() if str(element.tag).endswith("Chart")] == [C + TYPES[kind]]
    assert chart["series"][0]["categories"] == "'The Data'!$A$2:$A$4"


def test_a_stock_chart_shows_open_and_close_and_only_the_days_of_trade(prices: Any, call: Call) -> None:
    read_answer(call("set_chart", path="p.xlsx", type="stock", data="A1:E4"))
    root = etree.fromstring(books.read_parts(prices)["xl/charts/chart1.xml"])
    assert root.find(f".//{C}upDownBars") is not None
    assert root.find(f".//{C}dateAx") is None
    assert root.find(f".//{C}catAx/{C}numFmt").get("formatCode") == "yyyy-mm-dd"


def test_points_take_the_colors_of_the_theme_where_none_is_given(prices: Any, call: Call) -> None:
    series = [{"values": f"{column}2:{column}4", "categories": "B2:B4"} for column in "CD"]
    reply = read_answer(
        call("set_chart", path="p.xlsx", type="scatter", series=[*series, series[0] | {"color": "C00000"}])
    )
    assert [data_series["color"] for data_series in reply["objects"][0]["series"]] == ["", "", "C00000"]
    root = etree.fromstring(books.read_parts(prices)["xl/charts/chart1.xml"])
    assert {scheme_clr.get("val") for scheme_clr in root.iter("{*}schemeClr")} == {"accent1", "accent2"}


@pytest.mark.parametrize("kind", ["area", "filled_radar"])
def test_areas_let_those_behind_them_through(prices: Any, call: Call, kind: str) -> None:
    series = [{"values": "B2:B4"}, {"values": "C2:C4", "color": "C00000"}]
    chart = read_answer(call("set_chart", path="p.xlsx", type=kind, series=series))["objects"][0]
    assert [data_series["color"] for data_series in chart["series"]] == ["", "C00000"]
    root = etree.fromstring(books.read_parts(prices)["xl/charts/chart1.xml"])
    assert [alpha.getparent().get("val") for alpha in root.iter("{*}alpha")] == ["accent1", "C00000"]


@pytest.mark.parametrize("kind", ["column", "bar", "line", "stacked_bar"])
def test_labels_stand_at_the_edge_so_that_negative_bars_leave_them_in_sight(prices: Any, call: Call, kind: str) -> None:
    call("write_cells", path="p.xlsx", rows=[[-5], [7]], start_cell="B2")
    read_answer(call("set_chart", path="p.xlsx", type=kind, data="A1:B4"))
    root = etree.fromstring(books.read_parts(prices)["xl/charts/chart1.xml"])
    across = [axis for tag in ("catAx", "dateAx") for axis in root.iter(C + tag)]
    assert [axis.find(C + "tickLblPos").get("val") for axis in across] == ["low"]
    assert [val_ax.find(C + "tickLblPos").get("val") for val_ax in root.iter(C + "valAx")] == ["nextTo"]


def test_the_values_that_a_chart_shows_are_stored_in_it(prices: Any, call: Call) -> None:
    call("set_chart", path="p.xlsx", type="line", data="A1:C4")
    root = etree.fromstring(books.read_parts(prices)["xl/charts/chart1.xml"])
    caches = [[point.findtext(C + "v") for point in cache.iter(C + "pt")] for cache in root.iter(C + "numCache")]
    assert caches == [["46083", "46084", "46085"], ["10", "12", "13"], ["46083", "46084", "46085"], ["14", "15", "18"]]


def test_two_types_join_in_one_chart_with_a_second_axis_and_a_trend_line(prices: Any, call: Call) -> None:
    series = [
        {"values": "B2:B4", "name": "=B1", "categories": "A2:A4", "trendline": "linear", "color": "FF8800"},
        {"values": "E2:E4", "name": "Rate", "categories": "A2:A4", "type": "line", "second_axis": True},
    ]
    call("set_chart", path="p.xlsx", type="column", series=series, y_title="EUR")
    (chart,) = list_charts(call)
    assert chart["type"] == "column"
    assert chart["y_title"] == "EUR"
    assert chart["series"][0]["trendline"] == "linear"
    assert chart["series"][0]["color"] == "FF8800"
    assert chart["series"][0]["name"] == "='The Data'!$B$1"
    assert chart["series"][1]["type"] == "line"
    assert chart["series"][1]["second_axis"] is True
    assert chart["series"][1]["name"] == "Rate"


@pytest.mark.parametrize("kind", ["line", "stacked_line", "scatter_lines", "scatter"])
def test_lines_between_points_are_straight_in_all_programs(prices: Any, call: Call, kind: str) -> None:
    assert not call("set_chart", path="p.xlsx", type=kind, data="A1:C4").is_error
    series = list(etree.fromstring(books.read_parts(prices)["xl/charts/chart1.xml"]).iter(C + "ser"))
    assert len(series) == 2
    assert [(etree.QName(data_series[-1]).localname, data_series[-1].get("val")) for data_series in series] == [
        ("smooth", "0")
    ] * 2


@pytest.mark.parametrize("kind", ["line", "column"])
def test_the_second_axis_has_a_title_of_its_own(prices: Any, call: Call, kind: str) -> None:
    series = [{"values": "B2:B4"}, {"values": "E2:E4", "type": kind, "second_axis": True}]
    titles = {"x_title": "Day", "y_title": "EUR", "y2_title": "Rate"}
    chart = read_answer(call("set_chart", path="p.xlsx", type="column", series=series, **titles))["objects"][0]
    assert {name: chart[name] for name in titles} == titles
    root = etree.fromstring(books.read_parts(prices)["xl/charts/chart1.xml"])
    assert ["".join(axis.itertext()) for axis in root.iter(C + "valAx")] == ["EUR", "Rate"]
    chart = read_answer(call("set_chart", path="p.xlsx", action="change", y2_title="Share", x_title=""))["objects"][0]
    assert (chart.get("x_title", ""), chart["y_title"], chart["y2_title"]) == ("", "EUR", "Share")
    chart = read_answer(call("set_chart", path="p.xlsx", action="change", series=series[:1]))["objects"][0]
    assert (chart["y_title"], chart.get("y2_title", "")) == ("EUR", "")


@pytest.mark.parametrize(("kind", "count"), [("bubble", 1), ("radar", 2), ("pie", 2), ("column", 2)])
def test_a_second_axis_that_cannot_be_is_refused(prices: Any, call: Call, kind: str, count: int) -> None:
    every = {"categories": "B2:B4", "values": "C2:C4", "sizes": "B2:B4", "second_axis": True}
    refused = call("set_chart", path="p.xlsx", type=kind, series=[every] * count)
    assert refused.is_error
    assert "second_axis" in refused.content[0].text


def test_a_single_axis_on_the_right_keeps_its_title(prices: Any, call: Call) -> None:
    call("set_chart", path="p.xlsx", type="column", data="A1:B4", y_title="Money")
    part = "xl/charts/chart1.xml"
    members = books.read_parts(prices)
    root = etree.fromstring(members[part])
    axis = next(root.iter(C + "valAx"))
    axis.find(C + "axPos").set("val", "r")
    axis.find(C + "crosses").set("val", "max")
    with zipfile.ZipFile(prices, "w") as book:
        for name, data in (members | {part: etree.tostring(root)}).items():
            book.writestr(name, data)
    chart = read_answer(call("set_chart", path="p.xlsx", action="change", y_title="EUR"))["objects"][0]
    assert (chart["y_title"], chart.get("y2_title", "")) == ("EUR", "")


def test_a_title_for_a_second_axis_that_is_not_there_is_refused(prices: Any, call: Call) -> None:
    refused = call("set_chart", path="p.xlsx", type="column", data="A1:C4", y2_title="Rate")
    assert refused.is_error
    assert "second_axis=true" in refused.content[0].text


def test_a_chart_changes_the_drawing_and_the_sheets_link_to_it_and_nothing_else(files: Path, call: Call) -> None:
    path = rich.workbook_by_xlsxwriter(files / "r.xlsx")
    before = books.read_parts(path)
    names = [chart["name"] for chart in list_charts(call, "r.xlsx")]
    sheet = list_charts(call, "r.xlsx")[0]["sheet"]
    read_answer(call("set_chart", path="r.xlsx", sheet=sheet, type="pie", data="A1:B3"))
    after = books.read_parts(path)
    new = after.keys() - before.keys()
    assert {name.split("/")[1] for name in new} == {"charts"}
    changed = {name for name in before if before[name] != after[name]}
    assert all("drawing" in name or name == "[Content_Types].xml" for name in changed), changed
    assert len(list_charts(call, "r.xlsx")) == len(names) + 1
    assert len(books.open_book(path)[sheet]._charts) >= 2


def test_a_new_title_leaves_the_look_of_the_chart_as_it_was(files: Path, call: Call, rich: Path) -> None:
    before = etree.fromstring(books.read_parts(rich)["xl/charts/chart1.xml"])
    chart = read_answer(call("set_chart", path="rich.xlsx", action="change", title="Renamed", legend="bottom"))[
        "objects"
    ][0]
    assert (chart["title"], chart["legend"]) == ("Renamed", "bottom")
    after = etree.fromstring(books.read_parts(rich)["xl/charts/chart1.xml"])
    assert etree.tostring(before.find(f".//{C}plotArea")) == etree.tostring(after.find(f".//{C}plotArea"))
    order = [etree.QName(child).localname for child in after.find(C + "chart")]
    assert order == sorted(order, key=["title", "autoTitleDeleted", "plotArea", "legend", "plotVisOnly"].index)


def test_new_series_keep_the_colors_of_the_old_ones(prices: Any, call: Call) -> None:
    call("set_chart", path="p.xlsx", type="column", series=[{"values": "B2:B4", "color": "112233"}])
    change = [{"values": "C2:C4"}, {"values": "D2:D4"}]
    chart = read_answer(call("set_chart", path="p.xlsx", action="change", series=change))["objects"][0]
    assert [data_series["values"] for data_series in chart["series"]] == [
        "'The Data'!$C$2:$C$4",
        "'The Data'!$D$2:$D$4",
    ]
    assert chart["series"][0]["color"] == "112233"


def test_the_type_changes_and_titles_stay(prices: Any, call: Call) -> None:
    call("set_chart", path="p.xlsx", type="column", data="A1:C4", title="T", x_title="X", y_title="Y", at="G2:M12")
    chart = read_answer(call("set_chart", path="p.xlsx", action="change", type="bar"))["objects"][0]
    assert (chart["type"], chart["title"], chart["x_title"], chart["y_title"]) == ("bar", "T", "X", "Y")
    assert chart["at"] == "G2:M12"


def test_a_chart_moves_and_takes_its_size(prices: Any, call: Call) -> None:
    call("set_chart", path="p.xlsx", type="column", data="A1:C4")
    chart = read_answer(call("set_chart", path="p.xlsx", action="change", at="B8:E12"))["objects"][0]
    assert chart["at"] == "B8:E12"
    chart = read_answer(call("set_chart", path="p.xlsx", action="change", at="C3"))["objects"][0]
    assert (chart["at"], chart["width_px"], chart["height_px"]) == ("C3", 480, 288)


def test_deleting_the_only_chart_takes_out_its_parts_and_the_drawing(prices: Any, call: Call) -> None:
    before = books.read_parts(prices)
    call("set_chart", path="p.xlsx", type="column", data="A1:C4")
    read_answer(call("set_chart", path="p.xlsx", action="delete"))
    after = books.read_parts(prices)
    assert before.keys() == after.keys()
    assert b"drawing" not in after["xl/worksheets/sheet1.xml"]
    assert b"chart" not in after["[Content_Types].xml"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"type": "column"}, "data='A1:C10'"),
        ({"type": "column", "data": "Missing!A1:B2"}, "the sheet 'Missing' does not exist"),
        ({"type": "stock", "data": "A1:B4"}, "high, low, close"),
        ({"type": "column", "series": [{"values": "B2:C4"}]}, "several rows and columns"),
        ({"type": "pie", "series": [{"values": "B2:B4", "type": "line"}, {"values": "C2:C4"}]}, "one chart"),
        ({"type": "column", "data": "A1:C4", "data_labels": "percentage"}, "percentage"),
        ({"action": "delete", "chart": "Nope"}, "no chart 'Nope'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_nothing_is_saved(
    prices: Any, call: Call, arguments: dict[str, Any], word: str
) -> None:
    before = prices.read_bytes()
    refused = call("set_chart", path="p.xlsx", **arguments)
    assert refused.is_error
    assert word in refused.content[0].text
    assert prices.read_bytes() == before


def test_axes_and_values_show_the_formats_of_their_cells(prices: Any, call: Call) -> None:
    call("format_cells", path="p.xlsx", range="A2:A4", number_format="d mmm")
    call("format_cells", path="p.xlsx", range="B2:B4", number_format="#,##0.00")
    call("format_cells", path="p.xlsx", range="E2:E4", number_format="0%")
    place = {"categories": "A2:A4"}
    series = [{"values": "B2:B4", **place}, {"values": "E2:E4", "type": "line", "second_axis": True, **place}]
    read_answer(call("set_chart", path="p.xlsx", series=series))
    root = etree.fromstring(books.read_parts(prices)["xl/charts/chart1.xml"])
    caches = {
        num_ref.findtext(C + "f"): num_ref.findtext(f"{C}numCache/{C}formatCode") for num_ref in root.iter(C + "numRef")
    }
    assert list(caches.values()) == ["d mmm", "#,##0.00", "0%"]
    axes = [axis.find(C + "numFmt") for kind in ("dateAx", "valAx") for axis in root.iter(C + kind)]
    assert [axis.get("formatCode") for axis in axes][:1] == ["d mmm"]
    assert {axis.get("formatCode") for axis in axes[-2:]} == {"#,##0.00", "0%"}


@pytest.mark.parametrize("kind", ["column", "pie", "scatter"])
def test_a_chart_says_outright_what_it_does_not_show(prices: Any, call: Call, kind: str) -> None:
    read_answer(call("set_chart", path="p.xlsx", type=kind, data="A1:B4", title="T", data_labels="value"))
    root = etree.fromstring(books.read_parts(prices)["xl/charts/chart1.xml"])
    stated_values = {
        switch.tag.removeprefix(C): switch.get("val") for switch in root.find(f".//{C}dLbls") if "show" in switch.tag
    }
    parts = ["showLegendKey", "showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize"]
    assert [name for name in stated_values if name in parts] == parts
    assert [name for name in parts if stated_values[name] == "1"] == ["showVal"]
    title_flags = [root.find(f".//{C}{path}").get("val") for path in (f"title/{C}overlay", "roundedCorners")]
    assert title_flags == ["0", "0"]
