"""GoogleSearch in the dialect of GTA: a numbered list of titles and snippets."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Text
from yardkit.kit.surface import make_server, tool
from yardkit.servers.web.backends import search_pages
from yardkit.servers.web.engine.search import MAX_RESULTS

mcp = make_server("web", "Searches the web of this world: titles and snippets of pages.")

_MAX_CHARACTERS = 1500
_NOTHING = "No good Google Search Result was found"


@tool(mcp, name="GoogleSearch", open_world=True)
def google_search(
    query: Annotated[str, Field(description="Words to search_pages for.", min_length=1, max_length=400)],
    k: Annotated[int, Field(description="Results at most.", ge=1, le=MAX_RESULTS)] = 10,
) -> Text:
    """Search the web: lines 'N - Title: snippet', the best first."""
    hits = search_pages(query, 0, k).hits
    listed = "\n\n".join(f"{number} - {hit.title}: {hit.snippet}" for number, hit in enumerate(hits, 1))
    if not listed:
        return Text(_NOTHING)
    return Text(listed if len(listed) <= _MAX_CHARACTERS else f"{listed[:_MAX_CHARACTERS]}...")
