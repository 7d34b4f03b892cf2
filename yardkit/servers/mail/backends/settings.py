"""Where a real mailbox is, and what may be done with it."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from ssl import SSLCertVerificationError
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from yardkit.world import Problem

Sending = Literal["ask", "always", "never"]
"""Whether mail is sent: after the client's user said so, at once, not at all."""
_PORTS = {"imaps": 993, "imap": 143, "smtps": 465, "smtp": 587}
TIMEOUT_S = 30.0


@dataclass(frozen=True)
class Settings:
    """A real mailbox.

    Attributes:
        url: ``imaps://host`` or ``imap://host`` (with STARTTLS, but on this machine).
        smtp_url: ``smtps://host`` or ``smtp://host`` (likewise); empty where nothing is to be sent.
        address: of the owner.
        writable: whether messages may be moved, marked, deleted, kept as drafts.
        most: of each folder, the newest so many messages are seen.
    """

    url: str
    smtp_url: str
    user: str
    password: str = field(repr=False)
    address: str = ""
    writable: bool = False
    sending: Sending = "ask"
    most: int = 500


@dataclass(frozen=True)
class Endpoint:
    """A server. encrypted: from the start; plaintext: never, as on this machine."""

    host: str
    port: int
    encrypted: bool
    plaintext: bool


def parse_endpoint(url: str, scheme: str) -> Endpoint:
    """The server that a URL names.

    Raises:
        Problem: it is not of that scheme, or names no host.
    """
    try:
        parts: SplitResult = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError as error:
        raise Problem(
            f"{url!r} is not a valid server address ({error}); use one such as {scheme}s://mail.example.com"
        ) from error
    if parts.scheme not in (scheme, f"{scheme}s") or not host:
        raise Problem(f"{url!r} is not a valid server address; use one such as {scheme}s://mail.example.com")
    return Endpoint(host, port, parts.scheme.endswith("s"), _is_here(host))


def explain_error(error: Exception) -> str:
    """Why a server cannot be talked to, for the one who made the settings."""
    if isinstance(error, SSLCertVerificationError):
        return (
            f"its certificate is not trusted ({error.verify_message}), so nothing was sent to it, not "
            "even a password; set SSL_CERT_FILE to the certificate of your own authority"
        )
    return str(error)


def make_encryption_problem(url: str) -> Problem:
    """A server that was to speak TLS and does not."""
    return Problem(
        f"the mail server {url} does not offer encryption (STARTTLS), so no password was sent; the "
        "connection may be intercepted. Check the address, or use a server with TLS"
    )


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
