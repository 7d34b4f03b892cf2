"""The public MCP conformance suite: the scenarios that need no fixtures of the suite's own."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from npm import run_npx

PACKAGE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
NEWEST = "2026-07-28"
SCENARIOS = {
    NEWEST: [
        "tools-list",
        "resources-list",
        "prompts-list",
        "caching",
        "http-header-validation",
        "sep-2164-resource-not-found",
        "dns-rebinding-protection",
        "server-sse-multiple-streams",
        "input-required-result-unsupported-methods",
    ],
    "2025-11-25": [
        "server-initialize",
        "ping",
        "logging-set-level",
        "tools-list",
        "resources-list",
        "prompts-list",
        "dns-rebinding-protection",
    ],
}


QUICK = [(NEWEST, "tools-list"), (NEWEST, "dns-rebinding-protection"), ("2025-11-25", "server-initialize")]
"""Asked for in each run, the others with everything: each is a start of node."""


def list_scenarios() -> Iterator[Any]:
    """Each of each revision."""
    for version, names in SCENARIOS.items():
        for name in names:
            yield pytest.param(version, name, marks=[] if (version, name) in QUICK else [pytest.mark.drill])


@pytest.mark.parametrize(("version", "scenario"), list(list_scenarios()))
def test_every_check_of_the_scenario_passes(address: str, version: str, scenario: str, tmp_path: Path) -> None:
    arguments = ("server", "--url", address, "--scenario", scenario, "--spec-version", version)
    result = run_npx(PACKAGE, "conformance", *arguments, cwd=tmp_path)
    counts = re.search(r"Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings", result.stdout)
    assert counts, result.stdout + result.stderr
    passed, total, failed, warnings = map(int, counts.groups())
    assert (result.returncode, failed, warnings) == (0, 0, 0), result.stdout
    assert passed == total > 0
