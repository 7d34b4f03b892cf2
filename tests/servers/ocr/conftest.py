"""The programs that read."""

import pytest
from support.scale import drills


@pytest.fixture(params=["tesseract", *drills("rapidocr")])
def backend(request: pytest.FixtureRequest) -> str:
    """For what the engine does with what is read; the slower one reads it with everything."""
    name: str = request.param
    return name
