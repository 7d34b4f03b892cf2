"""Records in databases: archives (.sqlite)."""

import random
from collections.abc import Sequence
from pathlib import Path

from yardkit.state_init.databases import build_database
from yardkit.state_init.lore.workspace.filing import Place
from yardkit.state_init.lore.workspace.records import Firm, Record
from yardkit.world import save_bytes

_SCHEMA = """
CREATE TABLE partners (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE records (
    reference TEXT PRIMARY KEY,
    day TEXT NOT NULL,
    partner_id INTEGER NOT NULL REFERENCES partners (id),
    subject TEXT NOT NULL,
    entry TEXT NOT NULL,
    value NUMERIC,
    remarks TEXT
);
CREATE INDEX records_by_entry ON records (entry);
"""


def save_archive(files: Path, place: Place, records: Sequence[Record], firm: Firm, _rng: random.Random) -> None:
    """A table of records, by day, and one of partners."""
    partners = {company: number for number, (company, _) in enumerate(firm.partners, 1)}
    rows = [
        (
            record.reference,
            f"{record.day}",
            partners[record.partner],
            record.subject,
            record.entry,
            record.value,
            record.text or None,
        )
        for record in sorted(records, key=lambda dated: dated.day)
    ]
    known = [(number, company.full, company.city) for company, number in partners.items()]
    save_bytes(files / place.path, build_database(_SCHEMA, {"partners": known, "records": rows}))
