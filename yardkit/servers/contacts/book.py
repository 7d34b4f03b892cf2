"""Whose address book the tools work on: that of the world's owner, or one on a CardDAV server of the settings."""

import os

from yardkit.kit.dav import DavServer, DavSettings
from yardkit.servers.contacts.carddav import CarddavBook
from yardkit.servers.contacts.engine import Book, WorldBook
from yardkit.world import current_world


def current_book() -> Book:
    """The address book of the current world, or the one on the server of ``YARDKIT_CONTACTS_URL``."""
    url, user, password, writes = (
        os.environ.get(f"YARDKIT_CONTACTS_{name}", "") for name in ("URL", "USER", "PASSWORD", "WRITES")
    )
    if url:
        return CarddavBook(DavServer(DavSettings(url, user, password, writes == "1")))
    return WorldBook(current_world())
