import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[3] / "bench" / "lore.py"


@pytest.mark.drill
def test_generating_stays_within_its_goals_and_takes_time_in_proportion() -> None:
    command: list[str | Path] = [sys.executable, BENCH, "--domain", "documents", "--json"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=250)
    assert result.returncode == 0, result.stdout + result.stderr
    costs = json.loads(result.stdout)["documents"]
    long, shorter = costs["10,000 operations"], costs["1,000 operations"]
    assert long["seconds"] < 5
    assert long["peak_mb"] < 500
    assert long["seconds"] < 20 * shorter["seconds"]
    assert costs["1,000 tasks of 50"]["seconds"] < 60
