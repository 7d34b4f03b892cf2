"""How long a contract pasted together over years takes: 16,000 short paragraphs in tables, 3,000 styles.

    python bench/office/long_document.py

Seconds, and seconds of the processor in brackets, of each call; the best of three.
"""

import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from fastmcp import Client

from yardkit.servers.documents.server import mcp
from yardkit.world import World, use_world

_CELL = (
    '<w:tc><w:tcPr><w:tcW w:w="1000" w:type="dxa"/></w:tcPr><w:p><w:pPr><w:jc w:val="both"/></w:pPr>'
    "<w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
)
_STYLE = '<w:style {} w:type="paragraph" w:styleId="S{}"><w:name w:val="S {}"/><w:basedOn w:val="Normal"/></w:style>'
_LAST = 717


def write_contract(path: Path) -> None:
    """20 tables of 100 rows and 8 columns, 35 clauses after each."""
    document = docx.Document()
    body = document.element.body
    for table in range(20):
        texts = ((f"{table}.{row}.{column}" for column in range(8)) for row in range(100))
        rows = "".join(f"<w:tr>{''.join(map(_CELL.format, row))}</w:tr>" for row in texts)
        grid = "<w:tblGrid>" + '<w:gridCol w:w="1000"/>' * 8 + "</w:tblGrid>"
        body.insert(len(body) - 1, parse_xml(f"<w:tbl {nsdecls('w')}><w:tblPr/>{grid}{rows}</w:tbl>"))
        for number in range(35):
            style = "List Number" if number > 30 else "Normal"
            document.add_paragraph(f"Clause {table}.{number} of the contract.", style=style)
    for number in range(3000):
        document.styles.element.append(parse_xml(_STYLE.format(nsdecls("w"), number, number)))
    document.save(path)


async def measure_long_document() -> None:
    """Print the figures."""
    async with Client(mcp) as client:

        async def best(name: str, tool: str, **arguments: Any) -> Any:
            times = []
            for _ in range(3):
                wall, processor = time.perf_counter(), time.process_time()
                answer = await client.call_tool(tool, {"path": "long.docx", **arguments})
                times.append((time.perf_counter() - wall, time.process_time() - processor))
            print(f"{name:14} {min(times)[0]:5.2f} s ({min(times)[1]:.2f} s)")
            return json.loads(answer.content[0].text)

        await best("inspect", "inspect_document")
        await best("first page", "read_document")
        await best("second page", "read_document", offset=100)
        await best("as Markdown", "read_document", offset=100, format="markdown")
        page = await best("last page", "read_document", offset=_LAST - 17)
        edit = {"op": "replace", "anchor": page["blocks"][-1]["anchor"], "blocks": [{"text": "New"}]}
        wall = time.perf_counter()
        await client.call_tool("edit_blocks", {"path": "long.docx", "edits": [edit]})
        print(f"{'edit at the end':14} {time.perf_counter() - wall:5.2f} s")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, use_world(World.open_user_folder(Path(folder))):
        write_contract(Path(folder) / "long.docx")
        asyncio.run(measure_long_document())


if __name__ == "__main__":
    main()
