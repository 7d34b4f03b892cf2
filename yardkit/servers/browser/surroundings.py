"""Which browser the tools mean: that of the current world, on its sites or those that the environment names."""

import os
from pathlib import Path

from yardkit.apps import sites
from yardkit.servers.browser.engine.browsing import Browser
from yardkit.world import Unavailable, current_world

SITES = "YARDKIT_WEB_SITES"


def get_browser() -> Browser:
    """The browser of the current world.

    Raises:
        Unavailable: the environment names no folder of sites.
    """
    world = current_world()
    own, named = world.root / "apps" / sites.APP, os.environ.get(SITES)
    if own.is_dir() or not named:
        return Browser(world, own if own.is_dir() else None)
    if not Path(named).is_dir():
        raise Unavailable(f"{SITES} is not a folder; set it to one that holds a folder for each host")
    return Browser(world, Path(named))
