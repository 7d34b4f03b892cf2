"""The driver of one Chromium: a program of its own that Toolyard starts (``browser.py``) and never imports.

    python browser_worker.py DIRECTORY CHROMIUM    (JSON lines: a job on stdin, its answer on stdout)

A page sees one folder, served under ``http://workspace/``, and nothing else: every other request is aborted and listed.
When stdin ends, the program and its browser end.
"""

import importlib
import json
import mimetypes
import os
import queue
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

ORIGIN = "http://workspace"
_ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--font-render-hinting=none",
    "--hide-scrollbars",
)
_MAX_FILE_BYTES = 100_000_000
_MAX_LISTED = 50
_SETTLE = """() => Promise.race([
  document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))),
  new Promise(done => setTimeout(done, 3000))]).then(() => null)"""
_SIZE = """() => ({
  title: document.title,
  width_px: Math.max(document.documentElement.scrollWidth, document.body ? document.body.scrollWidth : 0),
  height_px: Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0)})"""
_Job = dict[str, Any]


def main() -> None:
    base, chromium = Path(sys.argv[1]), sys.argv[2]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else prints does not disturb the answers
    jobs: queue.Queue[str] = queue.Queue()
    playwright = importlib.import_module("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        threading.Thread(target=_read, args=(jobs,), daemon=True).start()
        browser = driver.chromium.launch(
            executable_path=chromium, args=list(_ARGUMENTS), env=dict(os.environ), downloads_path=str(base / "home")
        )
        print("{}", file=answers, flush=True)
        while True:
            job = json.loads(jobs.get())
            print(json.dumps(_answer(browser, job, playwright)), file=answers, flush=True)


def _read(jobs: "queue.Queue[str]") -> None:
    for line in sys.stdin:
        jobs.put(line)
    os._exit(0)


def _answer(browser: Any, job: _Job, playwright: Any) -> _Job:
    try:
        return {"result": Visit(job).run(browser)}
    except playwright.TimeoutError as error:
        return {"failed": "time", "message": str(error)[:300]}
    except playwright.Error as error:
        if not browser.is_connected():
            raise SystemExit("the browser is gone") from None
        return {"failed": "page", "message": str(error).partition("Call log")[0].strip()[:300]}


class Visit:
    """One page, opened in a fresh context; what was asked of it; what it asked for."""

    def __init__(self, job: _Job) -> None:
        self.job = job
        self.root = os.path.realpath(job["root"])
        self.missing: list[str] = []
        self.blocked: list[str] = []
        self.console: list[str] = []

    def run(self, browser: Any) -> _Job:
        job = self.job
        context = browser.new_context(
            viewport={"width": job["width"], "height": job["height"]},
            device_scale_factor=job["scale"],
            color_scheme="dark" if job["dark"] else "light",
            java_script_enabled=job["javascript"],
            accept_downloads=False,
            service_workers="block",
            reduced_motion="reduce",
            locale="en-US",
            timezone_id="UTC",
        )
        try:
            context.set_default_timeout(job["seconds"] * 1000)
            context.route("**/*", self.serve)
            context.route_web_socket("**/*", self._refuse_socket)
            return self._visit(context.new_page())
        finally:
            context.close()

    def _visit(self, page: Any) -> _Job:
        page.on("console", lambda message: self._log(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self._log(str(error)))
        if self.job["media"] == "print":
            page.emulate_media(media="print")
        page.goto(ORIGIN + self.job["url_path"], wait_until="load")
        page.evaluate(_SETTLE)
        facts = page.evaluate(_SIZE)
        values = [page.evaluate(script, argument) for script, argument in self.job["scripts"]]
        clip = self._shoot(page, facts) if self.job.get("picture") else None
        if self.job.get("pdf"):
            page.pdf(path=self.job["pdf"], **self.job["pdf_options"])
        return {
            **facts,
            "values": values,
            "clip": clip,
            "cut": clip is not None and not self.job["selector"] and self.job["full"] and clip[3] < facts["height_px"],
            "missing": self.missing,
            "blocked": self.blocked,
            "console": self.console,
        }

    def _shoot(self, page: Any, facts: _Job) -> list[float]:
        job = self.job
        box = {"x": 0, "y": 0, "width": job["width"], "height": facts["height_px"]}
        if job.get("selector"):
            element = page.locator(job["selector"]).first
            element.wait_for(state="visible", timeout=2000)
            box = page.evaluate(
                "e => { const r = e.getBoundingClientRect(); return {x: r.x + scrollX, y: r.y + scrollY, "
                "width: Math.max(1, r.width), height: Math.max(1, r.height)} }",
                element.element_handle(),
            )
        elif not job["full"]:
            box["height"] = job["height"]
        box["height"] = max(1, min(box["height"], job["max_height"]))
        page.screenshot(path=job["picture"], full_page=True, clip=box, animations="disabled", caret="hide")
        return [box["x"], box["y"], box["width"], box["height"]]

    def _log(self, text: str) -> None:
        if len(self.console) < _MAX_LISTED:
            self.console.append(text[:300])

    def _refuse(self, url: str) -> None:
        if len(self.blocked) < _MAX_LISTED and url[:200] not in self.blocked:
            self.blocked.append(url[:200])

    def _refuse_socket(self, socket: Any) -> None:
        self._refuse(socket.url)
        socket.close()

    def serve(self, route: Any) -> None:
        """Answer a request with a file of the workspace, or abort it."""
        url = urlsplit(route.request.url)
        if f"{url.scheme}://{url.netloc}" != ORIGIN:
            self._refuse(route.request.url)
            route.abort("blockedbyclient")
        elif self.job.get("content") is not None and url.path == self.job["url_path"]:
            route.fulfill(body=self.job["content"], content_type=self.job["content_type"])
        else:
            self._serve_file(route, unquote(url.path))

    def _serve_file(self, route: Any, path: str) -> None:
        found = self._file(path)
        if found is None:
            if path != "/favicon.ico" and path not in self.missing and len(self.missing) < _MAX_LISTED:
                self.missing.append(path.lstrip("/"))
            route.fulfill(status=404, body="")
            return
        kind = mimetypes.guess_type(found)[0] or "application/octet-stream"
        always = kind in ("text/css", "text/javascript", "application/json")
        charset = "; charset=utf-8" if always or (kind == "text/html" and _is_plain_utf8(found)) else ""
        route.fulfill(path=found, content_type=kind + charset)

    def _file(self, path: str) -> str | None:
        """The file that a path of an address names, with links followed; None outside the workspace."""
        if "\0" in path:
            return None
        found = os.path.realpath(os.path.join(self.root, path.lstrip("/")))  # noqa: PTH118 - a text, not yet a path
        if Path(found).is_dir():
            found = os.path.realpath(os.path.join(found, "index.html"))  # noqa: PTH118
        inside = Path(found).is_relative_to(self.root)
        small = inside and Path(found).is_file() and Path(found).stat().st_size <= _MAX_FILE_BYTES
        return found if small else None


def _is_plain_utf8(path: str) -> bool:
    """Whether a page is UTF-8 without saying so: the browser would take it for Windows-1252."""
    data = Path(path).read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"charset" in data[:1024].lower():
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


if __name__ == "__main__":
    main()
