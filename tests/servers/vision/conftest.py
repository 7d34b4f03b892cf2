"""Pictures in the workspace, and no model behind HTTP but those that a test serves."""

from pathlib import Path

import pytest
from support.pictures import ASTRONAUT, CAT, COFFEE


@pytest.fixture(autouse=True)
def no_services(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("YARDKIT_VISION_URL", "YARDKIT_EMBEDDINGS_URL", "YARDKIT_WORKER_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def photographs(files: Path) -> None:
    for picture in (ASTRONAUT, CAT, COFFEE):
        (files / picture.name).write_bytes(picture.read_bytes())
