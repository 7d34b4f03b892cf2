"""Conditional formats, validation and sparklines: added, read, cut out of ranges, deleted."""

import json
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support import books, rich
from support.answers import Call

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RULES: dict[str, dict[str, Any]] = {
    "cell": {"operator": ">", "value": 5, "fill_color": "FFC7CE"},
    "text": {"operator": "containing", "value": "No", "bold": True},
    "date": {"operator": "last 7 days", "font_color": "9C0006"},
    "top": {"value": 3, "fill_color": "C6EFCE"},
    "bottom": {"value": 10, "percent": True, "fill_color": "C6EFCE"},
    "average": {"operator": "above", "bold": True},
    "duplicate": {"fill_color": "FFEB9C"},
    "unique": {"fill_color": "FFEB9C"},
    "blanks": {"fill_color": "FFEB9C"},
    "no_errors": {"fill_color": "FFEB9C"},
    "formula": {"value": "=$A2>$B2", "fill_color": "FFEB9C"},
    "color_scale": {"colors": ["FFFFFF", "63BE7B"]},
    "data_bar": {"colors": ["638EC6"]},
    "icon_set": {"icons": "3_arrows"},
}
KINDS = {
    "cell": "cellIs", "text": "containsText", "date": "timePeriod", "top": "top10", "bottom": "top10",
    "average": "aboveAverage", "duplicate": "duplicateValues", "unique": "uniqueValues", "blanks": "containsBlanks",
    "no_errors": "notContainsErrors", "formula": "expression", "color_scale": "colorScale", "data_bar": "dataBar",
    "icon_set": "iconSet",
}  # fmt: skip


@pytest.fixture
def book(files: Path, call: Call) -> Any:
    call("write_cells", path="b.xlsx", rows=[["x", "y"], [1, 2], [3, 4], [5, 6]], sheet="Data")
    return files / "b.xlsx"


def read_answer(result: Any) -> Any:
    assert not result.is_error, result.content[0].text
    return json.loads(result.content[0].text)


def list_objects(call: Any, kind: Any, path: str = "b.xlsx") -> Any:
    return read_answer(call("read_objects", path=path, kinds=[kind])).get(kind, [])


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_is_written_and_read_back(book: Any, call: Call, rule: Any) -> None:
    written_rule = read_answer(call("set_conditional_format", path="b.xlsx", range="A2:A4", rule=rule, **RULES[rule]))[
        "objects"
    ][0]
    assert written_rule["kind"] == KINDS[rule]
    assert written_rule["range"] == "A2:A4"
    assert written_rule["fill_color" if "fill_color" in RULES[rule] else "kind"] in (
        RULES[rule].get("fill_color"),
        KINDS[rule],
    )
    (other,) = books.open_book(book)["Data"].conditional_formatting
    assert other.rules[0].type == KINDS[rule]
    look = RULES[rule].get("fill_color")
    if look:
        assert other.rules[0].dxf.fill.bgColor.rgb.endswith(look)


def test_rules_stand_behind_those_that_are_there_with_their_own_formats(files: Path, call: Call) -> None:
    path = rich.workbook_by_xlsxwriter(files / "r.xlsx")
    before = list_objects(call, "conditional_formats", "r.xlsx")
    sheet = before[0]["sheet"]
    styles = etree.fromstring(books.read_parts(path)["xl/styles.xml"])
    looks = [etree.tostring(dxf) for dxf in styles.iter(MAIN + "dxf")]
    arguments = {"rule": "cell", "operator": "between", "value": 1, "value2": "=$B$1", "fill_color": "ABCDEF"}
    reply = read_answer(call("set_conditional_format", path="r.xlsx", sheet=sheet, range="A1:A3 C1:C3", **arguments))
    assert reply["objects"][0]["priority"] > max(rule["priority"] for rule in before if rule["sheet"] == sheet)
    assert reply["objects"][0]["range"] == "A1:A3 C1:C3"
    after = list_objects(call, "conditional_formats", "r.xlsx")
    assert [rule for rule in after if rule["range"] != "A1:A3 C1:C3"] == before
    styles = etree.fromstring(books.read_parts(path)["xl/styles.xml"])
    assert [etree.tostring(dxf) for dxf in styles.iter(MAIN + "dxf")][: len(looks)] == looks


def test_each_data_bar_has_its_own_second_half(book: Any, call: Call) -> None:
    for area in ("A2:A4", "B2:B4"):
        read_answer(call("set_conditional_format", path="b.xlsx", range=area, rule="data_bar"))
    sheet = etree.fromstring(books.read_parts(book)["xl/worksheets/sheet1.xml"])
    x14 = "{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}"
    ids = [identifier.text for identifier in sheet.iter(x14 + "id")]
    assert len(set(ids)) == 2
    assert sorted(ids) == sorted(cf_rule.get("id") for cf_rule in sheet.iter(x14 + "cfRule"))


def test_deleting_cuts_the_range_out_of_rules_and_leaves_the_rest(book: Any, call: Call) -> None:
    call("set_conditional_format", path="b.xlsx", range="A2:B4", rule="data_bar")
    call("set_conditional_format", path="b.xlsx", range="A3", rule="duplicate", fill_color="FF0000")
    read_answer(call("set_conditional_format", path="b.xlsx", range="A3:A3", rule="delete"))
    (left,) = list_objects(call, "conditional_formats")
    assert (left["kind"], left["range"]) == ("dataBar", "A2:B2 A4:B4 B3")
    read_answer(call("set_conditional_format", path="b.xlsx", range="A:B", rule="delete"))
    assert list_objects(call, "conditional_formats") == []
    assert b"extLst" not in books.read_parts(book)["xl/worksheets/sheet1.xml"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"rule": "cell", "operator": "~", "value": 1, "bold": True}, "operator"),
        ({"rule": "cell", "operator": ">", "bold": True}, "has no value"),
        ({"rule": "cell", "operator": ">", "value": 1}, "no format was given"),
        ({"rule": "color_scale", "colors": ["FFFFFF"]}, "two or three"),
        ({"rule": "icon_set", "icons": "9_moons"}, "icon"),
        ({"rule": "formula", "bold": True}, "formula"),
        ({"rule": "delete"}, "no conditional format"),
        ({"rule": "cell", "operator": ">", "value": 1, "fill_color": "red"}, "not a valid colour"),
    ],
)
def test_a_rule_that_lacks_something_is_refused_and_nothing_is_saved(
    book: Any, call: Call, arguments: dict[str, Any], word: str
) -> None:
    before = book.read_bytes()
    refused = call("set_conditional_format", path="b.xlsx", range="A2:A4", **arguments)
    assert refused.is_error
    assert word in refused.content[0].text
    assert book.read_bytes() == before


def test_validations_are_written_and_replace_those_of_the_same_cells(book: Any, call: Call) -> None:
    def set_(area: Any, **arguments: Any) -> Any:
        return read_answer(call("set_validation", path="b.xlsx", range=area, **arguments))["objects"][0]

    reply = set_("A2:A9", allow="list", items=["a", "b c"], prompt="Pick one", error="No")
    assert (reply["allow"], reply["formula1"], reply["prompt"], reply["error"]) == ("list", '"a,b c"', "Pick one", "No")
    reply = set_("A5", allow="whole", operator=">=", value=3)
    assert (reply["allow"], reply["operator"], reply["formula1"]) == ("whole", ">=", "3")
    set_("B2:B9", allow="date", value="2026-01-01", value2="2026-12-31")
    set_("C2:C9", allow="list", items=["=Data!A2:A4"])
    set_("D2:D9", allow="custom", value="=ISNUMBER(D2)")
    validations = {validation["range"]: validation for validation in list_objects(call, "validations")}
    assert set(validations) == {"A2:A4 A6:A9", "A5", "B2:B9", "C2:C9", "D2:D9"}
    assert (validations["B2:B9"]["formula1"], validations["B2:B9"]["formula2"]) == ("46023", "46387")
    assert validations["C2:C9"]["formula1"] == "Data!$A$2:$A$4"
    other = {
        str(validation.sqref): validation
        for validation in books.open_book(book)["Data"].data_validations.dataValidation
    }
    assert other["A5"].operator == "greaterThanOrEqual"
    read_answer(call("set_validation", path="b.xlsx", range="A:Z", allow="anything"))
    assert list_objects(call, "validations") == []


def test_a_list_that_is_too_long_says_where_to_put_it(book: Any, call: Call) -> None:
    refused = call("set_validation", path="b.xlsx", range="A2", allow="list", items=["word" * 9] * 9)
    assert refused.is_error
    assert "Lists!A1:A9" in refused.content[0].text


def test_sparklines_show_a_row_each_and_are_read_and_deleted(book: Any, call: Call) -> None:
    reply = read_answer(call("set_sparklines", path="b.xlsx", at="D2:D4", data="A2:B4", type="column", color="FF0000"))
    assert [(sparkline["cell"], sparkline["data"]) for sparkline in reply["objects"]] == [
        ("D2", "Data!A2:B2"),
        ("D3", "Data!A3:B3"),
        ("D4", "Data!A4:B4"),
    ]
    read_answer(call("set_sparklines", path="b.xlsx", at="D3", data="A2:A4", type="win_loss"))
    assert {sparkline["cell"]: sparkline["type"] for sparkline in list_objects(call, "sparklines")} == {
        "D2": "column",
        "D4": "column",
        "D3": "win_loss",
    }
    read_answer(call("set_sparklines", path="b.xlsx", at="D2:D4", data=None))
    assert list_objects(call, "sparklines") == []
    assert b"extLst" not in books.read_parts(book)["xl/worksheets/sheet1.xml"]


def test_rules_validations_and_sparklines_of_other_programs_are_left_as_they_are(
    files: Path, call: Call, rich: Path
) -> None:
    before = books.read_parts(rich)["xl/worksheets/sheet1.xml"]
    read_answer(call("set_sparklines", path="rich.xlsx", at="E3", data="B2:B4"))
    read_answer(call("set_sparklines", path="rich.xlsx", at="E3", data=None))
    after = books.read_parts(rich)["xl/worksheets/sheet1.xml"]
    assert etree.tostring(etree.fromstring(before), method="c14n") == etree.tostring(
        etree.fromstring(after), method="c14n"
    )


def test_last_and_next_month_hold_at_the_turn_of_the_year(book: Any, call: Call) -> None:
    for operator, step in (("last month", "0-1"), ("next month", "0+1")):
        arguments = {"range": "B2:B4", "rule": "date", "operator": operator, "bold": True}
        written_rule = read_answer(call("set_conditional_format", path="b.xlsx", **arguments))["objects"][0]
        moved = f"EDATE(TODAY(),{step})"
        assert written_rule["formulas"] == [f"AND(MONTH(B2)=MONTH({moved}),YEAR(B2)=YEAR({moved}))"]


@pytest.mark.parametrize(
    ("arguments", "operator"),
    [
        ({"rule": "bottom", "value": 2}, "bottom"),
        ({"rule": "top", "value": 2}, "top"),
        ({"rule": "average", "operator": "equal or below"}, "equal or below"),
        ({"rule": "text", "operator": "begins with", "value": "x"}, "begins with"),
        ({"rule": "date", "operator": "last 7 days"}, "last 7 days"),
    ],
)
def test_a_rule_is_told_in_the_words_that_made_it(
    book: Any, call: Call, arguments: dict[str, Any], operator: str
) -> None:
    written_rule = read_answer(call("set_conditional_format", path="b.xlsx", range="A2:A4", bold=True, **arguments))[
        "objects"
    ][0]
    assert (written_rule["operator"], written_rule["bold"]) == (operator, True)
