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
def run_relay(port: int, hidden: bytes = b"") -> Iterator[Relay]:
    """Hands on to a port of this machine; a word of what the server says is hidden from the client."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection(("127.0.0.1", port), 10) as server:
                back = threading.Thread(target=_pump_bytes, args=(server, self.request, hidden, None), daemon=True)
                back.start()
                _pump_bytes(self.request, server, b"", relay_server.sent)
                back.join(10)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as listening:
        relay_server = Relay(listening.server_address[1])
        threading.Thread(target=listening.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield relay_server
        finally:
            listening.shutdown()


def _pump_bytes(source: socket.socket, target: socket.socket, hidden: bytes, stored_bytes: bytearray | None) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            if stored_bytes is not None:
                stored_bytes += data
            target.sendall(data.replace(hidden, b"X" * len(hidden)) if hidden else data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
