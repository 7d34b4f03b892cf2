"""The driver of one Chromium for graders: a separate program that `browser` starts and nothing imports.

    python browser_driver.py DIRECTORY CHROMIUM ARGUMENT... < JOB.json    (the answer as JSON on stdout)

The page sees one folder, served under ``http://workspace/``, and nothing else; its scripts do not run.
"""

import base64
import importlib
import json
import mimetypes
import os
import resource
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

ORIGIN = "http://workspace"
_LOOK = Path(__file__).with_name("page_layout.js")
_HEIGHT, _MAX_HEIGHT, _MAX_LISTED = 800, 15_000, 50
_MAX_FILE_BYTES = 50_000_000
_LOAD_S, _TICK_MS, _TICKS = 20, 50, 60


def main() -> None:
    # A browser reserves far more address space than a grader may use, so lift the inherited limit.
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    job = json.load(sys.stdin)
    with importlib.import_module("playwright.sync_api").sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=sys.argv[2], args=sys.argv[3:], env=dict(os.environ))
        print(json.dumps(_open_at_widths(browser, job)), flush=True)  # noqa: T201 - what it is there for
        browser.close()


def _open_at_widths(browser: Any, job: dict[str, Any]) -> list[dict[str, Any]]:
    """Open the page once and measure it at each width."""
    context = browser.new_context(
        viewport={"width": job["widths"][0], "height": _HEIGHT},
        java_script_enabled=False,
        accept_downloads=False,
        service_workers="block",
        # The same on every machine, and without animations that change the page while it is measured.
        reduced_motion="reduce",
        locale="en-US",
        timezone_id="UTC",
    )
    context.set_default_timeout(_LOAD_S * 1000)
    asked = _Asked(job)
    context.route("**/*", asked.serve_request)
    page = context.new_page()
    page.goto(ORIGIN + "/" + quote(job["page"]), wait_until="load")
    views = [
        {"width": width, **_measure_page(page, width, pictured=bool(job.get("pictured")))} for width in job["widths"]
    ]
    return [{**view, "missing": asked.missing, "outside": asked.outside} for view in views]


def _measure_page(page: Any, width: int, *, pictured: bool) -> dict[str, Any]:
    """Measure the page in a window of its full height, so that each point of it can be queried."""
    page.set_viewport_size({"width": width, "height": _HEIGHT})
    page.evaluate("() => { for (const i of document.images) i.loading = 'eager'; }")
    size = page.evaluate("() => Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0)")
    page.set_viewport_size({"width": width, "height": min(max(int(size), _HEIGHT), _MAX_HEIGHT)})
    page.evaluate("() => document.fonts.ready.then(() => null)")
    for _ in range(_TICKS):
        if page.evaluate("() => [...document.images].every(i => i.complete)"):
            break
        page.wait_for_timeout(_TICK_MS)
    measurements: dict[str, Any] = page.evaluate(_LOOK.read_text("utf-8"))
    if pictured:
        measurements["picture"] = base64.b64encode(page.screenshot(type="png")).decode()
    return measurements


class _Asked:
    """The requests of a page: files of the workspace, and addresses that are refused."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job, self.root = job, os.path.realpath(job["root"])
        self.missing: list[str] = []
        self.outside: list[str] = []

    def serve_request(self, route: Any) -> None:
        """Answer a request with a file of the workspace, or refuse it."""
        url = urlsplit(route.request.url)
        path = unquote(url.path).lstrip("/")
        if f"{url.scheme}://{url.netloc}" != ORIGIN:
            self._add_listed(self.outside, route.request.url)
            route.abort("blockedbyclient")
        elif self.job.get("content") and path == self.job["page"]:
            route.fulfill(body=self.job["content"], content_type="text/html; charset=utf-8")
        else:
            self._serve_file(route, path)

    def _serve_file(self, route: Any, path: str) -> None:
        file_path = None if "\0" in path else Path(os.path.realpath(Path(self.root, path)))
        inside = file_path is not None and file_path.is_relative_to(self.root) and file_path.is_file()
        if file_path is None or not inside or file_path.stat().st_size > _MAX_FILE_BYTES:
            if path != "favicon.ico":
                self._add_listed(self.missing, path)
            route.fulfill(status=404, body="")
            return
        # Show the page as HTML even if its name has another suffix.
        kind = "text/html" if path == self.job["page"] else mimetypes.guess_type(file_path)[0]
        route.fulfill(path=file_path, content_type=kind or "application/octet-stream")

    @staticmethod
    def _add_listed(listed: list[str], what: str) -> None:
        if len(listed) < _MAX_LISTED and what[:200] not in listed:
            listed.append(what[:200])


if __name__ == "__main__":
    main()
