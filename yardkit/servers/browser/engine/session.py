"""What a browser is between two calls: a file of the world, from which its pages can be made again."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from yardkit.world import Problem, World, lock_file, save_text

APP = "browser"
BLANK = "about:blank"
MAX_INPUTS = 300
"""Steps on one page without a load between them."""
State = dict[str, Any]
"""Cookies and storage, as Playwright keeps them."""


def _no_state() -> State:
    return {"cookies": [], "origins": []}


@dataclass(frozen=True)
class Tab:
    """A tab.

    Attributes:
        loaded: the address that was loaded last; url: where it is now, which may differ behind ``#``.
        history: addresses that were loaded; place: which of them it shows.
        inputs: what was done since the last load.
        state: cookies and storage when it was loaded.
        document: what an app had drawn when it was loaded, which may have changed since; null where it is of a site.
        span: which part of the page's tree was looked at last (Toolathlon's).
    """

    loaded: str = BLANK
    url: str = BLANK
    title: str = ""
    history: list[str] = field(default_factory=list)
    place: int = -1
    inputs: list[dict[str, Any]] = field(default_factory=list)
    state: State = field(default_factory=_no_state)
    document: dict[str, Any] | None = None
    span: int = 0


@dataclass(frozen=True)
class Session:
    """All of a browser. posts: what pages sent, in order; pending: a step that waits for an answer, and what for."""

    tabs: list[Tab] = field(default_factory=lambda: [Tab()])
    active: int = 0
    state: State = field(default_factory=_no_state)
    width: int = 1280
    height: int = 800
    posts: list[dict[str, Any]] = field(default_factory=list)
    pending: dict[str, Any] | None = None

    @property
    def tab(self) -> Tab:
        """The tab that is looked at."""
        return self.tabs[self.active]

    def with_tab(self, tab: Tab) -> "Session":
        """The session with another state of the tab that is looked at."""
        tabs = [*self.tabs]
        tabs[self.active] = tab
        return replace(self, tabs=tabs)

    @property
    def key(self) -> str:
        """A digest of all that a page is made of."""
        tabs = [replace(tab, span=0) for tab in self.tabs]
        return hashlib.sha256(replace(self, tabs=tabs).text.encode()).hexdigest()

    @property
    def text(self) -> str:
        """As it is kept."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1, sort_keys=True)


_ADAPTER = TypeAdapter(Session)


def _get_path(world: World) -> Path:
    return world.root / "apps" / APP / "session.json"


@contextmanager
def session_of(world: World) -> Iterator["StoredSession"]:
    """The session of a world, for one call at a time.

    Raises:
        Problem: its file is damaged.
    """
    path = _get_path(world)
    with lock_file(path, world.locks):
        try:
            session = _ADAPTER.validate_json(path.read_bytes()) if path.exists() else Session()
            if not 0 <= session.active < len(session.tabs):
                raise ValueError("no tab is active")
        except ValueError as error:
            raise Problem(
                "the browser's state, apps/browser/session.json, is damaged; restore an older copy, or start again"
            ) from error
        yield StoredSession(world, session)


class StoredSession:
    """A session that can be saved."""

    def __init__(self, world: World, session: Session) -> None:
        self.world, self.session = world, session

    def save(self, session: Session) -> Session:
        """Keep another state of it; one that is the same is not written again."""
        if session == self.session:
            return session
        if len(session.tab.inputs) > MAX_INPUTS:
            raise Problem(f"{MAX_INPUTS} steps were made on this page, the limit; reload it, or go to another one")
        self.session = session
        save_text(_get_path(self.world), session.text)
        return session
