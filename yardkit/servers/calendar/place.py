"""Whose calendars the tools work on: those of the world, or of a CalDAV server that the settings name."""

import os

from yardkit.kit.dav import DavServer, DavSettings
from yardkit.servers.calendar.backends.caldav import CaldavPlace
from yardkit.servers.calendar.engine.places import Place, WorldPlace
from yardkit.world import current_world


def current_place() -> Place:
    """The calendars of the current world, or those on the server of ``YARDKIT_CALENDAR_URL``."""
    world = current_world()
    url, user, password, address, writes = (
        os.environ.get(f"YARDKIT_CALENDAR_{name}", "") for name in ("URL", "USER", "PASSWORD", "ADDRESS", "WRITES")
    )
    if not url:
        return WorldPlace(world)
    return CaldavPlace(DavServer(DavSettings(url, user, password, writes == "1")), address or user, world.now)
