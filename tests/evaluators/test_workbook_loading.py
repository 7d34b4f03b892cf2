import asyncio
from pathlib import Path

import openpyxl
from fastmcp import Client

from yardkit.evaluators.readers.engines.workbook_files import load_workbook
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world

mcp = load_server("sheets")


def test_a_pivot_table_is_saved_with_the_records_that_it_has(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Region", "Sales"], ["North", 10], ["South", 4.5], ["North", None]):
        book.worksheets[0].append(row)
    book.create_sheet("Report")
    book.save(tmp_path / "s.xlsx")
    order = {"path": "s.xlsx", "data": "Sheet!A1:B4", "sheet": "Report", "rows": ["Region"]}

    async def order_pivot() -> None:
        async with Client(mcp) as client:
            await client.call_tool("set_pivot", {**order, "values": [{"field": "Sales"}]})

    with use_world(World.open_user_folder(tmp_path)):
        asyncio.run(order_pivot())
    cached_records = openpyxl.load_workbook(tmp_path / "s.xlsx")["Report"]._pivots[0].cache.records.r
    load_workbook(tmp_path / "s.xlsx").save(tmp_path / "again.xlsx")
    again = openpyxl.load_workbook(tmp_path / "again.xlsx")["Report"]._pivots[0].cache.records.r
    assert len(cached_records) == 3
    assert again == cached_records
