"""Compare measured branch coverage with the floors: `make coverage`."""

import io
import sys
from pathlib import Path

from coverage import Coverage
from support.ratchet import Ratchet

ROOT = Path(__file__).parents[1]
MEASURED = ("yardkit/kit", "yardkit/world", "yardkit/sandbox/episodes", "yardkit/evaluators/scoring.py")


def measure_uncovered(data: Coverage, path: str) -> float:
    """The percentage of lines and branches below a path that no test reached."""
    place = ROOT / path
    pattern = str(place / "*") if place.is_dir() else str(place)
    return 100 - data.report(file=io.StringIO(), include=[pattern])


if __name__ == "__main__":
    data = Coverage(config_file=str(ROOT / "pyproject.toml"))
    data.load()
    uncovered = {path: round(measure_uncovered(data, path), 2) for path in MEASURED}
    for path, percent in uncovered.items():
        sys.stdout.write(f"{path}: {100 - percent:.1f} % of lines and branches\n")
    sys.exit("\n".join(Ratchet.read_limit("uncovered").list_complaints(uncovered)) or 0)
