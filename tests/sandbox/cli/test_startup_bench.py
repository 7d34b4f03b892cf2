import json
import subprocess
import sys
from pathlib import Path

import pytest

from yardkit.sandbox.serving.registry import server_names

BENCH = Path(__file__).parents[3] / "bench" / "startup.py"


def measure_startup() -> subprocess.CompletedProcess[str]:
    """The first measurement within the goals, of at most four.

    Other tests come and go beside this one and may slow the few seconds of one measurement; a start that has become
    slow is slow in all of them.
    """
    for _ in range(4):
        command: list[str | Path] = [sys.executable, BENCH, "--pairs", "3", "--json"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=200)
        if result.returncode == 0:
            break
    return result


@pytest.mark.drill
def test_the_start_stays_within_its_goals() -> None:
    result = measure_startup()
    assert result.returncode == 0, result.stdout + result.stderr
    rows = json.loads(result.stdout)
    assert rows["baseline"]["tools"] == 1
    assert rows["all"]["tools"] > rows["calculator"]["tools"] > 1
    assert rows["all"]["tools"] >= len(server_names())
    assert rows["calculator"]["ratio"] <= 1.3
    assert rows["seven"]["ratio"] <= 2.0
