"""The web in the dialect of Toolathlon's fetch: what stands at an address, as HTML, Markdown, text or JSON."""

from collections.abc import Callable

from yardkit.kit.dialect import Offset, TextPage, cut_page
from yardkit.servers.web.backends import fetch_resource
from yardkit.servers.web.engine.resources import Resource, as_json, as_markdown, to_bare_text
from yardkit.world import Problem, Unavailable


def fetch_html(url: str, headers: dict[str, str] | None = None, offset: Offset = 0) -> TextPage:
    return _fetch_text_page(url, headers, offset, lambda resource: resource.text)


def fetch_markdown(url: str, headers: dict[str, str] | None = None, offset: Offset = 0) -> TextPage:
    return _fetch_text_page(url, headers, offset, as_markdown)


def fetch_txt(url: str, headers: dict[str, str] | None = None, offset: Offset = 0) -> TextPage:
    return _fetch_text_page(url, headers, offset, to_bare_text)


def fetch_json(url: str, headers: dict[str, str] | None = None, offset: Offset = 0) -> TextPage:
    return _fetch_text_page(url, headers, offset, as_json)


def _fetch_text_page(
    url: str, headers: dict[str, str] | None, offset: int, render_resource: Callable[[Resource], str]
) -> TextPage:
    try:
        text = render_resource(fetch_resource(url, headers or {}))
    except Unavailable:
        raise
    except Problem as problem:
        raise Problem(f"Failed to fetch {url}: {problem}") from problem
    return cut_page(text, offset)
