"""A client for WebDAV servers with calendars or address books (RFC 4791, RFC 6352): reading and changing collections.

A change names the version that it is based on, so that concurrent changes are not overwritten.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree

from yardkit.world import Problem

if TYPE_CHECKING:
    import httpx2

MAX_BYTES = 50_000_000
"""Of one answer."""
TIMEOUT_S = 30.0
_DAV = "{DAV:}"
_BODY = '<?xml version="1.0" encoding="utf-8"?>'
_SPACES = 'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:R="urn:ietf:params:xml:ns:carddav"'


@dataclass(frozen=True)
class DavSettings:
    """The server and the account. url: the server, a user's collections or one of them; writes: whether allowed."""

    url: str
    user: str = ""
    password: str = ""
    writes: bool = False


@dataclass(frozen=True)
class DavEntry:
    """An entry on the server. kinds: of a collection, such as ``calendar``; props: texts by name; data: of a file."""

    path: str
    kinds: frozenset[str]
    props: Mapping[str, str]
    data: bytes = b""

    @property
    def name(self) -> str:
        """The last part of its path."""
        return unquote(self.path.rstrip("/").rpartition("/")[2])


class DavServer:
    """A server as one user sees it."""

    def __init__(self, settings: DavSettings) -> None:
        self.settings = settings
        self._versions: dict[str, str] = {}

    def list_collections(self, home: str, kind: str) -> list[DavEntry]:
        """List the user's collections of a kind (``calendar``, ``addressbook``).

        Args:
            home: the property with their address, such as ``C:calendar-home-set``.
            kind: the kind of collections.

        Raises:
            Problem: the server does not answer or refuses.
        """
        entries = self._read_entries(
            "PROPFIND", self._find_home(home), 1, "<prop><displayname/><resourcetype/></prop>", "propfind"
        )
        return sorted(
            (collection for collection in entries if kind in collection.kinds), key=lambda collection: collection.path
        )

    def files(self, collection: str, report: str, data: str, filters: str = "") -> list[DavEntry]:
        """Read the files of a collection by a report, such as ``C:calendar-query``, with its property `data`."""
        body = f"<prop><getetag/><{data}/></prop>{filters}"
        entries = self._read_entries("REPORT", collection, 1, body, report)
        self._versions |= {entry.path: entry.props["getetag"] for entry in entries if "getetag" in entry.props}
        return sorted((entry for entry in entries if entry.data), key=lambda resource: resource.name)

    def save(self, path: str, data: bytes, media_type: str) -> None:
        """Write a file if it still has the version that was read, or write a new one."""
        self._require_writes()
        version = self._versions.get(path)
        headers = {"If-Match": version} if version else {"If-None-Match": "*"}
        self._send_request("PUT", path, data, headers | {"Content-Type": f"{media_type}; charset=utf-8"})

    def remove(self, path: str) -> None:
        """Remove a file if it still has the version that was read."""
        self._require_writes()
        version = self._versions.get(path)
        self._send_request("DELETE", path, b"", {"If-Match": version} if version else {})

    def _find_home(self, name: str) -> str:
        """Find the address of the user's collections; if the server does not give it, that of the settings."""
        start = urlsplit(self.settings.url).path or "/"
        principal = self._read_link(start, "current-user-principal") or start
        return self._read_link(principal, name) or start

    def _read_link(self, path: str, name: str) -> str:
        entries = self._read_entries("PROPFIND", path, 0, f"<prop><{name}/></prop>", "propfind")
        return next(
            (entry.props[name.rpartition(":")[2]] for entry in entries if entry.props.get(name.rpartition(":")[2])), ""
        )

    def _require_writes(self) -> None:
        if not self.settings.writes:
            raise Problem("the server's calendars and contacts are read only here; who set this up can allow changes")

    def _read_entries(self, method: str, path: str, depth: int, body: str, root: str) -> list[DavEntry]:
        content = f"{_BODY}<{root} {_SPACES}>{body}</{root}>".encode()
        headers = {"Depth": str(depth), "Content-Type": "application/xml; charset=utf-8"}
        answer = self._send_request(method, path, content, headers)
        if re.search(rb"<!(DOCTYPE|ENTITY)", answer):
            raise Problem("the server's answer defines entities, which is not allowed here")
        try:
            return [_make_entry(response) for response in ElementTree.fromstring(answer).iter(f"{_DAV}response")]  # noqa: S314 - see above
        except ElementTree.ParseError as error:
            raise Problem(f"the server's answer is not valid XML ({error})") from error

    def _send_request(self, method: str, path: str, content: bytes, headers: Mapping[str, str]) -> bytes:
        with _open_client(self.settings) as client:
            url = urljoin(self.settings.url, path)
            if urlsplit(url)[:2] != urlsplit(self.settings.url)[:2]:
                raise Problem("the server redirects to another server, which is not followed")
            answer = client.request(method, url, content=content, headers=dict(headers))
        # Precondition failed: the version in If-Match is not the current one.
        if answer.status_code == 412:
            raise Problem(
                "it has been changed by another client in the meantime; nothing was changed. Read it again, then "
                "change it"
            )
        if answer.status_code >= 400:
            raise Problem(f"the server refuses ({answer.status_code}); nothing was changed")
        if len(answer.content) > MAX_BYTES:
            raise Problem(f"the server's answer has {len(answer.content):,} bytes; at most {MAX_BYTES:,} are read")
        return answer.content


@contextmanager
def _open_client(settings: DavSettings) -> "Iterator[httpx2.Client]":
    import httpx2

    login = (settings.user, settings.password) if settings.user else None
    try:
        with httpx2.Client(auth=login, timeout=TIMEOUT_S, follow_redirects=False) as client:
            yield client
    except httpx2.HTTPError as error:
        raise Problem(f"the server does not answer ({type(error).__name__}); nothing was changed") from error


def _make_entry(response: ElementTree.Element) -> DavEntry:
    props: dict[str, str] = {}
    kinds: set[str] = set()
    data = ""
    for prop in response.iter(f"{_DAV}prop"):
        for property_element in prop:
            name = property_element.tag.rpartition("}")[2]
            link = property_element.find(f"{_DAV}href")
            props[name] = ((property_element.text if link is None else link.text) or "").strip()
            kinds |= {kind.tag.rpartition("}")[2] for kind in property_element} if name == "resourcetype" else set()
            data = property_element.text or "" if name in ("calendar-data", "address-data") else data
    path = urlsplit(response.findtext(f"{_DAV}href") or "").path
    return DavEntry(path, frozenset(kinds), props, data.encode("utf-8"))
