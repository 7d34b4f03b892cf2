"""Tables that a task adds to the notes of a company, with their rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from toolyard.apps.notes import APP, RECORDS, Column, ColumnKind, Option, Page, Table
from toolyard.apps.store import opened
from toolyard.world import World

Columns = Mapping[str, ColumnKind | tuple[str, ...]]
"""The kind of each column, or what can be chosen in it; the first is the title."""


def add_table(world: World, title: str, columns: Columns, rows: Sequence[Mapping[str, Any]], at: datetime) -> list[int]:
    """A table at the top of the notes; the numbers of its rows, in order."""
    with opened(APP, *RECORDS, writes=True, world=world) as store:
        made = [
            Column(name, "select", [Option(one) for one in kind]) if isinstance(kind, tuple) else Column(name, kind)
            for name, kind in columns.items()
        ]
        when, home = at.isoformat(), store.find(Page, "title = 'Home'")[0].id
        table = store.put(Table(store.next_id(Table), title, made, when, when, home))
        first, head = store.next_id(Page), next(iter(columns))
        for place, row in enumerate(rows):
            held = {name: value for name, value in row.items() if name != head and value not in (None, "")}
            named = Page(first + place, row[head], when, when, None, table.id, place + 1, author_id=1, editor_id=1)
            store.put(replace(named, values=held))
        return [first + place for place in range(len(rows))]
