"""What can be done with the browser of a world; each call leaves its state in the world's file."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from yardkit.apps.sites import host_of
from yardkit.servers.browser.engine.live_pages import Asks, Outcome, Unfinished, run_step
from yardkit.servers.browser.engine.session import BLANK, Session, StoredSession, Tab, session_of
from yardkit.world import Problem, World

MAX_TABS = 20
_SITE_COOKIE = {"expires": -1, "httpOnly": False, "sameSite": "Lax"}
"""A cookie of an app, as Chromium keeps it."""
_QUIET = ("look", "picture")
"""Steps that change nothing and need not be done again."""


@dataclass(frozen=True)
class Seen:
    """What a call shows: the session after it, and what came of its step."""

    session: Session
    outcome: Outcome


@dataclass(frozen=True)
class Browser:
    """The browser of a world. sites: the folder of the sites that it can reach."""

    world: World
    sites: Path | None

    def do_step(self, step: dict[str, Any], *, dismisses: str = "") -> Seen:
        """Do something on the page that is looked at; a question of the kind `dismisses` is dropped for it.

        Raises:
            Problem: it cannot be done; or the page asks something first, which is then kept.
        """
        with session_of(self.world) as stored_session:
            session = stored_session.session
            if session.pending is not None and session.pending["kind"] == dismisses:
                session = replace(session, pending=None)
            _require_no_question(session)
            return self._do_step(stored_session, session, step)

    def open(self, url: str, *, new_tab: bool = False) -> Seen:
        """Load an address, in a new tab or in the one that is looked at.

        Raises:
            Problem: it is not a web address.
        """
        with session_of(self.world) as stored_session:
            session = stored_session.session if not new_tab else _with_new_tab(stored_session.session)
            address = _check_address(url)
            return self._do_step(stored_session, replace(session, pending=None), {"do": "goto", "url": address})

    def travel(self, steps: int) -> Seen:
        """Load an earlier (-1) or later (1) page of the tab again.

        Raises:
            Problem: there is none.
        """
        with session_of(self.world) as stored_session:
            tab = stored_session.session.tab
            place = tab.place + steps
            if not 0 <= place < len(tab.history):
                raise Problem(f"there is no {'earlier' if steps < 0 else 'later'} page in this tab")
            session = replace(stored_session.session, pending=None)
            return self._do_step(stored_session, session, {"do": "goto", "url": tab.history[place]}, place)

    def answer(self, reply: dict[str, Any], kinds: tuple[str, ...]) -> Seen:
        """Do the step that waits for an answer, with it.

        Raises:
            Problem: none of that kind waits.
        """
        with session_of(self.world) as stored_session:
            pending = stored_session.session.pending
            if pending is None or pending["kind"] not in kinds:
                raise Problem(f"no {' or '.join(kinds)} is open, so there is nothing to answer")
            step = {**pending["step"], "reply": {**pending["step"].get("reply", {}), **reply}}
            return self._do_step(stored_session, replace(stored_session.session, pending=None), step)

    def switch(self, number: int) -> Seen:
        """Look at another tab, from 0.

        Raises:
            Problem: there is none of this number.
        """
        with session_of(self.world) as stored_session:
            _require_tab(stored_session.session, number)
            return self._do_step(
                stored_session, replace(stored_session.session, active=number, pending=None), {"do": "look"}
            )

    def close(self, number: int | None) -> Session:
        """Close a tab, by default the one that is looked at; the last one leaves an empty one.

        Raises:
            Problem: there is none of this number.
        """
        with session_of(self.world) as stored_session:
            session = stored_session.session
            place = session.active if number is None else number
            _require_tab(session, place)
            tabs = [tab for other, tab in enumerate(session.tabs) if other != place] or [Tab(state=session.state)]
            active = min(session.active - (place < session.active), len(tabs) - 1)
            return stored_session.save(replace(session, tabs=tabs, active=active, pending=None))

    def resize(self, width: int, height: int) -> Seen:
        """Another size of the window; the page is made again in it."""
        with session_of(self.world) as stored_session:
            return self._do_step(
                stored_session, replace(stored_session.session, width=width, height=height), {"do": "look"}
            )

    def look(self) -> Session:
        """The session as it is."""
        with session_of(self.world) as stored_session:
            return stored_session.session

    def mark_span(self, span: int) -> Session:
        """Keep which part of the page's tree was looked at."""
        with session_of(self.world) as stored_session:
            return stored_session.save(stored_session.session.with_tab(replace(stored_session.session.tab, span=span)))

    def _do_step(
        self, stored_session: StoredSession, session: Session, step: dict[str, Any], place: int | None = None
    ) -> Seen:
        def follow(outcome: Outcome) -> Session:
            return stored_session.save(_update_session(session, step, outcome, place))

        try:
            outcome = run_step(self.world, self.sites, session, step, follow)
        except Asks as asks:
            stored_session.save(replace(session, pending={**asks.asked, "step": step}))
            raise Problem(_describe_question(asks.asked)) from asks
        except Unfinished as error:
            stored_session.save(_with_sent(stored_session.session, error))
            raise
        if not outcome.popups:
            return Seen(stored_session.session, outcome)
        before, url = stored_session.session, outcome.popups[0]
        try:
            return self._do_step(stored_session, _with_new_tab(before), {"do": "goto", "url": url})
        except Unfinished:
            raise
        except Problem as problem:  # the page itself is there all the same
            line = f"[ERROR] the page opened a window for {url[:300]}, which could not be shown: {problem}"
            return Seen(before, replace(outcome, console=[*outcome.console, line]))


def _update_session(session: Session, step: dict[str, Any], outcome: Outcome, place: int | None) -> Session:
    """The session after a step."""
    if step["do"] in _QUIET and not outcome.loaded:  # a page may have gone on by itself
        return session
    tab = session.tab
    if outcome.loaded:
        history = tab.history if place is not None else [*tab.history[: tab.place + 1], outcome.url]
        tab = Tab(outcome.url, outcome.url, outcome.title, history, len(history) - 1 if place is None else place)
        tab = replace(tab, state=outcome.at_load, document=outcome.document)
    else:
        tab = replace(tab, url=outcome.url, title=outcome.title, inputs=[*tab.inputs, step])
    posts = [*session.posts, *outcome.posts]
    return replace(session.with_tab(tab), state=outcome.state, posts=posts, pending=None)


def _with_sent(session: Session, error: Unfinished) -> Session:
    """The session after a step that failed: the form counts as sent, its cookies hold, and nothing waits to be sent."""
    cookies = {_place_of(cookie): cookie for cookie in session.state["cookies"]}
    for url, given in error.cookies:
        for name, text in given.items():
            cookie = {
                "name": name,
                "value": text,
                "domain": host_of(url).partition(":")[0],
                "path": "/",
                **_SITE_COOKIE,
            }
            cookies[_place_of(cookie)] = {**cookie, "secure": url.startswith("https:")}
    state = {**session.state, "cookies": [cookies[place] for place in sorted(cookies)]}
    return replace(session, state=state, posts=[*session.posts, *error.sent], pending=None)


def _place_of(cookie: dict[str, Any]) -> tuple[str, str, str]:
    return cookie["domain"], cookie["path"], cookie["name"]


def _check_address(url: str) -> str:
    """An address that may be loaded: no file of the machine that the browser runs on."""
    address = url if re.match(r"[\w+.-]+:(?!\d)", url) else f"https://{url}"
    if address != BLANK and not _is_host(host_of(address)):
        raise Problem(f"{url!r} is not a valid web address; use one such as https://example.org/page")
    return address


def _is_host(host: str) -> bool:
    try:
        return bool(host) and not re.search(r"\s", host) and urlsplit(f"//{host}").port != 0
    except ValueError:  # such as a port that is none
        return False


def _with_new_tab(session: Session) -> Session:
    if len(session.tabs) >= MAX_TABS:
        raise Problem(f"there are {MAX_TABS} tabs; close one first")
    return replace(session, tabs=[*session.tabs, Tab(state=session.state)], active=len(session.tabs), pending=None)


def _require_tab(session: Session, number: int) -> None:
    if not 0 <= number < len(session.tabs):
        raise Problem(f"there is no tab {number}; use 0 to {len(session.tabs) - 1}")


def _require_no_question(session: Session) -> None:
    if session.pending is not None:
        raise Problem(_describe_question(session.pending))


def _describe_question(asked: dict[str, Any]) -> str:
    if asked["kind"] == "file":
        return "the page asks for files, and waits; upload them to go on"
    return f"the page shows a dialog ({asked['kind']}) that says {asked['message']!r}, and waits; answer it to go on"
