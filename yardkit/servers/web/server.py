"""The tools of the `web` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.web import backends
from yardkit.servers.web.engine.fetch import MAX_CHARACTERS, FetchedPage
from yardkit.servers.web.engine.search import MAX_RESULTS, Hits

mcp = make_server(
    "web",
    "Searches this world's web and reads its pages. Pages may be outdated or contradict each "
    "other: check their dates and sources. Begin with search_web.",
)


@tool(mcp, open_world=True)
def search_web(
    query: Annotated[
        str,
        Field(
            description="Words to search for, any of them; -word, word* and site:host are understood.",
            min_length=1,
            max_length=400,
        ),
    ],
    offset: Annotated[int, Field(description="Results to skip.", ge=0, le=1000)] = 0,
    limit: Annotated[int, Field(description="Maximum number of results.", ge=1, le=MAX_RESULTS)] = 10,
) -> Hits:
    """Search the web: titles, addresses, and the text around the words."""
    return backends.search_pages(query, offset, limit)


@tool(mcp, open_world=True)
def fetch_page(
    url: Annotated[str, Field(description="Address of the page.", min_length=1, max_length=2000)],
    offset: Annotated[int, Field(description="Characters to skip.", ge=0)] = 0,
    limit: Annotated[
        int, Field(description="Maximum number of characters.", ge=100, le=MAX_CHARACTERS)
    ] = MAX_CHARACTERS,
) -> FetchedPage:
    """Read a web page as Markdown, in parts."""
    return backends.fetch_page(url, offset, limit)
