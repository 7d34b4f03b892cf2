"""Tables that boxes touch: what stands apart is no row, a heading over all columns is one."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from reportlab.lib import colors
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table
from support.scale import select_drills

Ok = Callable[..., dict[str, Any]]
ROWS = [["Item", "Qty", "Price"], ["Pen", "3", "1.20"], ["Book", "12", "9.90"]]
HEADING = ["Prices of March", "", ""]
GRID = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)
SPAN = ("SPAN", (0, 0), (-1, 0))
GROUND = ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey)
SHADE = '<w:shd {} w:val="clear" w:color="auto" w:fill="DDEEFF"/>'


def draw_table(
    path: Path,
    rows: list[list[str]],
    style: Sequence[Any],
    box: tuple[float, float] | None = None,
    *,
    below: bool = False,
    filled: bool = False,
    lines: int = 1,
) -> None:
    """A table 240 points wide; `box` is the gap between it and a box, and how wide that is."""
    canvas = Canvas(str(path), invariant=1)
    table = Table(rows, colWidths=[100, 60, 80], style=style)
    _, height = table.wrapOn(canvas, 500, 500)
    table.drawOn(canvas, 72, 500)
    if box is not None:
        gap, width = box
        tall = 16 + 12 * lines
        foot = 500 - gap - tall if below else 500 + height + gap
        canvas.setFillColor(colors.lightgrey)
        canvas.rect(72, foot, width, tall, stroke=int(not filled), fill=int(filled))
        canvas.setFillColor(colors.black)
        for number in range(lines):
            canvas.drawString(78, foot + tall - 16 - 12 * number, "Please pay within 30 days")
    canvas.save()


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize(
    ("box", "looks"),
    [
        ((0, 240), {}),
        ((2, 240), {}),
        ((2, 240), {"filled": True}),
        ((0, 300), {"filled": True}),
        ((0, 150), {}),
        ((0, 240), {"filled": True, "lines": 3}),
    ],
)
def test_a_box_that_touches_a_table_and_stands_apart_is_no_row_of_it(
    ok: Ok, files: Path, box: tuple[float, float], looks: dict[str, Any], below: bool
) -> None:
    draw_table(files / "a.pdf", ROWS, [GRID], box, below=below, **looks)
    (table,) = ok("read_pdf_tables", path="a.pdf")["tables"]
    assert table["rows"] == ROWS
    assert table["box"][2] - table["box"][0] == pytest.approx(240, abs=1)


@pytest.mark.parametrize(
    "style",
    [
        [GRID, SPAN],
        [GRID, SPAN, GROUND],
        [("GRID", (0, 1), (-1, -1), 0.5, colors.black), SPAN, GROUND],
        [("INNERGRID", (0, 1), (-1, -1), 0.5, colors.black), ("BOX", (0, 0), (-1, -1), 1, colors.black), SPAN, GROUND],
        [("BOX", (0, 0), (-1, 0), 1, colors.black), ("GRID", (0, 1), (-1, -1), 0.5, colors.black), SPAN],
    ],
)
def test_a_heading_over_all_columns_is_a_row_of_the_table(ok: Ok, files: Path, style: Sequence[Any]) -> None:
    draw_table(files / "a.pdf", [HEADING, *ROWS], style)
    (table,) = ok("read_pdf_tables", path="a.pdf")["tables"]
    assert table["rows"] == [HEADING, *ROWS]


@pytest.mark.parametrize("css", ["border-collapse: collapse", "border-spacing: 0", "border-spacing: 2px"])
def test_a_heading_in_a_box_is_a_row_where_each_cell_is_one(ok: Ok, files: Path, css: str) -> None:
    rows = "".join(f"<tr>{''.join(f'<td>{cell}' for cell in row)}" for row in ROWS)
    look = f"table {{ {css} }} td, th {{ border: 1px solid }} th {{ background: #def }}"
    ok("create_pdf", path="a.pdf", html=f"<table><tr><th colspan=3>{HEADING[0]}{rows}</table>", css=look)
    (table,) = ok("read_pdf_tables", path="a.pdf")["tables"]
    assert table["rows"] == [HEADING, *ROWS]


@pytest.mark.parametrize(
    ("heading", "framed"), [(True, True), *select_drills((False, False), (False, True), (True, False))]
)
def test_a_framed_paragraph_on_a_table_by_libreoffice_is_no_row(
    ok: Ok, files: Path, heading: bool, framed: bool
) -> None:
    paper = docx.Document()
    if framed:
        note = paper.add_paragraph("Please pay within 30 days")
        note.paragraph_format.space_after = 0
        sides = "".join(
            f'<w:{side} w:val="single" w:sz="8" w:space="1" w:color="000000"/>'
            for side in ("top", "left", "bottom", "right")
        )
        note._p.get_or_add_pPr().append(parse_xml(f"<w:pBdr {nsdecls('w')}>{sides}</w:pBdr>"))
        note._p.get_or_add_pPr().append(parse_xml(SHADE.format(nsdecls("w"))))
    rows = [HEADING, *ROWS] if heading else ROWS
    table = paper.add_table(len(rows), 3, style="Table Grid")
    for line, row in zip(table.rows, rows, strict=True):
        for cell, text in zip(line.cells, row, strict=True):
            cell.text = text
    if heading:
        top = table.cell(0, 0).merge(table.cell(0, 2))
        top.text = HEADING[0]
        top._tc.get_or_add_tcPr().append(parse_xml(SHADE.format(nsdecls("w"))))
    paper.save(str(files / "a.docx"))
    profile = f"-env:UserInstallation=file://{files.parent}/profile"
    command = ["soffice", "--headless", profile, "--convert-to", "pdf", "--outdir", str(files), str(files / "a.docx")]
    subprocess.run(command, check=True, capture_output=True, timeout=240)
    tables = ok("read_pdf_tables", path="a.pdf")["tables"]
    assert [table["rows"] for table in tables] == [rows]
