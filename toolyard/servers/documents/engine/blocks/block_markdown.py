"""Blocks as Markdown for reading: headings, lists, tables, links, emphasis; images by number."""

from __future__ import annotations

import re
from typing import Any

from toolyard.servers.documents.engine.blocks.block_reader import BlockInfo, Reader, Run
from toolyard.servers.documents.engine.formatting.code_styles import language_of
from toolyard.servers.documents.engine.text.displayed_text import escaped


def markdown(reader: Reader, elements: list[Any]) -> str:
    """The blocks as Markdown; list items stand together, other blocks apart."""
    lines: list[str] = []
    before = ""
    for element in elements:
        block = reader.block(element, "markdown")
        text = _block(block)
        if not text:
            continue
        close = (block.kind == "item" and before == "item") or (block.style == before and _language(block) is not None)
        lines += [] if close or not lines else [""]
        lines.append(text)
        before = "item" if block.kind == "item" else block.style
    return _joined_code("\n".join(lines))


def _block(block: BlockInfo) -> str:
    if block.kind == "table":
        return _table(block.rows)
    pictures = "".join(f"![image {number}]" for number in block.images)
    text = "".join(_run(run) for run in block.runs).strip() + pictures
    language = _language(block)
    if language is not None:
        return f"```{language}\n{block.text}\n```"
    if block.kind == "heading":
        label = f"{block.label} " if block.label else ""
        return f"{'#' * min(block.level, 6)} {label}{text}" if text else ""
    if block.kind == "item":
        mark = "-" if block.label in ("\u2022", "") else block.label
        return f"{'   ' * (block.level - 1)}{mark} {text}"
    if block.style == "Title" and text:
        return f"# {text}"
    quoted = block.style in ("Quote", "Intense Quote") and text
    text = text.replace("\n", "  \n")
    return f"> {text}" if quoted else text or ("---" if block.breaks == "page" else "")


def _language(block: BlockInfo) -> str | None:
    """The language of a line of code, as far as its style tells; None for other blocks."""
    return language_of(block.style) if block.style.startswith("Code") else None


def _joined_code(text: str) -> str:
    """Lines of code that follow each other as one block of code."""
    return re.sub(r"\n```\n```\S*\n", "\n", text)


def _run(run: Run) -> str:
    core = run.text.strip(" \t\n")
    if not core or run.equation:
        return run.text
    before, _, after = run.text.partition(core)
    shown = f"`{core}`" if run.style == "Code Char" else escaped(core)
    for name, mark in (("strike", "~~"), ("italic", "*"), ("bold", "**")):
        if run.look.get(name) and run.style != "Code Char":
            shown = f"{mark}{shown}{mark}"
    return f"{before}[{shown}]({run.link}){after}" if run.link else f"{before}{shown}{after}"


def _table(rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(cell.replace("\n", "<br>") for cell in row) + " |" for row in rows]
    if lines:
        lines.insert(1, "|" + " --- |" * len(rows[0]))
    return "\n".join(lines)
