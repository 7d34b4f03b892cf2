"""The documents of a generated task, which the server `lore` reads: JSON lines, sorted by the UTF-8 bytes of ids."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from yardkit.world import World, save_text

STORE = "documents.jsonl"
Record = Mapping[str, Any]
"""``id``, ``text`` and perhaps ``picture``."""


def save_documents(world: World, records: Iterable[Record]) -> None:
    """Put the documents of a task where no tool but those of the server `lore` finds them."""
    lines = sorted((record["id"].encode(), json.dumps(record, ensure_ascii=False)) for record in records)
    save_text(world.get_app_folder("lore") / STORE, "".join(f"{line}\n" for _, line in lines))
