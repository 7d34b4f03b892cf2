"""Whose address book the tools work on: that of the world's owner, or one on a CardDAV server of the settings."""

from toolyard.servers.contacts.engine import Book, WorldBook
from toolyard.world import current_world


def current_book() -> Book:
    """The address book of the current world."""
    return WorldBook(current_world())
