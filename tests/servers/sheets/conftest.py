"""Workbooks made by other libraries."""

import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
import xlsxwriter
from PIL import Image
from support.answers import Call, Golden, read_facts
from support.books import drop_recalculation_wish


@pytest.fixture
def call(call: Call) -> Call:
    """Call a tool; the JSON of a bulk tool is its `.structured_content` too."""

    def run(tool: str, **arguments: object) -> SimpleNamespace:
        answer = call(tool, **arguments)
        data = answer.structured_content or (None if answer.is_error else read_facts(answer))
        return SimpleNamespace(content=answer.content, structured_content=data, is_error=answer.is_error)

    return run


def write_rich(path: Path) -> None:
    Image.new("RGB", (20, 20), "red").save(path.with_name("red.png"))
    book = xlsxwriter.Workbook(path)
    sheet, other = book.add_worksheet("Data"), book.add_worksheet("Other's")
    bold, money = book.add_format({"bold": True}), book.add_format({"num_format": "#,##0.00"})
    sheet.write_row(0, 0, ["Month", "Sales", "Cost", "Margin"], bold)
    for row, (month, sales, cost) in enumerate([("Jan", 10, 7), ("Feb", 20, 15), ("Mar", 30, 22)], start=1):
        sheet.write(row, 0, month)
        sheet.write(row, 1, sales, money)
        sheet.write(row, 2, cost, money)
        sheet.write_formula(row, 3, f"=B{row + 1}-C{row + 1}", money, sales - cost)
    sheet.write_formula("D5", "=SUM(D2:D4)", None, 16)
    sheet.write_rich_string("A7", "plain ", bold, "bold")
    chart = book.add_chart({"type": "column"})
    chart.add_series({"values": "=Data!$B$2:$B$4", "categories": "=Data!$A$2:$A$4", "trendline": {"type": "linear"}})
    chart.set_title({"name": "Sales by month"})
    sheet.insert_chart("F2", chart)
    sheet.insert_image("F20", str(path.with_name("red.png")))
    sheet.conditional_format("B2:B4", {"type": "data_bar", "data_bar_2010": True})
    sheet.data_validation("A2:A4", {"validate": "list", "source": ["Jan", "Feb", "Mar"]})
    sheet.write_comment("A1", "a note")
    sheet.add_sparkline("E2", {"range": "Data!B2:B4"})
    sheet.set_column("A:A", 22)
    sheet.freeze_panes(1, 0)
    other.add_table("A1:B3", {"name": "Goods", "columns": [{"header": "x"}, {"header": "y"}], "data": [[1, 2], [3, 4]]})
    other.write_formula("D1", "=SUM(Goods[y])", None, 6)
    other.write_datetime("D2", datetime.date(2024, 2, 29), book.add_format({"num_format": "yyyy-mm-dd"}))
    book.define_name("Total", "=Data!$D$5")
    book.define_name("Rate", "=0.25")
    book.close()
    drop_recalculation_wish(path)


@pytest.fixture
def rich(golden: Golden) -> Path:
    """A workbook with a chart, a picture, rules, a name, notes, rich text, a table, sparklines and a second sheet."""
    return golden("rich.xlsx", write_rich)
