from collections.abc import Iterator
from pathlib import Path

import pytest

from yardkit.sandbox.episodes.episode import Episode, open_new
from yardkit.world import remove_world


@pytest.fixture
def episode(tmp_path: Path) -> Iterator[Episode]:
    opened = open_new("quickstart/sort_inbox", 0, tmp_path / "runs")
    yield opened
    remove_world(tmp_path / "runs")
