"""What the formats of cells say: read, looked for, and compared."""

import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.formatting.rule import CellIsRule, ColorScaleRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.styles.colors import Color
from support import books
from support.answers import Call
from support.rich import by_libreoffice

from yardkit.servers.sheets.engine.cells.cell_formats import usual_code

TINTS = (-0.25, 0.0, 0.4)


def make_fill(color: Any) -> Any:
    return PatternFill("solid", fgColor=color)


@pytest.fixture
def plan(files: Path) -> Any:
    """A sheet with a title over merged cells, marked values and an empty marked cell."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"] = "Plan"
    sheet["A1"].font = Font(name="Georgia", sz=14, b=True, color="FF1F4E78")
    sheet.merge_cells("A1:C1")
    for cell in sheet[1][:3]:
        cell.fill = make_fill(Color(theme=0, tint=-0.25))
    sheet["A2"], sheet["B2"], sheet["C2"] = 0.25, -3, "open"
    sheet["A2"].number_format = "0.00%"
    sheet["B2"].font = Font(name="Calibri", sz=11, i=True, strike=True, u="double", color=Color(indexed=10))
    sheet["C2"].alignment = Alignment(horizontal="center", vertical="top", wrap_text=True, text_rotation=135)
    sheet["C2"].border = Border(left=Side("thin"), bottom=Side("double", color="FF00FF00"))
    sheet["A3"], sheet["C3"] = "plain", "input"
    sheet["B3"].fill = make_fill("FFFFFF00")
    sheet["C3"].protection = Protection(locked=False, hidden=True)
    sheet["C3"].border = Border(*[Side("thin")] * 4)
    book.save(files / "plan.xlsx")
    return files / "plan.xlsx"


def test_the_details_of_cells_say_how_they_look(plan: Any, call: Call) -> None:
    details = call("read_cells", path="plan.xlsx", show="details").structured_content["details"]
    assert {detail["cell"]: (detail.get("format"), detail.get("merged")) for detail in details} == {
        "A1": ("font Georgia; size 14; bold; color 1F4E78; fill BFBFBF", "A1:C1"),
        "A2": (None, None),
        "B2": ("italic; struck out; underline double; color FF0000", None),
        "C2": ("border left thin, bottom double 00FF00; align center; vertical top; wrap; turned -45°", None),
        "A3": (None, None),
        "B3": ("fill FFFF00", None),
        "C3": ("border thin; unlocked; formula hidden", None),
    }
    assert [detail["number_format"] for detail in details if detail["cell"] == "A2"] == ["0.00%"]


@pytest.mark.parametrize(
    ("find", "cells"),
    [
        ("fill FFFF00", ["B3"]),
        ("BOLD", ["A1"]),
        ("color FF0000", ["B2"]),
        ("0.00%", ["A2"]),
        ("border", ["C2", "C3"]),
        ("strike", []),
    ],
)
def test_cells_are_found_by_what_their_formats_say(plan: Any, call: Call, find: str, cells: list[Any]) -> None:
    matches = call("find_cells", path="plan.xlsx", query=find, by="format").structured_content
    assert [cell["cell"] for cell in matches["cells"]] == [f"Sheet!{cell}" for cell in cells]
    assert matches["total"] == len(cells)


def test_differences_of_formats_are_told_for_ranges_and_only_what_differs(plan: Any, files: Path, call: Call) -> None:
    (files / "later.xlsx").write_bytes(plan.read_bytes())
    for change in (
        {"range": "A2:B3", "fill_color": "00B050"},
        {"range": "A2", "number_format": "General"},
        {"range": "C2", "wrap": False},
    ):
        assert not call("format_cells", path="later.xlsx", **change).is_error
    answer = call("compare_workbooks", path="plan.xlsx", other="later.xlsx", formats=True).structured_content
    assert [
        (difference["cell"], difference.get("before"), difference.get("after")) for difference in answer["differences"]
    ] == [
        ("Sheet!A2", "0.00%", "General; fill 00B050"),
        ("Sheet!B2", None, "fill 00B050"),
        ("Sheet!A3", None, "fill 00B050"),
        ("Sheet!C2", "wrap", None),
        ("Sheet!B3", "fill FFFF00", "fill 00B050"),
    ]


def test_a_workbook_that_another_program_has_only_saved_looks_the_same(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for theme in range(10):
        for column, tint in enumerate(TINTS, start=1):
            cell = sheet.cell(theme + 1, column, theme)
            cell.fill = make_fill(Color(theme=theme, tint=tint))
    for row, number in enumerate((8, 10, 13, 22, 40, 55, 63), start=11):
        sheet.cell(row, 1, "indexed").font = Font(name="Arial", sz=9, b=True, color=Color(indexed=number))
    for row, line in enumerate(("thin", "double", "mediumDashed", "slantDashDot"), start=1):
        side = Side(line, color="FFFF0000")
        sheet.cell(2 * row, 6, line).border = Border(left=side, right=Side(line), bottom=side)
    codes = ('"x"0', '#,##0 "EUR"', "yyyy-mm-dd", "[Red]-0.00;0", "_-* #,##0.00_-", "d mmm yyyy", "0.0%", "h:mm AM/PM")
    for row, code in enumerate(codes, start=1):
        sheet.cell(row, 8, 3.5).number_format = code
    sheet["I1"].alignment = Alignment(horizontal="right", vertical="center", indent=2, wrap_text=True)
    sheet["I1"], sheet["I2"] = "held", "open"
    sheet["I2"].protection = Protection(locked=False)
    book.save(files / "own.xlsx")
    by_libreoffice(files / "own.xlsx", files / "saved.xlsx")
    answer = call("compare_workbooks", path="own.xlsx", other="saved.xlsx", formats=True).structured_content
    assert answer.get("differences", []) == []


@pytest.mark.parametrize(
    ("code", "usual"),
    [
        (r"yyyy\-mm\-dd", "yyyy-mm-dd"),
        (r"\x0", '"x"0'),
        ('#,##0" EUR"', '#,##0 "EUR"'),
        ("[RED]-0;[$-409]0", "[red]-0;[$-409]0"),
        ('0"open', '0"open"'),
        ("0\\", "0\\"),
        ("", ""),
    ],
)
def test_number_formats_that_say_the_same_are_the_same(code: str, usual: str) -> None:
    assert usual_code(code) == usual
    assert usual_code(usual) == usual


def test_the_layout_of_a_sheet_is_read_as_it_was_set(files: Path, call: Call) -> None:
    call("write_cells", path="l.xlsx", rows=[[row, row * 2, row * 3] for row in range(1, 31)])
    layout = {
        "freeze_at": "B2",
        "column_widths": {"A:A": 30, "C:E": 12.5},
        "row_heights": {"3:4": 40},
        "hide": ["C:C", "7:11"],
        "group": ["F:G", "15:20"],
        "merge": ["A29:C29"],
        "gridlines": False,
        "zoom": 80,
        "tab_color": "FF8800",
        "right_to_left": True,
    }
    call("edit_workbook", path="l.xlsx", edits=[{"op": "clear", "range": "B29:C29"}])
    assert not call("set_sheet_layout", path="l.xlsx", **layout).is_error
    call("format_cells", path="l.xlsx", range="H:H", fill_color="FFFF00", number_format="0.00")
    call("format_cells", path="l.xlsx", range="40:41", bold=True)
    assert "layout" not in call("read_objects", path="l.xlsx").structured_content
    [sheet_layout] = call("read_objects", path="l.xlsx", kinds=["layout"]).structured_content["layout"]
    for name in ("freeze_at", "gridlines", "zoom", "tab_color", "right_to_left", "row_heights"):
        assert sheet_layout[name] == layout[name], name
    assert sheet_layout["column_widths"].items() >= {"A:A": 30, "C:E": 12.5}.items()
    assert (sheet_layout["hidden_columns"], sheet_layout["hidden_rows"], sheet_layout["merged"]) == (
        ["C:C"],
        ["7:11"],
        ["A29:C29"],
    )
    assert (sheet_layout["column_groups"], sheet_layout["row_groups"]) == ({"F:G": 1}, {"15:20": 1})
    assert (sheet_layout["column_formats"], sheet_layout["row_formats"]) == (
        {"H:H": "0.00; fill FFFF00"},
        {"40:41": "bold"},
    )


def test_of_many_sizes_the_first_are_given_and_it_is_told(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    for row in range(1, 701):
        book.active.row_dimensions[row].height = row / 2
    book.save(files / "many.xlsx")
    [sheet_layout] = call("read_objects", path="many.xlsx", kinds=["layout"]).structured_content["layout"]
    assert (len(sheet_layout["row_heights"]), sheet_layout["row_heights"]["500:500"], sheet_layout["cut"]) == (
        500,
        250,
        True,
    )


def test_rules_say_colours_of_themes_and_palettes(files: Path, call: Call) -> None:
    book = openpyxl.Workbook()
    font, fill = Font(color=Color(theme=4, tint=-0.25)), PatternFill(bgColor=Color(indexed=13))
    book.active.conditional_formatting.add("A1:A9", CellIsRule("greaterThan", ["5"], font=font, fill=fill))
    scale = ColorScaleRule("min", start_color=Color(theme=0), end_type="max", end_color=Color(theme=5))
    book.active.conditional_formatting.add("B1:B9", scale)
    book.save(files / "rules.xlsx")
    cell, scale = call("read_objects", path="rules.xlsx").structured_content["conditional_formats"]
    assert (cell["font_color"], cell["fill_color"]) == ("376092", "FFFF00")
    assert scale["colors"] == ["FFFFFF", "C0504D"]


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("xl/styles.xml", b'theme="0"', b'theme="x"'),
        ("xl/styles.xml", b'theme="0"', b'theme="-3" tint="nan"'),
        ("xl/styles.xml", b'indexed="10"', b'indexed="-70"'),
        ("xl/styles.xml", b'sz val="14"', b'sz val="big"'),
        ("xl/styles.xml", b'textRotation="135"', b'textRotation="up"'),
        ("xl/worksheets/sheet1.xml", b"<sheetViews><sheetView ", b'<sheetViews><sheetView zoomScale="large" '),
        ("xl/theme/theme1.xml", b"clrScheme", b"noScheme"),
        ("xl/theme/theme1.xml", b'lastClr="FFFFFF"', b'lastClr="WHITE!"'),
    ],
)
def test_formats_and_layouts_of_damaged_styles_are_read_or_refused(
    plan: Any, call: Call, part: str, old: bytes, new: bytes
) -> None:
    members = books.read_parts(plan)
    assert old in members[part]
    members[part] = members[part].replace(old, new)
    with zipfile.ZipFile(plan, "w") as package:
        for name, data in members.items():
            package.writestr(name, data)
    for tool, arguments in (
        ("read_cells", {"show": "details"}),
        ("find_cells", {"query": "bold", "by": "format"}),
        ("read_objects", {"kinds": ["layout", "conditional_formats"]}),
    ):
        answer = call(tool, path="plan.xlsx", **arguments)
        assert not answer.is_error or "damaged" in answer.content[0].text
