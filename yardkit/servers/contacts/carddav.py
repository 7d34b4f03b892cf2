"""An address book on a CardDAV server (RFC 6352): the same engine over a person's own contacts."""

from collections.abc import Iterator
from contextlib import contextmanager

from yardkit.kit.dav import DavServer
from yardkit.servers.contacts.engine import CardFile
from yardkit.world import Problem


class CarddavBook:
    """The first address book of one user of a server."""

    def __init__(self, server: DavServer) -> None:
        self.server = server
        books = server.list_collections("R:addressbook-home-set", "addressbook")
        if not books:
            raise Problem("the server has no address book for this user; create one with another program first")
        self.path = books[0].path.rstrip("/") + "/"

    def files(self) -> list[CardFile]:
        server_files = self.server.files(self.path, "R:addressbook-query", "R:address-data")
        return [CardFile(server_file.name, server_file.data) for server_file in server_files]

    def save(self, name: str, data: bytes) -> None:
        self.server.save(f"{self.path}{name}", data, "text/vcard")

    def remove(self, name: str) -> None:
        self.server.remove(f"{self.path}{name}")

    @contextmanager
    def lock_for_change(self) -> Iterator[None]:
        yield  # each change says which version it is of
