"""Search by a live service: SearXNG's ``/search``, or one like Serper's, which takes a POST and a key."""

from typing import Any

from yardkit.servers.web.engine.search import Hit, Hits
from yardkit.world import Unavailable

_SECONDS = 20.0
_MAX_PAGES = 10


def search_live(address: str, key: str, query: str, offset: int, limit: int) -> Hits:
    """What a service finds. Its pages hold ten or so each; as many as are needed are asked for.

    Raises:
        Unavailable: it gives no results.
    """
    all_hits: list[Hit] = []
    for page in range(1, _MAX_PAGES + 1):
        hits = _request_hits(address, key, query, page)
        all_hits += hits
        if not hits or len(all_hits) > offset + limit:
            break
    page_hits = tuple(all_hits[offset : offset + limit])
    return Hits(page_hits, None, offset + limit if len(all_hits) > offset + limit else None, "live")


def _request_hits(address: str, key: str, query: str, page: int) -> list[Hit]:
    import httpx2

    try:
        if key:
            body = {"q": query, "page": page}
            answer = httpx2.post(address, json=body, headers={"X-API-KEY": key}, timeout=_SECONDS)
        else:
            form: dict[str, str | int] = {"q": query, "format": "json", "pageno": page}
            answer = httpx2.get(address, params=form, timeout=_SECONDS)
        answer.raise_for_status()
        return [_parse_hit(item) for item in _extract_results(answer.json())]
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, TypeError) as error:
        raise Unavailable(
            f"the search service of YARDKIT_SEARCH_URL returned no results ({type(error).__name__})"
        ) from error


def _extract_results(answer: Any) -> list[Any]:
    """Results of SearXNG (``results``) or of Serper (``organic``).

    Raises:
        ValueError: it is neither.
    """
    items = answer.get("results", answer.get("organic")) if isinstance(answer, dict) else None
    if not isinstance(items, list):
        raise ValueError("no list of results")
    return [item for item in items if isinstance(item, dict)]


def _parse_hit(item: dict[str, Any]) -> Hit:
    address = str(item.get("url") or item.get("link") or "")[:2000]
    words = " ".join(str(item.get("content") or item.get("snippet") or "").split())[:1000]
    date = str(item.get("publishedDate") or item.get("date") or "")[:40]
    return Hit(str(item.get("title") or "")[:300], address, words, date)
