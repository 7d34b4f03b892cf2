"""Calendars on a CalDAV server (RFC 4791): the same engine over a person's own calendars."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from yardkit.apps.calendar import CalendarInfo
from yardkit.kit.dav import DavEntry, DavServer
from yardkit.servers.calendar.engine.invitations import Letter
from yardkit.servers.calendar.engine.places import File

_EVENTS = '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"/></C:comp-filter></C:filter>'


class CaldavPlace:
    """The calendars of one user of a server. The server itself sends invitations, if it does at all."""

    sends = False
    unsent = "no mail was sent from here; the calendar server decides whether attendees are notified"

    def __init__(self, server: DavServer, owner: str, now: datetime) -> None:
        self.server, self.owner, self.owner_name, self.now = server, owner, "", now
        self._found: list[DavEntry] | None = None

    def users(self) -> list[str]:
        return [self.owner]

    def calendars(self, user: str) -> list[CalendarInfo]:
        if user != self.owner:
            return []
        return [
            CalendarInfo(collection.name, collection.props.get("displayname") or collection.name)
            for collection in self._list_collections()
        ]

    def files(self, user: str, calendar: str) -> list[File]:
        if user != self.owner:
            return []
        server_files = self.server.files(self._get_path(calendar), "C:calendar-query", "C:calendar-data", _EVENTS)
        return [File(server_file.name, server_file.data) for server_file in server_files]

    def save(self, calendar: str, name: str, data: bytes) -> None:
        self.server.save(f"{self._get_path(calendar)}{name}", data, "text/calendar")

    def remove(self, calendar: str, name: str) -> None:
        self.server.remove(f"{self._get_path(calendar)}{name}")

    def post(self, letter: Letter) -> list[str]:
        return [recipient.address for recipient in letter.to]

    @contextmanager
    def lock_for_change(self) -> Iterator[None]:
        yield  # each change says which version it is of

    def _list_collections(self) -> list[DavEntry]:
        if self._found is None:
            self._found = self.server.list_collections("C:calendar-home-set", "calendar")
        return self._found

    def _get_path(self, calendar: str) -> str:
        return (
            next(collection.path for collection in self._list_collections() if collection.name == calendar).rstrip("/")
            + "/"
        )
