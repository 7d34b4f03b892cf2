"""The tools of Toolathlon's word server on tables, their effects read by python-docx."""

from pathlib import Path
from typing import Any

import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from support.speaking import Agent
from support.wordreport import call_on_report, refuse_call, table_of


def cell_property(path: Path, row: int, column: int, name: str) -> Any:
    return table_of(path).cell(row, column)._tc.tcPr.find(qn(name))


def list_fills(path: Path) -> list[list[str]]:
    return [[cell._tc.tcPr.find(qn("w:shd")).get(qn("w:fill")) for cell in row.cells] for row in table_of(path).rows]


@pytest.mark.parametrize("line", ["single", "double", "thick", "dotted", "dashed"])
async def test_a_table_gets_borders_header_and_shading(agent: Agent, report: Path, line: str) -> None:
    shading = [["FF0000", None, "red"], ["00FF00", "00FF00", "00FF00"], ["FFFFFF", "FFFFFF", "FFFFFF"]]
    await call_on_report(agent, "format_table", table_index=0, has_header_row=True, border_style=line, shading=shading)
    table = table_of(report)
    borders = cell_property(report, 1, 1, "w:tcBorders")
    assert [(border.tag, border.get(qn("w:val"))) for border in borders] == [
        (qn(f"w:{side}"), line) for side in ("top", "left", "bottom", "right")
    ]
    assert table.cell(0, 0).paragraphs[0].runs[0].bold
    assert not table.cell(1, 0).paragraphs[0].runs[0].bold
    assert table.rows[0]._tr.trPr.find(qn("w:tblHeader")) is not None
    assert cell_property(report, 0, 2, "w:shd").get(qn("w:fill")) == "FF0000"
    assert cell_property(report, 0, 1, "w:shd") is None


async def test_a_table_takes_a_colour_for_each_row_and_loses_its_lines(agent: Agent, report: Path) -> None:
    await call_on_report(
        agent, "format_table", table_index=0, border_style="none", shading=["111111", "222222", "333333"]
    )
    assert list_fills(report) == [["111111"] * 3, ["222222"] * 3, ["333333"] * 3]
    assert cell_property(report, 0, 0, "w:tcBorders").find(qn("w:top")).get(qn("w:val")) == "nil"
    assert "no cell A4" in await refuse_call(agent, "format_table", table_index=0, shading=["111111"] * 4)
    assert "no table 1: it has 1" in await refuse_call(agent, "format_table", table_index=1)


async def test_a_cell_is_shaded_with_a_pattern(agent: Agent, report: Path) -> None:
    await call_on_report(
        agent, "set_table_cell_shading", table_index=0, row_index=1, col_index=2, fill_color="#ffff00", pattern="pct20"
    )
    shade = cell_property(report, 1, 2, "w:shd")
    assert (shade.get(qn("w:fill")), shade.get(qn("w:val"))) == ("FFFF00", "pct20")
    assert cell_property(report, 1, 1, "w:shd") is None
    assert "no cell D2" in await refuse_call(
        agent, "set_table_cell_shading", table_index=0, row_index=1, col_index=3, fill_color="red"
    )


async def test_rows_alternate_and_the_header_stands_out(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "apply_table_alternating_rows", table_index=0, color2="DDDDDD")
    assert list_fills(report) == [["FFFFFF"] * 3, ["DDDDDD"] * 3, ["FFFFFF"] * 3]
    await call_on_report(agent, "highlight_table_header", table_index=0)
    assert list_fills(report)[0] == ["4472C4"] * 3
    font = table_of(report).cell(0, 1).paragraphs[0].runs[0].font
    assert (font.bold, font.color.rgb) == (True, RGBColor(255, 255, 255))
    assert list_fills(report)[1] == ["DDDDDD"] * 3


async def test_cells_are_merged_in_both_directions(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "merge_table_cells_horizontal", table_index=0, row_index=0, start_col=1, end_col=2)
    await call_on_report(agent, "merge_table_cells_vertical", table_index=0, col_index=0, start_row=1, end_row=2)
    table = table_of(report)
    assert table.cell(0, 1)._tc is table.cell(0, 2)._tc
    assert table.cell(0, 1).text == "Count\nPrice"
    assert table.cell(1, 0)._tc is table.cell(2, 0)._tc
    assert table.cell(1, 0).text == "Tea\nCake"
    await call_on_report(agent, "merge_table_cells", table_index=0, start_row=1, start_col=1, end_row=2, end_col=2)
    table = table_of(report)
    assert table.cell(1, 1)._tc is table.cell(2, 2)._tc
    assert table.cell(2, 2).text == "2\n3.50\n1\n4.00"
    assert "one cell" in await refuse_call(
        agent, "merge_table_cells", table_index=0, start_row=0, start_col=0, end_row=0, end_col=0
    )
    assert "upper left" in await refuse_call(
        agent, "merge_table_cells_vertical", table_index=0, col_index=0, start_row=2, end_row=1
    )


async def test_cells_are_aligned_one_or_all(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "set_table_alignment_all", table_index=0, horizontal="right", vertical="bottom")
    await call_on_report(
        agent, "set_table_cell_alignment", table_index=0, row_index=1, col_index=1, horizontal="center",
        vertical="center",
    )  # fmt: skip
    table = table_of(report)
    alignments = {cell.paragraphs[0].alignment for row in table.rows for cell in row.cells}
    assert alignments == {WD_ALIGN_PARAGRAPH.RIGHT, WD_ALIGN_PARAGRAPH.CENTER}
    assert table.cell(1, 1).paragraphs[0].alignment == WD_ALIGN_PARAGRAPH.CENTER
    assert cell_property(report, 1, 1, "w:vAlign").get(qn("w:val")) == "center"
    assert cell_property(report, 2, 2, "w:vAlign").get(qn("w:val")) == "bottom"
    assert "horizontal" in await refuse_call(agent, "set_table_alignment_all", table_index=0, horizontal="middle")


async def test_the_text_of_a_cell_is_set_and_formatted(agent: Agent, report: Path) -> None:
    await call_on_report(
        agent, "format_table_cell_text", table_index=0, row_index=2, col_index=1, text_content="**7**\nof 9",
        bold=True, italic=True, underline=True, color="green", font_size=15, font_name="Arial",
    )  # fmt: skip
    cell = table_of(report).cell(2, 1)
    assert cell.text == "**7**\nof 9"
    font = cell.paragraphs[0].runs[0].font
    assert (font.bold, font.italic, font.underline, font.size, font.name) == (True, True, True, Pt(15), "Arial")
    assert font.color.rgb == RGBColor(0, 0x80, 0)
    await call_on_report(agent, "format_table_cell_text", table_index=0, row_index=1, col_index=0, bold=True)
    assert (table_of(report).cell(1, 0).text, table_of(report).cell(1, 0).paragraphs[0].runs[0].bold) == ("Tea", True)


async def test_the_padding_of_a_cell_is_set_side_by_side(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "set_table_cell_padding", table_index=0, row_index=0, col_index=0, top=6, left=12)
    await call_on_report(
        agent, "set_table_cell_padding", table_index=0, row_index=0, col_index=0, right=0.5, unit="inches"
    )
    margins = cell_property(report, 0, 0, "w:tcMar")
    padding = {margin.tag: (int(margin.get(qn("w:w"))), margin.get(qn("w:type"))) for margin in margins}
    assert padding == {qn("w:top"): (120, "dxa"), qn("w:left"): (240, "dxa"), qn("w:right"): (720, "dxa")}
    assert [margin.tag for margin in margins] == [qn("w:top"), qn("w:left"), qn("w:right")]
    assert "no side is given" in await refuse_call(
        agent, "set_table_cell_padding", table_index=0, row_index=0, col_index=0
    )


def read_widths(path: Path) -> list[int]:
    """The widths of the columns of the table in twips, which grid and cells agree on."""
    table = table_of(path)
    grid = [int(column.get(qn("w:w"))) for column in table._tbl.tblGrid]
    for row in table.rows:
        assert [int(cell._tc.tcPr.find(qn("w:tcW")).get(qn("w:w"))) for cell in row.cells] == grid
    return grid


async def test_one_column_gets_a_width_and_the_others_keep_theirs(agent: Agent, report: Path) -> None:
    before = read_widths(report)
    await call_on_report(agent, "set_table_column_width", table_index=0, col_index=1, width=100)
    assert read_widths(report) == [before[0], 2000, before[2]]
    await call_on_report(agent, "set_table_column_width", table_index=0, col_index=0, width=2.54, width_type="cm")
    assert read_widths(report) == [1440, 2000, before[2]]
    await call_on_report(agent, "set_table_column_width", table_index=0, col_index=2, width=50, width_type="percent")
    assert read_widths(report)[2] == 8640 // 2
    assert "no column 3" in await refuse_call(agent, "set_table_column_width", table_index=0, col_index=3, width=10)
    assert "not a valid width" in await refuse_call(
        agent, "set_table_column_width", table_index=0, col_index=1, width=0
    )


async def test_columns_and_the_table_get_widths(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "set_table_column_widths", table_index=0, widths=[1, 2], width_type="inches")
    assert read_widths(report)[:2] == [1440, 2880]
    await call_on_report(agent, "set_table_column_widths", table_index=0, widths=[1, 2, 1], width_type="inches")
    await call_on_report(agent, "set_table_width", table_index=0, width=144)
    assert read_widths(report) == [720, 1440, 720]
    size = table_of(report)._tbl.tblPr.find(qn("w:tblW"))
    assert (size.get(qn("w:w")), size.get(qn("w:type"))) == ("2880", "dxa")
    await call_on_report(agent, "set_table_width", table_index=0, width=100, width_type="percent")
    size = table_of(report)._tbl.tblPr.find(qn("w:tblW"))
    assert (size.get(qn("w:w")), size.get(qn("w:type"))) == ("5000", "pct")
    assert sum(read_widths(report)) == pytest.approx(8640, abs=3)
    assert "no column 3" in await refuse_call(agent, "set_table_column_widths", table_index=0, widths=[1, 1, 1, 1])


async def test_columns_fit_their_content(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "set_table_column_widths", table_index=0, widths=[100, 100, 100])
    await call_on_report(agent, "auto_fit_table_columns", table_index=0)
    table = table_of(report)
    assert table.autofit
    kinds = {cell._tc.tcPr.find(qn("w:tcW")).get(qn("w:type")) for row in table.rows for cell in row.cells}
    assert kinds == {"auto"}
    await call_on_report(agent, "set_table_column_width", table_index=0, col_index=0, width=3, width_type="cm")
    await call_on_report(agent, "set_table_column_width", table_index=0, col_index=1, width=0, width_type="auto")
    await call_on_report(agent, "set_table_width", table_index=0, width=0, width_type="auto")
    assert cell_property(report, 1, 1, "w:tcW").get(qn("w:type")) == "auto"
    assert cell_property(report, 1, 0, "w:tcW").get(qn("w:w")) == "1701"
