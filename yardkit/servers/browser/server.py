"""The tools of the `get_browser` server."""

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.browser.engine.browsing import Seen
from yardkit.servers.browser.engine.session import Session
from yardkit.servers.browser.engine.trees import places_of
from yardkit.servers.browser.surroundings import get_browser
from yardkit.world import FileRef, InFile, OutFile, current_world, save_bytes

mcp = make_server(
    "browser",
    "A browser for this world's sites only. Elements are identified by refs from the page's "
    "tree, such as e12; after a page changes, take refs from the newest tree. Begin with "
    "open_page.",
)

MAX_TREE, MAX_PICTURE_PX, MAX_MATCHES = 20_000, 12_000, 100
Ref = Annotated[str, Field(description="Ref of the element, such as e12.", pattern=r"^[\w-]{1,40}$")]
Offset = Annotated[int, Field(description="Characters of the tree to skip.", ge=0)]


@dataclass(frozen=True)
class Page:
    """The page that is looked at.

    Attributes:
        tree: its elements with their refs, a part of it.
        total_characters, next_offset: of the tree; where it goes on, null at its end.
        errors: that the page logged.
        tabs: how many there are.
        notes: what the call did not do, or did otherwise than asked.
    """

    url: str
    title: str
    tree: str
    total_characters: int
    next_offset: int | None = None
    errors: list[str] | None = None
    tabs: int = 1
    notes: list[str] | None = None


@dataclass(frozen=True)
class MatchingLine:
    """A line of a page's tree, from 1."""

    line: int
    text: str


@dataclass(frozen=True)
class MatchingLines:
    """The lines of a page's tree that fit; total: all there are."""

    url: str
    lines: list[MatchingLine]
    total: int


@dataclass(frozen=True)
class PagePicture:
    """A picture of a page."""

    url: str
    file: FileRef

    def __str__(self) -> str:
        return f"{self.file} shows {self.url}"


@dataclass(frozen=True)
class ScriptValue:
    """What a script gave, as JSON, and the page after it."""

    value: str
    page: Page


@dataclass(frozen=True)
class TabLine:
    """A tab, from 0."""

    number: int
    url: str
    title: str
    active: bool = False


@dataclass(frozen=True)
class Tabs:
    """All tabs."""

    tabs: list[TabLine]


@tool(mcp, bulk=True, writes=True)
def open_page(
    url: Annotated[str, Field(description="Address.", min_length=1, max_length=2_000)],
    new_tab: Annotated[bool, Field(description="Open it in a new tab.")] = False,
) -> Page:
    """Open an address in the browser."""
    return _build_page(get_browser().open(url, new_tab=new_tab))


@tool(mcp, bulk=True, writes=True, idempotent=False)
def go_back(forward: Annotated[bool, Field(description="Go forward instead.")] = False) -> Page:
    """Go back to the previous page, or forward again."""
    return _build_page(get_browser().travel(1 if forward else -1))


@tool(mcp, bulk=True)
def read_page_tree(offset: Offset = 0) -> Page:
    """Read the page as a tree of its contents, with the refs of its elements."""
    return _build_page(get_browser().do_step({"do": "look"}), offset)


@tool(mcp, bulk=True)
def find_in_page(
    query: Annotated[str, Field(description="Pattern (RE2), case-insensitive.", min_length=1, max_length=500)],
) -> MatchingLines:
    """Find lines in the page's tree, with their refs."""
    seen = get_browser().do_step({"do": "look"})
    places = places_of(seen.outcome.tree, query, any_case=True)
    lines = [MatchingLine(place.line, place.text.strip()) for place in places[:MAX_MATCHES]]
    return MatchingLines(seen.outcome.url, lines, len(places))


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def click_element(
    ref: Ref,
    double: Annotated[bool, Field(description="Double-click.")] = False,
    button: Annotated[Literal["left", "right", "middle"], Field(description="Mouse button.")] = "left",
    accept: Annotated[
        bool | None, Field(description="Answer to a dialog that the click opens: true for OK, false for Cancel.")
    ] = None,
    text: Annotated[str | None, Field(description="Text to type into that dialog.", max_length=2_000)] = None,
) -> Page:
    """Click an element of the page."""
    step: dict[str, Any] = {"do": "click", "ref": ref, "double": double, "button": button}
    if accept is not None:
        step["reply"] = {"dialog": {"accept": accept, "text": text or ""}}
        return _build_page(_answer_step(step))
    return _build_page(get_browser().do_step(step))


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def type_text(
    ref: Ref,
    text: Annotated[str, Field(description="New content of the field.", max_length=20_000)],
    submit: Annotated[bool, Field(description="Press Enter afterwards.")] = False,
) -> Page:
    """Fill in a field."""
    return _build_page(get_browser().do_step({"do": "type", "ref": ref, "text": text, "submit": submit}))


@tool(mcp, bulk=True, writes=True)
def select_option(
    ref: Ref, values: Annotated[list[str], Field(description="Values or labels of the options.", min_length=1)]
) -> Page:
    """Select options in a list."""
    return _build_page(get_browser().do_step({"do": "select", "ref": ref, "values": values}))


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def press_key(
    key: Annotated[str, Field(description="Key, such as Enter, ArrowDown, a.", min_length=1, max_length=40)],
) -> Page:
    """Press a key on the focused element."""
    return _build_page(get_browser().do_step({"do": "press", "key": key}))


@tool(mcp, bulk=True, writes=True)
def upload_file(
    ref: Ref,
    paths: Annotated[list[InFile], Field(description="Workspace files to upload.", min_length=1, max_length=20)],
) -> Page:
    """Upload files in a file field, or by the button that opens one."""
    files = [current_world().to_relative(path) for path in paths]
    pending = get_browser().look().pending
    if pending is not None and pending["kind"] == "file" and pending["step"].get("ref") == ref:
        return _build_page(get_browser().answer({"files": files}, ("file",)))
    return _build_page(get_browser().do_step({"do": "upload", "ref": ref, "files": files}, dismisses="file"))


@tool(mcp, writes=True, destructive=True)
def take_page_picture(
    target: Annotated[OutFile, Field(description="Picture file to write (.png).")],
    ref: Annotated[str | None, Field(description="Capture only this element.", pattern=r"^[\w-]{1,40}$")] = None,
    full: Annotated[bool, Field(description="Capture the full page, not only the visible part.")] = False,
) -> PagePicture:
    """Take a screenshot of the page."""
    seen = get_browser().do_step({"do": "picture", "ref": ref, "full": full, "max_height": MAX_PICTURE_PX})
    save_bytes(target, seen.outcome.picture)
    return PagePicture(seen.outcome.url, FileRef.from_path(target))


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def run_page_script(
    script: Annotated[
        str, Field(description="JavaScript function, such as () => document.title.", min_length=1, max_length=20_000)
    ],
    ref: Annotated[str | None, Field(description="Element to pass to the function.", pattern=r"^[\w-]{1,40}$")] = None,
) -> ScriptValue:
    """Run a JavaScript function on the page."""
    seen = get_browser().do_step({"do": "script", "script": script, "ref": ref})
    return ScriptValue(json.dumps(seen.outcome.value, ensure_ascii=False)[:MAX_TREE], _build_page(seen))


@tool(mcp, bulk=True)
def list_tabs() -> Tabs:
    """List the browser's tabs."""
    return _list_tabs(get_browser().look())


@tool(mcp, bulk=True, writes=True)
def switch_tab(number: Annotated[int, Field(description="Number of the tab, from 0.", ge=0)]) -> Page:
    """Switch to another tab."""
    return _build_page(get_browser().switch(number))


@tool(mcp, bulk=True, writes=True, idempotent=False)
def close_tab(
    number: Annotated[int | None, Field(description="Number of the tab; by default the current one.", ge=0)] = None,
) -> Tabs:
    """Close a browser tab."""
    return _list_tabs(get_browser().close(number))


def _answer_step(step: dict[str, Any]) -> Seen:
    """A step with its answer, which may be the one that waits for it."""
    pending = get_browser().look().pending
    if pending is not None and pending["kind"] != "file" and pending["step"].get("ref") == step["ref"]:
        return get_browser().answer(step["reply"], (pending["kind"],))
    return get_browser().do_step(step)


def _build_page(seen: Seen, offset: int = 0) -> Page:
    tree, end = seen.outcome.tree, offset + MAX_TREE
    errors = [line for line in seen.outcome.console if line.startswith("[ERROR]")] or None
    more = end if end < len(tree) else None
    return Page(
        *(seen.outcome.url, seen.outcome.title, tree[offset:end], len(tree), more, errors, len(seen.session.tabs)),
        notes=seen.outcome.notes or None,
    )


def _list_tabs(session: Session) -> Tabs:
    lines = [TabLine(place, tab.url, tab.title, place == session.active) for place, tab in enumerate(session.tabs)]
    return Tabs(lines)
