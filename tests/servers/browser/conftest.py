"""A browser that is started once for the tests of a file, and elements of pages by their words."""

from collections.abc import Iterator

import pytest

from yardkit.servers.browser.engine import live_pages


@pytest.fixture(scope="module", autouse=True)
def started() -> Iterator[None]:
    live_pages.warm_browser()
    yield
    live_pages.stop_browsers()
