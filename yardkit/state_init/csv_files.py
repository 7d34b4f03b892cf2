"""CSV files for seeded worlds."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from yardkit.world import save_bytes


def save_csv(
    path: Path, rows: Iterable[Sequence[Any]], *, delimiter: str = ",", newline: str = "\n", encoding: str = "utf-8"
) -> None:
    """Write rows as a CSV file; signs that the encoding lacks become question marks."""
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator=newline).writerows(rows)
    save_bytes(path, buffer.getvalue().encode(encoding, "replace"))
