"""The browser ends with each file of tests."""

from collections.abc import Iterator

import pytest

from toolyard.kit.pages import browser


@pytest.fixture(autouse=True, scope="module")
def _end_workers() -> Iterator[None]:
    yield
    browser.stop()
