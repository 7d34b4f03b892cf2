"""Chromium with the page of a tab, behind walls: it sees what the world has at an address and nothing else."""

import atexit
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from yardkit.apps.sites import PARTS, TEXTS, file_of, host_of, site_of
from yardkit.programs.chromium import browser_command, browser_environment, browser_jail
from yardkit.programs.keeper import Keeper, take_free_turn
from yardkit.programs.worker import Gone, Overrun, WorkerProcess
from yardkit.servers.browser.engine.app_pages.hosts import answer_request
from yardkit.servers.browser.engine.session import BLANK, Session
from yardkit.world import Problem, World
from yardkit.world.decoding import decode_bytes
from yardkit.world.limits import check_bytes
from yardkit.world.tree import clone_file

CALL_S = 60.0
MAX_NOTED = 20_000
"""Characters that are kept of what a form sent."""
_DRIVER = Path(__file__).parents[1] / "driver.py"
_DISPLAY_TYPES = {"text/markdown": "text/plain", "text/csv": "text/plain"}
"""What a browser would offer to save."""
_KINDS = {**TEXTS, **PARTS}
_MISSING_PAGE = (
    "<!doctype html><title>404 Not Found</title><h1>Not Found</h1><p>There is no such page on this site.</p>"
)
_FILE_PAGE = (
    "<!doctype html><title>{name}</title><h1>{name}</h1><p>This address leads to a {kind} of {size:,} bytes. This "
    "browser neither shows nor saves such files; look for the same contents on a page of the site.</p>"
)
_PICTURE_PAGE = '<!doctype html><title>{name}</title><img src="{url}" alt="{name}">'


@dataclass(frozen=True)
class Outcome:
    """What came of a step.

    Attributes:
        tree: the page as Playwright's snapshot, with a ref at each element.
        loaded: whether a document was loaded; at_load: cookies and storage then; document: it, where an app drew it.
        state: cookies and storage now.
        console, requests: since the last load.
        posts: what the page sent; popups: addresses for new tabs.
        notes: what the step did not do, or did otherwise: fields that are not valid, files that were offered.
        value: of a script.
    """

    url: str
    title: str
    tree: str
    loaded: bool
    at_load: dict[str, Any]
    document: dict[str, Any] | None
    state: dict[str, Any]
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    posts: list[dict[str, Any]] = field(default_factory=list)
    popups: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    value: Any = None
    picture: bytes = field(default=b"", repr=False)


class Asks(Exception):
    """A page asks something before the step can be done: what."""

    def __init__(self, asked: dict[str, Any]) -> None:
        super().__init__(asked["message"])
        self.asked = asked


class Unfinished(Problem):
    """A step that failed after forms were taken. sent: by them; cookies: by name, with the address that gave them."""

    def __init__(self, message: str, sent: list[dict[str, Any]], cookies: list[tuple[str, dict[str, str]]]) -> None:
        super().__init__(message)
        self.sent, self.cookies = sent, cookies


def run_step(
    world: World, sites: Path | None, session: Session, step: dict[str, Any], follow: Callable[[Outcome], Session]
) -> Outcome:
    """Do a step on the tab of a session that is looked at; `follow` keeps what comes of it and gives the new session.

    Raises:
        Problem: it cannot be done.
        Unfinished: it failed after a form was taken.
        Asks: the page asks something first.
        Unavailable: there is no Chromium here.
    """
    tab = session.tab
    kept_tab = {"loaded": tab.loaded, "inputs": tab.inputs, "state": tab.state, "document": tab.document}
    if step["do"] == "goto":  # what it leaves behind need not be made again
        kept_tab = {"loaded": BLANK, "inputs": [], "state": session.state, "document": None}
    job = {
        "key": session.key, "tab": kept_tab, "state": session.state, "action": step,
        "viewport": [session.width, session.height], "now_ms": int(world.now.timestamp() * 1000),
        "seed": world.seed % 2_147_483_647,
    }  # fmt: skip
    supply = Supply(world, sites)
    try:
        with take_free_turn(_keepers) as keeper:
            for _ in range(2):
                try:
                    return _run_once(keeper, supply, job, follow)
                except Gone:
                    keeper.stop()
        raise Problem("the browser crashes on this page; open another one")
    except Problem as error:
        if supply.taken:
            raise supply.make_unfinished(error) from error
        raise


def _run_once(keeper: Keeper, supply: "Supply", job: dict[str, Any], follow: Callable[[Outcome], Session]) -> Outcome:
    process = keeper.get_worker()
    picture = process.base / "shot.png"
    picture.unlink(missing_ok=True)
    if job["action"]["do"] == "picture":
        job = {**job, "action": {**job["action"], "path": str(picture)}}
    try:
        answer = process.ask(job, CALL_S, partial(supply.supply_file, process.base))
    except Overrun as error:
        keeper.stop()
        raise Problem(f"the page needed more than {error} and was closed") from None
    if "asked" in answer:
        raise Asks(answer["asked"])
    if "failed" in answer:
        raise Problem(_format_error(answer["failed"], answer["message"]))
    outcome = Outcome(**answer["result"], picture=picture.read_bytes() if picture.is_file() else b"")
    process.ask({"keep": follow(outcome).key}, CALL_S)
    return outcome


@dataclass(frozen=True)
class Supply:
    """What pages are given in one step. taken: the answers to forms that apps were sent, each of which counts once."""

    world: World
    sites: Path | None
    taken: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)

    def supply_file(self, base: Path, request_data: dict[str, Any]) -> dict[str, Any]:
        """For a request: a file of a site, what an app shows there, or a file of the workspace for a form."""
        if "file" in request_data:
            source = self.world.files / request_data["file"]
            check_bytes(source)
            folder = base / f"sent{next(_numbers)}"
            folder.mkdir()
            return {"path": _copy_source(source, folder / source.name)}
        site = site_of(self.sites, host_of(request_data["url"])) if self.sites is not None else None
        if site is None:
            return self._of_app(request_data) or {"status": 0}
        return _of_site(site, request_data["url"], base, is_page=bool(request_data.get("top")))

    def _of_app(self, request_data: dict[str, Any]) -> dict[str, Any] | None:
        """What an app shows; a form that was sent before, in a step that is done again, is sent to nobody."""
        if not request_data.get("top") or request_data["method"] == "GET":
            return answer_request(self.world, request_data)
        if request_data["replaying"]:
            return {"status": 204}
        post = request_data["url"], request_data["body"]
        given = self.taken.get(post) or answer_request(self.world, request_data)
        if given is not None and "then" in given:
            self.taken[post] = given
        return given

    def make_unfinished(self, error: Problem) -> Unfinished:
        """What is told of a step that failed after a form was taken."""
        sent = [{"method": "POST", "url": url, "body": body[:MAX_NOTED]} for url, body in self.taken]
        cookies = [(given["then"]["url"], given["then"]["cookies"]) for given in self.taken.values()]
        return Unfinished(f"{error}. The form was submitted anyway; do not submit it again", sent, cookies)


def _of_site(site: Path, url: str, base: Path, *, is_page: bool) -> dict[str, Any]:
    file = file_of(site, url, _KINDS)
    other = file_of(site, url, None) if file is None and is_page else None
    if file is None:
        return _make_page(_describe_file(other), 200) if other else _make_page(_MISSING_PAGE, 404)
    check_bytes(file)
    kind = _KINDS[file.suffix.lower()]
    if is_page and kind == "application/pdf":  # its viewer is a blank page here
        return _make_page(_describe_file(file), 200)
    if is_page and kind.startswith("image/"):  # alone it has no tree
        return _make_page(_PICTURE_PAGE.format(name=escape(file.name), url=escape(url)), 200)
    display_kind = _DISPLAY_TYPES.get(kind, kind)
    copy = base / f"shown{next(_numbers)}"
    if not (display_kind.startswith("text/") or "json" in display_kind):
        return {"status": 200, "path": _copy_source(file, copy), "type": display_kind}
    data = file.read_bytes()
    decoded = decode_bytes(data, html=kind == "text/html")
    if decoded.encoding in ("utf-8", "ascii"):
        _copy_source(file, copy)
    else:  # what a header says is believed, whatever the page says itself
        copy.write_text(decoded.text, "utf-8")
    return {"status": 200, "path": str(copy), "type": f"{display_kind}; charset=utf-8"}


def _make_page(body: str, status: int) -> dict[str, Any]:
    return {"status": status, "body": body, "type": "text/html; charset=utf-8"}


def _describe_file(file: Path) -> str:
    """A page in the place of a file that the browser does not show."""
    ending = file.suffix.removeprefix(".").upper()
    kind = "PDF document" if ending == "PDF" else f"file of the kind {ending}" if ending else "file"
    return _FILE_PAGE.format(name=escape(file.name), kind=escape(kind), size=file.stat().st_size)


def _copy_source(source: Path, copy: Path) -> str:
    clone_file(source, copy)
    copy.chmod(0o600)
    return str(copy)


def _format_error(why: str, message: str) -> str:
    words = message.removeprefix("Error: ")
    if why == "ref":
        return f"Ref {words} not found in the current page snapshot. Try capturing new snapshot."
    if why == "time":
        return f"the page did not respond in time ({words}); read it again, and do first what it needs"
    if why == "load":
        return f"the page at {words} never finishes loading; open another one"
    if "ERR_NAME_NOT_RESOLVED" in words:
        return f"{words.splitlines()[0]}; there is no such site in this world, and the browser opens no others"
    return words


def _start_browser() -> WorkerProcess:
    return WorkerProcess("Chromium", partial(browser_command, driver=_DRIVER), browser_environment, jail=browser_jail())


_numbers = itertools.count()
_keepers = tuple(
    Keeper("Chromium", _start_browser, wait_s=120, max_jobs=400, max_idle_bytes=1_500_000_000) for _ in range(2)
)


@atexit.register
def stop_browsers() -> None:
    """End the browsers; the next call starts one anew."""
    for keeper in _keepers:
        keeper.stop()


def warm_browser() -> None:
    """Start a browser now, so that the first call does not wait for it."""
    with _keepers[0].take_turn():
        _keepers[0].get_worker()
