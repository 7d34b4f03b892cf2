"""Shared steps of reference solutions with the notes, using only tool calls."""

from collections.abc import Mapping, Sequence
from typing import Any

from yardkit.evaluators.proof import Agent


def find_note(agent: Agent, title: str) -> Mapping[str, Any]:
    """Read the page with exactly this title and its full text."""
    lines = agent.call("search_notes", query=title, kind="page", limit=100)["entries"]
    return agent.call("read_note_page", page_id=next(line["id"] for line in lines if line["title"] == title))


def find_note_rows(agent: Agent, title: str) -> tuple[int, list[Mapping[str, Any]]]:
    """Find the number of the table with this title, and its rows."""
    lines = agent.call("search_notes", query=title, kind="table")["entries"]
    table = next(line["id"] for line in lines if line["title"] == title)
    return table, agent.call("query_table", table_id=table, limit=200)["rows"]


def edit_note(
    agent: Agent, page: Mapping[str, Any], anew: Mapping[str, str], *, title: str, in_parts: bool = False
) -> None:
    """Change the title of a page and texts that occur in it once, by edits or by writing the complete page."""
    text = str(page["text"])
    for old, new in anew.items():
        text = text.replace(old, new)
    edits = [{"find": old, "text": new} for old, new in anew.items()]
    change = {"edits": edits} if in_parts else {"markdown": text}
    agent.call("edit_note_page", page_id=page["id"], title=title, **change)


def grid_text(rows: Sequence[Sequence[object]]) -> str:
    """Format a table in Markdown; the first row is its head."""
    head, *lines = (f"| {' | '.join(map(str, row))} |" for row in rows)
    return "\n".join([head, f"|{' --- |' * len(rows[0])}", *lines])
