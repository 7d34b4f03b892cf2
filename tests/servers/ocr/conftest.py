"""The programs that read."""

import pytest
from support.scale import select_drills


@pytest.fixture(params=["tesseract", *select_drills("rapidocr")])
def backend(request: pytest.FixtureRequest) -> str:
    """For what the engine does with what is read; the slower one reads it with everything."""
    name: str = request.param
    return name
