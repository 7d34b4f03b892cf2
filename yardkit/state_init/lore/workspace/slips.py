"""Records as pictures: printed slips with one number each."""

import random
from collections.abc import Sequence
from pathlib import Path

from yardkit.state_init.lore.workspace.filing import Place
from yardkit.state_init.lore.workspace.records import Firm, Record
from yardkit.state_init.rendering.ink import save_image
from yardkit.state_init.rendering.notes import draw_label


def save_slips(files: Path, place: Place, records: Sequence[Record], _firm: Firm, rng: random.Random) -> None:
    """A slip for each record, under the name of its reference."""
    for record in records:
        facts = [
            ("Date", f"{record.day:%Y-%m-%d}"),
            ("From", record.partner.name),
            ("For", record.subject),
            (f"Figure {record.entry}", str(record.value)),
        ]
        save_image(draw_label(f"Slip {record.reference}", facts, rng), files / place.path / f"{record.reference}.png")
