"""Addresses at which our servers listen."""

import ipaddress
import socket

from yardkit.world import Problem

MAX_PORT = 65_535


def base_url(host: str, listener: socket.socket) -> str:
    """The address that clients use for `listener`."""
    address_text = f"[{host}]" if ":" in host else host
    return f"http://{address_text}:{listener.getsockname()[1]}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _read_reason(error: OSError) -> str:
    # create_server repeats the address in brackets; our message has it already.
    return (error.strerror or str(error)).partition(" (while attempting")[0]


def open_listener(host: str, port: int) -> socket.socket:
    """Open a listening socket; port 0 picks a free one.

    Raises:
        Problem: the port does not exist, or the address cannot be bound.
    """
    if not 0 <= port <= MAX_PORT:
        raise Problem(f"port {port} does not exist; use 1 to {MAX_PORT}, or 0 for a free one")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=2048)
        # asyncio sets this only on sockets that name their protocol, which create_server's do not. Without it an answer
        # in two packets waits 40 ms for the client's delayed acknowledgement. Accepted connections inherit it.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        raise Problem(
            f"cannot listen on {host}:{port} ({_read_reason(error)}); choose another --port or --host"
        ) from error
