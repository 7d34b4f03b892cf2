"""A document for the tests of Toolathlon's word server, and calls on it."""

from pathlib import Path
from typing import Any

import docx

from support.speaking import Agent

NAME = "report.docx"


def write_report(path: Path) -> None:
    """A document by python-docx: a title, two sections of text, a table, a header; "budget" crosses formats."""
    document = docx.Document()
    document.core_properties.title = "The plan"
    document.core_properties.author = "Ann"
    document.add_heading("Costs", 1)
    paragraph = document.add_paragraph("The bud")
    paragraph.add_run("get is tight").bold = True
    document.add_paragraph("A second paragraph about costs.")
    document.add_heading("Risks", 1)
    document.add_paragraph("Rain.")
    document.add_paragraph("Snow and budget.")
    table = document.add_table(3, 3, style="Table Grid")
    for number, row in enumerate([["Item", "Count", "Price"], ["Tea", "2", "3.50"], ["Cake", "1", "4.00"]]):
        for cell, text in zip(table.rows[number].cells, row, strict=True):
            cell.text = text
    document.add_heading("End", 2)
    document.sections[0].header.paragraphs[0].text = "Draft of the budget"
    document.save(str(path))


def list_texts(path: Path) -> list[str]:
    return [paragraph.text for paragraph in docx.Document(str(path)).paragraphs]


def table_of(path: Path) -> Any:
    return docx.Document(str(path)).tables[0]


async def call_on_report(agent: Agent, tool: str, **arguments: Any) -> str:
    """Call a tool on the report."""
    return await agent.says(tool, filename=NAME, **arguments)


async def refuse_call(agent: Agent, tool: str, **arguments: Any) -> str:
    """Call a tool on the report, which must stay as it is."""
    before = (agent.files / NAME).read_bytes()
    message = await agent.call_for_error(tool, **({"filename": NAME} | arguments))
    assert (agent.files / NAME).read_bytes() == before
    return message
