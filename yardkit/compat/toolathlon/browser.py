"""The browser in the dialect of Toolathlon's playwright_with_chunk: Playwright MCP with snapshots in spans."""

import json

from yardkit.kit.dialect import Saved, Text
from yardkit.servers.browser.engine.browsing import Seen
from yardkit.servers.browser.engine.session import Session
from yardkit.servers.browser.engine.trees import places_of, spans_of
from yardkit.servers.browser.surroundings import get_browser
from yardkit.world import FileRef, InFile, OutFile, Problem, current_world, save_bytes
from yardkit.world.paths import out_file

MAX_PICTURE_PX, MAX_VALUE, MAX_WAIT_S = 12_000, 20_000, 10
_MOST_LISTED = 10


def browser_close() -> Text:
    return _build_tabs(get_browser().close(None), "No open pages available.")


def browser_resize(width: int, height: int) -> Text:
    return _build_page(get_browser().resize(width, height))


def browser_console_messages() -> Text:
    return _build_result("\n".join(get_browser().do_step({"do": "look"}).outcome.console))


def browser_handle_dialog(accept: bool, promptText: str | None = None) -> Text:
    reply = {"dialog": {"accept": accept, "text": promptText or ""}}
    return _build_page(get_browser().answer(reply, ("alert", "confirm", "prompt", "beforeunload")))


def browser_evaluate(function: str, element: str = "", ref: str | None = None) -> Text:
    seen = get_browser().do_step({"do": "script", "script": function, "ref": ref})
    return _build_page(seen, json.dumps(seen.outcome.value, indent=2, ensure_ascii=False)[:MAX_VALUE])


def browser_file_upload(paths: list[InFile]) -> Text:
    files = [current_world().to_relative(path) for path in paths]
    return _build_page(get_browser().answer({"files": files}, ("file",)))


def browser_install() -> Text:
    return _build_result("Browser is installed")


def browser_press_key(key: str) -> Text:
    return _build_page(get_browser().do_step({"do": "press", "key": key}))


def browser_type(element: str, ref: str, text: str, submit: bool = False, slowly: bool = False) -> Text:
    return _build_page(
        get_browser().do_step({"do": "type", "ref": ref, "text": text, "submit": submit, "slowly": slowly})
    )


def browser_navigate(url: str) -> Text:
    return _build_page(get_browser().open(url))


def browser_navigate_back() -> Text:
    return _build_page(get_browser().travel(-1))


def browser_navigate_forward() -> Text:
    return _build_page(get_browser().travel(1))


def browser_network_requests() -> Text:
    return _build_result("\n".join(get_browser().do_step({"do": "look"}).outcome.requests))


def browser_take_screenshot(
    raw: bool = False,
    filename: OutFile | None = None,
    element: str = "",
    ref: str | None = None,
    fullPage: bool = False,
) -> Saved:
    if fullPage and ref:
        raise Problem("fullPage cannot be used with element screenshots.")
    seen = get_browser().do_step({"do": "picture", "ref": ref, "full": fullPage, "max_height": MAX_PICTURE_PX})
    target = filename or out_file("page.png")
    save_bytes(target, seen.outcome.picture)
    shot_kind = "element" if ref else "full page" if fullPage else "viewport"
    file = FileRef.from_path(target)
    return Saved(f"### Result\nTook the {shot_kind} screenshot and saved it as {file.path}", file)


def browser_snapshot() -> Text:
    return _build_page(get_browser().do_step({"do": "look"}))


def browser_click(element: str, ref: str, doubleClick: bool = False, button: str = "left") -> Text:
    return _build_page(get_browser().do_step({"do": "click", "ref": ref, "double": doubleClick, "button": button}))


def browser_drag(startElement: str, startRef: str, endElement: str, endRef: str) -> Text:
    return _build_page(get_browser().do_step({"do": "drag", "ref": startRef, "to": endRef}))


def browser_hover(element: str, ref: str) -> Text:
    return _build_page(get_browser().do_step({"do": "hover", "ref": ref}))


def browser_select_option(element: str, ref: str, values: list[str]) -> Text:
    return _build_page(get_browser().do_step({"do": "select", "ref": ref, "values": values}))


def browser_snapshot_navigate_to_span(spanIndex: int) -> Text:
    return _build_span(spanIndex)


def browser_snapshot_navigate_to_first_span() -> Text:
    return _build_span(0)


def browser_snapshot_navigate_to_last_span() -> Text:
    return _build_span(10**6)


def browser_snapshot_navigate_to_next_span() -> Text:
    return _build_span(get_browser().look().tab.span + 1)


def browser_snapshot_navigate_to_prev_span() -> Text:
    return _build_span(get_browser().look().tab.span - 1)


def browser_snapshot_navigate_to_line(globalLineNumber: int, contextLines: int = 3) -> Text:
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


def browser_snapshot_search(pattern: str, flags: str = "") -> Text:
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


def browser_tab_list() -> Text:
    return _build_tabs(get_browser().look())


def browser_tab_new(url: str = "about:blank") -> str:
    seen = get_browser().open(url, new_tab=True)
    return f"{_build_tabs(seen.session).text}\n{_build_page(seen).text}"


def browser_tab_select(index: int) -> str:
    seen = get_browser().switch(index)
    return f"{_build_tabs(seen.session).text}\n{_build_page(seen).text}"


def browser_tab_close(index: int | None = None) -> Text:
    return _build_tabs(get_browser().close(index))


def browser_wait_for(time: float | None = None, text: str | None = None, textGone: str | None = None) -> Text:
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
