"""Somebody in the middle: what goes through between a client and a server is kept, and may be changed."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Relay:
    """Listens on a port and hands all on. sent: all bytes that clients sent."""

    port: int
    sent: bytearray = field(default_factory=bytearray)


@contextmanager
def relay(port: int, hidden: bytes = b"") -> Iterator[Relay]:
    """Hands on to a port of this machine; a word of what the server says is hidden from the client."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection(("127.0.0.1", port), 10) as server:
                back = threading.Thread(target=_pump, args=(server, self.request, hidden, None), daemon=True)
                back.start()
                _pump(self.request, server, b"", kept.sent)
                back.join(10)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as listening:
        kept = Relay(listening.server_address[1])
        threading.Thread(target=listening.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield kept
        finally:
            listening.shutdown()


def _pump(source: socket.socket, target: socket.socket, hidden: bytes, kept: bytearray | None) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            if kept is not None:
                kept += data
            target.sendall(data.replace(hidden, b"X" * len(hidden)) if hidden else data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
