"""The office servers beside their peers, over stdio, on the same files, in one run.

    .venv/bin/python bench/office/peers.py && .venv/bin/python bench/office/run.py [--only NAME ...] [--json]

Every figure is wall time of calls through the same client; the machine may be shared, so read the ratios.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import files
from fastmcp import Client
from peers import install_peers, start_own_server, start_peer

Figures = dict[str, float]
EDITS, BLOCK = 200, 10


async def call_tool(client: Client[Any], tool: str, **arguments: Any) -> Any:
    """The data of a call; an error stops the measurement."""
    result = await client.call_tool(tool, arguments)
    if result.structured_content is not None:
        return result.structured_content
    text = result.content[0].text
    return json.loads(text) if text.startswith("{") else text


async def time_work(work: Awaitable[Any]) -> float:
    started = time.perf_counter()
    await work
    return time.perf_counter() - started


async def read_all(client: Client[Any], path: str) -> int:
    """All cells of a sheet by the largest pages; how many."""
    offset: int | None = 0
    cells = 0
    while offset is not None:
        page = await call_tool(client, "read_cells", path=path, offset=offset, limit=MAX_ROWS)
        cells += sum(len(row) for row in page["rows"])
        offset = page.get("next_offset")
    return cells


MAX_ROWS = 5000


async def measure_reading(folder: Path) -> Figures:
    small, large = files.write_numbers(folder / "200k.xlsx", 10_000), files.write_numbers(folder / "1m.xlsx", 50_000)
    files.write_numbers(folder / "warm.xlsx", 10)
    figures = {}
    async with Client(start_own_server("sheets", folder)) as client:
        await read_all(client, "warm.xlsx")
        for name, path, cells in (("200k", small, 200_000), ("1m", large, 1_000_000)):
            started = time.perf_counter()
            assert await read_all(client, path.name) == cells
            figures[f"read {name}, s"] = time.perf_counter() - started
        late = [
            await time_work(call_tool(client, "read_cells", path=large.name, offset=49_900 - 7 * n, limit=50))
            for n in range(20)
        ]
        figures["late page of 1m, ms"] = statistics.median(late) * 1000
    async with Client(start_peer("excel", folder)) as client:
        started = time.perf_counter()
        for first in range(1, 10_000, 500):
            area = f"A{first}:T{first + 499}"
            await call_tool(client, "read_range", path=str(small), sheet="Data", range=area, max_cells=10_000)
        figures["read 200k, excel-mcp-server, s"] = time.perf_counter() - started
    async with Client(start_peer("xlsxtools", folder, XLSX_MCP_ALLOWED_DIRS=str(folder))) as client:
        figures["read 200k, xlsx-tools-mcp, s"] = await time_work(
            call_tool(client, "read_sheet", path=str(small), sheet="Data")
        )
    figures["times faster than excel-mcp-server"] = figures["read 200k, excel-mcp-server, s"] / figures["read 200k, s"]
    return figures


async def measure_single_edit(folder: Path) -> Figures:
    """One cell changed in 100,000 cells without formulas."""
    path = files.write_numbers(folder / "plain.xlsx", 5_000)
    theirs = files.write_numbers(folder / "plain_theirs.xlsx", 5_000)
    async with (
        Client(start_own_server("sheets", folder)) as client,
        Client(start_peer("excel", folder)) as their_client,
    ):
        own, other = await _in_turn(
            lambda n: _write_cell(client, path.name, f"B{100 + 200 * n}"),
            lambda n: _write_theirs(their_client, theirs, f"B{100 + 200 * n}"),
            20,
        )
    return _compare_pair("one edit in 100k cells, ms", own, other)


async def many_edits(folder: Path) -> Figures:
    """200 single-cell edits in 100,000 cells with 5,000 live sums; each edit's sum must be right in the file."""
    path, theirs = files.write_sums(folder / "sums.xlsx", 5_000), files.write_sums(folder / "sums_theirs.xlsx", 5_000)
    async with (
        Client(start_own_server("sheets", folder)) as client,
        Client(start_peer("excel", folder)) as their_client,
    ):
        own, other = await _in_turn(
            lambda n: _write_cell(client, path.name, f"C{10 + 20 * n}"),
            lambda n: _write_theirs(their_client, theirs, f"C{10 + 20 * n}"),
            EDITS,
        )
    _check_sums(path)
    return _compare_pair(f"{EDITS} edits with recalculation, per edit, ms", own, other)


async def _in_turn(
    our_call: Callable[[int], Awaitable[Any]], their_call: Callable[[int], Awaitable[Any]], count: int
) -> tuple[list[float], list[float]]:
    """Times of both, ten calls of one and ten of the other, so that what else the machine does meets both alike.

    Not one call each: then either pays for the cold caches and the unwritten files that the other leaves, which
    nobody who works with one server meets.
    """
    own: list[float] = []
    other: list[float] = []
    for start in range(0, count, BLOCK):
        numbers = range(start, min(count, start + BLOCK))
        own += [await time_work(our_call(n)) for n in numbers]
        other += [await time_work(their_call(n)) for n in numbers]
    return own, other


def _check_sums(path: Path) -> None:
    import openpyxl

    sheet = openpyxl.load_workbook(path, data_only=True)["Data"]
    for row in sheet.iter_rows(values_only=True):
        assert sum(row[:-1]) == row[-1], row


async def measure_writing(folder: Path) -> Figures:
    """200,000 cells into a new workbook, by the largest calls that each takes."""
    rows = [[f"item {n % 500}" if c % 3 == 0 else n * c for c in range(20)] for n in range(10_000)]
    async with Client(start_own_server("sheets", folder)) as client:
        own = await time_work(call_tool(client, "write_cells", path="new.xlsx", sheet="Data", rows=rows))
    theirs = str(folder / "new_theirs.xlsx")
    async with Client(start_peer("excel", folder)) as client:
        started = time.perf_counter()
        await call_tool(client, "create_workbook", path=theirs, sheets=["Data"])
        for first in (0, 5000):
            part = rows[first : first + 5000]
            await call_tool(client, "write_range", path=theirs, sheet="Data", at=f"A{first + 1}", rows=part)
        other = time.perf_counter() - started
    return {"write 200k, s": own, "write 200k, excel-mcp-server, s": other, "times faster": other / own}


async def measure_paragraphs(folder: Path) -> Figures:
    """200 paragraphs added by 200 calls."""
    theirs, text = str(folder / "theirs.docx"), "A paragraph of some words."
    edit = {"op": "insert", "blocks": [{"text": text}]}
    async with (
        Client(start_own_server("documents", folder)) as client,
        Client(start_peer("word", folder)) as their_client,
    ):
        await call_tool(client, "create_document", path="own.docx")
        await call_tool(their_client, "create_document", filename=theirs)
        own, other = await _in_turn(
            lambda _: call_tool(client, "edit_blocks", path="own.docx", edits=[edit]),
            lambda _: call_tool(their_client, "add_paragraph", filename=theirs, text=text),
            EDITS,
        )
    return _compare_pair(f"{EDITS} paragraphs, per paragraph, ms", own, other)


async def first_page(folder: Path) -> Figures:
    """The picture of the first page of a document that the warm server has not seen."""
    import pypdfium2

    files.write_letter(folder / "warm.docx", 2)
    for number in range(8):
        files.write_letter(folder / f"letter{number}.docx", 10)
    async with Client(start_own_server("render", folder)) as client:
        await call_tool(client, "render_pages", path="warm.docx")
        own = [await time_work(call_tool(client, "render_pages", path=f"letter{n}.docx", pages="1")) for n in range(8)]
        again = await time_work(call_tool(client, "render_pages", path="letter7.docx", pages="5"))
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", "--headless", profile, "--convert-to", "pdf", "--outdir", str(folder / "out")]
    subprocess.run([*command, str(folder / "warm.docx")], check=True, capture_output=True)
    other = []
    for number in range(5):
        started = time.perf_counter()
        subprocess.run([*command, str(folder / f"letter{number}.docx")], check=True, capture_output=True)
        document = pypdfium2.PdfDocument(folder / "out" / f"letter{number}.pdf")
        document[0].render(scale=100 / 72).to_pil().save(folder / "out" / "page.png")
        other.append(time.perf_counter() - started)
    return {**_compare_pair("first page of 10, ms", own, other), "another page of an open document, ms": again * 1000}


async def _write_cell(client: Client[Any], path: str, cell: str) -> Any:
    return await call_tool(client, "write_cells", path=path, start_cell=cell, rows=[[4711]])


async def _write_theirs(client: Client[Any], path: Path, cell: str) -> Any:
    return await call_tool(client, "write_range", path=str(path), sheet="Data", at=cell, rows=[[4711]])


def _compare_pair(name: str, own: list[float], other: list[float]) -> Figures:
    mine, theirs = statistics.median(own) * 1000, statistics.median(other) * 1000
    return {name: mine, "of the peer, ms": theirs, "times faster": theirs / mine}


SCENARIOS = (measure_reading, measure_single_edit, many_edits, measure_writing, measure_paragraphs, first_page)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=[known.__name__ for known in SCENARIOS])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    install_peers()
    figures = {}
    for scenario in SCENARIOS:
        if arguments.only and scenario.__name__ not in arguments.only:
            continue
        os.sync()  # or who saves safely pays for what the scenario before left unwritten
        with tempfile.TemporaryDirectory() as folder:
            figures[scenario.__name__] = asyncio.run(scenario(Path(folder)))
        if not arguments.json:
            print(
                scenario.__name__,
                *(f"  {name}: {value:.4g}" for name, value in figures[scenario.__name__].items()),
                sep="\n",
            )
    if arguments.json:
        print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
