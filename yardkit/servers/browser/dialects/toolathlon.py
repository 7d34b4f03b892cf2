"""The browser in the dialect of Toolathlon's playwright_with_chunk: Playwright MCP with snapshots in spans."""

import json
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.dialect import Saved, Text
from yardkit.kit.surface import make_server, tool
from yardkit.servers.browser.engine.browsing import Seen
from yardkit.servers.browser.engine.session import Session
from yardkit.servers.browser.engine.trees import places_of, spans_of
from yardkit.servers.browser.surroundings import get_browser
from yardkit.world import FileRef, InFile, OutFile, Problem, current_world, save_bytes
from yardkit.world.paths import out_file

mcp = make_server("browser", "A browser on the sites of this world: snapshots of its pages come in spans.")

MAX_PICTURE_PX, MAX_VALUE, MAX_WAIT_S = 12_000, 20_000, 10
_MOST_LISTED = 10
Element = Annotated[str, Field(description="What it is, in words.", max_length=500)]
Ref = Annotated[str, Field(description="Ref of the element in the snapshot.", max_length=40)]
Tab = Annotated[int, Field(description="Index of the tab.", ge=0)]


@tool(mcp, writes=True, idempotent=False)
def browser_close() -> Text:
    """Close the page."""
    return _build_tabs(get_browser().close(None), "No open pages available.")


@tool(mcp, writes=True)
def browser_resize(
    width: Annotated[int, Field(description="Pixels.", ge=100, le=4_000)],
    height: Annotated[int, Field(description="Pixels.", ge=100, le=4_000)],
) -> Text:
    """Resize the browser window."""
    return _build_page(get_browser().resize(width, height))


@tool(mcp)
def browser_console_messages() -> Text:
    """Returns all console messages."""
    return _build_result("\n".join(get_browser().do_step({"do": "look"}).outcome.console))


@tool(mcp, writes=True, idempotent=False)
def browser_handle_dialog(
    accept: Annotated[bool, Field(description="Accept the dialog, or not.")],
    promptText: Annotated[str | None, Field(description="Text for a prompt.", max_length=2_000)] = None,  # noqa: N803
) -> Text:
    """Handle a dialog."""
    reply = {"dialog": {"accept": accept, "text": promptText or ""}}
    return _build_page(get_browser().answer(reply, ("alert", "confirm", "prompt", "beforeunload")))


@tool(mcp, writes=True, idempotent=False, destructive=True)
def browser_evaluate(
    function: Annotated[
        str, Field(description="() => { ... } or (element) => { ... } with a ref.", min_length=1, max_length=20_000)
    ],
    element: Element = "",  # noqa: ARG001 - said for people
    ref: Annotated[str | None, Field(description="Ref of the element.", max_length=40)] = None,
) -> Text:
    """Evaluate JavaScript expression on page or element."""
    seen = get_browser().do_step({"do": "script", "script": function, "ref": ref})
    return _build_page(seen, json.dumps(seen.outcome.value, indent=2, ensure_ascii=False)[:MAX_VALUE])


@tool(mcp, writes=True)
def browser_file_upload(
    paths: Annotated[list[InFile], Field(description="Files of the workspace.", max_length=20)],
) -> Text:
    """Upload one or multiple files, where a click has opened the choice of files."""
    files = [current_world().to_relative(path) for path in paths]
    return _build_page(get_browser().answer({"files": files}, ("file",)))


@tool(mcp)
def browser_install() -> Text:
    """Install the browser specified in the config; it is there."""
    return _build_result("Browser is installed")


@tool(mcp, writes=True, idempotent=False, destructive=True)
def browser_press_key(
    key: Annotated[str, Field(description="Such as ArrowLeft or a.", min_length=1, max_length=40)],
) -> Text:
    """Press a key on the keyboard."""
    return _build_page(get_browser().do_step({"do": "press", "key": key}))


@tool(mcp, writes=True, idempotent=False, destructive=True)
def browser_type(
    element: Element,  # noqa: ARG001
    ref: Ref,
    text: Annotated[str, Field(description="What to type.", max_length=20_000)],
    submit: Annotated[bool, Field(description="Press Enter after it.")] = False,
    slowly: Annotated[bool, Field(description="One character at a time.")] = False,
) -> Text:
    """Type text into editable element."""
    return _build_page(
        get_browser().do_step({"do": "type", "ref": ref, "text": text, "submit": submit, "slowly": slowly})
    )


@tool(mcp, writes=True)
def browser_navigate(url: Annotated[str, Field(description="Address.", min_length=1, max_length=2_000)]) -> Text:
    """Navigate to a URL."""
    return _build_page(get_browser().open(url))


@tool(mcp, writes=True, idempotent=False)
def browser_navigate_back() -> Text:
    """Go back to the previous page."""
    return _build_page(get_browser().travel(-1))


@tool(mcp, writes=True, idempotent=False)
def browser_navigate_forward() -> Text:
    """Go forward to the next page."""
    return _build_page(get_browser().travel(1))


@tool(mcp)
def browser_network_requests() -> Text:
    """Returns all network requests since loading the page."""
    return _build_result("\n".join(get_browser().do_step({"do": "look"}).outcome.requests))


@tool(mcp, writes=True, destructive=True)
def browser_take_screenshot(
    raw: Annotated[bool, Field(description="Taken; pictures are PNG.")] = False,  # noqa: ARG001
    filename: Annotated[OutFile | None, Field(description="File; by default page.png.")] = None,
    element: Element = "",  # noqa: ARG001
    ref: Annotated[str | None, Field(description="Only this element.", max_length=40)] = None,
    fullPage: Annotated[bool, Field(description="The whole page.")] = False,  # noqa: N803 - their name
) -> Saved:
    """Take a screenshot of the current page."""
    if fullPage and ref:
        raise Problem("fullPage cannot be used with element screenshots.")
    seen = get_browser().do_step({"do": "picture", "ref": ref, "full": fullPage, "max_height": MAX_PICTURE_PX})
    target = filename or out_file("page.png")
    save_bytes(target, seen.outcome.picture)
    shot_kind = "element" if ref else "full page" if fullPage else "viewport"
    file = FileRef.from_path(target)
    return Saved(f"### Result\nTook the {shot_kind} screenshot and saved it as {file.path}", file)


@tool(mcp, writes=True)
def browser_snapshot() -> Text:
    """Capture accessibility snapshot of the current page."""
    return _build_page(get_browser().do_step({"do": "look"}))


@tool(mcp, writes=True, idempotent=False, destructive=True)
def browser_click(
    element: Element,  # noqa: ARG001
    ref: Ref,
    doubleClick: Annotated[bool, Field(description="Click twice.")] = False,  # noqa: N803
    button: Annotated[Literal["left", "right", "middle"], Field(description="Of the mouse.")] = "left",
) -> Text:
    """Perform click on a web page."""
    return _build_page(get_browser().do_step({"do": "click", "ref": ref, "double": doubleClick, "button": button}))


@tool(mcp, writes=True, idempotent=False, destructive=True)
def browser_drag(
    startElement: Element,  # noqa: ARG001, N803
    startRef: Ref,  # noqa: N803
    endElement: Element,  # noqa: ARG001, N803
    endRef: Ref,  # noqa: N803
) -> Text:
    """Perform drag and drop between two elements."""
    return _build_page(get_browser().do_step({"do": "drag", "ref": startRef, "to": endRef}))


@tool(mcp, writes=True)
def browser_hover(element: Element, ref: Ref) -> Text:  # noqa: ARG001
    """Hover over element on page."""
    return _build_page(get_browser().do_step({"do": "hover", "ref": ref}))


@tool(mcp, writes=True)
def browser_select_option(
    element: Element,  # noqa: ARG001
    ref: Ref,
    values: Annotated[list[str], Field(description="Values or texts of options.", min_length=1)],
) -> Text:
    """Select an option in a dropdown."""
    return _build_page(get_browser().do_step({"do": "select", "ref": ref, "values": values}))


@tool(mcp, writes=True)
def browser_snapshot_navigate_to_span(
    spanIndex: Annotated[int, Field(description="Index of the span, from 0.", ge=0)],  # noqa: N803
) -> Text:
    """Navigate to a specific span in the current page snapshot by index."""
    return _build_span(spanIndex)


@tool(mcp, writes=True)
def browser_snapshot_navigate_to_first_span() -> Text:
    """Navigate to the first span of the current page snapshot."""
    return _build_span(0)


@tool(mcp, writes=True)
def browser_snapshot_navigate_to_last_span() -> Text:
    """Navigate to the last span of the current page snapshot."""
    return _build_span(10**6)


@tool(mcp, writes=True, idempotent=False)
def browser_snapshot_navigate_to_next_span() -> Text:
    """Navigate to the next span in the current page snapshot."""
    return _build_span(get_browser().look().tab.span + 1)


@tool(mcp, writes=True, idempotent=False)
def browser_snapshot_navigate_to_prev_span() -> Text:
    """Navigate to the previous span in the current page snapshot."""
    return _build_span(get_browser().look().tab.span - 1)


@tool(mcp)
def browser_snapshot_navigate_to_line(
    globalLineNumber: Annotated[int, Field(description="Line of the snapshot, from 1.", ge=1)],  # noqa: N803
    contextLines: Annotated[int, Field(description="Lines before and after it.", ge=0, le=10)] = 3,  # noqa: N803
) -> Text:
    """Navigate to a specific global line number in the current page snapshot with surrounding context lines."""
    tree = get_browser().do_step({"do": "look"}).outcome.tree
    lines = places_of(tree, "", any_case=False)
    if globalLineNumber > len(lines):
        raise Problem(f"Line {globalLineNumber} is out of range. The snapshot has {len(lines)} lines.")
    first = max(0, globalLineNumber - 1 - contextLines)
    part = lines[first : globalLineNumber + contextLines]
    spans = sorted({place.span + 1 for place in part})
    line_texts = [f"{'>>>' if place.line == globalLineNumber else '   '} {place.line}: {place.text}" for place in part]
    position_text = (
        f"Line {globalLineNumber} of {len(lines)}, in span {', '.join(map(str, spans))} of {len(spans_of(tree))}"
    )
    return _build_result(f"{position_text}\n{_fence_text(chr(10).join(line_texts))}")


@tool(mcp)
def browser_snapshot_search(
    pattern: Annotated[str, Field(description="Regular expression (RE2).", min_length=1, max_length=500)],
    flags: Annotated[str, Field(description="Such as gi.", max_length=10)] = "",
) -> Text:
    """Search for a pattern across all spans of the current page snapshot using regular expressions."""
    tree = get_browser().do_step({"do": "look"}).outcome.tree
    matching_lines = places_of(tree, pattern, any_case="i" in flags)
    if not matching_lines:
        return _build_result(f"No matches found for pattern: {pattern}")
    spans = list(dict.fromkeys(place.span + 1 for place in matching_lines))
    lines = [
        f"Found {len(matching_lines)} matches in {len(spans)} spans:",
        f"Spans with matches: {', '.join(map(str, spans))}",
        *(
            f"\n**Span {place.span + 1}, Global Line {place.line}, In-Span Line {place.in_span}:**\n{place.text}"
            for place in matching_lines[:_MOST_LISTED]
        ),
    ]
    more = (
        [f"\n... and {len(matching_lines) - _MOST_LISTED} more matches"] if len(matching_lines) > _MOST_LISTED else []
    )
    return _build_result("\n".join([*lines, *more, "\nUse navigation tools to view specific spans with matches."]))


@tool(mcp)
def browser_tab_list() -> Text:
    """List browser tabs."""
    return _build_tabs(get_browser().look())


@tool(mcp, writes=True, idempotent=False)
def browser_tab_new(
    url: Annotated[str, Field(description="Address; without: an empty tab.", max_length=2_000)] = "about:blank",
) -> Text:
    """Open a new tab."""
    seen = get_browser().open(url, new_tab=True)
    return Text(f"{_build_tabs(seen.session).text}\n{_build_page(seen).text}")


@tool(mcp, writes=True)
def browser_tab_select(index: Tab) -> Text:
    """Select a tab by index."""
    seen = get_browser().switch(index)
    return Text(f"{_build_tabs(seen.session).text}\n{_build_page(seen).text}")


@tool(mcp, writes=True, idempotent=False)
def browser_tab_close(
    index: Annotated[int | None, Field(description="Index of the tab; without: the current one.", ge=0)] = None,
) -> Text:
    """Close a tab."""
    return _build_tabs(get_browser().close(index))


@tool(mcp, writes=True, idempotent=False)
def browser_wait_for(
    time: Annotated[float | None, Field(description=f"Seconds, at most {MAX_WAIT_S}.", ge=0, le=MAX_WAIT_S)] = None,
    text: Annotated[str | None, Field(description="Until it is there.", max_length=500)] = None,
    textGone: Annotated[str | None, Field(description="Until it is gone.", max_length=500)] = None,  # noqa: N803
) -> Text:
    """Wait for text to appear or disappear or a specified time to pass."""
    if time is None and not text and not textGone:
        raise Problem("Either time, text or textGone must be provided")
    seen = get_browser().do_step({"do": "wait", "seconds": time, "text": text, "gone": textGone})
    return _build_page(seen, f"Waited for {text or textGone or time}")


def _build_span(span_number: int) -> Text:
    """A span of the snapshot; beyond its ends the last or first one."""
    here = get_browser()
    spans = spans_of(here.do_step({"do": "look"}).outcome.tree)
    place = min(max(0, span_number), len(spans) - 1)
    here.mark_span(place)
    return _build_result(f"Navigated to span {place + 1} of {len(spans)}\n{_fence_text(spans[place])}")


def _build_page(seen: Seen, result: str = "") -> Text:
    """The page after a call: what a tool gave, and the first span of its snapshot."""
    spans = spans_of(seen.outcome.tree)
    many = f" (span 1 of {len(spans)}; use the snapshot navigation tools for the others)" if len(spans) > 1 else ""
    state = [
        "### Page state",
        f"- Page URL: {seen.outcome.url}",
        f"- Page Title: {seen.outcome.title}",
        f"- Page Snapshot{many}:",
        _fence_text(spans[0]),
    ]
    errors = [line for line in seen.outcome.console if line.startswith("[ERROR]")]
    errors += [f"[WARNING] {note}" for note in seen.outcome.notes]
    console = ["### New console messages", *(f"- {line}" for line in errors), ""] if errors else []
    return Text("\n".join([*(["### Result", result, ""] if result else []), *console, *state]))


def _build_tabs(session: Session, empty: str = "") -> Text:
    if empty and len(session.tabs) == 1 and not session.tab.history:
        return _build_result(empty)
    lines = [
        f"- {place}:{' (current)' if place == session.active else ''} [{tab.title}] ({tab.url})"
        for place, tab in enumerate(session.tabs)
    ]
    return Text("\n".join(["### Open tabs", *lines]))


def _build_result(text: str) -> Text:
    return Text(f"### Result\n{text}")


def _fence_text(text: str) -> str:
    return f"```yaml\n{text}\n```"
