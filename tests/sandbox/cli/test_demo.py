import json
import re
import subprocess
from pathlib import Path

import pytest
from support.processes import COMMAND

from yardkit.sandbox.tasks.suites import list_suites


@pytest.mark.drill
def test_the_demo_solves_the_quickstart_suite_and_replaces_the_last_one(tmp_path: Path) -> None:
    for _ in range(2):
        done = subprocess.run(
            [*COMMAND, "demo", "--jobs", "2"], cwd=tmp_path, capture_output=True, text=True, timeout=280
        )
        assert done.returncode == 0, done.stdout + done.stderr
        tasks = list_suites()["quickstart"]
        assert f"{len(tasks)} of {len(tasks)} passed: 100.0 %" in done.stdout
        report_match = re.search(r"^report: (.+)$", done.stdout, re.MULTILINE)
        assert report_match
        assert (tmp_path / report_match[1]).read_text("utf-8").startswith("<!doctype html>")
        lines = [json.loads(line) for line in (tmp_path / "runs" / "demo" / "results.jsonl").read_text().splitlines()]
        assert sorted(line["task"] for line in lines) == tasks
        assert all(line["calls"] > 0 for line in lines)
