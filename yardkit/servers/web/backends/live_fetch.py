"""Pages of the real web, where the operator allows them: public hosts, or the hosts that are named.

Every address that a name stands for is looked at before it is asked, and the very address that was looked at is the
one that is asked, so that a name cannot point elsewhere in between. The same holds for each redirect.
"""

import ipaddress
import re
import socket
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from yardkit.kit.addresses import split_address
from yardkit.servers.web.engine.resources import Resource, is_markup
from yardkit.servers.web.engine.sites import MAX_PAGE_BYTES
from yardkit.world import Problem, Unavailable
from yardkit.world.decoding import decode_bytes

if TYPE_CHECKING:
    import httpx2

PUBLIC = "*"
"""Stands for every host with a public address."""
_SECONDS, _REDIRECTS = 20.0, 5
_OURS = {"host", "content-length", "transfer-encoding", "connection"}
"""Headers that a caller cannot set."""


def fetch_live(url: str, headers: Mapping[str, str], allowed: str) -> Resource:
    """What the real web has at an address.

    Args:
        url: http or https.
        headers: of the request.
        allowed: hosts (``name`` or ``name:port``), parted by commas, or ``*`` for every public one. Only a host that is
            named may have a private address.

    Raises:
        Problem: the host may not be asked, or it answers with an error, too much, or no text.
        Unavailable: it cannot be reached.
    """
    sent = {name: value for name, value in headers.items() if name.lower() not in _OURS}
    for _ in range(_REDIRECTS + 1):
        status, stated, place, data = _request_page(url, sent, allowed)
        kind, charset = _split_media_type(stated)
        if place:
            if split_address(place).netloc != urlsplit(url).netloc:
                sent = {}  # what was meant for one host is not told to another
            url = place
            continue
        if status >= 400:
            raise Problem(f"HTTP error: {status}")
        text = decode_bytes(data, charset, html=is_markup(kind)).text
        if "\0" in text[:1000]:
            raise Problem(f"it is {kind or 'bytes'}, not text")
        return Resource(url, kind, text)
    raise Problem(f"it redirects more than {_REDIRECTS} times")


def _request_page(url: str, headers: Mapping[str, str], allowed: str) -> tuple[int, str, str, bytes]:
    """Status, media type with its parameters, where it leads (empty where it does not), content."""
    import httpx2

    parts = split_address(url)
    address = _resolve_address(url, allowed)
    host_text = f"[{address}]" if ":" in address else address
    place = f"{host_text}:{parts.port}" if parts.port else host_text
    request = httpx2.Request(
        "GET",
        parts._replace(netloc=place, fragment="").geturl(),
        headers={"user-agent": "yardkit", **headers, "host": parts.netloc.rpartition("@")[2]},
        extensions={"sni_hostname": parts.hostname, "timeout": httpx2.Timeout(_SECONDS).as_dict()},
    )
    try:
        with httpx2.Client(trust_env=False) as client:
            answer = client.send(request, stream=True)
            try:
                data = _read_content(answer)
            finally:
                answer.close()
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise Unavailable(f"{parts.hostname} could not be reached ({type(error).__name__})") from error
    leads = urljoin(url, answer.headers["location"]) if answer.has_redirect_location else ""
    return answer.status_code, answer.headers.get("content-type", ""), leads, data


def _split_media_type(stated: str) -> tuple[str, str]:
    """A media type without parameters, and the charset among them."""
    charset = re.search(r"""charset\s*=\s*["']?([^\s"';]+)""", stated, re.IGNORECASE)
    return stated.partition(";")[0].strip().lower(), charset[1] if charset else ""


def _read_content(answer: "httpx2.Response") -> bytes:
    data = b""
    for part in answer.iter_bytes():
        data += part
        if len(data) > MAX_PAGE_BYTES:
            raise Problem(f"it has more than {MAX_PAGE_BYTES:,} bytes")
    return data


def _resolve_address(url: str, allowed: str) -> str:
    """The address to connect to.

    Raises:
        Problem: the host may not be asked.
        Unavailable: it has no address.
    """
    parts = split_address(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Problem(f"{url!r} is not a valid address; use one such as https://example.org/page")
    try:
        port = parts.port or {"http": 80, "https": 443}[parts.scheme]
        addresses = [str(entry[4][0]) for entry in socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError, ValueError) as error:
        raise Unavailable(f"there is no host {parts.hostname!r}") from error
    names = {name.strip().lower() for name in allowed.split(",")}
    if {parts.hostname, f"{parts.hostname}:{port}"} & names:
        return addresses[0]
    if PUBLIC not in names:
        raise Problem(f"{parts.hostname} is not an allowed host; allowed are {', '.join(sorted(names))}")
    if not all(_is_public(address) for address in addresses):
        raise Problem(f"{parts.hostname} has a private address, which is not allowed")
    return addresses[0]


def _is_public(address: str) -> bool:
    place = ipaddress.ip_address(address.partition("%")[0])
    inner = getattr(place, "ipv4_mapped", None) or getattr(place, "sixtofour", None)
    if inner is not None:
        place = inner
    # 64:ff9b::/96 leads to any IPv4 address, private ones too.
    translated = place.version == 6 and place in ipaddress.ip_network("64:ff9b::/96")
    return place.is_global and not place.is_multicast and not translated
