"""Whose calendars the tools work on: those of the world, or of a CalDAV server that the settings name."""

from toolyard.servers.calendar.engine.places import Place, WorldPlace
from toolyard.world import current_world


def current_place() -> Place:
    """The calendars of the current world."""
    return WorldPlace(current_world())
