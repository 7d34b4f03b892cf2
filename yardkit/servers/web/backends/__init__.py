"""Where pages come from: the sites of the world, a folder of them that the environment names, a live service."""

import os
from collections.abc import Mapping
from pathlib import Path

from yardkit.servers.web.backends.live_fetch import fetch_live
from yardkit.servers.web.backends.live_search import search_live
from yardkit.servers.web.engine.fetch import FetchedPage, fetch_from
from yardkit.servers.web.engine.resources import Resource, read_resource
from yardkit.servers.web.engine.search import Hits, search_sites
from yardkit.world import Unavailable, current_world

SITES, SERVICE, KEY = "YARDKIT_WEB_SITES", "YARDKIT_SEARCH_URL", "YARDKIT_SEARCH_KEY"
LIVE = "YARDKIT_WEB_LIVE"
"""Which hosts of the real web may be read where there are no sites."""


def search_pages(query: str, offset: int, limit: int) -> Hits:
    """Pages that hold words of a query, the best first.

    Raises:
        Problem: the query holds no word.
        Unavailable: there are neither sites nor a service.
    """
    folder = sites_folder()
    if folder is not None:
        return search_sites(folder, query, offset, limit)
    if os.environ.get(SERVICE):
        return search_live(os.environ[SERVICE], os.environ.get(KEY, ""), query, offset, limit)
    raise Unavailable(
        f"there is nothing to search: this world has no sites. Set {SITES} to a folder of sites, or "
        f"{SERVICE} to a search service (SearXNG, or one like Serper with {KEY})"
    )


def fetch_page(url: str, offset: int, limit: int) -> FetchedPage:
    """A part of a page of the sites.

    Raises:
        Problem: there is no such page, or it ends before `offset`.
        Unavailable: there are no sites.
    """
    folder = sites_folder()
    if folder is None:
        raise Unavailable(
            f"this world has no sites, and real web pages are not fetched; set {SITES} to a folder of sites"
        )
    return fetch_from(folder, url, offset, limit)


def fetch_resource(url: str, headers: Mapping[str, str]) -> Resource:
    """What stands at an address, as it is: of the sites, or of the real web where it is allowed.

    Raises:
        Problem: nothing is there, or it may not be asked.
        Unavailable: there are no sites and the real web is not allowed, or cannot be reached.
    """
    folder = sites_folder()
    if folder is not None:
        return read_resource(folder, url)
    if os.environ.get(LIVE):
        return fetch_live(url, headers, os.environ[LIVE])
    raise Unavailable(
        f"this world has no sites, and reading the real web is not allowed; set {SITES} to a folder "
        f"of sites, or {LIVE} to the allowed hosts (* for all public ones)"
    )


def sites_folder() -> Path | None:
    """Where the sites lie: in the world, else in the folder that the environment names; None where nowhere.

    Raises:
        Unavailable: the environment names no folder.
    """
    own = current_world().root / "apps" / "web"
    if own.is_dir():
        return own
    named = os.environ.get(SITES)
    if not named:
        return None
    if not Path(named).is_dir():
        raise Unavailable(f"{SITES} is not a folder; set it to one that holds a folder for each host")
    return Path(named)
