"""The driver of one Chromium: a separate program that Yardkit starts (``browser.py``) and never imports.

    python browser_worker.py DIRECTORY CHROMIUM ARGUMENT...    (JSON lines: a job on stdin, its answer on stdout)

A page sees one folder, served under ``http://workspace/``, and nothing else: every other request is aborted and listed.
The folder is not in the jail: in the middle of a job this program asks for a file, ``{"wanted": PATH}``, and gets
``{"given": [COPY, CONTENT TYPE]}`` or ``{"given": null}``. When stdin ends, the program and its browser end.
"""

import importlib
import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

ORIGIN = "http://workspace"
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
    base, chromium, arguments = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # other output must not mix with the answers
    jobs: queue.Queue[str] = queue.Queue()
    playwright = importlib.import_module("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        threading.Thread(target=_read_jobs, args=(jobs,), daemon=True).start()
        browser = driver.chromium.launch(
            executable_path=chromium, args=arguments, env=dict(os.environ), downloads_path=str(base / "home")
        )

        def send_answer(answer: _Job) -> None:
            print(json.dumps(answer), file=answers, flush=True)

        def ask(path: str) -> Any:
            send_answer({"wanted": path})
            return json.loads(jobs.get())["given"]

        send_answer({})
        while True:
            send_answer(_answer_visit(browser, Visit(json.loads(jobs.get()), ask), playwright))


def _read_jobs(jobs: "queue.Queue[str]") -> None:
    for line in sys.stdin:
        jobs.put(line)
    # Called in a thread, where sys.exit would not end the process while the main thread is busy.
    os._exit(0)


def _answer_visit(browser: Any, visit: "Visit", playwright: Any) -> _Job:
    try:
        return {"result": visit.run(browser)}
    except playwright.TimeoutError as error:
        return {"failed": "time", "message": str(error)[:300]}
    except playwright.Error as error:
        if not browser.is_connected():
            raise SystemExit("the browser is gone") from None
        return {"failed": "page", "message": str(error).partition("Call log")[0].strip()[:300]}


class Visit:
    """One page in a fresh browser context, with the job and the page's requests."""

    def __init__(self, job: _Job, ask: Callable[[str], Any]) -> None:
        self.job, self.ask = job, ask
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
            context.route("**/*", self.serve_request)
            context.route_web_socket("**/*", self._refuse_socket)
            return self._visit_page(context.new_page())
        finally:
            context.close()

    def _visit_page(self, page: Any) -> _Job:
        page.on("console", lambda message: self._add_log(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self._add_log(str(error)))
        if self.job["media"] == "print":
            page.emulate_media(media="print")
        page.goto(ORIGIN + self.job["url_path"], wait_until="load")
        page.evaluate(_SETTLE)
        facts = page.evaluate(_SIZE)
        values = [page.evaluate(script, argument) for script, argument in self.job["scripts"]]
        clip = self._take_picture(page, facts) if self.job.get("picture") else None
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

    def _take_picture(self, page: Any, facts: _Job) -> list[float]:
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

    def _add_log(self, text: str) -> None:
        if len(self.console) < _MAX_LISTED:
            self.console.append(text[:300])

    def _add_blocked(self, url: str) -> None:
        if len(self.blocked) < _MAX_LISTED and url[:200] not in self.blocked:
            self.blocked.append(url[:200])

    def _refuse_socket(self, socket: Any) -> None:
        self._add_blocked(socket.url)
        socket.close()

    def serve_request(self, route: Any) -> None:
        """Answer a request with a file of the workspace, or abort it."""
        url = urlsplit(route.request.url)
        if f"{url.scheme}://{url.netloc}" != ORIGIN:
            self._add_blocked(route.request.url)
            route.abort("blockedbyclient")
        elif self.job.get("content") is not None and url.path == self.job["url_path"]:
            route.fulfill(body=self.job["content"], content_type=self.job["content_type"])
        else:
            self._serve_file(route, unquote(url.path))

    def _serve_file(self, route: Any, path: str) -> None:
        given = self.ask(path)
        if given is None:
            if path != "/favicon.ico" and path not in self.missing and len(self.missing) < _MAX_LISTED:
                self.missing.append(path.lstrip("/"))
            route.fulfill(status=404, body="")
            return
        copy, content_type = given
        route.fulfill(path=copy, content_type=content_type)
        Path(copy).unlink()


if __name__ == "__main__":
    main()
