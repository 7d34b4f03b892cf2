"""Near misses in CSV files."""

import csv

from yardkit.evaluators.misses.edits import Change, Leaves, apply_change, make_miss
from yardkit.evaluators.proof import Miss, Solved


def csv_changed(path: str, change: Change, caught_by: Leaves) -> Miss:
    """Each row of a CSV file, texts by header, is changed in place; all rows must keep their columns."""

    def corrupt_world(work: Solved) -> None:
        with (work.files / path).open(encoding="utf-8-sig", newline="") as handle:
            rows = list(csv.DictReader(handle))
        for row in rows:
            apply_change(change, work, row)
        with (work.files / path).open("w", encoding="utf-8", newline="") as handle:
            writer = csv.DictWriter(handle, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)

    return make_miss(caught_by, corrupt_world)
