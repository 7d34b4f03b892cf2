"""What a run is worth does not depend on the harness."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from frameworks.grades import HARNESSES, WORKS, by_toolyard

pytestmark = [pytest.mark.drill, pytest.mark.timeout(1200)]


@cache
def grade_of_toolyard(name: str) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        return by_toolyard(WORKS[name], Path(folder))


@pytest.mark.parametrize("name", WORKS)
def test_the_works_differ_as_they_should(name: str) -> None:
    grade = grade_of_toolyard(name)
    assert grade["valid"]
    assert grade["passed"] == (name == "oracle")
    assert (grade["reward"] == 1.0) == (name == "oracle")
    assert (grade["reward"] == 0.0) == (name == "nop")


@pytest.mark.parametrize("harness", HARNESSES)
@pytest.mark.parametrize("name", WORKS)
def test_a_harness_gives_the_grade_of_toolyard(name: str, harness: str, tmp_path: Path) -> None:
    assert HARNESSES[harness](WORKS[name], tmp_path) == grade_of_toolyard(name)
