"""GoogleSearch in the dialect of GTA: a numbered list of titles and snippets."""

from yardkit.servers.web.backends import search_pages

_MAX_CHARACTERS = 1500
_NOTHING = "No good Google Search Result was found"


def GoogleSearch(query: str, k: int = 10) -> str:
    hits = search_pages(query, 0, k).hits
    listed = "\n\n".join(f"{number} - {hit.title}: {hit.snippet}" for number, hit in enumerate(hits, 1))
    if not listed:
        return _NOTHING
    return listed if len(listed) <= _MAX_CHARACTERS else f"{listed[:_MAX_CHARACTERS]}..."
