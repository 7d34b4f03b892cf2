"""The web in the dialect of Toolathlon's fetch: what stands at an address, as HTML, Markdown, text or JSON."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Offset, TextPage, cut_page
from yardkit.kit.surface import make_server, tool
from yardkit.servers.web.backends import fetch_resource
from yardkit.servers.web.engine.resources import Resource, as_json, as_markdown, to_bare_text
from yardkit.world import Problem, Unavailable

mcp = make_server("web", "Reads what stands at an address of the web: pages, texts and data.")

Url = Annotated[str, Field(description="Address, with http:// or https://.", min_length=1, max_length=2000)]
Headers = Annotated[
    dict[str, str] | None, Field(description="Headers of the request; sites of a world do not look at them.")
]


@tool(mcp, open_world=True)
def fetch_html(url: Url, headers: Headers = None, offset: Offset = 0) -> TextPage:
    """Fetch a website and return the content as HTML."""
    return _fetch_text_page(url, headers, offset, lambda resource: resource.text)


@tool(mcp, open_world=True)
def fetch_markdown(url: Url, headers: Headers = None, offset: Offset = 0) -> TextPage:
    """Fetch a website and return the content as Markdown."""
    return _fetch_text_page(url, headers, offset, as_markdown)


@tool(mcp, open_world=True)
def fetch_txt(url: Url, headers: Headers = None, offset: Offset = 0) -> TextPage:
    """Fetch a website, return the content as plain text (no HTML)."""
    return _fetch_text_page(url, headers, offset, to_bare_text)


@tool(mcp, open_world=True)
def fetch_json(url: Url, headers: Headers = None, offset: Offset = 0) -> TextPage:
    """Fetch a JSON file from a URL."""
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
