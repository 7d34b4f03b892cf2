"""Every agent framework of docs/frameworks.md works as its row says, with the snippet that stands there."""

import pytest

from frameworks.environments import Framework, read_frameworks
from frameworks.snippets import MOST_LINES, read_blocks
from frameworks.table import measure_row, read_rows

FRAMEWORKS = list(read_frameworks().values())


def test_each_framework_has_a_snippet_of_at_most_ten_lines() -> None:
    snippets = {name: block for (_, name), block in read_blocks().items() if name not in ("preamble", "loop")}
    assert set(snippets) == {framework.name for framework in FRAMEWORKS}
    lengths = {name: sum(map(bool, block.splitlines())) for name, block in snippets.items()}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_all_that_is_installed_is_pinned() -> None:
    for framework in FRAMEWORKS:
        assert framework.pins.exists(), f"python -m frameworks.environments --pin {framework.name}"
        loose = [package for package in framework.packages if "==" not in package]
        assert loose == [], "name exact versions"


@pytest.mark.drill
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda framework: framework.name)
def test_a_framework_does_what_its_row_says(framework: Framework) -> None:
    line = measure_row(framework)
    assert "| 1.0, 1.0 |" in line, line
    assert read_rows()[framework.title] == line, "run `make frameworks`"
