"""The driver of one Chromium: a program of its own that Yardkit starts (``engine/live_pages.py``) and never imports.

    python driver.py DIRECTORY CHROMIUM ARGUMENT...    (JSON lines: a job on stdin, its answer on stdout)

A job brings a tab as it is kept: the address that was loaded, cookies and storage of that moment, and what was done
since. Where the page at hand is not that tab it is made anew: loaded, and all that was done is done again. Every
request of a page is asked for, ``{"wanted": {...}}``, and answered with a file, ``{"given": {...}}``, or fails. A form
may be answered with where to go on (``then``): the page stays until the browser goes there, as a redirect would. A
document that is to be ``kept`` comes with the tab when it is made anew, and is not asked for again.
"""

import contextlib
import importlib
import json
import os
import queue
import re
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

_ACTION_MS, _LOAD_MS = 5_000, 15_000
_MAX_LISTED, _MAX_NOTES = 200, 20
_STAY = 204
"""Status of an answer that leaves the page where it is."""
_NOWHERE = "chrome-error:"
"""Where a page stands that led to a site that does not exist."""
_QUIET_MS, _QUIET_ROUNDS, _ROUNDS = 40, 3, 60
_CLOCK = """(() => {
  const base = %d, start = performance.now(), Real = Date;
  const now = () => base + Math.floor(performance.now() - start);
  class Fixed extends Real { constructor(...given) { given.length ? super(...given) : super(now()); } static now() { return now(); } }
  window.Date = Fixed;
  let seed = %d; Math.random = () => { seed = (seed * 1103515245 + 12345) %% 2147483648; return seed / 2147483648; };
})()"""  # noqa: E501 - a program
_STORAGE = "() => Object.entries(localStorage).sort().map(([name, value]) => ({name, value}))"
_STORE = "items => { localStorage.clear(); for (const one of items) localStorage.setItem(one.name, one.value); }"
_KEEP_AT_LOAD = f"""if (window === top) {{
  let found = []; try {{ found = ({_STORAGE})(); }} catch (error) {{}}
  Object.defineProperty(window, '__yardkitAtLoad', {{value: found}});
}}"""
_REFUSAL = """(element, [text, slowly]) => {
  const field = element.control || element, input = field instanceof HTMLInputElement;
  const examples = {date: '2026-03-16', time: '09:30', month: '2026-03', week: '2026-W12',
    'datetime-local': '2026-03-16T09:30', number: '12.5', color: '#ff8800', range: '50'};
  if (field.matches(':disabled')) return 'the field is disabled; do first what the page needs for it';
  if (field.readOnly) return 'the field is read-only; it cannot be filled in';
  if (field instanceof HTMLSelectElement) return 'the element is a list; select one of its options';
  if (input && field.type === 'file') return 'the field takes files; upload one';
  if (input && ['checkbox', 'radio', 'button', 'submit', 'reset', 'image'].includes(field.type))
    return `text cannot be typed into a ${field.type}; click it`;
  if (slowly) return '';
  if (!input && !(field instanceof HTMLTextAreaElement) && !field.isContentEditable)
    return 'text cannot be typed into this element; give the ref of a field';
  const most = field.maxLength;
  if (most > 0 && text.length > most) return `the field takes at most ${most} characters`;
  if (!input || !text || !(field.type in examples)) return '';
  const probe = document.createElement('input');
  probe.type = field.type;
  probe.value = text;
  const taken = field.type === 'color' ? probe.value === text.toLowerCase() : probe.value !== '';
  return taken ? '' : `${JSON.stringify(text)} is not a valid value of this ${field.type} field; ` +
    `give one such as ${examples[field.type]}`;
}"""
_HELD_TEXT = """(element, text) => {
  const held = (element.control || element).value, plain = value => value.replace(/\\r\\n?/g, '\\n').toLowerCase();
  return typeof held !== 'string' || plain(held) === plain(text) ? '' :
    `the field now holds ${JSON.stringify(held.slice(0, 200))}, not the text that was typed`;
}"""
_NOTE_MARK = "yardkit-note:"
_NOTE_INVALID = """addEventListener('invalid', event => {
  const field = event.target;
  const label = field.labels?.[0]?.innerText.trim() || field.ariaLabel || field.name || field.type;
  console.debug(MARK + `the field ${JSON.stringify(label.slice(0, 80))} is not valid: ${field.validationMessage}`);
}, true)""".replace("MARK", repr(_NOTE_MARK))
_MISSING_OPTIONS = """(element, values) => {
  const list = element.control || element;
  if (!(list instanceof HTMLSelectElement))
    return 'the element is not a list of options that can be selected; click it, and then the option';
  if (list.matches(':disabled')) return 'the list is disabled; do first what the page needs for it';
  const clean = text => text.trim().replace(/\\s+/g, ' '), options = [...list.options];
  const found = value => options.find(option => option.value === value || clean(option.label) === clean(value));
  const missing = values.find(value => !found(value)), blocked = values.find(value => found(value)?.disabled);
  if (missing !== undefined) return `there is no option ${JSON.stringify(missing)}; there are ` +
    options.slice(0, 50).map(option => JSON.stringify(clean(option.label))).join(', ');
  if (!list.multiple && values.length > 1) return 'the list takes one option only; give one';
  return blocked === undefined ? '' : `the option ${JSON.stringify(blocked)} is disabled`;
}"""
_REASON = re.compile(
    r"- +(?:\d+ \u00d7 )?((?:<.*> from )?<.*> intercepts pointer events|element is (?:not|outside) .*)"
)
_AT_LOAD = "() => window.__yardkitAtLoad || []"
_REF = re.compile(r"\[ref=(?:f(\d+))?(e\d+)\]")
_Job = dict[str, Any]


def main() -> None:
    base, chromium, arguments = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else prints does not disturb the answers
    jobs: queue.Queue[str] = queue.Queue()
    playwright = importlib.import_module("playwright.sync_api")

    def send_answer(answer: _Job) -> None:
        print(json.dumps(answer), file=answers, flush=True)

    def ask(request_data: _Job) -> Any:
        send_answer({"wanted": request_data})
        return json.loads(jobs.get())["given"]

    with playwright.sync_playwright() as tool:
        threading.Thread(target=_read_jobs, args=(jobs,), daemon=True).start()
        browser = tool.chromium.launch(
            executable_path=chromium, args=arguments, env=dict(os.environ), downloads_path=str(base / "home")
        )
        live = LivePage(browser, ask, playwright)
        send_answer({})
        while True:
            send_answer(live.answer(json.loads(jobs.get())))


def _read_jobs(jobs: "queue.Queue[str]") -> None:
    for line in sys.stdin:
        jobs.put(line)
    os._exit(0)


class NoElement(Exception):
    """No element has this ref."""


class Refused(Exception):
    """A step cannot be done, and nothing of it was."""


class Asked(Exception):
    """A page asked for an answer that it has not got: a dialog, or files."""


class LivePage:
    """The tab at hand; `key` says which state of which session it is, empty where it is none that is kept."""

    def __init__(self, browser: Any, ask: Callable[[_Job], Any], playwright: Any) -> None:
        self.browser, self.ask, self.playwright = browser, ask, playwright
        self.key = ""
        self.context: Any = None
        self.page: Any = None
        self.job: _Job = {}

    def answer(self, job: _Job) -> _Job:
        if "keep" in job:
            self.key = job["keep"]
            return {}
        self.job = job
        try:
            if not self.key or self.key != job["key"]:
                self._restore_tab()
            self.key = ""  # until what comes of it is kept
            return {"result": self._do_action(job["action"])}
        except Asked:
            return {"asked": self.asked}
        except (NoElement, Refused) as error:
            if not self.replaying:  # the page stands as it was
                self.key = job["key"]
            return {"failed": "ref" if isinstance(error, NoElement) else "page", "message": str(error)}
        except self.playwright.TimeoutError as error:
            if job["action"]["do"] == "goto":
                return {"failed": "load", "message": job["action"]["url"]}
            reasons = _REASON.findall(str(error))
            return {"failed": "time", "message": reasons[-1][:300] if reasons else _shorten_error(error)}
        except self.playwright.Error as error:
            if not self.browser.is_connected():
                raise SystemExit("the browser has exited") from None
            return {"failed": "page", "message": _shorten_error(error)}

    def _restore_tab(self) -> None:
        """Make the tab as it is kept."""
        if self.context is not None:
            self.context.close()
        for folder in Path(sys.argv[1]).glob("sent*"):  # what another world's page was given
            shutil.rmtree(folder, ignore_errors=True)
        self.loads = self.running = self.base = 0
        self.cookies_at_load: list[_Job] = []
        self.console: list[str] = []
        self.requests: list[str] = []
        self.posts: list[_Job] = []
        self.popups: list[str] = []
        self.notes: list[str] = []
        self.asked: _Job | None = None
        self.step: _Job = {}
        self.replaying, self.taken = True, False
        self.then: _Job | None = None
        self.lost = ""
        tab, (width, height) = self.job["tab"], self.job["viewport"]
        self.document: _Job | None = None
        self.ready: _Job | None = tab["document"]
        self.at_load = self.known = tab["state"]
        self.context = self.browser.new_context(
            viewport={"width": width, "height": height}, storage_state=tab["state"], accept_downloads=False,
            service_workers="block", reduced_motion="reduce", locale="en-US", timezone_id="UTC",
        )  # fmt: skip
        self.context.set_default_timeout(_ACTION_MS)
        self.context.set_default_navigation_timeout(_LOAD_MS)
        self.context.add_init_script(_CLOCK % (self.job["now_ms"], self.job["seed"]))
        self.context.add_init_script(_KEEP_AT_LOAD)
        self.context.add_init_script(_NOTE_INVALID)
        self.context.route("**/*", self._serve_request)
        self.context.route_web_socket("**/*", lambda socket: socket.close())
        self.page = self.context.new_page()
        self._watch_page()
        if tab["loaded"] != "about:blank":
            self.page.goto(tab["loaded"])
            self._settle_page()
        for step in tab["inputs"]:
            self._read_tree()  # numbers are given as they were given before
            self._perform_step(step)
        self._read_tree()
        self._bring_up_to_date(self.job["state"])
        self.replaying = False

    def _bring_up_to_date(self, state: _Job) -> None:
        """Take over what other tabs have changed of cookies and storage since."""
        if self._read_state() == state:
            return
        self.context.clear_cookies()
        self.context.add_cookies(state["cookies"])
        self.known = state
        if self._get_origin():
            here = [
                stored_origin["localStorage"]
                for stored_origin in state["origins"]
                if stored_origin["origin"] == self._get_origin()
            ]
            self.page.evaluate(_STORE, here[0] if here else [])

    def _watch_page(self) -> None:
        page = self.page
        page.on("domcontentloaded", lambda _: self._count_load())
        page.on("console", self._take_message)
        page.on("download", self._note_download)
        page.on("pageerror", lambda error: self._add_log(f"[ERROR] {error}"))
        page.on("dialog", self._answer_dialog)
        page.on("filechooser", self._answer_chooser)
        page.on("popup", self._take_popup)
        page.on("request", lambda _: self._count_running(1))
        page.on("requestfinished", lambda _: self._count_running(-1))
        page.on("requestfailed", lambda _: self._count_running(-1))

    def _count_load(self) -> None:
        self.loads += 1

    def _count_running(self, change: int) -> None:
        self.running = max(0, self.running + change)

    def _take_message(self, message: Any) -> None:
        if message.text.startswith(_NOTE_MARK):
            self._add_note(message.text.removeprefix(_NOTE_MARK))
        else:
            self._add_log(f"[{message.type.upper()}] {message.text}")

    def _note_download(self, download: Any) -> None:
        name = download.suggested_filename
        self._add_note(f"the page offers the file {name!r} for saving, but this browser saves no files")

    def _add_note(self, text: str) -> None:
        if len(self.notes) < _MAX_NOTES and text not in self.notes:
            self.notes.append(text[:500])

    def _add_log(self, text: str) -> None:
        if len(self.console) < _MAX_LISTED:
            self.console.append(text[:500])

    def _answer_dialog(self, dialog: Any) -> None:
        reply = self.step.get("reply", {}).get("dialog")
        if dialog.type == "beforeunload" and (self.taken or self.step.get("do") == "goto"):
            dialog.accept()  # who opens an address leaves the page
        elif reply is None:
            self.asked = self.asked or {"kind": dialog.type, "message": dialog.message[:500]}
            dialog.dismiss()
        elif reply["accept"]:
            dialog.accept(reply["text"]) if dialog.type == "prompt" else dialog.accept()
        else:
            dialog.dismiss()

    def _answer_chooser(self, chooser: Any) -> None:
        files = self.step.get("reply", {}).get("files")
        if files is None:
            self.asked = self.asked or {"kind": "file", "message": "file chooser"}
        else:
            chooser.set_files([self._fetch_file(path) for path in files])

    def _take_popup(self, popup: Any) -> None:
        popup.close()

    def _fetch_file(self, path: str) -> str:
        return str(self.ask({"file": path})["path"])

    def _do_action(self, action: _Job) -> _Job:
        """Do what was asked for; what came of it."""
        self.loads, self.posts, self.popups, self.asked, self.then, self.taken = 0, [], [], None, None, False
        self.notes = []
        value = self._perform_step(action)
        if self.asked and not self.taken:  # to do the step again with an answer would send the form again
            raise Asked
        page = self.page
        if page.url.startswith(_NOWHERE):
            raise self.playwright.Error(f"net::ERR_NAME_NOT_RESOLVED; the page redirects to {self.lost}")
        return {
            "url": page.url,
            "title": page.title(),
            "tree": self._read_tree(),
            "loaded": self.loads > 0,
            "at_load": self._state_at_load() if self.loads else self.at_load,
            "document": self.document,
            "state": self._read_state(),
            "console": self.console,
            "requests": self.requests,
            "posts": self.posts,
            "popups": self.popups,
            "notes": self.notes,
            "value": value,
        }

    def _perform_step(self, step: _Job) -> Any:
        self.step = step
        value = getattr(self, f"do_{step['do']}")(step)
        self._settle_page()
        if self.then is not None:
            self._go_on(self.then)
        return value

    def _go_on(self, then: _Job) -> None:
        """Go where the answer to a form says."""
        self.then, self.ready = None, then["page"]
        self.page.goto(then["url"])
        self._settle_page()

    def _settle_page(self) -> None:
        """Wait until the page has loaded and asks for nothing."""
        with contextlib.suppress(self.playwright.Error):  # what a click has left to do comes before it, such as to send
            self.page.wait_for_function("() => true", timeout=_ACTION_MS)
        quiet = 0
        for _ in range(_ROUNDS):
            self.page.wait_for_timeout(_QUIET_MS)
            quiet = quiet + 1 if self.running == 0 else 0
            if quiet == _QUIET_ROUNDS:
                break
        self.page.wait_for_load_state("load", timeout=_LOAD_MS)

    def _read_tree(self) -> str:
        """The page as Playwright's snapshot. Its refs count the documents of a tab; ours begin anew with each one."""
        tree: str = "" if self.page.url == "about:blank" else self.page.aria_snapshot(mode="ai")
        first = _REF.search(tree)
        self.base = int(first[1] or 0) if first else 0
        return _REF.sub(lambda match: f"[ref={_renumber_reference(match[1], match[2], -self.base)}]", tree)

    def _element(self, ref: str) -> Any:
        parts = re.fullmatch(r"(?:f(\d+))?(e\d+)", ref)
        element = self.page.locator(f"aria-ref={_renumber_reference(parts[1], parts[2], self.base) if parts else ref}")
        if element.count() == 0:
            raise NoElement(ref)
        return element

    def do_look(self, step: _Job) -> None:
        """Nothing; what there is is told."""

    def do_goto(self, step: _Job) -> None:
        self.page.goto(step["url"])

    def do_click(self, step: _Job) -> None:
        element = self._element(step["ref"])
        self._require(element.is_enabled(), "the element is disabled; do first what the page needs for it")
        (element.dblclick if step.get("double") else element.click)(button=step.get("button", "left"))

    def do_hover(self, step: _Job) -> None:
        self._element(step["ref"]).hover()

    def do_drag(self, step: _Job) -> None:
        self._element(step["ref"]).drag_to(self._element(step["to"]))

    def do_type(self, step: _Job) -> None:
        element = self._element(step["ref"])
        refusal = element.evaluate(_REFUSAL, [step["text"], bool(step.get("slowly"))])
        self._require(not refusal, refusal)
        if step.get("slowly"):
            element.press_sequentially(step["text"])
        else:
            element.fill(step["text"])
            with contextlib.suppress(self.playwright.Error):  # the page may have taken the field away
                if note := element.evaluate(_HELD_TEXT, step["text"], timeout=_QUIET_MS * 10):
                    self._add_note(note)
        if step.get("submit"):
            element.press("Enter")

    def do_select(self, step: _Job) -> Any:
        element = self._element(step["ref"])
        missing = element.evaluate(_MISSING_OPTIONS, step["values"])
        self._require(not missing, missing)
        return element.select_option(step["values"])

    def do_press(self, step: _Job) -> None:
        try:
            self.page.keyboard.press(step["key"])
        except self.playwright.Error as error:
            if "Unknown key" not in str(error):
                raise
            raise Refused(f"{step['key']!r} is not a key; use one such as Enter, ArrowDown or Control+a") from error

    def do_upload(self, step: _Job) -> None:
        """Give files to a field, or to the field that a button or a label opens."""
        element = self._element(step["ref"])
        if element.evaluate("e => (e.control || e).type === 'file'"):
            element.set_input_files([self._fetch_file(path) for path in step["files"]])
            return
        self.step = {**step, "reply": {"files": step["files"]}}
        try:
            with self.page.expect_file_chooser():
                element.click()
        except self.playwright.TimeoutError as error:
            raise self.playwright.Error("the element does not ask for files; use a file field or its button") from error

    def _require(self, holds: bool, message: str) -> None:
        """Fail in words before the browser waits for what does not come."""
        if not holds:
            raise Refused(message)

    def do_script(self, step: _Job) -> Any:
        if step.get("ref"):
            return self._element(step["ref"]).evaluate(step["script"])
        return self.page.evaluate(step["script"])

    def do_wait(self, step: _Job) -> None:
        if step.get("seconds"):
            self.page.wait_for_timeout(step["seconds"] * 1000)
        if step.get("gone"):
            self.page.get_by_text(step["gone"]).first.wait_for(state="hidden")
        if step.get("text"):
            self.page.get_by_text(step["text"]).first.wait_for(state="visible")

    def do_picture(self, step: _Job) -> None:
        how = {"path": step["path"], "animations": "disabled", "caret": "hide"}
        if step.get("ref"):
            self._element(step["ref"]).screenshot(**how)
            return
        size = self.page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        if step.get("full") and size[1] <= step["max_height"]:
            how["full_page"] = True
        elif step.get("full"):
            how |= {"full_page": True, "clip": {"x": 0, "y": 0, "width": size[0], "height": step["max_height"]}}
        self.page.screenshot(**how)

    def _serve_request(self, route: Any) -> None:
        """Answer a request with what the world has at its address."""
        request = route.request
        place = self._classify_request(request)
        if place == "popup":
            self.popups.append(request.url)
            route.abort()
            return
        if place == "page":
            self.cookies_at_load = self._list_cookies()
            self.console, self.requests = [], []
        given = self._find_answer(request, place)
        if request.method != "GET" and not self.replaying:
            post = {"method": request.method, "url": request.url, "body": _format_body(request)[:20_000]}
            if "then" not in given or post not in self.posts:  # of two clicks, one was answered
                self.posts.append(post)
        if len(self.requests) < _MAX_LISTED:
            self.requests.append(f"[{request.method}] {request.url[:300]} => [{given['status'] or 'failed'}]")
        if given["status"] == _STAY:
            self._take_answer(given)
            route.fulfill(status=_STAY)
            return
        if place == "page":
            self._begin_document(request, given)
        if not given["status"]:
            route.abort("namenotresolved")
        elif given.get("path"):
            route.fulfill(status=given["status"], path=given["path"], content_type=given["type"])
            Path(given["path"]).unlink()
        else:
            route.fulfill(status=given["status"], body=given["body"], content_type=given["type"])

    def _begin_document(self, request: Any, given: _Job) -> None:
        """Keep what the page is made of from now on."""
        self.document = given if given.get("kept") else None
        self.lost = request.url
        if self.document and request.method != "GET":  # to load it again would send the form again
            self.then = {"url": request.url, "page": given}

    def _take_answer(self, given: _Job) -> None:
        """Keep where the answer to a form leads, and its cookies."""
        self.then = given.get("then", self.then)
        if "then" in given:
            self.taken, origin = True, _origin_of(given["then"]["url"])
            cookies = given["then"]["cookies"].items()
            self.context.add_cookies([{"name": name, "value": text, "url": origin} for name, text in cookies])

    def _find_answer(self, request: Any, place: str) -> _Job:
        """What the world has for a request, or what came with the tab."""
        if place == "page" and self.ready is not None:
            given, self.ready = self.ready, None
            return given
        request_data = {"method": request.method, "url": request.url}
        if place == "page":
            request_data |= {
                "top": True,
                "replaying": self.replaying,
                "body": _format_body(request),
                "cookies": self._map_cookies(request.url),
                "kind": request.headers.get("content-type", ""),
                "origin": request.headers.get("origin", "null"),
            }
        supplied_response: _Job = self.ask(request_data)
        return supplied_response

    def _map_cookies(self, url: str) -> dict[str, str]:
        """The cookies of the site of an address by name."""
        return {cookie["name"]: cookie["value"] for cookie in self.context.cookies(_origin_of(url))}

    def _classify_request(self, request: Any) -> str:
        """Whether a request is for the document of the page, of a new tab, or for a part of one."""
        if not request.is_navigation_request():
            return "part"
        try:
            return "page" if request.frame == self.page.main_frame else "part"
        except self.playwright.Error:  # of a page that is not there yet
            return "popup"

    def _read_state(self) -> _Job:
        """Cookies and storage now."""
        here = self.page.evaluate(_STORAGE) if self._get_origin() else []
        return {
            "cookies": self._list_cookies(),
            "origins": _merge_storage(self.known["origins"], self._get_origin(), here),
        }

    def _state_at_load(self) -> _Job:
        """Cookies and storage when the document was loaded, before its own programs ran."""
        self.known = {**self.known, "origins": self.context.storage_state()["origins"]}
        here = self.page.evaluate(_AT_LOAD) if self._get_origin() else []
        return {
            "cookies": self.cookies_at_load,
            "origins": _merge_storage(self.known["origins"], self._get_origin(), here),
        }

    def _list_cookies(self) -> list[_Job]:
        """All cookies; one with an age is one of the session, since clocks differ."""
        cookies = [{**cookie, "expires": -1} for cookie in self.context.cookies()]
        return sorted(cookies, key=lambda cookie: (cookie["domain"], cookie["path"], cookie["name"]))

    def _get_origin(self) -> str:
        return _origin_of(self.page.url)


def _origin_of(url: str) -> str:
    """Scheme and host of an address; empty where it is none of the web."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else ""


def _renumber_reference(frame: str | None, element: str, shift: int) -> str:
    """A ref whose frame has another number; 0 is not written."""
    number = int(frame or 0) + shift
    return f"f{number}{element}" if number else element


def _merge_storage(origins: list[_Job], origin: str, items: list[_Job]) -> list[_Job]:
    """The storage of all origins, of one of them as it is said; empty ones are left out."""
    storage_by_origin = {
        stored_origin["origin"]: sorted(stored_origin["localStorage"], key=lambda item: str(item["name"]))
        for stored_origin in origins
    }
    storage_by_origin[origin] = items
    return [
        {"origin": stored_origin, "localStorage": storage_by_origin[stored_origin]}
        for stored_origin in sorted(storage_by_origin)
        if stored_origin and storage_by_origin[stored_origin]
    ]


def _format_body(request: Any) -> str:
    """What a request sends; of a file that is no text, signs in the place of its bytes."""
    return (request.post_data_buffer or b"").decode("utf-8", "replace")


def _shorten_error(error: Exception) -> str:
    return str(error).partition("Call log")[0].strip()[:400]


if __name__ == "__main__":
    main()
