"""Looks are read in the words in which they are set: of paragraphs, tables, cells and sections."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from docx.enum.text import WD_LINE_SPACING
from docx.shared import Pt
from support.answers import Call

from yardkit.servers.documents.engine.formatting.table_looks import describe_borders
from yardkit.servers.documents.engine.markup.names import make_element


@pytest.fixture
def plan(done: Call) -> Any:
    rows = [["Item", "Cost"], ["Pens", "12"], ["Ink", "8"]]
    blocks = [{"kind": "table", "rows": rows}, {"kind": "paragraph", "text": "Below it"}]
    done("create_document", path="p.docx")
    return done("edit_blocks", path="p.docx", edits=[{"op": "insert", "blocks": blocks}])


def read_blocks(done: Any, **arguments: Any) -> Any:
    return done("read_document", path="p.docx", format="details", **arguments)["blocks"]


def test_a_table_says_how_it_was_laid_out(plan: Any, done: Call, anchor: Callable[..., str]) -> None:
    layout = {
        "widths_cm": [5, 2.5],
        "align": "center",
        "header_rows": 1,
        "keep_rows": True,
        "row_cm": 0.8,
        "padding_cm": 0.2,
        "description": "Costs by item",
    }
    lines = {"borders": "all", "border_pt": 1, "border_color": "336699"}
    edits = [{"op": "layout", **layout, **lines}]
    done("edit_document_table", path="p.docx", anchor=anchor("p.docx", "table"), edits=edits)
    look = read_blocks(done)[0]["look"]
    assert {name: look[name] for name in layout} == layout
    assert look["borders"] == "all single 1 pt 336699"
    assert look["autofit"] == "fixed"


def test_cells_say_what_they_and_all_their_text_look_like(plan: Any, done: Call, anchor: Callable[..., str]) -> None:
    table = anchor("p.docx", "table")
    head = {"shading": "DDEEFF", "bold": True, "align": "center", "valign": "bottom", "padding_cm": 0.1}
    edits = [
        {"op": "format", "range": "A1:B1", **head},
        {"op": "format", "range": "B2", "borders": "bottom", "border_pt": 0.75, "border_color": "FF0000"},
    ]
    done("edit_document_table", path="p.docx", anchor=table, edits=edits)
    cells = {cell["cell"]: cell for cell in read_blocks(done)[0]["cells"]}
    assert cells["A1"]["look"].items() >= {k: v for k, v in head.items() if k != "shading"}.items()
    assert cells["A1"]["shading"] == "DDEEFF"
    assert cells["B2"]["look"]["borders"] == "bottom single 0.75 pt FF0000"
    assert "bold" not in cells["B2"].get("look", {})


def test_a_look_that_only_part_of_a_cell_has_is_not_said_of_it(files: Path, done: Call) -> None:
    document = Document()
    cell = document.add_table(1, 1).cell(0, 0)
    cell.paragraphs[0].add_run("bold ").bold = True
    cell.paragraphs[0].add_run("and not").italic = True
    cell.add_paragraph("").alignment = 1
    document.save(str(files / "p.docx"))
    assert read_blocks(done)[0]["cells"][0].get("look", {}) == {}


@pytest.mark.parametrize(
    ("look", "reported_look"),
    [
        ({"border": "box"}, {"border": "box"}),
        ({"border": "top"}, {"border": "top"}),
        ({"border": "none"}, {}),
        ({"line_spacing": 1.5}, {"line_spacing": 1.5}),
        ({"shading": "FFFF00"}, {"shading": "FFFF00"}),
    ],
)
def test_a_paragraph_says_its_borders_and_spacing(
    plan: Any, done: Call, anchor: Callable[..., str], look: dict[str, Any], reported_look: dict[str, Any]
) -> None:
    before = read_blocks(done)[1]["look"]
    done("format_document", path="p.docx", edits=[{"anchors": [anchor("p.docx", "Below")], "look": look}])
    assert read_blocks(done)[1]["look"] == before | reported_look


def test_spacing_of_a_stated_height_is_told_in_points(files: Path, done: Call) -> None:
    document = Document()
    for rule in (WD_LINE_SPACING.EXACTLY, WD_LINE_SPACING.AT_LEAST):
        paragraph = document.add_paragraph("text")
        paragraph.paragraph_format.line_spacing = Pt(14)
        paragraph.paragraph_format.line_spacing_rule = rule
    document.save(str(files / "p.docx"))
    assert [block["look"]["line_spacing"] for block in read_blocks(done)] == ["exactly 14 pt", "at least 14 pt"]


def test_a_section_says_its_columns_and_page_numbers(plan: Any, done: Call) -> None:
    layout = {"columns": 2, "column_gap_cm": 1.5, "first_number": 5, "number_format": "lowerRoman"}
    done("set_page_layout", path="p.docx", layouts=[layout])
    section = done("inspect_document", path="p.docx", lists=["sections"])["section_list"][0]
    assert {name: section[name] for name in layout} == layout


def test_lines_of_several_kinds_are_told_side_by_side() -> None:
    lines = [make_element("w:top", val="double", sz=6, color="auto"), make_element("w:bottom", val="nil")]
    assert describe_borders(make_element("w:tcBorders", *lines)) == "top double 0.75 pt, bottom none"
    assert describe_borders(make_element("w:tcBorders")) is None
