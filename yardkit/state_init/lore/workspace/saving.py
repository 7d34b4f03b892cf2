"""All records of a tree, saved where they belong."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from yardkit.state_init.lore.workspace.archives import save_archive
from yardkit.state_init.lore.workspace.filing import Place
from yardkit.state_init.lore.workspace.office import save_ledger, save_minutes, save_review, save_statement
from yardkit.state_init.lore.workspace.records import Firm, Record
from yardkit.state_init.lore.workspace.slips import save_slips
from yardkit.state_init.lore.workspace.text_files import save_mails, save_notes, save_register

Save = Callable[[Path, Place, Sequence[Record], Firm, random.Random], None]
_SAVERS: Mapping[str, Save] = {
    "sheets": save_ledger,
    "mails": save_mails,
    "slides": save_review,
    "documents": save_minutes,
    "pdf": save_statement,
    "scans": save_slips,
    "notes": save_notes,
    "registers": save_register,
    "databases": save_archive,
}


def save_records(files: Path, records: Iterable[Record], firm: Firm, rng: random.Random) -> None:
    """Write every file, the records of all versions mixed."""
    by_path: dict[str, list[Record]] = {}
    for record in records:
        by_path.setdefault(record.place.path, []).append(record)
    for path in sorted(by_path):
        some = by_path[path]
        rng.shuffle(some)
        _SAVERS[some[0].place.kind](files, some[0].place, some, firm, rng)
